/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"
#include "libgang/reconcile/live.h"

bool
live_status_is_read(struct slice group, struct slice kind)
{
    return slice_is_set(job_traits_of(group, kind)->status.ended[0]);
}

/* ---- whether a job has ended ---- */

bool
live_status_is_true(const struct node *status, struct slice type)
{
    const struct node *condition = status_condition(status, type);

    return slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("True"));
}

bool
live_status_has_ended(struct slice group, struct slice kind, const struct node *status)
{
    const struct job_status *rule = &job_traits_of(group, kind)->status;

    for (size_t i = 0; slice_is_set(rule->ended[0]) && i < COUNT_OF(rule->ended); i++)
        if (rule->path ? slice_equal(node_string(node_at(status, rule->path)), rule->ended[i])
                       : live_status_is_true(status, rule->ended[i]))
            return true;
    return false;
}

/* ---- whether a job has pods ---- */

bool
live_status_has_pods(struct slice group, struct slice kind, const struct gang *gang,
                     const struct node *status, struct arena *arena)
{
    const struct job_status *rule = &job_traits_of(group, kind)->status;
    const struct node *counted = node_member(status, rule->counted);

    switch (rule->counts) {
    case COUNTS_OF_ROLES: {
        const struct node_index jobs = node_index_make(counted, arena);

        for (size_t i = 0; i < gang->num_roles; i++) {
            /*
             * Reads counts of Jobs that have pods which have not ended. `active` does not include
             * the ready Jobs.
             */
            const struct node *counts = node_index_find(&jobs, gang->roles[i].name);

            if (gang->parts[i].membership != ROLE_OUTSIDE &&
                (node_int_or(node_member(counts, SLICE("active")), 0) > 0 ||
                 node_int_or(node_member(counts, SLICE("ready")), 0) > 0))
                return true;
        }
        return false;
    }
    case COUNTS_OF_REPLICAS:
        /* All roles of these kinds are members, so their names need not be compared. */
        for (NODE_EACH(type, counted))
            if (node_int_or(node_member(type, SLICE("active")), 0) > 0)
                return true;
        return false;
    case COUNTS_OF_PODS:
        return node_int_or(counted, 0) > 0;
    case COUNTS_NONE:
        break;
    }
    return false;
}

/* Jobs whose gangs have unrelated names have few of them: the components of an AppWrapper. */
enum { GANGS_MOST_NAMES = 64 };

/* After a failed allocation the name may be that of another gang. */
static struct slice
gang_name_at(const struct gang_decision *decision, uint64_t index, struct arena *arena)
{
    struct report unused;
    const struct gang_wishes *job;

    report_init(&unused, arena, decision->limits);
    job = job_document_gang(decision->inputs.job, index, &unused);
    return slice_is_set(job->name) ? job->name : job->owner.name;
}

static void
gang_names_list(struct live_gangs *gangs, const struct gang_decision *decision, struct arena *arena)
{
    const size_t count = gangs->count < GANGS_MOST_NAMES ? (size_t)gangs->count : GANGS_MOST_NAMES;
    struct slice *names = arena_array(arena, count, sizeof(*names));

    gangs->style = GANGS_NAMED;
    for (size_t i = 0; names && i < count; i++)
        names[i] = gang_name_at(decision, i, arena);
    gangs->names = names;
    gangs->num_names = names ? count : 0;
}

/*
 * Whether all gangs are called as the first two are. Users choose the names of components and of
 * groups of pods: `c0`, `c1` and `c1-s1` are the gangs of a Job and of a JobSet with two stages.
 */
static bool
gang_names_agree(struct live_gangs gangs, const struct gang_decision *decision, struct arena *arena)
{
    const struct job_kind *kind = decision->inputs.job->kind;

    if (kind->is_numbered || kind->has_stages)
        return true;
    if (gangs.count > GANGS_MOST_NAMES)
        return false;
    for (gangs.own = 2; gangs.own < gangs.count; gangs.own++)
        if (!slice_equal(gang_name_at(decision, gangs.own, arena),
                         live_gangs_start_of_own(&gangs, arena)))
            return false;
    return true;
}

struct live_gangs
live_gangs_of(const struct gang_decision *decision, struct arena *arena)
{
    const struct job_document *job = decision->inputs.job;
    struct live_gangs gangs = {
        .style = GANGS_ONE, .count = job ? job->num_gangs : 1, .own = decision->gang_index};
    struct slice first;
    struct slice second;
    size_t common = 0;

    /* The one gang of a GangJob whose owner may have others, each with a GangJob of its own. */
    gangs.has_siblings = job && job->kind == &gang_job_job_kind && slice_is_set(job->job.name);
    /* Of a numbered kind with one gang, others may be left over. */
    if (gangs.count < 2 && !(gangs.count && job && job->kind->is_numbered)) {
        if (gangs.has_siblings)
            gang_names_list(&gangs, decision, arena);
        return gangs;
    }
    first = gang_name_at(decision, 0, arena);
    second = gang_name_at(decision, 1, arena);
    if (arena_failed(arena))
        return gangs;
    while (common < first.len && common < second.len && first.data[common] == second.data[common])
        common++;
    /* Names that differ in a number alone: 0 in the first, 1 in the second. */
    if (first.len == second.len && common < first.len && first.data[common] == '0' &&
        second.data[common] == '1' &&
        memcmp(first.data + common + 1, second.data + common + 1, first.len - common - 1) == 0) {
        gangs.style = GANGS_NUMBERED;
        gangs.start = (struct slice){first.data, common};
    } else if (slice_has_prefix(second, first) &&
               slice_equal(slice_after(second, first.len), SLICE("-s1"))) {
        gangs.style = GANGS_OF_STAGES;
        gangs.start = first;
    }
    if (gangs.style == GANGS_ONE || !gang_names_agree(gangs, decision, arena))
        gang_names_list(&gangs, decision, arena);
    return gangs;
}

/* ---- the gang of an object ---- */

/* Backends add to the name of a gang: `<gang>.<namespace>`, `<gang>-<template>-<hash>`. */
static bool
gang_name_ends(char next)
{
    return next == '-' || next == '.';
}

/* Returns the number at the end of the name of a gang. */
static uint64_t
gang_number(struct slice text)
{
    struct slice digits = {text.data, 0};
    int64_t number;

    while (digits.len < text.len && !gang_name_ends(text.data[digits.len]))
        digits.len++;
    return integer_parse(digits, &number) ? (uint64_t)number : LIVE_GANG_UNKNOWN;
}

/* The group of a role outside the gang under KAI: `<role>.<gang>.<namespace>`. */
static struct slice
gang_name_after_role(struct slice object)
{
    const size_t dot = slice_find(object, '.');

    return dot < object.len ? slice_after(object, dot + 1) : object;
}

static uint64_t
gang_number_in(const struct live_gangs *gangs, struct slice object)
{
    uint64_t number;

    if (gangs->style == GANGS_NAMED) {
        /* The longest name wins: `a-b-c` is of the gang `a-b` rather than of `a`. */
        const bool knows_all = gangs->num_names == gangs->count;
        uint64_t found = LIVE_GANG_UNKNOWN;
        size_t len = 0;

        for (size_t i = 0; i < gangs->num_names; i++) {
            const struct slice name = gangs->names[i];

            if (slice_equal(name, object))
                return i;
            if (knows_all && name.len > len && object.len > name.len &&
                slice_has_prefix(object, name) && gang_name_ends(object.data[name.len])) {
                found = i;
                len = name.len;
            }
        }
        return found;
    }
    if (!slice_take(&object, gangs->start))
        return LIVE_GANG_UNKNOWN;
    if (gangs->style == GANGS_NUMBERED)
        return gang_number(object);
    /* What is behind the start is empty, or what a stage or a backend adds. */
    if (object.len && !gang_name_ends(object.data[0]))
        return LIVE_GANG_UNKNOWN;
    number = slice_take(&object, SLICE("-s")) ? gang_number(object) : 0;
    return number == LIVE_GANG_UNKNOWN ? 0 : number;
}

uint64_t
live_gang_of(const struct live_gangs *gangs, struct slice object)
{
    uint64_t number;

    if (gangs->style == GANGS_ONE)
        return gangs->own;
    number = gang_number_in(gangs, object);
    return number == LIVE_GANG_UNKNOWN ? gang_number_in(gangs, gang_name_after_role(object))
                                       : number;
}

struct slice
live_gangs_start_of_own(const struct live_gangs *gangs, struct arena *arena)
{
    const bool is_numbered = gangs->style == GANGS_NUMBERED;

    if (gangs->own == 0 || (!is_numbered && gangs->style != GANGS_OF_STAGES))
        return NO_SLICE;
    return ARENA_SLICE(arena, "%.*s%s%llu", SLICE_ARG(gangs->start), is_numbered ? "" : "-s",
                       (unsigned long long)gangs->own);
}

/* Whether a name is `<gang>.<namespace>`. */
static bool
gang_is_with_namespace(struct slice gang, struct slice name, struct slice namespace_)
{
    return slice_take(&name, gang) && slice_take(&name, SLICE(".")) &&
           slice_equal(name, namespace_);
}

bool
live_gang_is_certain(const struct live_gangs *gangs, const struct live_object *object)
{
    const struct backend_updates *updates;
    struct slice own;
    size_t rank;
    bool is_named;

    if (!gangs->has_siblings || gangs->style != GANGS_NAMED)
        return true;
    if (!gangs->num_names)
        return false; /* there is no memory for them */
    own = gangs->names[0];
    updates = backend_of_kind(object->group, object->kind, &rank)->updates;
    if (updates->names_have_namespace)
        return gang_is_with_namespace(own, object->name, object->namespace_) ||
               gang_is_with_namespace(own, gang_name_after_role(object->name), object->namespace_);
    is_named = slice_equal(own, object->name);
    /* An object may name the gang's first object, as a PodGroup its Workload. */
    for (size_t i = 0; i < updates->num_references; i++)
        is_named |= slice_equal(node_text(node_at(object->root, updates->references[i].path)), own);
    return is_named;
}
