/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_TARGETS_H
#define LIBGANG_RENDER_TARGETS_H

#include "libgang/render/render.h"

/*
 * The documents that a user applies instead of the plan's patches: the inputs with the patches in
 * them. Both functions return a tree in `arena` that shares what does not change with the input.
 * They report what the documents cannot contain; the result is then not to be used.
 */

/*
 * The runtime without podGroupPolicy, so that the operator creates no PodGroup, and with the
 * schedulerName and priorityClassName of the patches.
 */
const struct node *target_runtime_build(const struct gang_plan *plan, const struct limits *limits,
                                        struct arena *arena, struct report *report);

/*
 * The TrainJob with the labels and annotations of the patches in an entry of runtimePatches; a job
 * of another kind with the patches in its pod templates, see job_marks.h.
 */
const struct node *target_job_build(const struct gang_plan *plan, const struct limits *limits,
                                    struct arena *arena, struct report *report);

#endif
