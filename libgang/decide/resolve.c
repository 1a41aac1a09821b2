/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/resolve.h"

#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/decide/attributes.h"
#include "libgang/decide/backend_choice.h"
#include "libgang/decide/cluster_checks.h"
#include "libgang/decide/constraint_check.h"
#include "libgang/decide/front_end.h"
#include "libgang/document/finding.h"

/* ---- decide ---- */

/* A job without a gang also shows its roles, in their start order. */
static void
leave_roles_outside(struct gang_decision *decision)
{
    struct gang *gang = &decision->gang;

    gang->num_groups = 0;
    for (size_t i = 0; i < gang->num_roles; i++)
        gang->roles[i].membership = ROLE_OUTSIDE;
    gang_order_roles(gang, decision->arena, &decision->report);
}

static void
note_missing_owner(struct gang_decision *decision)
{
    const struct gang_policy *policy = decision->inputs.policy;
    bool wants_none = policy && policy->output.omits_owner;

    if (!slice_is_set(decision->gang.owner.uid) && !wants_none &&
        !report_has_errors(&decision->report))
        find_in_document(&decision->report, GANG_CODE_NO_OWNER_UID, decision->front_end->document,
                         decision->front_end->uid_hint,
                         "metadata.uid is not set: the objects carry no owner reference");
}

static void
call_backend(struct gang_decision *decision)
{
    const struct policy_backend *entry = decision->backend_entry;

    decision->call = (struct backend_call){
        .gang = &decision->gang,
        .cluster = decision->inputs.cluster,
        .options = entry ? entry->options : NULL,
        .api_version = entry ? entry->api_version : NO_SLICE,
        .created_uid = decision->created_uid,
    };
    if (decision->inputs.runtime)
        decision->gang.superseded = pod_group_policy_superseded(
            &decision->inputs.runtime->pod_group_policy, decision->backend->descriptor);
    backend_prepare(decision->backend, &decision->call, &decision->gang, decision->arena);
    decision->call.api_version =
        backend_api_version(decision->backend, &decision->call, &decision->report);
}

static void
form_gang(struct gang_decision *decision, bool has_gang)
{
    attributes_choose(decision);
    if (decision->gang.resources_choice == RESOURCES_REQUESTS_ONLY)
        decision->front_end->count_requests_only(decision);
    call_backend(decision);
    if (has_gang)
        decision->front_end->form(&decision->gang, decision->arena, &decision->report);
    attributes_choose_of_members(decision);
    if (!has_gang)
        return;
    backend_validate(decision->backend, &decision->call, &decision->report);
    note_missing_owner(decision);
}

/* Returns why a Grove job has no gang although its scheduler supports gangs. */
static const char *
why_no_gang(const struct gang_decision *decision)
{
    return decision->inputs.podgang ? "the base PodGang of the replica has the group of its pods"
                                    : "a PodCliqueSet has no gang of its own: its PodGangs have";
}

void
decide(struct gang_decision *decision)
{
    const struct front_end *front_end = decision->front_end;
    bool has_gang;

    decision_take_findings(decision);
    front_end->read(decision);
    judgement_find_rule(decision);
    backend_choose(decision);
    has_gang = front_end->fill(decision);
    if (decision->backend)
        form_gang(decision, has_gang);
    else
        leave_roles_outside(decision);
    cluster_checks_run(decision);
    judgement_pass(decision, has_gang && decision->backend);
    if (!has_gang && decision->backend)
        decision->reason = why_no_gang(decision);
    if (!has_gang) { /* the backend only checked the job */
        decision->backend = NULL;
        leave_roles_outside(decision);
    }
    report_sort(&decision->report);
}

/* ---- resolve ---- */

int
gang_resolve(const struct gang_context *context, struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, struct gang_decision **out,
             struct gang_error **err)
{
    struct gang_decision *decision;
    int result;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !job)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and job are needed");
    if (flags & ~(uint32_t)GANG_RESOLVE_FALL_BACK)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    decision = decision_new(job, inputs, context_limits(context), &result, err);
    if (!decision)
        return result;
    decision->flags = flags;
    decide(decision);
    return decision_hand_out(decision, out, err);
}
