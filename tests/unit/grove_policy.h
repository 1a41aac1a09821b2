/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_GROVE_POLICY_H
#define TESTS_UNIT_GROVE_POLICY_H

#include "libgang/grove/grove.h"
#include "libgang/policy/policy.h"

enum { GROVE_POLICY_MOST = 8 };

/* A policy that enables schedulers as Grove's OperatorConfiguration does. */
struct grove_policy {
    struct gang_policy policy;
    struct policy_backend backends[GROVE_POLICY_MOST];
};

static inline const struct descriptor *
grove_policy_descriptor(struct slice scheduler)
{
    const struct grove_scheduler *known = grove_scheduler_named(scheduler);

    return known ? known->descriptor : NULL;
}

/* Adds a profile; a scheduler without a backend gets the type None. */
static inline void
grove_policy_enable(struct grove_policy *policy, struct slice scheduler)
{
    policy->backends[policy->policy.num_backends++] =
        (struct policy_backend){.name = scheduler,
                                .descriptor = grove_policy_descriptor(scheduler),
                                .scheduler_name = scheduler};
    policy->policy.backends = policy->backends;
    policy->policy.lists_backends = true;
}

static inline void
grove_policy_default(struct grove_policy *policy, struct slice scheduler)
{
    for (size_t i = 0; i < policy->policy.num_backends; i++)
        if (slice_equal(policy->backends[i].name, scheduler))
            policy->policy.default_backend = &policy->backends[i];
}

/* "kai-scheduler,default-scheduler", the first of which has a '*' in front when it is the default.
 */
static inline void
grove_policy_read(struct grove_policy *policy, const char *profiles)
{
    static const struct document_kind kind = {.type = GANG_DOCUMENT_POLICY,
                                              .is_administrators = true};

    *policy = (struct grove_policy){.policy.document.entry = &kind};
    refcount_init(&policy->policy.document.references);
    while (*profiles) {
        bool is_default = *profiles == '*';
        const char *name = profiles + is_default;
        size_t len = strcspn(name, ",");

        grove_policy_enable(policy, (struct slice){name, len});
        if (is_default)
            policy->policy.default_backend = &policy->backends[policy->policy.num_backends - 1];
        profiles = name + len + (name[len] == ',');
    }
}

#endif
