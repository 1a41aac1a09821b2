/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"
#include "libgang/base/text.h"

void
out_of_memory(void)
{
    fputs("gangctl: out of memory\n", stderr);
    exit(EXIT_COULD_NOT_RUN);
}

void *
must_allocate(size_t size)
{
    return must_reallocate(NULL, 1, size);
}

void *
must_reallocate(void *memory, size_t count, size_t size)
{
    void *grown = count > SIZE_MAX / size ? NULL : realloc(memory, count * size);

    if (!grown)
        out_of_memory();
    return grown;
}

char *
must_copy(const char *data, size_t len)
{
    char *copy = must_allocate(len + 1);

    if (len)
        memcpy(copy, data, len);
    copy[len] = '\0';
    return copy;
}

static void
text_reserve(struct text *text, size_t more)
{
    size_t wanted = text->capacity ? text->capacity : 256;

    if (more > SIZE_MAX / 2 - text->len)
        out_of_memory();
    while (wanted <= text->len + more)
        wanted *= 2;
    if (wanted == text->capacity)
        return;
    text->data = must_reallocate(text->data, wanted, 1);
    text->capacity = wanted;
}

void
text_add_bytes(struct text *text, const char *data, size_t len)
{
    text_reserve(text, len);
    if (len)
        memcpy(text->data + text->len, data, len);
    text->len += len;
    text->data[text->len] = '\0';
}

void
text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void
text_addv(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    int len;

    va_copy(again, arguments);
    len = vsnprintf(NULL, 0, format, arguments);
    if (len < 0)
        out_of_memory();
    text_reserve(text, (size_t)len);
    vsnprintf(text->data + text->len, (size_t)len + 1, format, again);
    text->len += (size_t)len;
    va_end(again);
}

void
text_addf(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_addv(text, format, arguments);
    va_end(arguments);
}

static void
text_add_escaped(struct text *text, struct slice string)
{
    size_t len = quote_printable(string, NULL);

    text_reserve(text, len);
    quote_printable(string, text->data + text->len);
    text->len += len;
    text->data[text->len] = '\0';
}

void
text_add_printable(struct text *text, const char *string)
{
    text_add_escaped(text, (struct slice){string, strlen(string)});
}

void
text_add_printable_lines(struct text *text, const char *data, size_t len)
{
    while (len > 0) {
        const char *newline = memchr(data, '\n', len);
        size_t line = newline ? (size_t)(newline - data) : len;

        text_add_escaped(text, (struct slice){data, line});
        text_add_bytes(text, "\n", newline != NULL);
        data += line + (newline != NULL);
        len -= line + (newline != NULL);
    }
}

void
text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}
