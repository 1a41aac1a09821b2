/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_STATUS_H
#define LIBGANG_RECONCILE_LIVE_STATUS_H

#include "libgang/gang/gang.h"

/*
 * Whether the status says that the job has ended, successfully or not, and will not start again.
 * False for kinds that do not end, and for kinds that are not known.
 */
bool live_status_has_ended(struct slice group, struct slice kind, const struct node *status);

/* Whether the status says that members of the gang have pods that have not ended. */
bool live_status_has_pods(struct slice group, struct slice kind, const struct gang *gang,
                          const struct node *status, struct arena *arena);

/* Whether the status of jobs of this kind is read. */
bool live_status_is_read(struct slice group, struct slice kind);

#endif
