/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/volcano_podgang.h"

#include "libgang/backend/loss.h"
#include "libgang/base/quote.h"
#include "libgang/document/finding.h"
#include "libgang/policy/cluster.h"

/*
 * Keys: volcano-sh/apis:pkg/apis/scheduling/v1beta1/{types,labels}.go. Grove writes both annotations; the scheduler
 * reads the first.
 */
static const struct slice volcano_podgang_marks[] = {
    SLICE_INIT(GANG_ANNOTATION_VOLCANO_GROUP_NAME),
    SLICE_INIT("scheduling.volcano.sh/group-name"),
};

static const struct loss volcano_podgang_losses[] = {
    {LOSS_TOPOLOGY, "a PodGang is placed by its own topologyConstraint"},
};

/* Grove's own Init asks the CRD for the field: `requires Volcano 1.14 or newer`. */
static void
volcano_podgang_check_version(const struct gang_cluster *cluster, struct report *report)
{
    struct release volcano = cluster_component(cluster, COMPONENT_VOLCANO);

    if (volcano.is_known && !release_at_least(&volcano, 1, 14))
        find_note(
            report, GANG_CODE_VOLCANO_WITHOUT_SUB_GROUPS,
            cluster_component_source(cluster, COMPONENT_VOLCANO), NULL,
            "volcano scheduler backend requires Volcano 1.14 or newer with PodGroup.spec.subGroupPolicy");
}

static void
volcano_podgang_note_reservation(const struct gang *gang, struct report *report)
{
    if (gang->reserve != RESERVE_ALWAYS && gang->resources.count)
        find_note(
            report, GANG_CODE_MIN_RESOURCES_LEFT_OUT, gang->owner.name_source, NULL,
            "minResources is left out, because Volcano would reserve it from now on: Grove holds the pods "
            "back until all of them exist");
}

static const char volcano_podgang_no_topology[] = "Volcano knows no topology of node labels";

static struct slice
volcano_podgang_level(const struct gang_placement *placement)
{
    struct slice level = slice_is_set(placement->required) ? placement->required : placement->preferred;

    return slice_is_set(level) ? level : placement->topology;
}

static void
volcano_podgang_report_loss(const struct gang_placement *placement, struct report *report)
{
    struct quoted level;

    if (placement->is_set)
        find_note(report, GANG_CODE_FIELD_LOST, placement->source, "choose kai-scheduler",
                  "topology %s is lost: %s", quote(&level, volcano_podgang_level(placement)),
                  volcano_podgang_no_topology);
}

static void
volcano_podgang_render_loss(const struct gang_placement *placement, struct plan_content *content)
{
    if (placement->is_set)
        plan_add_loss(content, SLICE("topology"), volcano_podgang_level(placement),
                      volcano_podgang_no_topology);
}

void
volcano_podgang_validate(const struct backend_call *call, struct report *report)
{
    volcano_podgang_check_version(call->cluster, report);
    volcano_podgang_note_reservation(call->gang, report);
    loss_report(volcano_podgang_losses, 1, call->gang, report);
    volcano_podgang_report_loss(&call->gang->placement, report);
    for (size_t i = 0; i < call->gang->num_groups; i++)
        volcano_podgang_report_loss(&call->gang->groups[i].placement, report);
}

/* Volcano refuses a minimum of 0. */
static int64_t
volcano_podgang_at_least_one(int64_t minimum)
{
    return minimum > 0 ? minimum : 1;
}

static void
volcano_podgang_render_policy(const struct gang *gang, const struct gang_group *group, struct builder *list)
{
    struct builder policy = build_map_item(list);
    struct builder selector;
    struct builder labels;
    struct builder keys;

    build_string(&policy, SLICE("name"), group->name);
    selector = build_map_member(&policy, SLICE("labelSelector"));
    labels = build_map_member(&selector, SLICE("matchLabels"));
    build_string(&labels, gang->role_label, gang->roles[group->role].name);
    keys = build_list_member(&policy, SLICE("matchLabelKeys"));
    build_string_item(&keys, gang->role_label);
    build_int(&policy, SLICE("subGroupSize"), volcano_podgang_at_least_one(group->minimum));
    build_int(&policy, SLICE("minSubGroups"), 1);
}

static void
volcano_podgang_render_policies(const struct gang *gang, struct builder *spec)
{
    struct builder list = {0};

    for (size_t i = 0; i < gang->num_groups; i++) {
        if (gang->groups[i].role == ROLE_NONE)
            continue;
        if (!list.arena)
            list = build_list_member(spec, SLICE("subGroupPolicy"));
        volcano_podgang_render_policy(gang, &gang->groups[i], &list);
    }
}

static void
volcano_podgang_render_spec(const struct gang *gang, struct builder *spec)
{
    build_int(spec, SLICE("minMember"), volcano_podgang_at_least_one(gang->minimum));
    if (gang->reserve == RESERVE_ALWAYS) {
        struct builder resources = build_map_member(spec, SLICE("minResources"));

        resource_list_build(&gang->resources, &resources);
    }
    build_string_if_set(spec, SLICE("queue"), gang->queue);
    if (gang->priority_class_name.len)
        build_string(spec, SLICE("priorityClassName"), gang->priority_class_name);
    volcano_podgang_render_policies(gang, spec);
}

void
volcano_podgang_mark(struct plan_patch *patch, struct slice group)
{
    for (size_t i = 0; i < sizeof(volcano_podgang_marks) / sizeof(volcano_podgang_marks[0]); i++)
        plan_patch_annotation(patch, volcano_podgang_marks[i], group);
}

void
volcano_podgang_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct gang shown = *gang;
    struct builder manifest;
    struct builder spec;

    shown.annotations = NULL; /* Grove copies labels alone */
    manifest = backend_manifest(&shown, content->arena, call->api_version, SLICE("PodGroup"));
    spec = build_map_member(&manifest, SLICE("spec"));
    volcano_podgang_render_spec(gang, &spec);
    loss_render(volcano_podgang_losses, 1, gang, content);
    volcano_podgang_render_loss(&gang->placement, content);
    for (size_t i = 0; i < gang->num_groups; i++)
        volcano_podgang_render_loss(&gang->groups[i].placement, content);
    plan_add_object(content, manifest.node);
    for (size_t i = 0; i < gang->num_roles; i++)
        volcano_podgang_mark(&content->patches[i], gang->name);
}

/* A PodGang that is let go, with every minReplicas 0, does not loosen what its running pods are held together by. */
static bool
volcano_podgang_is_released(const struct gang *gang, const struct node *live)
{
    int64_t minimum = 0;

    return gang->minimum == 0 &&
           ((node_int(node_member(live, SLICE("minMember")), &minimum) && minimum > 0) ||
            node_count(node_member(live, SLICE("subGroupPolicy"))));
}

static const struct slice volcano_podgang_constraints[] = {
    SLICE_INIT("minMember"),
    SLICE_INIT("subGroupPolicy"),
};

static const struct node *
volcano_podgang_expect(const struct update_call *call, const struct node *rendered, const struct node *live)
{
    size_t count = sizeof(volcano_podgang_constraints) / sizeof(volcano_podgang_constraints[0]);
    struct builder spec;

    if (!volcano_podgang_is_released(call->backend->gang, live))
        return rendered;
    spec = build_map(call->arena);
    for (size_t i = 0; i < count; i++)
        build_node(&spec, volcano_podgang_constraints[i], node_member(live, volcano_podgang_constraints[i]));
    for (NODE_EACH(member, rendered))
        if (!slice_equal(node_key(member), volcano_podgang_constraints[0]) &&
            !slice_equal(node_key(member), volcano_podgang_constraints[1]))
            build_node(&spec, node_key(member), member);
    return spec.node;
}

/* ai-dynamo/grove:operator/internal/scheduler/volcano/backend.go@fcc3b3bb SyncPodGang: CreateOrPatch of these fields. */
static const struct update_field volcano_podgang_fields[] = {
    {SLICE_INIT("minMember"), UPDATE_OURS, false},
    {SLICE_INIT("minResources"), UPDATE_GIVEN, true}, /* which Grove never writes */
    {SLICE_INIT("queue"), UPDATE_OURS, false},
    {SLICE_INIT("priorityClassName"), UPDATE_OURS, false},
    {SLICE_INIT("subGroupPolicy"), UPDATE_OURS, false},
};

const struct update_rules volcano_podgang_rules = {
    .fields = volcano_podgang_fields,
    .num_fields = sizeof(volcano_podgang_fields) / sizeof(volcano_podgang_fields[0]),
    .expect = volcano_podgang_expect,
};
