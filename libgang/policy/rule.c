/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/rule.h"

#include "libgang/policy/policy.h"
#include "libgang/policy/policy_schema.h"

/* ---- rule schema ---- */

static const char *const rule_action_names[] = {"Gang", "Skip", "Deny", NULL};
/* in the order of the enum, starting after KUEUE_ANY */
static const char *const rule_kueue_names[] = {"Managed", "Unmanaged", NULL};
const char *const enforcement_names[] = {"Deny", "Warn", NULL};

/* ---- match ---- */

static const struct schema policy_namespace_glob = {
    POLICY_TEXT, .max_length = GLOB_LONGEST, .limit_code = GANG_CODE_LIMIT_GLOB,
    .pattern = "^[-a-z0-9*]+$", .description = "A name pattern; `*` matches any text."};
static const struct schema policy_subdomain_glob = {
    POLICY_TEXT, .max_length = GLOB_LONGEST, .limit_code = GANG_CODE_LIMIT_GLOB,
    .pattern = "^[-.a-z0-9*]+$", .description = "A name pattern; `*` matches any text."};
static const struct schema policy_kind_name = {
    POLICY_TEXT, .words = job_name_words,
    .description = "`Kind`, `Kind.group` with the API group, or `*` for every kind."};
static const struct schema policy_match_kinds = {
    POLICY_SET_OF(policy_kind_name), .empty = "omit the field to match jobs of every kind",
    .description =
        "The kind of the job is one of these: `RayJob`, or `RayJob.ray.io` with the API group; "
        "`*` is every kind. A GangJob is also of the kind of its owner."};
static const struct schema policy_match_object_selector = {
    POLICY_SELECTOR, .description = "Selects jobs of every kind by their labels."};
static const struct schema policy_match_namespaces = {
    POLICY_SET_OF(policy_namespace_glob), .empty = "omit the field to match every namespace",
    .description = "The namespace of the job matches one of these patterns; `*` matches any text."};
static const struct schema policy_match_runtimes = {
    POLICY_SET_OF(policy_subdomain_glob), .empty = "omit the field to match every runtime",
    .description =
        "The name of the job's runtime matches one of these patterns; `*` matches any text."};
static const struct schema policy_match_namespace_selector = {
    POLICY_SELECTOR,
    .description =
        "Selects by the labels of the namespace. The cluster facts contain these labels."};
static const struct schema policy_match_trainjob_selector = {
    POLICY_SELECTOR, .description = "Selects TrainJobs by their labels, and no other kind of job; "
                                    "`{}` selects every TrainJob."};
static const struct schema policy_match_runtime_selector = {
    POLICY_SELECTOR, .description = "Selects by the labels of the runtime."};
static const struct schema policy_match_podgang_selector = {
    POLICY_SELECTOR, .description = "Selects PodGangs of Grove by their labels, and no other kind "
                                    "of job; `{}` selects every PodGang."};
static const struct schema policy_framework_name = {
    POLICY_TEXT, .description = "A value of the label `trainer.kubeflow.org/framework`."};
static const struct schema policy_match_frameworks = {
    POLICY_SET_OF(policy_framework_name), .empty = "omit the field to match every framework",
    .description = "The runtime's label `trainer.kubeflow.org/framework` has one of these values."};
static const struct schema policy_match_min_nodes = {
    POLICY_COUNT, .description =
                      "The TrainJob requests at least this number of nodes. Jobs of other kinds "
                      "match only if `kinds` names them, by the number of pods in the gang."};
static const struct schema policy_match_max_nodes = {
    POLICY_COUNT, .description =
                      "The TrainJob requests at most this number of nodes. Jobs of other kinds "
                      "match only if `kinds` names them, by the number of pods in the gang."};
static const struct schema policy_resource_name = {
    POLICY_TEXT, .description = "Name of a resource, such as `nvidia.com/gpu`."};
static const struct schema policy_match_resources = {
    POLICY_SET_OF(policy_resource_name), .empty = "omit the field to match whatever is requested",
    .description = "The job requests one of these resources."};
static const struct schema policy_match_kueue = {
    POLICY_WORD(rule_kueue_names), .description =
                                       "Whether Kueue manages the job: `Managed` if the label "
                                       "`kueue.x-k8s.io/queue-name` of the job is not empty, or "
                                       "if `spec.runtimePatches` of the TrainJob has the entry "
                                       "of Kueue, `kueue.x-k8s.io/manager`."};
static const struct schema_field policy_match_fields[] = {
    {SLICE_INIT("frameworks"), &policy_match_frameworks, false},
    {SLICE_INIT("kinds"), &policy_match_kinds, false},
    {SLICE_INIT("kueue"), &policy_match_kueue, false},
    {SLICE_INIT("maxNodes"), &policy_match_max_nodes, false},
    {SLICE_INIT("minNodes"), &policy_match_min_nodes, false},
    {SLICE_INIT("namespaceSelector"), &policy_match_namespace_selector, false},
    {SLICE_INIT("namespaces"), &policy_match_namespaces, false},
    {SLICE_INIT("objectSelector"), &policy_match_object_selector, false},
    {SLICE_INIT("podGangSelector"), &policy_match_podgang_selector, false},
    {SLICE_INIT("resources"), &policy_match_resources, false},
    {SLICE_INIT("runtimeSelector"), &policy_match_runtime_selector, false},
    {SLICE_INIT("runtimes"), &policy_match_runtimes, false},
    {SLICE_INIT("trainJobSelector"), &policy_match_trainjob_selector, false},
};
static const struct schema policy_rule_match = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_match_fields),
    .description = "Selects jobs that satisfy every given field. `{}` selects all jobs.",
};
static const struct schema policy_rule_exclude = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_match_fields),
    .description = "Excludes jobs that satisfy every given field, although they match.",
};

/* ---- rules ---- */

static const struct schema policy_rule_name = {
    POLICY_NAME,
    .description = "Unique name of the rule. Messages use this name.",
};
static const struct schema policy_rule_action = {
    POLICY_WORD(rule_action_names),
    .default_text = "\"Gang\"",
    .description =
        "`Gang`: apply the settings of the rule; `Skip`: the job gets no gang and does not "
        "change; `Deny`: refuse the job.",
};
static const struct schema policy_rule_message = {
    POLICY_TEXT, .max_length = POLICY_LONGEST_MESSAGE,
    .description =
        "Message for the user whose job is skipped or refused; only for `Skip` and `Deny`."};
static const struct schema_field policy_rule_fields[] = {
    {SLICE_INIT("action"), &policy_rule_action, false},
    {SLICE_INIT("backend"), &policy_settings_backend, false},
    {SLICE_INIT("exclude"), &policy_rule_exclude, false},
    {SLICE_INIT("match"), &policy_rule_match, false},
    {SLICE_INIT("members"), &policy_settings_members, false},
    {SLICE_INIT("message"), &policy_rule_message, false},
    {SLICE_INIT("name"), &policy_rule_name, true},
    {SLICE_INIT("override"), &policy_settings_override, false},
    {SLICE_INIT("priorityClassName"), &policy_settings_priority, false},
    {SLICE_INIT("queue"), &policy_settings_queue, false},
    {SLICE_INIT("reserve"), &policy_settings_reserve, false},
    {SLICE_INIT("resources"), &policy_settings_resources, false},
    {SLICE_INIT("scheduleTimeoutSeconds"), &policy_settings_timeout, false},
    {SLICE_INIT("topology"), &policy_settings_topology, false},
};
static const struct schema policy_rule = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_rule_fields),
    .description = "Settings for the jobs that match.",
    .form = "{name: NAME, match: {}, backend: BACKEND}",
};
const struct schema policy_rules_schema = {
    .type = SCHEMA_LIST,
    .values = &policy_rule,
    .keys = policy_item_keys,
    .max_length = POLICY_MOST_RULES,
    .limit_code = GANG_CODE_LIMIT_RULES,
    .description =
        "Ordered rules. The first rule that matches a job decides; later rules are ignored.",
};

/* ---- constraints ---- */

static const struct schema policy_constraint_name = {
    POLICY_NAME, .description = "Unique name of the constraint. Messages use this name."};
static const struct schema policy_constraint_backend = {
    POLICY_TEXT,
    .description = "Name of an enabled backend.",
};
static const struct schema policy_constraint_backends = {
    POLICY_SET_OF(policy_constraint_backend),
    .empty = "omit the field to allow every backend",
    .description = "The allowed backends.",
};
static const struct schema policy_constraint_queues = {
    POLICY_SET_OF(policy_subdomain_glob),
    .empty = "omit the field to allow every queue",
    .description = "The allowed queues, for gangs with a queue; `*` matches any text.",
};
static const struct schema policy_constraint_priority = {
    POLICY_NAME,
    .description = "Name of a PriorityClass.",
};
static const struct schema policy_constraint_priorities = {
    POLICY_SET_OF(policy_constraint_priority),
    .empty = "omit the field to allow every priority class",
    .description = "The allowed priority classes, for pods with a priority class."};
static const struct schema policy_constraint_max_members = {
    POLICY_COUNT, .description = "Maximum number of members of the gang."};
static const struct schema policy_constraint_min_timeout = {
    POLICY_COUNT, .description = "Minimum schedule timeout in seconds."};
static const struct schema policy_constraint_max_timeout = {
    POLICY_COUNT, .description = "Maximum schedule timeout in seconds."};
static const struct schema policy_constraint_require_queue = {
    .type = SCHEMA_BOOLEAN,
    .default_text = "false",
    .description = "`true`: refuse a gang without a queue."};
static const struct schema policy_constraint_reserved_keys = {
    POLICY_WORD(enforcement_names),
    .description =
        "How to handle a job whose own labels, annotations or pod fields claim membership in a "
        "gang. `Deny`: refuse the job, which is also the behaviour without any constraint; "
        "`Warn`: accept the job with a warning.",
};
static const struct schema policy_constraint_enforcement = {
    POLICY_WORD(enforcement_names), .default_text = "\"Deny\"",
    .description =
        "`Deny`: refuse a job that breaks the constraint; `Warn`: report it as a warning."};
static const struct schema_field policy_constraint_fields[] = {
    {SLICE_INIT("allowedBackends"), &policy_constraint_backends, false},
    {SLICE_INIT("allowedPriorityClassNames"), &policy_constraint_priorities, false},
    {SLICE_INIT("allowedQueues"), &policy_constraint_queues, false},
    {SLICE_INIT("enforcement"), &policy_constraint_enforcement, false},
    {SLICE_INIT("exclude"), &policy_rule_exclude, false},
    {SLICE_INIT("match"), &policy_rule_match, false},
    {SLICE_INIT("maxMembers"), &policy_constraint_max_members, false},
    {SLICE_INIT("maxTimeoutSeconds"), &policy_constraint_max_timeout, false},
    {SLICE_INIT("minTimeoutSeconds"), &policy_constraint_min_timeout, false},
    {SLICE_INIT("name"), &policy_constraint_name, true},
    {SLICE_INIT("requireQueue"), &policy_constraint_require_queue, false},
    {SLICE_INIT("reservedKeys"), &policy_constraint_reserved_keys, false},
};
static const struct schema policy_constraint = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_constraint_fields),
    .description = "A check for the gangs of the jobs that match.",
    .form = "{name: NAME, match: {}, allowedBackends: [BACKEND]}",
};
const struct schema policy_constraints_schema = {
    .type = SCHEMA_LIST,
    .values = &policy_constraint,
    .keys = policy_item_keys,
    .max_length = POLICY_MOST_RULES,
    .limit_code = GANG_CODE_LIMIT_RULES,
    .description =
        "Checks. After all choices are made, libgang checks every constraint that matches. "
        "Constraints never choose a value.",
};

/* ---- rule ---- */

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

struct rule_texts
rule_read_globs(struct policy_reader *reader, const struct node *list, enum glob_names names)
{
    for (NODE_EACH(item, list))
        glob_check(item, names, reader->report);
    return rule_read_texts(reader, list);
}

/* Other lists of a policy take patterns. */
static const char *
rule_name_hint(const struct node *item)
{
    struct slice name = node_string(item);

    return name.len && memchr(name.data, '*', name.len)
               ? "write the whole name: this field takes no patterns"
               : NULL;
}

struct rule_texts
rule_read_names(struct policy_reader *reader, const struct node *list, enum name_rule rule,
                enum gang_code code)
{
    for (NODE_EACH(item, list))
        name_check_node(item, rule, code, rule_name_hint(item), reader->report);
    return rule_read_texts(reader, list);
}

static void
rule_check_nodes(struct policy_reader *reader, const struct policy_match *match)
{
    const struct node *most = node_member(match->source, SLICE("maxNodes"));

    if (match->has_min_nodes && match->has_max_nodes && match->min_nodes > match->max_nodes)
        find_invalid(reader->report, GANG_CODE_EMPTY_RANGE, most,
                     arena_format(reader->report->arena,
                                  "raise maxNodes to %lld, or lower minNodes to %lld: no job has a "
                                  "number of nodes that matches both",
                                  (long long)match->min_nodes, (long long)match->max_nodes),
                     "must be greater than or equal to minNodes (%lld)",
                     (long long)match->min_nodes);
}

/* ---- the kinds of job that can match ---- */

/* The fields that only jobs of some kinds have, and those that match without the field `kinds`. */
static const struct rule_part {
    struct slice field;
    job_kind_set kinds;
    job_kind_set without_kinds;
} rule_parts[] = {
    {SLICE_INIT("frameworks"), JOB_KINDS_TRAINER, JOB_KINDS_TRAINER},
    {SLICE_INIT("maxNodes"), ~JOB_KINDS_GROVE, JOB_KINDS_TRAINER},
    {SLICE_INIT("minNodes"), ~JOB_KINDS_GROVE, JOB_KINDS_TRAINER},
    {SLICE_INIT("runtimes"), JOB_KINDS_TRAINER, JOB_KINDS_TRAINER},
    {SLICE_INIT("runtimeSelector"), JOB_KINDS_TRAINER, JOB_KINDS_TRAINER},
    {SLICE_INIT("trainJobSelector"), JOB_KINDS_TRAINER, JOB_KINDS_TRAINER},
    {SLICE_INIT("podGangSelector"), JOB_KINDS_GROVE, JOB_KINDS_GROVE},
};

static void
rule_find_other_kind(struct policy_reader *reader, const struct node *item)
{
    struct slice supported[JOB_NAME_COUNT];

    for (size_t i = 0; i < JOB_NAME_COUNT; i++)
        supported[i] = job_names[i].kind;
    find_unsupported(reader->report, GANG_CODE_UNSUPPORTED_VALUE, item,
                     schema_did_you_mean(reader->report->arena,
                                         schema_nearest_word(job_name_words, node_string(item))),
                     supported, COUNT_OF(supported));
}

/* Reports a kind that no job of the match can have, because another field is set. */
static void
rule_check_kind(struct policy_reader *reader, const struct node *match, const struct node *item,
                job_kind_set kinds)
{
    for (size_t i = 0; i < COUNT_OF(rule_parts); i++) {
        if ((kinds & rule_parts[i].kinds) || !node_member(match, rule_parts[i].field))
            continue;
        find_forbidden(reader->report, GANG_CODE_MATCH_OF_TWO_KINDS, item,
                       "write a rule for each kind",
                       "may not be set together with %.*s: no %.*s has this property",
                       SLICE_ARG(rule_parts[i].field), SLICE_ARG(node_string(item)));
        return;
    }
}

/* Reports kinds that no front end reads, and those that another field excludes. */
static void
rule_check_kinds(struct policy_reader *reader, const struct node *match)
{
    const struct node *list = node_member(match, SLICE("kinds"));

    for (NODE_EACH(item, list)) {
        const job_kind_set kinds = job_names_selected(node_string(item));

        if (!kinds && node_string(item).len)
            rule_find_other_kind(reader, item);
        if (kinds == JOB_KINDS_ALL && node_count(list) > 1)
            find_forbidden(reader->report, GANG_CODE_SETTING_WITHOUT_EFFECT, item,
                           "remove it, or the others",
                           "may not be combined with other kinds: it is every kind");
        if (kinds)
            rule_check_kind(reader, match, item, kinds);
    }
}

static job_kind_set
rule_kinds_of_part(const struct rule_part *part, bool has_kinds)
{
    return has_kinds ? part->kinds : part->without_kinds;
}

static job_kind_set
rule_kinds_of_parts(const struct node *match, bool has_kinds)
{
    job_kind_set kinds = JOB_KINDS_ALL;

    for (size_t i = 0; i < COUNT_OF(rule_parts); i++)
        if (node_member(match, rule_parts[i].field))
            kinds &= rule_kinds_of_part(&rule_parts[i], has_kinds);
    return kinds;
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
    for (size_t i = 0; i < COUNT_OF(rule_parts); i++) {
        const struct node *field = node_member(match->source, rule_parts[i].field);

        if (field && !(rule_kinds_of_part(&rule_parts[i], list != NULL) & kinds))
            return field;
    }
    return match->source;
}

static const struct node *
rule_part_of_trainjobs(const struct node *match)
{
    for (size_t i = 0; i < COUNT_OF(rule_parts); i++) {
        const struct node *part = node_member(match, rule_parts[i].field);

        if (part && !(rule_parts[i].without_kinds & JOB_KINDS_GROVE))
            return part;
    }
    return NULL;
}

static void
rule_check_parts(struct policy_reader *reader, const struct policy_match *match)
{
    const struct node *part = rule_part_of_trainjobs(match->source);

    if (part && match->podgang_selector.source)
        find_forbidden(
            reader->report, GANG_CODE_MATCH_OF_TWO_KINDS, part, "write a rule for each kind",
            "may not be set together with podGangSelector: no PodGang has this property");
}

struct policy_match
rule_read_match(struct policy_reader *reader, const struct node *source)
{
    const struct node *least = node_member(source, SLICE("minNodes"));
    const struct node *most = node_member(source, SLICE("maxNodes"));
    const struct node *kueue = node_member(source, SLICE("kueue"));
    const bool has_kinds = node_member(source, SLICE("kinds")) != NULL;
    struct policy_match match = {
        .source = source,
        .kinds = rule_kinds_of_parts(source, has_kinds),
        .has_min_nodes = least != NULL,
        .has_max_nodes = most != NULL,
        .min_nodes = policy_number(least),
        .max_nodes = policy_number(most),
        .kueue = kueue ? (enum rule_kueue)(1 + policy_choice(kueue, rule_kueue_names)) : KUEUE_ANY,
    };

    rule_check_kinds(reader, source);
    if (has_kinds)
        match.kinds &= rule_kinds_of_list(node_member(source, SLICE("kinds")));
    match.namespaces =
        rule_read_globs(reader, node_member(source, SLICE("namespaces")), GLOB_OF_LABELS);
    match.runtimes =
        rule_read_globs(reader, node_member(source, SLICE("runtimes")), GLOB_OF_SUBDOMAINS);
    match.namespace_selector =
        label_selector_read(node_member(source, SLICE("namespaceSelector")), reader->report);
    match.object_selector =
        label_selector_read(node_member(source, SLICE("objectSelector")), reader->report);
    match.trainjob_selector =
        label_selector_read(node_member(source, SLICE("trainJobSelector")), reader->report);
    match.runtime_selector =
        label_selector_read(node_member(source, SLICE("runtimeSelector")), reader->report);
    match.podgang_selector =
        label_selector_read(node_member(source, SLICE("podGangSelector")), reader->report);
    match.frameworks = rule_read_names(reader, node_member(source, SLICE("frameworks")),
                                       NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE);
    match.resources = rule_read_names(reader, node_member(source, SLICE("resources")),
                                      NAME_QUALIFIED, GANG_CODE_INVALID_NAME);
    rule_check_nodes(reader, &match);
    rule_check_parts(reader, &match);
    return match;
}

static size_t
rule_count_entries(const struct policy_match *match)
{
    return match->namespaces.count + match->runtimes.count + match->frameworks.count +
           match->resources.count + node_count(node_member(match->source, SLICE("kinds"))) +
           label_selector_entries(&match->namespace_selector) +
           label_selector_entries(&match->object_selector) +
           label_selector_entries(&match->trainjob_selector) +
           label_selector_entries(&match->runtime_selector) +
           label_selector_entries(&match->podgang_selector);
}

void
rule_check_entries(struct policy_reader *reader, const struct node *source,
                   const struct policy_match *match, const struct policy_match *exclude)
{
    size_t entries = rule_count_entries(match) + rule_count_entries(exclude);

    if (entries > POLICY_MOST_SELECTORS)
        find_note(reader->report, GANG_CODE_LIMIT_SELECTORS, source,
                  "split the rule, or select by the labels of namespaces",
                  "Too many: %zu: match and exclude must have at most %d entries together", entries,
                  POLICY_MOST_SELECTORS);
}

/*
 * A rule with a gang must have no message, and a rule without a gang must have no settings: they
 * would have no effect.
 */
static void
rule_check_action(struct policy_reader *reader, const struct policy_rule *rule)
{
    const struct node *message = node_member(rule->source, SLICE("message"));
    const struct node *setting = settings_first_field(rule->source);

    if (rule->action == RULE_GANG) {
        if (message)
            find_forbidden(reader->report, GANG_CODE_SETTING_WITHOUT_EFFECT, message,
                           "remove it, or write the action that it explains",
                           "may only be set when `action` is Skip or Deny");
    } else if (setting) {
        find_forbidden(reader->report, GANG_CODE_SETTING_WITHOUT_EFFECT, setting,
                       "remove it, or the action",
                       "may not be set when `action` is %s: there is no gang",
                       rule_action_names[rule->action]);
    }
}

struct policy_rule
rule_read(struct policy_reader *reader, const struct node *source)
{
    struct policy_rule rule = {
        .name = node_string(node_member(source, SLICE("name"))),
        .action = (enum rule_action)policy_choice(node_member(source, SLICE("action")),
                                                  rule_action_names),
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
