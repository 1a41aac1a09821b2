/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/fit/fit.h"
#include "libgang/reconcile/live.h"

/*
 * What the pods that exist use of each node. Added up once, because the room for a gang does not
 * depend on how many pods of other jobs there are.
 */

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

    return live_is_pod(object) && !object->is_terminating && !object->is_repeated &&
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

/* Adds up the requests of pods on one node. Sorted once: each can ask for other resources. */
static void
live_sum_requests(struct live_use *use, const void *const *pods, struct arena *scratch,
                  struct arena *arena)
{
    size_t total = 0;
    size_t count = 0;
    const void **items;

    for (int64_t i = 0; i < use->pods; i++)
        total += ((const struct live_use *)pods[i])->requests.count;
    items = arena_take_array(scratch, total, sizeof(*items));
    for (int64_t i = 0; !arena_failed(scratch) && i < use->pods; i++) {
        const struct resource_list *requests = &((const struct live_use *)pods[i])->requests;

        for (size_t k = 0; k < requests->count; k++)
            items[count++] = &requests->items[k];
    }
    stable_sort(items, count, slice_compare_first, NULL, scratch);
    use->requests = (struct resource_list){0};
    for (size_t i = 0; i < count; i++)
        use->requests.capacity += !i || slice_compare_first(items[i - 1], items[i], NULL);
    use->requests.items =
        arena_take_array(arena, use->requests.capacity, sizeof(*use->requests.items));
    for (size_t i = 0; use->requests.items && i < count; i++) {
        const struct resource *one = items[i];

        if (!i || slice_compare_first(items[i - 1], one, NULL))
            use->requests.items[use->requests.count++] = *one;
        else
            quantity_add(&use->requests.items[use->requests.count - 1].quantity, &one->quantity);
    }
}

/* Finds the pods that use something, and the placeholders. Returns how many the first are. */
static size_t
live_find_bound(struct live_objects *objects, const struct limits *limits, struct arena *scratch,
                struct live_use *bound)
{
    size_t count = 0;

    for (size_t i = 0; i < objects->count; i++) {
        const struct live_object *pod = &objects->items[i];
        const struct node *spec = node_member(pod->root, SLICE("spec"));
        struct live_use *one = &bound[count];

        if (!live_is_bound(pod))
            continue;
        if (live_is_placeholder(pod)) {
            objects->placeholders[objects->num_placeholders++] = pod;
        } else if (!live_is_resized(pod)) {
            *one =
                (struct live_use){.node = node_string(node_at(spec, "nodeName")),
                                  .priority = node_int_or(node_at(pod->root, "spec.priority"), 0)};
            if (!fit_requests_of(spec, scratch, limits, &one->requests))
                one->requests.count = 0;
            count++;
        }
    }
    return count;
}

void
live_objects_add_use(struct live_objects *objects, const struct limits *limits,
                     struct arena *scratch, struct arena *arena)
{
    const size_t most = objects->count;
    struct live_use *bound = arena_take_array(scratch, most, sizeof(*bound));
    const void **sorted;
    size_t count = 0;

    objects->placeholders = arena_take_array(arena, most, sizeof(*objects->placeholders));
    if (!arena_failed(arena) && !arena_failed(scratch))
        count = live_find_bound(objects, limits, scratch, bound);
    objects->uses = arena_take_array(arena, count, sizeof(*objects->uses));
    sorted = stable_sort_array(bound, count, sizeof(*bound), live_compare_uses, NULL, scratch);
    for (size_t from = 0, to = 0; sorted && !arena_failed(arena) && from < count; from = to) {
        struct live_use *use = &objects->uses[objects->num_uses++];

        *use = *(const struct live_use *)sorted[from];
        while (to < count && live_compare_uses(sorted[from], sorted[to], NULL) == 0)
            to++;
        use->pods = (int64_t)(to - from);
        live_sum_requests(use, sorted + from, scratch, arena);
    }
    if (arena_failed(scratch))
        arena_fail(arena);
}
