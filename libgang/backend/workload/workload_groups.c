/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/workload/workload.h"

/* The template names of kubeflow/trainer#3015, which has no name for a composite. */
static const struct slice groups_trainer = SLICE_INIT("trainer");
/* For a job that is no TrainJob. */
static const struct slice groups_gang = SLICE_INIT("gang");
static const struct slice groups_initializer = SLICE_INIT("initializer");
static const struct slice groups_composite = SLICE_INIT("gang");

const char workload_basic_reason[] =
    "the policy's options are for gangs, and the runtime requests the policy basic";

/* The state that the functions below share. */
struct groups_work {
    const struct backend_call *call;
    const struct gang *gang;
    const struct workload_version *version;
    struct workload_options options;
    struct workload_naming naming;
    struct workload_groups *out;
    struct arena *arena;
    bool has_tree; /* a composite for each group of the job */
};

static struct workload_wish
groups_wish(const struct node *option)
{
    return (struct workload_wish){.value = node_string(option), .source = option};
}

static struct workload_wish
groups_claims(const struct node *claims)
{
    struct slice first = node_name(node_item(claims, 0));

    return (struct workload_wish){.value = first, .source = claims};
}

/*
 * With the gate on, the Priority admission of Kubernetes 1.37 rejects a PodGroup whose policy
 * differs from that of its class; with the gate off, the field is dropped.
 */
static struct workload_wish
groups_preemption(const struct groups_work *work)
{
    const struct gang_cluster *cluster = work->call->cluster;
    const struct cluster_priority_class *class = cluster_default_priority_class(cluster);

    if (work->options.preemption_policy)
        return groups_wish(work->options.preemption_policy);
    if (work->gang->priority_class_name.len)
        cluster_priority_class(cluster, work->gang->priority_class_name, &class);
    if (!class || !slice_equal(class->preemption_policy, SLICE("Never")) ||
        !work->version->fields[WORKLOAD_PREEMPTION].is_there)
        return (struct workload_wish){0};
    return (struct workload_wish){.value = class->preemption_policy};
}

struct slice
workload_topology_level(const struct gang *gang)
{
    const struct gang_topology *topology = &gang->topology;
    bool is_key =
        topology->is_set && !topology->has_tier && !slice_equal(topology->mode, SLICE("soft"));

    return is_key && topology->level.len ? topology->level : NO_SLICE;
}

/* Returns what a policy wants of every gang. The remaining fields come from the job alone. */
static struct workload_wish
groups_wish_of_policy(const struct gang *gang, const struct workload_options *options,
                      enum workload_field field)
{
    switch (field) {
    case WORKLOAD_TOPOLOGY: {
        /*
         * The settings for this job take precedence over the backend's options, which apply to all
         * jobs.
         */
        struct slice level = workload_topology_level(gang);

        if (slice_is_set(level))
            return (struct workload_wish){.value = level, .source = gang->topology.source};
        return groups_wish(options->topology_key);
    }
    case WORKLOAD_DISRUPTION:
        return groups_wish(options->disruption_mode);
    case WORKLOAD_CLAIMS:
        return groups_claims(options->resource_claims);
    case WORKLOAD_PRIORITY:
    case WORKLOAD_PREEMPTION:
    case WORKLOAD_FIELD_COUNT:
        break;
    }
    return (struct workload_wish){0};
}

struct workload_wish
workload_wish_lost(const struct workload_groups *groups, enum workload_field field,
                   const struct backend_call *call)
{
    for (size_t i = 0; i < groups->count; i++)
        if (groups->items[i].is_basic && groups->items[i].has_members &&
            !groups->items[i].wishes[field].source) {
            const struct workload_options options = workload_options_read(call->options);

            return groups_wish_of_policy(call->gang, &options, field);
        }
    return (struct workload_wish){0};
}

static struct workload_group *
groups_add(struct groups_work *work, struct slice template_name, const struct workload_block *block)
{
    struct workload_group *group = &work->out->items[work->out->count++];
    struct workload_wish *wishes;

    group->template_name = template_name;
    group->object_name = workload_pod_group_name(&work->naming, template_name, work->arena);
    group->is_basic = block->is_basic;
    group->source = block->source;
    group->parent = WORKLOAD_NO_GROUP;
    /* What a runtime wants of a group takes precedence over what the policy wants of all groups. */
    wishes = group->wishes;
    if (work->gang->priority_class_name.len)
        wishes[WORKLOAD_PRIORITY] = (struct workload_wish){work->gang->priority_class_name,
                                                           work->gang->priority_class_source};
    wishes[WORKLOAD_PREEMPTION] = groups_preemption(work);
    wishes[WORKLOAD_TOPOLOGY] = groups_wish(block->topology_key);
    /* Converts `{single: {}}` of a runtime to the policy's word for it. */
    if (block->disruption)
        wishes[WORKLOAD_DISRUPTION] = (struct workload_wish){
            .value = slice_equal(node_key(block->disruption), SLICE("all")) ? SLICE("All")
                                                                            : SLICE("Single"),
            .source = block->disruption,
        };
    wishes[WORKLOAD_CLAIMS] = groups_claims(block->claims);
    for (int i = 0; !group->is_basic && i < WORKLOAD_FIELD_COUNT; i++)
        if (!wishes[i].source && !slice_is_set(wishes[i].value))
            wishes[i] = groups_wish_of_policy(work->gang, &work->options, (enum workload_field)i);
    return group;
}

static void
groups_join(struct groups_work *work, size_t role, size_t group)
{
    enum membership membership = work->gang->parts[role].membership;

    work->out->of_role[role] = group;
    work->out->items[group].is_first |= membership == ROLE_MEMBER;
    work->out->items[group].has_members |= membership != ROLE_OUTSIDE;
}

/* Makes one group of all members. */
static void
groups_of_job(struct groups_work *work)
{
    struct workload_block block = workload_block_read(work->gang->wishes->scheduling);
    const struct slice name = work->gang->wishes->declares_members ? groups_gang : groups_trainer;
    struct workload_group *group = groups_add(work, name, &block);

    group->minimum = work->gang->minimum;
    for (size_t i = 0; i < work->gang->num_roles; i++) {
        const struct role *role = &work->gang->roles[i];

        if (work->gang->parts[i].membership == ROLE_OUTSIDE)
            continue;
        groups_join(work, i, 0);
        if (!group->late && (work->gang->parts[i].membership == ROLE_LATE_MEMBER ||
                             role_pods_at_first(role) < role->count))
            group->late = role;
    }
}

/* Makes one group of each member. Late in it are only pods that its own first pods hold back. */
static void
groups_of_roles(struct groups_work *work)
{
    const struct workload_block block = {0};

    for (size_t i = 0; i < work->gang->num_roles; i++) {
        const struct role *role = &work->gang->roles[i];
        struct workload_group *group;

        if (work->gang->parts[i].membership == ROLE_OUTSIDE)
            continue;
        group = groups_add(work, role->name, &block);
        group->minimum = role_first_count(role);
        group->late = role_pods_at_first(role) < role->count ? role : NULL;
        groups_join(work, i, work->out->count - 1);
    }
}

static struct slice
groups_entry_name(const struct groups_work *work, const struct node *targets)
{
    size_t len = 0;
    char *joined;

    if (node_count(targets) == 1)
        return node_string(node_first(targets));
    for (NODE_EACH(target, targets))
        len += node_string(target).len + 1;
    joined = arena_alloc(work->arena, len);
    len = 0;
    for (NODE_EACH(target, targets)) {
        struct slice name = node_string(target);

        if (!joined || !name.len)
            continue;
        if (len)
            joined[len++] = '-';
        memcpy(joined + len, name.data, name.len);
        len += name.len;
    }
    return workload_joint_name(&work->naming, (struct slice){joined, len}, work->arena);
}

/*
 * Returns what the roles are in the group of one entry, with waves of its own; NULL if memory is
 * exhausted.
 */
static const struct role_part *
groups_waves(const struct gang_wishes *wishes, const struct node *targets, struct arena *arena)
{
    struct role_part *parts = arena_array(arena, wishes->num_roles, sizeof(*parts));

    if (!parts)
        return NULL;
    for (size_t i = 0; i < wishes->num_roles; i++) {
        bool is_target = false;

        for (NODE_EACH(target, targets))
            is_target |= slice_equal(wishes->roles[i].name, node_string(target));
        if (!is_target)
            parts[i].membership = ROLE_OUTSIDE;
    }
    start_order_waves(wishes->roles, parts, wishes->num_roles, wishes->start_order);
    return parts;
}

/* With `members: All`, every role is a member, whenever it starts. */
void
workload_groups_leave_late_out(struct gang_wishes *wishes, struct arena *arena)
{
    const struct node *entries = workload_scheduling_entries(wishes->scheduling);

    if (!wishes->is_ordered || wishes->members_choice == MEMBERS_ALL)
        return;
    for (NODE_EACH(entry, entries)) {
        const struct node *targets = node_member(entry, SLICE("targetReplicatedJobs"));
        const struct role_part *parts = groups_waves(wishes, targets, arena);

        for (size_t i = 0; parts && i < wishes->num_roles; i++)
            wishes->roles[i].left_out |= parts[i].wave > 0;
    }
}

static void
groups_join_targets(struct groups_work *work, const struct node *targets)
{
    const struct gang *gang = work->gang;
    const struct role_part *parts = groups_waves(gang->wishes, targets, work->arena);
    size_t index = work->out->count - 1;
    struct workload_group *group = &work->out->items[index];

    for (size_t i = 0; parts && i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (parts[i].membership == ROLE_OUTSIDE || role->left_out)
            continue;
        groups_join(work, i, index);
        if (!parts[i].wave)
            group->minimum = integer_add_capped(group->minimum, role_first_count(role));
        if (!group->late && (parts[i].wave || role_pods_at_first(role) < role->count))
            group->late = role;
    }
}

/* `initializers: Basic`: makes a group that never counts its pods and so never holds one. */
static void
groups_of_initializers(struct groups_work *work)
{
    const struct workload_block block = {.is_basic = true,
                                         .source = work->options.initializers_source};
    size_t index = work->out->count;

    for (size_t i = 0; i < work->gang->num_roles; i++) {
        const struct role *role = &work->gang->roles[i];

        if (work->gang->parts[i].membership != ROLE_OUTSIDE || role->wish != WISH_OUTSIDE ||
            role->elsewhere || work->out->of_role[i] != WORKLOAD_NO_GROUP)
            continue;
        if (work->out->count == index)
            groups_add(work, groups_initializer, &block);
        groups_join(work, i, index);
    }
}

/* ---- groups of the job ---- */

static const char groups_not_served[] =
    "scheduling.k8s.io with compositepodgroups and the gates CompositePodGroup and "
    "TopologyAwareWorkloadScheduling is not known to be served";

/* Of Kubernetes: WorkloadMaxTreeDepth, without the whole gang and the PodGroups. */
enum { GROUPS_MOST_LEVELS = 2 };

/* Counts the direct children that are groups, or those that are roles. */
static size_t
groups_count_children(const struct gang_wishes *wishes, size_t parent, bool are_roles)
{
    size_t count = 0;

    for (size_t i = 0; i < wishes->num_groups; i++)
        count += wishes->groups[i].parent == parent &&
                 (wishes->groups[i].role != ROLE_NONE) == are_roles;
    return count;
}

static const char *
groups_why_no_tree(const struct groups_work *work)
{
    if (!work->options.composite || work->gang->wishes->scheduling)
        return "the Workload API has groups of PodGroups only with the option composite: "
               "WhereServed";
    if (work->options.groups_initializers)
        return "a Workload has either a composite group or other groups, and the option "
               "initializers makes another one";
    if (workload_serves_composites(work->version, work->call->cluster) != CLUSTER_YES)
        return groups_not_served;
    for (size_t i = 0; i <= work->gang->wishes->num_groups; i++) {
        const size_t parent = i ? i - 1 : GROUP_OF_GANG;
        size_t group = parent;
        size_t level = 0;

        for (; group != GROUP_OF_GANG; group = work->gang->wishes->groups[group].parent)
            level += work->gang->wishes->groups[group].role == ROLE_NONE;
        if (level > GROUPS_MOST_LEVELS)
            return "a Workload has at most two levels of groups below the gang";
        if (groups_count_children(work->gang->wishes, parent, false) > WORKLOAD_MOST_GROUPS ||
            groups_count_children(work->gang->wishes, parent, true) > WORKLOAD_MOST_GROUPS)
            return "a CompositePodGroup has at most eight groups, and eight PodGroups";
        if (i && slice_equal(work->gang->wishes->groups[parent].name, groups_composite))
            return "the CompositePodGroup of the whole gang has the same name as one of its groups";
    }
    return NULL;
}

static void
groups_add_composite(struct groups_work *work, const struct gang_group *source, size_t parent)
{
    struct workload_group *group = &work->out->composites[work->out->num_composites++];

    *group = (struct workload_group){
        .template_name = source->name,
        .object_name = workload_pod_group_name(&work->naming, source->name, work->arena),
        .source = source->source,
        .parent = parent,
    };
    for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++)
        group->wishes[field] = work->out->composites[0].wishes[field];
    group->wishes[WORKLOAD_TOPOLOGY] =
        slice_is_set(source->placement.required)
            ? (struct workload_wish){source->placement.required, source->placement.source}
            : (struct workload_wish){0};
}

/* A child is ready when its pods are there, so only children of the first wave count. */
static void
groups_count_first_children(struct workload_groups *groups, const int64_t *most)
{
    groups->composites[0].minimum = 0;
    for (size_t i = 0; i < groups->count; i++)
        groups->composites[groups->items[i].parent].minimum += groups->items[i].is_first;
    for (size_t i = groups->num_composites; i-- > 1;) {
        struct workload_group *group = &groups->composites[i];

        group->is_first = group->minimum > 0;
        groups->composites[group->parent].minimum += group->is_first;
        if (group->minimum > most[i])
            group->minimum = most[i];
        if (group->minimum < 1)
            group->minimum = 1;
    }
}

/*
 * Returns which groups of the job have a PodGroup, anywhere below; NULL if memory is exhausted. A
 * composite has at least one child: kubernetes/api:scheduling/v1alpha3/types.go@v0.37.1
 */
static const bool *
groups_with_children(const struct groups_work *work)
{
    const struct gang_wishes *wishes = work->gang->wishes;
    bool *has = arena_array(work->arena, wishes->num_groups, sizeof(*has));

    for (size_t i = wishes->num_groups; has && i-- > 0;) {
        const struct gang_group *group = &wishes->groups[i];

        has[i] |= group->role != ROLE_NONE && work->out->of_role[group->role] != WORKLOAD_NO_GROUP;
        if (has[i] && group->parent != GROUP_OF_GANG)
            has[group->parent] = true;
    }
    return has;
}

/* Makes a composite for each group of the job, below that of the whole gang. */
static void
groups_grow_tree(struct groups_work *work)
{
    const struct gang_wishes *wishes = work->gang->wishes;
    const struct group_tree tree = group_tree_make(work->gang, work->arena);
    size_t *of_group = arena_array(work->arena, wishes->num_groups, sizeof(*of_group));
    int64_t *most = arena_array(work->arena, wishes->num_groups + 1, sizeof(*most));

    work->out->in_tree = groups_with_children(work);
    if (!tree.needs || !of_group || !most || !work->out->in_tree)
        return;
    for (size_t i = 0; i < wishes->num_groups; i++) {
        const struct gang_group *group = &wishes->groups[i];
        const size_t parent = group->parent == GROUP_OF_GANG ? 0 : of_group[group->parent];

        of_group[i] = work->out->num_composites;
        if (group->role != ROLE_NONE && work->out->of_role[group->role] != WORKLOAD_NO_GROUP)
            work->out->items[work->out->of_role[group->role]].parent = parent;
        if (group->role != ROLE_NONE || !work->out->in_tree[i])
            continue;
        most[work->out->num_composites] = tree.needs[i].minimum;
        groups_add_composite(work, group, parent);
    }
    groups_count_first_children(work->out, most);
    work->out->pods = tree.pods;
}

/*
 * Leaves out groups that need no pod, such as that of a role without pods: a minCount is at least
 * 1. Pods that come later, as by autoscaling, start alone. Source:
 * kubernetes/api:scheduling/v1beta1/types.go@v0.37.1 GangSchedulingPolicy
 */
static void
groups_leave_idle_out(struct groups_work *work)
{
    struct workload_groups *groups = work->out;
    const size_t count = groups->count;
    size_t *kept = arena_array(work->arena, count, sizeof(*kept)); /* the new index of each */

    groups->count = 0;
    for (size_t i = 0; kept && i < count; i++) {
        kept[i] = WORKLOAD_NO_GROUP;
        if (!groups->items[i].is_basic && !groups->items[i].minimum)
            continue;
        kept[i] = groups->count;
        groups->items[groups->count++] = groups->items[i];
    }
    for (size_t role = 0; kept && role < work->gang->num_roles; role++)
        if (groups->of_role[role] != WORKLOAD_NO_GROUP)
            groups->of_role[role] = kept[groups->of_role[role]];
}

static void
groups_divide(struct groups_work *work)
{
    const struct node *entries = workload_scheduling_entries(work->gang->wishes->scheduling);

    if (group_tree_has_groups(work->gang->wishes))
        work->out->why_no_tree = groups_why_no_tree(work);
    work->has_tree = group_tree_has_groups(work->gang->wishes) && !work->out->why_no_tree;
    if (entries) {
        /* Makes the groups of levels 2 and 3 of spec.scheduling. */
        for (NODE_EACH(entry, entries)) {
            const struct node *targets = node_member(entry, SLICE("targetReplicatedJobs"));
            const struct node *job = node_member(entry, SLICE("job")); /* of level 3 */
            struct workload_block block = workload_block_read(job ? job : entry);

            groups_add(work, groups_entry_name(work, targets), &block)->source = entry;
            groups_join_targets(work, targets);
        }
    } else if (work->has_tree || (work->options.by_role && !work->gang->wishes->scheduling)) {
        groups_of_roles(work);
    } else {
        groups_of_job(work);
    }
    groups_leave_idle_out(work);
    if (!work->out->count) {
        if (work->has_tree)
            work->out->why_no_tree =
                "no role has a minimum of its own: only the whole gang has one";
        work->has_tree = false;
        groups_of_job(work);
    }
    if (work->options.groups_initializers)
        groups_of_initializers(work);
}

/* Counts the groups that exist at the same time. Returns 0 if one of them is outside the gang. */
static int64_t
groups_count_simultaneous(const struct groups_work *work)
{
    int64_t count = 0;

    for (size_t i = 0; i < work->out->count; i++)
        count += work->out->items[i].is_first;
    for (size_t i = 0; i < work->gang->num_roles; i++)
        if (work->gang->parts[i].membership == ROLE_OUTSIDE &&
            work->out->of_role[i] != WORKLOAD_NO_GROUP)
            return 0;
    return count;
}

static const char *
groups_why_no_composite(const struct groups_work *work)
{
    int64_t count = groups_count_simultaneous(work);

    if (!count)
        return "a Workload has either a composite group or other groups, and roles outside the "
               "gang have a group";
    if (count == 1)
        return "only one group has pods at the start";
    for (size_t i = 0; i < work->out->count; i++)
        if (work->out->items[i].is_basic)
            return "a group with the policy basic is not a gang";
    if (workload_serves_composites(work->version, work->call->cluster) != CLUSTER_YES)
        return groups_not_served;
    return NULL;
}

/* Returns the value of a field if all children have the same one. */
static struct workload_wish
groups_common_wish(const struct workload_groups *groups, enum workload_field field)
{
    struct workload_wish first = groups->items[0].wishes[field];

    for (size_t i = 1; i < groups->count; i++)
        if (!slice_is_set(groups->items[i].wishes[field].value) ||
            !slice_equal(groups->items[i].wishes[field].value, first.value))
            return (struct workload_wish){0};
    return first;
}

/*
 * Makes a composite over all groups; those of the first wave must be ready. Its topology domain is
 * that of the whole, so a key that all groups share moves up to it. The disruptionMode, which may
 * be `all` only if all children have the same, and the priority, which all templates of a tree must
 * share, are in both.
 */
static void
groups_compose(struct groups_work *work)
{
    struct workload_groups *groups = work->out;
    struct workload_group *composite;

    if (!work->options.composite)
        return;
    groups->why_no_composite = work->has_tree ? NULL : groups_why_no_composite(work);
    if (!groups->why_no_composite)
        groups->composites = arena_array(work->arena, work->gang->wishes->num_groups + 1,
                                         sizeof(*groups->composites));
    if (!groups->composites)
        return;
    composite = &groups->composites[groups->num_composites++];
    composite->parent = WORKLOAD_NO_GROUP;
    composite->template_name = groups_composite;
    composite->object_name = workload_pod_group_name(&work->naming, groups_composite, work->arena);
    composite->minimum = groups_count_simultaneous(work);
    for (int field = 0; field < WORKLOAD_FIELD_COUNT; field++)
        if (field != WORKLOAD_CLAIMS)
            composite->wishes[field] = groups_common_wish(groups, (enum workload_field)field);
    for (size_t i = 0; i < groups->count; i++) {
        groups->items[i].parent = 0;
        if (slice_is_set(composite->wishes[WORKLOAD_TOPOLOGY].value))
            groups->items[i].wishes[WORKLOAD_TOPOLOGY] = (struct workload_wish){0};
    }
    if (work->has_tree)
        groups_grow_tree(work);
}

struct workload_groups
workload_groups_make(const struct backend_call *call, const struct workload_version *version,
                     struct arena *arena)
{
    const struct gang *gang = call->gang;
    size_t entries = node_count(workload_scheduling_entries(gang->wishes->scheduling));
    struct workload_groups groups = {0};
    struct groups_work work = {
        .call = call, .gang = gang, .version = version, .out = &groups, .arena = arena};

    work.options = workload_options_read(call->options);
    /*
     * What the hash of the names is computed from: the uid, and of a gang with a name of its own
     * also that name, because a job can have several.
     */
    work.naming = (struct workload_naming){
        .namespace_ = gang->wishes->owner.namespace_,
        .job = gang->name,
        .uid = !gang->wishes->owner.uid.len ? NO_SLICE
               : slice_equal(gang->name, gang->wishes->owner.name)
                   ? gang->wishes->owner.uid
                   : ARENA_SLICE(arena, "%.*s/%.*s", SLICE_ARG(gang->wishes->owner.uid),
                                 SLICE_ARG(gang->name)),
        .is_hashed = work.options.is_hashed,
    };
    groups.workload_name = workload_object_name(&work.naming, arena);
    groups.items = arena_array(arena, entries + gang->num_roles + 2, sizeof(*groups.items));
    groups.of_role = arena_array(arena, gang->num_roles + 1, sizeof(*groups.of_role));
    if (!groups.items || !groups.of_role)
        return (struct workload_groups){0};
    for (size_t i = 0; i < gang->num_roles; i++)
        groups.of_role[i] = WORKLOAD_NO_GROUP;
    groups_divide(&work);
    groups_compose(&work);
    return groups;
}
