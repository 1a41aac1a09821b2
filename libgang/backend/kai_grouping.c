/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai_grouping.h"

#include "libgang/base/integer.h"
#include "libgang/base/quote.h"
#include "libgang/base/report.h"

/* What a group asks for when no annotation says otherwise, and what the annotation counts. */
enum kai_default { KAI_DEFAULT_ONE, KAI_DEFAULT_ALL };
enum kai_annotation {
    KAI_ANNOTATION_UNREAD,
    KAI_ANNOTATION_PODS_IF_POSITIVE, /* others are passed over */
    KAI_ANNOTATION_PODS,             /* whatever the number */
    KAI_ANNOTATION_ROLES,            /* at least 1, at most all; on a Job's template: pods of a replica */
};

/*
 * By the first release of each kind, the newest last. Source: pkg/podgrouper/podgrouper/plugins/jobset at the tags;
 * JobSet #784 and TrainJob #1020 came in v0.13.0, the annotation in v0.14.1, no gang by default in v0.15.0 (#1308), the
 * tree in v0.16.0 (#1617). Before the tree a JobSet without an order counted as one in order.
 */
static const struct kai_grouping_rule {
    struct release since;
    enum kai_shape any_order;
    enum kai_shape in_order;
    enum kai_shape unset;
    enum kai_default minimum;
    enum kai_annotation annotation;
} kai_grouping_rules[] = {
    {{.is_known = true},
     KAI_SHAPE_OWNER,
     KAI_SHAPE_OWNER,
     KAI_SHAPE_OWNER,
     KAI_DEFAULT_ONE,
     KAI_ANNOTATION_UNREAD},
    {{.is_known = true, .minor = 13},
     KAI_SHAPE_ONE,
     KAI_SHAPE_PER_ROLE,
     KAI_SHAPE_PER_ROLE,
     KAI_DEFAULT_ALL,
     KAI_ANNOTATION_UNREAD},
    {{.is_known = true, .minor = 14, .patch = 1},
     KAI_SHAPE_ONE,
     KAI_SHAPE_PER_ROLE,
     KAI_SHAPE_PER_ROLE,
     KAI_DEFAULT_ALL,
     KAI_ANNOTATION_PODS_IF_POSITIVE},
    {{.is_known = true, .minor = 15},
     KAI_SHAPE_ONE,
     KAI_SHAPE_PER_ROLE,
     KAI_SHAPE_PER_ROLE,
     KAI_DEFAULT_ONE,
     KAI_ANNOTATION_PODS},
    {{.is_known = true, .minor = 16},
     KAI_SHAPE_TREE,
     KAI_SHAPE_TREE,
     KAI_SHAPE_TREE,
     KAI_DEFAULT_ALL,
     KAI_ANNOTATION_ROLES},
};

static const struct kai_grouping_rule *
kai_grouping_rule_of(const struct release *release)
{
    size_t last = sizeof(kai_grouping_rules) / sizeof(kai_grouping_rules[0]) - 1;

    while (last && release_compare(release, &kai_grouping_rules[last].since) < 0)
        last--;
    return &kai_grouping_rules[last];
}

static enum kai_shape
kai_grouping_shape(const struct kai_grouping_rule *rule, enum kai_order order)
{
    return order == KAI_ORDER_IN_ORDER ? rule->in_order
           : order == KAI_ORDER_ANY    ? rule->any_order
                                       : rule->unset;
}

/* Go's strconv.ParseInt with base 10 and 32 bits; what is wrong with the text in its words, or NULL. */
static const char *
kai_parse_int(struct slice text, int64_t *value)
{
    bool has_plus = text.len && text.data[0] == '+';
    struct slice digits = has_plus ? (struct slice){text.data + 1, text.len - 1} : text;

    for (size_t i = !has_plus && digits.len && digits.data[0] == '-'; i < digits.len; i++)
        if (digits.data[i] < '0' || digits.data[i] > '9')
            return "invalid syntax";
    if (!digits.len || slice_equal(digits, SLICE("-")))
        return "invalid syntax";
    return integer_parse(digits, value) && *value >= INT32_MIN && *value <= INT32_MAX ? NULL
                                                                                      : "value out of range";
}

/* False with the podgrouper's words in `failure`. `place` is where its message says that the annotation stands. */
static bool
kai_read_annotation(struct slice text, const char *place, int64_t least, int64_t *value, struct arena *arena,
                    const char **failure)
{
    const char *problem = kai_parse_int(text, value);
    struct quoted quoted;

    if (problem)
        *failure = arena_format(
            arena, "invalid kai.scheduler/batch-min-member annotation %s: strconv.ParseInt: parsing %s: %s",
            place, quote(&quoted, text), problem);
    else if (*value < least)
        *failure = arena_format(
            arena, "invalid kai.scheduler/batch-min-member annotation %s: value %lld must be >= %lld", place,
            (long long)*value, (long long)least);
    else
        return true;
    return false;
}

static int64_t
kai_at_least_one(const struct kai_minimum *number)
{
    return number->is_set && number->value > 0 ? number->value : 1;
}

int64_t
kai_grouping_replicas(const struct kai_job_role *role)
{
    return kai_at_least_one(&role->replicas);
}

/* What a group of pods counted before the tree: the Job keeps no more pods than it wants to see completed. */
static int64_t
kai_pods_of_role(const struct kai_job_role *role)
{
    int64_t pods = kai_at_least_one(&role->parallelism);

    if (role->completions.is_set && role->completions.value > 0 && role->completions.value < pods)
        pods = role->completions.value;
    return pods * kai_grouping_replicas(role);
}

/* The root's number without an annotation. */
static int64_t
kai_default_root(const struct kai_job *job, const struct kai_grouping_rule *rule, enum kai_shape shape)
{
    int64_t pods = 0;

    if (shape == KAI_SHAPE_TREE)
        return job->order == KAI_ORDER_IN_ORDER ? 1 : (int64_t)job->num_roles;
    if (rule->minimum == KAI_DEFAULT_ONE)
        return 1;
    for (size_t i = 0; i < job->num_roles; i++)
        pods = integer_add_capped(pods, kai_pods_of_role(&job->roles[i]));
    return pods;
}

static struct slice
kai_root_annotation(const struct kai_job *job)
{
    struct slice text = node_string(node_member(job->jobset.annotations, KAI_MIN_MEMBER_ANNOTATION));

    return slice_is_set(text)
               ? text
               : node_string(node_member(job->trainjob.annotations, KAI_MIN_MEMBER_ANNOTATION));
}

/* Whether the annotation gives a number; the grouping has a failure when it should and does not. */
static bool
kai_annotated_root(const struct kai_job *job, const struct kai_grouping_rule *rule, int64_t *value,
                   struct kai_grouping *grouping, struct arena *arena)
{
    struct slice text = kai_root_annotation(job);
    bool counts_roles = rule->annotation == KAI_ANNOTATION_ROLES;

    if (rule->annotation == KAI_ANNOTATION_UNREAD || !slice_is_set(text))
        return false;
    if (!kai_read_annotation(text, counts_roles ? "on JobSet" : "value", counts_roles ? 1 : INT64_MIN, value,
                             arena, &grouping->failure))
        return false;
    if (counts_roles && *value > (int64_t)job->num_roles)
        *value = (int64_t)job->num_roles;
    return rule->annotation != KAI_ANNOTATION_PODS_IF_POSITIVE || *value > 0;
}

static void
kai_fill_leaf(const struct kai_job_role *role, int64_t *minimum, struct kai_grouping *grouping,
              struct arena *arena)
{
    struct slice text = node_string(node_member(role->annotations, KAI_MIN_MEMBER_ANNOTATION));
    int64_t value;

    *minimum = kai_at_least_one(&role->parallelism);
    if (text.len && !grouping->failure &&
        kai_read_annotation(text, "on replicatedJob template", 1, &value, arena, &grouping->failure))
        *minimum = value;
}

static void
kai_fill_minima(const struct kai_job *job, const struct kai_grouping_rule *rule,
                struct kai_grouping *grouping, struct arena *arena)
{
    grouping->minima = arena_array(arena, job->num_roles + 1, sizeof(*grouping->minima));
    for (size_t i = 0; grouping->minima && i < job->num_roles; i++) {
        if (grouping->shape == KAI_SHAPE_TREE)
            kai_fill_leaf(&job->roles[i], &grouping->minima[i], grouping, arena);
        else
            grouping->minima[i] = grouping->has_annotation           ? grouping->root
                                  : rule->minimum == KAI_DEFAULT_ONE ? 1
                                                                     : kai_pods_of_role(&job->roles[i]);
    }
}

struct kai_grouping
kai_grouping_of(const struct kai_job *job, struct arena *arena)
{
    const struct kai_grouping_rule *rule = kai_grouping_rule_of(&job->release);
    struct kai_grouping grouping = {.shape = kai_grouping_shape(rule, job->order)};
    int64_t annotated;

    grouping.root = kai_default_root(job, rule, grouping.shape);
    grouping.has_annotation = kai_annotated_root(job, rule, &annotated, &grouping, arena);
    if (grouping.has_annotation)
        grouping.root = annotated;
    kai_fill_minima(job, rule, &grouping, arena);
    return grouping;
}
