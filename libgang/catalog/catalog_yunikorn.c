/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#define YUNIKORN_QUEUE(form_, place_, precedence_)                                                 \
    {                                                                                              \
        .key = SLICE_INIT(GANG_LABEL_YUNIKORN_QUEUE), .form = (form_), .place = (place_),          \
        .precedence = (precedence_)                                                                \
    }

/*
 * The scheduler reads the queue from the pods: the label, else the annotation, else the label of
 * releases before v1.6. No operator copies the key from a job to its pods; libgang does. Source:
 * apache/yunikorn-k8shim:pkg/common/utils/utils.go GetQueueNameFromPod@v1.8.0
 */
static const struct queue_source yunikorn_queue_sources[] = {
    YUNIKORN_QUEUE(QUEUE_LABEL, QUEUE_IN_PATCHES, 0),
    YUNIKORN_QUEUE(QUEUE_LABEL, QUEUE_IN_TEMPLATE, 1),
    YUNIKORN_QUEUE(QUEUE_LABEL, QUEUE_ON_TRAINJOB, 2),
    YUNIKORN_QUEUE(QUEUE_LABEL, QUEUE_ON_POD_TEMPLATES, 3),
    YUNIKORN_QUEUE(QUEUE_ANNOTATION, QUEUE_ON_POD_TEMPLATES, 4),
    {.key = SLICE_INIT("queue"),
     .form = QUEUE_LABEL,
     .place = QUEUE_ON_POD_TEMPLATES,
     .precedence = 5,
     .is_common = true},
};

/* apache/yunikorn-k8shim:pkg/common/constants/constants.go@v1.8.0 */
static const struct descriptor_mark yunikorn_marks[] = {
    {.place = MARK_LABEL, .key = SLICE_INIT(GANG_LABEL_YUNIKORN_APP_ID), .names_group = true},
    {.place = MARK_ANNOTATION, .key = SLICE_INIT(GANG_ANNOTATION_YUNIKORN_TASK_GROUP)},
    {.place = MARK_ANNOTATION, .key = SLICE_INIT(GANG_ANNOTATION_YUNIKORN_TASK_GROUPS)},
    {.place = MARK_ANNOTATION, .key = SLICE_INIT(GANG_ANNOTATION_YUNIKORN_PARAMETERS)},
};

static const struct loss yunikorn_losses[] = {
    {LOSS_TOPOLOGY, "YuniKorn has no network topology: use affinity or topologySpreadConstraints "
                    "of the pods"},
    {LOSS_RESOURCES,
     "YuniKorn holds room for a pod by its requests, which must not be less than what the pod has"},
    {LOSS_MINIMUM, "each role has a minimum of its own"},
};

/* The scheduler has no CRDs. */
const struct descriptor yunikorn_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_YUNIKORN),
    .type = SLICE_INIT("YuniKorn"),
    .scheduler_name = SLICE_INIT("yunikorn"),
    .options = &yunikorn_options,
    .starter = SLICE_INIT("queue: {name: root.default}"),
    .timeout_option = SLICE_INIT("placeholderTimeoutSeconds"),
    .member = {.name = SLICE_INIT("yunikorn"), .path = SLICE_INIT("spec.podGroupPolicy.yunikorn")},
    .queue_sources = yunikorn_queue_sources,
    .num_queue_sources = COUNT_OF(yunikorn_queue_sources),
    .configures_queues = true,
    .marks = yunikorn_marks,
    .num_marks = COUNT_OF(yunikorn_marks),
    .parts_annotation = SLICE_INIT(GANG_ANNOTATION_YUNIKORN_TASK_GROUPS),
    .part_annotation = SLICE_INIT(GANG_ANNOTATION_YUNIKORN_TASK_GROUP),
    .placeholder_annotation = SLICE_INIT("internal.yunikorn.apache.org/placeholder"),
    /* completingTimeout in apache/yunikorn-core:pkg/scheduler/objects/application.go@v1.8.0 */
    .forgets = SLICE_INIT("30s"),
    .losses = yunikorn_losses,
    .num_losses = COUNT_OF(yunikorn_losses),
    .why_no_units = "the scheduler does not know units, so pods that start may be parts of several",
    .why_no_groups = "YuniKorn has one task group for each role, and no groups of them",
    .needs_effective_requests = true,
    .component = {.name = SLICE_INIT("yunikorn"), .image = SLICE_INIT("apache/yunikorn")},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes; style Soft until the timeout"),
            .late_member = SLICE_INIT("no group; one of its own with reserve: Always"),
            .initializers = SLICE_INIT("outside, another application"),
            .suspend = SLICE_INIT("no objects"),
            .topology = SLICE_INIT("affinity and spread of the pods"),
            .subgroups = SLICE_INIT("one for each role"),
            .elastic_minimum = SLICE_INIT("yes, for each role"),
        },
};
