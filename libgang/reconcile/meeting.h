/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_MEETING_H
#define LIBGANG_RECONCILE_MEETING_H

#include "libgang/reconcile/live_gangs.h"
#include "libgang/reconcile/live_jobset.h"
#include "libgang/reconcile/live_objects.h"
#include "libgang/render/render.h"

/* A live object of a kind that a backend renders and that belongs to the job, by uid or by name. */
struct reconcile_owned {
    const struct live_object *object;
    size_t rank;     /* position of its kind in the order of creation */
    bool is_planned; /* the plan contains the object */
    uint64_t gang;   /* live_gang_of() */
    bool has_pods;   /* pods name it as their group, or another object of its gang */
};

/* Whether the pods of the JobSet will have what the plan says. */
enum reconcile_fit {
    FIT_AS_PLANNED,
    FIT_KEPT, /* no, but their own gang is complete: the plan leaves it as it is */
    FIT_NEVER /* no, and they cannot start or the job cannot be resumed: a conflict */
};

/* The state of one call to gang_reconcile(). */
struct reconcile_work {
    struct gang_plan *plan;
    const struct gang_decision *decision;
    struct report *report;
    struct arena *arena;
    const struct live_objects *live;
    struct live_job job;
    struct live_owner owner;
    struct live_gangs gangs;
    struct reconcile_owned **owned; /* sorted by name, at the end by rank */
    size_t num_owned;
    bool has_pods; /* pods of the gang exist */
    struct live_jobset jobset;
    bool is_suspended; /* and its pods are gone */
    enum reconcile_fit fit;
    bool *differs;      /* for each role: its pods differ from the plan */
    bool wakes;         /* GANG_RECONCILE_WAKE */
    bool adopts;        /* GANG_RECONCILE_ADOPT */
    bool has_left_over; /* an object of the job is not in the plan */
};

/* An object of the plan and the live object with the same key. */
struct reconcile_meeting {
    const struct node *rendered;
    const struct live_object *live; /* NULL if absent */
    enum gang_action action;        /* GANG_ACTION_NONE: the object is not created now */
    const struct node *manifest;
    bool is_held_back; /* it is not written, because of a conflict or for the pods of the JobSet */
};

/* Sets the action and the manifest. */
void meeting_decide(const struct reconcile_work *work, struct reconcile_meeting *meeting);

/* Returns the manifest for a delete: the key of the object, and its uid as a precondition. */
const struct node *meeting_identity(const struct live_object *object, struct arena *arena);

#endif
