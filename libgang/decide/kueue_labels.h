/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_LABELS_H
#define LIBGANG_DECIDE_KUEUE_LABELS_H

#include "libgang/decide/kueue_kinds.h"

/* Reports the labels and annotations of the job itself that Kueue's webhook refuses. */
void kueue_labels_check(const struct kueue_job *job);

#endif
