/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/added_containers.h"

const struct node *
added_resources(struct slice cpu, struct slice memory, struct arena *arena)
{
    struct builder resources = build_map(arena);
    struct builder requests = build_map_member(&resources, SLICE("requests"));

    build_string(&requests, SLICE("cpu"), cpu);
    build_string(&requests, SLICE("memory"), memory);
    return resources.node;
}

/* Returns the containers with those that are added behind them. */
static struct container_resources *
added_append(const struct container_resources *own, size_t *count, bool is_init,
             const struct added_container *added, size_t num_added, const struct job_source *source)
{
    struct container_resources *all =
        arena_grow(source->arena, own, *count, *count + num_added, sizeof(*own));

    if (!all)
        return NULL;
    for (size_t i = 0; i < num_added; i++) {
        const struct node *resources = added[i].resources;

        if (added[i].is_init != is_init)
            continue;
        all[(*count)++] = (struct container_resources){
            .requests = resource_list_read(node_member(resources, SLICE("requests")), source->arena,
                                           source->report),
            .limits = resource_list_read(node_member(resources, SLICE("limits")), source->arena,
                                         source->report),
            .source = resources,
        };
    }
    return all;
}

/* The amounts of `more` without those of `less`. */
static const struct node *
added_difference(const struct resource_list *more, const struct resource_list *less,
                 struct arena *arena)
{
    struct resource_list difference = {0};
    struct builder map;

    for (size_t i = 0; i < more->count; i++) {
        struct quantity left = more->items[i].quantity;
        const struct quantity *own = resource_list_get(less, more->items[i].name);

        if (own && !quantity_subtract(&left, own))
            continue; /* one of them is negative, which is reported */
        if (!quantity_is_zero(&left))
            resource_list_set(&difference, arena, more->items[i].name, left);
    }
    if (!difference.count)
        return NULL;
    resource_list_forget_texts(&difference);
    map = build_map(arena);
    resource_list_build(&difference, &map);
    return map.node;
}

const struct node *
added_requests(const struct node *pod_template, const struct added_container *added, size_t count,
               const struct job_source *source)
{
    struct resource_list before, after;
    struct report unread; /* gang_job_read_pods() reports what is wrong in the template */
    struct pod_resources pod;

    report_init(&unread, source->arena, source->limits);
    pod = pod_resources_read(node_member(pod_template, SLICE("spec")), source->arena, &unread);
    if (!pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, source->arena, &before))
        return NULL; /* reported when the role's requests are summed */
    pod.containers = added_append(pod.containers, &pod.num_containers, false, added, count, source);
    pod.init_containers =
        added_append(pod.init_containers, &pod.num_init_containers, true, added, count, source);
    if (!pod.containers || !pod.init_containers)
        return NULL; /* out of memory */
    if (!pod_requests_sum(&pod, POD_REQUESTS_EFFECTIVE, source->arena, &after))
        return node_member(added[0].resources, SLICE("requests")); /* overflows there, too */
    return added_difference(&after, &before, source->arena);
}
