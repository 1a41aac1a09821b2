/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_PLACEMENT_H
#define LIBGANG_DECIDE_KUEUE_PLACEMENT_H

#include "libgang/decide/kueue_kinds.h"

/*
 * Reports where Kueue's topology-aware scheduling places the pods of a role, as the annotations of
 * their template say, and what Kueue's webhook refuses in them.
 */
void kueue_placement_check(const struct kueue_job *job, const struct role *role);

#endif
