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
    struct kai_sources sources = kai_jobset_sources(&mode->job, &mode->job.roles[role], arena);
    struct kai_created created = {.name = name, .copied = kai_copied_metadata(&sources, arena)};

    sources.leaves_defaults = true;
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
    if (!slice_is_set(placement->topology) && !slice_is_set(group->placement.topology))
        return "KAI needs the name of a Topology: set topology.name";
    return NULL;
}

/* Returns nothing for a placement that KAI cannot have. The name can be that of the whole gang. */
static struct gang_placement
kai_create_placement(const struct kai_pod_group *group, const struct gang_placement *placement)
{
    struct gang_placement created = *placement;

    if (kai_create_why_not_placed(group, placement))
        return (struct gang_placement){0};
    if (!slice_is_set(created.topology))
        created.topology = group->placement.topology;
    return created;
}

/* The name of the group that contains a group of the wishes; unset if that is the whole gang. */
static struct slice
kai_parent_name(const struct gang_wishes *wishes, const struct gang_group *group)
{
    return group->parent == GROUP_OF_GANG ? NO_SLICE : wishes->groups[group->parent].name;
}

static struct slice
kai_group_of_role(const struct gang *gang, size_t role)
{
    const struct gang_wishes *wishes = gang->wishes;

    for (size_t i = 0; group_tree_has_groups(wishes) && i < wishes->num_groups; i++)
        if (wishes->groups[i].role == role)
            return kai_parent_name(wishes, &wishes->groups[i]);
    return NO_SLICE;
}

static void
kai_fill_subgroups(struct kai_pod_group *group, const struct kai_job *job, const struct gang *gang,
                   struct arena *arena)
{
    const struct group_tree tree = group_tree_make(gang, arena);

    group->subgroups =
        arena_array(arena, gang->num_roles + gang->wishes->num_groups, sizeof(*group->subgroups));
    if (!group->subgroups)
        return;
    for (size_t i = 0; tree.needs && i < gang->wishes->num_groups; i++) {
        const struct gang_group *source = &gang->wishes->groups[i];

        if (source->role == ROLE_NONE && tree.needs[i].children)
            group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
                .name = source->name,
                .parent = kai_parent_name(gang->wishes, source),
                .min_sub_group = KAI_MINIMUM(tree.needs[i].minimum),
                .placement = kai_create_placement(group, &source->placement),
            };
    }
    for (size_t i = 0; i < gang->num_roles; i++) {
        const enum membership membership = gang->parts[i].membership;

        if (membership != ROLE_OUTSIDE)
            group->subgroups[group->num_subgroups++] = (struct kai_subgroup){
                .name = gang->roles[i].name,
                .parent = kai_group_of_role(gang, i),
                .min_member =
                    KAI_MINIMUM(membership == ROLE_MEMBER ? role_first_count(&gang->roles[i]) : 0),
                .placement = kai_leaf_placement(&job->roles[i]),
            };
    }
}

/* The job's own topology has precedence over annotations, which may name the Topology. */
static struct kai_created
kai_create_gang(const struct kai_mode *mode, const struct gang *gang, size_t first,
                struct arena *arena)
{
    struct kai_created created =
        kai_create_of_role(mode, first, kai_create_name(gang, arena), arena);
    const struct gang_placement *placement = group_tree_placement(gang);
    size_t count = 0;

    for (size_t i = 0; i < gang->num_roles; i++)
        count += gang->parts[i].membership != ROLE_OUTSIDE;
    if (placement && !kai_create_why_not_placed(&created.group, placement))
        created.group.placement = kai_create_placement(&created.group, placement);
    if ((count > 1 || group_tree_has_groups(gang->wishes)) &&
        (!gang->wishes->minimum || gang->minimum == gang_sum_of_role_minima(gang))) {
        kai_fill_subgroups(&created.group, &mode->job, gang, arena);
        return created;
    }
    created.group.min_member = KAI_MINIMUM(gang->minimum);
    if (!kai_is_placed(&created.group.placement))
        created.group.placement = kai_leaf_placement(&mode->job.roles[first]);
    return created;
}

struct kai_created_groups
kai_create_groups(const struct kai_mode *mode, const struct backend_call *call, struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct kai_created_groups groups = {
        .items = arena_array(arena, gang->num_roles + 1, sizeof(*groups.items))};

    size_t first = 0;

    if (!groups.items || !mode->job.num_roles)
        return groups;
    while (first + 1 < gang->num_roles && gang->parts[first].membership != ROLE_MEMBER)
        first++;
    groups.items[groups.count++] = kai_create_gang(mode, gang, first, arena);
    if (group_tree_has_groups(gang->wishes))
        groups.pods = group_tree_make(gang, arena).pods;
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_OUTSIDE && !gang->roles[i].elsewhere) {
            struct slice name =
                kai_join(gang->roles[i].name, '.', kai_create_name(gang, arena), arena);
            struct kai_created created = kai_create_of_role(mode, i, name, arena);

            created.role = &gang->roles[i];
            created.group.min_member = KAI_MINIMUM(1);
            groups.items[groups.count++] = created;
        }
    return groups;
}

/*
 * Sets both annotations on every pod: a pod with the skip annotation but without a group waits
 * forever, and no component reports it. `subgroup` is unset for a group without subgroups. Grove
 * sets the same keys: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb
 * PreparePod
 */
void
kai_mark_pod(struct gang_patch *patch, struct slice group, struct slice subgroup)
{
    plan_patch_annotation(patch, KAI_SKIP_MARK, SLICE("true"));
    plan_patch_annotation(patch, KAI_GROUP_MARK, group);
    if (slice_is_set(subgroup))
        plan_patch_label(patch, KAI_SUBGROUP_MARK, subgroup);
}

void
kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                  const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    size_t outside = 1;

    for (size_t i = 0; i < groups->count; i++) {
        const struct kai_created *created = &groups->items[i];
        const struct backend_metadata metadata = {.name = created->name,
                                                  .labels = created->copied.labels,
                                                  .annotations = created->copied.annotations};
        struct builder spec = backend_add_object(call, KAI_POD_GROUP_KIND, &metadata, content);

        kai_pod_group_build(&created->group, &mode->release, &spec);
    }
    for (size_t i = 0; groups->count && i < gang->num_roles; i++) {
        bool is_outside = gang->parts[i].membership == ROLE_OUTSIDE;
        const struct kai_created *created;

        if (gang->roles[i].elsewhere)
            continue;
        created = &groups->items[is_outside ? outside++ : 0];
        kai_mark_pod(&content->patches[i], created->name,
                     created->group.num_subgroups ? gang->roles[i].name : NO_SLICE);
    }
}

/* ---- subgroups: staleness ---- */

bool
kai_subgroups_never_stale(const struct kai_pod_group *group, const struct release *release)
{
    int64_t period;

    return kai_has(KAI_DELAYS, release) && duration_parse(group->staleness_grace_period, &period) &&
           period < 0;
}

/*
 * The scheduler does not consider minSubGroup when it decides that a group is stale:
 * pkg/scheduler/api/podgroup_info/job_info.go IsStale@d5bc503a
 */
void
kai_subgroups_check(const struct kai_pod_group *group, const struct release *release,
                    const struct backend_call *call, struct report *report)
{
    if (kai_subgroups_never_stale(group, release))
        return;
    for (size_t i = 0; i < group->num_subgroups; i++) {
        const struct kai_subgroup *subgroup = &group->subgroups[i];
        int64_t children = 0;

        for (size_t k = 0; k < group->num_subgroups; k++)
            children += slice_equal(group->subgroups[k].parent, subgroup->name);
        if (!subgroup->min_sub_group.is_set || subgroup->min_sub_group.value >= children)
            continue;
        find_note(
            report, call->gang->wishes->owner.name_source, GANG_CODE_OPTIONAL_GROUP_EVICTED,
            kai_has(KAI_DELAYS, release)
                ? "annotate the job kai.scheduler/staleness-grace-period: \"-1s\""
                : "let all subgroups start, or upgrade KAI to v0.17",
            "the gang can start without a part of subgroup %-.*s, but KAI evicts all its pods "
            "after a minute, unless the others have started by then",
            SLICE_ARG(subgroup->name));
        return;
    }
}

/* ---- subgroups in the plan ---- */

/* A parent precedes its subgroups, so their list exists when they are added. */
void
kai_subgroups_list(const struct kai_pod_group *group, struct builder *list)
{
    struct builder *lists = arena_array(list->arena, group->num_subgroups, sizeof(*lists));

    for (size_t i = 0; lists && i < group->num_subgroups; i++) {
        const struct kai_subgroup *source = &group->subgroups[i];
        const struct kai_subgroup *above =
            slice_is_set(source->parent) ? FIND_TEXT(group->subgroups, i, name, source->parent)
                                         : NULL;
        struct backend_subgroup subgroup = {.name = source->name};

        if (source->min_sub_group.is_set) {
            subgroup.minimum = source->min_sub_group.value;
            subgroup.placement = source->placement;
        } else { /* a leaf has the name of its role */
            subgroup.minimum = source->min_member.value;
            subgroup.role = source->name;
        }
        lists[i] =
            backend_list_subgroup(&subgroup, NULL, above ? &lists[above - group->subgroups] : list);
    }
}

/* ---- kai podgang ---- */

static bool
kai_podgang_lacks_topology(const struct gang_placement *placement)
{
    return placement->is_set && !placement->topology.len;
}

/* What kai_podgang_open() computes once per call. */
struct kai_podgang_state {
    struct release release;
    struct kai_pod_group group;
};

const void *
kai_podgang_open(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    struct kai_podgang_state *state = arena_alloc(report->arena, sizeof(*state));
    struct kai_pod_group *group;

    if (!state)
        return NULL;
    group = &state->group;
    state->release = cluster_component(call->cluster, CATALOG_AT_kai);
    if (!state->release.is_known)
        state->release = kai_newest_release;
    *group = (struct kai_pod_group){
        .queue = call->gang->queue,
        .priority_class_name =
            call->gang->priority_class_name.len ? call->gang->priority_class_name : NO_SLICE,
        .placement = wishes->placement,
        .subgroups = arena_array(report->arena, wishes->num_groups, sizeof(*group->subgroups)),
    };
    group->placement.is_set = true; /* the root's is a struct in Go, a subgroup's a pointer */
    if (wishes->minimum_groups)
        group->min_sub_group = KAI_MINIMUM(wishes->minimum_groups);
    else
        group->min_member = KAI_MINIMUM(call->gang->minimum);
    for (size_t i = 0; group->subgroups && i < wishes->num_groups; i++) {
        const struct gang_group *source = &wishes->groups[i];
        struct kai_subgroup *subgroup = &group->subgroups[group->num_subgroups++];

        subgroup->name = source->name;
        subgroup->parent = kai_parent_name(wishes, source);
        subgroup->placement = source->placement;
        if (source->role == ROLE_NONE)
            subgroup->min_sub_group = KAI_MINIMUM(source->minimum);
        else
            subgroup->min_member = KAI_MINIMUM(source->minimum);
    }
    return state;
}

/*
 * What KAI's webhook refuses of the groups that libgang makes; their parents, names and minima are
 * otherwise as it wants them. The PodGang of a subgroup has no podgroups. Source:
 * kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_webhook.go@d5bc503a
 */
static void
kai_podgang_check_leaves(const struct gang_wishes *wishes, struct report *report)
{
    bool *is_parent = arena_array(report->arena, wishes->num_groups, sizeof(*is_parent));

    for (size_t i = 0; is_parent && i < wishes->num_groups; i++)
        if (wishes->groups[i].parent != GROUP_OF_GANG)
            is_parent[wishes->groups[i].parent] = true;
    for (size_t i = 0; is_parent && i < wishes->num_groups; i++) {
        const struct slice name = wishes->groups[i].name;

        if (wishes->groups[i].role != ROLE_NONE || is_parent[i])
            continue;
        find_note(report, wishes->owner.name_source, GANG_CODE_KAI_GROUP_REFUSED, NULL,
                  "KAI's webhook would refuse the PodGroup: subgroup \"%.*s\": minSubGroup cannot "
                  "be set on a leaf SubGroup (no child SubGroups)",
                  SLICE_ARG(name));
        find_note(report, wishes->owner.name_source, GANG_CODE_KAI_GROUP_REFUSED, NULL,
                  "KAI's webhook would refuse the PodGroup: subgroup %.*s: minMember is required",
                  SLICE_ARG(name));
    }
}

/* GREP-525: v0.15.0 is the first release that accepts PodGroups from other creators. */
SELDOM void
kai_validate_podgangs(const struct backend_call *call, struct report *report)
{
    const struct release release = cluster_component(call->cluster, CATALOG_AT_kai);

    if (release.is_known && !kai_has(KAI_EXTERNAL_GROUPS, &release))
        find_note(report, cluster_component_source(call->cluster, CATALOG_AT_kai),
                  MESSAGE_KAI_CREATE_UNSUPPORTED_MOVED, kai_release_text(&release, report->arena));
}

void
kai_podgang_validate(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    const struct kai_podgang_state *state = call->state;
    const struct gang_placement *first =
        kai_podgang_lacks_topology(&wishes->placement) ? &wishes->placement : NULL;

    if (!state)
        return;
    release_report_assumed(call, CATALOG_AT_kai, &kai_newest_release, report);
    for (size_t i = 0; i < wishes->num_groups && !first; i++)
        if (kai_podgang_lacks_topology(&wishes->groups[i].placement))
            first = &wishes->groups[i].placement;
    if (first)
        find_note(report, first->source, MESSAGE_TOPOLOGY_NAME_MISSING);
    for (size_t i = 0; i < wishes->num_groups; i++) { /* the CRD's pattern, and a label's length */
        const struct node *name = node_member(wishes->groups[i].source, SLICE("name"));

        name_check_made(
            wishes->groups[i].name, NAME_DNS1123_LABEL, GANG_CODE_INVALID_NAME,
            name ? name : wishes->groups[i].source,
            "name of a subgroup and label of its pods: use lower-case letters, digits and '-'",
            report);
    }
    /* the minimum of the CRD */
    if (call->gang->minimum == 0 && !wishes->minimum_groups &&
        !kai_has(KAI_ROOT_ZERO, &state->release))
        find_note(report, wishes->owner.name_source, MESSAGE_KAI_GROUP_REFUSED);
    if (!report_has_errors(report))
        kai_podgang_check_leaves(wishes, report);
}

/* The PodGang's annotations have Grove's mark, which replaces an existing value. */
void
kai_podgang_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    const struct gang_wishes *wishes = gang->wishes;
    const struct kai_podgang_state *state = call->state;
    struct backend_metadata metadata = {.name = gang->name, .labels = wishes->labels};
    struct builder mark = build_map(content->arena);
    struct builder spec;

    build_string(&mark, KAI_SKIP_MARK, SLICE("true"));
    metadata.annotations = build_merged(mark.node, gang->annotations, content->arena);
    spec = backend_add_object(call, KAI_POD_GROUP_KIND, &metadata, content);
    kai_pod_group_build(&state->group, &state->release, &spec);
    if (!slice_equal(node_string(node_member(gang->annotations, KAI_SKIP_MARK)), SLICE("true"))) {
        content->job_patch->target = SLICE("PodGang");
        plan_patch_annotation(content->job_patch, KAI_SKIP_MARK, SLICE("true"));
    }
    for (size_t i = 0; i < wishes->num_groups; i++)
        if (wishes->groups[i].role != ROLE_NONE)
            kai_mark_pod(&content->patches[wishes->groups[i].role], gang->name,
                         wishes->groups[i].name);
}

/* ---- kai topology ---- */

void
kai_podgang_render_topology(const struct node *levels, struct builder *spec)
{
    struct builder list = build_list_member(spec, SLICE("levels"));

    for (NODE_EACH(level, levels)) {
        struct builder item = build_map_item(&list);

        build_string(&item, SLICE("nodeLabel"), node_string(node_member(level, SLICE("key"))));
    }
}
