/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_H
#define LIBGANG_RECONCILE_LIVE_H

#include "libgang/decide/decision.h"

/*
 * Copies the part of a live object that libgang uses, as a root of its own: all of the schedulers'
 * objects, JobSets and jobs except what only the server manages; of a pod what places it in a gang
 * and on a node; of other objects their identity. Values keep their index, so paths stay those of
 * the object. `part` is the document of the object: positions of the copy count from the start of
 * the whole text. For a diagnosis, also what gang_diagnose() reads. Returns NULL if the arena
 * failed.
 */
const struct node *live_keep(const struct node *object, bool for_diagnosis,
                             const struct split_part *part, struct arena *arena);

/* The object in which Kueue queues a job. */
#define LIVE_KUEUE_GROUP SLICE("kueue.x-k8s.io")
#define LIVE_KUEUE_KIND SLICE("Workload")

/* Returns the part of an apiVersion before the slash; "" without a slash. */
struct slice live_group_of(struct slice api_version);

/* Positions in a document, converted to positions in the text that it is a part of. */
static inline uint32_t
live_column_in_text(uint32_t line, uint32_t column, const struct split_part *part)
{
    return line == 1 ? column + part->column - 1 : column;
}

static inline uint32_t
live_line_in_text(uint32_t line, const struct split_part *part)
{
    return line ? line + part->line - 1 : 0;
}

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
    bool is_repeated;              /* it was given before; only set where the parts are indexed */
    const struct node *controller; /* the controller among the owner references; NULL if absent */
    struct slice controller_uid;   /* unset if absent */
};

struct live_object live_object_of(const struct node *root);

/* A pod that has not ended, with the group that its marks name. */
struct live_pod {
    const struct live_object *object;
    struct slice group;
};

/* Entries in their order. Equal ones keep the order of the text. */
struct live_index {
    const void **items;
    size_t count;
};

/*
 * The objects in the order of the text, and indexes, so that the cost of a question does not grow
 * with the objects of other jobs.
 */
struct live_objects {
    struct live_object *items;
    size_t count;
    bool is_partial;          /* a list says that the server has more */
    struct live_index by_key; /* struct live_object: all, by name, kind, group and namespace */
    /* struct live_object: those of the schedulers' kinds, by namespace, uid of the controller and
     * name */
    struct live_index by_controller;
    struct live_index pods; /* struct live_pod: by namespace and group */
    /* Of live_objects_index_parts(), for gang_diagnose(). */
    bool has_parts;
    struct slice newest;       /* time in the objects, in RFC 3339; unset if there is none */
    struct live_index parts;   /* struct live_part: objects and events, by the uid they belong to */
    struct live_index members; /* struct live_part: pods, also those that ended, by their group */
    struct live_index labelled; /* struct live_part: pods, by the name of a job in their labels */
    const void **nodes;         /* struct live_object */
    size_t num_nodes;
    struct live_use *uses; /* by node and priority */
    size_t num_uses;
    const void **placeholders; /* struct live_object: those with a node */
    size_t num_placeholders;
    bool has_kueue;      /* a Workload of Kueue is among them */
    const void **queued; /* struct live_queued: by ClusterQueue, in its order */
    size_t num_queued;
};

/* What the pods of one priority on one node ask for together. */
struct live_use {
    struct slice node;
    int64_t priority;
    int64_t pods;
    struct resource_list requests; /* of the pods whose requests can be read */
};

/* An object with what it belongs to. */
struct live_part {
    struct slice of; /* the uid of its controller, or of the object of an event; or a group */
    const struct live_object *object;
    bool is_event;
};

/* Makes the indexes. Called once, when all objects are read. */
void live_objects_index(struct live_objects *objects, struct arena *arena);

/*
 * Makes the indexes of gang_diagnose(): what an object owns, the events about it, and the pods of a
 * group, also those that have ended.
 */
void live_objects_index_parts(struct live_objects *objects, struct arena *arena);

/*
 * Adds up what pods use of their nodes. Pods that terminate or are resized are taken as using
 * nothing, and so are placeholders, which give their room to a pod.
 */
void live_objects_add_use(struct live_objects *objects, const struct limits *limits,
                          struct arena *scratch, struct arena *arena);
/* Finds the Workloads that wait in a queue of Kueue. */
void live_objects_index_queues(struct live_objects *objects, struct arena *arena);
/* NULL: it or the LocalQueue of the Workload is not among the objects. */
const struct live_object *live_cluster_queue_of(const struct live_objects *objects,
                                                const struct live_object *workload);
/* How many Workloads of the ClusterQueue Kueue looks at before this one, and the first of them. */
size_t live_queued_before(const struct live_objects *objects, const struct live_object *queue,
                          const struct live_object *workload, const struct live_object **first);
/* Kueue does not try it. */
bool live_workload_is_inactive(const struct live_object *workload);
bool live_is_pod(const struct live_object *object);
/* Whether a scheduler made the pod to hold the room of a member. It is none itself. */
bool live_is_placeholder(const struct live_object *pod);

/* Returns the entries of an index of struct live_part, which has all namespaces. */
struct live_index live_parts_of(const struct live_index *index, struct slice of);
/* Whether a label in which controllers name the job of a pod has this name. */
bool live_names_job(const struct live_object *pod, struct slice job);

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

/* Returns the objects of a name and kind, of any group and in any namespace. */
struct live_index live_objects_named(const struct live_objects *objects, struct slice name,
                                     struct slice kind);

/*
 * Returns the next object of a group and kind in the namespace whose name starts as this one; NULL
 * if there are no more. `at` is 0 at first.
 */
const struct live_object *live_objects_next(const struct live_objects *objects,
                                            const struct live_key *start, size_t *at);

/* Returns the pods of a group, each a `const struct live_pod *`. */
struct live_index live_pods_of(const struct live_objects *objects, struct slice namespace_,
                               struct slice group);

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
 * Returns the objects of the schedulers' kinds in the namespace of the owner that can be its
 * objects by live_ownership_of() or live_is_certain(): those whose names start with `start`, which
 * may be unset.
 */
struct live_index live_candidates(const struct live_objects *objects,
                                  const struct live_owner *owner, struct slice start,
                                  struct arena *arena);

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

/*
 * Returns the name of the group that the marks of a pod name, for any backend; unset if there is no
 * mark or the pod has ended.
 */
struct slice live_pod_group(const struct live_object *object);

/*
 * Returns the scheduler among whose marks is one that names a group, and the name of the group;
 * NULL if there is no mark. `pod` is a pod, whether or not it has ended, or a pod template.
 */
const struct descriptor *live_group_named_by(const struct node *pod, struct slice *group);

/* Whether a mark of the scheduler names the group: a pod can have marks of several schedulers. */
bool live_names_group(const struct node *pod, const struct descriptor *scheduler,
                      struct slice group);

/* The document of gang_document_parse_live(). It has no root: each object has its own. */
struct gang_live {
    struct gang_document base;
    struct live_objects objects;
};

/* Returns the objects; none for NULL, and for a document of another type. */
const struct live_objects *live_objects_of(const struct gang_document *live);

/* Whether the argument of a public function can be live objects. */
static inline bool
live_is_usable(const struct gang_document *live)
{
    return !live || document_is(live, GANG_DOCUMENT_LIVE);
}

/*
 * Reads the output of `kubectl get -o yaml` or `-o json`: a sequence of documents, with the items
 * of lists as separate objects. Reports documents that are not well-formed or are not objects;
 * positions count from the start of the text, and paths start at the object. What live_keep() keeps
 * of the objects, and the indexes, are allocated in `arena`.
 */
struct live_objects live_objects_read(struct slice text, uint32_t flags,
                                      const struct limits *limits, struct arena *arena,
                                      struct report *report);

/* How the gangs of a job are called, so that the name of an object tells its gang. */
struct live_gangs {
    enum {
        GANGS_ONE,       /* the job has one gang */
        GANGS_NUMBERED,  /* `start`, the number of the gang, and perhaps more: LeaderWorkerSets */
        GANGS_OF_STAGES, /* `start`; `start` and `-s1`, and so on: stages of a job */
        GANGS_NAMED      /* each as it likes: `names` */
    } style;
    struct slice start;
    const struct slice *names; /* of the first gangs */
    size_t num_names;
    /* The owner can have gangs that the document does not know: of a GangJob with a group's name */
    bool has_siblings;
    uint64_t count; /* gangs of the job */
    uint64_t own;   /* the gang of the plan */
};

/* Returns how the gangs of the job of a decision are called. */
struct live_gangs live_gangs_of(const struct gang_decision *decision, struct arena *arena);

/* An object of a job belongs to a gang of it, to none that it has now, or this is not known. */
#define LIVE_GANG_UNKNOWN UINT64_MAX

/*
 * Returns the gang whose objects have such a name: less than the count for a gang of the job, more
 * for one that it no longer has. With one gang every object belongs to it.
 */
uint64_t live_gang_of(const struct live_gangs *gangs, struct slice object);

/*
 * Returns what the names of the objects start with that the plan of a later gang decides about, so
 * that the time for it does not depend on the number of gangs; unset: any name.
 */
struct slice live_gangs_start_of_own(const struct live_gangs *gangs, struct arena *arena);

/*
 * Whether the gang of the object is certain: `bert-s1` may be of one beside the GangJob `bert`. The
 * object is of a kind of a backend.
 */
bool live_gang_is_certain(const struct live_gangs *gangs, const struct live_object *object);

/*
 * Whether the status says that the job has ended, successfully or not, and will not start again.
 * False for kinds that do not end, and for kinds that are not known.
 */
bool live_status_has_ended(struct slice group, struct slice kind, const struct node *status);

/* Whether the condition of a type is true. */
bool live_status_is_true(const struct node *status, struct slice type);

/* Whether the status says that members of the gang have pods that have not ended. */
bool live_status_has_pods(struct slice group, struct slice kind, const struct gang *gang,
                          const struct node *status, struct arena *arena);

/* Whether the status of jobs of this kind is read. */
bool live_status_is_read(struct slice group, struct slice kind);

#endif
