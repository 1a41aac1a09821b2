/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_LIVE_OWNER_H
#define LIBGANG_ENGINE_LIVE_OWNER_H

#include "libgang/engine/decision.h"
#include "libgang/engine/live_objects.h"

/* The job whose objects these should be. */
struct live_owner {
    struct live_key key;
    struct slice uid;          /* unset: not known, and the name has to do */
    struct slice own_uid;      /* of what owns nothing but this plan's objects; unset: not known */
    bool leaves_no_references; /* the policy renders none */
};

enum live_ownership {
    OWNERSHIP_OURS,
    OWNERSHIP_OF_FORMER, /* a job of the same name that is no more */
    OWNERSHIP_OF_OTHER,
    OWNERSHIP_OF_NOBODY,
};

/* `job` is the job itself as the API server has it; NULL when it is not among the live objects. */
struct live_owner live_owner_of(const struct gang_decision *decision, const struct live_object *job);

/* Goes by the owner reference with `controller: true`, of which there is one at most. */
enum live_ownership live_ownership_of(const struct live_owner *owner, const struct live_object *object);

/*
 * Whether the object is certain to be of this plan alone, by uid. Those of a PodCliqueSet are not: a plan has the groups of
 * one replica, and what it lacks may be another's. Its PodGang owns what was made for it under the other layout.
 */
bool live_is_certain(const struct live_owner *owner, const struct live_object *object);

#endif
