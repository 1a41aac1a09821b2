/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_PLACE_H
#define GANGCTL_PLACE_H

#include "documents.h"

/* The line and the column of a value in the text of a document, from 1; 0 if it is not found. */
struct place {
    uint32_t line;
    uint32_t column;
};

/* A part of the text of a document. */
struct span {
    const char *start;
    const char *end;
};

/* The item of a list in block style that is the value of `key`; the whole text for another list. */
struct span find_item(const struct document *document, const char *key, size_t index);
/* Returns the line of the key in a part of the text, or of its start if it is not there. */
uint32_t line_of_key(const struct document *document, const struct span *span, const char *key);

/* Finds the first value of `key` behind the key `parent`, as a reader would. */
struct place find_value(const struct document *document, const char *parent, const char *key);

#endif
