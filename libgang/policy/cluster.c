/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "libgang/policy/cluster_schema.h"

/* ---- cluster rules ---- */

static void
cluster_check_name(enum name_rule rule, const struct node *name, struct report *report)
{
    name_check_node(name, rule, GANG_CODE_INVALID_NAME, NULL, report);
}

/* The lists with named items, and the rule for each of these names. */
static const struct {
    const char *list;
    struct slice member;
    enum name_rule rule;
} cluster_names[] = {
    {"spec.namespaces", SLICE_INIT("name"), NAME_DNS1123_LABEL},
    {"spec.queues", SLICE_INIT("name"), NAME_DNS1123_SUBDOMAIN},
    {"spec.queues", SLICE_INIT("parent"), NAME_DNS1123_SUBDOMAIN},
    {"spec.priorityClasses", SLICE_INIT("name"), NAME_DNS1123_SUBDOMAIN},
    {"spec.runtimeClasses", SLICE_INIT("name"), NAME_DNS1123_SUBDOMAIN},
    {"spec.limitRanges", SLICE_INIT("name"), NAME_DNS1123_SUBDOMAIN},
    {"spec.limitRanges", SLICE_INIT("namespace"), NAME_DNS1123_LABEL},
    {"spec.resourceQuotas", SLICE_INIT("name"), NAME_DNS1123_SUBDOMAIN},
    {"spec.resourceQuotas", SLICE_INIT("namespace"), NAME_DNS1123_LABEL},
};

static void
cluster_check_names(const struct node *root, struct report *report)
{
    for (size_t i = 0; i < COUNT_OF(cluster_names); i++)
        for (NODE_EACH(item, node_at(root, cluster_names[i].list)))
            cluster_check_name(cluster_names[i].rule, node_member(item, cluster_names[i].member),
                               report);
}

static void
cluster_check_labels(const struct node *root, struct report *report)
{
    for (NODE_EACH(item, node_at(root, "spec.namespaces")))
        object_meta_check_labels(node_member(item, SLICE("labels")), report);
}

/*
 * Whether the text is "v1" (core group) or "group/version". Source:
 * kubernetes/apimachinery:pkg/runtime/schema ParseGroupVersion
 */
static bool
cluster_is_group_version(struct slice text)
{
    const char *slash = memchr(text.data, '/', text.len);
    struct slice group = {text.data, slash ? (size_t)(slash - text.data) : 0};
    size_t start = slash ? group.len + 1 : 0;
    struct slice version = {text.data + start, text.len - start};

    return (!slash || name_is_valid(NAME_DNS1123_SUBDOMAIN, group)) &&
           name_is_valid(NAME_DNS1035_LABEL, version);
}

static void
cluster_check_served_versions(const struct node *root, struct report *report)
{
    for (NODE_EACH(item, node_at(root, "spec.servedVersions"))) {
        const struct node *version = node_member(item, SLICE("groupVersion"));

        if (node_string(version).len && !cluster_is_group_version(node_string(version)))
            find_invalid(report, GANG_CODE_PATTERN_MISMATCH, version,
                         "write it as `kubectl api-versions` does",
                         "must be a group and version such as scheduling.k8s.io/v1beta1");
        for (NODE_EACH(resource, node_member(item, SLICE("resources"))))
            cluster_check_name(NAME_DNS1035_LABEL, resource, report);
    }
}

static void
cluster_check_release(const struct node *source, const struct release *release, const char *example,
                      struct report *report)
{
    if (node_string(source).len && !release->is_known)
        find_invalid(report, GANG_CODE_PATTERN_MISMATCH, source, NULL,
                     "must be a version such as \"%s\"", example);
}

static void
cluster_check_releases(const struct gang_cluster *cluster, struct report *report)
{
    cluster_check_release(cluster->kubernetes_source, &cluster->kubernetes, "1.36", report);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        cluster_check_release(cluster->component_sources[i], &cluster->components[i], "v0.14.2",
                              report);
}

/* kubernetes/kubernetes:pkg/apis/core/validation ValidateLimitRange */
static void
cluster_check_pod_limit(const struct node *limit, struct report *report)
{
    static const struct slice defaults[] = {SLICE_INIT("default"), SLICE_INIT("defaultRequest")};

    if (!slice_equal(node_string(node_member(limit, SLICE("type"))), SLICE("Pod")))
        return;
    for (size_t i = 0; i < COUNT_OF(defaults); i++)
        if (node_count(node_member(limit, defaults[i])))
            find_forbidden(report, GANG_CODE_UNKNOWN_FIELD, node_member(limit, defaults[i]), NULL,
                           "may not be specified when `type` is 'Pod'");
}

static void
cluster_check_limit_ranges(const struct node *root, struct report *report)
{
    for (NODE_EACH(range, node_at(root, "spec.limitRanges")))
        for (NODE_EACH(limit, node_member(range, SLICE("limits"))))
            cluster_check_pod_limit(limit, report);
}

/* Only the amount of a resource that a job requests is used, so the amounts are read when needed.
 */
static void
cluster_check_resource_quotas(const struct node *root, struct report *report)
{
    for (NODE_EACH(quota, node_at(root, "spec.resourceQuotas"))) {
        resource_list_read(node_member(quota, SLICE("hard")), report->arena, report);
        resource_list_read(node_member(quota, SLICE("used")), report->arena, report);
    }
}

/* A GangCluster describes a whole cluster, so a namespace would have no effect. */
static void
cluster_forbid_namespace(const struct node *root, struct report *report)
{
    const struct node *namespace_ = node_at(root, "metadata.namespace");

    if (namespace_)
        find_forbidden(report, GANG_CODE_UNKNOWN_FIELD, namespace_, NULL,
                       "a cluster has no namespace");
}

/* Reports what the schema of a GangCluster cannot express: invalid names, versions and labels. */
static void
cluster_rules_check(const struct gang_cluster *cluster, const struct node *root,
                    struct report *report)
{
    cluster_forbid_namespace(root, report);
    cluster_check_name(NAME_DNS1123_SUBDOMAIN, node_at(root, "metadata.name"), report);
    cluster_check_releases(cluster, report);
    cluster_check_served_versions(root, report);
    cluster_check_names(root, report);
    cluster_check_labels(root, report);
    cluster_check_limit_ranges(root, report);
    cluster_check_resource_quotas(root, report);
}

/* ---- cluster ---- */

static const struct slice cluster_kinds[] = {SLICE_INIT(GANG_KIND_CLUSTER)};

/* Returns an unset slice for a scheduler that is part of Kubernetes. */
static struct slice
cluster_component_name(size_t component)
{
    if (component < CATALOG_COUNT)
        return catalog[component]->component.name;
    return component == COMPONENT_JOBSET ? SLICE("jobset") : SLICE("trainer");
}

/*
 * kubernetes/kubernetes:pkg/apis/scheduling/helpers.go SystemPriorityClasses: the API server
 * creates these classes, and they cannot be deleted.
 */
static const struct cluster_priority_class cluster_system_classes[] = {
    {.name = SLICE_INIT("system-cluster-critical"), .value = 2000000000},
    {.name = SLICE_INIT("system-node-critical"), .value = 2000001000},
};

/* The members by which an index is sorted. */
struct cluster_keys {
    struct slice first;
    struct slice second; /* unset if there is none */
};

static const struct cluster_keys cluster_name_key = {.first = SLICE_INIT("name")};
static const struct cluster_keys cluster_version_key = {.first = SLICE_INIT("groupVersion")};
static const struct cluster_keys cluster_limit_range_keys = {SLICE_INIT("namespace"),
                                                             SLICE_INIT("name")};
static const struct cluster_keys cluster_queue_keys = {SLICE_INIT("type"), SLICE_INIT("name")};

static int
cluster_compare_item(const struct node *item, const struct cluster_keys *keys, struct slice first,
                     struct slice second)
{
    int order = slice_compare(node_string(node_member(item, keys->first)), first);

    if (order || !slice_is_set(keys->second))
        return order;
    return slice_compare(node_string(node_member(item, keys->second)), second);
}

static int
cluster_compare_items(const void *a, const void *b, const void *context)
{
    const struct cluster_keys *keys = context;
    struct slice second =
        slice_is_set(keys->second) ? node_string(node_member(b, keys->second)) : NO_SLICE;

    return cluster_compare_item(a, keys, node_string(node_member(b, keys->first)), second);
}

static struct cluster_index
cluster_index_make(const struct node *list, const struct cluster_keys *keys, struct arena *arena)
{
    struct cluster_index index = {.is_known = node_is(list, NODE_LIST)};
    const void **items;
    const void **scratch;

    if (!index.is_known)
        return index;
    items = arena_array(arena, node_count(list), sizeof(*items));
    scratch = arena_array(arena, node_count(list), sizeof(*scratch));
    index.items = arena_array(arena, node_count(list), sizeof(*index.items));
    if (!index.items)
        return index; /* allocated last, so NULL if any of the three allocations failed */
    for (NODE_EACH(item, list))
        items[index.count++] = item;
    stable_sort(items, scratch, index.count, cluster_compare_items, keys);
    for (size_t i = 0; i < index.count; i++)
        index.items[i] = items[i];
    return index;
}

static const struct node *
cluster_index_find(const struct cluster_index *index, const struct cluster_keys *keys,
                   struct slice first, struct slice second)
{
    size_t low = 0;
    size_t high = index->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = cluster_compare_item(index->items[middle], keys, first, second);

        if (order < 0)
            low = middle + 1;
        else if (order > 0)
            high = middle;
        else
            return index->items[middle];
    }
    return NULL;
}

/*
 * Binary search in an array of structs of equal size. Each struct starts with its name, and the
 * array is sorted by name.
 */
static const void *
cluster_find_named(const void *items, size_t count, size_t size, struct slice name)
{
    const char *first = items;
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const char *item = first + middle * size;
        int order = slice_compare(*(const struct slice *)(const void *)item, name);

        if (order < 0)
            low = middle + 1;
        else if (order > 0)
            high = middle;
        else
            return item;
    }
    return NULL;
}

static void
cluster_read_namespaces(struct gang_cluster *cluster, const struct node *spec, struct arena *arena)
{
    struct cluster_index index =
        cluster_index_make(node_member(spec, SLICE("namespaces")), &cluster_name_key, arena);

    cluster->knows_namespaces = index.is_known;
    cluster->namespaces = arena_array(arena, index.count, sizeof(*cluster->namespaces));
    for (size_t i = 0; cluster->namespaces && i < index.count; i++)
        cluster->namespaces[cluster->num_namespaces++] = (struct cluster_namespace){
            .name = node_string(node_member(index.items[i], SLICE("name"))),
            .labels = node_member(index.items[i], SLICE("labels")),
            .quota = node_member(index.items[i], SLICE("quota")),
            .source = index.items[i],
        };
}

static struct cluster_priority_class
cluster_read_priority_class(const struct node *source)
{
    struct cluster_priority_class class = {
        .name = node_string(node_member(source, SLICE("name"))),
        .is_global_default = node_is_true(node_member(source, SLICE("globalDefault"))),
        .preemption_policy = node_string(node_member(source, SLICE("preemptionPolicy"))),
        .source = source,
    };

    node_int(node_member(source, SLICE("value")), &class.value);
    return class;
}

static void
cluster_read_priority_classes(struct gang_cluster *cluster, const struct node *spec,
                              struct arena *arena)
{
    struct cluster_index index =
        cluster_index_make(node_member(spec, SLICE("priorityClasses")), &cluster_name_key, arena);

    cluster->knows_priority_classes = index.is_known;
    cluster->priority_classes = arena_array(arena, index.count, sizeof(*cluster->priority_classes));
    for (size_t i = 0; cluster->priority_classes && i < index.count; i++)
        cluster->priority_classes[cluster->num_priority_classes++] =
            cluster_read_priority_class(index.items[i]);
}

static void
cluster_read_runtime_classes(struct gang_cluster *cluster, const struct node *spec,
                             struct parse_call *call)
{
    struct cluster_index index = cluster_index_make(node_member(spec, SLICE("runtimeClasses")),
                                                    &cluster_name_key, call->arena);

    cluster->knows_runtime_classes = index.is_known;
    cluster->runtime_classes =
        arena_array(call->arena, index.count, sizeof(*cluster->runtime_classes));
    for (size_t i = 0; cluster->runtime_classes && i < index.count; i++)
        cluster->runtime_classes[cluster->num_runtime_classes++] =
            runtime_class_read(index.items[i], call->arena, &call->report);
}

static void
cluster_read_limit_ranges(struct gang_cluster *cluster, const struct node *spec,
                          struct parse_call *call)
{
    struct cluster_index index = cluster_index_make(node_member(spec, SLICE("limitRanges")),
                                                    &cluster_limit_range_keys, call->arena);

    cluster->knows_limit_ranges = index.is_known;
    cluster->limit_ranges = arena_array(call->arena, index.count, sizeof(*cluster->limit_ranges));
    for (size_t i = 0; cluster->limit_ranges && i < index.count; i++)
        cluster->limit_ranges[cluster->num_limit_ranges++] =
            limit_range_read(index.items[i], call->arena, &call->report);
}

static void
cluster_read_releases(struct gang_cluster *cluster, const struct node *spec)
{
    const struct node *components = node_member(spec, SLICE("components"));

    cluster->kubernetes_source = node_member(spec, SLICE("kubernetesVersion"));
    release_parse(node_string(cluster->kubernetes_source), &cluster->kubernetes);
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        if (!slice_is_set(cluster_component_name(i)))
            continue;
        cluster->component_sources[i] = node_member(components, cluster_component_name(i));
        release_parse(node_string(cluster->component_sources[i]), &cluster->components[i]);
    }
}

void
cluster_compile(struct gang_document *document, struct parse_call *call)
{
    const struct schema *schema = cluster_schema(call->arena);
    struct gang_cluster *cluster = (struct gang_cluster *)document;
    const struct node *spec = node_member(call->root, SLICE("spec"));

    object_meta_check_kind(call->root, SLICE(GANG_API_VERSION), cluster_kinds, 1, &call->report);
    if (schema)
        schema_check(schema, call->root, &call->report);
    cluster->source = call->root;
    object_meta_read(call->root, &call->report);
    cluster_read_releases(cluster, spec);
    cluster->feature_gates = node_member(spec, SLICE("featureGates"));
    cluster->pod_template_fields = node_member(spec, SLICE("podTemplateFields"));
    cluster->served_versions = cluster_index_make(node_member(spec, SLICE("servedVersions")),
                                                  &cluster_version_key, call->arena);
    cluster->queues =
        cluster_index_make(node_member(spec, SLICE("queues")), &cluster_queue_keys, call->arena);
    cluster->resource_quotas = node_member(spec, SLICE("resourceQuotas"));
    cluster->operator_gangs = node_member(spec, SLICE("operatorGangs"));
    cluster_read_namespaces(cluster, spec, call->arena);
    cluster_read_priority_classes(cluster, spec, call->arena);
    cluster_read_runtime_classes(cluster, spec, call);
    cluster_read_limit_ranges(cluster, spec, call);
    cluster_rules_check(cluster, call->root, &call->report);
}

static bool
cluster_list_has(const struct node *list, struct slice text)
{
    for (NODE_EACH(item, list))
        if (slice_equal(node_string(item), text))
            return true;
    return false;
}

/* Returns the answer from a list that may be absent: unknown if it is. */
static enum cluster_answer
cluster_answer_of(bool is_known, bool found)
{
    if (!is_known)
        return CLUSTER_UNKNOWN;
    return found ? CLUSTER_YES : CLUSTER_NO;
}

enum cluster_answer
cluster_serves(const struct gang_cluster *cluster, struct slice group_version,
               struct slice resource)
{
    const struct node *version;
    const struct node *resources;

    if (!cluster || !cluster->served_versions.is_known)
        return CLUSTER_UNKNOWN;
    version = cluster_index_find(&cluster->served_versions, &cluster_version_key, group_version,
                                 NO_SLICE);
    if (!version || !slice_is_set(resource))
        return cluster_answer_of(true, version != NULL);
    resources = node_member(version, SLICE("resources"));
    return cluster_answer_of(resources != NULL, cluster_list_has(resources, resource));
}

const struct node *
cluster_gate_source(const struct gang_cluster *cluster, struct slice gate)
{
    return cluster ? node_member(cluster->feature_gates, gate) : NULL;
}

enum cluster_answer
cluster_has_gate(const struct gang_cluster *cluster, struct slice gate)
{
    const struct node *source = cluster_gate_source(cluster, gate);

    return cluster_answer_of(source != NULL, node_is_true(source));
}

enum cluster_answer
cluster_keeps_pod_field(const struct gang_cluster *cluster, struct slice field)
{
    const struct node *fields = cluster ? cluster->pod_template_fields : NULL;

    return cluster_answer_of(fields != NULL, cluster_list_has(fields, field));
}

const struct node *
cluster_operator_gangs(const struct gang_cluster *cluster, struct slice operator_)
{
    return cluster ? node_member(cluster->operator_gangs, operator_) : NULL;
}

struct release
cluster_kubernetes(const struct gang_cluster *cluster)
{
    return cluster ? cluster->kubernetes : (struct release){0};
}

struct release
cluster_component(const struct gang_cluster *cluster, size_t component)
{
    return cluster ? cluster->components[component] : (struct release){0};
}

const struct node *
cluster_configuration(const struct gang_cluster *cluster, size_t scheduler)
{
    const struct node *spec = cluster ? node_member(cluster->source, SLICE("spec")) : NULL;

    return node_member(spec, catalog[scheduler]->name);
}

const struct node *
cluster_component_source(const struct gang_cluster *cluster, size_t component)
{
    return cluster ? cluster->component_sources[component] : NULL;
}

static const struct cluster_priority_class *
cluster_system_class(struct slice name)
{
    for (size_t i = 0; i < COUNT_OF(cluster_system_classes); i++)
        if (slice_equal(cluster_system_classes[i].name, name))
            return &cluster_system_classes[i];
    return NULL;
}

enum cluster_answer
cluster_priority_class(const struct gang_cluster *cluster, struct slice name,
                       const struct cluster_priority_class **out)
{
    bool is_known = cluster && cluster->knows_priority_classes;
    const struct cluster_priority_class *class = NULL;

    if (is_known)
        class = cluster_find_named(cluster->priority_classes, cluster->num_priority_classes,
                                   sizeof(*class), name);
    if (!class)
        class = cluster_system_class(name);
    if (out)
        *out = class;
    return cluster_answer_of(is_known || class, class != NULL);
}

/*
 * If there are several, the one with the lowest value is the default:
 * kubernetes/kubernetes:plugin/pkg/admission/priority getDefaultPriorityClass
 */
const struct cluster_priority_class *
cluster_default_priority_class(const struct gang_cluster *cluster)
{
    const struct cluster_priority_class *chosen = NULL;

    for (size_t i = 0; cluster && i < cluster->num_priority_classes; i++) {
        const struct cluster_priority_class *class = &cluster->priority_classes[i];

        if (class->is_global_default && (!chosen || class->value < chosen->value))
            chosen = class;
    }
    return chosen;
}

enum cluster_answer
cluster_has_queue(const struct gang_cluster *cluster, struct slice type, struct slice name)
{
    if (!cluster)
        return CLUSTER_UNKNOWN;
    return cluster_answer_of(
        cluster->queues.is_known,
        cluster_index_find(&cluster->queues, &cluster_queue_keys, type, name) != NULL);
}

const struct node *
cluster_queue(const struct gang_cluster *cluster, struct slice type, struct slice name)
{
    return cluster ? cluster_index_find(&cluster->queues, &cluster_queue_keys, type, name) : NULL;
}

/* A quota limits a request as `requests.cpu` or `cpu`. */
static bool
cluster_limits_request(struct slice key, struct slice resource)
{
    const struct slice prefix = SLICE("requests.");

    if (key.len == resource.len + prefix.len && memcmp(key.data, prefix.data, prefix.len) == 0)
        key = (struct slice){key.data + prefix.len, resource.len};
    return slice_equal(key, resource);
}

static bool
cluster_amount_left(const struct node *quota, const struct node *hard, struct quantity *left)
{
    const struct node *used = node_member(node_member(quota, SLICE("used")), node_key(hard));
    struct quantity amount;

    if (quantity_parse(node_text(hard), left) != QUANTITY_OK)
        return false;
    return !used || (quantity_parse(node_text(used), &amount) == QUANTITY_OK &&
                     quantity_subtract(left, &amount));
}

const struct node *
cluster_quota_left(const struct gang_cluster *cluster, struct slice namespace_,
                   struct slice resource, struct quantity *left)
{
    const struct node *least = NULL;
    struct quantity other;

    for (NODE_EACH(quota, cluster ? cluster->resource_quotas : NULL)) {
        if (!slice_equal(node_string(node_member(quota, SLICE("namespace"))), namespace_))
            continue;
        for (NODE_EACH(hard, node_member(quota, SLICE("hard")))) {
            if (!cluster_limits_request(node_key(hard), resource) ||
                !cluster_amount_left(quota, hard, &other) ||
                (least && quantity_compare(&other, left) >= 0))
                continue;
            *left = other;
            least = hard;
        }
    }
    return least;
}

enum cluster_answer
cluster_namespace(const struct gang_cluster *cluster, struct slice name,
                  const struct cluster_namespace **out)
{
    const struct cluster_namespace *found = NULL;

    if (cluster)
        found =
            cluster_find_named(cluster->namespaces, cluster->num_namespaces, sizeof(*found), name);
    if (out)
        *out = found;
    return cluster_answer_of(cluster && cluster->knows_namespaces, found != NULL);
}

/* Returns the index of the first limit range whose namespace is not less than this one. */
static size_t
cluster_first_limit_range(const struct gang_cluster *cluster, struct slice namespace_)
{
    size_t low = 0;
    size_t high = cluster->num_limit_ranges;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (slice_compare(cluster->limit_ranges[middle].namespace_, namespace_) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void
cluster_pick_limit_ranges(const struct gang_cluster *cluster, struct slice namespace_,
                          struct pod_admission *admission)
{
    size_t first = cluster_first_limit_range(cluster, namespace_);
    size_t end = first;

    while (end < cluster->num_limit_ranges &&
           slice_equal(cluster->limit_ranges[end].namespace_, namespace_))
        end++;
    admission->knows_limit_ranges = true;
    admission->num_limit_ranges = end - first;
    if (end > first)
        admission->limit_ranges = &cluster->limit_ranges[first];
}

struct pod_admission
cluster_pod_admission(const struct gang_cluster *cluster, struct slice namespace_)
{
    struct pod_admission admission = {0};

    if (!cluster)
        return admission;
    admission.knows_runtime_classes = cluster->knows_runtime_classes;
    admission.runtime_classes = cluster->runtime_classes;
    admission.num_runtime_classes = cluster->num_runtime_classes;
    if (cluster->knows_limit_ranges && slice_is_set(namespace_))
        cluster_pick_limit_ranges(cluster, namespace_, &admission);
    return admission;
}
