/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload_update.h"

#include "libgang/backend/workload/workload_versions.h"

/* ---- workload options ---- */

static const char *const workload_name_styles[] = {"Plain", "Hashed", NULL};
static const char *const workload_late_choices[] = {"Join", "Exclude", "Error", NULL};
static const char *const workload_initializer_choices[] = {"Outside", "Basic", NULL};
static const char *const workload_group_choices[] = {"Job", "Role", NULL};
static const char *const workload_disruption_modes[] = {"Single", "All", NULL};
static const char *const workload_composite_choices[] = {"Never", "WhereServed", NULL};
/* kubernetes/api:core/v1/types.go PreemptionPolicy */
static const char *const workload_preemption_policies[] = {"PreemptLowerPriority", "Never", NULL};

static const struct schema workload_name_style = {
    .type = SCHEMA_STRING,
    .enumeration = workload_name_styles,
    .default_text = "\"Plain\"",
    .description = "How objects are called. `Plain`: after the job; `Hashed`: with a hash behind it, as "
                   "Kubernetes' own controllers call theirs.",
};
static const struct schema workload_late_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_late_choices,
    .default_text = "\"Join\"",
    .description = "What becomes of roles that start after the first wave. `Join`: they are members beyond "
                   "the minimum; `Exclude`: they are left outside; `Error`: such a job is refused.",
};
static const struct schema workload_initializer_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_initializer_choices,
    .default_text = "\"Outside\"",
    .description = "`Outside`: initializers carry no mark; `Basic`: they get a group of their own whose pods "
                   "do not wait for each other.",
};
static const struct schema workload_group_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_group_choices,
    .default_text = "\"Job\"",
    .description = "`Job`: all members are one group; `Role`: each role is a group of its own.",
};
static const struct schema workload_composite_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_composite_choices,
    .default_text = "\"Never\"",
    .description = "`WhereServed`: groups that run together are joined in a CompositePodGroup where the "
                   "cluster serves it.",
};
static const struct schema workload_disruption = {
    .type = SCHEMA_STRING,
    .enumeration = workload_disruption_modes,
    .description = "What may be disrupted. `Single`: one pod; `All`: only the whole group. Without it the "
                   "API server's default, a single pod.",
};
static const struct schema workload_preemption = {
    .type = SCHEMA_STRING,
    .enumeration = workload_preemption_policies,
    .description = "Whether the group may preempt others. Without it the priority class decides.",
};

/* kubernetes/api:scheduling/v1beta1/types.go PodGroupResourceClaim: at most MaxPodGroupResourceClaims, 4. */
static const struct schema workload_claim_of_namespace = {
    .type = SCHEMA_STRING, .min_length = 1, .description = "Name of a ResourceClaim of the job's namespace."};
static const struct schema workload_claim_template = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Name of a ResourceClaimTemplate of the job's namespace."};
static const struct schema workload_claim_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .max_length = 63,
    .description = "How pods refer to the claim.",
};
static const struct schema_field workload_claim_fields[] = {
    {SLICE_INIT("name"), &workload_claim_name, true},
    {SLICE_INIT("resourceClaimName"), &workload_claim_of_namespace, false},
    {SLICE_INIT("resourceClaimTemplateName"), &workload_claim_template, false},
};
static const struct schema workload_claim = {.type = SCHEMA_OBJECT,
                                             SCHEMA_FIELDS(workload_claim_fields),
                                             .description = "One claim.",
                                             .form = "{name: NAME, resourceClaimName: CLAIM}"};
static const char *const workload_claim_keys[] = {"name", NULL};
static const struct schema workload_claims = {
    .type = SCHEMA_LIST,
    .values = &workload_claim,
    .keys = workload_claim_keys,
    .max_length = 4,
    .description =
        "Resource claims that the pods of the group share; each names a claim or a template of claims.",
    .form = "[{name: NAME, resourceClaimName: CLAIM}]",
};

static const struct schema workload_topology_key = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Key of the node label whose values are the domains; the whole group runs in one of them.",
};

static const struct schema_field workload_option_fields[] = {
    {SLICE_INIT("composite"), &workload_composite_choice, false},
    {SLICE_INIT("disruptionMode"), &workload_disruption, false},
    {SLICE_INIT("groups"), &workload_group_choice, false},
    {SLICE_INIT("initializers"), &workload_initializer_choice, false},
    {SLICE_INIT("lateMembers"), &workload_late_choice, false},
    {SLICE_INIT("nameStyle"), &workload_name_style, false},
    {SLICE_INIT("preemptionPolicy"), &workload_preemption, false},
    {SLICE_INIT("resourceClaims"), &workload_claims, false},
    {SLICE_INIT("topologyKey"), &workload_topology_key, false},
};
const struct schema workload_options_schema = {.type = SCHEMA_OBJECT,
                                               SCHEMA_FIELDS(workload_option_fields),
                                               .description = "Options of the type Workload."};

static bool
workload_option_is(const struct node *option, struct slice value)
{
    return slice_equal(node_string(option), value);
}

static enum gang_late
workload_late_of(const struct node *option)
{
    if (workload_option_is(option, SLICE("Exclude")))
        return LATE_EXCLUDE;
    return workload_option_is(option, SLICE("Error")) ? LATE_REFUSE : LATE_JOIN;
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
    read.late = workload_late_of(read.late_source);
    read.groups_initializers = workload_option_is(read.initializers_source, SLICE("Basic"));
    read.composite = workload_option_is(read.composite_source, SLICE("WhereServed"));
    return read;
}

/* ---- workload update ---- */

#define WORKLOAD_COUNT_OF(array) (sizeof(array) / sizeof((array)[0]))

#define WORKLOAD_FIELD(name_, class_)                                                                        \
    {                                                                                                        \
        .name = SLICE_INIT(name_), .class = (class_)                                                         \
    }

/* v1alpha1: a Workload may get its controller once. */
static const struct update_field workload_fields_of_1_35[] = {
    WORKLOAD_FIELD("controllerRef", UPDATE_ONCE),
    WORKLOAD_FIELD("podGroups", UPDATE_FROZEN),
};
/* v1alpha2: nothing. */
static const struct update_field workload_fields_of_1_36[] = {
    WORKLOAD_FIELD("controllerRef", UPDATE_FROZEN),
    WORKLOAD_FIELD("podGroupTemplates", UPDATE_FROZEN),
};
static const struct update_field workload_group_fields_of_1_36[] = {
    WORKLOAD_FIELD("podGroupTemplateRef", UPDATE_FROZEN),
    WORKLOAD_FIELD("schedulingPolicy", UPDATE_FROZEN),
    WORKLOAD_FIELD("schedulingConstraints", UPDATE_FROZEN),
    WORKLOAD_FIELD("resourceClaims", UPDATE_FROZEN),
    WORKLOAD_FIELD("disruptionMode", UPDATE_FROZEN),
    WORKLOAD_FIELD("priorityClassName", UPDATE_FROZEN),
    WORKLOAD_FIELD("priority", UPDATE_FROZEN),
};
/* v1alpha3 and v1beta1: minCount, in a PodGroup and in the template of one. */
static const struct update_field workload_fields_of_1_37[] = {
    WORKLOAD_FIELD("controllerRef", UPDATE_FROZEN),
    WORKLOAD_FIELD("podGroupTemplates", UPDATE_COUNTED),
    WORKLOAD_FIELD("compositePodGroupTemplates", UPDATE_COUNTED),
};
static const struct update_field workload_group_fields_of_1_37[] = {
    WORKLOAD_FIELD("parentCompositePodGroupName", UPDATE_FROZEN),
    WORKLOAD_FIELD("workloadRef", UPDATE_FROZEN),
    WORKLOAD_FIELD("schedulingPolicy", UPDATE_COUNTED),
    WORKLOAD_FIELD("schedulingConstraints", UPDATE_FROZEN),
    WORKLOAD_FIELD("resourceClaims", UPDATE_FROZEN),
    WORKLOAD_FIELD("disruptionMode", UPDATE_FROZEN),
    WORKLOAD_FIELD("priorityClassName", UPDATE_FROZEN),
    WORKLOAD_FIELD("priority", UPDATE_FROZEN),
    WORKLOAD_FIELD("preemptionPolicy", UPDATE_FROZEN),
};

/* What a group has that admission fills in where nothing is said. */
static const struct slice workload_admitted[] = {
    SLICE_INIT("priorityClassName"), /* of the globalDefault class */
    SLICE_INIT("priority"),
    SLICE_INIT("preemptionPolicy"),
};

static bool
workload_is_admitted(struct slice name)
{
    for (size_t i = 0; i < WORKLOAD_COUNT_OF(workload_admitted); i++)
        if (slice_equal(workload_admitted[i], name))
            return true;
    return false;
}

/* disruptionMode is defaulted to one pod at a time: `Pod`, or `{single: {}}`. */
static bool
workload_is_default_mode(const struct node *member)
{
    return slice_equal(node_key(member), workload_field_names[WORKLOAD_DISRUPTION]) &&
           (slice_equal(node_string(member), SLICE("Pod")) || node_member(member, SLICE("single")));
}

/* Unless its gate is known to be on, the server may have dropped the field without a word. */
static bool
workload_may_be_dropped(const struct backend_call *call, struct slice name)
{
    const struct workload_version *version = workload_version_of(call->api_version);

    for (int i = 0; i < WORKLOAD_FIELD_COUNT; i++)
        if (slice_equal(workload_field_names[i], name))
            return slice_is_set(version->fields[i].gate) &&
                   cluster_has_gate(call->cluster, version->fields[i].gate) != CLUSTER_YES;
    return false;
}

/* A dropped field is not there; a dropped disruptionMode of Kubernetes 1.36 is stored as the default. */
static bool
workload_was_dropped(const struct backend_call *call, const struct node *wanted, const struct node *live)
{
    const struct node *there = node_member(live, node_key(wanted));

    return workload_may_be_dropped(call, node_key(wanted)) && (!there || workload_is_default_mode(there));
}

static void workload_expect_body(const struct update_call *call, const struct node *rendered,
                                 const struct node *live, struct builder *body);

/* The template of the same name; NULL for none. */
static const struct node *
workload_template_of(const struct node *templates, const struct node *rendered)
{
    struct slice name = node_string(node_member(rendered, SLICE("name")));

    for (NODE_EACH(item, templates))
        if (slice_equal(node_string(node_member(item, SLICE("name"))), name))
            return item;
    return NULL;
}

static void
workload_expect_templates(const struct update_call *call, const struct node *rendered,
                          const struct node *live, struct builder *body)
{
    struct builder list = build_list_member(body, node_key(rendered));

    for (NODE_EACH(item, rendered)) {
        struct builder template = build_map_item(&list);

        workload_expect_body(call, item, workload_template_of(live, item), &template);
    }
}

static bool
workload_is_templates(const struct node *member)
{
    return slice_equal(node_key(member), SLICE("podGroupTemplates")) ||
           slice_equal(node_key(member), SLICE("compositePodGroupTemplates"));
}

/*
 * A group, a template, or the spec that holds templates, as the server has it. Templates nest four deep at most, as they
 * are rendered here.
 */
static void
workload_expect_body(const struct update_call *call, const struct node *rendered, const struct node *live,
                     struct builder *body)
{
    for (NODE_EACH(member, rendered)) {
        const struct node *there = node_member(live, node_key(member));

        if (workload_is_templates(member))
            workload_expect_templates(call, member, there, body);
        else if (!workload_was_dropped(call->backend, member, live))
            build_node(body, node_key(member), member);
        else if (there)
            build_node(body, node_key(member), there);
    }
    for (NODE_EACH(member, live))
        if (!node_member(rendered, node_key(member)) &&
            (workload_is_admitted(node_key(member)) || workload_is_default_mode(member)))
            build_node(body, node_key(member), member);
}

static const struct node *
workload_expect(const struct update_call *call, const struct node *rendered, const struct node *live)
{
    struct builder spec = build_map(call->arena);

    workload_expect_body(call, rendered, live, &spec);
    return spec.node;
}

#define WORKLOAD_RULES(table)                                                                                \
    {                                                                                                        \
        .fields = (table), .num_fields = WORKLOAD_COUNT_OF(table), .expect = workload_expect                 \
    }

static const struct update_rules workload_rules_of_1_35 = WORKLOAD_RULES(workload_fields_of_1_35);
static const struct update_rules workload_rules_of_1_36 = WORKLOAD_RULES(workload_fields_of_1_36);
static const struct update_rules workload_group_rules_of_1_36 = WORKLOAD_RULES(workload_group_fields_of_1_36);
static const struct update_rules workload_rules_of_1_37 = WORKLOAD_RULES(workload_fields_of_1_37);
static const struct update_rules workload_group_rules_of_1_37 = WORKLOAD_RULES(workload_group_fields_of_1_37);

static const struct update_rules *
workload_rules(const struct backend_call *call, struct slice kind)
{
    const struct workload_version *version = workload_version_of(call->api_version);
    bool is_workload = slice_equal(kind, workload_updates.kinds[0]);

    if (version->reference == WORKLOAD_REF_NONE)
        return &workload_rules_of_1_35;
    if (version->reference == WORKLOAD_REF_TEMPLATE)
        return is_workload ? &workload_rules_of_1_36 : &workload_group_rules_of_1_36;
    return is_workload ? &workload_rules_of_1_37 : &workload_group_rules_of_1_37;
}

/* A Workload goes before its job is resumed, so that priorities are resolved anew; PodGroups stand before it is finished. */
const struct backend_updates workload_updates = {
    .group = SLICE_INIT("scheduling.k8s.io"),
    .kinds = {SLICE_INIT("Workload"), SLICE_INIT("CompositePodGroup"), SLICE_INIT("PodGroup")},
    .suspended = REST_DELETED,
    .finished = REST_UNTOUCHED,
    .is_replaced_whole = true,
    .rules = workload_rules,
};
