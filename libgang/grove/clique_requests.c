/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/clique_requests.h"

#include "libgang/document/finding.h"

/* All but the handle: other threads count its references meanwhile. */
static struct gang_podcliqueset *
clique_requests_copy(const struct gang_podcliqueset *set, struct arena *arena)
{
    struct gang_podcliqueset *copy = arena_array(arena, 1, sizeof(*copy));
    struct podclique_template *cliques =
        arena_grow(arena, set->cliques, set->num_cliques, set->num_cliques, sizeof(*cliques));

    if (!copy || !cliques)
        return NULL;
    *copy = (struct gang_podcliqueset){
        .name = set->name,
        .namespace_ = set->namespace_,
        .meta = set->meta,
        .pod_template = set->pod_template,
        .cliques = cliques,
        .num_cliques = set->num_cliques,
        .groups = set->groups,
        .num_groups = set->num_groups,
        .topology = set->topology,
    };
    return copy;
}

static void
clique_requests_admit_pods(struct podclique_template *clique, const struct pod_admission *admission,
                           struct report *report)
{
    clique->resources =
        pod_admission_apply(admission, clique->pod_spec, &clique->resources, report->arena, report);
    podclique_sum_requests(clique, POD_REQUESTS_EFFECTIVE, report);
}

const struct gang_podcliqueset *
clique_requests_admit(const struct gang_podcliqueset *set, const struct pod_admission *admission,
                      struct report *report)
{
    struct gang_podcliqueset *admitted = NULL;

    for (size_t i = 0; i < set->num_cliques; i++) {
        if (!pod_admission_matters(admission, set->cliques[i].pod_spec))
            continue;
        if (!admitted)
            admitted = clique_requests_copy(set, report->arena);
        if (!admitted)
            return set; /* the arena remembers */
        clique_requests_admit_pods(&admitted->cliques[i], admission, report);
    }
    return admitted ? admitted : set;
}

static bool
clique_requests_differ(const struct resource_list *stated, const struct resource_list *effective)
{
    if (stated->count != effective->count)
        return true;
    for (size_t i = 0; i < stated->count; i++)
        if (quantity_compare(&stated->items[i].quantity, &effective->items[i].quantity) != 0)
            return true;
    return false;
}

static void
clique_requests_count_stated(struct podclique_template *clique, struct report *report)
{
    struct resource_list effective = clique->requests;

    podclique_sum_requests(clique, POD_REQUESTS_ONLY, report);
    if (clique_requests_differ(&clique->requests, &effective))
        find_note(report, GANG_CODE_LIMITS_NOT_COUNTED, clique->source, NULL,
                  "resources under limits alone are missing from minResources");
}

void
clique_requests_leave_limits_out(const struct gang_podcliqueset *set, struct gang *gang,
                                 struct report *report)
{
    struct gang_podcliqueset *stated = clique_requests_copy(set, report->arena);

    if (!stated)
        return;
    for (size_t i = 0; i < stated->num_cliques; i++)
        clique_requests_count_stated(&stated->cliques[i], report);
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct podclique_template *clique = podcliqueset_find_clique(stated, gang->roles[i].name);

        if (clique)
            gang->roles[i].requests = clique->requests;
    }
}
