/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_LIMIT_CHECK_H
#define LIBGANG_KUBE_LIMIT_CHECK_H

#include "libgang/kube/limit_range.h"

/*
 * Reports, in the API server's words, every minimum, maximum and ratio that the pod breaks. `pod` is filled already;
 * `pod_spec` is where a finding about the whole pod is marked.
 * Source: kubernetes/kubernetes:plugin/pkg/admission/limitranger/admission.go PodValidateLimitFunc@v1.36.2
 */
void limit_check(const struct limit_range *range, const struct pod_resources *pod,
                 const struct node *pod_spec, struct arena *arena, struct report *report);

#endif
