/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/podgang_schema.h"

/* ai-dynamo/grove:scheduler/api/core/v1alpha1/crds/scheduler.grove.io_podgangs.yaml@fcc3b3bb: no bounds at all. */
static const struct schema podgang_any = {.type = SCHEMA_ANY};
static const struct schema podgang_string = {.type = SCHEMA_STRING};
static const struct schema podgang_strings = {.type = SCHEMA_LIST, .values = &podgang_string};
static const struct schema podgang_int32 = {.type = SCHEMA_INT32};

#define PODGANG_OBJECT(table)                                                                                \
    {                                                                                                        \
        .type = SCHEMA_OBJECT, .fields = (table), .num_fields = sizeof(table) / sizeof((table)[0])           \
    }

static const struct schema_field podgang_pack_fields[] = {
    {"preferred", &podgang_string, false},
    {"required", &podgang_string, false},
};
static const struct schema podgang_pack = PODGANG_OBJECT(podgang_pack_fields);

static const struct schema_field podgang_constraint_fields[] = {
    {"packConstraint", &podgang_pack, false},
};
static const struct schema podgang_constraint = PODGANG_OBJECT(podgang_constraint_fields);

static const struct schema_field podgang_reference_fields[] = {
    {"name", &podgang_string, true},
    {"namespace", &podgang_string, true},
};
static const struct schema podgang_reference = PODGANG_OBJECT(podgang_reference_fields);
static const struct schema podgang_references = {.type = SCHEMA_LIST, .values = &podgang_reference};

static const struct schema_field podgang_podgroup_fields[] = {
    {"minReplicas", &podgang_int32, true},
    {"name", &podgang_string, true},
    {"podReferences", &podgang_references, true},
    {"topologyConstraint", &podgang_constraint, false},
};
static const struct schema podgang_podgroup_item = PODGANG_OBJECT(podgang_podgroup_fields);
static const struct schema podgang_podgroups = {.type = SCHEMA_LIST, .values = &podgang_podgroup_item};

static const struct schema_field podgang_config_fields[] = {
    {"name", &podgang_string, true},
    {"podGroupNames", &podgang_strings, true},
    {"topologyConstraint", &podgang_constraint, false},
};
static const struct schema podgang_config_item = PODGANG_OBJECT(podgang_config_fields);
static const struct schema podgang_configs = {.type = SCHEMA_LIST, .values = &podgang_config_item};

static const struct schema_field podgang_spec_fields[] = {
    {"podgroups", &podgang_podgroups, true},
    {"priorityClassName", &podgang_string, false},
    {"reuseReservationRef", &podgang_reference, false},
    {"topologyConstraint", &podgang_constraint, false},
    {"topologyConstraintGroupConfigs", &podgang_configs, false},
};
static const struct schema podgang_spec = PODGANG_OBJECT(podgang_spec_fields);

static const struct schema_field podgang_fields[] = {
    {"apiVersion", &podgang_string, true}, {"kind", &podgang_string, true}, {"metadata", &podgang_any, true},
    {"spec", &podgang_spec, true},         {"status", &podgang_any, false},
};
const struct schema podgang_schema = PODGANG_OBJECT(podgang_fields);
