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

static const struct live_object *
topology_find(const struct live_objects *live, struct slice name)
{
    const struct descriptor_topology *topology = &catalog_of_topologies()->topology;
    const struct live_key key = {.group = topology->group, .kind = topology->kind, .name = name};

    return live_objects_find(live, &key);
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
topology_compare_made(const struct gang_topologybinding *binding, const struct live_objects *live,
                      struct report *report)
{
    const struct slice name = binding->meta.name;
    const struct live_object *topology = topology_find(live, name);
    /*
     * Whether the binding controls the object, as metav1.IsControlledBy() does. Grove's operator
     * sets itself as the controller of the objects that it creates.
     */
    const struct live_owner owner = {
        .key = {.group = live_group_of(SLICE(GANG_GROVE_API_VERSION)),
                .kind = SLICE(GANG_KIND_TOPOLOGYBINDING),
                .name = name},
        .uid = binding->meta.uid,
    };

    if (!topology)
        return GANG_ACTION_CREATE;
    if (live_ownership_of(&owner, topology) != OWNERSHIP_OURS) {
        const struct slice scheduler = catalog_of_topologies()->type;

        find_note(report, topology->controller ? topology->controller : topology->metadata,
                  MESSAGE_TOPOLOGY_NOT_OWNED, SLICE_ARG(scheduler), SLICE_ARG(name),
                  SLICE_ARG(name), SLICE_ARG(scheduler));
        return GANG_ACTION_CONFLICT;
    }
    return topology->is_terminating || !topology_has_levels(topology, binding->levels)
               ? GANG_ACTION_RECREATE
               : GANG_ACTION_LEAVE;
}

/* As CheckTopologyDrift: another owner manages the object. */
static enum gang_action
topology_compare_named(const struct gang_topologybinding *binding, const struct node *reference,
                       const struct live_objects *live, struct report *report)
{
    const struct live_object *topology = topology_find(live, node_string(reference));
    const struct slice scheduler = catalog_of_topologies()->type;

    if (topology && topology_has_levels(topology, binding->levels))
        return GANG_ACTION_LEAVE;
    if (topology)
        find_note_below(report, topology->root, SLICE("spec.levels"), MESSAGE_TOPOLOGY_DRIFT,
                        SLICE_ARG(scheduler));
    else
        find_note(report, reference, MESSAGE_TOPOLOGY_NOT_FOUND, SLICE_ARG(scheduler),
                  SLICE_ARG(node_string(reference)));
    return GANG_ACTION_CONFLICT;
}

int
gang_topologybinding_compare(const struct gang_context *context,
                             const struct gang_document *binding, const struct gang_document *live,
                             uint32_t flags, int *out, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    const struct gang_topologybinding *compared = topologybinding_of(binding);
    const struct live_objects *objects = live_objects_of(live);
    const struct node *reference;
    struct report report;
    struct arena *arena;
    int result = CALL_BEGIN(out, err, out && compared && live_is_usable(live),
                            "out, binding, and live objects or NULL, are needed", flags, 0);

    if (result)
        return result;
    arena = arena_new_within(limits, NULL);
    if (!arena)
        return error_no_memory(err);
    report_init(&report, arena, limits);
    reference = topologybinding_reference(compared, catalog_of_topologies()->grove.name);
    *out = (int)(reference ? topology_compare_named(compared, reference, objects, &report)
                           : topology_compare_made(compared, objects, &report));
    if (arena_failed(arena) || report_has_errors(&report))
        result = error_from_report(err, document_result(&report), &report);
    if (result != GANG_OK && result != GANG_ERROR_INVALID)
        *out = GANG_ACTION_NONE;
    arena_free(arena);
    return result;
}
