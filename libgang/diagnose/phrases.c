/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* Where a text stands. */
enum phrase_place {
    AT_POD = 1 << 0,
    AT_GROUP = 1 << 1,
    AT_JOB = 1 << 2,
    AT_BOUND = 1 << 3, /* a member with a node: of a gang without an object, which it speaks for */
    WITH_CLAIM = 1 << 4, /* counts only if a member that waits has a volume with a claim */
    OF_NODES = 1 << 5    /* the nodes that are given can contradict it */
};

/* The arguments of a cause's message. */
enum phrase_shape {
    SHAPE_TEXT,
    SHAPE_PODS,
    SHAPE_QUEUE,
    SHAPE_QUEUE_TEXT,
    SHAPE_NAME_TEXT,
    SHAPE_BEFORE_TEXT /* the word before the phrase is the name */
};

/*
 * A text by which a scheduler, a controller or the API server names a cause. The table is in the
 * order of precedence among the causes of one stage.
 */
struct phrase {
    unsigned places;
    struct slice reason; /* of the condition or event; unset: any */
    struct slice first;  /* in the text; unset: any text */
    struct slice second; /* behind it; unset: nothing more */
    enum gang_code code;
    enum phrase_shape shape;
};

#define PHRASE(places, text, code, shape)                                                          \
    {                                                                                              \
        places, {NULL, 0}, SLICE_INIT(text), {NULL, 0}, GANG_CODE_##code, SHAPE_##shape            \
    }
#define PHRASE_PAIR(places, text, behind, code, shape)                                             \
    {                                                                                              \
        places, {NULL, 0}, SLICE_INIT(text), SLICE_INIT(behind), GANG_CODE_##code, SHAPE_##shape   \
    }
#define PHRASE_REASON(places, reason, code, shape)                                                 \
    {                                                                                              \
        places, SLICE_INIT(reason), {NULL, 0}, {NULL, 0}, GANG_CODE_##code, SHAPE_##shape          \
    }

static const struct phrase phrases[] = {
    /* The API server's refusals, as the events of controllers quote them. kubernetes/kubernetes:
     * plugin/pkg/admission and staging/src/k8s.io/apiserver/pkg/admission/plugin/webhook@v1.36.3 */
    PHRASE(AT_JOB, "exceeded quota", QUOTA_REFUSES_PODS, PODS),
    PHRASE(AT_JOB, "failed calling webhook", WEBHOOK_REFUSES_PODS, PODS),
    PHRASE_PAIR(AT_JOB, "admission webhook", "denied the request", WEBHOOK_REFUSES_PODS, PODS),
    PHRASE(AT_JOB, "no PriorityClass with name", PRIORITY_CLASS_MISSING, PODS),
    /* kubernetes/kubernetes:pkg/controller/controller_utils.go,
     * kubernetes-sigs/jobset:pkg/constants, kubeflow/trainer:pkg/constants@v2.3.0,
     * ray-project/kuberay:controllers/ray/utils@v1.6.2 */
    PHRASE_REASON(AT_JOB, "FailedCreate", PODS_REFUSED, PODS),
    PHRASE_REASON(AT_JOB, "JobCreationFailed", PODS_REFUSED, PODS),
    PHRASE_REASON(AT_JOB, "HeadlessServiceCreationFailed", PODS_REFUSED, PODS),
    PHRASE_REASON(AT_JOB, "TrainJobResourcesCreationFailed", PODS_REFUSED, PODS),
    PHRASE_REASON(AT_JOB, "FailedToCreateHeadPod", PODS_REFUSED, PODS),
    PHRASE_REASON(AT_JOB, "FailedToCreateWorkerPod", PODS_REFUSED, PODS),
    PHRASE(AT_JOB, "pod created failed", PODS_REFUSED, PODS),

    /* kai-scheduler/KAI-Scheduler:pkg/scheduler/api/common_info and plugins/topology@d5bc503a */
    PHRASE(AT_POD | AT_GROUP, "Pod references subgroup", SUBGROUP_UNKNOWN, TEXT),
    PHRASE_REASON(AT_POD, "PodGrouperWarning", GROUPER_FAILED, TEXT),
    PHRASE_PAIR(AT_POD | AT_GROUP, "Queue '", "' does not exist", QUEUE_MISSING, QUEUE),
    PHRASE(AT_POD | AT_GROUP, "Non-preemptible workload is over quota", NON_PREEMPTIBLE_OVER_QUOTA,
           TEXT),
    PHRASE(AT_POD | AT_GROUP, " quota has reached the allowable limit", QUEUE_USED_UP, BEFORE_TEXT),
    PHRASE(AT_POD | AT_GROUP, "Job is stale", GANG_TIMED_OUT, TEXT),

    /* apache/yunikorn-k8shim:pkg/cache/{application,task}.go@23b6b47f,
     * apache/yunikorn-core:pkg/scheduler/objects/application.go@be3bb487 */
    PHRASE(AT_POD | AT_BOUND, "resuming as non-gang application", GANG_SWITCHED_OFF, TEXT),
    PHRASE(AT_POD | AT_BOUND, "fall back to normal scheduling", GANG_SWITCHED_OFF, TEXT),
    PHRASE_REASON(AT_POD | AT_BOUND, "TaskGroupsError", GANG_SWITCHED_OFF, TEXT),
    PHRASE(AT_POD | AT_BOUND, "unable to get taskGroups for pod", GANG_SWITCHED_OFF, TEXT),
    PHRASE_PAIR(AT_POD, "queue ", " cannot fit application", ABOVE_QUEUE_LIMIT, NAME_TEXT),
    PHRASE(AT_POD, "ResourceReservationTimeout", GANG_TIMED_OUT, TEXT),
    PHRASE(AT_POD, "placeholder has been timed out", GANG_TIMED_OUT, TEXT),
    PHRASE(AT_POD, "queue quota has been exceed", QUEUE_USED_UP, QUEUE_TEXT),
    PHRASE_PAIR(AT_POD, "does not fit in queue '", "' (requested", QUEUE_USED_UP, NAME_TEXT),
    PHRASE(AT_POD, "exceeds the available user quota", QUOTA_OF_USER, TEXT),
    PHRASE(AT_POD, "Not enough user quota", QUOTA_OF_USER, TEXT),
    PHRASE(AT_POD, "pending for the requested resources become available", NO_ROOM_NOW, TEXT),

    /* koordinator-sh/koordinator:pkg/scheduler/plugins/elasticquota/plugin.go@v1.8.0 */
    PHRASE(AT_POD, "Insufficient quotas, quotaName", QUOTA_OF_USER, TEXT),

    /* volcano-sh/volcano:pkg/scheduler/actions/enqueue, plugins/{proportion,capacity,overcommit,
     * resourcequota}@v1.15.0: as events of a PodGroup that is not enqueued */
    PHRASE(AT_GROUP, "queue resource quota insufficient", QUEUE_USED_UP, QUEUE_TEXT),
    PHRASE(AT_GROUP, "resource quota insufficient, requested: ", QUOTA_OF_USER, TEXT),
    PHRASE(AT_GROUP, "resource in cluster is overused", ROOM_RESERVED, TEXT),

    /* kubernetes/kubernetes:pkg/scheduler/schedule_one_podgroup.go validatePodGroup@v1.37.2,
     * validatePodGroupHierarchy@v1.38.0-beta.0 */
    PHRASE_PAIR(AT_POD | AT_GROUP, "should have the same ", " as the ", SCHEDULERS_DIFFER,
                NAME_TEXT),
    PHRASE_PAIR(AT_POD | AT_GROUP, "should have the same ", ", got", SCHEDULERS_DIFFER, NAME_TEXT),
    /* The error of a plugin in the place of what has stopped the pods before it, as a run of 1.37.1
     * has shown: the claim of a volume. */
    PHRASE(AT_POD | WITH_CLAIM, "PodGroupPostFilter plugins: not found", VOLUME_NOT_READY, TEXT),

    /* kubernetes/kubernetes:pkg/scheduler/framework/plugins@v1.36.3; coscheduling and Koordinator
     * run the same plugins, Volcano and KAI quote them. Reasons of a pod that no room can help
     * stand first. */
    PHRASE(AT_POD, "unbound immediate PersistentVolumeClaims", VOLUME_NOT_READY, TEXT),
    PHRASE(AT_POD, "persistentvolumeclaim \"", VOLUME_NOT_READY, TEXT),
    PHRASE(AT_POD, "no available volume zone", VOLUME_NOT_READY, TEXT),
    PHRASE(AT_POD, "didn't match PersistentVolume's node affinity", VOLUME_NOT_READY, TEXT),
    PHRASE(AT_POD, "had volume node affinity conflict", VOLUME_NOT_READY, TEXT), /* before v1.35 */
    PHRASE(AT_POD, "didn't find available persistent volumes", VOLUME_NOT_READY, TEXT),
    PHRASE(AT_POD, "exceed max volume count", VOLUME_NOT_READY, TEXT),
    PHRASE_PAIR(AT_POD, "device class ", " does not exist", CLAIM_NOT_ALLOCATED, TEXT),
    PHRASE(AT_POD | AT_GROUP, "cannot allocate all claims", CLAIM_NOT_ALLOCATED, TEXT),
    PHRASE(AT_POD, "resourceclaim", CLAIM_NOT_ALLOCATED, TEXT),
    PHRASE(AT_POD, "resource claim", CLAIM_NOT_ALLOCATED, TEXT),
    PHRASE(AT_POD, "ResourceClaim not created", CLAIM_NOT_ALLOCATED, TEXT),
    PHRASE_PAIR(AT_POD | AT_GROUP, "Requested topology ", " does not exist", TOPOLOGY_TOO_SMALL,
                TEXT),
    PHRASE(AT_POD | AT_GROUP, "couldn't be satisfied for job", TOPOLOGY_TOO_SMALL, TEXT),
    PHRASE(AT_POD, "free ports for the requested pod ports", ONE_PER_NODE, TEXT),
    PHRASE(AT_POD, "didn't match pod anti-affinity rules", ONE_PER_NODE, TEXT),
    PHRASE(AT_POD, "didn't match pod topology spread constraints", TOPOLOGY_TOO_SMALL, TEXT),
    PHRASE(AT_POD, "Insufficient ", NO_ROOM_NOW, TEXT),
    PHRASE(AT_POD | AT_GROUP, "didn't have enough resources", NO_ROOM_NOW, TEXT),
    PHRASE(AT_POD, "Too many pods", NO_ROOM_NOW, TEXT),
    PHRASE(AT_POD | OF_NODES, "had untolerated taint", NODES_EXCLUDED, TEXT),
    PHRASE_PAIR(AT_POD | OF_NODES, "had taint {", "didn't tolerate", NODES_EXCLUDED,
                TEXT), /* v1.20 */
    PHRASE(AT_POD | OF_NODES, "didn't match Pod's node affinity/selector", NODES_EXCLUDED, TEXT),
    PHRASE(AT_POD | OF_NODES, "node(s) were unschedulable", NODES_EXCLUDED, TEXT),
    PHRASE(AT_POD, "didn't match the requested node name", NODES_EXCLUDED, TEXT),
    PHRASE(AT_POD, "didn't match pod affinity rules", NODES_EXCLUDED, TEXT),
    PHRASE(AT_POD, "existing pods anti-affinity rules", NODES_EXCLUDED, TEXT),
    PHRASE(AT_POD, "no nodes available to schedule pods", NODES_EXCLUDED, TEXT),
    /* kubernetes-sigs/scheduler-plugins:pkg/coscheduling/core/core.go@v0.35.4-devel */
    PHRASE(AT_POD, "resource gap: ", NO_ROOM_NOW, TEXT),
    PHRASE_PAIR(AT_POD | AT_GROUP, "Resources were found for ", "for gang scheduling", NO_ROOM_NOW,
                TEXT),
    PHRASE(AT_POD | AT_GROUP, "no nodes with enough resources", NO_ROOM_NOW, TEXT),
    PHRASE_PAIR(AT_GROUP, "can allocate only ", "required pods", NO_ROOM_NOW, TEXT),
    PHRASE(AT_GROUP | AT_POD, ") cannot be satisfied: ", NO_ROOM_NOW, TEXT),
    PHRASE_PAIR(AT_GROUP, "tasks in gang unschedulable", "Origin reason", NO_ROOM_NOW, TEXT),
    PHRASE_PAIR(AT_GROUP, "nodes are available", "insufficient ", NO_ROOM_NOW,
                TEXT), /* kube-batch */
    PHRASE(AT_POD, "waiting for minCount pods from a gang to be scheduled", NO_ROOM_NOW, TEXT),
    PHRASE(AT_POD | AT_GROUP, "preemptionPolicy=Never", MAY_NOT_PREEMPT, TEXT),
    PHRASE(AT_POD, "failed recently", SCHEDULER_ASLEEP, TEXT),
    PHRASE_PAIR(AT_POD, "last failed in ", "deny", SCHEDULER_ASLEEP, TEXT), /* v0.22 */
};

/* A text with what it stands in. */
struct words {
    unsigned place;
    const struct live_object *object;
    struct slice path; /* unset: of an event, whose reason is `reason` */
    struct slice reason;
    struct slice text;
};

/* Texts of many pods are the same: those read last are skipped. */
enum { WORDS_REMEMBERED = 16 };

struct words_reader {
    struct diagnosis *why;
    uint64_t seen[WORDS_REMEMBERED];
    size_t next;
    bool is_enqueued; /* the phase of the group, where there is one, is not that of the gate */
};

/* ---- texts ---- */

/*
 * What PostFilter adds is about preemption, and may end in a "not found" of its own.
 * Source: kubernetes/kubernetes:pkg/scheduler/schedule_one.go@v1.36.3
 */
static struct slice
words_without_preemption(struct slice text)
{
    static const struct slice ends[] = {SLICE_INIT(" preemption: "),
                                        SLICE_INIT(" no new claims to deallocate"),
                                        SLICE_INIT(". not found")};
    struct slice rest;

    for (size_t i = 0; i < COUNT_OF(ends); i++)
        if (text_find(text, ends[i], &rest))
            text.len = (size_t)(rest.data - text.data) - ends[i].len;
    return text;
}

enum { WORDS_MOST = 300 };

/* The text in which a scheduler reports, as far as a sentence can have it. */
static const char *
words_quoted(const struct diagnosis *why, struct slice text)
{
    struct slice cut = words_without_preemption(text_trim(text));
    const bool is_cut = cut.len > WORDS_MOST;

    if (is_cut)
        cut.len = utf8_valid_prefix((struct slice){cut.data, WORDS_MOST});
    return arena_format(why->arena, "\"%.*s%s\"", SLICE_ARG(cut), is_cut ? "..." : "");
}

static bool
phrase_is_in(const struct phrase *phrase, const struct words *words)
{
    struct slice rest = words_without_preemption(words->text);

    if (!(phrase->places & words->place))
        return false;
    if (phrase->code == GANG_CODE_MAY_NOT_PREEMPT)
        rest = words->text;
    if (phrase->reason.len)
        return slice_equal(phrase->reason, words->reason);
    return text_find(rest, phrase->first, &rest) &&
           (!phrase->second.len || text_find(rest, phrase->second, &rest));
}

/* ---- causes ---- */

static int64_t
words_count_of_pods(const struct diagnosis *why)
{
    int64_t count = 0;

    for (size_t i = 0; i < why->num_pods; i++)
        count += why->pods[i].is_of_job && why->pods[i].state < POD_FAILED;
    return count;
}

static const char *
words_queue(const struct diagnosis *why)
{
    struct slice queue = why_text_at(why->group.object, "spec.queue");

    if (!queue.len && why->decision)
        queue = why->decision->gang.queue;
    if (!queue.len && why->group.scheduler)
        queue = why->group.scheduler->default_queue;
    return arena_format(why->arena, "\"%.*s\"", SLICE_ARG(queue));
}

/* What stands between the two texts of a phrase. */
static const char *
phrase_between(const struct diagnosis *why, const struct phrase *phrase, struct slice text)
{
    struct slice name = NO_SLICE;
    struct slice rest = NO_SLICE;

    if (text_find(text, phrase->first, &name) && text_find(name, phrase->second, &rest))
        name.len = (size_t)(rest.data - name.data) - phrase->second.len;
    return why_quoted(why, name);
}

/* The word before the phrase, which is in the text. */
static const char *
phrase_word_before(const struct diagnosis *why, const struct phrase *phrase, struct slice text)
{
    struct slice word = {text.data, 0};

    if (text_find(text, phrase->first, &word))
        word = (struct slice){word.data - phrase->first.len, 0};
    while (word.data > text.data && word.data[-1] != ' ') {
        word.data--;
        word.len++;
    }
    return why_quoted(why, word);
}

/* The number behind some words; false: there is none. */
static bool
words_number(struct slice text, struct slice words, struct quantity *number)
{
    return text_find(text, words, &text) &&
           quantity_parse(slice_before(text, ' '), number) <= QUANTITY_CAPPED;
}

/*
 * KAI has one text for a gang that asks for more than the limit, and for one that finds too little
 * left of it. Source: kai-scheduler/KAI-Scheduler:pkg/scheduler/api/unschedule_info.go@d5bc503a
 */
static enum gang_code
phrase_code(const struct phrase *phrase, struct slice text)
{
    struct quantity limit;
    struct quantity asked;

    return phrase->code == GANG_CODE_QUEUE_USED_UP &&
                   words_number(text, SLICE("Limit is "), &limit) &&
                   words_number(text, SLICE("workload requested "), &asked) &&
                   quantity_compare(&asked, &limit) > 0
               ? GANG_CODE_ABOVE_QUEUE_LIMIT
               : phrase->code;
}

static struct why_cause *
phrase_add(struct diagnosis *why, const struct phrase *phrase, const struct words *words)
{
    const char *text = words_quoted(why, words->text.len ? words->text : words->reason);
    const int64_t expected = why_expected(why);

    switch (phrase->shape) {
    case SHAPE_PODS:
        return WHY_ADD(why, CERTAINTY_REPORTED, phrase->code,
                       why_number(why, words_count_of_pods(why)),
                       why_number(why, expected < 0 ? why->group.minimum : expected), text);
    case SHAPE_QUEUE:
        return WHY_ADD(why, CERTAINTY_REPORTED, phrase->code,
                       phrase_between(why, phrase, words->text));
    case SHAPE_NAME_TEXT:
        return WHY_ADD(why, CERTAINTY_REPORTED, phrase->code,
                       phrase_between(why, phrase, words->text), text);
    case SHAPE_QUEUE_TEXT:
        return WHY_ADD(why, CERTAINTY_REPORTED, phrase->code, words_queue(why), text);
    case SHAPE_BEFORE_TEXT:
        return WHY_ADD(why, CERTAINTY_REPORTED, phrase_code(phrase, words->text),
                       phrase_word_before(why, phrase, words->text), text);
    case SHAPE_TEXT:
        break;
    }
    return WHY_ADD(why, CERTAINTY_REPORTED, phrase->code, text);
}

static bool
words_have_claim(const struct diagnosis *why)
{
    const struct why_pod *pod = stage_waiting_member(why);
    const struct node *volumes = pod ? node_at(pod->object->root, "spec.volumes") : NULL;

    for (NODE_EACH(volume, volumes))
        if (node_member(volume, SLICE("persistentVolumeClaim")) ||
            node_member(volume, SLICE("ephemeral")))
            return true;
    return false;
}

/* A text about pods that are missing is contradicted by pods that are there. */
static bool
phrase_is_contradicted(const struct words_reader *reader, const struct phrase *phrase)
{
    const struct diagnosis *why = reader->why;

    if (phrase->places & WITH_CLAIM && !words_have_claim(why))
        return true;
    if (phrase->shape == SHAPE_PODS)
        return why_expected(why) >= 0 && words_count_of_pods(why) >= why_expected(why);
    if (why->group.pending == 0 && why->group.scheduler)
        return phrase->places & AT_GROUP;
    if (why_row_of(phrase->code)->stage == STAGE_QUEUE && phrase->places == AT_GROUP)
        return reader->is_enqueued;
    return false;
}

/* The nodes that a part of the text is about, "2 node(s) had ...": its number; 0: it has none. */
static int64_t
words_nodes_before(struct slice text, struct slice rest, size_t len)
{
    size_t from = text.len - rest.len - len;
    size_t end;
    int64_t nodes = 0;

    while (from && text.data[from - 1] != ',' && text.data[from - 1] != ':')
        from--;
    while (from < text.len && text.data[from] == ' ')
        from++;
    end = from;
    while (end < text.len && text.data[end] >= '0' && text.data[end] <= '9')
        end++;
    return integer_parse((struct slice){text.data + from, end - from}, &nodes) ? nodes : 0;
}

/* Whether more nodes lack room than have the reason of the phrase: then room is the cause. */
static bool
phrase_is_of_few(const struct phrase *phrase, const struct words *words)
{
    const struct slice text = words_without_preemption(words->text);
    const struct slice lack = SLICE("Insufficient ");
    struct slice rest;
    int64_t nodes;

    if (phrase->code == GANG_CODE_NO_ROOM_NOW || !phrase->first.len ||
        !text_find(text, phrase->first, &rest))
        return false;
    nodes = words_nodes_before(text, rest, phrase->first.len);
    for (rest = text; nodes && text_find(rest, lack, &rest);)
        if (words_nodes_before(text, rest, lack.len) > nodes)
            return true;
    return false;
}

static void
words_take(struct words_reader *reader, const struct words *words)
{
    const uint64_t hash =
        fnv1a_add(fnv1a_add(FNV1A_START + words->place, words->reason), words->text);

    for (size_t i = 0; i < WORDS_REMEMBERED; i++)
        if (reader->seen[i] == hash)
            return;
    reader->seen[reader->next++ % WORDS_REMEMBERED] = hash;
    if (!arena_spend(reader->why->arena, COUNT_OF(phrases)))
        return;
    for (size_t i = 0; i < COUNT_OF(phrases); i++) {
        struct why_cause *cause;
        size_t order;

        if (!phrase_is_in(&phrases[i], words) || phrase_is_contradicted(reader, &phrases[i]))
            continue;
        cause = phrase_add(reader->why, &phrases[i], words);
        order = i + (phrase_is_of_few(&phrases[i], words) ? COUNT_OF(phrases) : 0);
        if (!cause->num_evidence || order < cause->order)
            cause->order = order;
        cause->is_of_nodes =
            phrases[i].places & OF_NODES && (!cause->num_evidence || cause->is_of_nodes);
        why_show_words(cause, words->object, words->path, words->text);
    }
}

/* When the events of an object came last, by their reasons. */
enum { WORDS_MOST_REASONS = 8, WORDS_OUTDATED = 600 };

struct words_times {
    struct slice reasons[WORDS_MOST_REASONS];
    int64_t newest[WORDS_MOST_REASONS];
    size_t count;
};

static void
words_note_time(struct words_times *times, const struct live_part *part)
{
    const struct slice reason = why_text_at(part->object, "reason");
    const int64_t time = why_seconds_of(why_event_time(part->object));
    size_t i = 0;

    while (i < times->count && !slice_equal(times->reasons[i], reason))
        i++;
    if (!part->is_event || i == WORDS_MOST_REASONS)
        return;
    if (i == times->count) {
        times->reasons[times->count++] = reason;
        times->newest[i] = time;
    } else if (time > times->newest[i]) {
        times->newest[i] = time;
    }
}

/*
 * Whether a newer event of the same reason has replaced what this one says. Schedulers repeat
 * themselves every five minutes, so an event that is older than that twice is about the past.
 */
static bool
words_are_outdated(const struct words_times *times, const struct live_object *event,
                   struct slice reason)
{
    const int64_t time = why_seconds_of(why_event_time(event));

    for (size_t i = 0; time && i < times->count; i++)
        if (slice_equal(times->reasons[i], reason))
            return times->newest[i] - time > WORDS_OUTDATED;
    return false;
}

static void
words_take_events(struct words_reader *reader, unsigned place, const struct live_object *object)
{
    struct words_times times = {.count = 0};
    const struct live_index parts = live_parts_of(&reader->why->live->parts, object->uid);

    for (size_t i = 0; i < parts.count; i++)
        words_note_time(&times, parts.items[i]);
    for (size_t i = 0; i < parts.count; i++) {
        const struct live_part *part = parts.items[i];
        struct words words = {
            .place = place, .object = part->object, .reason = why_text_at(part->object, "reason")};

        words.text = why_event_text(part->object, &words.path);
        if (part->is_event && !words_are_outdated(&times, part->object, words.reason))
            words_take(reader, &words);
    }
}

/* Takes the items of a list, each with a reason and a message. */
static void
words_take_list(struct words_reader *reader, unsigned place, const struct live_object *object,
                const struct node *list)
{
    for (NODE_EACH(condition, list)) {
        const struct words words = {
            .place = place,
            .object = object,
            .path = path_of(reader->why->arena, condition),
            .reason = node_string(node_member(condition, SLICE("reason"))),
            .text = node_string(node_member(condition, SLICE("message"))),
        };

        words_take(reader, &words);
    }
}

static void
words_take_pod(struct words_reader *reader, const struct live_object *pod)
{
    words_take_list(reader, AT_POD, pod, node_at(pod->root, "status.conditions"));
    words_take_events(reader, AT_POD, pod);
}

/* An Unschedulable condition of Volcano stays beside a newer one: bound members outrank it. */
static void
words_take_group(struct words_reader *reader)
{
    const struct live_object *group = reader->why->group.object;
    const struct slice phase = why_text_at(group, "status.phase");

    if (!group)
        return;
    reader->is_enqueued = phase.len && !slice_equal(phase, SLICE("Pending"));
    words_take_list(reader, AT_GROUP, group, node_at(group->root, "status.conditions"));
    words_take_list(reader, AT_GROUP, group, node_at(group->root, "status.schedulingConditions"));
    for (NODE_EACH(condition, node_at(group->root, "status.schedulingConditions")))
        words_take_list(reader, AT_GROUP, group, node_member(condition, SLICE("reasons")));
    words_take_events(reader, AT_GROUP, group);
}

/* The pod that did not fit when a member was rejected; NULL: the text names none. */
static const struct why_pod *
words_blamed_pod(const struct diagnosis *why, struct slice text)
{
    struct slice name;
    struct slice rest;

    if (!text_find(text, SLICE("gets rejected due to "), &name) ||
        !text_find(name, SLICE("Pod \""), &name) || !text_find(name, SLICE("\""), &rest))
        return NULL;
    name.len = (size_t)(rest.data - name.data) - 1;
    if (text_find(name, SLICE("/"), &rest))
        name = rest;
    for (size_t i = 0; i < why->num_pods; i++)
        if (slice_equal(why->pods[i].object->name, name))
            return &why->pods[i];
    return NULL;
}

/*
 * Adds the cause of a member that its scheduler has left behind; false: the pod is none.
 * Koordinator counts a member that it has rejected until the member's own binding cycle has seen
 * it. If the gang is tried again before, the others are bound without it, and no event makes the
 * scheduler try it: what it says of the member is about the time before. Source:
 * koordinator-sh/koordinator:pkg/scheduler/plugins/coscheduling/core/{core,gang}.go@v1.8.0
 */
static bool
words_take_rejected(struct diagnosis *why, const struct why_pod *pod)
{
    const struct node *condition = stage_condition(pod->object, SLICE("PodScheduled"));
    const struct node *message = node_member(condition, SLICE("message"));
    const struct why_pod *blamed = words_blamed_pod(why, node_string(message));
    struct why_cause *cause;
    int64_t bound;

    if (!blamed || why_is_waiting(blamed) || !pod->is_member ||
        why->group.bound >= why->group.minimum)
        return false;
    condition = stage_condition(blamed->object, SLICE("PodScheduled"));
    bound = why_seconds_of(node_string(node_member(condition, SLICE("lastTransitionTime"))));
    if (why->now - bound < STAGE_SECONDS)
        return false;
    cause = WHY_ADD(why, CERTAINTY_REPORTED, GANG_CODE_STARTED_IN_PART,
                    why_number(why, why->group.bound), why_number(why, why->group.live),
                    why_name(why, pod->object), why_name(why, blamed->object));
    why_show_words(cause, pod->object, path_of(why->arena, message), node_string(message));
    why_show(cause, blamed->object, "spec.nodeName", why_text_at(blamed->object, "spec.nodeName"));
    return true;
}

void
why_read_words(struct diagnosis *why)
{
    struct words_reader reader = {.why = why};
    const struct live_index members = live_parts_of(&why->live->members, why->group.name);

    for (size_t i = 0; i < why->num_owned; i++)
        words_take_events(&reader, AT_JOB, why->owned[i]);
    words_take_group(&reader);
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];

        if (why->group.scheduler && !pod->is_member && !pod->is_of_job)
            continue;
        if (why_is_waiting(pod) && words_take_rejected(why, pod))
            continue;
        /* pods that have failed without a node never ran: their scheduler has failed them */
        if (why_is_waiting(pod) ||
            (pod->state == POD_FAILED && !why_text_at(pod->object, "spec.nodeName").len))
            words_take_pod(&reader, pod->object);
        else if (why->group.scheduler && why->group.scheduler->parts_annotation.len)
            words_take_events(&reader, AT_BOUND, pod->object);
    }
    /* Of a gang with placeholders, the scheduler says of these why they wait. */
    for (size_t i = 0; why->group.scheduler && i < members.count; i++) {
        const struct live_object *pod = ((const struct live_part *)members.items[i])->object;

        if (live_is_placeholder(pod) && !why_text_at(pod, "spec.nodeName").len)
            words_take_pod(&reader, pod);
    }
}
