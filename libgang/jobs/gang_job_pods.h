/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_GANG_JOB_PODS_H
#define LIBGANG_JOBS_GANG_JOB_PODS_H

#include "libgang/jobs/gang_job.h"

/*
 * Reads the resources of every role, from its template or its own fields, after a translation.
 * Reports invalid amounts and labels, and marks of gang membership in a template.
 */
void gang_job_read_pods(struct gang_job *job, const struct job_source *source);

/*
 * Computes what one pod of the role requests, with what an operator adds. `resources` are those of
 * the template, perhaps changed by admission. The list must not be changed: it may be the role's.
 * False on overflow.
 */
bool gang_job_sum_requests(const struct gang_job_role *role, const struct pod_resources *resources,
                           enum pod_requests_mode mode, struct arena *arena,
                           struct resource_list *out);

/* Whether neither a template nor amounts are given. */
static inline bool
gang_job_lacks_requests(const struct gang_job_role *role)
{
    return !role->pod_template && !role->requests;
}

#endif
