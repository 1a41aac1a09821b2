/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_READING_H
#define TESTS_UNIT_READING_H

#include <stdio.h>

#include "libgang/document/document.h"
#include "libgang/document/writer.h"
#include "unit/suite.h"

/* One call of a reader with everything it needs; `reading_start()`, then read, then
 * `reading_end()`. */
struct reading {
    struct arena *arena;
    struct limits limits;
    struct report report;
    struct document_request request;
    struct buffer out;
};

static inline void
reading_start(struct reading *reading)
{
    memset(reading, 0, sizeof(*reading));
    reading->arena = arena_new(0);
    ck_assert_ptr_nonnull(reading->arena);
    reading->limits = standard_limits;
    report_init(&reading->report, reading->arena, &reading->limits);
    reading->request = (struct document_request){
        .arena = reading->arena,
        .limits = &reading->limits,
        .report = &reading->report,
        .document = GANG_DOCUMENT_TRAINJOB,
        .allow_merge = true,
        .allow_aliases = true,
    };
}

static inline void
reading_end(struct reading *reading)
{
    buffer_clear(&reading->out);
    arena_free(reading->arena);
}

/* The tree as compact JSON, NUL-terminated. */
static inline const char *
reading_json(struct reading *reading, const struct node *root)
{
    json_write(&reading->out, root);
    buffer_append_byte(&reading->out, '\0');
    ck_assert(!reading->out.failed);
    return reading->out.data;
}

/* A text with its length, so that it may hold NUL bytes. */
#define TEXT(literal) literal, sizeof(literal) - 1

struct bad_text {
    const char *text;
    size_t len;
    int code;
    unsigned line;
    unsigned column;
};

/* Exactly one finding, of this code, here. */
static inline void
check_bad_text(const struct bad_text *bad, bool as_json)
{
    struct reading reading;
    struct slice text = {bad->text, bad->len};

    reading_start(&reading);
    reading.request.is_only_json = true;
    ck_assert_msg(
        !(as_json ? json_read(&reading.request, text) : yaml_read(&reading.request, text)),
        "accepted: %s", bad->text);
    ck_assert_msg(reading.report.count == 1, "%zu findings: %s", reading.report.count, bad->text);
    ck_assert_msg((int)reading.report.items[0].code == bad->code &&
                      reading.report.items[0].line == bad->line &&
                      reading.report.items[0].column == bad->column,
                  "%s\n  gave %d at %u:%u (%s), not %d at %u:%u", bad->text,
                  (int)reading.report.items[0].code, reading.report.items[0].line,
                  reading.report.items[0].column, reading.report.items[0].message, bad->code,
                  bad->line, bad->column);
    ck_assert_int_eq(reading.report.items[0].document, GANG_DOCUMENT_TRAINJOB);
    reading_end(&reading);
}

#endif
