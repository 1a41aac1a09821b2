/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_H
#define LIBGANG_POLICY_CLUSTER_H

#include "libgang/catalog/catalog.h"
#include "libgang/document/document.h"
#include "libgang/kube/pod_admission.h"
#include "libgang/kube/release.h"

enum cluster_answer { CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES };

/* What has a release of its own: the schedulers, by their place in the catalog, and what makes the jobs. */
enum { COMPONENT_JOBSET = CATALOG_COUNT, COMPONENT_TRAINER, COMPONENT_COUNT };

struct cluster_priority_class {
    struct slice name;
    int64_t value;
    bool is_global_default;
    struct slice preemption_policy; /* unset: PreemptLowerPriority */
    const struct node *source;      /* NULL for a class that every cluster has */
};

struct cluster_namespace {
    struct slice name;
    const struct node *labels; /* NULL: none */
    const struct node *source;
};

/* The items of a list in the order of their keys, for a search by halves. */
struct cluster_index {
    const struct node **items;
    size_t count;
    bool is_known; /* the list is there, if only to say that there are none */
};

/* A GangCluster: facts about the cluster. Read strictly. A fact that is not there is unknown, never "no". */
struct gang_cluster {
    struct gang_document document;
    const struct node *source; /* the whole document */
    struct release kubernetes;
    const struct node *kubernetes_source; /* NULL when the document does not say */
    struct release components[COMPONENT_COUNT];
    const struct node *component_sources[COMPONENT_COUNT];
    const struct node *feature_gates;       /* NULL when the document does not say */
    const struct node *pod_template_fields; /* the same */
    struct cluster_index served_versions;
    struct cluster_index queues;
    bool knows_namespaces;
    bool knows_priority_classes;
    struct cluster_namespace *namespaces; /* sorted by name */
    size_t num_namespaces;
    struct cluster_priority_class *priority_classes; /* sorted by name */
    size_t num_priority_classes;
    bool knows_runtime_classes;
    bool knows_limit_ranges;
    struct runtime_class *runtime_classes; /* sorted by name */
    size_t num_runtime_classes;
    struct limit_range *limit_ranges; /* sorted by namespace and name */
    size_t num_limit_ranges;
};

/* The compiled document; NULL for one of another kind. */
static inline const struct gang_cluster *
cluster_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_CLUSTER) ? (const struct gang_cluster *)document : NULL;
}

void cluster_compile(struct gang_document *document, struct parse_call *call);

/*
 * Every function below takes a NULL cluster, of which nothing is known.
 */

/*
 * Whether the API server serves a group and version ("scheduling.k8s.io/v1beta1"), and of it a resource ("podgroups";
 * unset: any). Where the version is listed without resources, a resource is unknown.
 */
enum cluster_answer cluster_serves(const struct gang_cluster *cluster, struct slice group_version,
                                   struct slice resource);

/* Whether a feature gate of the API server is on. A gate that is not named is unknown. */
enum cluster_answer cluster_has_gate(const struct gang_cluster *cluster, struct slice gate);
/* Where the gate is named; NULL when it is not. */
const struct node *cluster_gate_source(const struct gang_cluster *cluster, struct slice gate);

/* Whether the installed JobSet and Trainer CRDs keep "workloadRef" or "schedulingGroup" in a pod template. */
enum cluster_answer cluster_keeps_pod_field(const struct gang_cluster *cluster, struct slice field);

/* Not known without the fact. */
struct release cluster_kubernetes(const struct gang_cluster *cluster);
struct release cluster_component(const struct gang_cluster *cluster, size_t component);
/* Where the fact stands, for a finding; NULL without one. */
const struct node *cluster_component_source(const struct gang_cluster *cluster, size_t component);

/*
 * Whether there is a priority class of that name; `out`, which may be NULL, is set with CLUSTER_YES and NULL
 * otherwise. The two classes that every cluster has are always there.
 */
enum cluster_answer cluster_priority_class(const struct gang_cluster *cluster, struct slice name,
                                           const struct cluster_priority_class **out);
/* The class of pods that name none; NULL when there is none or nothing is known of classes. */
const struct cluster_priority_class *cluster_default_priority_class(const struct gang_cluster *cluster);

/* Whether a queue exists; `type` is the backend type whose queues are meant: "Volcano", "KAI". */
enum cluster_answer cluster_has_queue(const struct gang_cluster *cluster, struct slice type,
                                      struct slice name);

/*
 * Whether there is a namespace of that name; `out`, which may be NULL, as above. With CLUSTER_NO it is not among those
 * that the document lists, so it has no labels.
 */
enum cluster_answer cluster_namespace(const struct gang_cluster *cluster, struct slice name,
                                      const struct cluster_namespace **out);

/* What admission does with pods in the namespace, borrowed from the cluster; unset: nothing is known of limits. */
struct pod_admission cluster_pod_admission(const struct gang_cluster *cluster, struct slice namespace_);

#endif
