/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/catalog/job_names.h"

/* ---- kai grouping ---- */

/* The minimum of a group without an annotation, and what the annotation counts. */
enum kai_default { KAI_DEFAULT_ONE, KAI_DEFAULT_ALL };
enum kai_annotation {
    KAI_ANNOTATION_UNREAD,
    KAI_ANNOTATION_PODS_IF_POSITIVE, /* other numbers are ignored */
    KAI_ANNOTATION_PODS,             /* any number */
    KAI_ANNOTATION_ROLES,            /* 1 to all roles; on a Job's template: pods of a replica */
};

/*
 * Sorted by the first release of each behaviour, newest last. Source:
 * pkg/podgrouper/podgrouper/plugins/jobset at the tags. v0.13.0 added JobSet (#784) and TrainJob
 * (#1020), v0.14.1 the annotation, v0.15.0 no gang by default (#1308), v0.16.0 the tree (#1617).
 */
static const struct kai_grouping_rule {
    struct release since;
    enum kai_shape shape; /* ONE is PER_ROLE for a JobSet whose roles start in order */
    enum kai_default minimum;
    enum kai_annotation annotation;
} kai_grouping_rules[] = {
    {KAI_RELEASE(0, 0), KAI_SHAPE_OWNER, KAI_DEFAULT_ONE, KAI_ANNOTATION_UNREAD},
    {KAI_RELEASE(13, 0), KAI_SHAPE_ONE, KAI_DEFAULT_ALL, KAI_ANNOTATION_UNREAD},
    {KAI_RELEASE(14, 1), KAI_SHAPE_ONE, KAI_DEFAULT_ALL, KAI_ANNOTATION_PODS_IF_POSITIVE},
    {KAI_RELEASE(15, 0), KAI_SHAPE_ONE, KAI_DEFAULT_ONE, KAI_ANNOTATION_PODS},
    {KAI_RELEASE(16, 0), KAI_SHAPE_TREE, KAI_DEFAULT_ALL, KAI_ANNOTATION_ROLES},
};

/*
 * From v0.16 on, for a JobSet whose PodGroup an earlier release made. Source:
 * pkg/podgrouper/podgrouper/plugins/jobset/legacy_grouper.go@d5bc503a; the comment there says that
 * v0.17 removes it, which it did not.
 */
static const struct kai_grouping_rule kai_flat_rule = {KAI_RELEASE(16, 0), KAI_SHAPE_ONE,
                                                       KAI_DEFAULT_ONE, KAI_ANNOTATION_PODS};

static const struct kai_grouping_rule *
kai_grouping_rule_of(const struct kai_job *job)
{
    const struct release *release = &job->release;
    size_t last = COUNT_OF(kai_grouping_rules) - 1;

    if (job->stays_flat && release_compare(release, &kai_flat_rule.since) >= 0)
        return &kai_flat_rule;
    while (last && release_compare(release, &kai_grouping_rules[last].since) < 0)
        last--;
    return &kai_grouping_rules[last];
}

/* Go's strconv.ParseInt with base 10 and 32 bits. Returns Go's error text, or NULL. */
static const char *
kai_parse_int(struct slice text, int64_t *value)
{
    struct slice digits = text;

    if (!slice_take(&digits, SLICE("+")))
        slice_take(&digits, SLICE("-"));
    if (!digits.len || !ascii_all(digits, ASCII_DIGIT))
        return "invalid syntax";
    return integer_parse_signed(text, value) && *value >= INT32_MIN && *value <= INT32_MAX
               ? NULL
               : "value out of range";
}

/*
 * Returns false with the podgrouper's error in `failure`. `place` is the place of the annotation
 * that the error names.
 */
static bool
kai_read_annotation(struct slice text, const char *place, int64_t least, int64_t *value,
                    struct arena *arena, const char **failure)
{
    const char *problem = kai_parse_int(text, value);

    if (problem)
        *failure = arena_format(arena,
                                "invalid kai.scheduler/batch-min-member annotation %s: "
                                "strconv.ParseInt: parsing %-.*s: %s",
                                place, SLICE_ARG(text), problem);
    else if (*value < least)
        *failure = arena_format(
            arena,
            "invalid kai.scheduler/batch-min-member annotation %s: value %lld must be >= %lld",
            place, (long long)*value, (long long)least);
    else
        return true;
    return false;
}

static int64_t
kai_at_least_one(int64_t number)
{
    return number > 0 ? number : 1;
}

int64_t
kai_grouping_replicas(const struct kai_job_role *role)
{
    return kai_at_least_one(role->replicas);
}

/* Returns the pods that a group counted before the tree. */
static int64_t
kai_pods_of_role(const struct kai_job_role *role)
{
    return kai_at_least_one(role->pods) * kai_grouping_replicas(role);
}

/* Returns the root's minimum without an annotation. */
static int64_t
kai_default_root(const struct kai_job *job, const struct kai_grouping_rule *rule,
                 enum kai_shape shape)
{
    int64_t pods = 0;

    if (shape == KAI_SHAPE_TREE)
        return job->in_order ? 1 : (int64_t)job->num_roles;
    if (rule->minimum == KAI_DEFAULT_ONE)
        return 1;
    for (size_t i = 0; i < job->num_roles; i++)
        pods = integer_add_capped(pods, kai_pods_of_role(&job->roles[i]));
    return pods;
}

/* Returns a text of the JobSet, else of the TrainJob. */
static struct slice
kai_either(const struct node *of_jobset, const struct node *of_trainjob, struct slice key)
{
    struct slice text = node_string(node_member(of_jobset, key));

    return slice_is_set(text) ? text : node_string(node_member(of_trainjob, key));
}

/*
 * Whether the annotation gives a number. Sets the grouping's failure if the annotation is invalid.
 */
static bool
kai_annotated_root(const struct kai_job *job, const struct kai_grouping_rule *rule, int64_t *value,
                   struct kai_grouping *grouping, struct arena *arena)
{
    struct slice text =
        kai_either(job->jobset.annotations, job->trainjob.annotations, KAI_MIN_MEMBER_ANNOTATION);
    bool counts_roles = rule->annotation == KAI_ANNOTATION_ROLES;

    if (rule->annotation == KAI_ANNOTATION_UNREAD || !slice_is_set(text))
        return false;
    if (!kai_read_annotation(text, counts_roles ? "on JobSet" : "value",
                             counts_roles ? 1 : INT64_MIN, value, arena, &grouping->failure))
        return false;
    if (counts_roles && *value > (int64_t)job->num_roles)
        *value = (int64_t)job->num_roles;
    return rule->annotation != KAI_ANNOTATION_PODS_IF_POSITIVE || *value > 0;
}

/* Why there is no group at all; NULL if there is one. */
static const char *
kai_grouping_refusal(const struct kai_job *job)
{
    bool is_skipped = kai_has(KAI_EXTERNAL_GROUPS, &job->release) && job->num_roles;

    for (size_t i = 0; i < job->num_roles; i++)
        is_skipped &= job->roles[i].is_skipped;
    if (is_skipped)
        return "the annotation kai.scheduler/skip-podgrouper makes it pass over all pods";
    return job->has_several_owners ? "it does not accept a TrainJob with several owners" : NULL;
}

struct kai_grouping
kai_grouping_of(const struct kai_job *job, struct arena *arena)
{
    const struct kai_grouping_rule *rule =
        slice_is_set(job->top_owner.kind) ? &kai_grouping_rules[0] : kai_grouping_rule_of(job);
    struct kai_grouping grouping = {.shape = rule->shape, .failure = kai_grouping_refusal(job)};
    int64_t annotated;

    if (job->in_order && rule->shape == KAI_SHAPE_ONE)
        grouping.shape = KAI_SHAPE_PER_ROLE;
    grouping.root = kai_default_root(job, rule, grouping.shape);
    grouping.has_annotation = kai_annotated_root(job, rule, &annotated, &grouping, arena);
    if (grouping.has_annotation)
        grouping.root = annotated;
    grouping.minima = arena_array(arena, job->num_roles + 1, sizeof(*grouping.minima));
    for (size_t i = 0; grouping.minima && i < job->num_roles; i++) {
        if (grouping.shape == KAI_SHAPE_TREE) {
            const struct kai_job_role *role = &job->roles[i];
            int64_t *minimum = &grouping.minima[i];
            struct slice text =
                node_string(node_member(role->annotations, KAI_MIN_MEMBER_ANNOTATION));
            int64_t value;

            *minimum = kai_at_least_one(role->pods);
            if (text.len && !grouping.failure &&
                kai_read_annotation(text, "on replicatedJob template", 1, &value, arena,
                                    &grouping.failure))
                *minimum = value;
        } else {
            grouping.minima[i] = grouping.has_annotation ? grouping.root
                                 : rule->minimum == KAI_DEFAULT_ONE
                                     ? 1
                                     : kai_pods_of_role(&job->roles[i]);
        }
    }
    return grouping;
}

/* ---- kai jobset ---- */

/* Returns a map with `{key: value}` in front; the map itself if there is no value. */
static const struct node *
kai_with(struct slice key, struct slice value, const struct node *map, struct arena *arena)
{
    struct builder front;

    if (!value.len)
        return map;
    front = build_map(arena);
    build_string(&front, key, value);
    return build_merged(front.node, map, arena);
}

static bool
kai_says_skip(const struct node *annotations)
{
    return slice_equal(
        node_string(node_member(annotations, SLICE(GANG_ANNOTATION_KAI_SKIP_PODGROUPER))),
        SLICE("true"));
}

const struct podgrouper_trait *
kai_foreign_trait(const struct gang_wishes *wishes)
{
    return &job_traits_of(wishes->owner.api_version, wishes->owner.kind)->podgrouper;
}

static struct kai_job_role
kai_read_role(const struct backend_call *call, size_t index, const struct kai_marks *marks,
              struct arena *arena)
{
    const struct gang *gang = call->gang;
    const struct role *role = &gang->roles[index];
    const struct cluster_priority_class *class = cluster_default_priority_class(call->cluster);
    struct slice class_name = gang->gives_priority && gang->parts[index].membership != ROLE_OUTSIDE
                                  ? gang->priority_class_name
                                  : role->priority_class_name;
    const struct node *pod = role->pod_metadata;
    const struct node *annotations = node_member(pod, SLICE("annotations"));
    const struct node *labels = node_member(pod, SLICE("labels"));
    const struct node *of_job = node_member(role->job_metadata, SLICE("annotations"));
    int64_t pods = role->operator_count > 0 ? role->operator_count : 1;

    /* The API server writes the class with globalDefault into pods that name none. */
    if (!class_name.len && class)
        class_name = class->name;
    if (marks->priority_on_pods && node_member(labels, KAI_PRIORITY_LABEL))
        labels = kai_with(KAI_PRIORITY_LABEL, marks->priority, labels, arena);
    labels = kai_with(KAI_QUEUE_LABEL, marks->queue, labels, arena);
    return (struct kai_job_role){
        .name = role->name,
        .replicas = role->count / pods,
        .pods = pods,
        .annotations = kai_foreign_trait(gang->wishes)->places_roles ? annotations : of_job,
        .pod = {.labels = labels, .annotations = annotations},
        .pod_priority_class = class_name,
        .is_skipped = kai_says_skip(of_job) || kai_says_skip(annotations),
    };
}

/* Whether a release reads a JobSet below a TrainJob, and whether it gives it defaults. */
#define KAI_READS_JOBSETS(release) release_at_least(release, 0, 13)
#define KAI_GIVES_DEFAULTS(release) release_at_least(release, 0, 14)

/* The podgrouper groups by the owner at the top; only the TrainJob's own references are known. */
static void
kai_read_owners(struct kai_job *job, const struct node *references)
{
    const struct node *reference = node_first(references);
    struct backend_owner owner = {
        .api_version = node_string(node_member(reference, SLICE("apiVersion"))),
        .kind = node_string(node_member(reference, SLICE("kind"))),
        .name = node_name(reference),
        .uid = node_string(node_member(reference, SLICE("uid"))),
    };
    struct kai_kind kind;

    slice_take(&owner.api_version, SLICE("/")); /* "/v1" is "v1" */
    kind = (struct kai_kind){slice_before(owner.api_version, '/'), owner.kind};
    if (kind.group.len == owner.api_version.len)
        kind.group = SLICE("");
    job->has_several_owners = node_count(references) > 1;
    if (!slice_is_set(owner.kind))
        return;
    /*
     * Under these owners of the TrainJob the podgrouper keeps the shape of the JobSet, from v0.13
     * on. Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/hub/hub.go@d5bc503a, and
     * recorded results.
     */
    if (KAI_READS_JOBSETS(&job->release) && (slice_equal(kind.group, SLICE("run.ai")) ||
                                             (slice_equal(kind.group, SLICE("argoproj.io")) &&
                                              slice_equal(kind.kind, SLICE("Workflow")))))
        job->passed_owner = kind;
    else
        job->top_owner = owner;
}

/* Returns the labels with the kind's defaults that they do not have; a class must exist. */
static const struct node *
kai_with_defaults(const struct kai_job *job, const struct kai_kind *kind, const struct node *labels,
                  struct arena *arena)
{
    const struct node *preemptibility =
        kai_default_node(job->cluster, kind, SLICE("preemptibility"));

    if (!node_member(labels, KAI_PRIORITY_LABEL))
        labels = kai_with(KAI_PRIORITY_LABEL, node_string(kai_default_class(job->cluster, kind, 1)),
                          labels, arena);
    return node_member(labels, KAI_PREEMPTIBILITY_LABEL)
               ? labels
               : kai_with(KAI_PREEMPTIBILITY_LABEL, node_string(preemptibility), labels, arena);
}

/*
 * From v0.14 on, the defaults for the kind of a skipped owner become labels of the object below it,
 * before the owner's own: of the TrainJob those for a Workflow, of the JobSet those for a TrainJob.
 * Source: plugins/skiptopowner@d5bc503a
 */
static void
kai_take_defaults(struct kai_job *job, struct arena *arena)
{
    const struct kai_kind trainjob = KAI_TRAINJOB_KIND;

    if (!KAI_GIVES_DEFAULTS(&job->release) || slice_is_set(job->top_owner.kind))
        return;
    if (slice_is_set(job->passed_owner.kind))
        job->trainjob.labels =
            kai_with_defaults(job, &job->passed_owner, job->trainjob.labels, arena);
    job->jobset.labels = kai_with_defaults(job, &trainjob, job->jobset.labels, arena);
}

/*
 * Admission gives pods without a class the one with globalDefault, which precedes the default for
 * all kinds. Source: default_grouper.go and plugins/skiptopowner@d5bc503a
 */
struct backend_classes
kai_classes(const struct gang_wishes *wishes, const struct gang_cluster *cluster)
{
    const struct kai_kind kinds[] = {KAI_KIND("batch", "Job"), KAI_JOBSET_KIND, KAI_TRAINJOB_KIND};
    const struct release release = cluster_component(cluster, CATALOG_AT_kai);
    struct kai_job job = {.release = release.is_known ? release : kai_newest_release};
    struct backend_classes classes = {
        .pods_first = !KAI_READS_JOBSETS(&job.release),
    };

    kai_read_owners(&job, wishes->chain ? wishes->chain->job_owners : NULL);
    if (!slice_is_set(job.top_owner.kind) && KAI_GIVES_DEFAULTS(&job.release)) {
        classes.before_job = kai_default_class(cluster, &kinds[2], 1);
        classes.after_job = kai_default_class(cluster, &job.passed_owner, 1);
    }
    if (!cluster_default_priority_class(cluster))
        classes.at_last = classes.pods_first ? kai_default_class(cluster, kinds, COUNT_OF(kinds))
                                             : kai_default_class(cluster, &kinds[1], 1);
    return classes;
}

struct kai_job
kai_jobset_read(const struct backend_call *call, const struct release *release,
                const struct kai_marks *marks, struct arena *arena)
{
    const struct gang_owner *owner = &call->gang->wishes->owner;
    const struct owner_chain none = {.in_order = false};
    const struct owner_chain *chain = call->gang->wishes->chain ? call->gang->wishes->chain : &none;
    /* A pod that is its own job gets the label, so the group has it from the start. */
    const bool is_on_job = marks->queue_on_job || call->gang->wishes->roles_are_pods;
    struct slice job_queue = is_on_job ? marks->queue : NO_SLICE;
    struct kai_job_role *roles = arena_array(arena, call->gang->num_roles + 1, sizeof(*roles));
    struct kai_job job = {
        .release = *release,
        .name = owner->name,
        .namespace_ = owner->namespace_,
        .trainjob_uid = owner->uid,
        .trainjob = {.labels = chain->job.labels, .annotations = chain->job.annotations},
        .in_order = chain->in_order,
        .cluster = call->cluster,
    };

    for (size_t i = 0; roles && i < call->gang->num_roles; i++) {
        roles[i] = kai_read_role(call, i, marks, arena);
        roles[i].is_skipped |=
            kai_says_skip(chain->job.annotations) || kai_says_skip(chain->set.annotations);
    }
    job.roles = roles;
    job.num_roles = roles ? call->gang->num_roles : 0;
    kai_read_owners(&job, chain->job_owners);
    job.jobset.labels = kai_with(KAI_QUEUE_LABEL, job_queue, chain->set.labels, arena);
    job.jobset.labels = kai_with(KAI_PRIORITY_LABEL, marks->priority, job.jobset.labels, arena);
    kai_take_defaults(&job, arena);
    job.jobset.annotations =
        kai_with(KAI_MIN_MEMBER_ANNOTATION, marks->min_member, chain->set.annotations, arena);
    return job;
}

struct kai_marks
kai_jobset_marks(const struct backend_call *call, const struct release *release,
                 struct arena *arena)
{
    const struct gang *gang = call->gang;
    struct kai_marks marks = {.queue = gang->queue};
    struct kai_job job = kai_jobset_read(call, release, &marks, arena);
    struct slice queue = kai_either(job.jobset.labels, job.trainjob.labels, KAI_QUEUE_LABEL);
    struct slice priority = kai_either(job.jobset.labels, job.trainjob.labels, KAI_PRIORITY_LABEL);

    marks.queue_on_job = marks.queue.len && slice_is_set(queue) && !slice_equal(queue, marks.queue);
    for (size_t i = 0; !slice_is_set(priority) && i < job.num_roles; i++)
        priority = node_string(node_member(job.roles[i].pod.labels, KAI_PRIORITY_LABEL));
    if (gang->gives_priority && slice_is_set(priority) &&
        !slice_equal(priority, gang->priority_class_name))
        marks.priority = gang->priority_class_name;
    marks.priority_on_pods = !KAI_READS_JOBSETS(release);
    return marks;
}
