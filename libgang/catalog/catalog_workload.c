/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

/* ---- options ---- */

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
    .description = "Names of objects. `Plain`: the name of the job; `Hashed`: the name of "
                   "the job and a hash, as the controllers of Kubernetes do.",
};
static const struct schema workload_late_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_late_choices,
    .default_text = "\"Join\"",
    .description = "How to handle roles that start after the first wave. `Join`: they are "
                   "members that do not count for the minimum; `Exclude`: they are outside "
                   "the gang; `Error`: refuse the job.",
};
static const struct schema workload_initializer_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_initializer_choices,
    .default_text = "\"Outside\"",
    .description = "`Outside`: initializers are in no group; `Basic`: initializers get a "
                   "separate group whose pods do not wait for each other.",
};
static const struct schema workload_group_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_group_choices,
    .default_text = "\"Job\"",
    .description = "`Job`: all members are in one group; `Role`: each role is a separate group.",
};
static const struct schema workload_composite_choice = {
    .type = SCHEMA_STRING,
    .enumeration = workload_composite_choices,
    .default_text = "\"Never\"",
    .description = "`WhereServed`: join groups that run together in a CompositePodGroup if "
                   "the cluster serves this kind.",
};
static const struct schema workload_disruption = {
    .type = SCHEMA_STRING,
    .enumeration = workload_disruption_modes,
    .description = "Unit of disruption. `Single`: one pod; `All`: only the complete group. "
                   "Default: the default of the API server, a single pod.",
};
static const struct schema workload_preemption = {
    .type = SCHEMA_STRING,
    .enumeration = workload_preemption_policies,
    .description = "Whether the group may preempt other pods. Default: as in the priority class.",
};

/*
 * kubernetes/api:scheduling/v1beta1/types.go PodGroupResourceClaim: at most
 * MaxPodGroupResourceClaims, 4.
 */
static const struct schema workload_claim_of_namespace = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Name of a ResourceClaim of the job's namespace."};
static const struct schema workload_claim_template = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Name of a ResourceClaimTemplate of the job's namespace."};
static const struct schema workload_claim_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .max_length = 63,
    .description = "Name of the claim in the pods.",
};
static const struct schema_field workload_claim_fields[] = {
    {SLICE_INIT("name"), &workload_claim_name, true},
    {SLICE_INIT("resourceClaimName"), &workload_claim_of_namespace, false},
    {SLICE_INIT("resourceClaimTemplateName"), &workload_claim_template, false},
};
static const struct schema workload_claim = {.type = SCHEMA_OBJECT,
                                             SCHEMA_FIELDS(workload_claim_fields),
                                             .description = "A resource claim.",
                                             .form = "{name: NAME, resourceClaimName: CLAIM}"};
static const char *const workload_claim_keys[] = {"name", NULL};
static const struct schema workload_claims = {
    .type = SCHEMA_LIST,
    .values = &workload_claim,
    .keys = workload_claim_keys,
    .max_length = 4,
    .description = "Resource claims that the pods of the group share. Each names a "
                   "ResourceClaim or a ResourceClaimTemplate.",
    .form = "[{name: NAME, resourceClaimName: CLAIM}]",
};

static const struct schema workload_topology_key = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Key of a node label. Its values are the topology domains, and the "
                   "complete group runs in one of them.",
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
static const struct schema workload_options_schema = {.type = SCHEMA_OBJECT,
                                                      SCHEMA_FIELDS(workload_option_fields),
                                                      .description =
                                                          "Options of the type Workload."};

/* ---- what it writes and lacks ---- */

/* In order of preference. */
static const char *const workload_api_versions[] = {
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha2",
    "scheduling.k8s.io/v1alpha1",
    NULL,
};

/*
 * Fields of a pod's spec in kubernetes/api:core/v1/types.go: the first in v1alpha2 and later, the
 * second in v1alpha1.
 */
static const struct descriptor_mark workload_marks[] = {
    {MARK_POD_FIELD,
     SLICE_INIT("schedulingGroup"),
     SLICE_INIT("podGroupName"),
     true,
     {NULL, 0},
     false},
    {MARK_POD_FIELD, SLICE_INIT("workloadRef"), SLICE_INIT("name"), true, {NULL, 0}, false},
};

static const struct loss workload_losses[] = {
    {LOSS_QUEUE, "the Workload API has no queues"},
    {LOSS_TIMEOUT, "a PodGroup of Kubernetes has no timeout"},
    {LOSS_RESOURCES, "a PodGroup of Kubernetes has no resources"},
    {LOSS_RESERVE, "a PodGroup of Kubernetes has no resources"},
};

/*
 * Kubernetes' own scheduler with the Workload API. kubeflow/trainer#3015 and KEP-3015 describe the
 * same gang: the former as a member of podGroupPolicy, the latter as spec.scheduling.
 */
const struct descriptor workload_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_WORKLOAD),
    .type = SLICE_INIT("Workload"),
    .scheduler_name = SLICE_INIT("default-scheduler"),
    .group = SLICE_INIT("scheduling.k8s.io"),
    .kinds = {SLICE_INIT("Workload"), SLICE_INIT("CompositePodGroup"), SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("workloads"),
    .api_versions = workload_api_versions,
    .options = &workload_options_schema,
    .starter = SLICE_INIT("# Default: the newest version that the cluster serves.\n"
                          "#apiVersion: scheduling.k8s.io/v1beta1"),
    .member = {.name = SLICE_INIT("workload"),
               .path = SLICE_INIT("spec.podGroupPolicy.workload"),
               .is_of_scheduling = true},
    .marks = workload_marks,
    .num_marks = COUNT_OF(workload_marks),
    .minimum_path = "spec.schedulingPolicy.gang.minCount",
    /* kubernetes/kubernetes:pkg/scheduler/framework/plugins/defaultpreemption@v1.36.3 */
    .preempts_by_priority = true,
    .losses = workload_losses,
    .num_losses = COUNT_OF(workload_losses),
    .why_no_units = "the pods of a role are in one PodGroup, which has no parts",
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("marked, not counted"),
            .initializers = SLICE_INIT("outside, no mark"),
            .suspend = SLICE_INIT("deleted"),
            .topology = SLICE_INIT("labels of nodes"),
            .subgroups = SLICE_INIT("options groups and composite"),
            .elastic_minimum = SLICE_INIT("of all pods; for each role with option groups"),
        },
};
