/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/cluster_rules.h"

#include "libgang/document/finding.h"
#include "libgang/kube/names.h"
#include "libgang/kube/object_meta.h"

static void
cluster_check_name(enum name_rule rule, const struct node *name, struct report *report)
{
    struct name_problems problems;

    if (!node_string(name).len || name_check(rule, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_INVALID_NAME, name, NULL, "%s", problems.text[i]);
}

/* The lists of named items, and what each of the names is. */
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
};

static void
cluster_check_names(const struct node *root, struct report *report)
{
    for (size_t i = 0; i < sizeof(cluster_names) / sizeof(cluster_names[0]); i++)
        for (NODE_EACH(item, node_at(root, cluster_names[i].list)))
            cluster_check_name(cluster_names[i].rule, node_member(item, cluster_names[i].member), report);
}

static void
cluster_check_labels(const struct node *root, struct report *report)
{
    for (NODE_EACH(item, node_at(root, "spec.namespaces")))
        object_meta_check_labels(node_member(item, SLICE("labels")), report);
}

/* "v1" of the core group, or "group/version". Source: kubernetes/apimachinery:pkg/runtime/schema ParseGroupVersion */
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
        find_invalid(report, GANG_CODE_PATTERN_MISMATCH, source, NULL, "must be a version such as \"%s\"",
                     example);
}

static void
cluster_check_releases(const struct gang_cluster *cluster, struct report *report)
{
    cluster_check_release(cluster->kubernetes_source, &cluster->kubernetes, "1.36", report);
    for (size_t i = 0; i < COMPONENT_COUNT; i++)
        cluster_check_release(cluster->component_sources[i], &cluster->components[i], "v0.14.2", report);
}

/* kubernetes/kubernetes:pkg/apis/core/validation ValidateLimitRange */
static void
cluster_check_pod_limit(const struct node *limit, struct report *report)
{
    static const struct slice defaults[] = {SLICE_INIT("default"), SLICE_INIT("defaultRequest")};

    if (!slice_equal(node_string(node_member(limit, SLICE("type"))), SLICE("Pod")))
        return;
    for (size_t i = 0; i < sizeof(defaults) / sizeof(defaults[0]); i++)
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

/* A cluster is in no namespace, so one would promise what it does not keep. */
static void
cluster_forbid_namespace(const struct node *root, struct report *report)
{
    const struct node *namespace_ = node_at(root, "metadata.namespace");

    if (namespace_)
        find_forbidden(report, GANG_CODE_UNKNOWN_FIELD, namespace_, NULL, "a cluster has no namespace");
}

void
cluster_rules_check(const struct gang_cluster *cluster, const struct node *root, struct report *report)
{
    cluster_forbid_namespace(root, report);
    cluster_check_name(NAME_DNS1123_SUBDOMAIN, node_at(root, "metadata.name"), report);
    cluster_check_releases(cluster, report);
    cluster_check_served_versions(root, report);
    cluster_check_names(root, report);
    cluster_check_labels(root, report);
    cluster_check_limit_ranges(root, report);
}
