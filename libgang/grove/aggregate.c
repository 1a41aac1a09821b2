/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- kai name ---- */

enum {
    AGGREGATE_NAME_MOST = 63,
    AGGREGATE_NAME_HASH = 10,
    AGGREGATE_NAME_HEAD = AGGREGATE_NAME_MOST - AGGREGATE_NAME_HASH - 1
};

/*
 * Replaces each byte that KAI does not accept with '-' and merges adjacent ones, so that a
 * character with several bytes becomes one '-'.
 */
static struct slice
aggregate_name_normalise(struct slice name, struct arena *arena)
{
    char *text = arena_alloc(arena, name.len + 1);
    size_t len = 0;

    for (size_t i = 0; text && i < name.len; i++) {
        char c = ascii_lower(name.data[i]);

        if (!ascii_is(c, ASCII_LOWER | ASCII_DIGIT))
            c = '-';
        if (c != '-' || (len && text[len - 1] != '-'))
            text[len++] = c;
    }
    while (len && text[len - 1] == '-')
        len--;
    return (struct slice){text, text ? len : 0};
}

struct slice
aggregate_stable_name(struct slice name, struct arena *arena)
{
    struct slice normal = aggregate_name_normalise(name, arena);
    char hash[SHA256_TEXT_SIZE];

    if (name.len && name.len <= AGGREGATE_NAME_MOST && slice_equal(name, normal))
        return name;
    if (normal.len > AGGREGATE_NAME_HEAD)
        normal.len = AGGREGATE_NAME_HEAD;
    while (normal.len && normal.data[normal.len - 1] == '-')
        normal.len--;
    if (!normal.len)
        normal = SLICE("kai");
    return ARENA_SLICE(arena, "%.*s-%.*s", SLICE_ARG(normal), AGGREGATE_NAME_HASH,
                       sha256_text(name, hash));
}

/* ---- aggregate ---- */

/* Name of the subgroup for all scaled PodGangs. */
static const struct slice aggregate_collection = SLICE_INIT("scaled-podgangs");

struct aggregate {
    const struct grove_job *job;
    struct gang_wishes *wishes;
    struct report *report;
    const struct gang_podgang **members; /* the base, then the others sorted by name */
    size_t num_members;
};

static struct slice
aggregate_replica(const struct gang_podgang *podgang)
{
    return node_string(node_text_member(podgang->meta.labels, GROVE_LABEL_REPLICA_INDEX));
}

static bool
aggregate_belongs(const struct gang_podgang *sibling, const struct gang_podgang *podgang)
{
    return namespaces_meet(sibling->meta.namespace_, podgang->meta.namespace_) &&
           slice_equal(sibling->controller.name, podgang->controller.name) &&
           slice_equal(aggregate_replica(sibling), aggregate_replica(podgang));
}

static bool
aggregate_is_base(const struct gang_podgang *podgang, struct arena *arena)
{
    const char *name = arena_format(arena, "%.*s-%.*s", SLICE_ARG(podgang->controller.name),
                                    SLICE_ARG(aggregate_replica(podgang)));

    return slice_equal(podgang->meta.name, slice_from_text(name));
}

const struct gang_podgang *
aggregate_base(const struct grove_job *job, struct report *report)
{
    const struct gang_podgang *podgang = job->podgang;
    struct slice missing;
    const struct node *place = grove_job_label_place(&podgang->meta, &missing);

    if (!aggregate_replica(podgang).len) {
        find_note_below(report, place, missing, MESSAGE_GROVE_LABEL_MISSING_BASE,
                        grove_job_full_name(&podgang->meta, report->arena));
        return NULL;
    }
    if (aggregate_is_base(podgang, report->arena))
        return podgang;
    for (size_t i = 0; i < job->num_siblings; i++)
        if (aggregate_belongs(job->siblings[i], podgang) &&
            aggregate_is_base(job->siblings[i], report->arena))
            return job->siblings[i];
    find_note(report, podgang->meta.name_source, MESSAGE_BASE_PODGANG_MISSING,
              SLICE_ARG(podgang->controller.name), SLICE_ARG(aggregate_replica(podgang)));
    return NULL;
}

struct slice
aggregate_name_of(struct slice set, struct slice replica, struct arena *arena)
{
    const char *name = arena_format(arena, "grove-%.*s-%.*s", SLICE_ARG(set), SLICE_ARG(replica));

    return aggregate_stable_name(slice_from_text(name), arena);
}

struct slice
aggregate_name(const struct grove_job *job, struct arena *arena)
{
    return aggregate_name_of(job->podgang->controller.name, aggregate_replica(job->podgang), arena);
}

static int
aggregate_compare_podgangs(const void *a, const void *b, const void *context)
{
    (void)context;
    return slice_compare(((const struct gang_podgang *)a)->meta.name,
                         ((const struct gang_podgang *)b)->meta.name);
}

void
aggregate_check_scaled(const struct gang_podgang *scaled, struct report *report)
{
    if (!node_text_member(scaled->meta.labels, GROVE_LABEL_SCALING_GROUP))
        find_in_root(report, scaled->document.root, MESSAGE_GROVE_LABEL_MISSING_SCALED,
                     grove_job_full_name(&scaled->meta, report->arena));
}

static struct gang_group *
aggregate_add(struct aggregate *all, struct slice name, size_t parent, size_t role)
{
    struct gang_group *group = &all->wishes->groups[all->wishes->num_groups++];

    *group = (struct gang_group){
        .name = aggregate_stable_name(name, all->report->arena), .parent = parent, .role = role};
    return group;
}

static void
aggregate_add_podgroups(struct aggregate *all, const struct gang_podgang *podgang, size_t branch)
{
    const struct grove_job job = {.podgang = podgang, .podcliqueset = all->job->podcliqueset};
    const struct podgang_podgroup **podgroups = (const struct podgang_podgroup **)stable_sort_array(
        podgang->podgroups, podgang->num_podgroups, sizeof(*podgang->podgroups),
        slice_compare_first, NULL, all->report->arena);

    for (size_t i = 0; podgroups && i < podgang->num_podgroups; i++) {
        size_t role = all->wishes->num_roles++;
        struct gang_group *group = aggregate_add(all, podgroups[i]->name, branch, role);

        all->wishes->roles[role] = grove_gang_role(&job, podgroups[i]);
        group->minimum = podgroups[i]->minimum;
        group->placement =
            grove_placement_of(podgroups[i]->source, grove_gang_topology_name(all->job, podgang));
        group->source = podgroups[i]->source;
    }
}

static void
aggregate_add_podgang(struct aggregate *all, const struct gang_podgang *podgang, struct slice name,
                      size_t parent)
{
    size_t branch = all->wishes->num_groups;
    size_t first_role = all->wishes->num_roles;
    int64_t children = 0;
    const struct podgang_config **configs;

    aggregate_add(all, name, parent, ROLE_NONE)->source = podgang->meta.source;
    configs = (const struct podgang_config **)stable_sort_array(
        podgang->configs, podgang->num_configs, sizeof(*podgang->configs), slice_compare_first,
        NULL, all->report->arena);
    for (size_t i = 0; configs && i < podgang->num_configs; i++) {
        struct gang_group *group;

        if (node_count(configs[i]->members) == 0)
            continue;
        group = aggregate_add(all, configs[i]->name, branch, ROLE_NONE);
        group->minimum = (int64_t)node_count(configs[i]->members);
        group->placement =
            grove_placement_of(configs[i]->source, grove_gang_topology_name(all->job, podgang));
        group->source = configs[i]->source;
    }
    aggregate_add_podgroups(all, podgang, branch);
    grove_gang_link_groups(all->wishes, branch, first_role, all->report);
    for (size_t i = branch + 1; i < all->wishes->num_groups; i++)
        children += all->wishes->groups[i].parent == branch;
    all->wishes->groups[branch].minimum = children;
}

/* A scaled PodGang may have the same name as a group of the base: job-0-sg-0 can be either. */
static void
aggregate_add_scaled(struct aggregate *all, const struct gang_podgang *podgang, size_t collection)
{
    struct slice name = podgang->meta.name;
    size_t branch = all->wishes->num_groups;
    struct gang_placement placement =
        grove_placement_of(podgang->spec, grove_gang_topology_name(all->job, podgang));

    if (FIND_TEXT(all->wishes->groups, all->wishes->num_groups, name,
                  aggregate_stable_name(name, all->report->arena)))
        name = ARENA_SLICE(all->report->arena, "%.*s-gang", SLICE_ARG(name));
    aggregate_add_podgang(all, podgang, name, collection);
    if (placement.is_set != all->wishes->placement.is_set ||
        !slice_equal(placement.required, all->wishes->placement.required) ||
        !slice_equal(placement.preferred, all->wishes->placement.preferred) ||
        !slice_equal(placement.topology, all->wishes->placement.topology))
        all->wishes->groups[branch].placement = placement;
}

static void
aggregate_add_all(struct aggregate *all)
{
    size_t collection = GROUP_OF_GANG;

    aggregate_add_podgang(all, all->members[0], all->members[0]->meta.name, GROUP_OF_GANG);
    if (all->num_members > 1) {
        collection = all->wishes->num_groups;
        aggregate_add(all, aggregate_collection, GROUP_OF_GANG, ROLE_NONE);
    }
    for (size_t i = 1; i < all->num_members; i++) {
        const struct gang_podgang *scaled = all->members[i];
        const struct gang_podgang *base = all->members[0];
        const char *name = grove_job_full_name(&scaled->meta, all->report->arena);
        struct slice class_name =
            node_string(node_member(scaled->spec, SLICE("priorityClassName")));

        /* All PodGangs must have the same priority class and the same topology. */
        aggregate_check_scaled(scaled, all->report);
        if (!slice_equal(class_name, all->wishes->priority_class_name))
            find_in_root(all->report, scaled->document.root, MESSAGE_PODGANGS_DISAGREE_PRIORITY,
                         name, SLICE_ARG(class_name), SLICE_ARG(all->wishes->priority_class_name));
        if (!slice_equal(grove_gang_topology_name(all->job, scaled),
                         grove_gang_topology_name(all->job, base)))
            find_in_root(all->report, scaled->document.root, MESSAGE_PODGANGS_DISAGREE_TOPOLOGY,
                         name, SLICE_ARG(grove_gang_topology_name(all->job, scaled)),
                         SLICE_ARG(grove_gang_topology_name(all->job, base)));
        aggregate_add_scaled(all, all->members[i], collection);
    }
    all->wishes->minimum_groups = all->num_members > 1 ? 2 : 1;
    for (size_t i = 0; i < all->wishes->num_groups; i++)
        if (i != collection && slice_equal(all->wishes->groups[i].name, aggregate_collection))
            find_invalid(all->report, node_member(all->wishes->groups[i].source, SLICE("name")),
                         MESSAGE_DUPLICATE_ITEM_SCALED);
    grove_gang_check_names(all->wishes, all->report);
}

void
aggregate_fill(const struct grove_job *job, struct gang_wishes *wishes, struct report *report)
{
    const struct podgang_controller *controller = &job->podgang->controller;
    struct aggregate all = {.job = job, .wishes = wishes, .report = report};
    size_t groups = 1;
    size_t roles = 0;
    const void **members;
    size_t count = 1;

    grove_gang_fill_shared(job, wishes);
    wishes->owner.api_version = controller->api_version;
    wishes->owner.kind = controller->kind;
    wishes->owner.name = controller->name;
    wishes->owner.uid = controller->uid;
    wishes->name = aggregate_name(job, report->arena);
    wishes->placement =
        grove_placement_of(job->podgang->spec, grove_gang_topology_name(job, job->podgang));
    members = arena_array(all.report->arena, all.job->num_siblings + 1, sizeof(*members));
    if (members) {
        members[0] = all.job->podgang;
        for (size_t i = 0; i < all.job->num_siblings; i++)
            if (aggregate_belongs(all.job->siblings[i], all.job->podgang))
                members[count++] = all.job->siblings[i];
        if (stable_sort(members + 1, count - 1, aggregate_compare_podgangs, NULL, report->arena))
            all.members = (const struct gang_podgang **)members;
        all.num_members = count;
    }
    for (size_t i = 0; all.members && i < all.num_members; i++) {
        roles += all.members[i]->num_podgroups;
        groups += 1 + all.members[i]->num_configs + all.members[i]->num_podgroups;
    }
    wishes->groups = arena_array(report->arena, groups, sizeof(*wishes->groups));
    wishes->roles = arena_array(report->arena, roles + 1, sizeof(*wishes->roles));
    if (all.members && wishes->groups && wishes->roles)
        aggregate_add_all(&all);
}
