/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_JOBSET_ROLES_H
#define LIBGANG_TRAINER_JOBSET_ROLES_H

#include "libgang/gang/start_order.h"
#include "libgang/kube/jobset.h"

/*
 * One role per replicatedJob, in the order of the JobSet, as far as the JobSet alone says: counts and requests are
 * still to come. A runtime has them ready for all jobs whose patches leave its JobSet alone.
 */
struct jobset_roles {
    struct role *roles; /* as many as the JobSet has jobs; NULL without memory */
    bool is_ordered;    /* they are linked, nothing is wrong with the start order, stages are set */
    const uint32_t *start_order;
};

struct jobset_roles jobset_roles_read(const struct jobset *jobset, struct arena *arena);

#endif
