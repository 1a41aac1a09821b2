/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/jobset.h"

#include "libgang/document/document.h"

static int64_t
jobset_int_or(const struct node *node, int64_t fallback)
{
    int64_t value;

    return node_int(node, &value) ? value : fallback;
}

static void
jobset_check_containers(const struct node *containers, const struct limits *limits,
                        struct report *report)
{
    uint64_t largest = limits->value[GANG_LIMIT_CONTAINERS];

    if (node_count(containers) > largest)
        find_note(report, GANG_CODE_LIMIT_CONTAINERS, containers, NULL,
                  "Too many: %zu: must have at most %llu items", node_count(containers),
                  (unsigned long long)largest);
}

void
replicated_job_sum_requests(struct replicated_job *job, struct arena *arena)
{
    job->requests_fit = pod_requests_sum(&job->resources, POD_REQUESTS_ONLY, arena, &job->requests);
    resource_list_forget_texts(&job->requests);
}

void
replicated_job_sum_effective_requests(struct replicated_job *job, struct arena *arena)
{
    job->effective_requests_fit =
        pod_requests_sum(&job->resources, POD_REQUESTS_EFFECTIVE, arena, &job->effective_requests);
    resource_list_forget_texts(&job->effective_requests);
}

static void
replicated_job_sum_of_pod(struct replicated_job *job, struct arena *arena)
{
    job->requests_source = job->pod_spec;
    replicated_job_sum_requests(job, arena);
    replicated_job_sum_effective_requests(job, arena);
}

/* Everything but the resources of the pods. */
static inline struct replicated_job
replicated_job_read_outline(const struct node *source)
{
    const struct node *job_template = node_member(source, SLICE("template"));
    const struct node *job_spec = node_member(job_template, SLICE("spec"));
    const struct node *pod_template = node_member(job_spec, SLICE("template"));
    const struct node *pod_spec = node_member(pod_template, SLICE("spec"));
    int64_t replicas = jobset_int_or(node_member(source, SLICE("replicas")), 1);

    return (struct replicated_job){
        .name = node_string(node_member(source, SLICE("name"))),
        .replicas = replicas ? replicas : 1,
        .parallelism = jobset_int_or(node_member(job_spec, SLICE("parallelism")), 1),
        .has_completions = node_member(job_spec, SLICE("completions")) != NULL,
        .retries = jobset_int_or(node_member(job_spec, SLICE("backoffLimit")), 6) != 0,
        .scheduler_name = node_string(node_member(pod_spec, SLICE("schedulerName"))),
        .priority_class_name = node_string(node_member(pod_spec, SLICE("priorityClassName"))),
        .source = source,
        .name_source = node_member(source, SLICE("name")),
        .job_metadata = node_member(job_template, SLICE("metadata")),
        .job_spec = job_spec,
        .pod_template = pod_template,
        .pod_spec = pod_spec,
        .depends_on = node_member(source, SLICE("dependsOn")),
    };
}

static struct replicated_job
replicated_job_read(const struct node *source, struct arena *arena, const struct limits *limits,
                    struct report *report)
{
    struct replicated_job job = replicated_job_read_outline(source);

    jobset_check_containers(node_member(job.pod_spec, SLICE("containers")), limits, report);
    jobset_check_containers(node_member(job.pod_spec, SLICE("initContainers")), limits, report);
    job.resources = pod_resources_read(job.pod_spec, arena, report);
    job.survives_json = pod_resources_survive_json(&job.resources, arena);
    replicated_job_sum_of_pod(&job, arena);
    return job;
}

static const struct node *
jobset_in_order(const struct node *spec)
{
    const struct node *order = node_at(spec, "startupPolicy.startupPolicyOrder");

    return slice_equal(node_string(order), SLICE("InOrder")) ? order : NULL;
}

/* Returns an empty JobSet if the list is too long or memory is exhausted. */
static struct jobset
jobset_prepare(const struct node *spec, struct arena *arena, const struct limits *limits,
               struct report *report)
{
    const struct node *list = node_member(spec, SLICE("replicatedJobs"));
    struct jobset jobset = {.in_order = jobset_in_order(spec), .source = spec};
    uint64_t largest = limits->value[GANG_LIMIT_ROLES];

    if (node_count(list) > largest)
        find_note(report, GANG_CODE_LIMIT_ROLES, list, NULL,
                  "Too many: %zu: must have at most %llu items", node_count(list),
                  (unsigned long long)largest);
    else
        jobset.jobs = arena_array(arena, node_count(list), sizeof(*jobset.jobs));
    jobset.count = jobset.jobs ? node_count(list) : 0;
    return jobset;
}

static bool
replicated_job_has_pod_metadata(const struct replicated_job *job)
{
    return node_member(job->pod_template, SLICE("metadata")) != NULL;
}

struct jobset
jobset_read(const struct node *spec, struct arena *arena, const struct limits *limits,
            struct report *report)
{
    struct jobset jobset = jobset_prepare(spec, arena, limits, report);
    const struct node *source = node_first(node_member(spec, SLICE("replicatedJobs")));

    for (size_t i = 0; i < jobset.count; i++, source = source->next) {
        jobset.jobs[i] = replicated_job_read(source, arena, limits, report);
        jobset.has_pod_metadata |= replicated_job_has_pod_metadata(&jobset.jobs[i]);
    }
    return jobset;
}

struct jobset
jobset_read_outline(const struct node *spec, struct arena *arena, const struct limits *limits,
                    struct report *report)
{
    struct jobset jobset = jobset_prepare(spec, arena, limits, report);
    const struct node *source = node_first(node_member(spec, SLICE("replicatedJobs")));

    for (size_t i = 0; i < jobset.count; i++, source = source->next)
        jobset.jobs[i] = replicated_job_read_outline(source);
    return jobset;
}

static const struct replicated_job *
jobset_same_job(const struct jobset *known, size_t index, const struct node *source)
{
    const struct replicated_job *job = index < known->count ? &known->jobs[index] : NULL;

    return job && node_first(job->source) == node_first(source) ? job : NULL;
}

static void
replicated_job_pass_json(struct replicated_job *job, struct arena *arena)
{
    if (job->survives_json)
        return;
    job->resources = pod_resources_after_json(&job->resources, arena);
    replicated_job_sum_of_pod(job, arena);
}

struct jobset
jobset_read_merged(const struct node *spec, const struct jobset *known, struct arena *arena,
                   const struct limits *limits, struct report *report)
{
    struct jobset jobset = jobset_prepare(spec, arena, limits, report);
    const struct node *source = node_first(node_member(spec, SLICE("replicatedJobs")));

    for (size_t i = 0; i < jobset.count; i++, source = source->next) {
        const struct replicated_job *same = jobset_same_job(known, i, source);

        jobset.jobs[i] = same ? *same : replicated_job_read(source, arena, limits, report);
        jobset.has_pod_metadata |= replicated_job_has_pod_metadata(&jobset.jobs[i]);
        replicated_job_pass_json(&jobset.jobs[i], arena);
    }
    return jobset;
}

const struct replicated_job *
jobset_find(const struct jobset *jobset, struct slice name)
{
    for (size_t i = 0; i < jobset->count; i++)
        if (slice_equal(jobset->jobs[i].name, name))
            return &jobset->jobs[i];
    return NULL;
}

const struct node *
replicated_job_container(const struct replicated_job *job, struct slice name)
{
    return node_item_named(node_member(job->pod_spec, SLICE("containers")), name);
}

bool
replicated_job_has_container(const struct replicated_job *job, struct slice name)
{
    return replicated_job_container(job, name) ||
           node_item_named(node_member(job->pod_spec, SLICE("initContainers")), name);
}

/* ---- exclusive placement ---- */

#define JOBSET_EXCLUSIVE SLICE("alpha.jobset.sigs.k8s.io/exclusive-topology")
/* The value does not matter. Nodes are labelled in advance, and all pods are created at once. */
#define JOBSET_NODE_SELECTOR SLICE("alpha.jobset.sigs.k8s.io/node-selector")

/* What one object's annotations give to the pods. */
struct jobset_placement {
    const struct node *exclusive;
    bool selects_nodes;
};

/* The API server drops a key whose value is null. */
static const struct node *
jobset_annotation(const struct node *annotations, struct slice key)
{
    const struct node *value = annotations ? node_member(annotations, key) : NULL;

    return value && !node_is(value, NODE_NULL) ? value : NULL;
}

bool
jobset_annotations_place(const struct node *annotations)
{
    return jobset_annotation(annotations, JOBSET_EXCLUSIVE) ||
           jobset_annotation(annotations, JOBSET_NODE_SELECTOR);
}

/* The JobSet and the Job template give node-selector to the pods only beside exclusive-topology. */
static void
jobset_place(struct jobset_placement *pods, const struct node *annotations, bool gives_alone)
{
    const struct node *exclusive = jobset_annotation(annotations, JOBSET_EXCLUSIVE);

    if (exclusive)
        pods->exclusive = exclusive;
    if (exclusive || gives_alone)
        pods->selects_nodes |= jobset_annotation(annotations, JOBSET_NODE_SELECTOR) != NULL;
}

const struct node *
replicated_job_exclusive(const struct replicated_job *job, const struct node *annotations)
{
    const struct node *pod_metadata = node_member(job->pod_template, SLICE("metadata"));
    struct jobset_placement pods = {.exclusive = NULL};

    jobset_place(&pods, node_member(pod_metadata, SLICE("annotations")), true);
    jobset_place(&pods, annotations, false);
    jobset_place(&pods, node_member(job->job_metadata, SLICE("annotations")), false);
    return pods.selects_nodes ? NULL : pods.exclusive;
}
