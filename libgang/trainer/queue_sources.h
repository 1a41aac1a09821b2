/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_QUEUE_SOURCES_H
#define LIBGANG_TRAINER_QUEUE_SOURCES_H

#include "libgang/catalog/catalog.h"
#include "libgang/trainer/trainer_gang.h"

/* A value that was found, and where it belongs. */
struct queue_found {
    const struct node *value;
    const struct queue_source *source;
    const struct descriptor *scheduler;
};

struct queue_values {
    struct queue_found *items; /* in `arena`; NULL without any */
    size_t count;
};

/* The places in a runtime where a key of some scheduler stands, one bit for each `enum queue_place`. */
unsigned queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena);

/*
 * Every value that this scheduler reads, in order of precedence; in the patches that of the last one first. A scheduler
 * without sources of its own has no queues: whatever asks for a queue is read for it, so that it can be reported as lost.
 */
struct queue_values queue_sources_read(const struct trainer_job *job, const struct descriptor *scheduler,
                                       struct arena *arena);

/* Every value whose key is one of other schedulers and none of this one, wherever it stands. */
struct queue_values queue_sources_of_others(const struct trainer_job *job, const struct descriptor *scheduler,
                                            struct arena *arena);

/* Reports queues that stand where nobody reads them. */
void queue_sources_check_places(const struct trainer_job *job, struct report *report);

#endif
