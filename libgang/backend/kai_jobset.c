/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_jobset.h"

/* `{key: value}` in front of a map; the map itself for no value. */
static const struct node *
kai_with(struct slice key, struct slice value, const struct node *map, struct arena *arena)
{
    struct builder front;

    if (!value.len)
        return map;
    front = build_map(arena);
    build_string(&front, key, value);
    return kai_settings_merge(front.node, map, arena);
}

/* The runtime's template and the patches over it, later ones first. */
static const struct node *
kai_template_map(const struct trainer_job *job, struct slice key, struct arena *arena)
{
    const struct node *map = node_member(job->runtime->template_metadata, key);

    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        const struct node *metadata = node_at(patch, "trainingRuntimeSpec.template.metadata");

        if (node_member(metadata, key))
            map = kai_settings_merge(node_member(metadata, key), map, arena);
    }
    return map;
}

static struct kai_job_role
kai_read_role(const struct backend_call *call, size_t index, const struct kai_marks *marks,
              struct arena *arena)
{
    const struct role *role = &call->gang->roles[index];
    const struct replicated_job *source = &call->job->jobset.jobs[index];
    const struct node *pod = node_member(source->pod_template, SLICE("metadata"));
    int64_t pods = role->operator_count > 0 ? role->operator_count : 1;

    return (struct kai_job_role){
        .name = role->name,
        .replicas = KAI_MINIMUM(role->count / pods),
        .parallelism = KAI_MINIMUM(pods),
        .completions = KAI_MINIMUM(pods),
        .annotations = node_member(source->job_metadata, SLICE("annotations")),
        .pod = {.labels = kai_with(KAI_QUEUE_LABEL, marks->queue, node_member(pod, SLICE("labels")), arena),
                .annotations = node_member(pod, SLICE("annotations"))},
        .pod_priority_class = call->gang->gives_priority && role->membership != ROLE_OUTSIDE
                                  ? call->gang->priority_class_name
                                  : role->priority_class_name,
    };
}

static const struct kai_job_role *
kai_read_roles(const struct backend_call *call, const struct kai_marks *marks, struct arena *arena)
{
    size_t count = call->gang->num_roles;
    struct kai_job_role *roles = arena_array(arena, count + 1, sizeof(*roles));

    for (size_t i = 0; roles && i < count; i++)
        roles[i] = kai_read_role(call, i, marks, arena);
    return roles;
}

struct kai_job
kai_jobset_read(const struct backend_call *call, const struct release *release, const struct kai_marks *marks,
                struct arena *arena)
{
    const struct gang_owner *owner = &call->gang->owner;
    const struct object_meta *trainjob = &call->job->trainjob->meta;
    struct slice job_queue = marks->queue_on_job ? marks->queue : NO_SLICE;
    struct kai_job job = {
        .release = *release,
        .name = owner->name,
        .namespace_ = owner->namespace_,
        .trainjob_uid = owner->uid,
        .trainjob = {.labels = trainjob->labels, .annotations = trainjob->annotations},
        .order = call->job->jobset.in_order ? KAI_ORDER_IN_ORDER : KAI_ORDER_ANY,
        .roles = kai_read_roles(call, marks, arena),
        .cluster = call->cluster,
    };

    job.num_roles = job.roles ? call->gang->num_roles : 0;
    job.jobset.labels =
        kai_with(KAI_QUEUE_LABEL, job_queue, kai_template_map(call->job, SLICE("labels"), arena), arena);
    job.jobset.labels = kai_with(KAI_PRIORITY_LABEL, marks->priority, job.jobset.labels, arena);
    job.jobset.annotations = kai_with(KAI_MIN_MEMBER_ANNOTATION, marks->min_member,
                                      kai_template_map(call->job, SLICE("annotations"), arena), arena);
    return job;
}

/* The label of the JobSet, else of the TrainJob. */
static struct slice
kai_job_label(const struct kai_job *job, struct slice key)
{
    struct slice label = node_string(node_member(job->jobset.labels, key));

    return slice_is_set(label) ? label : node_string(node_member(job->trainjob.labels, key));
}

struct kai_marks
kai_jobset_marks(const struct backend_call *call, const struct release *release, struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct kai_marks marks = {.queue = gang->queue};
    struct kai_job job = kai_jobset_read(call, release, &marks, arena);
    struct slice queue = kai_job_label(&job, KAI_QUEUE_LABEL);
    struct slice priority = kai_job_label(&job, KAI_PRIORITY_LABEL);

    marks.queue_on_job = marks.queue.len && slice_is_set(queue) && !slice_equal(queue, marks.queue);
    if (gang->gives_priority && slice_is_set(priority) && !slice_equal(priority, gang->priority_class_name))
        marks.priority = gang->priority_class_name;
    return marks;
}
