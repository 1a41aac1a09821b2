/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_ARENA_FIXTURE_H
#define TESTS_UNIT_ARENA_FIXTURE_H

#include <check.h>

#include "libgang/base/report.h"

/* What each test of a program with tcase_add_checked_fixture(cases, open_arena, close_arena) has of
 * its own: an arena, which must not run out of memory, and an empty report in it. */

static struct arena *test_arena;
static struct report test_report;

static void
open_arena(void)
{
    test_arena = arena_new(0);
    report_init(&test_report, test_arena, &standard_limits);
}

static void
close_arena(void)
{
    ck_assert(!arena_failed(test_arena));
    arena_free(test_arena);
}

#endif
