/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_UNPRINTABLE_H
#define LIBGANG_BASE_UNPRINTABLE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Whether a reader does not see the code point as a character of its own: controls, format
 * characters (bidirectional marks, zero-width and tag characters, soft hyphens, byte order marks),
 * variation selectors and fillers, separators other than the space, and private, unassigned and
 * surrogate code points. Go's strconv.Quote, which the API server's messages use, escapes the same
 * but for the selectors and fillers.
 */
bool is_unprintable(uint32_t code_point);

#endif
