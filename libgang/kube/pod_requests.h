/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_REQUESTS_H
#define LIBGANG_KUBE_POD_REQUESTS_H

#include "libgang/base/report.h"
#include "libgang/kube/quantity.h"

/*
 * Reads one quantity, a text or number. False if there is no usable amount; every problem is then
 * in the report.
 */
bool resource_amount_read(const struct node *value, struct quantity *quantity,
                          struct report *report);

/*
 * Reads a map of quantities (requests, limits, overhead) by resource name. Reports each invalid
 * quantity, and each negative amount. Numbers are converted as the API server stores them.
 */
struct resource_list resource_list_read(const struct node *map, struct report *report);

enum pod_requests_mode {
    POD_REQUESTS_ONLY, /* only `requests` count, as in Kubeflow Trainer */
    /* a missing request takes the limit, as the API server sets it on the pod */
    POD_REQUESTS_EFFECTIVE,
};

/*
 * The requests of one container of a pod. The front end may replace the values of one container
 * before the sum (resourcesPerNode).
 */
struct container_resources {
    struct slice name;
    bool is_init;
    bool restarts_always; /* an init container with restartPolicy Always (a sidecar) */
    struct resource_list requests;
    struct resource_list limits;
    const struct node *source;
};

/* The resources of a pod template, read once; each mode has its own sum. */
struct pod_resources {
    struct container_resources *containers; /* init containers behind the others of the pod */
    size_t num_containers;
    struct resource_list pod_requests; /* spec.resources */
    struct resource_list pod_limits;
    struct resource_list overhead;
};

struct pod_resources pod_resources_read(const struct node *pod_spec, struct report *report);

/* Returns the container with this name, but no init container. NULL if absent. */
struct container_resources *pod_container_find(const struct pod_resources *pod, struct slice name);

/* Returns a copy of the containers, whose lists are shared. NULL if out of memory. */
struct container_resources *pod_containers_copy(const struct pod_resources *pod,
                                                struct arena *arena);

/* Whether the resource is allowed at pod level: cpu, memory, huge pages. */
bool pod_requests_is_pod_level(struct slice name);

/*
 * Computes the sum of the requests of one pod. Source:
 * kubernetes/component-helpers:resource/helpers.go PodRequests. False on overflow.
 */
bool pod_requests_sum(const struct pod_resources *pod, enum pod_requests_mode mode,
                      struct arena *arena, struct resource_list *out);

/*
 * Whether a pod template keeps the format of its quantities when a controller writes it as JSON and
 * reads it again. The amounts never change, but a binary quantity that prints as a decimal becomes
 * a decimal quantity, and later sums print differently.
 */
bool pod_resources_survive_json(const struct pod_resources *pod, struct arena *arena);
SELDOM struct pod_resources pod_resources_after_json(const struct pod_resources *pod,
                                                     struct arena *arena);

enum limit_type { LIMIT_OF_CONTAINER, LIMIT_OF_POD, LIMIT_OF_NOTHING_HERE };

/*
 * One item of `limits`. Items with a type that does not apply to pods are read, but have no effect
 * on pods.
 */
struct limit {
    enum limit_type type;
    struct slice type_text;
    struct resource_list minimum;
    struct resource_list maximum;
    struct resource_list ratio;
    struct resource_list default_limits;
    struct resource_list default_requests;
    const struct node *source;
};

/* The limits that a LimitRange sets for the pods of its namespace. */
struct limit_range {
    struct slice namespace_;
    struct slice name;
    struct limit *limits;
    size_t num_limits;
    const struct node *source;
};

/*
 * Reads `namespace`, `name` and `limits`. Sets and reports the defaults that the API server sets
 * when the object is written. Source: kubernetes/kubernetes:pkg/apis/core/v1/defaults.go
 * SetDefaults_LimitRangeItem@v1.36.2
 */
struct limit_range limit_range_read(const struct node *source, struct report *report);

/*
 * Sets the missing limits and requests of every container. Source:
 * kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go PodMutateLimitFunc@v1.36.2
 */
void limit_range_fill(const struct limit_range *range, struct pod_resources *pod,
                      struct arena *arena);

/*
 * Reports, in the words of the API server, every minimum, maximum and ratio that the pod violates.
 * limit_range_fill() must have been applied to `pod`. Findings about the whole pod are marked at
 * `pod_spec`. Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go
 * PodValidateLimitFunc@v1.36.2
 */
void limit_check(const struct limit_range *range, const struct pod_resources *pod,
                 const struct node *pod_spec, struct report *report);

/* The known facts about how the API server changes the requests of a pod in one namespace. */
struct pod_admission {
    const struct limit_range *limit_ranges; /* of the namespace, sorted by name */
    size_t num_limit_ranges;
    bool knows_runtime_classes;
    const struct runtime_class *runtime_classes; /* all classes, sorted by name */
    size_t num_runtime_classes;
    bool sums_at_last; /* pod-level requests are those of the containers after the limit ranges */
};

/* Whether admission can change or refuse a pod of this template. */
bool pod_admission_matters(const struct pod_admission *admission, const struct node *pod_spec);

/*
 * Returns the resources of the pod after admission. Reports the defaults that were set, the checks
 * that were skipped because a fact is unknown, and, in the words of the API server, the reasons for
 * a refusal.
 */
struct pod_resources pod_admission_apply(const struct pod_admission *admission,
                                         const struct node *pod_spec,
                                         const struct pod_resources *pod, struct report *report);

/*
 * Reports, in the words of the API server, every container that requests more than its limit, and
 * every request of a resource that cannot be overcommitted without an equal limit. `pod` must have
 * the defaults of the limit ranges. `overlay` is a node with `requests` and `limits` that replace
 * those of a container, for the place of a finding; NULL if absent. Returns whether there was
 * nothing to report; without a report that is all it does. Source:
 * kubernetes/kubernetes:pkg/apis/core/validation/validation.go
 * ValidateContainerResourceRequirements@v1.36.2
 */
bool pod_limits_check(const struct pod_resources *pod, const struct node *overlay,
                      struct report *report);

/*
 * Warns about limit ranges that set different defaults for the same container, because the order in
 * which the API server applies them is not defined.
 */
void pod_admission_compare_ranges(const struct pod_admission *admission, struct report *report);

/* The fields of a RuntimeClass that change the requests of a pod. */
struct runtime_class {
    struct slice name;
    struct resource_list overhead; /* of each pod; empty if absent */
    const struct node *source;
};

/* Reads `name` and `overhead`. */
struct runtime_class runtime_class_read(const struct node *source, struct report *report);

/* Returns the class of this name among classes sorted by name. NULL if absent. */
const struct runtime_class *runtime_class_find(const struct runtime_class *classes, size_t count,
                                               struct slice name);

/*
 * Sets the overhead of the pod's class, or reports that the API server refuses the pod. `classes`
 * must contain all classes of the cluster. Source:
 * kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go@v1.36.2
 */
void runtime_class_apply(const struct runtime_class *classes, size_t count,
                         const struct node *pod_spec, struct pod_resources *pod,
                         struct report *report);

/*
 * Applies the API server's defaults for pods to a pod template, before any admission plugin: a
 * missing request takes the limit; a missing pod-level request takes the sum of the containers'
 * requests, else the pod-level limit, unless `sums_at_last`: then it has them after the plugins.
 * Lists that change are new ones. False on overflow. Sources:
 * kubernetes/kubernetes:pkg/apis/core/v1/defaults.go SetDefaults_Pod@v1.36.2, and
 * pkg/api/pod/util.go DefaultPodLevelResources@v1.37.2
 */
bool pod_defaults_apply(struct pod_resources *pod, bool sums_at_last, struct arena *arena);

/*
 * Sums the requests as pod_requests_sum() does, but over the containers only: pod-level requests do
 * not count.
 */
bool pod_defaults_sum_containers(const struct pod_resources *pod, struct arena *arena,
                                 struct resource_list *out);

#endif
