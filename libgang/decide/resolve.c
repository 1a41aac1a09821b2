/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/decide/choice.h"
#include "libgang/decide/kueue.h"

/* ---- decision ---- */

/*
 * Returns an empty decision about the job, with its own reference on each document. Its report sets
 * severities by the policy's compatibility mode. NULL, with `*result` and `*err` set, if inputs and
 * job do not fit together, or, as every later allocation can fail, if out of memory or at the
 * limit.
 */
static struct gang_decision *
decision_new(const struct gang_document *job, const struct gang_inputs *inputs,
             const struct limits *limits, int *result, struct gang_error **err)
{
    struct arena *arena = arena_new_within(limits, job->arena);
    struct gang_decision *decision = arena ? arena_array(arena, 1, sizeof(*decision)) : NULL;
    struct report *report = decision ? arena_take(arena, sizeof(*report)) : NULL;
    uint64_t count;

    if (!report) {
        *result = arena ? error_from_arena(err, arena) : error_no_memory(err);
        arena_free(arena);
        return NULL;
    }
    refcount_init(&decision->references);
    decision->arena = arena;
    decision->report = report;
    report_init(report, arena, limits);
    if (inputs) {
        decision->call.created_uid = arena_copy(arena, slice_from_text(inputs->created_uid));
        decision->wishes.run = inputs->run;
        decision->gang_index = inputs->gang_index;
    }
    decision_inputs_take(&decision->inputs, job, inputs, report);
    count = gang_document_num_gangs(job);
    if (decision->gang_index && decision->gang_index >= count)
        find_in_document(report, job->entry->type, MESSAGE_NO_SUCH_GANG,
                         (unsigned long long)decision->gang_index, (unsigned long long)count);
    if (arena_failed(arena) || report_has_errors(report)) {
        *result = arena_failed(arena) ? decision_error(decision, arena, err)
                                      : error_from_report(err, GANG_ERROR_INVALID, report);
        gang_decision_unref(decision);
        return NULL;
    }
    decision->limits = limits;
    decision->front_end = front_end_of(&decision->inputs, &decision->wishes.meta);
    if (decision->inputs.policy && decision->front_end->follows_compatibility)
        decision->wishes.compatibility = decision->inputs.policy->compatibility;
    report->compatibility = decision->wishes.compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
    return decision;
}

/*
 * Sets the job's name for findings in a policy or cluster, and the document for findings without a
 * place.
 */
static void
decision_name_documents(const struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct object_meta *meta = decision->wishes.meta;
    const struct gang_document *job = decision->inputs.documents[0];
    struct report *report = decision->report;

    report->job = (struct report_job){
        .namespace_ = meta->namespace_,
        .name = meta->name_is_generated ? ARENA_SLICE(decision->arena, "%.*s*",
                                                      SLICE_ARG(node_string(meta->name_source)))
                                        : meta->name,
    };
    for (size_t i = inputs->num_documents; i > 0; i--) {
        const struct gang_document *document = inputs->documents[i - 1];

        report->roots[document->entry->type] = document->root;
        if (document->findings.last_root) { /* what its parse has read need not be read again */
            report->last_root = document->findings.last_root;
            report->last_identity = document->findings.last_identity;
        }
        if (document->findings.num_paths) {
            report->paths = document->findings.paths;
            report->num_paths = document->findings.num_paths;
        }
    }
    /*
     * Most findings are in the job, whose identity is known already. An empty name or namespace is
     * read as absent, so it is left to finding_identity().
     */
    if (report->last_root || !meta->source || meta->source->parent != job->root ||
        !slice_is_set(meta->name) || meta->name_is_generated || !slice_is_set(meta->namespace_))
        return;
    report->last_root = job->root;
    report->last_identity =
        (struct document_identity){job->kind.data, meta->namespace_.data, meta->name.data};
}

/* Adds the parse findings of each input, with severities set again. */
static void
decision_take_findings(const struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;

    decision_name_documents(decision);
    for (size_t i = 0; i < inputs->num_documents; i++) {
        /* Only errors of other PodGangs and of a topology matter. */
        const struct gang_document *document = inputs->documents[i];

        if (!i || (!document_is(document, GANG_DOCUMENT_PODGANG) &&
                   !document_is(document, GANG_DOCUMENT_TOPOLOGYBINDING)))
            report_merge(decision->report, inputs->documents[i]->findings.items,
                         inputs->documents[i]->findings.count);
    }
}

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

    wishes_order_roles(wishes, decision->report);
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
        .created_uid = call->created_uid,
    };
    call->api_version = backend_api_version(decision->backend, call, decision->report);
    if (decision_is_of_grove(decision) && decision->backend->validate_podgangs)
        decision->backend->validate_podgangs(call, decision->report);
    if (!has_gang)
        return;
    if (decision->wishes.meta->name_is_generated)
        object_meta_require_name(decision->wishes.meta, decision->report);
    if (decision->wishes.named_by && decision->wishes.named_by->name_is_generated)
        object_meta_require_name(decision->wishes.named_by, decision->report);
    backend_validate(decision->backend, &decision->call, decision->report);
    if (decision->wishes.owner.is_no_object)
        return; /* there is no uid to pass */
    if (!slice_is_set(decision->wishes.owner.uid) && !(policy && policy->output.omits_owner) &&
        descriptor_has_objects(decision->backend->descriptor) &&
        !report_has_errors(decision->report))
        find_in_document(decision->report, decision->front_end->document, MESSAGE_NO_OWNER_UID,
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
        rule_match_first(policy, &facts, &decision->rule_is_undecided, decision->report);
}

/* Forms the gang that is wanted. Returns whether there is one: schedulers refuse one of no pods. */
static bool
make_gang(struct gang_decision *decision, bool is_wanted)
{
    if (is_wanted) {
        gang_form(&decision->wishes, &decision->gang, decision->report);
        /* Grove and Trainer decide for themselves. */
        return !decision->inputs.job || decision->gang.members ||
               report_has_errors(decision->report);
    }
    /*
     * A job without a gang also shows its roles, in their start order. While the choice for such a
     * job is checked, the pods of a PodGang are members: of another gang.
     */
    gang_leave_unformed(&decision->wishes,
                        decision->backend && decision->inputs.podgang ? ROLE_MEMBER : ROLE_OUTSIDE,
                        &decision->gang, decision->arena);
    return false;
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
    has_gang = make_gang(decision, complete_wishes(decision));
    if (decision->backend)
        call_backend(decision, has_gang);
    cluster_checks_run(decision);
    if (has_gang && kueue_checks_apply(decision))
        kueue_checks_run(decision);
    /* Another controller that manages the job, such as MultiKueue, passes the entry on. */
    if (job && job->own_patch && !decision->wishes.managed_elsewhere &&
        !report_has_errors(decision->report))
        patch_entry_check(decision);
    own_marks_check(decision, has_gang);
    decision->outcome = judgement_pass(decision, has_gang, &decision->constraint_verdicts);
    if (!has_gang && decision->backend) {
        /*
         * Of Grove, although its scheduler supports gangs, or without pods. For a job without a
         * gang the backend has only checked the choice.
         */
        decision->reason = decision->inputs.job ? "the members of the gang have no pods"
                           : decision->inputs.podgang
                               ? "the base PodGang of the replica has the group of its pods"
                               : "a PodCliqueSet has no gang of its own: its PodGangs have";
        decision->backend = NULL;
        gang_leave_unformed(&decision->wishes, ROLE_OUTSIDE, &decision->gang, decision->arena);
    }
    report_sort(decision->report);
}

/* ---- resolve ---- */

/*
 * Returns the first error in the order of the report; if the policy denies, the first in the
 * policy. NULL if there is none.
 */
static const struct gang_diagnostic *
decision_refusal(const struct gang_decision *decision)
{
    const struct gang_diagnostic *first = NULL;

    for (size_t i = 0; i < decision->report->count; i++) {
        const struct gang_diagnostic *finding = &decision->report->items[i];

        if (finding->severity != GANG_SEVERITY_ERROR)
            continue;
        if (decision->outcome != GANG_OUTCOME_DENIED || finding->document == GANG_DOCUMENT_POLICY)
            return finding;
        if (!first)
            first = finding;
    }
    return first;
}

/*
 * Stores the decision in `*out`. An outcome that refuses the job also returns an error. If there is
 * no memory for the error, there is no decision either: the same call may return both later.
 */
static int
resolve_with(const struct limits *limits, const struct gang_document *job,
             const struct gang_inputs *inputs, uint32_t flags, enum resolve_findings findings,
             struct gang_decision **out, struct gang_error **err)
{
    int result = GANG_OK;
    struct gang_decision *decision = decision_new(job, inputs, limits, &result, err);
    const struct backend *backend;

    if (!decision)
        return result;
    decision->flags = flags;
    decision->report->is_brief = findings == RESOLVE_FINDINGS_IN_BRIEF;
    decide(decision);
    backend = decision->backend;
    /* A backend whose state found no memory has nothing to count. */
    if (decision->outcome == GANG_OUTCOME_GANG && !arena_failed(decision->arena))
        decision->minimum = backend->count_minimum ? backend->count_minimum(&decision->call)
                                                   : decision->gang.minimum;
    else if (decision->outcome != GANG_OUTCOME_NO_GANG && decision_refusal(decision))
        decision->reason = decision_refusal(decision)->message;
    if (arena_failed(decision->arena))
        result = decision_error(decision, decision->arena, err);
    else if (decision->outcome == GANG_OUTCOME_INVALID)
        result = error_from_report(err, GANG_ERROR_INVALID, decision->report);
    else if (decision->outcome == GANG_OUTCOME_DENIED)
        result = error_from_report(err, GANG_ERROR_DENIED, decision->report);
    if (result == GANG_OK || result == GANG_ERROR_INVALID || result == GANG_ERROR_DENIED)
        *out = decision;
    else
        gang_decision_unref(decision);
    return result;
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

SELDOM int
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
