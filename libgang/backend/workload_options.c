/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload_options.h"

#define WORKLOAD_COUNT(table) (sizeof(table) / sizeof((table)[0]))

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
    {"name", &workload_claim_name, true},
    {"resourceClaimName", &workload_claim_of_namespace, false},
    {"resourceClaimTemplateName", &workload_claim_template, false},
};
static const struct schema workload_claim = {.type = SCHEMA_OBJECT,
                                             .fields = workload_claim_fields,
                                             .num_fields = WORKLOAD_COUNT(workload_claim_fields),
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
    {"composite", &workload_composite_choice, false},  {"disruptionMode", &workload_disruption, false},
    {"groups", &workload_group_choice, false},         {"initializers", &workload_initializer_choice, false},
    {"lateMembers", &workload_late_choice, false},     {"nameStyle", &workload_name_style, false},
    {"preemptionPolicy", &workload_preemption, false}, {"resourceClaims", &workload_claims, false},
    {"topologyKey", &workload_topology_key, false},
};
const struct schema workload_options_schema = {.type = SCHEMA_OBJECT,
                                               .fields = workload_option_fields,
                                               .num_fields = WORKLOAD_COUNT(workload_option_fields),
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
