/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_PREDICTION_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_PREDICTION_H

#include "libgang/backend/kai/podgrouper/kai_grouping.h"

/*
 * The most subgroups that an object of the API server can hold. A larger PodGroup is not predicted.
 */
enum { KAI_MOST_SUBGROUPS = 10000 };

/*
 * A PodGroup that KAI's podgrouper will make for a TrainJob.
 * Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper, v0.12.23 to main d5bc503a
 */
struct kai_predicted_group {
    const struct kai_job_role *role; /* NULL for the pods of all roles */
    struct kai_sources sources;
    struct kai_pod_group group;
};

struct kai_prediction {
    enum kai_shape shape;
    struct kai_predicted_group *groups;
    size_t count;
    const char *failure; /* the podgrouper's error; NULL if it makes the groups */
};

/*
 * Returns the groups in `arena`; they borrow from the job. Returns no groups, and no failure, if
 * they would be too large.
 */
struct kai_prediction kai_predict(const struct kai_job *job, const struct kai_grouping *grouping,
                                  struct arena *arena);

/*
 * Returns the name of the group that all pods share, with which the names of groups of one role
 * start; unset if the uid in it is not known.
 */
struct slice kai_predicted_names(const struct kai_job *job, const struct kai_prediction *prediction,
                                 struct arena *arena);

/* Returns the labels and annotations that the podgrouper copies to its groups; NULL if none. */
struct kai_metadata kai_copied_metadata(const struct kai_sources *sources, struct arena *arena);

/* Returns the whole object. A name that contains an unknown uid becomes a `generateName`. */
const struct node *kai_predicted_manifest(const struct kai_job *job,
                                          const struct kai_prediction *prediction, size_t index,
                                          struct arena *arena);

/* Returns the subgroup of a pod of one replica; unset if the group has no subgroups. */
struct slice kai_predicted_subgroup(const struct kai_prediction *prediction, struct slice role,
                                    int64_t replica, struct arena *arena);

/*
 * Returns the topology that a Job's template asks for, which counts only with a level; else empty.
 */
struct kai_topology kai_leaf_topology(const struct kai_job_role *role);

#endif
