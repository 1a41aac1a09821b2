/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- podcliqueset ---- */

/* Computes the requests of one pod from its resources. Reports an overflow. */
static void
podclique_sum_requests(struct podclique_template *clique, enum pod_requests_mode mode,
                       struct report *report)
{
    clique->requests = (struct resource_list){0};
    if (!pod_requests_sum(&clique->resources, mode, report->arena, &clique->requests))
        find_note(report, clique->pod_spec, MESSAGE_QUANTITY_OVERFLOW_POD);
    resource_list_forget_texts(&clique->requests);
}

static struct podclique_template
podclique_read(const struct node *source, struct report *report)
{
    const struct node *spec = node_member(source, SLICE("spec"));
    const struct node *pod_spec = node_member(spec, SLICE("podSpec"));
    struct podclique_template clique = {
        .name = node_name(source),
        .replicas = 1,
        .scheduler_name = node_string(node_member(pod_spec, SLICE("schedulerName"))),
        .priority_class_name = node_string(node_member(pod_spec, SLICE("priorityClassName"))),
        .labels = node_member(source, SLICE("labels")),
        .annotations = node_member(source, SLICE("annotations")),
        .pod_spec = pod_spec,
        .topology = node_member(source, SLICE("topologyConstraint")),
        .source = source,
    };

    node_int(node_member(spec, SLICE("replicas")), &clique.replicas);
    object_meta_check_labels(clique.labels, report);
    object_meta_check_annotations(clique.annotations, report);
    clique.resources = pod_resources_read(pod_spec, report);
    podclique_sum_requests(&clique, POD_REQUESTS_EFFECTIVE, report);
    return clique;
}

void
podcliqueset_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_podcliqueset *set = (struct gang_podcliqueset *)document;
    struct report *report = &call->report;
    const struct node *list;

    schema_check(&podcliqueset_schema, call->root, report);
    set->meta = object_meta_read(call->root, NAMES_WRITTEN, report);
    object_meta_check_name(&set->meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, report);
    set->pod_template = node_at(call->root, "spec.template");
    set->topology = node_member(set->pod_template, SLICE("topologyConstraint"));
    list = node_member(set->pod_template, SLICE("cliques"));
    set->cliques = roles_array(list, sizeof(*set->cliques), report);
    if (set->cliques) {
        for (NODE_EACH(item, list))
            set->cliques[set->num_cliques++] = podclique_read(item, report);
        /*
         * Grove's own webhook indexes into the empty list and panics:
         * webhook/admission/pcs/validation@fcc3b3bb.
         */
        if (node_is(list, NODE_LIST) && !set->num_cliques)
            find_required(report, list, SLICE(""), MESSAGE_TOO_FEW_ITEMS_CLIQUES);
    }
    list = node_member(set->pod_template, SLICE("podCliqueScalingGroups"));
    set->groups = arena_array(report->arena, node_count(list), sizeof(*set->groups));
    if (!set->groups)
        return;
    for (NODE_EACH(item, list))
        set->groups[set->num_groups++] = (struct podclique_scaling_group){
            .name = node_name(item),
            .cliques = node_member(item, SLICE("cliqueNames")),
            .topology = node_member(item, SLICE("topologyConstraint")),
            .source = item,
        };
}

/*
 * Removes `head` and a '-' from the start of the name; unset if the name does not start with them.
 */
static struct slice
podclique_name_after(struct slice name, struct slice head)
{
    return slice_take(&name, head) && slice_take(&name, SLICE("-")) ? name : NO_SLICE;
}

/* Removes a number and a '-' from the start of the name. */
static struct slice
podclique_name_after_number(struct slice name)
{
    size_t digits = 0;

    while (digits < name.len && name.data[digits] >= '0' && name.data[digits] <= '9')
        digits++;
    return digits ? podclique_name_after(name, (struct slice){name.data, digits}) : NO_SLICE;
}

static const struct podclique_template *
podcliqueset_clique_named(const struct gang_podcliqueset *set, struct slice name)
{
    return name.len ? FIND_TEXT(set->cliques, set->num_cliques, name, name) : NULL;
}

const struct podclique_template *
podcliqueset_find_clique(const struct gang_podcliqueset *set, struct slice podclique)
{
    struct slice name =
        podclique_name_after_number(podclique_name_after(podclique, set->meta.name));
    const struct podclique_template *clique = podcliqueset_clique_named(set, name);

    for (size_t i = 0; !clique && i < set->num_groups; i++)
        clique = podcliqueset_clique_named(
            set, podclique_name_after_number(podclique_name_after(name, set->groups[i].name)));
    return clique;
}

/* ---- clique requests ---- */

/*
 * Copies everything except the `document` member, because other threads may change its reference
 * count meanwhile.
 */
static struct gang_podcliqueset *
clique_requests_copy(const struct gang_podcliqueset *set, struct arena *arena)
{
    struct gang_podcliqueset *copy = arena_array(arena, 1, sizeof(*copy));
    struct podclique_template *cliques =
        arena_grow(arena, set->cliques, set->num_cliques, set->num_cliques, sizeof(*cliques));

    if (!copy || !cliques)
        return NULL;
    *copy = (struct gang_podcliqueset){
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
            return set; /* the arena stores the failure */
        admitted->cliques[i].resources = pod_admission_apply(
            admission, admitted->cliques[i].pod_spec, &admitted->cliques[i].resources, report);
        podclique_sum_requests(&admitted->cliques[i], POD_REQUESTS_EFFECTIVE, report);
    }
    return admitted ? admitted : set;
}

void
clique_requests_check_limits(const struct gang_podcliqueset *set, struct report *report)
{
    for (size_t i = 0; i < set->num_cliques; i++)
        pod_limits_check(&set->cliques[i].resources, NULL, report);
}

void
clique_requests_leave_limits_out(const struct gang_podcliqueset *set, struct gang_wishes *wishes,
                                 struct report *report)
{
    struct gang_podcliqueset *stated = clique_requests_copy(set, report->arena);

    if (!stated)
        return;
    for (size_t i = 0; i < stated->num_cliques; i++) {
        struct resource_list effective = stated->cliques[i].requests;

        podclique_sum_requests(&stated->cliques[i], POD_REQUESTS_ONLY, report);
        if (!resource_list_equal(&stated->cliques[i].requests, &effective))
            find_note(report, stated->cliques[i].source, MESSAGE_LIMITS_NOT_COUNTED);
    }
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct podclique_template *clique =
            podcliqueset_find_clique(stated, wishes->roles[i].name);

        if (clique)
            wishes->roles[i].requests = clique->requests;
    }
}
