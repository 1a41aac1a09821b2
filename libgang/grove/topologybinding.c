/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/*
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go. Grove's own CRD does
 * not repeat these rules.
 */
enum { TOPOLOGYBINDING_MOST_LEVELS = 16 };
static const struct slice topologybinding_host = SLICE_INIT("kubernetes.io/hostname");

/*
 * Source: ai-dynamo/grove:operator/internal/webhook/admission@fcc3b3bb. Quadratic, but the number
 * of levels is small.
 */
static void
topologybinding_check_unique(const struct node *list, struct slice field, struct report *report)
{
    for (NODE_EACH(item, list)) {
        const struct node *value = node_member(item, field);
        const struct node *first = node_first(list);

        while (first != item &&
               !slice_equal(node_string(node_member(first, field)), node_string(value)))
            first = first->next;
        if (node_string(value).len && first != item)
            find_duplicate(report, value, GANG_CODE_DUPLICATE_ITEM,
                           arena_format(report->arena, "the first is %.*s",
                                        SLICE_ARG(path_of(report->arena, first))));
    }
}

static void
topologybinding_check_levels(const struct node *levels, struct report *report)
{
    if (node_count(levels) > TOPOLOGYBINDING_MOST_LEVELS) {
        find_note(report, levels, MESSAGE_TOPOLOGY_LEVELS_REFUSED_COUNT, node_count(levels),
                  TOPOLOGYBINDING_MOST_LEVELS);
        return;
    }
    for (NODE_EACH(level, levels)) {
        const struct node *key = node_member(level, SLICE("key"));

        name_check_node(key, NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY, NULL, report);
        if (slice_equal(node_string(key), topologybinding_host) && level->next)
            find_invalid(report, key, MESSAGE_TOPOLOGY_LEVELS_REFUSED_HOSTNAME);
    }
    topologybinding_check_unique(levels, SLICE("domain"), report);
    topologybinding_check_unique(levels, SLICE("key"), report);
}

void
topologybinding_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_topologybinding *binding = (struct gang_topologybinding *)document;
    const struct node *spec = node_member(call->root, SLICE("spec"));
    struct report *report = &call->report;

    schema_check(&topologybinding_schema, call->root, report);
    binding->meta = object_meta_read(call->root, NAMES_WRITTEN, report);
    binding->levels = node_member(spec, SLICE("levels"));
    binding->schedulers = node_member(spec, SLICE("schedulerTopologyBindings"));
    topologybinding_check_levels(binding->levels, report);
    /*
     * Accepts every scheduler that Grove knows; gang_topologybinding_check() checks which of them
     * the policy enables.
     */
    for (NODE_EACH(item, binding->schedulers)) {
        const struct node *name = node_member(item, SLICE("schedulerName"));
        const struct grove_scheduler *scheduler = grove_scheduler_named(node_string(name));

        if (!node_string(name).len)
            continue;
        if (!scheduler)
            find_invalid(report, name, MESSAGE_SCHEDULER_NOT_ENABLED_BACKEND);
        else if (scheduler->grove->topology_rule != GROVE_TOPOLOGY_PLACED)
            find_invalid(report, name, MESSAGE_SCHEDULER_NOT_ENABLED_NO_TOPOLOGY);
    }
}

const struct node *
topologybinding_reference(const struct gang_topologybinding *binding, struct slice scheduler)
{
    for (NODE_EACH(item, binding->schedulers))
        if (slice_equal(node_string(node_member(item, SLICE("schedulerName"))), scheduler))
            return node_member(item, SLICE("topologyReference"));
    return NULL;
}

struct slice
topologybinding_refers_to(const struct gang_document *document, struct slice kind)
{
    const struct descriptor *scheduler = catalog_of_topologies();
    const struct node *reference =
        topologybinding_reference(topologybinding_of(document), scheduler->grove.name);

    if (!slice_equal(kind, scheduler->topology.kind))
        return NO_SLICE;
    return reference ? node_string(reference) : document_name(document);
}
