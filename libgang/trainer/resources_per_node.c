/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/resources_per_node.h"

#include "libgang/trainer/vocabulary.h"

/* NULL when the pod has none. */
static struct container_resources *
node_container(const struct pod_resources *pod)
{
    for (size_t i = 0; i < pod->num_containers; i++)
        if (slice_equal(pod->containers[i].name, TRAINER_NODE))
            return &pod->containers[i];
    return NULL;
}

bool
resources_per_node_reach(const struct replicated_job *job, bool is_trainer, const struct ml_policy *policy)
{
    if (!policy->source_node)
        return false;
    if (!is_trainer && !(policy->launcher_is_node && slice_equal(job->name, TRAINER_NODE)))
        return false;
    return node_container(&job->resources) != NULL;
}

/* The operator reads the base back from JSON, which may change the format of an amount. */
static struct resource_list
resources_overlay(const struct resource_list *base, const struct resource_list *over, struct arena *arena)
{
    struct resource_list merged = resource_list_union(arena, over, base);

    for (size_t i = 0; i < merged.count; i++)
        merged.items[i].quantity = quantity_reread(&merged.items[i].quantity, arena);
    return merged;
}

static struct container_resources *
copy_containers(const struct pod_resources *pod, struct arena *arena)
{
    return arena_grow(arena, pod->containers, pod->num_containers, pod->num_containers,
                      sizeof(*pod->containers));
}

void
resources_per_node_apply(struct replicated_job *job, const struct gang_trainjob *trainjob,
                         struct arena *arena)
{
    struct container_resources *containers = copy_containers(&job->resources, arena);
    struct container_resources *node;

    if (!containers)
        return;
    job->resources.containers = containers;
    job->requests_source = trainjob->resources_per_node;
    node = node_container(&job->resources);
    if (!node)
        return;
    node->requests = resources_overlay(&node->requests, &trainjob->node_requests, arena);
    node->limits = resources_overlay(&node->limits, &trainjob->node_limits, arena);
}
