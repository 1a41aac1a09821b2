/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINJOB_H
#define LIBGANG_TRAINER_TRAINJOB_H

#include "libgang/document/parse_call.h"
#include "libgang/kube/object_meta.h"
#include "libgang/kube/pod_requests.h"

/* `spec.runtimeRef`, with the defaults of the API server. */
struct runtime_ref {
    const struct node *source;
    struct slice api_group;
    struct slice kind;
    struct slice name;
};

/* A TrainJob. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 */
struct gang_trainjob {
    struct document_handle handle;
    struct slice name; /* these two end in NUL, for the getters; so do the texts of `runtime_ref` */
    struct slice namespace_;
    struct object_meta meta;
    struct runtime_ref runtime_ref;
    const struct node *spec;
    const struct node *trainer;          /* spec.trainer; NULL when absent */
    const struct node *num_nodes_source; /* NULL when unset */
    int64_t num_nodes;
    const struct node *resources_per_node; /* NULL when unset */
    struct resource_list node_requests;
    struct resource_list node_limits;
    const struct node *runtime_patches; /* NULL when absent */
    bool suspended;
    const struct node *managed_by; /* set when it names another controller than the operator */
};

#endif
