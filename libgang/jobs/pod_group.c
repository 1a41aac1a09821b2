/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/catalog/catalog.h"
#include "libgang/jobs/job_kinds.h"

/* ---- the group ---- */

struct pod_group_key {
    const char *map; /* of metadata */
    struct slice key;
    bool is_kueues;
};

/*
 * In this order of precedence. Source: kubernetes-sigs/kueue:pkg/util/pod/pod.go
 * GetPodGroupName@v0.19.2; the annotation has a feature gate, WorkloadIdentifierAnnotations.
 */
static const struct pod_group_key pod_group_keys[] = {
    {"annotations", SLICE_INIT("kueue.x-k8s.io/pod-group-name"), true},
    {"labels", SLICE_INIT("kueue.x-k8s.io/pod-group-name"), true},
    {"labels", SLICE_INIT("policy.libgang.dev/group"), false},
};

static void
pod_group_take(struct pod_group *group, const struct node *mark, bool is_kueues)
{
    const struct slice name = node_string(mark);

    if (!name.len)
        return;
    if (!slice_is_set(group->name))
        *group = (struct pod_group){.name = name, .mark = mark, .is_kueues = is_kueues};
    else if (!group->rival && !slice_equal(group->name, name))
        group->rival = mark;
}

struct pod_group
pod_group_of(const struct node *pod)
{
    const struct node *metadata = node_member(pod, SLICE("metadata"));
    struct pod_group group = {.name = NO_SLICE};

    for (size_t i = 0; i < COUNT_OF(pod_group_keys); i++)
        pod_group_take(&group,
                       node_member(node_at(metadata, pod_group_keys[i].map), pod_group_keys[i].key),
                       pod_group_keys[i].is_kueues);
    /* The marks of the schedulers, if users write them on pods. */
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++) {
            const struct descriptor_mark *mark = &catalog[i]->marks[k];
            const char *map = mark->place == MARK_LABEL ? "labels" : "annotations";

            if (mark->is_on_plain_pods)
                pod_group_take(&group, node_member(node_at(metadata, map), mark->key), false);
        }
    return group;
}

/* ---- roles ---- */

/*
 * The fields by which Kueue tells the roles of a group, except those of containers. Source:
 * kubernetes-sigs/kueue:pkg/util/pod/pod.go SpecShape@v0.19.2. The scheduler and the class matter
 * to a gang.
 */
static const struct slice pod_group_fields[] = {
    SLICE_INIT("affinity"),          SLICE_INIT("nodeSelector"),
    SLICE_INIT("overhead"),          SLICE_INIT("priority"),
    SLICE_INIT("resourceClaims"),    SLICE_INIT("runtimeClassName"),
    SLICE_INIT("schedulerName"),     SLICE_INIT("tolerations"),
    SLICE_INIT("priorityClassName"), SLICE_INIT("topologySpreadConstraints"),
};

/* The requests with the limits that the API server takes for missing ones, of a map `resources`. */
static struct resource_list
pod_group_requests(const struct node *resources, struct arena *arena)
{
    struct report ignored;
    struct resource_list requests;
    struct resource_list limits;

    report_init(&ignored, arena, &standard_limits);
    ignored.built_in = true;
    requests = resource_list_read(node_member(resources, SLICE("requests")), &ignored);
    limits = resource_list_read(node_member(resources, SLICE("limits")), &ignored);
    resource_list_fill(&requests, arena, &limits);
    return requests;
}

static bool
pod_group_same_resources(const struct node *one, const struct node *other, struct arena *arena)
{
    struct resource_list first;
    struct resource_list second;

    if (node_equal(one, other))
        return true;
    first = pod_group_requests(one, arena);
    second = pod_group_requests(other, arena);
    return resource_list_equal(&first, &second);
}

/* A pod that the API server has stored has no null, and no list or map without items (omitempty).
 */
static const struct node *
pod_group_stored_member(const struct node *pod, struct slice key)
{
    const struct node *value = node_member(pod, key);
    bool is_pointer = slice_equal(key, SLICE("affinity"));

    if (node_is_absent(value) || (value->kind >= NODE_LIST && value->len == 0 && !is_pointer))
        return NULL;
    return value;
}

static bool
pod_group_same_member(const struct node *one, const struct node *other, struct slice key)
{
    return node_equal(pod_group_stored_member(one, key), pod_group_stored_member(other, key));
}

/* `restartPolicy` says whether an init container is a sidecar. */
static bool
pod_group_same_containers(const struct node *one, const struct node *other, struct arena *arena)
{
    const struct node *second = node_first(other);

    if (node_count(one) != node_count(other))
        return false;
    for (NODE_EACH(first, one)) {
        if (!pod_group_same_resources(node_member(first, SLICE("resources")),
                                      node_member(second, SLICE("resources")), arena) ||
            !pod_group_same_member(first, second, SLICE("ports")) ||
            !pod_group_same_member(first, second, SLICE("restartPolicy")))
            return false;
        second = second->next;
    }
    return true;
}

struct slice
pod_group_role_hash(const struct node *pod)
{
    const struct node *hash = node_member_or_null(node_at(pod, "metadata.annotations"),
                                                  SLICE("kueue.x-k8s.io/role-hash"));

    return hash && !node_string(hash).len ? SLICE("") : node_string(hash);
}

bool
pod_group_is_same_role(const struct node *pod, const struct node *other, struct arena *arena)
{
    const struct slice hash = pod_group_role_hash(pod);
    const struct slice others_hash = pod_group_role_hash(other);
    const struct node *one = node_member(pod, SLICE("spec"));
    const struct node *second = node_member(other, SLICE("spec"));

    if (!pod_group_same_member(node_at(pod, "metadata.labels"), node_at(other, "metadata.labels"),
                               SLICE(GANG_LABEL_ROLE)))
        return false;
    if (slice_is_set(hash) && slice_is_set(others_hash))
        return slice_equal(hash, others_hash);
    if (slice_is_set(hash) != slice_is_set(others_hash) && !hash.len && !others_hash.len)
        return false; /* the hash that Kueue makes of a pod is not empty */
    for (size_t i = 0; i < COUNT_OF(pod_group_fields); i++)
        if (!pod_group_same_member(one, second, pod_group_fields[i]))
            return false;
    return pod_group_same_resources(node_member(one, SLICE("resources")),
                                    node_member(second, SLICE("resources")), arena) &&
           pod_group_same_containers(node_member(one, SLICE("containers")),
                                     node_member(second, SLICE("containers")), arena) &&
           pod_group_same_containers(node_member(one, SLICE("initContainers")),
                                     node_member(second, SLICE("initContainers")), arena);
}
