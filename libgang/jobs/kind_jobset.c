/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"

/* Source: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 */
/* The index of a Job in its replicatedJob, also on its pods: labelAndAnnotateObject(). */
#define JOBSET_KIND_JOB_INDEX SLICE("jobset.sigs.k8s.io/job-index")
#define JOBSET_KIND_MANAGER SLICE("jobset.sigs.k8s.io/jobset-controller")

/* The webhook's defaulting leaves an explicit 0, unlike that of a JobSet in a TrainingRuntime. */
static int64_t
jobset_kind_replicas(const struct replicated_job *replicated)
{
    return job_field_number(replicated->source, SLICE("replicas"), 1);
}

/* ---- roles ---- */

struct jobset_kind_order {
    const struct jobset *set;
    struct gang_wishes *job;
    const struct job_source *source;
    struct node_index names; /* of the replicatedJobs */
    bool *is_never;          /* for each role: the operator never creates it */
    /* for each role: one more than the index of the last role that waits for it, and the edge */
    struct jobset_kind_edge {
        size_t waiting;
        size_t edge;
    } * last;
};

/* Returns the index of an earlier role; ROLE_NONE if there is none of this name. */
static size_t
jobset_kind_earlier(const struct jobset_kind_order *order, struct slice name,
                    const struct role *role)
{
    const struct node *found = node_index_find(&order->names, name);

    return found && found->index < (size_t)(role - order->job->roles) ? found->index : ROLE_NONE;
}

/* Returns an earlier role with Jobs that an entry of dependsOn names; NULL if there is none. */
static const struct role *
jobset_kind_awaited(const struct jobset_kind_order *order, const struct node *item,
                    const struct role *role)
{
    const size_t index = jobset_kind_earlier(order, node_name(item), role);

    return index != ROLE_NONE && jobset_kind_replicas(&order->set->jobs[index])
               ? &order->job->roles[index]
               : NULL;
}

/*
 * A role waits once for another one, also if several roles pass it on: until it is complete, if one
 * of them says so.
 */
static void
jobset_kind_add_edge(const struct jobset_kind_order *order, size_t most,
                     const struct dependency *edge, struct role *role)
{
    const size_t own = (size_t)(role - order->job->roles) + 1;
    struct jobset_kind_edge *last = edge->index == ROLE_NONE ? NULL : &order->last[edge->index];

    if (last && last->waiting == own) {
        if (edge->status == DEPENDENCY_COMPLETE && last->edge < role->num_dependencies)
            role->dependencies[last->edge].status = DEPENDENCY_COMPLETE;
        return;
    }
    if (last)
        *last = (struct jobset_kind_edge){own, role->num_dependencies};
    gang_job_add_edge(role, most, edge, order->source->arena);
}

/*
 * A role with Jobs and without pods is created after what it waits for, is ready at once, and is
 * complete only with completions: 0. One without Jobs is both from the start. Source:
 * kubernetes-sigs/jobset:pkg/controllers/{depends_on,jobset_controller}.go@v0.12.0
 */
static void
jobset_kind_wait(const struct jobset_kind_order *order, size_t most, const struct role *awaited,
                 const struct dependency *edge, struct role *role)
{
    const size_t index = (size_t)(awaited - order->job->roles);
    const bool never =
        !awaited->count && edge->status == DEPENDENCY_COMPLETE &&
        node_int_or(node_member(order->set->jobs[index].job_spec, SLICE("completions")), 1);

    if (jobset_kind_replicas(&order->set->jobs[role - order->job->roles]) &&
        (never || order->is_never[index])) {
        order->is_never[role - order->job->roles] = true;
        role->wish = WISH_OUTSIDE;
        find_note(order->source->report, edge->source, GANG_CODE_ROLE_NEVER_CREATED,
                  never ? "set replicas: 0 instead of parallelism: 0, or wait for another role"
                        : NULL,
                  "role %-.*s is never created, and not in the gang: it waits for role %-.*s, %s",
                  SLICE_ARG(role->name), SLICE_ARG(edge->role),
                  never ? "whose Jobs of parallelism 0 never complete" : "which is never created");
    }
    if (awaited->count)
        jobset_kind_add_edge(order, most, edge, role);
    for (size_t i = 0; !awaited->count && i < awaited->num_dependencies; i++) {
        struct dependency passed = awaited->dependencies[i];

        passed.index = jobset_kind_earlier(order, passed.role, role);
        jobset_kind_add_edge(order, most, &passed, role);
    }
}

static void
jobset_kind_add_edges(const struct jobset_kind_order *order, const struct node *depends_on,
                      struct role *role)
{
    size_t most = 0;

    for (NODE_EACH(item, depends_on)) {
        const struct role *awaited = jobset_kind_awaited(order, item, role);

        most += awaited && !awaited->count ? awaited->num_dependencies : 1;
    }
    for (NODE_EACH(item, depends_on)) {
        const struct slice status = node_string(node_member(item, SLICE("status")));
        const struct role *awaited = jobset_kind_awaited(order, item, role);
        const struct dependency edge = {
            .role = node_name(item),
            .index = jobset_kind_earlier(order, node_name(item), role),
            .status =
                slice_equal(status, SLICE("Complete")) ? DEPENDENCY_COMPLETE : DEPENDENCY_READY,
            .source = item,
        };

        if (awaited)
            jobset_kind_wait(order, most, awaited, &edge, role);
        else if (slice_is_set(edge.role))
            jobset_kind_add_edge(order, most, &edge, role);
    }
}

static void
jobset_kind_set_counts(const struct replicated_job *replicated, const struct job_source *source,
                       struct role *role)
{
    const int64_t replicas = jobset_kind_replicas(replicated);
    /* Pods of one Job at the same time; negative if the document says so. */
    const int64_t parallelism = replicated->parallelism;
    const int64_t completions =
        job_field_number(replicated->job_spec, SLICE("completions"), parallelism);
    const int64_t pods = completions < parallelism ? completions : parallelism;
    const struct node *exclusive;

    /* A wrong number counts as 0; the rules report it. */
    gang_job_set_count(
        role, replicas > 0 && pods > 0 && pods <= INT32_MAX / replicas ? replicas * pods : 0);
    if (!role->count)
        return;
    if (replicas > 1 && pods > 1) {
        role->unit = pods;
        role->unit_label = JOBSET_KIND_JOB_INDEX;
    }
    exclusive = jobset_exclusive_find(replicated, source->meta->annotations, pods, source->report);
    if (!exclusive)
        return;
    role->first_count = replicas;
    find_note(source->report, exclusive, MESSAGE_EXCLUSIVE_TOPOLOGY);
}

static void
jobset_kind_add_role(const struct jobset_kind_order *order, size_t index)
{
    const struct jobset *set = order->set;
    const struct job_source *source = order->source;
    const struct replicated_job *replicated = &set->jobs[index];
    struct role *role = gang_job_add_role(order->job, set->count, replicated->name,
                                          replicated->source, source->arena);
    const struct node *labels = node_member(replicated->job_metadata, SLICE("labels"));
    const struct ancestor_entry *step =
        ancestor_entry_of(node_string(node_member(labels, TRAINER_ANCESTOR_LABEL)));

    if (!role)
        return;
    jobset_kind_set_counts(replicated, source, role);
    role->pod_template = node_member(replicated->job_spec, SLICE("template"));
    role->retries = replicated->retries;
    role->wish = step ? step->wish : WISH_AUTO;
    if (replicated->depends_on)
        jobset_kind_add_edges(order, replicated->depends_on, role);
    /* A role without pods is ready at once, and the next one waits for the role before it. */
    for (size_t i = index; !replicated->depends_on && set->in_order && i > 0; i--) {
        const struct role *before = &order->job->roles[i - 1];
        const struct dependency edge = {
            .role = before->name, .status = DEPENDENCY_READY, .source = set->in_order};

        if (before->count) {
            gang_job_add_edge(role, 1, &edge, source->arena);
            break;
        }
    }
    find_default(source->report, replicated->source, SLICE("replicas"), "1");
}

static struct jobset
jobset_kind_read_roles(const struct job_source *source, struct gang_wishes *job)
{
    const struct jobset set = jobset_read_outline(source->spec, source->report);

    const struct jobset_kind_order order = {
        .set = &set,
        .job = job,
        .source = source,
        .names = node_index_make(node_member(source->spec, SLICE("replicatedJobs")), source->arena),
        .is_never = arena_array(source->arena, set.count, sizeof(*order.is_never)),
        .last = arena_array(source->arena, set.count, sizeof(*order.last)),
    };

    for (size_t i = 0; order.is_never && order.last && i < set.count; i++)
        jobset_kind_add_role(&order, i);
    job->is_in_order = set.in_order != NULL;
    return set;
}

/* ---- the gang ---- */

static void
jobset_kind_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct jobset set = jobset_kind_read_roles(source, job);

    job->suspended = node_is_true(node_member(source->spec, SLICE("suspend")));
    /* Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0 */
    jobset_rules_check_alone(&set, source->report);
    jobset_start_order_check(&set, source->report);
    for (size_t i = 0; i < set.count; i++) {
        const struct replicated_job *replicated = &set.jobs[i];
        const int64_t replicas = jobset_kind_replicas(replicated);
        const struct node *numbers[] = {
            node_member(replicated->source, SLICE("replicas")),
            node_member(replicated->job_spec, SLICE("parallelism")),
            node_member(replicated->job_spec, SLICE("completions")),
        };
        int64_t value;

        if (replicas > 0 && replicated->parallelism > INT32_MAX / replicas)
            find_note(source->report, replicated->source, MESSAGE_PODS_OVERFLOW_JOBSET,
                      SLICE_ARG(replicated->name));
        /* Refused by the API server when the controller creates the Jobs, except for replicas. */
        for (size_t k = 0; k < COUNT_OF(numbers); k++)
            if (node_int(numbers[k], &value))
                job_field_pods(value, numbers[k], source->report);
        jobset_names_check(source->meta, replicated, replicas, source->report);
        if (set.coordinator)
            jobset_coordinator_check(&set, source->meta, replicated, replicas,
                                     node_int_or(numbers[2], -1), source->report);
    }
    job_field_read_manager(source, JOBSET_KIND_MANAGER, job);
    gang_job_take_stage(job, source);
    job_field_check_parent(source, job);
    job_field_check_scheduling(source, NULL, job);
}

const struct job_kind jobset_job_kind = {
    .api_versions = {SLICE_INIT("jobset.x-k8s.io/v1alpha2")},
    .kind = SLICE_INIT("JobSet"),
    .schema = &jobset_schema,
    .has_former_pod_field = true,
    /* Source: config/components/crd/bases/jobset.x-k8s.io_jobsets.yaml@v0.12.0 */
    .template_fields = TEMPLATE_OF_JOBSET,
    .has_stages = true,
    .translate = jobset_kind_translate,
};
