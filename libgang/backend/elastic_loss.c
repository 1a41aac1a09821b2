/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/losses.h"

struct elastic_loss {
    struct slice field; /* in the plan */
    int64_t value;
    const char *reason;
    const struct node *source;
};

static bool
elastic_loss_has_others(const struct gang *gang, size_t role)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (i != role && gang->parts[i].membership == ROLE_MEMBER && gang->roles[i].count)
            return true;
    return false;
}

static bool
elastic_loss_of_minimum(const struct loss *row, const struct gang *gang, struct elastic_loss *loss,
                        struct arena *arena)
{
    const int64_t sum = gang_sum_of_role_minima(gang);

    if (!gang->wishes->minimum || gang->wishes->minimum == sum)
        return false;
    *loss = (struct elastic_loss){
        .field = SLICE("minimum"),
        .value = gang->wishes->minimum,
        .reason = arena_format(arena, "%s: %lld pods must start", row->reason, (long long)sum),
        .source = gang->wishes->minimum_source,
    };
    return true;
}

/* Whether a row of this field applies to an elastic role of the first wave. */
static bool
elastic_loss_applies(enum loss_field field, const struct gang *gang, size_t index)
{
    return elastic_loss_has_others(gang, index) &&
           (field == LOSS_ROLE_MINIMUM || gang->minimum != gang_sum_of_role_minima(gang));
}

static bool
elastic_loss_of_role(const struct loss *row, const struct gang *gang, size_t index,
                     struct elastic_loss *loss, struct arena *arena)
{
    const struct role *role = &gang->roles[index];

    if (gang->parts[index].membership != ROLE_MEMBER || !role_is_elastic(role) ||
        !elastic_loss_applies(row->field, gang, index))
        return false;
    *loss = (struct elastic_loss){
        .field = slice_from_text(arena_format(arena, "roles[%zu].minCount", index)),
        .value = role->min_count,
        .reason = arena_format(arena, "%s: %lld pods may be any %lld", row->reason,
                               (long long)gang->minimum, (long long)gang->minimum),
        .source = role->source,
    };
    return true;
}

/*
 * Returns whether there is a loss for the row at or after `*next`, which starts at 0 and is set to
 * where the search goes on.
 */
static bool
elastic_loss_next(const struct loss *row, const struct gang *gang, size_t *next,
                  struct elastic_loss *loss, struct arena *arena)
{
    if (row->field == LOSS_MINIMUM)
        return (*next)++ == 0 && elastic_loss_of_minimum(row, gang, loss, arena);
    while (*next < gang->num_roles)
        if (elastic_loss_of_role(row, gang, (*next)++, loss, arena))
            return true;
    return false;
}

void
elastic_loss_report(const struct loss *row, const struct gang *gang, struct report *report)
{
    struct elastic_loss loss;
    size_t next = 0;

    while (elastic_loss_next(row, gang, &next, &loss, report->arena))
        find_note(report, GANG_CODE_ELASTIC_LOST, loss.source, NULL, "%.*s %lld is lost: %s",
                  SLICE_ARG(loss.field), (long long)loss.value, loss.reason);
}

void
elastic_loss_render(const struct loss *row, const struct gang *gang, struct plan_content *content)
{
    struct elastic_loss loss;
    size_t next = 0;

    while (elastic_loss_next(row, gang, &next, &loss, content->arena)) {
        char text[INTEGER_TEXT_SIZE];

        plan_add_loss(content, loss.field,
                      arena_copy(content->arena, integer_format(loss.value, text)), loss.reason);
    }
}
