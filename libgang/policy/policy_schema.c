/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

const char *const compatibility_names[] = {"None", "KubeflowTrainer", NULL};
const char *const override_names[] = {"IfUnset", "Always", NULL};
const char *const rule_action_names[] = {"Gang", "Skip", "Deny", NULL};
const char *const policy_entry_options[] = {"podGroup", NULL};

const struct schema *
policy_find_setting(struct slice name)
{
    const struct schema *setting = schema_find(&policy_rule_schema, name);
    const size_t at = setting ? setting->at : 0;
    const size_t start = offsetof(struct policy_rule, settings);

    return at > start && at <= start + sizeof(struct policy_settings) ? setting : NULL;
}

/* ---- parts from the catalog ---- */

static struct schema_field
policy_field(struct slice name, const struct schema *schema, bool is_required)
{
    return (struct schema_field){
        .row = {.name_len = (uint8_t)name.len, .required = is_required}, name.data, schema};
}

/* The field with this number as it is in a table that is not packed. */
static struct schema_field
policy_field_of(const struct schema *schema, size_t number)
{
    const struct schema_row *row = schema_row(schema, number);

    return policy_field(schema_row_name(row), schema_of(schema, row), row->required);
}

static void
policy_set_fields(struct schema *schema, const struct schema_field *fields, size_t count)
{
    schema->rows = &fields->row;
    schema->row_size = sizeof(*fields);
    schema->num_fields = (uint16_t)count;
}

struct schema
policy_with_field(const struct schema *schema, struct slice name, const struct schema *value,
                  struct arena *arena)
{
    struct schema_field *fields = arena_array(arena, schema->num_fields + 1, sizeof(*fields));
    struct schema copy = *schema;
    size_t count = 0;
    size_t at = 0;
    bool is_there;

    if (!fields || !value)
        return copy;
    for (; at < schema->num_fields; at++) {
        if (slice_compare(schema_row_name(schema_row(schema, at)), name) >= 0)
            break;
        fields[count++] = policy_field_of(schema, at);
    }
    is_there =
        at < schema->num_fields && slice_equal(schema_row_name(schema_row(schema, at)), name);
    fields[count++] = policy_field(name, value, is_there && schema_row(schema, at)->required);
    for (at += is_there; at < schema->num_fields; at++)
        fields[count++] = policy_field_of(schema, at);
    policy_set_fields(&copy, fields, count);
    return copy;
}

const struct schema *
policy_keep_schema(struct schema schema, struct arena *arena)
{
    struct schema *kept = arena_alloc(arena, sizeof(*kept));

    if (kept)
        *kept = schema;
    return kept;
}

struct schema
policy_part(const struct schema *whole, struct slice name)
{
    return *schema_find(whole, name);
}

static const struct schema *
policy_type_schema(struct arena *arena)
{
    struct schema schema = policy_part(&policy_backend_entry, SLICE("type"));
    const size_t count = CATALOG_COUNT;
    const char **names = arena_array(arena, count + 2, sizeof(*names));

    for (size_t i = 0; names && i < count; i++)
        names[i] = catalog[i]->type.data;
    if (names)
        names[count] = POLICY_TYPE_NONE;
    schema.enumeration = names;
    return policy_keep_schema(schema, arena);
}

static const struct schema *
policy_entry_schema(struct arena *arena)
{
    struct schema entry =
        policy_with_field(&policy_backend_entry, SLICE("type"), policy_type_schema(arena), arena);
    struct schema schema = policy_part(&policy_backend_entry, SLICE("schedulerName"));
    const struct schema *schema_of_option;
    struct schema_own *own = arena_alloc(arena, sizeof(*own));
    const char *list = "";

    if (!own)
        return NULL;
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        list = arena_format(arena, "%s%s`%.*s` for %.*s", list, i ? ", " : "",
                            SLICE_ARG(catalog[i]->scheduler_name), SLICE_ARG(catalog[i]->type));
    *own = *schema.own;
    own->description = arena_format(arena, "%s Default by type: %s.", own->description, list);
    schema.own = own;
    entry =
        policy_with_field(&entry, SLICE("schedulerName"), policy_keep_schema(schema, arena), arena);
    for (size_t i = 0; i < CATALOG_COUNT; i++) {
        const struct descriptor *descriptor = catalog[i];

        if (!descriptor->options)
            continue;
        entry = policy_with_field(&entry, descriptor->name, descriptor->options, arena);
        for (const char *const *name = policy_entry_options; *name; name++) {
            schema_of_option = schema_find(descriptor->options, slice_from_text(*name));
            if (schema_of_option)
                entry = policy_with_field(&entry, slice_from_text(*name), schema_of_option, arena);
        }
    }
    return policy_keep_schema(entry, arena);
}

const struct schema *
policy_schema(struct arena *arena)
{
    struct schema spec = policy_part(&policy_document, SLICE("spec"));
    struct schema backends = policy_part(&spec, SLICE("backends"));
    struct schema defaults = policy_part(&spec, SLICE("defaults"));
    struct schema_field *fields;
    size_t count = 0;
    const struct schema *document;

    backends.values = policy_entry_schema(arena);
    spec = policy_with_field(&spec, SLICE("backends"), policy_keep_schema(backends, arena), arena);
    /* What a rule reads into its settings is a field of `spec.defaults`, too. */
    fields = arena_array(arena, policy_rule_schema.num_fields, sizeof(*fields));
    for (size_t i = 0; fields && i < policy_rule_schema.num_fields; i++)
        if (policy_find_setting(schema_row_name(schema_row(&policy_rule_schema, i))))
            fields[count++] = policy_field_of(&policy_rule_schema, i);
    if (fields)
        policy_set_fields(&defaults, fields, count);
    spec = policy_with_field(&spec, SLICE("defaults"), policy_keep_schema(defaults, arena), arena);
    document = policy_keep_schema(
        policy_with_field(&policy_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
