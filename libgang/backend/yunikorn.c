/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/yunikorn/yunikorn_placeholder.h"
#include "libgang/document/writer.h"

/*
 * YuniKorn has no objects. The pods of a gang carry its description: a list of task groups. For
 * each pod of a task group the scheduler creates a placeholder pod, which holds the room, and
 * replaces all placeholders together. What it was seen to do: doc/backends.md.
 * Source: apache/yunikorn-k8shim:pkg/cache/{gang_utils,placeholder}.go,
 * pkg/common/{constants,utils}@v1.8.0
 */

/* ---- yunikorn names ---- */

enum {
    YUNIKORN_APP_ID_STEM = 52,  /* with the hash 61 characters, with the suffix 63: a label value */
    YUNIKORN_GROUP_LENGTH = 20, /* placeholders have at most this part of the name */
    YUNIKORN_GROUP_STEM = 11,
    YUNIKORN_SPREAD = 360,
    YUNIKORN_TIMEOUT = 3600,
    YUNIKORN_ANNOTATION_BYTES = 256 * 1024, /* of all annotations of an object, in Kubernetes */
};

/* Of roles outside the gang: other pods of its application would turn the gang off. */
#define YUNIKORN_OUTSIDE "-o"

static uint32_t
yunikorn_hash(const struct gang_wishes *wishes, struct slice namespace_, struct slice uid,
              struct arena *arena)
{
    return fnv1a_32(slice_from_text(
        arena_format(arena, "%.*s/%.*s/%lld%s%.*s", SLICE_ARG(namespace_), SLICE_ARG(wishes->name),
                     (long long)wishes->run.number, uid.len ? "/" : "", SLICE_ARG(uid))));
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

/* Different roles have different names: a changed name gets a hash of the role's. */
static struct slice
yunikorn_group_name(struct slice role, struct arena *arena)
{
    struct slice plain = name_stem(role, YUNIKORN_GROUP_LENGTH, arena);

    if (slice_equal(plain, role))
        return plain;
    return name_with_hash(name_stem(role, YUNIKORN_GROUP_STEM, arena), fnv1a_32(role), arena);
}

/* ---- yunikorn task groups ---- */

/* What the marks of the pods say, computed once. */
struct yunikorn_gang {
    struct slice app_id;
    struct slice outside_id;   /* of the roles outside the gang */
    struct slice *groups;      /* name of the task group of each role; unset: in none */
    struct slice task_groups;  /* JSON */
    struct resource_list held; /* total of the placeholders, with their number as `pods` */
    uint32_t hash;
    bool holds_late; /* late members have task groups, too */
};

static bool
yunikorn_has_group(const struct gang *gang, size_t role, bool holds_late)
{
    enum membership membership = gang->parts[role].membership;

    return gang_role_minimum(gang, role) > 0 &&
           (membership == ROLE_MEMBER || (membership == ROLE_LATE_MEMBER && holds_late));
}

/* `pods` is refused as a resource of a placeholder, and is no request of a pod. */
static void
yunikorn_build_resources(const struct resource_list *requests, struct builder *group)
{
    struct builder map = build_map_member(group, SLICE("minResource"));

    for (size_t i = 0; i < requests->count; i++) {
        char text[QUANTITY_TEXT_SIZE];
        struct slice amount = quantity_print(&requests->items[i].quantity, text);

        if (!slice_equal(requests->items[i].name, SLICE("pods")))
            build_string(&map, requests->items[i].name, arena_copy(map.arena, amount));
    }
}

static void
yunikorn_build_group(const struct backend_call *call, size_t role, struct slice name,
                     struct builder *list)
{
    const struct gang *gang = call->gang;
    struct builder group = build_map_item(list);

    build_string(&group, SLICE("name"), name);
    build_int(&group, SLICE("minMember"), gang_role_minimum(gang, role));
    yunikorn_build_resources(&gang->roles[role].requests, &group);
    yunikorn_placeholder_build(call, role, &group);
}

static struct slice
yunikorn_json(const struct node *root, struct arena *arena)
{
    struct buffer json = {0};
    struct slice text = NO_SLICE;

    if (!root)
        return text;
    json_write(&json, root);
    if (json.failed)
        arena_fail(arena);
    else
        text = arena_copy(arena, (struct slice){json.data, json.len});
    buffer_clear(&json);
    return text;
}

/* gang_form() has reported an overflow. */
static void
yunikorn_hold(struct yunikorn_gang *state, struct slice resource, struct quantity amount,
              int64_t pods, struct arena *arena)
{
    if (quantity_multiply(&amount, pods))
        resource_list_add_amount(&state->held, arena, resource, &amount);
}

static void
yunikorn_count(struct yunikorn_gang *state, const struct gang *gang, size_t role,
               struct arena *arena)
{
    const struct resource_list *requests = &gang->roles[role].requests;
    int64_t pods = gang_role_minimum(gang, role);
    struct quantity one;

    if (quantity_parse(SLICE("1"), &one) == QUANTITY_OK)
        yunikorn_hold(state, SLICE("pods"), one, pods, arena);
    for (size_t i = 0; i < requests->count; i++)
        yunikorn_hold(state, requests->items[i].name, requests->items[i].quantity, pods, arena);
}

static void
yunikorn_fill_groups(struct yunikorn_gang *state, const struct backend_call *call,
                     struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct builder list = build_list(arena);

    for (size_t i = 0; i < gang->num_roles; i++) {
        if (!yunikorn_has_group(gang, i, state->holds_late))
            continue;
        state->groups[i] = yunikorn_group_name(gang->roles[i].name, arena);
        yunikorn_build_group(call, i, state->groups[i], &list);
        yunikorn_count(state, gang, i, arena);
    }
    state->task_groups = yunikorn_json(list.node, arena);
}

/* Templates that were marked before the job had a uid keep the id that has none. */
static void
yunikorn_identify(struct yunikorn_gang *state, const struct gang *gang, struct slice namespace_,
                  struct arena *arena)
{
    const struct gang_wishes *wishes = gang->wishes;
    struct slice stem = slice_from_text(
        arena_format(arena, "%.*s-%.*s", SLICE_ARG(namespace_), SLICE_ARG(wishes->name)));

    stem = name_stem(stem, YUNIKORN_APP_ID_STEM, arena);
    state->hash = yunikorn_hash(wishes, namespace_, NO_SLICE, arena);
    state->app_id = name_with_hash(stem, state->hash, arena);
    if (!wishes->owner.uid.len || yunikorn_is_given(gang, state->app_id))
        return;
    state->hash = yunikorn_hash(wishes, namespace_, wishes->owner.uid, arena);
    state->app_id = name_with_hash(stem, state->hash, arena);
}

static const void *
yunikorn_open(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;
    const struct gang_owner *owner = &wishes->owner;
    struct arena *arena = report->arena;
    struct slice namespace_ = owner->namespace_.len ? owner->namespace_ : SLICE("default");
    struct yunikorn_gang *state = arena_alloc(arena, sizeof(*state));

    if (!state)
        return NULL;
    state->groups = arena_array(arena, call->gang->num_roles, sizeof(*state->groups));
    state->holds_late = wishes->reserve == RESERVE_ALWAYS;
    yunikorn_identify(state, call->gang, namespace_, arena);
    state->outside_id =
        slice_from_text(arena_format(arena, "%.*s" YUNIKORN_OUTSIDE, SLICE_ARG(state->app_id)));
    if (state->groups)
        yunikorn_fill_groups(state, call, arena);
    return state->groups ? state : NULL;
}

/* ---- yunikorn options ---- */

static bool
yunikorn_is_hard(const struct backend_call *call)
{
    return slice_equal(node_string(node_member(call->options, SLICE("style"))), SLICE("Hard"));
}

static int64_t
yunikorn_timeout(const struct backend_call *call)
{
    const struct yunikorn_gang *state = call->state;
    int64_t seconds = YUNIKORN_TIMEOUT + state->hash % YUNIKORN_SPREAD;

    if (call->gang->has_timeout)
        return call->gang->timeout_seconds;
    node_int(node_member(call->options, SLICE("placeholderTimeoutSeconds")), &seconds);
    return seconds;
}

/* ---- yunikorn checks of the job ---- */

static const struct release yunikorn_newest = {.is_known = true, .major = 1, .minor = 8};

/* Releases before v1.6 read only the label applicationId. */
static void
yunikorn_check_release(const struct backend_call *call, struct report *report)
{
    struct release release = cluster_component(call->cluster, CATALOG_AT_yunikorn);

    release_report_assumed(call, CATALOG_AT_yunikorn, &yunikorn_newest, report);
    if (release.is_known && !release_at_least(&release, 1, 6))
        find_note(report, GANG_CODE_SCHEDULER_TOO_OLD,
                  cluster_component_source(call->cluster, CATALOG_AT_yunikorn),
                  "upgrade YuniKorn to v1.6.0 or later",
                  "this release of YuniKorn does not read the label " GANG_LABEL_YUNIKORN_APP_ID
                  ": it would schedule the pods one by one");
}

/* The shim compares the name with a constant. */
static void
yunikorn_check_scheduler(const struct backend_call *call, struct report *report)
{
    struct slice name = backend_scheduler_name(&yunikorn_backend, call->gang);
    struct quoted quoted;

    if (!slice_equal(name, yunikorn_descriptor.scheduler_name))
        find_note(report, GANG_CODE_YUNIKORN_SCHEDULER_NAME, call->gang->wishes->owner.name_source,
                  "remove schedulerName from the policy's entry of the backend",
                  "Invalid value: %s: YuniKorn ignores pods whose schedulerName is not yunikorn",
                  quote(&quoted, name));
}

static void
yunikorn_check_namespace(const struct gang_wishes *wishes, struct report *report)
{
    if (!wishes->owner.namespace_.len)
        find_note(report, GANG_CODE_APP_ID_WITHOUT_NAMESPACE, wishes->owner.name_source,
                  "set metadata.namespace",
                  "the namespace is not known, and \"default\" is assumed: the application id must "
                  "be unique in the cluster");
}

/*
 * An application that ends stays for 30 seconds. Pods that come in this time are no gang, or, if
 * the gang was still waiting, are never scheduled.
 */
static void
yunikorn_check_run(const struct gang_wishes *wishes, struct report *report)
{
    static const char hint[] = "pass the run number: one more after every resume";

    if (!wishes->run.is_known && wishes->was_resumed)
        find_note(report, GANG_CODE_RUN_UNKNOWN_AFTER_RESUME, wishes->owner.name_source, hint,
                  "the job was resumed and its run number is not known: with the application id of "
                  "the pods before, the new pods may start one by one or never");
    else if (!wishes->run.is_known)
        find_note(report, GANG_CODE_RUN_UNKNOWN, wishes->owner.name_source, hint,
                  "the run number is not known, and 0 is assumed: after a resume the application "
                  "id must change");
    if (wishes->restarts)
        find_note(report, GANG_CODE_RESTART_IS_NO_GANG, wishes->restarts,
                  "suspend and resume the job instead, with the next run number",
                  "pods of a restart by the JobSet keep the application id: in the 30 seconds "
                  "after the last pod they are no gang, and if the gang was still waiting they may "
                  "never be scheduled");
}

static void
yunikorn_check_groups(const struct backend_call *call, struct report *report)
{
    const struct yunikorn_gang *state = call->state;
    const struct gang *gang = call->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        struct quoted name;

        if (slice_is_set(state->groups[i]) && gang_role_minimum(gang, i) > role->count)
            find_note(report, GANG_CODE_MINIMUM_ABOVE_COUNT, role->source, NULL,
                      "the minimum of role %s is %lld, but it has %lld pods: placeholders would "
                      "hold room until the timeout",
                      quote(&name, role->name), (long long)gang_role_minimum(gang, i),
                      (long long)role->count);
    }
    if (state->task_groups.len > YUNIKORN_ANNOTATION_BYTES)
        find_note(report, GANG_CODE_TASK_GROUPS_TOO_LONG, gang->wishes->owner.name_source, NULL,
                  "the annotation " GANG_ANNOTATION_YUNIKORN_TASK_GROUPS
                  " has %zu bytes: the API server refuses pods with more than %d bytes of "
                  "annotations",
                  state->task_groups.len, (int)YUNIKORN_ANNOTATION_BYTES);
}

static void
yunikorn_check_late(const struct backend_call *call, struct report *report)
{
    const struct yunikorn_gang *state = call->state;
    const struct gang *gang = call->gang;
    struct quoted name;

    for (size_t i = 0; state->holds_late && i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_LATE_MEMBER && slice_is_set(state->groups[i]))
            find_note(report, GANG_CODE_LATE_ROOM_IS_HELD, gang->roles[i].source,
                      "set reserve: Auto or Never in the policy",
                      "placeholders hold the room of role %s from the start, and free it at the "
                      "timeout even if its pods have not come",
                      quote(&name, gang->roles[i].name));
}

static void
yunikorn_check_timeout(const struct backend_call *call, struct report *report)
{
    if (call->gang->has_timeout && call->gang->timeout_seconds <= 0)
        find_invalid(report, GANG_CODE_NEGATIVE_TIMEOUT, call->gang->timeout_source, NULL,
                     "must be greater than 0: YuniKorn would use its own timeout of 15 minutes");
}

static void
yunikorn_report_style(const struct backend_call *call, struct report *report)
{
    const struct gang_wishes *wishes = call->gang->wishes;

    if (yunikorn_is_hard(call))
        find_note(report, GANG_CODE_HARD_STYLE, node_member(call->options, SLICE("style")),
                  "use style: Soft, or set backoffLimit or maxRestarts of the job above 0",
                  "a restart of YuniKorn may fail the running pods of the gang, and each timeout "
                  "fails all its waiting pods");
    else
        find_note(report, GANG_CODE_SOFT_STYLE, wishes->owner.name_source, NULL,
                  "if the gang has no room until the timeout of %lld seconds, the pods that fit "
                  "start without the others",
                  (long long)yunikorn_timeout(call));
    find_note(report, GANG_CODE_PLACEHOLDERS_HOLD_ROOM, wishes->owner.name_source, NULL,
              "while the gang waits, its placeholders hold the nodes that it has; a restart of "
              "YuniKorn reserves room for a running gang once more, until the timeout");
}

static void
yunikorn_check_requests(const struct backend_call *call, struct report *report)
{
    const struct yunikorn_gang *state = call->state;
    struct quoted name;

    for (size_t i = 0; i < call->gang->num_roles; i++) {
        const struct role *role = &call->gang->roles[i];

        if (slice_is_set(state->groups[i]) && !role->requests.count)
            find_note(report, GANG_CODE_GANG_WITHOUT_RESOURCES, role->source,
                      "set resources.requests of the containers",
                      "the pods of role %s request nothing: the gang only counts pods, and a "
                      "LimitRange would make the pods larger than their placeholders",
                      quote(&name, role->name));
        else if (slice_is_set(state->groups[i]) && role->requests_are_defaults)
            find_note(report, GANG_CODE_RESOURCES_OF_LIMIT_RANGE, role->source,
                      "set resources.requests of the containers",
                      "the pods of role %s have only requests of the namespace's LimitRange: if it "
                      "changes, the pods do not fit their placeholders, and the gang starts in "
                      "part",
                      quote(&name, role->name));
    }
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
yunikorn_check_rivals(const struct backend_call *call, struct report *report)
{
    for (size_t i = 0; i < call->gang->num_roles; i++)
        for (size_t k = 0; k < COUNT_OF(yunikorn_rivals); k++)
            rival_key_report(&yunikorn_rivals[k], &call->gang->roles[i],
                             yunikorn_label(call, i, yunikorn_rivals[k].wins), report);
}

/* ---- yunikorn checks of the cluster ---- */

/* Returns the full path of a queue; a pod may name it without `root.`. */
static struct slice
yunikorn_queue_path(struct slice name, struct arena *arena)
{
    bool is_full =
        slice_equal(name, SLICE("root")) || (name.len > 5 && memcmp(name.data, "root.", 5) == 0);

    return is_full ? name : slice_from_text(arena_format(arena, "root.%.*s", SLICE_ARG(name)));
}

static const struct node *
yunikorn_queue(const struct backend_call *call, struct slice path)
{
    return cluster_queue(call->cluster, yunikorn_descriptor.type, path);
}

/* `gangctl cluster` lists the queues of other schedulers alone, which are objects. */
static bool
yunikorn_knows_queues(const struct gang_cluster *cluster)
{
    for (size_t i = 0; cluster && i < cluster->num_queues; i++)
        if (slice_equal(cluster->queues[i].type, yunikorn_descriptor.type))
            return true;
    return false;
}

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
        find_note(report, GANG_CODE_GANG_ABOVE_QUEUE, amount,
                  "raise the limit, or choose another queue or a smaller job",
                  "%s allows less than the gang needs, %.*s: YuniKorn would refuse the job and set "
                  "its pods to Failed",
                  whose, SLICE_ARG(quantity_print(held, text)));
        return;
    }
}

static void
yunikorn_check_sorting(const struct node *queue, struct report *report)
{
    const struct node *policy = node_member(queue, SLICE("sortPolicy"));

    if (policy && !slice_equal(node_string(policy), SLICE("fifo")))
        find_invalid(report, GANG_CODE_QUEUE_SORT_POLICY, policy, "set the sort policy fifo",
                     "must be fifo: YuniKorn refuses gangs in other queues and sets their pods to "
                     "Failed");
}

/* Checks the queue and the queues above it. */
static void
yunikorn_check_path(const struct backend_call *call, struct slice path, struct report *report)
{
    yunikorn_check_sorting(yunikorn_queue(call, path), report);
    while (path.len) {
        const struct node *queue = yunikorn_queue(call, path);
        struct quoted name;

        if (queue)
            yunikorn_compare(call, node_member(queue, SLICE("max")),
                             arena_format(report->arena, "the queue %s", quote(&name, path)),
                             report);
        while (path.len && path.data[path.len - 1] != '.')
            path.len--;
        path.len -= path.len > 0;
    }
}

/* Whether one path is above the other, or both are equal. */
static bool
yunikorn_is_related(struct slice a, struct slice b)
{
    size_t len = a.len < b.len ? a.len : b.len;

    return memcmp(a.data, b.data, len) == 0 &&
           (a.len == b.len || (a.len > len ? a : b).data[len] == '.');
}

/* Gangs in different queues over the same nodes each hold a part of what the others need. */
static void
yunikorn_report_other_queue(const struct backend_call *call, struct slice path,
                            struct report *report)
{
    for (size_t i = 0; i < call->cluster->num_queues; i++) {
        const struct cluster_queue *queue = &call->cluster->queues[i];

        if (!slice_equal(queue->type, yunikorn_descriptor.type) ||
            yunikorn_is_related(path, queue->name))
            continue;
        find_note(report, GANG_CODE_PLACEHOLDERS_HOLD_ROOM, queue->source,
                  "use one queue for all gangs of the same nodes",
                  "gangs of different queues that use the same nodes can block each other until "
                  "the timeout");
        return;
    }
}

static void
yunikorn_report_queue(const struct backend_call *call, struct slice path, struct report *report)
{
    const struct node *at =
        call->gang->queue_source ? call->gang->queue_source : call->gang->wishes->owner.name_source;
    struct name_problems problems;
    struct quoted name;

    if (!name_check(NAME_LABEL_VALUE, call->gang->queue, &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_invalid(report, GANG_CODE_INVALID_LABEL_VALUE, at, NULL, "%s", problems.text[i]);
    find_note(report, GANG_CODE_QUEUE_MAY_BE_IGNORED, at, NULL,
              "YuniKorn reads the queue of a pod only if its placement rules include `provided`; "
              "without them the queue is that of the namespace");
    if (yunikorn_knows_queues(call->cluster) && !yunikorn_queue(call, path))
        find_note(report, GANG_CODE_QUEUE_NOT_CONFIGURED, at, NULL,
                  "the cluster has no queue %s: depending on its placement rules YuniKorn uses "
                  "another queue, or sets the pods to Failed",
                  quote(&name, path));
}

static void
yunikorn_check_queue(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    struct slice namespace_ = gang->wishes->owner.namespace_;
    struct slice path =
        yunikorn_queue_path(gang->queue.len ? gang->queue : namespace_, report->arena);
    const struct cluster_namespace *entry;

    if (gang->queue.len)
        yunikorn_report_queue(call, path, report);
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
        struct quantity left;
        const struct node *quota =
            cluster_quota_left(call->cluster, report->arena, call->gang->wishes->owner.namespace_,
                               state->held.items[i].name, &left);

        if (!quota || !quantity_multiply(&twice, 2) || quantity_compare(&twice, &left) <= 0)
            continue;
        find_note(report, GANG_CODE_QUOTA_WITHOUT_PLACEHOLDERS, quota,
                  "raise the quota to twice what the gang requests",
                  "the quota does not have room for the gang and its placeholders: YuniKorn would "
                  "start the pods one by one");
        return;
    }
}

/* ---- yunikorn ---- */

static void
yunikorn_validate(const struct backend_call *call, struct report *report)
{
    if (!call->state)
        return; /* out of memory */
    yunikorn_check_release(call, report);
    yunikorn_check_scheduler(call, report);
    yunikorn_check_namespace(call->gang->wishes, report);
    yunikorn_check_run(call->gang->wishes, report);
    yunikorn_check_groups(call, report);
    yunikorn_placeholder_check(call, report);
    yunikorn_check_late(call, report);
    yunikorn_check_timeout(call, report);
    yunikorn_report_style(call, report);
    yunikorn_check_requests(call, report);
    yunikorn_check_rivals(call, report);
    yunikorn_check_queue(call, report);
    yunikorn_check_quotas(call, report);
}

static struct slice
yunikorn_parameters(const struct backend_call *call, struct arena *arena)
{
    return slice_from_text(
        arena_format(arena, "placeholderTimeoutInSeconds=%lld gangSchedulingStyle=%s",
                     (long long)yunikorn_timeout(call), yunikorn_is_hard(call) ? "Hard" : "Soft"));
}

/* The scheduler reads the task groups from the first pod that it sees: all members have them. */
static void
yunikorn_mark(const struct backend_call *call, size_t role, struct slice parameters,
              struct gang_patch *patch)
{
    const struct yunikorn_gang *state = call->state;

    plan_patch_label(patch, SLICE(GANG_LABEL_YUNIKORN_APP_ID),
                     yunikorn_label(call, role, SLICE(GANG_LABEL_YUNIKORN_APP_ID)));
    if (call->gang->queue.len)
        plan_patch_label(patch, SLICE(GANG_LABEL_YUNIKORN_QUEUE), call->gang->queue);
    if (!slice_is_set(state->groups[role]))
        return;
    plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_TASK_GROUP), state->groups[role]);
    if (call->gang->parts[role].membership != ROLE_MEMBER)
        return;
    plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_TASK_GROUPS), state->task_groups);
    plan_patch_annotation(patch, SLICE(GANG_ANNOTATION_YUNIKORN_PARAMETERS), parameters);
}

static void
yunikorn_render(const struct backend_call *call, struct plan_content *content)
{
    struct slice parameters;

    if (!call->state)
        return;
    parameters = yunikorn_parameters(call, content->arena);
    for (size_t i = 0; i < call->gang->num_roles; i++)
        yunikorn_mark(call, i, parameters, &content->patches[i]);
}

static void
yunikorn_show(const struct backend_call *call, struct arena *arena, struct backend_view *view)
{
    const struct yunikorn_gang *state = call->state;

    (void)arena;
    if (state)
        view->name = state->app_id;
}

static void
yunikorn_list_subgroups(const struct backend_call *call, struct builder *list)
{
    const struct yunikorn_gang *state = call->state;

    for (size_t i = 0; state && i < call->gang->num_roles; i++) {
        struct builder item;
        struct builder roles;

        if (!slice_is_set(state->groups[i]))
            continue;
        item = build_map_item(list);
        build_string(&item, SLICE("name"), state->groups[i]);
        build_int(&item, SLICE("minimum"), gang_role_minimum(call->gang, i));
        roles = build_list_member(&item, SLICE("roles"));
        build_string_item(&roles, call->gang->roles[i].name);
        build_list_member(&item, SLICE("subgroups"));
    }
}

/* The minima of the task groups, whatever minimum the documents set for the gang. */
static int64_t
yunikorn_count_minimum(const struct backend_call *call)
{
    return gang_sum_of_role_minima(call->gang);
}

/* Nothing of a suspended or finished job is left in the cluster. */
static const struct backend_updates yunikorn_updates = {
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
};

const struct backend yunikorn_backend = {
    .descriptor = &yunikorn_descriptor,
    .open = yunikorn_open,
    .validate = yunikorn_validate,
    .render = yunikorn_render,
    .show = yunikorn_show,
    .count_minimum = yunikorn_count_minimum,
    .list_subgroups = yunikorn_list_subgroups,
    .updates = &yunikorn_updates,
    .reads_owners = true,
};
