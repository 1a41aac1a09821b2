/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_INPUT_H
#define GANGCTL_INPUT_H

#include <stdbool.h>
#include <stddef.h>

/* The bytes of one file, or of standard input. */
struct source {
    char *name; /* as findings print it; printable */
    char *data;
    size_t len;
};

/* In the order in which they are read. */
struct source_list {
    struct source **items;
    size_t count;
};

/*
 * Reads a file, every manifest of a directory, or standard input ("-"). Returns false after
 * reporting on stderr what cannot be read.
 */
bool source_list_read(struct source_list *list, const char *name, bool recursive);
void source_list_free(struct source_list *list);

#endif
