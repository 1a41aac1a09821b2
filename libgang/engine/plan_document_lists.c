/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/path.h"
#include "libgang/engine/plan_document.h"

static const char *const membership_names[] = {
    [ROLE_MEMBER] = "Member",
    [ROLE_LATE_MEMBER] = "LateMember",
    [ROLE_OUTSIDE] = "Outside",
};

static const char *const dependency_names[] = {
    [DEPENDENCY_READY] = "Ready",
    [DEPENDENCY_COMPLETE] = "Complete",
};

static void
build_dependencies(const struct role *source, struct builder *role)
{
    struct builder list = build_list_member(role, SLICE("dependsOn"));

    for (size_t i = 0; i < source->num_dependencies; i++) {
        struct builder edge = build_map_item(&list);

        build_string(&edge, SLICE("role"), source->dependencies[i].role);
        build_string(&edge, SLICE("status"),
                     slice_from_text(dependency_names[source->dependencies[i].status]));
    }
}

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
        build_string(&role, SLICE("membership"), slice_from_text(membership_names[source->membership]));
        build_int(&role, SLICE("stage"), source->stage);
        build_int(&role, SLICE("wave"), source->wave);
        build_dependencies(source, &role);
        requests = build_map_member(&role, SLICE("requests"));
        resource_list_build(&source->requests, &requests);
        build_string_if_set(&role, SLICE("schedulerName"), source->scheduler_name);
        build_string_if_set(&role, SLICE("priorityClassName"), source->priority_class_name);
    }
}

static void
build_candidate(const struct trace_candidate *source, struct builder *list)
{
    struct builder item = build_map_item(list);
    struct slice path =
        path_below(list->arena, source->source, slice_is_set(source->missing) ? source->missing : SLICE(""));

    build_string_if_set(&item, SLICE("value"), source->value);
    build_string_if_set(&item, SLICE("document"), slice_from_text(plan_document_names[source->document]));
    if (path.len)
        build_string(&item, SLICE("path"), path);
    if (source->source && source->source->line)
        build_int(&item, SLICE("line"), source->source->line);
    build_string(&item, SLICE("verdict"), slice_from_text(trace_verdict_names[source->verdict]));
    build_string(&item, SLICE("reason"), slice_from_text(source->reason));
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
        for (size_t k = 0; k < source->count; k++)
            build_candidate(&source->candidates[k], &candidates);
    }
}
