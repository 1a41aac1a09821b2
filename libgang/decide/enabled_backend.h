/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ENABLED_BACKEND_H
#define LIBGANG_DECIDE_ENABLED_BACKEND_H

#include "libgang/decide/decision.h"

/* A backend as the policy calls it; without a policy every backend is enabled under the name of its
 * type. */
struct enabled_backend {
    struct slice name;
    struct slice scheduler_name;
    struct slice api_version;           /* unset: the cluster decides */
    const struct backend *backend;      /* NULL for the type None: no gang */
    const struct policy_backend *entry; /* NULL without a policy */
    /* What Grove makes of it; NULL: it cannot drive it, or nobody asked for Grove. */
    const struct grove_scheduler *grove;
};

/* In the order of the policy, else of the backend table; false past the last. */
bool enabled_backend_at(const struct gang_policy *policy, size_t index,
                        struct enabled_backend *out);
/* False when there is none of that name; `out` is then of no backend. */
bool enabled_backend_of_name(const struct gang_policy *policy, struct slice name,
                             struct enabled_backend *out);
/* How many are of this type; `out` is the first. */
size_t enabled_backend_of_type(const struct gang_policy *policy, const struct backend *type,
                               struct enabled_backend *out);
/* How many have this scheduler; `out` is the first. */
size_t enabled_backend_of_scheduler(const struct gang_policy *policy, struct slice scheduler_name,
                                    struct enabled_backend *out);

/* `"volcano", "kai"`: their names, or those of their schedulers, for a message. */
const char *enabled_backend_names(const struct gang_policy *policy, struct arena *arena);
const char *enabled_backend_schedulers(const struct gang_policy *policy, struct arena *arena);

/*
 * The schedulers that Grove's operator may use: those that a policy lists, with its default where
 * the policy does not list that; else all that Grove knows. Some have no backend, since they have
 * no gangs.
 */
struct enabled_backend enabled_backend_of_grove(void);
/* `grove` unset: Grove cannot drive an entry of this type. */
struct enabled_backend enabled_backend_of_grove_entry(const struct policy_backend *entry);
/* By the name of the scheduler; false, and unset, where it is not enabled. */
bool enabled_backend_for_grove(const struct gang_policy *policy, struct slice scheduler_name,
                               struct enabled_backend *out);
/* The names of the schedulers, for messages. */
const char *enabled_backend_names_for_grove(const struct gang_policy *policy, struct arena *arena);

#endif
