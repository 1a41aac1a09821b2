/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_schema.h"

#include "libgang/policy/policy.h"

const char *const compatibility_names[] = {"None", "KubeflowTrainer", NULL};
const char *const runtime_policy_names[] = {"Honor", "Require", "Ignore", NULL};
const char *const stamp_names[] = {"None", "Annotation", NULL};
const char *const owner_names[] = {"IfUID", "Never", NULL};

const char *const policy_item_keys[] = {"name", NULL};
const char *const policy_entry_options[] = {"podGroup", NULL};

/* ---- output ---- */

static const struct schema policy_output_text = {.type = SCHEMA_STRING,
                                                 .description = "The value."};
static const struct schema policy_output_labels = {
    .type = SCHEMA_OBJECT,
    .values = &policy_output_text,
    .description = "Labels on every rendered object.",
    .form = "a mapping of keys to values",
};
static const struct schema policy_output_annotations = {
    .type = SCHEMA_OBJECT,
    .values = &policy_output_text,
    .description = "Annotations on every rendered object.",
    .form = "a mapping of keys to values",
};
static const struct schema policy_output_stamp = {
    POLICY_WORD(stamp_names), .default_text = "\"None\"",
    .description = "`Annotation`: add the annotation `policy.libgang.dev/policy: NAME@HASH`, which "
                   "identifies the policy, to every rendered object."};
static const struct schema policy_output_owner = {
    POLICY_WORD(owner_names), .default_text = "\"IfUID\"",
    .description =
        "`IfUID`: objects have an owner reference to the job if the uid of the job is known; "
        "`Never`: objects have no owner reference."};
static const struct schema_field policy_output_fields[] = {
    {SLICE_INIT("annotations"), &policy_output_annotations, false},
    {SLICE_INIT("labels"), &policy_output_labels, false},
    {SLICE_INIT("ownerReferences"), &policy_output_owner, false},
    {SLICE_INIT("policyStamp"), &policy_output_stamp, false},
};
static const struct schema policy_output = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_output_fields),
    .description = "Metadata for the rendered objects.",
};

/* ---- backends ---- */

static const struct schema policy_backend_name = {
    POLICY_NAME, .description = "Unique name of the backend. Rules and messages use this name."};
/* The table of backends supplies the enumeration. */
static const struct schema policy_backend_type = {
    .type = SCHEMA_STRING,
    .description = "Type of the scheduler. `None`: jobs get no gang.",
};
static const struct schema policy_backend_scheduler_name = {
    /* completed with those of the catalog */
    POLICY_NAME,
    .description = "schedulerName of the pods.",
};
static const struct schema policy_backend_api_version = {
    POLICY_TEXT, .description =
                     "API group and version of the rendered objects. Default: the newest version "
                     "that the cluster serves."};
static const struct schema_field policy_backend_fields[] = {
    {SLICE_INIT("apiVersion"), &policy_backend_api_version, false},
    {SLICE_INIT("name"), &policy_backend_name, true},
    {SLICE_INIT("schedulerName"), &policy_backend_scheduler_name, false},
    {SLICE_INIT("type"), &policy_backend_type, true},
};
static const struct schema policy_backend_entry = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_backend_fields),
    .description = "An enabled scheduler.",
    .form = "{name: NAME, type: TYPE}",
};
static const struct schema policy_backends = {
    .type = SCHEMA_LIST,
    .values = &policy_backend_entry,
    .keys = policy_item_keys,
    .min_length = 1,
    .max_length = POLICY_MOST_BACKENDS,
    .limit_code = GANG_CODE_LIMIT_BACKENDS,
    .empty = "omit the field to enable every backend",
    .description = "The enabled schedulers. Default: every backend is enabled, with its type in "
                   "lower case as its name.",
};

/* ---- the document ---- */

static const struct schema policy_default_backend = {
    .type = SCHEMA_STRING,
    .default_text = "\"\"",
    .description = "Name of the backend for jobs for which no other source chooses one. Empty: "
                   "these jobs get no gang."};
static const struct schema policy_runtime_policy = {
    POLICY_WORD(runtime_policy_names),
    .default_text = "\"Honor\"",
    .description =
        "How libgang uses a runtime's podGroupPolicy. `Honor`: it chooses the backend; `Require`: "
        "refuse a runtime without podGroupPolicy; `Ignore`: ignore it.",
};
static const struct schema policy_compatibility = {
    POLICY_WORD(compatibility_names),
    .default_text = "\"None\"",
    .description =
        "`KubeflowTrainer`: render exactly what the plugins of Kubeflow Trainer v2.3 render: "
        "count and label every role, use requests only, and do not change schedulerName. Problems "
        "that the operator accepts are warnings instead of errors.",
};
static const struct schema_field policy_spec_fields[] = {
    {SLICE_INIT("backends"), &policy_backends, false},
    {SLICE_INIT("compatibility"), &policy_compatibility, false},
    {SLICE_INIT("constraints"), &policy_constraints_schema, false},
    {SLICE_INIT("defaultBackend"), &policy_default_backend, false},
    {SLICE_INIT("defaults"), &policy_defaults_schema, false},
    {SLICE_INIT("output"), &policy_output, false},
    {SLICE_INIT("rules"), &policy_rules_schema, false},
    {SLICE_INIT("runtimePolicy"), &policy_runtime_policy, false},
};
static const struct schema policy_spec = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_spec_fields),
    .description = "The decisions of the administrator.",
};

/* The reader checks these values with its own messages, before the schema is checked. */
static const struct schema policy_api_version = {
    .type = SCHEMA_STRING,
    .pattern = "^policy\\.libgang\\.dev/v1alpha1$",
    .description = "`" GANG_API_VERSION "`.",
};
static const struct schema policy_kind = {.type = SCHEMA_STRING,
                                          .pattern = "^" GANG_KIND_POLICY "$",
                                          .description = "`" GANG_KIND_POLICY "`."};
static const struct schema policy_metadata = {
    .type = SCHEMA_ANY,
    .description = "Object metadata: `name` is required, `namespace` is forbidden."};
static const struct schema_field policy_fields[] = {
    {SLICE_INIT("apiVersion"), &policy_api_version, true},
    {SLICE_INIT("kind"), &policy_kind, true},
    {SLICE_INIT("metadata"), &policy_metadata, true},
    {SLICE_INIT("spec"), &policy_spec, false},
};
static const struct schema policy_document = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(policy_fields),
    .description = "A GangPolicy: how the jobs of a cluster are scheduled as gangs.",
};

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

static const struct schema *
policy_type_schema(struct arena *arena)
{
    struct schema schema = policy_backend_type;
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
policy_scheduler_name_schema(struct arena *arena)
{
    struct schema schema = policy_backend_scheduler_name;
    const char *list = "";

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        list = arena_format(arena, "%s%s`%.*s` for %.*s", list, i ? ", " : "",
                            SLICE_ARG(catalog[i]->scheduler_name), SLICE_ARG(catalog[i]->type));
    schema.description = arena_format(arena, "%s Default by type: %s.", schema.description, list);
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

    entry = policy_with_field(&entry, SLICE("schedulerName"), policy_scheduler_name_schema(arena),
                              arena);
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
    struct schema backends = policy_backends;
    struct schema spec;
    const struct schema *document;

    backends.values = policy_entry_schema(arena);
    spec = policy_with_field(&policy_spec, SLICE("backends"), policy_keep_schema(backends, arena),
                             arena);
    document = policy_keep_schema(
        policy_with_field(&policy_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
