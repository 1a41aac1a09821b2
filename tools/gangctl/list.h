/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_LIST_H
#define GANGCTL_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The items of a `kind: List`, each as a text of its own in which every character keeps its line
 * and column, so that findings point into the file as it is. Looks at the text only: the list must
 * be known to be well-formed.
 */
struct list_walk {
    const char *at;
    const char *end;
    uint32_t line; /* lines before `at` */
    size_t column; /* characters before `at` on its line */
    size_t indent; /* of the dashes of a YAML list */
    bool is_yaml;
    bool is_flow; /* the items are; otherwise each has its dash */
};

struct list_item {
    char *text; /* the caller frees it */
    size_t len;
    uint32_t lines_before; /* what to add to a line of the text; wraps, where the text has a line
                              more than the list */
};

/* False when no list is seen under `items`: there is none, or an anchor, a tag or an alias stands
 * there. */
bool list_walk_start(struct list_walk *walk, const char *data, size_t len);
bool list_walk_next(struct list_walk *walk, struct list_item *item);

#endif
