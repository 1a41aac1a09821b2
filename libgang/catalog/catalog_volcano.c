/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#define VOLCANO_QUEUE(place_, precedence_, hint_)                                                  \
    {                                                                                              \
        .key = SLICE_INIT("scheduling.volcano.sh/queue-name"), .form = QUEUE_ANNOTATION,           \
        .place = (place_), .precedence = (precedence_), .hint = (hint_)                            \
    }
#define VOLCANO_HINT_PATCH                                                                         \
    "set it in spec.runtimePatches[].trainingRuntimeSpec.template.metadata.annotations"
#define VOLCANO_HINT_TEMPLATE "set it in spec.template.metadata.annotations"

/*
 * The operator reads the queue only from the annotations of the JobSet. Only the runtime's template
 * metadata and its patches set these annotations. Source:
 * kubeflow/trainer:pkg/runtime/framework/plugins/volcano/volcano.go and
 * pkg/runtime/core/trainingruntime.go (newRuntimeInfo), @v2.3.0.
 */
static const struct queue_source volcano_queue_sources[] = {
    VOLCANO_QUEUE(QUEUE_IN_PATCHES, 0, NULL),
    VOLCANO_QUEUE(QUEUE_IN_TEMPLATE, 1, NULL),
    VOLCANO_QUEUE(QUEUE_ON_TRAINJOB, QUEUE_NOT_READ, VOLCANO_HINT_PATCH),
    VOLCANO_QUEUE(QUEUE_ON_RUNTIME, QUEUE_NOT_READ, VOLCANO_HINT_TEMPLATE),
    VOLCANO_QUEUE(QUEUE_ON_JOB_TEMPLATES, QUEUE_NOT_READ, VOLCANO_HINT_TEMPLATE),
    VOLCANO_QUEUE(QUEUE_ON_POD_TEMPLATES, QUEUE_NOT_READ, VOLCANO_HINT_TEMPLATE),
};

/*
 * Source: volcano-sh/apis:pkg/apis/scheduling/v1beta1/{types,labels}.go KubeGroupNameAnnotationKey.
 * The scheduler reads no other mark of membership.
 */
static const struct descriptor_mark volcano_marks[] = {
    {.place = MARK_ANNOTATION,
     .key = SLICE_INIT(GANG_ANNOTATION_VOLCANO_GROUP_NAME),
     .names_group = true,
     .is_on_plain_pods = true},
};

static const struct loss volcano_losses[] = {
    {LOSS_TIMEOUT, "a PodGroup of Volcano has no timeout"},
    {LOSS_ROLE_MINIMUM_BESIDE, "no per-role minimum beside that of the whole gang"},
};

const struct descriptor volcano_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_VOLCANO),
    .type = SLICE_INIT("Volcano"),
    .scheduler_name = SLICE_INIT("volcano"),
    .group = SLICE_INIT("scheduling.volcano.sh"),
    .kinds = {SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("podgroups"),
    .api_version = SLICE_INIT("scheduling.volcano.sh/v1beta1"),
    .starter = SLICE_INIT("queue: {name: default}"),
    .member = {.name = SLICE_INIT("volcano"),
               .path = SLICE_INIT("spec.podGroupPolicy.volcano"),
               .is_of_operator = true,
               .topology_path = SLICE_INIT("spec.podGroupPolicy.volcano.networkTopology"),
               .empty_queue = "Volcano queue name must not be empty",
               .empty_queue_hint = "name a queue, or remove the annotation"},
    .queue_sources = volcano_queue_sources,
    .num_queue_sources = COUNT_OF(volcano_queue_sources),
    .default_queue = SLICE_INIT("default"), /* pkg/scheduler/api: DefaultQueue */
    .queue_parent = SLICE_INIT("parent"),
    .marks = volcano_marks,
    .num_marks = COUNT_OF(volcano_marks),
    .minimum_path = "spec.minMember",
    /* volcano-sh/volcano:pkg/scheduler/api/job_info.go@v1.15.0 ValidTaskNum */
    .counts = DESCRIPTOR_COUNTS_SUCCEEDED,
    .losses = volcano_losses,
    .num_losses = COUNT_OF(volcano_losses),
    .is_joined_twice = true,
    .sorts_gangs = true, /* volcano-sh/volcano:pkg/scheduler/plugins/priority/priority.go */
    .component = {.name = SLICE_INIT("volcano"),
                  .groups = {SLICE_INIT("scheduling.volcano.sh"), SLICE_INIT("batch.volcano.sh")},
                  .image = SLICE_INIT("volcanosh/vc-scheduler")},
    .grove = {.name = SLICE_INIT("volcano"),
              .place = 2,
              .words = "volcano",
              .queue_rule = GROVE_QUEUE_OF_PODGANG,
              .queue_key = SLICE_INIT("scheduling.grove.io/volcano-queue"),
              .topology_rule = GROVE_TOPOLOGY_REFUSED},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("marked, not counted"),
            .initializers = SLICE_INIT("outside, no mark"),
            .suspend = SLICE_INIT("updated, without minResources"),
            .topology = SLICE_INIT("network topology"),
            .subgroups = SLICE_INIT(
                "of PodGangs; one for each group with a topology, and for each unit with a label"),
            .elastic_minimum = SLICE_INIT("yes, for each role"),
        },
};
