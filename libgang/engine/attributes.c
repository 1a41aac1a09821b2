/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/attributes.h"

#include "libgang/base/integer.h"
#include "libgang/engine/queue_choice.h"

static bool
backend_reads(const struct backend *backend, const char *gang_policy_member)
{
    return slice_equal(backend->gang_policy_member, slice_from_text(gang_policy_member));
}

void
attributes_apply(struct gang_decision *decision)
{
    const struct pod_group_policy *policy = &decision->inputs.runtime->pod_group_policy;
    struct gang *gang = &decision->gang;

    gang->scheduler_name = decision->backend->identity.scheduler_name;
    gang->has_timeout = policy->coscheduling != NULL;
    gang->timeout_seconds = policy->timeout_seconds;
    gang->timeout_source = policy->timeout_source;
    gang->topology = policy->topology;
    queue_choose(decision);
}

static const char left_alone[] = "with KubeflowTrainer compatibility schedulerName is left alone";

static struct trace_candidate
judge_template_scheduler(const struct gang *gang, const struct role *role)
{
    struct trace_candidate candidate = {.value = role->scheduler_name,
                                        .source = role->scheduler_name_source,
                                        .verdict = VERDICT_CHOSEN,
                                        .reason = "the template names the backend's scheduler"};

    if (gang->compatibility != COMPATIBILITY_NONE) {
        candidate.reason = left_alone;
    } else if (!slice_equal(role->scheduler_name, gang->scheduler_name)) {
        candidate.verdict = VERDICT_REFUSED;
        candidate.reason = "not the backend's scheduler";
    }
    return candidate;
}

static bool
every_role_names_a_scheduler(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!gang->roles[i].scheduler_name.len)
            return false;
    return true;
}

static struct trace_candidate
judge_default_scheduler(const struct gang *gang)
{
    bool unused = gang->compatibility != COMPATIBILITY_NONE || every_role_names_a_scheduler(gang);

    return (struct trace_candidate){
        .value = gang->scheduler_name,
        .verdict = unused ? VERDICT_OVERRIDDEN : VERDICT_CHOSEN,
        .reason = gang->compatibility != COMPATIBILITY_NONE ? left_alone
                  : unused                                  ? "every template names a scheduler"
                                                            : "the backend's default",
    };
}

static void
trace_scheduler_name(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang *gang = &decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].scheduler_name_source)
            trace_add(trace, TRACE_SCHEDULER_NAME, judge_template_scheduler(gang, &gang->roles[i]));
    trace_add(trace, TRACE_SCHEDULER_NAME, judge_default_scheduler(gang));
}

static void
trace_priority(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang *gang = &decision->gang;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool chosen = role->membership != ROLE_OUTSIDE &&
                      slice_equal(role->priority_class_name, gang->priority_class_name);

        if (role->priority_class_source)
            trace_add(trace, TRACE_PRIORITY_CLASS_NAME,
                      (struct trace_candidate){.value = role->priority_class_name,
                                               .source = role->priority_class_source,
                                               .verdict = chosen ? VERDICT_CHOSEN : VERDICT_OVERRIDDEN,
                                               .reason = chosen ? "the members' priority class"
                                                                : "not the members' priority class"});
    }
    if (!trace->entries[TRACE_PRIORITY_CLASS_NAME].count)
        trace_add(trace, TRACE_PRIORITY_CLASS_NAME,
                  (struct trace_candidate){.document = GANG_DOCUMENT_RUNTIME,
                                           .verdict = VERDICT_UNSET,
                                           .reason = "no template names a priority class"});
}

static struct slice
integer_text(struct arena *arena, int64_t value)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(arena, integer_format(value, text));
}

static void
trace_timeout(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang *gang = &decision->gang;
    struct trace_candidate candidate = {.document = GANG_DOCUMENT_RUNTIME,
                                        .missing =
                                            SLICE("spec.podGroupPolicy.coscheduling.scheduleTimeoutSeconds"),
                                        .verdict = VERDICT_UNSET,
                                        .reason = "the backend has no timeout"};

    if (gang->has_timeout) {
        candidate.value = integer_text(trace->arena, gang->timeout_seconds);
        candidate.source = gang->timeout_source;
        candidate.verdict = VERDICT_CHOSEN;
        candidate.reason = gang->timeout_source ? "the runtime's podGroupPolicy" : "the API server's default";
        if (gang->timeout_source)
            candidate.missing = NO_SLICE;
    } else if (backend_reads(decision->backend, GANG_BACKEND_COSCHEDULING))
        candidate.reason = "the scheduler's own default stands";
    trace_add(trace, TRACE_TIMEOUT, candidate);
}

static void
trace_members(const struct gang_decision *decision, struct trace *trace)
{
    bool compatibility = decision->gang.compatibility != COMPATIBILITY_NONE;

    trace_add(trace, TRACE_MEMBERS,
              (struct trace_candidate){
                  .value = compatibility ? SLICE("All") : SLICE("Auto"),
                  .source = compatibility ? decision->inputs.policy->compatibility_source : NULL,
                  .verdict = VERDICT_CHOSEN,
                  .reason = compatibility
                                ? "with KubeflowTrainer compatibility every role is counted and marked"
                                : "the roles that run together; the first wave is the minimum"});
}

static void
trace_topology(const struct gang_decision *decision, struct trace *trace)
{
    const struct gang_topology *topology = &decision->gang.topology;
    bool read = backend_reads(decision->backend, GANG_BACKEND_VOLCANO);

    trace_add(trace, TRACE_TOPOLOGY,
              topology->is_set
                  ? (struct trace_candidate){.value = topology->mode,
                                             .source = topology->source,
                                             .verdict = read ? VERDICT_CHOSEN : VERDICT_REFUSED,
                                             .reason = read ? "the runtime's podGroupPolicy"
                                                            : "the backend has no topology"}
                  : (struct trace_candidate){.document = GANG_DOCUMENT_RUNTIME,
                                             .missing = SLICE("spec.podGroupPolicy.volcano.networkTopology"),
                                             .verdict = VERDICT_UNSET,
                                             .reason = "no topology is asked for"});
}

void
attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    trace_scheduler_name(decision, trace);
    queue_trace(decision, trace);
    trace_priority(decision, trace);
    trace_timeout(decision, trace);
    trace_members(decision, trace);
    trace_topology(decision, trace);
}
