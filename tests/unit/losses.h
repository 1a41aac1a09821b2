/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_LOSSES_H
#define TESTS_UNIT_LOSSES_H

#include "libgang/plan/plan.h"

#include "unit/suite.h"

/* One of the losses in losses_text(). */
#define LOST(field, value, reason) field "=" value ": " reason "\n"

static inline const char *
losses_text(const struct plan_losses *losses, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < losses->count; i++)
        text = arena_format(arena, "%s%.*s=%.*s: %s\n", text, SLICE_ARG(losses->items[i].field),
                            SLICE_ARG(losses->items[i].value), losses->items[i].reason);
    return text;
}

#endif
