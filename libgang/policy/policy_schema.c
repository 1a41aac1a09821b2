/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

const char *const compatibility_names[] = {"None", "KubeflowTrainer", NULL};
const char *const override_names[] = {"IfUnset", "Always", NULL};
const char *const rule_action_names[] = {"Gang", "Skip", "Deny", NULL};
const char *const policy_entry_options[] = {"podGroup", NULL};

const struct schema_field *
policy_find_setting(struct slice name)
{
    const struct schema_field *field = schema_find_field(&policy_rule_schema, name);
    const size_t at = field ? field->schema->at : 0;
    const size_t start = offsetof(struct policy_rule, settings);

    return at > start && at <= start + sizeof(struct policy_settings) ? field : NULL;
}

/* ---- parts from the catalog ---- */

struct schema
policy_with_field(const struct schema *schema, struct slice name, const struct schema *value,
                  struct arena *arena)
{
    struct schema_field *fields = arena_array(arena, schema->num_fields + 1, sizeof(*fields));
    struct schema copy = *schema;
    size_t at = 0;

    if (!fields || !value)
        return copy;
    while (at < schema->num_fields && slice_compare(schema->fields[at].name, name) < 0)
        at++;
    copy.num_fields += at == schema->num_fields || !slice_equal(schema->fields[at].name, name);
    memcpy(fields, schema->fields, at * sizeof(*fields));
    memcpy(fields + at + copy.num_fields - schema->num_fields, schema->fields + at,
           (schema->num_fields - at) * sizeof(*fields));
    fields[at].required = copy.num_fields == schema->num_fields && schema->fields[at].required;
    fields[at].name = name;
    fields[at].schema = value;
    copy.fields = fields;
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
    return *schema_find_field(whole, name)->schema;
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

static struct schema
policy_with_entry_options(struct schema entry, const struct descriptor *descriptor,
                          struct arena *arena)
{
    for (const char *const *name = policy_entry_options; *name; name++) {
        const struct schema_field *field =
            schema_find_field(descriptor->options, slice_from_text(*name));

        if (field)
            entry = policy_with_field(&entry, field->name, field->schema, arena);
    }
    return entry;
}

static const struct schema *
policy_entry_schema(struct arena *arena)
{
    struct schema entry =
        policy_with_field(&policy_backend_entry, SLICE("type"), policy_type_schema(arena), arena);
    struct schema schema = policy_part(&policy_backend_entry, SLICE("schedulerName"));
    const char *list = "";

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        list = arena_format(arena, "%s%s`%.*s` for %.*s", list, i ? ", " : "",
                            SLICE_ARG(catalog[i]->scheduler_name), SLICE_ARG(catalog[i]->type));
    schema.description = arena_format(arena, "%s Default by type: %s.", schema.description, list);
    entry =
        policy_with_field(&entry, SLICE("schedulerName"), policy_keep_schema(schema, arena), arena);
    for (size_t i = 0; i < CATALOG_COUNT; i++) {
        const struct descriptor *descriptor = catalog[i];

        if (!descriptor->options)
            continue;
        entry = policy_with_field(&entry, descriptor->name, descriptor->options, arena);
        entry = policy_with_entry_options(entry, descriptor, arena);
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
    const struct schema *document;

    backends.values = policy_entry_schema(arena);
    spec = policy_with_field(&spec, SLICE("backends"), policy_keep_schema(backends, arena), arena);
    /* What a rule reads into its settings is a field of `spec.defaults`, too. */
    fields = arena_array(arena, policy_rule_schema.num_fields, sizeof(*fields));
    for (size_t i = 0; fields && i < policy_rule_schema.num_fields; i++)
        if (policy_find_setting(policy_rule_schema.fields[i].name))
            fields[defaults.num_fields++] = policy_rule_schema.fields[i];
    defaults.fields = fields;
    spec = policy_with_field(&spec, SLICE("defaults"), policy_keep_schema(defaults, arena), arena);
    document = policy_keep_schema(
        policy_with_field(&policy_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
