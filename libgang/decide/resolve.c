/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/decide/attributes.h"
#include "libgang/decide/backend_choice.h"
#include "libgang/decide/cluster_checks.h"
#include "libgang/decide/constraint_check.h"
#include "libgang/decide/priority_choice.h"
#include "libgang/document/finding.h"
#include "libgang/trainer/pod_sets.h"
#include "libgang/trainer/trainer_gang.h"
#include "libgang/trainer/trainjob.h"

static bool
namespaces_meet(struct slice runtime, struct slice trainjob)
{
    return !slice_is_set(runtime) || !slice_is_set(trainjob) || slice_equal(runtime, trainjob);
}

static void
check_runtime_ref(const struct gang_runtime *runtime, const struct gang_trainjob *trainjob,
                  struct report *report)
{
    const struct runtime_ref *ref = &trainjob->runtime_ref;

    if (!slice_equal(ref->kind, runtime->kind) || !slice_equal(ref->name, runtime->name))
        find_note(report, GANG_CODE_RUNTIME_MISMATCH, ref->source, NULL,
                  "Invalid value: the trainjob refers to %.*s %.*s, not to %.*s %.*s", SLICE_ARG(ref->kind),
                  SLICE_ARG(ref->name), SLICE_ARG(runtime->kind), SLICE_ARG(runtime->name));
    else if (!namespaces_meet(runtime->namespace_, trainjob->namespace_))
        find_note(report, GANG_CODE_RUNTIME_MISMATCH, ref->source, NULL,
                  "Invalid value: the runtime stands in the namespace %.*s, the trainjob in %.*s",
                  SLICE_ARG(runtime->namespace_), SLICE_ARG(trainjob->namespace_));
}

static bool
each_member_chooses_a_backend(const struct pod_group_policy *policy)
{
    for (NODE_EACH(member, policy->source))
        if (node_is_absent(member) || !backend_by_gang_policy_member(node_key(member)))
            return false;
    return true;
}

static void
check_gang_policy_members(const struct gang_decision *decision, struct report *report)
{
    struct slice *known;

    if (each_member_chooses_a_backend(&decision->inputs.runtime->pod_group_policy))
        return;
    known = arena_array(decision->arena, backend_count, sizeof(*known));
    if (!known)
        return;
    for (size_t i = 0; i < backend_count; i++)
        known[i] = backend_table[i]->gang_policy_member;
    pod_group_policy_check_members(&decision->inputs.runtime->pod_group_policy, known, backend_count, report);
}

static void
note_managed_elsewhere(const struct gang_trainjob *trainjob, struct report *report)
{
    if (trainjob->managed_by)
        find_note(report, GANG_CODE_MANAGED_ELSEWHERE, trainjob->managed_by, NULL,
                  "another controller manages this trainjob; the operator creates nothing here");
}

/* Without a gang the roles are still shown, in the order in which they start. */
static void
leave_roles_outside(struct gang *gang, const struct resolve_scratch *scratch)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        gang->roles[i].membership = ROLE_OUTSIDE;
    gang_order_roles(gang, scratch->arena, scratch->report);
}

static void
note_missing_owner(const struct gang_decision *decision, struct report *report)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool wants_none = policy && policy->output.omits_owner;

    if (!slice_is_set(decision->gang.owner.uid) && !wants_none && !report_has_errors(report))
        find_in_document(report, GANG_CODE_NO_OWNER_UID, GANG_DOCUMENT_TRAINJOB,
                         "pass the trainjob as the API server returns it",
                         "metadata.uid is not set: the objects carry no owner reference");
}

static void
form_gang(struct gang_decision *decision, const struct resolve_scratch *scratch)
{
    const struct policy_backend *entry = decision->backend_entry;

    attributes_choose(decision);
    if (decision->gang.resources_choice == RESOURCES_REQUESTS_ONLY)
        pod_sets_count_requests_only(&decision->job, &decision->gang, scratch);
    decision->call = (struct backend_call){.gang = &decision->gang,
                                           .job = &decision->job,
                                           .cluster = decision->inputs.cluster,
                                           .options = entry ? entry->options : NULL,
                                           .api_version = entry ? entry->api_version : NO_SLICE};
    backend_prepare(decision->backend, &decision->call, &decision->gang, scratch->arena);
    decision->call.api_version = backend_api_version(decision->backend, &decision->call, scratch->report);
    gang_form(&decision->gang, scratch->arena, scratch->report);
    priority_choose(decision);
    backend_validate(decision->backend, &decision->call, scratch->report);
    note_missing_owner(decision, scratch->report);
}

static void
decide(struct gang_decision *decision, const struct resolve_scratch *scratch)
{
    decision_take_findings(decision);
    check_runtime_ref(decision->inputs.runtime, decision->inputs.trainjob, scratch->report);
    check_gang_policy_members(decision, scratch->report);
    note_managed_elsewhere(decision->inputs.trainjob, scratch->report);
    decision->job = trainer_job_combine(decision->inputs.runtime, decision->inputs.trainjob, scratch);
    trainer_gang_fill(&decision->job, &decision->gang, scratch);
    trainjob_rules_check(&decision->job, &decision->gang, scratch->report);
    judgement_find_rule(decision);
    backend_choose(decision);
    if (decision->backend)
        form_gang(decision, scratch);
    else
        leave_roles_outside(&decision->gang, scratch);
    cluster_checks_run(decision);
    judgement_pass(decision, decision->backend != NULL);
    report_sort(scratch->report);
}

static void
trainjob_trace(const struct gang_decision *decision, struct trace *trace)
{
    backend_trace(decision, trace);
    if (decision->backend)
        attributes_trace(decision, trace);
}

int
gang_resolve(const struct gang_context *context, struct gang_runtime *runtime, struct gang_trainjob *trainjob,
             struct gang_policy *policy, struct gang_cluster *cluster, uint32_t flags,
             struct gang_decision **out, struct gang_error **err)
{
    const struct decision_inputs inputs = {
        .runtime = runtime, .trainjob = trainjob, .policy = policy, .cluster = cluster};
    struct resolve_scratch scratch = {.limits = context_limits(context)};
    struct pod_admission admission;
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !runtime || !trainjob)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out, runtime and trainjob are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(&inputs, scratch.limits, &result, err);
    if (!decision)
        return result;
    decision->trace = trainjob_trace;
    scratch.arena = decision->arena;
    scratch.report = &decision->report;
    if (!trainjob->managed_by && cluster_checks_admission(decision, trainjob->meta.namespace_, &admission))
        scratch.admission = &admission;
    decide(decision, &scratch);
    return decision_hand_out(decision, out, err);
}
