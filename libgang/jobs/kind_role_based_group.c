/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"
#include "libgang/kube/strategic_merge.h"

/*
 * RoleBasedGroup: one gang of all roles. The operator counts all of their pods in the minimum of
 * its own PodGroup, also of roles that it creates when others are ready. Where no other source is
 * named: sgl-project/rbg:api/workloads/v1alpha2/rolebasedgroup_types.go@0c00546d.
 */

/* Sources: api/workloads/constants, annotation.go@77b5d1b3 and label.go@f7932ab3 */
#define RBG_GANG SLICE("rbg.workloads.x-k8s.io/group-gang-scheduling")
#define RBG_WORKLOAD SLICE("rbg.workloads.x-k8s.io/role-workload-type")
#define RBG_PATTERN SLICE("rbg.workloads.x-k8s.io/role-instance-pattern")
#define RBG_INSTANCES SLICE("workloads.x-k8s.io/v1alpha2/RoleInstanceSet")
#define RBG_INSTANCE_NAME SLICE("rbg.workloads.x-k8s.io/role-instance-name")
/* Source: package componentdiscovery, ComponentDependsOnAnnotationKey */
#define RBG_START_AFTER SLICE("rolebasedgroup.workloads.x-k8s.io/component-depends-on")

/* A role of the document, which has one or more roles of the gang, its parts. */
struct rbg_role {
    const struct node *node;
    struct slice name;
    int64_t replicas; /* instances, each with the same pods */
    size_t first;     /* index of the first part */
    size_t count;
};

/* One translation. */
struct rbg_case {
    const struct job_source *source;
    struct gang_wishes *job;
    struct rbg_role *roles;
    size_t num_roles;
    size_t most; /* parts of all roles */
};

/* ---- pods ---- */

/* Whether a patch has a directive, which only the operator can carry out. */
static bool
rbg_has_directive(const struct node *patch)
{
    if (!node_is(patch, NODE_MAP) && !node_is(patch, NODE_LIST))
        return false;
    for (NODE_EACH(member, patch))
        if (slice_has_prefix(node_key(member), SLICE("$")) || rbg_has_directive(member))
            return true;
    return false;
}

/* Returns the template of the pattern, or the one that it refers to; NULL if there is none. */
static const struct node *
rbg_find_template(const struct job_source *source, const struct node *pattern)
{
    const struct node *templates = node_member(source->spec, SLICE("roleTemplates"));
    const struct node *name = node_at(pattern, "templateRef.name");

    if (!name || !arena_spend(source->arena, node_count(templates)))
        return node_member(pattern, SLICE("template"));
    for (NODE_EACH(one, templates))
        if (slice_equal(node_name(one), node_string(name)))
            return node_member(one, SLICE("template"));
    find_invalid(source->report, name, MESSAGE_REFUSED_BY_OPERATOR_ROLE_TEMPLATE,
                 SLICE_ARG(node_string(name)));
    return NULL;
}

/*
 * The template with the patches of the reference and of the leader or the workers. Marks are
 * written into the last of them, so that roles with one template have marks of their own. Source:
 * helper.go GetResolvedTemplate, pkg/reconciler/roleinstanceset_reconciler.go
 */
static void
rbg_set_template(const struct rbg_case *rbg, const struct node *pattern, const struct node *patch,
                 struct role *role)
{
    struct arena *arena = rbg->source->arena;
    const struct node *base = rbg_find_template(rbg->source, pattern);
    const struct node *of_reference = node_at(pattern, "templateRef.patch");

    role->marked = patch ? patch : of_reference;
    role->marked_is_patch = role->marked != NULL;
    if (!base || rbg_has_directive(of_reference) || rbg_has_directive(patch))
        return;
    base = strategic_merge(arena, base, of_reference, NULL);
    role->pod_template = strategic_merge(arena, base, patch, NULL);
}

/*
 * Adds a part: `pods` of each instance, which are of no use alone. With OrderedReady each instance
 * is created when the one before it is ready, unless they are Stateless, as statelessmode creates
 * them, or not of a RoleInstanceSet: sts_reconciler.go creates all pods at once.
 */
static struct role *
rbg_add_part(struct rbg_case *rbg, struct rbg_role *role, struct slice part, int64_t pods)
{
    struct arena *arena = rbg->source->arena;
    const struct node *policy = node_member(role->node, SLICE("podManagementPolicy"));
    const struct node *annotations = node_member(role->node, SLICE("annotations"));
    const struct slice type = node_string(node_member(annotations, RBG_WORKLOAD));
    const bool has_instances = type.len == 0 || slice_equal(type, RBG_INSTANCES);
    struct slice name = role->name;
    struct role *added;

    if (slice_is_set(part))
        name = ARENA_SLICE(arena, "%.*s-%.*s", SLICE_ARG(name), SLICE_ARG(part));
    added = gang_job_add_role(rbg->job, rbg->most, name, role->node, arena);
    if (!added)
        return NULL;
    role->count++;
    gang_job_set_count(added, role->replicas * pods);
    added->retries = true;
    if (role->replicas > 1 && has_instances &&
        slice_equal(node_string(policy), SLICE("OrderedReady")) &&
        !slice_equal(node_string(node_member(annotations, RBG_PATTERN)), SLICE("Stateless")))
        added->first_count = pods;
    if (pods > 1) {
        added->unit = pods;
        /* Only pods of a RoleInstanceSet have the label of their instance. */
        added->unit_label = has_instances ? RBG_INSTANCE_NAME : NO_SLICE;
    }
    return added;
}

/* ---- patterns ---- */

/* Leader and workers are one role, unless a patch makes them request different amounts. */
static void
rbg_add_leader_worker(struct rbg_case *rbg, struct rbg_role *role, const struct node *pattern)
{
    const struct node *leader = node_member(pattern, SLICE("leaderTemplatePatch"));
    const struct node *worker = node_member(pattern, SLICE("workerTemplatePatch"));
    const bool is_split = node_member(leader, SLICE("spec")) || node_member(worker, SLICE("spec"));
    int64_t size = job_field_number(pattern, SLICE("size"), 1);
    struct role *part;

    find_default(rbg->source->report, pattern, SLICE("size"), "1");
    size = size < 1 ? 1 : size; /* as helper.go ComputeSubGroupSize */
    part = rbg_add_part(rbg, role, is_split ? SLICE("leader") : NO_SLICE, is_split ? 1 : size);
    if (part)
        rbg_set_template(rbg, pattern, is_split ? leader : NULL, part);
    if (!is_split || size < 2)
        return;
    part = rbg_add_part(rbg, role, SLICE("worker"), size - 1);
    if (part)
        rbg_set_template(rbg, pattern, worker, part);
}

static void
rbg_add_components(struct rbg_case *rbg, struct rbg_role *role, const struct node *pattern)
{
    const struct slice keys[] = {SLICE("labels"), SLICE("annotations")};
    struct arena *arena = rbg->source->arena;
    struct builder metadata;
    struct builder patch;

    if (!pattern)
        find_invalid(rbg->source->report, role->node, MESSAGE_REFUSED_BY_OPERATOR_PATTERN,
                     SLICE_ARG(role->name));
    for (NODE_EACH(component, node_member(pattern, SLICE("components")))) {
        const int64_t size = job_field_number(component, SLICE("size"), 0);
        struct role *part = rbg_add_part(rbg, role, node_name(component), size < 0 ? 0 : size);

        if (!node_member(component, SLICE("size"))) /* which the operator reads without a check */
            find_missing(rbg->source->report, component, SLICE("size"));
        if (!part)
            continue;
        /*
         * The template of a component, whose own labels and annotations have precedence over those
         * in it. Source:
         * roleinstanceset_reconciler.go constructRoleInstanceTemplateByCustomComponentsPattern.
         */
        patch = build_map(arena);
        metadata = build_map_member(&patch, SLICE("metadata"));
        for (size_t i = 0; i < COUNT_OF(keys); i++)
            if (node_is(node_member(component, keys[i]), NODE_MAP))
                build_node(&metadata, keys[i], node_member(component, keys[i]));
        part->source = component;
        part->marked = node_member(component, SLICE("template"));
        if (part->marked)
            part->pod_template = strategic_merge(arena, part->marked, patch.node, NULL);
    }
}

/* A rule of the CRD: the API server refuses a document with both members. */
static void
rbg_refuse_both(const struct rbg_case *rbg, const struct node *node, struct slice one,
                struct slice other)
{
    if (node_member(node, one) && node_member(node, other))
        find_invalid(rbg->source->report, node, MESSAGE_REFUSED_BY_OPERATOR_EXCLUSIVE,
                     SLICE_ARG(one), SLICE_ARG(other));
}

static void
rbg_add_role(struct rbg_case *rbg, const struct node *node)
{
    const struct node *standalone = node_member(node, SLICE("standalonePattern"));
    const struct node *leader_worker = node_member(node, SLICE("leaderWorkerPattern"));
    const int64_t number = job_field_number(node, SLICE("replicas"), 1);
    struct rbg_role *role = &rbg->roles[rbg->num_roles++];
    struct role *part;
    const struct node *runtimes;

    *role =
        (struct rbg_role){node, node_name(node), number < 0 ? 0 : number, rbg->job->num_roles, 0};
    find_default(rbg->source->report, node, SLICE("replicas"), "1");
    /*
     * The profile is another object, with containers for the pods; the number is not known either.
     */
    runtimes = node_member(role->node, SLICE("engineRuntimes"));
    if (node_count(runtimes))
        find_note(rbg->source->report, runtimes, MESSAGE_PART_ELSEWHERE_PROFILES);
    rbg_refuse_both(rbg, node, SLICE("standalonePattern"), SLICE("leaderWorkerPattern"));
    rbg_refuse_both(rbg, standalone, SLICE("template"), SLICE("templateRef"));
    rbg_refuse_both(rbg, leader_worker, SLICE("template"), SLICE("templateRef"));
    if (standalone) {
        part = rbg_add_part(rbg, role, NO_SLICE, 1);
        if (part)
            rbg_set_template(rbg, standalone, NULL, part);
    } else if (leader_worker) {
        rbg_add_leader_worker(rbg, role, leader_worker);
    } else {
        rbg_add_components(rbg, role, node_member(node, SLICE("customComponentsPattern")));
    }
}

/* ---- order ---- */

enum { RBG_EDGES_OF_STEP = 8 }; /* that are compared in one step */

/* Adds an edge to a part, once. */
static void
rbg_wait_for(const struct rbg_case *rbg, struct role *role, size_t part, const struct node *source)
{
    const struct slice name = rbg->job->roles[part].name;
    const struct dependency edge = {.role = name, .status = DEPENDENCY_READY, .source = source};

    if (arena_spend(rbg->source->arena, 1 + role->num_dependencies / RBG_EDGES_OF_STEP) &&
        !FIND_TEXT(role->dependencies, role->num_dependencies, role, name))
        gang_job_add_edge(role, rbg->job->num_roles, &edge, rbg->source->arena);
}

/*
 * A role is created when all instances of those that it depends on are ready. Sources:
 * reconcileRoles in internal/controller/workloads/rolebasedgroup_controller.go, pkg/dependency; for
 * the messages, rolebasedgroup_validation.go validateRoleDependencies.
 */
static void
rbg_add_dependency(const struct rbg_case *rbg, const struct rbg_role *role,
                   const struct node *dependency)
{
    const struct slice name = node_string(dependency);
    const struct rbg_role *before = arena_spend(rbg->source->arena, rbg->num_roles)
                                        ? FIND_TEXT(rbg->roles, rbg->num_roles, name, name)
                                        : NULL;

    if (!before)
        find_invalid(rbg->source->report, dependency,
                     MESSAGE_REFUSED_BY_OPERATOR_UNKNOWN_DEPENDENCY, SLICE_ARG(role->name),
                     SLICE_ARG(name));
    else if (before == role)
        find_invalid(rbg->source->report, dependency, MESSAGE_REFUSED_BY_OPERATOR_OWN_DEPENDENCY,
                     SLICE_ARG(name));
    else
        for (size_t i = 0; i < role->count; i++)
            for (size_t k = 0; k < before->count; k++)
                rbg_wait_for(rbg, &rbg->job->roles[role->first + i], before->first + k, dependency);
}

/* Returns what the annotation says of the start and the end of a component; NULL: nothing. */
static const struct node *
rbg_read_order(const struct rbg_case *rbg, const struct node *component)
{
    const struct node *own =
        node_member(node_member(component, SLICE("annotations")), RBG_START_AFTER);
    const struct node *value =
        own ? own
            : node_member(node_at(component, "template.metadata.annotations"), RBG_START_AFTER);
    const struct node *read;

    if (!node_string(value).len)
        return NULL;
    read = json_read_quietly(node_string(value), rbg->source->arena, rbg->source->limits);
    if (!node_is(read, NODE_MAP))
        find_note(rbg->source->report, value, MESSAGE_REFUSED_BY_OPERATOR_START_AFTER);
    return read;
}

/* What comes after what, of the parts of a role: of two, at `before * count + after`. */
struct rbg_order {
    size_t count;
    bool *starts; /* when the one before is ready */
    bool *ends;   /* before the one before is deleted */
    bool *never;  /* of one: whether it waits for what is never ready */
};

static void
rbg_read_names(const struct rbg_case *rbg, const struct rbg_role *role, const struct node *names,
               struct rbg_order *order, size_t part, bool is_start)
{
    const struct role *parts = &rbg->job->roles[role->first];
    const size_t count = order->count;

    if (!arena_spend(rbg->source->arena, node_count(names) * count))
        return;
    for (NODE_EACH(name, names)) {
        bool is_ready = false;

        for (size_t k = 0; k < count; k++)
            if (slice_equal(node_name(parts[k].source), node_string(name))) {
                if (is_start)
                    order->starts[k * count + part] = true;
                order->ends[is_start ? k * count + part : part * count + k] = true;
                is_ready = parts[k].count > 0;
            }
        order->never[part] |= is_start && !is_ready;
    }
}

/*
 * Whether a component would be deleted after itself, by way of the others. The operator then
 * neither creates nor deletes the components in an order: DetectCycle, of both graphs.
 */
static bool
rbg_has_cycle(const struct rbg_case *rbg, struct rbg_order *order)
{
    const size_t count = order->count;

    for (size_t via = 0; via < count; via++)
        for (size_t i = 0; i < count; i++) {
            if (!order->ends[i * count + via])
                continue;
            if (i == via || !arena_spend(rbg->source->arena, 1 + count / RBG_EDGES_OF_STEP))
                return true;
            for (size_t k = 0; k < count; k++)
                order->ends[i * count + k] |= order->ends[via * count + k];
        }
    return false;
}

/*
 * A component without pods is never ready, nor is one that does not exist or is not created.
 * Source: allNamedComponentsReady in pkg/reconciler/roleinstance/sync/instance_scale.go
 */
static void
rbg_leave_out(const struct rbg_case *rbg, struct role *parts, struct rbg_order *order)
{
    const size_t count = order->count;
    bool is_new = true;

    while (is_new && arena_spend(rbg->source->arena, 1 + count * count / RBG_EDGES_OF_STEP)) {
        is_new = false;
        for (size_t i = 0; i < count * count; i++)
            if (order->starts[i] && order->never[i / count] && !order->never[i % count])
                is_new = order->never[i % count] = true;
    }
    for (size_t i = 0; i < count; i++)
        if (order->never[i] && parts[i].count) {
            parts[i].wish = WISH_OUTSIDE;
            find_note(rbg->source->report, parts[i].source, GANG_CODE_ROLE_NEVER_CREATED, NULL,
                      "role %-.*s is never created, and not in the gang: its startAfter names a "
                      "component that is never ready",
                      SLICE_ARG(parts[i].name));
        }
}

/*
 * Pods of a component are created when those of the named ones are ready in the same instance. No
 * gang starts an instance before another one, so this is as if all instances had to be ready.
 */
static void
rbg_order_components(const struct rbg_case *rbg, const struct rbg_role *role)
{
    const size_t count = role->count;
    struct rbg_order order = {.count = count};
    struct role *parts;

    if (!count)
        return;
    parts = &rbg->job->roles[role->first];
    if (parts[0].source == role->node)
        return;
    order.starts = arena_array(rbg->source->arena, count * count, sizeof(*order.starts));
    order.ends = arena_array(rbg->source->arena, count * count, sizeof(*order.ends));
    order.never = arena_array(rbg->source->arena, count, sizeof(*order.never));
    if (!order.starts || !order.ends || !order.never)
        return;
    for (size_t i = 0; i < count; i++) {
        const struct node *read = rbg_read_order(rbg, parts[i].source);

        rbg_read_names(rbg, role, node_member(read, SLICE("startAfter")), &order, i, true);
        rbg_read_names(rbg, role, node_member(read, SLICE("deleteAfter")), &order, i, false);
    }
    if (rbg_has_cycle(rbg, &order)) {
        find_note(rbg->source->report, parts[0].source->parent, MESSAGE_EMPTY_DEPENDENCY_CYCLE);
        return;
    }
    rbg_leave_out(rbg, parts, &order);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (order.starts[k * count + i] && parts[k].count)
                rbg_wait_for(rbg, &parts[i], role->first + k, parts[i].source);
}

/* ---- the group ---- */

/*
 * The operator deletes a PodGroup with the name of a group that has no gang of its own
 * (deletePodGroup in pkg/scheduler/volcano and k8s-scheduler-plugin), so that of libgang has
 * another name.
 */
static void
rbg_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct node *roles = node_member(source->spec, SLICE("roles"));
    struct rbg_case rbg = {.source = source, .job = job, .most = 2 * (size_t)node_count(roles)};
    const struct node *own = node_member(source->meta->annotations, RBG_GANG);

    object_meta_check_name(source->meta, NAME_DNS1123_LABEL, GANG_CODE_REFUSED_BY_OPERATOR,
                           source->report);
    /* Source: pkg/scheduler/common/gang_strategy.go getGangStrategy */
    if (slice_equal(node_string(own), SLICE("true"))) {
        find_note_at_key(source->report, own, MESSAGE_GANG_OF_OPERATOR_ANNOTATION);
        gang_job_stand_back(job, own, "the operator makes the gang: group-gang-scheduling is set");
    }
    job->name = ARENA_SLICE(source->arena, "%.*s-gang", SLICE_ARG(source->meta->name));
    for (NODE_EACH(role, roles))
        rbg.most += node_count(node_at(role, "customComponentsPattern.components"));
    rbg.roles = arena_array(source->arena, node_count(roles), sizeof(*rbg.roles));
    if (!rbg.roles)
        return;
    for (NODE_EACH(role, roles))
        rbg_add_role(&rbg, role);
    if (rbg.job->num_roles > limit_of(rbg.source->limits, GANG_LIMIT_ROLES))
        return; /* which is an error */
    for (size_t i = 0; i < rbg.num_roles; i++) {
        const struct rbg_role *role = &rbg.roles[i];

        for (NODE_EACH(dependency, node_member(role->node, SLICE("dependencies"))))
            rbg_add_dependency(&rbg, role, dependency);
        rbg_order_components(&rbg, role);
    }
}

const struct job_kind role_based_group_job_kind = {
    .api_versions = {SLICE_INIT("workloads.x-k8s.io/v1alpha2")},
    .kind = SLICE_INIT("RoleBasedGroup"),
    .schema = &role_based_group_schema,
    /* go.mod@16748213: k8s.io/api v0.34.1, whose pods have no schedulingGroup */
    .template_fields = TEMPLATE_WITHOUT_GROUP,
    .translate = rbg_translate,
};
