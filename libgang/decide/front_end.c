/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* ---- a runtime and a trainjob ---- */

static void
trainer_read(struct gang_decision *decision)
{
    struct pod_admission admission;
    const struct pod_admission *admitted = NULL;
    struct report *report = decision->report;
    const struct decision_inputs *inputs = &decision->inputs;
    const struct runtime_ref *ref = &inputs->trainjob->runtime_ref;
    const struct release trainer = cluster_component(inputs->cluster, COMPONENT_TRAINER);
    const bool is_old = trainer.is_known && !release_at_least(&trainer, 2, 3);
    /* An operator before v2.3 creates the pods all the same. */
    const struct node *managed_by = is_old ? NULL : inputs->trainjob->managed_by;

    if (!managed_by &&
        cluster_checks_admission(decision, decision->wishes.meta->namespace_, &admission))
        admitted = &admission;
    if (!slice_equal(ref->kind, inputs->runtime->document.kind) ||
        !slice_equal(ref->name, inputs->runtime->meta.name))
        find_note(report, ref->source, MESSAGE_RUNTIME_MISMATCH_NAME, SLICE_ARG(ref->kind),
                  SLICE_ARG(ref->name), SLICE_ARG(inputs->runtime->document.kind),
                  SLICE_ARG(inputs->runtime->meta.name));
    else if (!namespaces_meet(inputs->runtime->meta.namespace_, inputs->trainjob->meta.namespace_))
        find_note(report, ref->source, MESSAGE_RUNTIME_MISMATCH_NAMESPACE,
                  SLICE_ARG(inputs->runtime->meta.namespace_),
                  SLICE_ARG(inputs->trainjob->meta.namespace_));
    pod_group_policy_check_members(&inputs->runtime->pod_group_policy, report);
    decision->wishes.managed_elsewhere = managed_by;
    if (managed_by)
        find_note(report, managed_by, MESSAGE_MANAGED_ELSEWHERE_TRAINJOB);
    decision->job = trainer_job_combine(inputs->runtime, inputs->trainjob, report);
    decision->job.replaces_resources = is_old;
    if (decision->wishes.compatibility == COMPATIBILITY_NONE) {
        decision->job.needs_no_policy = is_old;
        decision->job.leaves_nodes_out = is_old && !release_at_least(&trainer, 2, 1);
    }
    trainer_gang_fill(&decision->job, &decision->wishes, admitted, report);
    trainjob_rules_check(&decision->job, &decision->wishes, report);
}

/* The patches of the whole set are merged only for a backend that reads them. */
static bool
trainer_fill(struct gang_decision *decision)
{
    const struct gang_runtime *runtime = decision->inputs.runtime;

    if (!decision->backend)
        return true;
    decision->wishes.superseded =
        pod_group_policy_superseded(&runtime->pod_group_policy, decision->backend->descriptor);
    trainer_gang_request(&runtime->pod_group_policy, decision->backend->descriptor,
                         &decision->wishes);
    if (decision->backend->reads_owners)
        decision->wishes.chain = trainer_gang_chain(&decision->job, decision->arena);
    return true;
}

static void
trainer_count_requests_only(struct gang_decision *decision)
{
    pod_sets_count_requests_only(&decision->job, &decision->wishes, decision->report);
}

static const struct front_end front_end_trainer = {
    .job = JOB_OF_TRAINER,
    .follows_compatibility = true,
    .document = GANG_DOCUMENT_TRAINJOB,
    .uid_hint = "pass the trainjob as the API server returns it",
    .read = trainer_read,
    .fill = trainer_fill,
    .count_requests_only = trainer_count_requests_only,
};

/* ---- a PodGang and its PodCliqueSet ---- */

/*
 * Which PodGangs form one gang depends on the backend, which a rule can choose by the requests of
 * the pods.
 */
SELDOM static void
grove_read(struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;
    struct grove_job *job = &decision->grove;
    struct pod_admission admission;

    *job = (struct grove_job){.podgang = inputs->podgang,
                              .podcliqueset = inputs->podcliqueset,
                              .topology = inputs->topology,
                              .siblings = inputs->siblings,
                              .num_siblings = inputs->num_siblings};
    if (job->podcliqueset &&
        cluster_checks_admission(decision, decision->wishes.meta->namespace_, &admission))
        job->podcliqueset = clique_requests_admit(job->podcliqueset, &admission, decision->report);
    if (job->podcliqueset)
        clique_requests_check_limits(job->podcliqueset, decision->report);
    if (!decision->inputs.policy)
        return; /* not needed yet */
    if (job->podgang)
        grove_gang_fill_roles(job, &decision->wishes, decision->report);
    else
        grove_gang_fill_from_set(decision->grove.podcliqueset, &decision->wishes, decision->report);
}

/* Returns false if the PodGang is in the plan of another. */
static bool
grove_fill_podgang(struct gang_decision *decision)
{
    const struct grove_job *job = &decision->grove;
    const struct gang_podgang *base;

    grove_job_check_set(job, decision->report);
    base = decision->grove_aggregates ? aggregate_base(job, decision->report) : NULL;
    if (!base) {
        grove_gang_fill(job, &decision->wishes, decision->report);
    } else if (base == job->podgang) {
        aggregate_fill(job, &decision->wishes, decision->report);
    } else {
        /* Reports a scaled PodGang, which is in the plan of its base PodGang. */
        struct report *report = decision->report;

        grove_gang_fill(job, &decision->wishes, report);
        aggregate_check_scaled(job->podgang, report);
        find_note(report, decision->wishes.owner.name_source, MESSAGE_IN_AGGREGATE,
                  SLICE_ARG(aggregate_name(job, report->arena)));
    }
    return !base || base == job->podgang;
}

SELDOM static bool
grove_fill(struct gang_decision *decision)
{
    bool has_gang = decision->inputs.podgang != NULL;
    const struct node *options = decision->backend_entry ? decision->backend_entry->options : NULL;

    decision->wishes.roles = NULL;
    decision->wishes.num_roles = 0;
    /* The policy's `backends[].kai.layout`. */
    decision->grove_aggregates =
        slice_equal(node_string(node_member(options, SLICE("layout"))), SLICE("Aggregate"));
    if (has_gang)
        has_gang = grove_fill_podgang(decision);
    else
        grove_gang_fill_from_set(decision->grove.podcliqueset, &decision->wishes, decision->report);
    grove_gang_request(decision->inputs.podgang ? decision->inputs.podgang->spec
                                                : decision->inputs.podcliqueset->pod_template,
                       &decision->wishes);
    if (decision->grove_scheduler) {
        if (decision->inputs.podcliqueset)
            grove_scheduler_check_topology(decision->grove_scheduler, decision->inputs.podcliqueset,
                                           decision->report);
        if (!decision->backend)
            find_in_document(
                decision->report,
                decision->inputs.podgang ? GANG_DOCUMENT_PODGANG : GANG_DOCUMENT_PODCLIQUESET,
                MESSAGE_SCHEDULER_WITHOUT_GANGS, SLICE_ARG(decision->wishes.scheduler_name),
                grove_scheduler_list(false, " or ", decision->arena));
    }
    return has_gang;
}

static void
grove_count_requests_only(struct gang_decision *decision)
{
    if (decision->inputs.podcliqueset)
        clique_requests_leave_limits_out(decision->inputs.podcliqueset, &decision->wishes,
                                         decision->report);
}

static const struct front_end front_end_grove = {
    .job = JOB_OF_GROVE,
    .document = GANG_DOCUMENT_PODGANG,
    .uid_hint = "pass the podgang as the API server returns it",
    .read = grove_read,
    .fill = grove_fill,
    .count_requests_only = grove_count_requests_only,
};

/* ---- a job of another kind ---- */

/* The first gang was translated when the document was parsed. */
static void
job_read(struct gang_decision *decision)
{
    const struct gang_wishes *job =
        job_document_gang(decision->inputs.job, decision->gang_index, decision->report);
    struct pod_admission admission;
    bool is_admitted;

    if (job->roles_are_pods) /* each gang of a list has a name of its own */
        decision->report->job =
            (struct report_job){.namespace_ = job->meta->namespace_, .name = job->meta->name};
    if (job->managed_elsewhere)
        find_note(decision->report, job->managed_elsewhere, MESSAGE_MANAGED_ELSEWHERE_JOB);
    is_admitted = !job->managed_elsewhere &&
                  cluster_checks_admission(decision, job->owner.namespace_, &admission);
    gang_job_fill(job, &decision->wishes, is_admitted ? &admission : NULL, decision->report);
    wishes_order_roles(&decision->wishes, decision->report);
}

static bool
job_fill(struct gang_decision *decision)
{
    if (decision->backend && decision->backend->reads_owners)
        decision->wishes.chain = gang_job_chain(&decision->wishes, decision->arena);
    return true;
}

static void
job_count_requests_only(struct gang_decision *decision)
{
    gang_job_count_requests_only(&decision->wishes, decision->report);
}

static const struct front_end front_end_others = {
    .job = JOB_OF_OTHERS,
    .document = GANG_DOCUMENT_JOB,
    .uid_hint = "pass the job as the API server returns it; in a GangJob, set spec.owner.uid",
    .read = job_read,
    .fill = job_fill,
    .count_requests_only = job_count_requests_only,
};

const struct front_end *
front_end_of(const struct decision_inputs *inputs, const struct object_meta **meta)
{
    if (inputs->job) {
        *meta = &inputs->job->meta;
        return &front_end_others;
    }
    if (inputs->trainjob) {
        *meta = &inputs->trainjob->meta;
        return &front_end_trainer;
    }
    *meta = inputs->podgang ? &inputs->podgang->meta : &inputs->podcliqueset->meta;
    return &front_end_grove;
}
