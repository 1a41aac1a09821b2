/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_PLACE_H
#define GANGCTL_PLACE_H

#include "documents.h"

/* The line and the column of a value in the text of a document, from 1; 0 if it is not found. */
struct place {
    uint32_t line;
    uint32_t column;
};

/* Finds the first value of `key` behind the key `parent`, as a reader would. */
struct place find_value(const struct document *document, const char *parent, const char *key);

#endif
