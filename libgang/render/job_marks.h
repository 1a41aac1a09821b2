/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_JOB_MARKS_H
#define LIBGANG_RENDER_JOB_MARKS_H

#include "libgang/render/render.h"

/*
 * Returns the document of a job that is not a TrainJob, with the patches in the pod templates of
 * its roles. A job with several gangs has those of all: the others are resolved with the same
 * inputs. The tree is in `arena` and shares what does not change with the document. Reports what
 * the document cannot contain; the result is then not to be used.
 */
const struct node *job_marks_build(const struct gang_plan *plan, const struct limits *limits,
                                   struct arena *arena, struct report *report);

#endif
