/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_JOB_ROLES_H
#define TESTS_UNIT_JOB_ROLES_H

#include "unit/jobs.h"

LIKE_PRINTF(3, 4)
static inline void
job_roles_add(char *out, size_t size, const char *format, ...)
{
    size_t len = strlen(out);
    va_list arguments;

    va_start(arguments, format);
    len += (size_t)vsnprintf(out + len, size - len, format, arguments);
    va_end(arguments);
    ck_assert_uint_lt(len, size);
}

static inline void
job_roles_add_number(char *out, size_t size, const char *name, int64_t number, int64_t usual)
{
    if (number != usual)
        job_roles_add(out, size, " %s %lld", name, (long long)number);
}

/* The roles as "a 1, b 8 min 4 unit 2 by x first 2 Member after a Ready", with `;` between gangs.
 */
static inline void
job_roles_of(const struct gang_wishes *job, char *out, size_t size)
{
    for (size_t i = 0; i < job->num_roles; i++) {
        const struct role *role = &job->roles[i];

        job_roles_add(out, size, "%s%.*s %lld", i ? ", " : "", SLICE_ARG(role->name),
                      (long long)role->count);
        job_roles_add_number(out, size, "min", role->min_count, role->count);
        job_roles_add_number(out, size, "unit", role->unit, 1);
        if (slice_is_set(role->unit_label))
            job_roles_add(out, size, " by %.*s", SLICE_ARG(role->unit_label));
        job_roles_add_number(out, size, "first", role->first_count, role->min_count);
        if (role->wish)
            job_roles_add(out, size, " %s", membership_wish_names[role->wish]);
        for (size_t k = 0; k < role->num_dependencies; k++)
            job_roles_add(out, size, " after %.*s %s", SLICE_ARG(role->dependencies[k].role),
                          dependency_status_names[role->dependencies[k].status]);
    }
}

/* A job of another kind, and what it is read as. */
struct job_reading {
    const char *text;
    const char *roles;    /* of all gangs */
    const char *findings; /* NULL: of no interest here */
    const char *why_no_gang;
};

static inline void
job_check_gangs(const struct job_case *opened, const char *expected)
{
    char roles[DOCUMENT_SIZE] = "";
    struct arena *arena = arena_new(SIZE_MAX);
    struct report report;

    report_init(&report, arena, &standard_limits);
    for (uint64_t gang = 0; gang < opened->typed->num_gangs; gang++) {
        const struct gang_wishes *job = job_document_gang(opened->typed, gang, &report);

        ck_assert_ptr_nonnull(job);
        if (gang)
            job_roles_add(roles, sizeof(roles), "; %.*s: ", SLICE_ARG(job->name));
        job_roles_of(job, roles, sizeof(roles));
    }
    ck_assert_str_eq(roles, expected);
    ck_assert_uint_eq(report.errors, 0);
    arena_free(arena);
}

static inline void
job_check_reading(const struct job_reading *expected)
{
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    job_open_good(&opened, expected->text);
    job_check_gangs(&opened, expected->roles);
    if (expected->findings)
        ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)), expected->findings);
    if (expected->why_no_gang)
        ck_assert_str_eq(opened.job->why_no_gang ? opened.job->why_no_gang : "",
                         expected->why_no_gang);
    else
        ck_assert_ptr_null(opened.job->why_no_gang);
    job_close(&opened);
}

/* A pod template with one container, and its members. */
#define JOB_TEMPLATE "'template':{'spec':{'containers':[{'name':'c'}]}}"

#endif
