/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_TRAINER_QUEUE_SOURCES_H
#define LIBGANG_TRAINER_QUEUE_SOURCES_H

#include "libgang/trainer/trainer_gang.h"

/* A value, and the source in whose place it was found. */
struct queue_found {
    const struct node *value;
    const struct queue_source *source;
    const struct descriptor *scheduler;
};

struct queue_values {
    struct queue_found *items; /* allocated in `arena`; NULL if there are none */
    size_t count;
};

/*
 * Returns the places in a runtime that have a queue key of any scheduler, one bit for each `enum
 * queue_place`.
 */
unsigned queue_places_in_runtime(const struct gang_runtime *runtime, struct arena *arena);

/*
 * Returns every value that this scheduler reads, in order of precedence; among the patches, the
 * value of the last one first. A scheduler without sources has no queues: for it, the function
 * returns the values of all schedulers, so that they can be reported as lost.
 */
struct queue_values queue_sources_read(const struct trainer_job *job,
                                       const struct descriptor *scheduler, struct arena *arena);

/* Returns every label that decides the class of the scheduler's group, in order of precedence. */
struct queue_values priority_sources_read(const struct trainer_job *job,
                                          const struct descriptor *scheduler, struct arena *arena);

/* Returns every value, in any place, whose key belongs to other schedulers and not to this one. */
struct queue_values queue_sources_of_others(const struct trainer_job *job,
                                            const struct descriptor *scheduler,
                                            struct arena *arena);

/* A job without a runtime: its own metadata, and that of its pod templates. */
struct queue_owner {
    const struct node *metadata;
    const struct role *roles;
    size_t num_roles;
};

/* Whether there is metadata that can hold a key; most jobs have none. */
bool queue_owner_has_keys(const struct queue_owner *owner);

/* The values to look for: as in the three functions above. */
enum queue_question { QUEUES_READ, QUEUES_OF_OTHERS, QUEUES_PRIORITY };

/*
 * Answers a question for a job without a runtime. A key that a TrainJob can have on itself or in
 * its runtime's template is read in the job's metadata.
 */
struct queue_values queue_sources_of_owner(const struct queue_owner *owner,
                                           const struct descriptor *scheduler,
                                           enum queue_question question, struct arena *arena);

/* Reports queues in places that no component reads. */
void queue_sources_check_places(const struct trainer_job *job, struct report *report);

#endif
