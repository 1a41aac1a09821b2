/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_H
#define LIBGANG_POLICY_POLICY_H

#include "libgang/catalog/catalog.h"
#include "libgang/catalog/job_names.h"
#include "libgang/document/document.h"
#include "libgang/document/schema.h"
#include "libgang/gang/gang.h"
#include "libgang/kube/names.h"

/* ---- names and labels ---- */

/*
 * Patterns for names: `*` matches any text, including the empty one; every other character matches
 * itself. Case-sensitive.
 */
enum { GLOB_LONGEST = 253 };

/*
 * Takes at most length of glob times length of text steps, and usually only the sum of both
 * lengths.
 */
bool glob_matches(struct slice glob, struct slice text);

/* Whether `wide` matches every name that `narrow` matches. */
bool glob_covers(struct slice wide, struct slice narrow);

/* Whether any name matches both globs. */
bool globs_meet(struct slice a, struct slice b);

enum label_operator { LABEL_IN, LABEL_NOT_IN, LABEL_EXISTS, LABEL_DOES_NOT_EXIST };

/* One condition on a label; an entry of matchLabels is an In with one value. */
struct label_requirement {
    struct slice key;
    enum label_operator operator_;
    const struct slice *values;
    size_t count;
};

/*
 * Kubernetes' LabelSelector: every requirement must be satisfied. An empty selector selects
 * everything, as in Kubernetes.
 */
struct label_selector {
    const struct node *source; /* NULL if absent: selects everything */
    const struct label_requirement *requirements;
    size_t count;
};

/* `labels` is the map of an object's labels; NULL if absent. */
bool label_selector_matches(const struct label_selector *selector, const struct node *labels);

/* Returns the number of labels, expressions and values. */
size_t label_selector_entries(const struct label_selector *selector);

/* True only if `wide` selects every object that `narrow` selects; false may also mean unknown. */
bool label_selector_covers(const struct label_selector *wide, const struct label_selector *narrow);

/* ---- settings ---- */

/* Whether a value of the runtime or the TrainJob has precedence over this value. */
enum policy_override { OVERRIDE_IF_UNSET, OVERRIDE_ALWAYS };

enum queue_choice {
    QUEUE_UNSET,
    QUEUE_NAME,
    QUEUE_FROM_NAMESPACE,
    QUEUE_FROM_LABEL,
    QUEUE_FROM_NAMESPACE_LABEL,
};

struct policy_queue {
    enum queue_choice choice;
    struct slice name;   /* QUEUE_NAME */
    struct slice key;    /* QUEUE_FROM_LABEL, QUEUE_FROM_NAMESPACE_LABEL: of the job or namespace */
    struct slice prefix; /* for every choice but QUEUE_NAME; may be empty */
    enum policy_override override;
    const struct node *override_source; /* NULL: that of the block */
    const struct node *source;          /* NULL if unset */
};

struct policy_priority {
    struct slice name;
    enum policy_override override;
    const struct node *override_source; /* as in a queue */
    const struct node *source;          /* NULL if unset */
};

struct policy_topology {
    struct slice mode;
    struct slice level;
    const struct node *source; /* NULL if unset */
};

/*
 * The settings of a rule or of the policy's defaults. A setting is unset if its source is NULL. One
 * `override` applies to backend, timeout, members and topology. Queue and priority may have their
 * own; otherwise they inherit that of the block, so that `override: Always` in a block with a queue
 * also applies to the queue.
 */
struct policy_settings {
    const struct policy_backend *backend;
    const struct node *backend_source;
    struct policy_queue queue;
    struct policy_priority priority;
    int64_t timeout_seconds;
    const struct node *timeout_source;
    enum gang_members members;
    const struct node *members_source;
    enum gang_resources resources;
    const struct node *resources_source;
    enum gang_reserve reserve;
    const struct node *reserve_source;
    struct policy_topology topology;
    enum policy_override override;
    const struct node *override_source; /* NULL if the default applies */
};

/* ---- rules ---- */

enum rule_action { RULE_GANG, RULE_SKIP, RULE_DENY };
enum rule_kueue { KUEUE_ANY, KUEUE_MANAGED, KUEUE_UNMANAGED };

/* The texts of a list, in one block; NULL and 0 if the field is absent, which matches any text. */
struct rule_texts {
    const struct slice *items;
    size_t count;
};

struct policy_bound {
    int64_t value;
    const struct node *source; /* NULL if unset */
};

/* Every field that is set must match. */
struct policy_match {
    /*
     * The kinds of job that can match: those of the field `kinds`, and of the fields that only jobs
     * of some kinds have.
     */
    job_kind_set kinds;
    struct rule_texts namespaces; /* globs: name characters and `*` */
    struct rule_texts runtimes;   /* globs */
    struct label_selector namespace_selector;
    struct label_selector object_selector; /* of a job of any kind */
    struct label_selector trainjob_selector;
    struct label_selector runtime_selector;
    struct label_selector podgang_selector; /* only PodGangs have these labels */
    struct rule_texts frameworks;           /* the runtime's label trainer.kubeflow.org/framework */
    struct rule_texts resources;            /* matches if the job requests any of them */
    struct policy_bound min_nodes;          /* of a TrainJob; pods of the gang of another job */
    struct policy_bound max_nodes;
    enum rule_kueue kueue;
    const struct node *source; /* NULL if absent */
};

/* The fields of a match. */
enum {
    RULE_KINDS,
    RULE_KUEUE,
    RULE_FRAMEWORKS,
    RULE_MAX_NODES,
    RULE_MIN_NODES,
    RULE_NAMESPACES,
    RULE_RUNTIMES,
    RULE_RESOURCES,
    RULE_NAMESPACE_SELECTOR,
    RULE_OBJECT_SELECTOR,
    RULE_RUNTIME_SELECTOR,
    RULE_TRAINJOB_SELECTOR,
    RULE_PODGANG_SELECTOR,
    RULE_FIELD_COUNT
};

struct rule_field {
    struct slice name;
    enum { RULE_VALUE, RULE_GLOBS, RULE_LIST, RULE_LABELS } type;
    size_t at; /* offset and size of the member of struct policy_match */
    size_t size;
    job_kind_set kinds;         /* only jobs of these kinds have what it selects by */
    job_kind_set without_kinds; /* the same in a match without `kinds` */
};
extern const struct rule_field rule_fields[RULE_FIELD_COUNT];

static inline const void *
rule_field_of(const struct policy_match *match, size_t field)
{
    return (const char *)match + rule_fields[field].at;
}

struct policy_rule {
    struct slice name;
    struct policy_match match;
    struct policy_match exclude; /* ignored if its source is NULL */
    enum rule_action action;
    struct slice message; /* for Deny and Skip; unset if absent */
    struct policy_settings settings;
    bool is_strict; /* a setting has `override: Always` */
    const struct node *source;
};

bool rule_texts_match(const struct rule_texts *globs, struct slice name);
bool rule_texts_have(const struct rule_texts *texts, struct slice text);
struct rule_texts rule_texts_of(const struct node *list, struct arena *arena);

/* Returns the first field that excludes all of these kinds; the match itself if none does. */
const struct node *rule_field_against(const struct policy_match *match, job_kind_set kinds);

/* ---- constraints ---- */

enum constraint_enforcement { ENFORCEMENT_DENY, ENFORCEMENT_WARN };

/* A check for gangs. A constraint never chooses a value. */
struct policy_constraint {
    struct slice name;
    struct policy_match match;
    struct policy_match exclude; /* ignored if its source is NULL */
    struct rule_texts allowed_backends;
    struct rule_texts allowed_queues; /* globs */
    struct rule_texts allowed_priority_class_names;
    const struct node *max_members_source; /* NULL if unset; also for the next two fields */
    int64_t max_members;
    const struct node *min_timeout_source;
    int64_t min_timeout_seconds;
    const struct node *max_timeout_source;
    int64_t max_timeout_seconds;
    const struct node *require_queue_source; /* set if the value is true */
    const struct node *must_fit_source;      /* NULL if unset */
    enum constraint_enforcement reserved_keys;
    const struct node *reserved_keys_source; /* NULL: always Deny */
    enum constraint_enforcement enforcement;
    const struct node *source;
};

/* ---- the policy ---- */

/* One entry of `backends[]`: a scheduler that the administrator enables. */
struct policy_backend {
    struct slice name;
    const struct descriptor *descriptor; /* NULL for the type None: no gang */
    struct slice scheduler_name;         /* from the policy, else from the descriptor */
    struct slice api_version;            /* unset: chosen from the cluster facts */
    struct policy_settings settings;     /* only its queue and priority; no job is overridden */
    /* the block with the type in lower case; NULL: every option has its default */
    const struct node *options;
    const struct node *source;
};

/* How libgang uses a runtime's podGroupPolicy. */
enum runtime_policy { RUNTIME_POLICY_HONOR, RUNTIME_POLICY_REQUIRE, RUNTIME_POLICY_IGNORE };

/* Metadata for the rendered objects. */
struct policy_output {
    const struct node *labels; /* NULL if absent */
    const struct node *annotations;
    enum { STAMP_NONE, STAMP_ANNOTATION } policy_stamp; /* POLICY_STAMP_KEY: `<name>@<hash>` */
    enum { OWNER_IF_UID, OWNER_NEVER } omits_owner;
    const struct node *source;
};

/*
 * A GangPolicy: the decisions of the administrator. Read in strict mode: an unknown field refuses
 * the policy.
 */
struct gang_policy {
    struct gang_document document;
    struct slice name; /* ends in NUL, because a getter returns it */
    const struct node *root;
    /* of the root, including the options of the backends in this build */
    const struct schema *schema;
    enum gang_compatibility compatibility;
    const struct node *compatibility_source; /* NULL if the default applies */

    bool lists_backends; /* false if absent: every backend is enabled */
    struct policy_backend *backends;
    size_t num_backends;
    bool has_entry_settings; /* an entry of the backends has a queue or a priority class */
    const struct policy_backend *default_backend; /* NULL if there is none */
    const struct node *default_backend_source;
    enum runtime_policy runtime_policy;
    const struct node *runtime_policy_source;
    struct policy_settings defaults;
    struct policy_rule *rules; /* the first rule that matches applies */
    size_t num_rules;
    const struct rule_filter *filters;     /* of the rules */
    struct policy_constraint *constraints; /* every constraint that matches is checked */
    size_t num_constraints;
    struct policy_output output;
    struct slice stamp; /* <name>@<hash>; becomes an annotation only if the output enables it */
};

/* Returns the compiled document; NULL if the document is of another kind. */
static inline const struct gang_policy *
policy_of(const struct gang_document *document)
{
    return document_is(document, GANG_DOCUMENT_POLICY) ? (const struct gang_policy *)document
                                                       : NULL;
}

void policy_compile(struct gang_document *document, struct parse_call *call);

extern const char *const compatibility_names[];

#define POLICY_STAMP_KEY "policy.libgang.dev/policy"

/* ---- the canonical form ---- */

/*
 * Returns the canonical form of the policy: fields sorted by name, without null values and without
 * values equal to their default; metadata has only the name. It does not depend on the order of
 * keys or on the format (JSON or YAML) of the source, and reading it gives an equal policy. Borrows
 * texts of the policy. NULL if out of memory.
 */
const struct node *policy_canonical(const struct gang_policy *policy, struct arena *arena);

/*
 * Whether the kind is one of the administrator's documents, and its JSON Schema; NULL for another
 * kind, or if out of memory.
 */
bool policy_is_described(const char *kind);
const struct node *policy_describe(const char *kind, struct arena *arena);

/* ---- rules that cannot match ---- */

/*
 * Words of a name, each with eight bytes as one number: three words from its start, and one with
 * its last bytes. Padded with zeros after the end of the name.
 */
enum rule_word {
    RULE_NAMESPACE_START,
    RULE_NAMESPACE_MIDDLE,
    RULE_NAMESPACE_THIRD,
    RULE_NAMESPACE_END,
    RULE_RUNTIME_START,
    RULE_RUNTIME_MIDDLE,
    RULE_RUNTIME_THIRD,
    RULE_RUNTIME_END,
    RULE_FRAMEWORK_END,
    RULE_WORD_COUNT
};

/* The bytes of one word that a pattern requires; a mask of 0 requires none. */
struct rule_probe {
    uint64_t bytes;
    uint64_t mask;
    uint64_t word; /* enum rule_word */
};

enum { RULE_PROBES = 2 };

/*
 * A fast test whether a rule cannot match a job, for policies with many rules. Computed once, when
 * the policy is read. A rule cannot match if no probe fits, or if one of the other fields does not
 * fit.
 */
struct rule_filter {
    struct rule_probe probes[RULE_PROBES];
    bool has_second;
    int64_t min_nodes;
    int64_t max_nodes;
    bool takes_managed; /* jobs that Kueue manages */
    bool takes_unmanaged;
    bool needs_label; /* a job without labels cannot match */
    job_kind_set kinds;
};

/* The same data for a job. */
struct rule_keys {
    uint64_t words[RULE_WORD_COUNT];
    int64_t nodes;
    bool is_managed;
    bool has_labels;
    bool has_namespace; /* if false, no rule is excluded */
    job_kind_set kinds;
};

struct rule_filter rule_filter_of(const struct policy_match *match);

/* Returns one filter for each rule; NULL if there are no rules or no memory. */
const struct rule_filter *rule_filters_make(const struct policy_rule *rules, size_t count,
                                            struct arena *arena);

/* Sets the words of the names; an unset name counts as empty. */
void rule_keys_name(struct rule_keys *keys, struct slice namespace_, struct slice runtime,
                    struct slice framework);

/*
 * Returns the index of the first rule, from `from` on, that can match the job; the skipped rules
 * cannot. Returns `count` if there is none.
 */
size_t rule_filters_next(const struct rule_filter *filters, size_t from, size_t count,
                         const struct rule_keys *keys);

/* ---- how the documents of the administrator are read ---- */

/*
 * The schema of a GangPolicy states each field once: its type and bounds, default and description,
 * and the struct member that it is read into. The reader, the canonical form, the JSON Schema and
 * the reference all use it. The catalog supplies the types of backends and their options. NULL if
 * out of memory.
 */
const struct schema *policy_schema(struct arena *arena);
/* The tables of schema/gangpolicy.yaml, without the parts of the catalog. */
extern const struct schema policy_document;
extern const struct schema policy_rule_schema;
extern const struct schema policy_backend_entry;
extern const struct schema policy_metadata; /* the parts of `metadata` that an author needs */
/* Returns the schema of a field of a rule that is a setting; NULL for another field of a rule. */
const struct schema *policy_find_setting(struct slice name);

/*
 * Returns a copy with one more field, inserted in the order of names, or with another schema for an
 * existing field.
 */
struct schema policy_with_field(const struct schema *schema, struct slice name,
                                const struct schema *value, struct arena *arena);
/* Returns the schema of a field that the whole has. */
struct schema policy_part(const struct schema *whole, struct slice name);
/* Returns a copy in the arena; NULL if out of memory, and the arena has then failed. */
const struct schema *policy_keep_schema(struct schema schema, struct arena *arena);

#define POLICY_TYPE_NONE "None"

enum { POLICY_MOST_SELECTORS = 100 };

extern const char *const label_operator_names[]; /* in the order of enum label_operator */
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
SCHEMA_READ(policy_read_name);    /* a struct slice */
SCHEMA_READ(policy_read_backend); /* the enabled backend of that name; NULL if there is none */
SCHEMA_READ(queue_read);
SCHEMA_READ(topology_read);
SCHEMA_READ(settings_read_defaults);
SCHEMA_READ(label_selector_read);
SCHEMA_READ(rule_read_backends); /* this and the next five: struct rule_texts */
SCHEMA_READ(rule_read_class_names);
SCHEMA_READ(rule_read_label_globs);
SCHEMA_READ(rule_read_label_values);
SCHEMA_READ(rule_read_resource_names);
SCHEMA_READ(rule_read_subdomain_globs);
SCHEMA_READ(rule_read_kueue);
SCHEMA_READ(rule_read_match);
SCHEMA_READ(rule_read);
SCHEMA_READ(constraint_read);
/* Of a GangCluster. */
SCHEMA_READ(cluster_read_amounts);
SCHEMA_READ(cluster_read_group_version);
SCHEMA_READ(cluster_read_label);
SCHEMA_READ(cluster_read_labels);
SCHEMA_READ(cluster_read_limit_range);
SCHEMA_READ(cluster_read_map);
SCHEMA_READ(cluster_read_resources);
SCHEMA_READ(cluster_read_runtime_class);
SCHEMA_READ(cluster_read_text);

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
