/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_FOREIGN_H
#define LIBGANG_BACKEND_KAI_KAI_FOREIGN_H

#include "libgang/backend/backend.h"

/*
 * What KAI's podgrouper does with the pods of a job that is no TrainJob, as far as it is known. Its
 * PodGroups for these kinds are not predicted.
 */
struct kai_foreign_kind {
    struct slice group; /* API group of the owner */
    struct slice kind;  /* unset: every kind of the group */
    bool is_gang;       /* the pods start together */
    bool is_annotated;  /* kai.scheduler/batch-min-member sets the minimum */
    const char *groups; /* what it makes, after "the podgrouper makes " */
};

/* Returns the kind of the job's owner; NULL if it is not known how the podgrouper groups it. */
const struct kai_foreign_kind *kai_foreign_kind_of(const struct gang_wishes *wishes);

/* Whether the podgrouper's PodGroup for the job is no gang. */
bool kai_foreign_is_no_gang(const struct kai_foreign_kind *kind, const struct gang_wishes *wishes);

#endif
