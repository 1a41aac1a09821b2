/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

/* The cost of a pair before any name is compared, and of a label or a listed text. */
enum { SHADOW_STEPS_OF_A_PAIR = 12, SHADOW_STEPS_OF_A_TEXT = 3 };

/* False if no steps are left. */
static bool
shadow_step(size_t *steps, size_t count)
{
    *steps = *steps > count ? *steps - count : 0;
    return *steps > 0;
}

static bool
shadow_any_glob_covers(const struct rule_texts *wide, struct slice narrow, size_t *steps)
{
    for (size_t i = 0; i < wide->count; i++) {
        /*
         * Most names differ in the last byte, which a glob that does not end in a star must have.
         */
        bool may_cover = !wide->items[i].len || !narrow.len ||
                         wide->items[i].data[wide->items[i].len - 1] == '*' ||
                         wide->items[i].data[wide->items[i].len - 1] == narrow.data[narrow.len - 1];

        if (!shadow_step(steps, may_cover ? 2 * (wide->items[i].len + narrow.len) : 2))
            return false;
        if (may_cover && glob_covers(wide->items[i], narrow))
            return true;
    }
    return false;
}

/* A match without globs matches any name, as `*` does. */
static bool
shadow_globs_cover(const struct rule_texts *wide, const struct rule_texts *narrow, size_t *steps)
{
    if (!wide->count)
        return true;
    if (!narrow->count)
        return shadow_any_glob_covers(wide, SLICE("*"), steps);
    for (size_t i = 0; i < narrow->count; i++)
        if (!shadow_any_glob_covers(wide, narrow->items[i], steps))
            return false;
    return true;
}

/* The lists match a job that has any of their items. */
static bool
shadow_lists_cover(const struct rule_texts *wide, const struct rule_texts *narrow, size_t *steps)
{
    if (!wide->count)
        return true;
    for (size_t i = 0; i < narrow->count; i++)
        if (!shadow_step(steps, SHADOW_STEPS_OF_A_TEXT * wide->count) ||
            !rule_texts_have(wide, narrow->items[i]))
            return false;
    return narrow->count > 0;
}

static bool
shadow_selector_covers(const struct label_selector *wide, const struct label_selector *narrow,
                       size_t *steps)
{
    size_t pairs;

    if (!wide->count)
        return true;
    pairs = label_selector_entries(wide) * label_selector_entries(narrow);
    return shadow_step(steps, SHADOW_STEPS_OF_A_TEXT * (pairs + 1)) &&
           label_selector_covers(wide, narrow);
}

/* Every TrainJob has at least one node; the gang of another job can have no pods. */
static bool
shadow_nodes_cover(const struct policy_match *wide, const struct policy_match *narrow)
{
    bool has_others = (narrow->kinds & JOB_KINDS_OTHERS) != 0;
    int64_t least = narrow->min_nodes.source ? narrow->min_nodes.value : has_others ? 0 : 1;
    int64_t most = narrow->max_nodes.source ? narrow->max_nodes.value
                   : has_others             ? INT64_MAX
                                            : INT32_MAX;

    return (!wide->min_nodes.source || wide->min_nodes.value <= least) &&
           (!wide->max_nodes.source || wide->max_nodes.value >= most);
}

bool
shadow_covers(const struct policy_match *wide, const struct policy_match *narrow, size_t *steps)
{
    if (!shadow_step(steps, SHADOW_STEPS_OF_A_PAIR) ||
        (wide->kueue != KUEUE_ANY && wide->kueue != narrow->kueue) ||
        (narrow->kinds & ~wide->kinds) || !shadow_nodes_cover(wide, narrow))
        return false;
    for (size_t i = 0; i < RULE_FIELD_COUNT; i++) {
        const void *a = rule_field_of(wide, i);
        const void *b = rule_field_of(narrow, i);
        const int type = (int)rule_fields[i].type;

        if ((type == RULE_GLOBS && !shadow_globs_cover(a, b, steps)) ||
            (type == RULE_LIST && !shadow_lists_cover(a, b, steps)) ||
            (type == RULE_LABELS && !shadow_selector_covers(a, b, steps)))
            return false;
    }
    return true;
}

static bool
shadow_is_dead(const struct policy_match *match, const struct policy_match *exclude, size_t *steps)
{
    return exclude->source && shadow_covers(exclude, match, steps);
}

/* ---- what most matches that do not cover another one differ in ---- */

/* One bit of 64. */
static uint64_t
shadow_bit(uint64_t field, struct slice key, struct slice value)
{
    uint64_t hash = fnv1a_add(fnv1a_add(FNV1A_START + field, key), value);

    return (uint64_t)1 << (hash & 63);
}

static uint64_t
shadow_bits_of_selector(uint64_t field, const struct label_selector *selector)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < selector->count; i++) {
        const struct label_requirement *label = &selector->requirements[i];

        bits |= shadow_bit(field, label->key, NO_SLICE);
        if (label->operator_ == LABEL_IN && label->count == 1)
            bits |= shadow_bit(field, label->key, label->values[0]);
    }
    return bits;
}

/*
 * A match covers only matches that have all of its bits: those of its label keys, and those of the
 * values of labels and lists with exactly one value.
 */
static uint64_t
shadow_bits_of(const struct policy_match *match)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < RULE_FIELD_COUNT; i++)
        if (rule_fields[i].type == RULE_LIST) {
            const struct rule_texts *list = rule_field_of(match, i);

            bits |= list->count == 1 ? shadow_bit(i, list->items[0], NO_SLICE) : 0;
        } else if (rule_fields[i].type == RULE_LABELS) {
            bits |= shadow_bits_of_selector(i, rule_field_of(match, i));
        }
    return bits;
}

static struct slice
shadow_first_text(const struct rule_texts *texts, struct slice otherwise)
{
    return texts->count ? texts->items[0] : otherwise;
}

/* A filter that excludes a job with these names and numbers does not cover the match either. */
static struct rule_keys
shadow_keys_of(const struct policy_match *match)
{
    struct rule_keys keys = {
        .nodes = match->min_nodes.source ? match->min_nodes.value : 1,
        .is_managed = match->kueue == KUEUE_MANAGED,
        .has_labels = match->trainjob_selector.count > 0 || match->object_selector.count > 0,
        .has_namespace = true,
        .kinds = match->kinds,
    };

    rule_keys_name(&keys, shadow_first_text(&match->namespaces, SLICE("*")),
                   shadow_first_text(&match->runtimes, SLICE("*")),
                   shadow_first_text(&match->frameworks, NO_SLICE));
    return keys;
}

/* ---- the search ---- */

/* Matches in their order. */
struct shadow_list {
    const struct rule_filter *filters;
    struct shadow_wide {
        const struct policy_match *match; /* NULL: covers nothing */
        const struct policy_match *exclude;
        uint64_t bits;
    } * items;
    size_t count;
};

/* The rule that is compared with a list. */
struct shadow_narrow {
    const struct policy_rule *rule;
    struct rule_keys keys;
    uint64_t bits;
};

/*
 * Whether this match and exclude cover every job of the rule. The rule must also exclude the jobs
 * that `exclude` excludes.
 */
static bool
shadow_takes_all(const struct shadow_wide *wide, const struct shadow_narrow *narrow, size_t *steps)
{
    const struct policy_rule *rule = narrow->rule;

    if (!wide->match || (wide->bits & ~narrow->bits) ||
        !shadow_covers(wide->match, &rule->match, steps))
        return false;
    return !wide->exclude->source ||
           (rule->exclude.source && shadow_covers(&rule->exclude, wide->exclude, steps));
}

/* Returns the index of the first that takes all jobs of the rule; the count if there is none. */
static size_t
shadow_next(const struct shadow_list *list, size_t from, const struct shadow_narrow *narrow,
            size_t *steps)
{
    while (from < list->count && *steps) {
        size_t next = from;

        while (next < list->count && (list->items[next].bits & ~narrow->bits))
            next++;
        next = rule_filters_next(list->filters, next, list->count, &narrow->keys);
        if (!shadow_step(steps, next - from + 1) || next == list->count)
            break;
        if (shadow_takes_all(&list->items[next], narrow, steps))
            return next;
        from = next + 1;
    }
    return list->count;
}

/* ---- settings that a constraint denies for every job ---- */

/* One rule, and a constraint that applies to all its jobs. */
struct shadow_pair {
    struct schema_reader *reader;
    const struct policy_rule *rule;
    const struct policy_constraint *constraint;
    size_t *steps;
};

static void
shadow_find_forbidden(const struct shadow_pair *pair, enum gang_code code,
                      const struct node *source, const char *what, const char *hint)
{
    find_note(pair->reader->report, source, code, hint,
              "no job gets %s of the rule %.*s: the constraint %.*s denies every such job", what,
              SLICE_ARG(pair->rule->name), SLICE_ARG(pair->constraint->name));
}

static bool
shadow_forbids_backend(const struct shadow_pair *pair)
{
    const struct policy_settings *settings = &pair->rule->settings;
    const struct rule_texts *allowed = &pair->constraint->allowed_backends;

    if (!settings->backend || !allowed->count || rule_texts_have(allowed, settings->backend->name))
        return false;
    shadow_find_forbidden(
        pair, GANG_CODE_BACKEND_FORBIDDEN, settings->backend_source,
        arena_format(pair->reader->arena, "the backend %.*s", SLICE_ARG(settings->backend->name)),
        "allow it in that constraint, or choose another backend");
    return true;
}

/* The jobs of a backend without queues name one only if the policy does. */
static bool
shadow_lacks_queue(const struct shadow_pair *pair)
{
    const struct policy_settings *settings = &pair->rule->settings;

    if (!settings->backend || settings->backend->descriptor->num_queue_sources ||
        !pair->constraint->require_queue_source || settings->queue.source ||
        policy_in(pair->reader)->defaults.queue.source)
        return false;
    shadow_find_forbidden(pair, GANG_CODE_BACKEND_FORBIDDEN, settings->backend_source,
                          arena_format(pair->reader->arena, "the backend %.*s without a queue",
                                       SLICE_ARG(settings->backend->name)),
                          "name a queue in the rule, or choose another backend");
    return true;
}

/* Returns a glob for every queue that the rule can choose. */
static struct slice
shadow_queue_glob(const struct shadow_pair *pair)
{
    const struct policy_queue *queue = &pair->rule->settings.queue;
    const struct rule_texts *namespaces = &pair->rule->match.namespaces;
    struct slice rest = SLICE("*");

    if (queue->choice == QUEUE_NAME)
        return queue->name;
    if (queue->choice == QUEUE_FROM_NAMESPACE && namespaces->count == 1)
        rest = namespaces->items[0];
    return ARENA_SLICE(pair->reader->arena, "%.*s%.*s", SLICE_ARG(queue->prefix), SLICE_ARG(rest));
}

static bool
shadow_allows_queue(const struct shadow_pair *pair, struct slice queue)
{
    const struct rule_texts *allowed = &pair->constraint->allowed_queues;

    for (size_t i = 0; i < allowed->count; i++)
        if (!shadow_step(pair->steps, 2 * (allowed->items[i].len + queue.len)) ||
            globs_meet(allowed->items[i], queue))
            return true;
    return !allowed->count;
}

static bool
shadow_forbids_queue(const struct shadow_pair *pair)
{
    const struct policy_queue *queue = &pair->rule->settings.queue;
    struct slice glob = queue->source ? shadow_queue_glob(pair) : NO_SLICE;

    if (!glob.len || shadow_allows_queue(pair, glob))
        return false;
    shadow_find_forbidden(pair, GANG_CODE_QUEUE_FORBIDDEN, queue->source,
                          arena_format(pair->reader->arena, "%s queue %.*s",
                                       queue->choice == QUEUE_NAME ? "the" : "a", SLICE_ARG(glob)),
                          "allow it in that constraint, or choose another queue");
    return true;
}

static bool
shadow_forbids_priority(const struct shadow_pair *pair)
{
    const struct policy_priority *priority = &pair->rule->settings.priority;
    const struct rule_texts *allowed = &pair->constraint->allowed_priority_class_names;

    if (!priority->source || !allowed->count || rule_texts_have(allowed, priority->name))
        return false;
    shadow_find_forbidden(
        pair, GANG_CODE_PRIORITY_FORBIDDEN, priority->source,
        arena_format(pair->reader->arena, "the priority class %.*s", SLICE_ARG(priority->name)),
        "allow it in that constraint, or choose another class");
    return true;
}

static bool (*const shadow_forbids[])(const struct shadow_pair *pair) = {
    shadow_forbids_backend, shadow_lacks_queue, shadow_forbids_queue, shadow_forbids_priority};

/*
 * With a compatibility, rules choose nothing. Constraints apply to gangs, so the type None is
 * always allowed.
 */
static bool
shadow_chooses(const struct gang_policy *policy, const struct policy_rule *rule)
{
    const struct policy_settings *settings = &rule->settings;

    if (policy->compatibility != COMPATIBILITY_NONE || rule->action != RULE_GANG ||
        (settings->backend && !settings->backend->descriptor))
        return false;
    return settings->backend || settings->queue.source || settings->priority.source;
}

/*
 * Adds the rule to the list of earlier rules, in which no rule is added if it is dead: it does not
 * shadow later rules.
 */
static void
shadow_check_rule(struct schema_reader *reader, const struct policy_rule *rule,
                  struct shadow_list *earlier, const struct shadow_list *constraints, size_t *steps)
{
    struct shadow_narrow narrow = {rule, shadow_keys_of(&rule->match),
                                   shadow_bits_of(&rule->match)};
    size_t index;

    /* a forgotten match and one that is meant for all jobs look alike */
    if (!rule->match.source)
        find_note(reader->report, rule->source, MESSAGE_RULE_WITHOUT_MATCH, SLICE_ARG(rule->name));
    if (shadow_is_dead(&rule->match, &rule->exclude, steps)) {
        find_note(reader->report, rule->source, MESSAGE_DEAD_RULE);
        earlier->items[earlier->count++] = (struct shadow_wide){0};
        return;
    }
    index = shadow_next(earlier, 0, &narrow, steps);
    if (index < earlier->count) {
        find_note(reader->report, rule->source, MESSAGE_SHADOWED_RULE, SLICE_ARG(rule->name),
                  SLICE_ARG(policy_in(reader)->rules[index].name));
    } else {
        bool is_found[COUNT_OF(shadow_forbids)] = {false};

        if (shadow_chooses(policy_in(reader), narrow.rule))
            for (size_t i = shadow_next(constraints, 0, &narrow, steps); i < constraints->count;
                 i = shadow_next(constraints, i + 1, &narrow, steps)) {
                const struct shadow_pair pair = {reader, narrow.rule,
                                                 &policy_in(reader)->constraints[i], steps};

                for (size_t k = 0; k < COUNT_OF(shadow_forbids); k++)
                    is_found[k] = is_found[k] || shadow_forbids[k](&pair);
            }
    }
    earlier->items[earlier->count++] =
        (struct shadow_wide){&rule->match, &rule->exclude, narrow.bits};
}

/* Returns the constraints; an empty list if there is no memory. */
static struct shadow_list
shadow_list_constraints(const struct gang_policy *policy, struct arena *arena)
{
    size_t count = policy->num_constraints;
    struct rule_filter *filters = arena_array(arena, count + 1, sizeof(*filters));
    struct shadow_wide *items = arena_array(arena, count + 1, sizeof(*items));

    if (!filters || !items)
        return (struct shadow_list){0};
    for (size_t i = 0; i < count; i++) {
        const struct policy_constraint *constraint = &policy->constraints[i];

        filters[i] = rule_filter_of(&constraint->match);
        /* A constraint that only warns allows every value. */
        if (constraint->enforcement == ENFORCEMENT_DENY &&
            (constraint->allowed_backends.count || constraint->allowed_queues.count ||
             constraint->allowed_priority_class_names.count || constraint->require_queue_source))
            items[i] = (struct shadow_wide){&constraint->match, &constraint->exclude,
                                            shadow_bits_of(&constraint->match)};
    }
    return (struct shadow_list){filters, items, count};
}

void
shadow_check(struct schema_reader *reader)
{
    const struct gang_policy *policy = policy_in(reader);
    struct shadow_list constraints;
    struct shadow_list earlier = {.filters = policy->filters};
    size_t steps = SHADOW_MOST_STEPS;

    if (report_has_errors(reader->report))
        return;
    constraints = shadow_list_constraints(policy, reader->arena);
    earlier.items = arena_array(reader->arena, policy->num_rules + 1, sizeof(*earlier.items));
    for (size_t i = 0; earlier.filters && earlier.items && i < policy->num_rules; i++)
        shadow_check_rule(reader, &policy->rules[i], &earlier, &constraints, &steps);
    for (size_t i = 0; i < policy->num_constraints; i++)
        if (shadow_is_dead(&policy->constraints[i].match, &policy->constraints[i].exclude, &steps))
            find_note(reader->report, policy->constraints[i].source, MESSAGE_DEAD_RULE);
    if (!steps)
        find_note(reader->report, node_at(policy->root, "spec.rules"), MESSAGE_RULES_NOT_COMPARED);
}
