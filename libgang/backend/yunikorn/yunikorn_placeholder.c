/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/yunikorn/yunikorn_placeholder.h"

#define YUNIKORN_NODE_SELECTOR SLICE("nodeSelector")
#define YUNIKORN_TOLERATIONS SLICE("tolerations")

/*
 * JobSet's exclusive placement. Source:
 * kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go, pkg/controllers/jobset_controller.go
 * addNamespacedJobNodeSelector and addTaintToleration, pkg/webhooks/pod_mutating_webhook.go@v0.12.0
 */
#define YUNIKORN_EXCLUSIVE SLICE("alpha.jobset.sigs.k8s.io/exclusive-topology")
#define YUNIKORN_BY_SELECTOR SLICE("alpha.jobset.sigs.k8s.io/node-selector")
#define YUNIKORN_JOB_OF_NODE SLICE("alpha.jobset.sigs.k8s.io/namespaced-job")
#define YUNIKORN_TAINT SLICE("alpha.jobset.sigs.k8s.io/no-schedule")

enum yunikorn_exclusive { YUNIKORN_NOT_EXCLUSIVE, YUNIKORN_OF_AFFINITY, YUNIKORN_OF_SELECTOR };

/* Returns an annotation of the JobSet or of the role's Job, which its pods get; NULL if absent. */
static const struct node *
yunikorn_annotation(const struct backend_call *call, const struct role *role, struct slice key)
{
    const struct owner_chain *chain = call->gang->wishes->chain;
    const struct node *found = chain ? node_member(chain->set.annotations, key) : NULL;

    return found ? found : node_member(node_member(role->job_metadata, SLICE("annotations")), key);
}

static enum yunikorn_exclusive
yunikorn_exclusive_of(const struct backend_call *call, const struct role *role)
{
    if (!role->job_spec || !yunikorn_annotation(call, role, YUNIKORN_EXCLUSIVE))
        return YUNIKORN_NOT_EXCLUSIVE;
    return yunikorn_annotation(call, role, YUNIKORN_BY_SELECTOR) ? YUNIKORN_OF_SELECTOR
                                                                 : YUNIKORN_OF_AFFINITY;
}

/* Each Job has a selector of its own, but a task group is of all Jobs of the role. */
static bool
yunikorn_has_one_job(const struct role *role)
{
    return role->operator_count == role->count;
}

/* JobSet names the Job after itself, the role and the index. */
static const struct node *
yunikorn_selector_of_jobset(const struct backend_call *call, const struct role *role,
                            struct arena *arena)
{
    const struct gang_owner *owner = &call->gang->wishes->owner;
    struct slice namespace_ = owner->namespace_.len ? owner->namespace_ : SLICE("default");
    struct builder selector = build_map(arena);

    build_string(&selector, YUNIKORN_JOB_OF_NODE,
                 slice_from_text(arena_format(arena, "%.*s_%.*s-%.*s-0", SLICE_ARG(namespace_),
                                              SLICE_ARG(owner->name), SLICE_ARG(role->name))));
    return selector.node;
}

static const struct node *
yunikorn_tolerations_of_jobset(struct arena *arena)
{
    struct builder list = build_list(arena);
    struct builder toleration = build_map_item(&list);

    build_string(&toleration, SLICE("key"), YUNIKORN_TAINT);
    build_string(&toleration, SLICE("operator"), SLICE("Exists"));
    build_string(&toleration, SLICE("effect"), SLICE("NoSchedule"));
    return list.node;
}

/* The scheduling of the pod's RuntimeClass, which admission merges into the pod. */
static const struct node *
yunikorn_scheduling_of_class(const struct backend_call *call, const struct role *role)
{
    const struct node *name = node_member(role->pod_spec, SLICE("runtimeClassName"));
    const struct gang_cluster *cluster = call->cluster;
    const struct runtime_class *class =
        name && cluster ? runtime_class_find(cluster->runtime_classes, cluster->num_runtime_classes,
                                             node_string(name))
                        : NULL;

    return class ? node_member(class->source, SLICE("scheduling")) : NULL;
}

/* Returns `first` and the items that only `second` has. */
static const struct node *
yunikorn_joined(const struct node *first, const struct node *second, struct arena *arena)
{
    struct builder list;

    if (!node_count(second))
        return first;
    list = build_list(arena);
    for (NODE_EACH(item, first))
        build_node_item(&list, item);
    for (NODE_EACH(item, second)) {
        bool is_there = false;

        for (NODE_EACH(other, first))
            is_there |= node_equal(item, other);
        if (!is_there)
            build_node_item(&list, item);
    }
    return list.node;
}

static void
yunikorn_build_if_any(struct builder *group, struct slice key, const struct node *field)
{
    if (node_count(field))
        build_node(group, key, field);
}

/*
 * Source of the merge:
 * kubernetes/kubernetes:plugin/pkg/admission/runtimeclass/admission.go setScheduling@v1.36.2
 */
void
yunikorn_placeholder_build(const struct backend_call *call, size_t role, struct builder *group)
{
    const struct role *source = &call->gang->roles[role];
    const struct node *scheduling = yunikorn_scheduling_of_class(call, source);
    const struct node *selector = node_member(source->pod_spec, YUNIKORN_NODE_SELECTOR);
    const struct node *tolerations = node_member(source->pod_spec, YUNIKORN_TOLERATIONS);
    struct arena *arena = group->arena;

    if (node_count(node_member(scheduling, YUNIKORN_NODE_SELECTOR)))
        selector = build_merged(selector, node_member(scheduling, YUNIKORN_NODE_SELECTOR), arena);
    tolerations =
        yunikorn_joined(tolerations, node_member(scheduling, YUNIKORN_TOLERATIONS), arena);
    if (yunikorn_exclusive_of(call, source) == YUNIKORN_OF_SELECTOR &&
        yunikorn_has_one_job(source)) {
        selector = build_merged(yunikorn_selector_of_jobset(call, source, arena), selector, arena);
        tolerations = yunikorn_joined(tolerations, yunikorn_tolerations_of_jobset(arena), arena);
    }
    yunikorn_build_if_any(group, YUNIKORN_NODE_SELECTOR, selector);
    yunikorn_build_if_any(group, YUNIKORN_TOLERATIONS, tolerations);
    yunikorn_build_if_any(group, SLICE("affinity"),
                          node_member(source->pod_spec, SLICE("affinity")));
    yunikorn_build_if_any(group, SLICE("topologySpreadConstraints"),
                          node_member(source->pod_spec, SLICE("topologySpreadConstraints")));
}

void
yunikorn_placeholder_check(const struct backend_call *call, struct report *report)
{
    for (size_t i = 0; i < call->gang->num_roles; i++) {
        const struct role *role = &call->gang->roles[i];
        enum yunikorn_exclusive exclusive = yunikorn_exclusive_of(call, role);
        struct quoted name;

        if (call->gang->parts[i].membership != ROLE_MEMBER || exclusive == YUNIKORN_NOT_EXCLUSIVE ||
            (exclusive == YUNIKORN_OF_SELECTOR && yunikorn_has_one_job(role)))
            continue;
        find_note(
            report, GANG_CODE_PLACED_BY_OTHERS, yunikorn_annotation(call, role, YUNIKORN_EXCLUSIVE),
            "use one Job for the role and the annotation "
            "alpha.jobset.sigs.k8s.io/node-selector, or another backend",
            "JobSet gives the pods of role %s %s that their placeholders do not have: they "
            "may hold other nodes, and the gang may start in part",
            quote(&name, role->name),
            exclusive == YUNIKORN_OF_SELECTOR ? "a node selector for each Job" : "an affinity");
    }
}
