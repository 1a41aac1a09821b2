/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

/* In a template, this name chooses no backend, because it is the default of every pod. */
#define POLICY_COMMON_SCHEDULER SLICE(SCHEDULER_NAME_OF_KUBERNETES)

/* ---- options of an entry ---- */

/* Whether the descriptor's block of options has a field of that name. */
static bool
policy_has_option(const struct descriptor *descriptor, struct slice name)
{
    return descriptor && descriptor->options && schema_find(descriptor->options, name);
}

static bool
policy_is_entry_option(struct slice name)
{
    for (const char *const *option = policy_entry_options; *option; option++)
        if (slice_equal(name, slice_from_text(*option)))
            return true;
    return false;
}

static void
policy_find_misplaced(struct schema_reader *reader, const struct node *member, struct slice type)
{
    struct slice name = node_key(member);

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->name, name)) {
            find_forbidden(reader->report, member, MESSAGE_MISPLACED_OPTION_OTHER_TYPE,
                           SLICE_ARG(catalog[i]->type), SLICE_ARG(type));
            return;
        }
    find_forbidden(reader->report, member, MESSAGE_MISPLACED_OPTION_NO_TYPE, SLICE_ARG(type));
}

/*
 * Whether the type does not support the option: an entry option that the descriptor does not have,
 * apiVersion for a type without objects, a queue for one without queues, or anything of a gang for
 * the type None.
 */
static bool
policy_lacks_option(const struct descriptor *descriptor, struct slice type, struct slice name)
{
    bool has_objects = descriptor ? descriptor_has_objects(descriptor)
                                  : !slice_equal(type, SLICE(POLICY_TYPE_NONE));

    bool is_none = !descriptor && !has_objects;

    if (slice_equal(name, SLICE("queue")))
        return is_none || (descriptor && descriptor_why_lost(descriptor, LOSS_QUEUE));
    if (slice_equal(name, SLICE("priorityClassName")))
        return is_none;
    return (policy_is_entry_option(name) && !policy_has_option(descriptor, name)) ||
           (!has_objects && slice_equal(name, SLICE("apiVersion")));
}

/*
 * Adds an option and keeps its parent, so that a finding points at the place where it was written.
 */
static void
policy_add_option(struct builder *options, const struct node *option)
{
    build_node(options, node_key(option), option);
    if (options->last)
        options->last->parent = option->parent;
}

/* Returns the block, merged with the options of the entry itself; NULL if there are no options. */
static const struct node *
policy_read_options(struct schema_reader *reader, const struct node *entry,
                    const struct descriptor *descriptor)
{
    const struct node *block = descriptor ? node_member(entry, descriptor->name) : NULL;
    struct builder options = {0};

    for (const char *const *name = policy_entry_options; *name; name++) {
        struct slice key = slice_from_text(*name);
        const struct node *beside = node_member(entry, key);

        if (!beside || !policy_has_option(descriptor, key))
            continue;
        if (node_member(block, key))
            find_forbidden(reader->report, beside, MESSAGE_MISPLACED_OPTION_TWICE,
                           SLICE_ARG(descriptor->name), *name);
        if (!options.node)
            options = build_map(reader->arena);
        policy_add_option(&options, beside);
    }
    if (!options.node)
        return block;
    for (NODE_EACH(member, block))
        if (!policy_is_entry_option(node_key(member)))
            policy_add_option(&options, member);
    return options.node;
}

/* ---- entries ---- */

static void
policy_check_api_version(struct schema_reader *reader, const struct node *version,
                         const struct descriptor *descriptor)
{
    struct slice supported[8];
    size_t count = 0;

    if (!node_string(version).len || !descriptor)
        return;
    if (descriptor->api_versions)
        while (count < COUNT_OF(supported) && descriptor->api_versions[count]) {
            supported[count] = slice_from_text(descriptor->api_versions[count]);
            count++;
        }
    else if (slice_is_set(descriptor->api_version))
        supported[count++] = descriptor->api_version;
    if (count && !slice_is_among(node_string(version), supported, count))
        find_unsupported(reader->report, version, GANG_CODE_UNSUPPORTED_VALUE, NULL, supported,
                         count);
}

static struct policy_backend
policy_read_entry(struct schema_reader *reader, const struct node *entry)
{
    struct policy_backend backend = {
        .descriptor = catalog_of_type(node_string(node_member(entry, SLICE("type")))),
        .source = entry,
    };
    struct slice type = node_string(node_member(entry, SLICE("type")));

    schema_read(&policy_backend_entry, entry, &backend, reader);
    backend.name = arena_copy(reader->arena, backend.name);
    if (backend.descriptor && !node_member(entry, SLICE("schedulerName")))
        backend.scheduler_name = backend.descriptor->scheduler_name;
    policy_check_api_version(reader, node_member(entry, SLICE("apiVersion")), backend.descriptor);
    for (NODE_EACH(member, entry)) {
        bool is_own = backend.descriptor && slice_equal(node_key(member), backend.descriptor->name);

        if (node_is_absent(member))
            continue;
        if (policy_lacks_option(backend.descriptor, type, node_key(member)))
            policy_find_misplaced(reader, member, type);
        for (size_t i = 0; !is_own && i < CATALOG_COUNT; i++)
            if (catalog[i]->options && slice_equal(catalog[i]->name, node_key(member)))
                policy_find_misplaced(reader, member, type);
    }
    backend.options = policy_read_options(reader, entry, backend.descriptor);
    return backend;
}

void
policy_backends_read(struct schema_reader *reader, const struct node *list)
{
    struct gang_policy *policy = policy_in(reader);

    policy->lists_backends = list != NULL;
    if (!list) {
        policy->backends = arena_array(reader->arena, CATALOG_COUNT, sizeof(*policy->backends));
        for (size_t i = 0; policy->backends && i < CATALOG_COUNT; i++)
            policy->backends[policy->num_backends++] = (struct policy_backend){
                .name = catalog[i]->name,
                .descriptor = catalog[i],
                .scheduler_name = catalog[i]->scheduler_name,
            };
        return;
    }
    policy->backends = arena_array(reader->arena, node_count(list), sizeof(*policy->backends));
    if (!policy->backends)
        return;
    for (NODE_EACH(entry, list)) {
        const struct policy_backend backend = policy_read_entry(reader, entry);

        policy->has_entry_settings |=
            backend.settings.queue.source || backend.settings.priority.source;
        policy->backends[policy->num_backends++] = backend;
    }
}

/* ---- unused backends ---- */

/* Whether a template's schedulerName can choose this backend and no other. */
static bool
policy_has_own_scheduler(const struct policy_backend *backend)
{
    return slice_is_set(backend->scheduler_name) &&
           !slice_equal(backend->scheduler_name, POLICY_COMMON_SCHEDULER);
}

/* Returns another of the first backends that has the same scheduler; NULL if there is none. */
static const struct policy_backend *
policy_of_same_scheduler(const struct gang_policy *policy, size_t count,
                         const struct policy_backend *backend)
{
    for (size_t i = 0; i < count && policy_has_own_scheduler(backend); i++)
        if (&policy->backends[i] != backend &&
            slice_equal(policy->backends[i].scheduler_name, backend->scheduler_name))
            return &policy->backends[i];
    return NULL;
}

static bool
policy_is_chosen_by_policy(const struct gang_policy *policy, const struct policy_backend *backend)
{
    if (policy->default_backend == backend || policy->defaults.backend == backend)
        return true;
    for (size_t i = 0; i < policy->num_rules; i++)
        if (policy->rules[i].settings.backend == backend)
            return true;
    return false;
}

/* ---- settings that no backend has ---- */

/* Returns why the first enabled backend has no place for it; NULL if any of them has one. */
static const char *
policy_why_all_lose(const struct gang_policy *policy, enum loss_field field)
{
    const char *first = NULL;

    for (size_t i = 0; i < policy->num_backends; i++) {
        const struct descriptor *descriptor = policy->backends[i].descriptor;
        const char *why = descriptor ? descriptor_why_lost(descriptor, field) : first;

        if (descriptor && !why)
            return NULL;
        first = first ? first : why;
    }
    return first;
}

static void
policy_find_lost_settings(struct schema_reader *reader, const struct policy_settings *settings)
{
    const struct {
        enum loss_field field;
        const struct node *source;
    } rows[] = {
        {LOSS_QUEUE, settings->queue.source},
        {LOSS_TIMEOUT, settings->timeout_source},
        {LOSS_TOPOLOGY, settings->topology.source},
        {LOSS_RESOURCES,
         settings->resources == RESOURCES_REQUESTS_ONLY ? settings->resources_source : NULL},
        {LOSS_RESERVE, settings->reserve == RESERVE_ALWAYS ? settings->reserve_source : NULL},
    };

    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        const char *why =
            rows[i].source ? policy_why_all_lose(policy_in(reader), rows[i].field) : NULL;

        if (why)
            find_note(reader->report, rows[i].source, MESSAGE_IDLE_SETTING_UNSUPPORTED, why);
    }
}

void
policy_backends_check_use(struct schema_reader *reader)
{
    const struct gang_policy *policy = policy_in(reader);

    if (!policy->lists_backends || report_has_errors(reader->report))
        return;
    for (size_t i = 1; i < policy->num_backends; i++) {
        const struct policy_backend *backend = &policy->backends[i];
        const struct policy_backend *other = policy_of_same_scheduler(policy, i, backend);
        const struct node *source = node_member(backend->source, SLICE("schedulerName"));

        if (other)
            find_note(reader->report, source ? source : backend->source,
                      MESSAGE_SCHEDULER_OF_SEVERAL_BACKENDS, SLICE_ARG(backend->scheduler_name),
                      SLICE_ARG(other->name));
    }
    if (policy->compatibility == COMPATIBILITY_NONE) {
        policy_find_lost_settings(reader, &policy->defaults);
        for (size_t i = 0; i < policy->num_rules; i++)
            policy_find_lost_settings(reader, &policy->rules[i].settings);
    }
    for (size_t i = 0; i < policy->num_backends; i++) {
        const struct policy_backend *backend = &policy->backends[i];
        bool by_runtime = backend->descriptor && policy->runtime_policy != RUNTIME_POLICY_IGNORE;

        if (!by_runtime && !policy_is_chosen_by_policy(policy, backend) &&
            (!policy_has_own_scheduler(backend) ||
             policy_of_same_scheduler(policy, policy->num_backends, backend)))
            find_note(reader->report, backend->source, MESSAGE_UNREACHABLE_BACKEND,
                      SLICE_ARG(backend->name));
    }
}
