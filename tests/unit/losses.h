/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_LOSSES_H
#define TESTS_UNIT_LOSSES_H

#include "libgang/plan/plan.h"

#include "unit/suite.h"

/* One of the losses in losses_text(). */
#define LOST(field, value, reason) field "=" value ": " reason "\n"

static inline const char *
losses_text(const struct plan_content *content, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < content->num_losses; i++)
        text = arena_format(arena, "%s%.*s=%.*s: %s\n", text, SLICE_ARG(content->losses[i].field),
                            SLICE_ARG(content->losses[i].value), content->losses[i].reason);
    return text;
}

#endif
