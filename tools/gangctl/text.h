/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TEXT_H
#define GANGCTL_TEXT_H

#include <stdarg.h>
#include <stddef.h>

/*
 * A growable text, NUL-terminated after something was added. Must be zero-initialized; free it with
 * text_free().
 */
struct text {
    char *data;
    size_t len;
    size_t capacity;
};

void text_add_bytes(struct text *text, const char *data, size_t len);
void text_add(struct text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_addf(struct text *text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void text_addv(struct text *text, const char *format,
                                                     va_list arguments);
/*
 * Adds a name with any content as one line: the bytes of what is unprintable are written as `\xHH`,
 * by the function of the library that escapes its messages. The second function keeps line breaks.
 */
void text_add_printable(struct text *text, const char *string);
void text_add_printable_lines(struct text *text, const char *data, size_t len);
void text_free(struct text *text);

/* Allocates memory; if there is none, reports it and exits with status 2. */
void *must_allocate(size_t size);
void *must_reallocate(void *memory, size_t count, size_t size);
char *must_copy(const char *data, size_t len);
_Noreturn void out_of_memory(void);

#endif
