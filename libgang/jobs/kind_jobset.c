/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/finding.h"
#include "libgang/jobs/job_fields.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"
#include "libgang/kube/names.h"
#include "libgang/kube/jobset_rules.h"
#include "libgang/kube/crd_schema.h"

/* Source: kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0 */
#define JOBSET_KIND_MANAGER SLICE("jobset.sigs.k8s.io/jobset-controller")

/* ---- counts ---- */

/* The webhook's defaulting leaves an explicit 0, unlike that of a JobSet in a TrainingRuntime. */
static int64_t
jobset_kind_replicas(const struct replicated_job *replicated)
{
    return job_field_number(replicated->source, SLICE("replicas"), 1);
}

/* Pods of one Job at the same time; negative if the document says so. */
static int64_t
jobset_kind_pods_of_job(const struct replicated_job *replicated)
{
    const int64_t parallelism = replicated->parallelism;
    const int64_t completions =
        job_field_number(replicated->job_spec, SLICE("completions"), parallelism);

    return completions < parallelism ? completions : parallelism;
}

/* A wrong number counts as 0; the rules report it. */
static int64_t
jobset_kind_count(const struct replicated_job *replicated)
{
    const int64_t replicas = jobset_kind_replicas(replicated);
    const int64_t pods = jobset_kind_pods_of_job(replicated);

    return replicas > 0 && pods > 0 && pods <= INT32_MAX / replicas ? replicas * pods : 0;
}

/* ---- stages ---- */

/*
 * Roles that wait for each other by Complete never run together, so they are in several stages. A
 * JobSet that does not say which stage is the gang has one gang for each stage with several pods.
 */
struct jobset_kind_stages {
    uint32_t *of_role;
    int64_t *pods;   /* of each stage */
    uint32_t *gangs; /* the stage of each gang */
    size_t num_gangs;
    bool is_split; /* false: one gang, whose stage is chosen as for a TrainJob */
};

/* Returns the last role before this one with the name; NULL if there is none. */
static const struct replicated_job *
jobset_kind_find_before(const struct jobset *set, size_t index, struct slice name)
{
    for (size_t i = index; i > 0; i--)
        if (slice_equal(set->jobs[i - 1].name, name))
            return &set->jobs[i - 1];
    return NULL;
}

/* The roles before it have their stages. A role without replicas holds up no other. */
static uint32_t
jobset_kind_stage(const struct jobset *set, size_t index, const uint32_t *of_role)
{
    uint32_t stage = 0;

    for (NODE_EACH(item, set->jobs[index].depends_on)) {
        const struct replicated_job *target = jobset_kind_find_before(set, index, node_name(item));
        const struct slice status = node_string(node_member(item, SLICE("status")));
        uint32_t behind;

        if (!target || !jobset_kind_count(target))
            continue;
        behind = of_role[target - set->jobs] + slice_equal(status, SLICE("Complete"));
        stage = behind > stage ? behind : stage;
    }
    return stage;
}

/* Source: kubeflow/trainer:pkg/constants/constants.go@v2.3.0 */
#define JOBSET_KIND_STEP SLICE("trainer.kubeflow.org/trainjob-ancestor-step")

static const struct {
    struct slice step;
    enum gang_job_membership membership;
} jobset_kind_steps[] = {
    {SLICE_INIT("trainer"), GANG_JOB_MEMBER},
    {SLICE_INIT("dataset-initializer"), GANG_JOB_OUTSIDE},
    {SLICE_INIT("model-initializer"), GANG_JOB_OUTSIDE},
};

/* Trainer's label on a Job template says which roles train. */
static enum gang_job_membership
jobset_kind_membership(const struct replicated_job *replicated)
{
    const struct node *labels = node_member(replicated->job_metadata, SLICE("labels"));
    const struct slice step = node_string(node_member(labels, JOBSET_KIND_STEP));

    for (size_t i = 0; i < COUNT_OF(jobset_kind_steps); i++)
        if (slice_equal(step, jobset_kind_steps[i].step))
            return jobset_kind_steps[i].membership;
    return GANG_JOB_AUTO;
}

static bool
jobset_kind_says_stage(const struct jobset *set)
{
    for (size_t i = 0; i < set->count; i++)
        if (jobset_kind_membership(&set->jobs[i]) == GANG_JOB_MEMBER)
            return true;
    return false;
}

static void
jobset_kind_list_gangs(const struct jobset *set, struct jobset_kind_stages *stages)
{
    for (size_t i = 0; i < set->count; i++) {
        stages->of_role[i] = jobset_kind_stage(set, i, stages->of_role);
        stages->pods[stages->of_role[i]] += jobset_kind_count(&set->jobs[i]);
        stages->is_split |= stages->of_role[i] > 0;
    }
    for (uint32_t stage = 0; stage < set->count; stage++)
        if (stages->pods[stage] > 1)
            stages->gangs[stages->num_gangs++] = stage;
}

static struct jobset_kind_stages
jobset_kind_find_stages(const struct jobset *set, struct arena *arena)
{
    struct jobset_kind_stages stages = {
        .of_role = arena_array(arena, set->count, sizeof(*stages.of_role)),
        .pods = arena_array(arena, set->count, sizeof(*stages.pods)),
        .gangs = arena_array(arena, set->count, sizeof(*stages.gangs)),
    };

    if (stages.of_role && stages.pods && stages.gangs && !jobset_kind_says_stage(set))
        jobset_kind_list_gangs(set, &stages);
    return stages;
}

static uint64_t
jobset_kind_count_gangs(const struct job_source *source)
{
    struct report unread; /* the translation reports the same */
    struct jobset set;
    struct jobset_kind_stages stages;

    report_init(&unread, source->arena, source->limits);
    set = jobset_read_outline(source->spec, source->arena, source->limits, &unread);
    stages = jobset_kind_find_stages(&set, source->arena);
    return stages.is_split && stages.num_gangs ? stages.num_gangs : 1;
}

/* ---- rules of the webhook ---- */

static void
jobset_kind_check_product(const struct replicated_job *replicated, struct report *report)
{
    const int64_t replicas = jobset_kind_replicas(replicated);

    if (replicas > 0 && replicated->parallelism > INT32_MAX / replicas)
        find_note(report, GANG_CODE_PODS_OVERFLOW, replicated->source, NULL,
                  "Invalid value: the product of replicas and parallelism must not exceed "
                  "2147483647 for replicatedJob '%.*s'",
                  SLICE_ARG(replicated->name));
}

/* Refused by the API server when the controller creates the Jobs, except for replicas. */
static void
jobset_kind_check_numbers(const struct replicated_job *replicated, struct report *report)
{
    const struct node *numbers[] = {
        node_member(replicated->source, SLICE("replicas")),
        node_member(replicated->job_spec, SLICE("parallelism")),
        node_member(replicated->job_spec, SLICE("completions")),
    };
    int64_t value;

    for (size_t i = 0; i < COUNT_OF(numbers); i++)
        if (node_int(numbers[i], &value) && value < 0)
            find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, numbers[i], NULL,
                         "must be greater than or equal to 0");
}

/* Source: kubernetes-sigs/jobset:pkg/webhooks/jobset_webhook.go ValidateCreate@v0.12.0 */
static void
jobset_kind_check(const struct jobset *set, const struct job_source *source)
{
    jobset_rules_check_alone(set, source->report);
    jobset_start_order_check(set, source->report);
    for (size_t i = 0; i < set->count; i++) {
        const struct replicated_job *replicated = &set->jobs[i];

        jobset_kind_check_product(replicated, source->report);
        jobset_kind_check_numbers(replicated, source->report);
        jobset_names_check(source->meta, replicated, jobset_kind_replicas(replicated),
                           source->report);
    }
}

/* ---- roles ---- */

/* The translation of one gang. */
struct jobset_kind_call {
    const struct job_source *source;
    struct jobset set;
    struct jobset_kind_stages stages;
    uint64_t gang;
};

/*
 * Whether the gang's job has the role. Of several gangs each has the roles of its stage, so that no
 * role is in two of them; the roles of the other stages are in the first.
 */
static bool
jobset_kind_has_role(const struct jobset_kind_call *call, size_t index)
{
    const struct jobset_kind_stages *stages = &call->stages;
    uint32_t stage;

    if (!stages->is_split || stages->num_gangs < 2)
        return true;
    stage = stages->of_role[index];
    return stage == stages->gangs[call->gang] || (!call->gang && stages->pods[stage] < 2);
}

/* A role of another gang runs at another time. An unknown role is an error that others report. */
static bool
jobset_kind_waits_for(const struct jobset_kind_call *call, struct slice name)
{
    const struct replicated_job *target;

    if (!slice_is_set(name) || call->stages.num_gangs < 2)
        return slice_is_set(name);
    target = jobset_kind_find_before(&call->set, call->set.count, name);
    return !target || jobset_kind_has_role(call, (size_t)(target - call->set.jobs));
}

static void
jobset_kind_add_edges(const struct jobset_kind_call *call, const struct node *depends_on,
                      struct gang_job_role *role)
{
    for (NODE_EACH(item, depends_on)) {
        const struct slice status = node_string(node_member(item, SLICE("status")));
        const struct gang_job_edge edge = {
            .role = node_name(item),
            .status = slice_equal(status, SLICE("Complete")) ? GANG_JOB_COMPLETE : GANG_JOB_READY,
            .source = item,
        };

        if (jobset_kind_waits_for(call, edge.role))
            gang_job_add_edge(role, node_count(depends_on), &edge, call->source->arena);
    }
}

/* A role without pods is ready at once, and the next one waits for the role before it. */
static void
jobset_kind_follow(const struct jobset *set, size_t index, struct gang_job_role *role,
                   struct arena *arena)
{
    for (size_t i = index; i > 0; i--)
        if (jobset_kind_count(&set->jobs[i - 1])) {
            const struct gang_job_edge edge = {
                .role = set->jobs[i - 1].name,
                .status = GANG_JOB_READY,
                .source = set->in_order,
            };

            gang_job_add_edge(role, 1, &edge, arena);
            return;
        }
}

static void
jobset_kind_set_counts(const struct replicated_job *replicated, const struct job_source *source,
                       struct gang_job_role *role)
{
    const int64_t replicas = jobset_kind_replicas(replicated);
    const int64_t pods = jobset_kind_pods_of_job(replicated);

    gang_job_set_count(role, jobset_kind_count(replicated));
    if (!role->count)
        return;
    if (replicas > 1)
        role->unit = pods;
    if (jobset_exclusive_find(replicated, source->meta->annotations, pods, source->report))
        role->first_count = replicas;
}

/* Beside the members of one of several gangs stand only roles whose edges are left out. */
static enum gang_job_membership
jobset_kind_role_membership(const struct jobset_kind_call *call, size_t index)
{
    const struct jobset_kind_stages *stages = &call->stages;

    if (!stages->is_split || call->gang >= stages->num_gangs)
        return jobset_kind_membership(&call->set.jobs[index]);
    if (stages->of_role[index] == stages->gangs[call->gang])
        return GANG_JOB_MEMBER;
    return stages->num_gangs > 1 ? GANG_JOB_OUTSIDE
                                 : jobset_kind_membership(&call->set.jobs[index]);
}

static void
jobset_kind_add_role(const struct jobset_kind_call *call, size_t index, struct gang_job *job)
{
    const struct job_source *source = call->source;
    const struct replicated_job *replicated = &call->set.jobs[index];
    struct gang_job_role *role = gang_job_add_role(job, call->set.count, replicated->name,
                                                   replicated->source, source->arena);

    if (!role)
        return;
    jobset_kind_set_counts(replicated, source, role);
    role->pod_template = replicated->pod_template;
    role->retries = replicated->retries;
    role->membership = jobset_kind_role_membership(call, index);
    if (replicated->depends_on)
        jobset_kind_add_edges(call, replicated->depends_on, role);
    else if (call->set.in_order)
        jobset_kind_follow(&call->set, index, role, source->arena);
    if (!node_member(replicated->source, SLICE("replicas")))
        find_note_below(source->report, GANG_CODE_DEFAULT_APPLIED, replicated->source,
                        SLICE("replicas"), NULL, "defaults to 1, as in the API server");
}

/* ---- the gang ---- */

static void
jobset_kind_name_gang(const struct jobset_kind_call *call, struct gang_job *job)
{
    if (call->stages.is_split && !call->stages.num_gangs)
        gang_job_stand_back(job, call->source->spec,
                            "no stage of the JobSet has more than one pod");
    if (call->gang)
        job->group_name = slice_from_text(arena_format(call->source->arena, "%.*s-s%llu",
                                                       SLICE_ARG(call->source->meta->name),
                                                       (unsigned long long)call->gang));
}

static void
jobset_kind_translate(const struct job_source *source, uint64_t gang, struct gang_job *job)
{
    struct jobset_kind_call call = {
        .source = source,
        .set = jobset_read_outline(source->spec, source->arena, source->limits, source->report),
        .gang = gang,
    };

    call.stages = jobset_kind_find_stages(&call.set, source->arena);
    job->suspended = node_is_true(node_member(source->spec, SLICE("suspend")));
    for (size_t i = 0; i < call.set.count; i++)
        if (jobset_kind_has_role(&call, i))
            jobset_kind_add_role(&call, i, job);
    jobset_kind_check(&call.set, source);
    job_field_read_manager(source, JOBSET_KIND_MANAGER, job);
    job_field_check_parent(source, job);
    job_field_check_scheduling(source, job);
    jobset_kind_name_gang(&call, job);
}

const struct job_kind jobset_job_kind = {
    .api_versions = {SLICE_INIT("jobset.x-k8s.io/v1alpha2")},
    .kind = SLICE_INIT("JobSet"),
    .schema = &jobset_schema,
    .count_gangs = jobset_kind_count_gangs,
    .translate = jobset_kind_translate,
};
