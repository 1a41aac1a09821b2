/* SPDX-License-Identifier: Apache-2.0 */
#include "audit.h"

#include <stdlib.h>
#include <string.h>

#include "jobs.h"
#include "tree.h"

const struct audit_column_row audit_columns[COLUMN_COUNT] = {
    [COLUMN_NAMESPACE] = {.title = "NAMESPACE", .key = "namespace"},
    [COLUMN_NAME] = {.title = "NAME", .key = "name"},
    [COLUMN_GANG] = {.title = "GANG", .key = "gang", CELL_NUMBER, .is_wide = true},
    [COLUMN_KIND] = {.title = "KIND", .key = "kind", .is_wide = true},
    [COLUMN_OUTCOME] = {.title = "OUTCOME", .key = "outcome", .is_answer = true},
    [COLUMN_BACKEND] = {.title = "BACKEND", .key = "backend", .is_answer = true},
    [COLUMN_QUEUE] = {.title = "QUEUE", .key = "queue", .is_answer = true},
    [COLUMN_MINIMUM] = {.title = "MIN", .key = "minimum", CELL_NUMBER, .is_answer = true},
    [COLUMN_MEMBERS] =
        {.title = "MEMBERS", .key = "members", CELL_NUMBER, .is_wide = true, .is_answer = true},
    [COLUMN_PODS] = {.title = "PODS", .key = "pods", CELL_NUMBER},
    [COLUMN_GPUS] = {.title = "GPUS", .key = "gpus", CELL_NUMBER},
    [COLUMN_SCHEDULER] = {.title = "SCHEDULER",
                          .key = "schedulerName",
                          .is_wide = true,
                          .is_answer = true},
    [COLUMN_RUNTIME] = {.title = "RUNTIME", .key = "runtime", .is_wide = true},
    [COLUMN_FINDINGS] = {.title = "DIAGNOSTICS", .key = "diagnostics", CELL_LIST, .is_wide = true},
    [COLUMN_FILE] = {.title = "FILE", .key = "file", .is_wide = true},
    [COLUMN_LINE] = {.title = "LINE", .key = "line", CELL_NUMBER, .is_wide = true},
    [COLUMN_CHANGED] = {.title = "CHANGED", .key = "changed", CELL_LIST, .is_of_change = true},
    [COLUMN_REASON] = {.title = "REASON", .key = "reason"},
};

static char *
copy_of(const char *text)
{
    return *or_empty(text) ? copy_text(text) : NULL;
}

static char *
number_text(long long number)
{
    struct text text = {0};

    text_addf(&text, "%lld", number);
    return text.data;
}

/* Adds an item to a list. */
static void
add_item(char **list, const char *item)
{
    struct text text = {0};

    text_addf(&text, "%s%s%s", *list ? *list : "", *list ? "," : "", item);
    free(*list);
    *list = text.data;
}

/* Adds a code once. The codes of a job are few and sorted by document, not by code. */
static void
add_code(char **list, const char *code)
{
    if (code && (!*list || !strstr(*list, code)))
        add_item(list, code);
}

/* "GANG675 MaxMembers (policy.yaml:11)": the place is that of a rule, not of the job. */
static char *
group_of_error(const struct gang_diagnostic *error, const struct origins *origins)
{
    int type = gang_diagnostic_get_document(error);
    uint32_t line = gang_diagnostic_get_line(error);
    struct text text = {0};

    text_addf(&text, "%s %s", gang_diagnostic_get_id(error),
              gang_code_name(gang_diagnostic_get_code(error)));
    if (line && (type == GANG_DOCUMENT_POLICY || type == GANG_DOCUMENT_RUNTIME) &&
        origins->of[type].is_place)
        text_addf(&text, " (%s:%lu)", origins->of[type].file,
                  (unsigned long)(origins->of[type].lines_before + line));
    return text.data;
}

/* Adds the items of a list, or another value as text. */
static void
add_value(char **cell, struct json_object *value)
{
    if (!json_object_is_type(value, json_type_array) && value)
        *cell = copy_of(json_object_get_string(value));
    for (size_t i = 0; i < tree_length(value); i++)
        add_item(cell, json_object_get_string(json_object_array_get_idx(value, i)));
}

/* The library's row has the answer; the cells of the document are there. */
static void
add_decision(struct audit_row *row, const struct workbench *bench, const struct job *job)
{
    const struct gang_diagnostic *error = first_error_of(job->decision);
    struct gang_blob *blob = NULL;
    struct json_object *answer;

    if (gang_decision_serialize(bench->context, job->decision, GANG_FORMAT_ROW, 0, &blob, NULL))
        out_of_memory();
    answer = tree_must(json_of_blob(blob));
    for (int i = 0; i < COLUMN_COUNT; i++)
        if (!row->cells[i])
            add_value(&row->cells[i], tree_member(answer, audit_columns[i].key));
    row->outcome = gang_decision_get_outcome(job->decision);
    row->group = error ? group_of_error(error, &job->origins)
                       : copy_of(gang_decision_get_reason(job->decision));
    json_object_put(answer);
}

/* Of a job without a decision: its first error is the reason. */
static void
add_complaints(struct audit_row *row, const struct workbench *bench, const struct job *job,
               size_t first)
{
    struct text reason = {0};

    row->outcome = GANG_OUTCOME_INVALID;
    row->cells[COLUMN_OUTCOME] = copy_of(gang_outcome_name(row->outcome));
    for (size_t i = first; i < bench->complaints.count; i++) {
        const struct complaint *complaint = &bench->complaints.items[i];

        if (complaint->severity != GANG_SEVERITY_ERROR)
            continue;
        add_code(&row->cells[COLUMN_FINDINGS], complaint->id);
        if (reason.len)
            continue;
        text_addf(&reason, "%s%s%s", or_empty(complaint->path),
                  complaint->path && *complaint->path ? ": " : "", complaint->message);
        row->group = complaint->id ? NULL : copy_of(complaint->message);
        if (complaint->id) {
            struct text group = {0};

            text_addf(&group, "%s %s", complaint->id, complaint->reason);
            row->group = group.data;
        }
    }
    if (!reason.len && job->runtime)
        text_addf(&reason, "the %s %s has errors", job->runtime->document->kind,
                  or_empty(job->runtime->document->name));
    else if (!reason.len)
        text_add(&reason, "a document of the job, the policy or the cluster has errors");
    if (!row->group)
        row->group = copy_of(reason.data);
    row->cells[COLUMN_REASON] = reason.data;
}

/* What is to be applied for the job: its objects, and the patches of its pods. */
static void
write_plan(struct audit_row *row, const struct workbench *bench, const struct gang_plan *plan)
{
    struct gang_blob *blob = NULL;

    if (!plan)
        return;
    if (!gang_plan_serialize(bench->context, plan, GANG_TARGET_OBJECTS, GANG_FORMAT_JSON, 0, &blob,
                             NULL))
        text_add(&row->written, gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    for (size_t i = 0; i < gang_plan_num_patches(plan); i++) {
        blob = NULL;
        if (!gang_patch_serialize(bench->context, gang_plan_get_patch(plan, i), GANG_FORMAT_JSON, 0,
                                  &blob, NULL))
            text_add(&row->written, gang_blob_get_data(blob, NULL));
        gang_blob_unref(blob);
    }
}

void
audit_row_make(struct audit_row *row, struct workbench *bench, const struct job *job, size_t first,
               bool is_written)
{
    const struct document *document = job->document;

    row->is_first = job->gang == 0;
    row->cells[COLUMN_NAMESPACE] = copy_of(document->namespace_);
    row->cells[COLUMN_NAME] = copy_of(document->name);
    if (gang_document_num_gangs(job->handle) > 1)
        row->cells[COLUMN_GANG] = number_text((long long)job->gang);
    row->cells[COLUMN_KIND] = copy_of(document->kind);
    row->cells[COLUMN_FILE] = copy_of(document->origin.file);
    row->cells[COLUMN_LINE] = number_text((long long)document->origin.lines_before + 1);
    if (job->runtime)
        row->cells[COLUMN_RUNTIME] = copy_of(job->runtime->document->name);
    if (job->decision)
        add_decision(row, bench, job);
    else
        add_complaints(row, bench, job, first);
    if (is_written)
        write_plan(row, bench, job->plan);
}

void
audit_row_add_title(struct text *out, const struct audit_row *row)
{
    const char *name = row->cells[COLUMN_NAME];

    text_add_printable(out, name ? name : "-");
    if (row->cells[COLUMN_GANG])
        text_addf(out, "#%s", row->cells[COLUMN_GANG]);
}

void
audit_pair_compare(struct audit_pair *pair)
{
    char **changed = &pair->row.cells[COLUMN_CHANGED];
    const struct text *written = &pair->row.written;

    for (int i = 0; i < COLUMN_COUNT; i++)
        if (audit_columns[i].is_answer && !is_same_text(pair->row.cells[i], pair->old.cells[i]))
            add_item(changed, audit_columns[i].key);
    if (written->len != pair->old.written.len ||
        (written->len && memcmp(written->data, pair->old.written.data, written->len) != 0))
        add_item(changed, "plan");
    pair->is_compared = true;
    pair->is_changed = *changed != NULL;
}

static void
audit_row_free(struct audit_row *row)
{
    for (int i = 0; i < COLUMN_COUNT; i++)
        free(row->cells[i]);
    free(row->group);
    text_free(&row->written);
}

void
audit_pair_free(struct audit_pair *pair)
{
    audit_row_free(&pair->row);
    audit_row_free(&pair->old);
    *pair = (struct audit_pair){0};
}
