/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#define KOORDINATOR_QUOTA(place_, precedence_)                                                     \
    {                                                                                              \
        .key = SLICE_INIT(GANG_LABEL_KOORDINATOR_QUOTA), .form = QUEUE_LABEL, .place = (place_),   \
        .precedence = (precedence_)                                                                \
    }

/*
 * The scheduler reads the quota from a label of the pods. No operator copies it from a job to its
 * pods; libgang does. Source: koordinator-sh/koordinator:apis/extension/elastic_quota.go
 * LabelQuotaName@v1.8.0
 */
static const struct queue_source koordinator_queue_sources[] = {
    KOORDINATOR_QUOTA(QUEUE_IN_PATCHES, 0),
    KOORDINATOR_QUOTA(QUEUE_IN_TEMPLATE, 1),
    KOORDINATOR_QUOTA(QUEUE_ON_TRAINJOB, 2),
    KOORDINATOR_QUOTA(QUEUE_ON_POD_TEMPLATES, 3),
};

/*
 * koordinator-sh/koordinator:apis/thirdparty/scheduler-plugins/pkg/apis/scheduling/v1alpha1/types.go
 * PodGroupLabel@v1.8.0
 */
static const struct descriptor_mark koordinator_marks[] = {
    {.place = MARK_LABEL,
     .key = SLICE_INIT(GANG_LABEL_KOORDINATOR_POD_GROUP),
     .names_group = true,
     .is_on_plain_pods = true},
};

static const struct loss koordinator_losses[] = {
    {LOSS_TOPOLOGY, "libgang does not render the network topology of Koordinator"},
    {LOSS_RESOURCES, "Koordinator does not read the minResources of a PodGroup"},
    {LOSS_RESERVE, "Koordinator does not read the minResources of a PodGroup"},
    {LOSS_ROLE_MINIMUM, "no per-role minimum"},
};

const struct descriptor koordinator_descriptor = {
    .name = SLICE_INIT(GANG_BACKEND_KOORDINATOR),
    .type = SLICE_INIT("Koordinator"),
    .scheduler_name = SLICE_INIT("koord-scheduler"),
    .group = SLICE_INIT("scheduling.sigs.k8s.io"),
    .kinds = {SLICE_INIT("PodGroup")},
    .resource = SLICE_INIT("podgroups"),
    .api_version = SLICE_INIT("scheduling.sigs.k8s.io/v1alpha1"),
    .options = &koordinator_options,
    .starter = SLICE_INIT("queue: {name: koordinator-default-quota}"),
    .member = {.name = SLICE_INIT("koordinator"),
               .path = SLICE_INIT("spec.podGroupPolicy.koordinator")},
    .queue_sources = koordinator_queue_sources,
    .num_queue_sources = COUNT_OF(koordinator_queue_sources),
    .quota_kind = SLICE_INIT("ElasticQuota"),
    .marks = koordinator_marks,
    .num_marks = COUNT_OF(koordinator_marks),
    .minimum_path = "spec.minMember",
    .forgets = SLICE_INIT("PodGroup"),
    .losses = koordinator_losses,
    .num_losses = COUNT_OF(koordinator_losses),
    .why_no_units = "the scheduler does not know units, so pods that start may be parts of several",
    .why_no_groups = "libgang does not render GangGroups for the groups of a job",
    .component = {.name = SLICE_INIT("koordinator"),
                  .groups = {SLICE_INIT("scheduling.sigs.k8s.io"),
                             SLICE_INIT("scheduling.koordinator.sh")},
                  .image = SLICE_INIT("koordinator-sh/koord-scheduler")},
    .features =
        {
            .whole_or_nothing = SLICE_INIT("yes"),
            .late_member = SLICE_INIT("not marked, no room reserved"),
            .initializers = SLICE_INIT("outside, no mark"),
            .suspend = SLICE_INIT("deleted when no pod is left"),
            .topology = SLICE_INIT("no"),
            .subgroups = SLICE_INIT("no"),
            .elastic_minimum = SLICE_INIT("refused"),
        },
};
