/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* ---- job facts ---- */

/* kubernetes-sigs/kueue:pkg/controller/constants/constants.go QueueLabel */
#define JOB_FACTS_KUEUE_QUEUE SLICE("kueue.x-k8s.io/queue-name")
/* kubeflow/trainer:manifests/base/runtimes */
#define JOB_FACTS_FRAMEWORK SLICE("trainer.kubeflow.org/framework")

const struct node *
job_facts_kueue_queue(const struct gang_decision *decision)
{
    return node_text_member(decision->wishes.meta->labels, JOB_FACTS_KUEUE_QUEUE);
}

const struct node *
job_facts_kueue_manager(const struct gang_decision *decision)
{
    const struct node *queue = job_facts_kueue_queue(decision);

    if (queue || !decision->inputs.trainjob)
        return queue;
    return decision->inputs.trainjob->kueue_patch;
}

struct match_facts
job_facts_of(const struct gang_decision *decision, struct arena *arena)
{
    const struct object_meta *meta = decision->wishes.meta;
    struct match_facts facts = {
        .namespace_ = meta->namespace_,
        .labels = meta->labels,
        .kinds = JOB_KINDS_GROVE,
        .is_kueue_managed = job_facts_kueue_manager(decision) != NULL,
        .wishes = &decision->wishes,
        .cluster = decision->inputs.cluster,
        .metadata = meta->source,
        .arena = arena,
    };

    if (decision->inputs.trainjob) {
        const struct gang_runtime *runtime = decision->inputs.runtime;
        const struct gang_trainjob *trainjob = decision->inputs.trainjob;

        facts.kinds = JOB_KINDS_TRAINER;
        facts.runtime = runtime->meta.name;
        facts.framework = node_string(node_member(runtime->meta.labels, JOB_FACTS_FRAMEWORK));
        facts.runtime_labels = runtime->meta.labels;
        facts.nodes =
            trainjob->num_nodes_source ? trainjob->num_nodes : runtime->ml_policy.num_nodes;
    } else if (decision->inputs.job) {
        const struct gang_owner *owner = &decision->wishes.owner;
        const struct job_kind *kind = decision->inputs.job->kind;

        /* A document of another kind, and the owner that a GangJob stands for. */
        facts.kinds = job_names_of(kind->api_versions[0], kind->kind) |
                      (job_names_of(owner->api_version, owner->kind) & JOB_KINDS_OTHERS);
        facts.nodes = membership_pods(&decision->wishes);
    }
    return facts;
}

/* ---- rule match ---- */

enum { MATCH_LABELS_OF_STEP = 8 }; /* that are compared in one step */

static enum match_answer
match_resources(const struct rule_texts *names, const struct match_facts *facts)
{
    const struct gang_wishes *wishes = facts->wishes;
    bool is_known = true;

    if (!names->count)
        return MATCH_YES;
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (role->elsewhere)
            continue;
        for (size_t k = 0; role->count > 0 && k < names->count; k++) {
            const struct quantity *amount = resource_list_get(&role->requests, names->items[k]);

            if (amount && !quantity_is_zero(amount))
                return MATCH_YES;
        }
        is_known &= !role->lacks_requests;
    }
    return is_known ? MATCH_NO : MATCH_UNKNOWN;
}

static bool
match_selector(const struct label_selector *selector, const struct node *labels)
{
    return !selector->source || label_selector_matches(selector, labels);
}

/* Compares everything except the namespace, cheapest first. */
static enum match_answer
match_job(const struct policy_match *match, const struct match_facts *facts)
{
    /*
     * A match with a field that jobs of some kinds do not have is not of these kinds, so the other
     * fields need not be compared for each kind.
     */
    if ((match->kueue != KUEUE_ANY && (match->kueue == KUEUE_MANAGED) != facts->is_kueue_managed) ||
        !(match->kinds & facts->kinds) ||
        (match->min_nodes.source && facts->nodes < match->min_nodes.value) ||
        (match->max_nodes.source && facts->nodes > match->max_nodes.value) ||
        (match->frameworks.count && !rule_texts_have(&match->frameworks, facts->framework)) ||
        (match->runtimes.count && !rule_texts_match(&match->runtimes, facts->runtime)) ||
        !match_selector(&match->runtime_selector, facts->runtime_labels) ||
        !match_selector(&match->trainjob_selector, facts->labels) ||
        !match_selector(&match->podgang_selector, facts->labels) ||
        !match_selector(&match->object_selector, facts->labels))
        return MATCH_NO;
    return match_resources(&match->resources, facts);
}

static enum match_answer
match_namespace_labels(const struct label_selector *selector, const struct match_facts *facts)
{
    const struct cluster_namespace *found = NULL;

    if (!selector->source || !selector->count)
        return MATCH_YES;
    if (!slice_is_set(facts->namespace_) ||
        cluster_namespace(facts->cluster, facts->namespace_, &found) == CLUSTER_UNKNOWN)
        return MATCH_UNKNOWN;
    if (found && !arena_spend(facts->arena,
                              selector->count *
                                  (uint64_t)(1 + node_count(found->labels) / MATCH_LABELS_OF_STEP)))
        return MATCH_NO;
    return label_selector_matches(selector, found ? found->labels : NULL) ? MATCH_YES : MATCH_NO;
}

static enum match_answer
match_every_part(const struct policy_match *match, const struct match_facts *facts)
{
    enum match_answer by_name = MATCH_YES;
    enum match_answer by_job;
    enum match_answer by_labels;
    const size_t keys = match->trainjob_selector.count + match->runtime_selector.count +
                        match->podgang_selector.count + match->object_selector.count;
    const uint64_t labels = node_count(facts->labels) + node_count(facts->runtime_labels);

    /* A selector looks up each key in the labels, and a resource in the requests of each role. */
    if (!arena_spend(facts->arena, 1 + match->namespaces.count + match->runtimes.count +
                                       match->frameworks.count +
                                       keys * (1 + labels / MATCH_LABELS_OF_STEP) +
                                       match->resources.count * (uint64_t)facts->wishes->num_roles))
        return MATCH_NO;
    /* If the job has no namespace, only `*` is sure to match. */
    if (match->namespaces.count &&
        !rule_texts_match(&match->namespaces,
                          slice_is_set(facts->namespace_) ? facts->namespace_ : SLICE("")))
        by_name = slice_is_set(facts->namespace_) ? MATCH_NO : MATCH_UNKNOWN;
    by_job = by_name == MATCH_NO ? MATCH_NO : match_job(match, facts);
    if (by_job == MATCH_NO)
        return MATCH_NO;
    by_labels = match_namespace_labels(&match->namespace_selector, facts);
    if (by_labels == MATCH_NO)
        return MATCH_NO;
    return by_name == MATCH_YES && by_job == MATCH_YES ? by_labels : MATCH_UNKNOWN;
}

enum match_answer
match_decide(const struct policy_match *match, const struct policy_match *exclude,
             const struct match_facts *facts)
{
    enum match_answer meant = match_every_part(match, facts);
    enum match_answer excluded;

    if (meant == MATCH_NO || !exclude->source)
        return meant;
    excluded = match_every_part(exclude, facts);
    if (excluded == MATCH_NO)
        return meant;
    return excluded == MATCH_YES ? MATCH_NO : MATCH_UNKNOWN;
}

void
match_report_unknown(const struct policy_match *match, const struct policy_match *exclude,
                     const struct match_facts *facts, const char *owner, struct report *report)
{
    const struct policy_match *part =
        match_every_part(match, facts) == MATCH_UNKNOWN ? match : exclude;

    if (match_resources(&part->resources, facts) == MATCH_UNKNOWN)
        find_note(report, node_member(part->source, SLICE("resources")), MESSAGE_REQUESTS_NOT_KNOWN,
                  owner);
    else if (!slice_is_set(facts->namespace_))
        find_required(report, facts->metadata, SLICE("namespace"),
                      MESSAGE_NAMESPACE_NOT_KNOWN_CONSTRAINT, owner);
    else
        find_note(report, part->namespace_selector.source, MESSAGE_NAMESPACE_NOT_KNOWN_RULE, owner,
                  SLICE_ARG(facts->namespace_));
}

const struct policy_rule *
rule_match_first(const struct gang_policy *policy, const struct match_facts *facts, bool *undecided,
                 struct report *report)
{
    struct rule_keys keys = {
        .nodes = facts->nodes,
        .is_managed = facts->is_kueue_managed,
        .has_labels = node_count(facts->labels) > 0,
        .has_namespace = slice_is_set(facts->namespace_),
        .kinds = facts->kinds,
    };
    const size_t count = policy->num_rules;

    rule_keys_name(&keys, facts->namespace_, facts->runtime, facts->framework);
    for (size_t i = 0; (i = rule_filters_next(policy->filters, i, count, &keys)) < count; i++) {
        const struct policy_rule *rule = &policy->rules[i];
        enum match_answer answer = match_decide(&rule->match, &rule->exclude, facts);

        if (answer == MATCH_YES)
            return rule;
        if (answer == MATCH_NO)
            continue;
        match_report_unknown(&rule->match, &rule->exclude, facts,
                             arena_format(report->arena, "rule %.*s", SLICE_ARG(rule->name)),
                             report);
        *undecided = true;
        return NULL;
    }
    return NULL;
}

/* ---- rule mismatch ---- */

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
mismatch_reason(size_t field, const struct match_facts *facts, struct arena *arena)
{
    switch (field) {
    case RULE_KINDS:
        for (size_t i = 0; i < JOB_NAME_COUNT; i++)
            if (facts->kinds >> i & 1)
                return arena_format(arena, "the job has kind %.*s", SLICE_ARG(job_names[i].kind));
        return "the job is of another kind";
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
        const struct policy_rule *before = &policy->rules[i];
        struct builder item;

        if (match_decide(&before->match, &before->exclude, &facts) != MATCH_NO)
            return; /* this cannot be decided */
        if (!mismatch_find_field(&before->match, &facts, document->arena, &mismatch))
            mismatch = (struct rule_mismatch){before->exclude.source, "the rule excludes the job"};
        if (arena_failed(document->arena))
            return;
        if (!i)
            list = build_list_member(document, SLICE("unmatchedRules"));
        item = build_map_item(&list);
        build_string(&item, SLICE("name"), before->name);
        build_string(&item, SLICE("path"), path_of(list.arena, mismatch.source));
        if (mismatch.source->line)
            build_int(&item, SLICE("line"), mismatch.source->line);
        build_string(&item, SLICE("reason"), slice_from_text(mismatch.reason));
    }
}
