/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_ENABLED_BACKEND_H
#define LIBGANG_DECIDE_ENABLED_BACKEND_H

#include "libgang/decide/decision.h"

/* A backend as the policy calls it; without a policy every backend is enabled under the name of its type. */
struct enabled_backend {
    struct slice name;
    struct slice scheduler_name;
    struct slice api_version;           /* unset: the cluster decides */
    const struct backend *backend;      /* NULL for the type None: no gang */
    const struct policy_backend *entry; /* NULL without a policy */
};

/* In the order of the policy, else of the backend table; false past the last. */
bool enabled_backend_at(const struct gang_policy *policy, size_t index, struct enabled_backend *out);
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

#endif
