/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_update.h"

#include "libgang/backend/kai_fields.h"
#include "libgang/backend/kai_settings.h"

#define KAI_TOPOLOGY_CONSTRAINT SLICE("topologyConstraint")

/* The CRD has no defaults and freezes nothing; the queue of a group that exists stays, whatever a label says by now. */
static const struct update_field kai_update_fields[] = {
    {SLICE_INIT("minMember"), UPDATE_OURS, false},
    {SLICE_INIT("minSubGroup"), UPDATE_OURS, false},
    {SLICE_INIT("queue"), UPDATE_KEPT, false},
    {SLICE_INIT("priorityClassName"), UPDATE_OURS, false},
    {SLICE_INIT("preemptibility"), UPDATE_OURS, false},
    {SLICE_INIT("topologyConstraint"), UPDATE_OURS, false},
    {SLICE_INIT("subGroups"), UPDATE_OURS, false},
    {SLICE_INIT("preemptionDelay"), UPDATE_OURS, false},
    {SLICE_INIT("stalenessGracePeriod"), UPDATE_OURS, false},
    {SLICE_INIT("markUnschedulable"), UPDATE_KEPT, false},
    {SLICE_INIT("schedulingBackoff"), UPDATE_KEPT, false},
};

static const struct update_label kai_podgrouper_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), true},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};
static const struct update_label kai_grove_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), false},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};

/* Somebody else may have given the group its topology, where the job names none. */
static bool
kai_keeps_topology(const struct update_call *call, const struct node *rendered)
{
    struct release release = cluster_component(call->backend->cluster, COMPONENT_KAI);

    return !node_text(node_at(rendered, "topologyConstraint.topology")).len &&
           kai_has(KAI_KEEPS_TOPOLOGY, release.is_known ? &release : &kai_newest_release);
}

static const struct node *
kai_podgrouper_expect(const struct update_call *call, const struct node *rendered, const struct node *live)
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

static const struct update_rules kai_podgrouper_rules = {
    .fields = kai_update_fields,
    .num_fields = sizeof(kai_update_fields) / sizeof(kai_update_fields[0]),
    .labels = kai_podgrouper_labels,
    .num_labels = sizeof(kai_podgrouper_labels) / sizeof(kai_podgrouper_labels[0]),
    .replaces_owners = true,
    .expect = kai_podgrouper_expect,
};
static const struct update_rules kai_grove_rules = {
    .fields = kai_update_fields,
    .num_fields = sizeof(kai_update_fields) / sizeof(kai_update_fields[0]),
    .labels = kai_grove_labels,
    .num_labels = sizeof(kai_grove_labels) / sizeof(kai_grove_labels[0]),
    .replaces_owners = true,
};

static const struct update_rules *
kai_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->front_end == FRONT_END_PODGANG ? &kai_grove_rules : &kai_podgrouper_rules;
}

/* A PodGroup of KAI reserves nothing: its queue counts pods. */
const struct backend_updates kai_updates = {
    .group = SLICE_INIT("scheduling.run.ai"),
    .kinds = {SLICE_INIT("PodGroup")},
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = kai_rules,
};
