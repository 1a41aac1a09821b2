/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LINE_DIFF_H
#define GANGCTL_LINE_DIFF_H

#include <stdbool.h>

#include "text.h"

/*
 * Adds the hunks of a unified diff between two texts, with three lines of context. Returns false if
 * the texts are equal.
 */
bool line_diff_add(struct text *out, const struct text *old, const struct text *new);

#endif
