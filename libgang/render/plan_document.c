/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

#include "libgang/backend/backend.h"
#include "libgang/decide/choice.h"

/* ---- plan document ---- */

static void
build_text(struct builder *map, struct slice key, const char *text)
{
    build_string_if_set(map, key, slice_from_text(text));
}

struct slice
decision_gang_name(const struct gang_decision *decision, struct arena *arena)
{
    return decision->outcome == GANG_OUTCOME_GANG && decision->backend->group_name
               ? decision->backend->group_name(&decision->call, arena)
               : decision->gang.name;
}

static void
build_gang(const struct gang_decision *decision, struct builder *document)
{
    const struct gang *source = &decision->gang;
    struct builder gang = build_map_member(document, SLICE("gang"));
    struct builder resources;

    build_string(&gang, SLICE("name"), decision_gang_name(decision, document->arena));
    build_int(&gang, SLICE("minimum"), decision->minimum);
    build_int(&gang, SLICE("members"), source->members);
    build_int(&gang, SLICE("lateMembers"), source->late_members);
    build_int(&gang, SLICE("pods"), source->pods);
    resources = build_map_member(&gang, SLICE("resources"));
    resource_list_build(&source->resources, &resources);
    build_string_if_set(&gang, SLICE("queue"), source->queue);
    build_string_if_set(&gang, SLICE("priorityClassName"), source->priority_class_name);
    if (source->has_timeout)
        build_int(&gang, SLICE("scheduleTimeoutSeconds"), source->timeout_seconds);
    if (source->wishes->is_grouped) {
        group_tree_build_placement(&source->wishes->placement, &gang);
        plan_document_subgroups(source->wishes, &gang);
    } else {
        const struct gang_placement *placement = group_tree_placement(source);
        struct builder subgroups;
        struct builder topology;

        if (source->topology.is_set) {
            topology = build_map_member(&gang, SLICE("topology"));
            build_string(&topology, SLICE("mode"), source->topology.mode);
            if (source->topology.has_tier)
                build_int(&topology, SLICE("highestTierAllowed"), source->topology.highest_tier);
            if (placement)
                group_tree_build_levels(placement, &topology);
        }
        subgroups = build_list_member(&gang, SLICE("subgroups"));
        if (decision->backend->list_subgroups)
            decision->backend->list_subgroups(&decision->call, &subgroups);
    }
}

static void
build_objects(const struct plan_content *content, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("objects"));

    for (size_t i = 0; i < content->num_objects; i++) {
        struct builder object = build_map_item(&list);

        build_text(&object, SLICE("action"), gang_action_name((int)content->objects[i].action));
        build_node(&object, SLICE("object"), content->objects[i].manifest);
    }
}

void
plan_document_patch(const struct gang_patch *patch, struct builder *item)
{
    build_string(item, SLICE("target"), patch->target);
    build_string_if_set(item, SLICE("role"), patch->role);
    plan_patch_build_metadata(patch, item);
    if (plan_patch_has_spec(patch)) {
        struct builder spec = build_map_member(item, SLICE("spec"));

        build_string_if_set(&spec, SLICE("schedulerName"), patch->scheduler_name);
        build_string_if_set(&spec, SLICE("priorityClassName"), patch->priority_class_name);
        if (slice_is_set(patch->scheduling_group)) {
            struct builder group = build_map_member(&spec, SLICE("schedulingGroup"));

            build_string(&group, SLICE("podGroupName"), patch->scheduling_group);
        }
        if (slice_is_set(patch->workload_ref.name)) {
            struct builder reference = build_map_member(&spec, SLICE("workloadRef"));

            build_string(&reference, SLICE("name"), patch->workload_ref.name);
            build_string(&reference, SLICE("podGroup"), patch->workload_ref.pod_group);
        }
    }
}

static void
build_predictions(const struct plan_content *content, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("predictions"));

    for (size_t i = 0; i < content->num_predictions; i++) {
        struct builder prediction = build_map_item(&list);

        build_string(&prediction, SLICE("controller"), content->predictions[i].controller);
        build_string(&prediction, SLICE("version"), content->predictions[i].version);
        build_node(&prediction, SLICE("object"), content->predictions[i].manifest);
    }
}

static void
build_losses(const struct plan_content *content, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("losses"));

    for (size_t i = 0; i < content->num_losses; i++) {
        struct builder loss = build_map_item(&list);

        build_string(&loss, SLICE("field"), content->losses[i].field);
        build_string_if_set(&loss, SLICE("value"), content->losses[i].value);
        build_text(&loss, SLICE("reason"), content->losses[i].reason);
    }
}

void
plan_document_diagnostics(const struct gang_diagnostic *items, size_t count, struct builder *list)
{
    for (size_t i = 0; i < count; i++) {
        const struct gang_diagnostic *finding = &items[i];
        const struct diagnostic_entry *entry = diagnostic_entry_of(finding->code);
        struct builder item = build_map_item(list);

        build_text(&item, SLICE("code"), entry->id);
        build_text(&item, SLICE("reason"), entry->reason);
        build_text(&item, SLICE("severity"), gang_severity_name((int)finding->severity));
        build_text(&item, SLICE("document"), gang_document_type_name((int)finding->document));
        build_text(&item, SLICE("job"), finding->job);
        if (finding->path[0])
            build_text(&item, SLICE("path"), finding->path);
        if (finding->line) {
            build_int(&item, SLICE("line"), finding->line);
            build_int(&item, SLICE("column"), finding->column);
        }
        build_text(&item, SLICE("message"), finding->message);
        build_text(&item, SLICE("hint"), finding->hint);
    }
}

static void
build_diagnostics(const struct report *report, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("diagnostics"));

    plan_document_diagnostics(report->items, report->count, &list);
}

static struct trace
build_trace(const struct gang_decision *decision, struct builder *document)
{
    struct trace trace = {.arena = document->arena};

    attributes_trace(decision, &trace);
    plan_document_trace(&trace, document);
    return trace;
}

static struct builder
build_document(const struct gang_decision *decision, struct slice kind, struct arena *arena)
{
    struct builder document = build_map(arena);
    struct builder metadata;

    build_string(&document, SLICE("apiVersion"), SLICE(GANG_API_VERSION));
    build_string(&document, SLICE("kind"), kind);
    metadata = build_map_member(&document, SLICE("metadata"));
    if (decision->wishes.meta->name_is_generated)
        build_node(&metadata, SLICE("generateName"), decision->wishes.meta->name_source);
    else
        build_string_if_set(&metadata, SLICE("name"), decision->report->job.name);
    build_string_if_set(&metadata, SLICE("namespace"), decision->report->job.namespace_);
    build_text(&document, SLICE("outcome"), gang_outcome_name((int)decision->outcome));
    return document;
}

/* The fields that a decision and its plan share, between the outcome and the objects. */
static void
build_answer(const struct gang_decision *decision, struct builder *document)
{
    struct builder owner;

    build_text(document, SLICE("compatibility"),
               compatibility_names[decision->wishes.compatibility]);
    owner = build_map_member(document, SLICE("owner"));
    build_string(&owner, SLICE("apiVersion"), decision->wishes.owner.api_version);
    build_string(&owner, SLICE("kind"), decision->wishes.owner.kind);
    if (!decision->wishes.meta->name_is_generated)
        build_string_if_set(&owner, SLICE("name"), decision->wishes.owner.name);
    build_string_if_set(&owner, SLICE("uid"), decision->wishes.owner.uid);
    if (decision->wishes.run.is_known)
        build_int(document, SLICE("runNumber"), decision->wishes.run.number);
    if (decision->backend) {
        struct builder backend = build_map_member(document, SLICE("backend"));

        build_string(&backend, SLICE("name"), decision_backend_name(decision));
        build_string(&backend, SLICE("type"), decision->backend->descriptor->type);
        build_string_if_set(&backend, SLICE("apiVersion"), decision->call.api_version);
        build_string(&backend, SLICE("schedulerName"), decision->wishes.scheduler_name);
    }
    if (decision->outcome == GANG_OUTCOME_GANG)
        build_gang(decision, document);
    plan_document_roles(&decision->gang, document);
}

const struct node *
plan_document_build(const struct gang_plan *plan, struct arena *arena)
{
    const struct gang_decision *decision = plan->decision;
    struct builder document = build_document(decision, SLICE(GANG_KIND_PLAN), arena);
    struct builder list;

    build_answer(decision, &document);
    build_objects(&plan->content, &document);
    list = build_list_member(&document, SLICE("patches"));
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++) {
        struct builder item = build_map_item(&list);

        plan_document_patch(gang_plan_get_patch(plan, i), &item);
    }
    build_predictions(&plan->content, &document);
    build_losses(&plan->content, &document);
    build_diagnostics(plan->findings, &document);
    build_trace(decision, &document);
    return document.node;
}

const struct node *
plan_document_build_decision(const struct gang_decision *decision, struct arena *arena)
{
    struct builder document = build_document(decision, SLICE(GANG_KIND_DECISION), arena);
    struct trace trace;

    build_text(&document, SLICE("reason"), decision->reason);
    build_answer(decision, &document);
    build_diagnostics(decision->report, &document);
    trace = build_trace(decision, &document);
    policy_use_build(decision, &trace, &document);
    rule_mismatch_build(decision, &document);
    return document.node;
}

const struct node *
plan_document_build_whole(const struct gang_decision *decision, const struct gang_plan *plan,
                          struct arena *arena)
{
    struct builder document = build_document(decision, SLICE(GANG_KIND_PLAN), arena);

    build_answer(decision, &document);
    if (plan) {
        build_objects(&plan->content, &document);
        build_predictions(&plan->content, &document);
        build_losses(&plan->content, &document);
    }
    build_trace(decision, &document);
    rule_mismatch_build(decision, &document);
    return document.node;
}

/* ---- plan document lists ---- */

static const char *const membership_names[] = {
    [ROLE_MEMBER] = "Member",
    [ROLE_LATE_MEMBER] = "LateMember",
    [ROLE_OUTSIDE] = "Outside",
};

void
plan_document_roles(const struct gang *gang, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("roles"));

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *source = &gang->roles[i];
        struct builder role = build_map_item(&list);
        struct builder requests;

        build_string(&role, SLICE("name"), source->name);
        build_string_if_set(&role, SLICE("ancestor"), source->ancestor_text);
        build_int(&role, SLICE("count"), source->count);
        /* Numbers that a role may lack. */
        if (source->has_min_count)
            build_int(&role, SLICE("minCount"), source->min_count);
        if (source->first_count)
            build_int(&role, SLICE("firstCount"), source->first_count);
        if (source->unit)
            build_int(&role, SLICE("unit"), source->unit);
        build_string(&role, SLICE("membership"),
                     slice_from_text(membership_names[gang->parts[i].membership]));
        build_int(&role, SLICE("stage"), source->stage);
        build_int(&role, SLICE("wave"), gang->parts[i].wave);
        role_build_dependencies(source, &role);
        requests = build_map_member(&role, SLICE("requests"));
        resource_list_build(&source->requests, &requests);
        build_string_if_set(&role, SLICE("schedulerName"), source->scheduler_name);
        build_string_if_set(&role, SLICE("priorityClassName"), source->priority_class_name);
    }
}

void
plan_document_trace(const struct trace *trace, struct builder *document)
{
    struct builder list = build_list_member(document, SLICE("trace"));

    for (int i = 0; i < TRACE_ATTRIBUTE_COUNT; i++) {
        const struct trace_entry *source = &trace->entries[i];
        struct builder item = build_map_item(&list);
        struct builder candidates;

        build_string(&item, SLICE("attribute"), slice_from_text(trace_attribute_names[i]));
        build_string_if_set(&item, SLICE("value"), source->value);
        candidates = build_list_member(&item, SLICE("candidates"));
        for (size_t k = 0; k < source->count; k++) {
            const struct trace_candidate *candidate = &source->candidates[k];
            const struct node *place = candidate->source;
            struct builder one = build_map_item(&candidates);
            struct slice path =
                path_below(list.arena, place,
                           slice_is_set(candidate->missing) ? candidate->missing : SLICE(""));

            build_string_if_set(&one, SLICE("value"), candidate->value);
            build_text(&one, SLICE("document"), gang_document_type_name((int)candidate->document));
            if (path.len)
                build_string(&one, SLICE("path"), path);
            if (place && place->line)
                build_int(&one, SLICE("line"), place->line);
            build_string(&one, SLICE("verdict"),
                         slice_from_text(trace_verdict_names[candidate->verdict]));
            build_string(&one, SLICE("reason"), slice_from_text(candidate->reason));
        }
    }
}

/* ---- plan document groups ---- */

/* A parent group precedes its subgroups, so their list exists when they are added. */
void
plan_document_subgroups(const struct gang_wishes *wishes, struct builder *map)
{
    struct builder root = build_list_member(map, SLICE("subgroups"));
    struct builder *lists = arena_array(map->arena, wishes->num_groups, sizeof(*lists));

    for (size_t i = 0; lists && i < wishes->num_groups; i++) {
        const struct gang_group *group = &wishes->groups[i];
        const size_t parent = group->parent;
        const struct backend_subgroup subgroup = {
            .name = group->name,
            .minimum = group->minimum,
            .role = group->role == ROLE_NONE ? NO_SLICE : wishes->roles[group->role].name,
            .placement = group->placement,
        };

        lists[i] = backend_list_subgroup(&subgroup, NULL,
                                         parent == GROUP_OF_GANG ? &root : &lists[parent]);
    }
}
