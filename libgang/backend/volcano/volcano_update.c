/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano/volcano.h"

#include <gang/gang-names.h>

#define VOLCANO_TASKS SLICE("minTaskMember")
#define VOLCANO_POLICIES SLICE("subGroupPolicy")

/* ---- of a PodGang ---- */

/*
 * Whether the PodGang is released, with every minReplicas 0, while the live object still has
 * constraints. They are kept for the running pods.
 */
static bool
volcano_podgang_is_released(const struct gang *gang, const struct node *live)
{
    int64_t minimum = 0;

    return gang->minimum == 0 &&
           ((node_int(node_member(live, SLICE("minMember")), &minimum) && minimum > 0) ||
            node_count(node_member(live, VOLCANO_POLICIES)));
}

static const struct slice volcano_podgang_constraints[] = {
    SLICE_INIT("minMember"),
    SLICE_INIT("subGroupPolicy"),
};

static const struct node *
volcano_podgang_expect(const struct update_call *call, const struct node *rendered,
                       const struct node *live)
{
    size_t count = COUNT_OF(volcano_podgang_constraints);
    struct builder spec;

    if (!volcano_podgang_is_released(call->backend->gang, live))
        return rendered;
    spec = build_map(call->arena);
    for (size_t i = 0; i < count; i++)
        build_node(&spec, volcano_podgang_constraints[i],
                   node_member(live, volcano_podgang_constraints[i]));
    for (NODE_EACH(member, rendered))
        if (!slice_equal(node_key(member), volcano_podgang_constraints[0]) &&
            !slice_equal(node_key(member), volcano_podgang_constraints[1]))
            build_node(&spec, node_key(member), member);
    return spec.node;
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
    .fields = volcano_podgang_fields,
    .num_fields = COUNT_OF(volcano_podgang_fields),
    .keeps_status = true,
    .expect = volcano_podgang_expect,
};

/* ---- of a job ---- */

/*
 * Volcano keeps reserving for a finished job, because its pods are gone or fewer than minMember.
 * KubeRay's CleanupOnCompletion, ray-operator/controllers/ray/batchscheduler/volcano, writes the
 * same values; it no longer deletes the PodGroup, because some pods may still have it.
 */
static const struct node *
volcano_released_spec(const struct node *rendered, struct arena *arena)
{
    struct builder spec = build_map(arena);

    build_int(&spec, SLICE("minMember"), 0);
    for (NODE_EACH(member, rendered))
        if (!slice_equal(node_key(member), SLICE("minMember")) &&
            !slice_equal(node_key(member), SLICE("minResources")) &&
            !slice_equal(node_key(member), VOLCANO_POLICIES) &&
            !slice_equal(node_key(member), VOLCANO_TASKS))
            build_node(&spec, node_key(member), member);
    return spec.node;
}

/* Returns 0 for a role that is not in the gang. */
static int64_t
volcano_minimum_of_task(const struct gang *gang, struct slice name)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (slice_equal(gang->roles[i].name, name))
            return gang_role_minimum(gang, i);
    return 0;
}

/*
 * Whether the gang's own minimum contains that of each task, so that a person can have written
 * them. A gang that was rendered for more pods than it has now would otherwise wait forever.
 */
static bool
volcano_meets_tasks(const struct gang *gang, const struct node *tasks)
{
    int64_t minimum;

    for (NODE_EACH(task, tasks))
        if (!node_int(task, &minimum) || minimum > volcano_minimum_of_task(gang, node_key(task)))
            return false;
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

/* Adds what another writer may have set and libgang does not render. */
static const struct node *
volcano_spec_with_others(const struct gang *gang, const struct node *rendered,
                         const struct node *live, struct arena *arena)
{
    const struct node *tasks = node_member(live, VOLCANO_TASKS);
    const struct node *policies = node_member(live, VOLCANO_POLICIES);
    struct builder spec = build_map(arena);

    for (NODE_EACH(member, rendered))
        build_node(&spec, node_key(member), member);
    if (!node_member(rendered, VOLCANO_TASKS) && volcano_meets_tasks(gang, tasks))
        build_node(&spec, VOLCANO_TASKS, tasks);
    if (!node_member(rendered, VOLCANO_POLICIES) && !volcano_has_own_policy(policies))
        build_node(&spec, VOLCANO_POLICIES, policies);
    return spec.node;
}

static const struct node *
volcano_expect(const struct update_call *call, const struct node *rendered, const struct node *live)
{
    return call->is_finished
               ? volcano_released_spec(rendered, call->arena)
               : volcano_spec_with_others(call->backend->gang, rendered, live, call->arena);
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

static const struct update_rules volcano_update_rules = {
    .fields = volcano_fields,
    .num_fields = COUNT_OF(volcano_fields),
    .keeps_status = true,
    .expect = volcano_expect,
};

static const struct update_rules *
volcano_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->wishes->is_grouped ? &volcano_podgang_rules : &volcano_update_rules;
}

const struct backend_updates volcano_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_AS_RENDERED, /* volcano_expect() releases the resources */
    .rules = volcano_rules,
};
