/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* ---- times ---- */

/* Days since 1970-01-01 of a date in the Gregorian calendar. */
static int64_t
time_days_of(int64_t year, int64_t month, int64_t day)
{
    const int64_t shifted = month <= 2 ? year - 1 : year;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    const int64_t of_era = shifted - era * 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

int64_t
why_seconds_of(struct slice time)
{
    enum { DATE_AND_TIME = sizeof("2026-11-25T08:30:00") - 1 };
    int64_t parts[6];
    static const struct {
        uint8_t from;
        uint8_t len;
        uint8_t least;
        uint16_t most; /* a second may be a leap second */
    } places[] = {{0, 4, 0, 9999}, {5, 2, 1, 12},  {8, 2, 1, 31},
                  {11, 2, 0, 23},  {14, 2, 0, 59}, {17, 2, 0, 60}};

    if (time.len <= DATE_AND_TIME || time.data[10] != 'T' || time.data[time.len - 1] != 'Z')
        return 0;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        const struct slice digits = {time.data + places[i].from, places[i].len};

        if (!integer_parse(digits, &parts[i]) || parts[i] < places[i].least ||
            parts[i] > places[i].most)
            return 0;
    }
    return time_days_of(parts[0], parts[1], parts[2]) * 86400 + parts[3] * 3600 + parts[4] * 60 +
           parts[5];
}

struct slice
why_text_at(const struct live_object *object, const char *path)
{
    return object ? node_string(node_at(object->root, path)) : NO_SLICE;
}

struct slice
why_event_time(const struct live_object *event)
{
    static const char *const paths[] = {"series.lastObservedTime", "lastTimestamp", "eventTime"};

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const struct slice time = why_text_at(event, paths[i]);

        if (time.len)
            return time;
    }
    return NO_SLICE;
}

/* `note` in events.k8s.io/v1 */
struct slice
why_event_text(const struct live_object *event, struct slice *path)
{
    const struct slice text = why_text_at(event, "message");

    *path = text.len ? SLICE("message") : SLICE("note");
    return text.len ? text : why_text_at(event, "note");
}

int64_t
why_age_of(const struct diagnosis *why, const struct live_object *object)
{
    const int64_t made = why_seconds_of(why_text_at(object, "metadata.creationTimestamp"));

    return made && why->now >= made ? why->now - made : -1;
}

bool
why_has_events(const struct diagnosis *why, const struct live_object *object)
{
    const struct live_index parts = live_parts_of(&why->live->parts, object->uid);

    for (size_t i = 0; i < parts.count; i++)
        if (((const struct live_part *)parts.items[i])->is_event)
            return true;
    return false;
}

const char *
why_name(const struct diagnosis *why, const struct live_object *object)
{
    return arena_format(why->arena, "%.*s/%.*s", SLICE_ARG(object->kind), SLICE_ARG(object->name));
}

/* ---- the pods of the job ---- */

/* The labels in which controllers name the role of a pod. */
static const struct slice state_role_labels[] = {
    SLICE_INIT(GANG_LABEL_ROLE),
    SLICE_INIT("jobset.sigs.k8s.io/replicatedjob-name"),
    SLICE_INIT("training.kubeflow.org/replica-type"),
    SLICE_INIT("training.kubeflow.org/job-role"),
    SLICE_INIT("ray.io/group"),
    SLICE_INIT("ray.io/node-type"),
    SLICE_INIT("spark-role"),
    SLICE_INIT("grove.io/podclique"),
    SLICE_INIT("disaggregatedset.x-k8s.io/role"),
    SLICE_INIT("rbg.workloads.x-k8s.io/role-name"),
};

static const struct node *
state_label(const struct live_object *object, struct slice key)
{
    return node_member(node_member(object->metadata, SLICE("labels")), key);
}

static size_t
state_role_named(const struct diagnosis *why, struct slice name)
{
    for (size_t i = 0; name.len && i < why->num_roles; i++)
        if (ascii_equal(why->roles[i].name, name))
            return i;
    return ROLE_NONE;
}

/*
 * Returns the part of a role that can be a role of its own. In LeaderWorkerSets the leader has the
 * index 0: kubernetes-sigs/lws:api/leaderworkerset/v1@v0.9.0. RoleBasedGroups have components:
 * sgl-project/rbg:api/workloads/constants/label.go@v0.8.0-alpha.5
 */
static struct slice
state_part_of(const struct live_object *pod)
{
    const struct slice index =
        node_string(state_label(pod, SLICE("leaderworkerset.sigs.k8s.io/worker-index")));

    if (index.len)
        return slice_equal(index, SLICE("0")) ? SLICE("leader") : SLICE("worker");
    return node_string(state_label(pod, SLICE("rbg.workloads.x-k8s.io/component-name")));
}

static size_t
state_role_of(const struct diagnosis *why, const struct live_object *pod)
{
    const struct slice part = state_part_of(pod);

    for (size_t i = 0; i < COUNT_OF(state_role_labels); i++) {
        const struct slice name = node_string(state_label(pod, state_role_labels[i]));
        size_t role = state_role_named(why, name);

        if (role == ROLE_NONE && name.len && part.len)
            role = state_role_named(
                why, ARENA_SLICE(why->arena, "%.*s-%.*s", SLICE_ARG(name), SLICE_ARG(part)));
        if (role != ROLE_NONE)
            return role;
    }
    return why->num_roles == 1 ? 0 : state_role_named(why, part);
}

static enum why_pod_state
state_of_pod(const struct live_object *pod)
{
    const struct slice phase = why_text_at(pod, "status.phase");

    if (slice_equal(phase, SLICE("Succeeded")))
        return POD_SUCCEEDED;
    if (slice_equal(phase, SLICE("Failed")))
        return POD_FAILED;
    if (pod->is_terminating)
        return POD_ENDING;
    if (slice_equal(phase, SLICE("Running")))
        return POD_RUNNING;
    if (why_text_at(pod, "spec.nodeName").len)
        return POD_BOUND;
    return node_count(node_at(pod->root, "spec.schedulingGates")) ? POD_GATED : POD_PENDING;
}

bool
why_is_waiting(const struct why_pod *pod)
{
    return pod->state == POD_GATED || pod->state == POD_PENDING;
}

void
state_add_pod(struct diagnosis *why, const struct live_object *pod, bool is_of_job)
{
    ARENA_APPEND(why->arena, why->pods, why->num_pods, 2,
                 (struct why_pod){.object = pod,
                                  .state = state_of_pod(pod),
                                  .role = is_of_job ? state_role_of(why, pod) : ROLE_NONE,
                                  .is_of_job = is_of_job});
}

/* What is taken of the live objects, each object once. */
struct state_taken {
    struct diagnosis *why;
    bool *is_taken; /* by the place of the object */
    size_t next;    /* of the owned objects whose parts were not looked at */
};

static void
state_take(struct state_taken *taken, const struct live_object *object, bool is_of_job)
{
    struct diagnosis *why = taken->why;
    bool *seen = &taken->is_taken[object - why->live->items];

    if (*seen)
        return;
    *seen = true;
    if (live_is_pod(object))
        state_add_pod(why, object, is_of_job);
    else
        ARENA_APPEND(why->arena, why->owned, why->num_owned, 2, object);
}

static void
state_take_parts(struct state_taken *taken, struct slice owner)
{
    const struct live_index parts = live_parts_of(&taken->why->live->parts, owner);

    for (size_t i = 0; i < parts.count; i++) {
        const struct live_part *part = parts.items[i];

        if (!part->is_event)
            state_take(taken, part->object, true);
    }
}

static void
state_find_pods(struct diagnosis *why)
{
    struct state_taken taken = {.why = why,
                                .is_taken = arena_alloc(why->arena, why->live->count + 1)};
    struct live_index pods;

    if (arena_failed(why->arena) || !arena_spend(why->arena, why->live->count))
        return;
    if (why->job)
        state_take(&taken, why->job, true);
    else if (why->decision && why->decision->wishes.owner.uid.len)
        state_take_parts(&taken, why->decision->wishes.owner.uid);
    if (why->jobset)
        state_take(&taken, why->jobset, true);
    while (taken.next < why->num_owned)
        state_take_parts(&taken, why->owned[taken.next++]->uid);
    /* The Jobs between a JobSet and its pods are often not given: then labels name the job. */
    pods = live_parts_of(&why->live->labelled, why->num_pods ? NO_SLICE : why->key.name);
    for (size_t i = 0; i < pods.count; i++) {
        const struct live_object *pod = ((const struct live_part *)pods.items[i])->object;

        if (live_same_namespace(pod->namespace_, why->key.namespace_))
            state_take(&taken, pod, true);
    }
}

/* ---- the roles ---- */

/* The roles of the JobSet are those that exist; the job's own are what it will have. */
static void
role_read_all(struct diagnosis *why)
{
    const struct gang_decision *decision =
        why->set && why->set->wishes.num_roles ? why->set : why->decision;
    const size_t count = decision ? decision->wishes.num_roles : 0;

    why->roles = arena_array(why->arena, count + 1, sizeof(*why->roles));
    why->num_roles = why->roles ? count : 0;
    for (size_t i = 0; i < why->num_roles; i++) {
        const struct role *role = &decision->wishes.roles[i];

        why->roles[i] = (struct why_role){.name = role->name,
                                          .role = role,
                                          .expected = role->count,
                                          .template_ = role->pod_template};
    }
}

/* Whether a pod or a group has a name of this gang. */
static bool
role_gang_is_there(const struct diagnosis *why, const struct live_gangs *gangs)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        struct slice name;

        if (live_group_named_by(why->pods[i].object->root, &name) &&
            live_gang_of(gangs, name) == gangs->own)
            return true;
    }
    for (size_t i = 0; i < why->num_owned; i++)
        if (slice_equal(why->owned[i]->kind, SLICE("PodGroup")) &&
            live_gang_of(gangs, why->owned[i]->name) == gangs->own)
            return true;
    return false;
}

/*
 * In a job with several gangs, pods in the group of another one are not of this gang. A job whose
 * stages would be gangs may have one group for all of them, which somebody else made.
 */
static void
role_drop_others(struct diagnosis *why)
{
    struct live_gangs gangs;
    size_t kept = 0;

    if (!group_is_one_of_several(why))
        return;
    gangs = live_gangs_of(why->decision, why->arena);
    if (gangs.style != GANGS_NUMBERED && !role_gang_is_there(why, &gangs))
        return;
    for (size_t i = 0; i < why->num_pods; i++) {
        struct slice name;
        uint64_t gang = gangs.own;

        if (live_group_named_by(why->pods[i].object->root, &name))
            gang = live_gang_of(&gangs, name);
        if (gang == gangs.own || gang >= gangs.count)
            why->pods[kept++] = why->pods[i];
    }
    why->num_pods = kept;
}

static void
role_count_pods(struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        struct why_pod *pod = &why->pods[i];
        struct why_role *role;

        pod->is_member = why->group.scheduler &&
                         live_names_group(pod->object->root, why->group.scheduler, why->group.name);
        if (pod->role == ROLE_NONE)
            continue;
        role = &why->roles[pod->role];
        role->counts[pod->state]++;
        role->exist += pod->state != POD_ENDING;
        role->marked += pod->is_member;
    }
}

/*
 * Templates say it, else the plan. Where the templates name no group at all, a webhook or the
 * scheduler's own controller marks the pods, and all of them can become members.
 */
static bool
role_is_outside(const struct diagnosis *why, const struct why_role *role, bool are_marked)
{
    const struct gang *gang;
    const struct role *planned;
    struct slice name;

    if (!why->group.scheduler)
        return false;
    if (are_marked)
        return live_group_named_by(role->template_, &name) != why->group.scheduler ||
               !slice_equal(name, why->group.name);
    if (!why->decision || why->decision->outcome != GANG_OUTCOME_GANG)
        return false;
    /* The plan can have been made without the JobSet. */
    gang = &why->decision->gang;
    planned = FIND_TEXT(gang->roles, gang->num_roles, name, role->name);
    return planned && gang_membership(gang, planned) == ROLE_OUTSIDE;
}

/* Whether the pods that a dependency waits for have got so far. */
static bool
role_is_reached(const struct why_role *role, enum dependency_status status)
{
    int64_t there = role->counts[POD_SUCCEEDED];

    if (status != DEPENDENCY_COMPLETE)
        there += role->counts[POD_RUNNING];
    if (status == DEPENDENCY_SCHEDULED)
        there += role->counts[POD_BOUND];
    return there >= role->expected;
}

/* Finds what a role waits for that has pods fewer than it will have. Returns whether it changed. */
static bool
role_find_wait(struct diagnosis *why, struct why_role *role)
{
    const struct why_role before = *role;

    if (role->exist >= role->expected || !role->role)
        return false;
    for (size_t i = 0; i < role->role->num_dependencies; i++) {
        const struct dependency *edge = &role->role->dependencies[i];
        const size_t at = state_role_named(why, edge->role);
        const struct why_role *other = at == ROLE_NONE ? NULL : &why->roles[at];

        if (!other || role_is_reached(other, edge->status))
            continue;
        role->is_held |= other->is_member || other->is_held;
        role->is_later = true;
        if (!role->waits_for)
            role->waits_for = edge;
    }
    return before.is_held != role->is_held || before.is_later != role->is_later;
}

static void
role_find_waits(struct diagnosis *why)
{
    struct slice name = NO_SLICE;
    const bool are_marked = group_of_templates(why, &name) != NULL;
    bool changed = true;

    for (size_t i = 0; i < why->num_roles; i++) {
        struct why_role *role = &why->roles[i];

        role->is_outside = role_is_outside(why, role, are_marked);
        role->is_member =
            why->group.scheduler && (role->exist ? role->marked > 0 : !role->is_outside);
    }
    for (size_t round = 0; changed && round <= why->num_roles; round++) {
        changed = false;
        for (size_t i = 0; i < why->num_roles; i++)
            changed |= role_find_wait(why, &why->roles[i]);
    }
}

int64_t
why_expected(const struct diagnosis *why)
{
    int64_t sum = 0;

    for (size_t i = 0; i < why->num_roles; i++)
        sum = integer_add_capped(sum, why->roles[i].expected);
    return why->num_roles ? sum : -1;
}

/* ---- all of it ---- */

static void
state_find_job(struct diagnosis *why)
{
    const struct live_key set = {SLICE("jobset.x-k8s.io"), SLICE("JobSet"), why->key.namespace_,
                                 why->key.name};

    why->job = live_objects_find(why->live, &why->key);
    why->jobset = live_objects_find(why->live, &set);
    if (!why->job)
        return;
    why->status = node_member(why->job->root, SLICE("status"));
    /* the owner reference of the job that the job is a part of */
    if (job_kind_has_parts(node_string(node_member(why->job->controller, SLICE("apiVersion"))),
                           node_string(node_member(why->job->controller, SLICE("kind")))))
        why->parent = why->job->controller;
    if (why->parent && FIND_TEXT(why->live->items, why->live->count, uid, why->job->controller_uid))
        why->parent = NULL;
}

/* Without a time of the question, ages are at least what they seem. */
static void
state_find_times(struct diagnosis *why)
{
    why->has_now = why->now != 0;
    if (!why->has_now)
        why->now = why_seconds_of(why->live->newest);
    for (size_t i = 0; i < why->num_owned && !why->has_events; i++)
        why->has_events = why_has_events(why, why->owned[i]);
    for (size_t i = 0; i < why->num_pods && !why->has_events; i++)
        why->has_events = why_has_events(why, why->pods[i].object);
    why->youngest = -1;
    why->oldest = -1;
    for (size_t i = 0; i < why->num_pods; i++) {
        const int64_t age = why_age_of(why, why->pods[i].object);

        if (!why_is_waiting(&why->pods[i]) || age < 0)
            continue;
        if (why->youngest < 0 || age < why->youngest)
            why->youngest = age;
        if (age > why->oldest)
            why->oldest = age;
    }
}

void
why_read(struct diagnosis *why)
{
    state_find_job(why);
    role_read_all(why);
    state_find_pods(why);
    if (arena_failed(why->arena))
        return;
    role_drop_others(why);
    group_find_name(why);
    group_find_object(why);
    if (why->group.scheduler)
        group_take_members(why);
    role_count_pods(why);
    role_find_waits(why);
    group_count_members(why);
    state_find_times(why);
}
