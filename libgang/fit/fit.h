/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_FIT_FIT_H
#define LIBGANG_FIT_FIT_H

#include "libgang/document/document.h"
#include "libgang/kube/pod_requests.h"

/*
 * Whether pods fit on nodes: a proof that they do not, or silence. The caller says which pods, as
 * types with equal requests and constraints, and which nodes; both are parts of documents.
 */

enum { FIT_MOST_TYPES = 8, FIT_MANY = 1000000, FIT_UNKNOWN = -1 };

/* With the pods of now, without those that may be evicted, and without any. */
enum fit_moment { FIT_NOW, FIT_BY_PREEMPTION, FIT_EVER };

/* What keeps a pod from a node; FIT_LATER is a state that passes. */
enum fit_eligibility { FIT_ELIGIBLE, FIT_LATER, FIT_OTHER_LABELS, FIT_TAINTED, FIT_ELIGIBILITIES };

/* Pods of one role with equal constraints and requests. */
struct fit_type {
    const struct node *metadata; /* of a pod or of its template; NULL if absent, as the next one */
    const struct node *spec;
    size_t role;        /* the caller's; ROLE_NONE: not known */
    size_t at;          /* of one of the pods, in the caller's list */
    struct slice name;  /* of the role, or of the pod */
    const char *called; /* one of the pods, in messages */
    int64_t count;
    struct resource_list requests;
    int64_t *needs; /* by the resources of `struct fit`: as fit_count_of() */
    bool has_host_port;
    bool is_apart;           /* keeps away from its like on a node */
    struct slice lacking;    /* what the scheduler said of a pod */
    unsigned char *eligible; /* enum fit_eligibility, by node */
    int64_t *capacity[3];    /* by moment and node: pods that it takes of this type alone */
    int64_t by[FIT_ELIGIBILITIES];
};

struct fit_node {
    struct slice name;
    size_t at;                 /* in the caller's list */
    const struct node *labels; /* NULL if absent, as the next three */
    const struct node *annotations;
    const struct node *taints;
    const struct node *allocatable;
    bool is_cordoned;
    /* the rest is set by fit_add_node() and fit_use() */
    const struct node *domain; /* value of the topology's label; NULL: none */
    int64_t *has;              /* by resource; FIT_UNKNOWN */
    int64_t *used[2];          /* FIT_NOW and FIT_BY_PREEMPTION */
    int64_t pods[2];
    int64_t slots;
    bool has_hostname;
    bool is_virtual;
    bool is_oversubscribed;
};

struct fit {
    struct arena *arena;
    struct fit_type types[FIT_MOST_TYPES];
    size_t num_types;
    int64_t waiting; /* pods of all types */
    int64_t needed;  /* of them, those that must start together */
    int64_t priority;
    struct slice *resources;
    size_t num_resources;
    struct fit_node *nodes; /* those of one domain stand together */
    size_t num_nodes;
    struct slice topology_key;  /* unset: no domain must take the gang */
    struct slice chosen_domain; /* where members are already; unset: none is */
    bool *is_offered;           /* by resource: some node has it */
    bool knows_device_classes;  /* the extended resources that DeviceClasses stand for are known */
    const struct node *device_resources; /* a map with their names as keys; NULL: there are none */
    size_t from; /* the nodes that are looked at: all, or those of one domain */
    size_t to;
};

/* A condition that no placement meets. Sets of types are bits. */
struct fit_failure {
    unsigned types;
    int64_t demand;
    int64_t room;
    size_t resource; /* 1 + the one whose sum does not suffice; 0: it is the number of pods */
    int64_t wanted;
    int64_t usable;
    const struct node *domain; /* the best one */
};

/* ---- to fill it: types, then fit_read_resources(), nodes, what is used, fit_measure() ---- */

/*
 * Finds the type of the same role with equal constraints, or makes one, with no pods and without
 * requests. NULL if there are too many, or if what the filters count is not what it asks for.
 */
struct fit_type *fit_type_of(struct fit *fit, size_t role, const struct node *metadata,
                             const struct node *spec);
/* The effective requests of a pod. False if they cannot be read. */
bool fit_requests_of(const struct node *spec, struct arena *arena, const struct limits *limits,
                     struct resource_list *requests);
void fit_read_resources(struct fit *fit);
/* Makes room for the nodes. */
void fit_reserve_nodes(struct fit *fit, size_t count);
/* The caller has set the first part of the node. */
void fit_add_node(struct fit *fit, const struct fit_node *node);
/* Pods with these requests in all are on the node; `is_kept`: they cannot be evicted. */
void fit_use(const struct fit *fit, struct fit_node *node, bool is_kept, int64_t pods,
             const struct resource_list *requests);
/* Finds the domains, and how many pods each node takes of each type. False if out of memory. */
bool fit_measure(struct fit *fit);

/* ---- fit_nodes.c: which nodes may take a pod, and how many of them ---- */

bool fit_may_take(const struct fit_type *type, size_t node, enum fit_moment moment);
/* Pods of a set of types. */
int64_t fit_capacity_of_any(const struct fit *fit, unsigned types, size_t at,
                            enum fit_moment moment);
/* Pods of the second type beside some of the first. */
int64_t fit_capacity_beside(const struct fit *fit, int64_t first, size_t at,
                            enum fit_moment moment);
/* Cpu in thousandths, others in units, as the scheduler counts; a rest is left out. */
int64_t fit_count_of(const struct quantity *amount, struct slice resource);
/* The most of a resource that the types can use on the node. */
int64_t fit_usable(const struct fit *fit, unsigned types, size_t at, size_t resource,
                   enum fit_moment moment);
int64_t fit_free(const struct fit_node *node, size_t resource, enum fit_moment moment);
bool fit_is_extended(struct slice resource);
/*
 * Whether the scheduler may find the resource elsewhere: a DeviceClass can stand for an extended
 * resource that the node does not have (KEP-5004), some schedulers add to what nodes offer, and
 * virtual nodes have no bound.
 */
bool fit_is_unbounded(const struct fit *fit, const struct fit_type *type,
                      const struct fit_node *node, size_t resource);
/* A required rule against pods like itself on a node. Only rules that are surely of this form. */
bool fit_is_apart(const struct node *metadata, const struct node *spec);
/* A scheduler that says so does not look for the resource elsewhere. */
bool fit_is_said_to_lack(const struct fit_type *type, struct slice resource);
void fit_read_eligible(struct fit *fit);
void fit_read_capacities(struct fit *fit);
void fit_read_pod(struct fit_type *type);

/* ---- fit.c: conditions of every placement ---- */

/* False if one does not hold, which is a proof. */
bool fit_holds_in(struct fit *fit, enum fit_moment moment, struct fit_failure *failure);
/* Whether a domain of the topology may hold the gang; else the best one is in `best`. */
bool fit_domains_hold(struct fit *fit, enum fit_moment moment, struct fit_failure *best);
/* A bound on the pods of a set of types on all nodes together. */
int64_t fit_room(const struct fit *fit, unsigned types, enum fit_moment moment);
int64_t fit_eligible_count(const struct fit *fit, const struct fit_type *type,
                           enum fit_moment moment);
/* The single type of which there is not enough room; NULL: several types, or a sum. */
const struct fit_type *fit_single_type(const struct fit *fit, const struct fit_failure *failure);

/* ---- fit_words.c: the numbers in words ---- */

/* The resource of a type of which most nodes that may take it have too little. */
struct fit_shortage {
    size_t resource;
    const struct fit_node *best; /* NULL: there is no such resource */
    int64_t largest;
    int64_t sum;
};

struct fit_shortage fit_shortage_of(const struct fit *fit, const struct fit_type *type,
                                    enum fit_moment moment);
/* An amount of a resource, in the format in which the type asks for it. */
const char *fit_amount(const struct fit *fit, const struct fit_type *type, size_t resource,
                       int64_t count);
/* "1 node", "8 nodes". */
const char *fit_nodes_in_words(const struct fit *fit, int64_t count);
/* "worker and server". */
const char *fit_names_of(const struct fit *fit, unsigned types);
/* The sum of a resource that types need and cannot have together. */
const char *fit_sum_in_words(const struct fit *fit, const struct fit_failure *failure);

enum fit_reason { FIT_NODES_EXCLUDED, FIT_TOO_LARGE, FIT_ONE_PER_NODE, FIT_NEVER_TOGETHER };

/* Why the pods never fit. */
struct fit_words {
    enum fit_reason reason;
    const char *values[6]; /* of the reason's message, ended by NULL */
    struct fit_shortage shortage;
};

struct fit_words fit_never_in_words(const struct fit *fit, const struct fit_failure *failure);
struct fit_words fit_exclusion_in_words(const struct fit *fit, const struct fit_type *type);

#endif
