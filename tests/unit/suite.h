/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_SUITE_H
#define TESTS_UNIT_SUITE_H

#include <check.h>
#include <stdlib.h>

#include "libgang/base/text.h"
#include "unit/tap.h"

/* A slice equals a C text. */
#define ck_slice_eq(actual, expected)                                                              \
    do {                                                                                           \
        struct slice ck_actual_ = (actual);                                                        \
        ck_assert_msg(slice_equal(ck_actual_, slice_from_text(expected)),                          \
                      "%s is \"%.*s\", not \"%s\"", #actual, SLICE_ARG(ck_actual_), (expected));   \
    } while (0)

/* How many seeds a loop of random cases takes: FEW_SEEDS is set where an instruction costs fifty,
 * as under valgrind. */
static inline int
seeds(int usual)
{
    return getenv("FEW_SEEDS") ? (usual + 9) / 10 : usual;
}

/*
 * MemorySanitizer does not see what Check itself writes, so it must not judge what Check hands to
 * libc. What the tests and the library read is judged in any case.
 */
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
#include <sanitizer/msan_interface.h>
#define BEFORE_CHECK_WRITES() __msan_scoped_disable_interceptor_checks()
#endif
#endif
#ifndef BEFORE_CHECK_WRITES
#define BEFORE_CHECK_WRITES() (void)0
#endif

/* Each test program defines this and nothing else outside its tests. */
void add_tests(TCase *cases);

/* Runs the program's tests and prints TAP. */
int
main(void)
{
    Suite *suite = suite_create("unit");
    TCase *cases = tcase_create("cases");
    SRunner *runner = srunner_create(suite);
    pid_t annotator;
    int failed;

    tcase_set_timeout(cases, 120);
    suite_add_tcase(suite, cases);
    add_tests(cases);
    annotator = start_annotating();
    BEFORE_CHECK_WRITES();
    srunner_set_tap(runner, "-");
    srunner_run_all(runner, CK_SILENT);
    failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    end_annotating(annotator);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif
