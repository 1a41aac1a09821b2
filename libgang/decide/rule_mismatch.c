/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* Why a rule does not match a job: the first field that the job does not satisfy, and its value. */
struct rule_mismatch {
    const struct node *source; /* the field, or `exclude` */
    const char *reason;
};

/* ---- the reasons ---- */

static const char *
mismatch_kind(const struct match_facts *facts, struct arena *arena)
{
    for (size_t i = 0; i < JOB_NAME_COUNT; i++)
        if (facts->kinds >> i & 1)
            return arena_format(arena, "the job is a %.*s", SLICE_ARG(job_names[i].kind));
    return "the job is of another kind";
}

static const char *
mismatch_namespace(const struct match_facts *facts, struct arena *arena)
{
    return arena_format(arena, "the namespace is %.*s", SLICE_ARG(facts->namespace_));
}

static const char *
mismatch_namespace_labels(const struct match_facts *facts, struct arena *arena)
{
    return arena_format(arena, "the labels of the namespace %.*s differ",
                        SLICE_ARG(facts->namespace_));
}

static const char *
mismatch_kueue(const struct match_facts *facts, struct arena *arena)
{
    (void)arena;
    return facts->is_kueue_managed ? "Kueue manages the job" : "Kueue does not manage the job";
}

static const char *
mismatch_nodes(const struct match_facts *facts, struct arena *arena)
{
    const char *what = facts->kinds & JOB_KINDS_TRAINER ? "node" : "pod";

    return arena_format(arena, "the job has %lld %s%s", (long long)facts->nodes, what,
                        facts->nodes == 1 ? "" : "s");
}

static const char *
mismatch_runtime(const struct match_facts *facts, struct arena *arena)
{
    return arena_format(arena, "the runtime is %.*s", SLICE_ARG(facts->runtime));
}

static const char *
mismatch_framework(const struct match_facts *facts, struct arena *arena)
{
    return facts->framework.len
               ? arena_format(arena, "the framework is %.*s", SLICE_ARG(facts->framework))
               : "the runtime names no framework";
}

static const char *
mismatch_runtime_labels(const struct match_facts *facts, struct arena *arena)
{
    (void)facts;
    (void)arena;
    return "the labels of the runtime differ";
}

static const char *
mismatch_labels(const struct match_facts *facts, struct arena *arena)
{
    (void)facts;
    (void)arena;
    return "the labels of the job differ";
}

static const char *
mismatch_resources(const struct match_facts *facts, struct arena *arena)
{
    (void)facts;
    (void)arena;
    return "no pod requests it";
}

/* ---- the fields ---- */

/* In the order in which they are compared. */
static const struct {
    size_t field;
    const char *(*reason)(const struct match_facts *facts, struct arena *arena);
} mismatch_fields[RULE_FIELD_COUNT] = {
    {RULE_KINDS, mismatch_kind},
    {RULE_NAMESPACES, mismatch_namespace},
    {RULE_NAMESPACE_SELECTOR, mismatch_namespace_labels},
    {RULE_KUEUE, mismatch_kueue},
    {RULE_MIN_NODES, mismatch_nodes},
    {RULE_MAX_NODES, mismatch_nodes},
    {RULE_RUNTIMES, mismatch_runtime},
    {RULE_FRAMEWORKS, mismatch_framework},
    {RULE_RUNTIME_SELECTOR, mismatch_runtime_labels},
    {RULE_TRAINJOB_SELECTOR, mismatch_labels},
    {RULE_PODGANG_SELECTOR, mismatch_labels},
    {RULE_OBJECT_SELECTOR, mismatch_labels},
    {RULE_RESOURCES, mismatch_resources},
};

/*
 * Finds the first field that the job does not satisfy: alone in a match, it does not match. The
 * kinds of a match follow from several fields.
 */
static bool
mismatch_find_field(const struct policy_match *match, const struct match_facts *facts,
                    struct arena *arena, struct rule_mismatch *out)
{
    const struct policy_match nothing = {.kinds = JOB_KINDS_ALL};

    for (size_t i = 0; i < RULE_FIELD_COUNT; i++) {
        const struct rule_field *field = &rule_fields[mismatch_fields[i].field];
        struct policy_match only = nothing;

        memcpy((char *)&only + field->at, (const char *)match + field->at, field->size);
        if (match_decide(&only, &nothing, facts) != MATCH_NO)
            continue;
        out->source = mismatch_fields[i].field == RULE_KINDS
                          ? rule_field_against(match, facts->kinds)
                          : node_member(match->source, field->name);
        out->reason = mismatch_fields[i].reason(facts, arena);
        return true;
    }
    return false;
}

/* Returns false if the rule matches the job, or if this cannot be decided. */
static bool
rule_mismatch_find(const struct policy_rule *rule, const struct match_facts *facts,
                   struct arena *arena, struct rule_mismatch *out)
{
    if (match_decide(&rule->match, &rule->exclude, facts) != MATCH_NO)
        return false;
    if (!mismatch_find_field(&rule->match, facts, arena, out))
        *out = (struct rule_mismatch){rule->exclude.source, "the rule excludes the job"};
    return true;
}

/* ---- the list ---- */

static void
mismatch_build_one(const struct policy_rule *rule, const struct rule_mismatch *mismatch,
                   struct builder *list)
{
    struct builder item = build_map_item(list);

    build_string(&item, SLICE("name"), rule->name);
    build_string(&item, SLICE("path"), path_of(list->arena, mismatch->source));
    build_int(&item, SLICE("line"), mismatch->source->line);
    build_string(&item, SLICE("reason"), slice_from_text(mismatch->reason));
}

void
rule_mismatch_build(const struct gang_decision *decision, struct builder *document)
{
    const struct gang_policy *policy = decision->inputs.policy;
    struct rule_mismatch mismatch;
    struct match_facts facts;
    struct builder list;

    if (!policy || !policy->num_rules || decision->rule == policy->rules)
        return;
    facts = job_facts_of(decision, document->arena);
    for (size_t i = 0; i < policy->num_rules && &policy->rules[i] != decision->rule; i++) {
        if (!rule_mismatch_find(&policy->rules[i], &facts, document->arena, &mismatch))
            return;
        if (!i)
            list = build_list_member(document, SLICE("unmatchedRules"));
        mismatch_build_one(&policy->rules[i], &mismatch, &list);
    }
}
