/* SPDX-License-Identifier: Apache-2.0 */
#include "yunikorn_plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ROLES = 1024, MOST_EDGES = 8, MOST_LABEL = 63, NOWHERE = -1 };

struct pods {
    const char *name;
    long long count;
    struct json_object *requests;
    struct json_object *edges;
    const char *scheduler;
    const char *app;
    const char *group;               /* name of the task group; NULL: none */
    const char *groups_text;         /* the annotation; NULL: none */
    struct json_object *task_groups; /* parsed; NULL: none, or not valid */
    bool is_elsewhere;               /* the plan of another gang of the job marks its pods */
    bool created;
    bool running;
    bool done;
};

struct cluster {
    struct pods roles[MOST_ROLES];
    size_t num_roles;
    char *story;
    size_t size;
    bool is_broken;
};

static struct cluster cluster; /* too large for the stack; the test programs have one thread */

__attribute__((format(printf, 1, 2))) static void
tell(const char *format, ...)
{
    size_t used = strlen(cluster.story);
    va_list arguments;

    va_start(arguments, format);
    vsnprintf(cluster.story + used, cluster.size - used, format, arguments);
    va_end(arguments);
    cluster.is_broken = true;
}

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

static size_t
length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

/* Reading the plan. */

static bool
read_roles(struct json_object *roles)
{
    for (size_t i = 0; i < length(roles); i++) {
        struct json_object *item = json_object_array_get_idx(roles, i);

        if (i >= MOST_ROLES || !text(item, "name"))
            return false;
        cluster.roles[cluster.num_roles++] = (struct pods){
            .name = text(item, "name"),
            .count = json_object_get_int64(member(item, "count")),
            .requests = member(item, "requests"),
            .edges = member(item, "dependsOn"),
            .scheduler = text(item, "schedulerName"),
            .is_elsewhere =
                text(item, "membership") && strcmp(text(item, "membership"), "Outside") == 0,
        };
    }
    return cluster.num_roles > 0;
}

static struct pods *
find(const char *name)
{
    for (size_t i = 0; name && i < cluster.num_roles; i++)
        if (strcmp(cluster.roles[i].name, name) == 0)
            return &cluster.roles[i];
    return NULL;
}

static bool
read_marks(struct json_object *patches)
{
    for (size_t i = 0; i < length(patches); i++) {
        struct json_object *patch = json_object_array_get_idx(patches, i);
        struct json_object *labels = member(member(patch, "metadata"), "labels");
        struct json_object *annotations = member(member(patch, "metadata"), "annotations");
        struct pods *role = find(text(patch, "role"));

        if (!role)
            return false;
        role->app = text(labels, "yunikorn.apache.org/app-id");
        role->is_elsewhere &= !member(patch, "metadata");
        role->group = text(annotations, "yunikorn.apache.org/task-group-name");
        role->groups_text = text(annotations, "yunikorn.apache.org/task-groups");
        if (role->groups_text)
            role->task_groups = json_tokener_parse(role->groups_text);
        if (text(member(patch, "spec"), "schedulerName"))
            role->scheduler = text(member(patch, "spec"), "schedulerName");
    }
    return true;
}

/* The rules of one pod, which do not depend on the order. */

static bool
is_group(struct json_object *group)
{
    return text(group, "name") && *text(group, "name") &&
           json_object_get_int64(member(group, "minMember")) > 0 &&
           json_object_is_type(member(group, "minResource"), json_type_object);
}

static bool
has_good_groups(const struct pods *role)
{
    for (size_t i = 0; i < length(role->task_groups); i++)
        if (!is_group(json_object_array_get_idx(role->task_groups, i)))
            return false;
    return length(role->task_groups) > 0;
}

static struct json_object *
group_of(const struct pods *originator, const char *name)
{
    for (size_t i = 0; name && i < length(originator->task_groups); i++) {
        struct json_object *group = json_object_array_get_idx(originator->task_groups, i);

        if (strcmp(text(group, "name"), name) == 0)
            return group;
    }
    return NULL;
}

static bool
is_of_app(const struct pods *role, const struct pods *other)
{
    return role->app && other->app && strcmp(role->app, other->app) == 0;
}

/* The pods that will ever come to the group. */
static long long
pods_of_group(const struct pods *originator, const char *group)
{
    long long pods = 0;

    for (size_t i = 0; i < cluster.num_roles; i++) {
        const struct pods *role = &cluster.roles[i];

        if (is_of_app(role, originator) && role->group && strcmp(role->group, group) == 0)
            pods += role->count;
    }
    return pods;
}

static void
check_group(const struct pods *role, const struct pods *originator)
{
    struct json_object *group = group_of(originator, role->group);

    if (!group)
        tell("%s: no task group %s; ", role->name, role->group ? role->group : "is named");
    else if (!json_object_equal(member(group, "minResource"), role->requests))
        tell("%s: placeholders of another size; ", role->name);
    else if (json_object_get_int64(member(group, "minMember")) >
             pods_of_group(originator, role->group))
        tell("%s: placeholders for pods that never come; ", role->name);
}

/* Whether the role waits for the end of another, through any role. Edges point to earlier roles. */
static bool
waits_for_end_of(const struct pods *role, const struct pods *other)
{
    for (size_t i = 0; i < length(role->edges); i++) {
        struct json_object *edge = json_object_array_get_idx(role->edges, i);
        const struct pods *target = find(text(edge, "role"));

        if (!target || target == role)
            continue;
        if (target == other && strcmp(text(edge, "status"), "Complete") == 0)
            return true;
        if (waits_for_end_of(target, other))
            return true;
    }
    return false;
}

static void
check_stage(const struct pods *role)
{
    for (size_t i = 0; role->group && i < cluster.num_roles; i++)
        if (&cluster.roles[i] != role && is_of_app(&cluster.roles[i], role) &&
            waits_for_end_of(role, &cluster.roles[i]))
            tell("%s: its room is held while %s runs; ", role->name, cluster.roles[i].name);
}

static void
check_marks(const struct pods *role)
{
    if (role->is_elsewhere)
        return;
    if (!role->scheduler || strcmp(role->scheduler, "yunikorn") != 0)
        tell("%s: another scheduler; ", role->name);
    if (!role->app || strlen(role->app) > MOST_LABEL)
        tell("%s: no application, or one that is no label; ", role->name);
    if (role->groups_text && !has_good_groups(role))
        tell("%s: task groups that switch the gang off; ", role->name);
    check_stage(role);
}

/* Playing it. */

static bool
can_be_created(const struct pods *role)
{
    for (size_t i = 0; i < length(role->edges); i++) {
        struct json_object *edge = json_object_array_get_idx(role->edges, i);
        const struct pods *target = find(text(edge, "role"));

        if (!target ||
            !(target->done || (target->running && strcmp(text(edge, "status"), "Complete") != 0)))
            return false;
    }
    return true;
}

/* The first pod of the application that exists; roles are created in the order of the plan. */
static const struct pods *
originator_of(const struct pods *role)
{
    for (size_t i = 0; i < cluster.num_roles; i++)
        if (cluster.roles[i].created && is_of_app(&cluster.roles[i], role))
            return &cluster.roles[i];
    return role;
}

/* Called once, when its pods are created. */
static void
check_arrival(const struct pods *role)
{
    const struct pods *originator = originator_of(role);

    if (role->groups_text && !originator->groups_text)
        tell("%s: the first pod of the application has no task groups; ", role->name);
    else if (originator->groups_text && (role->groups_text || role->group))
        check_group(role, originator);
}

static bool
play_start(void)
{
    bool changed = false;

    for (size_t i = 0; i < cluster.num_roles; i++) {
        struct pods *role = &cluster.roles[i];

        if (role->created || !can_be_created(role))
            continue;
        role->created = changed = true;
        check_arrival(role);
    }
    for (size_t i = 0; i < cluster.num_roles; i++)
        cluster.roles[i].running = cluster.roles[i].created;
    return changed;
}

static bool
play_finish(bool gang)
{
    bool changed = false;

    for (size_t i = 0; i < cluster.num_roles; i++) {
        struct pods *role = &cluster.roles[i];

        if (role->running && !role->done && (role->group != NULL) == gang)
            changed = role->done = true;
    }
    return changed;
}

static enum replay_verdict
play(void)
{
    bool has_gang = false;

    for (size_t i = 0; i < cluster.num_roles; i++) {
        check_marks(&cluster.roles[i]);
        has_gang |= cluster.roles[i].groups_text != NULL;
    }
    if (!has_gang)
        tell("no pod has task groups; ");
    while (play_start() || play_finish(false) || play_finish(true)) {
    }
    for (size_t i = 0; i < cluster.num_roles; i++)
        if (!cluster.roles[i].done)
            tell("%s: never created; ", cluster.roles[i].name);
    return cluster.is_broken ? REPLAY_STUCK : REPLAY_COMPLETE;
}

enum replay_verdict
yunikorn_plan_replay(struct json_object *plan, char *story, size_t size)
{
    enum replay_verdict verdict = REPLAY_UNREADABLE;

    cluster = (struct cluster){.story = story, .size = size};
    if (read_roles(member(plan, "roles")) && read_marks(member(plan, "patches")))
        verdict = length(member(plan, "objects")) ? REPLAY_UNREADABLE : play();
    for (size_t i = 0; i < cluster.num_roles; i++)
        json_object_put(cluster.roles[i].task_groups);
    return verdict;
}
