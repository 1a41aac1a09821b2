/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster_schema.h"

#define CLUSTER_COUNT(table) (sizeof(table) / sizeof((table)[0]))
#define CLUSTER_OBJECT(table)                                                                                \
    {                                                                                                        \
        .type = SCHEMA_OBJECT, .fields = (table), .num_fields = CLUSTER_COUNT(table)                         \
    }

static const struct schema cluster_text = {.type = SCHEMA_STRING};
static const struct schema cluster_name = {.type = SCHEMA_STRING, .min_length = 1};
static const struct schema cluster_flag = {.type = SCHEMA_BOOLEAN};
static const struct schema cluster_any = {.type = SCHEMA_ANY};
static const struct schema cluster_quantity = {.type = SCHEMA_QUANTITY};
static const struct schema cluster_amounts = {.type = SCHEMA_OBJECT, .values = &cluster_quantity};
static const struct schema cluster_texts = {.type = SCHEMA_OBJECT, .values = &cluster_text};

/* What identifies an item of a list. */
static const char *const cluster_by_name[] = {"name", NULL};
static const char *const cluster_by_type[] = {"type", NULL};
static const char *const cluster_by_group_version[] = {"groupVersion", NULL};
static const char *const cluster_by_name_and_type[] = {"name", "type", NULL};
static const char *const cluster_by_name_and_namespace[] = {"name", "namespace", NULL};

static const struct schema_field cluster_component_fields[] = {
    {"jobset", &cluster_name, false},           {"kai", &cluster_name, false},
    {"schedulerPlugins", &cluster_name, false}, {"trainer", &cluster_name, false},
    {"volcano", &cluster_name, false},
};
static const struct schema cluster_components = CLUSTER_OBJECT(cluster_component_fields);

static const struct schema cluster_gates = {.type = SCHEMA_OBJECT, .values = &cluster_flag};

/*
 * kubernetes/api:core/v1/types.go LimitRangeItem@v0.36.3. The types are those that the API server knows; another one
 * passes it, and limits nothing.
 */
static const char *const cluster_limit_types[] = {"Container", "Pod", "PersistentVolumeClaim", NULL};
static const struct schema cluster_limit_type = {.type = SCHEMA_STRING, .enumeration = cluster_limit_types};
static const struct schema_field cluster_limit_fields[] = {
    {"default", &cluster_amounts, false}, {"defaultRequest", &cluster_amounts, false},
    {"max", &cluster_amounts, false},     {"maxLimitRequestRatio", &cluster_amounts, false},
    {"min", &cluster_amounts, false},     {"type", &cluster_limit_type, true},
};
static const struct schema cluster_limit = CLUSTER_OBJECT(cluster_limit_fields);
static const struct schema cluster_limits = {
    .type = SCHEMA_LIST, .values = &cluster_limit, .keys = cluster_by_type};
static const struct schema_field cluster_limit_range_fields[] = {
    {"limits", &cluster_limits, true},
    {"name", &cluster_name, true},
    {"namespace", &cluster_name, true},
};
static const struct schema cluster_limit_range = CLUSTER_OBJECT(cluster_limit_range_fields);
static const struct schema cluster_limit_ranges = {
    .type = SCHEMA_LIST, .values = &cluster_limit_range, .keys = cluster_by_name_and_namespace};

static const struct schema_field cluster_namespace_fields[] = {
    {"labels", &cluster_texts, false},
    {"name", &cluster_name, true},
};
static const struct schema cluster_namespace_item = CLUSTER_OBJECT(cluster_namespace_fields);
static const struct schema cluster_namespaces = {
    .type = SCHEMA_LIST, .values = &cluster_namespace_item, .keys = cluster_by_name};

/* Fields of a pod template that carry a gang: kubernetes/api:core/v1/types.go PodSpec@v0.35.7 and @v0.36.3. */
static const char *const cluster_pod_fields[] = {"schedulingGroup", "workloadRef", NULL};
static const struct schema cluster_pod_field = {.type = SCHEMA_STRING, .enumeration = cluster_pod_fields};
static const struct schema cluster_pod_template_fields = {
    .type = SCHEMA_LIST, .values = &cluster_pod_field, .is_set = true};

/* kubernetes/api:scheduling/v1/types.go PriorityClass@v0.36.3 */
static const char *const cluster_preemption_policies[] = {"Never", "PreemptLowerPriority", NULL};
static const struct schema cluster_preemption_policy = {.type = SCHEMA_STRING,
                                                        .enumeration = cluster_preemption_policies};
static const struct schema cluster_priority = {.type = SCHEMA_INT32};
static const struct schema_field cluster_priority_class_fields[] = {
    {"globalDefault", &cluster_flag, false},
    {"name", &cluster_name, true},
    {"preemptionPolicy", &cluster_preemption_policy, false},
    {"value", &cluster_priority, true},
};
static const struct schema cluster_priority_class_item = CLUSTER_OBJECT(cluster_priority_class_fields);
static const struct schema cluster_priority_classes = {
    .type = SCHEMA_LIST, .values = &cluster_priority_class_item, .keys = cluster_by_name};

/* Whose queue it is, named as the type of a backend: each of them has a kind Queue of its own. */
static const char *const cluster_queue_types[] = {"KAI", "Volcano", NULL};
static const struct schema cluster_queue_type = {.type = SCHEMA_STRING, .enumeration = cluster_queue_types};
static const struct schema_field cluster_queue_fields[] = {
    {"name", &cluster_name, true},
    {"parent", &cluster_name, false},
    {"type", &cluster_queue_type, true},
};
static const struct schema cluster_queue = CLUSTER_OBJECT(cluster_queue_fields);
static const struct schema cluster_queues = {
    .type = SCHEMA_LIST, .values = &cluster_queue, .keys = cluster_by_name_and_type};

static const struct schema_field cluster_runtime_class_fields[] = {
    {"name", &cluster_name, true},
    {"overhead", &cluster_amounts, false},
};
static const struct schema cluster_runtime_class = CLUSTER_OBJECT(cluster_runtime_class_fields);
static const struct schema cluster_runtime_classes = {
    .type = SCHEMA_LIST, .values = &cluster_runtime_class, .keys = cluster_by_name};

static const struct schema cluster_resources = {.type = SCHEMA_LIST, .values = &cluster_name, .is_set = true};
static const struct schema_field cluster_served_version_fields[] = {
    {"groupVersion", &cluster_name, true},
    {"resources", &cluster_resources, false},
};
static const struct schema cluster_served_version = CLUSTER_OBJECT(cluster_served_version_fields);
static const struct schema cluster_served_versions = {
    .type = SCHEMA_LIST, .values = &cluster_served_version, .keys = cluster_by_group_version};

static const struct schema_field cluster_spec_fields[] = {
    {"components", &cluster_components, false},
    {"featureGates", &cluster_gates, false},
    {"kubernetesVersion", &cluster_name, false},
    {"limitRanges", &cluster_limit_ranges, false},
    {"namespaces", &cluster_namespaces, false},
    {"podTemplateFields", &cluster_pod_template_fields, false},
    {"priorityClasses", &cluster_priority_classes, false},
    {"queues", &cluster_queues, false},
    {"runtimeClasses", &cluster_runtime_classes, false},
    {"servedVersions", &cluster_served_versions, false},
};
static const struct schema cluster_spec = CLUSTER_OBJECT(cluster_spec_fields);

static const struct schema_field cluster_fields[] = {
    {"apiVersion", &cluster_text, true},
    {"kind", &cluster_text, true},
    {"metadata", &cluster_any, true},
    {"spec", &cluster_spec, false},
};
const struct schema cluster_schema = CLUSTER_OBJECT(cluster_fields);
