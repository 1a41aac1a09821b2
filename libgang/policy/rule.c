/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

/* ---- lists ---- */

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
    return slice_is_among(text, texts->items, texts->count);
}

struct rule_texts
rule_texts_of(const struct node *list, struct arena *arena)
{
    struct slice *items = arena_array(arena, node_count(list), sizeof(*items));
    struct rule_texts texts = {.items = items};

    if (items)
        for (NODE_EACH(item, list))
            items[texts.count++] = node_string(item);
    return texts;
}

/* Reports globs that can never match a name with these characters beside letters and digits. */
static void
rule_read_globs(const struct node *list, const char *characters, const char *written,
                struct rule_texts *out, struct schema_reader *reader)
{
    for (NODE_EACH(item, list)) {
        struct slice text = node_string(item);
        size_t i = 0;

        while (i < text.len && ((text.data[i] >= 'a' && text.data[i] <= 'z') ||
                                (text.data[i] >= '0' && text.data[i] <= '9') ||
                                (text.data[i] && strchr(characters, text.data[i]))))
            i++;
        if (i < text.len)
            find_invalid(reader->report, item, MESSAGE_GLOB_SYNTAX, written);
    }
    *out = rule_texts_of(list, reader->arena);
}

SCHEMA_READ(rule_read_label_globs)
{
    rule_read_globs(source, "-*", "'-' or '*'", value, reader);
}

SCHEMA_READ(rule_read_subdomain_globs)
{
    rule_read_globs(source, "-.*", "'-', '.' or '*'", value, reader);
}

static void
rule_read_names(const struct node *list, enum name_rule rule, enum gang_code code,
                struct rule_texts *out, struct schema_reader *reader)
{
    for (NODE_EACH(item, list)) {
        struct slice name = node_string(item);
        /* other lists of a policy take patterns */
        bool has_star = slice_find(name, '*') < name.len;

        name_check_node(item, rule, code,
                        has_star ? "write the whole name: this field takes no patterns" : NULL,
                        reader->report);
    }
    *out = rule_texts_of(list, reader->arena);
}

SCHEMA_READ(rule_read_label_values)
{
    rule_read_names(source, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE, value, reader);
}

SCHEMA_READ(rule_read_resource_names)
{
    rule_read_names(source, NAME_QUALIFIED, GANG_CODE_INVALID_NAME, value, reader);
}

SCHEMA_READ(rule_read_class_names)
{
    rule_read_names(source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, value, reader);
}

SCHEMA_READ(rule_read_backends)
{
    const struct policy_backend *backend;

    for (NODE_EACH(item, source))
        policy_read_backend(schema, item, &backend, reader);
    *(struct rule_texts *)value = rule_texts_of(source, reader->arena);
}

/* The first word is that of KUEUE_MANAGED; an unknown one, which was reported, reads as it. */
SCHEMA_READ(rule_read_kueue)
{
    *(enum rule_kueue *)value =
        (enum rule_kueue)(KUEUE_MANAGED + schema_word(schema->enumeration, source));
}

/* ---- settings ---- */

/* In the order of enum queue_choice, starting after QUEUE_UNSET. */
static const struct slice settings_queue_sources[] = {
    SLICE_INIT("name"), SLICE_INIT("fromNamespace"), SLICE_INIT("fromLabel"),
    SLICE_INIT("fromNamespaceLabel")};

SCHEMA_READ(queue_read)
{
    struct policy_queue *queue = value;
    const struct node *of = NULL;
    const char *example;
    enum queue_choice choice = QUEUE_UNSET;

    schema_read(schema, source, value, reader);
    for (size_t i = 0; i < COUNT_OF(settings_queue_sources); i++) {
        const struct node *member = node_member(source, settings_queue_sources[i]);

        if (member && choice)
            find_forbidden(reader->report, member, MESSAGE_SEVERAL_QUEUE_SOURCES,
                           SLICE_ARG(settings_queue_sources[choice - 1]));
        else if (member)
            choice = (enum queue_choice)(i + 1);
    }
    if (!choice && node_is(source, NODE_MAP))
        find_required(reader->report, source, SLICE("name"), MESSAGE_REQUIRED_FIELD_QUEUE);
    queue->choice = choice;
    if (queue->choice != QUEUE_UNSET && queue->choice != QUEUE_NAME)
        of = node_member(source, settings_queue_sources[queue->choice - 1]);
    queue->key = node_string(node_member(of, SLICE("key")));
    queue->prefix = node_string(node_member(of, SLICE("prefix")));
    name_check_node(node_member(of, SLICE("key")), NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY,
                    NULL, reader->report);
    if (!queue->prefix.len)
        return;
    /* The prefix must be a valid start of an object's name. */
    example = arena_format(reader->arena, "%.*sx", SLICE_ARG(queue->prefix));
    name_check_made(slice_from_text(example), NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME,
                    node_member(of, SLICE("prefix")), "the queue's name starts with it",
                    reader->report);
}

SCHEMA_READ(topology_read)
{
    struct policy_topology *topology = value;
    const struct node *mode = node_member(source, SLICE("mode"));
    const struct node *level = node_member(source, SLICE("level"));

    /* the default of the runtime's API */
    topology->mode = mode ? node_string(mode) : SLICE("hard");
    topology->level = node_text(level);
    name_check_node(level, NAME_QUALIFIED, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

/* Queue and priority inherit the override of the block. */
static void
settings_complete(struct policy_settings *settings, struct schema_reader *reader)
{
    if (!settings->queue.override_source)
        settings->queue.override = settings->override;
    if (!settings->priority.override_source)
        settings->priority.override = settings->override;
    if (settings->override_source && !settings->backend_source && !settings->queue.source &&
        !settings->priority.source && !settings->timeout_source && !settings->members_source &&
        !settings->topology.source)
        find_note(reader->report, settings->override_source, MESSAGE_IDLE_SETTING_BLOCK);
}

/* The defaults are what a rule has of settings. */
SCHEMA_READ(settings_read_defaults)
{
    struct policy_rule rule = {.source = source};

    schema_read(schema, source, &rule, reader);
    settings_complete(&rule.settings, reader);
    *(struct policy_settings *)value = rule.settings;
}

/* ---- the kinds of job that can match ---- */

#define RULE_FIELD(name, type, member)                                                             \
    SLICE_INIT(name), type, offsetof(struct policy_match, member),                                 \
        sizeof(((struct policy_match *)0)->member)
#define RULE_OF_ALL JOB_KINDS_ALL, JOB_KINDS_ALL
#define RULE_OF_TRAINER JOB_KINDS_TRAINER, JOB_KINDS_TRAINER
#define RULE_OF_PODS ~JOB_KINDS_GROVE, JOB_KINDS_TRAINER

const struct rule_field rule_fields[RULE_FIELD_COUNT] = {
    [RULE_KINDS] = {RULE_FIELD("kinds", RULE_VALUE, kinds), RULE_OF_ALL},
    [RULE_KUEUE] = {RULE_FIELD("kueue", RULE_VALUE, kueue), RULE_OF_ALL},
    [RULE_FRAMEWORKS] = {RULE_FIELD("frameworks", RULE_LIST, frameworks), RULE_OF_TRAINER},
    [RULE_MAX_NODES] = {RULE_FIELD("maxNodes", RULE_VALUE, max_nodes), RULE_OF_PODS},
    [RULE_MIN_NODES] = {RULE_FIELD("minNodes", RULE_VALUE, min_nodes), RULE_OF_PODS},
    [RULE_NAMESPACES] = {RULE_FIELD("namespaces", RULE_GLOBS, namespaces), RULE_OF_ALL},
    [RULE_RUNTIMES] = {RULE_FIELD("runtimes", RULE_GLOBS, runtimes), RULE_OF_TRAINER},
    [RULE_RESOURCES] = {RULE_FIELD("resources", RULE_LIST, resources), RULE_OF_ALL},
    [RULE_NAMESPACE_SELECTOR] = {RULE_FIELD("namespaceSelector", RULE_LABELS, namespace_selector),
                                 RULE_OF_ALL},
    [RULE_OBJECT_SELECTOR] = {RULE_FIELD("objectSelector", RULE_LABELS, object_selector),
                              RULE_OF_ALL},
    [RULE_RUNTIME_SELECTOR] = {RULE_FIELD("runtimeSelector", RULE_LABELS, runtime_selector),
                               RULE_OF_TRAINER},
    [RULE_TRAINJOB_SELECTOR] = {RULE_FIELD("trainJobSelector", RULE_LABELS, trainjob_selector),
                                RULE_OF_TRAINER},
    [RULE_PODGANG_SELECTOR] = {RULE_FIELD("podGangSelector", RULE_LABELS, podgang_selector),
                               JOB_KINDS_GROVE, JOB_KINDS_GROVE},
};

/* Reports kinds that no front end reads, and those that another field excludes. */
static void
rule_check_kinds(struct schema_reader *reader, const struct node *match)
{
    const struct node *list = node_member(match, SLICE("kinds"));
    struct slice supported[JOB_NAME_COUNT];

    for (size_t i = 0; i < JOB_NAME_COUNT; i++)
        supported[i] = job_names[i].kind;
    for (NODE_EACH(item, list)) {
        const job_kind_set kinds = job_names_selected(node_string(item));

        if (!kinds && node_string(item).len)
            find_unsupported(
                reader->report, item, GANG_CODE_UNSUPPORTED_VALUE,
                schema_did_you_mean(reader->arena,
                                    schema_nearest_word(job_name_words, node_string(item))),
                supported, COUNT_OF(supported));
        if (kinds == JOB_KINDS_ALL && node_count(list) > 1)
            find_forbidden(reader->report, item, MESSAGE_SETTING_WITHOUT_EFFECT_KINDS);
        /* a kind that no job of the match can have, because another field is set */
        for (size_t i = 0; kinds && i < RULE_FIELD_COUNT; i++) {
            if ((kinds & rule_fields[i].kinds) || !node_member(match, rule_fields[i].name))
                continue;
            find_forbidden(reader->report, item, MESSAGE_MATCH_OF_TWO_KINDS_PROPERTY,
                           SLICE_ARG(rule_fields[i].name), SLICE_ARG(node_string(item)));
            break;
        }
    }
}

static job_kind_set
rule_kinds_of_field(const struct rule_field *field, bool has_kinds)
{
    return has_kinds ? field->kinds : field->without_kinds;
}

static job_kind_set
rule_kinds_of_list(const struct node *list)
{
    job_kind_set kinds = 0;

    for (NODE_EACH(item, list))
        kinds |= job_names_selected(node_string(item));
    return kinds;
}

const struct node *
rule_field_against(const struct policy_match *match, job_kind_set kinds)
{
    const struct node *list = node_member(match->source, SLICE("kinds"));

    if (list && !(rule_kinds_of_list(list) & kinds))
        return list;
    for (size_t i = 0; i < RULE_FIELD_COUNT; i++) {
        const struct node *field = node_member(match->source, rule_fields[i].name);

        if (field && !(rule_kinds_of_field(&rule_fields[i], list != NULL) & kinds))
            return field;
    }
    return match->source;
}

SCHEMA_READ(rule_read_match)
{
    struct policy_match *match = value;
    const struct node *kinds = node_member(source, SLICE("kinds"));

    schema_read(schema, source, match, reader);
    match->source = source;
    match->kinds = kinds ? rule_kinds_of_list(kinds) : JOB_KINDS_ALL;
    for (size_t i = 0; i < RULE_FIELD_COUNT; i++)
        if (node_member(source, rule_fields[i].name))
            match->kinds &= rule_kinds_of_field(&rule_fields[i], kinds != NULL);
    rule_check_kinds(reader, source);
    if (match->min_nodes.source && match->max_nodes.source &&
        match->min_nodes.value > match->max_nodes.value)
        find_invalid(reader->report, match->max_nodes.source, MESSAGE_EMPTY_RANGE_NODES,
                     (long long)match->min_nodes.value, (long long)match->min_nodes.value,
                     (long long)match->max_nodes.value);
    /* Reports the first field that no PodGang has beside podGangSelector. */
    for (size_t i = 0; match->podgang_selector.source && i < RULE_FIELD_COUNT; i++) {
        const struct node *field = node_member(source, rule_fields[i].name);

        if (!field || (rule_fields[i].without_kinds & JOB_KINDS_GROVE))
            continue;
        find_forbidden(reader->report, field, MESSAGE_MATCH_OF_TWO_KINDS_PODGANG);
        break;
    }
}

static size_t
rule_count_entries(const struct policy_match *match)
{
    size_t entries = node_count(node_member(match->source, SLICE("kinds")));

    for (size_t i = 0; i < RULE_FIELD_COUNT; i++)
        if (rule_fields[i].type == RULE_LABELS)
            entries += label_selector_entries(rule_field_of(match, i));
        else if (rule_fields[i].type != RULE_VALUE)
            entries += ((const struct rule_texts *)rule_field_of(match, i))->count;
    return entries;
}

/* Reports a match and an exclude with more entries than a rule may have. */
static void
rule_check_entries(const struct node *source, const struct policy_match *match,
                   const struct policy_match *exclude, struct report *report)
{
    size_t entries = rule_count_entries(match) + rule_count_entries(exclude);

    if (entries > POLICY_MOST_SELECTORS)
        find_note(report, source, MESSAGE_LIMIT_SELECTORS, entries, POLICY_MOST_SELECTORS);
}

SCHEMA_READ(rule_read)
{
    struct policy_rule *rule = value;
    struct policy_settings *settings = &rule->settings;
    const struct node *message = node_member(source, SLICE("message"));
    const struct node *setting = NULL; /* the first one */
    const struct node *action = node_member(source, SLICE("action"));

    for (NODE_EACH(member, source))
        if (!setting && !node_is_absent(member) && policy_find_setting(node_key(member)))
            setting = member;
    rule->match.kinds = rule->exclude.kinds = JOB_KINDS_ALL;
    schema_read(schema, source, rule, reader);
    rule->source = source;
    settings_complete(settings, reader);
    rule->is_strict = settings->override == OVERRIDE_ALWAYS ||
                      settings->queue.override == OVERRIDE_ALWAYS ||
                      settings->priority.override == OVERRIDE_ALWAYS;
    rule_check_entries(source, &rule->match, &rule->exclude, reader->report);
    /*
     * A rule with a gang must have no message, and a rule without a gang must have no settings:
     * they would have no effect.
     */
    if (action &&
        !slice_equal(node_string(action), slice_from_text(rule_action_names[rule->action])))
        return; /* misspelled: what belongs to it is not known */
    if (rule->action == RULE_GANG && message)
        find_forbidden(reader->report, message, MESSAGE_SETTING_WITHOUT_EFFECT_GANG);
    else if (rule->action != RULE_GANG && setting)
        find_forbidden(reader->report, setting, MESSAGE_SETTING_WITHOUT_EFFECT_NO_GANG,
                       rule_action_names[rule->action]);
}

/* ---- constraints ---- */

/* The fields of a constraint that check something. */
static const struct slice constraint_checks[] = {
    SLICE_INIT("allowedBackends"),
    SLICE_INIT("allowedQueues"),
    SLICE_INIT("allowedPriorityClassNames"),
    SLICE_INIT("maxMembers"),
    SLICE_INIT("minTimeoutSeconds"),
    SLICE_INIT("maxTimeoutSeconds"),
    SLICE_INIT("mustFit"),
    SLICE_INIT("reservedKeys"),
};

static bool
constraint_checks_something(const struct policy_constraint *constraint)
{
    const struct node *required = node_member(constraint->source, SLICE("requireQueue"));

    for (size_t i = 0; i < COUNT_OF(constraint_checks); i++)
        if (node_member(constraint->source, constraint_checks[i]))
            return true;
    return required && (!node_is(required, NODE_BOOL) || node_is_true(required));
}

/* Constraints apply to gangs, and backends of type None have no gangs. */
static bool
constraint_allows_a_gang(const struct gang_policy *policy, const struct rule_texts *allowed)
{
    for (size_t i = 0; i < policy->num_backends; i++)
        if (policy->backends[i].descriptor && rule_texts_have(allowed, policy->backends[i].name))
            return true;
    return allowed->count == 0;
}

SCHEMA_READ(constraint_read)
{
    struct policy_constraint *constraint = value;

    constraint->match.kinds = constraint->exclude.kinds = JOB_KINDS_ALL;
    schema_read(schema, source, constraint, reader);
    constraint->source = source;
    if (!node_is_true(constraint->require_queue_source))
        constraint->require_queue_source = NULL;
    rule_check_entries(source, &constraint->match, &constraint->exclude, reader->report);
    /* after an error, such as a misspelled check, it may be that check which is missing */
    if (!constraint_checks_something(constraint) && !report_has_errors(reader->report))
        find_note(reader->report, constraint->source, MESSAGE_IDLE_SETTING_CONSTRAINT,
                  SLICE_ARG(constraint->name));
    if (!constraint_allows_a_gang(policy_in(reader), &constraint->allowed_backends))
        find_note(reader->report, node_member(constraint->source, SLICE("allowedBackends")),
                  MESSAGE_UNSATISFIABLE_CONSTRAINT);
    if (constraint->min_timeout_source && constraint->max_timeout_source &&
        constraint->min_timeout_seconds > constraint->max_timeout_seconds)
        find_invalid(reader->report, constraint->max_timeout_source, MESSAGE_EMPTY_RANGE_TIMEOUT,
                     (long long)constraint->min_timeout_seconds);
}
