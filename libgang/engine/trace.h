/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_TRACE_H
#define LIBGANG_ENGINE_TRACE_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

enum trace_attribute {
    TRACE_BACKEND,
    TRACE_SCHEDULER_NAME,
    TRACE_QUEUE,
    TRACE_PRIORITY_CLASS_NAME,
    TRACE_TIMEOUT,
    TRACE_MEMBERS,
    TRACE_TOPOLOGY,
    TRACE_ATTRIBUTE_COUNT
};

enum trace_verdict {
    VERDICT_CHOSEN,
    VERDICT_OVERRIDDEN,
    VERDICT_NOT_ENABLED,
    VERDICT_NOT_SERVED,
    VERDICT_AMBIGUOUS,
    VERDICT_UNSET,
    VERDICT_REFUSED,
};

/* One answer that was possible, and what became of it. */
struct trace_candidate {
    struct slice value; /* unset when there is none */
    enum gang_document document;
    const struct node *source; /* where it stands, or the map that lacks it */
    struct slice missing;      /* below `source`, for a value that is not there */
    enum trace_verdict verdict;
    const char *reason;
    bool stops;     /* nothing behind it is asked, though it is not chosen: an error, or no gang */
    bool is_strict; /* the policy says it, whatever the job says */
    const char *
        overrides; /* why those behind it lose: "a rule with override Always stands before"; NULL: they do not */
};

struct trace_entry {
    struct slice value;                 /* unset when nothing was chosen */
    struct trace_candidate *candidates; /* in order of precedence */
    size_t count;
    size_t capacity;
};

/* Why everything is as it is. Only the plan document shows it, so it is made there, in the document's arena. */
struct trace {
    struct arena *arena;
    struct trace_entry entries[TRACE_ATTRIBUTE_COUNT];
};

void trace_add(struct trace *trace, enum trace_attribute attribute, struct trace_candidate candidate);

extern const char *const trace_attribute_names[TRACE_ATTRIBUTE_COUNT];
extern const char *const trace_verdict_names[];

#endif
