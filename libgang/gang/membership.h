/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_MEMBERSHIP_H
#define LIBGANG_GANG_MEMBERSHIP_H

#include "libgang/gang/gang.h"

/*
 * Makes every role of the gang's stage ROLE_MEMBER, but for those labelled as initializers, and
 * every other role ROLE_OUTSIDE. The gang's stage is the one that holds the roles labelled trainer;
 * with none labelled, the last. Needs the stages. Reports trainers in several stages and a gang
 * without members.
 */
void membership_decide(struct gang *gang, struct report *report);

/*
 * What the upstream operator does instead: marks every role. Reports the roles that
 * membership_decide() had left outside.
 */
void membership_take_all(struct gang *gang, struct report *report);

/*
 * Members behind the first wave become ROLE_LATE_MEMBER, or what else the gang's choice makes of
 * them, and are reported. Needs the waves.
 */
void membership_split_waves(struct gang *gang, struct report *report);

/*
 * The index-th member that names a priority class, late ones included, in order of precedence; NULL
 * past the last. Roles outside the gang may name what they like. Needs the memberships. In
 * compatibility every role is a member and the last one has the word.
 */
const struct role *priority_named_by(const struct gang *gang, size_t index);

/*
 * Reports members of different priority classes, or of which some name none: schedulers order pods
 * by priority before they look at groups.
 */
void priority_report_disagreement(const struct gang *gang, struct report *report);

/* The first role that names another class than the last one named, or none; NULL when all agree. */
const struct role *priority_overruled_role(const struct gang *gang);

#endif
