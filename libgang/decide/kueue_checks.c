/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

/* ---- labels of pods ---- */

/*
 * Pods of a job that Kueue manages are not queued again, except those of a TrainJob, which are
 * below a JobSet. Source: FindAncestorJobManagedByKueue in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/reconciler.go@v0.19.2
 */
static void
kueue_check_template(const struct kueue_job *job, const struct node *metadata,
                     const struct role *role)
{
    const struct node *queue =
        node_member(node_member(metadata, SLICE("labels")), SLICE("kueue.x-k8s.io/queue-name"));

    if (!node_string(queue).len || (job->manager && !(job->traits & KUEUE_QUEUES_PODS_TOO)))
        return;
    find_note_at_key(
        job->report, queue, GANG_CODE_KUEUE_QUEUE_ON_PODS,
        arena_format(job->report->arena, "set the label in the metadata of the %.*s only",
                     SLICE_ARG(job->kind)),
        job->manager ? "Kueue would queue the pods of role %-.*s twice: with the TrainJob, and by "
                       "this label"
                     : "Kueue would queue the pods of role %-.*s apart from each other, and the "
                       "gang would wait for the ones that it does not admit",
        SLICE_ARG(role->name));
}

/* ---- how many pods are admitted ---- */

/* kubernetes-sigs/kueue:pkg/controller/jobs/job/job_controller.go@ff69552 */
#define KUEUE_MIN_PARALLELISM SLICE("kueue.x-k8s.io/job-min-parallelism")

static void
kueue_check_parts(const struct kueue_job *job, const struct node *metadata)
{
    const struct node *annotation =
        node_member(node_member(metadata, SLICE("annotations")), KUEUE_MIN_PARALLELISM);

    if (annotation)
        find_note(job->report, annotation, MESSAGE_KUEUE_ADMITS_PART_ANNOTATION,
                  SLICE_ARG(job->kind));
}

/*
 * The Job's own minimum. Source: validatePartialAdmissionCreate in
 * kubernetes-sigs/kueue:pkg/controller/jobs/job/job_webhook.go@v0.19.2
 */
static void
kueue_check_part(const struct kueue_job *job)
{
    const struct node *annotation = node_member(job->meta->annotations, KUEUE_MIN_PARALLELISM);
    const int64_t pods = job->decision->gang.pods;
    int64_t number = 0;

    if (!annotation)
        return;
    if (!integer_parse_signed(node_string(annotation), &number))
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_NUMERIC);
    else if (number <= 0 || number >= pods)
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_PARALLELISM,
                     (long long)pods - 1);
    if (job->is_elastic)
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_PARTIAL_ELASTIC);
}

/* Whether the gang starts with fewer pods than its members have. */
static bool
kueue_gang_is_elastic(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE && role_is_elastic(&gang->roles[i]))
            return true;
    return gang->wishes->minimum > 0 && gang->wishes->minimum < gang->members;
}

/* ---- a live Workload of Kueue ---- */

/*
 * Returns how many pods of the first wave the list admits; `at` is its first number below a role's
 * count, NULL if there is none.
 */
static int64_t
kueue_admitted(const struct gang *gang, const struct node *list, struct slice member,
               const struct node **at)
{
    int64_t sum = 0;

    *at = NULL;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        const struct node *found = node_member(node_item_named(list, role->name), member);
        const int64_t pods = node_int_or(found, -1);
        const bool is_part = pods >= 0 && pods < role->count;

        if (gang->parts[i].membership != ROLE_MEMBER)
            continue;
        if (is_part && !*at)
            *at = found;
        sum = integer_add_capped(sum, is_part ? pods : role->count);
    }
    return sum;
}

void
kueue_checks_workload(const struct gang_decision *decision, const struct node *workload,
                      struct report *report)
{
    const struct gang *gang = &decision->gang;
    const struct node *admission = node_at(workload, "status.admission.podSetAssignments");
    const struct node *at;
    int64_t pods =
        admission ? kueue_admitted(gang, admission, SLICE("count"), &at)
                  : kueue_admitted(gang, node_at(workload, "spec.podSets"), SLICE("minCount"), &at);

    if (at && pods < gang->minimum)
        find_note(report, at, MESSAGE_KUEUE_ADMITS_PART_WAVE,
                  admission ? "has admitted" : "may admit", (long long)pods,
                  (long long)gang->minimum);
}

bool
kueue_checks_apply(const struct gang_decision *decision)
{
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;

    if (trainjob)
        return trainjob->meta.labels || trainjob->kueue_patch ||
               decision->job.jobset.has_pod_metadata;
    if (!decision->inputs.job)
        return false;
    if (decision->wishes.meta->labels)
        return true;
    for (size_t i = 0; i < decision->gang.num_roles; i++)
        if (decision->gang.roles[i].pod_metadata)
            return true;
    return false;
}

static struct kueue_job
kueue_job_of(const struct gang_decision *decision)
{
    const struct object_meta *meta = decision->wishes.meta;
    const struct gang_owner *owner = &decision->wishes.owner;

    return (struct kueue_job){
        .decision = decision,
        .meta = meta,
        .kind = owner->kind,
        .traits = job_traits_of(owner->api_version, owner->kind)->kueue,
        .manager = job_facts_kueue_manager(decision),
        .is_elastic = slice_equal(
            node_string(node_member(meta->annotations, SLICE("kueue.x-k8s.io/elastic-job"))),
            SLICE("true")),
        .hint = decision->inputs.trainjob
                    ? "change spec.runtimePatches of the TrainJob, or the pod templates of the "
                      "runtime"
                    : "change the pod template of the role",
        .report = decision->report,
    };
}

void
kueue_checks_run(const struct gang_decision *decision)
{
    const struct kueue_job job = kueue_job_of(decision);
    const struct gang *gang = &decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        kueue_placement_check(&job, role);
        kueue_check_template(&job, role->pod_metadata, role);
        if (job.manager) {
            kueue_check_template(&job, role->job_metadata, role);
            kueue_check_parts(&job, role->job_metadata);
        }
    }
    if (!job.manager || !(job.traits & KUEUE_HAS_INTEGRATION))
        return;
    kueue_kinds_check(&job);
    if (job.traits & KUEUE_ADMITS_PART)
        kueue_check_part(&job);
    else
        kueue_check_parts(&job, job.meta->source);
    if (kueue_gang_is_elastic(&job.decision->gang) && !(job.traits & KUEUE_ADMITS_PART))
        find_note_at_key(job.report, job.manager, MESSAGE_KUEUE_ADMITS_ALL,
                         (long long)job.decision->gang.minimum, (long long)job.decision->gang.pods);
    if (job.decision->gang.wishes->start_order && job.traits & KUEUE_READY_AT_LAST)
        find_note_at_key(job.report, job.manager, MESSAGE_KUEUE_READINESS);
}
