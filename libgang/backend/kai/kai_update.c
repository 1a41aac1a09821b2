/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#define KAI_TOPOLOGY_CONSTRAINT SLICE("topologyConstraint")

/*
 * The CRD has no defaults and no immutable fields. The queue of an existing group is kept, even if
 * a label now says otherwise.
 */
static const struct update_field kai_update_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS),
    UPDATE_FIELD("minSubGroup", UPDATE_OURS),
    UPDATE_FIELD("queue", UPDATE_KEPT),
    UPDATE_FIELD("priorityClassName", UPDATE_OURS),
    UPDATE_FIELD("preemptibility", UPDATE_OURS),
    UPDATE_FIELD("topologyConstraint", UPDATE_OURS),
    UPDATE_FIELD("subGroups", UPDATE_OURS),
    UPDATE_FIELD("preemptionDelay", UPDATE_OURS),
    UPDATE_FIELD("stalenessGracePeriod", UPDATE_OURS),
    UPDATE_FIELD("markUnschedulable", UPDATE_KEPT),
    UPDATE_FIELD("schedulingBackoff", UPDATE_KEPT),
};

static const struct update_label kai_podgrouper_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), true},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};
static const struct update_label kai_grove_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), false},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};

/* Whether the live topology is kept: the job names none, and another writer may have set it. */
static bool
kai_keeps_topology(const struct update_call *call, const struct node *rendered)
{
    struct release release = cluster_component(call->backend->cluster, CATALOG_AT_kai);

    return !node_text(node_at(rendered, "topologyConstraint.topology")).len &&
           kai_has(KAI_KEEPS_TOPOLOGY, release.is_known ? &release : &kai_newest_release);
}

static const struct node *
kai_podgrouper_expect(const struct update_call *call, const struct node *rendered,
                      const struct node *live)
{
    struct builder spec;

    if (!kai_keeps_topology(call, rendered))
        return rendered;
    spec = build_map(call->arena);
    for (NODE_EACH(member, rendered))
        if (!slice_equal(node_key(member), KAI_TOPOLOGY_CONSTRAINT))
            build_node(&spec, node_key(member), member);
    build_node(&spec, KAI_TOPOLOGY_CONSTRAINT, node_member(live, KAI_TOPOLOGY_CONSTRAINT));
    return spec.node;
}

const struct update_rules kai_podgrouper_rules = {
    .fields = kai_update_fields,
    .num_fields = COUNT_OF(kai_update_fields),
    .labels = kai_podgrouper_labels,
    .num_labels = COUNT_OF(kai_podgrouper_labels),
    .replaces_owners = true,
    .expect = kai_podgrouper_expect,
};
static const struct update_rules kai_grove_rules = {
    .fields = kai_update_fields,
    .num_fields = COUNT_OF(kai_update_fields),
    .labels = kai_grove_labels,
    .num_labels = COUNT_OF(kai_grove_labels),
    .replaces_owners = true,
};

static const struct update_rules *
kai_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->wishes->is_grouped ? &kai_grove_rules : &kai_podgrouper_rules;
}

/* A PodGroup of KAI reserves nothing: its queue counts pods. */
const struct backend_updates kai_updates = {
    .names_have_namespace = true,
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = kai_rules,
};
