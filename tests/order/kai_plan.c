/* SPDX-License-Identifier: Apache-2.0 */
#include "kai_plan.h"

#include <stdio.h>
#include <string.h>

#include "kai_replay.h"

static struct kai_replay kai; /* too large for the stack; the test programs have one thread */

static struct json_object *
member(struct json_object *object, const char *key)
{
    return json_object_is_type(object, json_type_object) ? json_object_object_get(object, key)
                                                         : NULL;
}

static const char *
text(struct json_object *object, const char *key)
{
    struct json_object *value = member(object, key);

    return json_object_is_type(value, json_type_string) ? json_object_get_string(value) : NULL;
}

static long long
number(struct json_object *object, const char *key)
{
    struct json_object *value = member(object, key);

    return value ? json_object_get_int64(value) : -1;
}

static bool
read_subgroup(int group, struct json_object *subgroup)
{
    const char *parent = text(subgroup, "parent");
    long long minimum = number(subgroup, "minMember");
    int above = parent ? kai_replay_find_node(&kai, group, parent) : kai.groups[group];

    return text(subgroup, "name") && above >= 0 &&
           kai_replay_add_node(&kai, above, text(subgroup, "name"),
                               minimum >= 0 ? minimum : number(subgroup, "minSubGroup")) >= 0;
}

static bool
read_group(struct json_object *manifest)
{
    struct json_object *spec = member(manifest, "spec");
    struct json_object *subgroups = member(spec, "subGroups");
    const char *name = text(member(manifest, "metadata"), "name");
    int group = kai_replay_add_group(&kai, name ? name : "",
                                     number(spec, subgroups ? "minSubGroup" : "minMember"));

    for (size_t i = 0; group >= 0 && subgroups && i < json_object_array_length(subgroups); i++)
        if (!read_subgroup(group, json_object_array_get_idx(subgroups, i)))
            return false;
    return group >= 0;
}

static bool
read_groups(struct json_object *list)
{
    for (size_t i = 0; i < json_object_array_length(list); i++)
        if (!read_group(member(json_object_array_get_idx(list, i), "object")))
            return false;
    return true;
}

static struct json_object *
patch_of(struct json_object *plan, const char *role)
{
    struct json_object *patches = member(plan, "patches");

    for (size_t i = 0; i < json_object_array_length(patches); i++) {
        struct json_object *patch = json_object_array_get_idx(patches, i);

        if (text(patch, "role") && strcmp(text(patch, "role"), role) == 0)
            return member(patch, "metadata");
    }
    return NULL;
}

static int
find_group(const char *name)
{
    for (size_t i = 0; i < kai.num_groups; i++)
        if (strcmp(kai.nodes[kai.groups[i]].name, name) == 0)
            return (int)i;
    return -1;
}

/* Into a group of the plan: the pod's annotation and label name it, and both must exist. */
static bool
join_created(struct kai_replay_role *role, struct json_object *metadata)
{
    struct json_object *annotations = member(metadata, "annotations");
    const char *skip = text(annotations, "kai.scheduler/skip-podgrouper");
    const char *group = text(annotations, "pod-group-name");
    const char *leaf = text(member(metadata, "labels"), "kai.scheduler/subgroup-name");

    role->group = skip && group && strcmp(skip, "true") == 0 ? find_group(group) : -1;
    if (!skip && !group && !leaf && !role->is_member)
        return true; /* the plan of another gang of the job marks its pods */
    if (role->group < 0)
        return false;
    role->node = leaf ? kai_replay_find_node(&kai, role->group, leaf) : kai.groups[role->group];
    return role->node >= 0 && !kai.nodes[role->node].has_children;
}

/* Into a group that the podgrouper makes: one for all roles, or one for each. */
static bool
join_predicted(struct kai_replay_role *role, size_t index)
{
    char leaf[KAI_REPLAY_NAME];

    role->group = (int)(kai.num_groups > 1 ? index : 0);
    role->node = kai.groups[role->group];
    role->has_leaves = kai.nodes[role->node].has_children;
    if (!role->has_leaves)
        return true;
    for (role->replicas = 0;; role->replicas++) {
        snprintf(leaf, sizeof(leaf), "%s-replica-%lld", role->name, role->replicas);
        if (kai_replay_find_node(&kai, role->group, leaf) < 0)
            break;
        if (!role->replicas)
            role->node = kai_replay_find_node(&kai, role->group, leaf);
    }
    if (role->replicas) {
        role->pods /= role->replicas;
        role->first /= role->replicas;
    }
    return role->replicas > 0;
}

static size_t
find_role(const char *name)
{
    size_t i = 0;

    while (i < kai.num_roles && strcmp(kai.roles[i].name, name) != 0)
        i++;
    return i;
}

static bool
read_edges(struct kai_replay_role *role, struct json_object *edges)
{
    for (size_t i = 0; i < json_object_array_length(edges); i++) {
        struct json_object *edge = json_object_array_get_idx(edges, i);
        size_t target = find_role(text(edge, "role"));

        if (i >= KAI_REPLAY_EDGES || target >= kai.num_roles)
            return false;
        role->edges[role->num_edges++] =
            (struct kai_replay_edge){target, strcmp(text(edge, "status"), "Complete") == 0};
    }
    return true;
}

static bool
read_roles(struct json_object *roles)
{
    kai.num_roles = json_object_array_length(roles);
    if (kai.num_roles > KAI_REPLAY_ROLES)
        return false;
    for (size_t i = 0; i < kai.num_roles; i++) {
        struct json_object *source = json_object_array_get_idx(roles, i);
        const char *membership = text(source, "membership");

        kai.roles[i] = (struct kai_replay_role){
            .name = text(source, "name"),
            .replicas = 1,
            /* what an elastic role has beyond its minimum may never exist */
            .pods = number(source, member(source, "minCount") ? "minCount" : "count"),
            .first = member(source, "firstCount") ? number(source, "firstCount") : 0,
            .is_member = strcmp(membership, "Outside") != 0,
            .is_first = strcmp(membership, "Member") == 0,
        };
    }
    for (size_t i = 0; i < kai.num_roles; i++)
        if (!read_edges(&kai.roles[i], member(json_object_array_get_idx(roles, i), "dependsOn")))
            return false;
    return true;
}

static bool
read_plan(struct json_object *plan)
{
    bool is_predicted = json_object_array_length(member(plan, "predictions")) > 0;

    kai.num_groups = kai.num_nodes = 0;
    if (!read_roles(member(plan, "roles")) ||
        !read_groups(member(plan, is_predicted ? "predictions" : "objects")) || !kai.num_groups)
        return false;
    for (size_t i = 0; i < kai.num_roles; i++)
        if (!(is_predicted ? join_predicted(&kai.roles[i], i)
                           : join_created(&kai.roles[i], patch_of(plan, kai.roles[i].name))))
            return false;
    return true;
}

/* Elastic roles: the plan says how many pods of each must start, and what these are together. */
static void
read_spare_pods(struct json_object *plan)
{
    long long sum = 0;

    for (size_t i = 0; i < kai.num_roles; i++)
        if (kai.roles[i].is_first && kai.nodes[kai.roles[i].node].minimum > 0)
            sum += kai.nodes[kai.roles[i].node].minimum;
    if (sum != json_object_get_int64(member(member(plan, "gang"), "minimum")))
        return;
    for (size_t i = 0; i < kai.num_roles; i++) {
        struct kai_replay_role *role = &kai.roles[i];
        const long long minimum = kai.nodes[role->node].minimum;

        if (role->is_first && minimum >= 0 && minimum < role->pods && !role->has_leaves)
            role->spare = role->pods - minimum;
    }
}

enum replay_verdict
kai_plan_replay(struct json_object *plan, char *story, size_t size)
{
    size_t role = 0;

    if (!read_plan(plan)) {
        snprintf(story, size, "roles, groups and marks do not fit together");
        return REPLAY_UNREADABLE;
    }
    read_spare_pods(plan);
    switch (kai_replay_play(&kai, &role)) {
    case KAI_REPLAY_STUCK:
        snprintf(story, size, "%s: waits for its group; ", kai.roles[role].name);
        return REPLAY_STUCK;
    case KAI_REPLAY_NO_GANG:
        snprintf(story, size, "the gang starts in part; ");
        return REPLAY_STUCK;
    case KAI_REPLAY_EVICTED:
    case KAI_REPLAY_GANG:
        break;
    }
    return REPLAY_COMPLETE;
}
