/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_GROVE_JOB_H
#define LIBGANG_GROVE_GROVE_JOB_H

#include "libgang/grove/podcliqueset.h"
#include "libgang/grove/podgang.h"

/* A PodGang and the PodCliqueSet that it belongs to: what Grove's operator works on. */
struct grove_job {
    const struct gang_podgang *podgang;
    const struct gang_podcliqueset *podcliqueset; /* NULL: not known */
};

/* `<namespace>/<name>`, as Grove's messages call an object. */
const char *grove_job_full_name(struct slice namespace_, struct slice name, struct arena *arena);

/* Where a label that is missing would stand: among the labels, or, without any, below the metadata. */
const struct node *grove_job_label_place(const struct object_meta *meta, struct slice *missing);

/* Reports a PodCliqueSet that is not the one that controls the PodGang. Without one nothing is reported. */
void grove_job_check_set(const struct grove_job *job, struct report *report);

/*
 * Reports, in Grove's words, a PodGang of which nobody knows the PodCliqueSet: no owner, another kind of owner, or a
 * PodCliqueSet that was not passed in. False then.
 */
bool grove_job_require_set(const struct grove_job *job, struct report *report);

#endif
