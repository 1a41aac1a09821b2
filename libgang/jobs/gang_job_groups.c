/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "libgang/document/document.h"

/* Returns the index of the first group of that name; GROUP_OF_GANG if there is none. */
static size_t
job_group_find(const struct gang_job *job, struct slice name)
{
    for (size_t i = 0; name.len && i < job->num_groups; i++)
        if (slice_equal(job->groups[i].name, name))
            return i;
    return GROUP_OF_GANG;
}

/* ---- checks ---- */

static void
job_group_check_name(const struct gang_job *job, size_t index, struct report *report)
{
    const struct gang_group *group = &job->groups[index];
    const struct node *at = node_member(group->source, SLICE("name"));
    struct name_problems problems;
    struct quoted name;

    if (!group->name.len)
        return; /* reported by the schema */
    if (job_group_find(job, group->name) != index)
        find_note(report, GANG_CODE_DUPLICATE_ITEM, at, NULL, "Duplicate value: %s",
                  quote(&name, group->name));
    else if (gang_job_find_role(job, group->name))
        find_note(report, GANG_CODE_DUPLICATE_ITEM, at, "give the group another name",
                  "Duplicate value: %s: a role has this name", quote(&name, group->name));
    if (name_check(NAME_DNS1123_LABEL, group->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_note(report, GANG_CODE_INVALID_NAME, at, NULL, "Invalid value: %s: %s",
                  quote(&name, group->name), problems.text[i]);
}

/* Reports a name, of a group or of no group, that the document has and the job does not. */
static void
job_group_check_reference(const struct gang_job *job, const struct node *reference,
                          struct report *report)
{
    const struct slice group = node_string(reference);
    struct quoted name;

    if (slice_is_set(group) && job_group_find(job, group) == GROUP_OF_GANG)
        find_note(report, GANG_CODE_GROUP_NOT_FOUND, reference, "add the group to spec.groups",
                  "Not found: %s: spec.groups has no such group", quote(&name, group));
}

/* Whether the parents of the group lead back to it. */
static bool
job_group_is_in_cycle(const struct gang_job *job, size_t index)
{
    size_t at = index;

    for (size_t steps = 0; steps < job->num_groups; steps++) {
        at = job->groups[at].parent;
        if (at == GROUP_OF_GANG || at == index)
            return at == index;
    }
    return false;
}

static int64_t
job_group_count_children(const struct gang_job *job, struct slice name)
{
    int64_t children = 0;

    for (size_t i = 0; i < job->num_groups; i++)
        children += job->groups[i].parent != GROUP_OF_GANG &&
                    slice_equal(job->groups[job->groups[i].parent].name, name);
    for (size_t i = 0; i < job->num_roles; i++)
        children += slice_equal(job->roles[i].group, name);
    return children;
}

static void
job_group_check_minimum(const struct gang_job *job, const struct gang_group *group,
                        struct report *report)
{
    int64_t children = job_group_count_children(job, group->name);
    struct quoted name;

    if (!group->name.len)
        return; /* it is unknown which roles are in it */
    if (!children)
        find_note(report, GANG_CODE_GROUP_EMPTY, node_member(group->source, SLICE("name")),
                  "name the group in a role, or remove it", "the group %s has no roles",
                  quote(&name, group->name));
    else if (group->minimum > children)
        find_note(report, GANG_CODE_GROUP_MINIMUM, node_member(group->source, SLICE("minimum")),
                  NULL,
                  "Invalid value: %lld: must not be greater than %lld, the number of roles and "
                  "groups in the group",
                  (long long)group->minimum, (long long)children);
}

void
gang_job_check_groups(const struct gang_job *job, struct report *report)
{
    for (size_t i = 0; i < job->num_roles; i++)
        job_group_check_reference(job, node_member(job->roles[i].source, SLICE("group")), report);
    for (size_t i = 0; i < job->num_groups; i++) {
        const struct node *parent = node_member(job->groups[i].source, SLICE("parent"));

        job_group_check_name(job, i, report);
        job_group_check_reference(job, parent, report);
        if (job_group_is_in_cycle(job, i))
            find_note(report, GANG_CODE_GROUP_CYCLE, parent, NULL,
                      "the parents of the group lead back to it");
        job_group_check_minimum(job, &job->groups[i], report);
    }
}

/* ---- the groups of the wishes ---- */

void
gang_job_link_groups(struct gang_job *job)
{
    for (size_t i = 0; i < job->num_groups; i++)
        job->groups[i].parent =
            job_group_find(job, node_string(node_member(job->groups[i].source, SLICE("parent"))));
}

/* Returns the index in the wishes of a group of the job; GROUP_OF_GANG if it is not there. */
static size_t
job_group_place(const struct gang_job *job, size_t group, const struct gang_wishes *wishes)
{
    for (size_t i = 0; group != GROUP_OF_GANG && i < wishes->num_groups; i++)
        if (slice_equal(wishes->groups[i].name, job->groups[group].name))
            return i;
    return GROUP_OF_GANG;
}

/* Adds the first group that is not there, and whose parent is. Returns false if there is none. */
static bool
job_group_add_next(const struct gang_job *job, struct gang_wishes *wishes)
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
gang_job_fill_groups(const struct gang_job *job, struct gang_wishes *wishes, struct arena *arena)
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
