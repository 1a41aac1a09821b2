/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

int
decision_error(const struct gang_decision *decision, const struct arena *arena,
               struct gang_error **err)
{
    const struct gang_document *job =
        decision->inputs.num_documents ? decision->inputs.documents[0] : NULL;
    const struct report_place subject = {
        .document = job ? job->entry->type : GANG_DOCUMENT_NONE,
        .path = SLICE(""),
        .identity = finding_identity(job ? job->root : NULL),
    };

    return error_from_work(err, arena, &subject);
}

/* Fails as every later allocation can: out of memory, or at the limit. */
struct gang_decision *
decision_new(const struct gang_document *job, const struct gang_inputs *inputs,
             const struct limits *limits, int *result, struct gang_error **err)
{
    struct arena *arena = arena_new_within(limits, job->arena);
    struct gang_decision *decision = arena ? arena_array(arena, 1, sizeof(*decision)) : NULL;
    uint64_t count;

    if (!decision) {
        *result = arena ? error_from_arena(err, arena) : error_no_memory(err);
        arena_free(arena);
        return NULL;
    }
    refcount_init(&decision->references);
    decision->arena = arena;
    report_init(&decision->report, arena, limits);
    if (inputs) {
        decision->created_uid = arena_copy(arena, slice_from_text(inputs->created_uid));
        decision->wishes.run = inputs->run;
        decision->gang_index = inputs->gang_index;
    }
    decision_inputs_take(&decision->inputs, job, inputs, &decision->report);
    count = gang_document_num_gangs(job);
    if (decision->gang_index && decision->gang_index >= count)
        find_in_document(&decision->report, job->entry->type, MESSAGE_NO_SUCH_GANG,
                         (unsigned long long)decision->gang_index, (unsigned long long)count);
    if (arena_failed(arena) || report_has_errors(&decision->report)) {
        *result = arena_failed(arena)
                      ? decision_error(decision, arena, err)
                      : error_from_report(err, GANG_ERROR_INVALID, &decision->report);
        gang_decision_unref(decision);
        return NULL;
    }
    decision->limits = limits;
    decision->front_end = front_end_of(&decision->inputs, &decision->wishes.meta);
    if (decision->inputs.policy && decision->front_end->follows_compatibility)
        decision->wishes.compatibility = decision->inputs.policy->compatibility;
    decision->report.compatibility =
        decision->wishes.compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
    return decision;
}

/*
 * Sets the job's name for findings in a policy or cluster, and the document for findings without a
 * place.
 */
static void
decision_name_documents(struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct node **roots = decision->report.roots;
    const struct object_meta *meta = decision->wishes.meta;
    const struct gang_document *job = decision->inputs.documents[0];
    struct report *report = &decision->report;

    decision->report.job = (struct report_job){.namespace_ = meta->namespace_, .name = meta->name};
    for (size_t i = inputs->num_documents; i > 0; i--) {
        const struct gang_document *document = inputs->documents[i - 1];

        roots[document->entry->type] = document->root;
        if (document->findings.last_root) { /* what its parse has read need not be read again */
            decision->report.last_root = document->findings.last_root;
            decision->report.last_identity = document->findings.last_identity;
        }
        if (document->findings.num_paths) {
            decision->report.paths = document->findings.paths;
            decision->report.num_paths = document->findings.num_paths;
        }
    }
    /*
     * Most findings are in the job, whose identity is known already. An empty name or namespace is
     * read as absent, so it is left to finding_identity().
     */
    if (report->last_root || !meta->source || meta->source->parent != job->root ||
        !slice_is_set(meta->name) || !slice_is_set(meta->namespace_))
        return;
    report->last_root = job->root;
    report->last_identity =
        (struct document_identity){job->kind.data, meta->namespace_.data, meta->name.data};
}

void
decision_take_findings(struct gang_decision *decision)
{
    const struct decision_inputs *inputs = &decision->inputs;

    decision_name_documents(decision);
    for (size_t i = 0; i < inputs->num_documents; i++) {
        /* Only errors of other PodGangs and of a topology matter. */
        const struct gang_document *document = inputs->documents[i];

        if (!i || (!document_is(document, GANG_DOCUMENT_PODGANG) &&
                   !document_is(document, GANG_DOCUMENT_TOPOLOGYBINDING)))
            report_merge(&decision->report, inputs->documents[i]->findings.items,
                         inputs->documents[i]->findings.count);
    }
}

/*
 * Returns the first error in the order of the report; if the policy denies, the first in the
 * policy. NULL if there is none.
 */
static const struct gang_diagnostic *
decision_refusal(const struct gang_decision *decision)
{
    const struct gang_diagnostic *first = NULL;

    for (size_t i = 0; i < decision->report.count; i++) {
        const struct gang_diagnostic *finding = &decision->report.items[i];

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
 * If there is no memory for the error, there is no decision either: the same call may return both
 * later.
 */
int
decision_hand_out(struct gang_decision *decision, struct gang_decision **out,
                  struct gang_error **err)
{
    int result = GANG_OK;
    const struct backend *backend = decision->backend;

    /* A backend whose state found no memory has nothing to count. */
    if (decision->outcome == GANG_OUTCOME_GANG && !arena_failed(decision->arena))
        decision->minimum = backend->count_minimum ? backend->count_minimum(&decision->call)
                                                   : decision->gang.minimum;
    else if (decision->outcome != GANG_OUTCOME_NO_GANG && decision_refusal(decision))
        decision->reason = decision_refusal(decision)->message;
    if (arena_failed(decision->arena))
        result = decision_error(decision, decision->arena, err);
    else if (decision->outcome == GANG_OUTCOME_INVALID)
        result = error_from_report(err, GANG_ERROR_INVALID, &decision->report);
    else if (decision->outcome == GANG_OUTCOME_DENIED)
        result = error_from_report(err, GANG_ERROR_DENIED, &decision->report);
    if (result == GANG_OK || result == GANG_ERROR_INVALID || result == GANG_ERROR_DENIED)
        *out = decision;
    else
        gang_decision_unref(decision);
    return result;
}

struct gang_decision *
gang_decision_ref(const struct gang_decision *decision)
{
    if (decision)
        refcount_take(&decision->references);
    return (struct gang_decision *)decision;
}

/*
 * The decision and the list of its documents are in its own arena, which may be a guest of the
 * job's.
 */
void
gang_decision_unref(const struct gang_decision *decision)
{
    const struct gang_document *job;

    if (!decision || !refcount_drop(&decision->references))
        return;
    job = decision->inputs.num_documents ? decision->inputs.documents[0] : NULL;
    for (size_t i = 1; i < decision->inputs.num_documents; i++)
        gang_document_unref(decision->inputs.documents[i]);
    arena_free(decision->arena);
    gang_document_unref(job);
}

int
gang_decision_get_outcome(const struct gang_decision *decision)
{
    return decision ? (int)decision->outcome : GANG_OUTCOME_NONE;
}

struct slice
decision_backend_name(const struct gang_decision *decision)
{
    return decision->backend_entry ? decision->backend_entry->name
                                   : decision->backend->descriptor->name;
}

const char *
gang_decision_get_backend(const struct gang_decision *decision)
{
    return decision && decision->outcome == GANG_OUTCOME_GANG ? decision_backend_name(decision).data
                                                              : NULL;
}

/* NULL if there is no gang. */
static const struct gang *
decision_gang(const struct gang_decision *decision)
{
    return decision && decision->outcome == GANG_OUTCOME_GANG ? &decision->gang : NULL;
}

const char *
gang_decision_get_scheduler_name(const struct gang_decision *decision)
{
    return decision ? decision->wishes.scheduler_name.data : NULL;
}

const char *
gang_decision_get_queue(const struct gang_decision *decision)
{
    return decision_gang(decision) ? decision->gang.queue.data : NULL;
}

const char *
gang_decision_get_reason(const struct gang_decision *decision)
{
    return decision ? decision->reason : NULL;
}

int64_t
gang_decision_get_minimum(const struct gang_decision *decision)
{
    return decision_gang(decision) ? decision->minimum : 0;
}

int64_t
gang_decision_get_members(const struct gang_decision *decision)
{
    return decision_gang(decision) ? decision->gang.members : 0;
}

int64_t
gang_decision_get_pods(const struct gang_decision *decision)
{
    return decision_gang(decision) ? decision->gang.pods : 0;
}

size_t
gang_decision_num_diagnostics(const struct gang_decision *decision)
{
    return decision ? decision->report.count : 0;
}

const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index)
{
    return decision && index < decision->report.count ? &decision->report.items[index] : NULL;
}
