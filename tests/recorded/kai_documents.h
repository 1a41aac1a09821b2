/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_RECORDED_KAI_DOCUMENTS_H
#define TESTS_RECORDED_KAI_DOCUMENTS_H

#include "libgang/document/node.h"
#include "libgang/document/writer.h"
#include "recorded/recorded.h"

/*
 * A case of podgrouper.ndjson as the documents of a TrainJob: the JobSet of the case is what the
 * operator makes of the runtime.
 */
struct kai_documents {
    const char *trainjob;
    const char *runtime;
    const char *policy;
    const char *cluster;
    const char *live; /* a List of the JobSet and the PodGroups of the case */
};

/* One result of the recordings to play. */
struct kai_case {
    const struct node *source;
    const struct release *release;
    bool creates;         /* libgang makes the group, not the podgrouper */
    bool queue_by_policy; /* a policy gives the pods their queue, not their own label */
    struct arena *arena;
};

/* The text of a document of any size, as JSON. */
static inline const char *
kai_document_text(const struct node *tree, struct arena *arena)
{
    struct buffer text = {0};
    char *copy;

    json_write(&text, tree);
    copy = arena_alloc(arena, text.len + 2);
    memcpy(copy, text.data, text.len);
    copy[text.len] = '\n';
    buffer_clear(&text);
    return copy;
}

static inline struct builder
kai_document_start(const char *api_version, const char *kind, const char *name,
                   struct builder *metadata, struct arena *arena)
{
    struct builder document = build_map(arena);

    build_string(&document, SLICE("apiVersion"), slice_from_text(api_version));
    build_string(&document, SLICE("kind"), slice_from_text(kind));
    *metadata = build_map_member(&document, SLICE("metadata"));
    build_string(metadata, SLICE("name"), slice_from_text(name));
    return document;
}

static inline void
kai_copy_members(struct builder *map, const struct node *source)
{
    for (NODE_EACH(member, source))
        build_node(map, node_key(member), member);
}

/*
 * The queue label of the pods, if it alone says the queue: another label would have precedence over
 * the policy's defaults.
 */
static inline const struct node *
kai_queue_of_pods(const struct node *source)
{
    static const char *const places[] = {"jobSet", "trainJob", "pod"};
    const struct node *label = NULL;

    for (int i = 0; i < ITEMS_OF(places) && !label; i++) {
        const struct node *place = node_member(source, slice_from_text(places[i]));

        label = node_member(node_member(place, SLICE("labels")), SLICE("kai.scheduler/queue"));
        if ((label && i < 2) || node_member(node_member(place, SLICE("labels")), SLICE("project")))
            return NULL;
    }
    return label;
}

/* The metadata of the pods; `is_patched`: without the queue, which a policy gives them. */
static inline void
kai_build_pod_metadata(struct builder *pods, const struct node *source, bool is_patched)
{
    const struct node *metadata = node_member(source, SLICE("pod"));
    struct builder map = build_map_member(pods, SLICE("metadata"));
    struct builder labels = build_map_member(&map, SLICE("labels"));

    for (NODE_EACH(label, node_member(metadata, SLICE("labels"))))
        if (!is_patched || label != kai_queue_of_pods(source))
            build_node(&labels, node_key(label), label);
    build_node(&map, SLICE("annotations"), node_member(metadata, SLICE("annotations")));
}

/* The pods of a role: the metadata of the case, and a container of the operator's name. */
static inline void
kai_build_pods(struct builder *job_spec, const struct kai_case *played, const struct node *role,
               bool is_live)
{
    struct slice ancestor =
        node_string(node_member(node_at(role, "template.metadata.labels"),
                                SLICE("trainer.kubeflow.org/trainjob-ancestor-step")));
    struct builder pods = build_map_member(job_spec, SLICE("template"));
    struct builder spec;
    struct builder list;
    struct builder container;

    kai_build_pod_metadata(&pods, played->source, played->queue_by_policy && !is_live);
    spec = build_map_member(&pods, SLICE("spec"));
    build_string(&spec, SLICE("schedulerName"), SLICE("kai-scheduler"));
    build_string_if_set(&spec, SLICE("priorityClassName"),
                        recorded_member(played->source, "podPriorityClass"));
    list = build_list_member(&spec, SLICE("containers"));
    container = build_map_item(&list);
    build_string(&container, SLICE("name"),
                 !slice_is_set(ancestor)                   ? SLICE("main")
                 : slice_equal(ancestor, SLICE("trainer")) ? SLICE("node")
                                                           : ancestor);
    build_string(&container, SLICE("image"), SLICE("i"));
}

/* Labels and annotations of the Jobs: those of the role, and those that the case gives to all. */
static inline void
kai_build_job_metadata(struct builder *job, const struct kai_case *played, const struct node *role)
{
    static const char *const maps[] = {"labels", "annotations"};
    struct builder metadata = build_map_member(job, SLICE("metadata"));

    for (int i = 0; i < ITEMS_OF(maps); i++) {
        struct slice key = slice_from_text(maps[i]);
        const struct node *both =
            build_merged(node_member(node_member(played->source, SLICE("job")), key),
                         node_member(node_at(role, "template.metadata"), key), job->arena);

        if (both)
            build_node(&metadata, key, both);
    }
}

static inline void
kai_build_role(struct builder *list, const struct kai_case *played, const struct node *role,
               bool is_live)
{
    struct builder item = build_map_item(list);
    struct builder job;
    struct builder spec;

    build_node(&item, SLICE("name"), node_member(role, SLICE("name")));
    build_node(&item, SLICE("replicas"), node_member(role, SLICE("replicas")));
    job = build_map_member(&item, SLICE("template"));
    kai_build_job_metadata(&job, played, role);
    spec = build_map_member(&job, SLICE("spec"));
    for (NODE_EACH(member, node_at(role, "template.spec")))
        if (!slice_equal(node_key(member), SLICE("template")))
            build_node(&spec, node_key(member), member);
    kai_build_pods(&spec, played, role, is_live);
}

/*
 * Before v0.16 the podgrouper read a JobSet without an order as one with InOrder. With a real API
 * server there is none: JobSet's webhook sets AnyOrder.
 */
static inline void
kai_build_order(struct builder *spec, const struct node *source, const struct release *release)
{
    const struct node *order = node_member(source, SLICE("order"));
    struct builder startup = build_map_member(spec, SLICE("startupPolicy"));

    build_string(&startup, SLICE("startupPolicyOrder"),
                 order                              ? node_string(order)
                 : release_at_least(release, 0, 16) ? SLICE("AnyOrder")
                                                    : SLICE("InOrder"));
}

static inline void
kai_build_jobset_spec(struct builder *spec, const struct kai_case *played, bool is_live)
{
    struct builder list;

    kai_build_order(spec, played->source, played->release);
    list = build_list_member(spec, SLICE("replicatedJobs"));
    for (NODE_EACH(role, node_member(played->source, SLICE("replicatedJobs"))))
        kai_build_role(&list, played, role, is_live);
}

static inline const struct node *
kai_runtime_of(const struct kai_case *played)
{
    struct arena *arena = played->arena;
    struct builder metadata;
    struct builder document = kai_document_start("trainer.kubeflow.org/v1alpha1",
                                                 "ClusterTrainingRuntime", "r", &metadata, arena);
    struct builder spec = build_map_member(&document, SLICE("spec"));
    struct builder policy = build_map_member(&spec, SLICE("podGroupPolicy"));
    struct builder template;
    struct builder jobset;

    build_map_member(&policy, SLICE("kaiScheduler"));
    template = build_map_member(&spec, SLICE("template"));
    build_node(&template, SLICE("metadata"), node_member(played->source, SLICE("jobSet")));
    jobset = build_map_member(&template, SLICE("spec"));
    kai_build_jobset_spec(&jobset, played, false);
    return document.node;
}

static inline const struct node *
kai_trainjob_of(const struct kai_case *played)
{
    const struct node *source = played->source;
    struct arena *arena = played->arena;
    struct builder metadata;
    struct builder document = kai_document_start("trainer.kubeflow.org/v1alpha1", "TrainJob",
                                                 "test-job", &metadata, arena);
    struct builder spec;
    struct builder reference;

    build_string(&metadata, SLICE("namespace"), SLICE("default"));
    build_string(&metadata, SLICE("uid"), SLICE("uid-tj"));
    if (!node_member(source, SLICE("topOwner")))
        kai_copy_members(&metadata, node_member(source, SLICE("trainJob")));
    spec = build_map_member(&document, SLICE("spec"));
    reference = build_map_member(&spec, SLICE("runtimeRef"));
    build_string(&reference, SLICE("name"), SLICE("r"));
    return document.node;
}

static inline void
kai_build_class(struct builder *list, struct slice name, const struct node *source)
{
    struct builder class = build_map_item(list);

    build_string(&class, SLICE("name"), name);
    build_int(&class, SLICE("value"), 50);
    if (slice_equal(name, recorded_member(source, "globalDefault")))
        build_bool(&class, SLICE("globalDefault"), true);
}

/* The classes of KAI's own installation replace those that the case does not name. */
static inline const struct node *
kai_cluster_of_case(const struct kai_case *played)
{
    const struct release *release = played->release;
    const struct node *source = played->source;
    struct arena *arena = played->arena;
    const struct node *named = node_member(source, SLICE("priorityClasses"));
    struct builder metadata;
    struct builder document =
        kai_document_start("policy.libgang.dev/v1alpha1", "GangCluster", "c", &metadata, arena);
    struct builder spec = build_map_member(&document, SLICE("spec"));
    struct builder components = build_map_member(&spec, SLICE("components"));
    struct builder classes;

    build_string(&components, SLICE("kai"),
                 slice_from_text(arena_format(arena, "v%u.%u.%u", release->major, release->minor,
                                              release->patch)));
    if (node_member(source, SLICE("configMap"))) {
        struct builder facts = build_map_member(&spec, SLICE("kai"));

        build_node(&facts, SLICE("defaults"), node_member(source, SLICE("configMap")));
    }
    classes = build_list_member(&spec, SLICE("priorityClasses"));
    for (NODE_EACH(item, named))
        kai_build_class(&classes, node_string(item), source);
    if (!named) {
        kai_build_class(&classes, SLICE("train"), source);
        kai_build_class(&classes, SLICE("build"), source);
    }
    return document.node;
}

static inline const struct node *
kai_policy_of(const struct kai_case *played)
{
    const struct node *queue = kai_queue_of_pods(played->source);
    struct arena *arena = played->arena;
    struct builder metadata;
    struct builder document =
        kai_document_start("policy.libgang.dev/v1alpha1", "GangPolicy", "p", &metadata, arena);
    struct builder spec = build_map_member(&document, SLICE("spec"));
    struct builder list = build_list_member(&spec, SLICE("backends"));
    struct builder entry = build_map_item(&list);
    struct builder options;

    build_string(&entry, SLICE("name"), SLICE("kai"));
    build_string(&entry, SLICE("type"), SLICE("KAI"));
    options = build_map_member(&entry, SLICE("kai"));
    build_string(&options, SLICE("podGroup"),
                 played->creates ? SLICE("Create") : SLICE("Delegate"));
    if (played->queue_by_policy && queue) {
        struct builder defaults = build_map_member(&spec, SLICE("defaults"));
        struct builder name = build_map_member(&defaults, SLICE("queue"));

        build_string(&name, SLICE("name"), node_string(queue));
    }
    return document.node;
}

static inline const struct node *
kai_jobset_of(const struct kai_case *played)
{
    struct slice uid = recorded_member(played->source, "uid");
    struct arena *arena = played->arena;
    struct builder metadata;
    struct builder document =
        kai_document_start("jobset.x-k8s.io/v1alpha2", "JobSet", "test-job", &metadata, arena);
    struct builder list;
    struct builder owner;
    struct builder spec;

    build_string(&metadata, SLICE("namespace"), SLICE("default"));
    build_string(&metadata, SLICE("uid"), slice_is_set(uid) ? uid : SLICE("uid-js"));
    list = build_list_member(&metadata, SLICE("ownerReferences"));
    owner = build_map_item(&list);
    build_string(&owner, SLICE("apiVersion"), SLICE("trainer.kubeflow.org/v1alpha1"));
    build_string(&owner, SLICE("kind"), SLICE("TrainJob"));
    build_string(&owner, SLICE("name"), SLICE("test-job"));
    build_string(&owner, SLICE("uid"), SLICE("uid-tj"));
    build_bool(&owner, SLICE("controller"), true);
    spec = build_map_member(&document, SLICE("spec"));
    kai_build_jobset_spec(&spec, played, true);
    return document.node;
}

static inline struct kai_documents
kai_documents_of(const struct kai_case *played)
{
    struct arena *arena = played->arena;
    struct builder metadata;
    struct builder live = kai_document_start("v1", "List", "l", &metadata, arena);
    struct builder items = build_list_member(&live, SLICE("items"));

    build_node_item(&items, kai_jobset_of(played));
    for (NODE_EACH(group, node_member(played->source, SLICE("existing"))))
        build_node_item(&items, group);
    return (struct kai_documents){
        .trainjob = kai_document_text(kai_trainjob_of(played), arena),
        .runtime = kai_document_text(kai_runtime_of(played), arena),
        .policy = kai_document_text(kai_policy_of(played), arena),
        .cluster = kai_document_text(kai_cluster_of_case(played), arena),
        .live = kai_document_text(live.node, arena),
    };
}

#endif
