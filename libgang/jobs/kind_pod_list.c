/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang-names.h>

#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/jobset.h"

/*
 * Pods that name their gang: one gang for each namespace and name, in their order. The pods are in
 * no other object, so each role is the pods that are equal, and the first of them is its template.
 */

/* ---- the groups ---- */

/* A pod that is in a group. */
struct pod_list_member {
    const struct node *pod;
    struct slice namespace_;
    struct pod_group group;
};

/* The members of the list by namespace and name of their group, then in the order of the list. */
struct pod_list {
    const struct pod_list_member **members;
    size_t count;
};

static struct slice
pod_list_metadata_text(const struct node *pod, struct slice key)
{
    return node_string(node_member(node_member(pod, SLICE("metadata")), key));
}

static int
pod_list_compare(const void *a, const void *b, const void *context)
{
    const struct pod_list_member *one = a;
    const struct pod_list_member *other = b;
    const int namespaces = slice_compare(one->namespace_, other->namespace_);

    (void)context;
    return namespaces ? namespaces : slice_compare(one->group.name, other->group.name);
}

/*
 * Whether the pod runs, can still run or has succeeded; other pods do not count. Kueue calls it
 * isPodRunnableOrSucceeded.
 */
static bool
pod_group_can_run(const struct node *pod)
{
    const bool is_going =
        node_member(node_member(pod, SLICE("metadata")), SLICE("deletionTimestamp")) != NULL;

    if (is_going &&
        !node_string(node_member(node_member(pod, SLICE("spec")), SLICE("nodeName"))).len)
        return false;
    return !slice_equal(node_string(node_at(pod, "status.phase")), SLICE("Failed"));
}

static struct pod_list
pod_list_read(const struct job_source *source)
{
    const struct node *items = node_member(source->root, SLICE("items"));
    const size_t most = node_count(items);
    struct pod_list_member *members = arena_array(source->arena, most, sizeof(*members));
    const void **sorted = arena_array(source->arena, most, sizeof(*sorted));
    size_t count = 0;

    if (!members || !sorted)
        return (struct pod_list){NULL, 0};
    for (NODE_EACH(pod, items)) {
        struct pod_list_member *member = &members[count];

        member->pod = pod;
        member->namespace_ = pod_list_metadata_text(pod, SLICE("namespace"));
        member->group = pod_group_of(pod);
        if (slice_is_set(member->group.name) && pod_group_can_run(pod))
            sorted[count++] = member;
    }
    if (!stable_sort(sorted, count, pod_list_compare, NULL, source->arena))
        count = 0;
    return (struct pod_list){(const struct pod_list_member **)sorted, count};
}

/* The place behind the last member of the group that begins at `first`. */
static size_t
pod_list_end_of(const struct pod_list *list, size_t first)
{
    size_t end = first + 1;

    while (end < list->count &&
           pod_list_compare(list->members[first], list->members[end], NULL) == 0)
        end++;
    return end;
}

/* A list of pods that are in no group counts as one gang, so that the translation reports them. */
static uint64_t
pod_list_count_gangs(const struct job_source *source)
{
    const struct pod_list list = pod_list_read(source);
    uint64_t gangs = 0;

    for (size_t i = 0; i < list.count; i = pod_list_end_of(&list, i))
        gangs++;
    return gangs ? gangs : node_count(node_member(source->root, SLICE("items"))) > 0;
}

/* ---- checks of the list ---- */

/*
 * Where no other source is named: kubernetes-sigs/kueue:pkg/controller/jobs/pod@v0.19.2, files
 * pod_controller.go and pod_webhook.go.
 */
#define POD_GROUP_NAME "kueue.x-k8s.io/pod-group-name"
#define POD_GROUP_TOTAL "kueue.x-k8s.io/pod-group-total-count"
#define POD_GROUP_FAST SLICE("kueue.x-k8s.io/pod-group-fast-admission")
/* pkg/controller/constants/constants.go QueueLabel */
#define POD_GROUP_QUEUE SLICE("kueue.x-k8s.io/queue-name")

/* pkg/controller/jobframework/constants.go MaxPodSets */
enum { POD_GROUP_MOST_ROLES = 18 };

static const struct node *
pod_group_metadata(const struct node *pod, const char *map, struct slice key)
{
    return node_member(node_at(node_member(pod, SLICE("metadata")), map), key);
}

static const struct node *
pod_group_total(const struct node *pod)
{
    return pod_group_metadata(pod, "annotations", SLICE(POD_GROUP_TOTAL));
}

/* groupTotalCount. Returns 0 for a number that is not valid, which is reported. */
static int64_t
pod_group_read_total(const struct node *total, struct report *report)
{
    int64_t number = 0;

    if (!integer_parse_signed(node_string(total), &number))
        find_invalid(report, total, MESSAGE_REFUSED_BY_OPERATOR_ATOI, SLICE_ARG(node_text(total)));
    else if (number < 1)
        find_invalid(report, total, MESSAGE_REFUSED_BY_OPERATOR_POD_TOTAL, (long long)number);
    else
        return number;
    return 0;
}

static void
pod_list_check_item(const struct node *item, struct report *report)
{
    static const char both[] = "both the '" POD_GROUP_TOTAL "' annotation and the '" POD_GROUP_NAME
                               "' label should be set";
    const struct slice supported[] = {SLICE("Pod")};
    const struct node *metadata = node_member(item, SLICE("metadata"));
    const struct node *total = pod_group_total(item);
    const struct node *kind = node_member(item, SLICE("kind"));
    const struct pod_group group = pod_group_of(item);
    const struct node *version;

    if (!node_is(item, NODE_MAP))
        return; /* reported by the schema */
    version = node_member(item, SLICE("apiVersion"));
    /* the items of a PodList may lack both */
    if (!((!version || slice_equal(node_string(version), SLICE("v1"))) &&
          (!kind || slice_equal(node_string(kind), SLICE("Pod"))))) {
        find_unsupported(report, kind ? kind : item, GANG_CODE_WRONG_DOCUMENT,
                         "pass other objects as documents of their own", supported, 1);
        return;
    }
    /* Keys of a group that do not belong together: validatePodGroupMetadata of the webhook. */
    if (group.rival)
        find_invalid(report, group.rival, MESSAGE_POD_IN_TWO_GROUPS, SLICE_ARG(group.name));
    if (total && !group.is_kueues)
        find_required(report, metadata, SLICE("labels[" POD_GROUP_NAME "]"),
                      GANG_CODE_REFUSED_BY_OPERATOR, NULL, "%s", both);
    else if (!total && group.is_kueues)
        find_required(report, metadata, SLICE("annotations[" POD_GROUP_TOTAL "]"),
                      GANG_CODE_REFUSED_BY_OPERATOR, NULL, "%s", both);
    if (!slice_is_set(group.name))
        find_note(report, item, MESSAGE_POD_WITHOUT_GROUP);
    else
        name_check_node(group.mark, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL, report);
}

/* ---- one gang ---- */

/* The gang that is translated: its pods, in the order of the list. */
struct pod_list_gang {
    const struct job_source *source;
    struct pod_group group; /* of the first pod */
    const struct node **pods;
    size_t count;
    int64_t total; /* with the pods that are not in the list */
};

static struct pod_list_gang
pod_list_open_gang(const struct job_source *source, const struct pod_list *list)
{
    struct pod_list_gang opened = {.source = source};
    size_t first = 0;
    size_t end;

    for (uint64_t i = 0; i < source->gang; i++)
        first = pod_list_end_of(list, first);
    end = pod_list_end_of(list, first);
    opened.group = list->members[first]->group;
    opened.pods = arena_array(source->arena, end - first, sizeof(*opened.pods));
    for (size_t i = first; opened.pods && i < end; i++)
        opened.pods[opened.count++] = list->members[i]->pod;
    opened.total = (int64_t)opened.count;
    return opened;
}

static struct slice
pod_group_pod_name(const struct node *pod)
{
    return node_name(node_member(pod, SLICE("metadata")));
}

static struct slice
pod_group_queue(const struct node *pod)
{
    return node_string(pod_group_metadata(pod, "labels", POD_GROUP_QUEUE));
}

/* validatePodGroupMetadata of the controller: every pod is compared with the first. */
static void
pod_group_compare_pods(const struct pod_list_gang *gang, int64_t expected, struct report *report)
{
    const struct slice queue = pod_group_queue(gang->pods[0]);

    for (size_t i = 1; i < gang->count; i++) {
        const struct node *pod = gang->pods[i];
        const struct slice other = pod_group_queue(pod);
        const struct node *total = pod_group_total(pod);
        const int64_t number = total ? pod_group_read_total(total, report) : 0;

        if (!slice_equal(queue, other))
            find_note(report, pod, MESSAGE_REFUSED_BY_OPERATOR_POD_QUEUES,
                      SLICE_ARG(pod_group_pod_name(gang->pods[0])),
                      SLICE_ARG(pod_group_pod_name(pod)), SLICE_ARG(queue), SLICE_ARG(other));
        if (number && number != expected)
            find_note(report, total, MESSAGE_REFUSED_BY_OPERATOR_POD_TOTALS,
                      SLICE_ARG(pod_group_pod_name(gang->pods[0])),
                      SLICE_ARG(pod_group_pod_name(pod)), (long long)expected, (long long)number);
    }
}

/*
 * Returns how many pods the group has in all, by `pod-group-total-count`; the number of the given
 * pods if it is not given, or not valid, which is reported. Reports pods that disagree, missing
 * pods, and pods that are too many.
 */
static int64_t
pod_group_check_total(const struct pod_list_gang *gang, struct report *report)
{
    const struct node *given = pod_group_total(gang->pods[0]);
    const int64_t total = given ? pod_group_read_total(given, report) : 0;
    const int64_t count = (int64_t)gang->count;

    if (!total)
        return count;
    pod_group_compare_pods(gang, total, report);
    if (count < total &&
        !slice_equal(node_string(pod_group_metadata(gang->pods[0], "annotations", POD_GROUP_FAST)),
                     SLICE("true")))
        find_note(report, given, MESSAGE_POD_GROUP_INCOMPLETE, SLICE_ARG(gang->group.name),
                  (long long)count, (long long)total);
    else if (count > total)
        find_note(report, given, MESSAGE_EXCESS_PODS, SLICE_ARG(gang->group.name), (long long)count,
                  (long long)total);
    return total;
}

static int
pod_list_compare_ages(const void *a, const void *b, const void *context)
{
    const struct slice key = SLICE("creationTimestamp");

    (void)context;
    return slice_compare(pod_list_metadata_text(a, key), pod_list_metadata_text(b, key));
}

/* ---- roles ---- */

/* Returns NULL after the last role that a job can have. */
static struct role *
pod_list_role_of(const struct pod_list_gang *gang, const struct node *pod, struct gang_wishes *job)
{
    const size_t most = (size_t)gang->source->limits->value[GANG_LIMIT_ROLES] + 1;
    struct arena *arena = gang->source->arena;
    struct slice name;
    struct role *role;

    for (size_t i = 0; i < job->num_roles; i++)
        if (pod_group_is_same_role(job->roles[i].pod_template, pod, arena))
            return &job->roles[i];
    if (job->num_roles == most)
        return NULL;
    name = node_string(pod_group_metadata(pod, "labels", SLICE(GANG_LABEL_ROLE)));
    if (!name.len)
        name = pod_group_role_hash(pod);
    if (!name.len)
        name = ARENA_SLICE(arena, "role-%zu", job->num_roles);
    role = gang_job_add_role(job, most, name, pod, arena);
    if (!role)
        return NULL;
    gang_job_set_count(role, 0);
    role->pod_template = pod;
    return role;
}

static void
pod_list_add_roles(const struct pod_list_gang *gang, struct gang_wishes *job)
{
    job->pods = arena_array(gang->source->arena, gang->count, sizeof(*job->pods));
    for (size_t i = 0; job->pods && i < gang->count; i++) {
        struct role *role = pod_list_role_of(gang, gang->pods[i], job);

        if (!role)
            continue;
        gang_job_set_count(role, role->count + 1);
        job->pods[job->num_pods++] = (struct job_pod){gang->pods[i], (size_t)(role - job->roles)};
    }
    if (!job->num_roles)
        return;
    if (gang->total > (int64_t)gang->count) /* pods that do not exist yet are like the first one */
        gang_job_set_count(&job->roles[0],
                           gang->total - ((int64_t)gang->count - job->roles[0].count));
    /* ConstructComposableWorkload: a group of more roles than Kueue has pod sets */
    if (gang->group.is_kueues && job->num_roles > POD_GROUP_MOST_ROLES)
        find_note(gang->source->report, job->roles[POD_GROUP_MOST_ROLES].source,
                  MESSAGE_REFUSED_BY_OPERATOR_POD_ROLES, (int)POD_GROUP_MOST_ROLES);
}

/* ---- the owner ---- */

/* Without a common controller, no object owns the gang: its name is that of the group. */
static void
pod_list_fill_owner(const struct pod_list_gang *gang, struct gang_wishes *job)
{
    const struct node *controller =
        object_meta_controller(node_member(gang->pods[0], SLICE("metadata")));
    const struct slice uid = node_string(node_member(controller, SLICE("uid")));
    struct gang_owner *owner = &job->owner;

    for (size_t i = 1; controller && i < gang->count; i++) {
        const struct node *other =
            object_meta_controller(node_member(gang->pods[i], SLICE("metadata")));

        if (!slice_equal(node_string(node_member(other, SLICE("uid"))), uid))
            controller = NULL;
    }
    owner->api_version = SLICE("v1");
    owner->kind = SLICE("PodList");
    owner->name = gang->group.name;
    owner->namespace_ = job->meta->namespace_;
    owner->uid = NO_SLICE;
    owner->is_no_object = true;
    owner->name_source = gang->group.mark;
    job->name = gang->group.name;
    if (!controller)
        return;
    owner->is_no_object = false;
    owner->api_version = node_string(node_member(controller, SLICE("apiVersion")));
    owner->kind = node_string(node_member(controller, SLICE("kind")));
    owner->name = node_name(controller);
    owner->uid = uid;
}

/* Rules match the first pod, as Kueue reads the queue of its first pod. */
static void
pod_list_fill_meta(const struct pod_list_gang *gang, struct gang_wishes *job)
{
    struct object_meta *meta = arena_alloc(gang->source->arena, sizeof(*meta));
    const struct node *metadata = node_member(gang->pods[0], SLICE("metadata"));
    const struct slice namespace_ = node_string(node_member(metadata, SLICE("namespace")));

    if (!meta)
        return; /* the arena stores the failure */
    *meta = (struct object_meta){
        .name = gang->group.name,
        .namespace_ = namespace_.len ? namespace_ : NO_SLICE,
        .labels = node_member(metadata, SLICE("labels")),
        .annotations = node_member(metadata, SLICE("annotations")),
        .source = metadata,
    };
    job->meta = meta;
    name_check_node(node_member(metadata, SLICE("namespace")), NAME_DNS1123_LABEL,
                    GANG_CODE_INVALID_NAME, NULL, gang->source->report);
}

/* Pods of a job that has the gang, and pods whose gang Kubernetes makes, get no second one. */
static void
pod_list_stand_back(const struct pod_list_gang *gang, struct gang_wishes *job)
{
    const struct node *controller =
        object_meta_controller(node_member(gang->pods[0], SLICE("metadata")));
    const struct node *own = node_at(gang->pods[0], "spec.schedulingGroup");
    struct job_source first = *gang->source;
    struct slice name = node_string(node_member(own, SLICE("podGroupName")));
    const size_t len = gang->group.name.len;

    first.meta = job->meta;
    job_field_check_parent(&first, job);
    if (controller && job_kind_find(node_string(node_member(controller, SLICE("apiVersion"))),
                                    node_string(node_member(controller, SLICE("kind")))))
        gang_job_stand_back(job, controller, "it is a part of another job, which has the gang");
    /* A PodGroup that libgang made is called `<group>-<template>-<hash>`. */
    if (!own ||
        (name.len > len && slice_has_prefix(name, gang->group.name) && name.data[len] == '-'))
        return;
    find_note_at_key(gang->source->report, own, MESSAGE_NATIVE_GANG_POD);
    gang_job_stand_back(job, own, "Kubernetes makes the gang: spec.schedulingGroup is set");
}

/* ---- gates ---- */

static void
pod_list_check_pods(const struct pod_list_gang *gang, struct gang_wishes *job)
{
    const struct schema *spec = schema_find(&pod_template_schema, SLICE("spec"));

    for (size_t i = 0; i < gang->count; i++) {
        const struct node *of_pod = node_member(gang->pods[i], SLICE("spec"));

        if (of_pod)
            schema_check(spec, of_pod, gang->source->report);
        /* kubernetes-sigs/kueue:pkg/controller/jobs/pod/pod_controller.go IsSuspended@v0.19.2 */
        for (NODE_EACH(gate, node_at(gang->pods[i], "spec.schedulingGates"))) {
            const struct slice name = node_name(gate);

            if (slice_equal(name, SLICE("kueue.x-k8s.io/admission")))
                job->suspended = true;
            else
                find_note(gang->source->report, gate, MESSAGE_POD_HAS_GATE, SLICE_ARG(name));
        }
    }
}

/* What is wrong in the whole list is reported with its first gang. */
static void
pod_list_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct pod_list list = pod_list_read(source);
    struct pod_list_gang gang;

    if (source->gang == 0) {
        for (NODE_EACH(item, node_member(source->root, SLICE("items"))))
            pod_list_check_item(item, source->report);
    }
    if (!list.count) {
        job->owner.name = SLICE("pods");
        job->owner.is_no_object = true;
        gang_job_stand_back(job, source->root, "no pod of the list names a group");
        return;
    }
    gang = pod_list_open_gang(source, &list);
    if (!gang.count)
        return; /* out of memory */
    if (gang.group.is_kueues) {
        gang.total = pod_group_check_total(&gang, source->report);
        /* Kueue deletes the pods that were created last. */
        if (gang.total < (int64_t)gang.count &&
            stable_sort((const void **)gang.pods, gang.count, pod_list_compare_ages, NULL,
                        source->arena))
            gang.count = (size_t)gang.total;
    }
    pod_list_fill_meta(&gang, job);
    pod_list_fill_owner(&gang, job);
    job->marks_pods = true;
    job->roles_are_pods = true;
    pod_list_add_roles(&gang, job);
    pod_list_check_pods(&gang, job);
    pod_list_stand_back(&gang, job);
}

const struct job_kind pod_list_job_kind = {
    .api_versions = {SLICE_INIT("v1")},
    .kind = SLICE_INIT("PodList"),
    .other_kind = SLICE_INIT("List"), /* as kubectl writes it */
    .schema = &pod_list_schema,
    .is_list = true,
    .is_built_in = true,
    .template_fields = TEMPLATE_BUILT_IN,
    .count_gangs = pod_list_count_gangs,
    .translate = pod_list_translate,
};
