/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_POD_REQUESTS_H
#define LIBGANG_KUBE_POD_REQUESTS_H

#include "libgang/base/report.h"
#include "libgang/kube/resource_list.h"

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
struct resource_list resource_list_read(const struct node *map, struct arena *arena,
                                        struct report *report);

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
    bool restarts_always; /* an init container with restartPolicy Always (a sidecar) */
    struct resource_list requests;
    struct resource_list limits;
    const struct node *source;
};

/* The resources of a pod template, read once; each mode has its own sum. */
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
struct pod_resources pod_resources_after_json(const struct pod_resources *pod, struct arena *arena);

#endif
