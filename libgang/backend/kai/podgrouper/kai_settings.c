/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/podgrouper/podgrouper.h"

static struct slice
kai_label(const struct kai_metadata *metadata, struct slice key)
{
    return node_string(node_member(metadata->labels, key));
}

const struct kai_metadata *
kai_settings_owner(const struct kai_sources *sources)
{
    return &sources->owners[sources->num_owners - 1];
}

/*
 * An empty project label counts as absent. An empty queue label counts as set, and leaves the queue
 * empty.
 */
static struct slice
kai_settings_queue(const struct kai_sources *sources, struct arena *arena)
{
    struct slice queue = kai_label(kai_settings_owner(sources), KAI_QUEUE_LABEL);
    struct slice project = kai_label(kai_settings_owner(sources), KAI_PROJECT_LABEL);
    struct slice node_pool = kai_label(&sources->pod, KAI_NODE_POOL_LABEL);

    if (!slice_is_set(queue))
        queue = kai_label(&sources->pod, KAI_QUEUE_LABEL);
    if (slice_is_set(queue))
        return queue.len ? queue : NO_SLICE;
    if (!project.len)
        project = kai_label(&sources->pod, KAI_PROJECT_LABEL);
    if (!project.len)
        return KAI_DEFAULT_QUEUE;
    if (!node_pool.len)
        return project;
    return kai_join(project, '-', node_pool, arena);
}

/* The first label that is present decides for an owner, even if no class has that name. */
static struct slice
kai_priority_by(const struct kai_metadata *owner, const struct kai_sources *sources)
{
    struct slice name = kai_label(owner, KAI_PRIORITY_LABEL);

    if (!slice_is_set(name))
        name = kai_label(&sources->pod, KAI_PRIORITY_LABEL);
    if (!slice_is_set(name))
        name = sources->pod_priority_class;
    return name.len && cluster_priority_class(sources->cluster, name, NULL) != CLUSTER_NO
               ? name
               : NO_SLICE;
}

const struct node *
kai_default_node(const struct gang_cluster *cluster, const struct kai_kind *kind,
                 struct slice field)
{
    const struct node *defaults =
        node_member(cluster_configuration(cluster, CATALOG_AT_kai), SLICE("defaults"));
    const struct node *any_group = NULL;

    for (NODE_EACH(entry, slice_is_set(kind->kind) ? defaults : NULL)) {
        struct slice group = node_string(node_member(entry, SLICE("group")));

        if (!slice_equal(node_string(node_member(entry, SLICE("typeName"))), kind->kind))
            continue;
        if (group.len && slice_equal(group, kind->group))
            return node_member(entry, field);
        if (!group.len)
            any_group = entry;
    }
    return node_member(any_group, field);
}

struct slice
kai_default_of(const struct gang_cluster *cluster, const struct kai_kind *kind, struct slice field)
{
    return node_string(kai_default_node(cluster, kind, field));
}

/* The class must exist, as for a label. */
static struct slice
kai_default_priority(const struct kai_sources *sources)
{
    for (size_t i = 0; i < sources->num_owners; i++) {
        struct slice name =
            kai_default_of(sources->cluster, &sources->kinds[i], SLICE("priorityName"));

        if (name.len && cluster_priority_class(sources->cluster, name, NULL) != CLUSTER_NO)
            return name;
    }
    return NO_SLICE;
}

static struct slice
kai_settings_priority(const struct kai_sources *sources)
{
    for (size_t i = 0; i < sources->num_owners; i++) {
        struct slice name = kai_priority_by(&sources->owners[i], sources);

        if (slice_is_set(name))
            return name;
    }
    if (slice_is_set(kai_default_priority(sources)))
        return kai_default_priority(sources);
    return sources->leaves_defaults ? NO_SLICE : KAI_DEFAULT_PRIORITY;
}

static bool
kai_is_preemptibility(struct slice text)
{
    return slice_equal(text, SLICE("preemptible")) || slice_equal(text, SLICE("non-preemptible"));
}

static struct slice
kai_lowered(struct slice text, struct arena *arena)
{
    char *lower = arena_alloc(arena, text.len + 1);

    for (size_t i = 0; lower && i < text.len; i++)
        lower[i] = (char)(text.data[i] >= 'A' && text.data[i] <= 'Z' ? text.data[i] - 'A' + 'a'
                                                                     : text.data[i]);
    return lower ? (struct slice){lower, text.len} : NO_SLICE;
}

/* The podgrouper turns it into lower case. */
static struct slice
kai_default_preemptibility(const struct kai_sources *sources, struct arena *arena)
{
    for (size_t i = 0; i < sources->num_owners; i++) {
        struct slice text = kai_lowered(
            kai_default_of(sources->cluster, &sources->kinds[i], SLICE("preemptibility")), arena);

        if (kai_is_preemptibility(text))
            return text;
    }
    return NO_SLICE;
}

static struct slice
kai_settings_preemptibility(const struct kai_sources *sources, struct arena *arena)
{
    for (size_t i = 0; i <= sources->num_owners; i++) {
        const struct kai_metadata *place =
            i < sources->num_owners ? &sources->owners[i] : &sources->pod;
        struct slice text = kai_label(place, KAI_PREEMPTIBILITY_LABEL);

        if (kai_is_preemptibility(text))
            return text;
    }
    return kai_default_preemptibility(sources, arena);
}

static bool
kai_read_delay(const struct kai_metadata *metadata, struct slice key, int64_t least, int64_t *delay)
{
    return duration_parse(node_string(node_member(metadata->annotations, key)), delay) &&
           *delay >= least;
}

static struct slice
kai_settings_delay(const struct kai_sources *sources, struct slice key, int64_t least,
                   struct arena *arena)
{
    char text[DURATION_TEXT_SIZE];
    int64_t delay;

    if (!kai_read_delay(kai_settings_owner(sources), key, least, &delay) &&
        !kai_read_delay(&sources->pod, key, least, &delay))
        return NO_SLICE;
    return arena_copy(arena, duration_format(delay, text));
}

static struct slice
kai_set_text(const struct node *map, struct slice key)
{
    struct slice text = node_string(node_member(map, key));

    return text.len ? text : NO_SLICE;
}

struct kai_topology
kai_settings_topology(const struct node *annotations)
{
    return (struct kai_topology){
        .topology = kai_set_text(annotations, SLICE("kai.scheduler/topology")),
        .required_level =
            kai_set_text(annotations, SLICE("kai.scheduler/topology-required-placement")),
        .preferred_level =
            kai_set_text(annotations, SLICE("kai.scheduler/topology-preferred-placement")),
    };
}

void
kai_settings_fill(const struct kai_sources *sources, struct kai_pod_group *group,
                  struct arena *arena)
{
    group->queue = kai_settings_queue(sources, arena);
    group->priority_class_name = kai_settings_priority(sources);
    group->preemptibility = kai_settings_preemptibility(sources, arena);
    group->preemption_delay =
        kai_settings_delay(sources, SLICE("kai.scheduler/preemption-delay"), 0, arena);
    group->staleness_grace_period = kai_settings_delay(
        sources, SLICE("kai.scheduler/staleness-grace-period"), INT64_MIN, arena);
    group->topology = kai_settings_topology(kai_settings_owner(sources)->annotations);
}

struct slice
kai_join(struct slice first, char separator, struct slice second, struct arena *arena)
{
    char *text = arena_alloc(arena, first.len + second.len + 2);

    if (!text)
        return NO_SLICE;
    memcpy(text, first.data, first.len);
    text[first.len] = separator;
    memcpy(text + first.len + 1, second.data, second.len);
    return (struct slice){text, first.len + 1 + second.len};
}
