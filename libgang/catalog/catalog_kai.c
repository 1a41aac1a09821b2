/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

/*
 * The podgrouper reads the queue label of the JobSet, then of the TrainJob, then of the pods.
 * Without one it derives the queue from the label `project` in the same places, and appends the
 * node pool of the pod. Trainer's plugin writes the queue of podGroupPolicy on the pods; an empty
 * one means none. Source:
 * kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/plugins/defaultgrouper/default_grouper.go
 * and plugins/jobset @d5bc503a, kubeflow/trainer#3186.
 */
#define KAI_QUEUE_SOURCE(place_, precedence_)                                                      \
    {                                                                                              \
        .key = SLICE_INIT(GANG_LABEL_KAI_QUEUE), .form = QUEUE_LABEL, .place = (place_),           \
        .precedence = (precedence_)                                                                \
    }
#define KAI_FIELD_SOURCE(path)                                                                     \
    {                                                                                              \
        .key = SLICE_INIT(path), .form = QUEUE_FIELD, .place = QUEUE_IN_GANG_POLICY,               \
        .precedence = 3, .ignores_empty = true                                                     \
    }
#define KAI_PROJECT_SOURCE(place_, precedence_)                                                    \
    {                                                                                              \
        .key = SLICE_INIT("project"), .form = QUEUE_LABEL, .place = (place_),                      \
        .precedence = (precedence_), .ignores_empty = true, .is_common = true,                     \
        .pod_suffix = SLICE_INIT("kai.scheduler/node-pool")                                        \
    }
static const struct queue_source kai_queue_sources[] = {
    KAI_QUEUE_SOURCE(QUEUE_IN_PATCHES, 0),    KAI_QUEUE_SOURCE(QUEUE_IN_TEMPLATE, 1),
    KAI_QUEUE_SOURCE(QUEUE_ON_TRAINJOB, 2),   KAI_FIELD_SOURCE("kaiScheduler.queue"),
    KAI_FIELD_SOURCE("kai.queueName"),        KAI_QUEUE_SOURCE(QUEUE_ON_POD_TEMPLATES, 4),
    KAI_PROJECT_SOURCE(QUEUE_IN_PATCHES, 5),  KAI_PROJECT_SOURCE(QUEUE_IN_TEMPLATE, 6),
    KAI_PROJECT_SOURCE(QUEUE_ON_TRAINJOB, 7), KAI_PROJECT_SOURCE(QUEUE_ON_POD_TEMPLATES, 8),
};

/*
 * The label has precedence over priorityClassName in the pods. If no PriorityClass has its name,
 * the group has the podgrouper's own default class. Source: default_grouper.go@d5bc503a
 */
#define KAI_PRIORITY_SOURCE(place_, precedence_)                                                   \
    {                                                                                              \
        .key = SLICE_INIT("priorityClassName"), .form = QUEUE_LABEL, .place = (place_),            \
        .precedence = (precedence_)                                                                \
    }
static const struct queue_source kai_priority_sources[] = {
    KAI_PRIORITY_SOURCE(QUEUE_IN_PATCHES, 0),
    KAI_PRIORITY_SOURCE(QUEUE_IN_TEMPLATE, 1),
    KAI_PRIORITY_SOURCE(QUEUE_ON_TRAINJOB, 2),
    KAI_PRIORITY_SOURCE(QUEUE_ON_POD_TEMPLATES, 3),
};

/* kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go@d5bc503a */
static const struct descriptor_mark kai_marks_of_pods[] = {
    {.place = MARK_ANNOTATION,
     .key = SLICE_INIT(GANG_ANNOTATION_KAI_GROUP_NAME),
     .names_group = true},
    {.place = MARK_LABEL, .key = SLICE_INIT(GANG_LABEL_KAI_SUBGROUP_NAME)},
    {.place = MARK_ANNOTATION,
     .key = SLICE_INIT(GANG_ANNOTATION_KAI_SKIP_PODGROUPER),
     .value = SLICE_INIT("true")},
};

static const struct loss kai_losses[] = {
    {LOSS_TIMEOUT, "a PodGroup of KAI has no timeout"},
    {LOSS_TOPOLOGY_OF_POLICY,
     "KAI needs the name of a Topology: set the annotation kai.scheduler/topology on the job"},
    {LOSS_RESOURCES, "a PodGroup of KAI has no resources"},
    {LOSS_RESERVE, "a PodGroup of KAI has no resources"},
    {LOSS_ROLE_MINIMUM_BESIDE, "no per-role minimum beside that of the whole gang"},
};

const struct descriptor kai_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_KAI),
    .type = SLICE_INIT("KAI"),
    .scheduler_name = SLICE_INIT("kai-scheduler"),
    .group = SLICE_INIT("scheduling.run.ai"),
    .kinds = {SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("podgroups"),
    .api_version = SLICE_INIT("scheduling.run.ai/v2alpha2"),
    .options = &kai_options,
    /* ai-dynamo/grove pull request 735 is not merged */
    .experimental = SLICE_INIT("layout: Aggregate"),
    .starter =
        SLICE_INIT("queue: {name: default-queue}\n"
                   "# Who creates the PodGroup: Delegate: KAI's podgrouper, Create: libgang, "
                   "Auto: libgang decides.\n#podGroup: Auto"),
    .member = {.name = SLICE_INIT("kaiScheduler"),
               .path = SLICE_INIT("spec.podGroupPolicy.kaiScheduler"),
               .schema = &kai_member,
               .superseded = SLICE_INIT("kai"),
               .superseded_schema = &kai_superseded_member},
    .queue_sources = kai_queue_sources,
    .num_queue_sources = COUNT_OF(kai_queue_sources),
    .default_queue = SLICE_INIT("default-queue"),
    .priority_sources = kai_priority_sources,
    .num_priority_sources = COUNT_OF(kai_priority_sources),
    .default_priority_class = SLICE_INIT("train"),
    .queue_parent = SLICE_INIT("parentQueue"),
    /* kai-scheduler/KAI-Scheduler:pkg/scheduler/actions/utils/job_order_by_queue.go@d5bc503a */
    .has_only_leaf_queues = true,
    .marks = kai_marks_of_pods,
    .num_marks = COUNT_OF(kai_marks_of_pods),
    .minimum_path = "spec.minMember",
    /* kai-scheduler/KAI-Scheduler:pkg/scheduler/api/podgroup_info/subgroup_info/podset.go@d5bc503a
     */
    .counts = DESCRIPTOR_COUNTS_NO_GATED,
    .losses = kai_losses,
    .num_losses = COUNT_OF(kai_losses),
    .why_no_units =
        "KAI evicts a gang of which one subgroup stays empty, so a unit has none of its own",
    .facts = &kai_facts,
    .sorts_gangs =
        true, /* kai-scheduler/KAI-Scheduler:pkg/scheduler/plugins/priority/priority.go */
    .component = {.name = SLICE_INIT("kai"),
                  .groups = {SLICE_INIT("scheduling.run.ai"), SLICE_INIT("kai.scheduler")},
                  .image = SLICE_INIT("kai-scheduler/scheduler")},
    .grove = {.name = SLICE_INIT("kai-scheduler"),
              .place = 0,
              .words = "KAI",
              .has_subgroups = true,
              .queue_rule = GROVE_QUEUE_OF_LABELS,
              .queue_key = SLICE_INIT(GANG_LABEL_KAI_QUEUE),
              .topology_rule = GROVE_TOPOLOGY_PLACED},
    /* kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go */
    .topology = {.group = SLICE_INIT("kai.scheduler"),
                 .api_version = SLICE_INIT("kai.scheduler/v1alpha1"),
                 .kind = SLICE_INIT("Topology"),
                 .annotation = SLICE_INIT("kai.scheduler/topology")},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("a subgroup without minimum"),
            .initializers = SLICE_INIT("outside, PodGroups of their own"),
            .suspend = SLICE_INIT("updated"),
            .topology = SLICE_INIT("Topology object"),
            .subgroups = SLICE_INIT("one for each role, and groups of roles"),
            .elastic_minimum = SLICE_INIT("yes, for each role"),
        },
};
