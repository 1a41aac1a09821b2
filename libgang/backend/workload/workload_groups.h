/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_WORKLOAD_WORKLOAD_GROUPS_H
#define LIBGANG_BACKEND_WORKLOAD_WORKLOAD_GROUPS_H

#include "libgang/backend/backend.h"
#include "libgang/backend/workload/workload_update.h"
#include "libgang/backend/workload/workload_versions.h"

/* WorkloadMaxPodGroupTemplates of kubernetes/api:scheduling/v1beta1/types.go, the same in every version. */
enum { WORKLOAD_MOST_GROUPS = 8 };
#define WORKLOAD_NO_GROUP SIZE_MAX

/* Why a group lacks what workload_wish_lost() tells. */
extern const char workload_basic_reason[];

/* A field that somebody, or something, wants on a group. */
struct workload_wish {
    struct slice value;        /* unset: not wanted. Of claims the name of the first */
    const struct node *source; /* NULL: nobody wrote it, it follows from a fact */
};

struct workload_group {
    struct slice template_name;
    struct slice object_name; /* of its PodGroup; unset where no name could be made */
    bool is_basic;            /* its pods wait for the PodGroup alone */
    bool is_first;            /* it has pods of the job's first wave */
    bool has_members;         /* it has pods of the gang, late ones too */
    int64_t minimum;
    const struct role *late; /* the first role that joins after the group's first wave; NULL without */
    struct workload_wish wishes[WORKLOAD_FIELD_COUNT];
    const struct node *source; /* what asks for it; NULL for the job's own */
};

/* How a job's pods are divided. Names do not depend on the version. */
struct workload_groups {
    struct slice workload_name;
    struct workload_group *items; /* NULL when the arena has failed */
    size_t count;
    size_t *of_role; /* index of the group of each role, or WORKLOAD_NO_GROUP */
    bool has_composite;
    struct workload_group composite; /* `minimum` is of groups */
    const char *why_no_composite;    /* NULL where nobody asked for one */
};

/* The key of a node label that the policy's settings ask for; unset without one, and where it is only preferred. */
struct slice workload_topology_level(const struct gang *gang);

/*
 * What the policy wants of every gang, and some group of members does not get because it is basic. Of what a runtime
 * wants nothing is lost.
 */
struct workload_wish workload_wish_lost(const struct workload_groups *groups, enum workload_field field,
                                        const struct backend_call *call);

/* `lateMembers: Exclude` for the entries of spec.scheduling: what joins behind its own group's first wave is left out. */
void workload_groups_leave_late_out(struct gang *gang, struct arena *arena);

/* `version` is the one to write; the gang must be formed. */
struct workload_groups workload_groups_make(const struct backend_call *call,
                                            const struct workload_version *version, struct arena *arena);

#endif
