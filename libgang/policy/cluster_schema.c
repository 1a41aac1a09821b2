/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "libgang/policy/policy.h"

/* ---- what the schema cannot express ---- */

static POLICY_READ(cluster_read_label)
{
    (void)schema;
    *(struct slice *)value = node_string(source);
    name_check_node(source, NAME_DNS1123_LABEL, GANG_CODE_INVALID_NAME, NULL, reader->report);
}

/* The words of an enumeration are not those of an enum. */
static POLICY_READ(cluster_read_text)
{
    (void)schema;
    (void)reader;
    *(struct slice *)value = node_string(source);
}

static POLICY_READ(cluster_read_labels)
{
    (void)schema;
    *(const struct node **)value = source;
    object_meta_check_labels(source, reader->report);
}

/* Only the amount of a resource that a job requests is used, so the amounts are read when needed.
 */
static POLICY_READ(cluster_read_amounts)
{
    (void)schema;
    *(const struct node **)value = source;
    resource_list_read(source, reader->arena, reader->report);
}

/* Used as it stands. */
static POLICY_READ(cluster_read_map)
{
    (void)schema;
    (void)reader;
    *(const struct node **)value = source;
}

static POLICY_READ(cluster_read_resources)
{
    (void)schema;
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
    const char *slash = memchr(text.data, '/', text.len);
    const size_t start = slash ? (size_t)(slash - text.data) + 1 : 0;

    return (!slash ||
            name_is_valid(NAME_DNS1123_SUBDOMAIN, (struct slice){text.data, start - 1})) &&
           name_is_valid(NAME_DNS1035_LABEL, (struct slice){text.data + start, text.len - start});
}

static POLICY_READ(cluster_read_group_version)
{
    const struct slice text = node_string(source);

    (void)schema;
    *(struct slice *)value = text;
    if (text.len && !cluster_is_group_version(text))
        find_invalid(reader->report, source, GANG_CODE_PATTERN_MISMATCH,
                     "write it as `kubectl api-versions` does",
                     "must be a group and version such as scheduling.k8s.io/v1beta1");
}

static POLICY_READ(cluster_read_runtime_class)
{
    struct slice name = NO_SLICE;

    *(struct runtime_class *)value = runtime_class_read(source, reader->arena, reader->report);
    policy_read_name(schema, node_member(source, SLICE("name")), &name, reader);
}

/* kubernetes/kubernetes:pkg/apis/core/validation ValidateLimitRange */
static POLICY_READ(cluster_read_limit_range)
{
    static const struct slice defaults[] = {SLICE_INIT("default"), SLICE_INIT("defaultRequest")};
    struct slice name = NO_SLICE;

    *(struct limit_range *)value = limit_range_read(source, reader->arena, reader->report);
    policy_read_name(schema, node_member(source, SLICE("name")), &name, reader);
    cluster_read_label(schema, node_member(source, SLICE("namespace")), &name, reader);
    for (NODE_EACH(limit, node_member(source, SLICE("limits"))))
        for (size_t i = 0; i < COUNT_OF(defaults); i++)
            if (slice_equal(node_string(node_member(limit, SLICE("type"))), SLICE("Pod")) &&
                node_count(node_member(limit, defaults[i])))
                find_forbidden(reader->report, node_member(limit, defaults[i]),
                               GANG_CODE_UNKNOWN_FIELD, NULL,
                               "may not be specified when `type` is 'Pod'");
}

/* ---- items of lists ---- */

/* The keys of the items of a list, and the texts by which the structs are sorted. */
static const char *const cluster_by_name[] = {"name", NULL};
static const char *const cluster_by_type[] = {"type", NULL};
static const char *const cluster_by_group_version[] = {"groupVersion", NULL};
static const char *const cluster_by_name_and_type[] = {"name", "type", NULL};
static const char *const cluster_by_type_and_name[] = {"type", "name", NULL};
static const char *const cluster_by_name_and_namespace[] = {"name", "namespace", NULL};
static const char *const cluster_by_namespace_and_name[] = {"namespace", "name", NULL};

#define CLUSTER_TEXT .type = SCHEMA_STRING
#define CLUSTER_NAME .type = SCHEMA_STRING, .min_length = 1
#define CLUSTER_OBJECT(table) .type = SCHEMA_OBJECT, SCHEMA_FIELDS(table)
#define CLUSTER_AMOUNTS .type = SCHEMA_OBJECT, SCHEMA_ITEMS(.type = SCHEMA_QUANTITY)
#define CLUSTER_LIST(items, item_keys, order)                                                      \
    .type = SCHEMA_LIST, .values = &(items), .keys = (item_keys), .sorted_by = (order)

/*
 * kubernetes/api:core/v1/types.go LimitRangeItem@v0.36.3. The types that the API server defines. It
 * also accepts other types, which limit nothing.
 */
static const char *const cluster_limit_types[] = {"Container", "Pod", "PersistentVolumeClaim",
                                                  NULL};
static const struct schema_field cluster_limit_fields[] = {
    SCHEMA_MAY("default", CLUSTER_AMOUNTS),
    SCHEMA_MAY("defaultRequest", CLUSTER_AMOUNTS),
    SCHEMA_MAY("max", CLUSTER_AMOUNTS),
    SCHEMA_MAY("maxLimitRequestRatio", CLUSTER_AMOUNTS),
    SCHEMA_MAY("min", CLUSTER_AMOUNTS),
    SCHEMA_MUST("type", CLUSTER_TEXT, .enumeration = cluster_limit_types),
};
static const struct schema_field cluster_limit_range_fields[] = {
    SCHEMA_MUST("limits", .type = SCHEMA_LIST, SCHEMA_ITEMS(CLUSTER_OBJECT(cluster_limit_fields)),
                .keys = cluster_by_type),
    SCHEMA_MUST("name", CLUSTER_NAME),
    SCHEMA_MUST("namespace", CLUSTER_NAME),
};
static const struct schema cluster_limit_range = {CLUSTER_OBJECT(cluster_limit_range_fields),
                                                  .read = cluster_read_limit_range};

static const struct schema_field cluster_namespace_fields[] = {
    SCHEMA_MAY("labels", .type = SCHEMA_OBJECT, SCHEMA_ITEMS(CLUSTER_TEXT),
               SCHEMA_AT(cluster_namespace, labels), .read = cluster_read_labels,
               .description = "Labels of the namespace."),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_namespace, name),
                .read = cluster_read_label),
    SCHEMA_MAY("quota", CLUSTER_AMOUNTS, SCHEMA_AT(cluster_namespace, quota),
               .description = "Resources that a scheduler lets the pods of the namespace have."),
};
static const struct schema cluster_namespace_schema = {CLUSTER_OBJECT(cluster_namespace_fields),
                                                       SCHEMA_SOURCE_AT(cluster_namespace, source)};

/*
 * kubernetes/api:core/v1/types.go NodeStatus@v0.36.3. Taints have no effect here: admission
 * plugins, webhooks and Kueue add tolerations to pods. A cordon passes.
 */
static const struct schema_field cluster_node_fields[] = {
    SCHEMA_MUST("allocatable", CLUSTER_AMOUNTS, SCHEMA_AT(cluster_node, allocatable),
                .read = cluster_read_amounts, .description = "`status.allocatable` of the node."),
    SCHEMA_MAY("annotations", .type = SCHEMA_OBJECT, SCHEMA_ITEMS(CLUSTER_TEXT),
               SCHEMA_AT(cluster_node, annotations), .read = cluster_read_map,
               .description = "Annotations with which a scheduler adds to `allocatable`."),
    SCHEMA_MAY("labels", .type = SCHEMA_OBJECT, SCHEMA_ITEMS(CLUSTER_TEXT),
               SCHEMA_AT(cluster_node, labels), .read = cluster_read_labels,
               .description = "Labels of the node."),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_node, name), .read = policy_read_name),
};
static const struct schema cluster_node_schema = {CLUSTER_OBJECT(cluster_node_fields)};

/* kubernetes/api:resource/v1/types.go DeviceClassSpec@v0.36.3 */
static const struct schema_field cluster_device_class_fields[] = {
    SCHEMA_MAY("extendedResourceName", CLUSTER_NAME,
               SCHEMA_AT(cluster_device_class, extended_resource), .read = cluster_read_text),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_device_class, name),
                .read = policy_read_name),
};
static const struct schema cluster_device_class_schema = {
    CLUSTER_OBJECT(cluster_device_class_fields)};

/* kubernetes/api:scheduling/v1/types.go PriorityClass@v0.36.3 */
static const char *const cluster_preemption_policies[] = {"Never", "PreemptLowerPriority", NULL};
static const struct schema_field cluster_priority_class_fields[] = {
    SCHEMA_MAY("globalDefault", .type = SCHEMA_BOOLEAN,
               SCHEMA_AT(cluster_priority_class, is_global_default)),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_priority_class, name),
                .read = policy_read_name),
    SCHEMA_MAY("preemptionPolicy", CLUSTER_TEXT, .enumeration = cluster_preemption_policies,
               SCHEMA_AT(cluster_priority_class, preemption_policy), .read = cluster_read_text),
    SCHEMA_MUST("value", .type = SCHEMA_INT32, SCHEMA_AT(cluster_priority_class, value)),
};
static const struct schema cluster_priority_class_schema = {
    CLUSTER_OBJECT(cluster_priority_class_fields),
    SCHEMA_SOURCE_AT(cluster_priority_class, source)};

/* For backends with a kind Queue. The catalog supplies the enumeration. */
static const struct schema cluster_queue_type = {
    CLUSTER_TEXT, SCHEMA_AT(cluster_queue, type), .read = cluster_read_text,
    .description = "Type of the backend that the queue belongs to."};
static const struct schema_field cluster_queue_fields[] = {
    SCHEMA_MAY("max", CLUSTER_AMOUNTS,
               .description = "Resources that the queue may have, named as in pods."),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_queue, name), .read = policy_read_name),
    SCHEMA_MAY("parent", CLUSTER_NAME, SCHEMA_AT(cluster_queue, parent), .read = policy_read_name),
    SCHEMA_MAY("sortPolicy", CLUSTER_NAME),
    {SLICE_INIT("type"), &cluster_queue_type, true},
};
static const struct schema cluster_queue_schema = {CLUSTER_OBJECT(cluster_queue_fields),
                                                   SCHEMA_SOURCE_AT(cluster_queue, source)};
static const struct schema cluster_queues = {
    CLUSTER_LIST(cluster_queue_schema, cluster_by_name_and_type, cluster_by_type_and_name),
    SCHEMA_RECORDS_AT(gang_cluster, queues, num_queues),
    SCHEMA_SOURCE_AT(gang_cluster, queues_source), .description = "Queues of the schedulers."};

/* kubernetes/api:core/v1/types.go ResourceQuota@v0.36.3: `hard` of the spec, `used` of the status.
 */
static const struct schema_field cluster_quota_fields[] = {
    SCHEMA_MUST("hard", CLUSTER_AMOUNTS, SCHEMA_AT(cluster_quota, hard),
                .read = cluster_read_amounts),
    SCHEMA_MUST("name", CLUSTER_NAME, SCHEMA_AT(cluster_quota, name), .read = policy_read_name),
    SCHEMA_MUST("namespace", CLUSTER_NAME, SCHEMA_AT(cluster_quota, namespace_),
                .read = cluster_read_label),
    SCHEMA_MAY("used", CLUSTER_AMOUNTS, SCHEMA_AT(cluster_quota, used),
               .read = cluster_read_amounts),
};
static const struct schema cluster_quota_schema = {CLUSTER_OBJECT(cluster_quota_fields)};

/* kubernetes/api:node/v1/types.go Scheduling and core/v1/types.go Toleration@v0.36.3 */
static const struct schema_field cluster_toleration_fields[] = {
    SCHEMA_MAY("effect", CLUSTER_TEXT),   SCHEMA_MAY("key", CLUSTER_TEXT),
    SCHEMA_MAY("operator", CLUSTER_TEXT), SCHEMA_MAY("tolerationSeconds", .type = SCHEMA_INT64),
    SCHEMA_MAY("value", CLUSTER_TEXT),
};
static const struct schema_field cluster_scheduling_fields[] = {
    SCHEMA_MAY("nodeSelector", .type = SCHEMA_OBJECT, SCHEMA_ITEMS(CLUSTER_TEXT)),
    SCHEMA_MAY("tolerations", .type = SCHEMA_LIST,
               SCHEMA_ITEMS(CLUSTER_OBJECT(cluster_toleration_fields))),
};
static const struct schema_field cluster_runtime_class_fields[] = {
    SCHEMA_MUST("name", CLUSTER_NAME),
    SCHEMA_MAY("overhead", CLUSTER_AMOUNTS),
    SCHEMA_MAY("scheduling", CLUSTER_OBJECT(cluster_scheduling_fields)),
};
static const struct schema cluster_runtime_class = {CLUSTER_OBJECT(cluster_runtime_class_fields),
                                                    .read = cluster_read_runtime_class};

static const struct schema_field cluster_version_fields[] = {
    SCHEMA_MUST("groupVersion", CLUSTER_NAME, SCHEMA_AT(cluster_version, group_version),
                .read = cluster_read_group_version),
    SCHEMA_MAY("resources", .type = SCHEMA_LIST, SCHEMA_ITEMS(CLUSTER_NAME), .is_set = true,
               SCHEMA_AT(cluster_version, resources), .read = cluster_read_resources),
};
static const struct schema cluster_version_schema = {CLUSTER_OBJECT(cluster_version_fields)};

/* ---- the document ---- */

static const struct schema cluster_component_version = {CLUSTER_NAME};
#define CLUSTER_COMPONENT(name, key, words) {SLICE_INIT(key), &cluster_component_version, false},
static const struct schema_field cluster_component_fields[] = {JOB_OPERATORS(CLUSTER_COMPONENT)};
/* cluster_component_schema() adds the components of the catalog. */
static const struct schema cluster_components = {
    CLUSTER_OBJECT(cluster_component_fields),
    .description = "Versions of the components of the cluster, such as `v0.14.2`."};

/* The keys of the operators in catalog/job_names.c. */
static const struct schema_field cluster_operator_fields[] = {
    SCHEMA_MAY("kuberay", CLUSTER_TEXT),          SCHEMA_MAY("lws", CLUSTER_TEXT),
    SCHEMA_MAY("mpiOperator", CLUSTER_TEXT),      SCHEMA_MAY("sparkOperator", CLUSTER_TEXT),
    SCHEMA_MAY("trainingOperator", CLUSTER_TEXT),
};

/* Fields of a pod template that refer to a gang. The catalog supplies the enumeration. */
static const struct schema cluster_pod_field = {CLUSTER_TEXT};
static const struct schema cluster_pod_template_fields = {
    .type = SCHEMA_LIST,
    .values = &cluster_pod_field,
    .is_set = true,
    SCHEMA_SOURCE_AT(gang_cluster, pod_template_fields),
    .description = "Fields that the CRDs of both JobSet and Trainer keep in a pod template. The "
                   "API server drops the others."};

static const struct schema_field cluster_spec_fields[] = {
    {SLICE_INIT("components"), &cluster_components, false},
    SCHEMA_MAY("deviceClasses",
               CLUSTER_LIST(cluster_device_class_schema, cluster_by_name, cluster_by_name),
               SCHEMA_RECORDS_AT(gang_cluster, device_classes, num_device_classes),
               SCHEMA_SOURCE_AT(gang_cluster, device_classes_source),
               .description = "DeviceClasses. One with `extendedResourceName` can give this "
                              "resource to pods on nodes that do not have it."),
    SCHEMA_MAY("featureGates", .type = SCHEMA_OBJECT, SCHEMA_ITEMS(.type = SCHEMA_BOOLEAN),
               SCHEMA_SOURCE_AT(gang_cluster, feature_gates),
               .description = "Feature gates of the API server that are on (`true`) or off "
                              "(`false`). A gate that is not listed is unknown."),
    SCHEMA_MAY("kubernetesVersion", CLUSTER_NAME, SCHEMA_SOURCE_AT(gang_cluster, kubernetes_source),
               .description = "Version of the API server, in quotes, such as `\"1.36\"`."),
    SCHEMA_MAY("limitRanges",
               CLUSTER_LIST(cluster_limit_range, cluster_by_name_and_namespace,
                            cluster_by_namespace_and_name),
               SCHEMA_RECORDS_AT(gang_cluster, limit_ranges, num_limit_ranges),
               SCHEMA_SOURCE_AT(gang_cluster, limit_ranges_source),
               .description = "LimitRanges, with `limits` as in Kubernetes."),
    SCHEMA_MAY("namespaces",
               CLUSTER_LIST(cluster_namespace_schema, cluster_by_name, cluster_by_name),
               SCHEMA_RECORDS_AT(gang_cluster, namespaces, num_namespaces),
               SCHEMA_SOURCE_AT(gang_cluster, namespaces_source),
               .description = "Namespaces. One that is not listed has no labels."),
    SCHEMA_MAY("nodes", CLUSTER_LIST(cluster_node_schema, cluster_by_name, NULL),
               SCHEMA_RECORDS_AT(gang_cluster, nodes, num_nodes),
               SCHEMA_SOURCE_AT(gang_cluster, nodes_source),
               .description = "All nodes of the cluster, for the constraint `mustFit`."),
    SCHEMA_MAY("operatorGangs", CLUSTER_OBJECT(cluster_operator_fields),
               SCHEMA_SOURCE_AT(gang_cluster, operator_gangs),
               .description = "Options with which operators of jobs make gangs themselves: the "
                              "value of each, `\"\"` without the option. An operator that is not "
                              "listed is unknown."),
    {SLICE_INIT("podTemplateFields"), &cluster_pod_template_fields, false},
    SCHEMA_MAY("priorityClasses",
               CLUSTER_LIST(cluster_priority_class_schema, cluster_by_name, cluster_by_name),
               SCHEMA_RECORDS_AT(gang_cluster, priority_classes, num_priority_classes),
               SCHEMA_SOURCE_AT(gang_cluster, priority_classes_source),
               .description = "PriorityClasses. The two `system-` classes always exist."),
    {SLICE_INIT("queues"), &cluster_queues, false},
    SCHEMA_MAY("resourceQuotas",
               CLUSTER_LIST(cluster_quota_schema, cluster_by_name_and_namespace, NULL),
               SCHEMA_RECORDS_AT(gang_cluster, quotas, num_quotas),
               .description = "ResourceQuotas, with `hard` of the spec and `used` of the status."),
    SCHEMA_MAY("runtimeClasses",
               CLUSTER_LIST(cluster_runtime_class, cluster_by_name, cluster_by_name),
               SCHEMA_RECORDS_AT(gang_cluster, runtime_classes, num_runtime_classes),
               SCHEMA_SOURCE_AT(gang_cluster, runtime_classes_source),
               .description = "RuntimeClasses, with `overhead.podFixed` as `overhead`, and "
                              "`scheduling` as in Kubernetes."),
    SCHEMA_MAY(
        "servedVersions",
        CLUSTER_LIST(cluster_version_schema, cluster_by_group_version, cluster_by_group_version),
        SCHEMA_RECORDS_AT(gang_cluster, versions, num_versions),
        SCHEMA_SOURCE_AT(gang_cluster, versions_source),
        .description = "Every served group and version, as `kubectl api-versions` prints "
                       "them, with its resources if they are known."),
};
static const struct schema cluster_spec = {
    CLUSTER_OBJECT(cluster_spec_fields),
    .description = "Facts about the cluster. An absent list is unknown; an empty one means that "
                   "the cluster has no such objects."};

/* object_meta_check_kind() compares them; the patterns are for readers of the schema. */
static const struct schema_field cluster_fields[] = {
    SCHEMA_MUST("apiVersion", CLUSTER_TEXT, .pattern = "^policy\\.libgang\\.dev/v1alpha1$",
                .description = "`" GANG_API_VERSION "`."),
    SCHEMA_MUST("kind", CLUSTER_TEXT, .pattern = "^" GANG_KIND_CLUSTER "$",
                .description = "`" GANG_KIND_CLUSTER "`."),
    SCHEMA_MUST("metadata", .type = SCHEMA_ANY),
    {SLICE_INIT("spec"), &cluster_spec, false},
    SCHEMA_MAY("status", .type = SCHEMA_ANY,
               .description = "What a controller writes into the object in a cluster. It decides "
                              "nothing."),
};
static const struct schema cluster_document = {
    CLUSTER_OBJECT(cluster_fields), .description = "Facts about a cluster that decisions use."};

/* ---- parts from the catalog ---- */

static const struct schema *
cluster_component_schema(struct arena *arena)
{
    struct schema components = cluster_components;

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->component.name))
            components = policy_with_field(&components, catalog[i]->component.name,
                                           &cluster_component_version, arena);
    return policy_keep_schema(components, arena);
}

/* Words of the catalog, to be sorted for an enumeration. */
struct cluster_words {
    const void **words;
    size_t count;
};

static int
cluster_compare_words(const void *a, const void *b, const void *context)
{
    (void)context;
    return strcmp(a, b);
}

static const struct schema *
cluster_enumeration(struct schema schema, struct cluster_words words, struct arena *arena)
{
    const void **scratch = arena_array(arena, words.count + 1, sizeof(*scratch));
    const char **names = arena_array(arena, words.count + 1, sizeof(*names));

    if (!words.words || !scratch || !names)
        return NULL;
    stable_sort(words.words, scratch, words.count, cluster_compare_words, NULL);
    for (size_t i = 0; i < words.count; i++)
        names[i] = words.words[i];
    schema.enumeration = names;
    return policy_keep_schema(schema, arena);
}

static size_t
cluster_count_marks(void)
{
    size_t count = 0;

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        count += catalog[i]->num_marks;
    return count;
}

const struct schema *
cluster_schema(struct arena *arena)
{
    struct schema spec = policy_with_field(&cluster_spec, SLICE("components"),
                                           cluster_component_schema(arena), arena);
    const struct schema *document;
    struct cluster_words fields = {
        .words = arena_array(arena, cluster_count_marks(), sizeof(*fields.words))};
    struct schema list = cluster_pod_template_fields;
    struct cluster_words types;
    struct schema queues = cluster_queues;
    struct schema queue;

    for (size_t i = 0; fields.words && i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++)
            if (catalog[i]->marks[k].place == MARK_POD_FIELD)
                fields.words[fields.count++] = catalog[i]->marks[k].key.data;
    list.values = cluster_enumeration(cluster_pod_field, fields, arena);
    spec = policy_with_field(&spec, SLICE("podTemplateFields"), policy_keep_schema(list, arena),
                             arena);
    types =
        (struct cluster_words){.words = arena_array(arena, CATALOG_COUNT, sizeof(*types.words))};
    for (size_t i = 0; types.words && i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->queue_parent) || catalog[i]->configures_queues)
            types.words[types.count++] = catalog[i]->type.data;
    queue = policy_with_field(&cluster_queue_schema, SLICE("type"),
                              cluster_enumeration(cluster_queue_type, types, arena), arena);
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
