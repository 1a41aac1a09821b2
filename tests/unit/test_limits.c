/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"

#include "unit/suite.h"

/* doc/limits.md, row by row, and the diagnostic that a document gets. */
static const struct {
    enum gang_limit limit;
    const char *name;
    uint64_t standard, ceiling;
    enum gang_code code;
} rows[] = {
    {GANG_LIMIT_DOCUMENT_BYTES, "document bytes", 1048576, 3145728, GANG_CODE_LIMIT_DOCUMENT_BYTES},
    {GANG_LIMIT_STREAM_BYTES, "stream bytes", 16777216, 67108864, GANG_CODE_LIMIT_STREAM_BYTES},
    {GANG_LIMIT_STREAM_DOCUMENTS, "documents in a stream", 1000, 10000,
     GANG_CODE_LIMIT_STREAM_DOCUMENTS},
    {GANG_LIMIT_DEPTH, "nesting depth", 64, 128, GANG_CODE_LIMIT_DEPTH},
    {GANG_LIMIT_NODES, "values after alias expansion", 100000, 500000, GANG_CODE_LIMIT_NODES},
    {GANG_LIMIT_ANCHORS, "anchors", 64, 1024, GANG_CODE_LIMIT_ANCHORS},
    {GANG_LIMIT_ALIASES, "aliases", 256, 1024, GANG_CODE_LIMIT_ALIASES},
    {GANG_LIMIT_MAP_KEYS, "keys in one mapping", 4096, 4096, GANG_CODE_LIMIT_MAP_KEYS},
    {GANG_LIMIT_LIST_ITEMS, "items in one list", 10000, 10000, GANG_CODE_LIMIT_LIST_ITEMS},
    {GANG_LIMIT_SCALAR_BYTES, "bytes of one scalar", 262144, 1048576, GANG_CODE_LIMIT_SCALAR_BYTES},
    {GANG_LIMIT_KEY_BYTES, "bytes of one key", 1024, 1024, GANG_CODE_LIMIT_KEY_BYTES},
    {GANG_LIMIT_COUNT_VALUE, "pods of one role", 1000000, 2147483647, GANG_CODE_LIMIT_COUNT_VALUE},
    {GANG_LIMIT_ROLES, "roles", 64, 1024, GANG_CODE_LIMIT_ROLES},
    {GANG_LIMIT_CONTAINERS, "containers of one pod", 256, 1024, GANG_CODE_LIMIT_CONTAINERS},
    {GANG_LIMIT_DIAGNOSTICS, "diagnostics", 64, 100, GANG_CODE_TOO_MANY_DIAGNOSTICS},
    {GANG_LIMIT_MEMORY_BYTES, "bytes of memory for one handle", 33554432, 268435456,
     GANG_CODE_LIMIT_MEMORY},
    {GANG_LIMIT_OUTPUT_BYTES, "output bytes", 4194304, 16777216, GANG_CODE_LIMIT_OUTPUT_BYTES},
};

START_TEST(a_limit_is_as_documented)
{
    const struct limit_entry *entry = &limit_table[rows[_i].limit];

    ck_assert_str_eq(entry->name, rows[_i].name);
    ck_assert_uint_eq(entry->standard, rows[_i].standard);
    ck_assert_uint_eq(entry->ceiling, rows[_i].ceiling);
    ck_assert_int_eq(entry->code, rows[_i].code);
    ck_assert_uint_eq(standard_limits.value[rows[_i].limit], rows[_i].standard);
}
END_TEST

/* From 1 to the ceiling. */
START_TEST(a_limit_takes_values_up_to_its_ceiling)
{
    struct gang_config *config = gang_config_new();

    ck_assert_int_eq(gang_config_set_limit(config, rows[_i].limit, 1), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, rows[_i].limit, rows[_i].ceiling), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, rows[_i].limit, rows[_i].ceiling + 1),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_config_set_limit(config, rows[_i].limit, 0), GANG_ERROR_INVALID_ARGUMENT);
    gang_config_free(config);
}
END_TEST

START_TEST(every_limit_is_in_the_table)
{
    ck_assert_int_eq(COUNT_OF(rows), LIMIT_COUNT - 1);
    for (int i = 0; i < COUNT_OF(rows); i++)
        ck_assert_int_eq(rows[i].limit, i + 1);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_limit_is_as_documented, rows, limit, name);
    add_rows(cases, a_limit_takes_values_up_to_its_ceiling, rows, limit, name);
    tcase_add_test(cases, every_limit_is_in_the_table);
}
