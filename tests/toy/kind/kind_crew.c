/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"

/* ---- schema ---- */

static const struct schema crew_any = {.type = SCHEMA_ANY};
static const struct schema crew_count = {.type = SCHEMA_INT32, .has_minimum = true, .minimum = 0};

static const struct schema_field crew_spec_fields[] = {
    SCHEMA_ROW("template", &pod_template_schema, true),
    SCHEMA_ROW("workers", &crew_count, false),
};
static const struct schema crew_spec = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(crew_spec_fields, 1)};

static const struct schema_field crew_fields[] = {
    SCHEMA_ROW("apiVersion", &crew_any, false),
    SCHEMA_ROW("kind", &crew_any, false),
    SCHEMA_ROW("metadata", &crew_any, false),
    SCHEMA_ROW("spec", &crew_spec, true),
};
static const struct schema crew_schema = {.type = SCHEMA_OBJECT, SCHEMA_FIELDS(crew_fields, 1)};

/* ---- the gang ---- */

static void
crew_translate(const struct job_source *source, struct gang_wishes *job)
{
    struct role *role = gang_job_add_role(job, 1, SLICE("worker"), source->spec, source->arena);

    if (!role)
        return;
    gang_job_set_count(role, job_field_number(source->spec, SLICE("workers"), 1));
    role->pod_template = node_member(source->spec, SLICE("template"));
}

const struct job_kind crew_job_kind = {
    .api_versions = {SLICE_INIT("example.io/v1")},
    .kind = SLICE_INIT("Crew"),
    .schema = &crew_schema,
    .translate = crew_translate,
};
