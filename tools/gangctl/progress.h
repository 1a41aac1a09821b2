/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_PROGRESS_H
#define GANGCTL_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>
#include <time.h>

/* A line on standard error that says how far a long command is; nothing if that is no terminal. */
struct progress {
    bool is_on;
    bool is_shown;
    size_t next; /* look at the clock at this count */
    struct timespec last;
};

void progress_start(struct progress *progress);
/* Shows "COUNT WHAT" at most five times a second. */
void progress_show(struct progress *progress, size_t count, const char *what);
/* Removes the line, before something else is printed. */
void progress_clear(struct progress *progress);

#endif
