/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/losses.h"

#include "unit/suite.h"
#include "unit/job.h"
#include "unit/losses.h"

static const struct descriptor knows_none = {.why_no_units = "none"};

/* A scheduler that keeps the units of the first role. */
static const char *
keeps_the_first(const struct backend_call *call, size_t role)
{
    (void)call;
    return role ? "not the first" : NULL;
}

static const struct backend without_units = {.descriptor = &knows_none};
static const struct backend with_some = {.descriptor = &knows_none,
                                         .why_unit_is_lost = keeps_the_first};

static const struct {
    const char *roles;
    const char *losses;
} rows[] = {
    /* a unit can start in part if fewer pods must start than exist */
    {"head gpu*8%4|2", LOST("roles[1].unit", "2", "none")},
    {"gpu*8%4|2", LOST("roles[0].unit", "2", "none")},
    {"gpu*8%0|4", LOST("roles[0].unit", "4", "none")},
    {"a*4%2|2 b*6%3|3", LOST("roles[0].unit", "2", "none") LOST("roles[1].unit", "3", "none")},
    /* if not all of them exist at first, */
    {"slice*6$2|3", LOST("roles[0].unit", "3", "none")},
    /* or if they come late */
    {"leader worker*8|4<leader:R", LOST("roles[1].unit", "4", "none")},
    /* and not otherwise */
    {"gpu*8|2", ""},
    {"gpu*8%4", ""},
    {"gpu*8%4|1", ""},
    {"gpu*8%4|2 train*2<gpu:C", ""},
    {"leader worker*0|4<leader:R", ""},
};

START_TEST(names_the_roles_whose_units_can_start_in_part)
{
    struct job job = job_form(rows[_i].roles);
    const struct backend_call call = {.gang = &job.gang};
    struct plan_content content;

    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    unit_loss_render(&without_units, &call, &content);
    ck_assert_str_eq(losses_text(&content, job.arena), rows[_i].losses);
    job_free(&job);
}
END_TEST

START_TEST(a_small_minimum_of_the_gang_lets_units_start_in_part)
{
    struct job job = job_form("head gpu*8|4");

    ck_assert(!unit_loss_may_be(&job.gang, 1));
    job.gang.minimum--;
    ck_assert(unit_loss_may_be(&job.gang, 1));
    job_free(&job);
}
END_TEST

START_TEST(a_backend_says_which_units_it_keeps)
{
    struct job job = job_form("a*4%2|2 b*6%3|3");
    const struct backend_call call = {.gang = &job.gang};
    struct plan_content content;

    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    unit_loss_render(&with_some, &call, &content);
    ck_assert_str_eq(losses_text(&content, job.arena), LOST("roles[1].unit", "3", "not the first"));
    job_free(&job);
}
END_TEST

START_TEST(a_gang_has_units_if_a_job_says_so)
{
    struct gang_wishes wishes = {.has_units = false};
    const struct gang gang = {.wishes = &wishes};

    ck_assert(!unit_loss_matters(&gang));
    wishes.has_units = true;
    ck_assert(unit_loss_matters(&gang));
}
END_TEST

START_TEST(a_finding_points_at_the_role)
{
    struct job job = job_form("head gpu*8%4|2");
    const struct backend_call call = {.gang = &job.gang};

    job.report.count = 0;
    unit_loss_report(&without_units, &call, &job.report);
    ck_assert_uint_eq(job.report.count, 1);
    ck_assert_int_eq(job.report.items[0].code, GANG_CODE_ELASTIC_LOST);
    ck_assert_int_eq(job.report.items[0].severity, GANG_SEVERITY_INFO);
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[1]");
    ck_assert_str_eq(job.report.items[0].message, "roles[1].unit 2 is lost: none");
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, names_the_roles_whose_units_can_start_in_part, rows, roles);
    tcase_add_test(cases, a_small_minimum_of_the_gang_lets_units_start_in_part);
    tcase_add_test(cases, a_backend_says_which_units_it_keeps);
    tcase_add_test(cases, a_gang_has_units_if_a_job_says_so);
    tcase_add_test(cases, a_finding_points_at_the_role);
}
