/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include <stdio.h>

#include "unit/job.h"

/* ---- membership ---- */

/* Linked and in stages, but nothing decided. */
static struct job
make_staged(const char *roles, enum gang_compatibility mode)
{
    struct job job = job_make_for(roles, mode);

    ck_assert(wishes_order_roles(job.wishes, &job.report));
    return job;
}

static void
check_letters(const struct job *job, const char *expected)
{
    static const char letters[] = {
        [ROLE_MEMBER] = 'M', [ROLE_LATE_MEMBER] = 'L', [ROLE_OUTSIDE] = 'O'};

    ck_assert_uint_eq(strlen(expected), job->gang.num_roles);
    for (size_t i = 0; i < job->gang.num_roles; i++)
        ck_assert_int_eq(letters[job->gang.parts[i].membership], expected[i]);
}

static const struct {
    const char *roles;
    const char *memberships;
} decided[] = {
    {"a", "M"},
    {"a@trainer b", "MM"},
    {"a@trainer b<a:R", "MM"}, /* not yet split by waves */
    {"a@trainer b<a:C", "MO"},
    {"a b@trainer<a:C", "OM"},
    {"a b<a:C c<b:C", "OOM"},
    {"a@dataset-initializer b@model-initializer c", "OOM"},
    {"a@dataset-initializer b", "OM"},
    {"a@other b", "MM"},
    {"a@model-initializer<b:R b@trainer", "OM"},
    {"a@trainer b@trainer c@trainer", "MMM"},
};

START_TEST(keeps_the_stage_of_the_trainers)
{
    struct job job = make_staged(decided[_i].roles, COMPATIBILITY_NONE);

    membership_decide(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), "");
    check_letters(&job, decided[_i].memberships);
    job_free(&job);
}
END_TEST

START_TEST(compatibility_takes_every_role)
{
    struct job job = make_staged("d@dataset-initializer m@model-initializer a@trainer b",
                                 COMPATIBILITY_KUBEFLOW_TRAINER);

    membership_decide(&job.gang, &job.report);
    check_letters(&job, "OOMM");
    membership_take_all(&job.gang, &job.report);
    check_letters(&job, "MMMM");
    ck_assert_str_eq(job_findings(&job), "MarkOnWaitingRole");
    ck_assert_str_eq(job.report.items[0].path, "replicatedJobs[0]");
    ck_assert_str_eq(
        job.report.items[0].message,
        "the operator counts and labels roles that do not run with the trainer: \"d\", \"m\"");
    job_free(&job);
}
END_TEST

START_TEST(splits_members_by_wave)
{
    struct job job = make_staged("a b c", COMPATIBILITY_NONE);

    job.gang.parts[1].wave = 1;
    job.gang.parts[2].wave = 2;
    job.gang.parts[2].membership = ROLE_OUTSIDE;
    membership_split_waves(&job.gang, &job.report);
    check_letters(&job, "MLO");
    ck_assert_str_eq(job_findings(&job), "LateMembers");
    ck_assert_int_eq(job.report.items[0].severity, GANG_SEVERITY_INFO);
    job_free(&job);
}
END_TEST

/* TrainerOnly: those labelled trainer, and the one that trains without the label (here `node`, as
 * under MPI). */
static const struct {
    const char *roles;
    const char *trains_too; /* NULL: none */
    const char *memberships;
    const char *findings;
} trainers[] = {
    {"a@trainer b", NULL, "MO", ""},
    {"a@trainer node", NULL, "MO", ""},
    {"a@trainer node", "node", "MM", ""},
    {"launcher@trainer<node:R node", "node", "MM", ""},
    {"a@trainer<node:C node", "node", "MO", ""},
    {"d@dataset-initializer a@trainer b", NULL, "OMO", ""},
    {"a b", NULL, "OO", "EmptyGang"},
    {"a node", "node", "OM", ""},
};

START_TEST(keeps_only_trainers)
{
    struct job job = make_staged(trainers[_i].roles, COMPATIBILITY_NONE);

    job.wishes->members_choice = MEMBERS_TRAINER_ONLY;
    job.wishes->trains_too = slice_from_text(trainers[_i].trains_too);
    membership_decide(&job.gang, &job.report);
    check_letters(&job, trainers[_i].memberships);
    ck_assert_str_eq(job_findings(&job), trainers[_i].findings);
    job_free(&job);
}
END_TEST

/* All: every role at once, in one wave, with any dependencies. */
static const struct {
    const char *roles;
    int64_t minimum;
    const char *findings;
} wholes[] = {
    {"a b*3", 4, ""},
    {"a@trainer b@dataset-initializer", 2, ""},
    {"a b<a:R", 2, "StructuralDeadlock"},
    {"d@dataset-initializer a@trainer<d:C", 2, "StructuralDeadlock"},
    {"a@trainer b@trainer<a:C", 2, "StructuralDeadlock"},
};

START_TEST(takes_every_role)
{
    struct job job = job_make(wholes[_i].roles);

    job.wishes->members_choice = MEMBERS_ALL;
    job_form_again(&job);
    ck_assert_int_eq(job.gang.minimum, wholes[_i].minimum);
    ck_assert_int_eq(job.gang.late_members, 0);
    ck_assert_str_eq(job_findings(&job), wholes[_i].findings);
    job_free(&job);
}
END_TEST

/* A message names as many as it has room for, and counts the others. */
START_TEST(late_members_beyond_the_message_are_counted)
{
    char text[2048] = "first";
    size_t len = strlen(text);
    struct job job;
    const char *found = NULL;

    for (int i = 0; i < 60; i++)
        len += (size_t)snprintf(text + len, sizeof(text) - len, " r%03d<first:R", i);
    job = job_form(text);
    for (size_t i = 0; i < job.report.count; i++)
        if (job.report.items[i].code == GANG_CODE_LATE_MEMBERS)
            found = job.report.items[i].message;
    ck_assert_ptr_nonnull(found);
    ck_assert_ptr_nonnull(strstr(found, ": \"r000\", \"r001\", "));
    ck_assert_ptr_nonnull(strstr(found, ", \"r035\" and 24 more; "));
    job_free(&job);
}
END_TEST

/* What becomes of late members, and what to do where they are refused. */
static const struct {
    enum gang_late late;
    enum gang_code code;
    const char *hint; /* NULL: nothing is to be done */
} late_answers[] = {
    {LATE_JOIN, GANG_CODE_LATE_MEMBERS, NULL},
    {LATE_EXCLUDE, GANG_CODE_LATE_MEMBERS, NULL},
    {LATE_REFUSE, GANG_CODE_LATE_MEMBERS_REFUSED,
     "remove the start order between the members, or allow late members"},
};

START_TEST(reports_late_members)
{
    struct job job = job_make("a b<a:R");

    job.wishes->late = late_answers[_i].late;
    job_form_again(&job);
    ck_assert_uint_eq(job.report.count, 1);
    ck_assert_int_eq(job.report.items[0].code, late_answers[_i].code);
    ck_assert_pstr_eq(job.report.items[0].hint, late_answers[_i].hint);
    job_free(&job);
}
END_TEST

/* ---- priority ---- */

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *
        named; /* the classes that members name, in order of precedence, each with a space behind */
} priorities[] = {
    {"a b", COMPATIBILITY_NONE, ""},
    {"a^high", COMPATIBILITY_NONE, "high "},
    {"a^high b^high", COMPATIBILITY_NONE, "high high "},
    {"a^high b^low", COMPATIBILITY_NONE, "high low "},
    {"a b^high", COMPATIBILITY_NONE, "high "},
    {"a b^", COMPATIBILITY_NONE, ""},
    /* roles outside the gang do not count, late members do */
    {"d@dataset-initializer^low node@trainer<d:C^high", COMPATIBILITY_NONE, "high "},
    {"d@dataset-initializer^low node@trainer<d:C", COMPATIBILITY_NONE, ""},
    {"node^high launcher@trainer<node:R^low", COMPATIBILITY_NONE, "high low "},
    /* the operator takes the last class that any role names */
    {"a^high b^low", COMPATIBILITY_KUBEFLOW_TRAINER, "low high "},
    {"a^high b", COMPATIBILITY_KUBEFLOW_TRAINER, "high "},
    {"a^high b^", COMPATIBILITY_KUBEFLOW_TRAINER, "high "},
    {"a b", COMPATIBILITY_KUBEFLOW_TRAINER, ""},
    {"node@trainer^high d@dataset-initializer^low", COMPATIBILITY_KUBEFLOW_TRAINER, "low high "},
};

static struct job
form_quietly(const char *roles, enum gang_compatibility mode)
{
    struct job job = job_form_for(roles, mode);

    job.report.count = job.report.errors = 0;
    return job;
}

START_TEST(names_in_order_of_precedence)
{
    struct job job = form_quietly(priorities[_i].roles, priorities[_i].mode);
    const char *named = "";
    const struct role *role;

    for (size_t i = 0; (role = priority_named_by(&job.gang, i)) != NULL; i++)
        named = arena_format(job.arena, "%s%.*s ", named, SLICE_ARG(role->priority_class_name));
    ck_assert_str_eq(named, priorities[_i].named);
    job_free(&job);
}
END_TEST

/* A pod without a class has another priority than one with it; roles outside the gang may differ.
 */
static const struct {
    const char *roles;
    bool disagree;
} agreements[] = {
    {"a b", false},
    {"a^high b^high", false},
    {"a^high b^low", true},
    {"a^high b", true},
    {"a b^high", true},
    {"a b^", false},
    {"d@dataset-initializer^low node@trainer<d:C^high", false},
    {"d@dataset-initializer node@trainer<d:C^high", false},
    {"node^high launcher@trainer<node:R^low", true},
    {"node^high launcher@trainer<node:R", true},
    {"node^high launcher@trainer<node:R^high", false},
    /* a role without pods has no say */
    {"node^high idle*0", false},
    {"idle*0^low node^high", false},
    {"idle*0^low node^high other", true},
};

START_TEST(members_have_one_priority)
{
    struct job job = form_quietly(agreements[_i].roles, COMPATIBILITY_NONE);

    priority_report_disagreement(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), agreements[_i].disagree ? "PrioritiesDisagree" : "");
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    const char *path;
    const char *message;
} disagreements[] = {
    {"a^high b^low", "replicatedJobs[1].priorityClassName",
     "members of the gang should have one priority: role \"a\" has \"high\", role \"b\" has "
     "\"low\""},
    {"a^high b", "replicatedJobs[1]",
     "members of the gang should have one priority: role \"a\" has \"high\", role \"b\" has no "
     "priority class"},
    {"a b c^high", "replicatedJobs[2].priorityClassName",
     "members of the gang should have one priority: role \"a\" has no priority class, role \"c\" "
     "has "
     "\"high\""},
};

START_TEST(names_the_two_that_disagree)
{
    struct job job = form_quietly(disagreements[_i].roles, COMPATIBILITY_NONE);

    priority_report_disagreement(&job.gang, &job.report);
    ck_assert_uint_eq(job.report.count, 1);
    ck_assert_int_eq(job.report.items[0].severity, GANG_SEVERITY_ERROR);
    ck_assert_str_eq(job.report.items[0].path, disagreements[_i].path);
    ck_assert_str_eq(job.report.items[0].message, disagreements[_i].message);
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    const char *overruled; /* NULL: none */
} lasts[] = {
    {"a b", NULL},     {"a^high b^high", NULL}, {"a^high b^low", "a"},
    {"a^high b", "b"}, {"a b^high", "a"},       {"a^low b^high c^low", "b"},
};

START_TEST(finds_roles_with_another_priority_than_the_last)
{
    struct job job = form_quietly(lasts[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);
    const struct role *role;

    job_take_priority(&job);
    role = priority_overruled_role(&job.gang);
    ck_assert_int_eq(role != NULL, lasts[_i].overruled != NULL);
    if (role)
        ck_slice_eq(role->name, lasts[_i].overruled);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reports_late_members, late_answers, hint, late);
    tcase_add_test(cases, late_members_beyond_the_message_are_counted);
    add_rows(cases, keeps_only_trainers, trainers, roles);
    add_rows(cases, takes_every_role, wholes, roles);
    add_rows(cases, keeps_the_stage_of_the_trainers, decided, roles);
    tcase_add_test(cases, compatibility_takes_every_role);
    tcase_add_test(cases, splits_members_by_wave);
    add_rows(cases, names_in_order_of_precedence, priorities, roles, mode);
    add_rows(cases, members_have_one_priority, agreements, roles);
    add_rows(cases, names_the_two_that_disagree, disagreements, roles);
    add_rows(cases, finds_roles_with_another_priority_than_the_last, lasts, roles);
}
