/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

/* ---- workload options ---- */

static bool
workload_option_is(const struct node *option, struct slice value)
{
    return slice_equal(node_string(option), value);
}

struct workload_options
workload_options_read(const struct node *options)
{
    struct workload_options read = {
        .late_source = node_member(options, SLICE("lateMembers")),
        .initializers_source = node_member(options, SLICE("initializers")),
        .composite_source = node_member(options, SLICE("composite")),
        .topology_key = node_member(options, SLICE("topologyKey")),
        .disruption_mode = node_member(options, SLICE("disruptionMode")),
        .preemption_policy = node_member(options, SLICE("preemptionPolicy")),
        .resource_claims = node_member(options, SLICE("resourceClaims")),
    };

    read.is_hashed = workload_option_is(node_member(options, SLICE("nameStyle")), SLICE("Hashed"));
    read.by_role = workload_option_is(node_member(options, SLICE("groups")), SLICE("Role"));
    if (workload_option_is(read.late_source, SLICE("Exclude")))
        read.late = LATE_EXCLUDE;
    else if (workload_option_is(read.late_source, SLICE("Error")))
        read.late = LATE_REFUSE;
    read.groups_initializers = workload_option_is(read.initializers_source, SLICE("Basic"));
    read.composite = workload_option_is(read.composite_source, SLICE("WhereServed"));
    return read;
}

/* ---- workload update ---- */

/* v1alpha1: a Workload without a controllerRef may get one once. */
static const struct update_field workload_fields_of_1_35[] = {
    UPDATE_FIELD("controllerRef", UPDATE_ONCE),
    UPDATE_FIELD("podGroups", UPDATE_FROZEN),
};
/* v1alpha2: no field may change. */
static const struct update_field workload_fields_of_1_36[] = {
    UPDATE_FIELD("controllerRef", UPDATE_FROZEN),
    UPDATE_FIELD("podGroupTemplates", UPDATE_FROZEN),
};
static const struct update_field workload_group_fields_of_1_36[] = {
    UPDATE_FIELD("podGroupTemplateRef", UPDATE_FROZEN),
    UPDATE_FIELD("schedulingPolicy", UPDATE_FROZEN),
    UPDATE_FIELD("schedulingConstraints", UPDATE_FROZEN),
    UPDATE_FIELD("resourceClaims", UPDATE_FROZEN),
    UPDATE_FIELD("disruptionMode", UPDATE_FROZEN),
    UPDATE_FIELD("priorityClassName", UPDATE_FROZEN),
    UPDATE_FIELD("priority", UPDATE_FROZEN),
};
/* v1alpha3 and v1beta1: minCount may change, in a PodGroup and in its template. */
static const struct update_field workload_fields_of_1_37[] = {
    UPDATE_FIELD("controllerRef", UPDATE_FROZEN),
    UPDATE_FIELD("podGroupTemplates", UPDATE_COUNTED),
    UPDATE_FIELD("compositePodGroupTemplates", UPDATE_COUNTED),
};
static const struct update_field workload_group_fields_of_1_37[] = {
    UPDATE_FIELD("parentCompositePodGroupName", UPDATE_FROZEN),
    UPDATE_FIELD("workloadRef", UPDATE_FROZEN),
    UPDATE_FIELD("schedulingPolicy", UPDATE_COUNTED),
    UPDATE_FIELD("schedulingConstraints", UPDATE_FROZEN),
    UPDATE_FIELD("resourceClaims", UPDATE_FROZEN),
    UPDATE_FIELD("disruptionMode", UPDATE_FROZEN),
    UPDATE_FIELD("priorityClassName", UPDATE_FROZEN),
    UPDATE_FIELD("priority", UPDATE_FROZEN),
    UPDATE_FIELD("preemptionPolicy", UPDATE_FROZEN),
};

/*
 * Whether the member is the default of disruptionMode, one pod at a time: `Pod`, or `{single: {}}`.
 */
static bool
workload_is_default_mode(const struct node *member)
{
    return slice_equal(node_key(member), workload_field_names[WORKLOAD_DISRUPTION]) &&
           (slice_equal(node_string(member), SLICE("Pod")) || node_member(member, SLICE("single")));
}

/* Whether the server may have silently dropped the field: its gate is not known to be on. */
static bool
workload_may_be_dropped(const struct backend_call *call, struct slice name)
{
    const struct workload_version *version = workload_version_of(call->api_version);

    for (int i = 0; i < WORKLOAD_FIELD_COUNT; i++)
        if (slice_equal(workload_field_names[i], name))
            return version->fields[i].is_there &&
                   workload_keeps_field(version, (enum workload_field)i, call->cluster) !=
                       CLUSTER_YES;
    return false;
}

/*
 * Builds a group, a template, or the spec that holds templates, as the server stores it. A field
 * was dropped if it is absent or, for disruptionMode in Kubernetes 1.36, stored as the default.
 * Rendered templates nest at most four levels deep.
 */
static void
workload_expect_body(const struct update_call *call, const struct node *rendered,
                     const struct node *live, struct builder *body)
{
    for (NODE_EACH(member, rendered)) {
        const struct slice key = node_key(member);
        const struct node *there = node_member(live, key);

        if (slice_equal(key, SLICE("podGroupTemplates")) ||
            slice_equal(key, SLICE("compositePodGroupTemplates"))) {
            struct builder list = build_list_member(body, key);

            for (NODE_EACH(item, member)) {
                struct builder template = build_map_item(&list);

                workload_expect_body(call, item, node_item_named(there, node_name(item)),
                                     &template);
            }
        } else if (!workload_may_be_dropped(call->backend, key) ||
                   (there && !workload_is_default_mode(there))) {
            build_node(body, key, member);
        } else if (there) {
            build_node(body, key, there);
        }
    }
    for (NODE_EACH(member, live)) {
        /* Admission fills these fields of a group in. */
        struct slice name = node_key(member);

        if (!node_member(rendered, node_key(member)) &&
            (slice_equal(name, SLICE("priorityClassName")) || /* from the globalDefault class */
             slice_equal(name, SLICE("priority")) || slice_equal(name, SLICE("preemptionPolicy")) ||
             workload_is_default_mode(member)))
            build_node(body, node_key(member), member);
    }
}

static const struct node *
workload_expect(const struct update_call *call, const struct node *rendered,
                const struct node *live)
{
    struct builder spec = build_map(call->arena);

    workload_expect_body(call, rendered, live, &spec);
    return spec.node;
}

/* Source: kubernetes/api:scheduling/v1beta1/types.go@v0.38.0-beta.0, field minGroupCount. */
static bool
workload_scales_groups(const struct backend_call *call)
{
    const struct release release = cluster_kubernetes(call->cluster);

    return release.is_known && release_at_least(&release, 1, 38);
}

#define WORKLOAD_RULES(table)                                                                      \
    {                                                                                              \
        UPDATE_FIELDS(table), .expect = workload_expect, .scales_groups = workload_scales_groups   \
    }

/* Of groups, and of Workloads: v1alpha1 has no groups. */
static const struct update_rules workload_rules_of[][2] = {
    [WORKLOAD_REF_NONE] = {WORKLOAD_RULES(workload_fields_of_1_35),
                           WORKLOAD_RULES(workload_fields_of_1_35)},
    [WORKLOAD_REF_TEMPLATE] = {WORKLOAD_RULES(workload_group_fields_of_1_36),
                               WORKLOAD_RULES(workload_fields_of_1_36)},
    [WORKLOAD_REF_FLAT] = {WORKLOAD_RULES(workload_group_fields_of_1_37),
                           WORKLOAD_RULES(workload_fields_of_1_37)},
};

static const struct update_rules *
workload_rules(const struct backend_call *call, struct slice kind)
{
    const enum workload_reference reference = workload_version_of(call->api_version)->reference;

    return &workload_rules_of[reference][slice_equal(kind, workload_descriptor.kinds[0])];
}

/* The Workload of v1alpha2, the Workload of v1alpha3 and v1beta1, and the composite group. */
static const struct update_reference workload_references[] = {
    {"spec.podGroupTemplateRef.workload.workloadName", SLICE_INIT("Workload")},
    {"spec.workloadRef.workloadName", SLICE_INIT("Workload")},
    {"spec.parentCompositePodGroupName", SLICE_INIT("CompositePodGroup")},
};

/* A Workload of the Job controller of Kubernetes has one template. */
static struct slice
workload_template_of(const struct node *object)
{
    const struct node *own = node_first(node_at(object, "spec.podGroupTemplates"));
    const struct node *name =
        node_at(object, "spec.podGroupTemplateRef.workload.podGroupTemplateName");

    if (own)
        return node_name(own);
    return node_string(name ? name : node_at(object, "spec.workloadRef.templateName"));
}

/*
 * A Workload is deleted before its job is resumed, so that priorities are resolved again. The
 * PodGroups of a finished job already exist.
 */
const struct backend_updates workload_updates = {
    .suspended = REST_DELETED,
    .finished = REST_UNTOUCHED,
    .is_replaced_whole = true,
    .references = workload_references,
    .num_references = COUNT_OF(workload_references),
    .template_of = workload_template_of,
    .rules = workload_rules,
};
