/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/document/finding.h"
#include "libgang/engine/cluster_checks.h"
#include "libgang/engine/podgang_choice.h"
#include "libgang/engine/podgang_trace.h"
#include "libgang/grove/aggregate.h"
#include "libgang/grove/grove_gang.h"

/*
 * Rules and constraints are about trainjobs: what they forbid would pass unseen, so a policy that has them refuses.
 * Defaults and output forbid nothing.
 */
static const struct {
    struct slice name;
    enum gang_code code;
    const char *message;
} podgang_unread_parts[] = {
    {SLICE_INIT("constraints"), GANG_CODE_POLICY_NOT_FOR_PODGANGS,
     "Forbidden: constraints are not held against PodGangs"},
    {SLICE_INIT("defaults"), GANG_CODE_FIELD_LOST, "a PodGang has no use for the policy's defaults"},
    {SLICE_INIT("output"), GANG_CODE_FIELD_LOST, "the objects of a PodGang are written without it"},
    {SLICE_INIT("rules"), GANG_CODE_POLICY_NOT_FOR_PODGANGS, "Forbidden: rules do not match PodGangs"},
};

static void
podgang_check_policy(const struct gang_policy *policy, struct report *report)
{
    const struct node *spec = policy ? node_member(policy->root, SLICE("spec")) : NULL;

    for (size_t i = 0; i < sizeof(podgang_unread_parts) / sizeof(podgang_unread_parts[0]); i++) {
        const struct node *part = node_member(spec, podgang_unread_parts[i].name);

        if (node_count(part))
            find_note_at_key(report, podgang_unread_parts[i].code, part,
                             "resolve PodGangs by a policy of their own", "%s",
                             podgang_unread_parts[i].message);
    }
}

static void
podgang_take_queue(struct gang_decision *decision, const struct podgang_scheduler *scheduler,
                   struct report *report)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct grove_job job = {.podgang = inputs->podgang, .podcliqueset = inputs->podcliqueset};
    struct grove_queue queue = {0};

    if (!scheduler->rules->read_queue)
        return;
    queue = inputs->podgang ? scheduler->rules->read_queue(&job, report)
                            : scheduler->rules->check_queue(inputs->podcliqueset, report);
    decision->gang.queue = queue.name;
    decision->gang.queue_source = queue.source;
}

static void
podgang_note_no_uid(const struct gang *gang, struct report *report)
{
    if (!slice_is_set(gang->owner.uid) && !report_has_errors(report))
        find_in_document(report, GANG_CODE_NO_OWNER_UID, GANG_DOCUMENT_PODGANG,
                         "pass the podgang as the API server returns it",
                         "metadata.uid is not set: the objects carry no owner reference");
}

static void
podgang_form(struct gang_decision *decision, const struct podgang_scheduler *scheduler, struct report *report)
{
    decision->backend = scheduler->backend;
    decision->gang.scheduler_name = scheduler->name;
    decision->call = (struct backend_call){
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .options = scheduler->entry ? scheduler->entry->options : NULL,
    };
    decision->call.api_version = backend_api_version(decision->backend, &decision->call, report);
    gang_form_groups(&decision->gang, report->arena, report);
    backend_validate(decision->backend, &decision->call, report);
    podgang_note_no_uid(&decision->gang, report);
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

static void
podgang_apply(struct gang_decision *decision, const struct podgang_scheduler *scheduler, bool has_gang,
              struct report *report)
{
    if (decision->inputs.podcliqueset)
        grove_scheduler_check_topology(scheduler->rules, decision->inputs.podcliqueset, report);
    podgang_take_queue(decision, scheduler, report);
    if (!scheduler->backend)
        podgang_note_no_gang(decision, scheduler, report);
    else if (has_gang)
        podgang_form(decision, scheduler, report);
}

/* The policy's `backends[].kai.layout`. */
static bool
podgang_is_aggregate(const struct podgang_scheduler *scheduler)
{
    const struct node *options = scheduler->entry ? scheduler->entry->options : NULL;

    return slice_equal(node_string(node_member(options, SLICE("layout"))), SLICE("Aggregate"));
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
podgang_fill(struct gang_decision *decision, const struct podgang_scheduler *scheduler, struct report *report)
{
    const struct grove_job job = {.podgang = decision->inputs.podgang,
                                  .podcliqueset = decision->inputs.podcliqueset};
    const struct gang_podgang *base = NULL;

    if (!job.podgang) {
        grove_gang_fill_from_set(job.podcliqueset, &decision->gang, report);
        return false;
    }
    grove_job_check_set(&job, report);
    if (podgang_is_aggregate(scheduler))
        base = aggregate_base(&job, report);
    if (base == job.podgang)
        aggregate_fill(&job, &decision->gang, report);
    else if (base)
        podgang_leave_to_base(decision, &job, report);
    else
        grove_gang_fill(&job, &decision->gang, report);
    return !base || base == job.podgang;
}

static void
podgang_decide(struct gang_decision *decision)
{
    struct report *report = &decision->report;
    struct podgang_scheduler scheduler;
    bool has_gang;

    decision->gang.compatibility = COMPATIBILITY_NONE; /* that of another operator */
    report->compatibility = false;
    decision_take_findings(decision);
    podgang_check_policy(decision->inputs.policy, report);
    scheduler = podgang_choose(decision, report);
    has_gang = podgang_fill(decision, &scheduler, report);
    if (scheduler.rules)
        podgang_apply(decision, &scheduler, has_gang, report);
    if (!decision->backend)
        podgang_leave_roles_outside(&decision->gang);
    cluster_checks_run(decision);
    report_sort(report);
    decision->outcome = report_has_errors(report) ? GANG_OUTCOME_INVALID
                        : decision->backend       ? GANG_OUTCOME_GANG
                                                  : GANG_OUTCOME_NO_GANG;
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
