/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ENABLED_BACKEND_H
#define LIBGANG_DECIDE_ENABLED_BACKEND_H

#include "libgang/decide/decision.h"

/*
 * A backend with its name in the policy. Without a policy every backend is enabled and has the name
 * of its type.
 */
struct enabled_backend {
    struct slice name;
    struct slice scheduler_name;
    struct slice api_version;           /* unset: selected by the cluster */
    const struct backend *backend;      /* NULL for the type None: no gang */
    const struct policy_backend *entry; /* NULL without a policy */
    /*
     * The scheduler in Grove; NULL if Grove does not support it, or for a job that is not Grove's.
     */
    const struct grove_scheduler *grove;
};

/*
 * The index-th, in the order of the policy, or of the backend table without a policy. False if
 * there are no more.
 */
bool enabled_backend_at(const struct gang_policy *policy, size_t index,
                        struct enabled_backend *out);
/* Returns false if no backend has this name; `out` then has no backend. */
bool enabled_backend_of_name(const struct gang_policy *policy, struct slice name,
                             struct enabled_backend *out);
/* Returns the number of backends with this type; `out` is the first. */
size_t enabled_backend_of_type(const struct gang_policy *policy, const struct backend *type,
                               struct enabled_backend *out);
/* Returns the number of backends with this scheduler; `out` is the first. */
size_t enabled_backend_of_scheduler(const struct gang_policy *policy, struct slice scheduler_name,
                                    struct enabled_backend *out);

/* Returns `"volcano", "kai"`: their names, or the names of their schedulers, for a message. */
const char *enabled_backend_names(const struct gang_policy *policy, struct arena *arena);
const char *enabled_backend_schedulers(const struct gang_policy *policy, struct arena *arena);

/*
 * The schedulers that Grove's operator may use: those in the policy, and its default if the policy
 * does not list it; without a list, all that Grove supports. Some have no backend, because they
 * have no gangs.
 */
struct enabled_backend enabled_backend_of_grove(void);
/* `grove` is unset if Grove does not support an entry of this type. */
struct enabled_backend enabled_backend_of_grove_entry(const struct policy_backend *entry);
/*
 * Finds a backend by the name of its scheduler. Returns false, with `out` unset, if it is not
 * enabled.
 */
bool enabled_backend_for_grove(const struct gang_policy *policy, struct slice scheduler_name,
                               struct enabled_backend *out);
/* Returns the names of the schedulers, for messages. */
const char *enabled_backend_names_for_grove(const struct gang_policy *policy, struct arena *arena);

#endif
