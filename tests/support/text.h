/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_TEXT_H
#define TESTS_SUPPORT_TEXT_H

#include <stddef.h>

/* A file's bytes, NUL-terminated. `data` is owned. */
struct text {
    char *data;
    size_t len;
};

/* Ends the program with a message when the file cannot be read. */
struct text text_read(const char *path);
void text_free(struct text *text);

#endif
