/* SPDX-License-Identifier: Apache-2.0 */
#include "support/text.h"

#include <stdio.h>
#include <stdlib.h>

static void
text_give_up(const char *path)
{
    perror(path);
    exit(2);
}

struct text
text_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct text text = {NULL, 0};
    size_t capacity = 4096;
    size_t got;

    if (!file)
        text_give_up(path);
    do {
        capacity *= 2;
        text.data = realloc(text.data, capacity + 1);
        if (!text.data)
            text_give_up(path);
        got = fread(text.data + text.len, 1, capacity - text.len, file);
        text.len += got;
    } while (text.len == capacity);
    if (ferror(file))
        text_give_up(path);
    fclose(file);
    text.data[text.len] = '\0';
    return text;
}

void
text_free(struct text *text)
{
    free(text->data);
    *text = (struct text){NULL, 0};
}
