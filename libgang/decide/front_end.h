/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_FRONT_END_H
#define LIBGANG_DECIDE_FRONT_END_H

#include "libgang/decide/decision.h"

/* The kinds of job, one bit each, for tables that say what speaks for which. */
enum { JOB_OF_TRAINER = 1 << 0, JOB_OF_GROVE = 1 << 1, JOB_OF_ANY = JOB_OF_TRAINER | JOB_OF_GROVE };

/* What differs between the kinds of job when they are decided. decide() calls the functions in this
 * order. */
struct front_end {
    unsigned job;                     /* its bit */
    bool follows_compatibility;       /* the policy's `compatibility` is about this operator */
    enum gang_document_type document; /* the job itself */
    const char *uid_hint;             /* for one that was passed without its uid */
    /* Checks the documents and fills the roles, as far as rules ask for them. */
    void (*read)(struct gang_decision *decision);
    /*
     * Fills what depends on the backend, which may be none. False: no gang of its own comes of the
     * job, what was chosen is only checked.
     */
    bool (*fill)(struct gang_decision *decision);
    /* Counts the pods again by what they request, without what limits stand in for. */
    void (*count_requests_only)(struct gang_decision *decision);
    /* Forms the gang: by the start order of its roles, or by its groups. */
    void (*form)(struct gang *gang, struct arena *arena, struct report *report);
};

/* That of the job among the documents. */
const struct front_end *front_end_of(const struct decision_inputs *inputs);

#endif
