/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_DECISION_H
#define LIBGANG_DECIDE_DECISION_H

#include "libgang/backend/backend.h"
#include "libgang/base/refcount.h"
#include "libgang/decide/inputs.h"
#include "libgang/grove/scheduler.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy.h"
#include "libgang/trainer/queue_sources.h"
#include "libgang/trainer/trainer_gang.h"

struct front_end;

/* A schedulerName in a template, each once, where it stands first. */
struct named_scheduler {
    struct slice name;
    const struct node *source;
};

/* What the documents of a job say of its backend. What a kind of job lacks is left out. */
struct backend_facts {
    size_t members;                              /* of podGroupPolicy that belong to a backend */
    const struct node *member_of[CATALOG_COUNT]; /* by the catalog; NULL: none */
    const struct named_scheduler *named;
    size_t num_named;
    size_t num_enabled;       /* of those names that belong to one enabled backend */
    const struct node *label; /* of a PodGang, which names a scheduler */
    struct slice
        by_default; /* the scheduler of cliques that name none; unset: Grove cannot drive it */
};

/* What they say of its queue. */
struct queue_facts {
    struct queue_values read; /* by the chosen backend */
    struct queue_values of_others;
    struct grove_queue of_grove; /* that Grove's documents name, or its default */
};

/* What was chosen. Why, the trace tells, which is made from this when somebody wants to read it. */
struct gang_decision {
    struct refcount references;
    struct arena *arena;
    struct decision_inputs inputs;
    struct slice created_uid;          /* of the plan's first object, where the caller knows it */
    const struct front_end *front_end; /* of the kind of job */
    const struct limits *limits;       /* of the context, which may be gone once it is decided */
    uint32_t flags;                    /* of the call that made it */
    struct trainer_job job;            /* of a runtime and a trainjob */
    struct grove_job grove; /* of a PodGang and its PodCliqueSet, the cluster's defaults in it */
    /* Of a PodGang or PodCliqueSet; NULL where none is chosen. */
    const struct grove_scheduler *grove_scheduler;
    bool grove_aggregates; /* PodGangs of one replica share a group */
    struct backend_facts backend_facts;
    struct queue_facts queue_facts; /* of a job with a backend */
    const struct policy_rule
        *rule;              /* the first that matches; NULL for none, and without a policy */
    bool rule_is_undecided; /* a rule asks what is not known */
    bool is_denied;         /* by a rule or a constraint */
    enum gang_outcome outcome;
    const struct backend *backend; /* NULL for no gang */
    const struct policy_backend
        *backend_entry; /* what the policy says of it; NULL without a policy */
    const char
        *reason; /* why there is a gang, or none; of a refused job what refuses it. Never NULL */
    int64_t minimum; /* pods that must start together, as the backend counts them */
    struct gang gang;
    struct backend_call call; /* what the backend is told */
    struct report report;
};

/*
 * An empty decision about the job in an arena of its own, with a reference of its own on each
 * document; its report judges by the policy's compatibility. NULL, with `*result` and `*err` set,
 * where inputs and job do not fit, or without the memory for it. `inputs` may be NULL.
 */
struct gang_decision *decision_new(struct gang_document *job, const struct gang_inputs *inputs,
                                   const struct limits *limits, int *result,
                                   struct gang_error **err);

/* Takes over what parsing found in each input, judged anew. */
void decision_take_findings(struct gang_decision *decision);

/* As the policy calls it; its type in lower case where no policy lists it. There must be one. Ends
 * in NUL. */
struct slice decision_backend_name(const struct gang_decision *decision);

/*
 * Ends the call that made the decision: gives it to `*out`, or, when it ran out of memory, to
 * nobody. An outcome that refuses comes with an error beside it.
 */
int decision_hand_out(struct gang_decision *decision, struct gang_decision **out,
                      struct gang_error **err);

#endif
