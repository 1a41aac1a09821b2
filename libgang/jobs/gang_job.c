/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "libgang/document/document.h"

enum { JOB_NAMES_OF_STEP = 8 }; /* that are compared in one step */

/* Draws the steps of comparing so many names with so many others. */
static bool
job_spend_names(uint64_t names, uint64_t others, struct arena *arena)
{
    return arena_spend(arena, names * others / JOB_NAMES_OF_STEP);
}

/* Returns the index of the first group of that name; GROUP_OF_GANG if there is none. */
SELDOM static size_t
job_group_find(const struct gang_wishes *job, struct slice name)
{
    for (size_t i = 0; name.len && i < job->num_groups; i++)
        if (slice_equal(job->groups[i].name, name))
            return i;
    return GROUP_OF_GANG;
}

/* A role that no node names has its whole source as `at`. */
static void
job_check_label(struct slice name, const struct node *at, struct report *report)
{
    struct name_problems problems;

    if (!name_check(NAME_DNS1123_LABEL, name, &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_note(report, at, MESSAGE_INVALID_NAME_MADE, SLICE_ARG(name), problems.text[i]);
}

/* ---- checks of groups ---- */

/* Reports a name, of a group or of no group, that the document has and the job does not. */
SELDOM static void
job_group_check_reference(const struct gang_wishes *job, const struct node *reference,
                          struct report *report)
{
    const struct slice group = node_string(reference);

    if (slice_is_set(group) && job_group_find(job, group) == GROUP_OF_GANG)
        find_note(report, reference, MESSAGE_GROUP_NOT_FOUND, SLICE_ARG(group));
}

/* Whether the parents of the group lead back to it. */
SELDOM static bool
job_group_is_in_cycle(const struct gang_wishes *job, size_t index)
{
    size_t at = index;

    for (size_t steps = 0; steps < job->num_groups; steps++) {
        at = job->groups[at].parent;
        if (at == GROUP_OF_GANG || at == index)
            return at == index;
    }
    return false;
}

SELDOM static int64_t
job_group_count_children(const struct gang_wishes *job, struct slice name)
{
    int64_t children = 0;

    for (size_t i = 0; i < job->num_groups; i++)
        children += job->groups[i].parent != GROUP_OF_GANG &&
                    slice_equal(job->groups[job->groups[i].parent].name, name);
    for (size_t i = 0; i < job->num_roles; i++)
        children += slice_equal(job->roles[i].group, name);
    return children;
}

/* Checks the names of the groups, the tree and the minima. Reports all problems. */
static void
gang_job_check_groups(const struct gang_wishes *job, struct report *report)
{
    const uint64_t names = job->num_roles + job->num_groups;

    if (!job_spend_names(names, 1 + job->num_groups, report->arena))
        return;
    for (size_t i = 0; i < job->num_roles; i++)
        job_group_check_reference(job, node_member(job->roles[i].source, SLICE("group")), report);
    for (size_t i = 0; i < job->num_groups; i++) {
        const struct gang_group *group = &job->groups[i];
        const struct node *at = node_member(group->source, SLICE("name"));
        const struct node *parent = node_member(group->source, SLICE("parent"));
        int64_t children;

        if (group->name.len) { /* or else reported by the schema */
            if (job_group_find(job, group->name) != i)
                find_note(report, at, MESSAGE_DUPLICATE_ITEM_NAME, SLICE_ARG(group->name));
            else if (wishes_find_role(job, group->name))
                find_note(report, at, MESSAGE_DUPLICATE_ITEM_ROLE, SLICE_ARG(group->name));
            job_check_label(group->name, at, report);
        }
        job_group_check_reference(job, parent, report);
        if (job_group_is_in_cycle(job, i))
            find_note(report, parent, MESSAGE_GROUP_CYCLE);
        children = job_group_count_children(job, group->name);
        if (!group->name.len)
            continue; /* it is unknown which roles are in it */
        if (!children)
            find_note(report, at, MESSAGE_GROUP_EMPTY, SLICE_ARG(group->name));
        else if (group->minimum > children)
            find_note(report, node_member(group->source, SLICE("minimum")), MESSAGE_GROUP_MINIMUM,
                      (long long)group->minimum, (long long)children);
    }
}

/* ---- the groups of the wishes ---- */

void
gang_job_link_groups(struct gang_wishes *job, struct arena *arena)
{
    if (!job_spend_names(job->num_groups, job->num_groups, arena))
        return;
    for (size_t i = 0; i < job->num_groups; i++)
        job->groups[i].parent =
            job_group_find(job, node_string(node_member(job->groups[i].source, SLICE("parent"))));
}

/* Returns the index in the wishes of a group of the job; GROUP_OF_GANG if it is not there. */
SELDOM static size_t
job_group_place(const struct gang_wishes *job, size_t group, const struct gang_wishes *wishes)
{
    return group == GROUP_OF_GANG ? group : job_group_find(wishes, job->groups[group].name);
}

/* Adds the first group that is not there, and whose parent is. Returns false if there is none. */
SELDOM static bool
job_group_add_next(const struct gang_wishes *job, struct gang_wishes *wishes)
{
    for (size_t i = 0; i < job->num_groups; i++) {
        struct gang_group group = job->groups[i];
        bool is_of_gang = group.parent == GROUP_OF_GANG;

        group.parent = job_group_place(job, group.parent, wishes);
        if ((!is_of_gang && group.parent == GROUP_OF_GANG) ||
            job_group_place(job, i, wishes) != GROUP_OF_GANG)
            continue;
        if (group.minimum < 0)
            group.minimum = job_group_count_children(job, group.name);
        wishes->groups[wishes->num_groups++] = group;
        return true;
    }
    return false;
}

/* A role needs its first pods, whatever its membership turns out to be. */
void
gang_job_fill_groups(const struct gang_wishes *job, struct gang_wishes *wishes, struct arena *arena)
{
    if (!job->num_groups)
        return;
    wishes->groups = arena_array(arena, job->num_groups + job->num_roles, sizeof(*wishes->groups));
    if (!wishes->groups)
        return;
    while (job_group_add_next(job, wishes))
        continue;
    for (size_t i = 0; i < wishes->num_roles; i++)
        wishes->groups[wishes->num_groups++] = (struct gang_group){
            .name = wishes->roles[i].name,
            .minimum = role_first_count(&wishes->roles[i]),
            .parent = job_group_place(job, job_group_find(job, wishes->roles[i].group), wishes),
            .role = i,
            .source = wishes->roles[i].source,
        };
}

/* ---- for translations ---- */

void
gang_job_start(const struct job_source *source, struct gang_wishes *job)
{
    job->owner =
        gang_owner_of(source->meta, node_string(node_member(source->root, SLICE("apiVersion"))),
                      node_string(node_member(source->root, SLICE("kind"))));
    job->meta = source->meta;
    job->declares_members = true;
    job->num_gangs = 1;
}

struct role *
gang_job_add_role(struct gang_wishes *job, size_t most, struct slice name,
                  const struct node *source, struct arena *arena)
{
    struct role *role;

    if (!job->roles)
        job->roles = arena_array(arena, most, sizeof(*job->roles));
    if (!job->roles)
        return NULL;
    role = &job->roles[job->num_roles++];
    role->name = name;
    role->source = source;
    role->unit = 1;
    gang_job_set_count(role, 1);
    return role;
}

void
gang_job_set_count(struct role *role, int64_t count)
{
    role->count = count;
    role->min_count = count;
    role->first_count = count;
}

void
gang_job_add_edge(struct role *role, size_t most, const struct dependency *edge,
                  struct arena *arena)
{
    if (!role->dependencies)
        role->dependencies = arena_array(arena, most, sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    role->dependencies[role->num_dependencies] = *edge;
    role->dependencies[role->num_dependencies++].index = ROLE_NONE;
}

void
gang_job_stand_back(struct gang_wishes *job, const struct node *source, const char *reason)
{
    if (job->why_no_gang)
        return; /* the first reason is enough */
    job->why_no_gang = reason;
    job->why_source = source;
}

struct job_request
gang_job_wish(const struct node *node)
{
    return (struct job_request){.value = node_string(node),
                                .source = node_is(node, NODE_STRING) ? node : NULL};
}

/* ---- checks of the job ---- */

/* Returns the field of a role or group that a finding is about, or else the whole. */
static const struct node *
gang_job_field(const struct node *source, struct slice key)
{
    const struct node *field = node_member(source, key);

    return field ? field : source;
}

static void
gang_job_check_name(const struct gang_wishes *job, size_t index, struct report *report)
{
    const struct role *role = &job->roles[index];
    const struct node *at;

    if (!role->name.len)
        return; /* reported by the schema */
    at = gang_job_field(role->source, SLICE("name"));
    if (wishes_find_role(job, role->name) != role)
        find_note(report, at, MESSAGE_DUPLICATE_ITEM_NAME, SLICE_ARG(role->name));
    job_check_label(role->name, at, report);
}

/* A rule for a number of a role: its bounds, both included, and the unit that divides it. */
struct gang_job_number {
    struct slice key;
    int64_t value;
    int64_t least;
    int64_t most;
    const char *most_is; /* name of the upper bound; NULL: the number itself */
    int64_t unit;
};

static void
gang_job_check_counts(const struct role *role, struct report *report)
{
    const struct gang_job_number numbers[] = {
        {SLICE("unit"), role->unit, 1, INT32_MAX, NULL, 1},
        {SLICE("count"), role->count, 0, INT32_MAX, NULL, role->unit},
        {SLICE("minCount"), role->min_count, 0, role->count, "count", role->unit},
        {SLICE("firstCount"), role->first_count, role->min_count ? 1 : 0, role->min_count,
         "minCount", 1},
    };
    for (size_t i = 0; i < COUNT_OF(numbers); i++) {
        const struct gang_job_number *number = &numbers[i];
        const long long value = (long long)number->value;
        const struct node *at;

        if (value >= number->least && value <= number->most &&
            (number->unit <= 1 || value % number->unit == 0))
            continue;
        at = gang_job_field(role->source, number->key);
        if (number->value < number->least)
            find_note(report, at, MESSAGE_VALUE_OUT_OF_RANGE_ROLE_BELOW, value,
                      (long long)number->least);
        else if (number->value > number->most && number->most_is)
            find_note(report, at, MESSAGE_ROLE_COUNTS_DISAGREE_ABOVE, value, number->most_is,
                      (long long)number->most);
        else if (number->value > number->most)
            find_note(report, at, MESSAGE_VALUE_OUT_OF_RANGE_ROLE_ABOVE, value,
                      (long long)number->most);
        else
            find_note(report, at, MESSAGE_ROLE_COUNTS_DISAGREE_UNIT, value,
                      (long long)number->unit);
        return;
    }
}

static void
gang_job_check_edges(const struct role *role, struct report *report)
{
    if (!job_spend_names(role->num_dependencies, role->num_dependencies, report->arena))
        return;
    for (size_t i = 0; i < role->num_dependencies; i++)
        for (size_t k = 0; k < i; k++)
            if (slice_equal(role->dependencies[i].role, role->dependencies[k].role)) {
                find_note(report, role->dependencies[i].source, MESSAGE_DUPLICATE_ITEM_DEPENDENCY,
                          SLICE_ARG(role->dependencies[i].role));
                break;
            }
}

/* Every group needs memory and time, and so does every edge, so both are limited like roles. */
static void
gang_job_check_limits(const struct gang_wishes *job, struct report *report)
{
    const uint64_t most = report->limits->value[GANG_LIMIT_ROLES];
    int64_t pods = 0;

    if (job->num_roles > most)
        find_note(report, job->roles[0].source->parent, MESSAGE_LIMIT_ROLES, job->num_roles,
                  (unsigned long long)most);
    for (size_t i = 0; i < job->num_roles; i++) {
        int64_t before = pods;

        if (job->roles[i].count > 0)
            pods = integer_add_capped(pods, job->roles[i].count);
        if (before <= INT32_MAX && pods > INT32_MAX)
            find_note(report, job->roles[i].source, MESSAGE_PODS_OVERFLOW_GANG_JOB);
    }
}

void
gang_job_check(const struct gang_wishes *job, struct report *report)
{
    bool has_groups = job->num_groups > 0;

    gang_job_check_limits(job, report);
    if (!job_spend_names(job->num_roles, job->num_roles, report->arena))
        return;
    for (size_t i = 0; i < job->num_roles; i++) {
        const struct role *role = &job->roles[i];

        has_groups |= slice_is_set(role->group);
        gang_job_check_name(job, i, report);
        if (role->unit != 1 || role->count < 0 || role->count > INT32_MAX ||
            role->min_count != role->count || role->first_count != role->count)
            gang_job_check_counts(role, report);
        if (slice_is_set(role->unit_label)) {
            const struct node *label = node_member(role->source, SLICE("unitLabel"));

            if (role->unit <= 1)
                find_note(report, label, MESSAGE_UNIT_LABEL_ALONE);
            name_check_node(label, NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY, NULL, report);
        }
        gang_job_check_edges(role, report);
        if (role->pod_template && role->requests_source)
            find_note(report, gang_job_field(role->source, SLICE("requests")),
                      MESSAGE_TEMPLATE_AND_REQUESTS);
        else if (!role->pod_template && !role->requests_source && role->count > 0)
            find_note(report, role->source, MESSAGE_ROLE_REQUESTS_UNKNOWN, SLICE_ARG(role->name));
    }
    if (has_groups)
        gang_job_check_groups(job, report);
}
