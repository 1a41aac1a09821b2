/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/decide/choice.h"
#include "libgang/decide/cluster_checks.h"
#include "libgang/decide/constraint_check.h"
#include "libgang/decide/podgang_choice.h"
#include "libgang/decide/rule_match.h"
#include "libgang/document/finding.h"
#include "libgang/grove/aggregate.h"
#include "libgang/grove/grove_gang.h"
#include "libgang/grove/podcliqueset.h"

static void
podgang_note_no_uid(const struct gang_decision *decision, struct report *report)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool wants_none = policy && policy->output.omits_owner;

    if (!slice_is_set(decision->gang.owner.uid) && !wants_none && !report_has_errors(report))
        find_in_document(report, GANG_CODE_NO_OWNER_UID, GANG_DOCUMENT_PODGANG,
                         "pass the podgang as the API server returns it",
                         "metadata.uid is not set: the objects carry no owner reference");
}

static struct backend_call
podgang_call(const struct gang_decision *decision, struct report *report)
{
    const struct policy_backend *entry = decision->backend_entry;
    struct backend_call call = {
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .options = entry ? entry->options : NULL,
        .api_version = entry ? entry->api_version : NO_SLICE,
    };

    call.api_version = backend_api_version(decision->backend, &call, report);
    return call;
}

static void
podgang_form(struct gang_decision *decision, struct report *report)
{
    gang_form_groups(&decision->gang, report->arena, report);
    backend_validate(decision->backend, &decision->call, report);
    podgang_note_no_uid(decision, report);
}

static void
podgang_note_no_gang(const struct gang_decision *decision, const struct podgang_scheduler *scheduler,
                     struct report *report)
{
    find_in_document(report, GANG_CODE_SCHEDULER_WITHOUT_GANGS,
                     decision->inputs.podgang ? GANG_DOCUMENT_PODGANG : GANG_DOCUMENT_PODCLIQUESET,
                     "name the scheduler of a backend, such as kai-scheduler or volcano",
                     "Grove gives %.*s no gang: it starts the pods one by one", SLICE_ARG(scheduler->name));
}

static void
podgang_leave_roles_outside(struct gang *gang)
{
    gang->num_groups = 0;
    for (size_t i = 0; i < gang->num_roles; i++)
        gang->roles[i].membership = ROLE_OUTSIDE;
}

/* The policy's `backends[].kai.layout`. */
static bool
podgang_is_aggregate(const struct podgang_scheduler *scheduler)
{
    const struct node *options = scheduler->entry ? scheduler->entry->options : NULL;

    return slice_equal(node_string(node_member(options, SLICE("layout"))), SLICE("Aggregate"));
}

static void
podgang_apply(struct gang_decision *decision, const struct podgang_scheduler *scheduler, bool has_gang,
              struct report *report)
{
    decision->grove_scheduler = scheduler->rules;
    decision->grove_aggregates = podgang_is_aggregate(scheduler);
    decision->backend = scheduler->backend;
    decision->backend_entry = scheduler->entry;
    decision->gang.scheduler_name = scheduler->name;
    decision->gang.overrides_schedulers = scheduler->is_strict;
    if (decision->inputs.podcliqueset)
        grove_scheduler_check_topology(scheduler->rules, decision->inputs.podcliqueset, report);
    if (!scheduler->backend) {
        podgang_note_no_gang(decision, scheduler, report);
        return;
    }
    podgang_attributes_choose(decision, scheduler);
    if (decision->gang.resources_choice == RESOURCES_REQUESTS_ONLY && decision->inputs.podcliqueset)
        clique_requests_leave_limits_out(decision->inputs.podcliqueset, &decision->gang, report);
    decision->call = podgang_call(decision, report);
    if (has_gang)
        podgang_form(decision, report);
}

/* A scaled PodGang is in the plan of its base. */
static void
podgang_leave_to_base(struct gang_decision *decision, const struct grove_job *job, struct report *report)
{
    grove_gang_fill(job, &decision->gang, report);
    aggregate_check_scaled(job->podgang, report);
    find_note(report, GANG_CODE_IN_AGGREGATE, decision->gang.owner.name_source, NULL,
              "its pods are members of the PodGroup %.*s, which the plan of the base PodGang has",
              SLICE_ARG(aggregate_name(job, report->arena)));
}

/* False: the documents make no gang of their own. */
static bool
podgang_fill(struct gang_decision *decision, const struct grove_job *job,
             const struct podgang_scheduler *scheduler, struct report *report)
{
    const struct gang_podgang *base = NULL;

    if (!job->podgang) {
        grove_gang_fill_from_set(job->podcliqueset, &decision->gang, report);
        return false;
    }
    grove_job_check_set(job, report);
    if (podgang_is_aggregate(scheduler))
        base = aggregate_base(job, report);
    if (base == job->podgang)
        aggregate_fill(job, &decision->gang, report);
    else if (base)
        podgang_leave_to_base(decision, job, report);
    else
        grove_gang_fill(job, &decision->gang, report);
    return !base || base == job->podgang;
}

/* Rules ask what the pods request; which PodGangs make one gang depends on the backend that a rule may choose. */
static void
podgang_find_rule(struct gang_decision *decision, const struct grove_job *job, struct report *report)
{
    if (!decision->inputs.policy)
        return;
    if (job->podgang)
        grove_gang_fill_roles(job, &decision->gang, report);
    else
        grove_gang_fill_from_set(job->podcliqueset, &decision->gang, report);
    judgement_find_rule(decision);
    decision->gang.roles = NULL;
    decision->gang.num_roles = 0;
}

/* The documents, the templates with the requests that their pods will have. */
static struct grove_job
podgang_job(const struct gang_decision *decision, struct report *report)
{
    struct grove_job job = {.podgang = decision->inputs.podgang,
                            .podcliqueset = decision->inputs.podcliqueset};
    struct pod_admission admission;

    if (job.podcliqueset &&
        cluster_checks_admission(decision, job_facts_meta(decision)->namespace_, &admission))
        job.podcliqueset = clique_requests_admit(job.podcliqueset, &admission, report);
    return job;
}

static void
podgang_decide(struct gang_decision *decision)
{
    struct grove_job job;
    struct report *report = &decision->report;
    struct podgang_scheduler scheduler;
    bool has_gang;

    decision->gang.compatibility = COMPATIBILITY_NONE; /* that of another operator */
    report->compatibility = false;
    decision_take_findings(decision);
    job = podgang_job(decision, report);
    podgang_find_rule(decision, &job, report);
    scheduler = podgang_choose(decision, report);
    has_gang = podgang_fill(decision, &job, &scheduler, report);
    policy_choice_report_denial(decision);
    if (scheduler.rules)
        podgang_apply(decision, &scheduler, has_gang, report);
    cluster_checks_run(decision);
    judgement_pass(decision, has_gang && decision->backend);
    if (!has_gang)
        decision->backend = NULL; /* it was asked only for what it admits */
    if (!decision->backend)
        podgang_leave_roles_outside(&decision->gang);
    report_sort(report);
}

int
gang_resolve_podgang(const struct gang_context *context, struct gang_podgang *podgang,
                     struct gang_podcliqueset *podcliqueset, struct gang_policy *policy,
                     struct gang_cluster *cluster, uint32_t flags, struct gang_decision **out,
                     struct gang_error **err)
{
    const struct decision_inputs inputs = {
        .podgang = podgang, .podcliqueset = podcliqueset, .policy = policy, .cluster = cluster};
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || (!podgang && !podcliqueset))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "out and a podgang or a podcliqueset are needed");
    if (flags & ~(uint32_t)GANG_RESOLVE_FALL_BACK)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(&inputs, context_limits(context), &result, err);
    if (!decision)
        return result;
    decision->trace = podgang_trace;
    decision->flags = flags;
    podgang_decide(decision);
    return decision_hand_out(decision, out, err);
}
