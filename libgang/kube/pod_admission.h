/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_ADMISSION_H
#define LIBGANG_KUBE_POD_ADMISSION_H

#include "libgang/kube/limit_range.h"
#include "libgang/kube/pod_requests.h"

/* What the API server does with the requests of a pod in one namespace, as far as it is known. */
struct pod_admission {
    bool knows_limit_ranges;
    const struct limit_range *limit_ranges; /* of the namespace, by name */
    size_t num_limit_ranges;
    bool knows_runtime_classes;
    const struct runtime_class *runtime_classes; /* all, by name */
    size_t num_runtime_classes;
};

/* Whether a pod of this template can come out of admission otherwise than it goes in, or not at all. */
bool pod_admission_matters(const struct pod_admission *admission, const struct node *pod_spec);

/*
 * The resources that the pod has once it is admitted. Reports what was filled in, what was not checked for want of a
 * fact, and, in the API server's words, why it would refuse the pod.
 */
struct pod_resources pod_admission_apply(const struct pod_admission *admission, const struct node *pod_spec,
                                         const struct pod_resources *pod, struct arena *arena,
                                         struct report *report);

/* Warns of limit ranges of which it is left to chance which one gives a container its default. */
void pod_admission_compare_ranges(const struct pod_admission *admission, struct report *report);

/* A RuntimeClass, as far as it changes what a pod asks for. */
struct runtime_class {
    struct slice name;
    struct resource_list overhead; /* of each pod; empty without one */
    const struct node *source;
};

/* Reads `name` and `overhead`. */
struct runtime_class runtime_class_read(const struct node *source, struct arena *arena,
                                        struct report *report);

/* The class of that name among classes sorted by name; NULL when there is none. */
const struct runtime_class *runtime_class_find(const struct runtime_class *classes, size_t count,
                                               struct slice name);

/*
 * Gives the pod its class's overhead, or reports that the API server refuses the pod. `classes` are all that the
 * cluster has. Source: kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go@v1.36.2
 */
void runtime_class_apply(const struct runtime_class *classes, size_t count, const struct node *pod_spec,
                         struct pod_resources *pod, struct report *report);

/*
 * Makes of a pod template what the API server makes of it on a pod before any admission plugin sees it: missing
 * requests take the limits, then missing requests of the pod those of its containers, else its own limits. The lists
 * that change are copied first. False on overflow.
 * Source: kubernetes/kubernetes:pkg/apis/core/v1/defaults.go SetDefaults_Pod@v1.36.2
 */
bool pod_defaults_apply(struct pod_resources *pod, struct arena *arena);

/* Sums over the containers alone, as pod_requests_sum() does: what the pod itself states does not count. */
bool pod_defaults_sum_containers(const struct pod_resources *pod, struct arena *arena,
                                 struct resource_list *out);

#endif
