/* SPDX-License-Identifier: Apache-2.0 */
#include "report_trace.h"

#include <string.h>

static const struct {
    const char *attribute;
    const char *label;
} attribute_labels[] = {
    {"schedulerName", "scheduler"},
    {"priorityClassName", "priority"},
    {"scheduleTimeoutSeconds", "timeout"},
    {"members", "counting"},
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

static const struct origin *
named_origin(const struct origins *origins, const char *document)
{
    if (document && strcmp(document, "runtime") == 0)
        return &origins->runtime;
    if (document && strcmp(document, "trainjob") == 0)
        return &origins->trainjob;
    if (document && strcmp(document, "podgang") == 0)
        return &origins->podgang;
    if (document && strcmp(document, "podcliqueset") == 0)
        return &origins->podcliqueset;
    if (document && strcmp(document, "policy") == 0)
        return &origins->policy;
    return NULL;
}

static unsigned long
number(struct json_object *object, const char *key)
{
    return (unsigned long)json_object_get_int64(json_object_object_get(object, key));
}

void
add_place(struct text *out, struct json_object *object, const struct origins *origins)
{
    const struct origin *origin = named_origin(origins, trace_text(object, "document"));
    unsigned long line = number(object, "line");

    if (!origin || !origin->is_place || !line)
        return;
    text_addf(out, "%s:%lu", origin->file, origin->lines_before + line);
    if (number(object, "column"))
        text_addf(out, ":%lu", number(object, "column"));
    text_add(out, " ");
}

static bool
is_chosen(struct json_object *candidate)
{
    const char *verdict = trace_text(candidate, "verdict");

    return verdict && strcmp(verdict, "Chosen") == 0;
}

/* What a candidate is called: where it was read, else why it is there. */
static void
add_candidate_name(struct text *out, struct json_object *candidate)
{
    const char *document = trace_text(candidate, "document");
    const char *path = trace_text(candidate, "path");
    const char *reason = trace_text(candidate, "reason");

    if (path)
        text_addf(out, "%s%s%s", document ? document : "", document ? " " : "", path);
    else
        text_add(out, reason ? reason : document ? document : "built in");
}

static void
add_chosen(struct text *out, struct json_object *candidates, const struct origins *origins)
{
    for (size_t i = 0; i < json_object_array_length(candidates); i++) {
        struct json_object *candidate = json_object_array_get_idx(candidates, i);

        if (!is_chosen(candidate))
            continue;
        text_add(out, "  ");
        add_place(out, candidate, origins);
        add_candidate_name(out, candidate);
    }
}

static bool
is_unset(struct json_object *candidate)
{
    const char *verdict = trace_text(candidate, "verdict");

    return verdict && strcmp(verdict, "Unset") == 0;
}

static void
add_losers(struct text *out, struct json_object *candidates)
{
    const char *before = "  over: ";

    for (size_t i = 0; i < json_object_array_length(candidates); i++) {
        struct json_object *candidate = json_object_array_get_idx(candidates, i);
        const char *value = trace_text(candidate, "value");
        const char *verdict = trace_text(candidate, "verdict");

        if (is_chosen(candidate))
            continue;
        text_add(out, before);
        add_candidate_name(out, candidate);
        if (value && !is_unset(candidate))
            text_addf(out, "=%s", value);
        text_addf(out, " (%s)", verdict ? verdict : "");
        before = ", ";
    }
}

void
report_trace(struct text *out, struct json_object *trace, const struct origins *origins)
{
    size_t count = json_object_is_type(trace, json_type_array) ? json_object_array_length(trace) : 0;

    for (size_t i = 0; i < count; i++) {
        struct json_object *entry = json_object_array_get_idx(trace, i);
        struct json_object *candidates = json_object_object_get(entry, "candidates");
        const char *attribute = trace_text(entry, "attribute");
        const char *value = trace_text(entry, "value");

        text_addf(out, "%-10s%-14s", attribute_label(attribute ? attribute : ""), value ? value : "none");
        if (json_object_is_type(candidates, json_type_array)) {
            add_chosen(out, candidates, origins);
            add_losers(out, candidates);
        }
        text_add(out, "\n");
    }
}
