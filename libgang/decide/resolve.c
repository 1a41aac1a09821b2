/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/decide/choice.h"
#include "libgang/decide/kueue.h"

/* ---- decide ---- */

/*
 * Completes what is asked of the gang. Returns false if the job has no backend, or no gang of its
 * own.
 */
static bool
complete_wishes(struct gang_decision *decision)
{
    const struct backend *backend = decision->backend;
    const struct policy_backend *entry = decision->backend_entry;
    struct gang_wishes *wishes = &decision->wishes;
    bool has_gang = decision->front_end->fill(decision);

    wishes_order_roles(wishes, &decision->report);
    if (!backend)
        return false;
    attributes_choose_members(decision);
    if (wishes->resources_choice == RESOURCES_REQUESTS_ONLY &&
        !backend->descriptor->needs_effective_requests)
        decision->front_end->count_requests_only(decision);
    if (backend->prepare)
        backend->prepare(entry ? entry->options : NULL, wishes, decision->arena);
    return has_gang;
}

/*
 * Makes the gang of the wishes. A job without a gang also shows its roles, in their start order.
 * While the choice for such a job is checked, the pods of a PodGang are members: of another gang.
 */
static void
make_gang(struct gang_decision *decision, bool has_gang)
{
    bool is_elsewhere = decision->backend && decision->inputs.podgang;

    if (has_gang)
        gang_form(&decision->wishes, &decision->gang, &decision->report);
    else
        gang_leave_unformed(&decision->wishes, is_elsewhere ? ROLE_MEMBER : ROLE_OUTSIDE,
                            &decision->gang, decision->arena);
}

static void
call_backend(struct gang_decision *decision, bool has_gang)
{
    const struct policy_backend *entry = decision->backend_entry;
    const struct gang_policy *policy = decision->inputs.policy;
    struct backend_call *call = &decision->call;

    attributes_choose(decision);
    *call = (struct backend_call){
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .options = entry ? entry->options : NULL,
        .api_version = entry ? entry->api_version : NO_SLICE,
        .created_uid = decision->created_uid,
    };
    call->api_version = backend_api_version(decision->backend, call, &decision->report);
    if (!has_gang)
        return;
    backend_validate(decision->backend, &decision->call, &decision->report);
    if (decision->wishes.owner.is_no_object)
        return; /* there is no uid to pass */
    if (!slice_is_set(decision->wishes.owner.uid) && !(policy && policy->output.omits_owner) &&
        descriptor_has_objects(decision->backend->descriptor) &&
        !report_has_errors(&decision->report))
        find_in_document(&decision->report, decision->front_end->document, MESSAGE_NO_OWNER_UID,
                         decision->front_end->uid_hint);
}

/*
 * Finds the policy's rule for the job, whose roles must be in the gang. Without a policy there is
 * no rule.
 */
static void
resolve_find_rule(struct gang_decision *decision)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct match_facts facts;

    if (!policy || !policy->num_rules)
        return;
    facts = job_facts_of(decision, decision->arena);
    decision->rule =
        rule_match_first(policy, &facts, &decision->rule_is_undecided, &decision->report);
}

/* Documents, rule and backend lead to the wishes, these to the gang, and this to the call. */
void
decide(struct gang_decision *decision)
{
    bool has_gang;
    const struct gang_trainjob *job = decision->inputs.trainjob;

    decision_take_findings(decision);
    decision->front_end->read(decision);
    resolve_find_rule(decision);
    backend_choose(decision);
    has_gang = complete_wishes(decision);
    make_gang(decision, has_gang);
    if (decision->backend)
        call_backend(decision, has_gang);
    cluster_checks_run(decision);
    if (has_gang && kueue_checks_apply(decision))
        kueue_checks_run(decision);
    /* Another controller that manages the job, such as MultiKueue, passes the entry on. */
    if (job && job->own_patch && !decision->wishes.managed_elsewhere &&
        !report_has_errors(&decision->report))
        patch_entry_check(decision);
    own_marks_check(decision, has_gang);
    judgement_pass(decision, has_gang);
    if (!has_gang && decision->backend) {
        /*
         * Of Grove, although its scheduler supports gangs. For a job without a gang the backend has
         * only checked the choice.
         */
        decision->reason = decision->inputs.podgang
                               ? "the base PodGang of the replica has the group of its pods"
                               : "a PodCliqueSet has no gang of its own: its PodGangs have";
        decision->backend = NULL;
        gang_leave_unformed(&decision->wishes, ROLE_OUTSIDE, &decision->gang, decision->arena);
    }
    report_sort(&decision->report);
}

/* ---- resolve ---- */

static int
resolve_with(const struct limits *limits, const struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, enum resolve_findings findings,
             struct gang_decision **out, struct gang_error **err)
{
    int result;
    struct gang_decision *decision = decision_new(job, inputs, limits, &result, err);

    if (!decision)
        return result;
    decision->flags = flags;
    decision->report.is_brief = findings == RESOLVE_FINDINGS_IN_BRIEF;
    decide(decision);
    return decision_hand_out(decision, out, err);
}

int
decide_job(const struct gang_context *context, const struct gang_document *job,
           const struct gang_inputs *inputs, uint32_t flags, enum resolve_findings findings,
           struct gang_decision **out, struct gang_error **err)
{
    const int result =
        CALL_BEGIN(out, err, out && job, "out and job are needed", flags, GANG_RESOLVE_FALL_BACK);

    return result ? result
                  : resolve_with(context_limits(context), job, inputs, flags, findings, out, err);
}

int
resolve_other_gang(const struct gang_decision *decision, uint64_t gang, const struct limits *limits,
                   struct gang_decision **out, struct gang_error **err)
{
    const struct gang_inputs inputs = {
        .documents = decision->inputs.documents + 1, /* without the job */
        .count = decision->inputs.num_documents - 1,
        .run = decision->wishes.run,
        .gang_index = gang,
    };

    *out = NULL;
    return resolve_with(limits, decision->inputs.documents[0], &inputs, decision->flags,
                        RESOLVE_FINDINGS_IN_FULL, out, err);
}

int
gang_resolve(const struct gang_context *context, const struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, struct gang_decision **out,
             struct gang_error **err)
{
    return decide_job(context, job, inputs, flags, RESOLVE_FINDINGS_IN_FULL, out, err);
}
