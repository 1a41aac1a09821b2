/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_ADMISSION_H
#define LIBGANG_KUBE_POD_ADMISSION_H

#include "libgang/kube/limit_range.h"
#include "libgang/kube/pod_requests.h"

/* The known facts about how the API server changes the requests of a pod in one namespace. */
struct pod_admission {
    bool knows_limit_ranges;
    const struct limit_range *limit_ranges; /* of the namespace, sorted by name */
    size_t num_limit_ranges;
    bool knows_runtime_classes;
    const struct runtime_class *runtime_classes; /* all classes, sorted by name */
    size_t num_runtime_classes;
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
                                         const struct pod_resources *pod, struct arena *arena,
                                         struct report *report);

/*
 * Reports, in the words of the API server, every container that requests more than its limit, and
 * every request of a resource that cannot be overcommitted without an equal limit. `pod` must have
 * the defaults of the limit ranges. `overlay` is a node with `requests` and `limits` that replace
 * those of a container, for the place of a finding; NULL if absent. Source:
 * kubernetes/kubernetes:pkg/apis/core/validation/validation.go
 * ValidateContainerResourceRequirements@v1.36.2
 */
void pod_limits_check(const struct pod_resources *pod, const struct node *overlay,
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
struct runtime_class runtime_class_read(const struct node *source, struct arena *arena,
                                        struct report *report);

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
 * requests, else the pod-level limit. Lists that change are copied first. False on overflow.
 * Source: kubernetes/kubernetes:pkg/apis/core/v1/defaults.go SetDefaults_Pod@v1.36.2
 */
bool pod_defaults_apply(struct pod_resources *pod, struct arena *arena);

/*
 * Sums the requests as pod_requests_sum() does, but over the containers only: pod-level requests do
 * not count.
 */
bool pod_defaults_sum_containers(const struct pod_resources *pod, struct arena *arena,
                                 struct resource_list *out);

#endif
