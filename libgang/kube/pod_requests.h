/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_REQUESTS_H
#define LIBGANG_KUBE_POD_REQUESTS_H

#include "libgang/base/report.h"
#include "libgang/kube/resource_list.h"

/*
 * Reads a map of quantities (requests, limits, overhead), reporting each bad one; negative amounts are refused.
 * Numbers are taken as the API server stores them. Names are the resource names.
 */
struct resource_list resource_list_read(const struct node *map, struct arena *arena, struct report *report);

enum pod_requests_mode {
    POD_REQUESTS_ONLY,      /* only `requests` count: what Kubeflow Trainer sums */
    POD_REQUESTS_EFFECTIVE, /* a missing request takes the limit, as the API server fills it in on the pod */
};

/*
 * What one container of a pod asks for. The front end may replace the values of one container before the sum
 * (resourcesPerNode).
 */
struct container_resources {
    struct slice name;
    bool restarts_always; /* an init container that stays: a sidecar */
    struct resource_list requests;
    struct resource_list limits;
    const struct node *source;
};

/* A pod template's resources, read once; the sum is taken per mode. */
struct pod_resources {
    struct container_resources *containers;
    size_t num_containers;
    struct container_resources *init_containers;
    size_t num_init_containers;
    struct resource_list pod_requests; /* spec.resources */
    struct resource_list pod_limits;
    struct resource_list overhead;
};

struct pod_resources pod_resources_read(const struct node *pod_spec, struct arena *arena,
                                        struct report *report);

/* Whether a pod may state the resource for all of its containers together: cpu, memory, huge pages. */
bool pod_requests_is_pod_level(struct slice name);

/*
 * Sums what one pod requests. Source: kubernetes/component-helpers:resource/helpers.go PodRequests. False on
 * overflow.
 */
bool pod_requests_sum(const struct pod_resources *pod, enum pod_requests_mode mode, struct arena *arena,
                      struct resource_list *out);

/*
 * A pod template that a controller writes as JSON and reads again keeps every amount, but a binary quantity that
 * prints as a decimal comes back as a decimal one, and later sums print differently.
 */
bool pod_resources_survive_json(const struct pod_resources *pod, struct arena *arena);
struct pod_resources pod_resources_after_json(const struct pod_resources *pod, struct arena *arena);

#endif
