/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_BACKEND_H
#define LIBGANG_BACKEND_BACKEND_H

#include "libgang/backend/update_rules.h"
#include "libgang/base/report.h"
#include "libgang/catalog/catalog.h"
#include "libgang/document/build.h"
#include "libgang/gang/gang.h"
#include "libgang/plan/plan.h"
#include "libgang/policy/cluster.h"

/* As the plan's trace calls it. */
struct slice loss_field_name(enum loss_field field);

/* Only what somebody wrote can be lost: a value that has a source. */
void loss_report(const struct loss *losses, size_t count, const struct gang *gang, struct report *report);
void loss_render(const struct loss *losses, size_t count, const struct gang *gang,
                 struct plan_content *content);

/* Writes a copy of labels or annotations as the member `key`, sorted by byte. Nothing for none. */
void manifest_copy_pairs(struct builder *metadata, struct slice key, const struct node *pairs);

/*
 * For schedulers whose quorum is of live pods, so that those that have succeeded no longer count: reports the members
 * whose Jobs make new pods for failed ones.
 */
void retries_report(const struct gang *gang, struct report *report);

/* What gang_backends_serialize() writes: every backend, from the tables that it works by. */
const struct node *backend_list_build(struct arena *arena);

/* What a backend works on. Everything is borrowed for the call. */
struct backend_call {
    const struct gang *gang;
    const struct gang_cluster *cluster; /* NULL: nothing is known */
    const struct node *options;         /* the policy's, valid by the backend's schema; NULL: its defaults */
    struct slice api_version; /* of the objects to render; on the way in, the one that a policy wants */
    struct slice created_uid; /* of the plan's first object, once it is there; unset before */
    const void *state;        /* what the backend's open() made of the rest; NULL without one */
};

/* What a plan says of the whole gang: on the way in, what the gang itself says. */
struct backend_view {
    struct slice name; /* of the group, as pods see it */
};

/* What becomes of a backend's objects when the job has no pods to schedule. */
enum backend_rest {
    REST_AS_RENDERED, /* they are kept up to date */
    REST_UNTOUCHED,   /* none is made or changed any more */
    REST_DELETED,     /* they go, and come back with the pods */
};

/* How the objects of a backend are kept up to date once they exist. */
struct backend_updates {
    enum backend_rest suspended;
    enum backend_rest finished;
    bool is_replaced_whole; /* when one object must be made anew, all are */
    /* The rules for one of the kinds. */
    const struct update_rules *(*rules)(const struct backend_call *call, struct slice kind);
};

/*
 * The contract of a scheduler backend. A new one is one file with the same inner order as its neighbours (keys and
 * versions with their sources, validate, render, the table), and a row of CATALOG_SCHEDULERS. What tables can say of
 * the scheduler stands in its descriptor.
 */
struct backend {
    const struct descriptor *descriptor;

    /* What the options change of a gang before it is formed; its roles are in order where `is_ordered` says so. NULL: nothing. */
    void (*prepare)(const struct backend_call *call, struct gang *gang, struct arena *arena);
    /* Picks one of several versions by the cluster, or judges the call's; unset, with an error, for none. NULL: no choice. */
    struct slice (*choose_api_version)(const struct backend_call *call, struct report *report);
    /*
     * What the functions below have in common, worked out once for a formed gang: made in the report's arena, which is
     * the decision's, and constant from then on. They find it in the call. NULL: nothing.
     */
    const void *(*open)(const struct backend_call *call, struct report *report);
    /* Reports what this backend cannot do with the gang, and what its scheduler does wrong with it. */
    void (*validate)(const struct backend_call *call, struct report *report);
    /* Writes objects and marks. Called only for a gang without errors. */
    void (*render)(const struct backend_call *call, struct plan_content *content);
    /* How the plan shows the gang, where that is not as the gang has it, and its parts. NULL: as it has it, no parts. */
    void (*show)(const struct backend_call *call, struct arena *arena, struct backend_view *view);
    /* The pods that must start together, 0 where none waits for another. NULL: as the gang has it. */
    int64_t (*count_minimum)(const struct backend_call *call);
    void (*list_subgroups)(const struct backend_call *call, struct builder *list);
    /*
     * The marks of one pod, in `patch`, that its operator asks for pod by pod: the name of its group, and of its subgroup
     * where the scheduler has them. NULL: nobody asks.
     */
    void (*mark_pod)(struct gang_patch *patch, struct slice group, struct slice subgroup);
    /* Fills the spec of the descriptor's kind of topology with the keys of node labels, from the widest on. NULL: it has none. */
    void (*render_topology)(const struct node *levels, struct builder *spec);
    /* The versions that it writes, for people, each by backend_list_version(). NULL: the descriptor's. */
    void (*list_versions)(struct builder *list);
    const struct backend_updates *updates;
    bool reads_owners; /* the gang's `chain`, which nobody makes for other backends */
};

#define BACKEND_DECLARE(name) extern const struct backend name##_backend;
CATALOG_SCHEDULERS(BACKEND_DECLARE)

/* In the order of the catalog. */
extern const struct backend *const backend_table[];
extern const size_t backend_count;

const struct backend *backend_by_name(struct slice name);
const struct backend *backend_by_type(struct slice type);
const struct backend *backend_by_scheduler(struct slice scheduler_name);
/* The one that renders for the scheduler; NULL for NULL. */
const struct backend *backend_of(const struct descriptor *descriptor);

/* The backend whose object this is; NULL for none. `rank` is the place of the kind in the order of creation. */
const struct backend *backend_of_kind(struct slice group, struct slice kind, size_t *rank);

/*
 * What deciding and rendering call: the backend's own part, and what is alike for all (scheduler names, losses). The
 * first opens the call, which is read alone from then on.
 */
void backend_validate(const struct backend *backend, struct backend_call *call, struct report *report);
void backend_render(const struct backend *backend, const struct backend_call *call,
                    struct plan_content *content);

/*
 * The version of the objects for this call: the backend's pick, which judges the one that a policy wants too, else that
 * one, else the only one. Unset, with an error reported, when there is none.
 */
struct slice backend_api_version(const struct backend *backend, const struct backend_call *call,
                                 struct report *report);

void backend_prepare(const struct backend *backend, const struct backend_call *call, struct gang *gang,
                     struct arena *arena);

/* The scheduler that the gang's pods shall have: the gang's own choice, else the backend's. */
struct slice backend_scheduler_name(const struct backend *backend, const struct gang *gang);

/* Starts a manifest: apiVersion, kind, metadata with name, namespace and (with a uid) the owner reference. */
struct builder backend_manifest(const struct gang *gang, struct arena *arena, struct slice api_version,
                                struct slice kind);

/* One version of a backend's objects as `gangctl backends` shows it. */
struct backend_listing {
    struct slice api_version;
    struct slice kubernetes; /* the releases that serve it; unset: installed apart */
    struct slice kinds[3];
    struct slice mark; /* of pods: "label x", "annotation x", or a field */
    void (*list_more)(const struct backend_listing *listing, struct builder *item); /* NULL: nothing */
};
void backend_list_version(const struct backend_listing *listing, struct builder *list);

/* An object that owns another beside the job, which stays its controller. Without a uid it does not. */
struct backend_owner {
    struct slice api_version;
    struct slice kind;
    struct slice name;
    struct slice uid;
};

/* The same with a name of its own and, unless NULL, a second owner. */
struct builder backend_manifest_named(const struct gang *gang, struct arena *arena, struct slice api_version,
                                      struct slice kind, struct slice name,
                                      const struct backend_owner *second);

#endif
