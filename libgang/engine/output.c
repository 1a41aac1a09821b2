/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/output.h"

#define OUTPUT_OWNERS SLICE("ownerReferences")

/* The first key of two sorted or unsorted maps and of the stamp that stands behind `after`; unset past the last. */
struct output_map {
    const struct node *own; /* the backend's */
    const struct node *policys;
    struct slice stamp; /* unset: none */
};

static void
output_take_next(const struct node *map, struct slice after, struct slice *next)
{
    for (NODE_EACH(member, map))
        if ((!slice_is_set(after) || slice_compare(node_key(member), after) > 0) &&
            (!slice_is_set(*next) || slice_compare(node_key(member), *next) < 0))
            *next = node_key(member);
}

static struct slice
output_next_key(const struct output_map *map, struct slice after)
{
    struct slice stamp = SLICE(POLICY_STAMP_KEY);
    struct slice next = NO_SLICE;

    output_take_next(map->own, after, &next);
    output_take_next(map->policys, after, &next);
    if (slice_is_set(map->stamp) && (!slice_is_set(after) || slice_compare(stamp, after) > 0) &&
        (!slice_is_set(next) || slice_compare(stamp, next) < 0))
        next = stamp;
    return next;
}

static struct slice
output_value(const struct output_map *map, struct slice key)
{
    const struct node *value = node_member(map->own, key);

    if (!value)
        value = node_member(map->policys, key);
    return value ? node_string(value) : map->stamp;
}

static void
output_add_map(const struct output_map *map, struct slice name, struct builder *metadata)
{
    struct slice key = output_next_key(map, NO_SLICE);
    struct builder merged;

    if (!slice_is_set(key))
        return;
    merged = build_map_member(metadata, name);
    for (; slice_is_set(key); key = output_next_key(map, key))
        build_string(&merged, key, output_value(map, key));
}

static void
output_build_metadata(const struct gang_policy *policy, const struct node *source, struct builder *metadata)
{
    const struct output_map labels = {.own = node_member(source, SLICE("labels")),
                                      .policys = policy->output.labels};
    const struct output_map annotations = {
        .own = node_member(source, SLICE("annotations")),
        .policys = policy->output.annotations,
        .stamp = policy->output.policy_stamp ? policy->stamp : NO_SLICE,
    };

    for (NODE_EACH(member, source))
        if (!slice_equal(node_key(member), SLICE("labels")) &&
            !slice_equal(node_key(member), SLICE("annotations")) &&
            !slice_equal(node_key(member), OUTPUT_OWNERS))
            build_node(metadata, node_key(member), member);
    output_add_map(&labels, SLICE("labels"), metadata);
    output_add_map(&annotations, SLICE("annotations"), metadata);
    if (!policy->output.omits_owner)
        build_node(metadata, OUTPUT_OWNERS, node_member(source, OUTPUT_OWNERS));
}

static const struct node *
output_build(const struct gang_policy *policy, const struct node *source, struct arena *arena)
{
    struct builder manifest = build_map(arena);

    for (NODE_EACH(member, source)) {
        struct builder metadata;

        if (!slice_equal(node_key(member), SLICE("metadata"))) {
            build_node(&manifest, node_key(member), member);
            continue;
        }
        metadata = build_map_member(&manifest, SLICE("metadata"));
        output_build_metadata(policy, member, &metadata);
    }
    return manifest.node;
}

void
output_apply(const struct gang_policy *policy, struct plan_content *content)
{
    for (size_t i = 0; i < content->num_objects; i++)
        content->objects[i].manifest = output_build(policy, content->objects[i].manifest, content->arena);
}
