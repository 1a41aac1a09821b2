/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_GANGS_H
#define LIBGANG_RECONCILE_LIVE_GANGS_H

#include "libgang/decide/decision.h"
#include "libgang/reconcile/live_objects.h"

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

#endif
