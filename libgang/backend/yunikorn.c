/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/document/writer.h"

/*
 * YuniKorn has no objects. The pods of a gang carry its description: a list of task groups. For
 * each pod of a task group the scheduler creates a placeholder pod, which holds the room, and
 * replaces all placeholders together. What it was seen to do: doc/backends.md.
 * Source: apache/yunikorn-k8shim:pkg/cache/{gang_utils,placeholder}.go,
 * pkg/common/{constants,utils}@v1.8.0
 */

/* ---- yunikorn placeholders ---- */

/*
 * JobSet's exclusive placement. Source:
 * kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go, pkg/controllers/jobset_controller.go
 * addNamespacedJobNodeSelector and addTaintToleration, pkg/webhooks/pod_mutating_webhook.go@v0.12.0
 */
#define YUNIKORN_EXCLUSIVE SLICE("alpha.jobset.sigs.k8s.io/exclusive-topology")
#define YUNIKORN_BY_SELECTOR SLICE("alpha.jobset.sigs.k8s.io/node-selector")

/* What JobSet adds to pods: nothing, an affinity, a selector for each Job, or for the only one. */
enum yunikorn_exclusive { YUNIKORN_SHARED, YUNIKORN_AFFINITY, YUNIKORN_SELECTORS, YUNIKORN_ONE };

/* Returns an annotation of the JobSet or of the role's Job, which its pods get; NULL if absent. */
static const struct node *
yunikorn_annotation(const struct backend_call *call, const struct role *role, struct slice key)
{
    const struct owner_chain *chain = call->gang->wishes->chain;
    const struct node *found = chain ? node_member(chain->set.annotations, key) : NULL;

    return found ? found : node_member(node_member(role->job_metadata, SLICE("annotations")), key);
}

static enum yunikorn_exclusive
yunikorn_exclusive_of(const struct backend_call *call, const struct role *role)
{
    if (!role->job_spec || !yunikorn_annotation(call, role, YUNIKORN_EXCLUSIVE))
        return YUNIKORN_SHARED;
    if (!yunikorn_annotation(call, role, YUNIKORN_BY_SELECTOR))
        return YUNIKORN_AFFINITY;
    return role->operator_count == role->count ? YUNIKORN_ONE : YUNIKORN_SELECTORS;
}

/* Returns `first` and the items that only `second` has. */
static const struct node *
yunikorn_joined(const struct node *first, const struct node *second, struct arena *arena)
{
    struct builder list;

    if (!node_count(second))
        return first;
    list = build_list(arena);
    for (NODE_EACH(item, first))
        build_node_item(&list, item);
    for (NODE_EACH(item, second)) {
        bool is_there = false;

        for (NODE_EACH(other, first))
            is_there |= node_equal(item, other);
        if (!is_there)
            build_node_item(&list, item);
    }
    return list.node;
}

/* What JobSet adds to the pods of one Job, which it names after itself, the role and the index. */
static void
yunikorn_add_of_jobset(const struct backend_call *call, const struct role *role,
                       const struct node **selector, const struct node **tolerations,
                       struct arena *arena)
{
    const struct gang_owner *owner = &call->gang->wishes->owner;
    struct slice namespace_ = owner->namespace_.len ? owner->namespace_ : SLICE("default");
    struct builder own = build_map(arena);
    struct builder list = build_list(arena);
    struct builder toleration = build_map_item(&list);

    build_string(&own, SLICE("alpha.jobset.sigs.k8s.io/namespaced-job"),
                 ARENA_SLICE(arena, "%.*s_%.*s-%.*s-0", SLICE_ARG(namespace_),
                             SLICE_ARG(owner->name), SLICE_ARG(role->name)));
    build_string(&toleration, SLICE("key"), SLICE("alpha.jobset.sigs.k8s.io/no-schedule"));
    build_string(&toleration, SLICE("operator"), SLICE("Exists"));
    build_string(&toleration, SLICE("effect"), SLICE("NoSchedule"));
    *selector = build_merged(own.node, *selector, arena);
    *tolerations = yunikorn_joined(*tolerations, list.node, arena);
}

/*
 * The labels of the template without those that it gets later: with them the task groups would
 * differ from those in its marks. YuniKorn gives placeholders the first two itself, the API server
 * adds the next four, Kueue three when it admits the job, and gang-operator the last one. Sources:
 * kubernetes/kubernetes:pkg/registry/batch/job/strategy.go@v1.36.3,
 * kubernetes-sigs/kueue:pkg/controller/jobframework/reconciler.go@v0.19.2
 */
static const struct node *
yunikorn_labels_of(const struct role *role, struct arena *arena)
{
    static const struct slice added[] = {
        SLICE_INIT(GANG_LABEL_YUNIKORN_APP_ID),
        SLICE_INIT(GANG_LABEL_YUNIKORN_QUEUE),
        SLICE_INIT("batch.kubernetes.io/controller-uid"),
        SLICE_INIT("batch.kubernetes.io/job-name"),
        SLICE_INIT("controller-uid"),
        SLICE_INIT("job-name"),
        SLICE_INIT("kueue.x-k8s.io/cluster-queue-name"),
        SLICE_INIT("kueue.x-k8s.io/local-queue-name"),
        SLICE_INIT("kueue.x-k8s.io/podset"),
        SLICE_INIT("policy.libgang.dev/mark"),
    };
    const struct node *labels = node_member(role->pod_metadata, SLICE("labels"));

    for (size_t i = 0; i < COUNT_OF(added); i++)
        if (node_member(labels, added[i]))
            labels = edit_member(arena, labels, added[i], NULL);
    return labels;
}

/*
 * Adds the fields of a pod of the role that decide where it fits to its task group: those of the
 * template, and those that others add to the pod, with the labels by which constraints select pods.
 * A placeholder without them holds another node, and the gang starts in part. Members are sorted,
 * because the API server returns them in another order than a manifest has. Sources:
 * newPlaceholder in apache/yunikorn-k8shim:pkg/cache/placeholder.go, and of the merge
 * kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go setScheduling@v1.36.2
 */
static void
yunikorn_build_placement(const struct backend_call *call, const struct role *role,
                         struct builder *group)
{
    static const struct slice keys[] = {SLICE_INIT("nodeSelector"), SLICE_INIT("tolerations"),
                                        SLICE_INIT("affinity"),
                                        SLICE_INIT("topologySpreadConstraints")};
    /* The scheduling of the pod's RuntimeClass, which admission merges into the pod. */
    const struct node *name = node_member(role->pod_spec, SLICE("runtimeClassName"));
    const struct gang_cluster *cluster = call->cluster;
    const struct runtime_class *class =
        name && cluster ? runtime_class_find(cluster->runtime_classes, cluster->num_runtime_classes,
                                             node_string(name))
                        : NULL;
    const struct node *scheduling = class ? node_member(class->source, SLICE("scheduling")) : NULL;
    struct arena *arena = group->arena;
    const struct node *labels = yunikorn_labels_of(role, arena);
    const struct node *fields[COUNT_OF(keys)];

    for (size_t i = 0; i < COUNT_OF(keys); i++)
        fields[i] = node_member(role->pod_spec, keys[i]);
    if (node_count(node_member(scheduling, keys[0])))
        fields[0] = build_merged(fields[0], node_member(scheduling, keys[0]), arena);
    fields[1] = yunikorn_joined(fields[1], node_member(scheduling, keys[1]), arena);
    if (yunikorn_exclusive_of(call, role) == YUNIKORN_ONE)
        yunikorn_add_of_jobset(call, role, &fields[0], &fields[1], arena);
    for (size_t i = 0; i < COUNT_OF(keys); i++)
        if (node_count(fields[i]))
            build_node(group, keys[i], build_sorted(fields[i], arena));
    if (node_count(labels))
        build_node(group, SLICE("labels"), build_sorted(labels, arena));
}

/* ---- yunikorn task groups ---- */

enum {
    YUNIKORN_APP_ID_STEM = 52,  /* with the hash 61 characters, with the suffix 63: a label value */
    YUNIKORN_GROUP_LENGTH = 20, /* placeholders have at most this part of the name */
    YUNIKORN_GROUP_STEM = 11,
    YUNIKORN_TIMEOUT = 3600,                /* and less than 360 more, by the job */
    YUNIKORN_ANNOTATION_BYTES = 256 * 1024, /* of all annotations of an object, in Kubernetes */
};

/* What the marks of the pods say, computed once. */
struct yunikorn_gang {
    struct slice app_id;
    struct slice outside_id;   /* of the roles outside the gang */
    struct slice *groups;      /* name of the task group of each role; unset: in none */
    struct slice task_groups;  /* JSON */
    struct resource_list held; /* total of the placeholders, with their number as `pods` */
    bool holds_late;           /* late members have task groups, too */
    bool is_hard;
    int64_t timeout;
};

/* Adds a task group and its placeholders. gang_form() has reported an overflow. */
static void
yunikorn_add_group(struct yunikorn_gang *state, const struct backend_call *call, size_t index,
                   struct builder *list)
{
    const struct role *role = &call->gang->roles[index];
    const int64_t minimum = gang_role_minimum(call->gang, index);
    struct builder group = build_map_item(list);
    struct quantity amount;
    struct builder map;

    build_string(&group, SLICE("name"), state->groups[index]);
    build_int(&group, SLICE("minMember"), minimum);
    map = build_map_member(&group, SLICE("minResource"));
    if (quantity_parse(SLICE("1"), &amount) == QUANTITY_OK && quantity_multiply(&amount, minimum))
        resource_list_add_amount(&state->held, list->arena, SLICE("pods"), &amount);
    for (size_t i = 0; i < role->requests.count; i++) {
        const struct slice name = role->requests.items[i].name;

        amount = role->requests.items[i].quantity;
        /* `pods` is refused as a resource of a placeholder, and is no request of a pod */
        if (!slice_equal(name, SLICE("pods")))
            build_string(&map, name, quantity_text(&amount, list->arena));
        if (quantity_multiply(&amount, minimum))
            resource_list_add_amount(&state->held, list->arena, name, &amount);
    }
    yunikorn_build_placement(call, role, &group);
}

static void
yunikorn_fill_groups(struct yunikorn_gang *state, const struct backend_call *call,
                     struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct builder list = build_list(arena);
    struct buffer json = {.workspace = arena->workspace};
    struct slice name;

    for (size_t i = 0; i < gang->num_roles; i++) {
        enum membership membership = gang->parts[i].membership;

        if (gang_role_minimum(gang, i) <= 0 || membership == ROLE_OUTSIDE ||
            (membership == ROLE_LATE_MEMBER && !state->holds_late))
            continue;
        name = gang->roles[i].name;
        state->groups[i] = name_stem(name, YUNIKORN_GROUP_LENGTH, arena);
        if (!slice_equal(state->groups[i], name)) /* different roles have different names */
            state->groups[i] = name_with_hash(name_stem(name, YUNIKORN_GROUP_STEM, arena),
                                              fnv1a_32_add(FNV1A_32_START, name), arena);
        yunikorn_add_group(state, call, i, &list);
    }
    if (!list.node)
        return;
    json_write(&json, list.node);
    if (json.failed)
        arena_fail(arena);
    else
        state->task_groups = arena_copy(arena, (struct slice){json.data, json.len});
    buffer_clear(&json);
}

static bool
yunikorn_is_given(const struct gang *gang, struct slice app_id)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct node *labels = node_at(gang->roles[i].pod_template, "metadata.labels");

        if (slice_equal(node_text(node_member(labels, SLICE(GANG_LABEL_YUNIKORN_APP_ID))), app_id))
            return true;
    }
    return false;
}

static void
yunikorn_identify(struct yunikorn_gang *state, const struct gang_wishes *wishes, struct slice uid,
                  struct arena *arena)
{
    struct slice namespace_ =
        wishes->owner.namespace_.len ? wishes->owner.namespace_ : SLICE("default");
    struct slice stem =
        ARENA_SLICE(arena, "%.*s-%.*s", SLICE_ARG(namespace_), SLICE_ARG(wishes->name));
    const uint32_t hash = fnv1a_32_add(
        FNV1A_32_START,
        ARENA_SLICE(arena, "%.*s/%.*s/%lld%s%.*s", SLICE_ARG(namespace_), SLICE_ARG(wishes->name),
                    (long long)wishes->run.number, uid.len ? "/" : "", SLICE_ARG(uid)));

    state->app_id = name_with_hash(name_stem(stem, YUNIKORN_APP_ID_STEM, arena), hash, arena);
    state->timeout = YUNIKORN_TIMEOUT + hash % 360;
}

/*
 * Templates that were marked before the job had a uid keep the id that has none. Roles outside have
 * an application of their own: other pods would turn the gang off.
 */
static const void *
yunikorn_open(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    struct arena *arena = report->arena;
    struct yunikorn_gang *state = arena_alloc(arena, sizeof(*state));

    if (!state)
        return NULL;
    state->groups = arena_array(arena, call->gang->num_roles, sizeof(*state->groups));
    state->holds_late = wishes->reserve == RESERVE_ALWAYS;
    yunikorn_identify(state, wishes, NO_SLICE, arena);
    if (wishes->owner.uid.len && !yunikorn_is_given(call->gang, state->app_id))
        yunikorn_identify(state, wishes, wishes->owner.uid, arena);
    state->is_hard =
        slice_equal(node_string(node_member(call->options, SLICE("style"))), SLICE("Hard"));
    if (call->gang->has_timeout)
        state->timeout = call->gang->timeout_seconds;
    state->outside_id = ARENA_SLICE(arena, "%.*s-o", SLICE_ARG(state->app_id));
    if (state->groups)
        yunikorn_fill_groups(state, call, arena);
    return state->groups ? state : NULL;
}

/* ---- yunikorn checks of the job ---- */

static const struct release yunikorn_newest = {.is_known = true, .major = 1, .minor = 8};

static void
yunikorn_check_cluster(const struct backend_call *call, struct report *report)
{
    const struct gang_owner *owner = &call->gang->wishes->owner;
    struct slice scheduler = backend_scheduler_name(&yunikorn_backend, call->gang);

    release_report_assumed(call, CATALOG_AT_yunikorn, &yunikorn_newest, report);
    /* releases before v1.6 read only the label applicationId */
    release_refuse_before(call, CATALOG_AT_yunikorn, 1, 6, report);
    /* the shim compares the name with a constant */
    if (!slice_equal(scheduler, yunikorn_descriptor.scheduler_name))
        find_note(report, owner->name_source, MESSAGE_YUNIKORN_SCHEDULER_NAME,
                  SLICE_ARG(scheduler));
    if (!owner->namespace_.len)
        find_note(report, owner->name_source, MESSAGE_APP_ID_WITHOUT_NAMESPACE);
}

/* Older keys, which the scheduler reads only without the newer label. */
static const struct rival_key yunikorn_rivals[] = {
    {MARK_LABEL, SLICE_INIT("applicationId"), SLICE_INIT(GANG_LABEL_YUNIKORN_APP_ID)},
    {MARK_LABEL, SLICE_INIT("spark-app-selector"), SLICE_INIT(GANG_LABEL_YUNIKORN_APP_ID)},
    {MARK_LABEL, SLICE_INIT("queue"), SLICE_INIT(GANG_LABEL_YUNIKORN_QUEUE)},
    {MARK_ANNOTATION, SLICE_INIT(GANG_LABEL_YUNIKORN_QUEUE), SLICE_INIT(GANG_LABEL_YUNIKORN_QUEUE)},
};

/* Returns the value that the pods of the role get for a label. */
static struct slice
yunikorn_label(const struct backend_call *call, size_t role, struct slice key)
{
    const struct yunikorn_gang *state = call->state;

    if (slice_equal(key, SLICE(GANG_LABEL_YUNIKORN_QUEUE)))
        return call->gang->queue;
    return call->gang->parts[role].membership == ROLE_OUTSIDE ? state->outside_id : state->app_id;
}

static void
yunikorn_check_roles(const struct backend_call *call, struct report *report)
{
    const struct yunikorn_gang *state = call->state;
    const struct gang *gang = call->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        const int64_t minimum = gang_role_minimum(gang, i);

        if (slice_is_set(state->groups[i])) {
            if (minimum > role->count)
                find_note(report, role->source, MESSAGE_MINIMUM_ABOVE_COUNT_PLACEHOLDERS,
                          SLICE_ARG(role->name), (long long)minimum, (long long)role->count);
            if (gang->parts[i].membership == ROLE_LATE_MEMBER)
                find_note(report, role->source, MESSAGE_LATE_ROOM_IS_HELD, SLICE_ARG(role->name));
            if (!role->requests.count)
                find_note(report, role->source, MESSAGE_GANG_WITHOUT_RESOURCES,
                          SLICE_ARG(role->name));
            else if (role->requests_are_defaults)
                find_note(report, role->source, MESSAGE_RESOURCES_OF_LIMIT_RANGE,
                          SLICE_ARG(role->name));
        }
        if (gang->parts[i].membership == ROLE_MEMBER) {
            /* Reports what others add to the pods of the role and a task group cannot have. */
            enum yunikorn_exclusive exclusive = yunikorn_exclusive_of(call, role);

            if (exclusive != YUNIKORN_SHARED && exclusive != YUNIKORN_ONE)
                find_note(report, yunikorn_annotation(call, role, YUNIKORN_EXCLUSIVE),
                          MESSAGE_PLACED_BY_OTHERS_JOBSET, SLICE_ARG(role->name),
                          exclusive == YUNIKORN_SELECTORS ? "a node selector for each Job"
                                                          : "an affinity");
        }
        for (size_t k = 0; k < COUNT_OF(yunikorn_rivals); k++)
            rival_key_report(&yunikorn_rivals[k], role,
                             yunikorn_label(call, i, yunikorn_rivals[k].wins), report);
    }
    if (state->task_groups.len > YUNIKORN_ANNOTATION_BYTES)
        find_note(report, gang->wishes->owner.name_source, MESSAGE_TASK_GROUPS_TOO_LONG,
                  state->task_groups.len, (int)YUNIKORN_ANNOTATION_BYTES);
}

/* ---- yunikorn checks of the cluster ---- */

/* Reports the first resource of which the placeholders need more than is allowed. */
static void
yunikorn_compare(const struct backend_call *call, const struct node *allowed, const char *whose,
                 struct report *report)
{
    const struct yunikorn_gang *state = call->state;

    for (NODE_EACH(amount, allowed)) {
        const struct quantity *held = resource_list_get(&state->held, node_key(amount));
        struct quantity most;
        char text[QUANTITY_TEXT_SIZE];

        if (!held || quantity_parse(node_text(amount), &most) != QUANTITY_OK ||
            quantity_compare(held, &most) <= 0)
            continue;
        find_note(report, amount, MESSAGE_GANG_ABOVE_QUEUE, whose,
                  SLICE_ARG(quantity_print(held, text)));
        return;
    }
}

/* Checks the queue and the queues above it. */
static void
yunikorn_check_path(const struct backend_call *call, struct slice path, struct report *report)
{
    const struct node *policy = node_member(
        cluster_queue(call->cluster, yunikorn_descriptor.type, path), SLICE("sortPolicy"));

    if (policy && !slice_equal(node_string(policy), SLICE("fifo")))
        find_invalid(report, policy, MESSAGE_QUEUE_SORT_POLICY);
    while (path.len) {
        const struct node *queue = cluster_queue(call->cluster, yunikorn_descriptor.type, path);

        if (queue)
            yunikorn_compare(call, node_member(queue, SLICE("max")),
                             arena_format(report->arena, "the queue %-.*s", SLICE_ARG(path)),
                             report);
        while (path.len && path.data[path.len - 1] != '.')
            path.len--;
        path.len -= path.len > 0;
    }
}

/* Gangs in different queues over the same nodes each hold a part of what the others need. */
static void
yunikorn_report_other_queue(const struct backend_call *call, struct slice path,
                            struct report *report)
{
    for (size_t i = 0; i < call->cluster->num_queues; i++) {
        const struct cluster_queue *queue = &call->cluster->queues[i];
        struct slice longer = queue->name.len > path.len ? queue->name : path;
        size_t len = queue->name.len > path.len ? path.len : queue->name.len;

        if (!slice_equal(queue->type, yunikorn_descriptor.type) ||
            (memcmp(path.data, queue->name.data, len) == 0 &&
             (longer.len == len || longer.data[len] == '.'))) /* one is above the other */
            continue;
        find_note(report, queue->source, MESSAGE_PLACEHOLDERS_HOLD_ROOM_QUEUES);
        return;
    }
}

static void
yunikorn_check_queue(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    struct slice namespace_ = gang->wishes->owner.namespace_;
    struct slice path = gang->queue.len ? gang->queue : namespace_;
    const struct cluster_namespace *entry;

    /* a pod may name a queue without `root.` */
    if (!slice_equal(path, SLICE("root")) &&
        (path.len <= 5 || !slice_has_prefix(path, SLICE("root."))))
        path = ARENA_SLICE(report->arena, "root.%.*s", SLICE_ARG(path));
    if (gang->queue.len) {
        const struct node *at = call->gang->queue_source ? call->gang->queue_source
                                                         : call->gang->wishes->owner.name_source;
        bool knows_queues = false; /* `gangctl cluster` lists only queues that are objects */

        for (size_t i = 0; call->cluster && i < call->cluster->num_queues; i++)
            knows_queues |= slice_equal(call->cluster->queues[i].type, yunikorn_descriptor.type);
        name_check_made(call->gang->queue, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE, at,
                        NULL, report);
        find_note(report, at, MESSAGE_QUEUE_MAY_BE_IGNORED_PLACEMENT);
        if (knows_queues && !cluster_queue(call->cluster, yunikorn_descriptor.type, path))
            find_note(report, at, MESSAGE_QUEUE_NOT_CONFIGURED, SLICE_ARG(path));
    }
    if (!call->cluster || !path.len)
        return;
    yunikorn_check_path(call, path, report);
    yunikorn_report_other_queue(call, path, report);
    if (cluster_namespace(call->cluster, namespace_, &entry) == CLUSTER_YES)
        yunikorn_compare(call, entry->quota, "the quota of the namespace", report);
}

/* ResourceQuotas must have room for placeholders and pods beside each other. */
static void
yunikorn_check_quotas(const struct backend_call *call, struct report *report)
{
    const struct yunikorn_gang *state = call->state;

    for (size_t i = 0; i < state->held.count; i++) {
        struct quantity twice = state->held.items[i].quantity;
        struct quantity left = {0};
        const struct node *quota =
            cluster_quota_left(call->cluster, report->arena, call->gang->wishes->owner.namespace_,
                               state->held.items[i].name, &left);

        if (!quota || !quantity_multiply(&twice, 2) || quantity_compare(&twice, &left) <= 0)
            continue;
        find_note(report, quota, MESSAGE_QUOTA_WITHOUT_PLACEHOLDERS);
        return;
    }
}

/* ---- yunikorn ---- */

static void
yunikorn_validate(const struct backend_call *call, struct report *report)
{
    static const char hint[] = "pass the run number: one more after every resume";
    const struct yunikorn_gang *state = call->state;
    const struct gang_wishes *wishes = call->gang->wishes;

    if (!state)
        return; /* out of memory */
    yunikorn_check_cluster(call, report);
    /*
     * An application that ends stays for 30 seconds. Pods that come in this time are no gang, or,
     * if the gang was still waiting, are never scheduled.
     */
    if (!wishes->run.is_known && wishes->was_resumed)
        find_note(report, wishes->owner.name_source, GANG_CODE_RUN_UNKNOWN_AFTER_RESUME, hint,
                  "the job was resumed and its run number is not known: with the application id of "
                  "the pods before, the new pods may start one by one or never");
    else if (!wishes->run.is_known)
        find_note(report, wishes->owner.name_source, GANG_CODE_RUN_UNKNOWN, hint,
                  "the run number is not known, and 0 is assumed: after a resume the application "
                  "id must change");
    if (wishes->restarts)
        find_note(report, wishes->restarts, MESSAGE_RESTART_IS_NO_GANG_SAME_ID);
    yunikorn_check_roles(call, report);
    if (call->gang->has_timeout && call->gang->timeout_seconds <= 0)
        find_invalid(report, call->gang->timeout_source, MESSAGE_NEGATIVE_TIMEOUT_ZERO);
    if (state->is_hard)
        find_note(report, node_member(call->options, SLICE("style")), MESSAGE_HARD_STYLE);
    else
        find_note(report, wishes->owner.name_source, MESSAGE_SOFT_STYLE, (long long)state->timeout);
    find_note(report, wishes->owner.name_source, MESSAGE_PLACEHOLDERS_HOLD_ROOM_WAITING);
    yunikorn_check_queue(call, report);
    yunikorn_check_quotas(call, report);
}

/* The scheduler reads the task groups from the first pod that it sees: all members have them. */
static void
yunikorn_render(const struct backend_call *call, struct plan_content *content)
{
    const struct yunikorn_gang *state = call->state;
    const struct gang *gang = call->gang;
    const char *parameters =
        arena_format(content->arena, "placeholderTimeoutInSeconds=%lld gangSchedulingStyle=%s",
                     (long long)state->timeout, state->is_hard ? "Hard" : "Soft");

    for (size_t i = 0; i < gang->num_roles; i++) {
        struct gang_patch *patch = &content->patches[i];

        plan_patch_label(patch, SLICE(GANG_LABEL_YUNIKORN_APP_ID),
                         yunikorn_label(call, i, SLICE(GANG_LABEL_YUNIKORN_APP_ID)));
        if (gang->queue.len)
            plan_patch_label(patch, SLICE(GANG_LABEL_YUNIKORN_QUEUE), gang->queue);
        if (!slice_is_set(state->groups[i]))
            continue;
        plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_TASK_GROUP), state->groups[i]);
        if (gang->parts[i].membership != ROLE_MEMBER)
            continue;
        plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_TASK_GROUPS),
                              state->task_groups);
        plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_PARAMETERS),
                              slice_from_text(parameters));
    }
}

static struct slice
yunikorn_group_name(const struct backend_call *call, struct arena *arena)
{
    const struct yunikorn_gang *state = call->state;

    (void)arena;
    return state ? state->app_id : call->gang->name;
}

static int64_t
yunikorn_default_timeout(const struct backend_call *call)
{
    const struct yunikorn_gang *state = call->state;

    return state ? state->timeout : YUNIKORN_TIMEOUT;
}

static void
yunikorn_list_subgroups(const struct backend_call *call, struct builder *list)
{
    const struct yunikorn_gang *state = call->state;

    for (size_t i = 0; state && i < call->gang->num_roles; i++) {
        const struct backend_subgroup group = {
            .name = state->groups[i],
            .minimum = gang_role_minimum(call->gang, i),
            .role = call->gang->roles[i].name,
        };

        if (slice_is_set(group.name))
            backend_list_subgroup(&group, call->gang, list);
    }
}

/* The minima of the task groups, whatever minimum the documents set for the gang. */
static int64_t
yunikorn_count_minimum(const struct backend_call *call)
{
    return gang_sum_of_role_minima(call->gang);
}

/* There are no objects. */
static const struct backend_updates yunikorn_updates = {.suspended = REST_AS_RENDERED};

const struct backend yunikorn_backend = {
    .descriptor = &yunikorn_descriptor,
    .open = yunikorn_open,
    .validate = yunikorn_validate,
    .render = yunikorn_render,
    .group_name = yunikorn_group_name,
    .default_timeout = yunikorn_default_timeout,
    .count_minimum = yunikorn_count_minimum,
    .list_subgroups = yunikorn_list_subgroups,
    .updates = &yunikorn_updates,
    .reads_owners = true,
};
