/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/podgang_trace.h"

#include "libgang/engine/podgang_choice.h"

static void
podgang_trace_scheduler(const struct gang *gang, struct trace *trace)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool same = slice_equal(role->scheduler_name, gang->scheduler_name);

        if (role->scheduler_name.len)
            trace_add(
                trace, TRACE_SCHEDULER_NAME,
                (struct trace_candidate){
                    .value = role->scheduler_name,
                    .source = role->scheduler_name_source,
                    .verdict = same ? VERDICT_CHOSEN : VERDICT_REFUSED,
                    .reason = same ? "the template names the gang's scheduler" : "not the gang's scheduler",
                });
    }
    if (!trace->entries[TRACE_SCHEDULER_NAME].count)
        trace_add(trace, TRACE_SCHEDULER_NAME,
                  (struct trace_candidate){.value = gang->scheduler_name,
                                           .verdict = VERDICT_CHOSEN,
                                           .reason = "the scheduler of the backend"});
}

/* One candidate: a value that a document gives, or the reason why there is none. */
static void
podgang_trace_one(struct trace *trace, enum trace_attribute attribute, struct slice value,
                  const struct node *source, const char *given, const char *unset)
{
    bool is_given = value.len > 0;

    trace_add(trace, attribute,
              (struct trace_candidate){
                  .value = is_given ? value : NO_SLICE,
                  .source = source,
                  .document = source ? GANG_DOCUMENT_NONE : GANG_DOCUMENT_PODGANG,
                  .verdict = is_given ? VERDICT_CHOSEN : VERDICT_UNSET,
                  .reason = is_given ? given : unset,
              });
}

static struct slice
podgang_placement_text(const struct gang_placement *placement)
{
    return slice_is_set(placement->required) ? placement->required : placement->preferred;
}

void
podgang_trace(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang *gang = &decision->gang;

    podgang_choice_trace(decision, trace);
    if (!decision->backend)
        return;
    podgang_trace_scheduler(gang, trace);
    podgang_trace_one(trace, TRACE_QUEUE, gang->queue, gang->queue_source,
                      gang->queue_source ? "a document names it" : "Grove's default for this scheduler",
                      "no document names a queue");
    podgang_trace_one(trace, TRACE_PRIORITY_CLASS_NAME, gang->priority_class_name,
                      gang->priority_class_source, "the PodGang names it", "the PodGang names no class");
    podgang_trace_one(trace, TRACE_TIMEOUT, NO_SLICE, NULL, "", "a PodGang has no timeout");
    podgang_trace_one(trace, TRACE_MEMBERS, SLICE("All"), NULL,
                      "every podgroup is a member, its minReplicas are the minimum", "");
    podgang_trace_one(trace, TRACE_TOPOLOGY, podgang_placement_text(&gang->placement), gang->placement.source,
                      "the PodGang's topologyConstraint", "the PodGang as a whole has no topologyConstraint");
}
