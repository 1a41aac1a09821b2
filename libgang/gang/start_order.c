/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "libgang/document/document.h"

static size_t
start_order_count_edges(const struct role *roles, size_t count)
{
    size_t edges = 0;

    for (size_t i = 0; i < count; i++)
        edges += roles[i].num_dependencies;
    return edges;
}

enum { START_ORDER_FEW = 16 }; /* up to which a search one by one is faster than sorting */

/*
 * Returns the first role of this name. The front end reports duplicate names. `sorted` are the
 * roles by name; NULL if they are few.
 */
static size_t
start_order_find(const struct role *roles, size_t count, const void *const *sorted,
                 struct slice name)
{
    const struct role *role;
    size_t low;

    if (!sorted) {
        role = FIND_TEXT(roles, count, name, name);
        return role ? (size_t)(role - roles) : ROLE_NONE;
    }
    low = sorted_search(sorted, count, &name, slice_compare_first, NULL);
    role = low < count ? sorted[low] : NULL;
    return role && slice_equal(role->name, name) ? (size_t)(role - roles) : ROLE_NONE;
}

/*
 * Tarjan's algorithm for strongly connected components, without recursion, over the edges from a
 * role to the roles it waits for. A component is closed after all components that it leads to, so
 * the order of closing is a start order. A component of several roles contains cycles.
 */
struct start_order_mark {
    uint32_t entered; /* 1-based; 0: not visited */
    uint32_t lowest;
    uint32_t component; /* 1-based; 0: still open */
    bool is_passed;     /* on the way to a cycle that is reported */
};

struct start_order_frame {
    uint32_t role;
    uint32_t edge;
};

struct start_order_walk {
    const struct role *roles;
    struct start_order_mark *marks;
    struct start_order_frame *frames;
    uint32_t *open;
    uint32_t *order;
    size_t depth;
    size_t num_open;
    uint32_t num_entered;
    uint32_t num_ordered;
    uint32_t num_components;
};

static void
start_order_enter(struct start_order_walk *walk, uint32_t role)
{
    struct start_order_mark *mark = &walk->marks[role];

    mark->entered = mark->lowest = ++walk->num_entered;
    walk->open[walk->num_open++] = role;
    walk->frames[walk->depth++] = (struct start_order_frame){.role = role};
}

static void
start_order_lower(struct start_order_mark *mark, uint32_t value)
{
    if (value < mark->lowest)
        mark->lowest = value;
}

static void
start_order_close_component(struct start_order_walk *walk, uint32_t root)
{
    uint32_t component = ++walk->num_components;
    uint32_t role;

    do {
        role = walk->open[--walk->num_open];
        walk->marks[role].component = component;
        walk->order[walk->num_ordered++] = role;
    } while (role != root);
}

static void
start_order_walk_from(struct start_order_walk *walk, uint32_t root)
{
    start_order_enter(walk, root);
    while (walk->depth) {
        struct start_order_frame *frame = &walk->frames[walk->depth - 1];

        if (frame->edge < walk->roles[frame->role].num_dependencies) {
            size_t next = walk->roles[frame->role].dependencies[frame->edge++].index;

            if (next != ROLE_NONE) {
                if (!walk->marks[next].entered)
                    start_order_enter(walk, (uint32_t)next);
                else if (!walk->marks[next].component)
                    start_order_lower(&walk->marks[frame->role], walk->marks[next].entered);
            }
        } else {
            uint32_t role = walk->frames[--walk->depth].role;
            const struct start_order_mark *mark = &walk->marks[role];

            if (walk->depth)
                start_order_lower(&walk->marks[walk->frames[walk->depth - 1].role], mark->lowest);
            if (mark->lowest == mark->entered)
                start_order_close_component(walk, role);
        }
    }
}

static bool
start_order_walk_all(struct start_order_walk *walk, const struct role *roles, size_t count,
                     struct arena *arena)
{
    *walk = (struct start_order_walk){
        .roles = roles,
        .marks = arena_array(arena, count, sizeof(*walk->marks)),
        .frames = arena_array(arena, count, sizeof(*walk->frames)),
        .open = arena_array(arena, count, sizeof(*walk->open)),
        .order = arena_array(arena, count, sizeof(*walk->order)),
    };
    if (arena_failed(arena))
        return false;
    for (uint32_t i = 0; i < count; i++)
        if (!walk->marks[i].entered)
            start_order_walk_from(walk, i);
    return true;
}

/*
 * Returns the start order of roles of which each waits only for roles before it, as most are
 * written: the walk would close them in their own order. NULL for others.
 */
static const uint32_t *
start_order_as_written(const struct role *roles, size_t count, struct arena *arena)
{
    uint32_t *order;

    for (size_t i = 0; i < count; i++)
        for (size_t e = 0; e < roles[i].num_dependencies; e++)
            if (roles[i].dependencies[e].index >= i)
                return NULL;
    order = arena_take_array(arena, count, sizeof(*order));
    for (uint32_t i = 0; order && i < count; i++)
        order[i] = i;
    return order;
}

const uint32_t *
start_order_sort(const struct role *roles, size_t count, struct arena *arena)
{
    const uint32_t *order;
    struct start_order_walk walk;

    if (!start_order_count_edges(roles, count))
        return NULL;
    order = start_order_as_written(roles, count, arena);
    if (order || !start_order_walk_all(&walk, roles, count, arena))
        return order;
    return walk.order;
}

/* Returns the first edge that stays inside the role's component and is not a self-edge. */
static const struct dependency *
start_order_knot_edge(const struct start_order_walk *walk, size_t role)
{
    const struct role *waiting = &walk->roles[role];

    for (size_t e = 0; e < waiting->num_dependencies; e++) {
        const struct dependency *edge = &waiting->dependencies[e];

        if (edge->index != ROLE_NONE && edge->index != role &&
            walk->marks[edge->index].component == walk->marks[role].component)
            return edge;
    }
    return NULL;
}

static bool
start_order_report_self_edges(const struct role *roles, size_t role, struct report *report)
{
    bool found = false;

    for (size_t e = 0; e < roles[role].num_dependencies; e++) {
        if (roles[role].dependencies[e].index != role)
            continue;
        found = true;
        find_note(report, roles[role].dependencies[e].source, MESSAGE_START_ORDER_CYCLE_ITSELF,
                  SLICE_ARG(roles[role].name));
    }
    return found;
}

/* Reports one cycle of each component. After it is fixed, the next run reports the next cycle. */
static bool
start_order_report_cycles(struct start_order_walk *walk, size_t count, struct report *report)
{
    bool *told = arena_array(report->arena, (size_t)walk->num_components + 1, sizeof(*told));
    bool found = false;

    for (size_t i = 0; i < count; i++) {
        uint32_t component = walk->marks[i].component;
        size_t first;
        const struct dependency *edge;
        const struct node *source;
        struct wording words;

        found |= start_order_report_self_edges(walk->roles, i, report);
        if (!start_order_knot_edge(walk, i))
            continue;
        found = true;
        if (!told || told[component])
            continue;
        told[component] = true;
        /* Every role of the component has an edge inside it, so these edges end in a cycle. */
        for (first = i; !walk->marks[first].is_passed;
             first = start_order_knot_edge(walk, first)->index)
            walk->marks[first].is_passed = true;
        edge = start_order_knot_edge(walk, first);
        source = edge->source;
        wording_start(&words);
        wording_add(&words, "", walk->roles[first].name);
        for (; edge->index != first; edge = start_order_knot_edge(walk, edge->index))
            wording_add(&words, " waits for ", edge->role);
        wording_add_last(&words, " waits for ", edge->role);
        find_note(report, source, MESSAGE_START_ORDER_CYCLE_ROLES, words.text);
    }
    return found;
}

bool
start_order_link(struct role *roles, size_t count, struct report *report, const uint32_t **order)
{
    struct start_order_walk walk;
    const void **sorted = NULL; /* by name */

    *order = NULL;
    if (!start_order_count_edges(roles, count))
        return true;
    if (count > START_ORDER_FEW)
        sorted = stable_sort_array(roles, count, sizeof(*roles), slice_compare_first, NULL,
                                   report->arena);
    if (arena_failed(report->arena))
        return false;
    for (size_t i = 0; i < count; i++) {
        struct role *role = &roles[i];

        for (size_t e = 0; e < role->num_dependencies; e++) {
            struct dependency *edge = &role->dependencies[e];

            edge->index = start_order_find(roles, count, sorted, edge->role);
            if (edge->index == ROLE_NONE)
                find_note(report, edge->source, MESSAGE_UNKNOWN_DEPENDENCY, SLICE_ARG(role->name),
                          SLICE_ARG(edge->role));
        }
    }
    *order = start_order_as_written(roles, count, report->arena);
    if (*order)
        return true;
    if (!start_order_walk_all(&walk, roles, count, report->arena))
        return false;
    if (start_order_report_cycles(&walk, count, report))
        return false;
    *order = walk.order;
    return true;
}

void
start_order_check_counts(struct role *roles, size_t count, struct report *report)
{
    for (size_t i = 0; i < count; i++) {
        struct role *role = &roles[i];

        for (size_t e = 0; e < role->num_dependencies; e++) {
            struct dependency *edge = &role->dependencies[e];
            const struct role *before = edge->index == ROLE_NONE ? NULL : &roles[edge->index];

            if (before && before->count == 0) {
                find_note(report, edge->source, MESSAGE_EMPTY_DEPENDENCY_PODS,
                          SLICE_ARG(role->name), SLICE_ARG(edge->role));
                edge->index = ROLE_NONE;
            } else if (before && edge->status == DEPENDENCY_READY && role_is_elastic(before)) {
                find_note(report, edge->source, MESSAGE_READY_OF_ELASTIC_ROLE,
                          SLICE_ARG(role->name), (long long)before->count, SLICE_ARG(before->name),
                          (long long)role_min_count(before));
            }
        }
    }
}

void
start_order_stages(struct role *roles, size_t count, const uint32_t *order)
{
    for (size_t i = 0; i < count; i++)
        roles[i].stage = 0;
    for (size_t i = 0; order && i < count; i++) {
        struct role *role = &roles[order[i]];

        for (size_t e = 0; e < role->num_dependencies; e++) {
            const struct dependency *edge = &role->dependencies[e];
            const uint32_t behind =
                edge->index == ROLE_NONE
                    ? 0
                    : roles[edge->index].stage + (edge->status == DEPENDENCY_COMPLETE);

            if (behind > role->stage)
                role->stage = behind;
        }
    }
}

void
start_order_waves(const struct role *roles, struct role_part *parts, size_t count,
                  const uint32_t *order)
{
    if (!order)
        return;
    /* `wave` is the number of members on the longest path to a role, without itself, at first */
    for (size_t i = 0; i < count; i++) {
        const struct role *role = &roles[order[i]];
        uint32_t most = 0;

        for (size_t e = 0; e < role->num_dependencies; e++) {
            const size_t before = role->dependencies[e].index;

            if (before != ROLE_NONE &&
                parts[before].wave + (parts[before].membership != ROLE_OUTSIDE) > most)
                most = parts[before].wave + (parts[before].membership != ROLE_OUTSIDE);
        }
        parts[order[i]].wave = most;
    }
    for (size_t i = 0; i < count; i++)
        if (parts[i].membership == ROLE_OUTSIDE)
            parts[i].wave = 0;
}

bool
start_order_settle(struct role *roles, size_t count, struct arena *arena, const uint32_t **order)
{
    struct report unread;

    report_init(&unread, arena, &standard_limits);
    if (!start_order_link(roles, count, &unread, order) || unread.count) {
        *order = NULL;
        return false;
    }
    start_order_stages(roles, count, *order);
    return !arena_failed(arena);
}
