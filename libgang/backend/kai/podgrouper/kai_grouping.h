/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_GROUPING_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_GROUPING_H

#include "libgang/backend/backend.h"
#include "libgang/backend/kai/podgrouper/kai_settings.h"

#define KAI_MIN_MEMBER_ANNOTATION SLICE("kai.scheduler/batch-min-member")

/* `startupPolicy.startupPolicyOrder` of a JobSet. Its webhook fills in AnyOrder, which a file may not show. */
enum kai_order { KAI_ORDER_UNSET, KAI_ORDER_ANY, KAI_ORDER_IN_ORDER };

/* A replicatedJob as the podgrouper finds it. */
struct kai_job_role {
    struct slice name;
    struct kai_minimum replicas;
    struct kai_minimum parallelism;
    struct kai_minimum completions;
    const struct node *annotations; /* of the Job's template; NULL: none */
    struct kai_metadata pod;        /* of the pod's template */
    struct slice pod_priority_class;
};

/* A JobSet that a TrainJob owns, as the podgrouper finds it. */
struct kai_job {
    struct release release; /* of KAI; known */
    struct slice name;      /* of both */
    struct slice namespace_;
    struct slice jobset_uid;   /* unset: not known */
    struct slice trainjob_uid; /* the same */
    struct kai_metadata jobset;
    struct kai_metadata trainjob;
    enum kai_order order;
    const struct kai_job_role *roles;
    size_t num_roles;
    const struct gang_cluster *cluster;
};

enum kai_shape {
    KAI_SHAPE_OWNER,    /* one group for whatever owns the pods, of the TrainJob's name */
    KAI_SHAPE_ONE,      /* one group, its minimum in pods */
    KAI_SHAPE_PER_ROLE, /* a group for each role, their minima in pods */
    KAI_SHAPE_TREE,     /* one group; a subgroup for each role, and in it one for each replica */
};

/* How many pods the podgrouper of a release asks for, and in how many groups. */
struct kai_grouping {
    enum kai_shape shape;
    int64_t root;        /* ONE and OWNER: pods; TREE: roles */
    int64_t *minima;     /* PER_ROLE: pods of each role's group; TREE: pods of each of its replicas */
    const char *failure; /* what the podgrouper says instead of making a group; NULL: it makes one */
    bool has_annotation; /* kai.scheduler/batch-min-member of JobSet or TrainJob is read */
};

/* In `arena`. */
struct kai_grouping kai_grouping_of(const struct kai_job *job, struct arena *arena);

/* The subgroups of a role in a tree; one for an explicit 0. */
int64_t kai_grouping_replicas(const struct kai_job_role *role);

/* What libgang itself puts on the job and its pods, where the podgrouper will find it. Unset: nothing. */
struct kai_marks {
    struct slice queue;      /* label of the pods */
    bool queue_on_job;       /* and of the JobSet: a label of the job itself would stand before the pods' */
    struct slice priority;   /* label of the JobSet, for the same reason */
    struct slice min_member; /* annotation of the JobSet */
};

/* The JobSet that the operator will make of a call's job, marks and all, as the podgrouper will find it. */
struct kai_job kai_jobset_read(const struct backend_call *call, const struct release *release,
                               const struct kai_marks *marks, struct arena *arena);

/* The marks for the queue and the priority class that were chosen for the gang. */
struct kai_marks kai_jobset_marks(const struct backend_call *call, const struct release *release,
                                  struct arena *arena);

#endif
