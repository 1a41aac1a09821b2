/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_OBJECTS_H
#define LIBGANG_RECONCILE_LIVE_OBJECTS_H

#include "libgang/base/report.h"
#include "libgang/decide/decision.h"
#include "libgang/document/node.h"
#include "libgang/reconcile/live_keep.h"

/* An object as the API server returns it. Absent texts are unset. */
struct live_object {
    const struct node *root;
    const struct node *metadata;
    struct slice group; /* "" for the core group */
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    bool is_terminating;
    const struct node *controller; /* the controller among the owner references; NULL if absent */
    struct slice controller_uid;   /* unset if absent */
};

struct live_object live_object_of(const struct node *root);

/* A pod that has not ended, with the group that its marks name. */
struct live_pod {
    const struct live_object *object;
    struct slice group;
};

/*
 * The objects in the order of the text, and indexes, so that the cost of a question does not grow
 * with the objects of other jobs. Equal entries of an index keep the order of the text.
 */
struct live_objects {
    struct live_object *items;
    size_t count;
    const void **by_key; /* struct live_object: all, by name, kind, group and namespace */
    size_t num_keys;
    /* struct live_object: those of the schedulers' kinds, by namespace, uid of the controller and
     * name */
    const void **by_controller;
    size_t num_controlled;
    const void **pods; /* struct live_pod: by namespace and group */
    size_t num_pods;
};

/* Makes the indexes. Called once, when all objects are read. */
void live_objects_index(struct live_objects *objects, struct arena *arena);

/* Identifies an object, in any version of its API. */
struct live_key {
    struct slice group;
    struct slice kind;
    struct slice namespace_; /* unset or empty: "default" */
    struct slice name;
};

/* Returns the first match; NULL if there is none. */
const struct live_object *live_objects_find(const struct live_objects *objects,
                                            const struct live_key *key);

/*
 * Writes the objects of a group and kind in the namespace whose names start with `start` to `out`,
 * and returns their number. NULL: only counts.
 */
size_t live_objects_starting(const struct live_objects *objects, const struct live_key *start,
                             const struct node **out);

/* Returns the pods of a group, each a `const struct live_pod *`. */
const void *const *live_pods_of(const struct live_objects *objects, struct slice namespace_,
                                struct slice group, size_t *count);

/* Returns whether both name the same namespace. An absent namespace means "default". */
bool live_same_namespace(struct slice a, struct slice b);

/* The job that should own the objects. */
struct live_owner {
    struct live_key key;
    struct slice uid; /* unset if unknown; then the name identifies the owner */
    /* uid of an owner that owns only objects of this plan; unset if unknown */
    struct slice own_uid;
    bool leaves_no_references; /* the policy renders no owner references */
};

enum live_ownership {
    OWNERSHIP_OURS,
    OWNERSHIP_OF_FORMER, /* a former job of the same name, which no longer exists */
    OWNERSHIP_OF_OTHER,
    OWNERSHIP_OF_NOBODY,
};

/* `job` is the live object of the job; NULL if it is not among the live objects. */
struct live_owner live_owner_of(const struct gang_decision *decision,
                                const struct live_object *job);

/* Decides by the owner reference with `controller: true`. An object has at most one. */
enum live_ownership live_ownership_of(const struct live_owner *owner,
                                      const struct live_object *object);

/*
 * Writes the objects of the schedulers' kinds in the namespace of the owner that can be its objects
 * by live_ownership_of() or live_is_certain() to `out`, and returns their number: those whose names
 * start with `start`, which may be unset. NULL: only counts.
 */
size_t live_candidates(const struct live_objects *objects, const struct live_owner *owner,
                       struct slice start, const struct live_object **out);

/*
 * Returns whether the uid proves that the object belongs only to this plan. For objects that a
 * PodCliqueSet owns it does not: a plan has the groups of one replica, and an object that the plan
 * lacks may belong to another replica. The PodGang owns the objects that were rendered for it in
 * the other layout.
 */
bool live_is_certain(const struct live_owner *owner, const struct live_object *object);

/* The current state of the job. */
struct live_job {
    const struct live_object *object; /* NULL if not among the live objects */
    bool is_finished;                 /* complete or failed; this is final */
    bool is_terminating;
    bool has_pods; /* members of the gang have pods, as the status of the job says */
};

/*
 * Finds the job of a decision. If it is not among the live objects, uses the status in the document
 * of the job.
 */
struct live_job live_job_find(const struct gang_decision *decision,
                              const struct live_objects *objects, struct arena *arena);

/* Returns the value of a mark in a pod or in a pod template; NULL if absent. */
const struct node *live_mark_of(const struct node *pod, const struct descriptor_mark *mark);

/*
 * Returns the name of the group that the marks of a pod name, for any backend; unset if there is no
 * mark or the pod has ended.
 */
struct slice live_pod_group(const struct live_object *object);

#endif
