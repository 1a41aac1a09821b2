/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/engine/backend_choice.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

/* What stands before all choices; NULL when nothing does. */
static const char *
reason_for_no_gang(const struct trainer_job *job)
{
    return job->trainjob->managed_by ? "managedBy names another controller; the operator creates nothing" : NULL;
}

static const struct node *
gang_policy_member(const struct trainer_job *job, const struct backend *backend)
{
    return node_member(job->runtime->pod_group_policy.source, backend->gang_policy_member);
}

static const struct backend *
choose_by_gang_policy(const struct trainer_job *job, size_t *found)
{
    const struct backend *chosen = NULL;

    *found = 0;
    for (size_t i = 0; i < backend_count; i++) {
        if (!gang_policy_member(job, backend_table[i]))
            continue;
        chosen = backend_table[i];
        ++*found;
    }
    return chosen;
}

static void
refuse_two_sources(struct gang_decision *decision, const struct trainer_job *job)
{
    const char *names = "";

    for (size_t i = 0; i < backend_count; i++)
        if (gang_policy_member(job, backend_table[i]))
            names = arena_format(decision->arena, "%s%s%.*s", names, names[0] ? ", " : "",
                                 SLICE_ARG(backend_table[i]->gang_policy_member));
    find_note(&decision->report, GANG_CODE_BACKEND_CONFLICT, job->runtime->pod_group_policy.source,
              "keep the one whose scheduler shall run the job", "Invalid value: \"%s\": at most one may be set", names);
}

static void
trace_gang_policy(struct gang_decision *decision, const struct trainer_job *job, size_t found, const char *no_gang)
{
    for (size_t i = 0; i < backend_count; i++) {
        const struct node *member = gang_policy_member(job, backend_table[i]);
        struct trace_candidate candidate = {
            .value = backend_table[i]->name,
            .document = GANG_DOCUMENT_RUNTIME,
            .source = member,
            .verdict = !member ? VERDICT_UNSET : found > 1 || no_gang ? VERDICT_REFUSED : VERDICT_CHOSEN,
            .reason = !member     ? "the runtime's podGroupPolicy does not name it"
                      : no_gang   ? no_gang
                      : found > 1 ? "podGroupPolicy names more than one"
                                  : "the runtime's podGroupPolicy names it",
        };

        if (!member)
            candidate.missing = (struct slice){
                arena_format(decision->arena, "spec.podGroupPolicy.%.*s", SLICE_ARG(backend_table[i]->gang_policy_member)),
                sizeof("spec.podGroupPolicy.") - 1 + backend_table[i]->gang_policy_member.len};
        trace_add(&decision->trace, TRACE_BACKEND, candidate);
    }
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

struct scheduler_choice {
    const struct backend *by_gang_policy;
    size_t found; /* schedulers of templates that belong to a backend */
    const char *no_gang;
    bool compatibility;
};

static void
judge_scheduler(struct trace_candidate *candidate, const struct backend *backend, const struct scheduler_choice *choice)
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
    } else if (choice->found > 1) {
        candidate->verdict = VERDICT_AMBIGUOUS;
        candidate->reason = "the templates name the schedulers of several backends";
    } else {
        candidate->verdict = VERDICT_CHOSEN;
        candidate->reason = "the schedulerName of the templates is this backend's";
    }
}

static void
trace_scheduler_names(struct gang_decision *decision, const struct scheduler_choice *choice)
{
    const struct gang *gang = &decision->gang;
    bool any = false;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct backend *backend = backend_by_scheduler(gang->roles[i].scheduler_name);
        struct trace_candidate candidate = {.source = gang->roles[i].scheduler_name_source,
                                            .value = backend ? backend->name : NO_SLICE};

        if (!candidate.source || named_before(gang, i))
            continue;
        any = true;
        judge_scheduler(&candidate, backend, choice);
        trace_add(&decision->trace, TRACE_BACKEND, candidate);
    }
    if (!any)
        trace_add(&decision->trace, TRACE_BACKEND,
                  (struct trace_candidate){.document = GANG_DOCUMENT_RUNTIME,
                                           .verdict = VERDICT_UNSET,
                                           .reason = "no template names a scheduler"});
}

/* Pods of two schedulers are no gang of either. */
static void
refuse_two_schedulers(struct gang_decision *decision)
{
    const struct gang *gang = &decision->gang;
    const struct role *first = NULL;
    struct quoted names[2];

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (!backend_by_scheduler(role->scheduler_name))
            continue;
        if (first && !slice_equal(first->scheduler_name, role->scheduler_name)) {
            find_note(&decision->report, GANG_CODE_SCHEDULERS_DISAGREE, role->scheduler_name_source,
                      "give every role the same schedulerName, or choose the backend in podGroupPolicy",
                      "roles of one job must have one scheduler, but name those of two backends: %s and %s",
                      quote(&names[0], first->scheduler_name), quote(&names[1], role->scheduler_name));
            return;
        }
        first = first ? first : role;
    }
}

const struct backend *
backend_choose(struct gang_decision *decision, const struct trainer_job *job)
{
    size_t members;
    const struct backend *by_gang_policy = choose_by_gang_policy(job, &members);
    struct scheduler_choice choice = {
        .by_gang_policy = by_gang_policy,
        .no_gang = reason_for_no_gang(job),
        .compatibility = decision->gang.compatibility != COMPATIBILITY_NONE,
    };
    const struct backend *by_scheduler = choose_by_scheduler_name(&decision->gang, &choice.found);

    trace_gang_policy(decision, job, members, choice.no_gang);
    trace_scheduler_names(decision, &choice);
    if (choice.no_gang)
        return NULL;
    if (members > 1)
        refuse_two_sources(decision, job);
    if (members)
        return members == 1 ? by_gang_policy : NULL;
    if (choice.found > 1 && !choice.compatibility)
        refuse_two_schedulers(decision);
    return choice.found == 1 && !choice.compatibility ? by_scheduler : NULL;
}
