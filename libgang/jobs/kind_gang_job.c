/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/jobs/gang_job_schema.h"
#include "libgang/jobs/job_kinds.h"

/* ---- a GangJob: the document has the fields of the struct ---- */

/*
 * Most fields of most documents are absent, and what they are read into is 0: the readers of fields
 * return at once.
 */

/* Returns the index of the word; 0 if it is absent or invalid, which the schema has reported. */
static int
gang_job_read_word(const struct node *word, const char *const *names)
{
    for (int i = 0; word && names[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(names[i])))
            return i;
    return 0;
}

static int64_t
gang_job_read_number(const struct node *number, int64_t absent)
{
    int64_t value;

    return number && node_int(number, &value) ? value : absent;
}

static void
gang_job_read_wish(const struct node *field, struct gang_job_wish *wish)
{
    if (field)
        *wish = gang_job_wish(field);
}

static struct gang_placement
gang_job_read_topology(const struct node *source)
{
    if (!source)
        return (struct gang_placement){.source = NULL};
    return (struct gang_placement){
        .is_set = true,
        .topology = node_string(node_member(source, SLICE("name"))),
        .required = node_string(node_member(source, SLICE("required"))),
        .preferred = node_string(node_member(source, SLICE("preferred"))),
        .source = source,
    };
}

static void
gang_job_read_edges(const struct node *list, struct role *role, struct arena *arena)
{
    for (NODE_EACH(item, list)) {
        const struct node *status = node_member(item, SLICE("status"));
        const struct dependency edge = {
            .role = node_string(node_member(item, SLICE("role"))),
            .status = (enum dependency_status)gang_job_read_word(status, dependency_status_names),
            .source = item,
        };

        if (slice_is_set(edge.role))
            gang_job_add_edge(role, node_count(list), &edge, arena);
    }
}

/* ---- roles ---- */

static void
gang_job_read_counts(const struct node *const *fields, struct role *role)
{
    role->count = gang_job_read_number(fields[GANG_JOB_ROLE_COUNT], 1);
    role->unit = gang_job_read_number(fields[GANG_JOB_ROLE_UNIT], 1);
    role->unit_label = node_string(fields[GANG_JOB_ROLE_UNIT_LABEL]);
    role->min_count = gang_job_read_number(fields[GANG_JOB_ROLE_MIN_COUNT], role->count);
    role->first_count = gang_job_read_number(fields[GANG_JOB_ROLE_FIRST_COUNT], role->min_count);
}

/* The plan of the gang that has a role elsewhere marks its pods: here it is outside. */
static void
gang_job_read_membership(const struct node *source, struct role *role)
{
    const int word = gang_job_read_word(source, membership_wish_names);

    role->elsewhere = word > WISH_OUTSIDE;
    role->wish = role->elsewhere ? WISH_OUTSIDE : (enum membership_wish)word;
}

/* A template says which scheduler and class the pods have, so the role need not. */
static void
gang_job_read_role(const struct node *const *fields, struct role *role, struct arena *arena)
{
    gang_job_read_counts(fields, role);
    role->pod_template = fields[GANG_JOB_ROLE_TEMPLATE];
    role->requests_source = fields[GANG_JOB_ROLE_REQUESTS];
    role->extra_source = fields[GANG_JOB_ROLE_EXTRA_REQUESTS];
    role->scheduler_name_source = fields[GANG_JOB_ROLE_SCHEDULER];
    role->priority_class_source = fields[GANG_JOB_ROLE_PRIORITY_CLASS];
    gang_job_read_edges(fields[GANG_JOB_ROLE_DEPENDS_ON], role, arena);
    gang_job_read_membership(fields[GANG_JOB_ROLE_MEMBERSHIP], role);
    role->retries = node_is_true(fields[GANG_JOB_ROLE_RETRIES]);
    role->group = node_string(fields[GANG_JOB_ROLE_GROUP]);
}

static void
gang_job_read_roles(const struct node *list, struct gang_job *job, struct arena *arena)
{
    for (NODE_EACH(item, list)) {
        const struct node *fields[GANG_JOB_ROLE_FIELDS];
        struct role *role;

        schema_members(&gang_job_role_schema, item, fields);
        role = gang_job_add_role(job, node_count(list), node_string(fields[GANG_JOB_ROLE_NAME]),
                                 item, arena);
        if (role)
            gang_job_read_role(fields, role, arena);
    }
}

static void
gang_job_read_groups(const struct node *list, struct gang_job *job, struct arena *arena)
{
    if (!list)
        return;
    job->groups = arena_array(arena, node_count(list), sizeof(*job->groups));
    if (!job->groups)
        return;
    for (NODE_EACH(item, list))
        job->groups[job->num_groups++] = (struct gang_group){
            .name = node_string(node_member(item, SLICE("name"))),
            .minimum = gang_job_read_number(node_member(item, SLICE("minimum")), -1),
            .role = ROLE_NONE,
            .placement = gang_job_read_topology(node_member(item, SLICE("topology"))),
            .source = item,
        };
    gang_job_link_groups(job);
}

/* ---- the job ---- */

static void
gang_job_read_owner(const struct node *source, struct gang_owner *owner)
{
    const struct node *name = node_member(source, SLICE("name"));

    owner->api_version = node_string(node_member(source, SLICE("apiVersion")));
    owner->kind = node_string(node_member(source, SLICE("kind")));
    owner->uid = node_string(node_member(source, SLICE("uid")));
    owner->is_no_object = slice_equal(owner->kind, pod_list_job_kind.kind) &&
                          slice_equal(owner->api_version, pod_list_job_kind.api_versions[0]);
    if (!name)
        return;
    owner->name = node_string(name);
    owner->name_source = name;
}

static void
gang_job_read_wishes(const struct node *const *fields, struct gang_job_user_wishes *wishes)
{
    const struct node *timeout = fields[GANG_JOB_TIMEOUT];

    gang_job_read_wish(fields[GANG_JOB_BACKEND], &wishes->backend);
    gang_job_read_wish(fields[GANG_JOB_QUEUE], &wishes->queue);
    gang_job_read_wish(fields[GANG_JOB_PRIORITY_CLASS], &wishes->priority_class_name);
    wishes->has_timeout = node_int(timeout, &wishes->timeout_seconds);
    wishes->timeout_source = wishes->has_timeout ? timeout : NULL;
}

static void
gang_job_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    const struct node *fields[GANG_JOB_FIELDS];
    const struct node *elsewhere;

    schema_members(&gang_job_spec_schema, source->spec, fields);
    elsewhere = fields[GANG_JOB_MANAGED_ELSEWHERE];
    gang_job_read_owner(fields[GANG_JOB_OWNER], &job->owner);
    gang_job_read_wishes(fields, &job->wishes);
    job->placement = gang_job_read_topology(fields[GANG_JOB_TOPOLOGY]);
    job->group_name = node_string(fields[GANG_JOB_GROUP_NAME]);
    job->suspended = node_is_true(fields[GANG_JOB_SUSPEND]);
    job->managed_elsewhere = node_is_true(elsewhere) ? elsewhere : NULL;
    job->minimum_source = fields[GANG_JOB_MINIMUM];
    job->minimum = gang_job_read_number(fields[GANG_JOB_MINIMUM], 0);
    job->marks_pods = slice_equal(node_string(fields[GANG_JOB_POD_MARKS]), SLICE("Pod"));
    gang_job_read_roles(fields[GANG_JOB_ROLES], job, source->arena);
    gang_job_read_groups(fields[GANG_JOB_GROUPS], job, source->arena);
    if (node_is_true(fields[GANG_JOB_NO_GANG]))
        gang_job_stand_back(job, fields[GANG_JOB_NO_GANG], "spec.noGang of the GangJob is true");
    gang_job_take_stage(job, gang, source);
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
