/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_DECISION_H
#define LIBGANG_DECIDE_DECISION_H

#include "libgang/backend/backend.h"
#include "libgang/base/refcount.h"
#include "libgang/grove/scheduler.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy.h"
#include "libgang/trainer/trainer_gang.h"

struct trace;

/* What was passed in, one reference held on each; NULL where a front end has no such document, or none was given. */
struct decision_inputs {
    struct gang_runtime *runtime;
    struct gang_trainjob *trainjob;
    struct gang_podgang *podgang;
    struct gang_podcliqueset *podcliqueset;
    struct gang_policy *policy;
    struct gang_cluster *cluster;
};

/* What was chosen. Why, the trace tells, which is made from this when somebody wants to read it. */
struct gang_decision {
    struct refcount references;
    struct arena *arena;
    struct decision_inputs inputs;
    void (*trace)(const struct gang_decision *decision, struct trace *trace); /* of the front end */
    uint32_t flags;                                                           /* of the call that made it */
    struct trainer_job job; /* of a runtime and a trainjob */
    const struct grove_scheduler
        *grove_scheduler;           /* of a PodGang or PodCliqueSet; NULL where none is chosen */
    bool grove_aggregates;          /* PodGangs of one replica share a group */
    struct grove_queue grove_queue; /* that Grove's documents name */
    const struct policy_rule *rule; /* the first that matches; NULL for none, and without a policy */
    bool rule_is_undecided;         /* a rule asks what is not known */
    bool is_denied;                 /* by a rule or a constraint */
    enum gang_outcome outcome;
    const struct backend *backend;              /* NULL for no gang */
    const struct policy_backend *backend_entry; /* what the policy says of it; NULL without a policy */
    struct gang gang;
    struct backend_call call; /* what the backend is told */
    struct report report;
};

/*
 * An empty decision in an arena of its own, with a reference of its own on each input; its report judges by the
 * policy's compatibility. NULL, with `*result` and `*err` set, without the memory for it.
 */
struct gang_decision *decision_new(const struct decision_inputs *inputs, const struct limits *limits,
                                   int *result, struct gang_error **err);

/* Takes over what parsing found in each input, judged anew. */
void decision_take_findings(struct gang_decision *decision);

/* As the policy calls it; its type in lower case where no policy lists it. There must be one. Ends in NUL. */
struct slice decision_backend_name(const struct gang_decision *decision);

/*
 * Ends the call that made the decision: gives it to `*out`, or, when it ran out of memory, to nobody. An outcome
 * that refuses comes with an error beside it.
 */
int decision_hand_out(struct gang_decision *decision, struct gang_decision **out, struct gang_error **err);

#endif
