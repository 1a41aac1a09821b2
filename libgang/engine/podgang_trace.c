/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/podgang_trace.h"

#include "libgang/engine/podgang_attributes.h"

static void
podgang_trace_scheduler(const struct gang *gang, struct trace *trace)
{
    const struct trace_entry *entry = &trace->entries[TRACE_SCHEDULER_NAME];

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool same = slice_equal(role->scheduler_name, gang->scheduler_name);

        if (role->scheduler_name.len)
            trace_add(
                trace, TRACE_SCHEDULER_NAME,
                (struct trace_candidate){
                    .value = role->scheduler_name,
                    .source = role->scheduler_name_source,
                    .verdict = same                         ? VERDICT_CHOSEN
                               : gang->overrides_schedulers ? VERDICT_OVERRIDDEN
                                                            : VERDICT_REFUSED,
                    .reason = same ? "the template names the gang's scheduler" : "not the gang's scheduler",
                });
    }
    if (!entry->count || (gang->overrides_schedulers && !slice_is_set(entry->value)))
        trace_add(trace, TRACE_SCHEDULER_NAME,
                  (struct trace_candidate){.value = gang->scheduler_name,
                                           .verdict = VERDICT_CHOSEN,
                                           .reason = "the scheduler of the backend"});
}

void
podgang_trace(const struct gang_decision *decision, struct trace *trace)
{
    podgang_choice_trace(decision, trace);
    if (!decision->backend)
        return;
    podgang_trace_scheduler(&decision->gang, trace);
    podgang_attributes_trace(decision, trace);
}
