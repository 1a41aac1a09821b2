/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "libgang/policy/policy.h"

/* ---- what the schema cannot express ---- */

SCHEMA_READ(cluster_read_label)
{
    *(struct slice *)value = node_string(source);
    name_check_node(source, NAME_DNS1123_LABEL, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

/* The words of an enumeration are not those of an enum. */
SCHEMA_READ(cluster_read_text)
{
    *(struct slice *)value = node_string(source);
}

SCHEMA_READ(cluster_read_labels)
{
    *(const struct node **)value = source;
    object_meta_check_labels(source, reader->report);
}

/* Only the amount of a resource that a job requests is used, so the amounts are read when needed.
 */
SCHEMA_READ(cluster_read_amounts)
{
    *(const struct node **)value = source;
    resource_list_read(source, reader->report);
}

/* Used as it stands. */
SCHEMA_READ(cluster_read_map)
{
    *(const struct node **)value = source;
}

SCHEMA_READ(cluster_read_resources)
{
    *(const struct node **)value = source;
    for (NODE_EACH(resource, source))
        name_check_node(resource, NAME_DNS1035_LABEL, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

/*
 * "v1" (core group) or "group/version". Source: kubernetes/apimachinery:pkg/runtime/schema
 * ParseGroupVersion
 */
static bool
cluster_is_group_version(struct slice text)
{
    const struct slice group = slice_before(text, '/');

    if (group.len == text.len)
        return name_is_valid(NAME_DNS1035_LABEL, text);
    return name_is_valid(NAME_DNS1123_SUBDOMAIN, group) &&
           name_is_valid(NAME_DNS1035_LABEL, slice_after(text, group.len + 1));
}

SCHEMA_READ(cluster_read_group_version)
{
    const struct slice text = node_string(source);

    *(struct slice *)value = text;
    if (text.len && !cluster_is_group_version(text))
        find_invalid(reader->report, source, MESSAGE_PATTERN_MISMATCH_GROUP_VERSION);
}

SCHEMA_READ(cluster_read_runtime_class)
{
    struct slice name = NO_SLICE;

    *(struct runtime_class *)value = runtime_class_read(source, reader->report);
    policy_read_name(schema, node_member(source, SLICE("name")), &name, reader);
}

/* kubernetes/kubernetes:pkg/apis/core/validation ValidateLimitRange */
SCHEMA_READ(cluster_read_limit_range)
{
    static const struct slice defaults[] = {SLICE_INIT("default"), SLICE_INIT("defaultRequest")};
    struct slice name = NO_SLICE;

    *(struct limit_range *)value = limit_range_read(source, reader->report);
    policy_read_name(schema, node_member(source, SLICE("name")), &name, reader);
    cluster_read_label(schema, node_member(source, SLICE("namespace")), &name, reader);
    for (NODE_EACH(limit, node_member(source, SLICE("limits"))))
        for (size_t i = 0; i < COUNT_OF(defaults); i++)
            if (slice_equal(node_string(node_member(limit, SLICE("type"))), SLICE("Pod")) &&
                node_count(node_member(limit, defaults[i])))
                find_forbidden(reader->report, node_member(limit, defaults[i]),
                               MESSAGE_UNKNOWN_FIELD_OF_PODS);
}

/* ---- parts from the catalog ---- */

static int
cluster_compare_words(const void *a, const void *b, const void *context)
{
    (void)context;
    return strcmp(a, b);
}

/* Sorts words of the catalog. */
static const struct schema *
cluster_enumeration(struct schema schema, const void **words, size_t count, struct arena *arena)
{
    const char **names = arena_array(arena, count + 1, sizeof(*names));

    if (!words || !names || !stable_sort(words, count, cluster_compare_words, NULL, arena))
        return NULL;
    for (size_t i = 0; i < count; i++)
        names[i] = words[i];
    schema.enumeration = names;
    return policy_keep_schema(schema, arena);
}

/* The types of the backends whose queues the facts describe. */
static const struct schema *
cluster_queue_type(const struct schema *queue, struct arena *arena)
{
    const void **types = arena_array(arena, CATALOG_COUNT, sizeof(*types));
    size_t count = 0;

    for (size_t i = 0; types && i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->queue_parent) || catalog[i]->configures_queues)
            types[count++] = catalog[i]->type.data;
    return cluster_enumeration(policy_part(queue, SLICE("type")), types, count, arena);
}

const struct schema *
cluster_schema(struct arena *arena)
{
    static const struct schema version = {.type = SCHEMA_STRING, .min_length = 1};
    struct schema spec = policy_part(&cluster_document, SLICE("spec"));
    struct schema components = policy_part(&spec, SLICE("components"));
    struct schema list = policy_part(&spec, SLICE("podTemplateFields"));
    struct schema queues = policy_part(&spec, SLICE("queues"));
    struct schema queue = *queues.values;
    const struct schema *document;
    const void **fields;
    size_t count = 0;
    size_t marks = 0;

    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        if (slice_is_set(cluster_component_name(i)))
            components = policy_with_field(&components, cluster_component_name(i), &version, arena);
    spec =
        policy_with_field(&spec, SLICE("components"), policy_keep_schema(components, arena), arena);
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        marks += catalog[i]->num_marks;
    fields = arena_array(arena, marks, sizeof(*fields));
    for (size_t i = 0; fields && i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++)
            if (catalog[i]->marks[k].place == MARK_POD_FIELD)
                fields[count++] = catalog[i]->marks[k].key.data;
    list.values = cluster_enumeration(*list.values, fields, count, arena);
    spec = policy_with_field(&spec, SLICE("podTemplateFields"), policy_keep_schema(list, arena),
                             arena);
    queue = policy_with_field(&queue, SLICE("type"), cluster_queue_type(&queue, arena), arena);
    queues.values = policy_keep_schema(queue, arena);
    spec = policy_with_field(&spec, SLICE("queues"), policy_keep_schema(queues, arena), arena);
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (catalog[i]->facts)
            spec = policy_with_field(&spec, catalog[i]->name, catalog[i]->facts, arena);
    document = policy_keep_schema(
        policy_with_field(&cluster_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
