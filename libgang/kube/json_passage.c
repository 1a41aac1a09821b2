/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/json_passage.h"

static struct resource_list
resource_list_after_json(const struct resource_list *source, struct arena *arena)
{
    struct resource_list list = resource_list_copy(arena, source);

    for (size_t i = 0; i < list.count; i++)
        list.items[i].quantity = quantity_reread(&list.items[i].quantity, arena);
    return list;
}

static bool
resource_list_survives_json(const struct resource_list *list, struct arena *arena)
{
    for (size_t i = 0; i < list->count; i++)
        if (quantity_reread(&list->items[i].quantity, arena).format != list->items[i].quantity.format)
            return false;
    return true;
}

static bool
containers_survive_json(const struct container_resources *containers, size_t count, struct arena *arena)
{
    for (size_t i = 0; i < count; i++)
        if (!resource_list_survives_json(&containers[i].requests, arena) ||
            !resource_list_survives_json(&containers[i].limits, arena))
            return false;
    return true;
}

bool
pod_resources_survive_json(const struct pod_resources *pod, struct arena *arena)
{
    return containers_survive_json(pod->containers, pod->num_containers, arena) &&
           containers_survive_json(pod->init_containers, pod->num_init_containers, arena) &&
           resource_list_survives_json(&pod->pod_requests, arena) &&
           resource_list_survives_json(&pod->pod_limits, arena) &&
           resource_list_survives_json(&pod->overhead, arena);
}

static struct container_resources *
containers_after_json(const struct container_resources *source, size_t count, struct arena *arena)
{
    struct container_resources *containers = arena_grow(arena, source, count, count, sizeof(*source));

    if (!containers)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        containers[i].requests = resource_list_after_json(&containers[i].requests, arena);
        containers[i].limits = resource_list_after_json(&containers[i].limits, arena);
    }
    return containers;
}

struct pod_resources
pod_resources_after_json(const struct pod_resources *pod, struct arena *arena)
{
    struct pod_resources copy = {
        .containers = containers_after_json(pod->containers, pod->num_containers, arena),
        .init_containers = containers_after_json(pod->init_containers, pod->num_init_containers, arena),
        .pod_requests = resource_list_after_json(&pod->pod_requests, arena),
        .pod_limits = resource_list_after_json(&pod->pod_limits, arena),
        .overhead = resource_list_after_json(&pod->overhead, arena),
    };

    copy.num_containers = copy.containers ? pod->num_containers : 0;
    copy.num_init_containers = copy.init_containers ? pod->num_init_containers : 0;
    return copy;
}
