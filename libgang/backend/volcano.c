/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include "libgang/backend/losses.h"
#include "libgang/gang/gang.h"

/* ---- volcano podgang ---- */

/*
 * Keys: volcano-sh/apis:pkg/apis/scheduling/v1beta1/{types,labels}.go. Grove writes both
 * annotations; the scheduler reads the first.
 */
static const struct slice volcano_podgang_marks[] = {
    SLICE_INIT(GANG_ANNOTATION_VOLCANO_GROUP_NAME),
    SLICE_INIT("scheduling.volcano.sh/group-name"),
};

static const struct loss volcano_podgang_losses[] = {
    {LOSS_TOPOLOGY, "a PodGang is placed by its own topologyConstraint"},
};

/* Grove's own Init checks the CRD for the field: `requires Volcano 1.14 or newer`. */
static void
volcano_podgang_check_version(const struct gang_cluster *cluster, struct report *report)
{
    struct release volcano = cluster_component(cluster, CATALOG_AT_volcano);

    if (volcano.is_known && !release_at_least(&volcano, 1, 14))
        find_note(report, GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS,
                  cluster_component_source(cluster, CATALOG_AT_volcano), NULL,
                  "volcano scheduler backend requires Volcano 1.14 or newer with "
                  "PodGroup.spec.subGroupPolicy");
}

static void
volcano_podgang_note_reservation(const struct gang *gang, struct report *report)
{
    if (gang->wishes->reserve != RESERVE_ALWAYS && gang->resources.count)
        find_note(report, GANG_CODE_MIN_RESOURCES_LEFT_OUT, gang->wishes->owner.name_source, NULL,
                  "minResources is omitted, because Volcano would reserve it from now on: Grove "
                  "holds the pods "
                  "back until all of them exist");
}

static const char volcano_podgang_no_topology[] =
    "Volcano does not support topologies of node labels";

static struct slice
volcano_podgang_level(const struct gang_placement *placement)
{
    struct slice level =
        slice_is_set(placement->required) ? placement->required : placement->preferred;

    return slice_is_set(level) ? level : placement->topology;
}

static void
volcano_podgang_report_loss(const struct gang_placement *placement, struct report *report)
{
    struct quoted level;

    if (placement->is_set)
        find_note(report, GANG_CODE_FIELD_LOST, placement->source,
                  arena_format(report->arena, "choose %.*s",
                               SLICE_ARG(catalog_of_topologies()->grove.name)),
                  "topology %s is lost: %s", quote(&level, volcano_podgang_level(placement)),
                  volcano_podgang_no_topology);
}

static void
volcano_podgang_render_loss(const struct gang_placement *placement, struct plan_content *content)
{
    if (placement->is_set)
        plan_add_loss(content, SLICE("topology"), volcano_podgang_level(placement),
                      volcano_podgang_no_topology);
}

void
volcano_podgang_validate(const struct backend_call *call, struct report *report)
{
    volcano_podgang_check_version(call->cluster, report);
    volcano_podgang_note_reservation(call->gang, report);
    loss_report(volcano_podgang_losses, 1, call->gang, report);
    volcano_podgang_report_loss(&call->gang->wishes->placement, report);
    for (size_t i = 0; i < call->gang->wishes->num_groups; i++)
        volcano_podgang_report_loss(&call->gang->wishes->groups[i].placement, report);
}

/* Volcano rejects a minimum of 0. */
static int64_t
volcano_podgang_at_least_one(int64_t minimum)
{
    return minimum > 0 ? minimum : 1;
}

static void
volcano_podgang_render_policy(const struct gang *gang, const struct gang_group *group,
                              struct builder *list)
{
    struct builder policy = build_map_item(list);
    struct builder selector;
    struct builder labels;
    struct builder keys;

    build_string(&policy, SLICE("name"), group->name);
    selector = build_map_member(&policy, SLICE("labelSelector"));
    labels = build_map_member(&selector, SLICE("matchLabels"));
    build_string(&labels, gang->wishes->role_label, gang->roles[group->role].name);
    keys = build_list_member(&policy, SLICE("matchLabelKeys"));
    build_string_item(&keys, gang->wishes->role_label);
    build_int(&policy, SLICE("subGroupSize"), volcano_podgang_at_least_one(group->minimum));
    build_int(&policy, SLICE("minSubGroups"), 1);
}

static void
volcano_podgang_render_policies(const struct gang *gang, struct builder *spec)
{
    struct builder list = {0};

    for (size_t i = 0; i < gang->wishes->num_groups; i++) {
        if (gang->wishes->groups[i].role == ROLE_NONE)
            continue;
        if (!list.arena)
            list = build_list_member(spec, SLICE("subGroupPolicy"));
        volcano_podgang_render_policy(gang, &gang->wishes->groups[i], &list);
    }
}

static void
volcano_podgang_render_spec(const struct gang *gang, struct builder *spec)
{
    build_int(spec, SLICE("minMember"), volcano_podgang_at_least_one(gang->minimum));
    if (gang->wishes->reserve == RESERVE_ALWAYS) {
        struct builder resources = build_map_member(spec, SLICE("minResources"));

        resource_list_build(&gang->resources, &resources);
    }
    build_string_if_set(spec, SLICE("queue"), gang->queue);
    if (gang->priority_class_name.len)
        build_string(spec, SLICE("priorityClassName"), gang->priority_class_name);
    volcano_podgang_render_policies(gang, spec);
}

static void
volcano_podgang_mark(struct gang_patch *patch, struct slice group, struct slice subgroup)
{
    (void)subgroup;
    for (size_t i = 0; i < COUNT_OF(volcano_podgang_marks); i++)
        plan_patch_annotation(patch, volcano_podgang_marks[i], group);
}

void
volcano_podgang_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct gang shown = *gang;
    struct builder manifest;
    struct builder spec;

    shown.annotations = NULL; /* Grove copies only labels */
    manifest = backend_manifest(&shown, content->arena, call->api_version, SLICE("PodGroup"));
    spec = build_map_member(&manifest, SLICE("spec"));
    volcano_podgang_render_spec(gang, &spec);
    loss_render(volcano_podgang_losses, 1, gang, content);
    volcano_podgang_render_loss(&gang->wishes->placement, content);
    for (size_t i = 0; i < gang->wishes->num_groups; i++)
        volcano_podgang_render_loss(&gang->wishes->groups[i].placement, content);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++)
        volcano_podgang_mark(&content->patches[i], gang->name, NO_SLICE);
}

/* ---- volcano ---- */

static bool
volcano_is_compatible(const struct gang *gang)
{
    return gang->wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

static void
volcano_check_name(const struct gang *gang, struct report *report)
{
    struct name_problems problems;

    if (name_check(NAME_DNS1123_SUBDOMAIN, gang->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, gang->wishes->owner.name_source, NULL, "%s",
                     problems.text[i]);
}

/*
 * The operator's own webhook rejects an empty queue. Other names must be DNS subdomains, because a
 * queue is an object.
 */
static void
volcano_check_queue(const struct gang *gang, struct report *report)
{
    struct name_problems problems;

    if (!slice_is_set(gang->queue))
        return;
    if (!gang->queue.len) {
        find_invalid(report, GANG_CODE_EMPTY_QUEUE, gang->queue_source,
                     "name a queue, or remove the annotation",
                     "Volcano queue name must not be empty");
        return;
    }
    if (volcano_is_compatible(gang) || name_check(NAME_DNS1123_SUBDOMAIN, gang->queue, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, gang->queue_source, NULL, "%s",
                     problems.text[i]);
}

/* A policy names the level, and a GangJob says which one is required or preferred. */
static const struct node *
volcano_level_source(const struct gang_topology *topology)
{
    static const struct slice keys[] = {SLICE_INIT("level"), SLICE_INIT("required"),
                                        SLICE_INIT("preferred")};

    for (size_t i = 0; i < COUNT_OF(keys); i++) {
        const struct node *level = node_member(topology->source, keys[i]);

        if (level && slice_equal(node_text(level), topology->level))
            return level;
    }
    return topology->source;
}

/* The scheduler's IsHardTopologyMode requires a tier for a hard topology. */
static void
volcano_check_topology(const struct gang *gang, struct report *report)
{
    const struct gang_topology *topology = &gang->topology;

    if (slice_is_set(topology->level) && !topology->has_tier)
        find_invalid(report, GANG_CODE_TOPOLOGY_LEVEL, volcano_level_source(topology),
                     "write the number of the highest tier, such as \"2\"",
                     "must be the number of a tier: Volcano has no other levels");
    else if (topology->is_set && !topology->has_tier && slice_equal(topology->mode, SLICE("hard")))
        find_note(report, GANG_CODE_TOPOLOGY_NOT_ENFORCED, topology->source,
                  "set highestTierAllowed",
                  "Volcano does not enforce a hard network topology without highestTierAllowed");
}

static void
volcano_check_priority(const struct gang *gang, struct report *report)
{
    const struct role *other = volcano_is_compatible(gang) ? priority_overruled_role(gang) : NULL;
    struct quoted name;
    struct quoted class_name;

    if (!other)
        return;
    find_note(report, GANG_CODE_PRIORITY_LAST_WINS,
              other->priority_class_source ? other->priority_class_source : other->source,
              "give every role the same priorityClassName",
              "the operator gives the PodGroup the last priority class named, %s, which is not "
              "that of role %s",
              quote(&class_name, gang->priority_class_name), quote(&name, other->name));
}

/*
 * Returns the first member that waits for a role, or NULL.
 *
 * Volcano reserves minResources as soon as the PodGroup exists, with or without pods, and keeps
 * them reserved if fewer than minMember pods are left. Therefore minResources is rendered only if
 * the pods are created and deleted together with the PodGroup.
 */
static const struct role *
volcano_waiting_role(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        for (size_t e = 0; gang->parts[i].membership == ROLE_MEMBER && e < role->num_dependencies;
             e++)
            if (role->dependencies[e].index != ROLE_NONE)
                return role;
    }
    return NULL;
}

static bool
volcano_reserves(const struct gang *gang)
{
    if (volcano_is_compatible(gang) || gang->wishes->reserve == RESERVE_ALWAYS)
        return true;
    return gang->wishes->reserve == RESERVE_AUTO && !gang->wishes->suspended &&
           !gang->late_members && !volcano_waiting_role(gang);
}

static const char *
volcano_why_not_reserved(const struct gang *gang, const struct role *waiting)
{
    if (waiting)
        return "the gang is created later: ";
    return gang->late_members
               ? "the gang has late members, and what finished members free would stay reserved"
               : "the job is suspended";
}

static void
volcano_check_reservation(const struct gang *gang, struct report *report)
{
    const struct role *waiting = volcano_waiting_role(gang);
    const char *chain = "";

    if (volcano_reserves(gang) || gang->wishes->reserve == RESERVE_NEVER)
        return;
    if (waiting)
        chain = wait_in_words(gang->roles, gang->num_roles, (size_t)(waiting - gang->roles),
                              report->arena);
    find_note(report, GANG_CODE_MIN_RESOURCES_LEFT_OUT,
              waiting ? waiting->source : gang->wishes->owner.name_source, NULL,
              "minResources is omitted, because Volcano would reserve it from now on: %s%s",
              volcano_why_not_reserved(gang, waiting), chain);
}

static size_t
volcano_count_first_roles(const struct gang *gang)
{
    size_t roles = 0;

    for (size_t i = 0; i < gang->num_roles; i++)
        roles += gang->parts[i].membership == ROLE_MEMBER;
    return roles;
}

/*
 * Whether the minima of single roles are rendered: pods of one role must not start instead of those
 * of another. The scheduler ignores all of them if minMember is less than their sum:
 * volcano-sh/volcano:pkg/scheduler/api/job_info.go CheckTaskValid@v1.14.0
 */
static bool
volcano_has_task_minima(const struct gang *gang)
{
    return !volcano_is_compatible(gang) && gang_may_start_in_part(gang) &&
           volcano_count_first_roles(gang) > 1 && gang->minimum == gang_sum_of_role_minima(gang);
}

static struct volcano_policies
volcano_policies_of(const struct backend_call *call, struct arena *arena)
{
    if (!call->gang->wishes->num_groups && !call->gang->wishes->has_units)
        return (struct volcano_policies){.count = 0};
    return volcano_policies_make(call, volcano_has_task_minima(call->gang), arena);
}

/* ---- volcano losses ---- */

enum { VOLCANO_MOST_LOSSES = 2 };

/* Rows for what this release, or these policies, have no place for. */
static size_t
volcano_find_losses(const struct backend_call *call, const struct volcano_policies *policies,
                    struct loss losses[VOLCANO_MOST_LOSSES])
{
    const char *no_minima =
        policies->count ? NULL : volcano_why_no_field(call->cluster, VOLCANO_MIN_TASK_MEMBER);
    const char *no_topology = volcano_why_no_field(call->cluster, VOLCANO_NETWORK_TOPOLOGY);
    size_t count = 0;

    if (policies->shares)
        no_minima = "subGroupPolicy has no minimum of a role beside that of its group";
    if (no_minima && volcano_has_task_minima(call->gang))
        losses[count++] = (struct loss){LOSS_ROLE_MINIMUM, no_minima};
    if (no_topology && call->gang->topology.is_set)
        losses[count++] = (struct loss){LOSS_TOPOLOGY, no_topology};
    return count;
}

/* Whether there can be such rows, for most gangs in two comparisons. */
static bool
volcano_may_lose(const struct gang *gang)
{
    return gang_may_start_in_part(gang) || gang->topology.is_set;
}

static void
volcano_report_losses(const struct backend_call *call, const struct volcano_policies *policies,
                      struct report *report)
{
    struct loss losses[VOLCANO_MOST_LOSSES];

    loss_report(losses, volcano_find_losses(call, policies, losses), call->gang, report);
}

static void
volcano_render_losses(const struct backend_call *call, const struct volcano_policies *policies,
                      struct plan_content *content)
{
    struct loss losses[VOLCANO_MOST_LOSSES];

    loss_render(losses, volcano_find_losses(call, policies, losses), call->gang, content);
}

/* The newest release that was read. */
static const struct release volcano_newest = {.is_known = true, .major = 1, .minor = 15};

static void
volcano_check_policies(const struct backend_call *call, struct report *report)
{
    const struct volcano_policies policies = volcano_policies_of(call, report->arena);

    if (policies.count)
        release_report_assumed(call, CATALOG_AT_volcano, &volcano_newest, report);
    if (volcano_may_lose(call->gang))
        volcano_report_losses(call, &policies, report);
}

static void
volcano_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;

    volcano_check_name(gang, report);
    volcano_check_queue(gang, report);
    volcano_check_topology(gang, report);
    volcano_check_priority(gang, report);
    if (gang->wishes->is_grouped)
        volcano_podgang_validate(call, report);
    else
        volcano_check_reservation(gang, report);
    if (!gang->wishes->is_grouped &&
        (gang->wishes->num_groups || gang->wishes->has_units || volcano_may_lose(gang)))
        volcano_check_policies(call, report);
}

static void
volcano_render_topology(const struct gang_topology *topology, struct builder *spec)
{
    struct builder map;

    map = build_map_member(spec, SLICE("networkTopology"));
    build_string_if_set(&map, SLICE("mode"), topology->mode);
    if (topology->has_tier)
        build_int(&map, SLICE("highestTierAllowed"), topology->highest_tier);
}

static void
volcano_render_resources(const struct gang *gang, struct builder *spec)
{
    struct builder resources;

    if (!volcano_reserves(gang))
        return;
    resources = build_map_member(spec, SLICE("minResources"));
    resource_list_build(&gang->resources, &resources);
}

static void
volcano_render_task_minima(const struct gang *gang, struct builder *spec)
{
    struct builder minima;

    minima = build_map(spec->arena);
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER && role_first_count(&gang->roles[i]))
            build_int(&minima, gang->roles[i].name, role_first_count(&gang->roles[i]));
    build_node(spec, SLICE("minTaskMember"), build_merged(minima.node, NULL, spec->arena));
}

static void
volcano_render_spec(const struct backend_call *call, const struct volcano_policies *policies,
                    bool has_tasks, struct builder *spec)
{
    const struct gang *gang = call->gang;

    build_int(spec, SLICE("minMember"), gang->minimum);
    if (has_tasks)
        volcano_render_task_minima(gang, spec);
    volcano_policies_build(policies, spec);
    volcano_render_resources(gang, spec);
    build_string_if_set(spec, SLICE("queue"), gang->queue);
    if (gang->priority_class_name.len)
        build_string(spec, SLICE("priorityClassName"), gang->priority_class_name);
    if (gang->topology.is_set && !volcano_why_no_field(call->cluster, VOLCANO_NETWORK_TOPOLOGY))
        volcano_render_topology(&gang->topology, spec);
}

/* Key of minTaskMember: volcano-sh/apis:pkg/apis/batch/v1alpha1/labels.go TaskSpecKey. */
#define VOLCANO_TASK_SPEC SLICE("volcano.sh/task-spec")

static void
volcano_mark_role(const struct gang *gang, size_t role, bool has_tasks, struct gang_patch *patch)
{
    plan_patch_annotation(patch, volcano_descriptor.marks[0].key, gang->name);
    if (has_tasks)
        plan_patch_annotation(patch, VOLCANO_TASK_SPEC, gang->roles[role].name);
}

static void
volcano_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct volcano_policies policies;
    struct builder manifest;
    struct builder spec;
    bool has_tasks;

    if (gang->wishes->is_grouped) {
        volcano_podgang_render(call, content);
        return;
    }
    policies = volcano_policies_of(call, content->arena);
    has_tasks = !policies.count && volcano_has_task_minima(gang) &&
                !volcano_why_no_field(call->cluster, VOLCANO_MIN_TASK_MEMBER);
    manifest =
        backend_manifest(gang, content->arena, call->api_version, volcano_descriptor.kinds[0]);
    spec = build_map_member(&manifest, SLICE("spec"));
    volcano_render_spec(call, &policies, has_tasks, &spec);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++) {
        if (gang->parts[i].membership == ROLE_OUTSIDE)
            continue;
        volcano_mark_role(gang, i, has_tasks, &content->patches[i]);
        volcano_policies_mark(&policies, i, &content->patches[i]);
    }
    if (volcano_may_lose(gang))
        volcano_render_losses(call, &policies, content);
}

static void
volcano_list_subgroups(const struct backend_call *call, struct builder *list)
{
    const struct volcano_policies policies = volcano_policies_of(call, list->arena);

    volcano_policies_list(&policies, call->gang, list);
}

const struct backend volcano_backend = {
    .descriptor = &volcano_descriptor,
    .validate = volcano_validate,
    .render = volcano_render,
    .why_group_is_lost = volcano_why_group_is_lost,
    .why_unit_is_lost = volcano_why_unit_is_lost,
    .list_subgroups = volcano_list_subgroups,
    .mark_pod = volcano_podgang_mark,
    .updates = &volcano_updates,
};
