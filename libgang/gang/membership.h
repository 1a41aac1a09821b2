/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_MEMBERSHIP_H
#define LIBGANG_GANG_MEMBERSHIP_H

#include "libgang/gang/gang.h"

/*
 * Makes every role of the gang's stage ROLE_MEMBER, but for those labelled as initializers, and every other
 * role ROLE_OUTSIDE. The gang's stage is the one that holds the roles labelled trainer; with none labelled,
 * the last. Needs the stages. Reports trainers in several stages and a gang without members.
 */
void membership_decide(struct gang *gang, struct report *report);

/*
 * What the upstream operator does instead: marks every role. Reports the roles that membership_decide() had
 * left outside.
 */
void membership_take_all(struct gang *gang, struct report *report);

/*
 * Members behind the first wave become ROLE_LATE_MEMBER, or what else the gang's choice makes of them, and are
 * reported. Needs the waves.
 */
void membership_split_waves(struct gang *gang, struct report *report);

#endif
