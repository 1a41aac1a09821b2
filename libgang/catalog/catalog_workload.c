/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"
#include "libgang/catalog/job_names.h"

/* In order of preference. */
static const char *const workload_api_versions[] = {
    "scheduling.k8s.io/v1beta1",
    "scheduling.k8s.io/v1alpha3",
    "scheduling.k8s.io/v1alpha2",
    "scheduling.k8s.io/v1alpha1",
    NULL,
};

/*
 * Fields of a pod's spec in kubernetes/api:core/v1/types.go: the first in v1alpha2 and later, the
 * second in v1alpha1.
 */
static const struct descriptor_mark workload_marks[] = {
    {MARK_POD_FIELD,
     SLICE_INIT("schedulingGroup"),
     SLICE_INIT("podGroupName"),
     true,
     {NULL, 0},
     false},
    {MARK_POD_FIELD, SLICE_INIT(FORMER_POD_FIELD), SLICE_INIT("name"), true, {NULL, 0}, false},
};

static const struct loss workload_losses[] = {
    {LOSS_QUEUE, "the Workload API has no queues"},
    {LOSS_TIMEOUT, "a PodGroup of Kubernetes has no timeout"},
    {LOSS_RESOURCES, "a PodGroup of Kubernetes has no resources"},
    {LOSS_RESERVE, "a PodGroup of Kubernetes has no resources"},
};

/*
 * Kubernetes' own scheduler with the Workload API. kubeflow/trainer#3015 and KEP-3015 describe the
 * same gang: the former as a member of podGroupPolicy, the latter as spec.scheduling.
 */
const struct descriptor workload_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_WORKLOAD),
    .type = SLICE_INIT("Workload"),
    .scheduler_name = SLICE_INIT("default-scheduler"),
    .group = SLICE_INIT("scheduling.k8s.io"),
    .kinds = {SLICE_INIT("Workload"), SLICE_INIT("CompositePodGroup"), SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("workloads"),
    .api_versions = workload_api_versions,
    .options = &workload_options,
    .starter = SLICE_INIT("# Default: the newest version that the cluster serves.\n"
                          "#apiVersion: scheduling.k8s.io/v1beta1"),
    .member = {.name = SLICE_INIT("workload"),
               .path = SLICE_INIT("spec.podGroupPolicy.workload"),
               .is_of_scheduling = true},
    .marks = workload_marks,
    .num_marks = COUNT_OF(workload_marks),
    .minimum_path = "spec.schedulingPolicy.gang.minCount",
    /* kubernetes/kubernetes:pkg/scheduler/framework/plugins/defaultpreemption@v1.36.3 */
    .preempts_by_priority = true,
    .losses = workload_losses,
    .num_losses = COUNT_OF(workload_losses),
    .why_no_units = "the pods of a role are in one PodGroup, which has no parts",
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("marked, not counted"),
            .initializers = SLICE_INIT("outside, no mark"),
            .suspend = SLICE_INIT("deleted"),
            .topology = SLICE_INIT("labels of nodes"),
            .subgroups = SLICE_INIT("options groups and composite"),
            .elastic_minimum = SLICE_INIT("of all pods; for each role with option groups"),
        },
};
