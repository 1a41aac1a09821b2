/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CHOICE_H
#define LIBGANG_DECIDE_CHOICE_H

#include "libgang/base/report.h"
#include "libgang/decide/decision.h"
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
    VERDICT_UNSET, /* 0: what a candidate is that nobody has judged */
    VERDICT_CHOSEN,
    VERDICT_OVERRIDDEN,
    VERDICT_NOT_ENABLED,
    VERDICT_NOT_SERVED,
    VERDICT_AMBIGUOUS,
    VERDICT_REFUSED,
};

/* One answer that was possible, and what became of it. The first six members decide, the others
 * explain. */
struct trace_candidate {
    struct slice value;        /* unset when there is none */
    const struct node *source; /* where it stands, or the map that lacks it */
    const char *reason;
    enum trace_verdict verdict;
    bool stops;      /* nothing behind it is asked, though it is not chosen: an error, or no gang */
    bool is_of_rule; /* the rule that matches says it; the trace puts its name before the reason */
    bool is_strict;  /* the policy says it, whatever the job says */
    enum gang_document_type document;
    struct slice missing;  /* below `source`, for a value that is not there */
    const char *overrides; /* why those behind it lose: "a rule with override Always stands before";
                              NULL: they do not */
};

struct trace_entry {
    struct slice value;                 /* unset when nothing was chosen */
    struct trace_candidate *candidates; /* in order of precedence */
    size_t count;
    size_t capacity;
};

/* Why everything is as it is. Only the plan document shows it, so it is made there, in the
 * document's arena. */
struct trace {
    struct arena *arena;
    struct trace_entry entries[TRACE_ATTRIBUTE_COUNT];
};

void trace_add(struct trace *trace, enum trace_attribute attribute,
               struct trace_candidate candidate);

extern const char *const trace_attribute_names[TRACE_ATTRIBUTE_COUNT];
extern const char *const trace_verdict_names[];

struct choice_call;

/* One setting of a policy's block that says it, as a source of candidates sees it. */
struct choice_setting {
    struct slice value;
    enum policy_override override;
    const char
        *problem; /* why there is no value although the block says something; NULL: there is one */
};

/* What a source is asked with. */
struct choice_call {
    const struct gang_decision *decision;
    const struct attribute *attribute;
    struct arena *arena; /* for values and reasons that are put together */
    bool explains;       /* reasons are read; otherwise only value, source and verdict */
};

/* What a source needs to be asked: bits of kinds of job (front_end.h), and of what a policy has. */
enum {
    OF_ANY = 0,
    OF_POLICY = 1 << 8, /* that there is one */
    OF_STRICT_RULE =
        1 << 9,        /* a rule that says it; what stands behind gives way when it says Always */
    OF_RULE = 1 << 10, /* a rule that says it */
    OF_DEFAULTS = 1 << 11, /* defaults that say it */
    OF_TRACE = 1 << 12,    /* a reader: it has nothing that could be chosen */
    OF_POLICY_PARTS = OF_POLICY | OF_STRICT_RULE | OF_RULE | OF_DEFAULTS,
};

/*
 * One source of candidates. The order of an attribute's sources is its precedence, and there is one
 * table of them: what decides and what tells the trace both walk it, so they cannot differ.
 */
struct choice_source {
    /*
     * The candidate of this index as it would stand alone: VERDICT_CHOSEN when it may be chosen,
     * any other verdict when it may not. VERDICT_UNSET only for the one candidate of a source
     * without any. `candidate` starts out empty. False past the last.
     */
    bool (*candidate)(const struct choice_call *call, size_t index,
                      struct trace_candidate *candidate);
    unsigned needs;
};

/*
 * One thing that is chosen: its sources in order of precedence, alike for every kind of job; how it
 * reads a policy's block of settings; and what becomes of the candidate that wins.
 */
struct attribute {
    const struct choice_source *sources;
    size_t count;
    struct slice field; /* of a policy's block */
    size_t says;        /* where struct policy_settings has its source */
    struct choice_setting (*setting)(const struct choice_call *call,
                                     const struct policy_settings *settings);
    /* NULL: others have settled it, and only the trace asks. Of `chosen` see choice_decide(). */
    void (*take)(struct gang_decision *decision, const struct choice_call *call,
                 const struct trace_candidate *chosen);
};

#define SETTING_OF(field, source) SLICE_INIT(field), offsetof(struct policy_settings, source)

/*
 * Chooses one attribute: decides, lets the attribute take what was chosen, and reports what loses
 * though somebody may have counted on it: the job's own word to a rule with override Always, and a
 * rule to the job.
 */
void choice_make(struct gang_decision *decision, const struct attribute *attribute);

/*
 * The first candidate that may be chosen, or that stops the search, and its source; otherwise one
 * without a verdict of either kind, and NULL. Of `chosen` only value, source, verdict, stops,
 * is_strict and is_of_rule are set, and of what no rule chose the reason.
 */
const struct choice_source *choice_decide(const struct choice_call *call,
                                          struct trace_candidate *chosen);

/* Why this candidate ended the search, in the decision's words; a rule is told by its name. NULL:
 * none did. */
const char *choice_reason(const struct gang_decision *decision,
                          const struct trace_candidate *chosen);

/* Every candidate, and what becomes of it next to the others. */
void choice_trace(const struct gang_decision *decision, const struct attribute *attribute,
                  enum trace_attribute name, struct trace *trace);

/* What stands before every choice of a backend: a rule that skips or denies the job, or that nobody
 * can decide. */
bool policy_choice_ruled_out(const struct choice_call *call, size_t index,
                             struct trace_candidate *candidate);
/* Denies the job where its rule does. */
void policy_choice_report_denial(struct gang_decision *decision);

/*
 * The candidates that a policy has for a setting: that of a rule which stands before whatever the
 * job says, that of a rule which gives way to it, that of the defaults. A rule that does not say,
 * and a job that no rule is about, are listed once, with those that give way; defaults that do not
 * say are not listed. In compatibility all of them are refused. Which setting is the call's to say.
 */
bool policy_choice_strict_rule(const struct choice_call *call, size_t index,
                               struct trace_candidate *candidate);
bool policy_choice_rule(const struct choice_call *call, size_t index,
                        struct trace_candidate *candidate);
bool policy_choice_defaults(const struct choice_call *call, size_t index,
                            struct trace_candidate *candidate);

/* What a policy's block says of an attribute; NULL for nothing. */
static inline const struct node *
policy_choice_said(const struct policy_settings *settings, size_t says)
{
    return *(const struct node *const *)(const void *)((const char *)settings + says);
}

/*
 * The same of settings that no job can name: the block that says, the rule's or else the defaults';
 * NULL for neither. `says` as in struct attribute.
 */
const struct policy_settings *policy_choice_block(const struct gang_decision *decision,
                                                  size_t says);

/* Turns down a candidate that a runtime's podGroupPolicy has, where the policy does not look at
 * that. */
bool policy_choice_ignores_runtime(const struct gang_decision *decision,
                                   struct trace_candidate *candidate);

#endif
