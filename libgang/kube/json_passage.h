/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_JSON_PASSAGE_H
#define LIBGANG_KUBE_JSON_PASSAGE_H

#include "libgang/kube/pod_requests.h"

/*
 * A pod template that a controller writes as JSON and reads again keeps every amount, but a binary quantity that
 * prints as a decimal comes back as a decimal one, and later sums print differently.
 */
bool pod_resources_survive_json(const struct pod_resources *pod, struct arena *arena);
struct pod_resources pod_resources_after_json(const struct pod_resources *pod, struct arena *arena);

#endif
