/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_FORMED_JOBS_H
#define TESTS_UNIT_FORMED_JOBS_H

#include "libgang/gang/gang.h"

#include "unit/jobs.h"

/* The gang of a GangJob, formed without a policy. */
struct formed_job {
    struct job_case opened;
    struct arena *arena;
    struct report report;
    struct gang_wishes wishes;
    struct gang gang;
};

static inline void
formed_job_open(struct formed_job *made, const char *text)
{
    *made = (struct formed_job){.arena = arena_new(0)};
    job_open_good(&made->opened, text);
    report_init(&made->report, made->arena, &standard_limits);
    gang_job_fill(made->opened.job, &made->wishes, NULL, &made->report);
    ck_assert(wishes_order_roles(&made->wishes, &made->report));
    gang_form(&made->wishes, &made->gang, &made->report);
}

static inline void
formed_job_close(struct formed_job *made)
{
    job_close(&made->opened);
    arena_free(made->arena);
}

#endif
