/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_SCHEMA_H
#define LIBGANG_POLICY_POLICY_SCHEMA_H

#include "libgang/document/schema.h"

/*
 * Returns the schema of a GangPolicy. The reader, the canonical form, the JSON Schema and the
 * reference all use this table. The catalog supplies the types of backends and their options. NULL
 * if out of memory.
 */
const struct schema *policy_schema(struct arena *arena);
/*
 * Returns a copy with one more field, inserted in the order of names, or with another schema for an
 * existing field.
 */
struct schema policy_with_field(const struct schema *schema, struct slice name,
                                const struct schema *value, struct arena *arena);
/* Returns a copy in the arena; NULL if out of memory, and the arena has then failed. */
const struct schema *policy_keep_schema(struct schema schema, struct arena *arena);

/* The parts of the schema that are defined in settings.c. */
extern const struct schema policy_settings_backend;
extern const struct schema policy_settings_members;
extern const struct schema policy_settings_override;
extern const struct schema policy_settings_priority;
extern const struct schema policy_settings_queue;
extern const struct schema policy_settings_reserve;
extern const struct schema policy_settings_resources;
extern const struct schema policy_settings_timeout;
extern const struct schema policy_settings_topology;
extern const struct schema policy_defaults_schema;
/* The parts of the schema that are defined in rule.c. */
extern const struct schema policy_rules_schema;
extern const struct schema policy_constraints_schema;

#define POLICY_AT_LEAST_ONE .has_minimum = true, .minimum = 1
#define POLICY_SUBDOMAIN_PATTERN                                                                   \
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"

/* Initializers that several schemas share; each schema adds a description. */
#define POLICY_TEXT .type = SCHEMA_STRING, .min_length = 1
#define POLICY_NAME POLICY_TEXT, .pattern = POLICY_SUBDOMAIN_PATTERN
#define POLICY_COUNT .type = SCHEMA_INT32, POLICY_AT_LEAST_ONE
#define POLICY_WORD(words) .type = SCHEMA_STRING, .enumeration = (words)
#define POLICY_SET_OF(items)                                                                       \
    .type = SCHEMA_LIST, .values = &(items), .is_set = true, .min_length = 1
#define POLICY_SELECTOR                                                                            \
    .type = SCHEMA_OBJECT, SCHEMA_FIELDS(label_selector_fields),                                   \
    .form = "{matchLabels: {KEY: VALUE}}", .free_keys = "matchLabels"

/* The key of a list item, which must be unique among backends, rules and constraints. */
extern const char *const policy_item_keys[];

/*
 * Options of a backend that are written in its entry and not in its block of options.
 * NULL-terminated.
 */
extern const char *const policy_entry_options[];

/*
 * Words of the enumerations, each in the order of its enum and NULL-terminated. Those of the
 * compatibility are in policy.h.
 */
extern const char *const runtime_policy_names[];
extern const char *const override_names[];
extern const char *const enforcement_names[];
extern const char *const stamp_names[];
extern const char *const owner_names[];

#define POLICY_TYPE_NONE "None"

enum {
    POLICY_MOST_BACKENDS = 16,
    POLICY_MOST_RULES = 1000,
    POLICY_MOST_SELECTORS = 100,
    POLICY_LONGEST_MESSAGE = 1024,
};

#endif
