/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_CATALOG_CATALOG_H
#define LIBGANG_CATALOG_CATALOG_H

#include <gang/gang-names.h>

#include "libgang/document/schema.h"

/*
 * The schedulers that libgang renders for, in the order of every list of schedulers. A row NAME
 * needs NAME_descriptor in catalog/catalog_NAME.c and NAME_backend in the backend room. No other
 * place lists the schedulers.
 */
#define CATALOG_SCHEDULERS(ROW)                                                                    \
    ROW(coscheduling) ROW(volcano) ROW(kai) ROW(workload) ROW(yunikorn) ROW(koordinator)

/* The member of a runtime's podGroupPolicy that selects the scheduler. */
struct descriptor_member {
    struct slice name;
    struct slice path;           /* path in a runtime */
    const struct schema *schema; /* NULL: the schema in the CRD, or no schema */
    struct slice superseded;     /* an earlier spelling; unset if there is none */
    const struct schema *superseded_schema;
    /* Whether Kubeflow Trainer v2.3 has the member, and a plugin that reads it. */
    bool is_of_operator;
    bool is_of_scheduling; /* a runtime's spec.scheduling also selects the scheduler */
    /* Path of scheduleTimeoutSeconds below the member; unset if the member has no timeout. */
    struct slice timeout_path;
    /* Path of networkTopology below the member; unset if the member has no network topology. */
    struct slice topology_path;
    /*
     * The operator's message for a queue without a name; NULL if the operator accepts such a queue.
     */
    const char *empty_queue;
    const char *empty_queue_hint;
};

enum queue_place {
    /* runtimePatches[].trainingRuntimeSpec.template.metadata, the last patch first */
    QUEUE_IN_PATCHES,
    QUEUE_IN_TEMPLATE,      /* spec.template.metadata of the runtime */
    QUEUE_ON_TRAINJOB,      /* metadata of the TrainJob */
    QUEUE_ON_RUNTIME,       /* metadata of the runtime */
    QUEUE_ON_JOB_TEMPLATES, /* replicatedJobs[].template.metadata, with the patches merged in */
    QUEUE_ON_POD_TEMPLATES, /* metadata of the pod templates, with the patches merged in */
    /* spec.podGroupPolicy of the runtime; the key is a path below it, such as "kind.queue" */
    QUEUE_IN_GANG_POLICY,
};

enum queue_form { QUEUE_LABEL, QUEUE_ANNOTATION, QUEUE_FIELD };

enum { QUEUE_NOT_READ = -1 };

/*
 * A place where a job or runtime can specify the scheduler's queue, or a label that decides the
 * priority class of the group.
 */
struct queue_source {
    struct slice key;
    enum queue_form form;
    enum queue_place place;
    /*
     * The source with the lowest precedence that has a value decides; sources with equal precedence
     * must agree. QUEUE_NOT_READ: no component reads a queue from this place, except from the pods
     * of a job of another kind than TrainJob.
     */
    int precedence;
    const char *hint;   /* for QUEUE_NOT_READ: how to specify the queue instead */
    bool ignores_empty; /* an empty value counts as absent */
    bool is_common;     /* the key has other uses, so other schedulers do not report it */
    /* label of the pods whose value is appended to this one, after a dash; unset if there is none
     */
    struct slice pod_suffix;
};

enum mark_place { MARK_LABEL, MARK_ANNOTATION, MARK_POD_FIELD };

/*
 * A label, annotation or field of a pod that the scheduler reads as gang membership. Only libgang
 * may set it.
 */
struct descriptor_mark {
    enum mark_place place;
    /* key of the label or annotation, or name of the field in the pod's spec */
    struct slice key;
    struct slice member;   /* member of the field that names the group */
    bool names_group;      /* the value is the name of the group */
    struct slice value;    /* the only value that is a mark; unset: every value */
    bool is_on_plain_pods; /* users write it on pods that have no operator */
};

/* The fields from LOSS_MINIMUM on are minima: those of gangs that can start with fewer pods. */
enum loss_field {
    LOSS_QUEUE,
    LOSS_TIMEOUT,
    LOSS_TOPOLOGY,
    LOSS_TOPOLOGY_OF_POLICY, /* a topology that is not the job's own */
    LOSS_RESOURCES,          /* `resources: RequestsOnly` of a policy */
    LOSS_RESERVE,            /* `reserve: Always` of a policy */
    LOSS_MINIMUM,            /* of the whole gang */
    LOSS_ROLE_MINIMUM,       /* of one role */
    /* the same, if the documents set another minimum of the gang than the sum of the roles' */
    LOSS_ROLE_MINIMUM_BESIDE,
};

/* A field of the gang that the scheduler's objects cannot express. */
struct loss {
    enum loss_field field;
    const char *reason;
};

/* How Grove's backend for a scheduler reads a queue. */
enum grove_queue_rule {
    GROVE_QUEUE_NONE, /* the scheduler has no gangs, so no queue is read */
    /* Label before annotation, of the PodCliqueSet or of all cliques; without a default. */
    GROVE_QUEUE_OF_LABELS,
    GROVE_QUEUE_OF_PODGANG /* annotation of the PodGang; "default" if absent */
};

/* How Grove's backend for a scheduler handles a topologyConstraint. */
enum grove_topology_rule { GROVE_TOPOLOGY_PLACED, GROVE_TOPOLOGY_REFUSED, GROVE_TOPOLOGY_LOST };

/*
 * A scheduler that Grove drives. Source: ai-dynamo/grove:operator/api/config/v1alpha1/types.go and
 * operator/internal/scheduler/{kai,kube,volcano,lpx}/backend.go @fcc3b3bb.
 */
struct descriptor_grove {
    /* Used as schedulerName and as Grove's profile; unset if Grove does not drive the scheduler. */
    struct slice name;
    size_t place;       /* position in Grove's list of schedulers */
    const char *words;  /* name in Grove's messages */
    bool has_subgroups; /* pods name their subgroup in addition to the group */
    enum grove_queue_rule queue_rule;
    struct slice queue_key;
    enum grove_topology_rule topology_rule;
    /* For GROVE_TOPOLOGY_REFUSED. NULL: a message that names the constraint. */
    const char *topology_refusal;
};

enum { DESCRIPTOR_MOST_KINDS = 3, DESCRIPTOR_MOST_GROUPS = 2 };

/* How `gangctl cluster` finds the release of the scheduler, and how a GangCluster specifies it. */
struct descriptor_component {
    /* key in components; unset if the scheduler is part of Kubernetes */
    struct slice name;
    struct slice groups[DESCRIPTOR_MOST_GROUPS]; /* API groups of its CRDs; unset after the last */
    /* image of its Deployment, without registry and tag */
    struct slice image;
};

/* Which pods of a group count for its minimum. Without a bit: all that have not ended. */
enum descriptor_counts {
    DESCRIPTOR_COUNTS_SUCCEEDED = 1 << 0, /* and those that have succeeded */
    DESCRIPTOR_COUNTS_NO_GATED = 1 << 1,  /* but not those with a scheduling gate */
};

/* The scheduler's own kind of topology object. */
struct descriptor_topology {
    struct slice group; /* unset if the scheduler has no such kind */
    struct slice api_version;
    struct slice kind;
    struct slice annotation; /* annotation of a job that names a topology object */
};

/*
 * What a gang can have with this scheduler, in a few words for a table; "no" if it cannot have it.
 * Sources: the backend's section in doc/backends.md.
 */
struct descriptor_features {
    struct slice whole_or_nothing;
    struct slice late_member;
    struct slice initializers;
    struct slice suspend; /* the objects of a suspended job */
    struct slice topology;
    struct slice subgroups;
    struct slice elastic_minimum; /* less than the number of pods */
};

/* The properties of one scheduler that tables can express. */
struct descriptor {
    /* In lower case. The block of the scheduler's options in a policy has this name: "volcano". */
    struct slice name;
    struct slice type;           /* "Volcano" */
    struct slice scheduler_name; /* default if the policy sets no schedulerName */

    /* All four are unset for a scheduler without objects, whose pods alone describe the gang. */
    struct slice group;                        /* API group */
    struct slice kinds[DESCRIPTOR_MOST_KINDS]; /* in the order of creation; unset after the last */
    struct slice resource;                     /* resource that the cluster must serve */
    struct slice api_version;                  /* of its objects; unset if the cluster decides it */
    /* The accepted values of `backends[].apiVersion`, NULL-terminated; NULL: only api_version. */
    const char *const *api_versions;

    /*
     * Schema of `backends[].<name>` in a policy; NULL if there are no options. Each field must have
     * a description, and a default_text if it has a default. The field `podGroup` may also be set
     * on the entry itself; it is then read as if it were an option.
     */
    const struct schema *options;
    /* An option with a value that follows an unreleased upstream change; unset if there is none. */
    struct slice experimental;
    /* What its entry in a first policy has, with comments: for `gangctl policy init`. Or unset. */
    struct slice starter;
    /* The one of `options` that is a source of the timeout; unset if there is none. */
    struct slice timeout_option;
    struct descriptor_member member;

    /* Sources with QUEUE_NOT_READ come last. NULL if the scheduler has no queues. */
    const struct queue_source *queue_sources;
    size_t num_queue_sources;
    /*
     * Queue of a group that names none; unset if there is no default queue or there are no queues.
     */
    struct slice default_queue;
    /*
     * Labels that decide the priority class of the group, before the classes of the pods. NULL if
     * there are none.
     */
    const struct queue_source *priority_sources;
    size_t num_priority_sources;
    /* Class of a group whose label names a class that does not exist; unset if there is none. */
    struct slice default_priority_class;
    /*
     * Field in the spec of objects of kind Queue that names the parent; unset if there is no such
     * kind.
     */
    struct slice queue_parent;
    bool has_only_leaf_queues; /* a queue that is the parent of another one takes no gangs */
    /* Kind of the objects in `group` that limit what the pods of a queue use, by `spec.max`, where
     * there is no kind Queue; unset if there is none. */
    struct slice quota_kind;
    /* There is no kind Queue, but a GangCluster can say which queues the scheduler's settings have.
     */
    bool configures_queues;

    const struct descriptor_mark *marks;
    size_t num_marks;
    /* Of a gang without an object, annotations of its pods: the JSON list of its parts, each with a
     * `name` and a `minMember`, and the name of the part that the pod belongs to. */
    struct slice parts_annotation;
    struct slice part_annotation;
    struct slice placeholder_annotation; /* of pods that hold room for members; unset: none do */
    /*
     * When it forgets the pods of a group that have ended: after this time ("30s"), or with the
     * object of this kind. Pods that come before are no gang. Unset: with each pod.
     */
    struct slice forgets;
    const char *minimum_path;  /* in the object of a group; NULL if no object has it in one place */
    unsigned counts;           /* enum descriptor_counts: which pods count for it */
    bool sleeps_through_nodes; /* a new node does not make it try a waiting gang again */
    bool preempts_by_priority; /* evicts pods of lower priority, and no others, for a gang */
    const struct loss *losses;
    size_t num_losses;
    /* Why parts of units can start; NULL if some units are kept whole, as the backend decides. */
    const char *why_no_units;
    /* Why a gang has no groups of roles; NULL if some can be rendered, as the backend decides. */
    const char *why_no_groups;
    /*
     * The scheduler holds room for a pod by its rendered requests, which must not be less than the
     * pod's own.
     */
    bool needs_effective_requests;
    /* With WorkloadWithJob, the Job controller adds a Job's pods to a gang that it creates. */
    bool is_joined_twice;

    /*
     * The scheduler considers a waiting gang again only after pods or its group have changed, not
     * when room appears.
     */
    bool sleeps_on_room;
    /*
     * It sorts gangs, by a priority of the gang. The others sort pods, so that members of different
     * priorities stand apart in the queue, and parts of two gangs can hold the room of each other.
     */
    bool sorts_gangs;

    struct descriptor_features features;
    struct descriptor_component component;
    /* Schema of `spec.<name>` in a GangCluster: the scheduler's own configuration; NULL: none. */
    const struct schema *facts;
    struct descriptor_grove grove;
    struct descriptor_topology topology;
};

#define CATALOG_DECLARE(name) extern const struct descriptor name##_descriptor;
CATALOG_SCHEDULERS(CATALOG_DECLARE)

/* Indexes into the catalog: CATALOG_AT_kai. */
#define CATALOG_PLACE(name) CATALOG_AT_##name,
enum { CATALOG_SCHEDULERS(CATALOG_PLACE) CATALOG_COUNT };

extern const struct descriptor *const catalog[CATALOG_COUNT];

/* Whether gangs of the scheduler are objects. */
static inline bool
descriptor_has_objects(const struct descriptor *descriptor)
{
    return slice_is_set(descriptor->kinds[0]);
}

/* Returns why no object has a place for the field, or not for a value of a policy; NULL if one has.
 */
const char *descriptor_why_lost(const struct descriptor *descriptor, enum loss_field field);

/* The tables of schema/options.yaml: what the descriptors have of documents. */
extern const struct schema coscheduling_options;
extern const struct schema kai_facts;
extern const struct schema kai_member;
extern const struct schema kai_options;
extern const struct schema kai_superseded_member;
extern const struct schema koordinator_options;
extern const struct schema workload_options;
extern const struct schema yunikorn_options;

/* Returns the scheduler with this type; NULL if there is none. */
const struct descriptor *catalog_of_type(struct slice type);
/*
 * Returns the scheduler with this member of podGroupPolicy, or with this superseded spelling; NULL
 * if there is none.
 */
const struct descriptor *catalog_of_member(struct slice member);

/*
 * Return the first scheduler whose member has a timeout, the first whose member has a network
 * topology, and the first that has its own kind of topology object; NULL if there is none.
 */
#define catalog_of_timeouts() catalog_with(offsetof(struct descriptor, member.timeout_path))
#define catalog_of_network_topologies()                                                            \
    catalog_with(offsetof(struct descriptor, member.topology_path))
#define catalog_of_topologies() catalog_with(offsetof(struct descriptor, topology.group))
/* Returns the first scheduler with a text at this place of its descriptor; NULL if none has one. */
const struct descriptor *catalog_with(size_t place);

/* Returns the value of a mark in a pod or in a pod template; NULL if absent. */
const struct node *descriptor_mark_of(const struct node *pod, const struct descriptor_mark *mark);

/*
 * Report marks of gang membership in a job: only libgang may set them. A job that sets one could
 * join, starve or escape a gang. Those that `planned` has, too, are right. NULL means an absent
 * value.
 */
void reserved_marks_check_metadata(const struct node *metadata, const struct node *planned,
                                   struct report *report);
void reserved_marks_check_pod_spec(const struct node *pod_spec, const struct node *planned,
                                   struct report *report);

/* Returns whether a pod or a pod template has such marks. */
bool reserved_marks_are_in(const struct node *pod);

/* Whether a pod or a pod template names the group of a job: its name, or "name.namespace". */
bool reserved_marks_name(const struct node *pod, struct slice job);

/* Returns whether a label or annotation with this key is such a mark. */
bool reserved_marks_has_key(struct slice key);

#endif
