/* SPDX-License-Identifier: Apache-2.0 */
#include "replay.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kai_plan.h"
#include "yunikorn_plan.h"

enum { MOST_ROLES = 1024, MOST_EDGES = 8, MOST_GROUPS = 16, NAME_SIZE = 512, NOWHERE = -1 };

static const char coscheduling_label[] = "scheduling.x-k8s.io/pod-group";
static const char koordinator_label[] = "pod-group.scheduling.sigs.k8s.io";
static const char koordinator_group[] = "scheduling.sigs.k8s.io/";
static const char volcano_annotation[] = "scheduling.k8s.io/group-name";
static const char policy_label[] = "policy.libgang.dev/group";

struct replay_edge {
    const char *role;
    const char *status;
    int target; /* NOWHERE: no such role */
    bool is_complete;
};

struct replay_role {
    const char *name;
    char mark[NAME_SIZE]; /* the group its pods join; "": none */
    int group;            /* NOWHERE: a mark without an object */
    const char *policy;   /* value of the label that a policy selects; NULL: none */
    long long count;
    long long unit;
    long long first; /* pods that exist before one of them runs */
    struct replay_edge edges[MOST_EDGES];
    size_t num_edges;
    bool created;
    bool running;
    bool done;
};

/* A group inside a Workload of v1alpha1 has the name `<workload>/<group>`. */
struct replay_group {
    char name[NAME_SIZE];
    long long minimum;
    const char *parent; /* NULL: none */
    bool is_exact;      /* pods beyond the minimum that exist when it starts never run */
    bool started;
};

struct replay_composite {
    const char *name;
    long long minimum;  /* of groups and composites */
    const char *parent; /* NULL: none */
};

/* An entry of subGroupPolicy. */
struct replay_policy {
    const char *selects;
    int group;
    long long size;   /* pods of a sub group */
    long long least;  /* sub groups */
    bool is_of_units; /* a sub group for each unit of a role, else one for all its pods */
};

struct replay {
    struct replay_role roles[MOST_ROLES];
    size_t num_roles;
    struct replay_group groups[MOST_GROUPS];
    size_t num_groups;
    struct replay_composite composites[MOST_GROUPS];
    size_t num_composites;
    struct replay_policy policies[MOST_ROLES];
    size_t num_policies;
    char *story;
    size_t size;
};

__attribute__((format(printf, 2, 3))) static void
tell(struct replay *replay, const char *format, ...)
{
    size_t used = strlen(replay->story);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(replay->story + used, replay->size - used, format, arguments);
    va_end(arguments);
}

static struct json_object *
get(struct json_object *object, const char *key)
{
    return json_object_is_type(object, json_type_object) ? json_object_object_get(object, key)
                                                         : NULL;
}

static const char *
text_of(struct json_object *object, const char *key)
{
    struct json_object *value = get(object, key);

    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static size_t
length_of(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

/* Reading the plan. */

static bool
read_edges(struct replay_role *role, struct json_object *edges)
{
    for (size_t i = 0; i < length_of(edges); i++) {
        struct json_object *edge = json_object_array_get_idx(edges, i);
        const char *status = text_of(edge, "status");

        if (i >= MOST_EDGES || !status || !text_of(edge, "role"))
            return false;
        role->edges[role->num_edges++] = (struct replay_edge){
            .role = text_of(edge, "role"),
            .status = status,
            .target = NOWHERE,
            .is_complete = strcmp(status, "Complete") == 0,
        };
    }
    return true;
}

static bool
read_roles(struct replay *replay, struct json_object *roles)
{
    for (size_t i = 0; i < length_of(roles); i++) {
        struct json_object *item = json_object_array_get_idx(roles, i);
        struct replay_role *role = &replay->roles[i];

        if (i >= MOST_ROLES || !text_of(item, "name"))
            return false;
        *role = (struct replay_role){
            .name = text_of(item, "name"),
            .group = NOWHERE,
            .count = json_object_get_int64(get(item, "count")),
            .unit = get(item, "unit") ? json_object_get_int64(get(item, "unit")) : 1,
            .first =
                json_object_get_int64(get(item, get(item, "firstCount") ? "firstCount" : "count")),
        };
        if (!read_edges(role, get(item, "dependsOn")))
            return false;
        replay->num_roles++;
    }
    return replay->num_roles > 0;
}

static int
find_role(const struct replay *replay, const char *name)
{
    for (size_t i = 0; i < replay->num_roles; i++) {
        if (strcmp(replay->roles[i].name, name) == 0)
            return (int)i;
    }
    return NOWHERE;
}

/* `policy` is a schedulingPolicy; basic counts nothing. */
static long long
policy_minimum(struct json_object *policy, const char *count)
{
    return json_object_get_int64(get(get(policy, "gang"), count));
}

static bool
add_group(struct replay *replay, const char *workload, const char *name, long long minimum,
          const char *parent)
{
    struct replay_group *group = &replay->groups[replay->num_groups];

    if (!name || replay->num_groups >= MOST_GROUPS)
        return false;
    snprintf(group->name, sizeof(group->name), "%s%s%s", workload, *workload ? "/" : "", name);
    group->minimum = minimum;
    group->parent = parent;
    replay->num_groups++;
    return true;
}

static bool
read_policies(struct replay *replay, struct json_object *policies)
{
    for (size_t i = 0; i < length_of(policies); i++) {
        struct json_object *item = json_object_array_get_idx(policies, i);
        struct json_object *labels = get(get(item, "labelSelector"), "matchLabels");
        struct json_object *keys = get(item, "matchLabelKeys");

        if (replay->num_policies >= MOST_ROLES || length_of(keys) != 1 ||
            !text_of(labels, policy_label))
            return false;
        replay->policies[replay->num_policies++] = (struct replay_policy){
            .selects = text_of(labels, policy_label),
            .group = (int)replay->num_groups - 1,
            .size = json_object_get_int64(get(item, "subGroupSize")),
            .least = json_object_get_int64(get(item, "minSubGroups")),
            .is_of_units = strcmp(json_object_get_string(json_object_array_get_idx(keys, 0)),
                                  policy_label) != 0,
        };
    }
    return true;
}

static bool
read_pod_group(struct replay *replay, const char *name, struct json_object *spec)
{
    struct json_object *minimum = get(spec, "minMember");

    return add_group(replay, "", name,
                     minimum ? json_object_get_int64(minimum)
                             : policy_minimum(get(spec, "schedulingPolicy"), "minCount"),
                     text_of(spec, "parentCompositePodGroupName")) &&
           read_policies(replay, get(spec, "subGroupPolicy"));
}

/* Koordinator was seen to start exactly the minimum of the pods that exist. */
static bool
read_exactness(struct replay *replay, struct json_object *object)
{
    const char *version = text_of(object, "apiVersion");

    replay->groups[replay->num_groups - 1].is_exact =
        version && strncmp(version, koordinator_group, strlen(koordinator_group)) == 0;
    return true;
}

/* The groups of v1alpha1; later Workloads have templates, which the scheduler never reads. */
static bool
read_workload(struct replay *replay, const char *name, struct json_object *spec)
{
    struct json_object *groups = get(spec, "podGroups");

    for (size_t i = 0; i < length_of(groups); i++) {
        struct json_object *group = json_object_array_get_idx(groups, i);

        if (!name || !add_group(replay, name, text_of(group, "name"),
                                policy_minimum(get(group, "policy"), "minCount"), NULL))
            return false;
    }
    return true;
}

static bool
read_composite(struct replay *replay, const char *name, struct json_object *spec)
{
    if (!name || replay->num_composites >= MOST_GROUPS)
        return false;
    replay->composites[replay->num_composites++] = (struct replay_composite){
        .name = name,
        .minimum = policy_minimum(get(spec, "schedulingPolicy"), "minGroupCount"),
        .parent = text_of(spec, "parentCompositePodGroupName"),
    };
    return true;
}

static bool
read_groups(struct replay *replay, struct json_object *objects)
{
    for (size_t i = 0; i < length_of(objects); i++) {
        struct json_object *object = get(json_object_array_get_idx(objects, i), "object");
        struct json_object *spec = get(object, "spec");
        const char *kind = text_of(object, "kind");
        const char *name = text_of(get(object, "metadata"), "name");
        bool read = true;

        if (kind && strcmp(kind, "PodGroup") == 0)
            read = read_pod_group(replay, name, spec) && read_exactness(replay, object);
        else if (kind && strcmp(kind, "Workload") == 0)
            read = read_workload(replay, name, spec);
        else if (kind && strcmp(kind, "CompositePodGroup") == 0)
            read = read_composite(replay, name, spec);
        if (!read)
            return false;
    }
    return true;
}

static int
find_group(const struct replay *replay, const char *name)
{
    for (size_t i = 0; i < replay->num_groups; i++) {
        if (strcmp(replay->groups[i].name, name) == 0)
            return (int)i;
    }
    return NOWHERE;
}

static bool
read_marks(struct replay *replay, struct json_object *patches)
{
    for (size_t i = 0; i < length_of(patches); i++) {
        struct json_object *patch = json_object_array_get_idx(patches, i);
        struct json_object *metadata = get(patch, "metadata");
        struct json_object *spec = get(patch, "spec");
        struct json_object *reference = get(spec, "workloadRef");
        const char *mark = text_of(get(metadata, "labels"), coscheduling_label);
        int role = text_of(patch, "role") ? find_role(replay, text_of(patch, "role")) : NOWHERE;

        if (role == NOWHERE)
            return false;
        replay->roles[role].policy = text_of(get(metadata, "labels"), policy_label);
        if (!mark)
            mark = text_of(get(metadata, "labels"), koordinator_label);
        if (!mark)
            mark = text_of(get(metadata, "annotations"), volcano_annotation);
        if (!mark)
            mark = text_of(get(spec, "schedulingGroup"), "podGroupName");
        if (mark)
            snprintf(replay->roles[role].mark, NAME_SIZE, "%s", mark);
        else if (reference)
            snprintf(replay->roles[role].mark, NAME_SIZE, "%s/%s", text_of(reference, "name"),
                     text_of(reference, "podGroup"));
        else
            continue;
        replay->roles[role].group = find_group(replay, replay->roles[role].mark);
    }
    return true;
}

static void
link_edges(struct replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++) {
        struct replay_role *role = &replay->roles[i];

        for (size_t j = 0; j < role->num_edges; j++)
            role->edges[j].target = find_role(replay, role->edges[j].role);
    }
}

/* Playing it. */

static bool
edge_is_met(const struct replay *replay, const struct replay_edge *edge)
{
    const struct replay_role *target;

    if (edge->target == NOWHERE)
        return false;
    target = &replay->roles[edge->target];
    return target->done || (target->running && !edge->is_complete);
}

static bool
can_be_created(const struct replay *replay, const struct replay_role *role)
{
    for (size_t i = 0; i < role->num_edges; i++) {
        if (!edge_is_met(replay, &role->edges[i]))
            return false;
    }
    return true;
}

static long long
living_pods_of_role(const struct replay_role *role)
{
    if (!role->created || role->done)
        return 0;
    return role->running ? role->count : role->first;
}

static long long
living_pods(const struct replay *replay, int group)
{
    long long pods = 0;

    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].group == group)
            pods += living_pods_of_role(&replay->roles[i]);
    return pods;
}

static bool
is_in_policy(const struct replay_role *role, const struct replay_policy *policy)
{
    return role->policy && role->group == policy->group &&
           strcmp(role->policy, policy->selects) == 0;
}

/*
 * Sub groups that have their pods. Finished pods count, as in Volcano. Those pods of a role that
 * exist at first may be of as many units as there are.
 */
static long long
ready_sub_groups(const struct replay *replay, const struct replay_policy *policy)
{
    long long pods = 0, units = 0;

    for (size_t i = 0; i < replay->num_roles; i++) {
        const struct replay_role *role = &replay->roles[i];

        if (!is_in_policy(role, policy))
            continue;
        pods += role->done ? role->count : living_pods_of_role(role);
        units += role->count / role->unit;
    }
    if (!policy->is_of_units)
        return pods >= policy->size;
    return units && pods / units >= policy->size ? units : 0;
}

/* Whether the policies of the role's group let it run. */
static bool
policies_are_met(const struct replay *replay, const struct replay_role *role)
{
    for (size_t i = 0; i < replay->num_policies; i++) {
        const struct replay_policy *policy = &replay->policies[i];
        const long long ready = ready_sub_groups(replay, policy);

        if (policy->group == role->group && ready < policy->least)
            return false;
        if (is_in_policy(role, policy) && role->count && !ready)
            return false;
    }
    return true;
}

static bool
has_its_minimum(const struct replay *replay, int group)
{
    return living_pods(replay, group) >= replay->groups[group].minimum;
}

/* Whether as many children are ready as must be; composites are at most three deep. */
static bool
has_its_children(const struct replay *replay, const struct replay_composite *composite)
{
    long long ready = 0;

    for (size_t i = 0; i < replay->num_groups; i++)
        if (replay->groups[i].parent && strcmp(replay->groups[i].parent, composite->name) == 0)
            ready += has_its_minimum(replay, (int)i);
    for (size_t i = 0; i < replay->num_composites; i++)
        if (&replay->composites[i] != composite && replay->composites[i].parent &&
            strcmp(replay->composites[i].parent, composite->name) == 0)
            ready += has_its_children(replay, &replay->composites[i]);
    return ready >= composite->minimum;
}

/* A parent that does not exist holds its children forever. */
static bool
parent_is_ready(const struct replay *replay, const char *parent)
{
    for (size_t i = 0; i < replay->num_composites; i++)
        if (strcmp(replay->composites[i].name, parent) == 0)
            return has_its_children(replay, &replay->composites[i]) &&
                   (!replay->composites[i].parent ||
                    parent_is_ready(replay, replay->composites[i].parent));
    return false;
}

static bool
can_run(const struct replay *replay, const struct replay_role *role)
{
    const struct replay_group *group = role->group == NOWHERE ? NULL : &replay->groups[role->group];

    if (!role->created || !*role->mark)
        return role->created;
    if (group && group->is_exact && !group->started)
        return living_pods(replay, role->group) == group->minimum;
    return group && (group->started || has_its_minimum(replay, role->group)) &&
           (!group->parent || parent_is_ready(replay, group->parent)) &&
           policies_are_met(replay, role);
}

/* Called when every role that can run runs. A gang that has started once takes pods one by one. */
static void
note_started(struct replay *replay)
{
    for (size_t i = 0; i < replay->num_roles; i++)
        if (replay->roles[i].running && replay->roles[i].group != NOWHERE &&
            replay->groups[replay->roles[i].group].is_exact)
            replay->groups[replay->roles[i].group].started = true;
}

/* Creates and starts what can be; whether anything changed. */
static bool
play_start(struct replay *replay)
{
    bool changed = false;

    for (size_t i = 0; i < replay->num_roles; i++) {
        struct replay_role *role = &replay->roles[i];

        if (!role->created && can_be_created(replay, role))
            changed = role->created = true;
    }
    for (size_t i = 0; i < replay->num_roles; i++) {
        struct replay_role *role = &replay->roles[i];

        if (!role->running && can_run(replay, role))
            changed = role->running = true;
    }
    note_started(replay);
    return changed;
}

/* A group that never holds its pods is no gang. */
static bool
is_of_a_gang(const struct replay *replay, const struct replay_role *role)
{
    return *role->mark && (role->group == NOWHERE || replay->groups[role->group].minimum > 0);
}

/* Lets the running roles finish, those outside a gang or those of one; whether there was one. */
static bool
play_finish(struct replay *replay, bool gang)
{
    bool changed = false;

    for (size_t i = 0; i < replay->num_roles; i++) {
        struct replay_role *role = &replay->roles[i];

        if (role->running && !role->done && is_of_a_gang(replay, role) == gang)
            changed = role->done = true;
    }
    return changed;
}

static void
tell_what_waits(struct replay *replay, const struct replay_role *role)
{
    if (role->created && !*role->mark)
        return;
    if (role->created && role->group == NOWHERE) {
        tell(replay, "%s: waits for the group %s, which nothing makes; ", role->name, role->mark);
        return;
    }
    if (role->created) {
        tell(replay, "%s: %lld of %lld pods of the group %s exist; ", role->name,
             living_pods(replay, role->group), replay->groups[role->group].minimum, role->mark);
        return;
    }
    for (size_t i = 0; i < role->num_edges; i++) {
        if (!edge_is_met(replay, &role->edges[i]))
            tell(replay, "%s: not created, waits for %s to be %s; ", role->name,
                 role->edges[i].role, role->edges[i].status);
    }
}

static enum replay_verdict
play(struct replay *replay)
{
    enum replay_verdict verdict = REPLAY_COMPLETE;

    while (play_start(replay) || play_finish(replay, false) || play_finish(replay, true)) {
    }
    for (size_t i = 0; i < replay->num_roles; i++) {
        if (replay->roles[i].done)
            continue;
        verdict = REPLAY_STUCK;
        if (!replay->roles[i].running)
            tell_what_waits(replay, &replay->roles[i]);
    }
    return verdict;
}

enum replay_verdict
replay_plan(struct json_object *plan, char *story, size_t size)
{
    static struct replay replay; /* too large for the stack; the test programs have one thread */
    const char *outcome = text_of(plan, "outcome");
    const char *type = text_of(get(plan, "backend"), "type");

    replay = (struct replay){.story = story, .size = size};
    story[0] = '\0';
    if (!outcome) {
        tell(&replay, "no outcome");
        return REPLAY_UNREADABLE;
    }
    if (strcmp(outcome, "Gang") != 0)
        return REPLAY_NO_GANG;
    if (type && strcmp(type, "KAI") == 0)
        return kai_plan_replay(plan, story, size);
    if (type && strcmp(type, "YuniKorn") == 0)
        return yunikorn_plan_replay(plan, story, size);
    if (!read_roles(&replay, get(plan, "roles")) || !read_groups(&replay, get(plan, "objects")) ||
        !read_marks(&replay, get(plan, "patches"))) {
        tell(&replay, "roles, objects or patches are not those of a plan");
        return REPLAY_UNREADABLE;
    }
    link_edges(&replay);
    return play(&replay);
}
