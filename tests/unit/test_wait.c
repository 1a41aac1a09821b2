/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "unit/suite.h"
#include "unit/job.h"

/* ---- wait ---- */

/* Of the last role. */
static const struct {
    const char *roles;
    const char *words;
} chains[] = {
    {"a", ""},
    {"a b<ghost:R", ""},
    {"a b<a:R", "\"b\" waits for \"a\" to be Ready"},
    {"a b<a:C", "\"b\" waits for \"a\" to be Complete"},
    {"a b<a:S", "\"b\" waits for \"a\" to be Scheduled"},
    {"a b<a:C c<b:R", "\"c\" waits for \"b\" to be Ready, which waits for \"a\" to be Complete"},
    {"a b c<b:R<a:C", "\"c\" waits for \"b\" to be Ready"},
    {"a b<ghost:C<a:C", "\"b\" waits for \"a\" to be Complete"},
};

START_TEST(names_the_chain_role_by_role)
{
    struct job job = job_make(chains[_i].roles);

    link_roles(job.wishes->roles, job.wishes->num_roles, &job.report);
    ck_assert_str_eq(
        wait_in_words(job.gang.roles, job.gang.num_roles, job.gang.num_roles - 1, job.arena),
        chains[_i].words);
    job_free(&job);
}
END_TEST

START_TEST(ends_on_a_cycle)
{
    struct job job = job_make("a<b:R b<a:R");

    link_roles(job.wishes->roles, 2, &job.report);
    ck_assert_str_eq(wait_in_words(job.gang.roles, 2, 0, job.arena),
                     "\"a\" waits for \"b\" to be Ready, which waits for \"a\" to be Ready");
    job_free(&job);
}
END_TEST

/* The counts of a negative number of nodes: fewer pods than the minimum, which needs none. */
START_TEST(a_minimum_below_one_needs_no_pod)
{
    static const int64_t minima[] = {0, -1};
    struct job job = job_make("launcher node");

    job.wishes->roles[1].count = -4;
    job.gang.minimum = minima[_i];
    wait_check_gang(&job.gang, &job.report);
    ck_assert_uint_eq(job.report.count, 0);
    job_free(&job);
}
END_TEST

/* What the operator makes of these: every role marked, every pod counted. */
static const struct {
    const char *roles;
    const char *path;  /* NULL: the gang fills */
    const char *chain; /* roles, each of which waits for the next */
    const char *message;
} deadlocks[] = {
    {"node*3", NULL, "", NULL},
    {"a b*2", NULL, "", NULL},
    {"node*2 launcher<node:R", "replicatedJobs[1].dependsOn[0]", " launcher node",
     "the gang can never start: \"launcher\" waits for \"node\" to be Ready, which waits until 3 "
     "pods of the "
     "gang "
     "exist, but only 2 can exist before that"},
    {"dataset model node*4<dataset:C<model:C", "replicatedJobs[2].dependsOn[0]", " node dataset",
     "the gang can never start: \"node\" waits for \"dataset\" to be Complete, which waits until 6 "
     "pods of "
     "the gang "
     "exist, but only 2 can exist before that"},
    /* of one role, the first pods of two Jobs of three: the role waits for itself */
    {"node*6$2", "replicatedJobs[0]", " node",
     "the gang can never start: \"node\" creates 4 of its 6 pods when the other 2 have nodes, "
     "which "
     "wait until 6 pods of the gang exist, but only 2 can exist before that"},
    {"x node*6$2<x:S", "replicatedJobs[1].dependsOn[0]", " node x",
     "the gang can never start: \"node\" waits for \"x\" to be Scheduled, which waits until 7 pods "
     "of the gang exist, but only 1 can exist before that"},
    {"c<b:C b<a:R a", "replicatedJobs[0].dependsOn[0]", " c b a",
     "the gang can never start: \"c\" waits for \"b\" to be Complete, which waits for \"a\" to be "
     "Ready, "
     "which waits "
     "until 3 pods of the gang exist, but only 1 can exist before that"},
};

START_TEST(reports_a_gang_that_waits_for_itself)
{
    struct job job = job_form_for(deadlocks[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);

    if (deadlocks[_i].path) {
        const struct gang_diagnostic *finding = job_finding(&job, GANG_CODE_STRUCTURAL_DEADLOCK);

        ck_assert_int_eq(finding->severity, GANG_SEVERITY_WARNING);
        ck_assert_str_eq(finding->path, deadlocks[_i].path);
        ck_assert_str_eq(finding->message, deadlocks[_i].message);
    } else {
        ck_assert_str_eq(job_findings(&job), "");
    }
    job_free(&job);
}
END_TEST

START_TEST(lists_the_roles_that_wait_for_each_other)
{
    struct job job = job_form_for(deadlocks[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);
    size_t chain[8];
    size_t count = wait_chain(&job.gang, job.arena, chain);
    char names[64] = "";

    for (size_t i = 0; i < count; i++) {
        strcat(names, " ");
        strncat(names, job.gang.roles[chain[i]].name.data, job.gang.roles[chain[i]].name.len);
    }
    ck_assert_str_eq(names, deadlocks[_i].chain);
    job_free(&job);
}
END_TEST

/* Pods that the operator does not count exist all the same: more of them than it waits for. */
START_TEST(counts_pods_that_exist)
{
    struct job job = job_make_for("a b<a:R", COMPATIBILITY_KUBEFLOW_TRAINER);

    job.wishes->roles[0].count = 2 + _i;
    job_form_again(&job);
    ck_assert_int_eq(job.gang.minimum, 2);
    ck_assert_str_eq(job_findings(&job), "");
    job_free(&job);
}
END_TEST

/* An error where no mode excuses it: memberships that a policy may ask for. */
START_TEST(is_an_error_by_default)
{
    struct job job = job_make("a b<a:R");

    ck_assert(wishes_order_roles(job.wishes, &job.report));
    job.gang.minimum = 1 + _i;
    wait_check_gang(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), _i ? "StructuralDeadlock" : "");
    ck_assert_int_eq(report_has_errors(&job.report), _i);
    job_free(&job);
}
END_TEST

/*
 * Two of many pods of an elastic role may start, but Volcano (minTaskMember) and KAI (subgroups)
 * count each role: volcano-sh/volcano:pkg/scheduler/api/job_info.go CheckTaskValid@v1.15.0
 */
START_TEST(pods_of_an_elastic_role_are_no_others)
{
    struct job job = job_make(_i ? "a*6 b*2<a:C" : "a*6 b*2");

    job.wishes->roles[0].has_min_count = true;
    job.wishes->roles[0].min_count = 2;
    job.wishes->members_choice = MEMBERS_ALL;
    job_form_again(&job);
    ck_assert_int_eq(job.gang.minimum, 4);
    ck_assert_str_eq(job_findings(&job), _i ? "StructuralDeadlock" : "");
    job_free(&job);
}
END_TEST

/* Marked, but not counted: an initializer that carries the mark is held by the gang that waits for
 * it. */
START_TEST(labelled_role_outside_the_gang_waits)
{
    struct job job = job_make("a b*4<a:C");

    ck_assert(wishes_order_roles(job.wishes, &job.report));
    job.gang.minimum = 4;
    wait_check_gang(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), "StructuralDeadlock");
    job.gang.parts[0].membership = ROLE_OUTSIDE;
    job.report.count = 0;
    wait_check_gang(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), "");
    job_free(&job);
}
END_TEST

/* ---- wording ---- */

START_TEST(joins_names)
{
    struct wording words = {0};

    wording_add(&words, ", ", SLICE("a"));
    ck_assert_str_eq(words.text, "\"a\"");
    wording_add(&words, ", ", SLICE("b"));
    wording_add_text(&words, " (late)");
    wording_add(&words, ", ", SLICE("c"));
    ck_assert_str_eq(wording_end_list(&words), "\"a\", \"b\" (late), \"c\"");
}
END_TEST

/* Each name takes 12 bytes with its joint, so 24 of them pass 280 bytes. */
START_TEST(counts_names_that_do_not_fit)
{
    struct wording words = {0};

    for (int i = 0; i < 1024; i++)
        wording_add(&words, ", ", SLICE("12345678"));
    wording_end_list(&words);
    ck_assert_uint_eq(words.len, 24 * 12 - 2 + strlen(" and 1000 more"));
    ck_assert_ptr_nonnull(strstr(words.text, "\"12345678\" and 1000 more"));
}
END_TEST

START_TEST(always_shows_the_end_of_a_chain)
{
    struct wording words = {0};

    for (int i = 0; i < 1024; i++)
        wording_add(&words, " > ", SLICE("1234567"));
    wording_add_last(&words, " > ", SLICE("end"));
    ck_assert_ptr_nonnull(strstr(words.text, "\"1234567\" ... (1000 more) > \"end\""));
}
END_TEST

START_TEST(a_short_chain_leaves_nothing_out)
{
    struct wording words = {0};

    wording_add(&words, " > ", SLICE("a"));
    wording_add_last(&words, " > ", SLICE("b"));
    ck_assert_str_eq(words.text, "\"a\" > \"b\"");
}
END_TEST

/* Names of 64 bytes that are shown as \x01 are the longest possible. */
START_TEST(holds_the_longest_names)
{
    struct wording words = {0};
    char bytes[80];

    memset(bytes, 1, sizeof(bytes));
    for (int i = 0; i < 20; i++)
        wording_add(&words, " waits for ", (struct slice){bytes, sizeof(bytes)});
    wording_add_last(&words, " waits for ", (struct slice){bytes, sizeof(bytes)});
    ck_assert_uint_lt(words.len, WORDING_SIZE);
    ck_assert_uint_eq(strlen(words.text), words.len);
    ck_assert_int_eq(words.text[words.len - 1], '"');
}
END_TEST

START_TEST(never_writes_past_its_end)
{
    struct wording words = {0};

    for (int i = 0; i < 1000; i++)
        wording_add_text(&words, "0123456789");
    ck_assert_uint_eq(words.len, WORDING_SIZE - 1);
    ck_assert_uint_eq(strlen(words.text), WORDING_SIZE - 1);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, names_the_chain_role_by_role, chains, roles);
    tcase_add_test(cases, ends_on_a_cycle);
    tcase_add_loop_test(cases, a_minimum_below_one_needs_no_pod, 0, 2);
    add_rows(cases, reports_a_gang_that_waits_for_itself, deadlocks, roles);
    add_rows(cases, lists_the_roles_that_wait_for_each_other, deadlocks, roles);
    tcase_add_loop_test(cases, counts_pods_that_exist, 0, 2);
    tcase_add_loop_test(cases, is_an_error_by_default, 0, 2);
    tcase_add_test(cases, labelled_role_outside_the_gang_waits);
    tcase_add_loop_test(cases, pods_of_an_elastic_role_are_no_others, 0, 2);
    tcase_add_test(cases, joins_names);
    tcase_add_test(cases, counts_names_that_do_not_fit);
    tcase_add_test(cases, always_shows_the_end_of_a_chain);
    tcase_add_test(cases, a_short_chain_leaves_nothing_out);
    tcase_add_test(cases, holds_the_longest_names);
    tcase_add_test(cases, never_writes_past_its_end);
}
