/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_KAI_WEBHOOK_H
#define TESTS_SUPPORT_KAI_WEBHOOK_H

#include "libgang/backend/kai/kai.h"
#include <check.h>

/*
 * What KAI's own admission webhook reports about a PodGroup, in its words and order: no group that
 * libgang makes may have such a problem.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_webhook.go, v0.14.7 to
 * main d5bc503a
 */
enum kai_webhook_call { KAI_WEBHOOK_CREATE, KAI_WEBHOOK_UPDATE };

struct kai_webhook_problem {
    const char *text;
    bool is_warning; /* the group is admitted */
};

struct kai_webhook_answer {
    struct kai_webhook_problem *problems;
    size_t count;
};

/* The most problems for one subgroup, and the most for the root. */
enum { KAI_WEBHOOK_MOST_EACH = 3 };

struct kai_webhook {
    const struct kai_pod_group *group;
    enum kai_webhook_call call;
    struct arena *arena;
    const struct kai_subgroup **by_name; /* sorted; without duplicates once those are ruled out */
    size_t *parents;                     /* indexed like `by_name`; KAI_WEBHOOK_ROOT if none */
    size_t *children;                    /* number of subgroups with this parent */
    struct kai_webhook_answer answer;
};

#define KAI_WEBHOOK_ROOT SIZE_MAX

/* A text of its own, in the arena. */
#define KAI_WEBHOOK_SAY(webhook, is_warning_, ...)                                                 \
    ((webhook)->answer.problems[(webhook)->answer.count++] = (struct kai_webhook_problem){         \
         .text = arena_format((webhook)->arena, __VA_ARGS__), .is_warning = (is_warning_)})

/* Reports a structural error alone, without other problems. False. */
#define KAI_WEBHOOK_STOP(webhook, ...)                                                             \
    ((webhook)->answer.count = 0, KAI_WEBHOOK_SAY(webhook, false, __VA_ARGS__), false)

/* Returns false if memory is exhausted. */
static bool
kai_webhook_begin(struct kai_webhook *webhook)
{
    size_t count = webhook->group->num_subgroups;

    webhook->by_name = (const struct kai_subgroup **)stable_sort_array(
        webhook->group->subgroups, count, sizeof(struct kai_subgroup), slice_compare_first, NULL,
        webhook->arena);
    webhook->parents = arena_array(webhook->arena, count + 1, sizeof(*webhook->parents));
    webhook->children = arena_array(webhook->arena, count + 1, sizeof(*webhook->children));
    webhook->answer.problems = arena_array(
        webhook->arena, count + 1, KAI_WEBHOOK_MOST_EACH * sizeof(*webhook->answer.problems));
    return !arena_failed(webhook->arena);
}

/* Returns the index of a name in `by_name`, or KAI_WEBHOOK_ROOT. */
static size_t
kai_webhook_find(const struct kai_webhook *webhook, struct slice name)
{
    const size_t count = webhook->group->num_subgroups;
    const size_t found = sorted_search((const void *const *)webhook->by_name, count, &name,
                                       slice_compare_first, NULL);

    return found < count && slice_equal(webhook->by_name[found]->name, name) ? found
                                                                             : KAI_WEBHOOK_ROOT;
}

static bool
kai_webhook_check_root(struct kai_webhook *webhook)
{
    const struct kai_pod_group *group = webhook->group;

    if (!group->min_member.is_set || !group->min_sub_group.is_set)
        return true;
    return KAI_WEBHOOK_STOP(
        webhook,
        "minMember and minSubGroup are mutually exclusive: set minMember (%lld) to "
        "schedule a fixed number of pods, or set minSubGroup to require a minimum "
        "number of child SubGroups, but not both",
        (long long)group->min_member.value);
}

/*
 * Reports the first subgroup, in list order, whose name occurs earlier in the list. Equal names
 * keep their order when sorted.
 */
static bool
kai_webhook_check_doubles(struct kai_webhook *webhook)
{
    const struct kai_subgroup *first = NULL;

    for (size_t i = 1; i < webhook->group->num_subgroups; i++)
        if (slice_equal(webhook->by_name[i]->name, webhook->by_name[i - 1]->name) &&
            (!first || webhook->by_name[i] < first))
            first = webhook->by_name[i];
    if (!first)
        return true;
    return KAI_WEBHOOK_STOP(webhook, "duplicate subgroup name %.*s", SLICE_ARG(first->name));
}

/* KAI reports one of several at random; libgang reports the first by name. */
static bool
kai_webhook_check_parents(struct kai_webhook *webhook)
{
    for (size_t i = 0; i < webhook->group->num_subgroups; i++) {
        const struct kai_subgroup *subgroup = webhook->by_name[i];

        webhook->parents[i] = KAI_WEBHOOK_ROOT;
        if (!slice_is_set(subgroup->parent))
            continue;
        webhook->parents[i] = kai_webhook_find(webhook, subgroup->parent);
        if (webhook->parents[i] == KAI_WEBHOOK_ROOT)
            return KAI_WEBHOOK_STOP(webhook, "parent %.*s of %.*s was not found",
                                    SLICE_ARG(subgroup->parent), SLICE_ARG(subgroup->name));
        webhook->children[webhook->parents[i]]++;
    }
    return true;
}

/* Removes childless subgroups until none is left. The remaining ones form a cycle. */
static bool
kai_webhook_check_cycles(struct kai_webhook *webhook)
{
    size_t count = webhook->group->num_subgroups;
    size_t *left = arena_array(webhook->arena, count + 1, sizeof(*left));
    size_t *queue = arena_array(webhook->arena, count + 1, sizeof(*queue));
    size_t end = 0;

    if (arena_failed(webhook->arena))
        return false;
    for (size_t i = 0; i < count; i++)
        if (!(left[i] = webhook->children[i]))
            queue[end++] = i;
    for (size_t i = 0; i < end; i++) {
        size_t parent = webhook->parents[queue[i]];

        if (parent != KAI_WEBHOOK_ROOT && --left[parent] == 0)
            queue[end++] = parent;
    }
    if (end == count)
        return true;
    return KAI_WEBHOOK_STOP(webhook, "cycle detected in subgroups");
}

static void
kai_webhook_check_middle(struct kai_webhook *webhook, const struct kai_subgroup *subgroup,
                         size_t children)
{
    if (subgroup->min_member.is_set)
        KAI_WEBHOOK_SAY(webhook, webhook->call == KAI_WEBHOOK_UPDATE,
                        "subgroup \"%.*s\": minMember cannot be set on a mid-level SubGroup (has "
                        "child SubGroups); use minSubGroup instead",
                        SLICE_ARG(subgroup->name));
    if (subgroup->min_sub_group.is_set && subgroup->min_sub_group.value > (int64_t)children)
        KAI_WEBHOOK_SAY(webhook, true,
                        "subgroup \"%.*s\": minSubGroup (%lld) exceeds the number of direct child "
                        "SubGroups (%zu)",
                        SLICE_ARG(subgroup->name), (long long)subgroup->min_sub_group.value,
                        children);
}

static bool
kai_webhook_check_minima(struct kai_webhook *webhook)
{
    for (size_t i = 0; i < webhook->group->num_subgroups; i++) {
        const struct kai_subgroup *subgroup = webhook->by_name[i];

        if (subgroup->min_member.is_set && subgroup->min_sub_group.is_set)
            return KAI_WEBHOOK_STOP(
                webhook, "subgroup \"%.*s\": minMember and minSubGroup are mutually exclusive",
                SLICE_ARG(subgroup->name));
        if (webhook->children[i]) {
            kai_webhook_check_middle(webhook, subgroup, webhook->children[i]);
        } else {
            if (subgroup->min_sub_group.is_set)
                KAI_WEBHOOK_SAY(
                    webhook, false,
                    "subgroup \"%.*s\": minSubGroup cannot be set on a leaf SubGroup (no child "
                    "SubGroups)",
                    SLICE_ARG(subgroup->name));
            if (!subgroup->min_member.is_set)
                KAI_WEBHOOK_SAY(webhook, false, "subgroup %.*s: minMember is required",
                                SLICE_ARG(subgroup->name));
        }
    }
    return true;
}

/*
 * Returns the problems, in `arena`; none for a group that is admitted without warnings. The release
 * must be known; those without minSubGroup check only the tree.
 */
static inline struct kai_webhook_answer
kai_webhook_check(const struct kai_pod_group *group, const struct release *release,
                  enum kai_webhook_call call, struct arena *arena)
{
    struct kai_webhook webhook = {.group = group, .call = call, .arena = arena};
    bool checks_minima = kai_has(KAI_MIN_SUB_GROUP, release);

    if (!kai_webhook_begin(&webhook))
        return (struct kai_webhook_answer){0};
    if ((!checks_minima || kai_webhook_check_root(&webhook)) &&
        kai_webhook_check_doubles(&webhook) && kai_webhook_check_parents(&webhook) &&
        kai_webhook_check_cycles(&webhook) && checks_minima && kai_webhook_check_minima(&webhook)) {
        const struct kai_minimum *minimum = &webhook.group->min_sub_group;
        size_t children = 0;

        for (size_t i = 0; i < webhook.group->num_subgroups; i++)
            children += webhook.parents[i] == KAI_WEBHOOK_ROOT;
        if (minimum->is_set) {
            if (minimum->value < 1 && !kai_has(KAI_ROOT_ZERO, release))
                KAI_WEBHOOK_SAY(
                    &webhook, false,
                    "minSubGroup at the podgroup level must be equal to or greater than 1");
            if (minimum->value > (int64_t)children)
                KAI_WEBHOOK_SAY(
                    &webhook, true,
                    "minSubGroup (%lld) exceeds the number of direct child SubGroups (%zu)",
                    (long long)minimum->value, children);
        }
    }
    return webhook.answer;
}

/* Fails with the first problem of a group. */
static inline void
kai_webhook_admits(const struct kai_pod_group *group, const struct release *release,
                   struct arena *arena)
{
    const struct kai_webhook_answer answer =
        kai_webhook_check(group, release, KAI_WEBHOOK_CREATE, arena);

    ck_assert_msg(!answer.count, "%s", answer.count ? answer.problems[0].text : "");
}

#endif
