/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_LAYERS_H
#define LIBGANG_DECIDE_KUEUE_LAYERS_H

#include "libgang/decide/kueue_kinds.h"

/*
 * Reports what Kueue's webhook refuses in the annotation with several layers of slices, a JSON text
 * such as `[{"topology":"example.com/block","size":8}]`. `pods` is the number of pods of the pod
 * set, -1 if the webhook does not compare it.
 */
void kueue_layers_check(const struct kueue_job *job, const struct node *annotation, int64_t pods,
                        const char *hint);

#endif
