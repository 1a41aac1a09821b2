/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LIST_H
#define GANGCTL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Iterates over the items of a `kind: List`. Each item is a separate text, with its place in the
 * list, so that findings refer to the file. Reads only the text: the list must be well-formed.
 */
struct list_walk {
    const char *at;
    const char *end;
    uint32_t line; /* lines before `at` */
    size_t column; /* characters before `at` on its line */
    size_t indent; /* of the dashes of a YAML list */
    bool is_yaml;
    bool is_flow; /* the items are in flow style; otherwise each has a dash */
};

struct list_item {
    char *text; /* the caller frees it */
    size_t len;
    /* offset for a line of the text; wraps around if the text has one more line than the list */
    uint32_t lines_before;
    /*
     * The place of its first character in the list, from 1. An item in block style starts with its
     * line: in it every character keeps its column.
     */
    uint32_t line;
    uint32_t column;
};

/* Returns false if there is no list under `items`: it is absent, or an anchor, tag or alias. */
bool list_walk_start(struct list_walk *walk, const char *data, size_t len);
bool list_walk_next(struct list_walk *walk, struct list_item *item);

#endif
