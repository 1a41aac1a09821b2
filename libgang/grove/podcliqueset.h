/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PODCLIQUESET_H
#define LIBGANG_GROVE_PODCLIQUESET_H

#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"
#include "libgang/kube/object_meta.h"
#include "libgang/kube/pod_admission.h"
#include "libgang/kube/pod_requests.h"

/* One of `spec.template.cliques[]`. */
struct podclique_template {
    struct slice name;
    int64_t replicas; /* pods of one PodClique of it */
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct pod_resources resources;
    struct resource_list requests; /* of one pod, limits standing in for missing requests */
    const struct node *labels;
    const struct node *annotations;
    const struct node *pod_spec;
    const struct node *topology; /* NULL: none */
    const struct node *source;
};

/* One of `spec.template.podCliqueScalingGroups[]`. */
struct podclique_scaling_group {
    struct slice name;
    const struct node *cliques;  /* their names */
    const struct node *topology; /* NULL: none */
    const struct node *source;
};

/* A PodCliqueSet. Source: ai-dynamo/grove:operator/api/core/v1alpha1/podcliqueset.go@fcc3b3bb */
struct gang_podcliqueset {
    struct gang_document document;
    struct object_meta meta;
    const struct node *pod_template; /* spec.template */
    struct podclique_template *cliques;
    size_t num_cliques;
    struct podclique_scaling_group *groups;
    size_t num_groups;
    const struct node *topology; /* NULL: none */
};

/* The compiled document; NULL for one of another kind. */
static inline const struct gang_podcliqueset *
podcliqueset_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_PODCLIQUESET) ? (const struct gang_podcliqueset *)document
                                                             : NULL;
}

void podcliqueset_compile(struct gang_document *document, struct parse_call *call);

/* Sums up what one pod requests, as its resources have it; reports an overflow. */
void podclique_sum_requests(struct podclique_template *clique, enum pod_requests_mode mode,
                            struct report *report);

/*
 * The clique of which the PodClique of this name was made: `<set>-<replica>-<clique>`, or
 * `<set>-<replica>-<group>-<replica>-<clique>`. NULL when it was made of none.
 */
const struct podclique_template *podcliqueset_find_clique(const struct gang_podcliqueset *set,
                                                          struct slice podclique);

/* A pod's spec is checked only where it is read. */
extern const struct schema podcliqueset_schema;

/*
 * The PodCliqueSet with the requests that the pods of its cliques have once the API server has let them in; the same one
 * where nothing comes of that. It lives in the report's arena and holds no reference. Reports what pod_admission_apply() does.
 */
const struct gang_podcliqueset *clique_requests_admit(const struct gang_podcliqueset *set,
                                                      const struct pod_admission *admission,
                                                      struct report *report);

/*
 * Takes what stands under requests alone for what a pod requests, in the roles that are made of the set's cliques, and says
 * where limits go uncounted.
 */
void clique_requests_leave_limits_out(const struct gang_podcliqueset *set, struct gang *gang,
                                      struct report *report);

#endif
