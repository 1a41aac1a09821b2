/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_VOLCANO_VOLCANO_H
#define LIBGANG_BACKEND_VOLCANO_VOLCANO_H

#include "libgang/backend/backend.h"

/* What a release of Volcano may lack. */
enum volcano_field {
    VOLCANO_MIN_TASK_MEMBER,
    VOLCANO_NETWORK_TOPOLOGY,
    VOLCANO_SUB_GROUP_POLICY,
};

/* Returns why the cluster's release would drop the field; NULL if it has it, or is not known. */
const char *volcano_why_no_field(const struct gang_cluster *cluster, enum volcano_field field);

/*
 * One entry of subGroupPolicy: a group of roles in one domain, a role whose pods start in units, a
 * role that needs its minimum, or a podgroup of a PodGang.
 */
struct volcano_policy {
    struct slice name;
    struct slice label; /* of its pods */
    struct slice value;
    int64_t size;  /* pods that must start together; 0: all of them come late */
    int64_t unit;  /* pods of one unit; 0: it has no units, and the next fields are unset */
    int64_t units; /* that must start together */
    struct slice unit_label;
    const struct gang_placement *placement; /* NULL: anywhere */
};

struct volcano_policies {
    struct volcano_policy *items;
    size_t count;
    size_t *of_role; /* index of the policy of each role; SIZE_MAX if it has none */
    bool shares;     /* an elastic role has a policy together with others of the first wave */
};

/*
 * Makes the policies for the groups of the gang that have a topology, and for the roles that have
 * units; none if there are no such groups and roles. `is_elastic`: the other roles need policies of
 * their own, because minTaskMember must not be combined with policies.
 */
struct volcano_policies volcano_policies_make(const struct backend_call *call, bool is_elastic,
                                              struct arena *arena);

/* Volcano rejects a minimum of 0. */
static inline int64_t
volcano_at_least_one(int64_t minimum)
{
    return minimum > 0 ? minimum : 1;
}

/* Makes those of a PodGang, as Grove does: one for each podgroup. */
struct volcano_policies volcano_policies_of_podgang(const struct gang *gang, struct arena *arena);

/* Writes `subGroupPolicy`, if there are policies. */
void volcano_policies_build(const struct volcano_policies *policies, struct builder *spec);
/* Marks the pods of a role. */
void volcano_policies_mark(const struct volcano_policies *policies, size_t role,
                           struct gang_patch *patch);
/* Lists the policies of the call as subgroups of the plan. */
void volcano_policies_list(const struct backend_call *call, struct builder *list);

/* As `why_unit_is_lost` and `why_group_is_lost` of struct backend. */
const char *volcano_why_unit_is_lost(const struct backend_call *call, size_t role);
const char *volcano_why_group_is_lost(const struct backend_call *call, size_t group,
                                      enum group_part part);

#endif
