/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_ELASTIC_LOSS_H
#define LIBGANG_BACKEND_ELASTIC_LOSS_H

#include "libgang/base/report.h"
#include "libgang/catalog/catalog.h"
#include "libgang/gang/gang.h"
#include "libgang/plan/plan.h"

/*
 * What a scheduler loses of a gang that starts with fewer pods than exist: the minimum of the
 * documents, or the minimum of single roles.
 */

/* Whether a field is one of these. */
static inline bool
elastic_loss_is(enum loss_field field)
{
    return field >= LOSS_MINIMUM;
}

/*
 * Whether fewer pods must start than exist in the first wave. Otherwise the minima of single roles
 * are not lost.
 */
static inline bool
elastic_loss_may_be(const struct gang *gang)
{
    return gang->members - gang->late_members > gang->minimum;
}

/*
 * Reports the losses of the gang that are of the row's field. A role's minimum is lost only if pods
 * of another role of the first wave can start instead.
 */
void elastic_loss_report(const struct loss *row, const struct gang *gang, struct report *report);
void elastic_loss_render(const struct loss *row, const struct gang *gang,
                         struct plan_content *content);

#endif
