/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINER_GANG_H
#define LIBGANG_TRAINER_TRAINER_GANG_H

#include "libgang/trainer/runtime.h"
#include "libgang/trainer/trainjob.h"

/*
 * Names with a meaning in Kubeflow Trainer. Source:
 * kubeflow/trainer:pkg/constants/constants.go@v2.3.0.
 */
#define TRAINER_ANCESTOR_LABEL SLICE("trainer.kubeflow.org/trainjob-ancestor-step")
#define TRAINER_SUPPORT_LABEL SLICE("trainer.kubeflow.org/support")
#define TRAINER_WEBHOOK_LABEL SLICE("trainer.kubeflow.org/webhook-validation")
#define TRAINER_NODE SLICE("node")         /* job and container of the training nodes */
#define TRAINER_LAUNCHER SLICE("launcher") /* job that starts mpirun */

struct ancestor_entry {
    struct slice value; /* of the ancestor label */
    enum ancestor ancestor;
    enum membership_wish wish;
    struct slice container; /* container that the role must have */
};

extern const struct ancestor_entry ancestor_table[];
extern const size_t ancestor_table_size;

/* Returns NULL for any other value. The operator treats these as no ancestor but keeps the text. */
const struct ancestor_entry *ancestor_entry_of(struct slice value);

/*
 * A runtime and a trainjob together, with the trainjob's patches applied: the input of the
 * operator.
 */
struct trainer_job {
    const struct gang_runtime *runtime;
    const struct gang_trainjob *trainjob;
    struct jobset jobset;
    bool is_exclusive; /* exclusive_topology_is_in() some metadata of the JobSet */
};

/* The memory, limits and options of a resolve. */
struct resolve_scratch {
    struct arena *arena;
    const struct limits *limits;
    struct report *report;
    const struct pod_admission *admission; /* NULL: pods are used as written */
};

struct trainer_job trainer_job_combine(const struct gang_runtime *runtime,
                                       const struct gang_trainjob *trainjob,
                                       const struct resolve_scratch *scratch);

/*
 * Sets every field of a gang that follows from the trainjob and its runtime: owner, suspension,
 * roles. The decide room takes the fields that depend on the backend (queue, timeout, topology)
 * from the podGroupPolicy.
 */
void trainer_gang_fill(const struct trainer_job *job, struct gang_wishes *wishes,
                       const struct resolve_scratch *scratch);

/*
 * Returns a map of the JobSet's metadata, of `labels` or `annotations`: the runtime's template with
 * the patches, where later patches have precedence.
 */
const struct node *trainer_template_map(const struct trainer_job *job, struct slice key,
                                        struct arena *arena);

/* Sets what the runtime's podGroupPolicy asks for the objects of a gang of the scheduler. */
void trainer_gang_request(const struct pod_group_policy *policy, const struct descriptor *scheduler,
                          struct gang_wishes *wishes);

/* What owns the pods, for a backend that reads it; NULL only without memory. */
const struct owner_chain *trainer_gang_chain(const struct trainer_job *job, struct arena *arena);

#endif
