/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/priority.h"

#include "unit/job.h"

static const struct {
    const char *roles;
    enum gang_compatibility mode;
    const char *priority; /* NULL: none */
    const char *findings;
} priorities[] = {
    {"a b", COMPATIBILITY_NONE, NULL, ""},
    {"a^high", COMPATIBILITY_NONE, "high", ""},
    {"a^high b^high", COMPATIBILITY_NONE, "high", ""},
    {"a^high b^low", COMPATIBILITY_NONE, "high", "PrioritiesDisagree"},
    /* a pod without a class has another priority than one with it */
    {"a^high b", COMPATIBILITY_NONE, "high", "PrioritiesDisagree"},
    {"a b^high", COMPATIBILITY_NONE, NULL, "PrioritiesDisagree"},
    {"a b^", COMPATIBILITY_NONE, NULL, ""},
    /* roles outside the gang may differ, late members may not */
    {"d@dataset-initializer^low node@trainer<d:C^high", COMPATIBILITY_NONE, "high", ""},
    {"d@dataset-initializer node@trainer<d:C^high", COMPATIBILITY_NONE, "high", ""},
    {"d@dataset-initializer^low node@trainer<d:C", COMPATIBILITY_NONE, NULL, ""},
    {"node^high launcher@trainer<node:R^low", COMPATIBILITY_NONE, "high", "PrioritiesDisagree"},
    {"node^high launcher@trainer<node:R", COMPATIBILITY_NONE, "high", "PrioritiesDisagree"},
    {"node^high launcher@trainer<node:R^high", COMPATIBILITY_NONE, "high", ""},
    /* the operator takes the last class that any role names, and says nothing */
    {"a^high b^low", COMPATIBILITY_KUBEFLOW_TRAINER, "low", ""},
    {"a^high b", COMPATIBILITY_KUBEFLOW_TRAINER, "high", ""},
    {"a^high b^", COMPATIBILITY_KUBEFLOW_TRAINER, "high", ""},
    {"a b", COMPATIBILITY_KUBEFLOW_TRAINER, NULL, ""},
    {"node@trainer^high d@dataset-initializer^low", COMPATIBILITY_KUBEFLOW_TRAINER, "low", ""},
};

static struct job
form_quietly(const char *roles, enum gang_compatibility mode)
{
    struct job job = job_form_for(roles, mode);

    job.report.count = job.report.errors = 0;
    return job;
}

START_TEST(decides_the_priority_of_the_gang)
{
    struct job job = form_quietly(priorities[_i].roles, priorities[_i].mode);

    priority_decide(&job.gang, &job.report);
    ck_assert_str_eq(job_findings(&job), priorities[_i].findings);
    ck_assert_int_eq(slice_is_set(job.gang.priority_class_name), priorities[_i].priority != NULL);
    ck_assert_int_eq(job.gang.priority_class_source != NULL, priorities[_i].priority != NULL);
    if (priorities[_i].priority)
        ck_slice_eq(job.gang.priority_class_name, priorities[_i].priority);
    job_free(&job);
}
END_TEST

static const struct {
    const char *roles;
    const char *path;
    const char *message;
} disagreements[] = {
    {"a^high b^low", "replicatedJobs[1].priorityClassName",
     "members of the gang must have one priority: role \"a\" has \"high\", role \"b\" has \"low\""},
    {"a^high b", "replicatedJobs[1]",
     "members of the gang must have one priority: role \"a\" has \"high\", role \"b\" has no priority class"},
    {"a b c^high", "replicatedJobs[2].priorityClassName",
     "members of the gang must have one priority: role \"a\" has no priority class, role \"c\" has \"high\""},
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

START_TEST(finds_whom_the_last_class_overrules)
{
    struct job job = form_quietly(lasts[_i].roles, COMPATIBILITY_KUBEFLOW_TRAINER);
    const struct role *role;

    priority_decide(&job.gang, &job.report);
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
    tcase_add_loop_test(cases, decides_the_priority_of_the_gang, 0, COUNT_OF(priorities));
    tcase_add_loop_test(cases, names_the_two_that_disagree, 0, COUNT_OF(disagreements));
    tcase_add_loop_test(cases, finds_whom_the_last_class_overrules, 0, COUNT_OF(lasts));
}
