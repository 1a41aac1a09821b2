/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_LIMIT_RANGE_H
#define LIBGANG_KUBE_LIMIT_RANGE_H

#include "libgang/kube/pod_requests.h"

enum limit_type { LIMIT_OF_CONTAINER, LIMIT_OF_POD, LIMIT_OF_NOTHING_HERE };

/* One of `limits`; what stands under a type that is no pod's is read and has no effect on pods. */
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

/* What a LimitRange says of the pods of its namespace. */
struct limit_range {
    struct slice namespace_;
    struct slice name;
    struct limit *limits;
    size_t num_limits;
    const struct node *source;
};

/*
 * Reads `namespace`, `name` and `limits`, and fills in defaults as the API server does when the object is written,
 * reporting them. Source: kubernetes/kubernetes:pkg/apis/core/v1/defaults.go SetDefaults_LimitRangeItem@v1.36.2
 */
struct limit_range limit_range_read(const struct node *source, struct arena *arena, struct report *report);

/*
 * Gives every container the limits and requests that it lacks. The pod's lists must be its own.
 * Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go PodMutateLimitFunc@v1.36.2
 */
void limit_range_fill(const struct limit_range *range, struct pod_resources *pod, struct arena *arena);

/*
 * Reports, in the API server's words, every minimum, maximum and ratio that the pod breaks. `pod` is filled already;
 * `pod_spec` is where a finding about the whole pod is marked.
 * Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc@v1.36.2
 */
void limit_check(const struct limit_range *range, const struct pod_resources *pod,
                 const struct node *pod_spec, struct arena *arena, struct report *report);

#endif
