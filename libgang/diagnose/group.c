/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* The group that the members name: which one, what it needs, and who is in it. */

/*
 * The group that more than half of the pods will have by their templates; if none has, one of them.
 * Roles before the gang can have groups of their own, as KAI needs it.
 */
const struct descriptor *
group_of_templates(const struct diagnosis *why, struct slice *name)
{
    const struct descriptor *found = NULL;
    int64_t votes = 0;

    for (size_t i = 0; i < why->num_roles; i++) {
        struct slice group;
        const struct descriptor *scheduler = live_group_named_by(why->roles[i].template_, &group);
        const int64_t pods = why->roles[i].expected;

        if (!scheduler)
            continue;
        if (found && slice_equal(group, *name)) {
            votes = integer_add_capped(votes, pods);
        } else if (!found || pods >= votes) {
            votes = pods - votes;
            found = scheduler;
            *name = group;
        } else {
            votes -= pods;
        }
    }
    return found;
}

bool
group_is_one_of_several(const struct diagnosis *why)
{
    return why->decision && why->decision->inputs.job && why->decision->inputs.job->num_gangs > 1;
}

/*
 * Whether the PodGroup is none of a gang: its pods start one by one. The controller of Jobs makes
 * one for each Job. Source: kubernetes/kubernetes:pkg/controller/job@v1.37.1
 */
static bool
group_is_basic(const struct diagnosis *why, const struct descriptor *scheduler, struct slice name)
{
    const struct live_key key = {scheduler->group, SLICE("PodGroup"), why->key.namespace_, name};
    const struct live_object *object = live_objects_find(why->live, &key);

    return object && node_at(object->root, "spec.schedulingPolicy.basic");
}

/*
 * The group that most of the pods name, as far as there is one that more than half of them name.
 * Where templates name a group, pods of the others can have one of their own: Volcano's controller
 * makes it. Source: volcano-sh/volcano:pkg/controllers/podgroup@v1.15.0
 */
static const struct descriptor *
group_of_pods(const struct diagnosis *why, struct slice *name)
{
    const struct descriptor *of_templates = group_of_templates(why, name);
    const bool are_marked = of_templates != NULL;
    const struct descriptor *found = NULL;
    size_t votes = 0;

    if (are_marked && !group_is_one_of_several(why))
        return of_templates;
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];
        struct slice group;
        const struct descriptor *scheduler;

        if (are_marked && pod->role != ROLE_NONE) {
            scheduler = live_group_named_by(why->roles[pod->role].template_, &group);
            if (!scheduler || !live_names_group(pod->object->root, scheduler, group))
                continue;
        } else {
            scheduler = live_group_named_by(pod->object->root, &group);
        }
        if (!scheduler || group_is_basic(why, scheduler, group))
            continue;
        if (!votes) {
            found = scheduler;
            *name = group;
        }
        votes = slice_equal(group, *name) ? votes + 1 : votes - 1;
    }
    return found;
}

/* Of several groups the first by name, so that the order of the objects does not decide. */
static const struct descriptor *
group_of_owned(const struct diagnosis *why, struct slice *name)
{
    const struct descriptor *found = NULL;
    struct live_gangs gangs = {.style = GANGS_ONE};
    size_t rank;

    if (group_is_one_of_several(why))
        gangs = live_gangs_of(why->decision, why->arena);
    for (size_t i = 0; i < why->num_owned; i++) {
        const struct live_object *owned = why->owned[i];
        const struct backend *backend = backend_of_kind(owned->group, owned->kind, &rank);
        uint64_t gang;

        if (!backend || !slice_equal(owned->kind, SLICE("PodGroup")) ||
            group_is_basic(why, backend->descriptor, owned->name))
            continue;
        gang = live_gang_of(&gangs, owned->name);
        if ((gang != gangs.own && gang < gangs.count) ||
            (found && slice_compare(owned->name, *name) >= 0))
            continue;
        *name = owned->name;
        found = backend->descriptor;
    }
    return found;
}

/* What exists decides; a plan only says what will be there. */
void
group_find_name(struct diagnosis *why)
{
    struct why_group *group = &why->group;

    group->scheduler = group_of_pods(why, &group->name);
    if (!group->scheduler)
        group->scheduler = group_of_templates(why, &group->name);
    if (!group->scheduler)
        group->scheduler = group_of_owned(why, &group->name);
    if (group->scheduler || !why->decision || !why->decision->backend ||
        why->decision->outcome != GANG_OUTCOME_GANG)
        return;
    group->scheduler = why->decision->backend->descriptor;
    group->name = why->decision->gang.name;
}

static const struct live_object *
group_find_kind(const struct diagnosis *why, struct slice kind)
{
    const struct live_key key = {why->group.scheduler->group, kind, why->key.namespace_,
                                 why->group.name};

    return live_objects_find(why->live, &key);
}

/*
 * An object of the name that another scheduler or another namespace has. One of another namespace
 * with a controller is that of the controller, since an owner is in the namespace of what it owns.
 */
static const struct live_object *
group_find_elsewhere(const struct diagnosis *why)
{
    const struct live_index objects =
        live_objects_named(why->live, why->group.name, SLICE("PodGroup"));

    for (size_t i = 0; i < objects.count; i++) {
        const struct live_object *object = objects.items[i];
        size_t rank;

        if ((!object->controller || slice_equal(object->namespace_, why->key.namespace_)) &&
            backend_of_kind(object->group, object->kind, &rank))
            return object;
    }
    return NULL;
}

/* A Workload of v1alpha1 has its groups in a list: one of them, as libgang renders it. */
static const struct node *
group_minimum_of(const struct why_group *group)
{
    const struct node *found = group->scheduler->minimum_path
                                   ? node_at(group->object->root, group->scheduler->minimum_path)
                                   : NULL;

    for (NODE_EACH(part, found ? NULL : node_at(group->object->root, "spec.podGroups")))
        if (!found)
            found = node_at(part, "policy.gang.minCount");
    return found;
}

/*
 * Of a group of subgroups that has no minimum of its own: the pods of all its leaves, or of those
 * that need the fewest if not all subgroups must start.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_types.go@d5bc503a
 */
static int64_t
group_minimum_of_subgroups(const struct live_object *group)
{
    const struct node *subgroups = node_at(group->root, "spec.subGroups");
    const int64_t needed = node_int_or(node_at(group->root, "spec.minSubGroup"), 0);
    int64_t tops = 0;
    int64_t leaves = 0;
    int64_t sum = 0;
    int64_t largest = 0;

    for (NODE_EACH(subgroup, subgroups)) {
        int64_t minimum = 0;

        tops += node_member(subgroup, SLICE("parent")) == NULL;
        if (!node_int(node_member(subgroup, SLICE("minMember")), &minimum))
            continue;
        leaves++;
        sum = integer_add_capped(sum, minimum);
        largest = minimum > largest ? minimum : largest;
    }
    if (!needed || needed >= tops)
        return sum;
    return leaves - needed == 1 ? sum - largest : 0;
}

const struct node *
group_parts_of(const struct diagnosis *why, const struct live_object *pod)
{
    const struct node *annotations = node_member(pod->metadata, SLICE("annotations"));
    const struct slice text =
        node_string(node_member(annotations, why->group.scheduler->parts_annotation));

    return text.len && live_names_group(pod->root, why->group.scheduler, why->group.name)
               ? json_read_quietly(text, why->arena, why->limits)
               : NULL;
}

/* A gang without an object stands in its pods, and the first pod that is seen decides. */
static int64_t
group_minimum_of_parts(const struct diagnosis *why)
{
    const struct node *groups = NULL;
    int64_t sum = 0;

    for (size_t i = 0; !groups && i < why->num_pods; i++)
        groups = group_parts_of(why, why->pods[i].object);
    for (NODE_EACH(group, groups))
        sum = integer_add_capped(sum, node_int_or(node_member(group, SLICE("minMember")), 0));
    return sum;
}

void
group_find_object(struct diagnosis *why)
{
    struct why_group *group = &why->group;

    if (!group->scheduler)
        return;
    group->object = group_find_kind(why, SLICE("PodGroup"));
    if (!group->object)
        group->object = group_find_kind(why, SLICE("Workload"));
    if (group->object)
        group->minimum_source = group_minimum_of(group);
    else if (descriptor_has_objects(group->scheduler))
        group->elsewhere = group_find_elsewhere(why);
    else
        group->minimum = group_minimum_of_parts(why);
    if (group->object && !group->minimum_source)
        group->minimum = group_minimum_of_subgroups(group->object);
    if (!node_int(group->minimum_source, &group->minimum) && !group->object && why->decision &&
        !group->minimum)
        group->minimum = why->decision->gang.minimum;
}

/* Pods of other jobs can be in the group, too. */
void
group_take_members(struct diagnosis *why)
{
    const struct live_index members = live_parts_of(&why->live->members, why->group.name);
    bool *is_taken = arena_alloc(why->arena, why->live->count + 1);

    for (size_t i = 0; is_taken && i < why->num_pods; i++)
        is_taken[why->pods[i].object - why->live->items] = true;
    for (size_t i = 0; is_taken && i < members.count; i++) {
        const struct live_part *part = members.items[i];

        if (is_taken[part->object - why->live->items] ||
            !live_same_namespace(part->object->namespace_, why->key.namespace_))
            continue;
        if (live_is_placeholder(part->object))
            why->group.held += why_text_at(part->object, "spec.nodeName").len > 0;
        else
            state_add_pod(why, part->object,
                          live_same_namespace(part->object->namespace_, why->key.namespace_) &&
                              live_names_job(part->object, why->key.name));
    }
}

void
group_count_members(struct diagnosis *why)
{
    struct why_group *group = &why->group;
    const int64_t *counts = group->counts;
    const unsigned rule = group->scheduler ? group->scheduler->counts : 0;

    for (size_t i = 0; i < why->num_pods; i++)
        if (why->pods[i].is_member)
            group->counts[why->pods[i].state]++;
    group->pending = counts[POD_GATED] + counts[POD_PENDING];
    group->bound = counts[POD_BOUND] + counts[POD_RUNNING];
    group->live = group->pending + group->bound;
    group->counted = group->live - (rule & DESCRIPTOR_COUNTS_NO_GATED ? counts[POD_GATED] : 0) +
                     (rule & DESCRIPTOR_COUNTS_SUCCEEDED ? counts[POD_SUCCEEDED] : 0) + group->held;
}
