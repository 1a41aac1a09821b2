/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/policy/cluster.h"
#include "libgang/policy/policy_schema.h"

/* ---- policy print ---- */

enum { STAMP_DIGITS = 8 };

static void print_value(const struct schema *schema, const struct node *value,
                        struct builder *parent);

/* `text` is the JSON form of a string or of another scalar. */
static bool
print_says(const struct node *value, const char *text)
{
    struct slice json = slice_from_text(text);

    if (json.len >= 2 && json.data[0] == '"')
        return slice_equal(node_string(value), (struct slice){json.data + 1, json.len - 2});
    return !node_is(value, NODE_STRING) && slice_equal(node_text(value), json);
}

static bool
print_is_default(const struct schema_field *field, const struct node *value)
{
    return field->schema->default_text && print_says(value, field->schema->default_text);
}

static bool
print_says_only_defaults(const struct schema *schema, const struct node *map)
{
    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct node *value = node_member(map, schema->fields[i].name);

        if (value && !print_is_default(&schema->fields[i], value))
            return false;
    }
    return true;
}

/* A map that must not be empty keeps its default values if it has no other values. */
static void
print_fields(const struct schema *schema, const struct node *map, struct builder *out)
{
    bool keeps_defaults = schema->min_length > 0 && print_says_only_defaults(schema, map);

    for (size_t i = 0; i < schema->num_fields; i++) {
        const struct schema_field *field = &schema->fields[i];
        const struct node *value = node_member(map, field->name);

        if (value && (keeps_defaults || !print_is_default(field, value)))
            print_value(field->schema, value, out);
    }
}

static int
print_compare_keys(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(node_key(a), node_key(b));
}

static void
print_free_keys(const struct schema *schema, const struct node *map, struct builder *out)
{
    const void **members = arena_array(out->arena, node_count(map) + 1, sizeof(*members));
    const void **scratch = arena_array(out->arena, node_count(map) + 1, sizeof(*scratch));
    size_t count = 0;

    if (!members || !scratch)
        return;
    for (NODE_EACH(member, map))
        members[count++] = member;
    stable_sort(members, scratch, count, print_compare_keys, NULL);
    for (size_t i = 0; i < count; i++)
        print_value(schema->values, members[i], out);
}

static void
print_container(const struct schema *schema, const struct node *value, struct builder *out)
{
    if (schema->type == SCHEMA_OBJECT && schema->values)
        print_free_keys(schema, value, out);
    else if (schema->type == SCHEMA_OBJECT)
        print_fields(schema, value, out);
    else
        for (NODE_EACH(item, value))
            print_value(schema->values, item, out);
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
    print_container(schema, value, &out);
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
        print_value(schema_find_field(policy->schema, SLICE("spec"))->schema, spec, &document);
    return arena_failed(arena) ? NULL : document.node;
}

static struct slice
stamp_text(struct slice name, uint64_t hash, struct arena *arena)
{
    char digits[STAMP_DIGITS + 1] = {0};

    for (size_t i = 0; i < STAMP_DIGITS; i++)
        digits[i] = "0123456789abcdef"[(hash >> (60 - 4 * i)) & 15];
    return slice_from_text(arena_format(arena, "%.*s@%s", SLICE_ARG(name), digits));
}

struct slice
policy_stamp(const struct gang_policy *policy, struct arena *arena)
{
    const struct node *canonical = policy_canonical(policy, arena);
    struct buffer json = {0};
    struct slice stamp = NO_SLICE;

    if (!canonical)
        return NO_SLICE;
    json_write(&json, canonical);
    if (json.failed)
        arena_fail(arena);
    else
        stamp = stamp_text(policy->name,
                           fnv1a_add(FNV1A_START, (struct slice){json.data, json.len}), arena);
    buffer_clear(&json);
    return stamp;
}

/* ---- policy describe ---- */

/*
 * The reader checks metadata by the rules for all objects. These schemas have only the parts that
 * an author needs.
 */
#define DESCRIBE_NAME(text)                                                                        \
    {                                                                                              \
        .type = SCHEMA_STRING, .min_length = 1, .max_length = 253,                                 \
        .pattern = POLICY_SUBDOMAIN_PATTERN, .description = (text)                                 \
    }
static const struct schema describe_policy_name = DESCRIBE_NAME("Name of the policy in messages.");
static const struct schema describe_cluster_name =
    DESCRIBE_NAME("Name of the cluster in messages.");
static const struct schema_field describe_policy_fields[] = {
    {SLICE_INIT("name"), &describe_policy_name, true},
};
static const struct schema_field describe_cluster_fields[] = {
    {SLICE_INIT("name"), &describe_cluster_name, true},
};
static const struct schema describe_policy_metadata = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(describe_policy_fields),
    .open = true,
    .description =
        "Object metadata. A policy applies to the whole cluster, so `namespace` is forbidden.",
};
static const struct schema describe_cluster_metadata = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(describe_cluster_fields),
    .open = true,
    .description = "Object metadata. A cluster has no namespace, so `namespace` is forbidden.",
};

/* The kinds of the administrator's documents. */
static const struct describe_kind {
    const char *kind;
    const struct schema *(*schema)(struct arena *arena);
    const struct schema *metadata;
} describe_kinds[] = {
    {GANG_KIND_POLICY, policy_schema, &describe_policy_metadata},
    {GANG_KIND_CLUSTER, cluster_schema, &describe_cluster_metadata},
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
