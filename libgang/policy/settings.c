/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_schema.h"

/* In the order of enum queue_choice, starting after QUEUE_UNSET. */
static const struct slice settings_queue_sources[] = {
    SLICE_INIT("name"), SLICE_INIT("fromNamespace"), SLICE_INIT("fromLabel"),
    SLICE_INIT("fromNamespaceLabel")};

static enum queue_choice
queue_read_choice(struct schema_reader *reader, const struct node *source)
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
queue_check_prefix(struct schema_reader *reader, const struct node *prefix)
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

POLICY_READ(queue_read)
{
    struct policy_queue *queue = value;
    const struct node *of = NULL;

    schema_read(schema, source, value, reader);
    queue->choice = queue_read_choice(reader, source);
    if (queue->choice != QUEUE_UNSET && queue->choice != QUEUE_NAME)
        of = node_member(source, settings_queue_sources[queue->choice - 1]);
    queue->key = node_string(node_member(of, SLICE("key")));
    queue->prefix = node_string(node_member(of, SLICE("prefix")));
    name_check_node(node_member(of, SLICE("key")), NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY,
                    NULL, reader->report);
    queue_check_prefix(reader, node_member(of, SLICE("prefix")));
}

POLICY_READ(topology_read)
{
    struct policy_topology *topology = value;
    const struct node *mode = node_member(source, SLICE("mode"));
    const struct node *level = node_member(source, SLICE("level"));

    (void)schema;
    /* the default of the runtime's API */
    topology->mode = mode ? node_string(mode) : SLICE("hard");
    topology->level = node_text(level);
    name_check_node(level, NAME_QUALIFIED, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

/* Queue and priority inherit the override of the block. */
void
settings_complete(struct policy_settings *settings, struct schema_reader *reader)
{
    if (!settings->queue.override_source)
        settings->queue.override = settings->override;
    if (!settings->priority.override_source)
        settings->priority.override = settings->override;
    if (settings->override_source && !settings->backend_source && !settings->queue.source &&
        !settings->priority.source && !settings->timeout_source && !settings->members_source &&
        !settings->topology.source)
        find_note(reader->report, GANG_CODE_IDLE_SETTING, settings->override_source, "remove it",
                  "this block has no setting that it applies to");
}

/* The defaults are what a rule has of settings. */
POLICY_READ(settings_read_defaults)
{
    struct policy_rule rule = {.source = source};

    schema_read(schema, source, &rule, reader);
    settings_complete(&rule.settings, reader);
    *(struct policy_settings *)value = rule.settings;
}

const struct node *
settings_first_field(const struct node *block)
{
    for (NODE_EACH(member, block))
        if (!node_is_absent(member) && policy_find_setting(node_key(member)))
            return member;
    return NULL;
}
