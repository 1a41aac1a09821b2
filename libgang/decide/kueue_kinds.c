/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

/* Maximum of spec.podSets of a Workload, of which a job has one for each role. */
enum { KUEUE_MOST_POD_SETS = 18 };

/* ---- labels and annotations of the job itself ---- */

/* Sources: kubernetes-sigs/kueue:pkg/controller/jobframework/validation.go@v0.19.2, and below. */

/* The annotation has precedence: the gate WorkloadIdentifierAnnotations is on by default. */
static void
kueue_check_workload_name(const struct kueue_job *job)
{
    const struct slice key = SLICE("kueue.x-k8s.io/prebuilt-workload-name");
    const struct node *annotation = node_member(job->meta->annotations, key);
    const struct node *name =
        node_string(annotation).len ? annotation : node_member(job->meta->labels, key);

    if (name)
        name_check_made(node_string(name), NAME_DNS1123_SUBDOMAIN, GANG_CODE_KUEUE_REFUSES_JOB,
                        name, "name a Workload", job->report);
    if (node_string(name).len && !(job->traits & KUEUE_TAKES_WORKLOAD))
        find_forbidden(job->report, name, MESSAGE_KUEUE_REFUSES_JOB_PREBUILT, SLICE_ARG(job->kind));
}

/* ---- admission gates ---- */

/*
 * Sources: validateAdmissionGatedByAnnotationFormat in kubernetes-sigs/kueue:pkg/util/webhook and
 * Parse in pkg/util/csv, both @v0.19.2.
 */
enum { KUEUE_LONGEST_GATE = 63 };

struct kueue_gate {
    struct slice name;
    bool is_repeated;
};

struct kueue_gates {
    struct kueue_gate *items;
    size_t count;
};

static struct kueue_gates
kueue_read_gates(struct slice text, struct arena *arena)
{
    struct kueue_gates gates = {NULL, 0};
    const void **sorted;

    for (size_t at = 0; at <= text.len;) {
        const struct slice gate = slice_before(slice_after(text, at), ',');
        const struct kueue_gate item = {text_trim(gate), false};

        ARENA_APPEND(arena, gates.items, gates.count, 4, item);
        at += gate.len + 1;
    }
    /* Marks every gate that is equal to one before it. */
    sorted = stable_sort_array(gates.items, gates.count, sizeof(*gates.items), slice_compare_first,
                               NULL, arena);
    for (size_t i = 1; sorted && i < gates.count; i++) {
        const size_t at = (size_t)((const struct kueue_gate *)sorted[i] - gates.items);

        gates.items[at].is_repeated = !slice_compare_first(sorted[i - 1], sorted[i], NULL);
    }
    return gates;
}

static void
kueue_check_gate(const struct kueue_gate *gate, const struct node *at, struct report *report)
{
    if (!gate->name.len || gate->is_repeated) {
        find_invalid(report, at, GANG_CODE_KUEUE_REFUSES_JOB, NULL, "%s%.*s",
                     gate->name.len ? "duplicate gate name: " : "cannot contain empty gate names",
                     SLICE_ARG(gate->name));
        return;
    }
    name_check_made(gate->name, NAME_DOMAIN_PREFIXED_PATH, GANG_CODE_KUEUE_REFUSES_JOB, at, NULL,
                    report);
    if (gate->name.len > KUEUE_LONGEST_GATE)
        find_note(report, at, MESSAGE_KUEUE_REFUSES_JOB_GATE_TOO_LONG, KUEUE_LONGEST_GATE);
}

static void
kueue_check_labels(const struct kueue_job *job)
{
    const struct node *queue = job_facts_kueue_queue(job->decision);
    const struct node *at =
        node_member(job->meta->annotations, SLICE("kueue.x-k8s.io/admission-gated-by"));
    struct kueue_gates gates;

    if (queue)
        name_check_made(node_string(queue), NAME_DNS1123_SUBDOMAIN, GANG_CODE_KUEUE_REFUSES_JOB,
                        queue, "name a LocalQueue", job->report);
    if (job->traits & KUEUE_READS_LABELS) {
        const struct node *seconds =
            node_member(job->meta->labels, SLICE("kueue.x-k8s.io/max-exec-time-seconds"));
        int64_t number;

        kueue_check_workload_name(job);
        if (seconds && !integer_parse_signed(node_string(seconds), &number))
            find_invalid(job->report, seconds, MESSAGE_KUEUE_REFUSES_JOB_NUMERIC);
        else if (seconds && number <= 0)
            find_invalid(job->report, seconds, MESSAGE_KUEUE_REFUSES_JOB_POSITIVE);
    }
    if (job->is_elastic && !(job->traits & KUEUE_TAKES_ELASTIC))
        find_forbidden(job->report,
                       node_member(job->meta->annotations, SLICE("kueue.x-k8s.io/elastic-job")),
                       MESSAGE_KUEUE_REFUSES_JOB_NOT_ELASTIC, SLICE_ARG(job->kind));
    if (!text_trim(node_string(at)).len)
        return;
    gates = kueue_read_gates(node_string(at), job->report->arena);
    for (size_t i = 0; i < gates.count; i++)
        kueue_check_gate(&gates.items[i], at, job->report);
}

/* ---- fields that the webhooks refuse ---- */

enum kueue_refusal { KUEUE_REFUSES_TRUE, KUEUE_REQUIRES_TRUE, KUEUE_REQUIRES_CLUSTER };

/* Sources: the webhooks in kubernetes-sigs/kueue:pkg/controller/jobs@v0.19.2. */
static const struct kueue_field {
    const struct job_kind *kind;
    const char *parent;
    struct slice name;
    enum kueue_refusal refusal;
    bool is_for_elastic; /* an elastic job may have it */
    const char *message;
} kueue_fields[] = {
    {&ray_cluster_job_kind, "spec", SLICE_INIT("enableInTreeAutoscaling"), KUEUE_REFUSES_TRUE, true,
     "a kueue-managed RayCluster can use autoscaling only as an elastic job: enable the "
     "ElasticJobsViaWorkloadSlices feature gate and set the \"kueue.x-k8s.io/elastic-job\": "
     "\"true\" annotation"},
    {&ray_job_job_kind, "spec.rayClusterSpec", SLICE_INIT("enableInTreeAutoscaling"),
     KUEUE_REFUSES_TRUE, true,
     "a kueue managed job should only use autoscaling when workload slicing is enabled"},
    {&ray_service_job_kind, "spec.rayClusterConfig", SLICE_INIT("enableInTreeAutoscaling"),
     KUEUE_REFUSES_TRUE, true,
     "a kueue managed job should only use autoscaling when workload slicing is enabled"},
    {&ray_job_job_kind, "spec", SLICE_INIT("shutdownAfterJobFinishes"), KUEUE_REQUIRES_TRUE, false,
     "a kueue managed job should delete the cluster after finishing"},
    {&spark_application_job_kind, "spec", SLICE_INIT("mode"), KUEUE_REQUIRES_CLUSTER, false,
     "only Cluster mode is supported for a kueue managed job"},
    {&spark_application_job_kind, "spec.dynamicAllocation", SLICE_INIT("enabled"),
     KUEUE_REFUSES_TRUE, true,
     "a kueue managed job can use dynamicAllocation only when the ElasticJobsViaWorkloadSlices "
     "feature gate is on and the job is an elastic job"},
};

static bool
kueue_refuses(enum kueue_refusal refusal, const struct node *field)
{
    switch (refusal) {
    case KUEUE_REFUSES_TRUE:
        return node_is_true(field);
    case KUEUE_REQUIRES_TRUE:
        return !node_is_true(field);
    case KUEUE_REQUIRES_CLUSTER: /* the default */
        return node_string(field).len && !slice_equal(node_string(field), SLICE("cluster"));
    }
    return false;
}

static void
kueue_check_field(const struct kueue_field *row, const struct node *root, struct report *report)
{
    const struct node *parent = node_at(root, row->parent);
    const struct node *field = node_member(parent, row->name);

    if (!kueue_refuses(row->refusal, field))
        return;
    if (field)
        find_invalid(report, field, GANG_CODE_KUEUE_REFUSES_JOB, NULL, "%s", row->message);
    else
        find_note_below(report, parent, row->name, MESSAGE_KUEUE_REFUSES_JOB_IS_FALSE,
                        row->message);
}

/* Returns the worker groups of a Ray cluster, which are pod sets beside that of the head. */
static const struct node *
kueue_worker_groups(const struct job_document *document)
{
    static const struct {
        const struct job_kind *kind;
        const char *path;
    } rows[] = {
        {&ray_cluster_job_kind, "spec.workerGroupSpecs"},
        {&ray_job_job_kind, "spec.rayClusterSpec.workerGroupSpecs"},
        {&ray_service_job_kind, "spec.rayClusterConfig.workerGroupSpecs"},
    };

    for (size_t i = 0; document && i < COUNT_OF(rows); i++)
        if (rows[i].kind == document->kind)
            return node_at(document->document.root, rows[i].path);
    return NULL;
}

/* ---- annotations of a Job ---- */

/* Sources of this part: kubernetes-sigs/kueue:pkg/controller/jobs/job/job_webhook.go@v0.19.2 */
#define KUEUE_SYNC_COMPLETIONS "kueue.x-k8s.io/job-completions-equal-parallelism"

/* validateSyncCompletionCreate */
static void
kueue_check_sync(const struct kueue_job *job, const struct node *spec)
{
    const struct node *annotation =
        node_member(job->meta->annotations, SLICE(KUEUE_SYNC_COMPLETIONS));
    bool is_enabled;
    const struct node *completions = node_member(spec, SLICE("completions"));
    const char *message =
        "should be equal to parallelism when " KUEUE_SYNC_COMPLETIONS " annotation is true";

    if (!annotation)
        return;
    if (!kueue_is_bool(node_string(annotation), &is_enabled))
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_BOOLEAN);
    if (!is_enabled)
        return;
    if (!slice_equal(node_string(node_member(spec, SLICE("completionMode"))), SLICE("Indexed")))
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_NON_INDEXED);
    if (job_field_number(spec, SLICE("completions"), 1) ==
        job_field_number(spec, SLICE("parallelism"), 1))
        return;
    if (completions)
        find_invalid(job->report, completions, GANG_CODE_KUEUE_REFUSES_JOB, NULL, "%s", message);
    else
        find_note_below(job->report, spec, SLICE("completions"), MESSAGE_KUEUE_REFUSES_JOB_IS_NULL,
                        message);
}

/* validateTopologyRequest, which reports only the first of the two. */
static void
kueue_check_elastic_topology(const struct kueue_job *job, const struct node *spec)
{
    const struct node *annotations = node_at(spec, "template.metadata.annotations");
    const struct node *required =
        node_member(annotations, SLICE("kueue.x-k8s.io/podset-required-topology"));
    const struct node *preferred =
        node_member(annotations, SLICE("kueue.x-k8s.io/podset-preferred-topology"));

    if (job->is_elastic && (required || preferred))
        find_forbidden(job->report, required ? required : preferred,
                       MESSAGE_KUEUE_REFUSES_JOB_ELASTIC_TOPOLOGY,
                       required ? "required" : "preferred");
}

void
kueue_kinds_check(const struct kueue_job *job)
{
    const struct job_document *document = job->decision->inputs.job;
    const struct node *groups = kueue_worker_groups(document);
    const struct gang *gang = &job->decision->gang;

    kueue_check_labels(job);
    /* Of Ray the webhooks count the groups; what else is too much is refused as a Workload. */
    if (node_count(groups) >= KUEUE_MOST_POD_SETS)
        find_note(job->report, groups, MESSAGE_KUEUE_REFUSES_JOB_TOO_MANY_GROUPS,
                  node_count(groups) + 1, KUEUE_MOST_POD_SETS);
    else if (gang->num_roles > KUEUE_MOST_POD_SETS)
        find_note(job->report, gang->roles[0].source->parent,
                  MESSAGE_KUEUE_REFUSES_JOB_TOO_MANY_ROLES, gang->num_roles, KUEUE_MOST_POD_SETS);
    if (!document)
        return;
    for (size_t i = 0; i < COUNT_OF(kueue_fields); i++)
        if (kueue_fields[i].kind == document->kind &&
            !(kueue_fields[i].is_for_elastic && job->is_elastic))
            kueue_check_field(&kueue_fields[i], document->document.root, job->report);
    for (NODE_EACH(group, groups)) {
        const struct node *name = node_member(group, SLICE("groupName"));

        if (slice_equal(node_string(name), SLICE("head")))
            find_forbidden(job->report, name, MESSAGE_KUEUE_REFUSES_JOB_HEAD_GROUP);
    }
    if (document->kind == &job_job_kind) {
        const struct node *spec = node_member(document->document.root, SLICE("spec"));

        kueue_check_sync(job, spec);
        kueue_check_elastic_topology(job, spec);
    }
}
