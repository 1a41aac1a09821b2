/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* Jobs that are suspended, or that Kueue has not admitted. */

/*
 * Kueue's reasons since v0.19, and the texts of older releases.
 * Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/workload_types.go, pkg/scheduler@ff69552
 */
static const struct {
    const char *text;
    enum gang_code code;
} stage_kueue_reasons[] = {
    {"ExceedsMaxQuota", GANG_CODE_QUOTA_NEVER_SUFFICES},
    {"> maximum capacity", GANG_CODE_QUOTA_NEVER_SUFFICES},
    {"TopologyPlacementFailed", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"NoMatchingFlavor", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"allows to fit only", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"unavailable in ClusterQueue", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"Misconfigured", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"doesn't exist", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"is inactive", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"is stopped", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"QueueStopped", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
};

static enum gang_code
stage_kueue_code(const struct node *condition)
{
    const struct slice reason = node_string(node_member(condition, SLICE("reason")));
    const struct slice message = node_string(node_member(condition, SLICE("message")));

    for (size_t i = 0; i < COUNT_OF(stage_kueue_reasons); i++)
        if (stage_contains(reason, stage_kueue_reasons[i].text) ||
            stage_contains(message, stage_kueue_reasons[i].text))
            return stage_kueue_reasons[i].code;
    return GANG_CODE_QUOTA_NOT_RESERVED;
}

static void
stage_kueue_check(struct diagnosis *why, const struct live_object *workload)
{
    for (NODE_EACH(check, node_at(workload->root, "status.admissionChecks"))) {
        const struct slice state = node_string(node_member(check, SLICE("state")));

        if (slice_equal(state, SLICE("Ready")))
            continue;
        why_show_words(WHY_ADD(why, CERTAINTY_REPORTED, GANG_CODE_ADMISSION_CHECK_OPEN,
                               why_quoted(why, node_name(check)),
                               why_quoted(why, node_string(node_member(check, SLICE("message"))))),
                       workload, path_of(why->arena, check), state);
    }
}

/* Returns whether the Workload says that the job has to wait. */
static bool
stage_kueue_workload(struct diagnosis *why, const struct live_object *workload)
{
    const struct node *reserved = stage_condition(workload, SLICE("QuotaReserved"));
    const struct node *evicted = stage_condition(workload, SLICE("Evicted"));
    const struct node *conditions = node_at(workload->root, "status.conditions");
    const bool is_reserved = stage_is_true(conditions, SLICE("QuotaReserved"));
    const struct slice message = node_string(node_member(reserved, SLICE("message")));
    struct why_cause *cause;

    if (stage_is_true(conditions, SLICE("Admitted")) ||
        stage_is_true(conditions, SLICE("Finished")))
        return false;
    if (is_reserved) {
        stage_kueue_check(why, workload);
        return true;
    }
    if (!reserved && stage_is_true(conditions, SLICE("Evicted"))) {
        reserved = evicted;
        cause = WHY_ADD(why, CERTAINTY_REPORTED, GANG_CODE_WORKLOAD_EVICTED,
                        why_quoted(why, node_string(node_member(evicted, SLICE("message")))));
    } else {
        cause = WHY_ADD(why, CERTAINTY_REPORTED, stage_kueue_code(reserved),
                        message.len ? arena_format(why->arena, "\"%.*s\"", SLICE_ARG(message))
                                    : "it has not said why");
    }
    why_show_words(cause, workload, reserved ? path_of(why->arena, reserved) : SLICE("status"),
                   message);
    return true;
}

static const struct live_object *
stage_owned_workload(const struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_owned; i++)
        if (slice_equal(why->owned[i]->group, LIVE_KUEUE_GROUP) &&
            slice_equal(why->owned[i]->kind, LIVE_KUEUE_KIND))
            return why->owned[i];
    return NULL;
}

/* The JobSet decides: a TrainJob that cannot be suspended says that it is. */
static const struct live_object *
stage_suspended_object(const struct diagnosis *why)
{
    const struct live_object *object = why->jobset ? why->jobset : why->job;

    if (!object)
        return NULL;
    return node_is_true(node_at(object->root, "spec.suspend")) ||
                   node_is_true(node_at(object->root, "spec.runPolicy.suspend"))
               ? object
               : NULL;
}

static const struct node *
stage_kueue_queue(const struct diagnosis *why)
{
    if (!why->job)
        return why->decision ? job_facts_kueue_queue(why->decision) : NULL;
    return node_member(node_member(why->job->metadata, SLICE("labels")),
                       SLICE("kueue.x-k8s.io/queue-name"));
}

bool
stage_suspended(struct diagnosis *why)
{
    const struct live_object *object = stage_suspended_object(why);
    const struct live_object *workload = stage_owned_workload(why);
    const struct node *queue = stage_kueue_queue(why);

    if (!object)
        return false;
    if (why->num_pods && why->group.live)
        return false;
    if (workload && stage_kueue_workload(why, workload))
        return true;
    if (workload)
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_PODS_COMING, "0",
                why_number(why, why_expected(why)));
    else if (queue)
        why_show_words(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_KUEUE_WORKLOAD_MISSING,
                               why_quoted(why, node_string(queue))),
                       why->job, path_of(why->arena, queue), node_string(queue));
    else
        why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_JOB_SUSPENDED, why_name(why, object)),
                 object, "spec.suspend", SLICE("true"));
    return true;
}
