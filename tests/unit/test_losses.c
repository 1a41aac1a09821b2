/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/suite.h"
#include "unit/job.h"
#include "unit/losses.h"

#define ANY(n) "none: " n " pods may be any " n

/* ---- minima: one row of a descriptor each ---- */

static const struct {
    const char *roles;
    int64_t minimum; /* of the documents; 0: none */
    enum loss_field field;
    const char *losses;
} rows[] = {
    /* pods of another role can start instead */
    {"head gpu*8%4|2", 0, LOSS_ROLE_MINIMUM, LOST("roles[1].minCount", "4", ANY("5"))},
    {"head gpu*8%0", 0, LOSS_ROLE_MINIMUM, LOST("roles[1].minCount", "0", ANY("1"))},
    {"a*4%2 b*6%3", 0, LOSS_ROLE_MINIMUM,
     LOST("roles[0].minCount", "2", ANY("5")) LOST("roles[1].minCount", "3", ANY("5"))},
    /* but not of a late role, of one outside, or of one without pods */
    {"gpu*8%4", 0, LOSS_ROLE_MINIMUM, ""},
    {"gpu*8%4 launcher<gpu:R", 0, LOSS_ROLE_MINIMUM, ""},
    {"driver&O gpu*8%4<driver:R", 0, LOSS_ROLE_MINIMUM, ""},
    {"none*0 gpu*8%4", 0, LOSS_ROLE_MINIMUM, ""},
    /* nor is anything lost of a late elastic role, or of a gang that is not elastic */
    {"head gpu*8%4<head:R", 0, LOSS_ROLE_MINIMUM, ""},
    {"head gpu*8%8|2", 0, LOSS_ROLE_MINIMUM, ""},
    {"a*2 node*12$3", 0, LOSS_ROLE_MINIMUM, ""},
    /* a minimum of the whole gang beside those of the roles */
    {"a*2 b*2", 3, LOSS_MINIMUM, LOST("minimum", "3", "none: 4 pods must start")},
    {"a*2 b*4%2", 4, LOSS_MINIMUM, ""},
    {"a*2 b*4%2", 5, LOSS_MINIMUM, LOST("minimum", "5", "none: 4 pods must start")},
    {"a*2 b*4%2", 6, LOSS_MINIMUM, LOST("minimum", "6", "none: 4 pods must start")},
    {"a*2 b*2", 0, LOSS_MINIMUM, ""},
    {"a*2 b*4%2", 3, LOSS_ROLE_MINIMUM_BESIDE, LOST("roles[1].minCount", "2", ANY("3"))},
    {"a*2 b*4%2", 4, LOSS_ROLE_MINIMUM_BESIDE, ""},
    {"a*2 b*4%2", 6, LOSS_ROLE_MINIMUM_BESIDE, ""}, /* all pods must start */
    {"a*2 b*4%2", 0, LOSS_ROLE_MINIMUM_BESIDE, ""},
};

static struct job
form_with_minimum(const char *roles, int64_t minimum)
{
    struct job job = job_make(roles);
    struct builder map = build_map(job.arena);

    build_int(&map, SLICE("minimum"), minimum);
    job.wishes->minimum = minimum;
    job.wishes->minimum_source = map.last;
    job_form_again(&job);
    return job;
}

START_TEST(names_the_role_and_the_field)
{
    struct job job = form_with_minimum(rows[_i].roles, rows[_i].minimum);
    const struct loss row = {rows[_i].field, "none"};
    struct loss_sink sink = {.report = &job.report};

    loss_find(&row, 1, &job.gang, &sink);
    ck_assert_str_eq(losses_text(&sink.losses, job.arena), rows[_i].losses);
    job_free(&job);
}
END_TEST

/* The texts of the table as messages begin: `minimum 3=: none`. */
static const char *
with_spaces(struct arena *arena, const char *losses)
{
    const char *text = "";
    const char *at = losses;

    for (const char *equals; (equals = strchr(at, '=')) != NULL;) {
        const char *colon = strchr(equals, ':');
        const char *end = strchr(equals, '\n') + 1;

        text = arena_format(arena, "%s%.*s %.*s=%.*s", text, (int)(equals - at), at,
                            (int)(colon - equals - 1), equals + 1, (int)(end - colon), colon);
        at = end;
    }
    return text;
}

/* What is rendered is also reported, as an info at the role or at the minimum. */
START_TEST(reports_each_loss)
{
    struct job job = form_with_minimum(rows[_i].roles, rows[_i].minimum);
    const struct loss row = {rows[_i].field, "none"};
    struct loss_sink sink = {.report = &job.report};
    const char *text = "";

    job.report.count = 0;
    loss_find(&row, 1, &job.gang, &sink);
    ck_assert(!report_has_errors(&job.report));
    for (size_t i = 0; i < job.report.count; i++) {
        const struct gang_diagnostic *finding = &job.report.items[i];
        const char *lost = strstr(finding->message, " is lost: ");

        ck_assert_int_eq(finding->code, GANG_CODE_ELASTIC_LOST);
        ck_assert_int_eq(finding->severity, GANG_SEVERITY_INFO);
        ck_assert_ptr_nonnull(lost);
        text = arena_format(job.arena, "%s%.*s=%s\n", text, (int)(lost - finding->message),
                            finding->message, lost + strlen(" is lost"));
    }
    ck_assert_str_eq(text, with_spaces(job.arena, rows[_i].losses));
    job_free(&job);
}
END_TEST

START_TEST(points_at_the_role_or_the_minimum)
{
    struct job job = form_with_minimum("a*2 b*4%2", 3);
    const struct loss role = {LOSS_ROLE_MINIMUM, "none"};
    const struct loss whole = {LOSS_MINIMUM, "none"};
    struct loss_sink sink = {.report = &job.report};

    job.report.count = 0;
    loss_find(&role, 1, &job.gang, &sink);
    loss_find(&whole, 1, &job.gang, &sink);
    ck_assert_uint_eq(job.report.count, 2);
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[1]");
    ck_assert_str_eq(job.report.items[0].message,
                     "roles[1].minCount 2 is lost: none: 3 pods may be any 3");
    ck_assert_str_eq(job.report.items[1].path, "minimum");
    ck_assert_str_eq(job.report.items[1].message, "minimum 3 is lost: none: 4 pods must start");
    job_free(&job);
}
END_TEST

/* ---- units ---- */

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
} unit_rows[] = {
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

static struct job
form_with_units(const char *roles)
{
    struct job job = job_form(roles);

    job.wishes->has_units = true;
    return job;
}

START_TEST(names_the_roles_whose_units_can_start_in_part)
{
    struct job job = form_with_units(unit_rows[_i].roles);
    const struct backend_call call = {.gang = &job.gang};
    const struct plan_losses losses = backend_find_losses(&without_units, &call, &job.report);

    ck_assert_str_eq(losses_text(&losses, job.arena), unit_rows[_i].losses);
    job_free(&job);
}
END_TEST

START_TEST(a_small_minimum_of_the_gang_lets_units_start_in_part)
{
    struct job job = form_with_units("head gpu*8|4");

    ck_assert(!unit_may_be_parted(&job.gang, 1));
    job.gang.minimum--;
    ck_assert(unit_may_be_parted(&job.gang, 1));
    job_free(&job);
}
END_TEST

START_TEST(a_backend_says_which_units_it_keeps)
{
    struct job job = form_with_units("a*4%2|2 b*6%3|3");
    const struct backend_call call = {.gang = &job.gang};
    const struct plan_losses losses = backend_find_losses(&with_some, &call, &job.report);

    ck_assert_str_eq(losses_text(&losses, job.arena), LOST("roles[1].unit", "3", "not the first"));
    job_free(&job);
}
END_TEST

START_TEST(a_finding_points_at_the_role)
{
    struct job job = form_with_units("head gpu*8%4|2");
    const struct backend_call call = {.gang = &job.gang};

    job.report.count = 0;
    backend_find_losses(&without_units, &call, &job.report);
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
    add_rows(cases, names_the_role_and_the_field, rows, roles, minimum, field);
    add_rows(cases, reports_each_loss, rows, roles, minimum, field);
    tcase_add_test(cases, points_at_the_role_or_the_minimum);
    add_rows(cases, names_the_roles_whose_units_can_start_in_part, unit_rows, roles);
    tcase_add_test(cases, a_small_minimum_of_the_gang_lets_units_start_in_part);
    tcase_add_test(cases, a_backend_says_which_units_it_keeps);
    tcase_add_test(cases, a_finding_points_at_the_role);
}
