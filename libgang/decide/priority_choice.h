/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_PRIORITY_CHOICE_H
#define LIBGANG_DECIDE_PRIORITY_CHOICE_H

#include "libgang/decide/choice.h"

/*
 * The priority class: from a rule with override Always; the PodGang or the members' templates; a
 * rule; the policy's defaults. With a backend that has classes(), labels of the job and defaults in
 * the scheduler's configuration are sources, too. Members that disagree are reported, unless the
 * policy overrides them. Needs a backend and the memberships.
 */
const struct attribute *priority_attribute_for(const struct gang_decision *decision);

#endif
