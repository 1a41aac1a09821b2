/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_GROUPING_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_GROUPING_H

#include "libgang/backend/backend.h"
#include "libgang/backend/kai/podgrouper/kai_settings.h"

#define KAI_MIN_MEMBER_ANNOTATION SLICE("kai.scheduler/batch-min-member")

/*
 * `startupPolicy.startupPolicyOrder` of a JobSet. Its webhook fills in AnyOrder, which a file may
 * omit.
 */
enum kai_order { KAI_ORDER_UNSET, KAI_ORDER_ANY, KAI_ORDER_IN_ORDER };

/* A replicatedJob as the podgrouper reads it. */
struct kai_job_role {
    struct slice name;
    struct kai_minimum replicas;
    struct kai_minimum parallelism;
    struct kai_minimum completions;
    const struct node *annotations; /* of the Job's template; NULL if none */
    struct kai_metadata pod;        /* of the pod's template */
    struct slice pod_priority_class;
    bool is_skipped; /* its Jobs or pods tell the podgrouper to pass over them */
};

/* The owner of a TrainJob, which the podgrouper groups by. */
struct kai_top_owner {
    struct slice api_version; /* unset: the TrainJob has no such owner */
    struct slice kind;
    struct slice name;
    struct slice uid;
};

/* A JobSet that a TrainJob owns, as the podgrouper reads it. */
struct kai_job {
    struct release release; /* of KAI; must be known */
    struct slice name;      /* of the JobSet and the TrainJob */
    struct slice namespace_;
    struct slice jobset_uid;   /* unset if not known */
    struct slice trainjob_uid; /* unset if not known */
    struct kai_metadata jobset;
    struct kai_metadata trainjob;
    enum kai_order order;
    const struct kai_job_role *roles;
    size_t num_roles;
    const struct gang_cluster *cluster;
    struct kai_top_owner top_owner;
    struct kai_kind passed_owner; /* of an owner that it passes over; unset if there is none */
    bool has_several_owners;      /* the TrainJob, which the podgrouper refuses */
    bool stays_flat;              /* a PodGroup without subgroups exists already */
};

enum kai_shape {
    KAI_SHAPE_OWNER,    /* one group for the owner of the pods, named after the TrainJob */
    KAI_SHAPE_ONE,      /* one group, with a minimum in pods */
    KAI_SHAPE_PER_ROLE, /* a group for each role, with minima in pods */
    KAI_SHAPE_TREE,     /* one group, a subgroup for each role, and in it one for each replica */
};

/* The groups that the podgrouper of a release makes, and how many pods they ask for. */
struct kai_grouping {
    enum kai_shape shape;
    int64_t root;        /* ONE and OWNER: pods; TREE: roles */
    int64_t *minima;     /* PER_ROLE: pods of each role's group; TREE: pods of each replica */
    const char *failure; /* the podgrouper's error instead of a group; NULL if it makes one */
    bool has_annotation; /* kai.scheduler/batch-min-member of JobSet or TrainJob applies */
};

/* The result is in `arena`. */
struct kai_grouping kai_grouping_of(const struct kai_job *job, struct arena *arena);

/* Returns the number of subgroups of a role in a tree; 1 for an explicit 0. */
int64_t kai_grouping_replicas(const struct kai_job_role *role);

/* What libgang itself puts on the job and its pods for the podgrouper to read. Unset: nothing. */
struct kai_marks {
    struct slice queue;      /* label of the pods */
    bool queue_on_job;       /* also of the JobSet, whose own label would override the pods' */
    struct slice priority;   /* label of the JobSet, for the same reason */
    bool priority_on_pods;   /* also of the pods that have the label, which is read first */
    struct slice min_member; /* annotation of the JobSet */
};

/*
 * Returns the JobSet that the operator will make for the call's job, with the marks, as the
 * podgrouper will read it.
 */
struct kai_job kai_jobset_read(const struct backend_call *call, const struct release *release,
                               const struct kai_marks *marks, struct arena *arena);

/* Returns what decides the class of the group, in the order of the podgrouper. */
struct backend_classes kai_classes(const struct gang_wishes *wishes,
                                   const struct gang_cluster *cluster);

/* Returns the marks for the gang's queue and priority class. */
struct kai_marks kai_jobset_marks(const struct backend_call *call, const struct release *release,
                                  struct arena *arena);

#endif
