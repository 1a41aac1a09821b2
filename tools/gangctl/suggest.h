/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_SUGGEST_H
#define GANGCTL_SUGGEST_H

#include <stddef.h>

/* Returns the candidate that was probably meant, the first of equally near ones; NULL for none. */
const char *suggest_nearest(const char *word, const char *const *candidates, size_t count);

#endif
