/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/jobs.h"

static const struct {
    const char *text; /* the kind */
    const char *title;
} kinds[] = {
    {"GangPolicy", "\"title\":\"GangPolicy\""},
    {"GangCluster", "\"title\":\"GangCluster\""},
    {"GangJob", "\"title\":\"GangJob\""},
};

START_TEST(each_kind_has_a_schema)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_schema_serialize(NULL, kinds[_i].text, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_OK);
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), kinds[_i].title));
    ck_assert_ptr_nonnull(strstr(gang_blob_get_data(blob, NULL), "draft/2020-12/schema"));
    gang_blob_unref(blob);
}
END_TEST

START_TEST(the_schema_of_a_job_has_its_fields)
{
    static const char *const words[] = {"\"minCount\":{", "\"dependsOn\":{", "\"Scheduled\"",
                                        "\"required\":[\"owner\",\"roles\"]"};
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_schema_serialize(NULL, "GangJob", GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_OK);
    for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
        ck_assert_msg(strstr(gang_blob_get_data(blob, NULL), words[i]) != NULL, "%s", words[i]);
    gang_blob_unref(blob);
}
END_TEST

START_TEST(other_kinds_are_refused)
{
    struct gang_blob *blob = NULL;

    ck_assert_int_eq(gang_schema_serialize(NULL, "TrainJob", GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_schema_serialize(NULL, NULL, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(blob);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, each_kind_has_a_schema, kinds, text);
    tcase_add_test(cases, the_schema_of_a_job_has_its_fields);
    tcase_add_test(cases, other_kinds_are_refused);
}
