/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* Jobs that are suspended, or that Kueue has not admitted. */

/*
 * Kueue's texts, and its reasons where the gate UnadmittedWorkloadsExplicitStatus is on.
 * Source: kubernetes-sigs/kueue:apis/kueue/v1beta2/workload_types.go,
 * pkg/scheduler/flavorassigner/{flavorassigner,tas_flavorassigner}.go,
 * pkg/cache/scheduler/tas_flavor_snapshot.go, pkg/controller/core/workload_controller.go,
 * pkg/workload/resources.go@v0.19.2
 */
static const struct {
    const char *text;
    enum gang_code code;
} stage_kueue_reasons[] = {
    /* Another flavor has too little for now, so that it need not be one of those that never fit. */
    {"insufficient unused quota", GANG_CODE_QUOTA_NOT_RESERVED},
    {"ExceedsMaxQuota", GANG_CODE_QUOTA_NEVER_SUFFICES},
    {"> maximum capacity", GANG_CODE_QUOTA_NEVER_SUFFICES},
    {"TopologyPlacementFailed", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"NoMatchingFlavor", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"allows to fit only", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"doesn't allow to fit", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"TopologyAwareScheduling", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"not contain the requested level", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"LimitRange constraints", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"resources validation failed", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"unavailable in ClusterQueue", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"untolerated taint", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"doesn't match node affinity", GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED},
    {"doesn't exist", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"terminating or missing", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"match ClusterQueue selector", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"is inactive", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"is stopped", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
    {"QueueStopped", GANG_CODE_KUEUE_QUEUE_UNUSABLE},
};

static enum gang_code
stage_kueue_code_in(struct slice text)
{
    for (size_t i = 0; i < COUNT_OF(stage_kueue_reasons); i++)
        if (stage_contains(text, stage_kueue_reasons[i].text))
            return stage_kueue_reasons[i].code;
    return GANG_CODE_QUOTA_NOT_RESERVED;
}

/*
 * Kueue writes the texts of the pod sets one after another. A pod set that never fits decides. With
 * the last two reasons it does not try the job again, whatever the text says.
 */
static enum gang_code
stage_kueue_code(const struct node *condition)
{
    const struct slice reason = node_string(node_member(condition, SLICE("reason")));
    struct slice rest = node_string(node_member(condition, SLICE("message")));
    enum gang_code code = stage_kueue_code_in(reason);

    while (code == GANG_CODE_QUOTA_NOT_RESERVED && rest.len) {
        const struct slice text = slice_before(rest, ';');

        code = stage_kueue_code_in(text);
        rest = slice_after(rest, text.len + (text.len < rest.len));
    }
    if (code == GANG_CODE_QUOTA_NOT_RESERVED &&
        (slice_equal(reason, SLICE("Misconfigured")) || slice_equal(reason, SLICE("Inadmissible"))))
        return GANG_CODE_FLAVOR_OR_TOPOLOGY_EXCLUDED;
    return code;
}

static void
stage_kueue_check(struct diagnosis *why, const struct live_object *workload)
{
    struct why_cause *cause = NULL;

    for (NODE_EACH(check, node_at(workload->root, "status.admissionChecks"))) {
        const struct slice state = node_string(node_member(check, SLICE("state")));

        if (slice_equal(state, SLICE("Ready")))
            continue;
        cause = WHY_ADD(why, CERTAINTY_REPORTED, GANG_CODE_ADMISSION_CHECK_OPEN,
                        why_quoted(why, node_name(check)),
                        why_quoted(why, node_string(node_member(check, SLICE("message")))));
        why_show_words(cause, workload, path_of(why->arena, check), state);
    }
    /* MultiKueue has no message while it waits for these clusters. */
    if (cause)
        for (NODE_EACH(cluster, node_at(workload->root, "status.nominatedClusterNames")))
            why_show_words(cause, workload, path_of(why->arena, cluster), node_string(cluster));
}

/* Kueue has not tried the Workload, because its queue keeps the order. */
static bool
stage_kueue_behind(struct diagnosis *why, const struct live_object *workload)
{
    const struct live_object *queue = live_cluster_queue_of(why->live, workload);
    const struct live_object *first = NULL;
    size_t count;

    if (!queue || node_at(queue->root, "spec.admissionScope") ||
        !slice_equal(why_text_at(queue, "spec.queueingStrategy"), SLICE("StrictFIFO")))
        return false;
    count = live_queued_before(why->live, queue, workload, &first);
    if (first)
        why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_BEHIND_OTHERS,
                         why_quoted(why, queue->name), why_number(why, (int64_t)count),
                         why_name(why, first)),
                 queue, "spec.queueingStrategy", SLICE("StrictFIFO"));
    return first != NULL;
}

/* Returns whether the Workload says that the job has to wait. */
static bool
stage_kueue_workload(struct diagnosis *why, const struct live_object *workload)
{
    const struct node *status = node_member(workload->root, SLICE("status"));
    const struct node *reserved = stage_condition(workload, SLICE("QuotaReserved"));
    const struct node *evicted = stage_condition(workload, SLICE("Evicted"));
    const struct node *requeued = stage_condition(workload, SLICE("Requeued"));
    const bool is_out =
        live_status_is_true(status, SLICE("Evicted")) &&
        (!reserved || (requeued && !live_status_is_true(status, SLICE("Requeued"))));
    const struct node *said = is_out ? evicted : reserved;
    const struct slice message = node_string(node_member(said, SLICE("message")));
    enum gang_code code = stage_kueue_code(said);

    if (live_status_is_true(status, SLICE("Admitted")) ||
        live_status_is_true(status, SLICE("Finished")))
        return false;
    if (live_status_is_true(status, SLICE("QuotaReserved"))) {
        stage_kueue_check(why, workload);
        return why->num_causes > 0;
    }
    if (!message.len && !live_workload_is_inactive(workload) && stage_kueue_behind(why, workload))
        return true;
    if (live_workload_is_inactive(workload))
        code = GANG_CODE_WORKLOAD_DEACTIVATED;
    else if (is_out && code == GANG_CODE_QUOTA_NOT_RESERVED)
        code = GANG_CODE_WORKLOAD_EVICTED;
    why_show_words(
        WHY_ADD(why, code == GANG_CODE_WORKLOAD_DEACTIVATED ? CERTAINTY_PROVEN : CERTAINTY_REPORTED,
                code, message.len ? why_quoted(why, message) : "it has not said why"),
        workload, said ? path_of(why->arena, said) : SLICE("status"), message);
    return true;
}

/*
 * MultiKueue creates the pods in another cluster, which the Workload then names. Source:
 * kubernetes-sigs/kueue:pkg/controller/admissionchecks/multikueue/workload.go@v0.19.2
 */
static bool
stage_is_elsewhere(struct diagnosis *why, const struct live_object *workload)
{
    const struct node *manager = why->decision ? why->decision->wishes.managed_elsewhere : NULL;
    const struct node *cluster = workload ? node_at(workload->root, "status.clusterName") : NULL;
    const struct node *shown = node_string(cluster).len ? cluster : manager;

    /* A Workload that waits, also of a job that no field suspends. */
    if (shown == manager && (!slice_equal(node_string(manager), MULTIKUEUE_MANAGER) ||
                             (workload && stage_kueue_workload(why, workload))))
        return why->num_causes > 0;
    why_show_words(
        WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_PODS_ELSEWHERE,
                shown == cluster ? why_quoted(why, node_string(cluster)) : "another cluster"),
        shown == cluster ? workload : why->job, path_of(why->arena, shown), node_string(shown));
    return true;
}

/*
 * Whether Kueue has no Workload for the job: others are given, or the queue is empty, and no event
 * of the job says that there is one.
 */
static bool
stage_kueue_lacks_workload(const struct diagnosis *why, const struct live_object *local)
{
    const struct node *status = local ? node_member(local->root, SLICE("status")) : NULL;
    bool lacks = node_int_or(node_member(status, SLICE("pendingWorkloads")), -1) == 0 &&
                 node_int_or(node_member(status, SLICE("reservingWorkloads")), 0) == 0;
    const struct live_index parts =
        live_parts_of(&why->live->parts, lacks && why->job ? why->job->uid : NO_SLICE);

    for (size_t i = 0; i < parts.count; i++)
        lacks &=
            !slice_equal(why_text_at(((const struct live_part *)parts.items[i])->object, "reason"),
                         SLICE("CreatedWorkload"));
    return lacks || why->live->has_kueue;
}

/* A job in a queue, and no Workload of it. */
static void
stage_kueue_without_workload(struct diagnosis *why, const struct node *queue)
{
    const struct live_key key = {LIVE_KUEUE_GROUP, SLICE("LocalQueue"), why->key.namespace_,
                                 node_string(queue)};
    const struct live_object *local = live_objects_find(why->live, &key);
    const struct node *active = local ? stage_condition(local, SLICE("Active")) : NULL;
    const struct slice message = node_string(node_member(active, SLICE("message")));

    if (slice_equal(node_string(node_member(active, SLICE("status"))), SLICE("False")))
        why_show_words(WHY_ADD(why, CERTAINTY_REPORTED, GANG_CODE_KUEUE_QUEUE_UNUSABLE,
                               why_quoted(why, message)),
                       local, path_of(why->arena, active), message);
    else if (stage_kueue_lacks_workload(why, local))
        why_show_words(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_KUEUE_WORKLOAD_MISSING,
                               why_quoted(why, node_string(queue))),
                       why->job, path_of(why->arena, queue), node_string(queue));
    else
        why_add(why, CERTAINTY_LIKELY, GANG_CODE_NOTHING_SEEN, (const char *const[]){NULL});
}

/*
 * Kueue holds the pods of kinds that cannot be suspended by a gate, and names the Workload on each
 * of them: kubernetes-sigs/kueue:pkg/controller/jobs/pod/constants/constants.go@v0.19.2
 */
static const struct live_object *
stage_kueue_holder(const struct diagnosis *why)
{
    static const struct slice places[] = {SLICE_INIT("annotations"), SLICE_INIT("labels")};
    const struct live_object *workload = NULL;

    for (size_t i = 0; i < COUNT_OF(places) * why->num_pods && !workload; i++) {
        const struct why_pod *pod = &why->pods[i / COUNT_OF(places)];
        const struct node *keys = node_member(pod->object->metadata, places[i % COUNT_OF(places)]);
        const struct live_key key = {
            LIVE_KUEUE_GROUP, LIVE_KUEUE_KIND, pod->object->namespace_,
            node_string(node_member(keys, SLICE("kueue.x-k8s.io/pod-group-name")))};

        if (pod->state == POD_GATED && pod->is_member)
            workload = live_objects_find(why->live, &key);
    }
    return workload;
}

bool
stage_suspended(struct diagnosis *why)
{
    /* the JobSet decides: a TrainJob that cannot be suspended says that it is */
    const struct live_object *object = why->jobset ? why->jobset : why->job;
    const struct live_object *held = stage_kueue_holder(why);
    const struct live_object *workload = held;
    const struct node *queue = why->job
                                   ? node_member(node_member(why->job->metadata, SLICE("labels")),
                                                 SLICE("kueue.x-k8s.io/queue-name"))
                               : why->decision ? job_facts_kueue_queue(why->decision)
                                               : NULL;
    const bool is_suspended =
        held || (object && !(why->num_pods && why->group.live) &&
                 (node_is_true(node_at(object->root, "spec.suspend")) ||
                  node_is_true(node_at(object->root, "spec.runPolicy.suspend"))));

    for (size_t i = 0; i < why->num_owned && !workload; i++)
        if (slice_equal(why->owned[i]->group, LIVE_KUEUE_GROUP) &&
            slice_equal(why->owned[i]->kind, LIVE_KUEUE_KIND))
            workload = why->owned[i];
    why->lacks_kueue = is_suspended && queue && !workload;
    if (is_suspended && workload && stage_kueue_workload(why, workload))
        return true;
    /* pods of a suspended job are those of the other cluster, if they are given */
    if ((is_suspended ? workload != NULL : !why->num_pods) && stage_is_elsewhere(why, workload))
        return true;
    if (held || !is_suspended)
        return false;
    if (workload)
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_PODS_COMING, "0",
                why_number(why, why_expected(why)));
    else if (queue)
        stage_kueue_without_workload(why, queue);
    else
        why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_JOB_SUSPENDED, why_name(why, object)),
                 object, "spec.suspend", SLICE("true"));
    return true;
}
