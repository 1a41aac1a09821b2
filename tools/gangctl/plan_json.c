/* SPDX-License-Identifier: Apache-2.0 */
#include "plan_json.h"

#include <string.h>

#include "commands.h"

/* A plan nests no deeper than the manifests in it, and no document that the library writes deeper than it reads. */
enum { JSON_DEPTH = 1100 };

struct json_object *
json_read(const struct text *text)
{
    struct json_tokener *tokener = json_tokener_new_ex(JSON_DEPTH);
    struct json_object *object = NULL;

    if (!tokener)
        out_of_memory();
    if (text->len)
        object = json_tokener_parse_ex(tokener, text->data, (int)text->len);
    json_tokener_free(tokener);
    return object;
}

/* Doubles the escapes; those of quotes and backslashes stay. */
static void
keep_escapes(struct text *out, const struct text *plan)
{
    for (size_t i = 0; i < plan->len; i++) {
        bool is_escape = plan->data[i] == '\\' && i + 1 < plan->len;

        if (is_escape && !strchr("\"\\/", plan->data[i + 1]))
            text_add(out, "\\");
        text_add_bytes(out, plan->data + i, is_escape ? 2 : 1);
        i += is_escape;
    }
}

static struct json_object *
read_plan(struct workbench *bench, const struct job *job, const struct text *text)
{
    struct json_object *plan = json_read(text);

    if (!plan) {
        complain(&bench->complaints, GANG_SEVERITY_ERROR, &job->document->origin, 1,
                 "the plan cannot be read");
        bench->complaints.could_not_run = true;
    }
    return plan;
}

struct json_object *
plan_as_json(struct workbench *bench, const struct job *job)
{
    struct json_object *plan;
    struct text text = {0};

    add_plan(&text, bench, job, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    plan = read_plan(bench, job, &text);
    text_free(&text);
    return plan;
}

struct json_object *
plan_as_printable_json(struct workbench *bench, const struct job *job)
{
    struct json_object *plan;
    struct text raw = {0};
    struct text text = {0};

    add_plan(&raw, bench, job, GANG_TARGET_PLAN, GANG_FORMAT_JSON);
    keep_escapes(&text, &raw);
    plan = read_plan(bench, job, &text);
    text_free(&raw);
    text_free(&text);
    return plan;
}
