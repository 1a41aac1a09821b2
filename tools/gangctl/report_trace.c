/* SPDX-License-Identifier: Apache-2.0 */
#include "report.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    const char *attribute;
    const char *label;
} attribute_labels[] = {
    {"schedulerName", "scheduler"},
    {"priorityClassName", "priority"},
    {"scheduleTimeoutSeconds", "timeout"},
};

static const char *
attribute_label(const char *attribute)
{
    for (size_t i = 0; i < sizeof(attribute_labels) / sizeof(*attribute_labels); i++) {
        if (strcmp(attribute_labels[i].attribute, attribute) == 0)
            return attribute_labels[i].label;
    }
    return attribute;
}

static const char *
trace_text(struct json_object *object, const char *key)
{
    struct json_object *value = json_object_object_get(object, key);

    return value ? json_object_get_string(value) : NULL;
}

static size_t
list_length(struct json_object *list)
{
    return json_object_is_type(list, json_type_array) ? json_object_array_length(list) : 0;
}

void
add_place(struct text *out, const struct origin *origin, unsigned long line, unsigned long column)
{
    struct spot spot;

    if (!origin || !origin->is_place || !line)
        return;
    spot = spot_of(origin, (uint32_t)line, (uint32_t)column);
    text_addf(out, "%s:%lu", spot.file, (unsigned long)spot.line);
    if (spot.column)
        text_addf(out, ":%lu", (unsigned long)spot.column);
    text_add(out, " ");
}

/* By the trace's name for a type of document. */
static const struct origin *
named_origin(const struct origins *origins, const char *document)
{
    for (int type = GANG_DOCUMENT_NONE + 1; document && gang_document_type_name(type); type++)
        if (strcmp(gang_document_type_name(type), document) == 0)
            return origins_of(origins, type);
    return NULL;
}

static const char *
or_nothing(const char *text)
{
    return text ? text : "";
}

static bool
has_verdict(struct json_object *candidate, const char *verdict)
{
    return strcmp(or_nothing(trace_text(candidate, "verdict")), verdict) == 0;
}

static bool
is_of_policy(struct json_object *candidate)
{
    return strcmp(or_nothing(trace_text(candidate, "document")), "policy") == 0;
}

/*
 * Adds "runtime podGroupPolicy.volcano", "trainjob.metadata.labels[a]" or "defaultBackend".
 * "policy" and most "spec" steps are omitted. For a missing member of podGroupPolicy, only this is
 * printed.
 */
static void
add_path(struct text *out, struct json_object *candidate)
{
    const char *path = trace_text(candidate, "path");
    const char *shown = strncmp(path, "spec.", 5) == 0 ? path + 5 : path;
    size_t len = strlen(shown);

    if (has_verdict(candidate, "Unset") && strncmp(shown, "podGroupPolicy.", 15) == 0)
        len = strlen("podGroupPolicy");
    if (!is_of_policy(candidate))
        text_addf(out, "%s%s", or_nothing(trace_text(candidate, "document")),
                  shown == path ? "." : " ");
    text_add_bytes(out, shown, len);
}

/*
 * Adds the source of a value: the name in the policy ("rule a (Always)"), otherwise its path,
 * otherwise the reason.
 */
static void
add_source(struct text *out, struct json_object *candidate)
{
    if (trace_text(candidate, "path") && !is_of_policy(candidate))
        add_path(out, candidate);
    else
        text_add(out, or_nothing(trace_text(candidate, "reason")));
}

/* Adds " (not enabled)", " (refused: rule a)"; nothing for an overridden value. */
static void
add_verdict(struct text *out, struct json_object *candidate)
{
    const char *verdict = or_nothing(trace_text(candidate, "verdict"));

    if (strcmp(verdict, "Overridden") == 0)
        return;
    text_add(out, " (");
    for (const char *c = verdict; *c; c++) {
        bool is_upper = *c >= 'A' && *c <= 'Z';
        char lower = (char)(is_upper ? *c - 'A' + 'a' : *c);

        if (is_upper && c > verdict)
            text_add(out, " ");
        text_add_bytes(out, &lower, 1);
    }
    if (has_verdict(candidate, "Refused") && trace_text(candidate, "reason"))
        text_addf(out, ": %s", trace_text(candidate, "reason"));
    text_add(out, ")");
}

static void
add_loser(struct text *out, struct json_object *candidate)
{
    const char *value = trace_text(candidate, "value");

    if (!trace_text(candidate, "path") && value && has_verdict(candidate, "Overridden")) {
        text_addf(out, "%s (built in)", value);
        return;
    }
    if (!trace_text(candidate, "path")) {
        bool is_set = value && !has_verdict(candidate, "Unset");

        text_addf(out, is_set ? "%s (%s)" : "%s%s", is_set ? value : "",
                  or_nothing(trace_text(candidate, "reason")));
        return;
    }
    add_path(out, candidate);
    if (value && !has_verdict(candidate, "Unset"))
        text_addf(out, "=%s", value);
    add_verdict(out, candidate);
}

/* A rule names no document: it is one of the policy. */
static void
add_place_behind(struct text *out, struct json_object *candidate, const struct origins *origins)
{
    struct json_object *line = json_object_object_get(candidate, "line");
    const char *document = trace_text(candidate, "document");
    struct text place = {0};

    add_place(&place, named_origin(origins, document ? document : "policy"),
              (unsigned long)json_object_get_int64(line), 0);
    if (place.len)
        text_addf(out, " [%.*s]", (int)place.len - 1, place.data);
    text_free(&place);
}

/* One line of the report in its columns. */
struct trace_line {
    const char *label;
    const char *value;
    struct text source;
    struct text losers;
};

/*
 * Adds the text, after a comma, unless the list has it: candidates that lost for the same reason,
 * such as the members of a podGroupPolicy, are printed once.
 */
static void
add_once(struct text *list, const struct text *said)
{
    for (const char *at = list->len ? strstr(list->data, said->data) : NULL; at;
         at = strstr(at + 1, said->data)) {
        char next = at[said->len];

        if (next == '\0' || (next == ',' && at[said->len + 1] == ' '))
            return;
    }
    text_addf(list, "%s%s", list->len ? ", " : "", said->data);
}

static void
add_candidate(struct trace_line *line, struct json_object *candidate, const struct origins *places)
{
    bool is_chosen = has_verdict(candidate, "Chosen");
    struct text said = {0};

    text_add(&said, "");
    if (is_chosen)
        add_source(&said, candidate);
    else
        add_loser(&said, candidate);
    if (places)
        add_place_behind(&said, candidate, places);
    if (said.len)
        add_once(is_chosen ? &line->source : &line->losers, &said);
    text_free(&said);
}

/* Whether to omit an unset member of podGroupPolicy because another member sets the value. */
static bool
is_idle(struct json_object *candidate, const struct trace_line *line)
{
    const char *path = or_nothing(trace_text(candidate, "path"));

    return has_verdict(candidate, "Unset") && strncmp(path, "spec.podGroupPolicy.", 20) == 0 &&
           strncmp(line->source.data, "runtime podGroupPolicy.", 23) == 0;
}

static struct trace_line
trace_line_of(struct json_object *entry, const struct origins *places)
{
    struct json_object *candidates = json_object_object_get(entry, "candidates");
    const char *value = trace_text(entry, "value");
    struct trace_line line = {
        .label = attribute_label(or_nothing(trace_text(entry, "attribute"))),
        .value = value ? value : "none",
    };

    text_add(&line.source, "");
    for (size_t i = 0; i < list_length(candidates); i++) {
        if (has_verdict(json_object_array_get_idx(candidates, i), "Chosen"))
            add_candidate(&line, json_object_array_get_idx(candidates, i), places);
    }
    for (size_t i = 0; i < list_length(candidates); i++) {
        struct json_object *candidate = json_object_array_get_idx(candidates, i);

        if (!has_verdict(candidate, "Chosen") && !is_idle(candidate, &line))
            add_candidate(&line, candidate, places);
    }
    return line;
}

static bool
is_told_elsewhere(struct json_object *entry)
{
    return strcmp(or_nothing(trace_text(entry, "attribute")), "members") == 0;
}

/* Whether no document or default has a value for it, and none was refused. */
static bool
is_without_value(struct json_object *entry)
{
    struct json_object *candidates = json_object_object_get(entry, "candidates");

    for (size_t i = 0; i < list_length(candidates); i++)
        if (!has_verdict(json_object_array_get_idx(candidates, i), "Unset"))
            return false;
    return !trace_text(entry, "value");
}

/* A long source shifts the losing candidates only on its own line. */
enum { VALUE_WIDTH = 15, LABEL_WIDTH = 10, LONGEST_ALIGNED = 30 };

static size_t
larger(size_t a, size_t b)
{
    return a > b ? a : b;
}

static void
add_trace_line(struct text *out, const struct trace_line *line, size_t value_width,
               size_t source_width)
{
    text_addf(out, "%-*s%-*s", LABEL_WIDTH, line->label, (int)value_width, line->value);
    if (line->losers.len)
        text_addf(out, "%-*s%sover: %s", (int)source_width, line->source.data,
                  line->source.len > LONGEST_ALIGNED ? "  " : "", line->losers.data);
    else
        text_add(out, line->source.data);
    while (out->data[out->len - 1] == ' ')
        out->data[--out->len] = '\0';
    text_add(out, "\n");
}

void
report_trace(struct text *out, struct json_object *trace, const struct origins *origins,
             bool with_places)
{
    size_t count = list_length(trace);
    struct trace_line *lines = must_reallocate(NULL, count + 1, sizeof(*lines));
    size_t value_width = VALUE_WIDTH;
    size_t source_width = 0;
    size_t num_lines = 0;

    for (size_t i = 0; i < count; i++) {
        struct json_object *entry = json_object_array_get_idx(trace, i);

        if (!is_told_elsewhere(entry) && (with_places || !is_without_value(entry)))
            lines[num_lines++] = trace_line_of(entry, with_places ? origins : NULL);
    }
    for (size_t i = 0; i < num_lines; i++) {
        value_width = larger(value_width, strlen(lines[i].value) + 3);
        if (lines[i].source.len <= LONGEST_ALIGNED)
            source_width = larger(source_width, lines[i].source.len + 2);
    }
    for (size_t i = 0; i < num_lines; i++) {
        add_trace_line(out, &lines[i], value_width, source_width);
        text_free(&lines[i].source);
        text_free(&lines[i].losers);
    }
    free(lines);
}

/* ---- rules that do not match ---- */

enum { MOST_UNMATCHED = 5 };

/* Adds "big: match.minNodes: the job has 2 nodes". */
static void
add_unmatched(struct text *out, struct json_object *rule)
{
    const char *path = or_nothing(trace_text(rule, "path"));
    const char *field = strstr(path, "].");

    text_addf(out, "rule %s: %s: %s", or_nothing(trace_text(rule, "name")),
              field ? field + 2 : path, or_nothing(trace_text(rule, "reason")));
}

void
report_unmatched(struct text *out, struct json_object *rules, const struct origins *origins,
                 bool with_places)
{
    size_t count = list_length(rules);
    size_t shown = with_places || count <= MOST_UNMATCHED ? count : MOST_UNMATCHED - 1;

    for (size_t i = 0; i < shown; i++) {
        struct json_object *rule = json_object_array_get_idx(rules, i);

        text_addf(out, "%-*s", LABEL_WIDTH, i ? "" : "no match");
        add_unmatched(out, rule);
        if (with_places)
            add_place_behind(out, rule, origins);
        text_add(out, "\n");
    }
    if (shown < count)
        text_addf(out, "%-*s%zu more rules, see -v\n", LABEL_WIDTH, "", count - shown);
}

void
add_members_choice(struct text *out, struct json_object *trace)
{
    for (size_t i = 0; i < list_length(trace); i++) {
        struct json_object *entry = json_object_array_get_idx(trace, i);
        struct json_object *candidates = json_object_object_get(entry, "candidates");

        if (!is_told_elsewhere(entry) || !trace_text(entry, "value"))
            continue;
        text_add(out, trace_text(entry, "value"));
        for (size_t j = 0; j < list_length(candidates); j++) {
            struct json_object *candidate = json_object_array_get_idx(candidates, j);

            if (has_verdict(candidate, "Chosen") && is_of_policy(candidate))
                text_addf(out, " (%s)", or_nothing(trace_text(candidate, "reason")));
        }
    }
}
