/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/report.h"

enum { REPORT_FIRST_CAPACITY = 8, REPORT_MESSAGE_SIZE = 512 };
enum { REPORT_STEPS = 20 }; /* for a finding, with its text */

void
report_init(struct report *report, struct arena *arena, const struct limits *limits)
{
    *report = (struct report){
        .arena = arena, .limits = limits, .largest = (size_t)limits->value[GANG_LIMIT_DIAGNOSTICS]};
}

/*
 * Escapes what is unprintable, such as a line break or a bidirectional mark. Returns text that
 * needs no escapes, which is nearly all, unchanged.
 */
static const char *
report_printable(struct arena *arena, struct slice text)
{
    size_t len;
    char *copy;

    if (quote_is_plain(text))
        return text.data ? text.data : "";
    len = quote_printable(text, NULL);
    if (len == text.len)
        return text.data;
    copy = arena_alloc(arena, len + 1);
    if (!copy)
        return "";
    quote_printable(text, copy);
    return copy;
}

/* At a character boundary. */
static size_t
report_cut(const char *text, size_t len)
{
    return utf8_valid_prefix(
        (struct slice){text, len < REPORT_MESSAGE_SIZE ? len : REPORT_MESSAGE_SIZE - 1});
}

/* Cuts a message, and a hint behind it, so that a long message does not take the hint away. */
static size_t
report_shorten(char *text, size_t len)
{
    const size_t message = strlen(text);
    const size_t kept = report_cut(text, message);

    if (message == len)
        return kept;
    len = report_cut(text + message + 1, len - message - 1) + 1;
    memmove(text + kept, text + message, len);
    return kept + len;
}

LIKE_PRINTF(2, 0)
static struct slice
report_format(struct arena *arena, const char *format, va_list arguments)
{
    char text[2 * REPORT_MESSAGE_SIZE];
    size_t len;

    if (!strchr(format, '%'))
        return slice_from_text(format); /* constants need no copy */
    len = format_text(text, sizeof(text), format, arguments);
    if (len >= REPORT_MESSAGE_SIZE)
        len = report_shorten(text, len < sizeof(text) ? len : sizeof(text) - 1);
    return arena_copy(arena, (struct slice){text, len});
}

const char *
arena_format(struct arena *arena, const char *format, ...)
{
    struct slice text;
    va_list arguments;

    va_start(arguments, format);
    text = report_format(arena, format, arguments);
    va_end(arguments);
    return text.data ? text.data : "";
}

const char hint_in_message[] = "";

SELDOM const char *
hint_split(struct slice *text)
{
    size_t len = text->len ? strlen(text->data) : 0;
    const char *hint = len < text->len ? text->data + len + 1 : NULL;

    text->len = len;
    return hint;
}

static enum gang_severity
report_severity_of(const struct report *report, const struct diagnostic_entry *entry)
{
    if (report->compatibility && entry->compatibility_severity)
        return entry->compatibility_severity;
    if (report->strict && entry->strict_severity)
        return entry->strict_severity;
    return entry->severity;
}

/* Returns uninitialized space for a finding; NULL if out of memory. */
static struct gang_diagnostic *
report_append(struct report *report, enum gang_severity severity)
{
    struct gang_diagnostic *items;

    report->errors += severity == GANG_SEVERITY_ERROR;
    report->is_full_for = GANG_SEVERITY_NONE;
    items = arena_make_room(report->arena, report->items, report->count, REPORT_FIRST_CAPACITY,
                            sizeof(*items));
    if (!items)
        return NULL;
    report->items = items;
    return &items[report->count++];
}

/* Returns the last of the least severe findings; NULL if none is less severe than `severity`. */
static const struct gang_diagnostic *
report_least_grave(const struct report *report, enum gang_severity severity)
{
    const struct gang_diagnostic *least = NULL;

    for (size_t i = 0; i < report->largest && i < report->count; i++)
        if (report->items[i].severity > severity &&
            (!least || report->items[i].severity >= least->severity))
            least = &report->items[i];
    return least;
}

/*
 * Whether there is room for a finding, or a less severe one to displace. An answer of no is
 * remembered, because only more severe findings displace: a report searches a few hundred times,
 * however many findings there are.
 */
static bool
report_has_room(struct report *report, enum gang_severity severity)
{
    if (report->count < report->largest)
        return true;
    if (report->is_full_for && severity >= report->is_full_for)
        return false;
    if (report_least_grave(report, severity))
        return true;
    report->is_full_for = severity;
    return false;
}

bool
report_keeps(struct report *report, enum gang_code code)
{
    return report->count < report->largest ||
           report_has_room(report, report_severity_of(report, diagnostic_entry_of(code)));
}

bool
report_writes(struct report *report, enum gang_code code)
{
    enum gang_severity severity;

    if (!report->is_brief && report->count < report->largest)
        return true; /* most reports */
    severity = report_severity_of(report, diagnostic_entry_of(code));
    return (!report->is_brief || severity == GANG_SEVERITY_ERROR) &&
           report_has_room(report, severity);
}

/* The closing entry has the highest severity of the findings it replaces. */
static void
report_count_left_out(struct report *report, enum gang_severity severity)
{
    struct gang_diagnostic *last;

    report->errors += severity == GANG_SEVERITY_ERROR;
    last = report->count == report->largest ? report_append(report, severity) : NULL;
    if (last)
        *last =
            (struct gang_diagnostic){.code = GANG_CODE_TOO_MANY_DIAGNOSTICS,
                                     .severity = severity,
                                     .path = "",
                                     .message = "too many diagnostics: the others are left out"};
    if (!report->count)
        return;
    last = &report->items[report->count - 1];
    if (severity < last->severity)
        last->severity = severity;
}

/*
 * Returns space for a finding beyond the limit by dropping a less severe one; NULL if the new
 * finding is dropped.
 */
SELDOM static struct gang_diagnostic *
report_displace(struct report *report, enum gang_severity severity)
{
    const struct gang_diagnostic *least =
        report_has_room(report, severity) ? report_least_grave(report, severity) : NULL;
    size_t index = least ? (size_t)(least - report->items) : 0;

    report_count_left_out(report, least ? least->severity : severity); /* the items may move */
    if (!least || arena_failed(report->arena))
        return NULL;
    report->errors += severity == GANG_SEVERITY_ERROR;
    return &report->items[index];
}

/* Returns space at the end, or that of a less severe finding; NULL if the finding is dropped. */
static struct gang_diagnostic *
report_take(struct report *report, enum gang_severity severity)
{
    return report->count < report->largest ? report_append(report, severity)
                                           : report_displace(report, severity);
}

/*
 * Returns the job of a finding in a policy or cluster document, which applies to many jobs; NULL
 * for other documents.
 */
static const char *
report_job_text(struct report *report, enum gang_document_type document)
{
    struct report_job *job = &report->job;

    if ((document != GANG_DOCUMENT_POLICY && document != GANG_DOCUMENT_CLUSTER) ||
        !slice_is_set(job->name))
        return NULL;
    if (!job->text)
        job->text = report_printable(
            report->arena, ARENA_SLICE(report->arena, "%.*s%s%.*s", SLICE_ARG(job->namespace_),
                                       job->namespace_.len ? "/" : "", SLICE_ARG(job->name)));
    return job->text;
}

void
report_add_list(struct report *report, enum gang_code code, const struct report_place *place,
                const char *hint, const char *format, va_list arguments)
{
    const enum gang_severity severity = report_severity_of(report, diagnostic_entry_of(code));
    struct gang_diagnostic *finding =
        arena_spend(report->arena, REPORT_STEPS) ? report_take(report, severity) : NULL;

    if (!finding)
        return;
    *finding = (struct gang_diagnostic){
        .code = code,
        .severity = severity,
        .document = place->document,
        .line = place->line,
        .column = place->column,
        .identity = place->identity,
        .path = "",
        .message = "",
    };
    if (!report->is_brief || severity == GANG_SEVERITY_ERROR) {
        struct arena *arena = report->arena;
        struct slice message = report_format(arena, format, arguments);

        if (hint == hint_in_message)
            hint = hint_split(&message);
        finding->path = report_printable(arena, place->path);
        finding->message = report_printable(arena, message);
        finding->hint = hint ? report_printable(arena, slice_from_text(hint)) : NULL;
        finding->job = report_job_text(report, place->document);
    }
}

void
report_add(struct report *report, enum gang_code code, const struct report_place *place,
           const char *hint, const char *format, ...)
{
    REPORT_ADD_ARGUMENTS(report, code, place, hint, format);
}

SELDOM void
report_identify(struct report *report, const struct document_identity *identity)
{
    for (size_t i = 0; i < report->count; i++)
        if (!report->items[i].identity.kind)
            report->items[i].identity = *identity;
}

static void
report_add_copy(struct report *report, const struct gang_diagnostic *item,
                enum gang_severity severity)
{
    struct gang_diagnostic *finding = report_take(report, severity);

    if (!finding)
        return;
    *finding = *item;
    finding->severity = severity;
}

void
report_merge(struct report *report, const struct gang_diagnostic *items, size_t count)
{
    for (size_t i = 0; i < count; i++)
        report_add_copy(report, &items[i],
                        items[i].code == GANG_CODE_TOO_MANY_DIAGNOSTICS
                            ? items[i].severity
                            : report_severity_of(report, diagnostic_entry_of(items[i].code)));
}

void
report_continue(struct report *report, const struct report *former)
{
    report->strict = former->strict;
    report->compatibility = former->compatibility;
    report->job = former->job;
    memcpy(report->roots, former->roots, sizeof(former->roots));
    for (size_t i = 0; i < former->count; i++)
        report_add_copy(report, &former->items[i], former->items[i].severity);
}

/* Most findings differ in the document or the line. */
static int
compare_places(const struct gang_diagnostic *a, const struct gang_diagnostic *b)
{
    if (a->document != b->document)
        return a->document > b->document ? 1 : -1;
    if (a->line != b->line)
        return a->line > b->line ? 1 : -1;
    return (a->column > b->column) - (a->column < b->column);
}

/* NULL sorts before any text. */
static int
compare_texts(const char *a, const char *b)
{
    if (a == b)
        return 0;
    return a && b ? strcmp(a, b) : a ? 1 : -1;
}

/* One place can have the same finding for several jobs, or several siblings. */
static int
compare_subjects(const struct gang_diagnostic *a, const struct gang_diagnostic *b)
{
    int order = compare_texts(a->job, b->job);

    if (!order)
        order = compare_texts(a->identity.namespace_, b->identity.namespace_);
    return order ? order : compare_texts(a->identity.name, b->identity.name);
}

static int
compare_findings(const struct gang_diagnostic *a, const struct gang_diagnostic *b)
{
    int order = compare_places(a, b);

    if (!order)
        order = (a->code > b->code) - (a->code < b->code);
    if (!order)
        order = strcmp(a->path, b->path);
    if (!order)
        order = strcmp(a->message, b->message);
    return order ? order : compare_subjects(a, b);
}

void
report_sort(struct report *report)
{
    struct gang_diagnostic *items = report->items;
    size_t kept = report->count > 0;

    /*
     * By insertion: most findings are already in order, and there are at most 101. Checks that run
     * again after a merge report again; the errors were counted before.
     */
    for (size_t i = 1; i < report->count; i++) {
        size_t place = kept;
        int order = 1;

        while (place > 0 && (order = compare_findings(&items[place - 1], &items[i])) > 0)
            place--;
        if (order == 0)
            continue;
        if (place != i) {
            const struct gang_diagnostic finding = items[i];

            memmove(&items[place + 1], &items[place], (kept - place) * sizeof(*items));
            items[place] = finding;
        }
        kept++;
    }
    report->count = kept;
}

void
report_soften(struct report *report, enum gang_code code)
{
    for (size_t i = 0; i < report->count; i++) {
        struct gang_diagnostic *item = &report->items[i];

        if (item->code != code || item->severity != GANG_SEVERITY_ERROR)
            continue;
        item->severity = GANG_SEVERITY_WARNING;
        report->errors--;
    }
    report->is_full_for = GANG_SEVERITY_NONE;
}
