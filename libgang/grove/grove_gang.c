/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- grove gang ---- */

static void
grove_gang_take_clique(struct role *role, const struct podclique_template *clique)
{
    role->count = clique->replicas;
    role->requests = clique->requests;
    role->scheduler_name = clique->scheduler_name;
    role->scheduler_name_source = node_member(clique->pod_spec, SLICE("schedulerName"));
    role->priority_class_name = clique->priority_class_name;
    role->priority_class_source = node_member(clique->pod_spec, SLICE("priorityClassName"));
}

struct role
grove_gang_role(const struct grove_job *job, const struct podgang_podgroup *podgroup)
{
    const struct podclique_template *clique =
        job->podcliqueset ? podcliqueset_find_clique(job->podcliqueset, podgroup->name) : NULL;
    struct role role = {
        .name = podgroup->name, .source = podgroup->source, .lacks_requests = !clique};
    int64_t count;

    if (clique)
        grove_gang_take_clique(&role, clique);
    /*
     * The number of existing pods has precedence over the replicas in the template, because a
     * PodClique can be scaled separately.
     */
    count = podgroup->num_pods ? (int64_t)podgroup->num_pods : role.count;
    role.count = count < podgroup->minimum ? podgroup->minimum : count;
    role.min_count = podgroup->minimum;
    role.has_min_count = role.min_count != role.count;
    return role;
}

void
grove_gang_fill_roles(const struct grove_job *job, struct gang_wishes *wishes,
                      struct report *report)
{
    const struct gang_podgang *podgang = job->podgang;

    wishes->roles = arena_array(report->arena, podgang->num_podgroups, sizeof(*wishes->roles));
    if (!wishes->roles)
        return;
    wishes->num_roles = podgang->num_podgroups;
    for (size_t i = 0; i < wishes->num_roles; i++)
        wishes->roles[i] = grove_gang_role(job, &podgang->podgroups[i]);
}

struct slice
grove_gang_topology_name(const struct grove_job *job, const struct gang_podgang *podgang)
{
    const struct gang_topologybinding *binding = job->topology;
    const struct descriptor *scheduler = catalog_of_topologies();
    const struct node *name =
        node_text_member(podgang->meta.annotations, GROVE_ANNOTATION_TOPOLOGY);
    const struct node *reference = NULL;

    if (binding && slice_equal(node_string(name), binding->meta.name))
        reference = topologybinding_reference(binding, scheduler->grove.name);
    if (reference)
        return node_string(reference);
    return node_string(
        name ? name : node_text_member(podgang->meta.annotations, scheduler->topology.annotation));
}

/*
 * Returns the group of the podgroup; NULL if there is none. `sorted` are the roles by their names.
 * The last groups are those of the roles.
 */
static struct gang_group *
grove_gang_group_of(struct gang_wishes *wishes, const void *const *sorted, size_t count,
                    struct slice podgroup)
{
    const size_t at = sorted_search(sorted, count, &podgroup, slice_compare_first, NULL);
    const struct role *role = at < count ? sorted[at] : NULL;

    return role && slice_equal(role->name, podgroup)
               ? wishes->groups + wishes->num_groups - wishes->num_roles + (role - wishes->roles)
               : NULL;
}

void
grove_gang_link_groups(struct gang_wishes *wishes, size_t first, size_t first_role,
                       struct report *report)
{
    const size_t count = wishes->num_roles - first_role;
    const void **sorted = stable_sort_array(wishes->roles + first_role, count, sizeof(struct role),
                                            slice_compare_first, NULL, report->arena);

    for (size_t i = first; sorted && i < wishes->num_groups; i++) {
        const struct node *source = wishes->groups[i].source;

        if (wishes->groups[i].role != ROLE_NONE)
            continue;
        for (NODE_EACH(member, node_member(source, SLICE("podGroupNames")))) {
            struct gang_group *group =
                grove_gang_group_of(wishes, sorted, count, node_string(member));

            if (!group)
                find_invalid(report, member, MESSAGE_PODGROUP_UNKNOWN);
            else if (group->parent != wishes->groups[i].parent)
                find_note(report, member, MESSAGE_PODGROUP_IN_TWO_CONFIGS, SLICE_ARG(group->name),
                          SLICE_ARG(wishes->groups[group->parent].name),
                          SLICE_ARG(wishes->groups[i].name));
            else
                group->parent = i;
        }
    }
}

static void
grove_gang_fill_groups(const struct grove_job *job, struct gang_wishes *wishes,
                       struct report *report)
{
    const struct gang_podgang *podgang = job->podgang;
    struct slice topology = grove_gang_topology_name(job, podgang);
    size_t most = podgang->num_configs + podgang->num_podgroups;

    wishes->placement = grove_placement_of(podgang->spec, topology);
    wishes->groups = arena_array(report->arena, most, sizeof(*wishes->groups));
    if (!wishes->groups)
        return;
    for (size_t i = 0; i < podgang->num_configs; i++) {
        const struct podgang_config *config = &podgang->configs[i];

        /* Source: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb */
        if (node_count(config->members) == 0)
            continue;
        wishes->groups[wishes->num_groups++] = (struct gang_group){
            .name = config->name,
            .minimum = (int64_t)node_count(config->members),
            .parent = GROUP_OF_GANG,
            .role = ROLE_NONE,
            .placement = grove_placement_of(config->source, topology),
            .source = config->source,
        };
    }
    for (size_t i = 0; i < podgang->num_podgroups; i++) {
        const struct podgang_podgroup *podgroup = &podgang->podgroups[i];

        wishes->groups[wishes->num_groups++] = (struct gang_group){
            .name = podgroup->name,
            .minimum = podgroup->minimum,
            .parent = GROUP_OF_GANG,
            .role = i,
            .placement = grove_placement_of(podgroup->source, topology),
            .source = podgroup->source,
        };
    }
    grove_gang_link_groups(wishes, 0, 0, report);
}

/* Pods and scheduler objects refer to a group only by its name, so names must be unique. */
void
grove_gang_check_names(const struct gang_wishes *wishes, struct report *report)
{
    const void **groups =
        stable_sort_array(wishes->groups, wishes->num_groups, sizeof(*wishes->groups),
                          slice_compare_first, NULL, report->arena);

    for (size_t i = 1; groups && i < wishes->num_groups; i++)
        if (slice_compare_first(groups[i - 1], groups[i], NULL) == 0)
            find_duplicate(
                report, node_member(((const struct gang_group *)groups[i])->source, SLICE("name")),
                GANG_CODE_DUPLICATE_ITEM, NULL);
}

void
grove_gang_fill_shared(const struct grove_job *job, struct gang_wishes *wishes)
{
    const struct gang_podgang *podgang = job->podgang;
    const struct node *priority = node_member(podgang->spec, SLICE("priorityClassName"));

    wishes->owner =
        gang_owner_of(&podgang->meta, SLICE(GANG_PODGANG_API_VERSION), SLICE(GANG_KIND_PODGANG));
    wishes->name = wishes->owner.name;
    wishes->is_grouped = true;
    wishes->role_label = GROVE_LABEL_PODCLIQUE;
    wishes->labels = podgang->meta.labels;
    wishes->annotations = podgang->meta.annotations;
    wishes->priority_class_name = node_string(priority);
    wishes->priority_class_source = priority;
}

void
grove_gang_fill(const struct grove_job *job, struct gang_wishes *wishes, struct report *report)
{
    grove_gang_fill_shared(job, wishes);
    grove_gang_fill_roles(job, wishes, report);
    grove_gang_fill_groups(job, wishes, report);
    grove_gang_check_names(wishes, report);
}

/*
 * Multiplies a number of pods by the replicas of a map; very many are counted as INT32_MAX. None
 * are counted as one, as Grove does for a clique, and for a set so that rules match its requests.
 */
static int64_t
grove_gang_multiply(int64_t pods, const struct node *map)
{
    int64_t replicas = 1;

    node_int(node_member(map, SLICE("replicas")), &replicas);
    if (replicas < 1)
        return pods;
    return pods > INT32_MAX / replicas ? INT32_MAX : pods * replicas;
}

/*
 * The pods of a clique in all replicas of the set and of its scaling group. Source: for a clique
 * operator/internal/webhook/admission/pcs/defaulting/podcliqueset.go.
 */
static int64_t
grove_gang_count_pods(const struct gang_podcliqueset *set, const struct podclique_template *clique,
                      struct arena *arena)
{
    int64_t pods = grove_gang_multiply(1, node_member(clique->source, SLICE("spec")));

    pods = grove_gang_multiply(pods, set->pod_template->parent);
    for (size_t i = 0; i < set->num_groups; i++) {
        if (!arena_spend(arena, node_count(set->groups[i].cliques)))
            return 0;
        for (NODE_EACH(name, set->groups[i].cliques))
            if (slice_equal(node_string(name), clique->name))
                pods = grove_gang_multiply(pods, set->groups[i].source);
    }
    return pods;
}

void
grove_gang_fill_from_set(const struct gang_podcliqueset *set, struct gang_wishes *wishes,
                         struct report *report)
{
    wishes->owner =
        gang_owner_of(&set->meta, SLICE(GANG_GROVE_API_VERSION), SLICE(GANG_KIND_PODCLIQUESET));
    wishes->is_grouped = true;
    wishes->roles = arena_array(report->arena, set->num_cliques, sizeof(*wishes->roles));
    if (!wishes->roles)
        return;
    wishes->num_roles = set->num_cliques;
    for (size_t i = 0; i < set->num_cliques; i++) {
        wishes->roles[i] =
            (struct role){.name = set->cliques[i].name, .source = set->cliques[i].source};
        grove_gang_take_clique(&wishes->roles[i], &set->cliques[i]);
        wishes->roles[i].count = grove_gang_count_pods(set, &set->cliques[i], report->arena);
    }
}

void
grove_gang_request(const struct node *spec, struct gang_wishes *wishes)
{
    const struct gang_placement *placement = &wishes->placement;
    const struct node *priority = node_member(spec, SLICE("priorityClassName"));
    const bool has_priority = node_string(priority).len > 0;

    wishes->priority_request = (struct job_request){
        .value = has_priority ? node_string(priority) : NO_SLICE,
        .source = priority,
        .document = has_priority ? GANG_DOCUMENT_NONE : GANG_DOCUMENT_PODGANG,
        .reason = has_priority ? "set in the PodGang" : "the PodGang sets no priority class",
        .overrides = "the PodGang has precedence",
        .is_set = has_priority,
    };

    wishes->timeout_request = (struct job_request){.document = GANG_DOCUMENT_PODGANG,
                                                   .reason = "a PodGang has no timeout"};
    wishes->topology_request = (struct job_request){
        .value = slice_is_set(placement->required) ? placement->required : placement->preferred,
        .source = placement->is_set ? placement->source : NULL,
        .document = GANG_DOCUMENT_PODGANG,
        .reason = placement->is_set ? "the PodGang's topologyConstraint"
                                    : "the PodGang as a whole has no topologyConstraint",
        .overrides = "the PodGang's topologyConstraint has precedence",
        .is_set = placement->is_set,
    };
}
