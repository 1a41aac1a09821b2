/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

/* ---- live objects ---- */

struct live_object
live_object_of(const struct node *root)
{
    const struct node *metadata = node_member(root, SLICE("metadata"));
    struct live_object object = {
        .root = root,
        .metadata = metadata,
        .api_version = node_string(node_member(root, SLICE("apiVersion"))),
        .kind = node_string(node_member(root, SLICE("kind"))),
        .name = node_name(metadata),
        .namespace_ = node_string(node_member(metadata, SLICE("namespace"))),
        .uid = node_string(node_member(metadata, SLICE("uid"))),
        .is_terminating = node_member(metadata, SLICE("deletionTimestamp")) != NULL,
        .controller = object_meta_controller(metadata),
    };

    object.group = live_group_of(object.api_version);
    object.controller_uid = node_string(node_member(object.controller, SLICE("uid")));
    return object;
}

/* ---- live index ---- */

/* An absent namespace means "default". */
static int
live_compare_namespaces(struct slice a, struct slice b)
{
    return slice_compare(a.len ? a : SLICE("default"), b.len ? b : SLICE("default"));
}

bool
live_same_namespace(struct slice a, struct slice b)
{
    return live_compare_namespaces(a, b) == 0;
}

static int
live_compare_named(const void *left, const void *right, const void *context)
{
    const struct live_object *a = left;
    const struct live_object *b = right;
    const int order = slice_compare(a->name, b->name);

    (void)context;
    return order ? order : slice_compare(a->kind, b->kind);
}

static int
live_compare_objects(const void *left, const void *right, const void *context)
{
    const struct live_object *a = left;
    const struct live_object *b = right;
    int order = live_compare_named(left, right, context);

    if (!order)
        order = slice_compare(a->group, b->group);
    return order ? order : live_compare_namespaces(a->namespace_, b->namespace_);
}

static int
live_compare_controllers(const void *left, const void *right, const void *context)
{
    const struct live_object *a = left;
    const struct live_object *b = right;
    int order = live_compare_namespaces(a->namespace_, b->namespace_);

    (void)context;
    return order ? order : slice_compare(a->controller_uid, b->controller_uid);
}

/* The order of the index: the objects of one controller by their names. */
static int
live_compare_controlled(const void *left, const void *right, const void *context)
{
    const struct live_object *a = left;
    const struct live_object *b = right;
    const int order = live_compare_controllers(left, right, context);

    return order ? order : slice_compare(a->name, b->name);
}

static int
live_compare_pods(const void *left, const void *right, const void *context)
{
    const struct live_pod *a = left;
    const struct live_pod *b = right;
    int order = live_compare_namespaces(a->object->namespace_, b->object->namespace_);

    (void)context;
    return order ? order : slice_compare(a->group, b->group);
}

static void
live_index_add(struct live_index *index, const void *entry)
{
    index->items[index->count++] = entry;
}

static void
live_index_sort(struct live_index *index, stable_sort_compare *compare, struct arena *arena)
{
    stable_sort(index->items, index->count, compare, NULL, arena);
}

void
live_objects_index(struct live_objects *objects, struct arena *arena)
{
    const size_t size = sizeof(const void *);
    struct live_pod *pods = arena_take_array(arena, objects->count, sizeof(*pods));

    objects->by_key.items = arena_take_array(arena, objects->count, size);
    objects->by_controller.items = arena_take_array(arena, objects->count, size);
    objects->pods.items = arena_take_array(arena, objects->count, size);
    if (arena_failed(arena)) {
        *objects = (struct live_objects){0};
        return;
    }
    for (size_t i = 0; i < objects->count; i++) {
        const struct live_object *object = &objects->items[i];
        struct slice group = live_pod_group(object);
        size_t rank;

        live_index_add(&objects->by_key, object);
        if (backend_of_kind(object->group, object->kind, &rank))
            live_index_add(&objects->by_controller, object);
        if (group.len) {
            *pods = (struct live_pod){object, group};
            live_index_add(&objects->pods, pods++);
        }
    }
    live_index_sort(&objects->by_key, live_compare_objects, arena);
    live_index_sort(&objects->by_controller, live_compare_controlled, arena);
    live_index_sort(&objects->pods, live_compare_pods, arena);
}

static size_t
live_index_search(const struct live_index *index, const void *wanted, stable_sort_compare *compare)
{
    return sorted_search(index->items, index->count, wanted, compare, NULL);
}

/* Returns the entries that are equal to the wanted one. */
static struct live_index
live_index_run(const struct live_index *index, const void *wanted, stable_sort_compare *compare)
{
    const size_t first = live_index_search(index, wanted, compare);
    struct live_index run = {index->items + first, 0};

    while (first + run.count < index->count && compare(run.items[run.count], wanted, NULL) == 0)
        run.count++;
    return run;
}

struct live_index
live_objects_named(const struct live_objects *objects, struct slice name, struct slice kind)
{
    const struct live_object wanted = {.kind = kind, .name = name};

    return live_index_run(&objects->by_key, &wanted, live_compare_named);
}

const struct live_object *
live_objects_find(const struct live_objects *objects, const struct live_key *key)
{
    const struct live_object wanted = {
        .group = key->group, .kind = key->kind, .namespace_ = key->namespace_, .name = key->name};
    const size_t place = live_index_search(&objects->by_key, &wanted, live_compare_objects);

    return place < objects->by_key.count &&
                   live_compare_objects(objects->by_key.items[place], &wanted, NULL) == 0
               ? objects->by_key.items[place]
               : NULL;
}

/* An object without a kind is the first of its name. */
const struct live_object *
live_objects_next(const struct live_objects *objects, const struct live_key *start, size_t *at)
{
    const struct live_object first = {.name = start->name};

    if (!*at)
        *at = live_index_search(&objects->by_key, &first, live_compare_objects);
    while (*at < objects->by_key.count) {
        const struct live_object *object = objects->by_key.items[(*at)++];

        if (!slice_has_prefix(object->name, start->name))
            return NULL;
        if (slice_equal(object->kind, start->kind) && slice_equal(object->group, start->group) &&
            live_same_namespace(object->namespace_, start->namespace_))
            return object;
    }
    return NULL;
}

struct live_index
live_pods_of(const struct live_objects *objects, struct slice namespace_, struct slice group)
{
    const struct live_object place = {.namespace_ = namespace_};
    const struct live_pod wanted = {&place, group};

    return live_index_run(&objects->pods, &wanted, live_compare_pods);
}

/* ---- live owner ---- */

/*
 * Appends the objects whose names start in this way: of one controller, or without a uid of the
 * whole namespace.
 */
static void
live_append_run(const struct live_objects *objects, const struct live_object *wanted,
                struct arena *arena, struct live_index *out)
{
    const struct live_index *index = &objects->by_controller;

    for (size_t i = live_index_search(index, wanted, live_compare_controlled); i < index->count;
         i++) {
        const struct live_object *object = index->items[i];
        const bool is_wanted = slice_has_prefix(object->name, wanted->name);

        if (wanted->controller_uid.len
                ? !is_wanted || live_compare_controllers(object, wanted, NULL) != 0
                : !live_same_namespace(object->namespace_, wanted->namespace_))
            break;
        if (is_wanted)
            ARENA_APPEND(arena, out->items, out->count, 8, object);
    }
}

struct live_index
live_candidates(const struct live_objects *objects, const struct live_owner *owner,
                struct slice start, struct arena *arena)
{
    bool is_known = owner->uid.len && !owner->leaves_no_references;
    struct live_index found = {0};
    struct live_object wanted = {
        .namespace_ = owner->key.namespace_,
        .controller_uid = is_known ? owner->uid : NO_SLICE,
        .name = start,
    };

    live_append_run(objects, &wanted, arena, &found);
    wanted.controller_uid = owner->own_uid;
    if (is_known && owner->own_uid.len && !slice_equal(owner->own_uid, owner->uid))
        live_append_run(objects, &wanted, arena, &found);
    return found;
}

struct live_owner
live_owner_of(const struct gang_decision *decision, const struct live_object *job)
{
    const struct gang_owner *source = &decision->wishes.owner;
    struct live_owner owner = {
        .key = {live_group_of(source->api_version), source->kind, source->namespace_, source->name},
        .leaves_no_references =
            decision->inputs.policy && decision->inputs.policy->output.omits_owner,
    };

    if (source->uid.len)
        owner.uid = source->uid;
    else if (job && job->uid.len)
        owner.uid = job->uid;
    owner.own_uid = owner.uid;
    if (slice_equal(source->kind, SLICE(GANG_KIND_PODCLIQUESET)))
        owner.own_uid = decision->inputs.podgang ? decision->inputs.podgang->meta.uid : NO_SLICE;
    return owner;
}

static bool
live_has_owner_name(const struct live_owner *owner, const struct node *reference)
{
    struct slice api_version = node_string(node_member(reference, SLICE("apiVersion")));

    return slice_equal(node_name(reference), owner->key.name) &&
           slice_equal(node_string(node_member(reference, SLICE("kind"))), owner->key.kind) &&
           slice_equal(live_group_of(api_version), owner->key.group);
}

/*
 * If the uid of the job is not known, the rendered objects have no owner references. An object
 * without an owner may therefore be one of them.
 */
enum live_ownership
live_ownership_of(const struct live_owner *owner, const struct live_object *object)
{
    if (!object->controller)
        return owner->leaves_no_references || !owner->uid.len ? OWNERSHIP_OURS
                                                              : OWNERSHIP_OF_NOBODY;
    if (owner->uid.len ? slice_equal(object->controller_uid, owner->uid)
                       : live_has_owner_name(owner, object->controller))
        return OWNERSHIP_OURS;
    return live_has_owner_name(owner, object->controller) ? OWNERSHIP_OF_FORMER
                                                          : OWNERSHIP_OF_OTHER;
}

bool
live_is_certain(const struct live_owner *owner, const struct live_object *object)
{
    return owner->own_uid.len && slice_equal(object->controller_uid, owner->own_uid);
}

/* ---- live job ---- */

struct live_job
live_job_find(const struct gang_decision *decision, const struct live_objects *objects,
              struct arena *arena)
{
    const struct gang_owner *owner = &decision->wishes.owner;
    const struct live_key key = {live_group_of(owner->api_version), owner->kind, owner->namespace_,
                                 owner->name};
    struct live_job job = {.object = live_objects_find(objects, &key)};
    const struct gang_trainjob *trainjob = decision->inputs.trainjob;
    const struct node *root = NULL;
    const struct node *status;

    if (job.object)
        root = job.object->root;
    else if (decision->inputs.job)
        root = decision->inputs.job->document.root;
    else if (trainjob && trainjob->spec)
        root = trainjob->spec->parent;
    status = node_member(root, SLICE("status"));

    job.is_finished = live_status_has_ended(key.group, key.kind, status);
    job.is_terminating = job.object && job.object->is_terminating;
    job.has_pods = live_status_has_pods(key.group, key.kind, &decision->gang, status, arena);
    return job;
}

/* The group in which the scheduler sees the pod. */
static struct slice
live_group_by(const struct node *pod, const struct descriptor *scheduler)
{
    struct slice group = NO_SLICE;

    for (size_t i = 0; i < scheduler->num_marks && !group.len; i++)
        if (scheduler->marks[i].names_group)
            group = node_string(descriptor_mark_of(pod, &scheduler->marks[i]));
    return group.len ? group : NO_SLICE;
}

const struct descriptor *
live_group_named_by(const struct node *pod, struct slice *group)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++) {
        *group = live_group_by(pod, catalog[i]);
        if (group->len)
            return catalog[i];
    }
    return NULL;
}

bool
live_names_group(const struct node *pod, const struct descriptor *scheduler, struct slice group)
{
    for (size_t i = 0; i < scheduler->num_marks; i++)
        if (scheduler->marks[i].names_group &&
            slice_equal(node_string(descriptor_mark_of(pod, &scheduler->marks[i])), group))
            return true;
    return false;
}

bool
live_is_pod(const struct live_object *object)
{
    return slice_equal(object->kind, SLICE("Pod")) && !object->group.len;
}

struct slice
live_pod_group(const struct live_object *object)
{
    struct slice name = NO_SLICE;
    struct slice phase;

    if (!live_is_pod(object))
        return name;
    phase = node_string(node_at(object->root, "status.phase"));
    if (!slice_equal(phase, SLICE("Succeeded")) && !slice_equal(phase, SLICE("Failed")))
        live_group_named_by(object->root, &name);
    return name;
}

/* ---- live parts ---- */

/* Source: k8s.io/api:core/v1/types.go and events/v1/types.go Event@v0.36.3 */
static struct slice
live_subject_of(const struct live_object *object)
{
    const struct node *subject;

    if (!slice_equal(object->kind, SLICE("Event")))
        return NO_SLICE;
    subject = node_member(object->root, SLICE("involvedObject"));
    if (!subject)
        subject = node_member(object->root, SLICE("regarding"));
    return node_string(node_member(subject, SLICE("uid")));
}

/* Times of the API server have one form, so that the order of their texts is that of the times. */
static void
live_take_time(struct live_objects *objects, const struct node *time)
{
    const struct slice text = node_string(time);

    if (text.len && slice_compare(text, objects->newest) > 0)
        objects->newest = text;
}

/* Stores the names of the groups of a pod, one for each scheduler whose marks it has. */
static size_t
live_groups_of(const struct live_object *pod, struct slice groups[CATALOG_COUNT])
{
    size_t count = 0;

    for (size_t i = 0; i < CATALOG_COUNT && live_is_pod(pod); i++) {
        const struct slice group = live_group_by(pod->root, catalog[i]);
        bool is_new = group.len > 0;

        for (size_t k = 0; k < count; k++)
            is_new = is_new && !slice_equal(groups[k], group);
        if (is_new)
            groups[count++] = group;
    }
    return count;
}

/* The labels in which controllers name the job of a pod. */
static const struct slice live_job_labels[] = {
    SLICE_INIT("jobset.sigs.k8s.io/jobset-name"),   /* kubernetes-sigs/jobset:api@v0.12.0 */
    SLICE_INIT("training.kubeflow.org/job-name"),   /* kubeflow/training-operator@v1.9.3, MPI */
    SLICE_INIT("batch.kubernetes.io/job-name"),     /* k8s.io/api:batch/v1/types.go */
    SLICE_INIT("leaderworkerset.sigs.k8s.io/name"), /* kubernetes-sigs/lws:api@v0.9.0 */
    SLICE_INIT("ray.io/cluster"),                   /* ray-project/kuberay@v1.6.2 constant.go */
    SLICE_INIT("sparkoperator.k8s.io/app-name"),    /* kubeflow/spark-operator@v2.5.2 */
    SLICE_INIT("app.kubernetes.io/part-of"),        /* ai-dynamo/grove@fcc3b3bb */
};

static struct slice
live_job_label(const struct live_object *pod, size_t label)
{
    return node_string(
        node_member(node_member(pod->metadata, SLICE("labels")), live_job_labels[label]));
}

bool
live_names_job(const struct live_object *pod, struct slice job)
{
    for (size_t i = 0; i < COUNT_OF(live_job_labels); i++)
        if (slice_equal(live_job_label(pod, i), job))
            return true;
    return false;
}

/*
 * Adds the object to the parts of what it belongs to, a node to the nodes, and a pod to the members
 * of its groups and to the pods of the jobs that its labels name.
 */
static void
live_index_part(struct live_objects *objects, const struct live_object *object,
                struct live_part **part)
{
    const struct slice subject = live_subject_of(object);
    struct slice groups[CATALOG_COUNT];
    const size_t num_groups = live_groups_of(object, groups);
    static const char *const paths[] = {"metadata.creationTimestamp", "lastTimestamp", "eventTime",
                                        "series.lastObservedTime", "spec.renewTime"};

    for (size_t i = 0; i < COUNT_OF(paths); i++)
        live_take_time(objects, node_at(object->root, paths[i]));
    for (NODE_EACH(condition, node_at(object->root, "status.conditions"))) {
        live_take_time(objects, node_member(condition, SLICE("lastTransitionTime")));
        live_take_time(objects, node_member(condition, SLICE("lastHeartbeatTime")));
    }
    if (subject.len || object->controller_uid.len) {
        **part = (struct live_part){subject.len ? subject : object->controller_uid, object,
                                    subject.len > 0};
        live_index_add(&objects->parts, (*part)++);
    }
    for (size_t i = 0; i < num_groups; i++) {
        **part = (struct live_part){groups[i], object, false};
        live_index_add(&objects->members, (*part)++);
    }
    if (!object->group.len && slice_equal(object->kind, SLICE("Node")))
        objects->nodes[objects->num_nodes++] = object;
    for (size_t i = 0; live_is_pod(object) && i < COUNT_OF(live_job_labels); i++) {
        const struct slice job = live_job_label(object, i);

        if (!job.len)
            continue;
        **part = (struct live_part){job, object, false};
        live_index_add(&objects->labelled, (*part)++);
    }
}

static int
live_compare_uids(const void *left, const void *right, const void *context)
{
    (void)context;
    return slice_compare(((const struct live_object *)left)->uid,
                         ((const struct live_object *)right)->uid);
}

void
live_objects_index_parts(struct live_objects *objects, struct arena *arena)
{
    const size_t size = sizeof(const void *);
    struct live_part *parts;
    const void **sorted;
    size_t most = 0;
    size_t labels = 0;

    for (size_t i = 0; i < objects->count; i++) {
        struct slice groups[CATALOG_COUNT];

        most += live_groups_of(&objects->items[i], groups);
        for (size_t k = 0; live_is_pod(&objects->items[i]) && k < COUNT_OF(live_job_labels); k++)
            labels += live_job_label(&objects->items[i], k).len > 0;
    }
    parts = arena_take_array(arena, objects->count + most + labels, sizeof(*parts));
    objects->parts.items = arena_take_array(arena, objects->count, size);
    objects->members.items = arena_take_array(arena, most, size);
    objects->labelled.items = arena_take_array(arena, labels, size);
    objects->nodes = arena_take_array(arena, objects->count, size);
    objects->has_parts = !arena_failed(arena);
    /* Files of one dump can have the same object: it counts once, as it was given first. */
    sorted = stable_sort_array(objects->items, objects->count, sizeof(*objects->items),
                               live_compare_uids, NULL, arena);
    for (size_t i = 1; sorted && i < objects->count; i++) {
        const struct live_object *object = sorted[i];

        objects->items[object - objects->items].is_repeated =
            object->uid.len && live_compare_uids(object, sorted[i - 1], NULL) == 0;
    }
    for (size_t i = 0; objects->has_parts && i < objects->count; i++)
        if (!objects->items[i].is_repeated)
            live_index_part(objects, &objects->items[i], &parts);
    if (!objects->has_parts)
        return;
    live_index_sort(&objects->parts, slice_compare_first, arena);
    live_index_sort(&objects->members, slice_compare_first, arena);
    live_index_sort(&objects->labelled, slice_compare_first, arena);
}

struct live_index
live_parts_of(const struct live_index *index, struct slice of)
{
    const struct live_part wanted = {.of = of};

    return of.len ? live_index_run(index, &wanted, slice_compare_first) : (struct live_index){0};
}
