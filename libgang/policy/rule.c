/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/rule.h"

#include "libgang/document/finding.h"
#include "libgang/policy/policy_reader.h"
#include "libgang/policy/policy_schema.h"

bool
rule_texts_match(const struct rule_texts *globs, struct slice name)
{
    for (size_t i = 0; i < globs->count; i++)
        if (glob_matches(globs->items[i], name))
            return true;
    return false;
}

bool
rule_texts_have(const struct rule_texts *texts, struct slice text)
{
    for (size_t i = 0; i < texts->count; i++)
        if (slice_equal(texts->items[i], text))
            return true;
    return false;
}

struct rule_texts
rule_read_texts(struct policy_reader *reader, const struct node *list)
{
    struct slice *items = arena_array(reader->arena, node_count(list), sizeof(*items));
    struct rule_texts texts = {.items = items};

    if (items)
        for (NODE_EACH(item, list))
            items[texts.count++] = node_string(item);
    return texts;
}

static struct rule_texts
rule_read_globs(struct policy_reader *reader, const struct node *list, enum glob_names names)
{
    for (NODE_EACH(item, list))
        glob_check(item, names, reader->report);
    return rule_read_texts(reader, list);
}

static struct rule_texts
rule_read_frameworks(struct policy_reader *reader, const struct node *list)
{
    struct name_problems problems;

    for (NODE_EACH(item, list)) {
        if (!node_string(item).len || name_check(NAME_LABEL_VALUE, node_string(item), &problems))
            continue;
        for (size_t i = 0; i < problems.count; i++)
            find_invalid(reader->report, GANG_CODE_INVALID_LABEL_VALUE, item, NULL, "%s", problems.text[i]);
    }
    return rule_read_texts(reader, list);
}

static struct rule_texts
rule_read_resources(struct policy_reader *reader, const struct node *list)
{
    for (NODE_EACH(item, list))
        policy_check_name(reader, item, NAME_QUALIFIED);
    return rule_read_texts(reader, list);
}

static void
rule_check_nodes(struct policy_reader *reader, const struct policy_match *match)
{
    const struct node *most = node_member(match->source, SLICE("maxNodes"));

    if (match->has_min_nodes && match->has_max_nodes && match->min_nodes > match->max_nodes)
        find_invalid(reader->report, GANG_CODE_EMPTY_RANGE, most, "nothing could ever match",
                     "must be greater than or equal to minNodes (%lld)", (long long)match->min_nodes);
}

/* The parts that no PodGang can meet: it has neither nodes nor a runtime. */
static const struct slice rule_parts_of_trainjobs[] = {
    SLICE_INIT("frameworks"), SLICE_INIT("maxNodes"),        SLICE_INIT("minNodes"),
    SLICE_INIT("runtimes"),   SLICE_INIT("runtimeSelector"), SLICE_INIT("trainJobSelector"),
};

static const struct node *
rule_part_of_trainjobs(const struct node *match)
{
    const struct node *part = NULL;

    for (size_t i = 0; !part && i < sizeof(rule_parts_of_trainjobs) / sizeof(rule_parts_of_trainjobs[0]); i++)
        part = node_member(match, rule_parts_of_trainjobs[i]);
    return part;
}

static void
rule_check_kinds(struct policy_reader *reader, const struct policy_match *match)
{
    if (match->is_of_trainjobs && match->podgang_selector.source)
        find_forbidden(reader->report, GANG_CODE_MATCH_OF_TWO_KINDS, rule_part_of_trainjobs(match->source),
                       "write a rule for each kind",
                       "may not be set together with podGangSelector: no PodGang has what it asks for");
}

struct policy_match
rule_read_match(struct policy_reader *reader, const struct node *source)
{
    const struct node *least = node_member(source, SLICE("minNodes"));
    const struct node *most = node_member(source, SLICE("maxNodes"));
    const struct node *kueue = node_member(source, SLICE("kueue"));
    struct policy_match match = {
        .source = source,
        .has_min_nodes = least != NULL,
        .has_max_nodes = most != NULL,
        .min_nodes = policy_number(least),
        .max_nodes = policy_number(most),
        .is_of_trainjobs = rule_part_of_trainjobs(source) != NULL,
        .kueue = kueue ? (enum rule_kueue)(1 + policy_choice(kueue, rule_kueue_names)) : KUEUE_ANY,
    };

    match.namespaces = rule_read_globs(reader, node_member(source, SLICE("namespaces")), GLOB_OF_LABELS);
    match.runtimes = rule_read_globs(reader, node_member(source, SLICE("runtimes")), GLOB_OF_SUBDOMAINS);
    match.namespace_selector =
        label_selector_read(node_member(source, SLICE("namespaceSelector")), reader->report);
    match.trainjob_selector =
        label_selector_read(node_member(source, SLICE("trainJobSelector")), reader->report);
    match.runtime_selector =
        label_selector_read(node_member(source, SLICE("runtimeSelector")), reader->report);
    match.podgang_selector =
        label_selector_read(node_member(source, SLICE("podGangSelector")), reader->report);
    match.frameworks = rule_read_frameworks(reader, node_member(source, SLICE("frameworks")));
    match.resources = rule_read_resources(reader, node_member(source, SLICE("resources")));
    rule_check_nodes(reader, &match);
    rule_check_kinds(reader, &match);
    return match;
}

static size_t
rule_count_entries(const struct policy_match *match)
{
    return match->namespaces.count + match->runtimes.count + match->frameworks.count +
           match->resources.count + label_selector_entries(&match->namespace_selector) +
           label_selector_entries(&match->trainjob_selector) +
           label_selector_entries(&match->runtime_selector) +
           label_selector_entries(&match->podgang_selector);
}

void
rule_check_entries(struct policy_reader *reader, const struct node *source, const struct policy_match *match,
                   const struct policy_match *exclude)
{
    size_t entries = rule_count_entries(match) + rule_count_entries(exclude);

    if (entries > POLICY_MOST_SELECTORS)
        find_note(reader->report, GANG_CODE_LIMIT_SELECTORS, source,
                  "split the rule, or select by the labels of namespaces",
                  "Too many: %zu: match and exclude must have at most %d entries together", entries,
                  POLICY_MOST_SELECTORS);
}

/* What makes a gang has no message, what makes none has no settings: neither would ever act. */
static void
rule_check_action(struct policy_reader *reader, const struct policy_rule *rule)
{
    const struct node *message = node_member(rule->source, SLICE("message"));
    const struct node *setting = settings_first_field(rule->source);

    if (rule->action == RULE_GANG) {
        if (message)
            find_forbidden(reader->report, GANG_CODE_SETTING_NEVER_ACTS, message,
                           "remove it, or write the action that it explains",
                           "may only be set when `action` is Skip or Deny");
    } else if (setting) {
        find_forbidden(reader->report, GANG_CODE_SETTING_NEVER_ACTS, setting, "remove it, or the action",
                       "may not be set when `action` is %s: there is no gang",
                       rule_action_names[rule->action]);
    }
}

struct policy_rule
rule_read(struct policy_reader *reader, const struct node *source)
{
    struct policy_rule rule = {
        .name = node_string(node_member(source, SLICE("name"))),
        .action = (enum rule_action)policy_choice(node_member(source, SLICE("action")), rule_action_names),
        .message = node_string(node_member(source, SLICE("message"))),
        .source = source,
    };

    policy_check_name(reader, node_member(source, SLICE("name")), NAME_DNS1123_SUBDOMAIN);
    rule.match = rule_read_match(reader, node_member(source, SLICE("match")));
    rule.exclude = rule_read_match(reader, node_member(source, SLICE("exclude")));
    rule.settings = settings_read(reader, source);
    rule.is_strict = settings_are_strict(&rule.settings);
    rule_check_entries(reader, source, &rule.match, &rule.exclude);
    rule_check_action(reader, &rule);
    return rule;
}
