/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_WISHES_H
#define LIBGANG_GANG_WISHES_H

#include "libgang/base/report.h"
#include "libgang/gang/role.h"
#include "libgang/kube/names.h"

/* Labels and annotations of an object; NULL if absent. */
struct chain_metadata {
    const struct node *labels;
    const struct node *annotations;
};

/*
 * The owners of the pods, for schedulers that read their labels and annotations: the job itself and
 * the JobSet that its operator creates. The metadata in a role's templates is in struct role.
 */
struct owner_chain {
    struct chain_metadata job;
    struct chain_metadata set;
    const struct node *job_owners; /* owner references of the job itself; NULL if it has none */
    bool in_order;                 /* the JobSet starts its roles in order */
    /*
     * Another operator creates the pods, and `set` is the job. How a scheduler would group them by
     * itself is not predicted.
     */
    bool is_foreign;
};

/* Topology constraint of pods. A level is the node label whose values are the domains. */
struct gang_placement {
    bool is_set;
    struct slice topology;  /* name of the cluster's topology object */
    struct slice required;  /* unset if absent */
    struct slice preferred; /* unset if absent */
    const struct node *source;
};

/* The level of topology that the gang's pods share, as backends read it. */
struct gang_topology {
    bool is_set;
    struct slice mode;
    bool has_tier;
    int64_t highest_tier;
    /* as a policy names it: a tier's number or a node label key; unset if absent */
    struct slice level;
    const struct node *source;
};

/* The value of an attribute that the job's documents ask for, and what the trace says of it. */
struct job_request {
    struct slice value;        /* unset if absent */
    const struct node *source; /* of the value, or the map without it; NULL if neither exists */
    enum gang_document_type document; /* of a value without a source; else may be NONE */
    struct slice missing;             /* path of a value without a source */
    const char *reason;               /* why it is set or not; NULL: an absent value is not shown */
    const char *overrides;            /* why later values lose */
    bool is_set;
    bool can_be_ignored; /* by a policy that ignores the runtime's podGroupPolicy */
};

#define GROUP_OF_GANG SIZE_MAX

/* A part of the gang that starts as a whole: the pods of one role, or several groups. */
struct gang_group {
    struct slice name;
    /*
     * pods if the group is of a role, otherwise direct subgroups; 0: none of its members must start
     */
    int64_t minimum;
    size_t parent; /* index of the parent group, which precedes it; GROUP_OF_GANG if it has none */
    size_t role;   /* index; ROLE_NONE if it contains groups */
    struct gang_placement placement;
    const struct node *source;
};

enum gang_compatibility { COMPATIBILITY_NONE, COMPATIBILITY_KUBEFLOW_TRAINER };

/*
 * Which roles are members; how pod requests are counted; whether capacity is reserved before the
 * pods exist.
 */
enum gang_members { MEMBERS_AUTO, MEMBERS_ALL, MEMBERS_TRAINER_ONLY };
enum gang_resources { RESOURCES_EFFECTIVE, RESOURCES_REQUESTS_ONLY };
/* How members after the first wave are handled: marked but not counted, left out, or refused. */
enum gang_late { LATE_JOIN, LATE_EXCLUDE, LATE_REFUSE };
enum gang_reserve { RESERVE_AUTO, RESERVE_ALWAYS, RESERVE_NEVER };

/* How often the job was resumed or restarted before its present pods, as the caller says. */
struct gang_run {
    bool is_known;
    int64_t number; /* 0 if unknown */
};

/* The job that owns the rendered objects. */
struct gang_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid;  /* unset: no owner reference */
    bool is_no_object; /* kind and name are for people: no object owns the gang */
    const struct node *name_source;
};

/* The object with this metadata as the owner. */
static inline struct gang_owner
gang_owner_of(const struct object_meta *meta, struct slice api_version, struct slice kind)
{
    return (struct gang_owner){
        .api_version = api_version,
        .kind = kind,
        .name = meta->name,
        .namespace_ = meta->namespace_,
        .uid = meta->uid,
        .name_source = meta->name_source,
    };
}

/*
 * What the job's documents, the policy and the backend's options ask of a gang before it exists.
 * The front end sets the fields that follow from the documents, the caller `run`; the choices of
 * the decide room set `scheduler_name`, `overrides_schedulers` and the fields of the four enums;
 * the backend's prepare() changes what its options change. gang_form() reads the result, and
 * nothing changes it afterwards.
 */
struct gang_wishes {
    struct gang_owner owner;
    struct slice name; /* name of the group in the pods; unset: the owner's name */
    enum gang_compatibility compatibility;
    enum gang_members members_choice;
    enum gang_resources resources_choice;
    enum gang_reserve reserve;
    enum gang_late late;
    /* the documents say which roles are members, not labels of the templates */
    bool declares_members;
    int64_t minimum; /* pods that must start together, as the documents say; 0: computed */
    const struct node *minimum_source;
    struct slice trains_too; /* name of a role that trains without the label; unset if absent */
    bool suspended;
    bool was_resumed; /* its status says that it was suspended before */
    struct gang_run run;
    bool is_of_jobs; /* its pods are created by Jobs of Kubernetes */
    bool is_ordered; /* wishes_order_roles() has set the next field and the stages */
    /* indices of the roles, each after the roles it waits for; NULL if no role waits */
    const uint32_t *start_order;
    struct role *roles;
    size_t num_roles;
    bool has_units;                  /* a role has */
    const struct owner_chain *chain; /* the owners of the pods; NULL if no backend reads them */
    struct gang_group *groups;       /* NULL if the front end has no groups */
    size_t num_groups;
    /*
     * the groups set what must start; the job's operator creates the scheduler's object from them
     */
    bool is_grouped;
    bool has_own_priority; /* the class of the group is independent of those of its pods */
    /* the front end has compared the schedulerName of the templates */
    bool has_compared_schedulers;
    bool overrides_schedulers;   /* `scheduler_name` replaces that of the templates */
    struct slice scheduler_name; /* schedulerName for the pods; unset: the backend's scheduler */
    /* direct subgroups that must start; 0: pods are counted, see the minimum of the gang */
    int64_t minimum_groups;
    struct gang_placement placement; /* of all members */
    /* key of the pod label whose value is the role's name; unset if absent */
    struct slice role_label;
    const struct node *labels; /* copied to the group's object; NULL if absent */
    const struct node *annotations;
    struct slice priority_class_name; /* of the group in the job's document */
    const struct node *priority_class_source;
    /* What the documents ask for the attributes of the gang's objects; the decide room chooses. */
    struct job_request queue_request;
    struct job_request priority_request;
    struct job_request timeout_request;
    int64_t timeout_seconds; /* its value, as the next one is of a topology that is requested */
    struct job_request topology_request;
    struct gang_topology topology;
    /* the key that selects the backend in an older spelling; NULL if absent */
    const struct node *superseded;
    const struct node *scheduling; /* the runtime's own groups (KEP-3015); NULL if absent */
    /* the key that makes another controller create groups of the same pods; NULL if absent */
    const struct node *rival;
    /* the number of restarts that create all pods again without the caller; NULL if there are none
     */
    const struct node *restarts;
};

/*
 * Whether the roles must agree with this one: a role without pods has no say. The upstream operator
 * reads all roles.
 */
static inline bool
wishes_heed(const struct gang_wishes *wishes, const struct role *role)
{
    return role->count || wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
}

/*
 * Links the start order and sets the stages, unless this is done already. Returns false, with all
 * roles in one stage, if roles wait for each other. Reports cycles and unknown dependencies,
 * dependencies on roles without pods, which hold at once and are dropped, and those that wait until
 * more pods of a role are ready than must start.
 */
bool wishes_order_roles(struct gang_wishes *wishes, struct arena *arena, struct report *report);

#endif
