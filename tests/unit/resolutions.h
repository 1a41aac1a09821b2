/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_RESOLUTIONS_H
#define TESTS_UNIT_RESOLUTIONS_H

#include "libgang/document/path.h"
#include "libgang/engine/decision.h"

#include "unit/plans.h"
#include "unit/suite.h"

static inline const char *
trace_place(struct arena *arena, const struct trace_candidate *candidate)
{
    static const char *const documents[] = {
        [GANG_DOCUMENT_NONE] = "-",
        [GANG_DOCUMENT_RUNTIME] = "runtime",
        [GANG_DOCUMENT_TRAINJOB] = "trainjob",
        [GANG_DOCUMENT_POLICY] = "policy",
        [GANG_DOCUMENT_CLUSTER] = "cluster",
    };
    struct slice path = path_below(arena, candidate->source, candidate->missing);

    return arena_format(arena, "%s%s%.*s%s", documents[candidate->document], path.len ? " " : "",
                        SLICE_ARG(path),
                        candidate->source && candidate->source->line
                            ? arena_format(arena, ":%u", (unsigned)candidate->source->line)
                            : "");
}

/* One line for each candidate: value (`-` for none), document, path and line, verdict, reason. */
static inline const char *
trace_in_words(const struct gang_decision *decision, enum trace_attribute attribute, struct arena *arena)
{
    struct trace trace = {.arena = arena};
    const struct trace_entry *entry = &trace.entries[attribute];
    const char *text = "";

    decision->trace(decision, &trace);
    for (size_t i = 0; i < entry->count; i++) {
        const struct trace_candidate *candidate = &entry->candidates[i];
        struct slice value = slice_is_set(candidate->value) ? candidate->value : SLICE("-");

        text = arena_format(arena, "%s%.*s %s %s %s\n", text, SLICE_ARG(value), trace_place(arena, candidate),
                            trace_verdict_names[candidate->verdict], candidate->reason);
    }
    return text;
}

static inline void
check_trace(const struct gang_decision *decision, enum trace_attribute attribute, const char *expected)
{
    struct arena *arena = arena_new(0);

    check_text(trace_in_words(decision, attribute, arena), expected);
    arena_free(arena);
}

#endif
