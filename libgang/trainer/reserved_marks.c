/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/reserved_marks.h"

#include "libgang/document/finding.h"

/* What each scheduler reads as membership: volcano, coscheduling, KAI (three). */
static const struct slice reserved_keys[] = {
    SLICE_INIT("scheduling.k8s.io/group-name"),
    SLICE_INIT("scheduling.x-k8s.io/pod-group"),
    SLICE_INIT("pod-group-name"),
    SLICE_INIT("kai.scheduler/subgroup-name"),
    SLICE_INIT("kai.scheduler/skip-podgrouper"),
};

/* Kubernetes' Workload API: v1alpha2 and later, v1alpha1. */
static const struct slice reserved_pod_fields[] = {
    SLICE_INIT("schedulingGroup"),
    SLICE_INIT("workloadRef"),
};

#define RESERVED_HINT "the gang's marks are set by libgang; remove it"

static void
reserved_marks_check_map(const struct node *map, const struct slice *reserved, size_t count,
                         struct report *report)
{
    for (NODE_EACH(member, map))
        for (size_t i = 0; i < count; i++)
            if (slice_equal(node_key(member), reserved[i]) && !node_is_absent(member))
                find_note_at_key(report, GANG_CODE_RESERVED_MARK, member, RESERVED_HINT,
                                 "Forbidden: %.*s is a mark of gang membership", SLICE_ARG(reserved[i]));
}

void
reserved_marks_check_metadata(const struct node *metadata, struct report *report)
{
    const size_t count = sizeof(reserved_keys) / sizeof(reserved_keys[0]);

    reserved_marks_check_map(node_member(metadata, SLICE("labels")), reserved_keys, count, report);
    reserved_marks_check_map(node_member(metadata, SLICE("annotations")), reserved_keys, count, report);
}

void
reserved_marks_check_pod_spec(const struct node *pod_spec, struct report *report)
{
    reserved_marks_check_map(pod_spec, reserved_pod_fields,
                             sizeof(reserved_pod_fields) / sizeof(reserved_pod_fields[0]), report);
}

bool
reserved_marks_has_key(struct slice key)
{
    for (size_t i = 0; i < sizeof(reserved_keys) / sizeof(reserved_keys[0]); i++)
        if (slice_equal(key, reserved_keys[i]))
            return true;
    return false;
}
