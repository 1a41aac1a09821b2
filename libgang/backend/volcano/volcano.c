/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

/*
 * A PodGroup. For a PodGang (`is_grouped`) it is the one that Grove creates: one subGroupPolicy for
 * each podgroup, selected by a label of its pods. It cannot express group configs and topology.
 * Source: ai-dynamo/grove:operator/internal/scheduler/volcano/backend.go@fcc3b3bb
 */

/* Key of minTaskMember: volcano-sh/apis:pkg/apis/batch/v1alpha1/labels.go TaskSpecKey. */
#define VOLCANO_TASK_SPEC SLICE("volcano.sh/task-spec")
#define VOLCANO_MINIMUM_KEY SLICE("minMember")
#define VOLCANO_RESOURCES SLICE("minResources")
#define VOLCANO_TASKS SLICE("minTaskMember")
#define VOLCANO_POLICIES SLICE("subGroupPolicy")

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

/* Grove holds the pods of a PodGang back until all of them exist. */
static bool
volcano_reserves(const struct gang *gang)
{
    const struct gang_wishes *wishes = gang->wishes;

    if (wishes->reserve == RESERVE_ALWAYS || (gang_is_compatible(gang) && !wishes->is_grouped))
        return true;
    return wishes->reserve == RESERVE_AUTO && !wishes->is_grouped && !wishes->suspended &&
           !gang->late_members && !volcano_waiting_role(gang) && !gang_sums_beyond_minimum(gang);
}

/*
 * Whether the minima of single roles are rendered: pods of one role must not start instead of those
 * of another. The scheduler ignores all of them if minMember is less than their sum:
 * volcano-sh/volcano:pkg/scheduler/api/job_info.go CheckTaskValid@v1.14.0
 */
static bool
volcano_has_task_minima(const struct gang *gang)
{
    size_t roles = 0;

    if (gang_is_compatible(gang) || !gang_may_start_in_part(gang))
        return false;
    for (size_t i = 0; i < gang->num_roles; i++)
        roles += gang->parts[i].membership == ROLE_MEMBER;
    return roles > 1 && gang->minimum == gang_sum_of_role_minima(gang);
}

/* The state is the policies of a job; NULL if there is no reason for any, or without memory. */
static const void *
volcano_open(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    struct volcano_policies *policies;

    if (wishes->is_grouped || (!wishes->num_groups && !wishes->has_units))
        return NULL;
    policies = arena_alloc(report->arena, sizeof(*policies));
    if (policies)
        *policies = volcano_policies_make(call, volcano_has_task_minima(call->gang), report->arena);
    return policies;
}

static bool
volcano_has_policies(const struct backend_call *call)
{
    const struct volcano_policies *policies = call->state;

    return policies && policies->count;
}

/* ---- volcano losses ---- */

static void
volcano_lose_placement(const struct gang_placement *placement, struct loss_sink *sink)
{
    static const char reason[] = "Volcano does not support topologies of node labels";

    if (!placement->is_set)
        return;
    loss_add(sink, SLICE("topology"), placement_level(placement), reason);
    find_note(sink->report, placement->source, MESSAGE_FIELD_LOST_TOPOLOGY,
              SLICE_ARG(placement_level(placement)), reason,
              SLICE_ARG(catalog_of_topologies()->grove.name));
}

/* What a PodGang, this release, or these policies have no place for. */
static void
volcano_find_losses(const struct backend_call *call, struct loss_sink *sink)
{
    const struct gang *gang = call->gang;
    const struct volcano_policies *policies = call->state;
    struct loss minima = {LOSS_ROLE_MINIMUM, NULL};
    struct loss topology = {LOSS_TOPOLOGY, "a PodGang is placed by its own topologyConstraint"};

    if (gang->wishes->is_grouped) {
        loss_find(&topology, 1, gang, sink);
        volcano_lose_placement(&gang->wishes->placement, sink);
        for (size_t i = 0; i < gang->wishes->num_groups; i++)
            volcano_lose_placement(&gang->wishes->groups[i].placement, sink);
        return;
    }
    if (!gang_may_start_in_part(gang) && !gang->topology.is_set)
        return;
    if (policies && policies->shares)
        minima.reason = "subGroupPolicy has no minimum of a role beside that of its group";
    else if (!volcano_has_policies(call))
        minima.reason = volcano_why_no_field(call->cluster, VOLCANO_MIN_TASK_MEMBER);
    topology.reason = volcano_why_no_field(call->cluster, VOLCANO_NETWORK_TOPOLOGY);
    if (minima.reason && volcano_has_task_minima(gang))
        loss_find(&minima, 1, gang, sink);
    if (topology.reason)
        loss_find(&topology, 1, gang, sink);
}

/* ---- volcano checks ---- */

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

static void
volcano_check_reservation(const struct gang *gang, struct report *report)
{
    const bool is_grouped = gang->wishes->is_grouped;
    const struct role *waiting = is_grouped ? NULL : volcano_waiting_role(gang);
    const char *why = "the job is suspended";
    const char *chain = "";

    if (volcano_reserves(gang) ||
        (is_grouped ? !gang->resources.count : gang->wishes->reserve == RESERVE_NEVER))
        return;
    if (is_grouped) {
        why = "Grove holds the pods back until all of them exist";
    } else if (waiting) {
        why = "the gang is created later: ";
        if (report_writes(report, GANG_CODE_MIN_RESOURCES_LEFT_OUT))
            chain = wait_in_words(gang->roles, gang->num_roles, (size_t)(waiting - gang->roles),
                                  report->arena);
    } else if (gang->late_members) {
        why = "the gang has late members, and what finished members free would stay reserved";
    } else if (!gang->wishes->suspended) {
        why = GANG_MINIMUM_IN_WORDS;
    }
    find_note(report, waiting ? waiting->source : gang->wishes->owner.name_source,
              MESSAGE_MIN_RESOURCES_LEFT_OUT, "Volcano would reserve it from now on", why, chain);
}

/* The newest release that was read. */
static const struct release volcano_newest = {.is_known = true, .major = 1, .minor = 15};

/* Grove's own Init checks the CRD for the field. */
SELDOM static void
volcano_validate_podgangs(const struct backend_call *call, struct report *report)
{
    if (volcano_why_no_field(call->cluster, VOLCANO_SUB_GROUP_POLICY))
        find_note(report, cluster_component_source(call->cluster, CATALOG_AT_volcano),
                  MESSAGE_VOLCANO_WITHOUT_SUB_GROUPS);
}

static void
volcano_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    const struct gang_topology *topology = &gang->topology;
    const struct role *other = gang_is_compatible(gang) ? priority_overruled_role(gang) : NULL;

    name_check_made(gang->name, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME,
                    gang->wishes->owner.name_source, NULL, report);
    /*
     * The operator's own webhook rejects an empty queue. Other names must be DNS subdomains,
     * because a queue is an object.
     */
    if (slice_is_set(gang->queue) && !gang->queue.len)
        find_invalid(report, gang->queue_source, MESSAGE_EMPTY_QUEUE_ANNOTATION);
    else if (gang->queue.len && !gang_is_compatible(gang))
        name_check_made(gang->queue, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME,
                        gang->queue_source, NULL, report);
    /* The scheduler's IsHardTopologyMode requires a tier for a hard topology. */
    if (slice_is_set(topology->level) && !topology->has_tier)
        find_invalid(report, volcano_level_source(topology), MESSAGE_TOPOLOGY_LEVEL);
    else if (topology->is_set && !topology->has_tier && slice_equal(topology->mode, SLICE("hard")))
        find_note(report, topology->source, MESSAGE_TOPOLOGY_NOT_ENFORCED);
    if (other)
        find_note(report,
                  other->priority_class_source ? other->priority_class_source : other->source,
                  MESSAGE_PRIORITY_LAST_WINS, SLICE_ARG(gang->priority_class_name),
                  SLICE_ARG(other->name));
    volcano_check_reservation(gang, report);
    if (volcano_has_policies(call))
        release_report_assumed(call, CATALOG_AT_volcano, &volcano_newest, report);
}

/* ---- volcano objects and marks ---- */

static void
volcano_render_rest(const struct gang *gang, struct builder *spec)
{
    struct builder resources;

    if (volcano_reserves(gang) && !gang->lacks_resources) {
        resources = build_map_member(spec, VOLCANO_RESOURCES);
        resource_list_build(&gang->resources, &resources);
    }
    build_string_if_set(spec, SLICE("queue"), gang->queue);
    if (gang->priority_class_name.len)
        build_string(spec, SLICE("priorityClassName"), gang->priority_class_name);
}

static void
volcano_render_job(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    const struct gang_topology *topology = &gang->topology;
    /* With policies, their sizes are the minima. */
    const bool has_tasks = !call->gang->wishes->is_grouped && !volcano_has_policies(call) &&
                           volcano_has_task_minima(call->gang) &&
                           !volcano_why_no_field(call->cluster, VOLCANO_MIN_TASK_MEMBER);
    struct builder spec = backend_add_object(call, volcano_descriptor.kinds[0], NULL, content);
    struct builder map;

    build_int(&spec, VOLCANO_MINIMUM_KEY, gang->minimum);
    if (has_tasks) {
        struct builder minima = build_map(spec.arena);

        for (size_t i = 0; i < gang->num_roles; i++)
            if (gang->parts[i].membership == ROLE_MEMBER && role_first_count(&gang->roles[i]))
                build_int(&minima, gang->roles[i].name, role_first_count(&gang->roles[i]));
        build_node(&spec, VOLCANO_TASKS, build_merged(minima.node, NULL, spec.arena));
    }
    if (call->state)
        volcano_policies_build(call->state, &spec);
    volcano_render_rest(gang, &spec);
    if (topology->is_set && !volcano_why_no_field(call->cluster, VOLCANO_NETWORK_TOPOLOGY)) {
        map = build_map_member(&spec, SLICE("networkTopology"));
        build_string_if_set(&map, SLICE("mode"), topology->mode);
        if (topology->has_tier)
            build_int(&map, SLICE("highestTierAllowed"), topology->highest_tier);
    }
    for (size_t i = 0; i < gang->num_roles; i++) {
        if (gang->parts[i].membership == ROLE_OUTSIDE)
            continue;
        plan_patch_annotation(&content->patches[i], volcano_descriptor.marks[0].key, gang->name);
        if (has_tasks)
            plan_patch_annotation(&content->patches[i], VOLCANO_TASK_SPEC, gang->roles[i].name);
        if (call->state)
            volcano_policies_mark(call->state, i, &content->patches[i]);
    }
}

/*
 * Keys: volcano-sh/apis:pkg/apis/scheduling/v1beta1/{types,labels}.go. Grove writes both
 * annotations; the scheduler reads the first.
 */
static void
volcano_mark_pod(struct gang_patch *patch, struct slice group, struct slice subgroup)
{
    (void)subgroup;
    plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_VOLCANO_GROUP_NAME), group);
    plan_patch_annotation(patch, SLICE("scheduling.volcano.sh/group-name"), group);
}

static void
volcano_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    const struct backend_metadata labelled = {.name = gang->name, .labels = gang->wishes->labels};
    struct volcano_policies policies;
    struct builder spec;

    if (!gang->wishes->is_grouped) {
        volcano_render_job(call, content);
        return;
    }
    policies = volcano_policies_of_podgang(gang, content->arena);
    /* Grove copies only labels */
    spec = backend_add_object(call, volcano_descriptor.kinds[0], &labelled, content);
    build_int(&spec, VOLCANO_MINIMUM_KEY, volcano_at_least_one(gang->minimum));
    volcano_render_rest(gang, &spec);
    volcano_policies_build(&policies, &spec);
    for (size_t i = 0; i < gang->num_roles; i++)
        volcano_mark_pod(&content->patches[i], gang->name, NO_SLICE);
}

/* ---- volcano updates ---- */

/*
 * The PodGroup of a PodGang keeps its constraints for the running pods once the PodGang is
 * released, with every minReplicas 0.
 */
static const struct node *
volcano_podgang_expect(const struct update_call *call, const struct node *rendered,
                       const struct node *live)
{
    const struct node *policies = node_member(live, VOLCANO_POLICIES);
    const struct node *minimum = node_member(live, VOLCANO_MINIMUM_KEY);
    int64_t pods = 0;

    if (call->backend->gang->minimum ||
        ((!node_int(minimum, &pods) || pods <= 0) && !node_count(policies)))
        return rendered;
    rendered = edit_member(call->arena, rendered, VOLCANO_MINIMUM_KEY, minimum);
    return edit_member(call->arena, rendered, VOLCANO_POLICIES, policies);
}

/*
 * ai-dynamo/grove:operator/internal/scheduler/volcano/backend.go@fcc3b3bb SyncPodGang:
 * CreateOrPatch of these fields.
 */
static const struct update_field volcano_podgang_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS, .omits_zero = true),
    UPDATE_FIELD("minResources", UPDATE_GIVEN, .is_resources = true), /* Grove never writes it */
    UPDATE_FIELD("queue", UPDATE_OURS),
    UPDATE_FIELD("priorityClassName", UPDATE_OURS),
    UPDATE_FIELD("subGroupPolicy", UPDATE_OURS),
};

static const struct update_rules volcano_podgang_rules = {
    UPDATE_FIELDS(volcano_podgang_fields),
    .keeps_status = true,
    .expect = volcano_podgang_expect,
};

/*
 * Whether the gang's own minimum contains that of each task, so that a person can have written
 * them. A gang that was rendered for more pods than it has now would otherwise wait forever.
 */
static bool
volcano_meets_tasks(const struct gang *gang, const struct node *tasks)
{
    int64_t minimum;

    for (NODE_EACH(task, tasks)) {
        const struct role *role = FIND_TEXT(gang->roles, gang->num_roles, name, node_key(task));

        if (!node_int(task, &minimum) ||
            minimum > (role ? gang_role_minimum(gang, (size_t)(role - gang->roles)) : 0))
            return false;
    }
    return true;
}

/* Whether a policy selects the label that libgang puts on pods. */
static bool
volcano_has_own_policy(const struct node *policies)
{
    for (NODE_EACH(policy, policies))
        if (node_member(node_at(policy, "labelSelector.matchLabels"), SLICE(GANG_LABEL_GROUP)))
            return true;
    return false;
}

/*
 * Volcano keeps reserving for a finished job, because its pods are gone or fewer than minMember.
 * KubeRay's CleanupOnCompletion, ray-operator/controllers/ray/batchscheduler/volcano, writes the
 * same values; it no longer deletes the PodGroup, because some pods may still have it. What another
 * writer may have set, and libgang does not render, stays until then.
 */
static const struct node *
volcano_expect(const struct update_call *call, const struct node *rendered, const struct node *live)
{
    const struct node *tasks = node_member(live, VOLCANO_TASKS);
    const struct node *policies = node_member(live, VOLCANO_POLICIES);
    struct builder spec;

    if (!call->is_finished) {
        if (!node_member(rendered, VOLCANO_TASKS) &&
            volcano_meets_tasks(call->backend->gang, tasks))
            rendered = edit_member(call->arena, rendered, VOLCANO_TASKS, tasks);
        if (!node_member(rendered, VOLCANO_POLICIES) && !volcano_has_own_policy(policies))
            rendered = edit_member(call->arena, rendered, VOLCANO_POLICIES, policies);
        return rendered;
    }
    spec = build_map(call->arena);
    build_int(&spec, VOLCANO_MINIMUM_KEY, 0);
    for (NODE_EACH(member, rendered))
        if (!slice_equal(node_key(member), VOLCANO_MINIMUM_KEY) &&
            !slice_equal(node_key(member), VOLCANO_RESOURCES) &&
            !slice_equal(node_key(member), VOLCANO_POLICIES) &&
            !slice_equal(node_key(member), VOLCANO_TASKS))
            build_node(&spec, node_key(member), member);
    return spec.node;
}

/*
 * volcano-sh/volcano:pkg/webhooks/admission/podgroups checks only creation: no field is immutable.
 * The CRD defaults `queue`, and mode and highestTierAllowed (before 1.14) in networkTopology;
 * another webhook may have taken the queue from the namespace.
 *
 * volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go@v1.14.0: `MinMember int32
 * json:"minMember,omitempty"`. Volcano's scheduler writes whole PodGroups, without a minimum of 0.
 * config/crd/volcano/bases/scheduling.volcano.sh_podgroups.yaml: no status subresource.
 */
static const struct update_field volcano_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS, .omits_zero = true),
    UPDATE_FIELD("minResources", UPDATE_OURS, .is_resources = true),
    UPDATE_FIELD("queue", UPDATE_GIVEN),
    UPDATE_FIELD("priorityClassName", UPDATE_OURS),
    UPDATE_FIELD("networkTopology", UPDATE_GIVEN),
    UPDATE_FIELD("minTaskMember", UPDATE_OURS),
    UPDATE_FIELD("subGroupPolicy", UPDATE_OURS),
};

static const struct update_rules volcano_job_rules = {
    UPDATE_FIELDS(volcano_fields),
    .keeps_status = true,
    .expect = volcano_expect,
};

static const struct update_rules *
volcano_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->wishes->is_grouped ? &volcano_podgang_rules : &volcano_job_rules;
}

static const struct backend_updates volcano_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_AS_RENDERED, /* volcano_expect() releases the resources */
    /* volcano-sh/apis:pkg/apis/helpers/helpers.go@v1.14.0 GeneratePodgroupName */
    .own_prefix = SLICE_INIT("podgroup-"),
    .rules = volcano_rules,
};

const struct backend volcano_backend = {
    .descriptor = &volcano_descriptor,
    .open = volcano_open,
    .find_losses = volcano_find_losses,
    .validate = volcano_validate,
    .validate_podgangs = volcano_validate_podgangs,
    .render = volcano_render,
    .why_group_is_lost = volcano_why_group_is_lost,
    .why_unit_is_lost = volcano_why_unit_is_lost,
    .list_subgroups = volcano_policies_list,
    .mark_pod = volcano_mark_pod,
    .updates = &volcano_updates,
};
