/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_VOCABULARY_H
#define LIBGANG_TRAINER_VOCABULARY_H

#include "libgang/gang/role.h"

/*
 * Words with a meaning to Kubeflow Trainer. Source: kubeflow/trainer:pkg/constants/constants.go@v2.3.0.
 */
#define TRAINER_ANCESTOR_LABEL SLICE("trainer.kubeflow.org/trainjob-ancestor-step")
#define TRAINER_SUPPORT_LABEL SLICE("trainer.kubeflow.org/support")
#define TRAINER_WEBHOOK_LABEL SLICE("trainer.kubeflow.org/webhook-validation")
#define TRAINER_NODE SLICE("node")         /* job and container that train */
#define TRAINER_LAUNCHER SLICE("launcher") /* job that starts mpirun */

struct ancestor_entry {
    struct slice value; /* of the ancestor label */
    enum ancestor ancestor;
    struct slice container; /* that the role must have */
};

extern const struct ancestor_entry ancestor_table[];
extern const size_t ancestor_table_size;

/* NULL for any other value; the operator reads those as no ancestor but keeps the text. */
const struct ancestor_entry *ancestor_entry_of(struct slice value);

#endif
