/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* ---- kai podgang ---- */

/* Keys: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb PreparePod. */
static const struct {
    struct slice skip;     /* annotation of the PodGroup and of pods: the podgrouper skips them */
    struct slice group;    /* annotation of pods: the PodGroup's name */
    struct slice subgroup; /* label of pods */
} kai_podgang_keys = {
    .skip = SLICE_INIT("kai.scheduler/skip-podgrouper"),
    .group = SLICE_INIT("pod-group-name"),
    .subgroup = SLICE_INIT("kai.scheduler/subgroup-name"),
};

/*
 * The root's constraint is a struct in Go, which is written even if empty; a subgroup's is a
 * pointer.
 */
static struct kai_topology
kai_podgang_topology(const struct gang_placement *placement, bool is_root)
{
    return (struct kai_topology){
        .is_present = is_root || placement->is_set,
        .topology = placement->topology,
        .required_level = placement->required,
        .preferred_level = placement->preferred,
    };
}

static struct kai_subgroup
kai_podgang_subgroup(const struct gang *gang, const struct gang_group *group)
{
    struct kai_subgroup subgroup = {
        .name = group->name,
        .parent =
            group->parent == GROUP_OF_GANG ? NO_SLICE : gang->wishes->groups[group->parent].name,
        .topology = kai_podgang_topology(&group->placement, false),
    };

    if (group->role == ROLE_NONE)
        subgroup.min_sub_group = KAI_MINIMUM(group->minimum);
    else
        subgroup.min_member = KAI_MINIMUM(group->minimum);
    return subgroup;
}

static struct kai_pod_group
kai_podgang_group(const struct gang *gang, struct arena *arena)
{
    struct kai_pod_group group = {
        .queue = gang->queue,
        .priority_class_name = gang->priority_class_name.len ? gang->priority_class_name : NO_SLICE,
        .topology = kai_podgang_topology(&gang->wishes->placement, true),
        .subgroups = arena_array(arena, gang->wishes->num_groups, sizeof(*group.subgroups)),
    };

    if (gang->wishes->minimum_groups)
        group.min_sub_group = KAI_MINIMUM(gang->wishes->minimum_groups);
    else
        group.min_member = KAI_MINIMUM(gang->minimum);
    for (size_t i = 0; group.subgroups && i < gang->wishes->num_groups; i++)
        group.subgroups[group.num_subgroups++] =
            kai_podgang_subgroup(gang, &gang->wishes->groups[i]);
    return group;
}

static struct release
kai_podgang_release(const struct gang_cluster *cluster)
{
    struct release release = cluster_component(cluster, CATALOG_AT_kai);

    return release.is_known ? release : kai_newest_release;
}

/* GREP-525: v0.15.0 is the first release that accepts PodGroups from other creators. */
static void
kai_podgang_check_release(const struct gang_cluster *cluster, const struct release *release,
                          struct report *report)
{
    const struct backend_call call = {.cluster = cluster};

    release_report_assumed(&call, CATALOG_AT_kai, &kai_newest_release, report);
    if (!kai_has(KAI_EXTERNAL_GROUPS, release))
        find_note(report, GANG_CODE_KAI_CREATE_UNSUPPORTED,
                  cluster_component_source(cluster, CATALOG_AT_kai),
                  "upgrade KAI to v0.15 or later", "KAI %s moves pods to PodGroups of its own",
                  kai_release_text(release, report->arena));
}

static bool
kai_podgang_lacks_topology(const struct gang_placement *placement)
{
    return placement->is_set && !placement->topology.len;
}

static void
kai_podgang_check_topology(const struct gang *gang, struct report *report)
{
    const struct gang_placement *first =
        kai_podgang_lacks_topology(&gang->wishes->placement) ? &gang->wishes->placement : NULL;

    for (size_t i = 0; i < gang->wishes->num_groups && !first; i++)
        if (kai_podgang_lacks_topology(&gang->wishes->groups[i].placement))
            first = &gang->wishes->groups[i].placement;
    if (first)
        find_note(report, GANG_CODE_TOPOLOGY_NAME_MISSING, first->source,
                  "set the annotation grove.io/topology-name on the PodGang",
                  "topology name cannot be empty when topology constraints are defined");
}

/* Checks the CRD's pattern, and the length that a pod label may have. */
static void
kai_podgang_check_names(const struct gang *gang, struct report *report)
{
    for (size_t i = 0; i < gang->wishes->num_groups; i++) {
        const struct node *name = node_member(gang->wishes->groups[i].source, SLICE("name"));
        struct name_problems problems;

        if (name_check(NAME_DNS1123_LABEL, gang->wishes->groups[i].name, &problems))
            continue;
        for (size_t k = 0; k < problems.count; k++)
            find_invalid(
                report, GANG_CODE_INVALID_NAME, name ? name : gang->wishes->groups[i].source,
                "name of a subgroup and label of its pods: use lower-case letters, digits and '-'",
                "%s", problems.text[k]);
    }
}

/* Reports a minimum that the API server rejects by the CRD's minimum. */
static void
kai_podgang_check_minimum(const struct gang *gang, const struct release *release,
                          struct report *report)
{
    if (gang->minimum == 0 && !gang->wishes->minimum_groups && !kai_has(KAI_ROOT_ZERO, release))
        find_note(report, GANG_CODE_KAI_GROUP_REFUSED, gang->wishes->owner.name_source,
                  "upgrade KAI, or set minReplicas of a podgroup",
                  "spec.minMember: Invalid value: 0: must be greater than or equal to 1 before KAI "
                  "v0.17.1");
}

/* What kai_podgang_open() computes once per call. */
struct kai_podgang_state {
    struct release release;
    struct kai_pod_group group;
};

const void *
kai_podgang_open(const struct backend_call *call, struct report *report)
{
    struct kai_podgang_state *state = arena_alloc(report->arena, sizeof(*state));

    if (!state)
        return NULL;
    state->release = kai_podgang_release(call->cluster);
    state->group = kai_podgang_group(call->gang, report->arena);
    return state;
}

void
kai_podgang_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    const struct kai_podgang_state *state = call->state;

    if (!state)
        return;
    kai_podgang_check_release(call->cluster, &state->release, report);
    kai_podgang_check_topology(gang, report);
    kai_podgang_check_names(gang, report);
    kai_podgang_check_minimum(gang, &state->release, report);
    if (!report_has_errors(report))
        kai_create_check(&state->group, &state->release, gang->wishes->owner.name_source, report);
}

/* Returns the PodGang's annotations with Grove's mark, which replaces an existing value. */
static const struct node *
kai_podgang_annotations(const struct gang *gang, struct arena *arena)
{
    struct builder mark = build_map(arena);

    build_string(&mark, kai_podgang_keys.skip, SLICE("true"));
    return build_merged(mark.node, gang->annotations, arena);
}

void
kai_podgang_mark(struct gang_patch *patch, struct slice group, struct slice subgroup)
{
    plan_patch_annotation(patch, kai_podgang_keys.skip, SLICE("true"));
    plan_patch_annotation(patch, kai_podgang_keys.group, group);
    plan_patch_label(patch, kai_podgang_keys.subgroup, subgroup);
}

static void
kai_podgang_mark_pods(const struct gang *gang, struct plan_content *content)
{
    for (size_t i = 0; i < gang->wishes->num_groups; i++)
        if (gang->wishes->groups[i].role != ROLE_NONE)
            kai_podgang_mark(&content->patches[gang->wishes->groups[i].role], gang->name,
                             gang->wishes->groups[i].name);
}

void
kai_podgang_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    const struct kai_podgang_state *state = call->state;
    const struct backend_metadata metadata = {.name = gang->name,
                                              .labels = gang->wishes->labels,
                                              .annotations =
                                                  kai_podgang_annotations(gang, content->arena)};
    struct builder spec = backend_add_object(call, KAI_POD_GROUP_KIND, &metadata, content);

    kai_pod_group_build(&state->group, &state->release, &spec);
    if (!slice_equal(node_string(node_member(call->gang->annotations, kai_podgang_keys.skip)),
                     SLICE("true"))) {
        content->job_patch->target = SLICE("PodGang");
        plan_patch_annotation(content->job_patch, kai_podgang_keys.skip, SLICE("true"));
    }
    kai_podgang_mark_pods(gang, content);
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
