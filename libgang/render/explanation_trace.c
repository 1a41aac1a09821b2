/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/explanation.h"

enum {
    EXPLAIN_VALUE_WIDTH = 15,
    EXPLAIN_LONGEST_ALIGNED = 30, /* a longer source shifts what is behind it on its line alone */
    EXPLAIN_MOST_UNMATCHED = 5,
};

static size_t
explain_larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static bool
explain_has_verdict(const struct node *candidate, const char *verdict)
{
    return explain_is(candidate, "verdict", verdict);
}

/*
 * Puts "runtime podGroupPolicy.volcano", "trainjob.metadata.labels[a]" or "defaultBackend".
 * "policy" and most "spec" steps are omitted. For a missing member of podGroupPolicy, only this is
 * put.
 */
static void
explain_put_path(struct explain_walk *walk, const struct node *candidate)
{
    struct slice path = explain_text(candidate, "path");
    const bool is_below = slice_take(&path, SLICE("spec."));

    if (explain_has_verdict(candidate, "Unset") && slice_has_prefix(path, SLICE("podGroupPolicy.")))
        path.len = sizeof("podGroupPolicy") - 1;
    if (!explain_is(candidate, "document", "policy"))
        explain_say(walk, candidate, is_below ? "{document} " : "{document}.");
    explain_put(walk, path);
}

/*
 * A source in the policy has a name as its reason ("rule a (Always)"), one in another document its
 * path. What lost has its value and the verdict, too.
 */
static struct slice
explain_candidate(struct explain_walk *walk, const struct node *candidate)
{
    const bool is_chosen = explain_has_verdict(candidate, "Chosen");
    const bool is_overridden = explain_has_verdict(candidate, "Overridden");
    const bool has_value =
        node_at(candidate, "value") && !is_chosen && !explain_has_verdict(candidate, "Unset");

    if (!node_at(candidate, "path") || (is_chosen && explain_is(candidate, "document", "policy"))) {
        explain_say(walk, candidate,
                    !has_value      ? "{reason}"
                    : is_overridden ? "{value} (built in)"
                                    : "{value} ({reason})");
    } else {
        explain_put_path(walk, candidate);
        explain_say(walk, candidate, has_value ? "={value}" : "");
        if (!is_chosen && !is_overridden) {
            struct slice name;

            explain_say(walk, NULL, " (");
            name = explain_text(candidate, "verdict");
            /* Puts "not enabled" of "NotEnabled". */
            for (size_t i = 0; i < name.len; i++) {
                const bool is_upper = ascii_is(name.data[i], ASCII_UPPER);

                explain_put(walk, is_upper && i ? SLICE(" ") : NO_SLICE);
                buffer_append_byte(&walk->cell, (char)(name.data[i] + (is_upper ? 'a' - 'A' : 0)));
            }
            explain_say(walk, candidate,
                        explain_has_verdict(candidate, "Refused") ? "[: {reason}])" : ")");
        }
    }
    explain_put_place_behind(walk, candidate);
    return explain_take(walk);
}

/*
 * The candidates that were chosen, or those that lost to `source`. Those with the same words, such
 * as the members of a podGroupPolicy, are said once.
 */
static struct slice
explain_candidates(struct explain_walk *walk, const struct node *list, bool is_chosen,
                   struct slice source)
{
    struct slice *said = arena_array(walk->rows.arena, node_count(list), sizeof(*said));
    size_t count = 0;

    for (NODE_EACH(candidate, said ? list : NULL)) {
        /*
         * Whether to omit an unset member of podGroupPolicy because another member sets the value.
         */
        if (explain_has_verdict(candidate, "Chosen") != is_chosen ||
            (explain_has_verdict(candidate, "Unset") &&
             slice_has_prefix(explain_text(candidate, "path"), SLICE("spec.podGroupPolicy.")) &&
             slice_has_prefix(source, SLICE("runtime podGroupPolicy."))))
            continue;
        said[count] = explain_candidate(walk, candidate);
        if (!arena_spend(walk->rows.arena, count))
            return SLICE("");
        count += said[count].len && !slice_is_among(said[count], said, count);
    }
    for (size_t i = 0; i < count; i++) {
        explain_say(walk, NULL, i ? ", " : is_chosen ? "" : "over: ");
        explain_put(walk, said[i]);
    }
    return explain_take(walk);
}

/* Whether a document or a default has a value for it, or one was refused. */
static bool
explain_has_value(const struct node *entry)
{
    for (NODE_EACH(candidate, node_at(entry, "candidates")))
        if (!explain_has_verdict(candidate, "Unset"))
            return true;
    return node_at(entry, "value") != NULL;
}

static struct slice
explain_label_of(const struct node *entry)
{
    static const char *const labels[][2] = {
        {"schedulerName", "scheduler"},
        {"priorityClassName", "priority"},
        {"scheduleTimeoutSeconds", "timeout"},
    };

    for (size_t i = 0; i < COUNT_OF(labels); i++)
        if (explain_is(entry, "attribute", labels[i][0]))
            return slice_from_text(labels[i][1]);
    return explain_text(entry, "attribute");
}

void
explain_trace(struct explain_walk *walk, const struct node *trace)
{
    const size_t first = walk->rows.count;
    size_t value_width;
    size_t source_width;

    for (NODE_EACH(entry, trace)) {
        const struct node *candidates = node_at(entry, "candidates");
        struct explanation_row row = {.label = explain_label_of(entry)};

        if (explain_is(entry, "attribute", "members") ||
            (!walk->explained->is_verbose && !explain_has_value(entry)))
            continue;
        explain_say(walk, entry, node_at(entry, "value") ? "{value}" : "none");
        row.cells[0] = explain_take(walk);
        row.cells[1] = explain_candidates(walk, candidates, true, NO_SLICE);
        row.cells[2] = explain_candidates(walk, candidates, false, row.cells[1]);
        explain_add(walk, &row);
    }
    /* Aligns values and sources of the rows from `first` on. */
    value_width = EXPLAIN_VALUE_WIDTH;
    source_width = 0;
    for (size_t i = first; i < walk->rows.count; i++) {
        const struct slice *cells = walk->rows.items[i].cells;

        value_width = explain_larger(value_width, cells[0].len + 3);
        if (cells[1].len <= EXPLAIN_LONGEST_ALIGNED)
            source_width = explain_larger(source_width, cells[1].len + 2);
    }
    for (size_t i = first; i < walk->rows.count; i++) {
        struct explanation_row *row = &walk->rows.items[i];

        explain_pad(row, 0, value_width);
        explain_pad(row, 1, source_width);
        row->pads[1] += row->cells[1].len > EXPLAIN_LONGEST_ALIGNED ? 2 : 0;
    }
}

void
explain_unmatched(struct explain_walk *walk, const struct node *rules)
{
    const size_t count = node_count(rules);
    const bool is_all = walk->explained->is_verbose || count <= EXPLAIN_MOST_UNMATCHED;
    const size_t most = is_all ? count : EXPLAIN_MOST_UNMATCHED - 1;
    size_t shown = 0;

    for (NODE_EACH(rule, rules)) {
        struct slice path = explain_text(rule, "path");

        if (shown == most)
            break;
        /* "match.minNodes" of "spec.rules[2].match.minNodes" */
        for (size_t i = 1; i < path.len; i++)
            if (path.data[i - 1] == ']' && path.data[i] == '.') {
                path = slice_after(path, i + 1);
                break;
            }
        explain_say(walk, rule, "rule {name}: ");
        explain_put(walk, path);
        explain_say(walk, rule, ": {reason}");
        explain_put_place_behind(walk, rule);
        explain_add_line(walk, shown++ ? "" : "no match", NO_SLICE);
    }
    if (is_all)
        return;
    explain_put_number(walk, (int64_t)(count - most));
    explain_say(walk, NULL, " more rules, see -v");
    explain_add_line(walk, "", NO_SLICE);
}

struct slice
explain_members_choice(struct explain_walk *walk)
{
    for (NODE_EACH(entry, node_at(walk->root, "trace"))) {
        if (!explain_is(entry, "attribute", "members") || !node_at(entry, "value"))
            continue;
        explain_say(walk, entry, "members: {value}");
        for (NODE_EACH(candidate, node_at(entry, "candidates")))
            if (explain_has_verdict(candidate, "Chosen") &&
                explain_is(candidate, "document", "policy"))
                explain_say(walk, candidate, " ({reason})");
    }
    return explain_take(walk);
}
