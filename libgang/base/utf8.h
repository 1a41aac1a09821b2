/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_UTF8_H
#define LIBGANG_BASE_UTF8_H

#include <stdint.h>

#include "libgang/base/slice.h"

/*
 * Length in bytes (1 to 4) of the well-formed UTF-8 sequence at `at`; 0 when it is overlong, a surrogate, beyond
 * U+10FFFF, cut short or not a first byte. `code_point` may be NULL.
 */
size_t utf8_sequence(const char *at, const char *end, uint32_t *code_point);

/* Writes 1 to 4 bytes; the code point must be a Unicode scalar value. */
size_t utf8_encode(uint32_t code_point, char out[4]);

/* Number of leading bytes of `text` that are well-formed UTF-8. */
size_t utf8_valid_prefix(struct slice text);

#endif
