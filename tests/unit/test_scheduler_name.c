/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/job.h"

/* The gang's scheduler is `volcano`. `patched`: one character per role, `p` for those that get it.
 */
static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *findings;
    const char *patched;
} names[] = {
    {"a", COMPATIBILITY_NONE, "SchedulerNameSet", "p"},
    {"a b", COMPATIBILITY_NONE, "SchedulerNameSet", "pp"},
    {"a!volcano", COMPATIBILITY_NONE, "", "-"},
    {"a!volcano b", COMPATIBILITY_NONE, "SchedulerNameSet", "-p"},
    {"a! b!volcano", COMPATIBILITY_NONE, "SchedulerNameSet", "p-"},
    {"d@dataset-initializer node@trainer<d:C", COMPATIBILITY_NONE, "SchedulerNameSet", "pp"},
    {"a!default-scheduler", COMPATIBILITY_NONE, "SchedulerMismatch", "-"},
    {"a!x b!x", COMPATIBILITY_NONE, "SchedulerMismatch SchedulerMismatch", "--"},
    {"a!volcano b!x", COMPATIBILITY_NONE, "SchedulerMismatch SchedulersDisagree", "--"},
    {"a!x b!y c", COMPATIBILITY_NONE,
     "SchedulerMismatch SchedulerMismatch SchedulersDisagree SchedulerNameSet", "--p"},
    {"a", COMPATIBILITY_KUBEFLOW_TRAINER, "SchedulerNameMissing", "-"},
    {"a!volcano b", COMPATIBILITY_KUBEFLOW_TRAINER, "SchedulerNameMissing", "--"},
    {"a!volcano", COMPATIBILITY_KUBEFLOW_TRAINER, "", "-"},
    {"a!x", COMPATIBILITY_KUBEFLOW_TRAINER, "SchedulerMismatch", "-"},
    {"a!x b!y", COMPATIBILITY_KUBEFLOW_TRAINER,
     "SchedulerMismatch SchedulerMismatch SchedulersDisagree", "--"},
};

START_TEST(checks_every_role)
{
    struct job job = job_make_for(names[_i].roles, names[_i].mode);
    bool refused =
        names[_i].mode == COMPATIBILITY_NONE && strstr(names[_i].findings, "SchedulerMismatch");

    scheduler_name_check(job.wishes, SLICE("volcano"), &job.report);
    ck_assert_str_eq(job_findings(&job), names[_i].findings);
    ck_assert_int_eq(report_has_errors(&job.report), refused);
    job_free(&job);
}
END_TEST

START_TEST(patches_roles_without_a_name)
{
    struct job job = job_make_for(names[_i].roles, names[_i].mode);
    struct plan_content content;

    ck_assert(plan_content_init(&content, job.arena, &job.gang));
    scheduler_name_patch(job.wishes, SLICE("volcano"), &content);
    ck_assert_uint_eq(strlen(names[_i].patched), content.num_patches);
    for (size_t i = 0; i < content.num_patches; i++) {
        ck_assert_int_eq(slice_is_set(content.patches[i].scheduler_name),
                         names[_i].patched[i] == 'p');
        if (names[_i].patched[i] == 'p')
            ck_slice_eq(content.patches[i].scheduler_name, "volcano");
    }
    job_free(&job);
}
END_TEST

/* A gang of a later stage may have another scheduler: its plan has these pods. */
START_TEST(roles_of_another_gang_have_their_own)
{
    struct job job = job_make_for("a!x b c!y d", COMPATIBILITY_NONE);

    job.wishes->roles[0].elsewhere = true;
    job.wishes->roles[1].elsewhere = true;
    scheduler_name_check(job.wishes, SLICE("y"), &job.report);
    ck_assert_str_eq(job_findings(&job), "SchedulerNameSet");
    ck_assert_str_eq(job.report.items[0].message, "schedulerName \"y\" was set on roles \"d\"");
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    enum gang_code code;
    const char *path;
    const char *message;
    const char *hint;
} messages[] = {
    {"a!volcano b c", COMPATIBILITY_NONE, GANG_CODE_SCHEDULER_NAME_SET, "replicatedJobs[1]",
     "schedulerName \"volcano\" was set on roles \"b\", \"c\"", NULL},
    {"a b", COMPATIBILITY_KUBEFLOW_TRAINER, GANG_CODE_SCHEDULER_NAME_MISSING, "replicatedJobs[0]",
     "schedulerName \"volcano\" is missing, so the default scheduler starts the pods one by one: "
     "\"a\", "
     "\"b\"",
     "write `schedulerName: volcano` in the runtime's pod templates"},
    {"a b!default-scheduler", COMPATIBILITY_NONE, GANG_CODE_SCHEDULER_MISMATCH,
     "replicatedJobs[1].schedulerName",
     "Invalid value: \"default-scheduler\": the gang's scheduler is \"volcano\"; pods of another "
     "scheduler "
     "are not in "
     "the gang",
     "remove schedulerName, or set it to \"volcano\""},
    {"a!scheduler-plugins-scheduler", COMPATIBILITY_NONE, GANG_CODE_SCHEDULER_MISMATCH,
     "replicatedJobs[0].schedulerName",
     "Invalid value: \"scheduler-plugins-scheduler\": the gang's scheduler is \"volcano\"; pods of "
     "another "
     "scheduler "
     "are not in the gang",
     "remove schedulerName, or choose the backend coscheduling instead"},
    {"a!x b c!y d!z", COMPATIBILITY_NONE, GANG_CODE_SCHEDULERS_DISAGREE,
     "replicatedJobs[2].schedulerName",
     "roles of one job must have one scheduler: role \"a\" has \"x\", role \"c\" has \"y\"",
     "give every role the same schedulerName, or none"},
};

START_TEST(message_names_roles_and_scheduler)
{
    struct job job = job_make_for(messages[_i].roles, messages[_i].mode);
    const struct gang_diagnostic *finding;

    scheduler_name_check(job.wishes, SLICE("volcano"), &job.report);
    finding = job_finding(&job, messages[_i].code);
    ck_assert_str_eq(finding->path, messages[_i].path);
    ck_assert_str_eq(finding->message, messages[_i].message);
    ck_assert_pstr_eq(finding->hint, messages[_i].hint);
    job_free(&job);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, checks_every_role, names, roles, mode);
    add_rows(cases, patches_roles_without_a_name, names, roles, mode);
    tcase_add_test(cases, roles_of_another_gang_have_their_own);
    add_rows(cases, message_names_roles_and_scheduler, messages, roles, mode);
}
