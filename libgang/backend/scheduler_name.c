/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/gang/gang.h"

/* Whether the role names a scheduler. The API server treats an empty name as absent. */
static bool
scheduler_name_is_given(const struct role *role)
{
    return role->scheduler_name.len > 0;
}

static const char *
scheduler_name_hint(struct slice named, struct slice wanted, struct arena *arena)
{
    const struct backend *other = backend_by_scheduler(named);
    struct quoted quoted;

    if (!other)
        return arena_format(arena, "remove schedulerName, or set it to %s", quote(&quoted, wanted));
    return arena_format(arena, "remove schedulerName, or choose the backend %s instead",
                        other->descriptor->name.data);
}

static void
scheduler_name_report_mismatch(const struct role *role, struct slice wanted, struct report *report)
{
    struct quoted quoted;

    find_invalid(report, GANG_CODE_SCHEDULER_MISMATCH, role->scheduler_name_source,
                 scheduler_name_hint(role->scheduler_name, wanted, report->arena),
                 "the gang's scheduler is %s; pods of another scheduler are not in the gang",
                 quote(&quoted, wanted));
}

static void
scheduler_name_report_disagreement(const struct role *role, const struct role *other,
                                   struct report *report)
{
    struct quoted names[4];

    find_note(report, GANG_CODE_SCHEDULERS_DISAGREE, other->scheduler_name_source,
              "give every role the same schedulerName, or none",
              "roles of one job must have one scheduler: role %s has %s, role %s has %s",
              quote(&names[0], role->name), quote(&names[1], role->scheduler_name),
              quote(&names[2], other->name), quote(&names[3], other->scheduler_name));
}

void
scheduler_name_compare_roles(const struct gang_wishes *wishes, struct report *report)
{
    const struct role *first = NULL;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (!scheduler_name_is_given(role) || !wishes_heed(wishes, role))
            continue;
        first = first ? first : role;
        if (slice_equal(role->scheduler_name, first->scheduler_name))
            continue;
        scheduler_name_report_disagreement(first, role, report);
        return;
    }
}

static void
scheduler_name_report_missing(const struct gang_wishes *wishes, const struct wording *roles,
                              const struct node *source, struct slice wanted, struct report *report)
{
    struct quoted quoted;

    quote(&quoted, wanted);
    if (wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER)
        find_note(
            report, GANG_CODE_SCHEDULER_NAME_MISSING, source,
            arena_format(report->arena,
                         "write `schedulerName: %.*s` in the runtime's pod templates",
                         SLICE_ARG(wanted)),
            "schedulerName %s is missing, so the default scheduler starts the pods one by one: %s",
            quoted.text, roles->text);
    else
        find_note(report, GANG_CODE_SCHEDULER_NAME_SET, source, NULL,
                  "schedulerName %s was set on roles %s", quoted.text, roles->text);
}

/* Whether pods without a schedulerName go to the wanted scheduler by default. */
static bool
scheduler_name_is_implied(struct slice wanted)
{
    return slice_equal(wanted, SLICE(SCHEDULER_NAME_OF_KUBERNETES));
}

/* Reports all roles without a name in one finding. */
static void
scheduler_name_check_missing(const struct gang_wishes *wishes, struct slice wanted,
                             struct report *report)
{
    const struct node *source = NULL;
    struct wording roles;

    wording_start(&roles);
    for (size_t i = 0; i < wishes->num_roles && !scheduler_name_is_implied(wanted); i++) {
        const struct role *role = &wishes->roles[i];

        if (scheduler_name_is_given(role))
            continue;
        wording_add(&roles, ", ", role->name);
        source = source ? source : role->source;
    }
    if (!roles.len)
        return;
    wording_end_list(&roles);
    scheduler_name_report_missing(wishes, &roles, source, wanted, report);
}

void
scheduler_name_check(const struct gang_wishes *wishes, struct slice wanted, struct report *report)
{
    for (size_t i = 0; !wishes->overrides_schedulers && i < wishes->num_roles; i++) {
        const struct role *role = &wishes->roles[i];

        if (scheduler_name_is_given(role) && wishes_heed(wishes, role) &&
            !slice_equal(role->scheduler_name, wanted))
            scheduler_name_report_mismatch(role, wanted, report);
    }
    if (!wishes->has_compared_schedulers && !wishes->overrides_schedulers)
        scheduler_name_compare_roles(wishes, report);
    scheduler_name_check_missing(wishes, wanted, report);
}

void
scheduler_name_patch(const struct gang_wishes *wishes, struct slice wanted,
                     struct plan_content *content)
{
    if (wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER ||
        scheduler_name_is_implied(wanted))
        return;
    for (size_t i = 0; i < wishes->num_roles; i++)
        if (!scheduler_name_is_given(&wishes->roles[i]) ||
            (wishes->overrides_schedulers && !slice_equal(wishes->roles[i].scheduler_name, wanted)))
            content->patches[i].scheduler_name = wanted;
}
