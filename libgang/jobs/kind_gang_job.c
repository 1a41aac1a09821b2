/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/jobs/job_kinds.h"

const struct node *
gang_job_describe(struct arena *arena)
{
    struct builder document = build_map(arena);

    build_string(&document, SLICE("$schema"),
                 SLICE("https://json-schema.org/draft/2020-12/schema"));
    build_string(&document, SLICE("title"), SLICE(GANG_KIND_JOB));
    schema_json_describe(&gang_job_described, &document);
    return arena_failed(arena) ? NULL : document.node;
}

/* ---- a GangJob: schema/gangjob.yaml has the members that its fields are read into ---- */

#define GANG_JOB_ABSENT INT64_MIN /* of a number */

SCHEMA_READ(gang_job_read_marks)
{
    *(bool *)value = slice_equal(node_string(source), SLICE("Pod"));
}

SCHEMA_READ(gang_job_read_subdomain)
{
    *(struct slice *)value = node_string(source);
    name_check_node(source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

SCHEMA_READ(gang_job_read_role)
{
    struct role *role = value;
    const struct node *of_pods[2];
    size_t num_edges;

    role->count = role->unit = 1;
    role->min_count = role->first_count = GANG_JOB_ABSENT;
    schema_read(schema, source, role, reader);
    name_check_node(role->priority_class_source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME,
                    NULL, reader->report);
    /* The template has its own; requests beside it are reported by gang_job_check(). */
    of_pods[0] = role->scheduler_name_source;
    of_pods[1] = role->priority_class_source;
    for (size_t i = 0; role->pod_template && i < COUNT_OF(of_pods); i++)
        if (of_pods[i])
            find_note(reader->report, of_pods[i], MESSAGE_TEMPLATE_AND_REQUESTS);
    if (role->min_count == GANG_JOB_ABSENT)
        role->min_count = role->count;
    if (role->first_count == GANG_JOB_ABSENT)
        role->first_count = role->min_count;
    /* The plan of the gang that has a role elsewhere marks its pods: here it is outside. */
    role->elsewhere = role->wish > WISH_OUTSIDE;
    if (role->elsewhere)
        role->wish = WISH_OUTSIDE;
    num_edges = role->num_dependencies;
    role->num_dependencies = 0;
    for (size_t i = 0; i < num_edges; i++)
        if (slice_is_set(role->dependencies[i].role))
            gang_job_add_edge(role, num_edges, &role->dependencies[i], reader->arena);
}

SCHEMA_READ(gang_job_read_group)
{
    struct gang_group *group = value;

    group->minimum = -1;
    group->role = ROLE_NONE;
    schema_read(schema, source, group, reader);
    group->placement.is_set = group->placement.source != NULL;
}

static void
gang_job_translate(const struct job_source *source, struct gang_wishes *job)
{
    struct schema_reader reader = {source->arena, source->report, job};
    const struct node *no_gang;

    schema_read(schema_find(&gang_job_schema, SLICE("spec")), source->spec, job, &reader);
    job->owner.is_no_object =
        slice_equal(job->owner.kind, pod_list_job_kind.kind) &&
        slice_equal(job->owner.api_version, pod_list_job_kind.api_versions[0]);
    job->timeout_request.is_set = node_int(job->timeout_request.source, &job->timeout_seconds);
    job->placement.is_set = job->placement.source != NULL;
    if (!node_is_true(job->managed_elsewhere))
        job->managed_elsewhere = NULL;
    if (job->num_groups)
        gang_job_link_groups(job, source->arena);
    no_gang = job->why_source;
    job->why_source = NULL;
    if (node_is_true(no_gang))
        gang_job_stand_back(job, no_gang, "spec.noGang of the GangJob is true");
    gang_job_take_stage(job, source);
}

const struct job_kind gang_job_job_kind = {
    .api_versions = {SLICE_INIT(GANG_API_VERSION)},
    .kind = SLICE_INIT(GANG_KIND_JOB),
    .schema = &gang_job_schema,
    .template_fields = TEMPLATE_BUILT_IN,
    .is_strict = true,
    .has_stages = true,
    .translate = gang_job_translate,
};
