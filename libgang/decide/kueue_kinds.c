/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue_kinds.h"

#include "libgang/base/format.h"
#include "libgang/catalog/job_names.h"
#include "libgang/decide/rule_match.h"
#include "libgang/document/finding.h"
#include "libgang/jobs/job_kinds.h"

/* ---- traits ---- */

#define KUEUE_OF_KIND(row, traits)                                                                 \
    {                                                                                              \
        JOB_NAME_BIT(row), KUEUE_HAS_INTEGRATION | (traits)                                        \
    }

/*
 * Source: kubernetes-sigs/kueue:pkg/controller@v0.19.2, jobframework/validation.go
 * (ValidateJobOnCreate, supportedElasticJobGVKs), and in jobs the webhook of each kind
 * (ValidatePodSetGroupingTopology) and its PodsReady().
 */
static const struct {
    job_kind_set kinds;
    unsigned int traits;
} kueue_kinds[] = {
    KUEUE_OF_KIND(trainjob, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST |
                                KUEUE_QUEUES_PODS_TOO),
    KUEUE_OF_KIND(job, KUEUE_READS_LABELS | KUEUE_TAKES_ELASTIC | KUEUE_ADMITS_PART),
    KUEUE_OF_KIND(jobset, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST),
    KUEUE_OF_KIND(mpi_job, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST),
    KUEUE_OF_KIND(pytorch_job, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(tf_job, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(xgboost_job, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(paddle_job, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(jax_job, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(ray_cluster, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_TAKES_ELASTIC),
    KUEUE_OF_KIND(ray_job, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_TAKES_ELASTIC),
    KUEUE_OF_KIND(ray_service, KUEUE_READS_LABELS | KUEUE_READS_GROUPS | KUEUE_TAKES_ELASTIC),
    KUEUE_OF_KIND(spark_application, KUEUE_READS_LABELS | KUEUE_READY_AT_LAST),
    KUEUE_OF_KIND(lws, KUEUE_READS_GROUPS | KUEUE_READY_AT_LAST),
    KUEUE_OF_KIND(appwrapper, KUEUE_READS_LABELS),
    KUEUE_OF_KIND(stateful_set, 0),
    KUEUE_OF_KIND(pod_list, 0),
};

static unsigned int
kueue_traits_of(const struct gang_owner *owner)
{
    const job_kind_set kinds = job_names_of(owner->api_version, owner->kind);

    for (size_t i = 0; i < COUNT_OF(kueue_kinds); i++)
        if (kueue_kinds[i].kinds & kinds)
            return kueue_kinds[i].traits;
    return 0;
}

struct kueue_job
kueue_job_of(struct gang_decision *decision)
{
    const struct object_meta *meta = job_facts_meta(decision);
    const struct gang_owner *owner = &decision->wishes.owner;

    return (struct kueue_job){
        .decision = decision,
        .meta = meta,
        .kind = owner->kind,
        .traits = kueue_traits_of(owner),
        .manager = job_facts_kueue_manager(decision),
        .is_elastic = slice_equal(
            node_string(node_member(meta->annotations, SLICE("kueue.x-k8s.io/elastic-job"))),
            SLICE("true")),
        .hint = decision->inputs.trainjob
                    ? "change spec.runtimePatches of the TrainJob, or the pod templates of the "
                      "runtime"
                    : "change the pod template of the role",
        .report = &decision->report,
    };
}

/* ---- numbers ---- */

bool
kueue_is_number(struct slice text, bool allows_sign, int64_t *value)
{
    const bool is_signed = text.len && (text.data[0] == '+' || text.data[0] == '-');

    return (allows_sign || !is_signed) && integer_parse_signed(text, value);
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
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, field, NULL, "%s", row->message);
    else
        find_note_below(report, GANG_CODE_KUEUE_REFUSES_JOB, parent, row->name, NULL,
                        "Invalid value: false: %s", row->message);
}

/* The worker groups of a Ray cluster, which are pod sets beside that of the head. */
static void
kueue_check_worker_groups(const struct node *cluster, struct report *report)
{
    for (NODE_EACH(group, node_member(cluster, SLICE("workerGroupSpecs")))) {
        const struct node *name = node_member(group, SLICE("groupName"));

        if (slice_equal(node_string(name), SLICE("head")))
            find_forbidden(report, GANG_CODE_KUEUE_REFUSES_JOB, name, "rename the group",
                           "\"head\" is reserved for the head group");
    }
}

void
kueue_kinds_check(const struct kueue_job *job)
{
    const struct job_document *document = job->decision->inputs.job;
    const struct node *root;

    if (!document)
        return;
    root = document->document.root;
    for (size_t i = 0; i < COUNT_OF(kueue_fields); i++)
        if (kueue_fields[i].kind == document->kind &&
            !(kueue_fields[i].is_for_elastic && job->is_elastic))
            kueue_check_field(&kueue_fields[i], root, job->report);
    if (document->kind == &ray_cluster_job_kind)
        kueue_check_worker_groups(node_member(root, SLICE("spec")), job->report);
    else if (document->kind == &ray_job_job_kind)
        kueue_check_worker_groups(node_at(root, "spec.rayClusterSpec"), job->report);
    else if (document->kind == &ray_service_job_kind)
        kueue_check_worker_groups(node_at(root, "spec.rayClusterConfig"), job->report);
}
