/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/podgang_attributes.h"

#include "libgang/document/finding.h"
#include "libgang/engine/member_choice.h"
#include "libgang/engine/policy_choice.h"
#include "libgang/engine/priority_choice.h"
#include "libgang/engine/queue_choice.h"
#include "libgang/engine/timeout_choice.h"
#include "libgang/engine/topology_choice.h"

/* ---- the queue ---- */

static bool
podgang_queue_of_documents(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->grove_queue;

    candidate->document = GANG_DOCUMENT_PODGANG;
    candidate->source = queue->source;
    candidate->value = queue->source ? queue->name : NO_SLICE;
    candidate->verdict = queue->source ? VERDICT_CHOSEN : VERDICT_UNSET;
    candidate->reason = queue->source ? "a document names it" : "no document names a queue";
    candidate->overrides = "Grove's documents stand before";
    if (queue->source)
        candidate->document = (enum gang_document)queue->source->document;
    return index == 0;
}

static bool
podgang_queue_of_grove(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->grove_queue;

    candidate->value = queue->name;
    candidate->verdict = VERDICT_CHOSEN;
    candidate->reason = "Grove's default for this scheduler";
    return index == 0 && !queue->source && slice_is_set(queue->name);
}

static const struct choice_source podgang_queue_sources[] = {
    {policy_choice_strict_rule, true}, {podgang_queue_of_documents, false}, {policy_choice_rule, true},
    {policy_choice_defaults, true},    {podgang_queue_of_grove, false},
};
static const struct choice_table podgang_queue_table = {
    podgang_queue_sources, sizeof(podgang_queue_sources) / sizeof(podgang_queue_sources[0])};

static enum grove_queue_need
podgang_queue_need(const struct gang_decision *decision)
{
    const struct policy_settings *block = policy_choice_block(decision, queue_choice_block_says);

    if (!block)
        return GROVE_QUEUE_NEEDED;
    return block->queue.override == OVERRIDE_ALWAYS ? GROVE_QUEUE_IGNORED : GROVE_QUEUE_OPTIONAL;
}

static struct grove_queue
podgang_read_queue(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    const struct decision_inputs *inputs = &decision->inputs;
    const struct grove_job job = {.podgang = inputs->podgang, .podcliqueset = inputs->podcliqueset};
    enum grove_queue_need need = podgang_queue_need(decision);

    return inputs->podgang ? scheduler->rules->read_queue(&job, need, &decision->report)
                           : scheduler->rules->check_queue(inputs->podcliqueset, need, &decision->report);
}

static void
podgang_choose_queue(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    const struct choice_call call = {
        .decision = decision, .setting = queue_choice_setting, .arena = decision->arena};
    struct trace_candidate chosen;

    decision->grove_queue = podgang_read_queue(decision, scheduler);
    choice_decide(&podgang_queue_table, &call, &chosen);
    if (chosen.stops)
        queue_choice_refuse_to_guess(decision, &chosen);
    decision->gang.queue = chosen.stops ? NO_SLICE : chosen.value;
    decision->gang.queue_source = chosen.source;
    choice_warn_overridden(&podgang_queue_table, &call, &chosen, &decision->report);
    queue_choice_warn_of_kueue(decision, &decision->report);
}

static void
podgang_trace_queue(const struct gang_decision *decision, struct trace *trace)
{
    const struct choice_call call = {decision, queue_choice_setting, NULL, trace->arena, true};

    choice_trace(&podgang_queue_table, &call, TRACE_QUEUE, trace);
}

/* ---- members ---- */

static bool
podgang_block_chooses_members(const struct policy_settings *settings)
{
    return settings->members_source && settings->members == MEMBERS_TRAINER_ONLY;
}

static void
podgang_report_lost_members(const struct gang_decision *decision, struct report *report)
{
    const struct policy_settings *block = policy_choice_block(decision, podgang_block_chooses_members);

    if (block)
        find_note(report, GANG_CODE_FIELD_LOST, block->members_source,
                  "remove it, or write a rule for PodGangs",
                  "members %.*s is lost: every podgroup of a PodGang is a member",
                  SLICE_ARG(node_string(block->members_source)));
}

/* ---- all of them ---- */

void
podgang_attributes_choose(struct gang_decision *decision, const struct podgang_scheduler *scheduler)
{
    member_choose(decision);
    podgang_report_lost_members(decision, &decision->report);
    podgang_choose_queue(decision, scheduler);
    timeout_choose(decision);
    topology_choose(decision);
    priority_choose(decision);
}

void
podgang_attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    podgang_trace_queue(decision, trace);
    priority_trace(decision, trace);
    timeout_trace(decision, trace);
    trace_add(trace, TRACE_MEMBERS,
              (struct trace_candidate){
                  .value = SLICE("All"),
                  .document = GANG_DOCUMENT_PODGANG,
                  .verdict = VERDICT_CHOSEN,
                  .reason = "every podgroup is a member, its minReplicas are the minimum",
              });
    topology_trace(decision, trace);
}
