/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_KAI_NAME_H
#define LIBGANG_GROVE_KAI_NAME_H

#include "libgang/base/arena.h"

/*
 * The name itself where KAI takes it for a subgroup, else one made of it that nothing else is made to: lower case, '-'
 * for what has no place, and ten digits of the name's SHA-256. In `arena`, or the name as it is.
 * Source: stableKAIName of ai-dynamo/grove:operator/internal/scheduler/kai/aggregate.go, pull request 735 @ebe5f5a0
 */
struct slice kai_stable_name(struct slice name, struct arena *arena);

#endif
