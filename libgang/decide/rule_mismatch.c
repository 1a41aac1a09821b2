/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/rule_mismatch.h"

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

/* Copies one field to a match without fields. */
#define MISMATCH_KEEP(name, member)                                                                \
    static void name(const struct policy_match *match, struct policy_match *only)                  \
    {                                                                                              \
        only->member = match->member;                                                              \
    }
MISMATCH_KEEP(mismatch_keep_kinds, kinds)
MISMATCH_KEEP(mismatch_keep_namespaces, namespaces)
MISMATCH_KEEP(mismatch_keep_namespace_selector, namespace_selector)
MISMATCH_KEEP(mismatch_keep_kueue, kueue)
MISMATCH_KEEP(mismatch_keep_runtimes, runtimes)
MISMATCH_KEEP(mismatch_keep_frameworks, frameworks)
MISMATCH_KEEP(mismatch_keep_runtime_selector, runtime_selector)
MISMATCH_KEEP(mismatch_keep_trainjob_selector, trainjob_selector)
MISMATCH_KEEP(mismatch_keep_podgang_selector, podgang_selector)
MISMATCH_KEEP(mismatch_keep_object_selector, object_selector)
MISMATCH_KEEP(mismatch_keep_resources, resources)

static void
mismatch_keep_min_nodes(const struct policy_match *match, struct policy_match *only)
{
    only->has_min_nodes = match->has_min_nodes;
    only->min_nodes = match->min_nodes;
}

static void
mismatch_keep_max_nodes(const struct policy_match *match, struct policy_match *only)
{
    only->has_max_nodes = match->has_max_nodes;
    only->max_nodes = match->max_nodes;
}

static const struct mismatch_field {
    struct slice name;
    void (*keep)(const struct policy_match *match, struct policy_match *only);
    const char *(*reason)(const struct match_facts *facts, struct arena *arena);
} mismatch_fields[] = {
    /* the first: see mismatch_source() */
    {SLICE_INIT("kinds"), mismatch_keep_kinds, mismatch_kind},
    {SLICE_INIT("namespaces"), mismatch_keep_namespaces, mismatch_namespace},
    {SLICE_INIT("namespaceSelector"), mismatch_keep_namespace_selector, mismatch_namespace_labels},
    {SLICE_INIT("kueue"), mismatch_keep_kueue, mismatch_kueue},
    {SLICE_INIT("minNodes"), mismatch_keep_min_nodes, mismatch_nodes},
    {SLICE_INIT("maxNodes"), mismatch_keep_max_nodes, mismatch_nodes},
    {SLICE_INIT("runtimes"), mismatch_keep_runtimes, mismatch_runtime},
    {SLICE_INIT("frameworks"), mismatch_keep_frameworks, mismatch_framework},
    {SLICE_INIT("runtimeSelector"), mismatch_keep_runtime_selector, mismatch_runtime_labels},
    {SLICE_INIT("trainJobSelector"), mismatch_keep_trainjob_selector, mismatch_labels},
    {SLICE_INIT("podGangSelector"), mismatch_keep_podgang_selector, mismatch_labels},
    {SLICE_INIT("objectSelector"), mismatch_keep_object_selector, mismatch_labels},
    {SLICE_INIT("resources"), mismatch_keep_resources, mismatch_resources},
};

/* The kinds of a match follow from several fields. */
static const struct node *
mismatch_source(const struct policy_match *match, const struct mismatch_field *field,
                const struct match_facts *facts)
{
    return field == mismatch_fields ? rule_field_against(match, facts->kinds)
                                    : node_member(match->source, field->name);
}

/* Finds the first field that the job does not satisfy. */
static bool
mismatch_find_field(const struct policy_match *match, const struct match_facts *facts,
                    struct arena *arena, struct rule_mismatch *out)
{
    const struct policy_match nothing = {.kinds = JOB_KINDS_ALL};

    for (size_t i = 0; i < COUNT_OF(mismatch_fields); i++) {
        const struct mismatch_field *field = &mismatch_fields[i];
        struct policy_match only = nothing;

        field->keep(match, &only);
        if (match_decide(&only, &nothing, facts) != MATCH_NO)
            continue;
        out->source = mismatch_source(match, field, facts);
        out->reason = field->reason(facts, arena);
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
    facts = job_facts_of(decision);
    for (size_t i = 0; i < policy->num_rules && &policy->rules[i] != decision->rule; i++) {
        if (!rule_mismatch_find(&policy->rules[i], &facts, document->arena, &mismatch))
            return;
        if (!i)
            list = build_list_member(document, SLICE("unmatchedRules"));
        mismatch_build_one(&policy->rules[i], &mismatch, &list);
    }
}
