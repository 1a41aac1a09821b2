/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/fit/fit.h"
#include "libgang/reconcile/live.h"

/*
 * What the pods that exist use of each node. Added up once, because the room for a gang does not
 * depend on how many pods of other jobs there are.
 */

struct live_bound {
    struct live_use use; /* of this pod alone, without its requests */
    const struct live_object *object;
};

bool
live_is_placeholder(const struct live_object *pod)
{
    const struct node *annotations = node_member(pod->metadata, SLICE("annotations"));

    for (size_t i = 0; annotations && i < CATALOG_COUNT; i++)
        if (catalog[i]->placeholder_annotation.len &&
            node_member(annotations, catalog[i]->placeholder_annotation))
            return true;
    return false;
}

int64_t
live_priority_of(const struct live_object *pod)
{
    int64_t priority = 0;

    node_int(node_at(pod->root, "spec.priority"), &priority);
    return priority;
}

/* Of a pod that is resized the less may count. */
static bool
live_is_resized(const struct live_object *pod)
{
    for (NODE_EACH(condition, node_at(pod->root, "status.conditions")))
        if (slice_has_prefix(node_string(node_member(condition, SLICE("type"))),
                             SLICE("PodResize")))
            return true;
    return false;
}

static bool
live_is_bound(const struct live_object *object)
{
    const struct slice phase = node_string(node_at(object->root, "status.phase"));

    return !object->group.len && slice_equal(object->kind, SLICE("Pod")) &&
           node_string(node_at(object->root, "spec.nodeName")).len &&
           !slice_equal(phase, SLICE("Succeeded")) && !slice_equal(phase, SLICE("Failed"));
}

static int
live_compare_uses(const void *left, const void *right, const void *context)
{
    const struct live_use *a = left;
    const struct live_use *b = right;
    const int order = slice_compare(a->node, b->node);

    (void)context;
    return order ? order : (a->priority > b->priority) - (a->priority < b->priority);
}

static void
live_add_use(struct live_use *use, const struct live_object *pod, const struct limits *limits,
             struct arena *arena)
{
    struct resource_list requests = {0};

    use->pods++;
    if (fit_requests_of(node_member(pod->root, SLICE("spec")), arena, limits, &requests))
        for (size_t i = 0; i < requests.count; i++)
            resource_list_add_amount(&use->requests, arena, requests.items[i].name,
                                     &requests.items[i].quantity);
}

void
live_objects_add_use(struct live_objects *objects, const struct limits *limits, struct arena *arena)
{
    struct live_bound *bound = arena_take_array(arena, objects->count, sizeof(*bound));
    const void **sorted = arena_take_array(arena, objects->count, sizeof(*sorted));
    const void **scratch = arena_take_array(arena, objects->count, sizeof(*scratch));
    size_t count = 0;

    objects->placeholders = arena_take_array(arena, objects->count, sizeof(*sorted));
    for (size_t i = 0; !arena_failed(arena) && i < objects->count; i++) {
        const struct live_object *pod = &objects->items[i];
        const struct slice node = node_string(node_at(pod->root, "spec.nodeName"));

        if (!live_is_bound(pod) || pod->is_terminating)
            continue;
        if (live_is_placeholder(pod)) {
            objects->placeholders[objects->num_placeholders++] = pod;
        } else if (!live_is_resized(pod)) {
            bound[count] =
                (struct live_bound){{.node = node, .priority = live_priority_of(pod)}, pod};
            sorted[count] = &bound[count];
            count++;
        }
    }
    objects->uses = arena_take_array(arena, count, sizeof(*objects->uses));
    if (arena_failed(arena))
        return;
    stable_sort(sorted, scratch, count, live_compare_uses, NULL);
    for (size_t i = 0; i < count; i++) {
        const struct live_bound *one = sorted[i];

        if (!i || live_compare_uses(sorted[i - 1], one, NULL))
            objects->uses[objects->num_uses++] = one->use;
        live_add_use(&objects->uses[objects->num_uses - 1], one->object, limits, arena);
    }
}
