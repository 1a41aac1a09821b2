/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

/* ---- output ---- */

#define OUTPUT_OWNERS SLICE("ownerReferences")

/*
 * Where a label or annotation of an object comes from, by precedence: the backend, the policy, and
 * the stamp of the policy.
 */
struct output_map {
    const struct node *own; /* the backend's */
    const struct node *policys;
    struct slice stamp; /* unset if absent */
};

static void
output_add_map(const struct output_map *map, struct slice name, struct builder *metadata)
{
    const struct node *all = build_merged(map->own, map->policys, metadata->arena);
    struct builder merged;

    if (slice_is_set(map->stamp)) {
        merged = build_map(metadata->arena);
        build_string(&merged, SLICE(POLICY_STAMP_KEY), map->stamp);
        all = build_merged(all, merged.node, metadata->arena);
    }
    if (!all)
        return;
    merged = build_map_member(metadata, name);
    for (NODE_EACH(member, all))
        build_string(&merged, node_key(member), node_string(member));
}

static void
output_build_metadata(const struct gang_policy *policy, const struct node *source,
                      struct builder *metadata)
{
    const struct output_map labels = {.own = node_member(source, SLICE("labels")),
                                      .policys = policy->output.labels};
    const struct output_map annotations = {
        .own = node_member(source, SLICE("annotations")),
        .policys = policy->output.annotations,
        .stamp = policy->output.policy_stamp ? policy->stamp : NO_SLICE,
    };

    for (NODE_EACH(member, source))
        if (!slice_equal(node_key(member), SLICE("labels")) &&
            !slice_equal(node_key(member), SLICE("annotations")) &&
            !slice_equal(node_key(member), OUTPUT_OWNERS))
            build_node(metadata, node_key(member), member);
    output_add_map(&labels, SLICE("labels"), metadata);
    output_add_map(&annotations, SLICE("annotations"), metadata);
    if (!policy->output.omits_owner)
        build_node(metadata, OUTPUT_OWNERS, node_member(source, OUTPUT_OWNERS));
}

SELDOM void
output_apply(const struct gang_policy *policy, struct plan_content *content)
{
    for (size_t i = 0; i < content->num_objects; i++) {
        struct builder manifest = build_map(content->arena);
        struct builder metadata;

        for (NODE_EACH(member, content->objects[i].manifest)) {
            if (!slice_equal(node_key(member), SLICE("metadata"))) {
                build_node(&manifest, node_key(member), member);
                continue;
            }
            metadata = build_map_member(&manifest, SLICE("metadata"));
            output_build_metadata(policy, member, &metadata);
        }
        content->objects[i].manifest = manifest.node;
    }
}

/* ---- render ---- */

struct gang_plan *
plan_new(const struct gang_decision *decision, const struct limits *limits, int *result,
         struct gang_error **err)
{
    struct arena *arena = arena_new_within(limits, decision->arena);
    struct gang_plan *plan = arena ? arena_alloc(arena, sizeof(*plan)) : NULL;

    if (!plan) {
        *result = arena ? error_from_arena(err, arena) : error_no_memory(err);
        arena_free(arena);
        return NULL;
    }
    refcount_init(&plan->references);
    plan->arena = arena;
    plan->decision = gang_decision_ref(decision);
    plan->findings = &decision->report;
    return plan;
}

void
plan_fill(struct gang_plan *plan, struct slice created_uid)
{
    const struct gang_decision *decision = plan->decision;
    const struct gang_policy *policy = decision->inputs.policy;
    struct backend_call call = decision->call;

    call.created_uid = arena_copy(plan->arena, created_uid);
    call.live = plan->seen;
    if (plan_content_init(&plan->content, plan->arena, &decision->gang) &&
        decision->outcome == GANG_OUTCOME_GANG)
        backend_render(decision->backend, &call, &plan->content);
    if (!arena_failed(plan->arena))
        plan_content_settle(&plan->content);
    if (policy && policy->output.source)
        output_apply(policy, &plan->content);
}

int
gang_render(const struct gang_context *context, const struct gang_decision *decision,
            uint32_t flags, struct gang_plan **out, struct gang_error **err)
{
    struct gang_plan *plan;
    int result = CALL_BEGIN(out, err, out && decision, "out and decision are needed", flags, 0);

    if (result)
        return result;
    plan = plan_new(decision, context_limits(context), &result, err);
    if (!plan)
        return result;
    plan_fill(plan, decision->created_uid);
    if (arena_failed(plan->arena)) {
        result = decision_error(decision, plan->arena, err);
        gang_plan_unref(plan);
        return result;
    }
    *out = plan;
    return GANG_OK;
}

struct gang_plan *
gang_plan_ref(const struct gang_plan *plan)
{
    if (plan)
        refcount_take(&plan->references);
    return (struct gang_plan *)plan;
}

/* The plan is in its own arena, which may be a guest of the decision's. */
void
gang_plan_unref(const struct gang_plan *plan)
{
    const struct gang_decision *decision;

    if (!plan || !refcount_drop(&plan->references))
        return;
    decision = plan->decision;
    gang_document_unref(plan->live);
    arena_free(plan->arena);
    gang_decision_unref(decision);
}

size_t
gang_plan_num_objects(const struct gang_plan *plan)
{
    return plan ? plan->content.num_objects : 0;
}

const struct gang_object *
gang_plan_get_object(const struct gang_plan *plan, size_t index)
{
    return index < gang_plan_num_objects(plan) ? &plan->content.objects[index] : NULL;
}

/* Patches of a plan in conflict could add pods to the group of another owner. */
size_t
gang_plan_num_patches(const struct gang_plan *plan)
{
    return plan && !plan->is_held && !plan->omits_patches ? plan->content.num_shown : 0;
}

const struct gang_patch *
gang_plan_get_patch(const struct gang_plan *plan, size_t index)
{
    return index < gang_plan_num_patches(plan) ? &plan->content.shown[index] : NULL;
}

size_t
gang_plan_num_diagnostics(const struct gang_plan *plan)
{
    return plan ? plan->findings->count : 0;
}

const struct gang_diagnostic *
gang_plan_get_diagnostic(const struct gang_plan *plan, size_t index)
{
    return index < gang_plan_num_diagnostics(plan) ? &plan->findings->items[index] : NULL;
}
