/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_PRIORITY_CHOICE_H
#define LIBGANG_DECIDE_PRIORITY_CHOICE_H

#include "libgang/decide/choice.h"

/*
 * The priority class: that of a rule with override Always, of the PodGang or of the members' templates, of a
 * rule, of the policy's defaults. Members that disagree are reported, unless the policy overrides them. Needs
 * the memberships.
 */
extern const struct attribute priority_attribute;

#endif
