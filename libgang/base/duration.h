/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_DURATION_H
#define LIBGANG_BASE_DURATION_H

#include <stdint.h>

#include "libgang/base/slice.h"

enum { DURATION_TEXT_SIZE = 32 };

/*
 * Parses a duration in Go's form ("1h30m", "-1.5s") as time.ParseDuration does. False if the text
 * is invalid or the value overflows int64.
 */
bool duration_parse(struct slice text, int64_t *nanoseconds);

/* time.Duration.String: "1h30m0s". The slice points into `text`. */
struct slice duration_format(int64_t nanoseconds, char text[DURATION_TEXT_SIZE]);

#endif
