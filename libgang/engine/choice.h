/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_CHOICE_H
#define LIBGANG_ENGINE_CHOICE_H

#include "libgang/engine/decision.h"

struct choice_call;

/* One setting of a policy's block, as a source of candidates sees it. */
struct choice_setting {
    struct slice value;
    const struct node *source; /* NULL when the block does not say */
    struct slice name;         /* of the field, for a block that does not say */
    enum policy_override override;
    const char *problem; /* why there is no value although the block says something; NULL: there is one */
};

/* What a source is asked with. */
struct choice_call {
    const struct gang_decision *decision;
    struct choice_setting (*setting)(const struct choice_call *call, const struct policy_settings *settings);
    const void *facts;   /* what the attribute's own file found out before */
    struct arena *arena; /* for values and reasons that are put together */
    bool explains;       /* reasons are read; otherwise only value, source and verdict */
};

/*
 * One source of candidates. The order of an attribute's sources is its precedence, and there is one table of them:
 * what decides and what tells the trace both walk it, so they cannot differ.
 */
struct choice_source {
    /*
     * The candidate of this index as it would stand alone: VERDICT_CHOSEN when it may be chosen, any other verdict when it
     * may not. `candidate` starts out empty. False past the last.
     */
    bool (*candidate)(const struct choice_call *call, size_t index, struct trace_candidate *candidate);
    bool of_policy; /* without a policy it is not asked */
};

struct choice_table {
    const struct choice_source *sources;
    size_t count;
};

/*
 * The first candidate that may be chosen, or that stops the search; otherwise one without a verdict of either kind, and
 * false. Of `chosen` only value, source, verdict, stops and is_strict are set.
 */
bool choice_decide(const struct choice_table *table, const struct choice_call *call,
                   struct trace_candidate *chosen);

/* Reports what runtime and trainjob name in vain, where a policy has chosen whatever they say. */
void choice_report_overridden(const struct choice_table *table, const struct choice_call *call,
                              const struct trace_candidate *chosen, struct report *report);

static inline void
choice_warn_overridden(const struct choice_table *table, const struct choice_call *call,
                       const struct trace_candidate *chosen, struct report *report)
{
    if (chosen->is_strict && !chosen->stops)
        choice_report_overridden(table, call, chosen, report);
}

/* Every candidate, and what becomes of it next to the others. */
void choice_trace(const struct choice_table *table, const struct choice_call *call,
                  enum trace_attribute attribute, struct trace *trace);

#endif
