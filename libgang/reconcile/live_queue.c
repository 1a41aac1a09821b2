/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

/* The Workloads that wait in the ClusterQueues of Kueue, in the order in which it tries them. */

struct live_queued {
    const struct live_object *queue; /* the ClusterQueue */
    const struct live_object *workload;
    int64_t priority;
    struct slice made;
};

static bool
live_is_workload(const struct live_object *object)
{
    return slice_equal(object->kind, LIVE_KUEUE_KIND) &&
           slice_equal(object->group, LIVE_KUEUE_GROUP);
}

bool
live_workload_is_inactive(const struct live_object *workload)
{
    const struct node *active = node_at(workload->root, "spec.active");

    return active && !node_is_true(active);
}

/* An eviction can change the place of a Workload, so evicted ones are left out. */
static bool
live_is_queued(const struct live_object *object)
{
    static const struct slice left[] = {SLICE_INIT("QuotaReserved"), SLICE_INIT("Evicted"),
                                        SLICE_INIT("Finished")};
    const struct node *status = node_member(object->root, SLICE("status"));

    if (!live_is_workload(object) || live_workload_is_inactive(object))
        return false;
    for (size_t i = 0; i < COUNT_OF(left); i++)
        if (live_status_is_true(status, left[i]))
            return false;
    return true;
}

const struct live_object *
live_cluster_queue_of(const struct live_objects *objects, const struct live_object *workload)
{
    struct live_key key = {LIVE_KUEUE_GROUP, SLICE("LocalQueue"), workload->namespace_,
                           node_string(node_at(workload->root, "spec.queueName"))};
    const struct live_object *local = live_objects_find(objects, &key);

    if (!local)
        return NULL;
    key = (struct live_key){LIVE_KUEUE_GROUP, SLICE("ClusterQueue"), NO_SLICE,
                            node_string(node_at(local->root, "spec.clusterQueue"))};
    return live_objects_find(objects, &key);
}

static struct live_queued
live_queued_as(const struct live_object *queue, const struct live_object *workload)
{
    return (struct live_queued){
        .queue = queue,
        .workload = workload,
        .priority = node_int_or(node_at(workload->root, "spec.priority"), 0),
        .made = node_string(node_member(workload->metadata, SLICE("creationTimestamp"))),
    };
}

static int
live_compare_queues(const void *left, const void *right, const void *context)
{
    const struct live_queued *a = left;
    const struct live_queued *b = right;

    (void)context;
    return (a->queue > b->queue) - (a->queue < b->queue);
}

/* Source: kubernetes-sigs/kueue:pkg/cache/queue/cluster_queue.go baseCompareFunc@v0.19.2 */
static int
live_compare_queued(const void *left, const void *right, const void *context)
{
    const struct live_queued *a = left;
    const struct live_queued *b = right;
    int order = live_compare_queues(a, b, context);

    if (!order)
        order = (a->priority < b->priority) - (a->priority > b->priority);
    if (!order)
        order = slice_compare(a->made, b->made);
    return order ? order : slice_compare(a->workload->uid, b->workload->uid);
}

void
live_objects_index_queues(struct live_objects *objects, struct arena *arena)
{
    struct live_queued *queued;
    size_t most = 0;

    for (size_t i = 0; i < objects->count; i++)
        most += live_is_workload(&objects->items[i]);
    objects->has_kueue = most > 0;
    queued = arena_take_array(arena, most, sizeof(*queued));
    for (size_t i = 0; most && queued && i < objects->count; i++) {
        const struct live_object *object = &objects->items[i];
        const struct live_object *queue = live_is_queued(object) && !object->is_repeated
                                              ? live_cluster_queue_of(objects, object)
                                              : NULL;

        if (queue)
            queued[objects->num_queued++] = live_queued_as(queue, object);
    }
    objects->queued = stable_sort_array(queued, objects->num_queued, sizeof(*queued),
                                        live_compare_queued, NULL, arena);
}

size_t
live_queued_before(const struct live_objects *objects, const struct live_object *queue,
                   const struct live_object *workload, const struct live_object **first)
{
    const struct live_queued wanted = live_queued_as(queue, workload);
    const size_t start =
        sorted_search(objects->queued, objects->num_queued, &wanted, live_compare_queues, NULL);
    const size_t place =
        sorted_search(objects->queued, objects->num_queued, &wanted, live_compare_queued, NULL);

    if (place > start)
        *first = ((const struct live_queued *)objects->queued[start])->workload;
    return place - start;
}
