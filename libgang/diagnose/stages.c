/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* ---- ended or started ---- */

/* Pods alone say that a job has ended only where no status does: more can come after them. */
static bool
stage_finish(struct diagnosis *why)
{
    const struct node *set = why->jobset ? node_member(why->jobset->root, SLICE("status")) : NULL;
    bool has_failed = live_status_is_true(why->status, SLICE("Failed"));
    bool has_ended = live_status_has_ended(why->key.group, why->key.kind, why->status);
    int64_t succeeded = 0;

    if (!has_ended && why->jobset) {
        has_ended = live_status_has_ended(why->jobset->group, why->jobset->kind, set);
        has_failed = live_status_is_true(set, SLICE("Failed"));
    }
    for (size_t i = 0; i < why->num_pods; i++)
        succeeded += why->pods[i].state == POD_SUCCEEDED;
    if (!has_ended && (!why->num_pods || node_count(why->status) ||
                       succeeded < (int64_t)why->num_pods || succeeded < why_expected(why)))
        return false;
    why_show(WHY_ADD(why, has_ended ? CERTAINTY_PROVEN : CERTAINTY_LIKELY, GANG_CODE_JOB_FINISHED,
                     has_ended ? has_failed ? "it has failed" : "it is complete"
                               : "all its pods have succeeded"),
             why->job, "status", NO_SLICE);
    return true;
}

/* The members of a job whose pods have all ended, which its controller may not have seen yet. */
static int64_t
stage_ended(const struct diagnosis *why)
{
    const int64_t ended = why->num_roles ? why->group.counts[POD_SUCCEEDED] : 0;

    if (why->job && ended < node_int_or(node_at(why->job->root, "spec.completions"), 0))
        return 0;
    for (size_t i = 0; i < why->num_roles; i++)
        if (why->roles[i].counts[POD_SUCCEEDED] < why->roles[i].expected)
            return 0;
    return ended;
}

/* Of a job without a group: all pods that run. A gang may have started and lost pods. */
static bool
stage_started(struct diagnosis *why)
{
    const struct why_group *group = &why->group;
    const struct why_tally tally = stage_tally(why, group->scheduler != NULL);
    const bool is_known =
        group->scheduler && (group->minimum || descriptor_has_objects(group->scheduler));
    const int64_t minimum = is_known ? group->minimum : tally.bound;
    const int64_t ended = tally.bound + tally.waiting ? 0 : stage_ended(why);
    struct why_cause *cause;

    if (!(tally.running + ended) || why_cause_of(why, GANG_CODE_MEMBERS_DO_NOT_RUN) ||
        stage_is_misdirected(why) ||
        (tally.waiting && (tally.bound + group->held < minimum || !is_known)) ||
        tally.bound + group->held + group->counts[POD_SUCCEEDED] < minimum)
        return false;
    cause =
        WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_GANG_STARTED, why_number(why, tally.bound + ended),
                why_number(why, tally.bound + tally.waiting + ended), why_number(why, minimum));
    why_count(cause, "bound", tally.bound + ended);
    why_count(cause, "minimum", minimum);
    return true;
}

/* ---- containers ---- */

/* What a container of the pod waits for; unset if all start, run or have ended. */
static struct slice
stage_trouble_of(const struct live_object *pod, const struct node **found)
{
    static const char *const lists[] = {"status.initContainerStatuses", "status.containerStatuses"};

    for (size_t i = 0; i < COUNT_OF(lists); i++)
        for (NODE_EACH(status, node_at(pod->root, lists[i]))) {
            const struct node *waiting = node_at(status, "state.waiting");
            const struct slice reason = node_string(node_member(waiting, SLICE("reason")));

            if (!reason.len || slice_equal(reason, SLICE("ContainerCreating")) ||
                slice_equal(reason, SLICE("PodInitializing")))
                continue;
            *found = waiting;
            return reason;
        }
    return NO_SLICE;
}

/*
 * What keeps the kubelet from starting the containers of a pod; NULL: it has said nothing. Source:
 * kubernetes/kubernetes:pkg/kubelet/events/event.go,
 * pkg/controller/volume/attachdetach/reconciler@v1.36.3
 */
static const struct live_object *
stage_event_of_kubelet(const struct diagnosis *why, const struct live_object *pod)
{
    static const struct slice reasons[] = {SLICE_INIT("FailedMount"), SLICE_INIT("FailedMapVolume"),
                                           SLICE_INIT("FailedAttachVolume"),
                                           SLICE_INIT("FailedCreatePodSandBox")};
    const struct live_object *newest = NULL;
    const struct live_index parts = live_parts_of(&why->live->parts, pod->uid);

    for (size_t i = 0; i < parts.count && why_age_of(why, pod) > STAGE_SILENCE; i++) {
        const struct live_part *part = parts.items[i];

        if (part->is_event &&
            slice_is_among(why_text_at(part->object, "reason"), reasons, COUNT_OF(reasons)) &&
            (!newest || slice_compare(why_event_time(part->object), why_event_time(newest)) >= 0))
            newest = part->object;
    }
    return newest;
}

static void
stage_containers(struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];
        const struct node *waiting = NULL;
        const struct live_object *event = NULL;
        struct slice path = NO_SLICE;
        struct slice reason;
        struct why_cause *cause;

        if (pod->state != POD_BOUND || (why->group.scheduler && !pod->is_member))
            continue;
        reason = stage_trouble_of(pod->object, &waiting);
        if (!reason.len)
            event = stage_event_of_kubelet(why, pod->object);
        if (event)
            reason = why_text_at(event, "reason");
        if (!reason.len)
            continue;
        cause = WHY_ADD(
            why, CERTAINTY_REPORTED, GANG_CODE_MEMBERS_DO_NOT_RUN,
            why_number(why, why->group.scheduler ? why->group.bound : (int64_t)why->num_pods),
            why_number(why, why->group.scheduler ? why->group.live : (int64_t)why->num_pods),
            why_name(why, pod->object),
            arena_format(why->arena, "%.*s: %.*s", SLICE_ARG(reason),
                         SLICE_ARG(event ? why_event_text(event, &path)
                                         : node_string(node_member(waiting, SLICE("message"))))));
        why_show_words(cause, event ? event : pod->object,
                       event ? path : path_of(why->arena, waiting), reason);
    }
}

/* ---- pods are not created ---- */

/* What keeps a role before the gang from getting on; NULL: nothing. */
static const char *
stage_trouble_of_role(const struct diagnosis *why, size_t role, const struct live_object **pod)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct live_object *object = why->pods[i].object;
        const struct node *waiting = NULL;
        const struct node *scheduled;

        if (why->pods[i].role != role)
            continue;
        *pod = object;
        if (stage_trouble_of(object, &waiting).len)
            return arena_format(why->arena, "%s waits: %.*s", why_name(why, object),
                                SLICE_ARG(node_string(node_member(waiting, SLICE("reason")))));
        scheduled = stage_condition(object, SLICE("PodScheduled"));
        if (why->pods[i].state == POD_PENDING && why_age_of(why, object) > STAGE_SECONDS &&
            slice_equal(node_string(node_member(scheduled, SLICE("reason"))),
                        SLICE("Unschedulable")))
            return arena_format(why->arena, "%s has no node: \"%.*s\"", why_name(why, object),
                                SLICE_ARG(node_string(node_member(scheduled, SLICE("message")))));
    }
    return NULL;
}

/* Members that come after a role outside the gang: the gang is fine, and waits for its order. */
static bool
stage_earlier(struct diagnosis *why)
{
    static const char *const words[] = {
        [DEPENDENCY_COMPLETE] = "complete",
        [DEPENDENCY_READY] = "ready",
        [DEPENDENCY_SCHEDULED] = "scheduled",
    };

    for (size_t i = 0; i < why->num_roles; i++) {
        const struct why_role *role = &why->roles[i];
        const struct live_object *pod = NULL;
        size_t other = 0;
        const char *trouble;
        struct why_cause *cause;

        if (!role->is_later || role->is_held || !role->is_member || !role->waits_for)
            continue;
        while (other < why->num_roles &&
               !slice_equal(why->roles[other].name, role->waits_for->role))
            other++;
        if (other == why->num_roles)
            continue;
        trouble = stage_trouble_of_role(why, other, &pod);
        if (!trouble && why->roles[other].counts[POD_FAILED] &&
            why->roles[other].counts[POD_FAILED] == why->roles[other].exist && why->youngest < 0 &&
            why_age_of(why, pod) > STAGE_SILENCE)
            trouble = "its pods have failed";
        cause = WHY_ADD(why, trouble ? CERTAINTY_REPORTED : CERTAINTY_PROVEN,
                        trouble ? GANG_CODE_EARLIER_STAGE_STUCK : GANG_CODE_EARLIER_STAGE_RUNS,
                        why_quoted(why, why->roles[other].name), words[role->waits_for->status],
                        trouble ? trouble
                                : arena_format(why->arena, "%lld of its %lld pods exist",
                                               (long long)why->roles[other].exist,
                                               (long long)why->roles[other].expected));
        why_show(cause, pod, "status.phase", why_text_at(pod, "status.phase"));
        return true;
    }
    return false;
}

/*
 * A field of a job's status that counts pods which exist, in the status or in its parts by role;
 * NULL: none does. Sources: kubernetes/api:batch/v1/types.go, apps/v1/types.go@v0.36.2,
 * kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go@v0.12.0,
 * ray-project/kuberay:ray-operator/apis/ray/v1/raycluster_types.go@v1.6.2
 */
static const struct node *
stage_count_of_pods(const struct node *status, unsigned depth)
{
    static const char *const fields[] = {"active", "ready", "readyReplicas", "currentReplicas",
                                         "readyWorkerReplicas"};

    for (NODE_EACH(member, status)) {
        const struct node *found = depth ? stage_count_of_pods(member, depth - 1) : NULL;
        int64_t count = 0;

        for (size_t i = 0; i < COUNT_OF(fields) && !found; i++)
            if (slice_equal(node_key(member), slice_from_text(fields[i])) &&
                node_int(member, &count) && count > 0)
                found = member;
        if (found)
            return found;
    }
    return NULL;
}

/* The pods exist, and none is given: the field that says so. NULL: no status does. */
static const struct node *
stage_pods_not_given(const struct diagnosis *why)
{
    return why->num_pods ? NULL : stage_count_of_pods(why->status, 2);
}

/* Whether the PodGroup waits to be enqueued. volcano-sh/volcano:pkg/controllers/job@v1.15.0 */
static bool
stage_group_is_pending(const struct diagnosis *why)
{
    return why->group.object &&
           slice_equal(why_text_at(why->group.object, "status.phase"), SLICE("Pending")) &&
           why->group.scheduler->counts & DESCRIPTOR_COUNTS_SUCCEEDED;
}

static void
stage_create(struct diagnosis *why)
{
    const int64_t missing = stage_missing(why);
    const int64_t age = why->job ? why_age_of(why, why->job) : -1;
    const bool has_status = node_count(node_member(why->status, SLICE("conditions"))) > 0;

    if (stage_earlier(why) || (!missing && (why->num_roles || why->num_pods)) ||
        stage_pods_not_given(why))
        return;
    if (!why->num_pods && job_traits_of(why->key.group, why->key.kind)->operator_option &&
        stage_group_is_pending(why)) /* a controller that reads the PodGroup first */
        why_show(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_PODS_WAIT_FOR_GROUP,
                         why_quoted(why, why->group.name)),
                 why->group.object, "status.phase", SLICE("Pending"));
    else if (!why->num_pods && age >= STAGE_SILENCE && !has_status && !why->num_causes)
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_OPERATOR_SILENT, why_text(why, why->key.kind),
                why_number(why, age));
    else if (age >= 0 && age < STAGE_SILENCE && why->youngest < STAGE_SECONDS && !why->num_causes)
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_PODS_COMING,
                why_number(why, (int64_t)why->num_pods),
                why->num_roles ? why_number(why, why_expected(why)) : "all");
}

/* ---- what is left ---- */

/* The gate before the queue says nothing about a queue that is closed. */
static void
stage_not_enqueued(struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_causes; i++)
        if (why->causes[i].row->stage <= STAGE_QUEUE)
            return;
    if (!stage_group_is_pending(why) || !why->group.pending ||
        why->group.counted < why->group.minimum || why->oldest < STAGE_SECONDS)
        return;
    why_show(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_NOT_ENQUEUED,
                     why_number(why, why->group.counted), why_number(why, why->group.minimum),
                     why_quoted(why, why->group.name)),
             why->group.object, "status.phase", SLICE("Pending"));
}

/* Bound in part for longer than binding takes, after having run. */
static void
stage_lost(struct diagnosis *why)
{
    const struct why_group *group = &why->group;

    if (!group->pending || !group->counts[POD_RUNNING] || group->bound >= group->minimum ||
        group->counted < group->minimum || why->youngest < STAGE_SECONDS ||
        why_cause_of(why, GANG_CODE_STARTED_IN_PART))
        return;
    WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_BELOW_MINIMUM_AFTER_LOSS,
            why_number(why, group->counts[POD_RUNNING]), why_number(why, group->pending),
            why_number(why, group->minimum));
}

/* A node came after the last message about room, and the nodes do not prove it: it is old. */
static void
stage_asleep(struct diagnosis *why)
{
    const struct why_cause *reported = why_cause_of(why, GANG_CODE_NO_ROOM_NOW);
    const struct slice made = why_text_at(why->newest_node, "metadata.creationTimestamp");
    const int64_t came = why_seconds_of(made);
    int64_t last = 0; /* when it was said; 0: not known */

    for (size_t i = 0; reported && i < reported->num_evidence; i++) {
        const int64_t time = why_seconds_of(why_event_time(reported->evidence[i].object));

        last = time > last ? time : last;
    }
    if (!why->group.scheduler || !why->group.scheduler->sleeps_through_nodes || !last ||
        !why->group.pending || !why->may_fit || came <= last || why->now - came < STAGE_SECONDS)
        return;
    why_drop(why, GANG_CODE_NO_ROOM_NOW);
    why_drop(why, GANG_CODE_NODES_EXCLUDED);
    why_show(
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_SCHEDULER_ASLEEP,
                arena_format(why->arena, "%s came %lld seconds after its last message about room",
                             why_name(why, why->newest_node), (long long)(came - last))),
        why->newest_node, "metadata.creationTimestamp", made);
}

/*
 * Where nodes have room for the gang, or none has a resource that it asks for, a text about too
 * little room ranks behind the other causes.
 */
static void
stage_rank_room(struct diagnosis *why)
{
    const bool lacks = why_cause_of(why, GANG_CODE_RESOURCE_NOWHERE);

    for (size_t i = 0; (why->may_fit || lacks) && i < why->num_causes; i++) {
        struct why_cause *cause = &why->causes[i];

        if (cause->row->code != GANG_CODE_NO_ROOM_NOW || cause->certainty == CERTAINTY_PROVEN)
            continue;
        cause->order = SIZE_MAX;
        if (lacks)
            cause->certainty = CERTAINTY_LIKELY;
    }
}

/*
 * A scheduler adds to each failure that pods with preemptionPolicy Never may evict no others. It is
 * a cause only where evicting could help: nothing else keeps the pods from the nodes.
 */
static void
stage_preemption(struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_causes; i++) {
        const struct why_cause *cause = &why->causes[i];

        if (cause->row->stage == STAGE_NODE &&
            ((cause->row->code != GANG_CODE_NO_ROOM_NOW &&
              cause->row->code != GANG_CODE_FRAGMENTED) ||
             slice_equal(node_string(node_member(why->fit, SLICE("answer"))),
                         SLICE("NotByPreemption")))) {
            why_drop(why, GANG_CODE_MAY_NOT_PREEMPT);
            return;
        }
    }
}

/* A pod that waits, of which a scheduler has said something; NULL: there is none. */
static const struct why_pod *
stage_pod_with_word(const struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct live_object *pod = why->pods[i].object;

        if (why_is_waiting(&why->pods[i]) &&
            (stage_condition(pod, SLICE("PodScheduled")) || why_has_events(why, pod)))
            return &why->pods[i];
    }
    return NULL;
}

static int64_t
stage_count_waiting(const struct diagnosis *why)
{
    int64_t count = 0;

    for (size_t i = 0; i < why->num_pods; i++)
        count += why_is_waiting(&why->pods[i]);
    return count;
}

/* Nothing is wrong as far as the objects say it. */
static void
stage_rest(struct diagnosis *why)
{
    const struct why_pod *waiting = stage_waiting_member(why);
    const struct why_pod *spoken = stage_pod_with_word(why);
    const bool is_unknown =
        waiting && !spoken && !stage_is_known(stage_scheduler_of(waiting->object));

    if (waiting && why->oldest >= 0 && !is_unknown &&
        why->oldest < (spoken ? STAGE_SECONDS : STAGE_SILENCE)) {
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_SCHEDULING_NOW,
                why_number(why, stage_count_waiting(why)), why_number(why, (int64_t)why->num_pods),
                why_number(why, why->oldest));
    } else if (waiting && !spoken && why->oldest >= 0) {
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_SCHEDULER_SILENT,
                why_quoted(why, stage_scheduler_of(waiting->object)), why_number(why, why->oldest));
    } else if (!waiting && why->group.counts[POD_FAILED] && !why->group.bound) {
        WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MEMBERS_FAILED,
                why_number(why, why->group.counts[POD_FAILED]));
    } else if (!waiting && why->group.counts[POD_BOUND]) {
        WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_MEMBERS_STARTING,
                why_number(why, why->group.bound), why_number(why, why->group.live));
    } else {
        struct why_cause *cause = WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_NOTHING_SEEN, "");
        const struct node *word =
            spoken ? stage_condition(spoken->object, SLICE("PodScheduled")) : NULL;
        const struct node *count = stage_pods_not_given(why);

        if (count)
            why_show_words(cause, why->job, path_of(why->arena, count), node_text(count));
        if (word)
            why_show_words(cause, spoken->object, path_of(why->arena, word),
                           node_string(node_member(word, SLICE("message"))));
    }
}

/*
 * The scheduler looks for nodes once for all pods of a task. Sources:
 * volcano-sh/volcano:pkg/scheduler/actions/allocate@v1.15.0, ray-project/kuberay#1752
 */
static void
stage_unequal_tasks(struct diagnosis *why)
{
    const struct fit *fit = &why->room;
    const bool has_tasks =
        why->group.scheduler && why->group.scheduler->counts & DESCRIPTOR_COUNTS_SUCCEEDED;

    if (!has_tasks || why->youngest < STAGE_SILENCE)
        return;
    for (size_t i = 0; i < fit->num_types; i++)
        for (size_t k = i + 1; k < fit->num_types; k++) {
            const struct live_object *one = &why->live->items[fit->types[i].at];
            const struct live_object *other = &why->live->items[fit->types[k].at];
            const struct slice task = stage_task_of(one);

            if (!task.len || !slice_equal(task, stage_task_of(other)) ||
                memcmp(fit->types[i].needs, fit->types[k].needs,
                       fit->num_resources * sizeof(*fit->types[i].needs)) == 0)
                continue;
            why_show(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_PODS_OF_TASK_DIFFER,
                             why_quoted(why, task), why_name(why, other), why_name(why, one)),
                     other, "metadata.annotations", task);
            return;
        }
}

void
why_look(struct diagnosis *why)
{
    if (stage_finish(why) || stage_suspended(why))
        return;
    stage_containers(why);
    if (stage_started(why) && !why->group.pending)
        return;
    why_read_words(why);
    stage_create(why);
    stage_hand_over(why);
    stage_quorum(why);
    stage_queue(why);
    why_fit(why);
    stage_preemption(why);
    stage_rank_room(why);
    stage_unequal_tasks(why);
    stage_asleep(why);
    stage_not_enqueued(why);
    stage_lost(why);
    if (!why->num_causes && why->group.object && why->oldest >= STAGE_SECONDS)
        stage_subgroups(why, true);
    if (!why->num_causes)
        stage_rest(why);
    why_sort(why);
}
