/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_GANG_H
#define LIBGANG_GANG_GANG_H

#include "libgang/document/node.h"
#include "libgang/gang/role.h"
#include "libgang/gang/start_order.h"

/* Labels and annotations of an object; NULL for none. */
struct chain_metadata {
    const struct node *labels;
    const struct node *annotations;
};

/*
 * The objects above the pods, for schedulers that read their labels and annotations: the job
 * itself, and the set of Jobs that its operator makes of it. What stands in the templates of a
 * role, the role tells.
 */
struct owner_chain {
    struct chain_metadata job;
    struct chain_metadata set;
    bool in_order; /* the set starts its roles one after the other */
};

/* Where pods must stand together: levels of a topology of the nodes, each the label that names its
 * domains. */
struct gang_placement {
    bool is_set;
    struct slice topology;  /* name of the cluster's topology object */
    struct slice required;  /* unset: none */
    struct slice preferred; /* unset: none */
    const struct node *source;
};

#define GROUP_OF_GANG SIZE_MAX

/* A part of the gang that starts as a whole: the pods of one role, or several groups. */
struct gang_group {
    struct slice name;
    int64_t
        minimum;   /* of a role: pods; else: groups directly below. Below a 0 nothing need start */
    size_t parent; /* index of the group around it, which stands before it; GROUP_OF_GANG: none */
    size_t role;   /* index; ROLE_NONE: it holds groups */
    struct gang_placement placement;
    const struct node *source;
};

enum gang_compatibility { COMPATIBILITY_NONE, COMPATIBILITY_KUBEFLOW_TRAINER };

/* Which roles are members; what a pod's requests are; whether room is reserved ahead of the pods.
 */
enum gang_members { MEMBERS_AUTO, MEMBERS_ALL, MEMBERS_TRAINER_ONLY };
enum gang_resources { RESOURCES_EFFECTIVE, RESOURCES_REQUESTS_ONLY };
/* What becomes of members behind the first wave: marked and not counted, left outside, or refused.
 */
enum gang_late { LATE_JOIN, LATE_EXCLUDE, LATE_REFUSE };
enum gang_reserve { RESERVE_AUTO, RESERVE_ALWAYS, RESERVE_NEVER };

/* The job that owns what is rendered. */
struct gang_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid; /* unset: no owner reference */
    const struct node *name_source;
};

struct gang_topology {
    bool is_set;
    struct slice mode;
    bool has_tier;
    int64_t highest_tier;
    struct slice level; /* as a policy names it: a tier's number or the key of a node label; unset
                           without one */
    const struct node *source;
};

/* The narrow waist: every front end produces it, every backend consumes it. */
struct gang {
    struct gang_owner owner;
    enum gang_compatibility compatibility;
    enum gang_members members_choice;
    enum gang_resources resources_choice;
    enum gang_reserve reserve;
    enum gang_late late;
    struct slice trains_too; /* name of a role that trains without the label; unset: none */
    bool suspended;
    struct role *roles;
    size_t num_roles;
    const struct owner_chain
        *chain;      /* what owns the pods; NULL: nothing that the backend looks for */
    bool is_of_jobs; /* its pods are made by Jobs of Kubernetes */
    bool is_ordered; /* the front end has settled the start order: gang_order_roles() is done */
    const uint32_t *start_order; /* indices of the roles, each behind what it waits for; NULL where
                                    none waits */
    struct gang_group *groups;   /* parts of the gang, for a front end that has them */
    size_t num_groups;
    bool is_grouped; /* the groups say what must start; its operator writes the scheduler's object
                        of them */
    int64_t minimum_groups; /* groups directly below that must start; 0: pods are counted, see
                               `minimum` */
    struct gang_placement placement; /* of all members */
    struct slice role_label;   /* of pods, its value is the role's name; unset: they have none */
    const struct node *labels; /* that the group's object takes over; NULL: none */
    const struct node *annotations;

    struct slice name;            /* of the group, as pods see it; the owner's unless set */
    struct slice scheduler_name;  /* that its pods shall have; unset: the backend's own */
    bool overrides_schedulers;    /* it replaces what the templates name */
    bool has_compared_schedulers; /* the front end has compared what the templates name */
    int64_t minimum;              /* pods that must start together */
    int64_t members;              /* pods that carry the mark */
    int64_t late_members;
    int64_t pods;                   /* all pods of the job */
    struct resource_list resources; /* total of the members */

    struct slice queue; /* unset: none asked for */
    const struct node *queue_source;
    struct slice priority_class_name;
    const struct node *priority_class_source;
    bool gives_priority;   /* the class is not the members' own: their pods get it */
    bool has_own_priority; /* the class stands beside those of the pods */
    bool has_timeout;
    int64_t timeout_seconds;
    const struct node *timeout_source; /* NULL: a default that nobody wrote */
    struct gang_topology topology;
    const struct node
        *superseded; /* what selects the backend by an earlier spelling; NULL without */
    const struct node *scheduling; /* the runtime's own groups, by KEP-3015; NULL without */
    const struct node
        *rival; /* what would have another controller make groups of the same pods; NULL without */
};

/*
 * Links the start order and sets the stages, unless that is done. False, and everything one stage,
 * when roles wait for each other; that and unknown dependencies are reported.
 */
bool gang_order_roles(struct gang *gang, struct arena *arena, struct report *report);

/*
 * Links the start order, decides stage, wave and membership of every role, and sums up minimum,
 * members, pods and resources. `roles`, `owner` and `compatibility` must be set. Reports unknown
 * dependencies and cycles, ambiguous stages, empty gangs, late members, gangs that can never fill,
 * and overflows.
 *
 * `members_choice` All makes every role a member and all of them the minimum; TrainerOnly leaves
 * out of the stage what does not train.
 *
 * In compatibility the gang is what the upstream operator makes: every role is a member and all of
 * them are the minimum, with `operator_count` pods each.
 */
void gang_form(struct gang *gang, struct arena *arena, struct report *report);

/*
 * The same for a gang whose groups say how many pods of each role must start: every role is a
 * member, none is late. `roles`, `groups` and `owner` must be set. Reports overflows.
 */
void gang_form_groups(struct gang *gang, struct arena *arena, struct report *report);

#endif
