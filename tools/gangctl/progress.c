/* SPDX-License-Identifier: Apache-2.0 */
#include "progress.h"

#include <stdio.h>
#include <unistd.h>

enum { COUNTS_BETWEEN = 256, MILLISECONDS_BETWEEN = 200 };

void
progress_start(struct progress *progress)
{
    *progress = (struct progress){.is_on = isatty(STDERR_FILENO) == 1};
    clock_gettime(CLOCK_MONOTONIC, &progress->last);
}

static long
milliseconds_since(const struct timespec *before, const struct timespec *now)
{
    return (long)(now->tv_sec - before->tv_sec) * 1000 + (now->tv_nsec - before->tv_nsec) / 1000000;
}

void
progress_show(struct progress *progress, size_t count, const char *what)
{
    struct timespec now;

    if (!progress->is_on || count < progress->next)
        return;
    progress->next = count + COUNTS_BETWEEN;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (milliseconds_since(&progress->last, &now) < MILLISECONDS_BETWEEN)
        return;
    progress->last = now;
    progress->is_shown = true;
    fprintf(stderr, "\r\033[K%zu %s", count, what);
    fflush(stderr);
}

void
progress_clear(struct progress *progress)
{
    if (progress->is_shown)
        fputs("\r\033[K", stderr);
    progress->is_shown = false;
}
