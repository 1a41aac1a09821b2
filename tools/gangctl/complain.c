/* SPDX-License-Identifier: Apache-2.0 */
#include "complain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "text.h"

static const char *const severity_words[] = {
    [GANG_SEVERITY_ERROR] = "error",
    [GANG_SEVERITY_WARNING] = "warning",
    [GANG_SEVERITY_INFO] = "info",
};

const struct origin *
origins_of(const struct origins *origins, enum gang_document document)
{
    if (document == GANG_DOCUMENT_RUNTIME)
        return &origins->runtime;
    if (document == GANG_DOCUMENT_TRAINJOB)
        return &origins->trainjob;
    if (document == GANG_DOCUMENT_POLICY)
        return &origins->policy;
    return NULL;
}

static void
complaints_add(struct complaints *complaints, const struct complaint *complaint)
{
    struct complaint *added;

    complaints->items = must_reallocate(complaints->items, complaints->count + 1, sizeof(*complaints->items));
    added = &complaints->items[complaints->count];
    *added = *complaint;
    added->order = complaints->count++;
    complaints->errors += complaint->severity == GANG_SEVERITY_ERROR;
}

void
complain(struct complaints *complaints, enum gang_severity severity, const struct origin *origin,
         uint32_t line, const char *format, ...)
{
    struct text raw = {0};
    struct text text = {0};
    va_list arguments;

    va_start(arguments, format);
    text_addv(&raw, format, arguments);
    va_end(arguments);
    text_add_printable(&text, raw.data);
    text_free(&raw);
    complaints_add(complaints, &(struct complaint){
                                   .severity = severity,
                                   .file = origin ? origin->file : NULL,
                                   .line = origin && line ? origin->lines_before + line : 0,
                                   .text = text.data,
                               });
}

static char *
diagnostic_text(const struct gang_diagnostic *diagnostic)
{
    const char *path = gang_diagnostic_get_path(diagnostic);
    const char *hint = gang_diagnostic_get_hint(diagnostic);
    struct text text = {0};

    text_addf(&text, "%s%s%s [%s]", path, path[0] ? ": " : "", gang_diagnostic_get_message(diagnostic),
              gang_diagnostic_get_id(diagnostic));
    if (hint)
        text_addf(&text, "\n  hint: %s", hint);
    return text.data;
}

void
complain_diagnostic(struct complaints *complaints, const struct origins *origins,
                    const struct origin *fallback, const struct gang_diagnostic *diagnostic)
{
    const struct origin *origin = origins_of(origins, gang_diagnostic_get_document(diagnostic));
    enum gang_severity severity = gang_diagnostic_get_severity(diagnostic);
    uint32_t line = gang_diagnostic_get_line(diagnostic);

    if (severity == GANG_SEVERITY_INFO && !complaints->verbose)
        return;
    if (!origin || !origin->is_place)
        origin = fallback;
    complaints_add(complaints, &(struct complaint){
                                   .severity = severity,
                                   .file = origin ? origin->file : NULL,
                                   .line = origin ? origin->lines_before + (line ? line : 1) : 0,
                                   .column = gang_diagnostic_get_column(diagnostic),
                                   .text = diagnostic_text(diagnostic),
                               });
}

void
complain_error(struct complaints *complaints, const struct origins *origins, const struct origin *fallback,
               int result, struct gang_error *error)
{
    if (result == GANG_ERROR_NO_MEMORY || result == GANG_ERROR_INVALID_ARGUMENT ||
        result == GANG_ERROR_UNSUPPORTED_FLAG)
        complaints->could_not_run = true;
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        complain_diagnostic(complaints, origins, fallback, gang_error_get_diagnostic(error, i));
    if (!error)
        complain(complaints, GANG_SEVERITY_ERROR, fallback, 1, "the library failed with code %d", result);
    gang_error_free(error);
}

static int
compare_numbers(size_t a, size_t b)
{
    return (a > b) - (a < b);
}

static int
compare_complaints(const void *a, const void *b)
{
    const struct complaint *left = a;
    const struct complaint *right = b;
    int files = strcmp(left->file ? left->file : "", right->file ? right->file : "");

    if (files)
        return files;
    if (left->line != right->line)
        return compare_numbers(left->line, right->line);
    if (left->column != right->column)
        return compare_numbers(left->column, right->column);
    return compare_numbers(left->order, right->order);
}

/* Two jobs that share a runtime share what is to be said about it. */
static bool
is_repeated(const struct complaint *complaint, const struct complaint *before)
{
    return complaint->severity == before->severity && complaint->line == before->line &&
           complaint->column == before->column && (complaint->file == NULL) == (before->file == NULL) &&
           (!complaint->file || strcmp(complaint->file, before->file) == 0) &&
           strcmp(complaint->text, before->text) == 0;
}

static bool
was_said_on_this_place(const struct complaints *complaints, size_t index)
{
    const struct complaint *complaint = &complaints->items[index];

    for (size_t i = index; i > 0; i--) {
        const struct complaint *before = &complaints->items[i - 1];

        if (is_repeated(complaint, before))
            return true;
        if (before->line != complaint->line || before->column != complaint->column || !complaint->line)
            return false;
    }
    return false;
}

static void
complaint_print(const struct complaint *complaint)
{
    fprintf(stderr, "%s: ", severity_words[complaint->severity]);
    if (complaint->file)
        fprintf(stderr, "%s:", complaint->file);
    if (complaint->file && complaint->line)
        fprintf(stderr, "%lu:", (unsigned long)complaint->line);
    if (complaint->file && complaint->line && complaint->column)
        fprintf(stderr, "%lu:", (unsigned long)complaint->column);
    fprintf(stderr, "%s%s\n", complaint->file ? " " : "", complaint->text);
}

int
complaints_print(struct complaints *complaints)
{
    if (complaints->count)
        qsort(complaints->items, complaints->count, sizeof(*complaints->items), compare_complaints);
    for (size_t i = 0; i < complaints->count; i++) {
        if (!was_said_on_this_place(complaints, i))
            complaint_print(&complaints->items[i]);
    }
    if (complaints->could_not_run)
        return EXIT_COULD_NOT_RUN;
    return complaints->errors ? EXIT_FINDINGS : EXIT_DONE;
}

void
complaints_free(struct complaints *complaints)
{
    for (size_t i = 0; i < complaints->count; i++)
        free(complaints->items[i].text);
    free(complaints->items);
    *complaints = (struct complaints){0};
}
