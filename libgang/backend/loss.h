/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_LOSS_H
#define LIBGANG_BACKEND_LOSS_H

#include "libgang/gang/gang.h"
#include "libgang/plan/plan.h"

enum loss_field { LOSS_QUEUE, LOSS_TIMEOUT, LOSS_TOPOLOGY };

/* A field of the gang that a backend's objects have no place for. */
struct loss {
    enum loss_field field;
    const char *reason;
};

/* As the plan's trace calls it. */
struct slice loss_field_name(enum loss_field field);

/* Only what somebody wrote can be lost: a value that has a source. */
void loss_report(const struct loss *losses, size_t count, const struct gang *gang, struct report *report);
void loss_render(const struct loss *losses, size_t count, const struct gang *gang,
                 struct plan_content *content);

#endif
