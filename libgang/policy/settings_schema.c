/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_schema.h"

const char *const override_names[] = {"IfUnset", "Always", NULL};
const char *const members_names[] = {"Auto", "All", "TrainerOnly", NULL};
const char *const resources_names[] = {"Effective", "RequestsOnly", NULL};
const char *const reserve_names[] = {"Auto", "Always", "Never", NULL};
/* As Volcano's networkTopology has them (volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go). */
static const char *const policy_topology_mode_names[] = {"hard", "soft", NULL};

const struct schema policy_settings_backend = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Name of the backend, one of those that `backends` enables.",
};
static const struct schema policy_queue_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .pattern = POLICY_SUBDOMAIN_PATTERN,
    .description = "Name of the queue.",
};
static const struct schema policy_queue_namespace_prefix = {
    .type = SCHEMA_STRING,
    .description = "Text in front of the namespace's name.",
};
static const struct schema policy_queue_label_prefix = {
    .type = SCHEMA_STRING,
    .description = "Text in front of the label's value.",
};
static const struct schema_field policy_queue_from_namespace_fields[] = {
    {"prefix", &policy_queue_namespace_prefix, false},
};
static const struct schema policy_queue_from_namespace = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_queue_from_namespace_fields),
    .description = "The queue is called as the job's namespace.",
    .form = "{} or {prefix: TEXT}",
};
static const struct schema policy_queue_label_key = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Key of the label.",
};
static const struct schema_field policy_queue_from_label_fields[] = {
    {"key", &policy_queue_label_key, true},
    {"prefix", &policy_queue_label_prefix, false},
};
static const struct schema policy_queue_from_label = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_queue_from_label_fields),
    .description = "The queue is called as the value of a label of the job.",
    .form = "{key: KEY}",
};
static const struct schema policy_queue_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "Whether the queue gives way to one that the job or its runtime names. Without it the block's "
        "own `override` holds.",
};
static const struct schema_field policy_queue_fields[] = {
    {"fromLabel", &policy_queue_from_label, false},
    {"fromNamespace", &policy_queue_from_namespace, false},
    {"name", &policy_queue_name, false},
    {"override", &policy_queue_override, false},
};
const struct schema policy_settings_queue = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_queue_fields),
    .description = "The queue of the gang: exactly one of `name`, `fromNamespace` and `fromLabel`.",
    .form = "{name: QUEUE}",
};
static const struct schema policy_priority_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .pattern = POLICY_SUBDOMAIN_PATTERN,
    .description = "Name of the PriorityClass.",
};
static const struct schema policy_priority_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "Whether the class gives way to one that the job or its runtime names. Without it the block's "
        "own `override` holds.",
};
static const struct schema_field policy_priority_fields[] = {
    {"name", &policy_priority_name, true},
    {"override", &policy_priority_override, false},
};
const struct schema policy_settings_priority = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_priority_fields),
    .description = "The priority class of the gang.",
    .form = "{name: CLASS}",
};
const struct schema policy_settings_timeout = {
    .type = SCHEMA_INT32,
    POLICY_AT_LEAST_ONE,
    .description = "Seconds that the scheduler waits for the whole gang.",
};
const struct schema policy_settings_members = {
    .type = SCHEMA_STRING,
    .enumeration = members_names,
    .description =
        "Which roles are in the gang. `Auto`: those that start together, initializers left out; `All`: "
        "every role, refused where they cannot run at one time; `TrainerOnly`: the roles labelled "
        "trainer, and the nodes under MPI. `Auto` where nothing says otherwise.",
};
const struct schema policy_settings_resources = {
    .type = SCHEMA_STRING,
    .enumeration = resources_names,
    .description =
        "What a pod counts for. `Effective`: its requests as the API server completes them, limits "
        "standing in; `RequestsOnly`: only what stands under requests. `Effective` where nothing says "
        "otherwise.",
};
const struct schema policy_settings_reserve = {
    .type = SCHEMA_STRING,
    .enumeration = reserve_names,
    .description =
        "Whether the group asks for the room of all its pods ahead of them (minResources). `Auto`: where "
        "the scheduler does not hold it idle meanwhile. `Auto` where nothing says otherwise.",
};
static const struct schema policy_topology_mode = {
    .type = SCHEMA_STRING,
    .enumeration = policy_topology_mode_names,
    .default_text = "\"hard\"",
    .description = "`hard`: the gang waits until one domain has room; `soft`: it prefers one.",
};
static const struct schema policy_topology_level = {
    .type = SCHEMA_INT_OR_STRING,
    POLICY_AT_LEAST_ONE,
    .description =
        "The domain that holds the gang: the key of a node label, or the number of a tier for Volcano.",
};
static const struct schema_field policy_topology_fields[] = {
    {"level", &policy_topology_level, false},
    {"mode", &policy_topology_mode, false},
};
const struct schema policy_settings_topology = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_topology_fields),
    .min_length = 1,
    .description = "How near to each other the pods shall run.",
    .form = "{level: LEVEL}",
};
const struct schema policy_settings_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "`IfUnset`: what the block says gives way to what the job or its runtime says; `Always`: it "
        "stands before them. `IfUnset` where it is not written.",
};

static const struct schema_field policy_defaults_fields[] = {
    {"backend", &policy_settings_backend, false},
    {"members", &policy_settings_members, false},
    {"override", &policy_settings_override, false},
    {"priorityClassName", &policy_settings_priority, false},
    {"queue", &policy_settings_queue, false},
    {"reserve", &policy_settings_reserve, false},
    {"resources", &policy_settings_resources, false},
    {"scheduleTimeoutSeconds", &policy_settings_timeout, false},
    {"topology", &policy_settings_topology, false},
};
const struct schema policy_defaults_schema = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(policy_defaults_fields),
    .description =
        "What holds where neither the job, its runtime nor a rule says anything. `override: Always` is "
        "refused here.",
};
