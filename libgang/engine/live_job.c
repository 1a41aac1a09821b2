/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/live_job.h"

static bool
live_job_has_condition(const struct node *status, struct slice type)
{
    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), type) &&
            slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("True")))
            return true;
    return false;
}

static bool
live_job_is_member(const struct gang *gang, struct slice role)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (slice_equal(gang->roles[i].name, role))
            return gang->roles[i].membership != ROLE_OUTSIDE;
    return false;
}

/* A count of Jobs with pods that have not ended: ready ones are not among the active. */
static bool
live_job_has_pods(const struct node *job_status)
{
    int64_t active = 0;
    int64_t ready = 0;

    return (node_int(node_member(job_status, SLICE("active")), &active) && active > 0) ||
           (node_int(node_member(job_status, SLICE("ready")), &ready) && ready > 0);
}

static bool
live_job_has_members(const struct gang *gang, const struct node *status)
{
    for (NODE_EACH(job, node_member(status, SLICE("jobsStatus"))))
        if (live_job_is_member(gang, node_string(node_member(job, SLICE("name")))) && live_job_has_pods(job))
            return true;
    return false;
}

static const struct node *
live_job_status(const struct gang_decision *decision, const struct live_object *object)
{
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;

    if (object)
        return node_member(object->root, SLICE("status"));
    return trainjob && trainjob->spec ? node_member(trainjob->spec->parent, SLICE("status")) : NULL;
}

struct live_job
live_job_find(const struct gang_decision *decision, const struct live_objects *objects)
{
    const struct gang_owner *owner = &decision->gang.owner;
    const struct live_key key = {live_group_of(owner->api_version), owner->kind, owner->namespace_,
                                 owner->name};
    struct live_job job = {.object = live_objects_find(objects, &key)};
    const struct node *status = live_job_status(decision, job.object);

    job.is_finished =
        live_job_has_condition(status, SLICE("Complete")) || live_job_has_condition(status, SLICE("Failed"));
    job.is_terminating = job.object && job.object->is_terminating;
    job.has_pods = live_job_has_members(&decision->gang, status);
    return job;
}

/* Where a backend's mark stands in a pod: in a map of keys with dots, or behind a path. */
struct live_mark {
    const char *map;
    struct slice key;
};

static const struct live_mark live_marks[] = {
    {"metadata.labels", SLICE_INIT(GANG_LABEL_COSCHEDULING_POD_GROUP)},
    {"metadata.annotations", SLICE_INIT(GANG_ANNOTATION_VOLCANO_GROUP_NAME)},
    {"metadata.annotations", SLICE_INIT(GANG_ANNOTATION_KAI_GROUP_NAME)},
    {"spec.schedulingGroup", SLICE_INIT("podGroupName")},
    {"spec.workloadRef", SLICE_INIT("name")},
};

static bool
live_pod_has_ended(const struct live_object *pod)
{
    struct slice phase = node_string(node_at(pod->root, "status.phase"));

    return slice_equal(phase, SLICE("Succeeded")) || slice_equal(phase, SLICE("Failed"));
}

struct slice
live_pod_group(const struct live_object *object)
{
    struct slice name = NO_SLICE;

    if (!slice_equal(object->kind, SLICE("Pod")) || object->group.len || live_pod_has_ended(object))
        return NO_SLICE;
    for (size_t i = 0; i < sizeof(live_marks) / sizeof(live_marks[0]) && !name.len; i++)
        name = node_string(node_member(node_at(object->root, live_marks[i].map), live_marks[i].key));
    return name;
}
