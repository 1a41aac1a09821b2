/* SPDX-License-Identifier: Apache-2.0 */
#include "policy_verdicts.h"

#include <stdlib.h>

#include "findings.h"
#include "tree.h"
#include "yaml_text.h"

static const char *
value_text(struct json_object *value)
{
    return value ? json_object_to_json_string_ext(value, JSON_C_TO_STRING_PLAIN |
                                                             JSON_C_TO_STRING_NOSLASHESCAPE)
                 : "nothing";
}

/* Adds "queue: expected "a", is "b"". */
static void
add_difference_text(struct text *out, struct json_object *difference)
{
    struct json_object *message = json_object_object_get(difference, "message");
    struct json_object *actual = json_object_object_get(difference, "actual");
    struct json_object *expected = json_object_object_get(difference, "expected");

    if (message)
        text_add(out, json_object_get_string(message));
    else
        text_addf(out, "%s: expected %s, is %s",
                  json_object_get_string(json_object_object_get(difference, "field")),
                  value_text(expected), value_text(actual));
}

static void
add_verdict_text(struct text *out, const struct verdict *verdict)
{
    size_t count = json_object_array_length(verdict->differences);
    struct text line = {0};

    text_addf(&line, "%-6s  %s: %s", count ? "failed" : "ok", verdict->item->test,
              verdict->item->name);
    text_add_printable(out, line.data);
    text_add(out, "\n");
    text_free(&line);
    for (size_t i = 0; i < count; i++) {
        add_difference_text(&line, json_object_array_get_idx(verdict->differences, i));
        text_add(out, "        ");
        text_add_printable(out, line.data);
        text_add(out, "\n");
        text_free(&line);
    }
}

static void
add_text(struct text *out, const struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        add_verdict_text(out, &verdicts->items[i]);
    text_addf(out, "%zu passed, %zu failed\n", verdicts->count - verdicts->failed,
              verdicts->failed + verdicts->broken);
}

static void
add_json(struct text *out, const struct verdicts *verdicts)
{
    struct json_object *root = json_object_new_object();
    struct json_object *list = json_object_new_array();

    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->items[i];
        bool passed = json_object_array_length(verdict->differences) == 0;
        struct json_object *item = json_object_new_object();

        json_object_object_add(item, "test", json_object_new_string(verdict->item->test));
        json_object_object_add(item, "name", json_object_new_string(verdict->item->name));
        json_object_object_add(item, "file",
                               json_object_new_string(verdict->item->document->origin.file));
        json_object_object_add(item, "line", json_object_new_int64(verdict->item->line));
        json_object_object_add(item, "passed", json_object_new_boolean(passed));
        json_object_object_add(item, "differences", json_object_get(verdict->differences));
        json_object_array_add(list, item);
    }
    json_object_object_add(root, "passed",
                           json_object_new_int64((int64_t)(verdicts->count - verdicts->failed)));
    json_object_object_add(root, "failed",
                           json_object_new_int64((int64_t)(verdicts->failed + verdicts->broken)));
    json_object_object_add(root, "cases", list);
    tree_add_json(out, root, JSON_C_TO_STRING_PLAIN);
    text_add(out, "\n");
    json_object_put(root);
}

static void
add_yaml(struct text *out, const struct verdicts *verdicts)
{
    struct text json = {0};

    add_json(&json, verdicts);
    text_add_as_yaml(out, &json);
    text_free(&json);
}

static void
add_annotations(struct text *out, const struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++) {
        const struct verdict *verdict = &verdicts->items[i];
        struct text message = {0};

        for (size_t j = 0; j < json_object_array_length(verdict->differences); j++) {
            text_addf(&message, "%s%s", j ? "\n" : verdict->item->name, j ? "" : ": ");
            add_difference_text(&message, json_object_array_get_idx(verdict->differences, j));
        }
        if (message.len)
            annotation_add(out, &(struct complaint){
                                    .severity = GANG_SEVERITY_ERROR,
                                    .file = verdict->item->document->origin.file,
                                    .line = verdict->item->line,
                                    .id = verdict->item->test,
                                    .message = message.data,
                                });
        text_free(&message);
    }
}

void
verdicts_add(struct text *out, const struct verdicts *verdicts, enum output output)
{
    if (output == OUTPUT_JSON)
        add_json(out, verdicts);
    else if (output == OUTPUT_YAML)
        add_yaml(out, verdicts);
    else if (output == OUTPUT_GITHUB)
        add_annotations(out, verdicts);
    else
        add_text(out, verdicts);
}

void
verdicts_free(struct verdicts *verdicts)
{
    for (size_t i = 0; i < verdicts->count; i++)
        json_object_put(verdicts->items[i].differences);
    free(verdicts->items);
    *verdicts = (struct verdicts){0};
}
