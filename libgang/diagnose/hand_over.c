/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* ---- pods are not handed over to the scheduler ---- */

/*
 * What a gate waits for. Grove opens the pods of a scaled PodGang when enough pods of each role of
 * its base PodGang have nodes: ai-dynamo/grove:operator/internal/controller/podclique/components/
 * pod/syncflow.go checkAndRemovePodSchedulingGates@fcc3b3bb.
 */
static const char *
stage_gate_words(const struct diagnosis *why, const struct live_object *pod, struct slice gate)
{
    const struct node *base =
        node_member(node_member(pod->metadata, SLICE("labels")), SLICE("grove.io/base-podgang"));
    const char *quoted = why_quoted(why, gate);

    return base && slice_has_prefix(gate, SLICE("grove.io/"))
               ? arena_format(why->arena, "%s until the base gang %s has its pods on nodes", quoted,
                              why_quoted(why, node_string(base)))
               : quoted;
}

static void
stage_gates(struct diagnosis *why)
{
    const struct why_group *group = &why->group;
    const int64_t needed = group->minimum ? group->minimum : group->live;

    if (!group->counts[POD_GATED] || group->live - group->counts[POD_GATED] >= needed)
        return;
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct live_object *pod = why->pods[i].object;
        const struct node *gate = node_first(node_at(pod->root, "spec.schedulingGates"));

        if (why->pods[i].state != POD_GATED || !why->pods[i].is_member)
            continue;
        why_show_words(
            WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MEMBERS_GATED,
                    why_number(why, group->counts[POD_GATED]), why_number(why, group->live),
                    stage_gate_words(why, pod, node_name(gate)), why_number(why, needed)),
            pod, path_of(why->arena, gate), node_name(gate));
    }
}

struct slice
stage_scheduler_of(const struct live_object *pod)
{
    const struct slice name = why_text_at(pod, "spec.schedulerName");

    return name.len ? name : SLICE(SCHEDULER_NAME_OF_KUBERNETES);
}

/* The policy can have given the scheduler a name of its own. */
static struct slice
stage_right_scheduler(const struct diagnosis *why)
{
    const struct gang_decision *decision = why->decision;

    return decision && decision->backend && decision->backend->descriptor == why->group.scheduler &&
                   decision->wishes.scheduler_name.len
               ? decision->wishes.scheduler_name
               : why->group.scheduler->scheduler_name;
}

bool
stage_is_known(struct slice name)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(name, catalog[i]->scheduler_name))
            return true;
    return false;
}

/* A name that no scheduler of the catalog has by default may be that of any. */
static bool
stage_is_wrong_scheduler(const struct diagnosis *why, struct slice name)
{
    return !slice_equal(name, stage_right_scheduler(why)) &&
           !slice_equal(name, why->group.scheduler->scheduler_name) && stage_is_known(name);
}

/* The members by the scheduler that they name: the first one, one of another name, and how many. */
struct stage_names {
    const struct why_pod *first;
    const struct why_pod *other;
    int64_t same;
    int64_t different;
};

static struct stage_names
stage_names_of(const struct diagnosis *why)
{
    struct stage_names names = {0};

    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];

        if (!pod->is_member || pod->state >= POD_SUCCEEDED)
            continue;
        if (!names.first)
            names.first = pod;
        if (slice_equal(stage_scheduler_of(pod->object), stage_scheduler_of(names.first->object))) {
            names.same++;
        } else {
            names.different++;
            names.other = pod;
        }
    }
    return names;
}

bool
stage_is_misdirected(const struct diagnosis *why)
{
    const struct stage_names names = stage_names_of(why);

    return why->group.scheduler && names.first && !names.other &&
           stage_is_wrong_scheduler(why, stage_scheduler_of(names.first->object));
}

/* The other scheduler can have placed all of them, each one alone. */
static void
stage_scheduler_names(struct diagnosis *why)
{
    const struct stage_names names = stage_names_of(why);
    struct why_cause *cause;
    struct slice name;

    if (!names.first)
        return;
    name = stage_scheduler_of(names.first->object);
    /* placeholders stand for the members that the scheduler does not see */
    if (names.other && why->group.pending && !why->group.scheduler->placeholder_annotation.len) {
        cause =
            WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_SCHEDULERS_DIFFER, "schedulerName",
                    arena_format(why->arena, "%lld have %s and %lld have %s", (long long)names.same,
                                 why_quoted(why, name), (long long)names.different,
                                 why_quoted(why, stage_scheduler_of(names.other->object))));
        why_show(cause, names.first->object, "spec.schedulerName", name);
        why_show(cause, names.other->object, "spec.schedulerName",
                 stage_scheduler_of(names.other->object));
    } else if (!names.other && stage_is_wrong_scheduler(why, name)) {
        why->runs_alone = why->group.counts[POD_RUNNING] && why->group.bound >= why->group.minimum;
        if (why->runs_alone || why->group.pending)
            why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_SCHEDULER_NAME_WRONG,
                             why_number(why, names.same), why_quoted(why, name),
                             stage_group_name(why), why_quoted(why, stage_right_scheduler(why))),
                     names.first->object, "spec.schedulerName", name);
    }
}

/* A template with the mark whose pods do not have it: a CRD has dropped the field. */
static void
stage_marks(struct diagnosis *why)
{
    const struct live_object *pod = NULL;
    int64_t unmarked = 0;

    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *one = &why->pods[i];
        struct slice name;

        if (one->is_member || !one->is_of_job || !why_is_waiting(one) || one->role == ROLE_NONE ||
            (!why->roles[one->role].is_member &&
             live_group_named_by(why->roles[one->role].template_, &name) != why->group.scheduler))
            continue;
        unmarked++;
        pod = one->object;
        if (live_group_named_by(why->roles[one->role].template_, &name))
            why_show(
                WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_FIELD_PRUNED,
                        why_quoted(why, why->roles[one->role].name),
                        arena_format(why->arena, "the mark of group \"%.*s\"", SLICE_ARG(name))),
                pod, "metadata.name", pod->name);
    }
    if (!unmarked || why_cause_of(why, GANG_CODE_FIELD_PRUNED) ||
        (why->group.minimum && why->group.counted >= why->group.minimum))
        return;
    why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MARKS_MISSING, stage_group_name(why),
                     why_number(why, why->group.minimum), why_number(why, why->group.live),
                     why_number(why, unmarked)),
             pod, "metadata.labels", NO_SLICE);
}

/*
 * Pods of which none names the group, while the plan or a group of the job counts on them. They are
 * placed one by one, which can have been enough.
 */
static void
stage_no_marks(struct diagnosis *why)
{
    const struct why_tally tally = stage_tally(why, false);
    const bool is_planned = why->decision && why->decision->outcome == GANG_OUTCOME_GANG;
    const int64_t minimum =
        is_planned && !why->group.minimum ? why->decision->gang.minimum : why->group.minimum;

    if (why->group.live || why->group.counts[POD_SUCCEEDED] || !tally.last || !why->num_roles ||
        (!is_planned && why_expected(why) > (int64_t)why->num_pods))
        return;
    for (size_t i = 0; i < why->num_roles; i++)
        if (why->roles[i].marked)
            return;
    why->runs_alone = tally.running && tally.bound >= minimum;
    if (!why->runs_alone && (stage_missing(why) > 0 || why->youngest < STAGE_SECONDS))
        return;
    why_show(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MARKS_MISSING, stage_group_name(why),
                     why_number(why, minimum), "0", why_number(why, tally.bound + tally.waiting)),
             tally.last->object, "metadata.labels", NO_SLICE);
}

static bool
stage_is_own_uid(const struct diagnosis *why, struct slice uid)
{
    if (why->decision && slice_equal(uid, why->decision->wishes.owner.uid))
        return true;
    for (NODE_EACH(one,
                   why->job ? node_member(why->job->metadata, SLICE("ownerReferences")) : NULL))
        if (slice_equal(node_string(node_member(one, SLICE("uid"))), uid))
            return true;
    for (size_t i = 0; i < why->num_owned; i++)
        if (slice_equal(why->owned[i]->uid, uid))
            return true;
    for (size_t i = 0; i < why->num_pods; i++)
        if (slice_equal(why->pods[i].object->uid, uid))
            return true;
    return false;
}

static void
stage_group_owner(struct diagnosis *why)
{
    const struct node *owners = node_member(why->group.object->metadata, SLICE("ownerReferences"));
    const struct node *owner = why->group.object->controller;
    struct why_cause *cause;

    for (NODE_EACH(one, owners))
        if (stage_is_own_uid(why, node_string(node_member(one, SLICE("uid")))))
            return;
    if (!why->job || why->parent || !owner)
        return;
    cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_GROUP_OF_ANOTHER, stage_group_name(why),
                    arena_format(why->arena, "%.*s \"%.*s\" (uid %.*s)",
                                 SLICE_ARG(node_string(node_member(owner, SLICE("kind")))),
                                 SLICE_ARG(node_string(node_member(owner, SLICE("name")))),
                                 SLICE_ARG(node_string(node_member(owner, SLICE("uid"))))));
    why_show_words(cause, why->group.object, path_of(why->arena, owner),
                   node_string(node_member(owner, SLICE("uid"))));
    why_show(cause, why->job, "metadata.uid", why->job->uid);
}

/*
 * Whether a scheduler has judged a member. It has found the group then, which is only not among the
 * objects: without it coscheduling says so, and the other schedulers say nothing.
 */
static bool
stage_group_is_found(const struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        const struct node *word = why->pods[i].is_member
                                      ? stage_condition(why->pods[i].object, SLICE("PodScheduled"))
                                      : NULL;

        if (slice_equal(node_string(node_member(word, SLICE("reason"))), SLICE("Unschedulable")) &&
            !stage_contains(node_string(node_member(word, SLICE("message"))), "PodGroup not found"))
            return true;
    }
    return false;
}

static void
stage_group_missing(struct diagnosis *why)
{
    const struct why_pod *pod = stage_waiting_member(why);
    const struct live_object *elsewhere = why->group.elsewhere;
    struct why_cause *cause;

    if (!pod || (why->has_now && why->oldest < STAGE_MOMENT) ||
        (!elsewhere && !stage_is_misdirected(why) && stage_group_is_found(why)))
        return;
    if (elsewhere)
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_GROUP_ELSEWHERE,
                        why_number(why, why->group.live), why_quoted(why, why->group.name),
                        arena_format(why->arena, "%.*s PodGroup %.*s/%.*s",
                                     SLICE_ARG(elsewhere->api_version),
                                     SLICE_ARG(elsewhere->namespace_), SLICE_ARG(elsewhere->name)));
    else
        cause = WHY_ADD(
            why, CERTAINTY_LIKELY, GANG_CODE_GROUP_MISSING, why_number(why, why->group.live),
            why_quoted(why, why->group.name),
            arena_format(why->arena, "PodGroup of %.*s", SLICE_ARG(why->group.scheduler->group)));
    why_show(cause, elsewhere, "metadata.namespace", elsewhere ? elsewhere->namespace_ : NO_SLICE);
    why_show(cause, pod->object, "metadata.name", pod->object->name);
}

/* ---- minimums of tasks and subgroups ---- */

struct slice
stage_task_of(const struct live_object *pod)
{
    static const struct slice key = SLICE_INIT("volcano.sh/task-spec");
    const struct node *value = node_member(node_member(pod->metadata, SLICE("annotations")), key);

    return node_string(value ? value
                             : node_member(node_member(pod->metadata, SLICE("labels")), key));
}

/* The name of the part of the group in which the scheduler counts the pod; unset: in none. */
typedef struct slice stage_part_of(const struct why_pod *pod);

static struct slice
stage_counted_task(const struct why_pod *pod)
{
    return pod->state != POD_FAILED ? stage_task_of(pod->object) : NO_SLICE;
}

static struct slice
stage_counted_subgroup(const struct why_pod *pod)
{
    const struct node *labels = node_member(pod->object->metadata, SLICE("labels"));

    return pod->state < POD_SUCCEEDED && pod->state != POD_GATED
               ? node_string(node_member(labels, SLICE(GANG_LABEL_KAI_SUBGROUP_NAME)))
               : NO_SLICE;
}

/* The members of each part of the group, by its place in the list or map of the parts. */
struct stage_parts {
    struct node_index names;
    int64_t *counts;
};

/* False if the arena has failed. */
static bool
stage_count_parts(const struct diagnosis *why, const struct node *parts, stage_part_of *part_of,
                  struct stage_parts *out)
{
    out->names = node_index_make(parts, why->arena);
    out->counts = arena_array(why->arena, node_count(parts) + 1, sizeof(*out->counts));
    for (size_t i = 0; out->counts && i < why->num_pods; i++) {
        const struct slice name = why->pods[i].is_member ? part_of(&why->pods[i]) : NO_SLICE;
        const struct node *part = name.len ? node_index_find(&out->names, name) : NULL;

        if (part)
            out->counts[part->index]++;
    }
    return out->counts != NULL;
}

static int64_t
stage_count_of(const struct stage_parts *parts, struct slice name)
{
    const struct node *part = node_index_find(&parts->names, name);

    return part ? parts->counts[part->index] : 0;
}

/*
 * The minimums of tasks are not looked at if their sum is more than that of the group.
 * Source: volcano-sh/volcano:pkg/scheduler/api/job_info.go CheckTaskValid@v1.15.0
 */
static void
stage_tasks(struct diagnosis *why)
{
    const struct node *tasks = node_at(why->group.object->root, "spec.minTaskMember");
    struct stage_parts parts;
    int64_t sum = 0;

    for (NODE_EACH(task, tasks))
        sum = integer_add_capped(sum, node_int_or(task, 0));
    if (!why->group.pending || sum > why->group.minimum ||
        why->group.counted < why->group.minimum ||
        !stage_count_parts(why, tasks, stage_counted_task, &parts))
        return;
    for (NODE_EACH(task, tasks)) {
        const int64_t minimum = node_int_or(task, 0);
        const int64_t count = stage_count_of(&parts, node_key(task));

        if (count < minimum)
            why_show_words(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_TASK_MINIMUM_UNMET,
                                   why_number(why, minimum), why_quoted(why, node_key(task)),
                                   why_number(why, count)),
                           why->group.object, path_of(why->arena, task), node_text(task));
    }
}

/*
 * Volcano writes what a pod uses of quotas in the groups that it makes, "count/pods" and
 * "requests.cpu" too: volcano-sh/volcano:pkg/controllers/podgroup@v1.15.0, GetPodQuotaUsage
 */
static bool
stage_is_of_quota(struct slice resource)
{
    return slice_equal(resource, SLICE("pods")) || slice_has_prefix(resource, SLICE("count/")) ||
           slice_has_prefix(resource, SLICE("requests.")) ||
           slice_has_prefix(resource, SLICE("limits."));
}

/* With all pods of the job there, the group need not ask for more than they do. */
static void
stage_resources(struct diagnosis *why)
{
    const struct node *resources = node_at(why->group.object->root, "spec.minResources");
    struct resource_list sum = {0};

    if (!why->group.pending || !why->num_roles || why_expected(why) > (int64_t)why->num_pods ||
        !node_count(resources) || !stage_sum(why, &sum))
        return;
    for (NODE_EACH(wanted, resources)) {
        static const struct quantity none = {0};
        const struct quantity *known = resource_list_get(&sum, node_key(wanted));
        const struct quantity *needed = known ? known : &none;
        struct quantity asked;
        char text[QUANTITY_TEXT_SIZE];

        if (stage_is_of_quota(node_key(wanted)) ||
            quantity_parse(node_text(wanted), &asked) > QUANTITY_CAPPED ||
            quantity_compare(&asked, needed) <= 0)
            continue;
        why_show_words(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_GROUP_STALE, stage_group_name(why),
                               arena_format(why->arena, "%.*s %.*s", SLICE_ARG(node_text(wanted)),
                                            SLICE_ARG(node_key(wanted))),
                               why_text(why, quantity_print(needed, text))),
                       why->group.object, path_of(why->arena, wanted), node_text(wanted));
    }
}

/* A subgroup without pods can hold a group that does not need it. */
void
stage_subgroups(struct diagnosis *why, bool are_empty)
{
    const struct node *groups = node_at(why->group.object->root, "spec.subGroups");
    struct stage_parts parts;

    if (!why->group.pending || why->group.counted < why->group.minimum ||
        !stage_count_parts(why, groups, stage_counted_subgroup, &parts))
        return;
    for (NODE_EACH(subgroup, groups)) {
        const int64_t count = stage_count_of(&parts, node_name(subgroup));
        const int64_t minimum = node_int_or(node_member(subgroup, SLICE("minMember")), count);

        if (count >= minimum || are_empty != (count == 0))
            continue;
        if (are_empty)
            why_show_words(WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_SUBGROUPS_EMPTY,
                                   why_quoted(why, why->group.name)),
                           why->group.object, path_of(why->arena, subgroup), node_name(subgroup));
        else
            why_show_words(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_QUORUM_SHORT,
                                   arena_format(why->arena, "subgroup \"%.*s\"",
                                                SLICE_ARG(node_name(subgroup))),
                                   why_number(why, minimum), why_number(why, count)),
                           why->group.object, path_of(why->arena, subgroup), node_name(subgroup));
    }
}

static void
stage_say_unknown(struct diagnosis *why, const struct live_object *pod, const struct node *name)
{
    why_show_words(WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_SUBGROUP_UNKNOWN,
                           why_quoted(why, node_string(name))),
                   pod, path_of(why->arena, name), node_string(name));
}

/* A pod can name a subgroup that is not in its group. */
static void
stage_unknown_subgroup(struct diagnosis *why)
{
    const struct node *groups = node_at(why->group.object->root, "spec.subGroups");
    const struct node_index names = node_index_make(groups, why->arena);

    for (size_t i = 0; i < why->num_pods && node_count(groups); i++) {
        const struct live_object *pod = why->pods[i].object;
        const struct node *label = node_member(node_member(pod->metadata, SLICE("labels")),
                                               SLICE(GANG_LABEL_KAI_SUBGROUP_NAME));

        if (label && why->pods[i].is_member && why_is_waiting(&why->pods[i]) &&
            !node_index_find(&names, node_string(label)))
            stage_say_unknown(why, pod, label);
    }
}

/* Or a part of its gang that is not among the parts that it lists. */
static void
stage_unknown_part(struct diagnosis *why)
{
    const struct why_pod *pod = stage_waiting_member(why);
    const struct node *parts = pod ? group_parts_of(why, pod->object) : NULL;
    const struct node *name =
        pod ? node_member(node_member(pod->object->metadata, SLICE("annotations")),
                          why->group.scheduler->part_annotation)
            : NULL;

    for (NODE_EACH(part, parts))
        if (slice_equal(node_name(part), node_string(name)))
            return;
    if (name && node_count(parts))
        stage_say_unknown(why, pod->object, name);
}

void
stage_hand_over(struct diagnosis *why)
{
    const struct report *report = why->decision ? why->decision->report : NULL;

    if (!why->group.scheduler)
        return;
    /* as the facts about the cluster say it, which the decision was made with */
    for (size_t i = 0; report && i < report->count; i++)
        if (report->items[i].code == GANG_CODE_NOT_SERVED && !why->group.object)
            WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_GROUP_KIND_NOT_SERVED,
                    why_text(why, why->group.scheduler->group));
    stage_gates(why);
    stage_scheduler_names(why);
    stage_marks(why);
    stage_no_marks(why);
    if (!why->group.object) {
        if (descriptor_has_objects(why->group.scheduler) && why->group.live)
            stage_group_missing(why);
        stage_unknown_part(why);
        return;
    }
    stage_group_owner(why);
    stage_tasks(why);
    stage_resources(why);
    stage_subgroups(why, false);
    stage_unknown_subgroup(why);
}

/* ---- too few pods ---- */

/* The sum of what member roles will have, of what they can have now, and the names of the rest. */
struct quorum {
    int64_t total;
    int64_t potential;
    int64_t later;
    struct wording names;
};

static struct quorum
stage_quorum_of(const struct diagnosis *why)
{
    struct quorum quorum = {0};

    for (size_t i = 0; i < why->num_roles; i++) {
        const struct why_role *role = &why->roles[i];
        int64_t now;

        if (!role->is_member)
            continue;
        now = role->is_held ? role->exist : stage_creatable(why, role);
        if (role->is_later && !role->is_held)
            now = role->expected;
        quorum.total = integer_add_capped(quorum.total, role->expected);
        quorum.potential = integer_add_capped(quorum.potential, now);
        if (now >= role->expected)
            continue;
        quorum.later += role->expected - now;
        wording_add(&quorum.names, ", ", role->name);
    }
    return quorum;
}

/* Whether another job has pods in the group, too: it can have more of them later. */
static bool
stage_is_shared(const struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++)
        if (why->pods[i].is_member && !why->pods[i].is_of_job)
            return true;
    return false;
}

static void
stage_show_minimum(const struct diagnosis *why, struct why_cause *cause)
{
    if (why->group.minimum_source)
        why_show_words(cause, why->group.object, path_of(why->arena, why->group.minimum_source),
                       node_text(why->group.minimum_source));
    why_count(cause, "minimum", why->group.minimum);
    why_count(cause, "counted", why->group.counted);
}

static void
stage_above_job(struct diagnosis *why, int64_t total)
{
    const bool is_stale = why->decision && why->decision->outcome == GANG_OUTCOME_GANG &&
                          why->group.object->controller && why->decision->gang.minimum <= total;
    struct why_cause *cause;

    if (is_stale)
        cause = WHY_ADD(
            why, CERTAINTY_PROVEN, GANG_CODE_GROUP_STALE, stage_group_name(why),
            arena_format(why->arena, "a minimum of %lld pods", (long long)why->group.minimum),
            why_number(why, why->decision->gang.minimum));
    else
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MINIMUM_ABOVE_JOB, stage_group_name(why),
                        why_number(why, why->group.minimum), why_number(why, total));
    stage_show_minimum(why, cause);
}

/* Pods that have ended belong to a role of which others wait, or to an earlier stage. */
static void
stage_ended_members(struct diagnosis *why)
{
    const int64_t ended = why->group.counts[POD_SUCCEEDED];
    bool is_retry = why->num_roles == 0;
    struct why_cause *cause;

    for (size_t i = 0; i < why->num_roles; i++)
        is_retry |= why->roles[i].counts[POD_SUCCEEDED] &&
                    why->roles[i].counts[POD_PENDING] + why->roles[i].counts[POD_GATED];
    if (is_retry)
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MEMBER_RETRIED_AFTER_SUCCESS,
                        stage_group_name(why), why_number(why, why->group.minimum),
                        why_number(why, why->group.counted), why_number(why, ended));
    else
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MINIMUM_COUNTS_ENDED_PODS,
                        stage_group_name(why), why_number(why, why->group.minimum),
                        why_number(why, ended), why_number(why, why->group.counted));
    stage_show_minimum(why, cause);
    why_count(cause, "succeeded", ended);
}

void
stage_quorum(struct diagnosis *why)
{
    const struct why_group *group = &why->group;
    struct quorum quorum;
    struct why_cause *cause;

    if (!group->scheduler || !group->object || group->minimum <= group->counted ||
        (!group->live && !group->counts[POD_SUCCEEDED]))
        return;
    quorum = stage_quorum_of(why);
    if (group->pending && group->counts[POD_SUCCEEDED] &&
        group->counted + group->counts[POD_SUCCEEDED] >= group->minimum) {
        stage_ended_members(why);
        return;
    }
    if (why->num_roles && (!why->parent || why->jobset) && !stage_is_shared(why) &&
        quorum.total > 0 && quorum.total < group->minimum) {
        stage_above_job(why, quorum.total);
        return;
    } else if (quorum.later && quorum.potential < group->minimum) {
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_MINIMUM_COUNTS_LATER_PODS,
                        stage_group_name(why), why_number(why, group->minimum),
                        why_number(why, group->counted), why_number(why, quorum.later),
                        quorum.names.text);
        stage_show_minimum(why, cause);
        for (size_t i = 0; i < why->num_roles; i++)
            if (why->roles[i].is_held && why->roles[i].role->source)
                why_show_words(cause, why->jobset ? why->jobset : why->job,
                               path_of(why->arena, why->roles[i].role->source), why->roles[i].name);
        return;
    } else if (why_cause_of(why, GANG_CODE_EARLIER_STAGE_RUNS) ||
               why_cause_of(why, GANG_CODE_EARLIER_STAGE_STUCK) ||
               why_cause_of(why, GANG_CODE_PODS_COMING) ||
               why_cause_of(why, GANG_CODE_MARKS_MISSING) ||
               why_cause_of(why, GANG_CODE_MEMBERS_GATED)) {
        return;
    } else {
        cause = WHY_ADD(why, CERTAINTY_PROVEN, GANG_CODE_QUORUM_SHORT, stage_group_name(why),
                        why_number(why, group->minimum), why_number(why, group->counted));
    }
    stage_show_minimum(why, cause);
}
