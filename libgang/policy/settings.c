/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/settings.h"

#include "libgang/policy/policy.h"
#include "libgang/policy/policy_schema.h"

/* ---- settings schema ---- */

const char *const override_names[] = {"IfUnset", "Always", NULL};
static const char *const members_names[] = {"Auto", "All", "TrainerOnly", NULL};
static const char *const resources_names[] = {"Effective", "RequestsOnly", NULL};
static const char *const reserve_names[] = {"Auto", "Always", "Never", NULL};
/* The words of Volcano's networkTopology (volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go). */
static const char *const policy_topology_mode_names[] = {"hard", "soft", NULL};

const struct schema policy_settings_backend = {POLICY_TEXT,
                                               .description = "Name of an enabled backend."};
static const struct schema policy_queue_name = {POLICY_NAME, .description = "Name of the queue."};
static const struct schema policy_queue_namespace_prefix = {
    .type = SCHEMA_STRING, .description = "Prefix before the name of the namespace."};
static const struct schema policy_queue_label_prefix = {
    .type = SCHEMA_STRING,
    .description = "Prefix before the value of the label.",
};
static const struct schema_field policy_queue_from_namespace_fields[] = {
    {SLICE_INIT("prefix"), &policy_queue_namespace_prefix, false},
};
static const struct schema policy_queue_from_namespace = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_from_namespace_fields),
    .description = "The queue has the name of the job's namespace.",
    .form = "{} or {prefix: TEXT}",
};
static const struct schema policy_queue_label_key = {POLICY_TEXT,
                                                     .description = "Key of the label."};
static const struct schema_field policy_queue_from_label_fields[] = {
    {SLICE_INIT("key"), &policy_queue_label_key, true},
    {SLICE_INIT("prefix"), &policy_queue_label_prefix, false},
};
static const struct schema policy_queue_from_label = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_from_label_fields),
    .description = "The queue has the value of a label of the job as its name.",
    .form = "{key: KEY}",
};
static const struct schema policy_queue_from_namespace_label = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_from_label_fields),
    .description =
        "The queue has the value of a label of the job's namespace as its name. The cluster facts "
        "contain these labels. Unlike a label of the job, its user cannot choose it.",
    .form = "{key: KEY}",
};
static const struct schema policy_queue_override = {
    POLICY_WORD(override_names),
    .description =
        "`IfUnset`: a queue of the job or its runtime has precedence; `Always`: this queue has "
        "precedence. Default: `override` of the enclosing block."};
static const struct schema_field policy_queue_fields[] = {
    {SLICE_INIT("fromLabel"), &policy_queue_from_label, false},
    {SLICE_INIT("fromNamespace"), &policy_queue_from_namespace, false},
    {SLICE_INIT("fromNamespaceLabel"), &policy_queue_from_namespace_label, false},
    {SLICE_INIT("name"), &policy_queue_name, false},
    {SLICE_INIT("override"), &policy_queue_override, false},
};
const struct schema policy_settings_queue = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_fields),
    .description =
        "Queue of the gang. Exactly one of `name`, `fromNamespace`, `fromNamespaceLabel` and "
        "`fromLabel` must be set.",
    .form = "{name: QUEUE}",
};
static const struct schema policy_priority_name = {POLICY_NAME,
                                                   .description = "Name of the PriorityClass."};
static const struct schema policy_priority_override = {
    POLICY_WORD(override_names),
    .description =
        "`IfUnset`: a priority class of the job or its runtime has precedence; `Always`: this "
        "priority class has precedence. Default: `override` of the enclosing block."};
static const struct schema_field policy_priority_fields[] = {
    {SLICE_INIT("name"), &policy_priority_name, true},
    {SLICE_INIT("override"), &policy_priority_override, false},
};
const struct schema policy_settings_priority = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_priority_fields),
    .description = "The priority class of the gang.",
    .form = "{name: CLASS}",
};
const struct schema policy_settings_timeout = {
    POLICY_COUNT, .description = "Time in seconds that the scheduler waits for the complete gang."};
const struct schema policy_settings_members = {
    POLICY_WORD(members_names),
    .description =
        "The roles in the gang. `Auto`: the roles that run together, without initializers; `All`: "
        "every role, and refuse jobs whose roles cannot run together; `TrainerOnly`: the roles "
        "labelled trainer, and the nodes for MPI. Default: `Auto`.",
};
const struct schema policy_settings_resources = {
    POLICY_WORD(resources_names),
    .description =
        "How pod requests are counted. `Effective`: as the API server sets them, where a limit "
        "replaces a "
        "missing request; `RequestsOnly`: only the requests in the template. Default: `Effective`.",
};
const struct schema policy_settings_reserve = {
    POLICY_WORD(reserve_names),
    .description =
        "Whether the PodGroup reserves the resources of all its pods in advance (minResources). "
        "`Auto`: only if the scheduler does not hold reserved resources idle. Default: `Auto`.",
};
static const struct schema policy_topology_mode = {
    POLICY_WORD(policy_topology_mode_names), .default_text = "\"hard\"",
    .description = "`hard`: the gang waits until one domain has enough capacity; `soft`: one "
                   "domain is preferred."};
static const struct schema policy_topology_level = {
    .type = SCHEMA_INT_OR_STRING,
    POLICY_AT_LEAST_ONE,
    .description = "Topology domain for the gang: the key of a node label, or the number of a tier "
                   "for Volcano."};
static const struct schema_field policy_topology_fields[] = {
    {SLICE_INIT("level"), &policy_topology_level, false},
    {SLICE_INIT("mode"), &policy_topology_mode, false},
};
const struct schema policy_settings_topology = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_topology_fields),
    .min_length = 1,
    .description = "Topology constraint for the placement of the pods.",
    .form = "{level: LEVEL}",
};
const struct schema policy_settings_override = {
    POLICY_WORD(override_names),
    .description =
        "`IfUnset`: values of the job and its runtime have precedence over this block; `Always`: "
        "this block has precedence. Default: `IfUnset`.",
};

static const struct schema_field policy_defaults_fields[] = {
    {SLICE_INIT("backend"), &policy_settings_backend, false},
    {SLICE_INIT("members"), &policy_settings_members, false},
    {SLICE_INIT("override"), &policy_settings_override, false},
    {SLICE_INIT("priorityClassName"), &policy_settings_priority, false},
    {SLICE_INIT("queue"), &policy_settings_queue, false},
    {SLICE_INIT("reserve"), &policy_settings_reserve, false},
    {SLICE_INIT("resources"), &policy_settings_resources, false},
    {SLICE_INIT("scheduleTimeoutSeconds"), &policy_settings_timeout, false},
    {SLICE_INIT("topology"), &policy_settings_topology, false},
};
const struct schema policy_defaults_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_defaults_fields),
    .description =
        "Default values if the job, its runtime and the matching rule set none. `override: "
        "Always` is not allowed here.",
};

/* ---- the parts of a setting ---- */

/* In the order of enum queue_choice, starting after QUEUE_UNSET. */
static const struct slice settings_queue_sources[] = {
    SLICE_INIT("name"), SLICE_INIT("fromNamespace"), SLICE_INIT("fromLabel"),
    SLICE_INIT("fromNamespaceLabel")};

static enum queue_choice
queue_read_choice(struct policy_reader *reader, const struct node *source)
{
    enum queue_choice choice = QUEUE_UNSET;

    for (size_t i = 0; i < COUNT_OF(settings_queue_sources); i++) {
        const struct node *member = node_member(source, settings_queue_sources[i]);

        if (member && choice)
            find_forbidden(reader->report, GANG_CODE_SEVERAL_QUEUE_SOURCES, member,
                           "keep one of them", "may not be set when `%.*s` is",
                           SLICE_ARG(settings_queue_sources[choice - 1]));
        else if (member)
            choice = (enum queue_choice)(i + 1);
    }
    if (!choice && node_is(source, NODE_MAP))
        find_required(reader->report, GANG_CODE_REQUIRED_FIELD, source, SLICE("name"), NULL,
                      "one of name, fromNamespace, fromNamespaceLabel and fromLabel");
    return choice;
}

/* The prefix must be a valid start of an object's name. */
static void
queue_check_prefix(struct policy_reader *reader, const struct node *prefix)
{
    struct slice text = node_string(prefix);
    struct name_problems problems;
    const char *example;

    if (!text.len)
        return;
    example = arena_format(reader->arena, "%.*sx", SLICE_ARG(text));
    if (!name_check(NAME_DNS1123_SUBDOMAIN, slice_from_text(example), &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_invalid(reader->report, GANG_CODE_INVALID_NAME, prefix,
                         "the queue's name starts with it", "%s", problems.text[i]);
}

static void
queue_read(struct policy_reader *reader, const struct node *source, void *value)
{
    struct policy_queue *queue = value;
    const struct node *name = node_member(source, SLICE("name"));
    const struct node *of = NULL;

    if (!source)
        return;
    queue->choice = queue_read_choice(reader, source);
    if (queue->choice != QUEUE_UNSET && queue->choice != QUEUE_NAME)
        of = node_member(source, settings_queue_sources[queue->choice - 1]);
    queue->name = node_string(name);
    queue->key = node_string(node_member(of, SLICE("key")));
    queue->prefix = node_string(node_member(of, SLICE("prefix")));
    policy_check_name(reader, name, NAME_DNS1123_SUBDOMAIN);
    name_check_node(node_member(of, SLICE("key")), NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY,
                    NULL, reader->report);
    queue_check_prefix(reader, node_member(of, SLICE("prefix")));
}

static void
topology_read(struct policy_reader *reader, const struct node *source, void *value)
{
    struct policy_topology *topology = value;
    const struct node *mode = node_member(source, SLICE("mode"));
    const struct node *level = node_member(source, SLICE("level"));

    /* the default of the runtime's API */
    topology->mode = mode ? node_string(mode) : SLICE("hard");
    topology->level = node_text(level);
    policy_check_name(reader, level, NAME_QUALIFIED);
}

/* ---- settings ---- */

static void
settings_read_backend(struct policy_reader *reader, const struct node *source, void *value)
{
    *(const struct policy_backend **)value = policy_read_backend(reader, source);
}

static void
settings_read_name(struct policy_reader *reader, const struct node *source, void *value)
{
    const struct node *name = node_member(source, SLICE("name"));

    *(struct slice *)value = node_string(name);
    policy_check_name(reader, name, NAME_DNS1123_SUBDOMAIN);
}

#define SETTING(name, source, value)                                                               \
    SLICE_INIT(name), offsetof(struct policy_settings, source),                                    \
        offsetof(struct policy_settings, value)
#define SETTING_OVERRIDE(member) offsetof(struct policy_settings, member.override)

/*
 * The settings of a block. The block's override is read first, because queue and priority inherit
 * it.
 */
static const struct setting {
    struct slice name;
    size_t source; /* offsets in struct policy_settings */
    size_t value;
    /* Without a read function, the value is an enum with these words, or a number if NULL. */
    const char *const *words;
    void (*read)(struct policy_reader *reader, const struct node *source, void *value);
    bool may_be_overridden; /* the block's override applies to it */
    size_t override;        /* its own override; 0 if it has none */
} settings_table[] = {
    {SETTING("override", override_source, override), override_names, NULL, false, 0},
    {SETTING("backend", backend_source, backend), NULL, settings_read_backend, true, 0},
    {SETTING("queue", queue.source, queue), NULL, queue_read, true, SETTING_OVERRIDE(queue)},
    {SETTING("priorityClassName", priority.source, priority.name), NULL, settings_read_name, true,
     SETTING_OVERRIDE(priority)},
    {SETTING("scheduleTimeoutSeconds", timeout_source, timeout_seconds), NULL, NULL, true, 0},
    {SETTING("members", members_source, members), members_names, NULL, true, 0},
    {SETTING("topology", topology.source, topology), NULL, topology_read, true, 0},
    {SETTING("resources", resources_source, resources), resources_names, NULL, false, 0},
    {SETTING("reserve", reserve_source, reserve), reserve_names, NULL, false, 0},
};

static void
setting_read(struct policy_reader *reader, const struct setting *setting, const struct node *block,
             struct policy_settings *settings)
{
    const struct node *source = node_member(block, setting->name);
    const struct node *override = node_member(source, SLICE("override"));
    char *base = (char *)settings;
    void *value = base + setting->value;

    *(const struct node **)(void *)(base + setting->source) = source;
    if (setting->override)
        *(int *)(void *)(base + setting->override) =
            override ? policy_choice(override, override_names) : (int)settings->override;
    if (setting->read)
        setting->read(reader, source, value);
    else if (setting->words)
        *(int *)value = policy_choice(source, setting->words);
    else
        *(int64_t *)value = policy_number(source);
}

struct policy_settings
settings_read(struct policy_reader *reader, const struct node *block)
{
    struct policy_settings settings = {0};
    bool may_override = false;

    for (size_t i = 0; i < COUNT_OF(settings_table); i++) {
        setting_read(reader, &settings_table[i], block, &settings);
        may_override |=
            settings_table[i].may_be_overridden && node_member(block, settings_table[i].name);
    }
    if (settings.override_source && !may_override)
        find_note(reader->report, GANG_CODE_IDLE_SETTING, settings.override_source, "remove it",
                  "this block has no setting that it applies to");
    return settings;
}

bool
settings_are_strict(const struct policy_settings *settings)
{
    return settings->override == OVERRIDE_ALWAYS || settings->queue.override == OVERRIDE_ALWAYS ||
           settings->priority.override == OVERRIDE_ALWAYS;
}

const struct node *
settings_first_field(const struct node *block)
{
    for (NODE_EACH(member, block))
        if (!node_is_absent(member) && schema_find_field(&policy_defaults_schema, node_key(member)))
            return member;
    return NULL;
}
