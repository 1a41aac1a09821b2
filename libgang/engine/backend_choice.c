/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/backend_choice.h"

#include "libgang/backend/scheduler_name.h"
#include "libgang/document/finding.h"

/* What stands before all choices; NULL when nothing does. */
static const char *
reason_for_no_gang(const struct gang_decision *decision)
{
    return decision->inputs.trainjob->managed_by
               ? "managedBy names another controller; the operator creates nothing"
               : NULL;
}

static const struct node *
gang_policy_member(const struct gang_decision *decision, const struct backend *backend)
{
    return pod_group_policy_find(&decision->inputs.runtime->pod_group_policy, backend->gang_policy_member);
}

static const struct backend *
choose_by_gang_policy(const struct gang_decision *decision, size_t *found)
{
    const struct backend *chosen = NULL;

    *found = 0;
    for (size_t i = 0; i < backend_count; i++) {
        if (!gang_policy_member(decision, backend_table[i]))
            continue;
        chosen = backend_table[i];
        ++*found;
    }
    return chosen;
}

static void
refuse_two_sources(struct gang_decision *decision)
{
    const char *names = "";

    for (size_t i = 0; i < backend_count; i++)
        if (gang_policy_member(decision, backend_table[i]))
            names = arena_format(decision->arena, "%s%s%.*s", names, names[0] ? ", " : "",
                                 SLICE_ARG(backend_table[i]->gang_policy_member));
    find_note(&decision->report, GANG_CODE_BACKEND_CONFLICT,
              decision->inputs.runtime->pod_group_policy.source,
              "keep the one whose scheduler shall run the job",
              "Invalid value: \"%s\": at most one may be set", names);
}

/* Whether an earlier role names the same scheduler, so that each is tried once. */
static bool
named_before(const struct gang *gang, size_t index)
{
    for (size_t i = 0; i < index; i++)
        if (slice_equal(gang->roles[i].scheduler_name, gang->roles[index].scheduler_name))
            return true;
    return false;
}

static const struct backend *
choose_by_scheduler_name(const struct gang *gang, size_t *found)
{
    const struct backend *chosen = NULL;

    *found = 0;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct backend *backend = backend_by_scheduler(gang->roles[i].scheduler_name);

        if (!backend || named_before(gang, i))
            continue;
        chosen = backend;
        ++*found;
    }
    return chosen;
}

/* What each of the two sources names. */
struct backend_choice {
    const char *no_gang;
    const struct backend *by_gang_policy;
    size_t members; /* of podGroupPolicy */
    const struct backend *by_scheduler;
    size_t schedulers; /* of templates that belong to a backend */
    bool compatibility;
};

static struct backend_choice
weigh_backends(const struct gang_decision *decision)
{
    struct backend_choice choice = {
        .no_gang = reason_for_no_gang(decision),
        .compatibility = decision->gang.compatibility != COMPATIBILITY_NONE,
    };

    choice.by_gang_policy = choose_by_gang_policy(decision, &choice.members);
    choice.by_scheduler = choose_by_scheduler_name(&decision->gang, &choice.schedulers);
    return choice;
}

const struct backend *
backend_choose(struct gang_decision *decision)
{
    struct backend_choice choice = weigh_backends(decision);

    if (choice.no_gang)
        return NULL;
    if (choice.members > 1)
        refuse_two_sources(decision);
    if (choice.members)
        return choice.members == 1 ? choice.by_gang_policy : NULL;
    if (choice.compatibility)
        return NULL;
    if (choice.schedulers > 1)
        scheduler_name_compare_roles(&decision->gang, &decision->report);
    return choice.schedulers == 1 ? choice.by_scheduler : NULL;
}

static void
trace_gang_policy(const struct gang_decision *decision, const struct backend_choice *choice,
                  struct trace *trace)
{
    for (size_t i = 0; i < backend_count; i++) {
        const struct node *member = gang_policy_member(decision, backend_table[i]);
        struct trace_candidate candidate = {
            .value = backend_table[i]->identity.name,
            .document = GANG_DOCUMENT_RUNTIME,
            .source = member,
            .verdict = !member               ? VERDICT_UNSET
                       : choice->no_gang     ? VERDICT_REFUSED
                       : choice->members > 1 ? VERDICT_AMBIGUOUS
                                             : VERDICT_CHOSEN,
            .reason = !member               ? "the runtime's podGroupPolicy does not name it"
                      : choice->no_gang     ? choice->no_gang
                      : choice->members > 1 ? "podGroupPolicy names more than one"
                                            : "the runtime's podGroupPolicy names it",
        };

        if (!member)
            candidate.missing = backend_table[i]->gang_policy_path;
        trace_add(trace, TRACE_BACKEND, candidate);
    }
}

static void
judge_scheduler(struct trace_candidate *candidate, const struct backend *backend,
                const struct backend_choice *choice)
{
    candidate->verdict = VERDICT_REFUSED;
    if (choice->no_gang)
        candidate->reason = choice->no_gang;
    else if (!backend)
        candidate->reason = "no backend has a scheduler of this name";
    else if (choice->compatibility)
        candidate->reason = "with KubeflowTrainer compatibility only podGroupPolicy chooses";
    else if (choice->by_gang_policy) {
        candidate->verdict = VERDICT_OVERRIDDEN;
        candidate->reason = "the runtime's podGroupPolicy stands before schedulerName";
    } else if (choice->schedulers > 1) {
        candidate->verdict = VERDICT_AMBIGUOUS;
        candidate->reason = "the templates name the schedulers of several backends";
    } else {
        candidate->verdict = VERDICT_CHOSEN;
        candidate->reason = "the schedulerName of the templates is this backend's";
    }
}

static void
trace_scheduler_names(const struct gang_decision *decision, const struct backend_choice *choice,
                      struct trace *trace)
{
    const struct gang *gang = &decision->gang;
    bool any = false;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct backend *backend = backend_by_scheduler(gang->roles[i].scheduler_name);
        struct trace_candidate candidate = {.source = gang->roles[i].scheduler_name_source,
                                            .value = backend ? backend->identity.name : NO_SLICE};

        if (!candidate.source || named_before(gang, i))
            continue;
        any = true;
        judge_scheduler(&candidate, backend, choice);
        trace_add(trace, TRACE_BACKEND, candidate);
    }
    if (!any)
        trace_add(trace, TRACE_BACKEND,
                  (struct trace_candidate){.document = GANG_DOCUMENT_RUNTIME,
                                           .verdict = VERDICT_UNSET,
                                           .reason = "no template names a scheduler"});
}

void
backend_trace(const struct gang_decision *decision, struct trace *trace)
{
    struct backend_choice choice = weigh_backends(decision);

    trace_gang_policy(decision, &choice, trace);
    trace_scheduler_names(decision, &choice, trace);
}
