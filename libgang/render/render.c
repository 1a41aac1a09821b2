/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

/* ---- output ---- */

#define OUTPUT_OWNERS SLICE("ownerReferences")

/*
 * Adds labels or annotations: the backend's own have precedence over the policy's, and these over
 * the stamp of the policy, which is unset if there is none.
 */
static void
output_add_map(struct builder *metadata, struct slice name, const struct node *own,
               const struct node *policys, struct slice stamp)
{
    const struct node *all = build_merged(own, policys, metadata->arena);
    struct builder merged;

    if (slice_is_set(stamp)) {
        merged = build_map(metadata->arena);
        build_string(&merged, SLICE(POLICY_STAMP_KEY), stamp);
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
    const struct slice labels = SLICE("labels");
    const struct slice annotations = SLICE("annotations");

    for (NODE_EACH(member, source))
        if (!slice_equal(node_key(member), labels) && !slice_equal(node_key(member), annotations) &&
            !slice_equal(node_key(member), OUTPUT_OWNERS))
            build_node(metadata, node_key(member), member);
    output_add_map(metadata, labels, node_member(source, labels), policy->output.labels, NO_SLICE);
    output_add_map(metadata, annotations, node_member(source, annotations),
                   policy->output.annotations,
                   policy->output.policy_stamp ? policy->stamp : NO_SLICE);
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
    plan->findings = decision->report;
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
    plan_fill(plan, decision->call.created_uid);
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
