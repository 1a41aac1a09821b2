/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/membership.h"

#include "unit/job.h"

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
    /* roles outside the gang have no say, late members have */
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
     "members of the gang must have one priority: role \"a\" has \"high\", role \"b\" has \"low\""},
    {"a^high b", "replicatedJobs[1]",
     "members of the gang must have one priority: role \"a\" has \"high\", role \"b\" has no "
     "priority class"},
    {"a b c^high", "replicatedJobs[2].priorityClassName",
     "members of the gang must have one priority: role \"a\" has no priority class, role \"c\" has "
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

START_TEST(finds_whom_the_last_class_overrules)
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
    add_rows(cases, names_in_order_of_precedence, priorities, roles, mode);
    add_rows(cases, members_have_one_priority, agreements, roles);
    add_rows(cases, names_the_two_that_disagree, disagreements, roles);
    add_rows(cases, finds_whom_the_last_class_overrules, lasts, roles);
}
