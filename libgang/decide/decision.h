/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_DECISION_H
#define LIBGANG_DECIDE_DECISION_H

#include "libgang/backend/backend.h"
#include "libgang/decide/inputs.h"
#include "libgang/grove/scheduler.h"
#include "libgang/trainer/queue_sources.h"

struct front_end;

/* A schedulerName in a template, with its first occurrence; each name once. */
struct named_scheduler {
    struct slice name;
    const struct node *source;
};

/*
 * The values in a job's documents that select its backend. Fields that a kind of job does not have
 * are unset.
 */
struct backend_facts {
    /* members of podGroupPolicy that belong to a backend */
    size_t members;
    const struct node *member_of[CATALOG_COUNT]; /* in the order of the catalog; NULL if absent */
    const struct named_scheduler *named;
    size_t num_named;
    size_t num_enabled;       /* number of those names that belong to one enabled backend */
    const struct node *label; /* of a PodGang, which names a scheduler */
    /* the scheduler of cliques without a schedulerName; unset if Grove does not support it */
    struct slice by_default;
};

/* The values in the job's documents that set its queue. */
struct queue_facts {
    struct queue_values read; /* by the chosen backend */
    struct queue_values of_others;
    struct grove_queue of_grove; /* the queue in Grove's documents, or Grove's default */
};

/*
 * The choices for a job. The trace, which has their reasons, is computed from this structure on
 * request.
 */
struct gang_decision {
    struct refcount references;
    struct arena *arena;
    struct decision_inputs inputs;
    struct slice created_uid;          /* of the plan's first object, if the caller knows it */
    uint64_t gang_index;               /* of a job with several gangs */
    const struct front_end *front_end; /* of the kind of job */
    const struct limits *limits;       /* of the context, which may be freed after the decision */
    uint32_t flags;                    /* of the call that created it */
    struct trainer_job job;            /* of a runtime and a trainjob */
    struct grove_job grove; /* of a PodGang and its PodCliqueSet, with the cluster's defaults */
    const struct gang_job *gang_job; /* of a job of another kind: its gang that is decided */
    /* For a PodGang or PodCliqueSet; NULL if none is chosen. */
    const struct grove_scheduler *grove_scheduler;
    bool grove_aggregates; /* PodGangs of one replica share a group */
    struct backend_facts backend_facts;
    struct queue_facts queue_facts; /* of a job with a backend */
    /* labels that decide the class of the group, of a job with a backend */
    struct queue_values priority_labels;
    struct backend_classes classes; /* of a trainjob with a backend */
    const struct policy_rule
        *rule;              /* the first that matches; NULL if none does, or without a policy */
    bool rule_is_undecided; /* a rule needs facts that are not known */
    bool is_denied;         /* by a rule or a constraint */
    enum gang_outcome outcome;
    const struct backend *backend;              /* NULL: no gang */
    const struct policy_backend *backend_entry; /* its entry in the policy; NULL without a policy */
    const char *reason; /* why there is a gang or none, or why the job is refused; never NULL */
    int64_t minimum;    /* pods that must start together, as the backend counts them */
    /* In the order in which they are made: each is constant once the next one exists. */
    struct gang_wishes wishes;
    struct gang gang;
    struct backend_call call; /* the arguments of the backend; of a job with a backend */
    struct report report;
};

/*
 * Returns an empty decision about the job in its own arena, with its own reference on each
 * document. Its report sets severities by the policy's compatibility mode. NULL, with `*result` and
 * `*err` set, if inputs and job do not fit together, or if out of memory. `inputs` may be NULL.
 */
struct gang_decision *decision_new(struct gang_document *job, const struct gang_inputs *inputs,
                                   const struct limits *limits, int *result,
                                   struct gang_error **err);

/* Adds the parse findings of each input, with severities set again. */
void decision_take_findings(struct gang_decision *decision);

/* Returns the field by which another controller creates the pods in another cluster; or NULL. */
const struct node *decision_managed_elsewhere(const struct gang_decision *decision);

/*
 * Returns the backend's name in the policy, or its type in lower case if no policy lists it. The
 * decision must have a backend. NUL-terminated.
 */
struct slice decision_backend_name(const struct gang_decision *decision);

/*
 * Ends the call that created the decision: stores it in `*out`, or frees it if it ran out of
 * memory. An outcome that refuses the job also returns an error.
 */
int decision_hand_out(struct gang_decision *decision, struct gang_decision **out,
                      struct gang_error **err);

/* Returns the error of an arena that has failed; without steps left it names the decision's job. */
int decision_error(const struct gang_decision *decision, const struct arena *arena,
                   struct gang_error **err);

#endif
