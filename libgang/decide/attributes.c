/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/choice.h"

/* ---- scheduler choice ---- */

static const char scheduler_left_alone[] =
    "with KubeflowTrainer compatibility schedulerName is not changed";

static const struct node *
scheduler_of_entry(const struct choice_call *call)
{
    const struct policy_backend *entry = call->decision->backend_entry;

    return entry ? node_member(entry->source, SLICE("schedulerName")) : NULL;
}

/* The rule says which backend; the scheduler's name is where its entry has one. */
static bool
scheduler_of_strict_rule(const struct choice_call *call, size_t index,
                         struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;
    const struct node *entry = scheduler_of_entry(call);

    if (index || !gang->wishes->overrides_schedulers)
        return false;
    candidate_set(candidate, gang->wishes->scheduler_name,
                  entry ? entry : call->decision->rule->settings.backend_source, VERDICT_CHOSEN,
                  NULL);
    candidate->is_of_rule = true;
    candidate->is_strict = true;
    candidate->overrides =
        arena_format(call->arena, "rule %.*s with override Always has precedence",
                     SLICE_ARG(call->decision->rule->name));
    return true;
}

static bool
scheduler_of_every_template(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!gang->roles[i].scheduler_name.len)
            return false;
    return gang->num_roles > 0;
}

static bool
scheduler_of_templates(const struct choice_call *call, size_t index,
                       struct trace_candidate *candidate)
{
    const struct gang *gang = &call->decision->gang;
    const struct node *last = NULL;
    const struct role *role = NULL;

    /* Roles that follow each other may have one template, which counts once. */
    for (size_t i = 0; !role && i < gang->num_roles; i++) {
        const struct node *source = gang->roles[i].scheduler_name_source;

        if (source && source != last && index-- == 0)
            role = &gang->roles[i];
        last = source;
    }
    if (!role)
        return false;
    candidate_set(candidate, role->scheduler_name, role->scheduler_name_source, VERDICT_CHOSEN,
                  "the template names the backend's scheduler");
    candidate->overrides =
        scheduler_of_every_template(gang) ? "every template names a scheduler" : NULL;
    if (gang->wishes->compatibility != COMPATIBILITY_NONE) {
        candidate->reason = candidate->overrides = scheduler_left_alone;
    } else if (!gang->wishes->overrides_schedulers &&
               !slice_equal(role->scheduler_name, gang->wishes->scheduler_name)) {
        candidate->verdict = VERDICT_REFUSED;
        candidate->reason = "not the backend's scheduler";
    }
    return true;
}

static bool
scheduler_of_backend(const struct choice_call *call, size_t index,
                     struct trace_candidate *candidate)
{
    const struct gang_decision *decision = call->decision;
    const struct node *source = scheduler_of_entry(call);

    if (source && decision->wishes.overrides_schedulers)
        return false;
    candidate_set(candidate, decision->wishes.scheduler_name, source, VERDICT_CHOSEN,
                  source ? "the policy's entry of the backend" : "the backend's default");
    if (decision->wishes.compatibility != COMPATIBILITY_NONE) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = scheduler_left_alone;
    } else if (scheduler_of_every_template(&decision->gang) &&
               !decision->wishes.overrides_schedulers) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = "every template names a scheduler";
    }
    return !index;
}

static const struct choice_source scheduler_sources[] = {
    {scheduler_of_strict_rule, OF_STRICT_RULE},
    {scheduler_of_templates, OF_ANY},
    {scheduler_of_backend, OF_ANY},
};

/* The scheduler is the backend's: see backend_choose(). */
static const struct attribute scheduler_attribute = {.sources = scheduler_sources,
                                                     .count = COUNT_OF(scheduler_sources)};

/* ---- timeout choice ---- */

#define TIMEOUT_FIELD "scheduleTimeoutSeconds"

static struct slice
timeout_text(int64_t seconds, struct arena *arena)
{
    char text[INTEGER_TEXT_SIZE];

    return arena_copy(arena, integer_format(seconds, text));
}

static struct choice_setting
timeout_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    bool is_read = call->explains || settings->override == OVERRIDE_ALWAYS;

    return (struct choice_setting){
        .value = is_read ? timeout_text(settings->timeout_seconds, call->arena) : NO_SLICE,
        .override = settings->override,
    };
}

static bool
timeout_of_job(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_wishes *wishes = &call->decision->wishes;

    if (!choice_of_request(call, index, candidate))
        return false;
    if (call->explains && wishes->timeout_request.is_set)
        candidate->value = timeout_text(wishes->timeout_seconds, call->arena);
    return true;
}

/* `backends[].TYPE.scheduleTimeoutSeconds`, or what the type calls it, if it has this option. */
static bool
timeout_of_options(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    const struct gang_decision *decision = call->decision;
    const struct node *source = node_member(decision->backend_entry->options,
                                            decision->backend->descriptor->timeout_option);

    candidate_set(candidate, node_text(source), source,
                  decision->wishes.compatibility == COMPATIBILITY_NONE ? VERDICT_CHOSEN
                                                                       : VERDICT_REFUSED,
                  "the options of the backend in the policy");
    return source && !index;
}

static const struct choice_source timeout_sources[] = {
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {timeout_of_job, OF_ANY},
    {policy_choice_rule, OF_RULE},
    {policy_choice_defaults, OF_DEFAULTS},
    {timeout_of_options, OF_POLICY},
};

static void
timeout_take(struct gang_decision *decision, const struct choice_call *call,
             const struct trace_candidate *chosen)
{
    struct gang *gang = &decision->gang;

    (void)call;
    gang->has_timeout = chosen->verdict == VERDICT_CHOSEN;
    gang->timeout_source = chosen->source;
    if (gang->has_timeout && !node_int(chosen->source, &gang->timeout_seconds))
        gang->timeout_seconds = gang->wishes->timeout_seconds;
}

static const struct attribute timeout_attribute = {
    .sources = timeout_sources,
    .count = COUNT_OF(timeout_sources),
    SETTING_OF(TIMEOUT_FIELD, timeout_source),
    .setting = timeout_setting,
    .take = timeout_take,
    .request = offsetof(struct gang_wishes, timeout_request),
};

/* ---- topology choice ---- */

static struct choice_setting
topology_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = settings->topology.mode,
                                   .override = settings->override};
}

/*
 * A PodGang has its own topology constraints, for the gang and for its groups, which no rule
 * changes. The one of a policy would apply to the gang.
 */
static const struct choice_source topology_sources[] = {
    {choice_of_request, OF_GROVE},         {policy_choice_strict_rule, OF_STRICT_RULE},
    {choice_of_request, OF_ALL_BUT_GROVE}, {policy_choice_rule, OF_RULE},
    {policy_choice_defaults, OF_DEFAULTS},
};

static void
topology_take(struct gang_decision *decision, const struct choice_call *call,
              const struct trace_candidate *chosen)
{
    const struct node *source = chosen->verdict == VERDICT_CHOSEN ? chosen->source : NULL;
    struct trace_candidate insisted = {.source = NULL};

    /*
     * If a rule has override Always and the PodGang has its own levels, the gang gets the level of
     * the rule, and the backend reports that it is not used.
     */
    if (source && decision_is_of_grove(decision) && policy_choice_strict_rule(call, 0, &insisted))
        source = insisted.source;
    if (!source)
        return; /* no source sets a level, or the source is ignored */
    if (source->document == GANG_DOCUMENT_POLICY) {
        const struct policy_settings *settings =
            decision->rule && decision->rule->settings.topology.source == source
                ? &decision->rule->settings
                : &decision->inputs.policy->defaults;
        struct gang_topology topology = {.is_set = true,
                                         .mode = settings->topology.mode,
                                         .level = settings->topology.level,
                                         .source = source};

        topology.has_tier = integer_parse(topology.level, &topology.highest_tier);
        decision->gang.topology = topology;
    } else {
        decision->gang.topology = decision->wishes.topology;
    }
}

static const struct attribute topology_attribute = {
    .sources = topology_sources,
    .count = COUNT_OF(topology_sources),
    SETTING_OF("topology", topology.source),
    .setting = topology_setting,
    .take = topology_take,
    .request = offsetof(struct gang_wishes, topology_request),
};

/* ---- member choice ---- */

static struct choice_setting
member_setting(const struct choice_call *call, const struct policy_settings *settings)
{
    (void)call;
    return (struct choice_setting){.value = node_string(settings->members_source),
                                   .override = settings->override};
}

static bool
member_of_compatibility(const struct choice_call *call, size_t index,
                        struct trace_candidate *candidate)
{
    candidate_set(candidate, SLICE("All"), call->decision->inputs.policy->compatibility_source,
                  VERDICT_CHOSEN,
                  "with KubeflowTrainer compatibility every role is counted and labelled");
    return call->decision->wishes.compatibility != COMPATIBILITY_NONE && !index;
}

static bool
member_of_nobody(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    candidate_set(candidate, SLICE("Auto"), NULL, VERDICT_CHOSEN,
                  "the roles that run together; the first wave is the minimum");
    return call->decision->wishes.compatibility == COMPATIBILITY_NONE && !index;
}

/* Every podgroup of a PodGang is a member; no policy changes this. */
static bool
member_of_podgang(const struct choice_call *call, size_t index, struct trace_candidate *candidate)
{
    (void)call;
    candidate_set(candidate, SLICE("All"), NULL, VERDICT_CHOSEN,
                  "every podgroup is a member; minReplicas is its minimum");
    candidate->document = GANG_DOCUMENT_PODGANG;
    candidate->overrides = "every podgroup of a PodGang is a member";
    return !index;
}

static const struct choice_source member_sources[] = {
    {member_of_podgang, OF_GROVE},
    {member_of_compatibility, OF_TRAINER | OF_POLICY},
    {policy_choice_strict_rule, OF_STRICT_RULE},
    {policy_choice_rule, OF_RULE},
    {policy_choice_defaults, OF_DEFAULTS},
    {member_of_nobody, OF_ALL_BUT_GROVE},
};

static void
member_report_lost(const struct gang_decision *decision, enum loss_field field, const char *setting,
                   const struct node *source)
{
    const char *why = descriptor_why_lost(decision->backend->descriptor, field);

    if (why)
        find_note(decision->report, source, MESSAGE_FIELD_LOST_SETTING, setting, why);
}

static void
member_take(struct gang_decision *decision, const struct choice_call *call,
            const struct trace_candidate *chosen)
{
    const struct policy_settings *members, *resources, *reserve;

    (void)call;
    (void)chosen;
    members = policy_choice_block(decision, offsetof(struct policy_settings, members_source));
    resources = policy_choice_block(decision, offsetof(struct policy_settings, resources_source));
    reserve = policy_choice_block(decision, offsetof(struct policy_settings, reserve_source));
    decision->wishes.members_choice = members ? members->members : MEMBERS_AUTO;
    decision->wishes.resources_choice = resources ? resources->resources : RESOURCES_EFFECTIVE;
    decision->wishes.reserve = reserve ? reserve->reserve : RESERVE_AUTO;
    if (members && members->members == MEMBERS_TRAINER_ONLY && decision_is_of_grove(decision))
        find_note(decision->report, members->members_source, MESSAGE_FIELD_LOST_MEMBERS,
                  SLICE_ARG(node_string(members->members_source)));
    if (resources && resources->resources == RESOURCES_REQUESTS_ONLY)
        member_report_lost(decision, LOSS_RESOURCES, "resources RequestsOnly",
                           resources->resources_source);
    if (reserve && reserve->reserve == RESERVE_ALWAYS)
        member_report_lost(decision, LOSS_RESERVE, "reserve Always", reserve->reserve_source);
}

static const struct attribute member_attribute = {
    .sources = member_sources,
    .count = COUNT_OF(member_sources),
    SETTING_OF("members", members_source),
    .setting = member_setting,
    .take = member_take,
};

/* ---- attributes ---- */

static const struct attribute *const attribute_table[TRACE_ATTRIBUTE_COUNT] = {
    [TRACE_BACKEND] = &backend_attribute,   [TRACE_SCHEDULER_NAME] = &scheduler_attribute,
    [TRACE_QUEUE] = &queue_attribute,       [TRACE_PRIORITY_CLASS_NAME] = &priority_attribute,
    [TRACE_TIMEOUT] = &timeout_attribute,   [TRACE_MEMBERS] = &member_attribute,
    [TRACE_TOPOLOGY] = &topology_attribute,
};

/* Without a policy the wishes keep their defaults, which are 0. */
void
attributes_choose_members(struct gang_decision *decision)
{
    if (decision->inputs.policy)
        choice_make(decision, &member_attribute);
}

void
attributes_choose(struct gang_decision *decision)
{
    group_facts_read(decision, &decision->group_facts);
    choice_make(decision, &queue_attribute);
    choice_make(decision, &timeout_attribute);
    choice_make(decision, &topology_attribute);
    choice_make(decision, &priority_attribute);
}

void
attributes_trace(const struct gang_decision *decision, struct trace *trace)
{
    for (int i = 0; i < TRACE_ATTRIBUTE_COUNT; i++)
        if (i == TRACE_BACKEND || decision->backend)
            choice_trace(decision, attribute_table[i], (enum trace_attribute)i, trace);
}
