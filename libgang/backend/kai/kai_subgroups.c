/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/* ---- staleness ---- */

bool
kai_subgroups_never_stale(const struct kai_pod_group *group, const struct release *release)
{
    int64_t period;

    return kai_has(KAI_DELAYS, release) && duration_parse(group->staleness_grace_period, &period) &&
           period < 0;
}

static bool
kai_is_optional(const struct kai_pod_group *group, size_t subgroup)
{
    int64_t children = 0;

    for (size_t i = 0; i < group->num_subgroups; i++)
        children += slice_equal(group->subgroups[i].parent, group->subgroups[subgroup].name);
    return group->subgroups[subgroup].min_sub_group.value < children;
}

/*
 * The scheduler does not consider minSubGroup when it decides that a group is stale:
 * pkg/scheduler/api/podgroup_info/job_info.go IsStale@d5bc503a
 */
void
kai_subgroups_check(const struct kai_pod_group *group, const struct release *release,
                    const struct backend_call *call, struct report *report)
{
    for (size_t i = 0; i < group->num_subgroups; i++) {
        struct quoted name;

        if (!group->subgroups[i].min_sub_group.is_set || !kai_is_optional(group, i) ||
            kai_subgroups_never_stale(group, release))
            continue;
        find_note(report, GANG_CODE_OPTIONAL_GROUP_EVICTED, call->gang->wishes->owner.name_source,
                  kai_has(KAI_DELAYS, release)
                      ? "annotate the job kai.scheduler/staleness-grace-period: \"-1s\""
                      : "let all subgroups start, or upgrade KAI to v0.17",
                  "the gang can start without a part of subgroup %s, but KAI evicts all its pods "
                  "after a minute, unless the others have started by then",
                  quote(&name, group->subgroups[i].name));
        return;
    }
}

/* ---- subgroups in the plan ---- */

/* Returns the list of the subgroups below it, to be filled. A leaf has the name of its role. */
static struct builder
kai_list_subgroup(const struct kai_subgroup *source, struct builder *list)
{
    const struct gang_placement placement = {
        .is_set = source->min_sub_group.is_set && !kai_topology_is_empty(&source->topology),
        .topology = source->topology.topology,
        .required = source->topology.required_level,
        .preferred = source->topology.preferred_level,
    };
    const bool is_leaf = !source->min_sub_group.is_set;
    const struct backend_subgroup subgroup = {
        .name = source->name,
        .minimum = is_leaf ? source->min_member.value : source->min_sub_group.value,
        .role = is_leaf ? source->name : NO_SLICE,
        .placement = placement,
    };

    return backend_list_subgroup(&subgroup, NULL, list);
}

/* A parent precedes its subgroups, so their list exists when they are added. */
static struct builder *
kai_list_of_parent(const struct kai_pod_group *group, size_t subgroup, struct builder *lists,
                   struct builder *root)
{
    for (size_t i = 0; i < subgroup; i++)
        if (slice_is_set(group->subgroups[subgroup].parent) &&
            slice_equal(group->subgroups[i].name, group->subgroups[subgroup].parent))
            return &lists[i];
    return root;
}

void
kai_subgroups_list(const struct kai_pod_group *group, struct builder *list)
{
    struct builder *lists = arena_array(list->arena, group->num_subgroups, sizeof(*lists));

    for (size_t i = 0; lists && i < group->num_subgroups; i++)
        lists[i] =
            kai_list_subgroup(&group->subgroups[i], kai_list_of_parent(group, i, lists, list));
}
