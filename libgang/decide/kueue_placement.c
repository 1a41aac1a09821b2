/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

/* ---- pods ---- */

/*
 * Returns the traits of the webhook that reads the annotations of the role's pods, which has some:
 * that of the job's kind, or of the component of an AppWrapper, which the webhook of its kind
 * checks when the AppWrapper creates it.
 */
static unsigned int
kueue_traits_of_pods(const struct kueue_job *job, const struct role *role)
{
    const struct node *at = role->pod_metadata;
    unsigned int traits = 0;

    if (!job->decision->inputs.job)
        return job->traits; /* a TrainJob */
    while (at->parent && !(node_member(at, SLICE("apiVersion")) && node_member(at, SLICE("kind"))))
        at = at->parent;
    if (at->parent)
        traits = job_traits_of(node_string(node_member(at, SLICE("apiVersion"))),
                               node_string(node_member(at, SLICE("kind"))))
                     ->kueue;
    return traits ? traits : job->traits; /* an item of a list of pods has none */
}

/* Whether the role before this one has the same template: both are one pod set. */
static bool
kueue_shares_set(const struct kueue_job *job, const struct role *role)
{
    return job->decision->inputs.job && role > job->decision->gang.roles && role->pod_metadata &&
           role[-1].pod_metadata == role->pod_metadata;
}

/*
 * Returns the number of pods in Kueue's pod set of the role, whose pods have annotations. It is not
 * always what the operator creates; -1 if the webhook does not know it.
 */
static int64_t
kueue_pods_of_set(const struct kueue_job *job, const struct role *role)
{
    const struct job_document *document = job->decision->inputs.job;
    const struct gang *gang = &job->decision->gang;
    const struct node *template_ = role->pod_metadata->parent;
    const struct node *group = template_ ? template_->parent : NULL;
    const struct role *next = role + 1;
    int64_t pods = role->count;
    int64_t hosts;

    if (kueue_traits_of_pods(job, role) & KUEUE_READS_PODS)
        return -1;
    if (node_member(group, SLICE("groupName"))) {
        /* without minReplicas and maxReplicas: effectiveWorkerCount in raycluster */
        hosts = job_field_number(group, SLICE("numOfHosts"), 1);
        return job_field_number(group, SLICE("replicas"), 0) * (hosts > 1 ? hosts : 1);
    }
    if (document && document->kind == &spark_application_job_kind &&
        slice_equal(role->name, SLICE("executor"))) {
        const struct node *spec = node_member(document->document.root, SLICE("spec"));

        /*
         * The executors of a SparkApplication. Sources: numInitialExecutors in sparkapplication,
         * and setExecutorSpecDefaults in kubeflow/spark-operator:api/v1beta2/defaults.go@v2.5.2.
         */
        const struct node *conf = node_member(spec, SLICE("sparkConf"));
        int64_t instances;

        if (node_int(node_at(spec, "executor.instances"), &instances))
            return instances;
        return !node_string(node_member(conf, SLICE("spark.executor.instances"))).len &&
               !node_is_true(node_at(spec, "dynamicAllocation.enabled"));
    }
    for (; next < gang->roles + gang->num_roles && kueue_shares_set(job, next); next++)
        pods = integer_add_capped(pods, next->count);
    return pods;
}

/* ---- values ---- */

bool
kueue_is_unsigned(struct slice text)
{
    const struct slice most = SLICE("18446744073709551615");

    if (!text.len || !ascii_all(text, ASCII_DIGIT))
        return false;
    while (text.len > 1 && text.data[0] == '0') {
        text.data++;
        text.len--;
    }
    return text.len < most.len || (text.len == most.len && slice_compare(text, most) <= 0);
}

bool
kueue_is_bool(struct slice text, bool *value)
{
    static const struct slice texts[][2] = {
        {SLICE_INIT("0"), SLICE_INIT("1")},        {SLICE_INIT("f"), SLICE_INIT("t")},
        {SLICE_INIT("F"), SLICE_INIT("T")},        {SLICE_INIT("FALSE"), SLICE_INIT("TRUE")},
        {SLICE_INIT("false"), SLICE_INIT("true")}, {SLICE_INIT("False"), SLICE_INIT("True")},
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        *value = slice_equal(texts[i][1], text);
        if (*value || slice_equal(texts[i][0], text))
            return true;
    }
    return false;
}

enum { KUEUE_GROUP_SIZE = 2 };

/*
 * Annotations of a pod template with which topology-aware scheduling places the pods of a role.
 * Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/topology_types.go@ff69552
 */
enum kueue_annotation {
    KUEUE_REQUIRED,
    KUEUE_PREFERRED,
    KUEUE_UNCONSTRAINED,
    KUEUE_SLICE,
    KUEUE_SLICE_SIZE,
    KUEUE_CONSTRAINTS,
    KUEUE_GROUP,
    KUEUE_ANNOTATION_COUNT
};

static const struct slice kueue_annotations[KUEUE_ANNOTATION_COUNT] = {
    [KUEUE_REQUIRED] = SLICE_INIT("kueue.x-k8s.io/podset-required-topology"),
    [KUEUE_PREFERRED] = SLICE_INIT("kueue.x-k8s.io/podset-preferred-topology"),
    [KUEUE_UNCONSTRAINED] = SLICE_INIT("kueue.x-k8s.io/podset-unconstrained-topology"),
    [KUEUE_SLICE] = SLICE_INIT("kueue.x-k8s.io/podset-slice-required-topology"),
    [KUEUE_SLICE_SIZE] = SLICE_INIT("kueue.x-k8s.io/podset-slice-size"),
    [KUEUE_CONSTRAINTS] = SLICE_INIT("kueue.x-k8s.io/podset-slice-required-topology-constraints"),
    [KUEUE_GROUP] = SLICE_INIT("kueue.x-k8s.io/podset-group-name"),
};

/* What one role, a pod set of Kueue, requests. */
struct kueue_pod_set {
    const struct role *role;
    int64_t pods;                                    /* -1: the webhook does not know it */
    const char *hint;                                /* where its annotations are changed */
    const struct node *annotations;                  /* NULL if it has none */
    const struct node *keys[KUEUE_ANNOTATION_COUNT]; /* NULL if absent */
    bool has_any;
};

static struct kueue_pod_set
kueue_pod_set_of(const struct kueue_job *job, const struct role *role)
{
    const struct node *annotations = node_member(role->pod_metadata, SLICE("annotations"));
    struct kueue_pod_set set = {.role = role, .hint = job->hint, .annotations = annotations};

    for (size_t i = 0; annotations && i < KUEUE_ANNOTATION_COUNT; i++) {
        set.keys[i] = node_member(annotations, kueue_annotations[i]);
        set.has_any |= set.keys[i] != NULL;
        if (set.keys[i] && job->decision->inputs.job) /* the map may be a copy */
            set.annotations = set.keys[i]->parent;
    }
    if (set.has_any)
        set.pods = kueue_pods_of_set(job, role);
    return set;
}

/* ---- what Kueue's webhook refuses ---- */

/*
 * Source: kubernetes-sigs/kueue:pkg/controller/jobframework/{validation,tas_validation}.go@ff69552
 */

static void
kueue_check_values(const struct kueue_pod_set *set, struct report *report)
{
    const struct node *is_free = set->keys[KUEUE_UNCONSTRAINED];
    const struct node *size = set->keys[KUEUE_SLICE_SIZE];
    const struct node *group = set->keys[KUEUE_GROUP];
    int64_t number;
    bool value;

    if (is_free && !kueue_is_bool(node_string(is_free), &value))
        find_invalid(report, is_free, MESSAGE_KUEUE_REFUSES_JOB_POD_BOOLEAN, set->hint);
    if (group && kueue_is_unsigned(node_string(group)))
        find_invalid(report, group, MESSAGE_KUEUE_REFUSES_JOB_GROUP_NUMBER, set->hint);
    if (!size)
        return;
    if (!integer_parse_signed(node_string(size), &number) || number > INT32_MAX ||
        number < INT32_MIN)
        find_invalid(report, size, MESSAGE_KUEUE_REFUSES_JOB_POD_NUMERIC, set->hint);
    else if (number < 1)
        find_invalid(report, size, MESSAGE_KUEUE_REFUSES_JOB_SLICE_SIZE, set->hint);
    else if (set->pods >= 0 && number > set->pods)
        find_invalid(report, size, MESSAGE_KUEUE_REFUSES_JOB_POD_SET_COUNT, (long long)set->pods,
                     set->hint);
}

/* Annotations that a pod set may have only without, or only with, another one. */
static const struct {
    enum kueue_annotation key;
    enum kueue_annotation other;
    bool is_needed;
} kueue_pairs[] = {
    {KUEUE_GROUP, KUEUE_SLICE_SIZE, false},       {KUEUE_GROUP, KUEUE_SLICE, false},
    {KUEUE_GROUP, KUEUE_CONSTRAINTS, false},      {KUEUE_CONSTRAINTS, KUEUE_SLICE, false},
    {KUEUE_CONSTRAINTS, KUEUE_SLICE_SIZE, false}, {KUEUE_SLICE_SIZE, KUEUE_SLICE, true},
};

static void
kueue_check_pairs(const struct kueue_pod_set *set, struct report *report)
{
    for (size_t i = 0; i < COUNT_OF(kueue_pairs); i++) {
        const struct node *key = set->keys[kueue_pairs[i].key];
        bool has_other = set->keys[kueue_pairs[i].other] != NULL;

        if (key && has_other != kueue_pairs[i].is_needed)
            find_forbidden(report, key, MESSAGE_KUEUE_REFUSES_JOB_EXCLUDES,
                           SLICE_ARG(kueue_annotations[kueue_pairs[i].other]),
                           has_other ? "" : "not ", set->hint);
    }
    if (set->keys[KUEUE_SLICE] && !set->keys[KUEUE_SLICE_SIZE])
        find_required(report, set->annotations, kueue_annotations[KUEUE_SLICE_SIZE],
                      MESSAGE_KUEUE_REFUSES_JOB_SLICE_SIZE_MISSING,
                      SLICE_ARG(kueue_annotations[KUEUE_SLICE]), set->hint);
    if (set->keys[KUEUE_GROUP] && !set->keys[KUEUE_REQUIRED] && !set->keys[KUEUE_PREFERRED])
        find_forbidden(report, set->keys[KUEUE_GROUP], MESSAGE_KUEUE_REFUSES_JOB_GROUP_TOPOLOGY,
                       SLICE_ARG(kueue_annotations[KUEUE_PREFERRED]),
                       SLICE_ARG(kueue_annotations[KUEUE_REQUIRED]), set->hint);
}

/* ---- slices of several levels ---- */

/*
 * A JSON text, such as `[{"topology":"example.com/block","size":8}]`. Sources:
 * validateSliceRequiredTopologyConstraintsAnnotation and ValidateSliceSizeAnnotationUpperBound in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/tas_validation.go@v0.19.2
 */

enum { KUEUE_MOST_LAYERS = 3 };

struct kueue_layer {
    struct slice topology;
    int64_t size;
};

struct kueue_layers {
    struct kueue_layer items[KUEUE_MOST_LAYERS]; /* the first ones */
    size_t count;
};

/* Reads as encoding/json: what is absent or null is empty. Returns false for other types. */
static bool
kueue_read_layers(const struct node *list, struct kueue_layers *out)
{
    if (!node_is(list, NODE_LIST))
        return node_is(list, NODE_NULL);
    for (NODE_EACH(item, list)) {
        const struct node *topology = node_member(item, SLICE("topology"));
        const struct node *size = node_member(item, SLICE("size"));
        struct kueue_layer layer = {node_string(topology), 0};

        if ((!node_is_absent(item) && !node_is(item, NODE_MAP)) ||
            (topology && !node_is(topology, NODE_STRING)) ||
            (size &&
             (!node_int(size, &layer.size) || layer.size < INT32_MIN || layer.size > INT32_MAX)))
            return false;
        if (out->count < KUEUE_MOST_LAYERS)
            out->items[out->count] = layer;
        out->count++;
    }
    return true;
}

/* One layer: its name, its size beside that of the layer above, and that no other has its name. */
static void
kueue_check_layer(const struct kueue_layer *layers, size_t i, const struct kueue_pod_set *set,
                  struct report *report)
{
    const struct node *at = set->keys[KUEUE_CONSTRAINTS];
    const struct kueue_layer *layer = &layers[i];
    const int64_t above = i ? layers[i - 1].size : 0;
    struct name_problems problems;
    size_t first = 0;

    if (!name_check(NAME_QUALIFIED, layer->topology, &problems))
        for (size_t k = 0; k < problems.count; k++)
            find_note(report, at, MESSAGE_KUEUE_REFUSES_JOB_LAYER_TOPOLOGY, i,
                      SLICE_ARG(layer->topology), problems.text[k], set->hint);
    if (layer->size < 1)
        find_note(report, at, MESSAGE_KUEUE_REFUSES_JOB_LAYER_SIZE, i, (long long)layer->size,
                  set->hint);
    else if (above % layer->size != 0)
        find_note(report, at, MESSAGE_KUEUE_REFUSES_JOB_LAYER_PARENT, i, (long long)layer->size,
                  (long long)above, set->hint);
    while (!slice_equal(layers[first].topology, layer->topology))
        first++;
    if (first < i)
        find_note(report, at, MESSAGE_KUEUE_REFUSES_JOB_LAYER_TWICE, i, SLICE_ARG(layer->topology),
                  first, set->hint);
}

static void
kueue_check_layers(const struct kueue_job *job, const struct kueue_pod_set *set)
{
    const struct node *annotation = set->keys[KUEUE_CONSTRAINTS];
    struct kueue_layers layers = {.count = 0};
    const struct node *list =
        json_read_quietly(node_string(annotation), job->report->arena, job->decision->limits);

    if (!kueue_read_layers(list, &layers)) {
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_LAYERS, set->hint);
        return;
    }
    if (layers.count == 0 || layers.count > KUEUE_MOST_LAYERS)
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_LAYER_COUNT,
                     KUEUE_MOST_LAYERS, set->hint);
    for (size_t i = 0; layers.count <= KUEUE_MOST_LAYERS && i < layers.count; i++)
        kueue_check_layer(layers.items, i, set, job->report);
    if (layers.count && set->pods >= 0 && layers.items[0].size > set->pods)
        find_invalid(job->report, annotation, MESSAGE_KUEUE_REFUSES_JOB_POD_SET_COUNT,
                     (long long)set->pods, set->hint);
}

/* ---- groups of pod sets ---- */

/* The pod sets of one group: `count` counts all, and the first of them are kept. */
struct kueue_group {
    struct kueue_pod_set sets[KUEUE_GROUP_SIZE];
    size_t count;
};

/* Without a level, a pod set is in no group. */
static enum kueue_annotation
kueue_level_of(const struct kueue_pod_set *set)
{
    return set->keys[KUEUE_REQUIRED] ? KUEUE_REQUIRED : KUEUE_PREFERRED;
}

static bool
kueue_is_in_group(const struct kueue_pod_set *set)
{
    return set->keys[KUEUE_GROUP] && set->keys[kueue_level_of(set)];
}

static struct kueue_group
kueue_group_of(const struct kueue_job *job, struct slice name)
{
    const struct gang *gang = &job->decision->gang;
    struct kueue_group group = {.count = 0};

    for (size_t i = 0; i < gang->num_roles; i++) {
        struct kueue_pod_set set = kueue_pod_set_of(job, &gang->roles[i]);

        if (!kueue_is_in_group(&set) || kueue_shares_set(job, set.role) ||
            !slice_equal(node_string(set.keys[KUEUE_GROUP]), name))
            continue;
        if (group.count < KUEUE_GROUP_SIZE)
            group.sets[group.count] = set;
        group.count++;
    }
    return group;
}

/* Source: ValidatePodSetGroupingTopology, which reports each of the pod sets. */
static void
kueue_check_group(const struct kueue_pod_set *set, const struct kueue_job *job)
{
    const struct node *name = set->keys[KUEUE_GROUP];
    const struct kueue_pod_set *other;
    struct kueue_group group;
    enum kueue_annotation level;

    if (!kueue_is_in_group(set))
        return;
    group = kueue_group_of(job, node_string(name));
    if (group.count != KUEUE_GROUP_SIZE) {
        find_invalid(job->report, name, MESSAGE_KUEUE_REFUSES_JOB_POD_SET_PAIR, group.count,
                     set->hint);
        return;
    }
    if (group.sets[0].pods != 1 && group.sets[1].pods != 1)
        find_invalid(job->report, name, MESSAGE_KUEUE_REFUSES_JOB_POD_SET_LEADER,
                     (long long)group.sets[0].pods, (long long)group.sets[1].pods, set->hint);
    other = &group.sets[group.sets[0].role == set->role];
    level = kueue_level_of(set);
    if (level != kueue_level_of(other) ||
        !slice_equal(node_string(set->keys[level]), node_string(other->keys[level])))
        find_note(job->report, set->annotations, MESSAGE_KUEUE_REFUSES_JOB_GROUP_CONSISTENT,
                  SLICE_ARG(kueue_annotations[KUEUE_REQUIRED]),
                  SLICE_ARG(kueue_annotations[KUEUE_PREFERRED]),
                  path_of(job->report->arena, other->annotations).data,
                  SLICE_ARG(node_string(name)), set->hint);
}

/* Words for the request of a pod set; NULL if it requests no placement. */
static const char *
kueue_words(const struct kueue_pod_set *set, struct arena *arena)
{
    const char *group = set->keys[KUEUE_GROUP]
                            ? arena_format(arena, ", with the other role of the group %.*s",
                                           SLICE_ARG(node_string(set->keys[KUEUE_GROUP])))
                            : "";

    if (set->keys[KUEUE_REQUIRED])
        return arena_format(arena, "within one %.*s%s",
                            SLICE_ARG(node_string(set->keys[KUEUE_REQUIRED])), group);
    if (set->keys[KUEUE_PREFERRED])
        return arena_format(arena, "within one %.*s if possible%s",
                            SLICE_ARG(node_string(set->keys[KUEUE_PREFERRED])), group);
    if (set->keys[KUEUE_SLICE])
        return arena_format(arena, "in slices of %.*s pods, each within one %.*s",
                            SLICE_ARG(node_string(set->keys[KUEUE_SLICE_SIZE])),
                            SLICE_ARG(node_string(set->keys[KUEUE_SLICE])));
    if (set->keys[KUEUE_CONSTRAINTS])
        return "in slices of several levels";
    return set->keys[KUEUE_UNCONSTRAINED] ? "wherever it finds room in the topology" : NULL;
}

/* ---- a role ---- */

static void
kueue_check_set(const struct kueue_job *job, const struct kueue_pod_set *set)
{
    int count = (set->keys[KUEUE_REQUIRED] != NULL) + (set->keys[KUEUE_PREFERRED] != NULL) +
                (set->keys[KUEUE_UNCONSTRAINED] != NULL);
    static const enum kueue_annotation levels[] = {KUEUE_REQUIRED, KUEUE_PREFERRED, KUEUE_SLICE};

    if (count > 1)
        find_note(job->report, set->annotations, MESSAGE_KUEUE_REFUSES_JOB_ONE_TOPOLOGY,
                  SLICE_ARG(kueue_annotations[KUEUE_REQUIRED]),
                  SLICE_ARG(kueue_annotations[KUEUE_PREFERRED]),
                  SLICE_ARG(kueue_annotations[KUEUE_UNCONSTRAINED]), set->hint);
    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        const struct node *level = set->keys[levels[i]];

        if (level)
            name_check_made(node_string(level), NAME_QUALIFIED, GANG_CODE_KUEUE_REFUSES_JOB, level,
                            set->hint, job->report);
    }
    kueue_check_values(set, job->report);
    kueue_check_pairs(set, job->report);
    if (set->keys[KUEUE_CONSTRAINTS])
        kueue_check_layers(job, set);
    if (kueue_traits_of_pods(job, set->role) & KUEUE_READS_GROUPS)
        kueue_check_group(set, job);
}

void
kueue_placement_check(const struct kueue_job *job, const struct role *role)
{
    struct kueue_pod_set set = kueue_pod_set_of(job, role);
    const char *words;
    const struct node *at;
    size_t first = 0;

    if (!set.has_any)
        return;
    if (job->manager && !kueue_shares_set(job, role))
        kueue_check_set(job, &set);
    words = kueue_words(&set, job->report->arena);
    if (!words)
        return;
    while (!set.keys[first])
        first++;
    at = set.keys[first];
    find_note(job->report, at, GANG_CODE_KUEUE_TOPOLOGY,
              job->manager
                  ? NULL
                  : arena_format(job->report->arena, "label the %.*s kueue.x-k8s.io/queue-name",
                                 SLICE_ARG(job->kind)),
              "Kueue places the pods of role %-.*s %s%s", SLICE_ARG(set.role->name), words,
              job->manager ? "" : ", but only of a job that it manages, and this one has no queue");
    if (job->manager && gang_membership(&job->decision->gang, set.role) != ROLE_OUTSIDE) {
        /* Reports two choices of nodes for the same pods. */
        const struct backend *backend = job->decision->backend;

        if (job->decision->gang.topology.is_set)
            find_note(job->report, at, MESSAGE_PLACED_BY_OTHERS_KUEUE,
                      SLICE_ARG(backend->descriptor->name));
        else if (backend->descriptor->needs_effective_requests)
            find_note(job->report, at, MESSAGE_PLACED_BY_OTHERS_LATER,
                      SLICE_ARG(backend->descriptor->type));
    }
}
