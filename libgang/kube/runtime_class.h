/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_RUNTIME_CLASS_H
#define LIBGANG_KUBE_RUNTIME_CLASS_H

#include "libgang/kube/pod_requests.h"

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

#endif
