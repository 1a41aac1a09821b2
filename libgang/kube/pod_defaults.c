/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/pod_defaults.h"

static struct container_resources *
pod_defaults_copy(const struct container_resources *containers, size_t count, struct arena *arena)
{
    struct container_resources *copies =
        count ? arena_grow(arena, containers, count, count, sizeof(*copies)) : NULL;

    for (size_t i = 0; copies && i < count; i++) {
        copies[i].requests = resource_list_copy(arena, &containers[i].requests);
        copies[i].limits = resource_list_copy(arena, &containers[i].limits);
        resource_list_fill(&copies[i].requests, arena, &copies[i].limits);
    }
    return copies;
}

bool
pod_defaults_sum_containers(const struct pod_resources *pod, struct arena *arena, struct resource_list *out)
{
    const struct pod_resources containers = {
        .containers = pod->containers,
        .num_containers = pod->num_containers,
        .init_containers = pod->init_containers,
        .num_init_containers = pod->num_init_containers,
    };

    return pod_requests_sum(&containers, POD_REQUESTS_ONLY, arena, out);
}

/* Huge pages cannot be overcommitted, so that what the containers request is not taken over for the pod. */
static bool
pod_defaults_takes_sum(struct slice name)
{
    return pod_requests_is_pod_level(name) && !slice_has_prefix(name, SLICE("hugepages-"));
}

static bool
pod_defaults_fill_pod_level(struct pod_resources *pod, struct arena *arena)
{
    struct resource_list sum;

    if (!pod_defaults_sum_containers(pod, arena, &sum))
        return false;
    pod->pod_requests = resource_list_copy(arena, &pod->pod_requests);
    for (size_t i = 0; i < sum.count; i++)
        if (pod_defaults_takes_sum(sum.items[i].name) &&
            !resource_list_get(&pod->pod_requests, sum.items[i].name))
            resource_list_set(&pod->pod_requests, arena, sum.items[i].name, sum.items[i].quantity);
    for (size_t i = 0; i < pod->pod_limits.count; i++) {
        const struct resource *limit = &pod->pod_limits.items[i];

        if (pod_requests_is_pod_level(limit->name) && !resource_list_get(&pod->pod_requests, limit->name))
            resource_list_set(&pod->pod_requests, arena, limit->name, limit->quantity);
    }
    return true;
}

bool
pod_defaults_apply(struct pod_resources *pod, struct arena *arena)
{
    struct container_resources *containers = pod_defaults_copy(pod->containers, pod->num_containers, arena);
    struct container_resources *inits =
        pod_defaults_copy(pod->init_containers, pod->num_init_containers, arena);

    if (!containers)
        pod->num_containers = 0;
    if (!inits)
        pod->num_init_containers = 0;
    pod->containers = containers;
    pod->init_containers = inits;
    return pod->pod_limits.count == 0 || pod_defaults_fill_pod_level(pod, arena);
}
