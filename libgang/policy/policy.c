/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

#include "libgang/document/writer.h"
#include "libgang/policy/cluster.h"

/* ---- policy reader ---- */

/* The schema reports empty names. */
SCHEMA_READ(policy_read_name)
{
    *(struct slice *)value = node_string(source);
    name_check_node(source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

SCHEMA_READ(policy_read_backend)
{
    const struct policy_backend **found = value;
    const struct gang_policy *policy = policy_in(reader);
    struct slice *enabled;
    const char *nearest;
    size_t count;

    if (!node_string(source).len)
        return;
    *found = FIND_TEXT(policy->backends, policy->num_backends, name, node_string(source));
    if (*found)
        return;
    enabled = arena_array(reader->arena, policy->num_backends, sizeof(*enabled));
    count = 0;
    if (enabled) {
        for (size_t i = 0; i < policy->num_backends; i++)
            if (slice_is_set(policy->backends[i].name))
                enabled[count++] = policy->backends[i].name;
        nearest = schema_nearest_text(enabled, count, node_string(source));
        find_unsupported(reader->report, source, GANG_CODE_BACKEND_NOT_ENABLED,
                         nearest ? schema_did_you_mean(reader->arena, nearest)
                                 : "enable it under spec.backends",
                         enabled, count);
    }
}

/* ---- policy output ---- */

static void
output_check_keys(struct schema_reader *reader, const struct node *map)
{
    for (NODE_EACH(member, map))
        if (reserved_marks_has_key(node_key(member)))
            find_forbidden(reader->report, member, MESSAGE_RESERVED_OUTPUT_KEY_MARK,
                           SLICE_ARG(node_key(member)));
        else if (slice_equal(node_key(member), SLICE(POLICY_STAMP_KEY)))
            find_forbidden(reader->report, member, MESSAGE_RESERVED_OUTPUT_KEY_STAMP,
                           POLICY_STAMP_KEY);
}

/* ---- policy print ---- */

static void print_value(const struct schema *schema, const struct node *value,
                        struct builder *parent);

/* The default is the JSON form of a string or of another scalar. */
static bool
print_is_default(const struct schema *schema, const struct node *value)
{
    const struct slice json = slice_from_text(schema_default(schema));

    if (json.len >= 2 && json.data[0] == '"')
        return slice_equal(node_string(value), (struct slice){json.data + 1, json.len - 2});
    return slice_is_set(json) && !node_is(value, NODE_STRING) &&
           slice_equal(node_text(value), json);
}

/* A map that must not be empty keeps its default values if it has no other values. */
static void
print_fields(const struct schema *schema, const struct node *map, struct builder *out)
{
    bool keeps_defaults = schema->min_length > 0;

    for (size_t i = 0; keeps_defaults && i < schema->num_fields; i++) {
        const struct schema_row *field = schema_row(schema, i);
        const struct node *value = node_member(map, schema_row_name(field));

        keeps_defaults = !value || print_is_default(schema_of(schema, field), value);
    }

    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_row *field = schema_row(schema, i);
        const struct schema *of_field = schema_of(schema, field);
        const struct node *value = node_member(map, schema_row_name(field));

        if (value && (keeps_defaults || !print_is_default(of_field, value)))
            print_value(of_field, value, out);
    }
}

/*
 * Adds the value to a map, with its own key, or to a list. Recursive; the schema bounds the depth
 * to a few levels.
 */
static void
print_value(const struct schema *schema, const struct node *value, struct builder *parent)
{
    struct slice key = node_key(value);
    struct builder out;

    if (value->kind < NODE_LIST) {
        build_node(parent, key, value);
        return;
    }
    if (value->kind == NODE_LIST)
        out = build_list_member(parent, key);
    else
        out = build_map_member(parent, key);
    if (schema->type == SCHEMA_MAP) {
        const void **members = node_sort(value, node_compare_keys, NULL, out.arena);

        for (size_t i = 0; members && i < value->len; i++)
            print_value(schema->values, members[i], &out);
    } else if (schema->type == SCHEMA_OBJECT) {
        print_fields(schema, value, &out);
    } else {
        for (NODE_EACH(item, value))
            print_value(schema->values, item, &out);
    }
}

const struct node *
policy_canonical(const struct gang_policy *policy, struct arena *arena)
{
    const struct node *spec = node_member(policy->root, SLICE("spec"));
    struct builder document = build_map(arena);
    struct builder metadata;

    build_string(&document, SLICE("apiVersion"), SLICE(GANG_API_VERSION));
    build_string(&document, SLICE("kind"), SLICE(GANG_KIND_POLICY));
    metadata = build_map_member(&document, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), policy->name);
    if (spec)
        print_value(schema_find(policy->schema, SLICE("spec")), spec, &document);
    return arena_failed(arena) ? NULL : document.node;
}

/*
 * Returns `<name>@<hash>`. The hash is the first eight hexadecimal digits of the 64-bit FNV-1a hash
 * of the canonical form as compact JSON. Ends in NUL; unset if out of memory.
 */
static struct slice
policy_make_stamp(const struct gang_policy *policy, struct arena *arena)
{
    const struct node *canonical = policy_canonical(policy, arena);
    struct buffer json = {.workspace = arena->workspace};
    struct slice stamp = NO_SLICE;
    struct slice digits;

    if (!canonical)
        return NO_SLICE;
    json_write(&json, canonical);
    digits = name_with_hash(
        NO_SLICE, (uint32_t)(fnv1a_add(FNV1A_START, (struct slice){json.data, json.len}) >> 32),
        arena);
    if (json.failed)
        arena_fail(arena);
    else
        stamp = ARENA_SLICE(arena, "%.*s@%.*s", SLICE_ARG(policy->name), SLICE_ARG(digits));
    buffer_clear(&json);
    return stamp;
}

/* ---- policy ---- */

/* Defaults have the lowest precedence, so `override: Always` has no effect there. */
static void
policy_check_defaults(struct schema_reader *reader)
{
    const struct gang_policy *policy = policy_in(reader);
    const struct policy_settings *defaults = &policy->defaults;
    const struct node *overrides[] = {
        defaults->override_source,
        defaults->queue.override_source,
        defaults->priority.override_source,
    };

    for (size_t i = 0; i < COUNT_OF(overrides); i++)
        if (schema_word(override_names, overrides[i]) == OVERRIDE_ALWAYS)
            find_forbidden(reader->report, overrides[i], MESSAGE_SETTING_WITHOUT_EFFECT_DEFAULTS);
    if (defaults->backend && policy->default_backend &&
        defaults->backend != policy->default_backend)
        find_note(reader->report, policy->default_backend_source, MESSAGE_IDLE_SETTING_OVERRIDDEN);
}

void
policy_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_policy *policy = (struct gang_policy *)document;
    struct schema_reader reader = {call->arena, &call->report, policy};
    const struct node *spec = node_member(call->root, SLICE("spec"));
    const struct node *namespace_;
    struct object_meta meta;

    policy->root = call->root;
    policy->schema = policy_schema(call->arena);
    if (!policy->schema)
        return;
    schema_check(policy->schema, call->root, &call->report);
    meta = object_meta_read(call->root, NAMES_WRITTEN, &call->report);
    policy->name = meta.name;
    namespace_ = node_member(meta.source, SLICE("namespace"));
    if (namespace_) /* a policy applies to the whole cluster: it would have no effect */
        find_forbidden(&call->report, namespace_, MESSAGE_UNKNOWN_FIELD_POLICY_NAMESPACE);
    object_meta_check_name(&meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, &call->report);
    /* rules, defaults and constraints name backends, so these are read first */
    policy_backends_read(&reader, node_member(spec, SLICE("backends")));
    schema_read(schema_find(policy->schema, SLICE("spec")), spec, policy, &reader);
    policy_check_defaults(&reader);
    policy->filters = rule_filters_make(policy->rules, policy->num_rules, call->arena);
    object_meta_check_labels(policy->output.labels, &call->report);
    object_meta_check_annotations(policy->output.annotations, &call->report);
    output_check_keys(&reader, policy->output.labels);
    output_check_keys(&reader, policy->output.annotations);
    policy_backends_check_use(&reader);
    shadow_check(&reader);
    if (!report_has_errors(&call->report))
        policy->stamp = policy_make_stamp(policy, call->arena);
}

const char *
gang_policy_get_stamp(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? policy_of(document)->stamp.data : NULL;
}

/* ---- policy describe ---- */

/* The kinds of the administrator's documents. */
static const struct describe_kind {
    const char *kind;
    const struct schema *(*schema)(struct arena *arena);
    const struct schema *metadata;
} describe_kinds[] = {
    {GANG_KIND_POLICY, policy_schema, &policy_metadata},
    {GANG_KIND_CLUSTER, cluster_schema, &cluster_metadata},
};

static const struct describe_kind *
describe_find(const char *kind)
{
    for (size_t i = 0; kind && i < COUNT_OF(describe_kinds); i++)
        if (strcmp(describe_kinds[i].kind, kind) == 0)
            return &describe_kinds[i];
    return NULL;
}

bool
policy_is_described(const char *kind)
{
    return describe_find(kind) != NULL;
}

const struct node *
policy_describe(const char *name, struct arena *arena)
{
    const struct describe_kind *kind = describe_find(name);
    const struct schema *schema = kind ? kind->schema(arena) : NULL;
    struct builder document = build_map(arena);
    struct schema described;

    if (!schema)
        return NULL;
    described = policy_with_field(schema, SLICE("metadata"), kind->metadata, arena);
    build_string(&document, SLICE("$schema"),
                 SLICE("https://json-schema.org/draft/2020-12/schema"));
    build_string(&document, SLICE("title"), slice_from_text(kind->kind));
    schema_json_describe(&described, &document);
    return arena_failed(arena) ? NULL : document.node;
}
