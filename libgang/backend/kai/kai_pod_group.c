/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* ---- kai fields ---- */

/* The releases that have a feature: from the first, and before the second; {0} means no end yet. */
struct kai_window {
    enum kai_feature feature;
    struct release from;
    struct release until;
};

/*
 * Source: kai-scheduler/KAI-Scheduler, the CRD, webhook and scheduler at the tags v0.12.0 to
 * v0.17.0, main d5bc503a. #1989 added a minimum of 0 at the root and was backported to v0.17 and
 * v0.16. Finished pods are lost since v0.16.2; #2012 fixes that on main and on v0.17, but not on
 * v0.16. #1771 keeps the topology of a group.
 */
static const struct kai_window kai_windows[] = {
    {KAI_MIN_SUB_GROUP, KAI_RELEASE(15, 0), {0}},
    {KAI_EXTERNAL_GROUPS, KAI_RELEASE(15, 0), {0}},
    {KAI_DELAYS, KAI_RELEASE(17, 0), {0}},
    {KAI_ROOT_ZERO, KAI_RELEASE(16, 9), KAI_RELEASE(17, 0)},
    {KAI_ROOT_ZERO, KAI_RELEASE(17, 1), {0}},
    {KAI_IGNORES_FINISHED, KAI_RELEASE(16, 2), KAI_RELEASE(17, 1)},
    {KAI_KEEPS_TOPOLOGY, KAI_RELEASE(16, 1), {0}},
};

const struct release kai_newest_release = KAI_RELEASE(17, 0);

bool
kai_has(enum kai_feature feature, const struct release *release)
{
    for (size_t i = 0; i < COUNT_OF(kai_windows); i++)
        if (kai_windows[i].feature == feature &&
            release_compare(release, &kai_windows[i].from) >= 0 &&
            (!kai_windows[i].until.is_known || release_compare(release, &kai_windows[i].until) < 0))
            return true;
    return false;
}

const char *
kai_release_text(const struct release *release, struct arena *arena)
{
    return arena_format(arena, "v%u.%u.%u", release->major, release->minor, release->patch);
}

/* ---- kai pod group ---- */

static void
kai_build_minimum(struct builder *map, struct slice key, const struct kai_minimum *minimum)
{
    if (minimum->is_set)
        build_int(map, key, minimum->value);
}

static void
kai_build_placement(struct builder *map, const struct gang_placement *placement)
{
    struct builder constraint;

    if (!kai_is_placed(placement))
        return;
    constraint = build_map_member(map, SLICE("topologyConstraint"));
    build_string_if_set(&constraint, SLICE("preferredTopologyLevel"), placement->preferred);
    build_string_if_set(&constraint, SLICE("requiredTopologyLevel"), placement->required);
    build_string_if_set(&constraint, SLICE("topology"), placement->topology);
}

void
kai_pod_group_build(const struct kai_pod_group *group, const struct release *release,
                    struct builder *spec)
{
    bool has_min_sub_group = !release->is_known || kai_has(KAI_MIN_SUB_GROUP, release);
    struct builder list;

    kai_build_minimum(spec, SLICE("minMember"), &group->min_member);
    if (has_min_sub_group)
        kai_build_minimum(spec, SLICE("minSubGroup"), &group->min_sub_group);
    build_string_if_set(spec, SLICE("queue"), group->queue);
    build_string_if_set(spec, SLICE("priorityClassName"), group->priority_class_name);
    build_string_if_set(spec, SLICE("preemptibility"), group->preemptibility);
    kai_build_placement(spec, &group->placement);
    if (group->num_subgroups) {
        list = build_list_member(spec, SLICE("subGroups"));
        for (size_t i = 0; i < group->num_subgroups; i++) {
            const struct kai_subgroup *source = &group->subgroups[i];
            struct builder subgroup = build_map_item(&list);

            build_string(&subgroup, SLICE("name"), source->name);
            build_string_if_set(&subgroup, SLICE("parent"), source->parent);
            kai_build_minimum(&subgroup, SLICE("minMember"), &source->min_member);
            if (has_min_sub_group)
                kai_build_minimum(&subgroup, SLICE("minSubGroup"), &source->min_sub_group);
            kai_build_placement(&subgroup, &source->placement);
        }
    }
    if (release->is_known && !kai_has(KAI_DELAYS, release))
        return;
    build_string_if_set(spec, SLICE("preemptionDelay"), group->preemption_delay);
    build_string_if_set(spec, SLICE("stalenessGracePeriod"), group->staleness_grace_period);
}

/* ---- KAI's webhook ---- */

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

/* ---- updates ---- */

/*
 * The CRD has no defaults and no immutable fields. The queue of an existing group is kept, even if
 * a label now says otherwise.
 */
static const struct update_field kai_update_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS),
    UPDATE_FIELD("minSubGroup", UPDATE_OURS),
    UPDATE_FIELD("queue", UPDATE_KEPT),
    UPDATE_FIELD("priorityClassName", UPDATE_OURS),
    UPDATE_FIELD("preemptibility", UPDATE_OURS),
    UPDATE_FIELD("topologyConstraint", UPDATE_OURS),
    UPDATE_FIELD("subGroups", UPDATE_OURS),
    UPDATE_FIELD("preemptionDelay", UPDATE_OURS),
    UPDATE_FIELD("stalenessGracePeriod", UPDATE_OURS),
    UPDATE_FIELD("markUnschedulable", UPDATE_KEPT),
    UPDATE_FIELD("schedulingBackoff", UPDATE_KEPT),
};

static const struct update_label kai_podgrouper_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), true},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};
static const struct update_label kai_grove_labels[] = {
    {SLICE_INIT("kai.scheduler/node-pool"), false},
    {SLICE_INIT(GANG_LABEL_KAI_QUEUE), false},
};

/* The live topology is kept if the job names none: another writer may have set it. */
static const struct node *
kai_podgrouper_expect(const struct update_call *call, const struct node *rendered,
                      const struct node *live)
{
    struct release release = cluster_component(call->backend->cluster, CATALOG_AT_kai);
    const struct slice key = SLICE("topologyConstraint");

    if (node_text(node_at(rendered, "topologyConstraint.topology")).len ||
        !kai_has(KAI_KEEPS_TOPOLOGY, release.is_known ? &release : &kai_newest_release))
        return rendered;
    return edit_member(call->arena, rendered, key, node_member(live, key));
}

const struct update_rules kai_podgrouper_rules = {
    UPDATE_FIELDS(kai_update_fields),
    .labels = kai_podgrouper_labels,
    .num_labels = COUNT_OF(kai_podgrouper_labels),
    .replaces_owners = true,
    .expect = kai_podgrouper_expect,
};
static const struct update_rules kai_grove_rules = {
    UPDATE_FIELDS(kai_update_fields),
    .labels = kai_grove_labels,
    .num_labels = COUNT_OF(kai_grove_labels),
    .replaces_owners = true,
};

static const struct update_rules *
kai_rules(const struct backend_call *call, struct slice kind)
{
    (void)kind;
    return call->gang->wishes->is_grouped ? &kai_grove_rules : &kai_podgrouper_rules;
}

/* A PodGroup of KAI reserves nothing: its queue counts pods. */
const struct backend_updates kai_updates = {
    .names_have_namespace = true,
    .suspended = REST_AS_RENDERED,
    .finished = REST_UNTOUCHED,
    .rules = kai_rules,
};
