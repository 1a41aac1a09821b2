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
    .type = SCHEMA_STRING, .enumeration = workload_name_styles, .default_text = "\"Plain\""};
static const struct schema workload_late_choice = {
    .type = SCHEMA_STRING, .enumeration = workload_late_choices, .default_text = "\"Join\""};
static const struct schema workload_initializer_choice = {
    .type = SCHEMA_STRING, .enumeration = workload_initializer_choices, .default_text = "\"Outside\""};
static const struct schema workload_group_choice = {
    .type = SCHEMA_STRING, .enumeration = workload_group_choices, .default_text = "\"Job\""};
static const struct schema workload_composite_choice = {
    .type = SCHEMA_STRING, .enumeration = workload_composite_choices, .default_text = "\"Never\""};
static const struct schema workload_disruption = {.type = SCHEMA_STRING,
                                                  .enumeration = workload_disruption_modes};
static const struct schema workload_preemption = {.type = SCHEMA_STRING,
                                                  .enumeration = workload_preemption_policies};

/* kubernetes/api:scheduling/v1beta1/types.go PodGroupResourceClaim: at most MaxPodGroupResourceClaims, 4. */
static const struct schema workload_text = {.type = SCHEMA_STRING, .min_length = 1};
static const struct schema workload_claim_name = {.type = SCHEMA_STRING, .min_length = 1, .max_length = 63};
static const struct schema_field workload_claim_fields[] = {
    {"name", &workload_claim_name, true},
    {"resourceClaimName", &workload_text, false},
    {"resourceClaimTemplateName", &workload_text, false},
};
static const struct schema workload_claim = {.type = SCHEMA_OBJECT,
                                             .fields = workload_claim_fields,
                                             .num_fields = WORKLOAD_COUNT(workload_claim_fields)};
static const char *const workload_claim_keys[] = {"name", NULL};
static const struct schema workload_claims = {
    .type = SCHEMA_LIST, .values = &workload_claim, .keys = workload_claim_keys, .max_length = 4};

static const struct schema_field workload_option_fields[] = {
    {"composite", &workload_composite_choice, false},
    {"disruptionMode", &workload_disruption, false},
    {"groups", &workload_group_choice, false},
    {"initializers", &workload_initializer_choice, false},
    {"lateMembers", &workload_late_choice, false},
    {"nameStyle", &workload_name_style, false},
    {"preemptionPolicy", &workload_preemption, false},
    {"resourceClaims", &workload_claims, false},
    {"topologyKey", &workload_text, false},
};
const struct schema workload_options_schema = {.type = SCHEMA_OBJECT,
                                               .fields = workload_option_fields,
                                               .num_fields = WORKLOAD_COUNT(workload_option_fields)};

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
