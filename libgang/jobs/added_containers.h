/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_JOBS_ADDED_CONTAINERS_H
#define LIBGANG_JOBS_ADDED_CONTAINERS_H

#include "libgang/jobs/gang_job.h"

/* A container that an operator adds to each pod of a template, behind the template's own ones. */
struct added_container {
    bool is_init;
    const struct node *resources; /* requests and limits, as in a container; NULL: none */
};

/* Returns the resources of a container that requests these two amounts, which are borrowed. */
const struct node *added_resources(struct slice cpu, struct slice memory, struct arena *arena);

/*
 * Returns by how much the containers raise the requests of one pod, as a map for extra_requests. An
 * init container raises them only where it needs more than the others. NULL: by nothing. Reports
 * invalid amounts of the added containers, but not those of the template.
 */
const struct node *added_requests(const struct node *pod_template,
                                  const struct added_container *added, size_t count,
                                  const struct job_source *source);

#endif
