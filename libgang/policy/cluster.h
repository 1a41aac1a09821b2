/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CLUSTER_H
#define LIBGANG_POLICY_CLUSTER_H

#include "libgang/catalog/catalog.h"
#include "libgang/catalog/job_names.h"
#include "libgang/document/document.h"
#include "libgang/kube/pod_requests.h"
#include "libgang/kube/names.h"

enum cluster_answer { CLUSTER_UNKNOWN, CLUSTER_NO, CLUSTER_YES };

/*
 * The components with a version of their own: the schedulers, by their index in the catalog, and
 * the operators of jobs, by theirs in job_operators.
 */
enum {
    COMPONENT_OF_OPERATORS = CATALOG_COUNT,
    COMPONENT_COUNT = CATALOG_COUNT + JOB_OPERATOR_COUNT
};
#define COMPONENT_JOBSET (COMPONENT_OF_OPERATORS + JOB_OPERATOR_AT_jobset)
#define COMPONENT_TRAINER (COMPONENT_OF_OPERATORS + JOB_OPERATOR_AT_trainer)

/* In each struct of a list, the texts by which the list is sorted stand first. */
struct cluster_version {
    struct slice group_version;
    const struct node *resources; /* NULL: unknown */
};

struct cluster_queue {
    struct slice type;
    struct slice name;
    struct slice parent; /* unset if absent */
    const struct node *source;
};

struct cluster_quota {
    struct slice namespace_;
    struct slice name;
    const struct node *hard;
    const struct node *used; /* NULL if absent */
};

struct cluster_priority_class {
    struct slice name;
    int64_t value;
    bool is_global_default;
    struct slice preemption_policy; /* unset: PreemptLowerPriority */
    const struct node *source;      /* NULL for a class that exists in every cluster */
};

struct cluster_namespace {
    struct slice name;
    const struct node *labels; /* NULL if absent */
    const struct node
        *quota; /* what a scheduler allows the pods of the namespace; NULL if absent */
    const struct node *source;
};

/* What filters of schedulers read of a node. */
struct cluster_node {
    struct slice name;
    const struct node *labels; /* NULL if absent, as the next one */
    const struct node *annotations;
    const struct node *allocatable;
};

struct cluster_device_class {
    struct slice name;
    struct slice extended_resource; /* unset if absent */
};

/*
 * A GangCluster: facts about the cluster. Read in strict mode. A missing fact is unknown, never
 * "no".
 */
struct gang_cluster {
    struct gang_document document;
    const struct node *source; /* the whole document */
    struct release kubernetes;
    const struct node *kubernetes_source; /* NULL if absent */
    struct release components[COMPONENT_COUNT];
    const struct node *component_sources[COMPONENT_COUNT];
    const struct node *feature_gates;       /* NULL if absent */
    const struct node *pod_template_fields; /* NULL if absent */
    const struct node *operator_gangs;      /* NULL if absent */
    /* The source of each list is NULL if the facts do not have it. */
    const struct node *versions_source;
    struct cluster_version *versions;
    size_t num_versions;
    const struct node *queues_source;
    struct cluster_queue *queues; /* sorted by type and name */
    size_t num_queues;
    struct cluster_quota *quotas; /* in the order of the document */
    size_t num_quotas;
    const struct node *namespaces_source;
    struct cluster_namespace *namespaces;
    size_t num_namespaces;
    const struct node *priority_classes_source;
    struct cluster_priority_class *priority_classes;
    size_t num_priority_classes;
    const struct node *runtime_classes_source;
    struct runtime_class *runtime_classes;
    size_t num_runtime_classes;
    const struct node *nodes_source;
    struct cluster_node *nodes; /* in the order of the document */
    size_t num_nodes;
    const struct node *device_classes_source;
    struct cluster_device_class *device_classes;
    size_t num_device_classes;
    const struct node *limit_ranges_source;
    struct limit_range *limit_ranges; /* sorted by namespace and name */
    size_t num_limit_ranges;
};

/* Returns the compiled document; NULL if the document is of another kind. */
static inline const struct gang_cluster *
cluster_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_CLUSTER) ? (const struct gang_cluster *)document
                                                        : NULL;
}

void cluster_compile(struct gang_document *document, struct parse_call *call);
/*
 * Returns the schema of a GangCluster, which states each field once, as policy_schema() does. The
 * catalog supplies the components that have a version or queues. NULL if out of memory.
 */
const struct schema *cluster_schema(struct arena *arena);
/* The tables of schema/gangcluster.yaml, without the parts of the catalog. */
extern const struct schema cluster_document;
extern const struct schema cluster_metadata; /* the parts of `metadata` that an author needs */
/* Returns an unset slice for a scheduler that is part of Kubernetes. */
struct slice cluster_component_name(size_t component);

/* Every function below accepts a NULL cluster and then treats all facts as unknown. */

/*
 * Whether the API server serves a group and version ("scheduling.k8s.io/v1beta1"), and a resource
 * of it ("podgroups"; unset: any resource). If the document lists the version without resources,
 * the answer for a resource is unknown.
 */
enum cluster_answer cluster_serves(const struct gang_cluster *cluster, struct slice group_version,
                                   struct slice resource);

/*
 * Whether a feature gate of the API server is enabled. Unknown if the document does not list the
 * gate.
 */
enum cluster_answer cluster_has_gate(const struct gang_cluster *cluster, struct slice gate);
/* Returns the node of the gate; NULL if the document does not list the gate. */
const struct node *cluster_gate_source(const struct gang_cluster *cluster, struct slice gate);

/*
 * Whether the installed CRDs of JobSet and Trainer keep the field "workloadRef" or
 * "schedulingGroup" of a pod template.
 */
enum cluster_answer cluster_keeps_pod_field(const struct gang_cluster *cluster, struct slice field);

/* Returns the value of an operator's option for gangs of its own; NULL if it is not known. */
const struct node *cluster_operator_gangs(const struct gang_cluster *cluster,
                                          struct slice operator_);

/* Returns an unknown release if the fact is absent. */
struct release cluster_kubernetes(const struct gang_cluster *cluster);
struct release cluster_component(const struct gang_cluster *cluster, size_t component);
/* Returns the configuration of a scheduler, by its index in the catalog; NULL if absent. */
const struct node *cluster_configuration(const struct gang_cluster *cluster, size_t scheduler);
/* Returns the node of the fact, for a finding; NULL if absent. */
const struct node *cluster_component_source(const struct gang_cluster *cluster, size_t component);

/*
 * Whether there is a priority class of that name. Sets `out`, which may be NULL, to the class if
 * the answer is CLUSTER_YES, and to NULL otherwise. The two classes that exist in every cluster are
 * always found.
 */
enum cluster_answer cluster_priority_class(const struct gang_cluster *cluster, struct slice name,
                                           const struct cluster_priority_class **out);
/*
 * Returns the class of pods without priorityClassName; NULL if there is none or the classes are
 * unknown.
 */
const struct cluster_priority_class *
cluster_default_priority_class(const struct gang_cluster *cluster);

/* Whether a queue exists. `type` is the backend type of the queue: "Volcano", "KAI". */
enum cluster_answer cluster_has_queue(const struct gang_cluster *cluster, struct slice type,
                                      struct slice name);
/* Returns the queue's node; NULL if it is absent or unknown. */
const struct node *cluster_queue(const struct gang_cluster *cluster, struct slice type,
                                 struct slice name);
/*
 * Returns the limit of a ResourceQuota that leaves the least of a resource to new pods of the
 * namespace, and sets `left`; NULL if no quota limits it, or none is known.
 */
const struct node *cluster_quota_left(const struct gang_cluster *cluster, struct arena *arena,
                                      struct slice namespace_, struct slice resource,
                                      struct quantity *left);

/*
 * Whether there is a namespace of that name. Sets `out`, which may be NULL, as
 * cluster_priority_class() does. CLUSTER_NO means that the document does not list the namespace, so
 * it has no labels.
 */
enum cluster_answer cluster_namespace(const struct gang_cluster *cluster, struct slice name,
                                      const struct cluster_namespace **out);

/*
 * Returns the admission facts for pods in the namespace, borrowed from the cluster; unset if
 * nothing is known about limits.
 */
struct pod_admission cluster_pod_admission(const struct gang_cluster *cluster,
                                           struct slice namespace_);

#endif
