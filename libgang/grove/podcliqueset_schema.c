/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podcliqueset_schema.h"

/* ai-dynamo/grove:operator/api/core/v1alpha1/{podcliqueset,podclique,scalinggroup}.go@fcc3b3bb and their CRD. */
static const struct schema podcliqueset_any = {.type = SCHEMA_ANY};
static const struct schema podcliqueset_string = {.type = SCHEMA_STRING};
static const struct schema podcliqueset_strings = {.type = SCHEMA_LIST, .values = &podcliqueset_string};
static const struct schema podcliqueset_texts = {.type = SCHEMA_OBJECT, .values = &podcliqueset_string};
static const struct schema podcliqueset_int32 = {.type = SCHEMA_INT32};
static const struct schema podcliqueset_count = {
    .type = SCHEMA_INT32, .has_minimum = true, .default_text = "1"};
static const struct schema podcliqueset_replicas = {.type = SCHEMA_INT32, .default_text = "0"};

#define PODCLIQUESET_OBJECT(table)                                                                           \
    {                                                                                                        \
        .type = SCHEMA_OBJECT, .fields = (table), .num_fields = sizeof(table) / sizeof((table)[0])           \
    }

/* TopologyDomain. */
static const struct schema podcliqueset_domain = {.type = SCHEMA_STRING, .min_length = 1, .max_length = 63};
static const struct schema_field podcliqueset_pack_fields[] = {
    {"preferred", &podcliqueset_domain, false},
    {"required", &podcliqueset_domain, false},
};
static const struct schema podcliqueset_pack = PODCLIQUESET_OBJECT(podcliqueset_pack_fields);

static const struct schema_field podcliqueset_topology_fields[] = {
    {"pack", &podcliqueset_pack, false},
    {"packDomain", &podcliqueset_domain, false},
    {"topologyName", &podcliqueset_string, false},
};
static const struct schema podcliqueset_topology = PODCLIQUESET_OBJECT(podcliqueset_topology_fields);

static const struct schema_field podcliqueset_pod_spec_fields[] = {
    {"priorityClassName", &podcliqueset_string, false},
    {"schedulerName", &podcliqueset_string, false},
};
static const struct schema podcliqueset_pod_spec = {
    .type = SCHEMA_OBJECT,
    .fields = podcliqueset_pod_spec_fields,
    .num_fields = sizeof(podcliqueset_pod_spec_fields) / sizeof(podcliqueset_pod_spec_fields[0]),
    .open = true,
};

static const struct schema_field podcliqueset_clique_spec_fields[] = {
    {"autoScalingConfig", &podcliqueset_any, false}, {"minAvailable", &podcliqueset_int32, false},
    {"podSpec", &podcliqueset_pod_spec, true},       {"replicas", &podcliqueset_count, false},
    {"roleName", &podcliqueset_string, true},        {"startsAfter", &podcliqueset_strings, false},
};
static const struct schema podcliqueset_clique_spec = PODCLIQUESET_OBJECT(podcliqueset_clique_spec_fields);

static const struct schema_field podcliqueset_clique_fields[] = {
    {"annotations", &podcliqueset_texts, false},
    {"labels", &podcliqueset_texts, false},
    {"name", &podcliqueset_string, true},
    {"resourceSharing", &podcliqueset_any, false},
    {"rollingUpdate", &podcliqueset_any, false},
    {"spec", &podcliqueset_clique_spec, true},
    {"topologyConstraint", &podcliqueset_topology, false},
};
static const struct schema podcliqueset_clique = PODCLIQUESET_OBJECT(podcliqueset_clique_fields);
static const char *const podcliqueset_clique_keys[] = {"name", NULL};
static const struct schema podcliqueset_cliques = {
    .type = SCHEMA_LIST, .values = &podcliqueset_clique, .keys = podcliqueset_clique_keys};

static const struct schema_field podcliqueset_group_fields[] = {
    {"annotations", &podcliqueset_texts, false},
    {"cliqueNames", &podcliqueset_strings, true},
    {"minAvailable", &podcliqueset_count, false},
    {"name", &podcliqueset_string, true},
    {"replicas", &podcliqueset_count, false},
    {"resourceSharing", &podcliqueset_any, false},
    {"rollingUpdate", &podcliqueset_any, false},
    {"scaleConfig", &podcliqueset_any, false},
    {"topologyConstraint", &podcliqueset_topology, false},
};
static const struct schema podcliqueset_group = PODCLIQUESET_OBJECT(podcliqueset_group_fields);
static const struct schema podcliqueset_groups = {.type = SCHEMA_LIST, .values = &podcliqueset_group};

/* CliqueStartupType. */
static const char *const podcliqueset_startup_types[] = {
    "CliqueStartupTypeAnyOrder", "CliqueStartupTypeInOrder", "CliqueStartupTypeExplicit", NULL};
static const struct schema podcliqueset_startup_type = {.type = SCHEMA_STRING,
                                                        .enumeration = podcliqueset_startup_types,
                                                        .default_text = "\"CliqueStartupTypeAnyOrder\""};

static const struct schema_field podcliqueset_template_fields[] = {
    {"cliqueStartupType", &podcliqueset_startup_type, false},
    {"cliques", &podcliqueset_cliques, true},
    {"headlessServiceConfig", &podcliqueset_any, false},
    {"podCliqueScalingGroups", &podcliqueset_groups, false},
    {"priorityClassName", &podcliqueset_string, false},
    {"resourceClaimTemplates", &podcliqueset_any, false},
    {"resourceSharing", &podcliqueset_any, false},
    {"terminationDelay", &podcliqueset_string, false},
    {"topologyConstraint", &podcliqueset_topology, false},
};
static const struct schema podcliqueset_template = PODCLIQUESET_OBJECT(podcliqueset_template_fields);

static const struct schema_field podcliqueset_spec_fields[] = {
    {"replicas", &podcliqueset_replicas, false},
    {"template", &podcliqueset_template, true},
    {"updateStrategy", &podcliqueset_any, false},
};
static const struct schema podcliqueset_spec = PODCLIQUESET_OBJECT(podcliqueset_spec_fields);

static const struct schema_field podcliqueset_fields[] = {
    {"apiVersion", &podcliqueset_string, true}, {"kind", &podcliqueset_string, true},
    {"metadata", &podcliqueset_any, true},      {"spec", &podcliqueset_spec, true},
    {"status", &podcliqueset_any, false},
};
const struct schema podcliqueset_schema = PODCLIQUESET_OBJECT(podcliqueset_fields);
