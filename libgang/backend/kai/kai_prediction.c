/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/document/reader.h"

/* ---- kai settings ---- */

static struct slice
kai_label(const struct kai_metadata *metadata, struct slice key)
{
    return node_string(node_member(metadata->labels, key));
}

/* The owner that the group is made for. */
static const struct kai_metadata *
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

static bool
kai_class_exists(const struct gang_cluster *cluster, struct slice name)
{
    return name.len && cluster_priority_class(cluster, name, NULL) != CLUSTER_NO;
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

const struct node *
kai_default_class(const struct gang_cluster *cluster, const struct kai_kind *kinds, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct node *name = kai_default_node(cluster, &kinds[i], SLICE("priorityName"));

        if (kai_class_exists(cluster, node_string(name)))
            return name;
    }
    return NULL;
}

static struct slice
kai_settings_priority(const struct kai_sources *sources)
{
    const struct node *of_kind;

    /* The first label that is present decides for an owner, even if no class has that name. */
    for (size_t i = 0; i < sources->num_owners; i++) {
        struct slice name = kai_label(&sources->owners[i], KAI_PRIORITY_LABEL);

        if (!slice_is_set(name))
            name = kai_label(&sources->pod, KAI_PRIORITY_LABEL);
        if (!slice_is_set(name))
            name = sources->pod_priority_class;
        if (kai_class_exists(sources->cluster, name))
            return name;
    }
    of_kind = kai_default_class(sources->cluster, sources->kinds, sources->num_owners);
    if (of_kind)
        return node_string(of_kind);
    return sources->leaves_defaults ? NO_SLICE : KAI_DEFAULT_PRIORITY;
}

static bool
kai_is_preemptibility(struct slice text)
{
    return slice_equal(text, SLICE("preemptible")) || slice_equal(text, SLICE("non-preemptible"));
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
    for (size_t i = 0; i < sources->num_owners; i++) { /* a default, which is lowered */
        struct slice text =
            arena_lower(arena, node_string(kai_default_node(sources->cluster, &sources->kinds[i],
                                                            SLICE("preemptibility"))));

        if (kai_is_preemptibility(text))
            return text;
    }
    return NO_SLICE;
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

/* The annotations, unchecked. */
static struct gang_placement
kai_settings_placement(const struct node *annotations)
{
    return (struct gang_placement){
        .topology = node_string(node_text_member(annotations, SLICE("kai.scheduler/topology"))),
        .required = node_string(
            node_text_member(annotations, SLICE("kai.scheduler/topology-required-placement"))),
        .preferred = node_string(
            node_text_member(annotations, SLICE("kai.scheduler/topology-preferred-placement"))),
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
    group->placement = kai_settings_placement(kai_settings_owner(sources)->annotations);
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

/* ---- kai prediction ---- */

/* The owner of the groups: before v0.13 the TrainJob or its owner, since then the JobSet. */
static struct backend_owner
kai_group_owner(const struct kai_job *job, const struct kai_prediction *prediction)
{
    if (slice_is_set(job->top_owner.kind))
        return job->top_owner;
    if (prediction->shape == KAI_SHAPE_OWNER)
        return (struct backend_owner){SLICE(GANG_TRAINER_API_VERSION), SLICE(GANG_KIND_TRAINJOB),
                                      job->name, job->trainjob_uid};
    return (struct backend_owner){SLICE("jobset.x-k8s.io/v1alpha2"), SLICE("JobSet"), job->name,
                                  job->jobset_uid};
}

struct slice
kai_predicted_subgroup(const struct kai_prediction *prediction, struct slice role, int64_t replica,
                       struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];

    if (prediction->shape != KAI_SHAPE_TREE)
        return NO_SLICE;
    return kai_join(kai_join(role, '-', SLICE("replica"), arena), '-',
                    integer_format(replica, text), arena);
}

struct gang_placement
kai_leaf_placement(const struct kai_job_role *role)
{
    struct gang_placement placement = kai_settings_placement(role->annotations);

    if (!slice_is_set(placement.topology) ||
        (!slice_is_set(placement.required) && !slice_is_set(placement.preferred)))
        return (struct gang_placement){0};
    return placement;
}

static int64_t
kai_count_subgroups(const struct kai_job *job)
{
    int64_t count = 0;

    for (size_t i = 0; i < job->num_roles; i++)
        count = integer_add_capped(count, 1 + kai_grouping_replicas(&job->roles[i]));
    return count;
}

/* A subgroup for each role, and in it one for each replica. */
static void
kai_grow_tree(const struct kai_job *job, const struct kai_grouping *grouping,
              struct kai_prediction *prediction, struct arena *arena)
{
    struct kai_pod_group *group = &prediction->groups[0].group;

    group->min_sub_group = KAI_MINIMUM(grouping->root);
    group->subgroups =
        arena_array(arena, (size_t)kai_count_subgroups(job), sizeof(*group->subgroups));
    for (size_t i = 0; group->subgroups && i < job->num_roles; i++) {
        const struct kai_job_role *role = &job->roles[i];
        int64_t replicas = kai_grouping_replicas(role);

        group->subgroups[group->num_subgroups++] =
            (struct kai_subgroup){.name = role->name, .min_sub_group = KAI_MINIMUM(replicas)};
        for (int64_t k = 0; k < replicas; k++)
            group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
                .name = kai_predicted_subgroup(prediction, role->name, k, arena),
                .parent = role->name,
                .min_member = KAI_MINIMUM(grouping->minima[i]),
                .placement = kai_leaf_placement(role),
            };
    }
}

struct kai_sources
kai_jobset_sources(const struct kai_job *job, const struct kai_job_role *role, struct arena *arena)
{
    return (struct kai_sources){
        .owners = {{.labels = build_merged(job->jobset.labels, job->trainjob.labels, arena),
                    .annotations =
                        build_merged(job->jobset.annotations, job->trainjob.annotations, arena)}},
        .kinds = {KAI_JOBSET_KIND},
        .num_owners = 1,
        .pod = role->pod,
        .pod_priority_class = role->pod_priority_class,
        .cluster = job->cluster,
    };
}

/* A group that pods of all roles share has the settings of the first role. */
struct kai_prediction
kai_predict(const struct kai_job *job, const struct kai_grouping *grouping, struct arena *arena)
{
    struct kai_prediction prediction = {.shape = grouping->shape, .failure = grouping->failure};
    size_t count = grouping->shape == KAI_SHAPE_PER_ROLE ? job->num_roles : 1;

    if (!job->num_roles || prediction.failure || !grouping->minima ||
        (grouping->shape == KAI_SHAPE_TREE && kai_count_subgroups(job) > KAI_MOST_SUBGROUPS))
        return prediction;
    prediction.groups = arena_array(arena, count, sizeof(*prediction.groups));
    if (!prediction.groups)
        return prediction;
    prediction.count = count;
    for (size_t i = 0; i < count; i++) {
        bool per_role = prediction.shape == KAI_SHAPE_PER_ROLE;
        struct kai_predicted_group *predicted = &prediction.groups[i];
        struct kai_pod_group *group = &predicted->group;

        predicted->role = per_role ? &job->roles[i] : NULL;
        if (prediction.shape == KAI_SHAPE_OWNER) {
            /* The owner that is not known to the job, if there is one, has no known labels. */
            predicted->sources = (struct kai_sources){
                .owners = {{0}, job->jobset, job->trainjob},
                .kinds = {KAI_KIND("batch", "Job"), KAI_JOBSET_KIND, KAI_TRAINJOB_KIND},
                .num_owners = 3 + (size_t)slice_is_set(job->top_owner.kind),
                .pod = job->roles[i].pod,
                .pod_priority_class = job->roles[i].pod_priority_class,
                .cluster = job->cluster,
            };
        } else {
            predicted->sources = kai_jobset_sources(job, &job->roles[i], arena);
        }
        kai_settings_fill(&predicted->sources, group, arena);
        group->placement.is_set = true;
        if (prediction.shape == KAI_SHAPE_TREE)
            kai_grow_tree(job, grouping, &prediction, arena);
        else
            group->min_member = KAI_MINIMUM(per_role ? grouping->minima[i] : grouping->root);
    }
    return prediction;
}

struct slice
kai_predicted_names(const struct kai_job *job, const struct kai_prediction *prediction,
                    struct arena *arena)
{
    const struct backend_owner owner = kai_group_owner(job, prediction);

    return kai_join(kai_join(SLICE("pg"), '-', owner.name, arena), '-',
                    owner.uid.len ? owner.uid : SLICE(""), arena);
}

/* The annotation's text is YAML, so a uid that looks like a number must be quoted. */
static const struct node *
kai_top_owner_text(const struct backend_owner *owner, struct arena *arena)
{
    const struct slice before = slice_before(owner->api_version, '/');
    const bool is_core = before.len == owner->api_version.len; /* its group is "" */
    const struct slice group = is_core ? SLICE("\"\"") : before;
    const struct slice version = slice_after(owner->api_version, is_core ? 0 : before.len + 1);
    struct builder map = build_map(arena);
    struct scalar scalar;
    const char *quotes;

    if (!owner->uid.len)
        return map.node;
    scalar_resolve(owner->uid, &scalar);
    quotes = scalar.kind == NODE_STRING ? "" : "\"";
    build_string(&map, SLICE("kai.scheduler/top-owner-metadata"),
                 ARENA_SLICE(arena,
                             "name: %.*s\nuid: %s%.*s%s\ngroup: %.*s\nversion: %.*s\nkind: %.*s\n",
                             SLICE_ARG(owner->name), quotes, SLICE_ARG(owner->uid), quotes,
                             SLICE_ARG(group), SLICE_ARG(version), SLICE_ARG(owner->kind)));
    return map.node;
}

/* Adds to a map of the owner, which has precedence, these members of the pod's. */
static const struct node *
kai_copied(const struct node *of_owner, const struct node *of_pod, const struct slice *keys,
           size_t count, struct arena *arena)
{
    struct builder added = build_map(arena);

    for (size_t i = 0; i < count; i++)
        build_node(&added, keys[i], node_member(of_pod, keys[i]));
    return build_merged(of_owner, added.node, arena);
}

/*
 * Source: default_grouper.go (owner, user) and pod_controller.go (node pool) @d5bc503a; the same in
 * every release from v0.12 on, where only the owner is another one (kai_settings_owner()).
 */
struct kai_metadata
kai_copied_metadata(const struct kai_sources *sources, struct arena *arena)
{
    static const struct slice keys[] = {SLICE_INIT("user"), SLICE_INIT("kai.scheduler/node-pool")};
    const struct kai_metadata *owner = kai_settings_owner(sources);

    return (struct kai_metadata){
        .labels = kai_copied(owner->labels, sources->pod.labels, keys, 2, arena),
        .annotations = kai_copied(owner->annotations, sources->pod.annotations, keys, 1, arena),
    };
}

const struct node *
kai_predicted_manifest(const struct kai_job *job, const struct kai_prediction *prediction,
                       size_t index, struct arena *arena)
{
    const struct kai_predicted_group *group = &prediction->groups[index];
    const struct backend_owner owner = kai_group_owner(job, prediction);
    const struct kai_metadata copied = kai_copied_metadata(&group->sources, arena);
    const struct slice names = kai_predicted_names(job, prediction, arena);
    struct builder manifest = build_map(arena);
    struct builder metadata;
    struct builder spec;
    struct builder owners = {0};

    build_string(&manifest, SLICE("apiVersion"), KAI_API_VERSION);
    build_string(&manifest, SLICE("kind"), KAI_POD_GROUP_KIND);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    if (!owner.uid.len)
        build_string(&metadata, SLICE("generateName"), names);
    else
        build_string(&metadata, SLICE("name"),
                     group->role ? kai_join(names, '-', group->role->name, arena) : names);
    build_string_if_set(&metadata, SLICE("namespace"), job->namespace_);
    build_node(&metadata, SLICE("labels"), copied.labels);
    build_node(&metadata, SLICE("annotations"),
               build_merged(copied.annotations, kai_top_owner_text(&owner, arena), arena));
    backend_build_owner(&owner, false, &metadata, &owners);
    spec = build_map_member(&manifest, SLICE("spec"));
    kai_pod_group_build(&group->group, &job->release, &spec);
    return manifest.node;
}
