/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_MEMBERSHIP_H
#define LIBGANG_GANG_MEMBERSHIP_H

#include "libgang/gang/gang.h"

/*
 * Makes every role of the gang's stage ROLE_MEMBER, except roles declared outside, and every other
 * role ROLE_OUTSIDE. The gang's stage is the stage of the declared members, or the last stage if
 * there are none: the label trainer declares a member, the label of an initializer a role outside.
 * Needs the stages. Reports declared members in several stages and a gang without members.
 */
void membership_decide(struct gang *gang, struct report *report);

/*
 * Returns how many pods membership_decide() makes members, before there is a gang: the pods of the
 * gang if no policy changes who is a member. Needs the stages.
 */
int64_t membership_pods(const struct gang_wishes *wishes);

/*
 * Makes every role a member, like the upstream operator. Reports the roles that membership_decide()
 * had made ROLE_OUTSIDE.
 */
void membership_take_all(struct gang *gang, struct report *report);

/*
 * Makes members after the first wave ROLE_LATE_MEMBER, or what the gang's enum gang_late selects,
 * and reports them. Needs the waves.
 */
void membership_split_waves(struct gang *gang, struct report *report);

/*
 * Returns the index-th member that sets a priority class, including late members, in order of
 * precedence; NULL if there are no more. Roles outside the gang are ignored. Needs the memberships.
 * In compatibility mode every role is a member and the last role has precedence.
 */
const struct role *priority_named_by(const struct gang *gang, size_t index);

/*
 * Reports members with different priority classes, or members without a class if others have one:
 * schedulers order pods by priority before they form groups.
 */
void priority_report_disagreement(const struct gang *gang, struct report *report);

/*
 * Returns the first role that has another class than the last role with a class, or has none; NULL
 * if all agree.
 */
const struct role *priority_overruled_role(const struct gang *gang);

#endif
