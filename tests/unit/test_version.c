/* SPDX-License-Identifier: Apache-2.0 */
#include <gang/gang.h>

#include <stdio.h>

#include "unit/suite.h"

START_TEST(the_number_is_that_of_the_header)
{
    ck_assert_uint_eq(gang_version() / 1000000, GANG_VERSION_MAJOR);
    ck_assert_uint_eq(gang_version() / 1000 % 1000, GANG_VERSION_MINOR);
    ck_assert_uint_eq(gang_version() % 1000, GANG_VERSION_PATCH);
}
END_TEST

/* Each as it is in `#if`, of the version of the headers and of its neighbours. */
START_TEST(headers_are_at_least_of_their_version)
{
#if !GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR, GANG_VERSION_PATCH)
    ck_abort_msg("the version itself");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR, GANG_VERSION_PATCH + 1)
    ck_abort_msg("the next patch");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR, GANG_VERSION_MINOR + 1, 0)
    ck_abort_msg("the next minor version");
#endif
#if GANG_VERSION_AT_LEAST(GANG_VERSION_MAJOR + 1, 0, 0)
    ck_abort_msg("the next major version");
#endif
    ck_assert(GANG_VERSION_AT_LEAST(0, 0, 9));
}
END_TEST

START_TEST(version_text_equals_the_number)
{
    char text[64];

    snprintf(text, sizeof(text), "%d.%d.%d", GANG_VERSION_MAJOR, GANG_VERSION_MINOR,
             GANG_VERSION_PATCH);
    ck_assert_str_eq(gang_version_string(), text);
    ck_assert_str_eq(GANG_VERSION_TEXT, text);
}
END_TEST

/* A build that reports YAML reads it, and another one reports why not. */
START_TEST(yaml_is_read_or_refused_by_name)
{
    static const char text[] = "kind: GangPolicy\n";
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;
    int result = gang_stream_parse(NULL, text, sizeof(text) - 1, 0, &stream, &error);

    if (gang_has_yaml()) {
        ck_assert_int_eq(result, GANG_OK);
        ck_assert_str_eq(gang_stream_get_kind(stream, 0), "GangPolicy");
    } else {
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                         GANG_CODE_YAML_NOT_BUILT);
    }
    gang_stream_unref(stream);
    gang_error_free(error);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, the_number_is_that_of_the_header);
    tcase_add_test(cases, headers_are_at_least_of_their_version);
    tcase_add_test(cases, version_text_equals_the_number);
    tcase_add_test(cases, yaml_is_read_or_refused_by_name);
}
