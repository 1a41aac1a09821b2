/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

/* ---- podcliqueset schema ---- */

/*
 * ai-dynamo/grove:operator/api/core/v1alpha1/{podcliqueset,podclique,scalinggroup}.go@fcc3b3bb and
 * their CRD.
 */
static const struct schema podcliqueset_any = {.type = SCHEMA_ANY};
static const struct schema podcliqueset_string = {.type = SCHEMA_STRING};
static const struct schema podcliqueset_strings = {.type = SCHEMA_LIST,
                                                   .values = &podcliqueset_string};
static const struct schema podcliqueset_texts = {.type = SCHEMA_OBJECT,
                                                 .values = &podcliqueset_string};
static const struct schema podcliqueset_int32 = {.type = SCHEMA_INT32};
static const struct schema podcliqueset_count = {
    .type = SCHEMA_INT32, .has_minimum = true, .default_text = "1"};
static const struct schema podcliqueset_replicas = {.type = SCHEMA_INT32, .default_text = "0"};

/* TopologyDomain. */
static const struct schema podcliqueset_domain = {
    .type = SCHEMA_STRING, .min_length = 1, .max_length = 63};
static const struct schema_field podcliqueset_pack_fields[] = {
    {SLICE_INIT("preferred"), &podcliqueset_domain, false},
    {SLICE_INIT("required"), &podcliqueset_domain, false},
};
static const struct schema podcliqueset_pack = SCHEMA_OBJECT_OF(podcliqueset_pack_fields);

static const struct schema_field podcliqueset_topology_fields[] = {
    {SLICE_INIT("pack"), &podcliqueset_pack, false},
    {SLICE_INIT("packDomain"), &podcliqueset_domain, false},
    {SLICE_INIT("topologyName"), &podcliqueset_string, false},
};
static const struct schema podcliqueset_topology = SCHEMA_OBJECT_OF(podcliqueset_topology_fields);

static const struct schema_field podcliqueset_pod_spec_fields[] = {
    {SLICE_INIT("priorityClassName"), &podcliqueset_string, false},
    {SLICE_INIT("schedulerName"), &podcliqueset_string, false},
};
static const struct schema podcliqueset_pod_spec = {
    .type = SCHEMA_OBJECT,
    SCHEMA_FIELDS(podcliqueset_pod_spec_fields),
    .open = true,
};

static const struct schema_field podcliqueset_clique_spec_fields[] = {
    {SLICE_INIT("autoScalingConfig"), &podcliqueset_any, false},
    {SLICE_INIT("minAvailable"), &podcliqueset_int32, false},
    {SLICE_INIT("podSpec"), &podcliqueset_pod_spec, true},
    {SLICE_INIT("replicas"), &podcliqueset_count, false},
    {SLICE_INIT("roleName"), &podcliqueset_string, true},
    {SLICE_INIT("startsAfter"), &podcliqueset_strings, false},
};
static const struct schema podcliqueset_clique_spec =
    SCHEMA_OBJECT_OF(podcliqueset_clique_spec_fields);

static const struct schema_field podcliqueset_clique_fields[] = {
    {SLICE_INIT("annotations"), &podcliqueset_texts, false},
    {SLICE_INIT("labels"), &podcliqueset_texts, false},
    {SLICE_INIT("name"), &podcliqueset_string, true},
    {SLICE_INIT("resourceSharing"), &podcliqueset_any, false},
    {SLICE_INIT("rollingUpdate"), &podcliqueset_any, false},
    {SLICE_INIT("spec"), &podcliqueset_clique_spec, true},
    {SLICE_INIT("topologyConstraint"), &podcliqueset_topology, false},
};
static const struct schema podcliqueset_clique = SCHEMA_OBJECT_OF(podcliqueset_clique_fields);
static const char *const podcliqueset_clique_keys[] = {"name", NULL};
static const struct schema podcliqueset_cliques = {
    .type = SCHEMA_LIST, .values = &podcliqueset_clique, .keys = podcliqueset_clique_keys};

static const struct schema_field podcliqueset_group_fields[] = {
    {SLICE_INIT("annotations"), &podcliqueset_texts, false},
    {SLICE_INIT("cliqueNames"), &podcliqueset_strings, true},
    {SLICE_INIT("minAvailable"), &podcliqueset_count, false},
    {SLICE_INIT("name"), &podcliqueset_string, true},
    {SLICE_INIT("replicas"), &podcliqueset_count, false},
    {SLICE_INIT("resourceSharing"), &podcliqueset_any, false},
    {SLICE_INIT("rollingUpdate"), &podcliqueset_any, false},
    {SLICE_INIT("scaleConfig"), &podcliqueset_any, false},
    {SLICE_INIT("topologyConstraint"), &podcliqueset_topology, false},
};
static const struct schema podcliqueset_group = SCHEMA_OBJECT_OF(podcliqueset_group_fields);
static const struct schema podcliqueset_groups = {.type = SCHEMA_LIST,
                                                  .values = &podcliqueset_group};

/* CliqueStartupType. */
static const char *const podcliqueset_startup_types[] = {
    "CliqueStartupTypeAnyOrder", "CliqueStartupTypeInOrder", "CliqueStartupTypeExplicit", NULL};
static const struct schema podcliqueset_startup_type = {.type = SCHEMA_STRING,
                                                        .enumeration = podcliqueset_startup_types,
                                                        .default_text =
                                                            "\"CliqueStartupTypeAnyOrder\""};

static const struct schema_field podcliqueset_template_fields[] = {
    {SLICE_INIT("cliqueStartupType"), &podcliqueset_startup_type, false},
    {SLICE_INIT("cliques"), &podcliqueset_cliques, true},
    {SLICE_INIT("headlessServiceConfig"), &podcliqueset_any, false},
    {SLICE_INIT("podCliqueScalingGroups"), &podcliqueset_groups, false},
    {SLICE_INIT("priorityClassName"), &podcliqueset_string, false},
    {SLICE_INIT("resourceClaimTemplates"), &podcliqueset_any, false},
    {SLICE_INIT("resourceSharing"), &podcliqueset_any, false},
    {SLICE_INIT("terminationDelay"), &podcliqueset_string, false},
    {SLICE_INIT("topologyConstraint"), &podcliqueset_topology, false},
};
static const struct schema podcliqueset_template = SCHEMA_OBJECT_OF(podcliqueset_template_fields);

static const struct schema_field podcliqueset_spec_fields[] = {
    {SLICE_INIT("replicas"), &podcliqueset_replicas, false},
    {SLICE_INIT("template"), &podcliqueset_template, true},
    {SLICE_INIT("updateStrategy"), &podcliqueset_any, false},
};
static const struct schema podcliqueset_spec = SCHEMA_OBJECT_OF(podcliqueset_spec_fields);

static const struct schema_field podcliqueset_fields[] = {
    {SLICE_INIT("apiVersion"), &podcliqueset_string, true},
    {SLICE_INIT("kind"), &podcliqueset_string, true},
    {SLICE_INIT("metadata"), &podcliqueset_any, true},
    {SLICE_INIT("spec"), &podcliqueset_spec, true},
    {SLICE_INIT("status"), &podcliqueset_any, false},
};
const struct schema podcliqueset_schema = SCHEMA_OBJECT_OF(podcliqueset_fields);

/* ---- podcliqueset ---- */

static const struct slice podcliqueset_kinds[] = {SLICE_INIT(GANG_KIND_PODCLIQUESET)};

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
        .name = node_string(node_member(source, SLICE("name"))),
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
    clique.resources = pod_resources_read(pod_spec, report->arena, report);
    podclique_sum_requests(&clique, POD_REQUESTS_EFFECTIVE, report);
    return clique;
}

static void
podcliqueset_read_cliques(struct gang_podcliqueset *set, const struct limits *limits,
                          struct report *report)
{
    const struct node *list = node_member(set->pod_template, SLICE("cliques"));
    uint64_t largest = limits->value[GANG_LIMIT_ROLES];

    if (node_count(list) > largest)
        find_note(report, list, MESSAGE_LIMIT_ROLES, node_count(list), (unsigned long long)largest);
    else
        set->cliques = arena_array(report->arena, node_count(list), sizeof(*set->cliques));
    if (!set->cliques)
        return;
    for (NODE_EACH(item, list))
        set->cliques[set->num_cliques++] = podclique_read(item, report);
    /*
     * Grove's own webhook indexes into the empty list and panics:
     * webhook/admission/pcs/validation@fcc3b3bb.
     */
    if (node_is(list, NODE_LIST) && !set->num_cliques)
        find_required(report, list, SLICE(""), GANG_CODE_TOO_FEW_ITEMS, NULL,
                      "at least one PodClique");
}

void
podcliqueset_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_podcliqueset *set = (struct gang_podcliqueset *)document;
    struct report *report = &call->report;
    const struct node *list;

    object_meta_check_kind(call->root, SLICE(GANG_GROVE_API_VERSION), podcliqueset_kinds, 1,
                           report);
    schema_check(&podcliqueset_schema, call->root, report);
    set->meta = object_meta_read(call->root, report);
    name_check_node(set->meta.name_source, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, NULL,
                    report);
    set->pod_template = node_at(call->root, "spec.template");
    set->topology = node_member(set->pod_template, SLICE("topologyConstraint"));
    podcliqueset_read_cliques(set, call->limits, report);
    list = node_member(set->pod_template, SLICE("podCliqueScalingGroups"));
    set->groups = arena_array(report->arena, node_count(list), sizeof(*set->groups));
    if (!set->groups)
        return;
    for (NODE_EACH(item, list))
        set->groups[set->num_groups++] = (struct podclique_scaling_group){
            .name = node_string(node_member(item, SLICE("name"))),
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
    if (!slice_has_prefix(name, head) || name.len <= head.len || name.data[head.len] != '-')
        return NO_SLICE;
    return (struct slice){name.data + head.len + 1, name.len - head.len - 1};
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
    for (size_t i = 0; name.len && i < set->num_cliques; i++)
        if (slice_equal(set->cliques[i].name, name))
            return &set->cliques[i];
    return NULL;
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
        admitted->cliques[i].resources =
            pod_admission_apply(admission, admitted->cliques[i].pod_spec,
                                &admitted->cliques[i].resources, report->arena, report);
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
        if (clique_requests_differ(&stated->cliques[i].requests, &effective))
            find_note(report, stated->cliques[i].source, MESSAGE_LIMITS_NOT_COUNTED);
    }
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct podclique_template *clique =
            podcliqueset_find_clique(stated, wishes->roles[i].name);

        if (clique)
            wishes->roles[i].requests = clique->requests;
    }
}
