/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_CHOICE_H
#define LIBGANG_DECIDE_CHOICE_H

#include "libgang/decide/decision.h"

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
    VERDICT_UNSET, /* 0: not judged yet */
    VERDICT_CHOSEN,
    VERDICT_OVERRIDDEN,
    VERDICT_NOT_ENABLED,
    VERDICT_NOT_SERVED,
    VERDICT_AMBIGUOUS,
    VERDICT_REFUSED,
};

/*
 * A possible value and its verdict. The first six fields are for the choice, the others for
 * explanations.
 */
struct trace_candidate {
    struct slice value;        /* unset if absent */
    const struct node *source; /* the node of the value, or the map without it */
    const char *reason;
    enum trace_verdict verdict;
    /* no later candidate is considered, although this one is not chosen: an error, or no gang */
    bool stops;
    bool is_of_rule; /* from the matching rule; the trace puts the rule's name before the reason */
    bool is_strict;  /* from the policy, with precedence over the job */
    enum gang_document_type document;
    struct slice missing; /* path below `source` of a value that is absent */
    /*
     * why later candidates lose, such as "a rule with override Always has precedence"; NULL if they
     * do not
     */
    const char *overrides;
};

struct trace_entry {
    struct slice value;                 /* unset if no candidate was chosen */
    struct trace_candidate *candidates; /* in order of precedence */
    size_t count;
};

/*
 * The candidates of every attribute. Only the plan document shows them, so they are computed for
 * it, in the document's arena.
 */
struct trace {
    struct arena *arena;
    struct trace_entry entries[TRACE_ATTRIBUTE_COUNT];
};

void trace_add(struct trace *trace, enum trace_attribute attribute,
               struct trace_candidate candidate);

/* Sets what every candidate has; `source` is NULL if it is in no document. */
static inline void
candidate_set(struct trace_candidate *candidate, struct slice value, const struct node *source,
              enum trace_verdict verdict, const char *reason)
{
    candidate->value = value;
    candidate->source = source;
    candidate->verdict = verdict;
    candidate->reason = reason;
}

/* The one candidate of a source without candidates, such as a document that names no queue. */
static inline void
candidate_leave_unset(struct trace_candidate *candidate, enum gang_document_type document,
                      const char *reason)
{
    candidate->document = document;
    candidate->verdict = VERDICT_UNSET;
    candidate->reason = reason;
}

extern const char *const trace_attribute_names[TRACE_ATTRIBUTE_COUNT];
extern const char *const trace_verdict_names[];

struct choice_call;

/* A value in a settings block of a policy, as a source of candidates reads it. */
struct choice_setting {
    struct slice value;
    enum policy_override override;
    const char *problem; /* why the block has no usable value; NULL if it has one */
};

/* The arguments of a source. */
struct choice_call {
    const struct gang_decision *decision;
    const struct attribute *attribute;
    struct arena *arena; /* for values and reasons that are formatted */
    bool explains;       /* the caller reads reasons; otherwise only value, source and verdict */
};

/* What a source needs: a kind of job (struct front_end), and parts of a policy. */
enum {
    OF_ANY = 0,
    OF_POLICY = 1 << 8, /* a policy */
    /* a rule that sets the attribute; with override Always it precedes later sources */
    OF_STRICT_RULE = 1 << 9,
    OF_RULE = 1 << 10,     /* a rule that sets the attribute */
    OF_DEFAULTS = 1 << 11, /* defaults that set the attribute */
    OF_TRACE = 1 << 12,    /* a trace; the source never has a candidate that can be chosen */
    OF_ENTRY = 1 << 13,    /* an entry of the backend in the policy that sets the attribute */
    OF_CLASSES = 1 << 14,  /* a backend that has classes() */
    OF_POLICY_PARTS = OF_POLICY | OF_STRICT_RULE | OF_RULE | OF_DEFAULTS | OF_ENTRY,
};

/*
 * A source of candidates. The order of an attribute's sources is its precedence. The choice and the
 * trace read the same table, so they cannot differ.
 */
struct choice_source {
    /*
     * Sets the candidate with this index, on its own: VERDICT_CHOSEN if it may be chosen, any other
     * verdict if not. VERDICT_UNSET is only for the one candidate of a source without candidates.
     * `candidate` is empty at first. Returns false if there are no more.
     */
    bool (*candidate)(const struct choice_call *call, size_t index,
                      struct trace_candidate *candidate);
    unsigned needs;
};

/*
 * An attribute of a gang: its sources in order of precedence, the same for every kind of job; how
 * its value is read from a policy's settings block; and how the chosen candidate is applied.
 */
struct attribute {
    const struct choice_source *sources;
    size_t count;
    struct slice field; /* of a policy's settings block */
    size_t says;        /* offset of the value's node in struct policy_settings */
    struct choice_setting (*setting)(const struct choice_call *call,
                                     const struct policy_settings *settings);
    /*
     * Applies the choice. NULL for an attribute that is set elsewhere and only traced. For the
     * fields of `chosen` see choice_decide().
     */
    void (*take)(struct gang_decision *decision, const struct choice_call *call,
                 const struct trace_candidate *chosen);
    /* Judges a candidate of the policy that is set; NULL: no more than its settings. */
    void (*judge)(const struct choice_call *call, struct trace_candidate *candidate);
    size_t request; /* offset of what the job asks for in struct gang_wishes: choice_of_request() */
};

#define SETTING_OF(block_field, source)                                                            \
    .field = SLICE_INIT(block_field), .says = offsetof(struct policy_settings, source)

/*
 * Chooses one attribute, applies the result, and reports overridden candidates that users may rely
 * on: a value of the job that a rule with override Always replaces, and a rule that the job
 * overrides.
 */
void choice_make(struct gang_decision *decision, const struct attribute *attribute);

/*
 * Returns the source of the first candidate that may be chosen, or that stops the search, and the
 * candidate in `chosen`; NULL, with a candidate of neither verdict, if there is none. In `chosen`
 * only value, source, verdict, stops, is_strict and is_of_rule are set, and the reason unless it is
 * from a rule.
 */
SELDOM const struct choice_source *choice_decide(const struct choice_call *call,
                                                 struct trace_candidate *chosen);

/* Adds every candidate to the trace, with its verdict relative to the others. */
SELDOM void choice_trace(const struct gang_decision *decision, const struct attribute *attribute,
                         enum trace_attribute name, struct trace *trace);

/*
 * Conditions before every choice of a backend: a rule that skips or denies the job, or a rule that
 * cannot be decided.
 */
bool policy_choice_ruled_out(const struct choice_call *call, size_t index,
                             struct trace_candidate *candidate);

/*
 * The candidates of a policy for the attribute of the call: from a rule with precedence over the
 * job, from a rule that the job overrides, from the backend's entry, and from the defaults. A rule
 * that does not set the
 * attribute, and a job that matches no rule, are listed once, by policy_choice_rule(); defaults
 * that do not set the attribute are not listed. In compatibility mode all of them are refused.
 */
bool policy_choice_strict_rule(const struct choice_call *call, size_t index,
                               struct trace_candidate *candidate);
bool policy_choice_rule(const struct choice_call *call, size_t index,
                        struct trace_candidate *candidate);
bool policy_choice_entry(const struct choice_call *call, size_t index,
                         struct trace_candidate *candidate);
bool policy_choice_defaults(const struct choice_call *call, size_t index,
                            struct trace_candidate *candidate);

/* The one candidate of the job's documents for the attribute of the call, if they have one. */
bool choice_of_request(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate);

/* Returns the node that sets an attribute in a policy's block; NULL if absent. */
static inline const struct node *
policy_choice_said(const struct policy_settings *settings, size_t says)
{
    return *(const struct node *const *)(const void *)((const char *)settings + says);
}

/*
 * Returns the block that has a setting which a job cannot set: the rule's, otherwise the defaults';
 * NULL if neither has it. `says` as in struct attribute.
 */
const struct policy_settings *policy_choice_block(const struct gang_decision *decision,
                                                  size_t says);

/* Refuses a candidate from a runtime's podGroupPolicy if the policy ignores podGroupPolicy. */
bool policy_choice_ignores_runtime(const struct gang_decision *decision,
                                   struct trace_candidate *candidate);

/*
 * Chooses all attributes of a gang except its backend, from one table of attributes. The order of
 * an attribute's sources in attributes.c, queue_choice.c and priority_choice.c is its precedence.
 *
 * This function chooses what the gang is formed by, and sets it in the wishes: the members, how
 * their requests are counted, and the reservation.
 */
void attributes_choose_members(struct gang_decision *decision);
/*
 * Chooses the attributes that only appear in the rendered objects, and sets them in the formed
 * gang: queue, timeout, topology, priority class.
 */
void attributes_choose(struct gang_decision *decision);

/* Writes the candidates for the backend and for every attribute into the trace. */
void attributes_trace(const struct gang_decision *decision, struct trace *trace);

/*
 * Writes `policy`: the rule that matched, the settings that the trace says are chosen, and
 * `resources` and `reserve`, which have no candidates of a job; and the constraints that select the
 * job, with their verdicts. Nothing without a policy.
 */
void policy_use_build(const struct gang_decision *decision, const struct trace *trace,
                      struct builder *document);

/*
 * Chooses the backend. No backend if a rule skips or denies the job, or if another controller
 * manages it. Otherwise, in order of precedence: a rule with override Always; the job; a rule; the
 * policy's defaults; the policy's defaultBackend.
 *
 * A trainjob selects a backend by the runtime's podGroupPolicy, or by a schedulerName in the
 * templates that belongs to exactly one enabled backend. A backend that is not enabled, not served
 * or ambiguous is an error and is never skipped. In compatibility mode only podGroupPolicy chooses.
 *
 * A PodGang selects a backend as Grove reads it: by its label, or by the templates of the
 * PodCliqueSet, which must agree; otherwise Grove's default is used. A label that names no enabled
 * scheduler is an error, or, with GANG_RESOLVE_FALL_BACK, a warning after which the default is
 * used, as in Grove's reconciler.
 *
 * Needs the matching rule and the roles.
 */
void backend_choose(struct gang_decision *decision);

extern const struct attribute backend_attribute;

/* Reads what the job's documents say of the group, in the form that the chosen backend reads. */
void group_facts_read(const struct gang_decision *decision, struct group_facts *facts);

/*
 * Sets value, source and words of a candidate that the scheduler would use, from the place where it
 * was found.
 */
void queue_place_candidate(const struct queue_found *found, struct trace_candidate *candidate);
/*
 * Returns the first value that differs from the chosen one, an index, in a place without an order
 * of precedence before it; NULL if there is none. Later patches override earlier ones.
 */
const struct node *queue_values_disagree(const struct queue_values *values, size_t chosen);

/*
 * The queue, in order of precedence: a rule with override Always; the job, where a trainjob's
 * patches precede the runtime; a rule; the backend's entry in the policy; the policy's defaults;
 * the default of the scheduler or of Grove. A queue name in the policy that needs a value which the
 * job does not have is an error. A missing value in the documents of a PodGang is an error only if
 * no policy sets a queue. Reports queues that no scheduler reads.
 */
extern const struct attribute queue_attribute;

/*
 * The priority class: from a rule with override Always; the PodGang or the members' templates; a
 * rule; the backend's entry; the policy's defaults. With a backend that has classes(), labels of
 * the job and defaults in the scheduler's configuration are sources, too. Members that disagree are
 * reported, unless the policy overrides them. Needs a backend and the memberships.
 */
extern const struct attribute priority_attribute;

#endif
