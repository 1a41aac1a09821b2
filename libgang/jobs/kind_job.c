/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"

/* Source: kubernetes/kubernetes:staging/src/k8s.io/api/batch/v1/types.go@v1.37.1 */
#define BATCH_JOB_MANAGER SLICE("kubernetes.io/job-controller")
/* With the value `true`, a Job is a gang although it is none by itself. */
#define BATCH_JOB_ASKS SLICE("policy.libgang.dev/gang")
/* Source: kubernetes-sigs/kueue:pkg/controller/jobs/job/job_controller.go@v0.19.2 */
#define BATCH_JOB_MINIMUM SLICE("kueue.x-k8s.io/job-min-parallelism")

enum { BATCH_JOB_MOST_INDEXES = 100000, BATCH_JOB_LONGEST_POD = 63 };

/* The numbers of a Job with the defaults of the API server. */
struct batch_job {
    int64_t parallelism;
    int64_t completions;
    bool has_completions; /* a Job without them is a work queue */
    bool is_indexed;
    int64_t pods; /* at the same time */
};

/* Source: kubernetes/kubernetes:pkg/apis/batch/validation/validation.go ValidateJobSpec@v1.37.1 */
static void
batch_job_check(const struct batch_job *batch, const struct job_source *source)
{
    const struct node *spec = source->spec;
    size_t len;

    job_field_pods(job_field_number(spec, SLICE("parallelism"), 0),
                   node_member(spec, SLICE("parallelism")), source->report);
    job_field_pods(job_field_number(spec, SLICE("completions"), 0),
                   node_member(spec, SLICE("completions")), source->report);
    if (!batch->is_indexed)
        return;
    if (!node_member(spec, SLICE("completions")))
        find_required(source->report, spec, SLICE("completions"), MESSAGE_REQUIRED_FIELD_INDEXED);
    if (batch->parallelism > BATCH_JOB_MOST_INDEXES)
        find_invalid(source->report, node_member(spec, SLICE("parallelism")),
                     MESSAGE_VALUE_OUT_OF_RANGE_COMPLETIONS);
    /* The name of a pod is that of the Job, `-`, and its index. */
    len = source->meta->name.len + 1 + integer_length(batch->completions - 1);
    if (batch->completions > 0 && len > BATCH_JOB_LONGEST_POD)
        find_note(source->report, source->meta->name_source, MESSAGE_DERIVED_NAME_TOO_LONG_PODS,
                  len, len - BATCH_JOB_LONGEST_POD);
}

/* ---- the gang ---- */

/* Reports the number of an annotation that Kueue's webhook refuses. 0 if there is none. */
static int64_t
batch_job_minimum(const struct batch_job *batch, const struct job_source *source)
{
    const struct node *annotation = node_member(source->meta->annotations, BATCH_JOB_MINIMUM);
    int64_t minimum = 0;

    if (!annotation)
        return 0;
    if (integer_parse(node_string(annotation), &minimum) && minimum > 0 && minimum < batch->pods)
        return minimum;
    find_invalid(source->report, annotation, MESSAGE_ANNOTATION_NOT_USED,
                 (long long)batch->pods - 1);
    return 0;
}

static bool
batch_job_asks(const struct job_source *source)
{
    static const struct slice supported[] = {SLICE_INIT("true")};
    const struct node *annotation = node_member(source->meta->annotations, BATCH_JOB_ASKS);

    if (slice_equal(node_string(annotation), supported[0]))
        return true;
    if (annotation)
        find_unsupported(source->report, annotation, GANG_CODE_ANNOTATION_NOT_USED, NULL, supported,
                         COUNT_OF(supported));
    return false;
}

static void
batch_job_choose(const struct batch_job *batch, const struct job_source *source, struct role *role,
                 struct gang_wishes *job)
{
    const int64_t minimum = batch_job_minimum(batch, source);
    const bool asks = batch_job_asks(source) || minimum;

    if (minimum)
        role->min_count = role->first_count = minimum;
    /*
     * The Jobs that Kubernetes 1.36 made gangs of: all pods exist at the same time and know their
     * index. Source: kubernetes/kubernetes:pkg/controller/job/job_scheduling_manager.go@v1.36.2
     */
    if ((batch->is_indexed && batch->parallelism == batch->completions && batch->pods > 1) ||
        (asks && batch->pods > 1)) {
        /* The last pods of such a Job are fewer than the gang needs, so they never start. */
        if (!batch->has_completions || batch->completions != batch->pods)
            find_note_below(source->report, source->spec, SLICE("completions"),
                            MESSAGE_GANG_OUTLIVES_PODS, (long long)role->min_count,
                            (long long)role->min_count);
        return;
    }
    /* The marks of an earlier size stay in the template: each pod needs the group that they name */
    if (batch->pods > 0 && (asks || batch->is_indexed) &&
        reserved_marks_name(role->pod_template, job->owner.name)) {
        role->min_count = role->first_count = 1;
        return;
    }
    if (batch->pods > 1)
        find_in_root(source->report, source->root, MESSAGE_JOB_IS_NO_GANG);
    gang_job_stand_back(job, source->spec, "the pods of the Job need not start together");
}

static void
batch_job_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct node *spec = source->spec;
    const struct slice mode = node_string(node_member(spec, SLICE("completionMode")));
    /*
     * Without both numbers each is 1; with parallelism alone the Job is a work queue. Source:
     * kubernetes/kubernetes:pkg/apis/batch/v1/defaults.go SetDefaults_Job@v1.37.1
     */
    struct batch_job batch = {
        .parallelism = job_field_number(spec, SLICE("parallelism"), 1),
        .completions = job_field_number(spec, SLICE("completions"), 1),
        .has_completions =
            node_member(spec, SLICE("completions")) || !node_member(spec, SLICE("parallelism")),
        .is_indexed = slice_equal(mode, SLICE("Indexed")),
    };
    struct role *role = gang_job_add_role(job, 1, SLICE("main"), spec, source->arena);

    if (!role)
        return;
    batch.pods = batch.parallelism;
    if (batch.has_completions && batch.completions < batch.pods)
        batch.pods = batch.completions;
    gang_job_set_count(role, batch.pods > 0 ? batch.pods : 0);
    role->pod_template = node_member(spec, SLICE("template"));
    role->retries = job_spec_retries(spec);
    job->suspended = node_is_true(node_member(spec, SLICE("suspend")));
    find_default(source->report, spec, SLICE("parallelism"), "1");
    batch_job_check(&batch, source);
    job_field_read_manager(source, BATCH_JOB_MANAGER, job);
    job_field_check_parent(source, job);
    job_field_check_scheduling(source, "schedulingPolicy.gang", job);
    if (!job->why_no_gang && !job->managed_elsewhere)
        batch_job_choose(&batch, source, role, job);
}

const struct job_kind job_job_kind = {
    .api_versions = {SLICE_INIT("batch/v1")},
    .kind = SLICE_INIT("Job"),
    .schema = &job_schema,
    .is_built_in = true,
    .template_fields = TEMPLATE_BUILT_IN,
    .translate = batch_job_translate,
};
