/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/losses.h"

bool
unit_loss_may_be(const struct gang *gang, size_t role)
{
    const struct role *of = &gang->roles[role];

    if (of->unit < 2 || !of->count || gang->parts[role].membership == ROLE_OUTSIDE)
        return false;
    return gang->parts[role].membership == ROLE_LATE_MEMBER || role_first_count(of) < of->count ||
           gang->minimum < gang_sum_of_role_minima(gang);
}

/* Returns why the unit of the role is lost; NULL if it is not. */
static const char *
unit_loss_reason(const struct backend *backend, const struct backend_call *call, size_t role)
{
    if (!unit_loss_may_be(call->gang, role))
        return NULL;
    return backend->why_unit_is_lost ? backend->why_unit_is_lost(call, role)
                                     : backend->descriptor->why_no_units;
}

void
unit_loss_report(const struct backend *backend, const struct backend_call *call,
                 struct report *report)
{
    for (size_t i = 0; i < call->gang->num_roles; i++) {
        const struct role *role = &call->gang->roles[i];
        const char *reason = unit_loss_reason(backend, call, i);

        if (reason)
            find_note(report, GANG_CODE_ELASTIC_LOST, role->source, NULL,
                      "roles[%zu].unit %lld is lost: %s", i, (long long)role->unit, reason);
    }
}

void
unit_loss_render(const struct backend *backend, const struct backend_call *call,
                 struct plan_content *content)
{
    for (size_t i = 0; i < call->gang->num_roles; i++) {
        const char *reason = unit_loss_reason(backend, call, i);
        char text[INTEGER_TEXT_SIZE];

        if (reason)
            plan_add_loss(
                content, slice_from_text(arena_format(content->arena, "roles[%zu].unit", i)),
                arena_copy(content->arena, integer_format(call->gang->roles[i].unit, text)),
                reason);
    }
}
