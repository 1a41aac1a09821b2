/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/trace.h"

enum { TRACE_FIRST_CAPACITY = 4 };

const char *const trace_attribute_names[TRACE_ATTRIBUTE_COUNT] = {
    [TRACE_BACKEND] = "backend",
    [TRACE_SCHEDULER_NAME] = "schedulerName",
    [TRACE_QUEUE] = "queue",
    [TRACE_PRIORITY_CLASS_NAME] = "priorityClassName",
    [TRACE_TIMEOUT] = "scheduleTimeoutSeconds",
    [TRACE_MEMBERS] = "members",
    [TRACE_TOPOLOGY] = "topology",
};

const char *const trace_verdict_names[] = {
    [VERDICT_CHOSEN] = "Chosen",          [VERDICT_OVERRIDDEN] = "Overridden",
    [VERDICT_NOT_ENABLED] = "NotEnabled", [VERDICT_NOT_SERVED] = "NotServed",
    [VERDICT_AMBIGUOUS] = "Ambiguous",    [VERDICT_UNSET] = "Unset",
    [VERDICT_REFUSED] = "Refused",
};

static bool
trace_make_room(struct trace_entry *entry, struct arena *arena)
{
    size_t capacity = entry->capacity ? 2 * entry->capacity : TRACE_FIRST_CAPACITY;
    void *candidates;

    if (entry->count < entry->capacity)
        return true;
    candidates = arena_grow(arena, entry->candidates, entry->count, capacity, sizeof(*entry->candidates));
    if (!candidates)
        return false;
    entry->candidates = candidates;
    entry->capacity = capacity;
    return true;
}

void
trace_add(struct trace *trace, enum trace_attribute attribute, struct trace_candidate candidate)
{
    struct trace_entry *entry = &trace->entries[attribute];

    if (candidate.source && candidate.document == GANG_DOCUMENT_NONE)
        candidate.document = (enum gang_document)candidate.source->document;
    if (candidate.verdict == VERDICT_CHOSEN)
        entry->value = candidate.value;
    if (trace_make_room(entry, trace->arena))
        entry->candidates[entry->count++] = candidate;
}
