/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_ML_POLICY_H
#define LIBGANG_TRAINER_ML_POLICY_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

struct trainer_job;

/* The member of `mlPolicy` that is set; ML_PLAIN if none is set. */
enum ml_source { ML_PLAIN, ML_TORCH, ML_MPI, ML_JAX, ML_XGBOOST, ML_FLUX };

/*
 * A runtime's `spec.mlPolicy`. Source:
 * kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainingruntime_types.go@v2.3.0
 */
struct ml_policy {
    /* NULL without mlPolicy, which differs from an empty mlPolicy */
    const struct node *source_node;
    enum ml_source source;
    const struct node *num_nodes_source; /* NULL if unset */
    int64_t num_nodes;                   /* 1 if unset */
    bool launcher_is_node;               /* mpi.runLauncherAsNode */
};

struct ml_policy ml_policy_read(const struct node *spec, struct report *report);

/*
 * Reports what the plugin of the runtime's ML policy refuses in a trainjob.
 *
 * Source: kubeflow/trainer:pkg/runtime/framework/plugins/{torch,mpi,xgboost,flux}@v2.3.0
 */
void ml_rules_check(const struct trainer_job *job, struct report *report);

/* Reports violations of the rules for `command: [tune, run]`. */
void torchtune_rules_check(const struct trainer_job *job, struct report *report);

#endif
