/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* Source: kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go@d5bc503a */
#define KAI_GROUP_MARK SLICE(GANG_ANNOTATION_KAI_GROUP_NAME)
#define KAI_SUBGROUP_MARK SLICE(GANG_LABEL_KAI_SUBGROUP_NAME)
#define KAI_SKIP_MARK SLICE(GANG_ANNOTATION_KAI_SKIP_PODGROUPER)

struct slice
kai_create_name(const struct gang *gang, struct arena *arena)
{
    return gang->wishes->owner.namespace_.len
               ? kai_join(gang->name, '.', gang->wishes->owner.namespace_, arena)
               : gang->name;
}

static size_t
kai_count_member_roles(const struct gang *gang)
{
    size_t count = 0;

    for (size_t i = 0; i < gang->num_roles; i++)
        count += gang->parts[i].membership != ROLE_OUTSIDE;
    return count;
}

static struct kai_sources
kai_sources_of_role(const struct kai_mode *mode, size_t role, struct arena *arena)
{
    const struct kai_job *job = &mode->job;

    return (struct kai_sources){
        .owners = {{.labels = build_merged(job->jobset.labels, job->trainjob.labels, arena),
                    .annotations =
                        build_merged(job->jobset.annotations, job->trainjob.annotations, arena)}},
        .kinds = {KAI_JOBSET_KIND},
        .num_owners = 1,
        .pod = job->roles[role].pod,
        .pod_priority_class = job->roles[role].pod_priority_class,
        .leaves_defaults = true,
        .cluster = job->cluster,
    };
}

/* kubectl's own copy of the object, and the marks of a pod that is in the group already. */
static bool
kai_is_copied(struct slice key, const struct node *map)
{
    if (slice_equal(key, KAI_SKIP_MARK))
        return !node_member(map, KAI_GROUP_MARK);
    return !slice_equal(key, KAI_GROUP_MARK) && !slice_equal(key, KAI_SUBGROUP_MARK) &&
           !slice_equal(key, SLICE("kubectl.kubernetes.io/last-applied-configuration"));
}

/* Returns labels or annotations without what is not about the group. */
static const struct node *
kai_about_group(const struct node *map, struct arena *arena)
{
    struct builder kept;
    size_t count = 0;

    for (NODE_EACH(member, map))
        count += kai_is_copied(node_key(member), map);
    if (count == node_count(map))
        return map;
    kept = build_map(arena);
    for (NODE_EACH(member, map))
        if (kai_is_copied(node_key(member), map))
            build_node(&kept, node_key(member), member);
    return count ? kept.node : NULL;
}

/*
 * Starts a group with what the podgrouper would read and copy for the role, without its fallbacks:
 * what no document sets stays unset.
 */
static struct kai_created
kai_create_of_role(const struct kai_mode *mode, size_t role, struct slice name, struct arena *arena)
{
    struct kai_sources sources = kai_sources_of_role(mode, role, arena);
    struct kai_created created = {.name = name, .copied = kai_copied_metadata(&sources, arena)};

    created.copied.labels = kai_about_group(created.copied.labels, arena);
    created.copied.annotations = kai_about_group(created.copied.annotations, arena);
    kai_settings_fill(&sources, &created.group, arena);
    if (mode->marks.queue.len)
        created.group.queue = mode->marks.queue;
    return created;
}

/* ---- groups of roles ---- */

const char *
kai_create_why_not_placed(const struct kai_pod_group *group, const struct gang_placement *placement)
{
    if (!slice_is_set(placement->required) && !slice_is_set(placement->preferred))
        return "KAI needs a level: set topology.required or topology.preferred";
    if (!slice_is_set(placement->topology) && !slice_is_set(group->topology.topology))
        return "KAI needs the name of a Topology: set topology.name";
    return NULL;
}

/* Returns nothing for a placement that KAI cannot have. The name can be that of the whole gang. */
static struct kai_topology
kai_create_topology(const struct kai_pod_group *group, const struct gang_placement *placement)
{
    if (kai_create_why_not_placed(group, placement))
        return (struct kai_topology){0};
    return (struct kai_topology){
        .topology =
            slice_is_set(placement->topology) ? placement->topology : group->topology.topology,
        .required_level = placement->required,
        .preferred_level = placement->preferred,
    };
}

/* The job's own topology has precedence over annotations, which may name the Topology. */
static void
kai_place_gang(struct kai_pod_group *group, const struct gang *gang)
{
    const struct gang_placement *placement = group_tree_placement(gang);

    if (placement && !kai_create_why_not_placed(group, placement))
        group->topology = kai_create_topology(group, placement);
}

/* Adds a subgroup for each group, before those of the roles. */
static void
kai_fill_groups(struct kai_pod_group *group, const struct gang *gang, const struct group_tree *tree)
{
    const struct gang_wishes *wishes = gang->wishes;

    for (size_t i = 0; tree->needs && i < wishes->num_groups; i++) {
        const struct gang_group *source = &wishes->groups[i];

        if (source->role == ROLE_NONE && tree->needs[i].children)
            group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
                .name = source->name,
                .parent = source->parent == GROUP_OF_GANG ? NO_SLICE
                                                          : wishes->groups[source->parent].name,
                .min_sub_group = KAI_MINIMUM(tree->needs[i].minimum),
                .topology = kai_create_topology(group, &source->placement),
            };
    }
}

static struct slice
kai_group_of_role(const struct gang *gang, size_t role)
{
    const struct gang_wishes *wishes = gang->wishes;

    for (size_t i = 0; group_tree_has_groups(wishes) && i < wishes->num_groups; i++)
        if (wishes->groups[i].role == role)
            return wishes->groups[i].parent == GROUP_OF_GANG
                       ? NO_SLICE
                       : wishes->groups[wishes->groups[i].parent].name;
    return NO_SLICE;
}

static void
kai_fill_subgroups(struct kai_pod_group *group, const struct kai_job *job, const struct gang *gang,
                   size_t count, struct arena *arena)
{
    const struct group_tree tree = group_tree_make(gang, arena);

    group->subgroups =
        arena_array(arena, count + gang->wishes->num_groups, sizeof(*group->subgroups));
    if (group->subgroups)
        kai_fill_groups(group, gang, &tree);
    for (size_t i = 0; group->subgroups && i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang_membership(gang, role) != ROLE_OUTSIDE)
            group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
                .name = role->name,
                .parent = kai_group_of_role(gang, i),
                .min_member = KAI_MINIMUM(
                    gang_membership(gang, role) == ROLE_MEMBER ? role_first_count(role) : 0),
                .topology = kai_leaf_topology(&job->roles[i]),
            };
    }
}

/*
 * Whether subgroups of the roles have the minimum of the gang together. The documents may have set
 * another one, which a group with subgroups cannot have: KAI ignores its minimum.
 */
static bool
kai_has_minima_of_roles(const struct gang *gang)
{
    return !gang->wishes->minimum || gang->minimum == gang_sum_of_role_minima(gang);
}

static struct kai_created
kai_create_gang(const struct kai_mode *mode, const struct gang *gang, size_t first,
                struct arena *arena)
{
    struct kai_created created =
        kai_create_of_role(mode, first, kai_create_name(gang, arena), arena);
    size_t count = kai_count_member_roles(gang);

    kai_place_gang(&created.group, gang);
    if ((count > 1 || group_tree_has_groups(gang->wishes)) && kai_has_minima_of_roles(gang)) {
        kai_fill_subgroups(&created.group, &mode->job, gang, count, arena);
        return created;
    }
    created.group.min_member = KAI_MINIMUM(gang->minimum);
    if (kai_topology_is_empty(&created.group.topology))
        created.group.topology = kai_leaf_topology(&mode->job.roles[first]);
    return created;
}

static struct kai_created
kai_create_outside(const struct kai_mode *mode, const struct gang *gang, size_t role,
                   struct arena *arena)
{
    struct slice name = kai_join(gang->roles[role].name, '.', kai_create_name(gang, arena), arena);
    struct kai_created created = kai_create_of_role(mode, role, name, arena);

    created.role = &gang->roles[role];
    created.group.min_member = KAI_MINIMUM(1);
    return created;
}

static size_t
kai_first_member(const struct gang *gang)
{
    size_t first = 0;

    while (first + 1 < gang->num_roles && gang->parts[first].membership != ROLE_MEMBER)
        first++;
    return first;
}

struct kai_created_groups
kai_create_groups(const struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct kai_created_groups groups = {
        .items = arena_array(arena, gang->num_roles + 1, sizeof(*groups.items))};

    if (!groups.items || !mode->job.num_roles)
        return groups;
    groups.items[groups.count++] = kai_create_gang(mode, gang, kai_first_member(gang), arena);
    if (group_tree_has_groups(gang->wishes))
        groups.pods = group_tree_make(gang, arena).pods;
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_OUTSIDE && !gang->roles[i].elsewhere)
            groups.items[groups.count++] = kai_create_outside(mode, gang, i, arena);
    return groups;
}

void
kai_create_check(const struct kai_pod_group *group, const struct release *release,
                 const struct node *source, struct report *report)
{
    struct kai_webhook_answer answer =
        kai_webhook_check(group, release, KAI_WEBHOOK_CREATE, report->arena);

    for (size_t i = 0; i < answer.count; i++)
        find_note(report,
                  answer.problems[i].is_warning ? GANG_CODE_KAI_GROUP_WARNING
                                                : GANG_CODE_KAI_GROUP_REFUSED,
                  source, NULL, "KAI's webhook %s the PodGroup: %s",
                  answer.problems[i].is_warning ? "warns about" : "would refuse",
                  answer.problems[i].text);
}

static void
kai_render_group(const struct kai_created *created, const struct kai_mode *mode,
                 const struct backend_call *call, struct plan_content *content)
{
    const struct backend_metadata metadata = {.name = created->name,
                                              .labels = created->copied.labels,
                                              .annotations = created->copied.annotations};
    struct builder spec = backend_add_object(call, KAI_POD_GROUP_KIND, &metadata, content);

    kai_pod_group_build(&created->group, &mode->release, &spec);
}

/*
 * Sets both annotations on every pod: a pod with the skip annotation but without a group waits
 * forever, and no component reports it.
 */
static void
kai_mark_pods(struct gang_patch *patch, const struct kai_created *created, bool has_subgroups)
{
    plan_patch_annotation(patch, KAI_SKIP_MARK, SLICE("true"));
    plan_patch_annotation(patch, KAI_GROUP_MARK, created->name);
    if (has_subgroups)
        plan_patch_label(patch, KAI_SUBGROUP_MARK, patch->role);
}

void
kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                  const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    size_t outside = 1;

    for (size_t i = 0; i < groups->count; i++)
        kai_render_group(&groups->items[i], mode, call, content);
    for (size_t i = 0; groups->count && i < gang->num_roles; i++) {
        bool is_outside = gang->parts[i].membership == ROLE_OUTSIDE;
        const struct kai_created *created;

        if (gang->roles[i].elsewhere)
            continue;
        created = &groups->items[is_outside ? outside++ : 0];
        kai_mark_pods(&content->patches[i], created, created->group.num_subgroups > 0);
    }
}
