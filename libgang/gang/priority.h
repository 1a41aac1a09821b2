/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_PRIORITY_H
#define LIBGANG_GANG_PRIORITY_H

#include "libgang/gang/gang.h"

/*
 * Fills the gang's priority class: the one that all members name, late ones included. Schedulers order pods
 * by priority before they look at groups, so members that disagree, or of which some name none, are reported;
 * roles outside the gang may differ. Needs the memberships.
 *
 * In compatibility it is the last class that any role names, and nothing is reported: see
 * priority_report_disagreement().
 */
void priority_decide(struct gang *gang, struct report *report);

/* Reports members of different priority classes. */
void priority_report_disagreement(const struct gang *gang, struct report *report);

/* The first role that names another class than the last one named, or none; NULL when all agree. */
const struct role *priority_overruled_role(const struct gang *gang);

#endif
