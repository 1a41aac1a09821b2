/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/settings.h"

#include "libgang/document/finding.h"
#include "libgang/policy/policy.h"
#include "libgang/policy/policy_schema.h"

/* ---- settings schema ---- */

const char *const override_names[] = {"IfUnset", "Always", NULL};
const char *const members_names[] = {"Auto", "All", "TrainerOnly", NULL};
const char *const resources_names[] = {"Effective", "RequestsOnly", NULL};
const char *const reserve_names[] = {"Auto", "Always", "Never", NULL};
/* As Volcano's networkTopology has them (volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go). */
static const char *const policy_topology_mode_names[] = {"hard", "soft", NULL};

const struct schema policy_settings_backend = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Name of the backend, one of those that `backends` enables.",
};
static const struct schema policy_queue_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .pattern = POLICY_SUBDOMAIN_PATTERN,
    .description = "Name of the queue.",
};
static const struct schema policy_queue_namespace_prefix = {
    .type = SCHEMA_STRING,
    .description = "Text in front of the namespace's name.",
};
static const struct schema policy_queue_label_prefix = {
    .type = SCHEMA_STRING,
    .description = "Text in front of the label's value.",
};
static const struct schema_field policy_queue_from_namespace_fields[] = {
    {SLICE_INIT("prefix"), &policy_queue_namespace_prefix, false},
};
static const struct schema policy_queue_from_namespace = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_from_namespace_fields),
    .description = "The queue is called as the job's namespace.",
    .form = "{} or {prefix: TEXT}",
};
static const struct schema policy_queue_label_key = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Key of the label.",
};
static const struct schema_field policy_queue_from_label_fields[] = {
    {SLICE_INIT("key"), &policy_queue_label_key, true},
    {SLICE_INIT("prefix"), &policy_queue_label_prefix, false},
};
static const struct schema policy_queue_from_label = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_from_label_fields),
    .description = "The queue is called as the value of a label of the job.",
    .form = "{key: KEY}",
};
static const struct schema policy_queue_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "Whether the queue gives way to one that the job or its runtime names. Without it the block's "
        "own `override` holds.",
};
static const struct schema_field policy_queue_fields[] = {
    {SLICE_INIT("fromLabel"), &policy_queue_from_label, false},
    {SLICE_INIT("fromNamespace"), &policy_queue_from_namespace, false},
    {SLICE_INIT("name"), &policy_queue_name, false},
    {SLICE_INIT("override"), &policy_queue_override, false},
};
const struct schema policy_settings_queue = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_queue_fields),
    .description = "The queue of the gang: exactly one of `name`, `fromNamespace` and `fromLabel`.",
    .form = "{name: QUEUE}",
};
static const struct schema policy_priority_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .pattern = POLICY_SUBDOMAIN_PATTERN,
    .description = "Name of the PriorityClass.",
};
static const struct schema policy_priority_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "Whether the class gives way to one that the job or its runtime names. Without it the block's "
        "own `override` holds.",
};
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
    .type = SCHEMA_INT32,
    POLICY_AT_LEAST_ONE,
    .description = "Seconds that the scheduler waits for the whole gang.",
};
const struct schema policy_settings_members = {
    .type = SCHEMA_STRING,
    .enumeration = members_names,
    .description =
        "Which roles are in the gang. `Auto`: those that start together, initializers left out; `All`: "
        "every role, refused where they cannot run at one time; `TrainerOnly`: the roles labelled "
        "trainer, and the nodes under MPI. `Auto` where nothing says otherwise.",
};
const struct schema policy_settings_resources = {
    .type = SCHEMA_STRING,
    .enumeration = resources_names,
    .description =
        "What a pod counts for. `Effective`: its requests as the API server completes them, limits "
        "standing in; `RequestsOnly`: only what stands under requests. `Effective` where nothing says "
        "otherwise.",
};
const struct schema policy_settings_reserve = {
    .type = SCHEMA_STRING,
    .enumeration = reserve_names,
    .description =
        "Whether the group asks for the room of all its pods ahead of them (minResources). `Auto`: where "
        "the scheduler does not hold it idle meanwhile. `Auto` where nothing says otherwise.",
};
static const struct schema policy_topology_mode = {
    .type = SCHEMA_STRING,
    .enumeration = policy_topology_mode_names,
    .default_text = "\"hard\"",
    .description = "`hard`: the gang waits until one domain has room; `soft`: it prefers one.",
};
static const struct schema policy_topology_level = {
    .type = SCHEMA_INT_OR_STRING,
    POLICY_AT_LEAST_ONE,
    .description =
        "The domain that holds the gang: the key of a node label, or the number of a tier for Volcano.",
};
static const struct schema_field policy_topology_fields[] = {
    {SLICE_INIT("level"), &policy_topology_level, false},
    {SLICE_INIT("mode"), &policy_topology_mode, false},
};
const struct schema policy_settings_topology = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_topology_fields),
    .min_length = 1,
    .description = "How near to each other the pods shall run.",
    .form = "{level: LEVEL}",
};
const struct schema policy_settings_override = {
    .type = SCHEMA_STRING,
    .enumeration = override_names,
    .description =
        "`IfUnset`: what the block says gives way to what the job or its runtime says; `Always`: it "
        "stands before them. `IfUnset` where it is not written.",
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
        "What holds where neither the job, its runtime nor a rule says anything. `override: Always` is "
        "refused here.",
};

/* ---- settings ---- */

/* What a block may choose, and in it what its own `override` is for. */
static const struct {
    struct slice name;
    bool may_be_overridden;
} settings_parts[] = {
    {SLICE_INIT("backend"), true},           {SLICE_INIT("queue"), true},
    {SLICE_INIT("priorityClassName"), true}, {SLICE_INIT("scheduleTimeoutSeconds"), true},
    {SLICE_INIT("members"), true},           {SLICE_INIT("topology"), true},
    {SLICE_INIT("resources"), false},        {SLICE_INIT("reserve"), false},
    {SLICE_INIT("override"), false},
};

const struct node *
settings_first_field(const struct node *block)
{
    for (NODE_EACH(member, block))
        for (size_t i = 0; i < sizeof(settings_parts) / sizeof(settings_parts[0]); i++)
            if (!node_is_absent(member) && slice_equal(node_key(member), settings_parts[i].name))
                return member;
    return NULL;
}

static bool
settings_have_overridable(const struct node *block)
{
    for (size_t i = 0; i < sizeof(settings_parts) / sizeof(settings_parts[0]); i++)
        if (settings_parts[i].may_be_overridden && node_member(block, settings_parts[i].name))
            return true;
    return false;
}

/* In the order of enum queue_choice, behind QUEUE_UNSET. */
static const struct slice settings_queue_sources[] = {SLICE_INIT("name"), SLICE_INIT("fromNamespace"),
                                                      SLICE_INIT("fromLabel")};

static enum queue_choice
queue_read_choice(struct policy_reader *reader, const struct node *source)
{
    enum queue_choice choice = QUEUE_UNSET;

    for (size_t i = 0; i < sizeof(settings_queue_sources) / sizeof(settings_queue_sources[0]); i++) {
        const struct node *member = node_member(source, settings_queue_sources[i]);

        if (member && choice)
            find_forbidden(reader->report, GANG_CODE_SEVERAL_QUEUE_SOURCES, member, "keep one of them",
                           "may not be set when `%.*s` is", SLICE_ARG(settings_queue_sources[choice - 1]));
        else if (member)
            choice = (enum queue_choice)(i + 1);
    }
    if (!choice && node_is(source, NODE_MAP))
        find_required(reader->report, GANG_CODE_REQUIRED_FIELD, source, SLICE("name"), NULL,
                      "one of name, fromNamespace and fromLabel");
    return choice;
}

/* The prefix of a name of an object must be able to start one. */
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
            find_invalid(reader->report, GANG_CODE_INVALID_NAME, prefix, "the queue's name starts with it",
                         "%s", problems.text[i]);
}

static void
queue_check_key(struct policy_reader *reader, const struct node *key)
{
    struct name_problems problems;

    if (!node_string(key).len || name_check(NAME_QUALIFIED, node_string(key), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(reader->report, GANG_CODE_INVALID_LABEL_KEY, key, NULL, "%s", problems.text[i]);
}

static struct policy_queue
queue_read(struct policy_reader *reader, const struct node *source, enum policy_override inherited)
{
    struct policy_queue queue = {.source = source, .override = inherited};
    const struct node *name = node_member(source, SLICE("name"));
    const struct node *override = node_member(source, SLICE("override"));
    const struct node *of = NULL;

    if (!source)
        return queue;
    queue.choice = queue_read_choice(reader, source);
    if (queue.choice == QUEUE_FROM_NAMESPACE || queue.choice == QUEUE_FROM_LABEL)
        of = node_member(source, settings_queue_sources[queue.choice - 1]);
    queue.name = node_string(name);
    queue.key = node_string(node_member(of, SLICE("key")));
    queue.prefix = node_string(node_member(of, SLICE("prefix")));
    if (override)
        queue.override = (enum policy_override)policy_choice(override, override_names);
    policy_check_name(reader, name, NAME_DNS1123_SUBDOMAIN);
    queue_check_key(reader, node_member(of, SLICE("key")));
    queue_check_prefix(reader, node_member(of, SLICE("prefix")));
    return queue;
}

static struct policy_priority
priority_read(struct policy_reader *reader, const struct node *source, enum policy_override inherited)
{
    const struct node *override = node_member(source, SLICE("override"));
    const struct node *name = node_member(source, SLICE("name"));

    policy_check_name(reader, name, NAME_DNS1123_SUBDOMAIN);
    return (struct policy_priority){
        .source = source,
        .name = node_string(name),
        .override = override ? (enum policy_override)policy_choice(override, override_names) : inherited,
    };
}

static struct policy_topology
topology_read(struct policy_reader *reader, const struct node *source)
{
    const struct node *mode = node_member(source, SLICE("mode"));
    const struct node *level = node_member(source, SLICE("level"));

    policy_check_name(reader, level, NAME_QUALIFIED);
    return (struct policy_topology){
        .source = source,
        .mode = mode ? node_string(mode) : SLICE("hard"), /* as in the runtime's API */
        .level = node_text(level),
    };
}

static void
settings_check_override(struct policy_reader *reader, const struct node *block, const struct node *override)
{
    if (override && !settings_have_overridable(block))
        find_note(reader->report, GANG_CODE_IDLE_SETTING, override, "remove it",
                  "there is nothing here that it could be about");
}

struct policy_settings
settings_read(struct policy_reader *reader, const struct node *block)
{
    const struct node *override = node_member(block, SLICE("override"));
    struct policy_settings settings = {
        .backend_source = node_member(block, SLICE("backend")),
        .timeout_source = node_member(block, SLICE("scheduleTimeoutSeconds")),
        .members_source = node_member(block, SLICE("members")),
        .resources_source = node_member(block, SLICE("resources")),
        .reserve_source = node_member(block, SLICE("reserve")),
        .override = (enum policy_override)policy_choice(override, override_names),
        .override_source = override,
    };

    settings.backend = policy_read_backend(reader, settings.backend_source);
    settings.queue = queue_read(reader, node_member(block, SLICE("queue")), settings.override);
    settings.priority =
        priority_read(reader, node_member(block, SLICE("priorityClassName")), settings.override);
    settings.timeout_seconds = policy_number(settings.timeout_source);
    settings.members = (enum gang_members)policy_choice(settings.members_source, members_names);
    settings.resources = (enum gang_resources)policy_choice(settings.resources_source, resources_names);
    settings.reserve = (enum gang_reserve)policy_choice(settings.reserve_source, reserve_names);
    settings.topology = topology_read(reader, node_member(block, SLICE("topology")));
    settings_check_override(reader, block, override);
    return settings;
}

bool
settings_are_strict(const struct policy_settings *settings)
{
    return settings->override == OVERRIDE_ALWAYS || settings->queue.override == OVERRIDE_ALWAYS ||
           settings->priority.override == OVERRIDE_ALWAYS;
}
