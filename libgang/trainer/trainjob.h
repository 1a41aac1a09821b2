/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_TRAINJOB_H
#define LIBGANG_TRAINER_TRAINJOB_H

#include "libgang/document/document.h"
#include "libgang/gang/wishes.h"
#include "libgang/kube/names.h"
#include "libgang/kube/pod_requests.h"

struct trainer_job;

/* `spec.runtimeRef`, with the defaults of the API server. */
struct runtime_ref {
    const struct node *source;
    struct slice api_group;
    struct slice kind;
    struct slice name;
};

/* A TrainJob. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 */
struct gang_trainjob {
    struct gang_document document;
    /* These two are NUL-terminated for the getters; so are the texts of `runtime_ref`. */
    struct slice name;
    struct slice namespace_;
    struct object_meta meta;
    struct runtime_ref runtime_ref;
    const struct node *spec;
    const struct node *trainer;          /* spec.trainer; NULL if absent */
    const struct node *num_nodes_source; /* NULL if unset */
    int64_t num_nodes;
    const struct node *resources_per_node; /* NULL if unset */
    struct resource_list node_requests;
    struct resource_list node_limits;
    const struct node *runtime_patches; /* without the entry of libgang; NULL if absent */
    const struct node *own_patch;       /* the entry of libgang; NULL if absent */
    const struct node *kueue_patch;     /* the entry of Kueue; NULL if absent */
    bool suspended;
    const struct node *managed_by; /* set if it names a controller other than the operator */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_trainjob *
trainjob_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_TRAINJOB) ? (const struct gang_trainjob *)document
                                                         : NULL;
}

void trainjob_compile(struct gang_document *document, struct parse_call *call);

/* Reports a number of nodes that no runtime accepts. */
void trainjob_judge(const struct gang_document *document, struct report *report);

/* Returns the name of the object of `kind` to which the trainjob refers. */
struct slice trainjob_refers_to(const struct gang_document *document, struct slice kind);

/*
 * Reports what the operator's webhooks refuse in a trainjob together with its runtime, and what
 * JobSet's webhook would refuse in the JobSet made of them, with their messages. The roles of
 * `gang` must be counted.
 *
 * Source: the Validate functions in kubeflow/trainer:pkg/runtime/framework/plugins@v2.3.0,
 * kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go@v0.12.0
 */
void trainjob_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                          struct report *report);

#endif
