/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

/*
 * Keys: kubernetes/api:scheduling/v1alpha{1,2,3}/types.go and v1beta1/types.go. workload_versions.c
 * lists which version has which keys.
 */
static const struct slice workload_kind = SLICE_INIT("Workload");
static const struct slice workload_pod_group_kind = SLICE_INIT("PodGroup");
static const struct slice workload_composite_kind = SLICE_INIT("CompositePodGroup");

/* Reasons to lose a topology that is not a required topology key. */
static const struct loss workload_tier_loss = {
    LOSS_TOPOLOGY, "the Workload API has topology keys, not modes and tiers"};
static const struct loss workload_soft_loss = {
    LOSS_TOPOLOGY, "a topology of the Workload API is always required, never preferred"};

static const struct loss *
workload_topology_loss(const struct gang *gang)
{
    if (!gang->topology.is_set || slice_is_set(workload_topology_level(gang)))
        return NULL;
    return slice_equal(gang->topology.mode, SLICE("soft")) ? &workload_soft_loss
                                                           : &workload_tier_loss;
}

/* One group counts pods of any role; groups of roles have no minimum together. */
static const struct loss workload_job_loss = {
    LOSS_ROLE_MINIMUM, "no per-role minimum in one group, which the option groups: Role divides"};
static const struct loss workload_role_loss = {LOSS_MINIMUM, "each group has a minimum of its own"};

static const char workload_lost_reason[] =
    "the feature gate is off, so the API server would drop it";

/*
 * If the runtime or the policy divides the roles, late members are checked per group. A role in a
 * group of its own is never late.
 */
static void
workload_prepare(const struct node *given, struct gang_wishes *wishes, struct arena *arena)
{
    struct workload_options options = workload_options_read(given);

    if (workload_scheduling_entries(wishes->scheduling)) {
        if (options.late == LATE_EXCLUDE)
            workload_groups_leave_late_out(wishes, arena);
    } else if (!options.by_role || wishes->scheduling) {
        wishes->late = options.late;
    }
}

/* Prefers a version with composites only for a job with several groups. */
static struct slice
workload_choose_api_version(const struct backend_call *call, struct report *report)
{
    struct workload_options options = workload_options_read(call->options);
    bool divided = options.by_role || group_tree_has_groups(call->gang->wishes) ||
                   workload_scheduling_entries(call->gang->wishes->scheduling);
    const struct workload_version *version = workload_version_choose(
        call->cluster, call->api_version, options.composite && divided, report);

    return version ? version->api_version : NO_SLICE;
}

/*
 * Divides the pods into groups for the chosen version, or for the newest if none could be chosen.
 */
static const void *
workload_open(const struct backend_call *call, struct report *report)
{
    const struct workload_version *chosen = workload_version_of(call->api_version);
    struct workload_groups *groups = arena_alloc(report->arena, sizeof(*groups));

    if (groups)
        *groups = workload_groups_make(call, chosen ? chosen : workload_versions, report->arena);
    return groups && groups->items ? groups : NULL;
}

static void
workload_validate(const struct backend_call *call, struct report *report)
{
    const struct workload_version *chosen = workload_version_of(call->api_version);
    const struct workload_groups *groups = call->state;
    struct workload_options options = workload_options_read(call->options);

    if (!groups)
        return;
    workload_check_topology_key(options.topology_key, report);
    workload_check_claims(options.resource_claims, report);
    workload_scheduling_check(call->gang, chosen, report);
    workload_check_pods(groups, call, chosen, report);
    retries_report(call->gang, report);
    workload_check_order(groups, call, report);
    if (!chosen)
        return;
    workload_check_groups(groups, call, chosen, report);
    workload_version_check(chosen, call->gang->wishes->template_fields, call->cluster, report);
    if (!call->gang->wishes->owner.uid.len && !call->gang->wishes->owner.is_no_object &&
        (chosen->has_pod_groups || options.is_hashed))
        find_in_document(report,
                         call->gang->wishes->declares_members ? GANG_DOCUMENT_JOB
                                                              : GANG_DOCUMENT_TRAINJOB,
                         MESSAGE_NAME_NOT_FINAL);
    if (chosen->has_pod_groups && !call->created_uid.len)
        find_in_document(report, GANG_DOCUMENT_NONE, MESSAGE_WORKLOAD_UID_NEEDED);
}

/* The arguments that the render functions share. */
struct workload_render {
    const struct backend_call *call;
    const struct workload_version *version;
    const struct workload_groups *groups;
    struct plan_content *content;
};

static void
workload_render_claims(const struct node *claims, struct builder *out)
{
    static const struct slice members[] = {SLICE_INIT("name"), SLICE_INIT("resourceClaimName"),
                                           SLICE_INIT("resourceClaimTemplateName")};
    struct builder list = build_list_member(out, SLICE("resourceClaims"));

    for (NODE_EACH(claim, claims)) {
        struct builder item = build_map_item(&list);

        for (size_t i = 0; i < COUNT_OF(members); i++)
            build_string_if_set(&item, members[i], node_string(node_member(claim, members[i])));
    }
}

/* Policies use the words Single and All. Kubernetes 1.36 has an enumeration, 1.37 a union. */
static void
workload_render_field(const struct workload_render *render, const struct workload_wish *wish,
                      enum workload_field field, struct builder *out)
{
    const bool all = slice_equal(wish->value, SLICE("All"));
    struct builder map;
    struct builder list;

    switch (field) {
    case WORKLOAD_TOPOLOGY:
        map = build_map_member(out, SLICE("schedulingConstraints"));
        list = build_list_member(&map, SLICE("topology"));
        map = build_map_item(&list);
        build_string(&map, SLICE("key"), wish->value);
        break;
    case WORKLOAD_CLAIMS:
        workload_render_claims(wish->source, out);
        break;
    case WORKLOAD_DISRUPTION:
        if (render->version->disrupts_by_word) {
            build_string(out, SLICE("disruptionMode"), all ? SLICE("PodGroup") : SLICE("Pod"));
            break;
        }
        map = build_map_member(out, SLICE("disruptionMode"));
        build_map_member(&map, all ? SLICE("all") : SLICE("single"));
        break;
    case WORKLOAD_PRIORITY:
    case WORKLOAD_PREEMPTION:
    case WORKLOAD_FIELD_COUNT:
        build_string(out, workload_field_names[field], wish->value);
        break;
    }
}

/*
 * Renders what a template and its PodGroup have in common. The scheduler reads only the PodGroup.
 */
static void
workload_render_body(const struct workload_render *render, const struct workload_group *group,
                     struct slice count, struct builder *out)
{
    struct builder policy = build_map_member(out, render->version->policy);
    struct builder kind =
        build_map_member(&policy, group->is_basic ? SLICE("basic") : SLICE("gang"));

    if (!group->is_basic)
        build_int(&kind, count, group->minimum);
    for (int i = 0; i < WORKLOAD_FIELD_COUNT; i++) {
        enum workload_field field = (enum workload_field)i;
        enum workload_fate fate =
            workload_fate_of(group, field, render->version, render->call->cluster);

        if (fate == WORKLOAD_RENDERED || fate == WORKLOAD_UNKNOWN)
            workload_render_field(render, &group->wishes[field], field, out);
    }
}

static const struct slice workload_count_of_pods = SLICE_INIT("minCount");
static const struct slice workload_count_of_groups = SLICE_INIT("minGroupCount");

/* Renders the templates below one composite, or of all if there is none: at most four levels. */
static void
workload_render_templates(const struct workload_render *render, size_t parent,
                          struct builder *holder)
{
    const struct workload_groups *groups = render->groups;
    struct builder list = {0};

    for (size_t i = 0; i < groups->count; i++) {
        struct builder item;

        if (groups->items[i].parent != parent)
            continue;
        if (!list.arena)
            list = build_list_member(holder, render->version->list);
        item = build_map_item(&list);
        build_string(&item, SLICE("name"), groups->items[i].template_name);
        workload_render_body(render, &groups->items[i], workload_count_of_pods, &item);
    }
    list = (struct builder){0};
    for (size_t i = 0; i < groups->num_composites; i++) {
        struct builder item;

        if (groups->composites[i].parent != parent)
            continue;
        if (!list.arena)
            list = build_list_member(holder, SLICE("compositePodGroupTemplates"));
        item = build_map_item(&list);
        build_string(&item, SLICE("name"), groups->composites[i].template_name);
        workload_render_body(render, &groups->composites[i], workload_count_of_groups, &item);
        workload_render_templates(render, i, &item);
    }
}

static void
workload_render_workload(const struct workload_render *render)
{
    const struct gang *gang = render->call->gang;
    const struct backend_metadata metadata = {.name = render->groups->workload_name,
                                              .labels = gang->wishes->labels,
                                              .annotations = gang->annotations};
    struct builder spec =
        backend_add_object(render->call, workload_kind, &metadata, render->content);
    const struct gang_owner *owner = &gang->wishes->owner;

    if (!owner->is_no_object) { /* a TypedLocalObjectReference: the API group, no apiVersion */
        const struct slice group = slice_before(owner->api_version, '/');
        struct builder reference = build_map_member(&spec, SLICE("controllerRef"));

        if (group.len < owner->api_version.len)
            build_string(&reference, SLICE("apiGroup"), group);
        build_string(&reference, SLICE("kind"), owner->kind);
        build_string(&reference, SLICE("name"), owner->name);
    }
    workload_render_templates(render, WORKLOAD_NO_GROUP, &spec);
}

/*
 * Renders a PodGroup, or the composite above them, owned by the job and, once it exists, by the
 * Workload.
 */
static void
workload_render_group(const struct workload_render *render, const struct workload_group *group,
                      struct slice kind, struct slice count)
{
    const struct backend_owner workload = {render->version->api_version, workload_kind,
                                           render->groups->workload_name,
                                           render->call->created_uid};
    const struct backend_metadata metadata = {.name = group->object_name,
                                              .labels = render->call->gang->wishes->labels,
                                              .annotations = render->call->gang->annotations,
                                              .second = &workload};
    struct builder spec = backend_add_object(render->call, kind, &metadata, render->content);
    const bool flat = render->version->reference == WORKLOAD_REF_FLAT;
    struct builder outer;
    struct builder inner;

    if (group->parent != WORKLOAD_NO_GROUP)
        build_string(&spec, SLICE("parentCompositePodGroupName"),
                     render->groups->composites[group->parent].object_name);
    outer = build_map_member(&spec, flat ? SLICE("workloadRef") : SLICE("podGroupTemplateRef"));
    inner = flat ? outer : build_map_member(&outer, SLICE("workload"));
    build_string(&inner, SLICE("workloadName"), render->groups->workload_name);
    build_string(&inner, flat ? SLICE("templateName") : SLICE("podGroupTemplateName"),
                 group->template_name);
    workload_render_body(render, group, count, &spec);
}

static void
workload_find_losses(const struct backend_call *call, struct loss_sink *sink)
{
    const struct workload_version *version = workload_version_of(call->api_version);
    const struct workload_groups *groups = call->state;

    if (!groups)
        return;
    for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++) {
        const struct node *before = NULL;

        /* Finds each lost value once, even if several groups wanted it. */
        for (size_t i = 0; version && i < groups->count; i++) {
            const struct workload_wish *wish = &groups->items[i].wishes[field];

            if (wish->source && wish->source != before &&
                workload_fate_of(&groups->items[i], (enum workload_field)field, version,
                                 call->cluster) == WORKLOAD_LOST)
                loss_add(sink, workload_field_names[field], wish->value, workload_lost_reason);
            before = wish->source;
        }
    }
    for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++) {
        struct workload_wish lost = workload_wish_lost(groups, (enum workload_field)field, call);

        if (!lost.source)
            continue;
        loss_add(sink, workload_field_names[field], lost.value, workload_basic_reason);
        find_note(sink->report, lost.source, MESSAGE_FIELD_LOST_BASIC,
                  SLICE_ARG(workload_field_names[field]), SLICE_ARG(lost.value),
                  workload_basic_reason);
    }
    if (workload_topology_loss(call->gang))
        loss_find(workload_topology_loss(call->gang), 1, call->gang, sink);
    loss_find(groups->num_composites > 1 || (workload_options_read(call->options).by_role &&
                                             !call->gang->wishes->scheduling)
                  ? &workload_role_loss
                  : &workload_job_loss,
              1, call->gang, sink);
}

static void
workload_render(const struct backend_call *call, struct plan_content *content)
{
    struct workload_render render = {.call = call,
                                     .version = workload_version_of(call->api_version),
                                     .groups = call->state,
                                     .content = content};

    workload_render_workload(&render);
    if (render.version->has_pod_groups) {
        for (size_t i = 0; i < render.groups->num_composites; i++)
            workload_render_group(&render, &render.groups->composites[i], workload_composite_kind,
                                  workload_count_of_groups);
        for (size_t i = 0; i < render.groups->count; i++)
            workload_render_group(&render, &render.groups->items[i], workload_pod_group_kind,
                                  workload_count_of_pods);
    }
    for (size_t i = 0; i < call->gang->num_roles; i++) {
        size_t group = render.groups->of_role[i];

        if (group != WORKLOAD_NO_GROUP && render.version->has_pod_groups)
            content->patches[i].scheduling_group = render.groups->items[group].object_name;
        else if (group != WORKLOAD_NO_GROUP)
            content->patches[i].workload_ref = (struct plan_workload_ref){
                render.groups->workload_name, render.groups->items[group].template_name};
    }
}

static size_t
workload_count_gangs(const struct workload_groups *groups)
{
    size_t gangs = 0;

    for (size_t i = 0; i < groups->count; i++)
        gangs += !groups->items[i].is_basic;
    return gangs;
}

/*
 * Returns the name that all pods have in common: the Workload's if there are several groups, or if
 * the group is inside the Workload. One is basic only if there is no gang.
 */
static struct slice
workload_common_name(const struct backend_call *call, struct arena *arena)
{
    const struct workload_groups *groups = call->state;
    const struct workload_version *version = workload_version_of(call->api_version);
    size_t first = 0;

    (void)arena;
    if (!version->has_pod_groups)
        return groups->workload_name;
    if (groups->num_composites)
        return groups->composites[0].object_name;
    if (!groups->count || workload_count_gangs(groups) > 1)
        return groups->workload_name;
    for (size_t i = 0; i < groups->count; i++)
        if (!groups->items[i].is_basic)
            first = i;
    return groups->items[first].object_name;
}

/* Counts the pods that wait for one another: those of first-wave groups, except basic ones. */
static int64_t
workload_count_minimum(const struct backend_call *call)
{
    const struct workload_groups *groups = call->state;
    int64_t pods = 0;

    if (groups->num_composites > 1)
        return groups->pods;
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i].is_first && !groups->items[i].is_basic)
            pods = integer_add_capped(pods, groups->items[i].minimum);
    return pods;
}

/* Lists the gangs below a composite, first composites and then PodGroups. */
static void
workload_list_below(const struct backend_call *call, size_t composite, struct builder *list)
{
    const struct workload_groups *groups = call->state;
    const bool are_objects = workload_version_of(call->api_version)->has_pod_groups;

    for (size_t i = 0; i < groups->num_composites; i++) {
        const struct workload_group *group = &groups->composites[i];
        const struct backend_subgroup subgroup = {.name = group->object_name,
                                                  .minimum = group->minimum};
        struct builder inner;

        if (group->parent != composite)
            continue;
        inner = backend_list_subgroup(&subgroup, call->gang, list);
        workload_list_below(call, i, &inner);
    }
    for (size_t i = 0; i < groups->count; i++) {
        const struct workload_group *group = &groups->items[i];
        const struct backend_subgroup subgroup = {
            .name = are_objects ? group->object_name : group->template_name,
            .minimum = group->minimum,
            .of_role = groups->of_role,
            .index = i,
        };

        if (group->parent == composite && !group->is_basic)
            backend_list_subgroup(&subgroup, call->gang, list);
    }
}

static const char *
workload_why_group_is_lost(const struct backend_call *call, size_t group, enum group_part part)
{
    const struct workload_groups *groups = call->state;
    const struct gang_wishes *wishes = call->gang->wishes;

    if (!groups || group == GROUP_OF_GANG)
        return NULL;
    if (!groups->in_tree)
        return groups->why_no_tree;
    if (part == GROUP_TOPOLOGY && !groups->in_tree[group])
        return "no pod of the group must start, and a PodGroup needs one";
    if (part == GROUP_TOPOLOGY && !slice_is_set(wishes->groups[group].placement.required))
        return workload_soft_loss.reason;
    return NULL;
}

static void
workload_list_subgroups(const struct backend_call *call, struct builder *list)
{
    const struct workload_groups *groups = call->state;

    if (groups->num_composites > 1 || workload_count_gangs(groups) > 1)
        workload_list_below(call, groups->num_composites ? 0 : WORKLOAD_NO_GROUP, list);
}

/*
 * In order of preference, each with the gates that every gang needs, and the fields that a group
 * may have, with their gates.
 */
static void
workload_list_versions(struct builder *list)
{
    for (size_t i = 0; i < workload_version_count; i++) {
        const struct workload_version *version = &workload_versions[i];
        const char *more = version->last_minor == version->first_minor ? "" : " and later";
        const struct backend_listing listing = {
            .api_version = version->api_version,
            .kubernetes = ARENA_SLICE(list->arena, "1.%u%s", version->first_minor, more),
            .kinds = {workload_kind, version->has_pod_groups ? workload_pod_group_kind : NO_SLICE,
                      version->has_composites ? workload_composite_kind : NO_SLICE},
            .mark = ARENA_SLICE(list->arena, "spec.%.*s", SLICE_ARG(version->pod_field)),
        };
        struct builder item = backend_list_version(&listing, list);
        struct builder inner = build_list_member(&item, SLICE("gates"));

        for (size_t k = 0; k < COUNT_OF(version->gates); k++)
            if (slice_is_set(version->gates[k]))
                build_string_item(&inner, version->gates[k]);
        inner = build_list_member(&item, SLICE("fields"));
        for (int k = 0; k < WORKLOAD_FIELD_COUNT; k++) {
            struct builder field;

            if (!version->fields[k].is_there)
                continue;
            field = build_map_item(&inner);
            build_string(&field, SLICE("name"), workload_field_names[k]);
            build_string_if_set(&field, SLICE("gate"), version->fields[k].gate);
        }
    }
}

const struct backend workload_backend = {
    .descriptor = &workload_descriptor,
    .prepare = workload_prepare,
    .choose_api_version = workload_choose_api_version,
    .open = workload_open,
    .find_losses = workload_find_losses,
    .validate = workload_validate,
    .render = workload_render,
    .group_name = workload_common_name,
    .count_minimum = workload_count_minimum,
    .why_group_is_lost = workload_why_group_is_lost,
    .list_subgroups = workload_list_subgroups,
    .list_versions = workload_list_versions,
    .updates = &workload_updates,
};
