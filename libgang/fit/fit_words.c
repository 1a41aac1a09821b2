/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/fit/fit.h"

#include "libgang/gang/gang.h"

/* What is said of the room for pods, with the numbers. */

static const char *
fit_text(const struct fit *fit, struct slice text)
{
    return arena_format(fit->arena, "%.*s", SLICE_ARG(text));
}

const char *
fit_amount(const struct fit *fit, const struct fit_type *type, size_t resource, int64_t count)
{
    const struct slice name = fit->resources[resource];
    const struct quantity *request = resource_list_get(&type->requests, name);
    struct quantity amount = {.units = count,
                              .format = request ? request->format : QUANTITY_DECIMAL_SI};
    char text[QUANTITY_TEXT_SIZE];

    if (slice_equal(name, SLICE("cpu"))) {
        amount.nanos = (uint32_t)((count % 1000 + 1000) % 1000) * 1000000;
        amount.units = count / 1000 - (count % 1000 < 0);
    }
    return fit_text(fit, quantity_print(&amount, text));
}

const char *
fit_nodes_in_words(const struct fit *fit, int64_t count)
{
    return arena_format(fit->arena, "%lld node%s", (long long)count, count == 1 ? "" : "s");
}

static struct fit_shortage
fit_shortage_in(const struct fit *fit, const struct fit_type *type, size_t resource,
                enum fit_moment moment, int64_t *lacking)
{
    struct fit_shortage one = {.resource = resource};

    *lacking = 0;
    for (size_t i = 0; i < fit->num_nodes; i++) {
        const struct fit_node *node = &fit->nodes[i];
        const int64_t free = fit_free(node, resource, moment);

        if (!fit_may_take(type, i, moment) || fit_is_unbounded(fit, type, node, resource))
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

struct fit_shortage
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

const char *
fit_names_of(const struct fit *fit, unsigned types)
{
    struct wording names = {0};

    for (size_t i = 0; i < fit->num_types; i++)
        if (types & 1U << i)
            wording_add(&names, " and ", fit->types[i].name);
    return arena_format(fit->arena, "%s", names.text);
}

const char *
fit_sum_in_words(const struct fit *fit, const struct fit_failure *failure)
{
    const size_t resource = failure->resource - 1;
    const struct fit_type *type = &fit->types[0];

    for (size_t i = 0; i < fit->num_types; i++)
        if (failure->types & 1U << i && fit->types[i].needs[resource] > 0)
            type = &fit->types[i];
    return arena_format(
        fit->arena, "%s need %s %.*s together, and can use %s on the nodes",
        fit_names_of(fit, failure->types), fit_amount(fit, type, resource, failure->wanted),
        SLICE_ARG(fit->resources[resource]), fit_amount(fit, type, resource, failure->usable));
}

struct fit_words
fit_exclusion_in_words(const struct fit *fit, const struct fit_type *type)
{
    return (struct fit_words){
        .reason = FIT_NODES_EXCLUDED,
        .values = {arena_format(
            fit->arena,
            "of %s %lld do not match the selector or affinity of %s, %lld have a taint that it "
            "does not tolerate, and %lld are cordoned or not ready",
            fit_nodes_in_words(fit, (int64_t)fit->num_nodes), (long long)type->by[FIT_OTHER_LABELS],
            type->called, (long long)type->by[FIT_TAINTED], (long long)type->by[FIT_LATER])}};
}

static struct fit_words
fit_size_in_words(const struct fit *fit, const struct fit_type *type)
{
    struct fit_words words = {.reason = FIT_TOO_LARGE,
                              .shortage = fit_shortage_of(fit, type, FIT_EVER)};
    const size_t resource = words.shortage.resource;
    const struct fit_node *best = words.shortage.best;
    const char *need = "1";
    const char *name = "pods";
    const char *has = "0";

    if (!best)
        return words;
    words.values[0] = type->called;
    words.values[1] = fit_amount(fit, type, resource, type->needs[resource]);
    words.values[2] = fit_text(fit, fit->resources[resource]);
    words.values[3] = fit_nodes_in_words(fit, fit_eligible_count(fit, type, FIT_EVER));
    words.values[4] = fit_amount(fit, type, resource, words.shortage.largest);
    if (words.shortage.largest < type->needs[resource])
        return words;
    /* The node with the most of the resource has too little of another, or no place for a pod. */
    for (size_t i = 0; i < fit->num_resources; i++)
        if (!fit_is_unbounded(fit, type, best, i) && best->has[i] < type->needs[i]) {
            need = fit_amount(fit, type, i, type->needs[i]);
            name = fit_text(fit, fit->resources[i]);
            has = fit_amount(fit, type, i, best->has[i]);
        }
    words.values[2] = arena_format(fit->arena, "%s and %s %s", words.values[2], need, name);
    words.values[4] = arena_format(fit->arena, "%s and %s", words.values[4], has);
    return words;
}

struct fit_words
fit_never_in_words(const struct fit *fit, const struct fit_failure *failure)
{
    const struct fit_type *type = fit_single_type(fit, failure);
    const int64_t eligible = type ? fit_eligible_count(fit, type, FIT_EVER) : 0;
    bool is_several;

    if (type && !eligible)
        return fit_exclusion_in_words(fit, type);
    if (type && !failure->room)
        return fit_size_in_words(fit, type);
    if (type && (type->has_host_port || type->is_apart) && eligible < failure->demand)
        return (struct fit_words){
            .reason = FIT_ONE_PER_NODE,
            .values = {arena_format(fit->arena, "%lld are needed, and %lld may take one",
                                    (long long)failure->demand, (long long)eligible)}};
    is_several = fit->num_types > 1;
    return (struct fit_words){
        .reason = FIT_NEVER_TOGETHER,
        .values = {arena_format(fit->arena, "%lld pods%s%s", (long long)failure->demand,
                                is_several ? " of " : "",
                                is_several ? fit_names_of(fit, failure->types) : ""),
                   fit_nodes_in_words(fit, (int64_t)fit->num_nodes),
                   failure->resource ? fit_sum_in_words(fit, failure)
                                     : arena_format(fit->arena, "at most %lld of them",
                                                    (long long)failure->room)}};
}
