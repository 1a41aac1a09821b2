/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster.h"

#include "libgang/policy/policy.h"

struct slice
cluster_component_name(size_t component)
{
    if (component < CATALOG_COUNT)
        return catalog[component]->component.name;
    return job_operators[component - COMPONENT_OF_OPERATORS].key;
}

/*
 * kubernetes/kubernetes:pkg/apis/scheduling/v1/helpers.go SystemPriorityClasses: the API server
 * creates these classes, and they cannot be deleted.
 */
static const struct cluster_priority_class cluster_system_classes[] = {
    {.name = SLICE_INIT("system-cluster-critical"), .value = 2000000000},
    {.name = SLICE_INIT("system-node-critical"), .value = 2000001000},
};

/*
 * Binary search in an array of structs of equal size, sorted by the texts that each starts with:
 * one, or two if `second` is set.
 */
static const void *
cluster_find(const void *items, size_t count, size_t size, struct slice first, struct slice second)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const void *item = (const char *)items + middle * size;
        const struct slice *texts = item;
        int order = slice_compare(texts[0], first);

        if (!order && slice_is_set(second))
            order = slice_compare(texts[1], second);
        if (!order)
            return item;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static void
cluster_check_release(const struct node *source, const struct release *release, const char *example,
                      struct report *report)
{
    if (node_string(source).len && !release->is_known)
        find_invalid(report, source, MESSAGE_PATTERN_MISMATCH_VERSION, example);
}

void
cluster_compile(struct gang_document *document, struct parse_call *call)
{
    const struct schema *schema = cluster_schema(call->arena);
    struct gang_cluster *cluster = (struct gang_cluster *)document;
    struct schema_reader reader = {call->arena, &call->report, cluster};
    const struct node *spec = node_member(call->root, SLICE("spec"));
    const struct node *components = node_member(spec, SLICE("components"));
    const struct node *namespace_ = node_at(call->root, "metadata.namespace");

    if (!schema)
        return;
    schema_check(schema, call->root, &call->report);
    cluster->source = call->root;
    object_meta_read(call->root, NAMES_WRITTEN, &call->report);
    schema_read(schema_find(schema, SLICE("spec")), spec, cluster, &reader);
    release_parse(node_string(cluster->kubernetes_source), &cluster->kubernetes);
    for (size_t i = 0; i < COMPONENT_COUNT; i++) {
        if (!slice_is_set(cluster_component_name(i)))
            continue;
        cluster->component_sources[i] = node_member(components, cluster_component_name(i));
        release_parse(node_string(cluster->component_sources[i]), &cluster->components[i]);
    }
    cluster_check_release(cluster->kubernetes_source, &cluster->kubernetes, "1.36", &call->report);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        cluster_check_release(cluster->component_sources[i], &cluster->components[i], "v0.14.2",
                              &call->report);
    if (namespace_) /* a GangCluster describes a whole cluster: it would have no effect */
        find_forbidden(&call->report, namespace_, MESSAGE_UNKNOWN_FIELD_CLUSTER_NAMESPACE);
    name_check_node(node_at(call->root, "metadata.name"), NAME_DNS1123_SUBDOMAIN,
                    GANG_CODE_INVALID_NAME, NULL, &call->report);
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
    const struct cluster_version *version;

    if (!cluster || !cluster->versions_source)
        return CLUSTER_UNKNOWN;
    version = cluster_find(cluster->versions, cluster->num_versions, sizeof(*version),
                           group_version, NO_SLICE);
    if (!version || !slice_is_set(resource))
        return cluster_answer_of(true, version != NULL);
    return cluster_answer_of(version->resources != NULL,
                             node_has_string(version->resources, resource));
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

    return cluster_answer_of(fields != NULL, node_has_string(fields, field));
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

enum cluster_answer
cluster_priority_class(const struct gang_cluster *cluster, struct slice name,
                       const struct cluster_priority_class **out)
{
    bool is_known = cluster && cluster->priority_classes_source;
    const struct cluster_priority_class *class = NULL;

    if (is_known)
        class = cluster_find(cluster->priority_classes, cluster->num_priority_classes,
                             sizeof(*class), name, NO_SLICE);
    if (!class)
        class = FIND_TEXT(cluster_system_classes, COUNT_OF(cluster_system_classes), name, name);
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

const struct node *
cluster_queue(const struct gang_cluster *cluster, struct slice type, struct slice name)
{
    const struct cluster_queue *queue =
        cluster ? cluster_find(cluster->queues, cluster->num_queues, sizeof(*queue), type, name)
                : NULL;

    return queue ? queue->source : NULL;
}

enum cluster_answer
cluster_has_queue(const struct gang_cluster *cluster, struct slice type, struct slice name)
{
    return cluster_answer_of(cluster && cluster->queues_source,
                             cluster_queue(cluster, type, name) != NULL);
}

static bool
cluster_amount_left(const struct cluster_quota *quota, const struct node *hard,
                    struct quantity *left)
{
    const struct node *used = node_member(quota->used, node_key(hard));
    struct quantity amount;

    if (quantity_parse(node_text(hard), left) != QUANTITY_OK)
        return false;
    return !used || (quantity_parse(node_text(used), &amount) == QUANTITY_OK &&
                     quantity_subtract(left, &amount));
}

const struct node *
cluster_quota_left(const struct gang_cluster *cluster, struct arena *arena, struct slice namespace_,
                   struct slice resource, struct quantity *left)
{
    const struct node *least = NULL;
    struct quantity other;

    for (size_t i = 0; cluster && i < cluster->num_quotas; i++) {
        const struct cluster_quota *quota = &cluster->quotas[i];

        if (!arena_spend(arena, 1 + node_count(quota->hard)))
            return NULL;
        if (!slice_equal(quota->namespace_, namespace_))
            continue;
        for (NODE_EACH(hard, quota->hard)) {
            struct slice key = node_key(hard);

            /* A quota limits a request as `requests.cpu` or `cpu`. */
            if (!slice_equal(key, resource) &&
                !(slice_take(&key, SLICE("requests.")) && slice_equal(key, resource)))
                continue;
            if (!cluster_amount_left(quota, hard, &other) ||
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
        found = cluster_find(cluster->namespaces, cluster->num_namespaces, sizeof(*found), name,
                             NO_SLICE);
    if (out)
        *out = found;
    return cluster_answer_of(cluster && cluster->namespaces_source, found != NULL);
}

struct pod_admission
cluster_pod_admission(const struct gang_cluster *cluster, struct slice namespace_)
{
    struct pod_admission admission = {0};
    enum cluster_answer gate;

    if (!cluster)
        return admission;
    /* kubernetes/kubernetes:pkg/features/kube_features.go@v1.37.2 */
    gate = cluster_has_gate(cluster, SLICE("PodLevelResourcesFixDefaulting"));
    admission.sums_at_last = gate == CLUSTER_UNKNOWN ? release_at_least(&cluster->kubernetes, 1, 37)
                                                     : gate == CLUSTER_YES;
    admission.knows_runtime_classes = cluster->runtime_classes_source != NULL;
    admission.runtime_classes = cluster->runtime_classes;
    admission.num_runtime_classes = cluster->num_runtime_classes;
    if (cluster->limit_ranges_source && slice_is_set(namespace_)) {
        size_t first = 0;
        size_t end;

        SORTED_SEARCH(first, cluster->num_limit_ranges, middle,
                      slice_compare(cluster->limit_ranges[middle].namespace_, namespace_) < 0);
        end = first;
        while (end < cluster->num_limit_ranges &&
               slice_equal(cluster->limit_ranges[end].namespace_, namespace_))
            end++;
        admission.num_limit_ranges = end - first;
        if (end > first)
            admission.limit_ranges = &cluster->limit_ranges[first];
    }
    return admission;
}
