/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include <gang/gang-names.h>

/* A member that is kept: its whole value, or of a map, or of each map in a list, these members. */
struct live_kept {
    struct slice key;
    const struct live_kept *members; /* NULL: the whole value */
    size_t num_members;
    bool has_marks; /* and the members that the schedulers read as marks of a gang */
};

#define KEEP(name)                                                                                 \
    {                                                                                              \
        .key = SLICE_INIT(name)                                                                    \
    }
/* These members alone: of a table, or listed. */
#define KEEP_TABLE(name, table)                                                                    \
    {                                                                                              \
        .key = SLICE_INIT(name), .members = (table), .num_members = COUNT_OF(table)                \
    }
#define KEEP_OF(name, ...) KEEP_TABLE(name, ((const struct live_kept[]){__VA_ARGS__}))
/* The same, and the members that the schedulers read as marks of a gang. */
#define KEEP_MARKED(name, ...)                                                                     \
    {                                                                                              \
        .key = SLICE_INIT(name), .members = (const struct live_kept[]){__VA_ARGS__},               \
        .num_members = COUNT_OF(((const struct live_kept[]){__VA_ARGS__})), .has_marks = true      \
    }
#define KEEP_TYPE KEEP("apiVersion"), KEEP("kind")

/* Source: k8s.io/api:core/v1/types.go PodSpec, PodStatus and PodCondition. */
static const struct live_kept live_pod =
    KEEP_OF("", KEEP_TYPE,
            KEEP_OF("metadata", KEEP("name"), KEEP("namespace"), KEEP("uid"), KEEP("labels"),
                    KEEP("annotations"), KEEP("ownerReferences"), KEEP("deletionTimestamp"),
                    KEEP("resourceVersion")),
            KEEP_MARKED("spec", KEEP("schedulerName"), KEEP("nodeName"), KEEP("priorityClassName")),
            KEEP_OF("status", KEEP("phase"),
                    KEEP_OF("conditions", KEEP("type"), KEEP("status"), KEEP("reason"))));

static const struct live_kept live_identity_metadata[] = {
    KEEP("name"),
    KEEP("namespace"),
    KEEP("uid"),
    KEEP("ownerReferences"),
    KEEP("deletionTimestamp"),
};
static const struct live_kept live_identity =
    KEEP_OF("", KEEP_TYPE, KEEP_TABLE("metadata", live_identity_metadata));

/*
 * What Kueue admits of a job.
 * Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/workload_types.go@ff69552
 */
static const struct live_kept live_pod_set[] = {KEEP("name"), KEEP("count"), KEEP("minCount")};
static const struct live_kept live_kueue =
    KEEP_OF("", KEEP_TYPE, KEEP_TABLE("metadata", live_identity_metadata),
            KEEP_OF("spec", KEEP_TABLE("podSets", live_pod_set)),
            KEEP_OF("status", KEEP_OF("admission", KEEP_TABLE("podSetAssignments", live_pod_set))));

/* The status of jobs of other kinds: what live_gangs.c reads. */
static const struct live_kept live_kept_job =
    KEEP_OF("", KEEP_TYPE, KEEP_TABLE("metadata", live_identity_metadata),
            KEEP_OF("status", KEEP_OF("conditions", KEEP("type"), KEEP("status")),
                    KEEP("jobDeploymentStatus"), KEEP("applicationState"), KEEP("phase"),
                    KEEP("active"), KEEP("replicaStatuses")));

/*
 * What gang_diagnose() reads in addition. Sources: k8s.io/api:core/v1/types.go Pod, Node and Event,
 * and events/v1/types.go Event, @v0.36.3.
 */
static const struct live_kept live_full_metadata[] = {
    KEEP("name"),
    KEEP("namespace"),
    KEEP("uid"),
    KEEP("labels"),
    KEEP("annotations"),
    KEEP("ownerReferences"),
    KEEP("creationTimestamp"),
    KEEP("deletionTimestamp"),
    KEEP("resourceVersion"),
};
static const struct live_kept live_container[] = {
    KEEP("name"), KEEP("resources"), KEEP("restartPolicy"), KEEP_OF("ports", KEEP("hostPort"))};
static const struct live_kept live_container_status[] = {
    KEEP("name"),
    KEEP("state"),
    KEEP("ready"),
    KEEP("restartCount"),
};
static const struct live_kept live_full_pod =
    KEEP_OF("", KEEP_TYPE, KEEP_TABLE("metadata", live_full_metadata),
            KEEP_MARKED("spec", KEEP("schedulerName"), KEEP("nodeName"), KEEP("priorityClassName"),
                        KEEP("priority"), KEEP("preemptionPolicy"), KEEP("schedulingGates"),
                        KEEP("nodeSelector"), KEEP("affinity"), KEEP("tolerations"),
                        KEEP("overhead"), KEEP("resources"), KEEP("resourceClaims"),
                        KEEP("topologySpreadConstraints"), KEEP_TABLE("containers", live_container),
                        KEEP_TABLE("initContainers", live_container),
                        KEEP_OF("volumes", KEEP("name"), KEEP("persistentVolumeClaim"))),
            KEEP_OF("status", KEEP("phase"), KEEP("reason"), KEEP("message"),
                    KEEP("nominatedNodeName"), KEEP("startTime"), KEEP("conditions"),
                    KEEP_TABLE("containerStatuses", live_container_status),
                    KEEP_TABLE("initContainerStatuses", live_container_status)));
static const struct live_kept live_full_node =
    KEEP_OF("", KEEP_TYPE, KEEP_TABLE("metadata", live_full_metadata),
            KEEP_OF("spec", KEEP("unschedulable"), KEEP("taints")),
            KEEP_OF("status", KEEP("allocatable"), KEEP("conditions")));

static const struct live_kept live_whole = KEEP("");

/* The groups of the jobs, and of the JobSet that runs a TrainJob. */
static const char *const live_job_versions[] = {
    GANG_TRAINER_API_VERSION,
    GANG_GROVE_API_VERSION,
    GANG_PODGANG_API_VERSION,
    "jobset.x-k8s.io/v1alpha2",
};

struct slice
live_group_of(struct slice api_version)
{
    const struct slice group = slice_before(api_version, '/');

    return group.len < api_version.len ? group : SLICE("");
}

static const struct live_kept *
live_kept_of(struct slice group, struct slice kind)
{
    const struct descriptor_topology *topology = &catalog_of_topologies()->topology;
    size_t rank;

    if (!group.len && slice_equal(kind, SLICE("Pod")))
        return &live_pod;
    if (slice_equal(group, LIVE_KUEUE_GROUP) && slice_equal(kind, LIVE_KUEUE_KIND))
        return &live_kueue;
    for (size_t i = 0; i < COUNT_OF(live_job_versions); i++)
        if (slice_equal(group, live_group_of(slice_from_text(live_job_versions[i]))))
            return &live_whole;
    if (backend_of_kind(group, kind, &rank) ||
        (slice_equal(group, topology->group) && slice_equal(kind, topology->kind)))
        return &live_whole;
    return live_status_is_read(group, kind) ? &live_kept_job : &live_identity;
}

/* Configuration, such as a ConfigMap or a Secret, is none of its business. */
static const struct live_kept *
live_kept_for_diagnosis(struct slice group, struct slice kind)
{
    if (group.len)
        return &live_whole;
    if (slice_equal(kind, SLICE("Pod")))
        return &live_full_pod;
    if (slice_equal(kind, SLICE("Node")))
        return &live_full_node;
    /* The kinds of the core group whose objects are kept whole for gang_diagnose(). */
    return slice_equal(kind, SLICE("Event")) || slice_equal(kind, SLICE("ResourceQuota")) ||
                   slice_equal(kind, SLICE("PersistentVolumeClaim"))
               ? &live_whole
               : &live_identity;
}

static bool
live_is_mark(struct slice key)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++)
            if (catalog[i]->marks[k].place == MARK_POD_FIELD &&
                slice_equal(catalog[i]->marks[k].key, key))
                return true;
    return false;
}

struct live_copy {
    const struct split_part *part;
    struct arena *arena;
};

/* Copies the node without its children. Node, key and text are one block, to waste no memory. */
static struct node *
live_copy_node(const struct live_copy *copy, const struct node *node, const struct node *parent)
{
    size_t key_size = node->key ? node->key_len + (size_t)1 : 0;
    bool has_text = node->kind > NODE_BOOL && node->kind < NODE_LIST;
    char *block =
        arena_take(copy->arena, sizeof(*node) + key_size + (has_text ? node->len + (size_t)1 : 0));
    struct node *made = (struct node *)(void *)block;

    if (!made)
        return NULL;
    *made = *node;
    made->parent = parent;
    made->next = NULL;
    made->line = live_line_in_text(node->line, copy->part);
    made->column = live_column_in_text(node->line, node->column, copy->part);
    made->key_line = live_line_in_text(node->key_line, copy->part);
    made->key_column = live_column_in_text(node->key_line, node->key_column, copy->part);
    block += sizeof(*node);
    if (key_size)
        made->key = memcpy(block, node->key, key_size);
    if (has_text) {
        /* the text of the source may be longer */
        made->as.text = memcpy(block + key_size, node->as.text, node->len);
        block[key_size + node->len] = '\0';
    }
    return made;
}

/* Recursive. The depth limit of the readers bounds the recursion. */
static struct node *
live_copy(const struct live_copy *copy, const struct live_kept *kept, const struct node *node,
          const struct node *parent)
{
    struct node *made = live_copy_node(copy, node, parent);

    if (made && made->kind >= NODE_LIST) {
        /* Positions among siblings are kept, so that they stay those of the text. */
        struct node *last = NULL;

        made->as.first = NULL;
        made->len = 0;
        for (NODE_EACH(child, node)) {
            const struct live_kept *part = kept;
            struct node *next;

            /* Only the server writes `metadata.managedFields`, often longer than the object. */
            if (kept->members && node->kind != NODE_LIST) {
                part = FIND_TEXT(kept->members, kept->num_members, key, node_key(child));
                if (!part && kept->has_marks && live_is_mark(node_key(child)))
                    part = &live_whole;
            } else if (!kept->members && slice_equal(node_key(child), SLICE("managedFields")) &&
                       slice_equal(node_key(node), SLICE("metadata"))) {
                part = NULL;
            }
            next = part ? live_copy(copy, part, child, made) : NULL;
            if (!next)
                continue;
            if (last)
                last->next = next;
            else
                made->as.first = next;
            last = next;
            made->len++;
        }
    }
    return made;
}

const struct node *
live_keep(const struct node *object, bool for_diagnosis, const struct split_part *part,
          struct arena *arena)
{
    const struct live_copy copy = {.part = part, .arena = arena};
    const struct slice group = live_group_of(node_string(node_member(object, SLICE("apiVersion"))));
    const struct slice kind = node_string(node_member(object, SLICE("kind")));
    const struct live_kept *kept =
        for_diagnosis ? live_kept_for_diagnosis(group, kind) : live_kept_of(group, kind);
    struct node *root = live_copy(&copy, kept, object, NULL);

    if (root) {
        root->key = NULL;
        root->key_len = 0;
        root->index = 0;
    }
    return arena_failed(arena) ? NULL : root;
}
