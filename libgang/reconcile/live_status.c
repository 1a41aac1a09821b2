/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "libgang/catalog/job_names.h"

bool
live_status_is_read(struct slice group, struct slice kind)
{
    return slice_is_set(job_traits_of(group, kind)->status.ended[0]);
}

/* ---- the end ---- */

static bool
status_has_condition(const struct node *status, struct slice type)
{
    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), type) &&
            slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("True")))
            return true;
    return false;
}

bool
live_status_has_ended(struct slice group, struct slice kind, const struct node *status)
{
    const struct job_status *rule = &job_traits_of(group, kind)->status;

    for (size_t i = 0; slice_is_set(rule->ended[0]) && i < COUNT_OF(rule->ended); i++)
        if (rule->path ? slice_equal(node_string(node_at(status, rule->path)), rule->ended[i])
                       : status_has_condition(status, rule->ended[i]))
            return true;
    return false;
}

/* ---- pods ---- */

static bool
status_is_positive(const struct node *number)
{
    int64_t count = 0;

    return node_int(number, &count) && count > 0;
}

/*
 * Reads counts of Jobs that have pods which have not ended. `active` does not include the ready
 * Jobs.
 */
static bool
status_has_active(const struct node *counts)
{
    return status_is_positive(node_member(counts, SLICE("active"))) ||
           status_is_positive(node_member(counts, SLICE("ready")));
}

static bool
status_has_members(const struct gang *gang, const struct node *list, struct arena *arena)
{
    const struct node_index jobs = node_index_make(list, arena);

    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE &&
            status_has_active(node_index_find(&jobs, gang->roles[i].name)))
            return true;
    return false;
}

/* All roles of these kinds are members, so their names need not be compared. */
static bool
status_has_replicas(const struct node *types)
{
    for (NODE_EACH(type, types))
        if (status_is_positive(node_member(type, SLICE("active"))))
            return true;
    return false;
}

bool
live_status_has_pods(struct slice group, struct slice kind, const struct gang *gang,
                     const struct node *status, struct arena *arena)
{
    const struct job_status *rule = &job_traits_of(group, kind)->status;
    const struct node *counted = node_member(status, rule->counted);

    switch (rule->counts) {
    case COUNTS_OF_ROLES:
        return status_has_members(gang, counted, arena);
    case COUNTS_OF_REPLICAS:
        return status_has_replicas(counted);
    case COUNTS_OF_PODS:
        return status_is_positive(counted);
    case COUNTS_NONE:
        break;
    }
    return false;
}
