/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* What is said of the room for the gang, with the numbers. */

static const char *
fit_amount(const struct fit *fit, size_t resource, int64_t count, enum quantity_format format)
{
    char text[QUANTITY_TEXT_SIZE];
    struct quantity amount = {.units = count, .format = format};

    if (slice_equal(fit->resources[resource], SLICE("cpu"))) {
        amount.nanos = (uint32_t)((count % 1000 + 1000) % 1000) * 1000000;
        amount.units = count / 1000 - (count % 1000 < 0);
    }

    return why_text(fit->why, quantity_print(&amount, text));
}

/* "1 node", "8 nodes". */
static const char *
fit_nodes_in_words(const struct fit *fit, int64_t count)
{
    return arena_format(fit->why->arena, "%lld node%s", (long long)count, count == 1 ? "" : "s");
}

/* The numbers are those of the nodes; what a scheduler has said of the same cause is evidence. */
static struct why_cause *
fit_prove(struct fit *fit, enum gang_code code, const char *const *values)
{
    struct why_cause *cause = why_add(fit->why, CERTAINTY_PROVEN, code, values);

    if (cause->row->code == code && cause->certainty != CERTAINTY_PROVEN)
        why_restate(fit->why, cause, values);
    why_count(cause, "nodes", (int64_t)fit->num_nodes);
    why_count(cause, "needed", fit->needed);
    why_count(cause, "room", fit_room(fit, (1U << fit->num_types) - 1, FIT_NOW));
    return cause;
}
#define FIT_PROVE(fit, code, ...) fit_prove(fit, code, (const char *const[]){__VA_ARGS__, NULL})

/* The resource of a type of which most nodes that may take it have too little. */
struct fit_shortage {
    size_t resource;
    const struct fit_node *best; /* NULL: there is no such resource */
    int64_t largest;
    int64_t sum;
};

static struct fit_shortage
fit_shortage_in(const struct fit *fit, const struct fit_type *type, size_t resource,
                enum fit_moment moment, int64_t *lacking)
{
    struct fit_shortage one = {.resource = resource};

    *lacking = 0;
    for (size_t i = 0; i < fit->num_nodes; i++) {
        const struct fit_node *node = &fit->nodes[i];
        const int64_t free = fit_free(node, resource, moment);

        if (!fit_may_take(type, i, moment) || node->has[resource] == FIT_UNKNOWN)
            continue;
        *lacking += free < type->needs[resource];
        one.sum = integer_add_capped(one.sum, free > 0 ? free : 0);
        if (!one.best || free > one.largest) {
            one.best = node;
            one.largest = free;
        }
    }
    return one;
}

static struct fit_shortage
fit_shortage_of(const struct fit *fit, const struct fit_type *type, enum fit_moment moment)
{
    struct fit_shortage worst = {0};
    int64_t most = 0;

    for (size_t i = 0; i < fit->num_resources; i++) {
        int64_t lacking;
        const struct fit_shortage one = fit_shortage_in(fit, type, i, moment, &lacking);

        if (type->needs[i] > 0 && lacking > most) {
            most = lacking;
            worst = one;
        }
    }
    return worst;
}

static enum quantity_format
fit_format_of(const struct fit_type *type, struct slice resource)
{
    for (size_t i = 0; i < type->requests.count; i++)
        if (slice_equal(type->requests.items[i].name, resource))
            return type->requests.items[i].quantity.format;
    return QUANTITY_DECIMAL_SI;
}

static void
fit_show(const struct fit *fit, struct why_cause *cause, const struct fit_shortage *shortage)
{
    const struct node *value =
        shortage->best ? node_at(shortage->best->object->root, "status.allocatable") : NULL;

    value = node_member(value, fit->resources[shortage->resource]);
    if (value)
        why_show_words(cause, shortage->best->object, path_of(fit->why->arena, value),
                       node_text(value));
}

static void
fit_say_excluded(struct fit *fit, const struct fit_type *type)
{
    struct diagnosis *why = fit->why;

    FIT_PROVE(
        fit, GANG_CODE_NODES_EXCLUDED,
        arena_format(why->arena,
                     "of %s %lld do not match the selector or affinity of %s, %lld have a taint "
                     "that it does not tolerate, and %lld are cordoned or not ready",
                     fit_nodes_in_words(fit, (int64_t)fit->num_nodes),
                     (long long)type->by[FIT_OTHER_LABELS], why_name(why, type->pod),
                     (long long)type->by[FIT_TAINTED], (long long)type->by[FIT_LATER]));
}

static void
fit_say_too_large(struct fit *fit, const struct fit_type *type)
{
    const struct fit_shortage shortage = fit_shortage_of(fit, type, FIT_EVER);
    struct diagnosis *why = fit->why;
    enum quantity_format format;

    if (!shortage.best)
        return;
    format = fit_format_of(type, fit->resources[shortage.resource]);
    fit_show(fit,
             FIT_PROVE(fit, GANG_CODE_POD_TOO_LARGE, why_name(why, type->pod),
                       fit_amount(fit, shortage.resource, type->needs[shortage.resource], format),
                       why_text(why, fit->resources[shortage.resource]),
                       fit_nodes_in_words(fit, fit_eligible_count(fit, type, FIT_EVER)),
                       fit_amount(fit, shortage.resource, shortage.largest, format)),
             &shortage);
}

/* A resource that no node has: a wrong name, a device plugin that is down, or a DeviceClass. */
static void
fit_say_nowhere(struct fit *fit, const struct fit_type *type)
{
    struct diagnosis *why = fit->why;

    for (size_t i = 0; i < fit->num_resources; i++) {
        const struct slice name = fit->resources[i];
        bool is_there = false;
        const char *amount;

        for (size_t k = 0; k < fit->num_nodes && !is_there; k++)
            is_there = fit->nodes[k].has[i] != 0 || fit->nodes[k].is_virtual;
        if (is_there || !fit_is_extended(name) || type->needs[i] <= 0)
            continue;
        amount = fit_amount(fit, i, type->needs[i], fit_format_of(type, name));
        if (fit_is_said_to_lack(type, name))
            FIT_PROVE(fit, GANG_CODE_RESOURCE_NOWHERE, why_name(why, type->pod), amount,
                      why_text(why, name), why_number(why, (int64_t)fit->num_nodes));
        else
            WHY_ADD(why, CERTAINTY_LIKELY, GANG_CODE_RESOURCE_NOWHERE, why_name(why, type->pod),
                    amount, why_text(why, name), why_number(why, (int64_t)fit->num_nodes));
    }
}

/* "pods of worker and server". */
static const char *
fit_names_of(const struct fit *fit, unsigned types)
{
    const struct diagnosis *why = fit->why;
    struct wording names = {0};

    for (size_t i = 0; i < fit->num_types; i++)
        if (types & 1U << i)
            wording_add(&names, " and ",
                        fit->types[i].role == ROLE_NONE ? fit->types[i].pod->name
                                                        : why->roles[fit->types[i].role].name);
    return arena_format(why->arena, "%s", names.text);
}

/* The sum of a resource that types need and cannot have together. */
static const char *
fit_sum_words(const struct fit *fit, const struct fit_failure *failure)
{
    const struct slice name = fit->resources[failure->resource - 1];
    enum quantity_format format = QUANTITY_DECIMAL_SI;

    for (size_t i = 0; i < fit->num_types; i++)
        if (failure->types & 1U << i && fit->types[i].needs[failure->resource - 1] > 0)
            format = fit_format_of(&fit->types[i], name);
    return arena_format(fit->why->arena, "%s need %s %.*s together, and can use %s on the nodes",
                        fit_names_of(fit, failure->types),
                        fit_amount(fit, failure->resource - 1, failure->wanted, format),
                        SLICE_ARG(name),
                        fit_amount(fit, failure->resource - 1, failure->usable, format));
}

static const char *
fit_now_words(const struct fit *fit, const struct fit_failure *failure, bool by_preemption)
{
    const char *words;

    if (failure->resource)
        words = fit_sum_words(fit, failure);
    else
        words = arena_format(
            fit->why->arena,
            "%lld pods%s%s must start together, and there is room for %lld of them on %s now",
            (long long)failure->demand, fit->num_types > 1 ? " of " : "",
            fit->num_types > 1 ? fit_names_of(fit, failure->types) : "", (long long)failure->room,
            fit_nodes_in_words(fit, (int64_t)fit->num_nodes));
    return by_preemption
               ? arena_format(fit->why->arena,
                              "%s; without the pods of lower priority they do not fit either",
                              words)
               : words;
}

static const struct fit_type *
fit_single_type(const struct fit *fit, const struct fit_failure *failure)
{
    for (size_t i = 0; i < fit->num_types; i++)
        if (failure->types == 1U << i && !failure->resource)
            return &fit->types[i];
    return NULL;
}

static void
fit_say_not_now(struct fit *fit, const struct fit_failure *failure, bool by_preemption)
{
    const struct fit_type *type = fit_single_type(fit, failure);
    struct fit_shortage shortage = {0};
    struct diagnosis *why = fit->why;

    if (type && !fit_eligible_count(fit, type, FIT_NOW)) {
        fit_say_excluded(fit, type);
        return;
    }
    if (type)
        shortage = fit_shortage_of(fit, type, FIT_NOW);
    if (shortage.best && !failure->room && shortage.sum >= type->needs[shortage.resource]) {
        const struct slice name = fit->resources[shortage.resource];
        const enum quantity_format format = fit_format_of(type, name);

        fit_show(
            fit,
            FIT_PROVE(fit, GANG_CODE_FRAGMENTED, why_text(why, name),
                      fit_amount(fit, shortage.resource, shortage.sum, format),
                      fit_amount(fit, shortage.resource, type->needs[shortage.resource], format),
                      fit_amount(fit, shortage.resource, shortage.largest, format)),
            &shortage);
        return;
    }
    fit_show(fit, FIT_PROVE(fit, GANG_CODE_NO_ROOM_NOW, fit_now_words(fit, failure, by_preemption)),
             &shortage);
}

static void
fit_say_never(struct fit *fit, const struct fit_failure *failure)
{
    const struct fit_type *type = fit_single_type(fit, failure);
    struct diagnosis *why = fit->why;
    const int64_t eligible = type ? fit_eligible_count(fit, type, FIT_EVER) : 0;

    if (type && !eligible)
        fit_say_excluded(fit, type);
    else if (type && !failure->room)
        fit_say_too_large(fit, type);
    else if (type && (type->has_host_port || type->is_apart) && eligible < failure->demand)
        FIT_PROVE(fit, GANG_CODE_ONE_PER_NODE,
                  arena_format(why->arena, "%lld are needed, and %lld may take one",
                               (long long)failure->demand, (long long)eligible));
    else
        FIT_PROVE(fit, GANG_CODE_NEVER_TOGETHER,
                  fit->num_types > 1
                      ? arena_format(why->arena, "%lld pods of %s", (long long)failure->demand,
                                     fit_names_of(fit, failure->types))
                      : arena_format(why->arena, "%lld pods", (long long)failure->demand),
                  fit_nodes_in_words(fit, (int64_t)fit->num_nodes),
                  failure->resource
                      ? fit_sum_words(fit, failure)
                      : arena_format(why->arena, "at most %lld of them", (long long)failure->room));
}

static void
fit_say_domain(struct fit *fit, const struct fit_failure *best)
{
    struct diagnosis *why = fit->why;
    const char *words =
        best->domain
            ? arena_format(
                  why->arena,
                  "%lld pods must be in one \"%.*s\", and the best, \"%.*s\", has room for "
                  "%lld of them",
                  (long long)best->demand, SLICE_ARG(fit->topology_key),
                  SLICE_ARG(node_text(best->domain)), (long long)best->room)
            : arena_format(why->arena, "no node has the label \"%.*s\"",
                           SLICE_ARG(fit->topology_key));

    FIT_PROVE(fit, GANG_CODE_TOPOLOGY_TOO_SMALL, words);
}

static void
fit_build(struct fit *fit, const char *answer)
{
    const unsigned all = (1U << fit->num_types) - 1;
    struct builder map = build_map(fit->why->arena);
    int64_t eligible = 0;

    for (size_t i = 0; i < fit->num_nodes; i++) {
        bool is_eligible = false;

        for (size_t k = 0; k < fit->num_types; k++)
            is_eligible |= fit_may_take(&fit->types[k], i, FIT_NOW);
        eligible += is_eligible;
    }
    build_string(&map, SLICE("answer"), slice_from_text(answer));
    build_int(&map, SLICE("nodes"), (int64_t)fit->num_nodes);
    build_int(&map, SLICE("eligible"), eligible);
    build_int(&map, SLICE("types"), (int64_t)fit->num_types);
    build_int(&map, SLICE("needed"), fit->needed);
    build_int(&map, SLICE("room"), fit_room(fit, all, FIT_NOW));
    build_int(&map, SLICE("roomWhenEmpty"), fit_room(fit, all, FIT_EVER));
    fit->why->fit = map.node;
}

/* Whether the scheduler evicts pods for their priority alone. */
static bool
fit_preempts(const struct fit *fit)
{
    const struct descriptor *scheduler = fit->why->group.scheduler;

    return scheduler && scheduler->preempts_by_priority;
}

/* Adds the causes that the conditions prove. */
static const char *
fit_judge(struct fit *fit)
{
    struct fit_failure failure;
    struct fit_failure unused;
    bool by_preemption;

    if (!fit_holds_in(fit, FIT_EVER, &failure)) {
        fit_say_never(fit, &failure);
        return "Never";
    }
    if (fit->topology_key.len && !fit_domains_hold(fit, FIT_EVER, &failure)) {
        fit_say_domain(fit, &failure);
        return "Never";
    }
    if (!fit_holds_in(fit, FIT_NOW, &failure)) {
        by_preemption = fit_preempts(fit) && !fit_holds_in(fit, FIT_BY_PREEMPTION, &unused);
        fit_say_not_now(fit, &failure, by_preemption);
        return by_preemption ? "NotByPreemption" : "NotNow";
    }
    if (fit->topology_key.len && !fit_domains_hold(fit, FIT_NOW, &failure)) {
        by_preemption = fit_preempts(fit) && !fit_domains_hold(fit, FIT_BY_PREEMPTION, &unused);
        fit_say_domain(fit, &failure);
        return by_preemption ? "NotByPreemption" : "NotNow";
    }
    fit->why->may_fit = true;
    return "CannotTell";
}

void
fit_answer(struct fit *fit)
{
    for (size_t i = 0; i < fit->num_types; i++)
        fit_say_nowhere(fit, &fit->types[i]);
    fit_build(fit, fit_judge(fit));
}
