/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_PRIORITY_H
#define LIBGANG_GANG_PRIORITY_H

#include "libgang/gang/gang.h"

/*
 * The index-th member that names a priority class, late ones included, in order of precedence; NULL past the last. Roles
 * outside the gang may name what they like. Needs the memberships. In compatibility every role is a member and the last
 * one has the word.
 */
const struct role *priority_named_by(const struct gang *gang, size_t index);

/*
 * Reports members of different priority classes, or of which some name none: schedulers order pods by priority before they
 * look at groups.
 */
void priority_report_disagreement(const struct gang *gang, struct report *report);

/* The first role that names another class than the last one named, or none; NULL when all agree. */
const struct role *priority_overruled_role(const struct gang *gang);

#endif
