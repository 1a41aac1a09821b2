/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/*
 * Sources: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgrouper/hub/hub.go@d5bc503a and the
 * plugins that it names; PRs 617 (Ray) and 2098 (StatefulSet).
 */
static const struct kai_foreign_kind kai_foreign_kinds[] = {
    {SLICE_INIT("batch"), SLICE_INIT("Job"), false, true, "a group with the minimum 1"},
    {SLICE_INIT("apps"), SLICE_INIT("StatefulSet"), false, false, "a group with the minimum 1"},
    {SLICE_INIT("sparkoperator.k8s.io"), SLICE_INIT("SparkApplication"), false, false,
     "a group with the minimum 1"},
    {SLICE_INIT(""), SLICE_INIT("PodList"), false, false, "a group for each pod"},
    {SLICE_INIT("jobset.x-k8s.io"), SLICE_INIT("JobSet"), true, true,
     "the group that it makes for the JobSet of a TrainJob"},
    {SLICE_INIT("leaderworkerset.x-k8s.io"), SLICE_INIT("LeaderWorkerSet"), true, false,
     "a group for each replica, under LeaderReady with the minimum 1 until the leader has a node"},
    {SLICE_INIT("ray.io"),
     {NULL, 0},
     true,
     false,
     "a group with minReplicas pods of each worker group, or with replicas if that is 0"},
    {SLICE_INIT("kubeflow.org"), {NULL, 0}, true, false, "a group with a subgroup of each role"},
};

static struct slice
kai_foreign_group(struct slice api_version)
{
    const char *slash = api_version.len ? memchr(api_version.data, '/', api_version.len) : NULL;

    return slash ? (struct slice){api_version.data, (size_t)(slash - api_version.data)} : SLICE("");
}

const struct kai_foreign_kind *
kai_foreign_kind_of(const struct gang_wishes *wishes)
{
    const struct slice group = kai_foreign_group(wishes->owner.api_version);

    for (size_t i = 0; i < COUNT_OF(kai_foreign_kinds); i++) {
        const struct kai_foreign_kind *kind = &kai_foreign_kinds[i];

        if (slice_equal(kind->group, group) &&
            (!slice_is_set(kind->kind) || slice_equal(kind->kind, wishes->owner.kind)))
            return kind;
    }
    return NULL;
}

bool
kai_foreign_is_no_gang(const struct kai_foreign_kind *kind, const struct gang_wishes *wishes)
{
    const struct node *annotations = wishes->chain ? wishes->chain->set.annotations : NULL;

    return kind && !kind->is_gang &&
           !(kind->is_annotated && node_member(annotations, KAI_MIN_MEMBER_ANNOTATION));
}
