/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

#include <stdlib.h>

/* ---- diagnostic ---- */

const struct diagnostic_entry *
diagnostic_entry_of(enum gang_code code)
{
    return &diagnostic_table[(size_t)code < diagnostic_rows_size ? diagnostic_rows[code] : 0];
}

int
gang_diagnostic_get_code(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? (int)diagnostic->code : 0;
}

const char *
gang_diagnostic_get_id(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic_entry_of(diagnostic->code)->id : NULL;
}

int
gang_diagnostic_get_severity(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? (int)diagnostic->severity : GANG_SEVERITY_NONE;
}

int
gang_diagnostic_get_document(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? (int)diagnostic->document : GANG_DOCUMENT_NONE;
}

const char *
gang_diagnostic_get_kind(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->identity.kind : NULL;
}

const char *
gang_diagnostic_get_namespace(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->identity.namespace_ : NULL;
}

const char *
gang_diagnostic_get_name(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->identity.name : NULL;
}

const char *
gang_diagnostic_get_job(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->job : NULL;
}

const char *
gang_diagnostic_get_path(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->path : NULL;
}

uint32_t
gang_diagnostic_get_line(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->line : 0;
}

uint32_t
gang_diagnostic_get_column(const struct gang_diagnostic *diagnostic)
{
    return diagnostic && diagnostic->line ? diagnostic->column : 0;
}

const char *
gang_diagnostic_get_message(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->message : NULL;
}

const char *
gang_diagnostic_get_hint(const struct gang_diagnostic *diagnostic)
{
    return diagnostic ? diagnostic->hint : NULL;
}

/* ---- error ---- */

struct gang_error {
    int code;
    size_t count;
    const struct gang_diagnostic *items;
};

static const struct gang_diagnostic no_memory_finding = {
    .code = GANG_CODE_OUT_OF_MEMORY,
    .severity = GANG_SEVERITY_ERROR,
    .path = "",
    .message = "Internal error: out of memory",
};

/* Static, so that reporting a failed allocation cannot fail. */
static const struct gang_error no_memory = {GANG_ERROR_NO_MEMORY, 1, &no_memory_finding};

static size_t
error_text_size(const char *text)
{
    return text ? strlen(text) + 1 : 0;
}

enum { ERROR_TEXTS = 7 };

/* The texts of a finding; an error owns copies of all of them. */
struct error_texts {
    const char **items[ERROR_TEXTS];
};

static struct error_texts
error_texts_of(struct gang_diagnostic *finding)
{
    return (struct error_texts){{&finding->path, &finding->message, &finding->hint, &finding->job,
                                 &finding->identity.kind, &finding->identity.namespace_,
                                 &finding->identity.name}};
}

static size_t
error_texts_size(const struct gang_diagnostic *items, size_t count)
{
    size_t size = 0;

    for (size_t i = 0; i < count; i++) {
        struct gang_diagnostic finding = items[i];
        struct error_texts texts = error_texts_of(&finding);

        for (size_t k = 0; k < ERROR_TEXTS; k++)
            size += error_text_size(*texts.items[k]);
    }
    return size;
}

int
error_no_memory(struct gang_error **out)
{
    if (out)
        *out = (struct gang_error *)&no_memory;
    return GANG_ERROR_NO_MEMORY;
}

/* Allocates one block: the error, its diagnostics, their texts. */
static int
error_store(struct gang_error **out, int code, const struct gang_diagnostic *items, size_t count)
{
    size_t head = sizeof(struct gang_error) + count * sizeof(*items);
    struct gang_error *error = out ? malloc(head + error_texts_size(items, count)) : NULL;
    struct gang_diagnostic *copies;
    char *text;

    if (!error)
        return out ? error_no_memory(out) : code;
    copies = (struct gang_diagnostic *)(error + 1);
    text = (char *)error + head;
    for (size_t i = 0; i < count; i++) {
        struct error_texts texts;

        copies[i] = items[i];
        texts = error_texts_of(&copies[i]);
        for (size_t k = 0; k < ERROR_TEXTS; k++) {
            size_t size = error_text_size(*texts.items[k]);

            if (!size)
                continue;
            memcpy(text, *texts.items[k], size);
            *texts.items[k] = text;
            text += size;
        }
    }
    *error = (struct gang_error){code, count, copies};
    *out = error;
    return code;
}

int
error_from_report(struct gang_error **out, int code, struct report *report)
{
    if (arena_failed(report->arena))
        return error_from_arena(out, report->arena);
    report_sort(report);
    return error_from_findings(out, code, report);
}

int
error_from_findings(struct gang_error **out, int code, const struct report *findings)
{
    return error_store(out, code, findings->items, findings->count);
}

static int
error_single(struct gang_error **out, int result, enum gang_code code, const char *message)
{
    struct gang_diagnostic finding = {
        .code = code, .severity = GANG_SEVERITY_ERROR, .path = "", .message = message};

    return error_store(out, result, &finding, 1);
}

int
error_misuse(struct gang_error **out, int code, const char *message)
{
    return error_single(out, code, GANG_CODE_API_MISUSE, message);
}

int
error_limit(struct gang_error **out, enum gang_code code, const char *message)
{
    return error_single(out, GANG_ERROR_LIMIT, code, message);
}

int
error_from_arena(struct gang_error **out, const struct arena *arena)
{
    return error_from_work(out, arena, NULL);
}

int
error_from_work(struct gang_error **out, const struct arena *arena,
                const struct report_place *subject)
{
    if (!arena->hit_limit)
        return error_no_memory(out);
    if (arena->is_out_of_steps) {
        /* Names the document that the steps were spent for. */
        char message[128];
        struct gang_diagnostic finding = {.code = GANG_CODE_LIMIT_STEPS,
                                          .severity = GANG_SEVERITY_ERROR,
                                          .path = "",
                                          .message = message};

        format_into(message, sizeof(message), "%s: more than the limit of %llu",
                    limit_table[GANG_LIMIT_STEPS].name, (unsigned long long)arena->budget);
        if (subject) {
            finding.document = subject->document;
            finding.identity = subject->identity;
        }
        return error_store(out, GANG_ERROR_LIMIT, &finding, 1);
    }
    return error_limit(out, GANG_CODE_LIMIT_MEMORY,
                       "the input needs more memory than the limit for one handle allows");
}

int
gang_error_get_code(const struct gang_error *error)
{
    return error ? error->code : GANG_OK;
}

size_t
gang_error_num_diagnostics(const struct gang_error *error)
{
    return error ? error->count : 0;
}

const struct gang_diagnostic *
gang_error_get_diagnostic(const struct gang_error *error, size_t index)
{
    return error && index < error->count ? &error->items[index] : NULL;
}

void
gang_error_free(struct gang_error *error)
{
    if (error != &no_memory)
        free(error);
}
