/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/fit/fit.h"

#include "libgang/gang/gang.h"

/*
 * Whether pods that must start together fit. Every test here is a condition that each placement
 * meets, so one that fails is a proof; see fit_nodes.c for what a node takes.
 */

/* ---- the types of the pods ---- */

static bool
fit_are_alike(const struct node *a, const struct node *b)
{
    static const struct slice parts[] = {SLICE_INIT("nodeSelector"),  SLICE_INIT("affinity"),
                                         SLICE_INIT("tolerations"),   SLICE_INIT("overhead"),
                                         SLICE_INIT("resources"),     SLICE_INIT("containers"),
                                         SLICE_INIT("initContainers")};

    for (size_t i = 0; i < COUNT_OF(parts); i++)
        if (!node_equal(node_member(a, parts[i]), node_member(b, parts[i])))
            return false;
    return true;
}

/* The amounts of these are not those of the scheduler's filter for resources. */
static bool
fit_is_out_of_reach(const struct node *metadata, const struct node *spec)
{
    const struct node *annotations = node_member(metadata, SLICE("annotations"));

    return node_count(node_member(spec, SLICE("resourceClaims"))) ||
           node_member(annotations, SLICE("gpu-fraction")) ||
           node_member(annotations, SLICE("gpu-memory"));
}

/* Pods of a role are of one type, unless they differ: those of an index can ask for more. */
struct fit_type *
fit_type_of(struct fit *fit, size_t role, const struct node *metadata, const struct node *spec)
{
    struct fit_type *type;

    for (size_t i = 0; i < fit->num_types; i++)
        if (fit->types[i].role == role && fit_are_alike(fit->types[i].spec, spec) &&
            fit->types[i].is_apart == fit_is_apart(metadata, spec))
            return &fit->types[i];
    if (fit->num_types == FIT_MOST_TYPES || fit_is_out_of_reach(metadata, spec))
        return NULL;
    type = &fit->types[fit->num_types++];
    *type = (struct fit_type){.metadata = metadata, .spec = spec, .role = role};
    fit_read_pod(type);
    return type;
}

void
fit_read_resources(struct fit *fit)
{
    size_t most = 1;

    for (size_t i = 0; i < fit->num_types; i++)
        most += fit->types[i].requests.count;
    fit->resources = arena_array(fit->arena, most, sizeof(*fit->resources));
    fit->is_offered = arena_array(fit->arena, most, sizeof(*fit->is_offered));
    for (size_t i = 0; fit->resources && i < fit->num_types; i++)
        for (size_t k = 0; k < fit->types[i].requests.count; k++)
            if (!slice_is_among(fit->types[i].requests.items[k].name, fit->resources,
                                fit->num_resources))
                fit->resources[fit->num_resources++] = fit->types[i].requests.items[k].name;
    for (size_t i = 0; i < fit->num_types; i++) {
        struct fit_type *type = &fit->types[i];

        type->needs = arena_array(fit->arena, fit->num_resources + 1, sizeof(*type->needs));
        for (size_t k = 0; type->needs && k < fit->num_resources; k++) {
            const struct quantity *need = resource_list_get(&type->requests, fit->resources[k]);

            type->needs[k] = need ? fit_count_of(need, fit->resources[k]) : 0;
        }
    }
}

void
fit_reserve_nodes(struct fit *fit, size_t count)
{
    fit->nodes = arena_array(fit->arena, count + 1, sizeof(*fit->nodes));
}

/* ---- conditions of every placement ---- */

/* How many pods of the types must start, whatever becomes of the others. */
static int64_t
fit_demand(const struct fit *fit, unsigned types)
{
    int64_t others = 0;

    for (size_t i = 0; i < fit->num_types; i++)
        others += types & 1U << i ? 0 : fit->types[i].count;
    return fit->needed > others ? fit->needed - others : 0;
}

int64_t
fit_room(const struct fit *fit, unsigned types, enum fit_moment moment)
{
    int64_t room = 0;

    for (size_t i = fit->from; i < fit->to; i++)
        room = integer_add_capped(room, fit_capacity_of_any(fit, types, i, moment));
    return room;
}

int64_t
fit_eligible_count(const struct fit *fit, const struct fit_type *type, enum fit_moment moment)
{
    int64_t count = 0;

    for (size_t i = fit->from; i < fit->to; i++)
        count += fit_may_take(type, i, moment);
    return count;
}

/* One type that must start, or all of them, against what each node takes of them. */
static bool
fit_counts_hold(const struct fit *fit, enum fit_moment moment, struct fit_failure *failure)
{
    const unsigned all = (1U << fit->num_types) - 1;

    for (size_t i = 0; i <= fit->num_types; i++) {
        const unsigned types = i < fit->num_types ? 1U << i : all;
        const int64_t demand = fit_demand(fit, types);

        if (!demand)
            continue;
        failure->types = types;
        failure->demand = demand;
        failure->room = fit_room(fit, types, moment);
        if (failure->room < demand)
            return false;
    }
    return true;
}

const struct fit_type *
fit_single_type(const struct fit *fit, const struct fit_failure *failure)
{
    for (size_t i = 0; i < fit->num_types; i++)
        if (failure->types == 1U << i && !failure->resource)
            return &fit->types[i];
    return NULL;
}

/* Sets of more types cost much and show little: of many types the pairs, and all of them. */
static bool
fit_is_worth_it(const struct fit *fit, unsigned types)
{
    unsigned count = 0;

    for (size_t i = 0; i < fit->num_types; i++)
        count += (types >> i) & 1U;
    return fit->num_types <= 4 || count == 2 || count == fit->num_types;
}

static bool
fit_sum_holds(const struct fit *fit, unsigned types, size_t resource, enum fit_moment moment,
              struct fit_failure *failure)
{
    int64_t wanted = 0;
    int64_t usable = 0;

    for (size_t i = 0; i < fit->num_types; i++)
        if (types & 1U << i)
            wanted =
                integer_add_capped(wanted, integer_multiply_capped(fit->types[i].needs[resource],
                                                                   fit_demand(fit, 1U << i)));
    for (size_t i = fit->from; wanted && i < fit->to; i++)
        usable = integer_add_capped(usable, fit_usable(fit, types, i, resource, moment));
    if (usable >= wanted)
        return true;
    failure->resource = resource + 1;
    failure->wanted = wanted;
    failure->usable = usable;
    return false;
}

/*
 * The nodes as sinks of one resource, the types as sources: the flow is large enough if no set of
 * types asks for more than the nodes have for it (min-cut over the sets of types).
 */
static bool
fit_sums_hold(const struct fit *fit, enum fit_moment moment, struct fit_failure *failure)
{
    const unsigned all = (1U << fit->num_types) - 1;

    for (unsigned types = 1; types <= all; types++) {
        if (!fit_is_worth_it(fit, types))
            continue;
        *failure = (struct fit_failure){.types = types, .demand = fit_demand(fit, types)};
        failure->room = failure->demand ? fit_room(fit, types, moment) : 0;
        if (failure->room < failure->demand)
            return false;
        for (size_t i = 0; i < fit->num_resources; i++)
            if (!fit_sum_holds(fit, types, i, moment, failure))
                return false;
    }
    return true;
}

/* Beyond this many steps two types are looked at as more of them are. */
enum { FIT_MOST_WORK = 10000000 };

/* The most pods of the second type beside each number of the first, over the nodes so far. */
static void
fit_add_pairs(const struct fit *fit, int64_t *best, int64_t *next, size_t node,
              enum fit_moment moment)
{
    const int64_t count = fit->types[0].count;

    for (int64_t x = 0; x <= count; x++)
        next[x] = -1;
    for (int64_t k = 0; k <= count && k <= fit->types[0].capacity[moment][node]; k++) {
        const int64_t beside = fit_capacity_beside(fit, k, node, moment);

        for (int64_t x = k; x <= count; x++)
            if (best[x - k] >= 0 && best[x - k] + beside > next[x])
                next[x] = best[x - k] + beside;
    }
    memcpy(best, next, (size_t)(count + 1) * sizeof(*best));
}

/* Exact for two types, as far as the filters are known. */
static bool
fit_pairs_hold(struct fit *fit, enum fit_moment moment, struct fit_failure *failure)
{
    const int64_t count = fit->types[0].count;
    const int64_t *capacity = fit->types[0].capacity[moment];
    const size_t size = (size_t)count + 1;
    int64_t work = fit->num_types == 2 ? 0 : FIT_MOST_WORK;
    int64_t *best;
    int64_t *next;
    int64_t most = 0;

    for (size_t i = fit->from; i < fit->to && work < FIT_MOST_WORK; i++)
        work += ((capacity[i] < count ? capacity[i] : count) + 2) * (count + 1);
    if (work >= FIT_MOST_WORK || !arena_spend(fit->arena, (uint64_t)work / 8))
        return true;
    best = arena_array(fit->arena, size, sizeof(*best));
    next = arena_array(fit->arena, size, sizeof(*next));
    if (!best || !next)
        return true;
    for (int64_t x = 1; x <= count; x++)
        best[x] = -1;
    for (size_t i = fit->from; i < fit->to; i++)
        fit_add_pairs(fit, best, next, i, moment);
    for (int64_t x = 0; x <= count; x++) {
        const int64_t second = best[x] < fit->types[1].count ? best[x] : fit->types[1].count;

        if (best[x] >= 0 && x + second > most)
            most = x + second;
    }
    *failure = (struct fit_failure){.types = 3, .demand = fit->needed, .room = most};
    return most >= fit->needed;
}

bool
fit_holds_in(struct fit *fit, enum fit_moment moment, struct fit_failure *failure)
{
    *failure = (struct fit_failure){0};
    return fit_counts_hold(fit, moment, failure) &&
           (fit->num_types == 1 ||
            (fit_sums_hold(fit, moment, failure) && fit_pairs_hold(fit, moment, failure)));
}

/* ---- domains of a topology ---- */

static int
fit_compare_domains(const void *left, const void *right, const void *context)
{
    const struct node *a = ((const struct fit_node *)left)->domain;
    const struct node *b = ((const struct fit_node *)right)->domain;

    (void)context;
    return !a || !b ? (a != NULL) - (b != NULL) : slice_compare(node_text(a), node_text(b));
}

/* Puts the nodes of a domain together, those without one first. */
static void
fit_read_domains(struct fit *fit)
{
    struct fit_node *nodes = arena_array(fit->arena, fit->num_nodes + 1, sizeof(*nodes));
    const void **sorted;

    if (!fit->topology_key.len || !nodes)
        return;
    for (size_t i = 0; i < fit->num_nodes; i++)
        fit->nodes[i].domain = node_member(fit->nodes[i].labels, fit->topology_key);
    sorted = stable_sort_array(fit->nodes, fit->num_nodes, sizeof(*nodes), fit_compare_domains,
                               NULL, fit->arena);
    if (!sorted)
        return;
    for (size_t i = 0; i < fit->num_nodes; i++)
        nodes[i] = *(const struct fit_node *)sorted[i];
    fit->nodes = nodes;
}

/*
 * Whether one of the domains holds all. Members that are gone could choose again, so they decide
 * for now only.
 */
bool
fit_domains_hold(struct fit *fit, enum fit_moment moment, struct fit_failure *best)
{
    const unsigned all = (1U << fit->num_types) - 1;
    const struct slice chosen = moment == FIT_EVER ? NO_SLICE : fit->chosen_domain;
    bool holds = false;

    *best = (struct fit_failure){.demand = fit->needed};
    for (size_t start = 0; start < fit->num_nodes && !holds; start = fit->to) {
        const struct node *domain = fit->nodes[start].domain;
        struct fit_failure failure;
        int64_t room;

        fit->from = start;
        fit->to = start + 1;
        while (fit->to < fit->num_nodes &&
               fit_compare_domains(&fit->nodes[start], &fit->nodes[fit->to], NULL) == 0)
            fit->to++;
        if (!domain || (chosen.len && !slice_equal(chosen, node_text(domain))))
            continue;
        holds = fit_holds_in(fit, moment, &failure);
        room = fit_room(fit, all, moment);
        if (!best->domain || room > best->room) {
            best->room = failure.types == all && failure.room < room ? failure.room : room;
            best->domain = domain;
        }
    }
    fit->from = 0;
    fit->to = fit->num_nodes;
    return holds;
}

bool
fit_measure(struct fit *fit)
{
    fit->to = fit->num_nodes;
    fit_read_domains(fit);
    fit_read_eligible(fit);
    if (!arena_failed(fit->arena))
        fit_read_capacities(fit);
    return !arena_failed(fit->arena);
}
