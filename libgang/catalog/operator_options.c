/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/operator_options.h"

/*
 * ray-project/kuberay:ray-operator/controllers/ray/batchscheduler@v1.6.2: volcano makes a PodGroup
 * of every RayCluster and RayJob, the others none or only with a label of the job.
 */
const struct operator_option operator_option_kuberay = {
    .key = SLICE_INIT("kuberay"),
    .operator_ = "KubeRay",
    .option = "--batch-scheduler",
    .makes = SLICE_INIT("volcano"),
    .prefix = SLICE_INIT("ray-"),
    .suffix = SLICE_INIT("-pg"),
};

/* kubeflow/mpi-operator:cmd/mpi-operator/app/options/options.go@v0.8.2 */
const struct operator_option operator_option_mpi = {
    .key = SLICE_INIT("mpiOperator"),
    .operator_ = "mpi-operator",
    .option = "--gang-scheduling",
};

/* kubeflow/training-operator:pkg/controller.v1/common/job_controller.go@v1.9.3 */
const struct operator_option operator_option_training = {
    .key = SLICE_INIT("trainingOperator"),
    .operator_ = "training-operator",
    .option = "--gang-scheduler-name",
    .none = SLICE_INIT("None"),
};

/*
 * kubeflow/spark-operator:cmd/operator/controller/start.go@v2.5.1, for applications without a
 * batchScheduler; internal/scheduler/volcano names the PodGroup.
 */
const struct operator_option operator_option_spark = {
    .key = SLICE_INIT("sparkOperator"),
    .operator_ = "spark-operator",
    .option = "--default-batch-scheduler",
    .prefix = SLICE_INIT("spark-"),
    .suffix = SLICE_INIT("-pg"),
};

/* kubernetes-sigs/lws:pkg/schedulerprovider@v0.9.0, in the configuration of the manager */
const struct operator_option operator_option_lws = {
    .key = SLICE_INIT("lws"),
    .operator_ = "LWS",
    .option = "gangSchedulingManagement.schedulerProvider",
};

bool
operator_option_makes_gangs(const struct operator_option *option, struct slice value)
{
    if (!value.len || (slice_is_set(option->none) && slice_equal(value, option->none)))
        return false;
    return !slice_is_set(option->makes) || slice_equal(value, option->makes);
}

bool
operator_option_is_group(const struct operator_option *option, struct slice job, struct slice group)
{
    const size_t len = option->prefix.len + job.len + option->suffix.len;

    return slice_is_set(option->prefix) && group.len == len &&
           slice_has_prefix(group, option->prefix) &&
           slice_equal((struct slice){group.data + option->prefix.len, job.len}, job) &&
           slice_equal((struct slice){group.data + len - option->suffix.len, option->suffix.len},
                       option->suffix);
}
