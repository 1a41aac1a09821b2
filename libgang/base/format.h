/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_FORMAT_H
#define LIBGANG_BASE_FORMAT_H

#include <stdarg.h>
#include <stddef.h>

#ifdef __GNUC__
#define LIKE_PRINTF(position, first) __attribute__((format(printf, position, first)))
#else
#define LIKE_PRINTF(position, first)
#endif

/*
 * vsnprintf() for messages, less than half of its cost and no locale: %s, %.*s, %d, %u, %lld, %llu, %zu and %%, nothing else.
 * At most `size` bytes, not 0, with the NUL; returns the length that the whole text has.
 */
LIKE_PRINTF(3, 0)
size_t format_text(char *out, size_t size, const char *format, va_list arguments);

#endif
