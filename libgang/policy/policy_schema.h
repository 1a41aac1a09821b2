/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_SCHEMA_H
#define LIBGANG_POLICY_POLICY_SCHEMA_H

#include "libgang/document/schema.h"
#include "libgang/policy/policy.h"

/*
 * The schema of a GangPolicy states each field once: its type and bounds, default and description,
 * and the struct member that it is read into. The reader, the canonical form, the JSON Schema and
 * the reference all use it. The catalog supplies the types of backends and their options. NULL if
 * out of memory.
 */
const struct schema *policy_schema(struct arena *arena);
extern const struct schema policy_backend_entry; /* without the parts of the catalog */
/* Returns the field of a rule that is a setting; NULL for another field of a rule. */
const struct schema_field *policy_find_setting(struct slice name);

/*
 * Returns a copy with one more field, inserted in the order of names, or with another schema for an
 * existing field.
 */
struct schema policy_with_field(const struct schema *schema, struct slice name,
                                const struct schema *value, struct arena *arena);
/* Returns a copy in the arena; NULL if out of memory, and the arena has then failed. */
const struct schema *policy_keep_schema(struct schema schema, struct arena *arena);

#define POLICY_SUBDOMAIN_PATTERN                                                                   \
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$"
#define POLICY_TYPE_NONE "None"

enum { POLICY_MOST_SELECTORS = 100 };

/* kubernetes/apimachinery:pkg/apis/meta/v1/types.go LabelSelector */
extern const struct schema_field label_selector_fields[2];
extern const char *const override_names[];
extern const char *const rule_action_names[];
/*
 * Options of a backend that are written in its entry and not in its block of options.
 * NULL-terminated.
 */
extern const char *const policy_entry_options[];

/*
 * The readers of values: `read` of a schema. Each reports what the schema cannot express. The
 * document of the reader is the policy, whose backends are read first.
 */
static inline struct gang_policy *
policy_in(const struct schema_reader *reader)
{
    return reader->document;
}
#define POLICY_READ(name)                                                                          \
    void name(const struct schema *schema, const struct node *source, void *value,                 \
              struct schema_reader *reader)
POLICY_READ(policy_read_name);    /* a struct slice */
POLICY_READ(policy_read_backend); /* the enabled backend of that name; NULL if there is none */
POLICY_READ(queue_read);
POLICY_READ(topology_read);
POLICY_READ(settings_read_defaults);
POLICY_READ(label_selector_read);
POLICY_READ(rule_read_backends); /* this and the next five: struct rule_texts */
POLICY_READ(rule_read_class_names);
POLICY_READ(rule_read_label_globs);
POLICY_READ(rule_read_label_values);
POLICY_READ(rule_read_resource_names);
POLICY_READ(rule_read_subdomain_globs);
POLICY_READ(rule_read_kueue);
POLICY_READ(rule_read_match);
POLICY_READ(rule_read);
POLICY_READ(constraint_read);

/* Completes settings that schema_read() has read. */
void settings_complete(struct policy_settings *settings, struct schema_reader *reader);
/* Returns the first setting of the block, for a rule without a gang; NULL if there is none. */
const struct node *settings_first_field(const struct node *block);
/* Reports a match and an exclude with more entries than a rule may have. */
void rule_check_entries(const struct node *source, const struct policy_match *match,
                        const struct policy_match *exclude, struct report *report);

/* Reads `spec.backends`, and applies the default if it is absent. */
void policy_backends_read(struct schema_reader *reader, const struct node *list);
/*
 * Must be called after the rest of the policy is read. Warns about a backend that nothing can
 * choose, about two backends with the same schedulerName, and about a setting that no backend has.
 * Reports nothing after an error, because the error may hide what chooses a backend.
 */
void policy_backends_check_use(struct schema_reader *reader);

/*
 * The maximum number of steps for one policy, so that comparing each rule with all earlier rules
 * takes less than 5 ms. A step is at most about 13 instructions: of all policies that were
 * measured, the slowest took 17 million. 1000 rules with one namespace or one label each take 6 to
 * 11 million and end within the steps.
 */
enum { SHADOW_MOST_STEPS = 5 * 256 * 1024 };

/*
 * Whether `wide` matches every job that `narrow` matches. Never true by mistake; false may also
 * mean unknown. Subtracts its steps from `steps`, and returns false if none are left.
 */
bool shadow_covers(const struct policy_match *wide, const struct policy_match *narrow,
                   size_t *steps);

/*
 * Warns about rules and constraints that no job can match, because their own exclude or one earlier
 * rule covers all their jobs, and about a rule without `match`. Also warns about a rule's backend,
 * queue or priority class that a constraint denies for all its jobs. Reports nothing after an
 * error.
 */
void shadow_check(struct schema_reader *reader);

#endif
