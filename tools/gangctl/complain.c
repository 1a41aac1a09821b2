/* SPDX-License-Identifier: Apache-2.0 */
#include "complain.h"

#include <stdlib.h>
#include <string.h>

struct origins
origins_with(enum gang_document_type type, const struct origin *origin)
{
    struct origins origins = {.usual = type};

    origins.of[type] = *origin;
    return origins;
}

/* Lines that gangctl added belong to the part before them. */
struct spot
spot_of(const struct origin *origin, uint32_t line, uint32_t column)
{
    size_t part = origin->num_parts;

    if (origin->is_point)
        line = column = 1;
    while (part && origin->parts[part - 1].lines_before >= line)
        part--;
    if (part) {
        const struct part *found = &origin->parts[part - 1];

        line -= found->lines_before;
        column -= column > found->columns ? found->columns : 0;
        origin = &found->origin;
    } else if (origin->num_parts) {
        line = 1; /* the head of the text */
    }
    line += origin->lines_before;
    line = line < origin->first_line ? origin->first_line : line;
    if (column && line == origin->shared_line)
        column += origin->columns_before;
    return (struct spot){origin->file, line, column};
}

uint32_t
first_line_of(const struct origin *origin)
{
    return spot_of(origin, 1, 0).line;
}

struct origin
origin_within(const struct origin *origin, uint32_t lines_before, uint32_t line, uint32_t column)
{
    const struct spot spot = spot_of(origin, line, column);
    struct origin within = *origin;

    within.lines_before += lines_before;
    within.first_line = spot.line;
    if (column > 1) {
        within.shared_line = spot.line;
        within.columns_before = spot.column - 1;
    }
    return within;
}

static void
complaints_add(struct complaints *complaints, const struct complaint *complaint)
{
    APPEND(complaints->items, complaints->count, *complaint);
    complaints->items[complaints->count - 1].order = complaints->count - 1;
    complaints->errors += complaint->severity == GANG_SEVERITY_ERROR;
}

void
complain_words(struct complaints *complaints, enum gang_severity severity,
               const struct origin *origin, uint32_t line, const char *words)
{
    struct spot spot = {0};

    if (severity == GANG_SEVERITY_INFO && !complaints->verbose)
        return;
    if (origin && line)
        spot = spot_of(origin, line, 0);
    complaints_add(complaints, &(struct complaint){
                                   .severity = (int)severity,
                                   .file = spot.line || !origin ? spot.file : origin->file,
                                   .line = spot.line,
                                   .message = copy_text(printable(words)),
                               });
}

void
complain_detail(struct complaints *complaints, uint32_t column, const char *hint, const char *job)
{
    struct complaint *last;

    if (!complaints->count)
        return;
    last = &complaints->items[complaints->count - 1];
    last->column = column;
    last->job = copy_text(shortened(job));
    last->hint = hint ? copy_text(printable(hint)) : NULL;
}

/*
 * Whether the finding is about a document that several jobs can use. What a rule or constraint
 * denies is no fault of the policy: it denies each job on its own.
 */
static bool
is_shared(const struct gang_diagnostic *diagnostic)
{
    int document = gang_diagnostic_get_document(diagnostic);
    int code = gang_diagnostic_get_code(diagnostic);

    if (code == GANG_CODE_RULE_DENIES || code == GANG_CODE_CONSTRAINT_DENIES)
        return false;
    return document != GANG_DOCUMENT_TRAINJOB && document != GANG_DOCUMENT_JOB &&
           document != GANG_DOCUMENT_PODGANG;
}

void
complain_diagnostic(struct complaints *complaints, const struct origins *origins,
                    const struct gang_diagnostic *diagnostic)
{
    const int document = gang_diagnostic_get_document(diagnostic);
    const struct origin *origin = &origins->of[document < NUM_DOCUMENT_TYPES ? document : 0];
    int severity = gang_diagnostic_get_severity(diagnostic);
    uint32_t line = gang_diagnostic_get_line(diagnostic);
    const char *job = gang_diagnostic_get_job(diagnostic);
    const int code = gang_diagnostic_get_code(diagnostic);
    const char *hint = gang_diagnostic_get_hint(diagnostic);
    struct spot spot;

    if (severity == GANG_SEVERITY_INFO && !complaints->verbose)
        return;
    if (!origin->is_place)
        origin = &origins->of[origins->usual];
    spot = spot_of(origin, line ? line : 1, gang_diagnostic_get_column(diagnostic));
    if (!hint && code == GANG_CODE_LIMIT_STREAM_DOCUMENTS && document != GANG_DOCUMENT_LIVE)
        hint = "pass --max-documents, or use 'gangctl audit', which has no such limit";
    complaints_add(complaints, &(struct complaint){
                                   .severity = severity,
                                   .file = spot.file,
                                   .line = spot.line,
                                   .column = spot.column,
                                   .id = gang_diagnostic_get_id(diagnostic),
                                   .reason = gang_code_name(code),
                                   .path = copy_text(gang_diagnostic_get_path(diagnostic)),
                                   .message = copy_text(gang_diagnostic_get_message(diagnostic)),
                                   .hint = copy_text(hint),
                                   .job = copy_text(shortened(job ? job : origins->job)),
                                   .is_shared = is_shared(diagnostic),
                               });
}

void
complain_error(struct complaints *complaints, const struct origins *origins, int result,
               struct gang_error *error)
{
    if (result == GANG_ERROR_NO_MEMORY || result == GANG_ERROR_INVALID_ARGUMENT ||
        result == GANG_ERROR_UNSUPPORTED_FLAG)
        complaints->could_not_run = true;
    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        complain_diagnostic(complaints, origins, gang_error_get_diagnostic(error, i));
    if (result && !error)
        complain(complaints, GANG_SEVERITY_ERROR, &origins->of[origins->usual], 1,
                 "the library failed with code %d", result);
    gang_error_free(error);
}

static int
compare_complaints(const void *a, const void *b)
{
    const struct complaint *left = a;
    const struct complaint *right = b;
    int files = strcmp(or_empty(left->file), or_empty(right->file));

    if (files)
        return files;
    if (left->line != right->line)
        return left->line < right->line ? -1 : 1;
    if (left->column != right->column)
        return left->column < right->column ? -1 : 1;
    return left->order < right->order ? -1 : 1;
}

/* Whether two complaints are equal. Jobs have the same complaints about a shared document. */
static bool
is_repeated(const struct complaint *complaint, const struct complaint *before)
{
    return complaint->severity == before->severity && complaint->line == before->line &&
           complaint->column == before->column && is_same_text(complaint->file, before->file) &&
           is_same_text(complaint->id, before->id) && is_same_text(complaint->path, before->path) &&
           is_same_text(complaint->message, before->message) &&
           is_same_text(complaint->hint, before->hint) &&
           complaint->is_shared == before->is_shared &&
           (complaint->is_shared || is_same_text(complaint->job, before->job));
}

/* Whether an equal complaint was kept. Only the last of those kept can have the same place. */
static bool
was_said_on_this_place(struct complaints *complaints, size_t kept,
                       const struct complaint *complaint)
{
    for (; kept > 0; kept--) {
        struct complaint *before = &complaints->items[kept - 1];

        if (is_repeated(complaint, before)) {
            before->more_jobs += !is_same_text(complaint->job, before->job);
            return true;
        }
        if (before->line != complaint->line || before->column != complaint->column ||
            !complaint->line)
            return false;
    }
    return false;
}

static void
complaint_free(struct complaint *complaint)
{
    give_back(complaint->path);
    give_back(complaint->message);
    give_back(complaint->hint);
    give_back(complaint->job);
}

void
complaints_settle(struct complaints *complaints)
{
    size_t kept = 0;

    if (complaints->count)
        qsort(complaints->items, complaints->count, sizeof(*complaints->items), compare_complaints);
    for (size_t i = 0; i < complaints->count; i++) {
        if (was_said_on_this_place(complaints, kept, &complaints->items[i]))
            complaint_free(&complaints->items[i]);
        else
            complaints->items[kept++] = complaints->items[i];
    }
    complaints->count = kept;
}

void
complaint_add_place(struct text *out, const struct complaint *complaint)
{
    text_addf(out, "%s:", complaint->file);
    if (complaint->line)
        text_addf(out, "%lu:", (unsigned long)complaint->line);
    if (complaint->line && complaint->column)
        text_addf(out, "%lu:", (unsigned long)complaint->column);
    text_add(out, " ");
}

/* Adds "path: message (job a/b)", or "(job a/b and 2 more)". */
static void
add_words(struct text *out, const struct complaint *complaint)
{
    if (*or_empty(complaint->path))
        text_addf(out, "%s: ", complaint->path);
    text_add(out, complaint->message);
    if (complaint->job && complaint->more_jobs)
        text_addf(out, " (job %s and %zu more)", complaint->job, complaint->more_jobs);
    else if (complaint->job)
        text_addf(out, " (job %s)", complaint->job);
}

void
complaint_add_message(struct text *out, const struct complaint *complaint)
{
    add_words(out, complaint);
    if (complaint->hint)
        text_addf(out, "; %s", complaint->hint);
}

void
complaint_add_text(struct text *out, const struct complaint *complaint)
{
    text_addf(out, "%s: ", gang_severity_name(complaint->severity));
    if (complaint->file)
        complaint_add_place(out, complaint);
    add_words(out, complaint);
    if (complaint->id)
        text_addf(out, " [%s]", complaint->id);
    text_add(out, "\n");
    if (complaint->hint)
        text_addf(out, "  hint: %s\n", complaint->hint);
}

int
complaints_status(const struct complaints *complaints)
{
    if (complaints->could_not_run)
        return EXIT_COULD_NOT_RUN;
    return complaints->errors ? EXIT_FINDINGS : EXIT_DONE;
}

int
complaints_print(struct complaints *complaints)
{
    struct text *out = text_new();

    complaints_settle(complaints);
    for (size_t i = 0; i < complaints->count; i++)
        complaint_add_text(out, &complaints->items[i]);
    if (out->len)
        print_error(out->data);
    return complaints_status(complaints);
}

void
complaints_cut(struct complaints *complaints, size_t first)
{
    while (complaints->count > first) {
        struct complaint *last = &complaints->items[--complaints->count];

        complaints->errors -= last->severity == GANG_SEVERITY_ERROR;
        complaint_free(last);
    }
}

void
complaints_fold_last(struct complaints *complaints)
{
    const size_t last = complaints->count - 1;

    for (size_t i = 0; complaints->count && i < last; i++)
        if (is_repeated(&complaints->items[last], &complaints->items[i])) {
            complaints->items[i].more_jobs++;
            complaints_cut(complaints, last);
            return;
        }
}

void
complaints_copy(struct complaints *to, const struct complaints *from)
{
    for (size_t i = 0; i < from->count; i++) {
        struct complaint copy = from->items[i];

        copy.path = copy_text(copy.path);
        copy.message = copy_text(copy.message);
        copy.hint = copy_text(copy.hint);
        copy.job = copy_text(copy.job);
        complaints_add(to, &copy);
    }
    to->could_not_run |= from->could_not_run;
}

void
complaints_move(struct complaints *to, struct complaints *from)
{
    for (size_t i = 0; i < from->count; i++)
        complaints_add(to, &from->items[i]);
    to->could_not_run |= from->could_not_run;
    from->count = 0;
    from->errors = 0;
}

void
complaints_free(struct complaints *complaints)
{
    complaints_cut(complaints, 0);
    give_back(complaints->items);
    *complaints = (struct complaints){0};
}
