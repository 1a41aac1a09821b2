/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

/* kubernetes-sigs/scheduler-plugins:apis/scheduling/v1alpha1/types.go PodGroupLabel */
static const struct descriptor_mark coscheduling_marks[] = {
    {.place = MARK_LABEL,
     .key = SLICE_INIT(GANG_LABEL_COSCHEDULING_POD_GROUP),
     .names_group = true,
     .is_on_plain_pods = true},
};

static const struct loss coscheduling_losses[] = {
    {LOSS_QUEUE, "coscheduling has no queues"},
    {LOSS_TOPOLOGY, "coscheduling does not support the network topology"},
    {LOSS_ROLE_MINIMUM, "no per-role minimum"},
};

/*
 * The scheduler's name and image are those in the project's chart:
 * kubernetes-sigs/scheduler-plugins:manifests.
 */
const struct descriptor coscheduling_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_COSCHEDULING),
    .type = SLICE_INIT("Coscheduling"),
    .scheduler_name = SLICE_INIT("scheduler-plugins-scheduler"),
    .group = SLICE_INIT("scheduling.x-k8s.io"),
    .kinds = {SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("podgroups"),
    .api_version = SLICE_INIT("scheduling.x-k8s.io/v1alpha1"),
    .options = &coscheduling_options,
    .starter = SLICE_INIT("coscheduling: {scheduleTimeoutSeconds: 120}"),
    .timeout_option = SLICE_INIT("scheduleTimeoutSeconds"),
    .member = {.name = SLICE_INIT("coscheduling"),
               .path = SLICE_INIT("spec.podGroupPolicy.coscheduling"),
               .is_of_operator = true,
               .timeout_path =
                   SLICE_INIT("spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds")},
    .marks = coscheduling_marks,
    .num_marks = COUNT_OF(coscheduling_marks),
    .minimum_path = "spec.minMember",
    /* kubernetes/kubernetes:pkg/scheduler/framework/plugins/defaultpreemption@v1.36.3 */
    .preempts_by_priority = true,
    /* kubernetes-sigs/scheduler-plugins:pkg/coscheduling/coscheduling.go EventsToRegister */
    .sleeps_through_nodes = true,
    /* kubernetes-sigs/scheduler-plugins:pkg/coscheduling/core/core.go@v0.35.4-devel PreFilter */
    .counts = DESCRIPTOR_COUNTS_NO_GATED,
    .losses = coscheduling_losses,
    .num_losses = COUNT_OF(coscheduling_losses),
    .why_no_units = "the scheduler does not know units, so pods that start may be parts of several",
    .why_no_groups = "coscheduling has no groups below a PodGroup",
    .is_joined_twice = true,
    /*
     * kubernetes-sigs/scheduler-plugins:pkg/coscheduling/coscheduling.go@v0.35.4-devel
     * EventsToRegister: Pod Add, and Add and Update of PodGroup.
     */
    .sleeps_on_room = true,
    .component = {.name = SLICE_INIT("schedulerPlugins"),
                  .groups = {SLICE_INIT("scheduling.x-k8s.io")},
                  .image = SLICE_INIT("scheduler-plugins/kube-scheduler")},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("marked, not counted"),
            .initializers = SLICE_INIT("outside, no mark"),
            .suspend = SLICE_INIT("updated"),
            .topology = SLICE_INIT("no"),
            .subgroups = SLICE_INIT("no"),
            .elastic_minimum = SLICE_INIT("of all pods"),
        },
};
