/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

/* Finds the part of a derived name that comes from the job or its namespace. */
static const char *
queue_part(const struct choice_call *call, const struct policy_queue *queue, struct slice *part)
{
    const struct object_meta *meta = call->decision->wishes.meta;
    const struct cluster_namespace *found = NULL;

    if (queue->choice == QUEUE_FROM_LABEL) {
        *part = node_string(node_member(meta->labels, queue->key));
        return part->len ? NULL : "the job lacks the label";
    }
    *part = meta->namespace_;
    if (!part->len)
        return "the job's namespace is not known";
    if (queue->choice == QUEUE_FROM_NAMESPACE)
        return NULL;
    if (cluster_namespace(call->decision->inputs.cluster, *part, &found) == CLUSTER_UNKNOWN)
        return "the labels of the namespace are not known";
    *part = node_string(node_member(found ? found->labels : NULL, queue->key));
    return part->len ? NULL : "the namespace lacks the label";
}

static struct choice_setting
queue_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    const struct policy_queue *queue = &settings->queue;
    struct choice_setting setting = {.value = queue->name, .override = queue->override};
    struct slice part = NO_SLICE;

    if (queue->choice == QUEUE_UNSET || queue->choice == QUEUE_NAME)
        return setting;
    setting.problem = queue_part(call, queue, &part);
    if (!setting.problem)
        setting.value = queue->prefix.len ? ARENA_SLICE(call->arena, "%.*s%.*s",
                                                        SLICE_ARG(queue->prefix), SLICE_ARG(part))
                                          : part;
    return setting;
}

/* The places from which a scheduler can read a queue. */
static const struct {
    const char *reason;
    const char *overrides;
} queue_words[] = {
    [QUEUE_IN_PATCHES] = {"set in a patch of the trainjob",
                          "a patch of the trainjob has precedence"},
    [QUEUE_IN_TEMPLATE] = {"set in the runtime's template",
                           "the runtime's template has precedence"},
    [QUEUE_ON_TRAINJOB] = {"set in the trainjob", "the trainjob has precedence"},
    [QUEUE_ON_POD_TEMPLATES] = {"set in a pod template", "the pod templates have precedence"},
    [QUEUE_IN_GANG_POLICY] = {"set in the runtime's podGroupPolicy",
                              "the runtime's podGroupPolicy has precedence"},
};

void
queue_place_candidate(const struct queue_found *found, struct trace_candidate *candidate)
{
    candidate_set(candidate, node_string(found->value), found->value, VERDICT_CHOSEN,
                  queue_words[found->source->place].reason);
    candidate->overrides = queue_words[found->source->place].overrides;
}

/*
 * Labels and annotations of the job, of its pod templates and of the runtime. The places in the
 * metadata of a job without a runtime are named as in a TrainJob.
 */
static bool
queue_of_job(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct queue_values *read = &call->decision->group_facts.queues;
    const bool has_runtime = call->decision->inputs.runtime != NULL;
    const struct gang *gang = &call->decision->gang;
    enum queue_place place;
    struct slice key;
    struct slice suffix = NO_SLICE;

    if (index >= read->count) {
        candidate_leave_unset(candidate, has_runtime ? GANG_DOCUMENT_RUNTIME : GANG_DOCUMENT_JOB,
                              has_runtime ? "neither the trainjob nor the runtime names a queue"
                                          : "the job's metadata names no queue");
        return index == 0;
    }
    place = read->items[index].source->place;
    key = read->items[index].source->pod_suffix;
    queue_place_candidate(&read->items[index], candidate);
    /* The pods of one group have the label of the first role in it. */
    for (size_t i = 0; slice_is_set(key) && i < gang->num_roles; i++)
        if (gang->parts[i].membership != ROLE_OUTSIDE) {
            suffix = node_string(
                node_member(node_member(gang->roles[i].pod_metadata, SLICE("labels")), key));
            break;
        }
    if (suffix.len)
        candidate->value =
            ARENA_SLICE(call->arena, "%.*s-%.*s", SLICE_ARG(candidate->value), SLICE_ARG(suffix));
    if (place == QUEUE_IN_GANG_POLICY)
        policy_choice_ignores_runtime(call->decision, candidate);
    if (!has_runtime && place != QUEUE_ON_POD_TEMPLATES) {
        candidate->reason = "set in the job's metadata";
        candidate->overrides = "the job's metadata has precedence";
    }
    return true;
}

static bool
queue_of_others(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct queue_values *others = &call->decision->group_facts.queues_of_others;
    const struct queue_found *found = index < others->count ? &others->items[index] : NULL;

    if (!found)
        return false;
    candidate_set(candidate, node_string(found->value), found->value, VERDICT_REFUSED,
                  arena_format(call->arena, "the key belongs to the backend %.*s",
                               SLICE_ARG(found->scheduler->name)));
    return true;
}

/* The default queue of the scheduler, for a group without a queue. */
static bool
queue_of_backend(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate_set(candidate, call->decision->backend->descriptor->default_queue, NULL,
                  VERDICT_CHOSEN, "the scheduler's own default");
    return index == 0 && slice_is_set(candidate->value);
}

static bool
queue_of_documents(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->group_facts.grove_queue;

    candidate->overrides = "Grove's documents have precedence";
    if (queue->source)
        candidate_set(candidate, queue->name, queue->source, VERDICT_CHOSEN,
                      "set in a document of Grove");
    else
        candidate_leave_unset(candidate, GANG_DOCUMENT_PODGANG, "no document names a queue");
    return index == 0;
}

static bool
queue_of_grove(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct grove_queue *queue = &call->decision->group_facts.grove_queue;

    candidate_set(candidate, queue->name, NULL, VERDICT_CHOSEN,
                  "Grove's default for this scheduler");
    return index == 0 && !queue->source && slice_is_set(queue->name);
}

static const struct choice_source queue_attribute_sources[] = {
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {choice_of_request, OF_ANY},
    {queue_of_job, OF_ALL_BUT_GROVE},
    {queue_of_others, OF_ALL_BUT_GROVE | OF_TRACE},
    {queue_of_documents, OF_GROVE},
    {policy_choice_rule, OF_RULE},
    {policy_choice_entry, OF_ENTRY},
    {policy_choice_defaults, OF_DEFAULTS},
    {queue_of_backend, OF_ALL_BUT_GROVE},
    {queue_of_grove, OF_GROVE},
};

const struct node *
queue_values_disagree(const struct queue_values *values, size_t chosen)
{
    const struct queue_found *first = &values->items[chosen];

    for (size_t i = chosen + 1; i < values->count && first->source->place != QUEUE_IN_PATCHES; i++)
        if (values->items[i].scheduler == first->scheduler &&
            values->items[i].source->precedence == first->source->precedence &&
            !slice_equal(node_string(values->items[i].value), node_string(first->value)))
            return values->items[i].value;
    return NULL;
}

static void
queue_refuse_to_guess(const struct gang_decision *decision, const struct trace_candidate *stop)
{
    const struct node *key = node_at(stop->source, "fromLabel.key");
    const struct node *metadata = decision->wishes.meta->source;
    struct slice missing =
        key ? ARENA_SLICE(decision->arena, "labels[%.*s]", SLICE_ARG(node_string(key)))
            : SLICE("namespace");
    const struct node *of_namespace = node_at(stop->source, "fromNamespaceLabel.key");

    if (of_namespace && decision->wishes.meta->namespace_.len) {
        const struct slice namespace_ = decision->wishes.meta->namespace_;
        const struct slice policy = decision->inputs.policy->name;

        /* The facts of the namespace are not the user's to change, so the finding is in the policy.
         */
        if (cluster_namespace(decision->inputs.cluster, namespace_, NULL) == CLUSTER_UNKNOWN)
            find_note(decision->report, of_namespace, MESSAGE_NAMESPACE_NOT_KNOWN_QUEUE,
                      SLICE_ARG(policy), SLICE_ARG(namespace_));
        else
            find_note(decision->report, of_namespace, MESSAGE_QUEUE_NOT_DERIVED_NAMESPACE,
                      SLICE_ARG(policy), SLICE_ARG(node_string(of_namespace)),
                      SLICE_ARG(namespace_));
        return;
    }
    find_required(decision->report, metadata, missing, MESSAGE_QUEUE_NOT_DERIVED_JOB,
                  SLICE_ARG(decision->inputs.policy->name));
}

static enum grove_queue_need
queue_need(const struct gang_decision *decision)
{
    const struct policy_settings *block = policy_choice_block(decision, queue_attribute.says);
    const struct policy_backend *entry = decision->backend_entry;

    if (!block && entry && entry->settings.queue.source &&
        decision->wishes.compatibility == COMPATIBILITY_NONE)
        return GROVE_QUEUE_OPTIONAL;
    if (!block)
        return GROVE_QUEUE_NEEDED;
    return block->queue.override == OVERRIDE_ALWAYS ? GROVE_QUEUE_IGNORED : GROVE_QUEUE_OPTIONAL;
}

void
group_facts_read(const struct gang_decision *decision, struct group_facts *facts)
{
    const struct backend *backend = decision->backend;
    const bool is_trainjob = decision->inputs.trainjob != NULL;
    struct arena *arena = decision->arena;
    const struct queue_owner owner = {is_trainjob ? &decision->job : NULL, &decision->wishes};

    if (decision->grove_scheduler) {
        facts->grove_queue = grove_queue_read(decision->grove_scheduler, &decision->grove,
                                              queue_need(decision), decision->report);
        return;
    }
    facts->queues = queue_sources_find(&owner, backend->descriptor, QUEUES_READ, arena);
    facts->queues_of_others =
        queue_sources_find(&owner, backend->descriptor, QUEUES_OF_OTHERS, arena);
    if (!backend->classes)
        return; /* the class is that of the pods */
    facts->priority_labels =
        queue_sources_find(&owner, backend->descriptor, QUEUES_PRIORITY, arena);
    if (is_trainjob)
        facts->classes = backend->classes(&decision->wishes, decision->inputs.cluster);
}

/* A trainjob whose queue is the scheduler's default queue has no queue of its own. */
static void
queue_take(struct gang_decision *decision, const struct choice_call *call,
           const struct trace_candidate *chosen)
{
    const struct queue_values *read = &decision->group_facts.queues;
    const struct node *other = NULL;
    const struct node *kueue;

    (void)call;
    if (chosen->stops)
        queue_refuse_to_guess(decision, chosen);
    else if (chosen->source || decision->grove_scheduler)
        decision->gang.queue = chosen->value;
    decision->gang.queue_source = chosen->source;
    if (read->count && chosen->source == read->items[0].value)
        other = queue_values_disagree(read, 0);
    if (other)
        find_invalid(decision->report, other, MESSAGE_QUEUES_DISAGREE,
                     SLICE_ARG(node_string(read->items[0].value)));
    for (size_t i = 0; i < decision->group_facts.queues_of_others.count; i++)
        find_note_at_key(decision->report, decision->group_facts.queues_of_others.items[i].value,
                         MESSAGE_QUEUE_OF_ANOTHER_BACKEND,
                         SLICE_ARG(decision->group_facts.queues_of_others.items[i].scheduler->name),
                         SLICE_ARG(decision->backend->descriptor->name));
    kueue = decision->gang.queue.len ? job_facts_kueue_queue(decision) : NULL;
    if (kueue)
        find_note_at_key(decision->report, kueue, MESSAGE_TWO_QUEUES,
                         SLICE_ARG(decision->gang.queue),
                         SLICE_ARG(decision->backend->descriptor->name));
}

const struct attribute queue_attribute = {
    .sources = queue_attribute_sources,
    .count = COUNT_OF(queue_attribute_sources),
    SETTING_OF("queue", queue.source),
    .setting = queue_setting,
    .take = queue_take,
    .request = offsetof(struct gang_wishes, queue_request),
};
