/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_JOBSET_H
#define LIBGANG_BACKEND_KAI_JOBSET_H

#include "libgang/backend/backend.h"
#include "libgang/backend/kai_grouping.h"

/* What libgang itself puts on the job and its pods, where the podgrouper will find it. Unset: nothing. */
struct kai_marks {
    struct slice queue;      /* label of the pods */
    bool queue_on_job;       /* and of the JobSet: a label of the job itself would stand before the pods' */
    struct slice priority;   /* label of the JobSet, for the same reason */
    struct slice min_member; /* annotation of the JobSet */
};

/* The JobSet that the operator will make of a call's job, marks and all, as the podgrouper will find it. */
struct kai_job kai_jobset_read(const struct backend_call *call, const struct release *release,
                               const struct kai_marks *marks, struct arena *arena);

/* The marks for the queue and the priority class that were chosen for the gang. */
struct kai_marks kai_jobset_marks(const struct backend_call *call, const struct release *release,
                                  struct arena *arena);

#endif
