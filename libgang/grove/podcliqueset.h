/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_PODCLIQUESET_H
#define LIBGANG_GROVE_PODCLIQUESET_H

#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/gang/wishes.h"
#include "libgang/kube/names.h"
#include "libgang/kube/pod_requests.h"

/* One of `spec.template.cliques[]`. */
struct podclique_template {
    struct slice name;
    int64_t replicas; /* number of pods in one PodClique */
    struct slice scheduler_name;
    struct slice priority_class_name;
    struct pod_resources resources;
    /* Requests of one pod, where a limit replaces a missing request. */
    struct resource_list requests;
    const struct node *labels;
    const struct node *annotations;
    const struct node *pod_spec;
    const struct node *topology; /* NULL if absent */
    const struct node *source;
};

/* One of `spec.template.podCliqueScalingGroups[]`. */
struct podclique_scaling_group {
    struct slice name;
    const struct node *cliques;  /* names of cliques */
    const struct node *topology; /* NULL if absent */
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
    const struct node *topology; /* NULL if absent */
};

/* Returns the compiled document; NULL for a document of another kind. */
static inline const struct gang_podcliqueset *
podcliqueset_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_PODCLIQUESET)
               ? (const struct gang_podcliqueset *)document
               : NULL;
}

void podcliqueset_compile(struct gang_document *document, struct parse_call *call);

/*
 * Returns the clique whose template a PodClique has, by the name of the PodClique:
 * `<set>-<replica>-<clique>` or `<set>-<replica>-<group>-<replica>-<clique>`. NULL if no clique
 * matches.
 */
const struct podclique_template *podcliqueset_find_clique(const struct gang_podcliqueset *set,
                                                          struct slice podclique);

/* The schema of a PodCliqueSet. It does not check a pod's spec; the readers of the spec do. */
extern const struct schema podcliqueset_schema;

/*
 * Returns the PodCliqueSet with the requests that the pods of its cliques have after admission by
 * the API server; returns `set` itself if admission changes nothing. The result is allocated in the
 * report's arena and holds no reference. Reports the findings of pod_admission_apply().
 */
const struct gang_podcliqueset *clique_requests_admit(const struct gang_podcliqueset *set,
                                                      const struct pod_admission *admission,
                                                      struct report *report);

/* Reports the findings of pod_limits_check() about the pods of every clique. */
void clique_requests_check_limits(const struct gang_podcliqueset *set, struct report *report);

/*
 * Uses only `requests` as the requests of a pod in the roles made from the set's cliques, and
 * reports limits that are not counted.
 */
void clique_requests_leave_limits_out(const struct gang_podcliqueset *set,
                                      struct gang_wishes *wishes, struct report *report);

#endif
