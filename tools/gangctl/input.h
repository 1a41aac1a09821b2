/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_INPUT_H
#define GANGCTL_INPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* The bytes of one file, or of standard input. */
struct source {
    char *name; /* as findings print it; printable */
    char *data;
    size_t len;
};

/* Look into subdirectories; read links that lead to files outside of the directory. */
enum walk_flag { WALK_RECURSIVE = 1, WALK_FOLLOW = 2 };

/* Called for each file, in the order to read them; "-" is standard input. False ends the walk. */
typedef bool (*visit_file)(void *context, const char *name);

/*
 * Visits a file, every manifest of a directory, or standard input. Returns false after reporting on
 * stderr what cannot be read, or if a visit returned false.
 */
bool input_walk(const char *name, unsigned flags, visit_file visit, void *context);

/*
 * Opens a file to read it more than once. What can be read only once, such as standard input, is
 * copied to a temporary file: then `*is_copy` is true. Returns NULL after reporting an error.
 */
FILE *input_open(const char *name, bool *is_copy);
/* The name as findings print it; the caller frees it. */
char *input_title(const char *name);

/* In the order in which they are read. */
struct source_list {
    struct source **items;
    size_t count;
};

/*
 * Reads a file, every manifest of a directory, or standard input ("-"). Returns false after
 * reporting on stderr what cannot be read.
 */
bool source_list_read(struct source_list *list, const char *name, unsigned flags);
void source_list_free(struct source_list *list);

#endif
