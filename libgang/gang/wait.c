/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "libgang/document/document.h"

/* ---- wording ---- */

static void
wording_put(struct wording *words, struct slice text)
{
    size_t room = sizeof(words->text) - 1 - words->len;
    size_t len = text.len < room ? text.len : room;

    slice_copy_text(words->text + words->len, (struct slice){text.data, len});
    words->len += len;
    words->text[words->len] = '\0';
}

void
wording_add_text(struct wording *words, const char *text)
{
    wording_put(words, slice_from_text(text));
}

static void
wording_put_name(struct wording *words, const char *joint, struct slice name)
{
    struct quoted quoted;

    if (words->len)
        wording_add_text(words, joint);
    if (sizeof(words->text) - words->len >= QUOTED_SIZE)
        words->len += quote_put_text(words->text + words->len, name);
    else
        wording_add_text(words, quote(&quoted, name));
}

void
wording_add(struct wording *words, const char *joint, struct slice name)
{
    if (words->len < WORDING_FULL)
        wording_put_name(words, joint, name);
    else
        words->left_out++;
}

static void
wording_put_left_out(struct wording *words, const char *before, const char *after)
{
    char number[INTEGER_TEXT_SIZE];

    if (!words->left_out)
        return;
    wording_add_text(words, before);
    wording_put(words, integer_format((int64_t)words->left_out, number));
    wording_add_text(words, after);
    words->left_out = 0;
}

void
wording_add_last(struct wording *words, const char *joint, struct slice name)
{
    wording_put_left_out(words, " ... (", " more)");
    wording_put_name(words, joint, name);
}

const char *
wording_end_list(struct wording *words)
{
    wording_put_left_out(words, " and ", " more");
    return words->text;
}

/* ---- wait ---- */

static const char *const wait_status_words[] = {
    [DEPENDENCY_READY] = " to be Ready",
    [DEPENDENCY_COMPLETE] = " to be Complete",
    [DEPENDENCY_SCHEDULED] = " to be Scheduled",
};

static const struct dependency *
wait_first_edge(const struct role *role)
{
    for (size_t e = 0; e < role->num_dependencies; e++)
        if (role->dependencies[e].index != ROLE_NONE)
            return &role->dependencies[e];
    return NULL;
}

/* struct wording shortens a long chain to its two ends. */
static void
wait_add_step(struct wording *words, const struct dependency *edge, bool is_first, bool is_last)
{
    size_t left_out = words->left_out;
    const char *joint = is_first ? " waits for " : ", which waits for ";

    if (is_last)
        wording_add_last(words, joint, edge->role);
    else
        wording_add(words, joint, edge->role);
    if (words->left_out <= left_out)
        wording_add_text(words, wait_status_words[edge->status]);
}

const char *
wait_in_words(const struct role *roles, size_t count, size_t role, struct arena *arena)
{
    const struct dependency *edge = wait_first_edge(&roles[role]);
    struct wording words;
    struct slice text;

    if (!edge)
        return "";
    wording_start(&words);
    wording_add(&words, "", roles[role].name);
    for (size_t steps = 0; edge && steps < count; steps++) {
        const struct dependency *next = wait_first_edge(&roles[edge->index]);

        wait_add_step(&words, edge, steps == 0, !next || steps + 1 == count);
        edge = next;
    }
    text = arena_copy(arena, (struct slice){words.text, words.len});
    return text.data ? text.data : "";
}

/* The state before the gang starts. */
struct wait_state {
    const struct gang *gang;
    bool *created;       /* NULL: every role, because none waits for another */
    int64_t marked_pods; /* pods that exist and are held until the minimum exists */
};

static bool
wait_is_held(const struct wait_state *state, size_t role)
{
    return state->gang->parts[role].membership != ROLE_OUTSIDE;
}

static bool
wait_is_created(const struct wait_state *state, size_t role)
{
    return !state->created || state->created[role];
}

/* Returns the first dependency that cannot be reached before the gang starts. */
static const struct dependency *
wait_blocking_edge(const struct wait_state *state, const struct role *role)
{
    for (size_t e = 0; e < role->num_dependencies; e++) {
        const struct dependency *edge = &role->dependencies[e];

        if (edge->index == ROLE_NONE)
            continue;
        if (!wait_is_created(state, edge->index) || wait_is_held(state, edge->index))
            return edge;
    }
    return NULL;
}

/*
 * Returns the first member that is created, or creates its other pods, only after the gang has
 * started.
 */
static const struct role *
wait_missing_member(const struct wait_state *state)
{
    for (size_t i = 0; i < state->gang->num_roles; i++)
        if (wait_is_held(state, i) &&
            (!wait_is_created(state, i) ||
             role_pods_at_first(&state->gang->roles[i]) < state->gang->roles[i].count))
            return &state->gang->roles[i];
    return NULL;
}

int64_t
gang_sum_of_role_minima(const struct gang *gang)
{
    int64_t sum = 0;

    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER)
            sum = integer_add_capped(sum, gang_pods_of_minimum(gang, &gang->roles[i]));
    return sum;
}

/*
 * Whether as many pods of the gang can exist as must start together. Where the operator's counts
 * apply, a negative number of nodes can make the minimum 0 or less, which needs no pod.
 */
static bool
wait_can_fill(struct wait_state *state, struct arena *arena)
{
    const struct gang *gang = state->gang;
    const uint32_t *order = gang->wishes->start_order;
    const bool needs_each =
        !gang_is_compatible(gang) && gang->minimum == gang_sum_of_role_minima(gang);

    if (order) {
        state->created = arena_array(arena, gang->num_roles, sizeof(*state->created));
        if (!state->created)
            return true;
    }
    for (size_t i = 0; i < gang->num_roles; i++) {
        const size_t index = order ? order[i] : i;
        const struct role *role = &gang->roles[index];
        const int64_t most = role_first_count(role);
        int64_t pods = role_pods_at_first(role);

        if (order)
            state->created[index] = !wait_blocking_edge(state, role);
        if (!wait_is_created(state, index) || !wait_is_held(state, index))
            continue;
        /*
         * A minimum that is the sum of those of the roles needs each of them: more pods of an
         * elastic role are no substitute for others.
         */
        if (needs_each && gang->parts[index].membership == ROLE_MEMBER && most < pods)
            pods = most;
        state->marked_pods = integer_add_capped(state->marked_pods, pods);
    }
    return gang->minimum <= 0 || state->marked_pods >= gang->minimum;
}

void
wait_check_gang(const struct gang *gang, struct report *report)
{
    struct wait_state state = {.gang = gang};
    const struct role *missing;
    const struct dependency *first;

    if (wait_can_fill(&state, report->arena))
        return;
    missing = wait_missing_member(&state);
    first = missing ? wait_blocking_edge(&state, missing) : NULL;
    if (!missing) {
        /* Every pod of the gang exists, and the minimum that the documents set is greater. */
        find_invalid(report, gang->wishes->minimum_source, MESSAGE_VALUE_OUT_OF_RANGE_MEMBERS,
                     (long long)gang->members);
    } else if (first) {
        struct wording words;

        /* the chain to a role that exists and is held: the gang waits for itself */
        wording_start(&words);
        wording_add(&words, "", missing->name);
        for (const struct dependency *next, *edge = first; edge; edge = next) {
            next = wait_blocking_edge(&state, &gang->roles[edge->index]);
            wait_add_step(&words, edge, edge == first, !next);
        }
        find_note(report, first->source, MESSAGE_STRUCTURAL_DEADLOCK_ROLE, words.text,
                  (long long)gang->minimum, (long long)state.marked_pods);
    } else {
        find_note(report, missing->source, MESSAGE_STRUCTURAL_DEADLOCK_PODS,
                  SLICE_ARG(missing->name), (long long)(missing->count - missing->first_count),
                  (long long)missing->count, (long long)missing->first_count,
                  (long long)gang->minimum, (long long)state.marked_pods);
    }
}

size_t
wait_chain(const struct gang *gang, struct arena *arena, size_t *chain)
{
    struct wait_state state = {.gang = gang};
    const struct role *role = wait_can_fill(&state, arena) ? NULL : wait_missing_member(&state);
    size_t count = 0;

    while (role && count < gang->num_roles) {
        const struct dependency *edge = wait_blocking_edge(&state, role);

        chain[count++] = (size_t)(role - gang->roles);
        role = edge ? &gang->roles[edge->index] : NULL;
    }
    return count;
}
