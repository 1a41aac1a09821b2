/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_PREDICTION_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_PREDICTION_H

#include "libgang/backend/kai/podgrouper/kai_grouping.h"

/* What an object of the API server can hold; beyond it there is no PodGroup to predict. */
enum { KAI_MOST_SUBGROUPS = 10000 };

/*
 * A PodGroup that KAI's podgrouper will make for a TrainJob.
 * Source: kai-scheduler/KAI-Scheduler:pkg/podgrouper, v0.12.23 to main d5bc503a
 */
struct kai_predicted_group {
    const struct kai_job_role *role; /* NULL: for the pods of all roles */
    struct kai_sources sources;
    struct kai_pod_group group;
};

struct kai_prediction {
    enum kai_shape shape;
    struct kai_predicted_group *groups;
    size_t count;
    const char *failure; /* what the podgrouper says instead; NULL when it makes the groups */
};

/* In `arena`, with what it borrows of the job. No groups, and no failure, when they would be too large. */
struct kai_prediction kai_predict(const struct kai_job *job, const struct kai_grouping *grouping,
                                  struct arena *arena);

/* The whole object. Names with a uid that is not known are left open with `generateName`. */
const struct node *kai_predicted_manifest(const struct kai_job *job, const struct kai_prediction *prediction,
                                          size_t index, struct arena *arena);

/* The subgroup that a pod of one replica is routed to; unset where there are none. */
struct slice kai_predicted_subgroup(const struct kai_prediction *prediction, struct slice role,
                                    int64_t replica, struct arena *arena);

/* The topology that a Job's template asks for, which counts only with a level; else empty. */
struct kai_topology kai_leaf_topology(const struct kai_job_role *role);

#endif
