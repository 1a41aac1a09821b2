/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster_schema.h"

#include "libgang/catalog/catalog.h"
#include "libgang/policy/policy_schema.h"

static const struct schema cluster_text = {.type = SCHEMA_STRING};
static const struct schema cluster_name = {.type = SCHEMA_STRING, .min_length = 1};
static const struct schema cluster_flag = {.type = SCHEMA_BOOLEAN};
static const struct schema cluster_any = {.type = SCHEMA_ANY};
static const struct schema cluster_quantity = {.type = SCHEMA_QUANTITY};
static const struct schema cluster_amounts = {.type = SCHEMA_OBJECT, .values = &cluster_quantity};

/* The key of the items of a list. */
static const char *const cluster_by_name[] = {"name", NULL};
static const char *const cluster_by_type[] = {"type", NULL};
static const char *const cluster_by_group_version[] = {"groupVersion", NULL};
static const char *const cluster_by_name_and_type[] = {"name", "type", NULL};
static const char *const cluster_by_name_and_namespace[] = {"name", "namespace", NULL};

static const struct schema_field cluster_component_fields[] = {
    {SLICE_INIT("jobset"), &cluster_name, false},
    {SLICE_INIT("trainer"), &cluster_name, false},
};
/* cluster_component_schema() adds the components of the catalog. */
static const struct schema cluster_components = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(cluster_component_fields),
    .description = "Versions of the components of the cluster, such as `v0.14.2`."};

static const struct schema cluster_gates = {
    .type = SCHEMA_OBJECT,
    .values = &cluster_flag,
    .description = "Feature gates of the API server that are on (`true`) or off (`false`). A gate "
                   "that is not listed is unknown."};

static const struct schema cluster_kubernetes_version = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .description = "Version of the API server, in quotes, such as `\"1.36\"`."};

/*
 * kubernetes/api:core/v1/types.go LimitRangeItem@v0.36.3. The types that the API server defines. It
 * also accepts other types, which limit nothing.
 */
static const char *const cluster_limit_types[] = {"Container", "Pod", "PersistentVolumeClaim",
                                                  NULL};
static const struct schema cluster_limit_type = {.type = SCHEMA_STRING,
                                                 .enumeration = cluster_limit_types};
static const struct schema_field cluster_limit_fields[] = {
    {SLICE_INIT("default"), &cluster_amounts, false},
    {SLICE_INIT("defaultRequest"), &cluster_amounts, false},
    {SLICE_INIT("max"), &cluster_amounts, false},
    {SLICE_INIT("maxLimitRequestRatio"), &cluster_amounts, false},
    {SLICE_INIT("min"), &cluster_amounts, false},
    {SLICE_INIT("type"), &cluster_limit_type, true},
};
static const struct schema cluster_limit = SCHEMA_OBJECT_OF(cluster_limit_fields);
static const struct schema cluster_limits = {
    .type = SCHEMA_LIST, .values = &cluster_limit, .keys = cluster_by_type};
static const struct schema_field cluster_limit_range_fields[] = {
    {SLICE_INIT("limits"), &cluster_limits, true},
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("namespace"), &cluster_name, true},
};
static const struct schema cluster_limit_range = SCHEMA_OBJECT_OF(cluster_limit_range_fields);
static const struct schema cluster_limit_ranges = {
    .type = SCHEMA_LIST,
    .values = &cluster_limit_range,
    .keys = cluster_by_name_and_namespace,
    .description = "LimitRanges, with `limits` as in Kubernetes."};

static const struct schema cluster_namespace_labels = {
    .type = SCHEMA_OBJECT, .values = &cluster_text, .description = "Labels of the namespace."};
static const struct schema cluster_namespace_quota = {
    .type = SCHEMA_OBJECT,
    .values = &cluster_quantity,
    .description = "Resources that a scheduler lets the pods of the namespace have."};
static const struct schema_field cluster_namespace_fields[] = {
    {SLICE_INIT("labels"), &cluster_namespace_labels, false},
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("quota"), &cluster_namespace_quota, false},
};
static const struct schema cluster_namespace_item = SCHEMA_OBJECT_OF(cluster_namespace_fields);
static const struct schema cluster_namespaces = {
    .type = SCHEMA_LIST,
    .values = &cluster_namespace_item,
    .keys = cluster_by_name,
    .description = "Namespaces. One that is not listed has no labels."};

/* The keys of catalog/operator_options.c. */
static const struct schema_field cluster_operator_fields[] = {
    {SLICE_INIT("kuberay"), &cluster_text, false},
    {SLICE_INIT("lws"), &cluster_text, false},
    {SLICE_INIT("mpiOperator"), &cluster_text, false},
    {SLICE_INIT("sparkOperator"), &cluster_text, false},
    {SLICE_INIT("trainingOperator"), &cluster_text, false},
};
static const struct schema cluster_operator_gangs_schema = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(cluster_operator_fields),
    .description = "Options with which operators of jobs make gangs themselves: the value of each, "
                   "`\"\"` without the option. An operator that is not listed is unknown."};

/* Fields of a pod template that refer to a gang. The catalog supplies the enumeration. */
static const struct schema cluster_pod_field = {.type = SCHEMA_STRING};
static const struct schema cluster_pod_template_fields = {
    .type = SCHEMA_LIST,
    .values = &cluster_pod_field,
    .is_set = true,
    .description = "Fields that the CRDs of both JobSet and Trainer keep in a pod template. The "
                   "API server drops the others."};

/* kubernetes/api:scheduling/v1/types.go PriorityClass@v0.36.3 */
static const char *const cluster_preemption_policies[] = {"Never", "PreemptLowerPriority", NULL};
static const struct schema cluster_preemption_policy = {.type = SCHEMA_STRING,
                                                        .enumeration = cluster_preemption_policies};
static const struct schema cluster_priority = {.type = SCHEMA_INT32};
static const struct schema_field cluster_priority_class_fields[] = {
    {SLICE_INIT("globalDefault"), &cluster_flag, false},
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("preemptionPolicy"), &cluster_preemption_policy, false},
    {SLICE_INIT("value"), &cluster_priority, true},
};
static const struct schema cluster_priority_class_item =
    SCHEMA_OBJECT_OF(cluster_priority_class_fields);
static const struct schema cluster_priority_classes = {
    .type = SCHEMA_LIST,
    .values = &cluster_priority_class_item,
    .keys = cluster_by_name,
    .description = "PriorityClasses. The two `system-` classes always exist."};

/*
 * The type of the backend that the queue belongs to, for backends with a kind Queue. The catalog
 * supplies the enumeration.
 */
static const struct schema cluster_queue_type = {
    .type = SCHEMA_STRING, .description = "Type of the backend that the queue belongs to."};
static const struct schema cluster_queue_max = {
    .type = SCHEMA_OBJECT,
    .values = &cluster_quantity,
    .description = "Resources that the queue may have, named as in pods."};
static const struct schema_field cluster_queue_fields[] = {
    {SLICE_INIT("max"), &cluster_queue_max, false},
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("parent"), &cluster_name, false},
    {SLICE_INIT("sortPolicy"), &cluster_name, false},
    {SLICE_INIT("type"), &cluster_queue_type, true},
};
static const struct schema cluster_queue_schema = SCHEMA_OBJECT_OF(cluster_queue_fields);
static const struct schema cluster_queues = {.type = SCHEMA_LIST,
                                             .values = &cluster_queue_schema,
                                             .keys = cluster_by_name_and_type,
                                             .description = "Queues of the schedulers."};

/* kubernetes/api:core/v1/types.go ResourceQuota@v0.36.3: `hard` of the spec, `used` of the status.
 */
static const struct schema_field cluster_resource_quota_fields[] = {
    {SLICE_INIT("hard"), &cluster_amounts, true},
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("namespace"), &cluster_name, true},
    {SLICE_INIT("used"), &cluster_amounts, false},
};
static const struct schema cluster_resource_quota = SCHEMA_OBJECT_OF(cluster_resource_quota_fields);
static const struct schema cluster_resource_quotas = {
    .type = SCHEMA_LIST,
    .values = &cluster_resource_quota,
    .keys = cluster_by_name_and_namespace,
    .description = "ResourceQuotas, with `hard` of the spec and `used` of the status."};

/* kubernetes/api:node/v1/types.go Scheduling and core/v1/types.go Toleration@v0.36.3 */
static const struct schema cluster_integer = {.type = SCHEMA_INT64};
static const struct schema_field cluster_toleration_fields[] = {
    {SLICE_INIT("effect"), &cluster_text, false},
    {SLICE_INIT("key"), &cluster_text, false},
    {SLICE_INIT("operator"), &cluster_text, false},
    {SLICE_INIT("tolerationSeconds"), &cluster_integer, false},
    {SLICE_INIT("value"), &cluster_text, false},
};
static const struct schema cluster_toleration = SCHEMA_OBJECT_OF(cluster_toleration_fields);
static const struct schema cluster_tolerations = {.type = SCHEMA_LIST,
                                                  .values = &cluster_toleration};
static const struct schema cluster_node_selector = {.type = SCHEMA_OBJECT, .values = &cluster_text};
static const struct schema_field cluster_scheduling_fields[] = {
    {SLICE_INIT("nodeSelector"), &cluster_node_selector, false},
    {SLICE_INIT("tolerations"), &cluster_tolerations, false},
};
static const struct schema cluster_scheduling = SCHEMA_OBJECT_OF(cluster_scheduling_fields);
static const struct schema_field cluster_runtime_class_fields[] = {
    {SLICE_INIT("name"), &cluster_name, true},
    {SLICE_INIT("overhead"), &cluster_amounts, false},
    {SLICE_INIT("scheduling"), &cluster_scheduling, false},
};
static const struct schema cluster_runtime_class = SCHEMA_OBJECT_OF(cluster_runtime_class_fields);
static const struct schema cluster_runtime_classes = {
    .type = SCHEMA_LIST,
    .values = &cluster_runtime_class,
    .keys = cluster_by_name,
    .description = "RuntimeClasses, with `overhead.podFixed` as `overhead`, and `scheduling` as in "
                   "Kubernetes."};

static const struct schema cluster_resources = {
    .type = SCHEMA_LIST, .values = &cluster_name, .is_set = true};
static const struct schema_field cluster_served_version_fields[] = {
    {SLICE_INIT("groupVersion"), &cluster_name, true},
    {SLICE_INIT("resources"), &cluster_resources, false},
};
static const struct schema cluster_served_version = SCHEMA_OBJECT_OF(cluster_served_version_fields);
static const struct schema cluster_served_versions = {
    .type = SCHEMA_LIST,
    .values = &cluster_served_version,
    .keys = cluster_by_group_version,
    .description = "Every served group and version, as `kubectl api-versions` prints them, with "
                   "its resources if they are known."};

static const struct schema_field cluster_spec_fields[] = {
    {SLICE_INIT("components"), &cluster_components, false},
    {SLICE_INIT("featureGates"), &cluster_gates, false},
    {SLICE_INIT("kubernetesVersion"), &cluster_kubernetes_version, false},
    {SLICE_INIT("limitRanges"), &cluster_limit_ranges, false},
    {SLICE_INIT("namespaces"), &cluster_namespaces, false},
    {SLICE_INIT("operatorGangs"), &cluster_operator_gangs_schema, false},
    {SLICE_INIT("podTemplateFields"), &cluster_pod_template_fields, false},
    {SLICE_INIT("priorityClasses"), &cluster_priority_classes, false},
    {SLICE_INIT("queues"), &cluster_queues, false},
    {SLICE_INIT("resourceQuotas"), &cluster_resource_quotas, false},
    {SLICE_INIT("runtimeClasses"), &cluster_runtime_classes, false},
    {SLICE_INIT("servedVersions"), &cluster_served_versions, false},
};
static const struct schema cluster_spec = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(cluster_spec_fields),
    .description =
        "Facts about the cluster. An absent list is unknown; an empty one means that the "
        "cluster has no such objects."};

/* object_meta_check_kind() compares them; the patterns are for readers of the schema. */
static const struct schema cluster_api_version = {.type = SCHEMA_STRING,
                                                  .pattern = "^policy\\.libgang\\.dev/v1alpha1$",
                                                  .description = "`" GANG_API_VERSION "`."};
static const struct schema cluster_kind = {.type = SCHEMA_STRING,
                                           .pattern = "^" GANG_KIND_CLUSTER "$",
                                           .description = "`" GANG_KIND_CLUSTER "`."};
static const struct schema_field cluster_fields[] = {
    {SLICE_INIT("apiVersion"), &cluster_api_version, true},
    {SLICE_INIT("kind"), &cluster_kind, true},
    {SLICE_INIT("metadata"), &cluster_any, true},
    {SLICE_INIT("spec"), &cluster_spec, false},
};
static const struct schema cluster_document = {.type = SCHEMA_OBJECT,
                                               SCHEMA_FIELDS(cluster_fields),
                                               .description =
                                                   "Facts about a cluster that decisions use."};

/* ---- parts from the catalog ---- */

static const struct schema *
cluster_component_schema(struct arena *arena)
{
    struct schema components = cluster_components;

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->component.name))
            components =
                policy_with_field(&components, catalog[i]->component.name, &cluster_name, arena);
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

static const struct schema *
cluster_queues_schema(struct arena *arena)
{
    struct cluster_words types = {.words = arena_array(arena, CATALOG_COUNT, sizeof(*types.words))};
    struct schema queues = cluster_queues;
    struct schema queue;

    for (size_t i = 0; types.words && i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->queue_parent) || catalog[i]->configures_queues)
            types.words[types.count++] = catalog[i]->type.data;
    queue = policy_with_field(&cluster_queue_schema, SLICE("type"),
                              cluster_enumeration(cluster_queue_type, types, arena), arena);
    queues.values = policy_keep_schema(queue, arena);
    return policy_keep_schema(queues, arena);
}

static size_t
cluster_count_marks(void)
{
    size_t count = 0;

    for (size_t i = 0; i < CATALOG_COUNT; i++)
        count += catalog[i]->num_marks;
    return count;
}

static const struct schema *
cluster_pod_fields_schema(struct arena *arena)
{
    struct cluster_words fields = {
        .words = arena_array(arena, cluster_count_marks(), sizeof(*fields.words))};
    struct schema list = cluster_pod_template_fields;

    for (size_t i = 0; fields.words && i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++)
            if (catalog[i]->marks[k].place == MARK_POD_FIELD)
                fields.words[fields.count++] = catalog[i]->marks[k].key.data;
    list.values = cluster_enumeration(cluster_pod_field, fields, arena);
    return policy_keep_schema(list, arena);
}

const struct schema *
cluster_schema(struct arena *arena)
{
    struct schema spec = policy_with_field(&cluster_spec, SLICE("components"),
                                           cluster_component_schema(arena), arena);
    const struct schema *document;

    spec = policy_with_field(&spec, SLICE("podTemplateFields"), cluster_pod_fields_schema(arena),
                             arena);
    spec = policy_with_field(&spec, SLICE("queues"), cluster_queues_schema(arena), arena);
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (catalog[i]->facts)
            spec = policy_with_field(&spec, catalog[i]->name, catalog[i]->facts, arena);
    document = policy_keep_schema(
        policy_with_field(&cluster_document, SLICE("spec"), policy_keep_schema(spec, arena), arena),
        arena);
    return arena_failed(arena) ? NULL : document;
}
