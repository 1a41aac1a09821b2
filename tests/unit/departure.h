/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_DEPARTURE_H
#define TESTS_UNIT_DEPARTURE_H

#include "libgang/document/schema.h"

#include "unit/suite.h"
#include "unit/tree.h"

/* A document and the one finding that a schema makes of it; code 0 when it makes none. */
struct departure {
    const char *document;
    enum gang_code code;
    const char *path;
    const char *message;
    const char *hint;
};

static inline void
check_departure(const struct schema *schema, const struct departure *expected)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    schema_check(schema, tree_of(arena, expected->document), &report);
    if (!expected->code) {
        ck_assert_msg(report.count == 0, "%s: %s: %s", expected->document, report.items[0].path,
                      report.items[0].message);
    } else {
        ck_assert_msg(report.count == 1, "%s: %zu findings", expected->document, report.count);
        ck_assert_int_eq(report.items[0].code, expected->code);
        ck_assert_str_eq(report.items[0].path, expected->path);
        ck_assert_str_eq(report.items[0].message, expected->message);
        ck_assert_pstr_eq(report.items[0].hint, expected->hint);
    }
    arena_free(arena);
}

#define QUOTE_IT "put the value in quotes"
#define UNQUOTE_IT "write the value without quotes"

#endif
