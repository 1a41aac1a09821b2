/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_GLOB_H
#define LIBGANG_POLICY_GLOB_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/*
 * Patterns of names: `*` stands for any text, the empty one included, every other character for itself. Letter case
 * counts.
 */
enum { GLOB_LONGEST = 253 };

/* Takes at most as many steps as glob times text have bytes, and nearly always only their sum. */
bool glob_matches(struct slice glob, struct slice text);

/* Whether `wide` matches whatever `narrow` matches. */
bool glob_covers(struct slice wide, struct slice narrow);

/* Of which characters the names are that a glob is for. */
enum glob_names { GLOB_OF_LABELS, GLOB_OF_SUBDOMAINS };

/* Reports what could never match a name. */
void glob_check(const struct node *glob, enum glob_names names, struct report *report);

#endif
