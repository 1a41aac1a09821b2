/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_ENGINE_LIVE_JOB_H
#define LIBGANG_ENGINE_LIVE_JOB_H

#include "libgang/engine/decision.h"
#include "libgang/engine/live_objects.h"

/* What has become of the job itself. */
struct live_job {
    const struct live_object *object; /* NULL: not among the live objects */
    bool is_finished;                 /* complete or failed, for good */
    bool is_terminating;
    bool has_pods; /* of the gang's members, by the job's status */
};

/*
 * Finds the job of a decision. Without it among the live objects, what the decision's trainjob says of its status
 * counts. Source: kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0 TrainJobStatus.
 */
struct live_job live_job_find(const struct gang_decision *decision, const struct live_objects *objects);

/* The name of the group that a pod is marked for, by whatever backend; unset for none, and for a pod that has ended. */
struct slice live_pod_group(const struct live_object *object);

#endif
