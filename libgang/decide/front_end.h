/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_FRONT_END_H
#define LIBGANG_DECIDE_FRONT_END_H

#include "libgang/decide/decision.h"

/* The kinds of job, one bit each. */
enum {
    JOB_OF_TRAINER = 1 << 0,
    JOB_OF_GROVE = 1 << 1,
    JOB_OF_OTHERS = 1 << 2, /* a GangJob, or a job that is translated to one */
};

/* For tables of sources (choice.h): the kinds of job that a source is not for. */
enum {
    OF_TRAINER = JOB_OF_GROVE | JOB_OF_OTHERS,
    OF_GROVE = JOB_OF_TRAINER | JOB_OF_OTHERS,
    OF_OTHERS = JOB_OF_TRAINER | JOB_OF_GROVE,
    OF_ALL_BUT_GROVE = JOB_OF_GROVE,
};

/* The functions that differ between the kinds of job. decide() calls them in this order. */
struct front_end {
    unsigned job;                     /* its bit */
    bool follows_compatibility;       /* the policy's `compatibility` applies to this operator */
    enum gang_document_type document; /* the document of the job */
    const char *uid_hint;             /* hint for a job without a uid */
    /* Checks the documents and sets the wishes that rules can match, such as roles. */
    void (*read)(struct gang_decision *decision);
    /*
     * Sets the wishes that depend on the backend, which may be absent. Returns false if the job has
     * no gang of its own; the choice is then only checked.
     */
    bool (*fill)(struct gang_decision *decision);
    /* Counts pod requests again, without limits as replacements for missing requests. */
    void (*count_requests_only)(struct gang_decision *decision);
};

/* Returns the front end of the job in the documents. */
const struct front_end *front_end_of(const struct decision_inputs *inputs);

#endif
