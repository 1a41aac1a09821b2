/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_SCHEDULER_H
#define LIBGANG_GROVE_SCHEDULER_H

#include "libgang/catalog/catalog.h"
#include "libgang/grove/grove_gang.h"

/* A queue and the node that names it. */
struct grove_queue {
    struct slice name;         /* unset if there is none or errors were reported */
    const struct node *source; /* NULL if the default applies */
};

/* How to handle documents that name no queue for a scheduler without a default queue. */
enum grove_queue_need {
    GROVE_QUEUE_NEEDED,   /* report an error */
    GROVE_QUEUE_OPTIONAL, /* another source provides a queue if the documents do not */
    GROVE_QUEUE_IGNORED,  /* another source provides the queue in any case */
};

/* A scheduler that Grove can drive, with the properties from its descriptor. */
struct grove_scheduler {
    const struct descriptor *descriptor; /* NULL if it has no gangs */
    const struct descriptor_grove *grove;
};

/* Returns a scheduler in the order of Grove's list; NULL after the last. */
const struct grove_scheduler *grove_scheduler_at(size_t index);
/* Returns NULL for a scheduler that Grove does not know. Names are compared exactly. */
const struct grove_scheduler *grove_scheduler_named(struct slice name);
/* Returns NULL for a scheduler that Grove does not drive. */
const struct grove_scheduler *grove_scheduler_of(const struct descriptor *descriptor);
/*
 * Returns the names or types of the schedulers with gangs: "kai-scheduler, volcano". Allocated in
 * `arena`.
 */
const char *grove_scheduler_list(bool of_types, const char *separator, struct arena *arena);

/*
 * Returns the queue of a PodGang.
 *
 * GROVE_QUEUE_OF_LABELS: the queue of the PodCliqueSet, or else of its cliques, where the label has
 * precedence over the annotation. The cliques must agree, and a queue must exist if one is needed.
 *
 * GROVE_QUEUE_OF_PODGANG: the PodGang's annotation, or else the one on which PodCliqueSet and
 * cliques agree, or else the scheduler's default. Grove itself reads only the first, although it
 * accepts the second; this is reported.
 */
struct grove_queue grove_queue_read(const struct grove_scheduler *scheduler,
                                    const struct grove_job *job, enum grove_queue_need need,
                                    struct report *report);

/*
 * Reports the queues that Grove refuses in a PodCliqueSet, which may be the only document. Returns
 * the queue on which PodCliqueSet and cliques agree.
 */
struct grove_queue grove_queue_check(const struct grove_scheduler *scheduler,
                                     const struct gang_podcliqueset *set,
                                     enum grove_queue_need need, struct report *report);

/*
 * Returns the scheduler that Grove uses if no scheduler is named. Grove refuses a configuration
 * without this profile.
 */
const struct grove_scheduler *grove_scheduler_by_default(void);
/*
 * Returns the scheduler of this name if it has no gangs, and the default one otherwise, because a
 * policy may use any name.
 */
const struct grove_scheduler *grove_scheduler_without_gangs(struct slice name);

/*
 * Returns the first clique that names the index-th of the schedulers that the cliques name; NULL
 * after the last, and without a set.
 */
const struct podclique_template *grove_clique_naming_scheduler(const struct gang_podcliqueset *set,
                                                               size_t index);
/*
 * Returns the scheduler of the cliques as Grove reads it: that of the first clique, or `by_default`
 * if it names none.
 */
struct slice grove_cliques_scheduler(const struct gang_podcliqueset *set, struct slice by_default);
/* Returns the node of that scheduler name in the first clique, for findings. */
const struct node *grove_cliques_scheduler_source(const struct gang_podcliqueset *set);
/* Reports cliques whose scheduler differs from that of the first. */
void grove_cliques_check_scheduler(const struct gang_podcliqueset *set, struct slice by_default,
                                   struct report *report);

/* Reports the topologyConstraints of a PodCliqueSet that the scheduler does not support. */
void grove_scheduler_check_topology(const struct grove_scheduler *scheduler,
                                    const struct gang_podcliqueset *set, struct report *report);

#endif
