/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"
#include "libgang/reconcile/live.h"

/* ---- topology check ---- */

int
gang_topologybinding_check(const struct gang_context *context, const struct gang_document *binding,
                           const struct gang_document *policy, uint32_t flags,
                           struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct report report;
    struct arena *arena;
    int result =
        call_check(err, topologybinding_of(binding) && (!policy || policy_of(policy)),
                   "a ClusterTopologyBinding, and a GangPolicy or NULL, are needed", flags, 0);

    if (result)
        return result;
    arena = arena_new_within(limits, NULL);
    if (!arena)
        return error_no_memory(err);
    report_init(&report, arena, limits);
    /* ai-dynamo/grove:operator/internal/webhook/admission/clustertopology/validation@fcc3b3bb */
    for (NODE_EACH(item, topologybinding_of(binding)->schedulers)) {
        const struct node *name = node_member(item, SLICE("schedulerName"));
        struct enabled_backend enabled;

        if (!enabled_backend_for_grove(policy_of(policy), node_string(name), &enabled))
            find_invalid(&report, name, MESSAGE_SCHEDULER_NOT_ENABLED_TOPOLOGY,
                         enabled_backend_names_for_grove(policy_of(policy), arena));
    }
    if (arena_failed(arena) || report_has_errors(&report))
        result = error_from_report(err, document_result(&report), &report);
    arena_free(arena);
    return result;
}

/* ---- topology comparison ---- */

/* The state of one call to gang_topologybinding_compare(). */
struct topology_comparison {
    const struct gang_topologybinding *binding;
    const struct live_objects *live;
    struct report *report;
};

static const struct live_object *
topology_find(const struct topology_comparison *comparison, struct slice name)
{
    const struct descriptor_topology *topology = &catalog_of_topologies()->topology;
    const struct live_key key = {.group = topology->group, .kind = topology->kind, .name = name};

    return live_objects_find(comparison->live, &key);
}

/* Compares the keys of the levels in order. KAI reads no other field of a level. */
static bool
topology_has_levels(const struct live_object *topology, const struct node *levels)
{
    const struct node *live = node_first(node_at(topology->root, "spec.levels"));

    for (NODE_EACH(level, levels)) {
        if (!live || !slice_equal(node_string(node_member(live, SLICE("nodeLabel"))),
                                  node_string(node_member(level, SLICE("key")))))
            return false;
        live = live->next;
    }
    return !live;
}

/*
 * As SyncTopology: levels are immutable, and an object that is being deleted must also be created
 * again.
 */
static enum gang_action
topology_compare_made(const struct topology_comparison *comparison)
{
    const struct gang_topologybinding *binding = comparison->binding;
    const struct live_object *topology = topology_find(comparison, binding->meta.name);
    struct live_owner owner;

    if (!topology)
        return GANG_ACTION_CREATE;
    /*
     * Whether the binding controls the object, as metav1.IsControlledBy() does. Grove's operator
     * sets itself as the controller of the objects that it creates.
     */
    owner = (struct live_owner){
        .key = {.group = live_group_of(SLICE(GANG_GROVE_API_VERSION)),
                .kind = SLICE(GANG_KIND_TOPOLOGYBINDING),
                .name = comparison->binding->meta.name},
        .uid = comparison->binding->meta.uid,
    };
    if (live_ownership_of(&owner, topology) != OWNERSHIP_OURS) {
        struct slice scheduler = catalog_of_topologies()->type;
        struct slice name = comparison->binding->meta.name;

        find_note(comparison->report,
                  topology->controller ? topology->controller : topology->metadata,
                  MESSAGE_TOPOLOGY_NOT_OWNED, SLICE_ARG(scheduler), SLICE_ARG(name),
                  SLICE_ARG(name), SLICE_ARG(scheduler));
        return GANG_ACTION_CONFLICT;
    }
    if (topology->is_terminating || !topology_has_levels(topology, binding->levels))
        return GANG_ACTION_RECREATE;
    return GANG_ACTION_LEAVE;
}

/* As CheckTopologyDrift: another owner manages the object. */
static enum gang_action
topology_compare_named(const struct topology_comparison *comparison, const struct node *reference)
{
    const struct live_object *topology = topology_find(comparison, node_string(reference));
    struct slice scheduler = catalog_of_topologies()->type;

    if (topology && topology_has_levels(topology, comparison->binding->levels))
        return GANG_ACTION_LEAVE;
    if (topology)
        find_note_below(comparison->report, topology->root, SLICE("spec.levels"),
                        MESSAGE_TOPOLOGY_DRIFT, SLICE_ARG(scheduler));
    else
        find_note(comparison->report, reference, MESSAGE_TOPOLOGY_NOT_FOUND, SLICE_ARG(scheduler),
                  SLICE_ARG(node_string(reference)));
    return GANG_ACTION_CONFLICT;
}

static int
topology_compare_live(struct topology_comparison *comparison, int *action, struct gang_error **err)
{
    struct report *report = comparison->report;
    int result = GANG_OK;
    const struct node *reference =
        topologybinding_reference(comparison->binding, catalog_of_topologies()->grove.name);

    *action = (int)(reference ? topology_compare_named(comparison, reference)
                              : topology_compare_made(comparison));
    if (arena_failed(report->arena) || report_has_errors(report))
        result = error_from_report(err, document_result(report), report);
    if (result != GANG_OK && result != GANG_ERROR_INVALID)
        *action = GANG_ACTION_NONE;
    return result;
}

int
gang_topologybinding_compare(const struct gang_context *context,
                             const struct gang_document *binding, const struct gang_document *live,
                             uint32_t flags, int *out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct topology_comparison comparison = {.binding = topologybinding_of(binding),
                                             .live = live_objects_of(live)};
    struct report report;
    struct arena *arena;
    int result = CALL_BEGIN(out, err, out && comparison.binding && live_is_usable(live),
                            "out, binding, and live objects or NULL, are needed", flags, 0);

    if (result)
        return result;
    arena = arena_new_within(limits, NULL);
    if (!arena)
        return error_no_memory(err);
    report_init(&report, arena, limits);
    comparison.report = &report;
    result = topology_compare_live(&comparison, out, err);
    arena_free(arena);
    return result;
}
