/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_UNIT_LOSS_H
#define LIBGANG_BACKEND_UNIT_LOSS_H

#include "libgang/backend/backend.h"

/*
 * The units of roles that a scheduler does not keep whole. Nothing is lost where all pods of a role
 * must start together: then all its units do.
 */

/* Whether the gang has units at all. */
static inline bool
unit_loss_matters(const struct gang *gang)
{
    return gang->wishes->has_units;
}

/* Whether a part of a unit of the role could start alone. `role` is an index. */
bool unit_loss_may_be(const struct gang *gang, size_t role);

/* Report and render the units for which the backend gives a reason. */
void unit_loss_report(const struct backend *backend, const struct backend_call *call,
                      struct report *report);
void unit_loss_render(const struct backend *backend, const struct backend_call *call,
                      struct plan_content *content);

#endif
