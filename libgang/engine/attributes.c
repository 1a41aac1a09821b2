/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/attributes.h"

#include "libgang/engine/member_choice.h"
#include "libgang/engine/priority_choice.h"
#include "libgang/engine/queue_choice.h"
#include "libgang/engine/scheduler_choice.h"
#include "libgang/engine/timeout_choice.h"
#include "libgang/engine/topology_choice.h"

void
attributes_choose(struct gang_decision *decision)
{
    member_choose(decision);
    queue_choose(decision);
    timeout_choose(decision);
    topology_choose(decision);
}

void
attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    scheduler_trace(decision, trace);
    queue_trace(decision, trace);
    priority_trace(decision, trace);
    timeout_trace(decision, trace);
    member_trace(decision, trace);
    topology_trace(decision, trace);
}
