/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_DEFAULTS_H
#define LIBGANG_KUBE_POD_DEFAULTS_H

#include "libgang/kube/pod_requests.h"

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
