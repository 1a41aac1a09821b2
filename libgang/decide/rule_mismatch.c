/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* Why a rule does not match a job: the first field that the job does not satisfy, and its value. */
struct rule_mismatch {
    const struct node *source; /* the field, or `exclude` */
    const char *reason;
};

/* The fields in the order in which they are compared. */
static const size_t mismatch_fields[RULE_FIELD_COUNT] = {
    RULE_KINDS,
    RULE_NAMESPACES,
    RULE_NAMESPACE_SELECTOR,
    RULE_KUEUE,
    RULE_MIN_NODES,
    RULE_MAX_NODES,
    RULE_RUNTIMES,
    RULE_FRAMEWORKS,
    RULE_RUNTIME_SELECTOR,
    RULE_TRAINJOB_SELECTOR,
    RULE_PODGANG_SELECTOR,
    RULE_OBJECT_SELECTOR,
    RULE_RESOURCES,
};

static const char *
mismatch_of_kind(const struct match_facts *facts, struct arena *arena)
{
    for (size_t i = 0; i < JOB_NAME_COUNT; i++)
        if (facts->kinds >> i & 1)
            return arena_format(arena, "the job is a %.*s", SLICE_ARG(job_names[i].kind));
    return "the job is of another kind";
}

static const char *
mismatch_reason(size_t field, const struct match_facts *facts, struct arena *arena)
{
    switch (field) {
    case RULE_KINDS:
        return mismatch_of_kind(facts, arena);
    case RULE_NAMESPACES:
        return arena_format(arena, "the namespace is %.*s", SLICE_ARG(facts->namespace_));
    case RULE_NAMESPACE_SELECTOR:
        return arena_format(arena, "the labels of the namespace %.*s differ",
                            SLICE_ARG(facts->namespace_));
    case RULE_KUEUE:
        return facts->is_kueue_managed ? "Kueue manages the job" : "Kueue does not manage the job";
    case RULE_MIN_NODES:
    case RULE_MAX_NODES:
        return arena_format(arena, "the job has %lld %s%s", (long long)facts->nodes,
                            facts->kinds & JOB_KINDS_TRAINER ? "node" : "pod",
                            facts->nodes == 1 ? "" : "s");
    case RULE_RUNTIMES:
        return arena_format(arena, "the runtime is %.*s", SLICE_ARG(facts->runtime));
    case RULE_FRAMEWORKS:
        return facts->framework.len
                   ? arena_format(arena, "the framework is %.*s", SLICE_ARG(facts->framework))
                   : "the runtime names no framework";
    case RULE_RUNTIME_SELECTOR:
        return "the labels of the runtime differ";
    case RULE_RESOURCES:
        return "no pod requests it";
    default:
        return "the labels of the job differ";
    }
}

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
        const struct rule_field *field = &rule_fields[mismatch_fields[i]];
        struct policy_match only = nothing;

        memcpy((char *)&only + field->at, (const char *)match + field->at, field->size);
        if (match_decide(&only, &nothing, facts) != MATCH_NO)
            continue;
        out->source = mismatch_fields[i] == RULE_KINDS ? rule_field_against(match, facts->kinds)
                                                       : node_member(match->source, field->name);
        out->reason = mismatch_reason(mismatch_fields[i], facts, arena);
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
