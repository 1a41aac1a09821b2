/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

/*
 * The state of a role in the simulation. All roles of one epoch are created before any role of it
 * finishes.
 */
struct kai_part {
    uint32_t epoch;
    bool waits_for_gang; /* for the gang to finish */
    bool is_ours;
    bool is_created;
    bool is_running;
    bool is_done;
    bool is_needed; /* the group could not start without all of its pods */
};

struct kai_trial {
    const struct kai_job *job;
    const struct kai_grouping *grouping;
    const struct gang *gang;
    struct arena *arena;
    struct kai_part *parts;
    uint32_t *order;      /* each role after those that it depends on */
    const void **by_name; /* the roles of the job */
    bool *chosen;         /* by the current rule */
    uint32_t last_epoch;
    uint32_t gang_ends; /* the first epoch after the gang's end */
    size_t first_wave;  /* number of roles in it */
    bool never_stale;
    bool seen_start; /* the first wave has started */
    bool is_whole;   /* it starts all at once, or not at all */
    const struct kai_part *stale;
    size_t stuck_rule;
    size_t before; /* the role without pods that comes before the stuck one */
    int64_t alive;
};

static bool
kai_trial_begin(struct kai_trial *trial, struct slice scheduler)
{
    size_t count = trial->gang->num_roles;
    const uint32_t *sorted = start_order_sort(trial->gang->roles, count, trial->arena);

    trial->parts = arena_array(trial->arena, count + 1, sizeof(*trial->parts));
    trial->by_name = stable_sort_array(trial->job->roles, count, sizeof(*trial->job->roles),
                                       slice_compare_first, NULL, trial->arena);
    trial->order = arena_array(trial->arena, count + 1, sizeof(*trial->order));
    trial->chosen = arena_array(trial->arena, count + 1, sizeof(*trial->chosen));
    if (arena_failed(trial->arena))
        return false;
    for (size_t i = 0; i < count; i++) {
        const struct role *role = &trial->gang->roles[i];

        trial->order[i] = sorted ? sorted[i] : (uint32_t)i;
        trial->parts[i].is_ours = trial->gang->wishes->overrides_schedulers ||
                                  !role->scheduler_name.len ||
                                  slice_equal(role->scheduler_name, scheduler);
        trial->first_wave += trial->gang->parts[i].membership == ROLE_MEMBER;
    }
    return true;
}

/*
 * Assigns a role to an epoch. Before the gang's end, an epoch is a stage, with one more epoch in
 * which the last roles outside have finished. After that, stages are counted again from there.
 */
static void
kai_trial_place(struct kai_trial *trial, size_t index)
{
    const struct role *role = &trial->gang->roles[index];
    struct kai_part *part = &trial->parts[index];

    for (size_t e = 0; e < role->num_dependencies; e++) {
        const struct dependency *edge = &role->dependencies[e];
        const struct kai_part *target;
        bool cuts = edge->status == DEPENDENCY_COMPLETE;

        if (edge->index == ROLE_NONE) /* it holds no role back */
            continue;
        target = &trial->parts[edge->index];
        if (cuts && trial->gang->parts[edge->index].membership != ROLE_OUTSIDE) {
            part->waits_for_gang = true;
            part->epoch = part->epoch > trial->gang_ends ? part->epoch : trial->gang_ends;
        } else {
            part->waits_for_gang |= target->waits_for_gang;
            part->epoch = part->epoch > target->epoch + cuts ? part->epoch : target->epoch + cuts;
        }
    }
    trial->last_epoch = part->epoch > trial->last_epoch ? part->epoch : trial->last_epoch;
}

static bool
kai_edges_are_met(const struct kai_trial *trial, const struct role *role)
{
    for (size_t e = 0; e < role->num_dependencies; e++) {
        const struct dependency *edge = &role->dependencies[e];
        const struct kai_part *target;

        if (edge->index == ROLE_NONE) /* it holds no role back */
            continue;
        target = &trial->parts[edge->index];
        if (!target->is_done && (edge->status == DEPENDENCY_COMPLETE || !target->is_running))
            return false;
    }
    return true;
}

/*
 * Creates the roles of the epoch whose dependencies are met. Pods of another scheduler start as
 * soon as they are created.
 */
static bool
kai_trial_create(struct kai_trial *trial, uint32_t epoch)
{
    bool changed = false;

    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        size_t index = trial->order[i];
        struct kai_part *part = &trial->parts[index];

        if (part->epoch != epoch || part->is_created ||
            !kai_edges_are_met(trial, &trial->gang->roles[index]))
            continue;
        part->is_created = changed = true;
        part->is_running = !part->is_ours;
    }
    return changed;
}

static bool
kai_is_alive(const struct kai_part *part)
{
    return part->is_ours && part->is_created && !part->is_done;
}

static bool
kai_is_pending(const struct kai_part *part)
{
    return kai_is_alive(part) && !part->is_running;
}

/* Pods of a role that exist once it is created: those after the first ones wait for nodes. */
static int64_t
kai_existing_pods(const struct kai_trial *trial, size_t index)
{
    const struct role *role = &trial->gang->roles[index];

    return trial->parts[index].is_running ? role->count : role_pods_at_first(role);
}

/*
 * Starts the pending roles in `chosen` (NULL: all). Returns whether any role started. `is_whole`:
 * all of their pods start or none.
 */
static bool
kai_trial_start(struct kai_trial *trial, const bool *chosen, bool is_whole)
{
    size_t first_wave = 0;
    bool changed = false;

    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        if (!kai_is_pending(&trial->parts[i]) || (chosen && !chosen[i]))
            continue;
        trial->parts[i].is_running = changed = true;
        first_wave += trial->gang->parts[i].membership == ROLE_MEMBER;
    }
    if (first_wave && !trial->seen_start) {
        trial->seen_start = true;
        trial->is_whole = is_whole && first_wave == trial->first_wave;
    }
    return changed;
}

static int64_t
kai_pods_of_replica(const struct kai_trial *trial, size_t index)
{
    return role_pods_at_first(&trial->gang->roles[index]) /
           kai_grouping_replicas(&trial->job->roles[index]);
}

/* Leaves that ask for more pods than exist have already been ruled out. */
static bool
kai_is_satisfied(const struct kai_trial *trial, size_t index)
{
    return kai_is_alive(&trial->parts[index]) && trial->parts[index].is_running;
}

/* Rule 2: starts the first roles by name of those below their minimum. */
static bool
kai_start_first(struct kai_trial *trial)
{
    int64_t left = trial->grouping->root;
    bool is_whole = true;

    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        size_t index = (size_t)((const struct kai_job_role *)trial->by_name[i] - trial->job->roles);

        trial->chosen[index] = left > 0 && !kai_is_satisfied(trial, index);
        if (!trial->chosen[index])
            continue;
        left--;
        if (!kai_is_pending(&trial->parts[index]))
            trial->before = index;
        is_whole &= trial->gang->parts[index].membership != ROLE_MEMBER ||
                    (trial->parts[index].is_needed &&
                     kai_pods_of_replica(trial, index) == trial->grouping->minima[index]);
    }
    return kai_trial_start(trial, trial->chosen, is_whole);
}

/* Rule 1: roles must be ready. If no more are than required, every pod of each is needed. */
static bool
kai_start_tree(struct kai_trial *trial)
{
    int64_t satisfied = 0;

    trial->alive = 0;
    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        trial->alive += kai_is_alive(&trial->parts[i]);
        satisfied += kai_is_satisfied(trial, i);
    }
    trial->stuck_rule = trial->alive < trial->grouping->root ? 1 : 2;
    if (trial->stuck_rule == 1)
        return false;
    for (size_t i = 0; trial->alive == trial->grouping->root && i < trial->gang->num_roles; i++)
        trial->parts[i].is_needed |= kai_is_pending(&trial->parts[i]);
    return satisfied >= trial->grouping->root ? kai_trial_start(trial, NULL, false)
                                              : kai_start_first(trial);
}

static bool
kai_start_any(struct kai_trial *trial)
{
    switch (trial->grouping->shape) {
    case KAI_SHAPE_TREE:
        return kai_start_tree(trial);
    case KAI_SHAPE_PER_ROLE: {
        bool is_whole = true;

        for (size_t i = 0; i < trial->gang->num_roles; i++) {
            int64_t minimum = trial->grouping->minima[i];

            trial->chosen[i] = kai_existing_pods(trial, i) >= minimum;
            is_whole &= trial->gang->parts[i].membership != ROLE_MEMBER ||
                        kai_existing_pods(trial, i) == minimum;
        }
        return kai_trial_start(trial, trial->chosen, is_whole && trial->first_wave == 1);
    }
    case KAI_SHAPE_OWNER:
    case KAI_SHAPE_ONE:
        break;
    }
    trial->alive = 0;
    for (size_t i = 0; i < trial->gang->num_roles; i++)
        trial->alive += kai_is_alive(&trial->parts[i]) ? kai_existing_pods(trial, i) : 0;
    return trial->alive >= trial->grouping->root &&
           kai_trial_start(trial, NULL, trial->alive == trial->grouping->root);
}

/*
 * Rule 3. Groups that count only pods are not stale, because none of their pods starts before the
 * minimum of pods exists.
 */
static void
kai_trial_watch(struct kai_trial *trial)
{
    const struct kai_part *empty = NULL;
    bool is_active = false;

    if (trial->stale || trial->never_stale || trial->grouping->shape != KAI_SHAPE_TREE)
        return;
    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        if (trial->parts[i].is_ours && trial->parts[i].is_done &&
            !kai_has(KAI_IGNORES_FINISHED, &trial->job->release))
            return;
        if (kai_is_satisfied(trial, i))
            is_active = true;
        else
            empty = &trial->parts[i];
    }
    if (is_active)
        trial->stale = empty;
}

/* Returns the first role that is created and cannot start; NULL if the epoch completes. */
static const struct kai_part *
kai_trial_epoch(struct kai_trial *trial, uint32_t epoch)
{
    bool changed = true;

    /* Running roles outside the gang finish first; the gang finishes when only it is left. */
    for (size_t i = 0; i < trial->gang->num_roles; i++) {
        bool is_member = trial->gang->parts[i].membership != ROLE_OUTSIDE;

        if (trial->parts[i].is_running && (!is_member || epoch >= trial->gang_ends))
            trial->parts[i].is_done = true;
    }
    while (changed) {
        while (kai_trial_create(trial, epoch)) {
        }
        changed = kai_start_any(trial);
        kai_trial_watch(trial);
    }
    for (size_t i = 0; i < trial->gang->num_roles; i++)
        if (kai_is_pending(&trial->parts[i]))
            return &trial->parts[i];
    return NULL;
}

/* Explains why the next role that does not exist yet does not; "" if all exist. */
static const char *
kai_what_is_missing(const struct kai_trial *trial)
{
    for (size_t i = 0; i < trial->gang->num_roles; i++)
        if (!trial->parts[i].is_created)
            return arena_format(
                trial->arena, "; %s",
                wait_in_words(trial->gang->roles, trial->gang->num_roles, i, trial->arena));
    return "";
}

static const char *
kai_why_stuck(const struct kai_trial *trial, size_t role)
{
    const struct kai_grouping *grouping = trial->grouping;

    if (grouping->shape == KAI_SHAPE_PER_ROLE)
        return arena_format(
            trial->arena,
            "the podgrouper's group of role %-.*s waits for %lld pods, and the role has %lld",
            SLICE_ARG(trial->gang->roles[role].name), (long long)grouping->minima[role],
            (long long)kai_existing_pods(trial, role));
    if (grouping->shape != KAI_SHAPE_TREE)
        return arena_format(
            trial->arena, "the podgrouper's group waits for %lld pods, of which %lld exist%s",
            (long long)grouping->root, (long long)trial->alive, kai_what_is_missing(trial));
    if (trial->stuck_rule == 1)
        return arena_format(trial->arena,
                            "KAI schedules the podgrouper's group only when %lld of its %zu roles "
                            "have all their pods, not counting finished ones, and then %lld have%s",
                            (long long)grouping->root, trial->gang->num_roles,
                            (long long)trial->alive, kai_what_is_missing(trial));
    return arena_format(trial->arena,
                        "the scheduler takes the first %lld roles of the group by name, and of "
                        "these %-.*s has no pods while %-.*s waits",
                        (long long)grouping->root,
                        SLICE_ARG(trial->gang->roles[trial->before].name),
                        SLICE_ARG(trial->gang->roles[role].name));
}

static const char *
kai_why_no_gang(const struct kai_trial *trial)
{
    const struct backend_owner *top = &trial->job->top_owner;

    if (slice_is_set(top->kind))
        return arena_format(trial->arena,
                            "the podgrouper groups by the owner of the TrainJob, %.*s %.*s, and "
                            "its group requires one pod",
                            SLICE_ARG(top->kind), SLICE_ARG(top->name));
    if (trial->grouping->shape == KAI_SHAPE_TREE)
        return arena_format(trial->arena,
                            "the podgrouper's group requires %lld of its %zu roles, and the "
                            "scheduler starts the pods of the others one by one",
                            (long long)trial->grouping->root, trial->gang->num_roles);
    if (trial->grouping->shape == KAI_SHAPE_PER_ROLE)
        return "the podgrouper creates a group for each role, and none requires all pods of the "
               "gang";
    if (trial->grouping->root >= trial->gang->minimum)
        return arena_format(trial->arena,
                            "the podgrouper's group requires %lld pods of any role, and pods "
                            "outside the gang count too",
                            (long long)trial->grouping->root);
    return arena_format(trial->arena,
                        "the podgrouper's group requires %lld pods, and the gang needs %lld",
                        (long long)trial->grouping->root, (long long)trial->gang->minimum);
}

/*
 * Returns the first role that the podgrouper passes over, or else whose replicas never have as many
 * pods as their leaf asks for; SIZE_MAX if there is none.
 */
static size_t
kai_first_lost(const struct kai_trial *trial, bool is_passed_over)
{
    for (size_t i = 0; i < trial->gang->num_roles; i++)
        if (trial->parts[i].is_ours &&
            (is_passed_over ? trial->job->roles[i].is_skipped &&
                                  kai_has(KAI_EXTERNAL_GROUPS, &trial->job->release)
                            : trial->grouping->shape == KAI_SHAPE_TREE &&
                                  kai_pods_of_replica(trial, i) < trial->grouping->minima[i]))
            return i;
    return SIZE_MAX;
}

/* Outcomes that need no simulation: the podgrouper or the API server refuses, or a role is lost. */
static bool
kai_is_hopeless(const struct kai_trial *trial, struct kai_verdict *verdict)
{
    const struct kai_grouping *grouping = trial->grouping;
    const size_t leaf = kai_first_lost(trial, false);
    const size_t skipped = kai_first_lost(trial, true);

    verdict->outcome = KAI_STUCK;
    verdict->role = 0;
    if (grouping->failure) {
        verdict->why =
            arena_format(trial->arena, "the podgrouper creates no group: %s", grouping->failure);
    } else if (skipped != SIZE_MAX) {
        verdict->role = skipped;
        verdict->why = arena_format(
            trial->arena,
            "the pods of role %-.*s are in no group, because the podgrouper passes over them "
            "(kai.scheduler/skip-podgrouper)",
            SLICE_ARG(trial->gang->roles[skipped].name));
    } else if (grouping->root < 1) {
        verdict->why = arena_format(
            trial->arena, "the API server refuses the podgrouper's group, with a minMember of %lld",
            (long long)grouping->root);
    } else if (leaf != SIZE_MAX) {
        verdict->role = leaf;
        verdict->why = arena_format(trial->arena,
                                    "the podgrouper's group waits for %lld pods in each replica of "
                                    "role %-.*s, which has %lld",
                                    (long long)grouping->minima[leaf],
                                    SLICE_ARG(trial->gang->roles[leaf].name),
                                    (long long)kai_pods_of_replica(trial, leaf));
    } else {
        return false;
    }
    return true;
}

struct kai_verdict
kai_judge(const struct kai_job *job, const struct kai_grouping *grouping, const struct gang *gang,
          struct slice scheduler, bool never_stale, struct arena *arena)
{
    struct kai_trial trial = {
        .job = job, .grouping = grouping, .gang = gang, .arena = arena, .never_stale = never_stale};
    struct kai_verdict verdict = {.why = ""};

    if (!grouping->minima || !kai_trial_begin(&trial, scheduler) ||
        kai_is_hopeless(&trial, &verdict))
        return verdict;
    for (size_t i = 0; i < trial.gang->num_roles; i++)
        if (trial.gang->roles[i].stage + 2 > trial.gang_ends)
            trial.gang_ends = trial.gang->roles[i].stage + 2;
    for (size_t i = 0; i < trial.gang->num_roles; i++)
        kai_trial_place(&trial, trial.order[i]);
    /* one epoch more, to see the state after the last roles finish */
    for (uint32_t epoch = 0; epoch <= trial.last_epoch + 1; epoch++) {
        const struct kai_part *stuck = kai_trial_epoch(&trial, epoch);

        if (stuck)
            return (struct kai_verdict){
                .outcome = KAI_STUCK,
                .role = (size_t)(stuck - trial.parts),
                .why = kai_why_stuck(&trial, (size_t)(stuck - trial.parts)),
            };
    }
    verdict = (struct kai_verdict){.why = ""};
    if (!trial.is_whole && gang->minimum > 1) {
        verdict.outcome = KAI_NO_GANG;
        verdict.why = kai_why_no_gang(&trial);
    } else if (trial.stale) {
        verdict.outcome = KAI_EVICTED;
        verdict.role = (size_t)(trial.stale - trial.parts);
        verdict.why = arena_format(
            arena, "the group is stale while role %-.*s has no pods, and evicted after a minute",
            SLICE_ARG(gang->roles[verdict.role].name));
    }
    return verdict;
}
