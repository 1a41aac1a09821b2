/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

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

static void
kai_webhook_say(struct kai_webhook *webhook, bool is_warning, const char *text)
{
    webhook->answer.problems[webhook->answer.count++] =
        (struct kai_webhook_problem){.text = text, .is_warning = is_warning};
}

/* Reports a structural error alone, without other problems. Returns false. */
static bool
kai_webhook_stop(struct kai_webhook *webhook, const char *text)
{
    webhook->answer.count = 0;
    kai_webhook_say(webhook, false, text);
    return false;
}

static const char *
kai_webhook_text(const struct kai_webhook *webhook, struct slice name)
{
    return arena_format(webhook->arena, "%.*s", SLICE_ARG(name));
}

static int
kai_webhook_compare(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(((const struct kai_subgroup *)a)->name,
                         ((const struct kai_subgroup *)b)->name);
}

/* Returns false if memory is exhausted. */
static bool
kai_webhook_begin(struct kai_webhook *webhook)
{
    size_t count = webhook->group->num_subgroups;
    const void **scratch = arena_array(webhook->arena, count + 1, sizeof(*scratch));

    webhook->by_name = arena_array(webhook->arena, count + 1, sizeof(*webhook->by_name));
    webhook->parents = arena_array(webhook->arena, count + 1, sizeof(*webhook->parents));
    webhook->children = arena_array(webhook->arena, count + 1, sizeof(*webhook->children));
    webhook->answer.problems = arena_array(
        webhook->arena, count + 1, KAI_WEBHOOK_MOST_EACH * sizeof(*webhook->answer.problems));
    if (arena_failed(webhook->arena))
        return false;
    for (size_t i = 0; i < count; i++)
        webhook->by_name[i] = &webhook->group->subgroups[i];
    stable_sort((const void **)webhook->by_name, scratch, count, kai_webhook_compare, NULL);
    return true;
}

/* Returns the index of a name in `by_name`, or KAI_WEBHOOK_ROOT. */
static size_t
kai_webhook_find(const struct kai_webhook *webhook, struct slice name)
{
    size_t low = 0;
    size_t high = webhook->group->num_subgroups;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(webhook->by_name[middle]->name, name);

        if (!order)
            return middle;
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return KAI_WEBHOOK_ROOT;
}

static bool
kai_webhook_check_root(struct kai_webhook *webhook)
{
    const struct kai_pod_group *group = webhook->group;

    if (!group->min_member.is_set || !group->min_sub_group.is_set)
        return true;
    return kai_webhook_stop(
        webhook,
        arena_format(webhook->arena,
                     "minMember and minSubGroup are mutually exclusive: set minMember (%lld) to "
                     "schedule a fixed number of pods, or set minSubGroup to require a minimum "
                     "number of child SubGroups, but not both",
                     (long long)group->min_member.value));
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
    return kai_webhook_stop(webhook, arena_format(webhook->arena, "duplicate subgroup name %s",
                                                  kai_webhook_text(webhook, first->name)));
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
            return kai_webhook_stop(webhook,
                                    arena_format(webhook->arena, "parent %s of %s was not found",
                                                 kai_webhook_text(webhook, subgroup->parent),
                                                 kai_webhook_text(webhook, subgroup->name)));
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
    return kai_webhook_stop(webhook, "cycle detected in subgroups");
}

static void
kai_webhook_check_leaf(struct kai_webhook *webhook, const struct kai_subgroup *subgroup)
{
    if (subgroup->min_sub_group.is_set)
        kai_webhook_say(
            webhook, false,
            arena_format(webhook->arena,
                         "subgroup \"%s\": minSubGroup cannot be set on a leaf SubGroup (no child "
                         "SubGroups)",
                         kai_webhook_text(webhook, subgroup->name)));
    if (!subgroup->min_member.is_set)
        kai_webhook_say(webhook, false,
                        arena_format(webhook->arena, "subgroup %s: minMember is required",
                                     kai_webhook_text(webhook, subgroup->name)));
}

static void
kai_webhook_check_middle(struct kai_webhook *webhook, const struct kai_subgroup *subgroup,
                         size_t children)
{
    if (subgroup->min_member.is_set)
        kai_webhook_say(
            webhook, webhook->call == KAI_WEBHOOK_UPDATE,
            arena_format(webhook->arena,
                         "subgroup \"%s\": minMember cannot be set on a mid-level SubGroup (has "
                         "child SubGroups); use minSubGroup instead",
                         kai_webhook_text(webhook, subgroup->name)));
    if (subgroup->min_sub_group.is_set && subgroup->min_sub_group.value > (int64_t)children)
        kai_webhook_say(
            webhook, true,
            arena_format(webhook->arena,
                         "subgroup \"%s\": minSubGroup (%lld) exceeds the number of direct child "
                         "SubGroups (%zu)",
                         kai_webhook_text(webhook, subgroup->name),
                         (long long)subgroup->min_sub_group.value, children));
}

static bool
kai_webhook_check_minima(struct kai_webhook *webhook)
{
    for (size_t i = 0; i < webhook->group->num_subgroups; i++) {
        const struct kai_subgroup *subgroup = webhook->by_name[i];

        if (subgroup->min_member.is_set && subgroup->min_sub_group.is_set)
            return kai_webhook_stop(
                webhook,
                arena_format(webhook->arena,
                             "subgroup \"%s\": minMember and minSubGroup are mutually exclusive",
                             kai_webhook_text(webhook, subgroup->name)));
        if (webhook->children[i])
            kai_webhook_check_middle(webhook, subgroup, webhook->children[i]);
        else
            kai_webhook_check_leaf(webhook, subgroup);
    }
    return true;
}

static void
kai_webhook_check_root_minimum(struct kai_webhook *webhook, const struct release *release)
{
    const struct kai_minimum *minimum = &webhook->group->min_sub_group;
    size_t children = 0;

    for (size_t i = 0; i < webhook->group->num_subgroups; i++)
        children += webhook->parents[i] == KAI_WEBHOOK_ROOT;
    if (!minimum->is_set)
        return;
    if (minimum->value < 1 && !kai_has(KAI_ROOT_ZERO, release))
        kai_webhook_say(webhook, false,
                        "minSubGroup at the podgroup level must be equal to or greater than 1");
    if (minimum->value > (int64_t)children)
        kai_webhook_say(
            webhook, true,
            arena_format(webhook->arena,
                         "minSubGroup (%lld) exceeds the number of direct child SubGroups (%zu)",
                         (long long)minimum->value, children));
}

/* Releases without minSubGroup check only the tree. */
struct kai_webhook_answer
kai_webhook_check(const struct kai_pod_group *group, const struct release *release,
                  enum kai_webhook_call call, struct arena *arena)
{
    struct kai_webhook webhook = {.group = group, .call = call, .arena = arena};
    bool checks_minima = kai_has(KAI_MIN_SUB_GROUP, release);

    if (!kai_webhook_begin(&webhook))
        return (struct kai_webhook_answer){0};
    if ((!checks_minima || kai_webhook_check_root(&webhook)) &&
        kai_webhook_check_doubles(&webhook) && kai_webhook_check_parents(&webhook) &&
        kai_webhook_check_cycles(&webhook) && checks_minima && kai_webhook_check_minima(&webhook))
        kai_webhook_check_root_minimum(&webhook, release);
    return webhook.answer;
}
