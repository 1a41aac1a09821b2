/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/job_wishes.h"

/* Offers a text of the job, unless the policy ignores it. False if the job does not have it. */
static bool
job_wish_offer(const struct choice_call *call, size_t index, const struct gang_job_wish *wish,
               struct trace_candidate *candidate)
{
    candidate->value = wish->value;
    candidate->source = wish->source;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "set in the job";
    if (wish->source)
        policy_choice_ignores_runtime(call->decision, candidate);
    return wish->source && !index;
}

bool
job_wish_queue(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate->overrides = "the job's queue has precedence";
    return job_wish_offer(call, index, &call->decision->gang_job->wishes.queue, candidate);
}

bool
job_wish_priority(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate->overrides = "the job's priorityClassName has precedence";
    return job_wish_offer(call, index, &call->decision->gang_job->wishes.priority_class_name,
                          candidate);
}

static bool
job_wish_is_absent(size_t index, const char *reason, struct trace_candidate *candidate)
{
    candidate->document = GANG_DOCUMENT_JOB;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = reason;
    return !index;
}

bool
job_wish_timeout(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_job_user_wishes *wishes = &call->decision->gang_job->wishes;
    char text[INTEGER_TEXT_SIZE];
    struct gang_job_wish wish = {.source = wishes->timeout_source};

    if (!wishes->has_timeout)
        return job_wish_is_absent(index, "the job sets no timeout", candidate);
    if (call->explains)
        wish.value = arena_copy(call->arena, integer_format(wishes->timeout_seconds, text));
    candidate->overrides = "the job's timeout has precedence";
    return job_wish_offer(call, index, &wish, candidate);
}

/* The level that the pods must share; else the one that they should share. */
static struct slice
job_wish_level(const struct gang_placement *topology)
{
    return slice_is_set(topology->required) ? topology->required : topology->preferred;
}

bool
job_wish_topology(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_placement *topology = &call->decision->gang_job->placement;
    const struct gang_job_wish wish = {.value = job_wish_level(topology),
                                       .source = topology->source};

    if (!topology->source)
        return job_wish_is_absent(index, "no topology is requested", candidate);
    candidate->overrides = "the job's topology has precedence";
    return job_wish_offer(call, index, &wish, candidate);
}

struct gang_topology
job_wish_gang_topology(const struct gang_placement *topology)
{
    struct gang_topology out = {
        .is_set = true,
        .mode = slice_is_set(topology->required) ? SLICE("hard") : SLICE("soft"),
        .level = job_wish_level(topology),
        .source = topology->source,
    };

    out.has_tier = integer_parse(out.level, &out.highest_tier);
    return out;
}
