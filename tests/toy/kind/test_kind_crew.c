/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/jobs.h"

#define CREW(spec)                                                                                 \
    "{'apiVersion':'example.io/"                                                                   \
    "v1','kind':'Crew','metadata':{'name':'a','namespace':'ml'},'spec':" spec "}"

static const struct {
    const char *document;
    int64_t count;
} crews[] = {
    {CREW("{'template':{'spec':{'containers':[{'name':'a'}]}}}"), 1},
    {CREW("{'workers':3,'template':{'spec':{'containers':[{'name':'a'}]}}}"), 3},
};

START_TEST(has_one_role)
{
    struct job_case opened;

    job_open_good(&opened, crews[_i].document);
    ck_assert_uint_eq(opened.job->num_roles, 1);
    ck_assert_int_eq(opened.job->roles[0].count, crews[_i].count);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, has_one_role, 0, ITEMS_OF(crews));
}
