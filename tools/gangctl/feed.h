/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FEED_H
#define GANGCTL_FEED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "text.h"

/*
 * Splits a file of any size into documents, and lists of kubectl into their items, with the memory
 * of one document. It reads only the text: the library decides whether a document is well-formed.
 */

enum { WINDOW_BYTES = 1 << 17, KIND_BYTES = 64 };

/* One document, and its place in the file. */
struct chunk {
    struct text text;
    uint32_t lines_before;
    uint32_t line; /* of its first character, from 1 */
    uint32_t column;
    /* as far as it can be seen without a parser; "" otherwise */
    char kind[KIND_BYTES];
};

struct feed {
    FILE *file; /* borrowed */
    char window[WINDOW_BYTES];
    size_t at; /* in the window */
    size_t end;
    uint32_t line; /* lines before `at` */
    size_t column; /* characters before `at` on its line */
    bool in_yaml_list;
    bool in_json_list;
    size_t indent; /* of the dashes of a YAML list */
};

void feed_start(struct feed *feed, FILE *file);
/* Returns false at the end. `chunk` must be zero-initialized once; its text is reused. */
bool feed_next(struct feed *feed, struct chunk *chunk);

/* For the two parts: reading through the window. */

/* Makes sure that `wanted` bytes can be read, unless the file ends. Returns how many there are. */
size_t feed_fill(struct feed *feed, size_t wanted);
/* Returns the next byte without taking it; EOF at the end. */
int feed_peek(struct feed *feed);
int feed_take(struct feed *feed);
/* Adds to the chunk, which never grows above what the library reads as one document. */
void chunk_add(struct chunk *chunk, const char *data, size_t len);
/* Starts a chunk at the reader's line and column. */
void chunk_start(struct chunk *chunk, const struct feed *feed);
/* The same for a text in block style, whose first line keeps its indent. */
void chunk_start_indented(struct chunk *chunk, const struct feed *feed);
void chunk_set_kind(struct chunk *chunk, const char *kind, size_t len);

/*
 * Both start at an opening brace. The first reads a value, and returns false if it is a list, whose
 * items follow; the second reads an item, and returns false at the end of the list.
 */
bool json_split_value(struct feed *feed, struct chunk *chunk);
bool json_split_item(struct feed *feed, struct chunk *chunk);

/* The same for a document in block style, which starts at the reader's place. */
bool yaml_split_document(struct feed *feed, struct chunk *chunk);
bool yaml_split_item(struct feed *feed, struct chunk *chunk);
/* Whether a line "---" or "..." starts here. */
bool yaml_at_separator(struct feed *feed);

#endif
