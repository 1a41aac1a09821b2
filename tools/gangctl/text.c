/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "exit.h"

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

void
text_add_printable(struct text *text, const char *string)
{
    for (; *string; string++) {
        unsigned char byte = (unsigned char)*string;
        bool is_c1 = byte == 0xc2 && (unsigned char)string[1] < 0xa0 && string[1];

        if (is_c1)
            text_addf(text, "\\xc2\\x%02x", (unsigned char)*++string);
        else if (byte < 0x20 || byte == 0x7f)
            text_addf(text, "\\x%02x", byte);
        else
            text_add_bytes(text, string, 1);
    }
}

void
text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){0};
}
