/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/document/finding.h"
#include "libgang/jobs/gang_job_schema.h"
#include "libgang/jobs/gang_job_stages.h"
#include "libgang/jobs/job_kinds.h"

/* ---- a GangJob: the document has the fields of the struct ---- */

/* Returns the index of the word; 0 if it is absent or invalid, which the schema has reported. */
static int
gang_job_read_word(const struct node *word, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(names[i])))
            return i;
    return 0;
}

static int64_t
gang_job_read_number(const struct node *map, struct slice key, int64_t absent)
{
    int64_t value;

    return node_int(node_member(map, key), &value) ? value : absent;
}

static struct gang_job_topology
gang_job_read_topology(const struct node *parent)
{
    const struct node *source = node_member(parent, SLICE("topology"));

    return (struct gang_job_topology){
        .name = node_string(node_member(source, SLICE("name"))),
        .required = node_string(node_member(source, SLICE("required"))),
        .preferred = node_string(node_member(source, SLICE("preferred"))),
        .source = source,
    };
}

static void
gang_job_read_owner(const struct node *spec, struct gang_owner *owner)
{
    const struct node *source = node_member(spec, SLICE("owner"));
    const struct node *name = node_member(source, SLICE("name"));

    owner->api_version = node_string(node_member(source, SLICE("apiVersion")));
    owner->kind = node_string(node_member(source, SLICE("kind")));
    owner->uid = node_string(node_member(source, SLICE("uid")));
    if (!name)
        return;
    owner->name = node_string(name);
    owner->name_source = name;
}

static void
gang_job_read_wishes(const struct node *spec, struct gang_job_user_wishes *wishes)
{
    const struct node *timeout = node_member(spec, SLICE("scheduleTimeoutSeconds"));

    wishes->backend = gang_job_wish(node_member(spec, SLICE("backend")));
    wishes->queue = gang_job_wish(node_member(spec, SLICE("queue")));
    wishes->priority_class_name = gang_job_wish(node_member(spec, SLICE("priorityClassName")));
    wishes->has_timeout = node_int(timeout, &wishes->timeout_seconds);
    wishes->timeout_source = wishes->has_timeout ? timeout : NULL;
    wishes->topology = gang_job_read_topology(spec);
}

static void
gang_job_read_edges(const struct node *list, struct gang_job_role *role, struct arena *arena)
{
    for (NODE_EACH(item, list)) {
        const struct node *status = node_member(item, SLICE("status"));
        const struct gang_job_edge edge = {
            .role = node_string(node_member(item, SLICE("role"))),
            .status = (enum gang_job_status)gang_job_read_word(status, gang_job_status_names),
            .source = item,
        };

        if (slice_is_set(edge.role))
            gang_job_add_edge(role, node_count(list), &edge, arena);
    }
}

static void
gang_job_read_counts(const struct node *item, struct gang_job_role *role)
{
    role->count = gang_job_read_number(item, SLICE("count"), 1);
    role->unit = gang_job_read_number(item, SLICE("unit"), 1);
    role->min_count = gang_job_read_number(item, SLICE("minCount"), role->count);
    role->first_count = gang_job_read_number(item, SLICE("firstCount"), role->min_count);
}

/* A template says which scheduler and class the pods have, so the role need not. */
static void
gang_job_read_role_pods(const struct node *item, struct gang_job_role *role)
{
    role->pod_template = node_member(item, SLICE("template"));
    role->requests = node_member(item, SLICE("requests"));
    role->extra_requests = node_member(item, SLICE("extraRequests"));
    role->scheduler_name = gang_job_wish(node_member(item, SLICE("schedulerName")));
    role->priority_class_name = gang_job_wish(node_member(item, SLICE("priorityClassName")));
}

static void
gang_job_read_role(const struct node *item, struct gang_job_role *role, struct arena *arena)
{
    const struct node *membership = node_member(item, SLICE("membership"));

    gang_job_read_counts(item, role);
    gang_job_read_role_pods(item, role);
    gang_job_read_edges(node_member(item, SLICE("dependsOn")), role, arena);
    role->membership =
        (enum gang_job_membership)gang_job_read_word(membership, gang_job_membership_names);
    role->retries = node_is_true(node_member(item, SLICE("retries")));
    role->group = gang_job_wish(node_member(item, SLICE("group")));
}

static void
gang_job_read_groups(const struct node *list, struct gang_job *job, struct arena *arena)
{
    job->groups = arena_array(arena, node_count(list), sizeof(*job->groups));
    if (!job->groups)
        return;
    for (NODE_EACH(item, list))
        job->groups[job->num_groups++] = (struct gang_job_group){
            .name = node_string(node_member(item, SLICE("name"))),
            .parent = gang_job_wish(node_member(item, SLICE("parent"))),
            .minimum = gang_job_read_number(item, SLICE("minimum"), -1),
            .topology = gang_job_read_topology(item),
            .source = item,
        };
}

static void
gang_job_read_roles(const struct job_source *source, struct gang_job *job)
{
    const struct node *roles = node_member(source->spec, SLICE("roles"));

    for (NODE_EACH(item, roles)) {
        struct gang_job_role *role =
            gang_job_add_role(job, node_count(roles), node_string(node_member(item, SLICE("name"))),
                              item, source->arena);

        if (role)
            gang_job_read_role(item, role, source->arena);
    }
}

static uint64_t
gang_job_count_gangs(const struct job_source *source)
{
    struct gang_job job = gang_job_start(source);

    gang_job_read_roles(source, &job);
    return gang_job_count_stages(&job, source->arena);
}

static void
gang_job_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    const struct node *spec = source->spec;
    const struct node *elsewhere = node_member(spec, SLICE("managedElsewhere"));

    gang_job_read_owner(spec, &job->owner);
    gang_job_read_wishes(spec, &job->wishes);
    job->group_name = node_string(node_member(spec, SLICE("groupName")));
    job->suspended = node_is_true(node_member(spec, SLICE("suspend")));
    job->managed_elsewhere = node_is_true(elsewhere) ? elsewhere : NULL;
    job->minimum_source = node_member(spec, SLICE("minimum"));
    job->minimum = gang_job_read_number(spec, SLICE("minimum"), 0);
    job->marks_pods = slice_equal(node_string(node_member(spec, SLICE("podMarks"))), SLICE("Pod"));
    gang_job_read_roles(source, job);
    gang_job_read_groups(node_member(spec, SLICE("groups")), job, source->arena);
    gang_job_take_stage(job, gang, source);
}

const struct job_kind gang_job_job_kind = {
    .api_versions = {SLICE_INIT(GANG_API_VERSION)},
    .kind = SLICE_INIT(GANG_KIND_JOB),
    .schema = &gang_job_schema,
    .is_strict = true,
    .count_gangs = gang_job_count_gangs,
    .translate = gang_job_translate,
};
