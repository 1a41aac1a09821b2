/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_GROUPS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_GROUPS_H

#include "libgang/backend/backend.h"
#include "libgang/backend/workload/workload_update.h"
#include "libgang/backend/workload/workload_versions.h"

/*
 * WorkloadMaxPodGroupTemplates of kubernetes/api:scheduling/v1beta1/types.go, equal in all
 * versions.
 */
enum { WORKLOAD_MOST_GROUPS = 8 };
#define WORKLOAD_NO_GROUP SIZE_MAX

/* Why a group lacks a field that workload_wish_lost() returns. */
extern const char workload_basic_reason[];

/* A field that a document or a fact asks for on a group. */
struct workload_wish {
    struct slice value;        /* unset: not wanted; of claims, the name of the first */
    const struct node *source; /* NULL if it follows from a fact and no document sets it */
};

struct workload_group {
    struct slice template_name;
    struct slice object_name; /* of its PodGroup; unset if no name fits */
    bool is_basic;            /* its pods wait only for the PodGroup */
    bool is_first;            /* it has pods of the job's first wave */
    bool has_members;         /* it has pods of the gang, including late ones */
    int64_t minimum;
    const struct role *late; /* the first role to join after the group's first wave, or NULL */
    struct workload_wish wishes[WORKLOAD_FIELD_COUNT];
    const struct node *source; /* the document's node that asks for it; NULL for the job's own */
    size_t parent; /* index of the composite of a group of the job; WORKLOAD_NO_GROUP: none */
};

/* How a job's pods are divided into groups. Names do not depend on the version. */
struct workload_groups {
    struct slice workload_name;
    struct workload_group *items; /* NULL if the arena failed */
    size_t count;
    size_t *of_role; /* index of each role's group, or WORKLOAD_NO_GROUP */
    bool has_composite;
    struct workload_group composite;   /* of all groups; `minimum` counts groups, as below */
    struct workload_group *composites; /* of the groups of the job, each after its parent */
    size_t num_composites;
    int64_t pods;            /* that must start together, with such composites */
    const char *why_no_tree; /* why there are none; NULL if there are, or no groups of the job */
    const char *why_no_composite; /* NULL if none was asked for, or if one is made */
};

/*
 * Returns the key of a node label that the policy's settings ask for; unset if there is none or if
 * it is only preferred.
 */
struct slice workload_topology_level(const struct gang *gang);

/*
 * Returns what the policy wants of every gang if some group of members does not get it because it
 * is basic. What a runtime wants is never lost.
 */
struct workload_wish workload_wish_lost(const struct workload_groups *groups,
                                        enum workload_field field, const struct backend_call *call);

/*
 * Applies `lateMembers: Exclude` to the entries of spec.scheduling: roles that join after the first
 * wave of their own group are left out.
 */
void workload_groups_leave_late_out(struct gang_wishes *wishes, struct arena *arena);

/* `version` is the one to render. The gang must be formed. */
struct workload_groups workload_groups_make(const struct backend_call *call,
                                            const struct workload_version *version,
                                            struct arena *arena);

#endif
