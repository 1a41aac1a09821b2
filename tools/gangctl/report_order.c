/* SPDX-License-Identifier: Apache-2.0 */
#include "report_order.h"

#include <stdbool.h>
#include <string.h>

#include "tree.h"

/*
 * order     stage 0          data 1
 *              v Complete
 *           stage 1  wave 0  node 3      after data is Complete
 *              v Ready
 *                    wave 1  launcher 1  after node is Ready
 */
enum { LABEL_COLUMNS = 10, STAGE_COLUMNS = 9, WAVE_COLUMNS = 8 };

struct order {
    struct json_object *roles;
    int last_stage;
    int last_wave;
    size_t name_columns;
    bool has_edges;
    bool is_first; /* no line was added */
};

static int
number_of(struct json_object *role, const char *key)
{
    return (int)json_object_get_int64(tree_member(role, key));
}

static const char *
or_empty(const char *text)
{
    return text ? text : "";
}

static void
add_name(struct text *out, struct json_object *role)
{
    text_addf(out, "%s %d", or_empty(tree_text(role, "name")), number_of(role, "count"));
}

static struct order
measure(struct json_object *roles)
{
    struct order order = {.roles = roles, .is_first = true};

    for (size_t i = 0; i < tree_length(roles); i++) {
        struct json_object *role = json_object_array_get_idx(roles, i);
        struct text name = {0};

        add_name(&name, role);
        if (name.len > order.name_columns)
            order.name_columns = name.len;
        if (number_of(role, "stage") > order.last_stage)
            order.last_stage = number_of(role, "stage");
        if (number_of(role, "wave") > order.last_wave)
            order.last_wave = number_of(role, "wave");
        if (tree_length(tree_member(role, "dependsOn")))
            order.has_edges = true;
        text_free(&name);
    }
    return order;
}

static void
add_column(struct text *out, const char *word, int number, size_t columns)
{
    struct text cell = {0};

    if (word)
        text_addf(&cell, "%s %d", word, number);
    text_addf(out, "%-*s", (int)columns, word ? cell.data : "");
    text_free(&cell);
}

/* Adds "after a is Ready, b is Complete", aligned. */
static void
add_edges(struct text *out, struct json_object *role, size_t padding)
{
    struct json_object *edges = tree_member(role, "dependsOn");

    if (!tree_length(edges))
        return;
    text_addf(out, "%*s  after", (int)padding, "");
    for (size_t i = 0; i < tree_length(edges); i++) {
        struct json_object *edge = json_object_array_get_idx(edges, i);

        text_addf(out, "%s %s is %s", i ? "," : "", or_empty(tree_text(edge, "role")),
                  or_empty(tree_text(edge, "status")));
    }
}

/* The columns before the name: the stage and the wave are those of the first role in them. */
static void
add_place_in_order(struct text *out, const struct order *order, struct json_object *role,
                   bool starts_stage, bool starts_wave)
{
    text_addf(out, "%-*s", LABEL_COLUMNS, order->is_first ? "order" : "");
    add_column(out, starts_stage ? "stage" : NULL, number_of(role, "stage"), STAGE_COLUMNS);
    if (order->last_wave)
        add_column(out, starts_wave ? "wave" : NULL, number_of(role, "wave"), WAVE_COLUMNS);
}

static void
add_role(struct text *out, struct order *order, struct json_object *role, bool starts_stage,
         bool starts_wave)
{
    struct text name = {0};

    add_place_in_order(out, order, role, starts_stage, starts_wave);
    add_name(&name, role);
    text_add(out, name.data);
    add_edges(out, role, order->name_columns - name.len);
    text_add(out, "\n");
    text_free(&name);
    order->is_first = false;
}

static bool
is_in_wave(struct json_object *role, int stage, int wave)
{
    return number_of(role, "stage") == stage && number_of(role, "wave") == wave;
}

static bool
waits_until_ready(struct json_object *role)
{
    struct json_object *edges = tree_member(role, "dependsOn");

    for (size_t i = 0; i < tree_length(edges); i++)
        if (strcmp(or_empty(tree_text(json_object_array_get_idx(edges, i), "status")), "Ready") ==
            0)
            return true;
    return false;
}

/* What the roles of a wave other than the first wait for. */
static const char *
wave_status(const struct order *order, int stage, int wave)
{
    for (size_t i = 0; i < tree_length(order->roles); i++) {
        struct json_object *role = json_object_array_get_idx(order->roles, i);

        if (is_in_wave(role, stage, wave) && waits_until_ready(role))
            return "Ready";
    }
    return "Scheduled";
}

/* Returns whether there are roles of this stage and wave. */
static bool
add_wave(struct text *out, struct order *order, int stage, int wave, bool starts_stage)
{
    bool is_first = true;

    for (size_t i = 0; i < tree_length(order->roles); i++) {
        struct json_object *role = json_object_array_get_idx(order->roles, i);

        if (!is_in_wave(role, stage, wave))
            continue;
        if (is_first && !order->is_first)
            text_addf(out, "%*s v %s\n", LABEL_COLUMNS, "",
                      starts_stage ? "Complete" : wave_status(order, stage, wave));
        add_role(out, order, role, is_first && starts_stage, is_first);
        is_first = false;
    }
    return !is_first;
}

void
report_order(struct text *out, struct json_object *roles)
{
    struct order order = measure(roles);

    if (!order.has_edges)
        return;
    for (int stage = 0; stage <= order.last_stage; stage++) {
        bool starts_stage = true;

        for (int wave = 0; wave <= order.last_wave; wave++)
            if (add_wave(out, &order, stage, wave, starts_stage))
                starts_stage = false;
    }
}
