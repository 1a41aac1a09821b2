/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

const char *const compatibility_names[] = {"None", "KubeflowTrainer", NULL};
const char *const override_names[] = {"IfUnset", "Always", NULL};
static const char *const runtime_policy_names[] = {"Honor", "Require", "Ignore", NULL};
static const char *const stamp_names[] = {"None", "Annotation", NULL};
static const char *const owner_names[] = {"IfUID", "Never", NULL};
static const char *const enforcement_names[] = {"Deny", "Warn", NULL};
static const char *const members_names[] = {"Auto", "All", "TrainerOnly", NULL};
static const char *const resources_names[] = {"Effective", "RequestsOnly", NULL};
static const char *const reserve_names[] = {"Auto", "Always", "Never", NULL};
/* The words of Volcano's networkTopology (volcano-sh/apis:pkg/apis/scheduling/v1beta1/types.go). */
static const char *const policy_topology_mode_names[] = {"hard", "soft", NULL};
static const char *const rule_kueue_names[] = {"Managed", "Unmanaged", NULL};
static const char *const must_fit_names[] = {"WhenEmpty", NULL};
const char *const rule_action_names[] = {"Gang", "Skip", "Deny", NULL};

/* The key of a list item, which must be unique among backends, rules and constraints. */
static const char *const policy_item_keys[] = {"name", NULL};
const char *const policy_entry_options[] = {"podGroup", NULL};

/* What several schemas share; each adds a description. */
#define POLICY_TEXT .type = SCHEMA_STRING, .min_length = 1
#define POLICY_NAME POLICY_TEXT, .pattern = POLICY_SUBDOMAIN_PATTERN, .read = policy_read_name
#define POLICY_AT_LEAST_ONE .has_minimum = true, .minimum = 1
#define POLICY_COUNT .type = SCHEMA_INT32, POLICY_AT_LEAST_ONE
#define POLICY_WORD(words) .type = SCHEMA_STRING, .enumeration = (words)
#define POLICY_OBJECT(table) .type = SCHEMA_OBJECT, SCHEMA_FIELDS(table)
#define POLICY_SET_OF(...)                                                                         \
    .type = SCHEMA_LIST, SCHEMA_ITEMS(__VA_ARGS__), .is_set = true, .min_length = 1
#define POLICY_GLOBS(allowed)                                                                      \
    POLICY_SET_OF(POLICY_TEXT, .max_length = GLOB_LONGEST, .limit_code = GANG_CODE_LIMIT_GLOB,     \
                  .pattern = allowed, .description = "A name pattern; `*` matches any text.")
#define POLICY_SELECTOR                                                                            \
    POLICY_OBJECT(label_selector_fields), .form = "{matchLabels: {KEY: VALUE}}",                   \
                                          .free_keys = "matchLabels", .read = label_selector_read

enum { POLICY_MOST_BACKENDS = 16, POLICY_MOST_RULES = 1000, POLICY_LONGEST_MESSAGE = 1024 };

/* ---- settings of rules and defaults ---- */

static const struct schema_field policy_queue_from_namespace_fields[] = {
    SCHEMA_MAY("prefix", .type = SCHEMA_STRING,
               .description = "Prefix before the name of the namespace."),
};
static const struct schema_field policy_queue_from_label_fields[] = {
    SCHEMA_MUST("key", POLICY_TEXT, .description = "Key of the label."),
    SCHEMA_MAY("prefix", .type = SCHEMA_STRING,
               .description = "Prefix before the value of the label."),
};
static const struct schema_field policy_queue_fields[] = {
    SCHEMA_MAY("fromLabel", POLICY_OBJECT(policy_queue_from_label_fields), .form = "{key: KEY}",
               .description = "The queue has the value of a label of the job as its name."),
    SCHEMA_MAY("fromNamespace", POLICY_OBJECT(policy_queue_from_namespace_fields),
               .form = "{} or {prefix: TEXT}",
               .description = "The queue has the name of the job's namespace."),
    SCHEMA_MAY("fromNamespaceLabel", POLICY_OBJECT(policy_queue_from_label_fields),
               .form = "{key: KEY}",
               .description = "The queue has the value of a label of the job's namespace as its "
                              "name. The cluster facts contain these labels. Unlike a label of the "
                              "job, its user cannot choose it."),
    SCHEMA_MAY("name", POLICY_NAME, SCHEMA_AT(policy_queue, name),
               .description = "Name of the queue."),
    SCHEMA_MAY("override", POLICY_WORD(override_names), SCHEMA_AT(policy_queue, override),
               SCHEMA_SOURCE_AT(policy_queue, override_source),
               .description = "`IfUnset`: a queue of the job or its runtime has precedence; "
                              "`Always`: this queue has precedence. Default: `override` of the "
                              "enclosing block."),
};
static const struct schema_field policy_priority_fields[] = {
    SCHEMA_MUST("name", POLICY_NAME, SCHEMA_AT(policy_priority, name),
                .description = "Name of the PriorityClass."),
    SCHEMA_MAY("override", POLICY_WORD(override_names), SCHEMA_AT(policy_priority, override),
               SCHEMA_SOURCE_AT(policy_priority, override_source),
               .description = "`IfUnset`: a priority class of the job or its runtime has "
                              "precedence; `Always`: this priority class has precedence. Default: "
                              "`override` of the enclosing block."),
};
static const struct schema_field policy_topology_fields[] = {
    SCHEMA_MAY("level", .type = SCHEMA_INT_OR_STRING, POLICY_AT_LEAST_ONE,
               .description = "Topology domain for the gang: the key of a node label, or the "
                              "number of a tier for Volcano."),
    SCHEMA_MAY("mode", POLICY_WORD(policy_topology_mode_names), .default_text = "\"hard\"",
               .description = "`hard`: the gang waits until one domain has enough capacity; "
                              "`soft`: one domain is preferred."),
};

/* ---- rules and constraints ---- */

static const struct schema_field policy_match_fields[] = {
    SCHEMA_MAY("frameworks",
               POLICY_SET_OF(POLICY_TEXT, .description = "A value of the label "
                                                         "`trainer.kubeflow.org/framework`."),
               SCHEMA_AT(policy_match, frameworks), .read = rule_read_label_values,
               .empty = "omit the field to match every framework",
               .description = "The runtime's label `trainer.kubeflow.org/framework` has one of "
                              "these values."),
    SCHEMA_MAY("kinds",
               POLICY_SET_OF(POLICY_TEXT, .words = job_name_words,
                             .description = "`Kind`, `Kind.group` with the API group, or `*` for "
                                            "every kind."),
               .empty = "omit the field to match jobs of every kind",
               .description = "The kind of the job is one of these: `RayJob`, or `RayJob.ray.io` "
                              "with the API group; `*` is every kind. A GangJob is also of the "
                              "kind of its owner."),
    SCHEMA_MAY("kueue", POLICY_WORD(rule_kueue_names), SCHEMA_AT(policy_match, kueue),
               .read = rule_read_kueue,
               .description = "Whether Kueue manages the job: `Managed` if the label "
                              "`kueue.x-k8s.io/queue-name` of the job is not empty, or if "
                              "`spec.runtimePatches` of the TrainJob has the entry of Kueue, "
                              "`kueue.x-k8s.io/manager`."),
    SCHEMA_MAY("maxNodes", POLICY_COUNT, SCHEMA_AT(policy_match, max_nodes.value),
               SCHEMA_SOURCE_AT(policy_match, max_nodes.source),
               .description = "The TrainJob requests at most this number of nodes. Jobs of other "
                              "kinds match only if `kinds` names them, by the number of pods in "
                              "the gang."),
    SCHEMA_MAY("minNodes", POLICY_COUNT, SCHEMA_AT(policy_match, min_nodes.value),
               SCHEMA_SOURCE_AT(policy_match, min_nodes.source),
               .description = "The TrainJob requests at least this number of nodes. Jobs of other "
                              "kinds match only if `kinds` names them, by the number of pods in "
                              "the gang."),
    SCHEMA_MAY("namespaceSelector", POLICY_SELECTOR, SCHEMA_AT(policy_match, namespace_selector),
               .description = "Selects by the labels of the namespace. The cluster facts contain "
                              "these labels."),
    SCHEMA_MAY("namespaces", POLICY_GLOBS("^[-a-z0-9*]+$"), SCHEMA_AT(policy_match, namespaces),
               .read = rule_read_label_globs, .empty = "omit the field to match every namespace",
               .description = "The namespace of the job matches one of these patterns; `*` matches "
                              "any text."),
    SCHEMA_MAY("objectSelector", POLICY_SELECTOR, SCHEMA_AT(policy_match, object_selector),
               .description = "Selects jobs of every kind by their labels."),
    SCHEMA_MAY("podGangSelector", POLICY_SELECTOR, SCHEMA_AT(policy_match, podgang_selector),
               .description = "Selects PodGangs of Grove by their labels, and no other kind of "
                              "job; `{}` selects every PodGang."),
    SCHEMA_MAY(
        "resources",
        POLICY_SET_OF(POLICY_TEXT, .description = "Name of a resource, such as `nvidia.com/gpu`."),
        SCHEMA_AT(policy_match, resources), .read = rule_read_resource_names,
        .empty = "omit the field to match whatever is requested",
        .description = "The job requests one of these resources."),
    SCHEMA_MAY("runtimeSelector", POLICY_SELECTOR, SCHEMA_AT(policy_match, runtime_selector),
               .description = "Selects by the labels of the runtime."),
    SCHEMA_MAY("runtimes", POLICY_GLOBS("^[-.a-z0-9*]+$"), SCHEMA_AT(policy_match, runtimes),
               .read = rule_read_subdomain_globs, .empty = "omit the field to match every runtime",
               .description = "The name of the job's runtime matches one of these patterns; `*` "
                              "matches any text."),
    SCHEMA_MAY("trainJobSelector", POLICY_SELECTOR, SCHEMA_AT(policy_match, trainjob_selector),
               .description = "Selects TrainJobs by their labels, and no other kind of job; `{}` "
                              "selects every TrainJob."),
};

#define POLICY_MATCH(record)                                                                       \
    SCHEMA_MAY("match", POLICY_OBJECT(policy_match_fields), SCHEMA_AT(record, match),              \
               .read = rule_read_match,                                                            \
               .description =                                                                      \
                   "Selects jobs that satisfy every given field. `{}` selects all jobs.")
#define POLICY_EXCLUDE(record)                                                                     \
    SCHEMA_MAY("exclude", POLICY_OBJECT(policy_match_fields), SCHEMA_AT(record, exclude),          \
               .read = rule_read_match,                                                            \
               .description =                                                                      \
                   "Excludes jobs that satisfy every given field, although they match.")
#define POLICY_SETTING_AT(value, source)                                                           \
    SCHEMA_AT(policy_rule, settings.value), SCHEMA_SOURCE_AT(policy_rule, settings.source)

/* What is read into the settings is a field of `spec.defaults`, too. */
static const struct schema_field policy_rule_fields[] = {
    SCHEMA_MAY("action", POLICY_WORD(rule_action_names), SCHEMA_AT(policy_rule, action),
               .default_text = "\"Gang\"",
               .description = "`Gang`: apply the settings of the rule; `Skip`: the job gets no "
                              "gang and does not change; `Deny`: refuse the job."),
    SCHEMA_MAY("backend", POLICY_TEXT, POLICY_SETTING_AT(backend, backend_source),
               .read = policy_read_backend, .description = "Name of an enabled backend."),
    POLICY_EXCLUDE(policy_rule),
    POLICY_MATCH(policy_rule),
    SCHEMA_MAY("members", POLICY_WORD(members_names), POLICY_SETTING_AT(members, members_source),
               .description = "The roles in the gang. `Auto`: the roles that run together, without "
                              "initializers; `All`: every role, and refuse jobs whose roles cannot "
                              "run together; `TrainerOnly`: the roles labelled trainer, and the "
                              "nodes for MPI. Default: `Auto`."),
    SCHEMA_MAY("message", POLICY_TEXT, .max_length = POLICY_LONGEST_MESSAGE,
               SCHEMA_AT(policy_rule, message),
               .description = "Message for the user whose job is skipped or refused; only for "
                              "`Skip` and `Deny`."),
    SCHEMA_MUST("name", POLICY_NAME, SCHEMA_AT(policy_rule, name),
                .description = "Unique name of the rule. Messages use this name."),
    SCHEMA_MAY("override", POLICY_WORD(override_names),
               POLICY_SETTING_AT(override, override_source),
               .description = "`IfUnset`: values of the job and its runtime have precedence over "
                              "this block; `Always`: this block has precedence. Default: "
                              "`IfUnset`."),
    SCHEMA_MAY("priorityClassName", POLICY_OBJECT(policy_priority_fields),
               POLICY_SETTING_AT(priority, priority.source), .form = "{name: CLASS}",
               .description = "The priority class of the gang."),
    SCHEMA_MAY("queue", POLICY_OBJECT(policy_queue_fields), POLICY_SETTING_AT(queue, queue.source),
               .read = queue_read, .form = "{name: QUEUE}",
               .description = "Queue of the gang. Exactly one of `name`, `fromNamespace`, "
                              "`fromNamespaceLabel` and `fromLabel` must be set."),
    SCHEMA_MAY("reserve", POLICY_WORD(reserve_names), POLICY_SETTING_AT(reserve, reserve_source),
               .description = "Whether the PodGroup reserves the resources of all its pods in "
                              "advance (minResources). `Auto`: only if the scheduler does not hold "
                              "reserved resources idle. Default: `Auto`."),
    SCHEMA_MAY("resources", POLICY_WORD(resources_names),
               POLICY_SETTING_AT(resources, resources_source),
               .description = "How pod requests are counted. `Effective`: as the API server sets "
                              "them, where a limit replaces a missing request; `RequestsOnly`: "
                              "only the requests in the template. Default: `Effective`."),
    SCHEMA_MAY("scheduleTimeoutSeconds", POLICY_COUNT,
               POLICY_SETTING_AT(timeout_seconds, timeout_source),
               .description = "Time in seconds that the scheduler waits for the complete gang."),
    SCHEMA_MAY("topology", POLICY_OBJECT(policy_topology_fields), .min_length = 1,
               POLICY_SETTING_AT(topology, topology.source), .read = topology_read,
               .form = "{level: LEVEL}",
               .description = "Topology constraint for the placement of the pods."),
};
static const struct schema policy_rule_schema = {
    POLICY_OBJECT(policy_rule_fields), .form = "{name: NAME, match: {}, backend: BACKEND}",
    .read = rule_read, .description = "Settings for the jobs that match."};

static const struct schema_field policy_constraint_fields[] = {
    SCHEMA_MAY(
        "allowedBackends", POLICY_SET_OF(POLICY_TEXT, .description = "Name of an enabled backend."),
        SCHEMA_AT(policy_constraint, allowed_backends), .read = rule_read_backends,
        .empty = "omit the field to allow every backend", .description = "The allowed backends."),
    SCHEMA_MAY("allowedPriorityClassNames",
               POLICY_SET_OF(POLICY_NAME, .description = "Name of a PriorityClass."),
               SCHEMA_AT(policy_constraint, allowed_priority_class_names),
               .read = rule_read_class_names,
               .empty = "omit the field to allow every priority class",
               .description = "The allowed priority classes, for pods with a priority class."),
    SCHEMA_MAY("allowedQueues", POLICY_GLOBS("^[-.a-z0-9*]+$"),
               SCHEMA_AT(policy_constraint, allowed_queues), .read = rule_read_subdomain_globs,
               .empty = "omit the field to allow every queue",
               .description = "The allowed queues, for gangs with a queue; `*` matches any text."),
    SCHEMA_MAY("enforcement", POLICY_WORD(enforcement_names),
               SCHEMA_AT(policy_constraint, enforcement), .default_text = "\"Deny\"",
               .description = "`Deny`: refuse a job that breaks the constraint; `Warn`: report it "
                              "as a warning."),
    POLICY_EXCLUDE(policy_constraint),
    POLICY_MATCH(policy_constraint),
    SCHEMA_MAY("maxMembers", POLICY_COUNT, SCHEMA_AT(policy_constraint, max_members),
               SCHEMA_SOURCE_AT(policy_constraint, max_members_source),
               .description = "Maximum number of members of the gang."),
    SCHEMA_MAY("maxTimeoutSeconds", POLICY_COUNT, SCHEMA_AT(policy_constraint, max_timeout_seconds),
               SCHEMA_SOURCE_AT(policy_constraint, max_timeout_source),
               .description = "Maximum schedule timeout in seconds."),
    SCHEMA_MAY("minTimeoutSeconds", POLICY_COUNT, SCHEMA_AT(policy_constraint, min_timeout_seconds),
               SCHEMA_SOURCE_AT(policy_constraint, min_timeout_source),
               .description = "Minimum schedule timeout in seconds."),
    SCHEMA_MAY("mustFit", POLICY_WORD(must_fit_names),
               SCHEMA_SOURCE_AT(policy_constraint, must_fit_source),
               .description = "`WhenEmpty`: refuse a gang that the nodes of the GangCluster can "
                              "never hold, not even without other pods. Without all nodes libgang "
                              "does not check this."),
    SCHEMA_MUST("name", POLICY_NAME, SCHEMA_AT(policy_constraint, name),
                .description = "Unique name of the constraint. Messages use this name."),
    SCHEMA_MAY("requireQueue", .type = SCHEMA_BOOLEAN, .default_text = "false",
               SCHEMA_SOURCE_AT(policy_constraint, require_queue_source),
               .description = "`true`: refuse a gang without a queue."),
    SCHEMA_MAY("reservedKeys", POLICY_WORD(enforcement_names),
               SCHEMA_AT(policy_constraint, reserved_keys),
               SCHEMA_SOURCE_AT(policy_constraint, reserved_keys_source),
               .description = "How to handle a job whose own labels, annotations or pod fields "
                              "claim membership in a gang. `Deny`: refuse the job, which is also "
                              "the behaviour without any constraint; `Warn`: accept the job with a "
                              "warning."),
};
static const struct schema policy_constraint_schema = {
    POLICY_OBJECT(policy_constraint_fields), .read = constraint_read,
    .form = "{name: NAME, match: {}, allowedBackends: [BACKEND]}",
    .description = "A check for the gangs of the jobs that match."};

/* ---- the document ---- */

#define POLICY_STRINGS(what)                                                                       \
    .type = SCHEMA_OBJECT, SCHEMA_ITEMS(.type = SCHEMA_STRING, .description = "The value."),       \
    .form = "a mapping of keys to values", .description = what " on every rendered object."
static const struct schema_field policy_output_fields[] = {
    SCHEMA_MAY("annotations", POLICY_STRINGS("Annotations"), SCHEMA_AT(policy_output, annotations)),
    SCHEMA_MAY("labels", POLICY_STRINGS("Labels"), SCHEMA_AT(policy_output, labels)),
    SCHEMA_MAY("ownerReferences", POLICY_WORD(owner_names), .default_text = "\"IfUID\"",
               SCHEMA_AT(policy_output, omits_owner),
               .description = "`IfUID`: objects have an owner reference to the job if the uid of "
                              "the job is known; `Never`: objects have no owner reference."),
    SCHEMA_MAY("policyStamp", POLICY_WORD(stamp_names), .default_text = "\"None\"",
               SCHEMA_AT(policy_output, policy_stamp),
               .description = "`Annotation`: add the annotation `policy.libgang.dev/policy: "
                              "NAME@HASH`, which identifies the policy, to every rendered object."),
};

/* The catalog supplies the types, the names of their schedulers, and the options. */
static const struct schema policy_backend_type = {
    .type = SCHEMA_STRING, .description = "Type of the scheduler. `None`: jobs get no gang."};
static const struct schema policy_backend_scheduler_name = {
    POLICY_NAME, SCHEMA_AT(policy_backend, scheduler_name),
    .description = "schedulerName of the pods."};
#define POLICY_ENTRY_SETTING_AT(value)                                                             \
    SCHEMA_AT(policy_backend, settings.value),                                                     \
        SCHEMA_SOURCE_AT(policy_backend, settings.value.source)
/* Without `override`, their last field: what applies if nothing else is set precedes no job. */
static const struct schema_field policy_backend_fields[] = {
    SCHEMA_MAY("apiVersion", POLICY_TEXT, SCHEMA_AT(policy_backend, api_version),
               .description = "API group and version of the rendered objects. Default: the newest "
                              "version that the cluster serves."),
    SCHEMA_MUST("name", POLICY_NAME, SCHEMA_AT(policy_backend, name),
                .description = "Unique name of the backend. Rules and messages use this name."),
    SCHEMA_MAY("priorityClassName", .type = SCHEMA_OBJECT, .fields = policy_priority_fields,
               .num_fields = COUNT_OF(policy_priority_fields) - 1,
               POLICY_ENTRY_SETTING_AT(priority), .form = "{name: CLASS}",
               .description = "The priority class of the gangs of this backend, if the job, its "
                              "runtime and the matching rule set none. It precedes `defaults`."),
    SCHEMA_MAY("queue", .type = SCHEMA_OBJECT, .fields = policy_queue_fields,
               .num_fields = COUNT_OF(policy_queue_fields) - 1, POLICY_ENTRY_SETTING_AT(queue),
               .read = queue_read, .form = "{name: QUEUE}",
               .description = "Queue of the gangs of this backend, if the job, its runtime and the "
                              "matching rule set none. It precedes `defaults`. Only for types with "
                              "queues."),
    {SLICE_INIT("schedulerName"), &policy_backend_scheduler_name, false},
    {SLICE_INIT("type"), &policy_backend_type, true},
};
const struct schema policy_backend_entry = {POLICY_OBJECT(policy_backend_fields),
                                            .form = "{name: NAME, type: TYPE}",
                                            .description = "An enabled scheduler."};
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
static const struct schema policy_defaults = {
    .type = SCHEMA_OBJECT,
    SCHEMA_AT(gang_policy, defaults),
    .read = settings_read_defaults,
    .description = "Default values if the job, its runtime and the matching rule set none. "
                   "`override: Always` is not allowed here."};

#define POLICY_LIST_OF(items)                                                                      \
    .type = SCHEMA_LIST, .values = &(items), .keys = policy_item_keys,                             \
    .max_length = POLICY_MOST_RULES, .limit_code = GANG_CODE_LIMIT_RULES
static const struct schema_field policy_spec_fields[] = {
    {SLICE_INIT("backends"), &policy_backends, false},
    SCHEMA_MAY("compatibility", POLICY_WORD(compatibility_names), .default_text = "\"None\"",
               SCHEMA_AT(gang_policy, compatibility),
               SCHEMA_SOURCE_AT(gang_policy, compatibility_source),
               .description = "`KubeflowTrainer`: render exactly what the plugins of Kubeflow "
                              "Trainer v2.3 render: count and label every role, use requests only, "
                              "and do not change schedulerName. Problems that the operator accepts "
                              "are warnings instead of errors."),
    SCHEMA_MAY("constraints", POLICY_LIST_OF(policy_constraint_schema),
               SCHEMA_RECORDS_AT(gang_policy, constraints, num_constraints),
               .description = "Checks. After all choices are made, libgang checks every constraint "
                              "that matches. Constraints never choose a value."),
    SCHEMA_MAY("defaultBackend", .type = SCHEMA_STRING, .default_text = "\"\"",
               SCHEMA_AT(gang_policy, default_backend),
               SCHEMA_SOURCE_AT(gang_policy, default_backend_source), .read = policy_read_backend,
               .description = "Name of the backend for jobs for which no other source chooses one. "
                              "Empty: these jobs get no gang."),
    {SLICE_INIT("defaults"), &policy_defaults, false},
    SCHEMA_MAY("output", POLICY_OBJECT(policy_output_fields), SCHEMA_AT(gang_policy, output),
               SCHEMA_SOURCE_AT(gang_policy, output.source),
               .description = "Metadata for the rendered objects."),
    SCHEMA_MAY("rules", POLICY_LIST_OF(policy_rule_schema),
               SCHEMA_RECORDS_AT(gang_policy, rules, num_rules),
               .description = "Ordered rules. The first rule that matches a job decides; later "
                              "rules are ignored."),
    SCHEMA_MAY("runtimePolicy", POLICY_WORD(runtime_policy_names), .default_text = "\"Honor\"",
               SCHEMA_AT(gang_policy, runtime_policy),
               SCHEMA_SOURCE_AT(gang_policy, runtime_policy_source),
               .description = "How libgang uses a runtime's podGroupPolicy. `Honor`: it chooses "
                              "the backend; `Require`: refuse a runtime without podGroupPolicy; "
                              "`Ignore`: ignore it."),
};
static const struct schema policy_spec = {POLICY_OBJECT(policy_spec_fields),
                                          .description = "The decisions of the administrator."};

/* The reader checks apiVersion and kind with its own messages, before the schema is checked. */
static const struct schema_field policy_fields[] = {
    SCHEMA_MUST("apiVersion", .type = SCHEMA_STRING, .pattern = "^policy\\.libgang\\.dev/v1alpha1$",
                .description = "`" GANG_API_VERSION "`."),
    SCHEMA_MUST("kind", .type = SCHEMA_STRING, .pattern = "^" GANG_KIND_POLICY "$",
                .description = "`" GANG_KIND_POLICY "`."),
    SCHEMA_MUST("metadata", .type = SCHEMA_ANY,
                .description = "Object metadata: `name` is required, `namespace` is forbidden."),
    {SLICE_INIT("spec"), &policy_spec, false},
    SCHEMA_MAY("status", .type = SCHEMA_ANY,
               .description = "What a controller writes into the object in a cluster. It decides "
                              "nothing."),
};
static const struct schema policy_document = {
    POLICY_OBJECT(policy_fields),
    .description = "A GangPolicy: how the jobs of a cluster are scheduled as gangs."};

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
    struct schema schema = policy_backend_scheduler_name;
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
    struct schema backends = policy_backends;
    struct schema spec;
    const struct schema *document;
    struct schema defaults = policy_defaults;
    struct schema_field *fields;

    backends.values = policy_entry_schema(arena);
    spec = policy_with_field(&policy_spec, SLICE("backends"), policy_keep_schema(backends, arena),
                             arena);
    fields = arena_array(arena, COUNT_OF(policy_rule_fields), sizeof(*fields));
    for (size_t i = 0; fields && i < COUNT_OF(policy_rule_fields); i++)
        if (policy_find_setting(policy_rule_fields[i].name))
            fields[defaults.num_fields++] = policy_rule_fields[i];
    defaults.fields = fields;
    spec = policy_with_field(&spec, SLICE("defaults"), policy_keep_schema(defaults, arena), arena);
    document = policy_keep_schema(
        policy_with_field(&policy_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
