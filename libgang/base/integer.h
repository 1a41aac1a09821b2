/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_INTEGER_H
#define LIBGANG_BASE_INTEGER_H

#include <stdint.h>

#include "libgang/base/slice.h"

enum { INTEGER_TEXT_SIZE = 24 };

/* Decimal text, independent of the locale. The slice points into `text`, which is NUL-terminated. */
struct slice integer_format(int64_t value, char text[INTEGER_TEXT_SIZE]);

/* Decimal digits, the last of them before `end`. Returns the first. */
char *integer_put_digits(char *end, uint64_t value);

/* The length of the decimal text. */
size_t integer_length(int64_t value);

/* Exactly `-?[0-9]+` within int64; false otherwise. */
bool integer_parse(struct slice text, int64_t *value);

/* The sum, or the nearest int64. */
int64_t integer_add_capped(int64_t a, int64_t b);

#endif
