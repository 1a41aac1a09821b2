/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue_checks.h"

#include "libgang/base/format.h"
#include "libgang/base/text.h"
#include "libgang/decide/rule_match.h"
#include "libgang/document/finding.h"
#include "libgang/kube/names.h"

#define KUEUE_HINT "change spec.runtimePatches of the TrainJob, or the pod templates of the runtime"

/* Maximum of spec.podSets, of which a job has one for each role. */
enum { KUEUE_MOST_POD_SETS = 18, KUEUE_GROUP_SIZE = 2 };

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
    const struct node *annotations;                  /* NULL if it has none */
    const struct node *keys[KUEUE_ANNOTATION_COUNT]; /* NULL if absent */
    bool has_any;
};

static struct kueue_pod_set
kueue_pod_set_of(const struct role *role)
{
    struct kueue_pod_set set = {
        .role = role,
        .annotations = node_member(role->pod_metadata, SLICE("annotations")),
    };

    for (size_t i = 0; set.annotations && i < KUEUE_ANNOTATION_COUNT; i++) {
        set.keys[i] = node_member(set.annotations, kueue_annotations[i]);
        set.has_any |= set.keys[i] != NULL;
    }
    return set;
}

/* ---- what Kueue's webhook refuses ---- */

/*
 * Source: kubernetes-sigs/kueue:pkg/controller/jobframework/{validation,tas_validation}.go@ff69552
 */

static void
kueue_check_one_kind(const struct kueue_pod_set *set, struct report *report)
{
    int count = (set->keys[KUEUE_REQUIRED] != NULL) + (set->keys[KUEUE_PREFERRED] != NULL) +
                (set->keys[KUEUE_UNCONSTRAINED] != NULL);

    if (count > 1)
        find_note(report, GANG_CODE_KUEUE_REFUSES_JOB, set->annotations, KUEUE_HINT,
                  "must not contain more than one topology annotation: [\"%.*s\", \"%.*s\", "
                  "\"%.*s\"]",
                  SLICE_ARG(kueue_annotations[KUEUE_REQUIRED]),
                  SLICE_ARG(kueue_annotations[KUEUE_PREFERRED]),
                  SLICE_ARG(kueue_annotations[KUEUE_UNCONSTRAINED]));
}

static void
kueue_check_levels(const struct kueue_pod_set *set, struct report *report)
{
    static const enum kueue_annotation levels[] = {KUEUE_REQUIRED, KUEUE_PREFERRED, KUEUE_SLICE};

    for (size_t i = 0; i < COUNT_OF(levels); i++) {
        const struct node *level = set->keys[levels[i]];
        struct name_problems problems;

        if (!level || name_check(NAME_QUALIFIED, node_string(level), &problems))
            continue;
        for (size_t k = 0; k < problems.count; k++)
            find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, level, KUEUE_HINT, "%s",
                         problems.text[k]);
    }
}

/* The texts that strconv.ParseBool accepts. */
static bool
kueue_is_bool(struct slice text)
{
    static const struct slice texts[] = {
        SLICE_INIT("1"),    SLICE_INIT("t"),     SLICE_INIT("T"),     SLICE_INIT("TRUE"),
        SLICE_INIT("true"), SLICE_INIT("True"),  SLICE_INIT("0"),     SLICE_INIT("f"),
        SLICE_INIT("F"),    SLICE_INIT("FALSE"), SLICE_INIT("false"), SLICE_INIT("False"),
    };

    for (size_t i = 0; i < COUNT_OF(texts); i++)
        if (slice_equal(texts[i], text))
            return true;
    return false;
}

/* strconv.ParseUint and ParseInt accept a number of decimal digits, the latter with a sign. */
static bool
kueue_is_number(struct slice text, bool allows_sign, int64_t *value)
{
    bool is_plus = text.len > 1 && text.data[0] == '+';
    bool is_signed = is_plus || (text.len && text.data[0] == '-');

    if (is_signed && !allows_sign)
        return false;
    return integer_parse(is_plus ? (struct slice){text.data + 1, text.len - 1} : text, value);
}

static void
kueue_check_values(const struct kueue_pod_set *set, struct report *report)
{
    const struct node *is_free = set->keys[KUEUE_UNCONSTRAINED];
    const struct node *size = set->keys[KUEUE_SLICE_SIZE];
    const struct node *group = set->keys[KUEUE_GROUP];
    int64_t number;

    if (is_free && !kueue_is_bool(node_string(is_free)))
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, is_free, KUEUE_HINT,
                     "must be a boolean value");
    if (group && kueue_is_number(node_string(group), false, &number))
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, group, KUEUE_HINT,
                     "must not be a number");
    if (!size)
        return;
    if (!kueue_is_number(node_string(size), true, &number) || number > INT32_MAX)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, size, KUEUE_HINT,
                     "must be a numeric value");
    else if (number < 1)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, size, KUEUE_HINT,
                     "must be greater than or equal to 1");
    else if (number > set->role->count)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, size, KUEUE_HINT,
                     "must not be greater than pod set count %lld", (long long)set->role->count);
}

/* Annotations that a pod set may have only without, or only with, another one. */
static const struct {
    enum kueue_annotation key;
    enum kueue_annotation other;
    bool is_needed;
} kueue_pairs[] = {
    {KUEUE_GROUP, KUEUE_SLICE_SIZE, false},       {KUEUE_GROUP, KUEUE_SLICE, false},
    {KUEUE_GROUP, KUEUE_CONSTRAINTS, false},      {KUEUE_CONSTRAINTS, KUEUE_SLICE, false},
    {KUEUE_CONSTRAINTS, KUEUE_SLICE_SIZE, false}, {KUEUE_SLICE, KUEUE_SLICE_SIZE, true},
    {KUEUE_SLICE_SIZE, KUEUE_SLICE, true},
};

static void
kueue_check_pairs(const struct kueue_pod_set *set, struct report *report)
{
    for (size_t i = 0; i < COUNT_OF(kueue_pairs); i++) {
        const struct node *key = set->keys[kueue_pairs[i].key];
        bool has_other = set->keys[kueue_pairs[i].other] != NULL;

        if (key && has_other != kueue_pairs[i].is_needed)
            find_forbidden(report, GANG_CODE_KUEUE_REFUSES_JOB, key, KUEUE_HINT,
                           "may not be set when '%.*s' is %sspecified",
                           SLICE_ARG(kueue_annotations[kueue_pairs[i].other]),
                           has_other ? "" : "not ");
    }
    if (set->keys[KUEUE_GROUP] && !set->keys[KUEUE_REQUIRED] && !set->keys[KUEUE_PREFERRED])
        find_forbidden(report, GANG_CODE_KUEUE_REFUSES_JOB, set->keys[KUEUE_GROUP], KUEUE_HINT,
                       "may not be set when neither '%.*s' nor '%.*s' is specified",
                       SLICE_ARG(kueue_annotations[KUEUE_PREFERRED]),
                       SLICE_ARG(kueue_annotations[KUEUE_REQUIRED]));
}

/* ---- groups of pod sets ---- */

/* The pod sets of one group: `count` counts all, and the first of them are kept. */
struct kueue_group {
    struct kueue_pod_set sets[KUEUE_GROUP_SIZE];
    size_t count;
};

static struct kueue_group
kueue_group_of(const struct gang *gang, struct slice name)
{
    struct kueue_group group = {.count = 0};

    for (size_t i = 0; i < gang->num_roles; i++) {
        struct kueue_pod_set set = kueue_pod_set_of(&gang->roles[i]);

        if (!set.keys[KUEUE_GROUP] || !slice_equal(node_string(set.keys[KUEUE_GROUP]), name))
            continue;
        if (group.count < KUEUE_GROUP_SIZE)
            group.sets[group.count] = set;
        group.count++;
    }
    return group;
}

static bool
kueue_agree(const struct kueue_group *group, enum kueue_annotation key)
{
    const struct node *left = group->sets[0].keys[key];
    const struct node *right = group->sets[1].keys[key];

    return !left == !right && slice_equal(node_string(left), node_string(right));
}

/* Reports a group once, at its first pod set. */
static void
kueue_check_group(const struct kueue_pod_set *set, const struct gang *gang, struct report *report)
{
    const struct node *name = set->keys[KUEUE_GROUP];
    struct kueue_group group;

    if (!name)
        return;
    group = kueue_group_of(gang, node_string(name));
    if (group.sets[0].role != set->role)
        return;
    if (group.count != KUEUE_GROUP_SIZE)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, name, KUEUE_HINT,
                     "can only define groups of exactly 2 pod sets, got: %zu pod set(s)",
                     group.count);
    else if (group.sets[0].role->count != 1 && group.sets[1].role->count != 1)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, name, KUEUE_HINT,
                     "can only define groups where at least one pod set has only 1 replica, got: "
                     "%lld replica(s) and %lld replica(s) in the group",
                     (long long)group.sets[0].role->count, (long long)group.sets[1].role->count);
    else if (!kueue_agree(&group, KUEUE_REQUIRED) || !kueue_agree(&group, KUEUE_PREFERRED))
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, name, KUEUE_HINT,
                     "both pod sets of the group must request the same required or preferred "
                     "topology");
}

/* ---- the job's own labels ---- */

static void
kueue_check_queue(const struct node *queue, struct report *report)
{
    struct name_problems problems;

    if (!queue || name_check(NAME_DNS1123_SUBDOMAIN, node_string(queue), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, queue, "name a LocalQueue", "%s",
                     problems.text[i]);
}

static void
kueue_check_job(const struct gang_decision *decision, struct report *report)
{
    const struct object_meta *meta = &decision->inputs.trainjob->meta;
    const struct node *seconds =
        node_member(meta->labels, SLICE("kueue.x-k8s.io/max-exec-time-seconds"));
    const struct node *elastic =
        node_member(meta->annotations, SLICE("kueue.x-k8s.io/elastic-job"));
    int64_t number;

    kueue_check_queue(job_facts_kueue_queue(decision), report);
    if (seconds && (!kueue_is_number(node_string(seconds), true, &number) || number <= 0))
        find_invalid(report, GANG_CODE_KUEUE_REFUSES_JOB, seconds, NULL,
                     "should be greater than 0");
    if (slice_equal(node_string(elastic), SLICE("true")))
        find_forbidden(report, GANG_CODE_KUEUE_REFUSES_JOB, elastic, "remove the annotation",
                       "a TrainJob cannot be an elastic job of Kueue");
    if (decision->gang.num_roles > KUEUE_MOST_POD_SETS)
        find_note(report, GANG_CODE_KUEUE_REFUSES_JOB, decision->gang.roles[0].source->parent,
                  "merge roles", "Too many: %zu: Kueue queues at most %d roles",
                  decision->gang.num_roles, KUEUE_MOST_POD_SETS);
}

/* ---- placement ---- */

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

static const struct node *
kueue_first_key(const struct kueue_pod_set *set)
{
    size_t i = 0;

    while (!set->keys[i])
        i++;
    return set->keys[i];
}

static void
kueue_report_placement(const struct gang_decision *decision, const struct kueue_pod_set *set,
                       bool is_managed, struct report *report)
{
    const char *words = kueue_words(set, report->arena);
    const struct node *at = kueue_first_key(set);
    struct quoted name;

    if (!words)
        return;
    find_note(report, GANG_CODE_KUEUE_TOPOLOGY, at,
              is_managed ? NULL : "label the TrainJob kueue.x-k8s.io/queue-name",
              "Kueue places the pods of role %s %s%s", quote(&name, set->role->name), words,
              is_managed ? "" : ", but only of a job that it manages, and this one has no queue");
    if (!is_managed || gang_membership(&decision->gang, set->role) == ROLE_OUTSIDE)
        return;
    if (decision->gang.topology.is_set)
        find_note(
            report, GANG_CODE_PLACED_BY_OTHERS, at,
            "remove the annotation, or the topology of the gang",
            "Kueue chooses the nodes of the pods, and the backend %.*s chooses a topology for "
            "the same pods",
            SLICE_ARG(decision->backend->descriptor->name));
    else if (decision->backend->descriptor->needs_effective_requests)
        find_note(report, GANG_CODE_PLACED_BY_OTHERS, at,
                  "remove the annotation, or use a backend without placeholders",
                  "Kueue gives each pod a node after it was created; the placeholders of %.*s do "
                  "not have it, so the gang may hold other nodes and start in part",
                  SLICE_ARG(decision->backend->descriptor->type));
}

/* ---- labels of pods ---- */

static void
kueue_check_template(const struct node *metadata, const struct role *role, bool is_managed,
                     struct report *report)
{
    const struct node *queue =
        node_member(node_member(metadata, SLICE("labels")), SLICE("kueue.x-k8s.io/queue-name"));
    struct quoted name;

    if (node_string(queue).len)
        find_note_at_key(report, GANG_CODE_KUEUE_QUEUE_ON_PODS, queue,
                         "set the label in the metadata of the TrainJob only",
                         is_managed
                             ? "Kueue would queue the pods of role %s twice: with the "
                               "TrainJob, and by this label"
                             : "Kueue would queue the pods of role %s apart from each other, "
                               "and the gang would wait for the ones that it does not admit",
                         quote(&name, role->name));
}

/* ---- how many pods are admitted ---- */

/* kubernetes-sigs/kueue:pkg/controller/jobs/job/job_controller.go@ff69552 */
#define KUEUE_MIN_PARALLELISM SLICE("kueue.x-k8s.io/job-min-parallelism")

static void
kueue_check_parts(const struct node *metadata, struct report *report)
{
    const struct node *annotation =
        node_member(node_member(metadata, SLICE("annotations")), KUEUE_MIN_PARALLELISM);

    if (annotation)
        find_note(report, GANG_CODE_KUEUE_ADMITS_PART, annotation, "remove the annotation",
                  "has no effect: Kueue admits a TrainJob with all its pods or not at all; only a "
                  "Job that it manages can be admitted in part");
}

/* Whether the gang starts with fewer pods than its members have. */
static bool
kueue_gang_is_elastic(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE && role_is_elastic(&gang->roles[i]))
            return true;
    return gang->wishes->minimum > 0 && gang->wishes->minimum < gang->members;
}

static void
kueue_report_counts(const struct gang_decision *decision, const struct node *manager,
                    struct report *report)
{
    const struct gang *gang = &decision->gang;

    if (kueue_gang_is_elastic(gang))
        find_note_at_key(report, GANG_CODE_KUEUE_ADMITS_ALL, manager, NULL,
                         "the gang starts with %lld pods, but Kueue admits the job only with room "
                         "for all %lld",
                         (long long)gang->minimum, (long long)gang->pods);
    if (gang->wishes->start_order)
        find_note_at_key(report, GANG_CODE_KUEUE_READINESS, manager,
                         "check the timeout of waitForPodsReady in Kueue's configuration",
                         "Kueue counts the job as ready only when its last role has started: with "
                         "waitForPodsReady, which is on since v0.19 with 30 minutes, it evicts a "
                         "job whose earlier roles take longer");
}

/* ---- a live Workload of Kueue ---- */

/* Returns the pods of the role in a list of pod sets, and the node that says so; -1 if absent. */
static int64_t
kueue_pods_of(const struct node *list, struct slice role, struct slice member,
              const struct node **at)
{
    for (NODE_EACH(item, list)) {
        const struct node *count = node_member(item, member);
        int64_t pods;

        if (!slice_equal(node_string(node_member(item, SLICE("name"))), role))
            continue;
        if (!node_int(count, &pods))
            break;
        *at = count;
        return pods;
    }
    return -1;
}

/*
 * Returns how many pods of the first wave the list admits; `at` is its first number below a role's
 * count, NULL if there is none.
 */
static int64_t
kueue_admitted(const struct gang *gang, const struct node *list, struct slice member,
               const struct node **at)
{
    int64_t sum = 0;

    *at = NULL;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        const struct node *found = NULL;
        int64_t pods = kueue_pods_of(list, role->name, member, &found);

        if (gang->parts[i].membership != ROLE_MEMBER)
            continue;
        if (pods >= 0 && pods < role->count && !*at)
            *at = found;
        sum = integer_add_capped(sum, pods >= 0 && pods < role->count ? pods : role->count);
    }
    return sum;
}

void
kueue_checks_workload(const struct gang_decision *decision, const struct node *workload,
                      struct report *report)
{
    const struct gang *gang = &decision->gang;
    const struct node *admission = node_at(workload, "status.admission.podSetAssignments");
    const struct node *at;
    int64_t pods =
        admission ? kueue_admitted(gang, admission, SLICE("count"), &at)
                  : kueue_admitted(gang, node_at(workload, "spec.podSets"), SLICE("minCount"), &at);

    if (at && pods < gang->minimum)
        find_note(report, GANG_CODE_KUEUE_ADMITS_PART, at,
                  "admit at least the minimum of the gang, or lower the minimum",
                  "Kueue %s %lld pods of the first wave, but the gang waits for %lld: it would "
                  "never start",
                  admission ? "has admitted" : "may admit", (long long)pods,
                  (long long)gang->minimum);
}

/* ---- kueue checks ---- */

static void
kueue_check_pod_set(const struct gang_decision *decision, const struct kueue_pod_set *set,
                    bool is_managed, struct report *report)
{
    if (is_managed) {
        kueue_check_one_kind(set, report);
        kueue_check_levels(set, report);
        kueue_check_values(set, report);
        kueue_check_pairs(set, report);
        kueue_check_group(set, &decision->gang, report);
    }
    kueue_report_placement(decision, set, is_managed, report);
}

static void
kueue_check_role(const struct gang_decision *decision, const struct role *role, bool is_managed,
                 struct report *report)
{
    struct kueue_pod_set set = kueue_pod_set_of(role);

    if (set.has_any)
        kueue_check_pod_set(decision, &set, is_managed, report);
    kueue_check_template(role->pod_metadata, role, is_managed, report);
    if (!is_managed)
        return;
    kueue_check_template(role->job_metadata, role, is_managed, report);
    kueue_check_parts(role->job_metadata, report);
}

void
kueue_checks_run(struct gang_decision *decision)
{
    const struct gang_trainjob *job = decision->inputs.trainjob;
    const struct node *manager = job_facts_kueue_manager(decision);
    const struct gang *gang = &decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++)
        kueue_check_role(decision, &gang->roles[i], manager != NULL, &decision->report);
    if (!manager)
        return;
    kueue_check_job(decision, &decision->report);
    kueue_check_parts(job->meta.source, &decision->report);
    kueue_report_counts(decision, manager, &decision->report);
}
