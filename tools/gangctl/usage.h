/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_USAGE_H
#define GANGCTL_USAGE_H

#include "text.h"
#include "verbs.h"

/* Adds the help of a verb; without a verb, of a group of verbs, or of the program. */
void usage_add(struct text *out, const struct verb *verb, const char *group);

#endif
