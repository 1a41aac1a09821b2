/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/gang_job.h"

#include "unit/jobs.h"

#define STAGE_ROLE(name, count, more) JOB_ROLE(name, ",'requests':{},'count':" count more)
#define STAGE_AFTER(role, status) ",'dependsOn':[{'role':'" role "','status':'" status "'}]"
#define STAGE_NEXT(name, count, before) STAGE_ROLE(name, count, STAGE_AFTER(before, "Complete"))

/* Each gang as `name:member`, the role that fixes its stage; `-` for a job as it is written. */
static const struct {
    const char *text;
    const char *gangs;
} splits[] = {
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "4", ""))), "job:-"},
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", "") "," STAGE_ROLE("b", "1", STAGE_AFTER("a", "Ready")))),
     "job:-"},
    /* prepare, train, export: stages that never run together */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("prepare", "2", "") "," STAGE_NEXT(
         "train", "8", "prepare") "," STAGE_NEXT("export", "4", "train"))),
     "job:prepare job-s1:train job-s2:export"},
    /* a stage of one pod needs no gang */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("prepare", "1", "") "," STAGE_NEXT(
         "train", "8", "prepare") "," STAGE_NEXT("export", "1", "train"))),
     "job:train"},
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "1", "") "," STAGE_NEXT("b", "1", "a"))), "job:-"},
    /* pods of one stage count together */
    {GANG_JOB(JOB_ROLES(
         STAGE_ROLE("a", "1", "") "," STAGE_ROLE("b", "1", "") "," STAGE_NEXT("c", "3", "a"))),
     "job:a job-s1:c"},
    /* a Ready edge stays within a stage, which its role can raise */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("c", "2", STAGE_AFTER("b", "Ready")) "," STAGE_NEXT(
         "b", "2", "a") "," STAGE_ROLE("a", "2", ""))),
     "job:a job-s1:c"},
    /* a role that is a Member says which stage is the gang */
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", ",'membership':'Member'") "," STAGE_NEXT("b", "4", "a"))),
     "job:a"},
    {GANG_JOB(
         JOB_ROLES(STAGE_ROLE("a", "4", ",'membership':'Outside'") "," STAGE_NEXT("b", "4", "a"))),
     "job:b"},
    /* an edge to a role without pods holds at once */
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "0", "") "," STAGE_NEXT("b", "4", "a"))), "job:b"},
    /* a role without pods fixes no stage */
    {GANG_JOB(JOB_ROLES(
         STAGE_ROLE("a", "0", "") "," STAGE_ROLE("b", "2", "") "," STAGE_NEXT("c", "4", "b"))),
     "job:b job-s1:c"},
    {GANG_JOB(JOB_ROLES(STAGE_NEXT("b", "4", "a")) ",'groupName':'g'"), "g:b"},
    {GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT("b", "4", "a")) ",'groupName':'g'"),
     "g:a g-s1:b"},
    /* roles that wait for each other have no stages */
    {GANG_JOB(JOB_ROLES(STAGE_NEXT("a", "2", "b") "," STAGE_NEXT("b", "4", "a"))), "job:-"},
    /* an edge to a later role, and one to no role */
    {GANG_JOB(JOB_ROLES(
         STAGE_NEXT("c", "2", "b") "," STAGE_NEXT("b", "2", "a") "," STAGE_NEXT("a", "2", "none"))),
     "job:a job-s1:b job-s2:c"},
};

/* A pod has one mark, so one plan marks it: the first one those of roles that are in no gang. */
static const struct {
    const char *membership;
    bool is_elsewhere[2]; /* for each gang */
} outside[] = {
    {"Outside", {false, true}},
    {"Elsewhere", {true, true}},
};

START_TEST(a_role_outside_is_marked_by_the_first_gang_alone)
{
    const char *const edges[] = {"", STAGE_AFTER("a", "Complete")};
    char text[DOCUMENT_SIZE];

    for (size_t i = 0; i < COUNT_OF(edges); i++)
        for (uint64_t gang = 0; gang < 2; gang++) {
            struct arena *arena = arena_new(0);
            struct report report;
            struct job_case opened;

            report_init(&report, arena, &standard_limits);
            snprintf(text, sizeof(text),
                     GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT(
                         "b", "4", "a") "," STAGE_ROLE("c", "2", ",'membership':'%s'%s"))),
                     outside[_i].membership, edges[i]);
            job_open_good(&opened, text);
            ck_assert_int_eq(job_document_gang(opened.typed, gang, &standard_limits, &report)
                                 ->roles[2]
                                 .elsewhere,
                             outside[_i].is_elsewhere[gang]);
            job_close(&opened);
            arena_free(arena);
        }
}
END_TEST

/* The gang that marks the pods of a role is one of the job's. */
START_TEST(a_role_of_another_gang_is_elsewhere)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct job_case opened;
    const struct gang_job *job;

    report_init(&report, arena, &standard_limits);
    job_open_good(&opened, GANG_JOB(JOB_ROLES(STAGE_ROLE("a", "2", "") "," STAGE_NEXT(
                               "b", "4", "a") "," STAGE_NEXT("c", "1", "b"))));
    ck_assert(!opened.job->roles[0].elsewhere);
    ck_assert(opened.job->roles[1].elsewhere);
    ck_assert(!opened.job->roles[2].elsewhere); /* one pod: of no gang */
    job = job_document_gang(opened.typed, 1, &standard_limits, &report);
    ck_assert(job->roles[0].elsewhere);
    ck_assert(!job->roles[1].elsewhere);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

static const char *
member_of(const struct gang_job *job)
{
    for (size_t i = 0; i < job->num_roles; i++)
        if (job->roles[i].wish == WISH_MEMBER)
            return job->roles[i].name.data;
    return "-";
}

START_TEST(each_stage_of_several_pods_is_a_gang)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct job_case opened;
    char found[512] = "";
    size_t len = 0;

    report_init(&report, arena, &standard_limits);
    job_open_good(&opened, splits[_i].text);
    for (uint64_t i = 0; i < gang_document_num_gangs(opened.document); i++) {
        const struct gang_job *job = job_document_gang(opened.typed, i, &standard_limits, &report);
        const struct slice name = slice_is_set(job->group_name) ? job->group_name : job->owner.name;

        len += (size_t)snprintf(found + len, sizeof(found) - len, "%s%.*s:%s", i ? " " : "",
                                SLICE_ARG(name), member_of(job));
    }
    ck_assert_str_eq(found, splits[_i].gangs);
    ck_assert_uint_eq(report.count, 0);
    job_close(&opened);
    arena_free(arena);
}
END_TEST

/* A cycle is reported when the job is resolved; here it must only end. */
START_TEST(a_cycle_has_no_stages)
{
    struct job_case opened;

    job_open_good(&opened,
                  GANG_JOB(JOB_ROLES(STAGE_NEXT("a", "2", "b") "," STAGE_NEXT("b", "2", "a"))));
    ck_assert_uint_ge(gang_document_num_gangs(opened.document), 1);
    job_close(&opened);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, each_stage_of_several_pods_is_a_gang, splits, text);
    tcase_add_test(cases, a_role_of_another_gang_is_elsewhere);
    add_rows(cases, a_role_outside_is_marked_by_the_first_gang_alone, outside, membership);
    tcase_add_test(cases, a_cycle_has_no_stages);
}
