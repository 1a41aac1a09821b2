/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_ORDER_KAI_PLAN_H
#define TESTS_ORDER_KAI_PLAN_H

#include "replay.h"

/* Plays a plan for KAI through, from its objects and predictions; a gang that does not hold
 * together counts as stuck. */
enum replay_verdict kai_plan_replay(struct json_object *plan, char *story, size_t size);

#endif
