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
    return decision ? decision->report->count : 0;
}

const struct gang_diagnostic *
gang_decision_get_diagnostic(const struct gang_decision *decision, size_t index)
{
    return decision && index < decision->report->count ? &decision->report->items[index] : NULL;
}
