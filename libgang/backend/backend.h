/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_BACKEND_H
#define LIBGANG_BACKEND_BACKEND_H

#include "libgang/backend/update_rules.h"
#include "libgang/plan/plan.h"
#include "libgang/policy/cluster.h"

/*
 * Writes a copy of labels or annotations as the member `key`, sorted by byte. Writes nothing if
 * there are none.
 */
void manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs);

/*
 * For schedulers whose quorum counts only live pods, so that succeeded pods no longer count:
 * reports the members whose Jobs create new pods for failed ones.
 */
void retries_report(const struct gang *gang, struct report *report);

/*
 * Reports that the release of a scheduler is unknown, or newer than `newest`, the newest that
 * libgang knows: libgang assumes that one. `component` is an index of the catalog.
 */
struct backend_call;
void release_report_assumed(const struct backend_call *call, size_t component,
                            const struct release *newest, struct report *report);

/*
 * A label or annotation of a pod that the scheduler reads only if the pod has no label or
 * annotation `wins`.
 */
struct rival_key {
    enum mark_place place;
    struct slice key;
    struct slice wins;
};
/*
 * Reports such a key in the pod template of the role with another value than `value`, which the
 * pods get for `wins`. Unset or empty: they get none.
 */
void rival_key_report(const struct rival_key *rival, const struct role *role, struct slice value,
                      struct report *report);

/*
 * Builds the output of gang_backends_serialize(): every backend, from the tables that it works by.
 */
const struct node *backend_list_build(struct arena *arena);

/*
 * What gang_reconcile() found of a job, for a backend that predicts the objects of another
 * controller.
 */
struct backend_live {
    struct slice set_uid; /* of the job's JobSet; unset if it is not among the live objects */
    /* the live objects of the backend's kinds whose names predicted_names() begins */
    const struct node **objects;
    size_t count;
};

/* The input of a backend's functions. Everything is borrowed for the call. */
struct backend_call {
    const struct gang *gang;
    const struct gang_cluster *cluster; /* NULL if no cluster is given */
    const struct node *options;         /* the policy's, checked by the schema; NULL: defaults */
    struct slice api_version;           /* of the objects to render; on input, the policy's */
    struct slice created_uid;           /* of the plan's first object if it exists; unset before */
    const void *state;                  /* the result of the backend's open(); NULL without one */
    const struct backend_live *live;    /* NULL unless gang_reconcile() renders */
};

/*
 * What decides the class of a gang's group, besides the labels in `priority_sources` of the
 * descriptor and the classes of the pods: defaults in the scheduler's configuration, which is a
 * fact about the cluster. A default counts only if its class exists.
 */
struct backend_classes {
    bool pods_first; /* label and class of the pods precede the labels of the JobSet and the job */
    const struct node *before_job; /* precedes the job's own label, not the JobSet's; NULL: none */
    const struct node *after_job;  /* precedes the labels of the pods, not the job's; NULL: none */
    const struct node *at_last;    /* for a group that no other source gives a class; NULL: none */
};

/* How a plan shows the whole gang. On input, the gang's own values. */
struct backend_view {
    struct slice name; /* of the group, as pods refer to it */
};

/* What happens to a backend's objects while the job has no pods to schedule. */
enum backend_rest {
    REST_AS_RENDERED, /* they are kept up to date */
    REST_UNTOUCHED,   /* they are neither created nor changed */
    REST_DELETED,     /* they are deleted, and created again with the pods */
};

/* A field of an object that names an object of the same plan. */
struct update_reference {
    const char *path;
    struct slice kind; /* of the named object */
};

/* How existing objects of a backend are kept up to date. */
struct backend_updates {
    enum backend_rest suspended;
    enum backend_rest finished;
    bool stays_with_pods;      /* REST_DELETED waits until the gang has no pods */
    bool is_replaced_whole;    /* if one object must be recreated, all are */
    bool names_have_namespace; /* `<gang>.<namespace>`, and `<role>.` before it for one outside */
    const struct update_reference *references; /* NULL: no object names another */
    size_t num_references;
    /* Returns the rules for one of the kinds. */
    const struct update_rules *(*rules)(const struct backend_call *call, struct slice kind);
};

/* The parts of a group of roles that a scheduler may have no place for. */
enum group_part { GROUP_MINIMUM, GROUP_TOPOLOGY };

/*
 * The interface of a scheduler backend. A new backend is one file with the same inner order as the
 * others (keys and versions with their sources, validate, render, the table) and a row of
 * CATALOG_SCHEDULERS. The descriptor holds everything about the scheduler that a table can express.
 */
struct backend {
    const struct descriptor *descriptor;

    /*
     * Optional. Applies the policy's options to the wishes before gang_form() makes the gang of
     * them: all other wishes are set, and their roles are in order if `is_ordered` is set. The
     * functions below are called with the gang.
     */
    void (*prepare)(const struct node *options, struct gang_wishes *wishes, struct arena *arena);
    /*
     * Optional. Chooses one of several API versions by the cluster, or checks the version in the
     * call. Returns unset and reports an error if none fits. NULL: there is one version.
     */
    struct slice (*choose_api_version)(const struct backend_call *call, struct report *report);
    /*
     * Optional. Computes once, for a formed gang, what the functions below share. The result is
     * allocated in the report's arena, which is the decision's, and is constant afterwards. The
     * functions find it in `call->state`.
     */
    const void *(*open)(const struct backend_call *call, struct report *report);
    /* Reports what this backend cannot do with the gang, and known defects of its scheduler. */
    void (*validate)(const struct backend_call *call, struct report *report);
    /* Renders objects and marks. Called only for a gang without errors. */
    void (*render)(const struct backend_call *call, struct plan_content *content);
    /* Optional. Adapts the plan's view of the gang. NULL: the view shows the gang's own values. */
    void (*show)(const struct backend_call *call, struct arena *arena, struct backend_view *view);
    /*
     * Optional. Counts the pods that must start together; 0 if no pod waits for another. NULL: the
     * gang's minimum.
     */
    int64_t (*count_minimum)(const struct backend_call *call);
    /*
     * Optional. Returns why a part of a group of roles, an index of the wishes, is not rendered;
     * NULL if it is. GROUP_OF_GANG: of the job's own topology. The group has members, and its
     * documents set the part. NULL: the descriptor has the reason for every group. Not called for
     * PodGangs.
     */
    const char *(*why_group_is_lost)(const struct backend_call *call, size_t group,
                                     enum group_part part);
    /*
     * Optional. Returns why the scheduler may start a part of a unit of the role, an index; NULL if
     * it does not. NULL: the descriptor has the reason for every role.
     */
    const char *(*why_unit_is_lost)(const struct backend_call *call, size_t role);
    /* Optional. Lists the subgroups of the gang. NULL: it has none. */
    void (*list_subgroups)(const struct backend_call *call, struct builder *list);
    /*
     * Optional. Adds the marks of one pod to `patch`, for an operator that asks for them pod by
     * pod: the name of its group and, if the scheduler has subgroups, of its subgroup.
     */
    void (*mark_pod)(struct gang_patch *patch, struct slice group, struct slice subgroup);
    /* Optional. NULL: there is nothing else, and the labels precede the pods. */
    struct backend_classes (*classes)(const struct gang_wishes *wishes,
                                      const struct gang_cluster *cluster);
    /*
     * Optional. Fills the spec of the descriptor's topology kind with the keys of node labels,
     * widest level first. NULL: there is no such kind.
     */
    void (*render_topology)(const struct node *levels, struct builder *spec);
    /*
     * Optional. Returns the start of the names that another controller gives to its objects for
     * the job, whose JobSet has the given uid; unset if they cannot be known.
     */
    struct slice (*predicted_names)(const struct backend_call *call, struct slice set_uid,
                                    struct arena *arena);
    /* Optional. Reports what the live objects change of the prediction; `call->live` is set. */
    void (*report_live)(const struct backend_call *call, struct report *report);
    /*
     * Optional. Lists the API versions that the backend renders, for users, each with
     * backend_list_version(). NULL: the descriptor's version.
     */
    void (*list_versions)(struct builder *list);
    const struct backend_updates *updates;
    bool reads_owners; /* the gang's `chain`; not set for other backends */
};

#define BACKEND_DECLARE(name) extern const struct backend name##_backend;
CATALOG_SCHEDULERS(BACKEND_DECLARE)

/* In the order of the catalog. */
extern const struct backend *const backend_table[];
extern const size_t backend_count;

const struct backend *backend_by_name(struct slice name);
const struct backend *backend_by_type(struct slice type);
const struct backend *backend_by_scheduler(struct slice scheduler_name);
/* Returns the backend that renders for the scheduler; NULL for NULL. */
const struct backend *backend_of(const struct descriptor *descriptor);

/*
 * Returns the backend whose object this is, or NULL. `rank` is the position of the kind in creation
 * order.
 */
const struct backend *backend_of_kind(struct slice group, struct slice kind, size_t *rank);

/*
 * Called when a gang is decided and rendered. Run the backend's own function and what all backends
 * share (scheduler names, losses). backend_validate() sets `call->state`; later the call is only
 * read.
 */
void backend_validate(const struct backend *backend, struct backend_call *call,
                      struct report *report);
void backend_render(const struct backend *backend, const struct backend_call *call,
                    struct plan_content *content);

/*
 * Returns the API version of the objects for this call: the backend's choice, which also checks a
 * version that a policy sets; else the policy's version; else the only one. Returns unset and
 * reports an error if there is none.
 */
struct slice backend_api_version(const struct backend *backend, const struct backend_call *call,
                                 struct report *report);

/* Returns the schedulerName for the gang's pods: the gang's own choice, else the backend's. */
struct slice backend_scheduler_name(const struct backend *backend, const struct gang *gang);

/*
 * Starts a manifest: apiVersion, kind, and metadata with name, namespace and (with a uid) the owner
 * reference.
 */
struct builder backend_manifest(const struct gang *gang, struct arena *arena,
                                struct slice api_version, struct slice kind);

/* One version of a backend's objects, as `gangctl backends` shows it. */
struct backend_listing {
    struct slice api_version;
    struct slice kubernetes; /* the releases that serve it; unset: installed separately */
    struct slice kinds[3];
    struct slice mark; /* of pods: "label x", "annotation x", or a field */
    void (*list_more)(const struct backend_listing *listing, struct builder *item); /* optional */
};
void backend_list_version(const struct backend_listing *listing, struct builder *list);

/* An owner besides the job, which remains the controller. Omitted if `uid` is unset. */
struct backend_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice uid;
};

/* Like backend_manifest(), with the given name and, unless NULL, a second owner. */
struct builder backend_manifest_named(const struct gang *gang, struct arena *arena,
                                      struct slice api_version, struct slice kind,
                                      struct slice name, const struct backend_owner *second);

/*
 * Kubernetes' default scheduler, which the API server sets in pods without a schedulerName: core/v1
 * DefaultSchedulerName.
 */
#define SCHEDULER_NAME_OF_KUBERNETES "default-scheduler"

/*
 * Every role of the job, members or not, must go to the gang's scheduler, so that one scheduler
 * accounts for the free space of a node. Roles that name another scheduler are reported. Roles that
 * name none get it from the patches, except in compatibility, which only warns, because the
 * upstream operator sets none. If the gang overrides schedulers, the patches replace the names of
 * the roles instead.
 */
void scheduler_name_check(const struct gang_wishes *wishes, struct slice wanted,
                          struct report *report);
void scheduler_name_patch(const struct gang_wishes *wishes, struct slice wanted,
                          struct plan_content *content);

/* Reports roles that name different schedulers: the part of the check that needs no backend. */
void scheduler_name_compare_roles(const struct gang_wishes *wishes, struct report *report);

#endif
