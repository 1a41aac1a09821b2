/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_LIMIT_RANGE_H
#define LIBGANG_KUBE_LIMIT_RANGE_H

#include "libgang/kube/pod_requests.h"

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
struct limit_range limit_range_read(const struct node *source, struct arena *arena,
                                    struct report *report);

/*
 * Sets the missing limits and requests of every container. The lists of `pod` must not be shared.
 * Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go
 * PodMutateLimitFunc@v1.36.2
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
                 const struct node *pod_spec, struct arena *arena, struct report *report);

#endif
