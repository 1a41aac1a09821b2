/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_SCHEDULER_H
#define LIBGANG_GROVE_SCHEDULER_H

#include "libgang/catalog/catalog.h"
#include "libgang/grove/grove_gang.h"

/* A queue and where it was read. */
struct grove_queue {
    struct slice name;         /* unset: none, or errors were reported */
    const struct node *source; /* NULL: a default that nobody wrote */
};

/* What becomes of documents that name no queue for a scheduler which has none that stands in. */
enum grove_queue_need {
    GROVE_QUEUE_NEEDED,   /* an error */
    GROVE_QUEUE_OPTIONAL, /* somebody else names one where they do not */
    GROVE_QUEUE_IGNORED,  /* somebody else names one whatever they say */
};

/* A scheduler that Grove can drive: what its descriptor says of it. */
struct grove_scheduler {
    const struct descriptor *descriptor; /* NULL: it has no gangs */
    const struct descriptor_grove *grove;
};

/* In the order of Grove's list; NULL behind the last. */
const struct grove_scheduler *grove_scheduler_at(size_t index);
/* NULL for a scheduler that Grove does not know. Names are compared exactly. */
const struct grove_scheduler *grove_scheduler_named(struct slice name);
/* NULL for a scheduler that Grove does not drive. */
const struct grove_scheduler *grove_scheduler_of(const struct descriptor *descriptor);
/* The names, or the types, of those with gangs: "kai-scheduler, volcano". In `arena`. */
const char *grove_scheduler_list(bool of_types, const char *separator, struct arena *arena);

/*
 * The queue of a PodGang.
 *
 * GROVE_QUEUE_OF_LABELS: of the PodCliqueSet or else of its cliques, label before annotation. Those must agree, and there
 * must be one where it is needed.
 *
 * GROVE_QUEUE_OF_PODGANG: the PodGang's annotation, else the one on which PodCliqueSet and cliques agree, else the
 * scheduler's default. Grove itself reads the first alone, although it admits the second; that is reported.
 */
struct grove_queue grove_queue_read(const struct grove_scheduler *scheduler, const struct grove_job *job,
                                    enum grove_queue_need need, struct report *report);

/* Reports what Grove refuses in the queues of a PodCliqueSet, which may be all that there is; the queue on which all agree. */
struct grove_queue grove_queue_check(const struct grove_scheduler *scheduler,
                                     const struct gang_podcliqueset *set, enum grove_queue_need need,
                                     struct report *report);

/* What Grove takes where nobody names a scheduler: its configuration is refused without this profile. */
const struct grove_scheduler *grove_scheduler_by_default(void);
/* The one that stands for a scheduler without gangs, whatever a policy calls it. */
const struct grove_scheduler *grove_scheduler_without_gangs(struct slice name);

/* The index-th scheduler that cliques name, with the first of them; NULL past the last, and without a set. */
const struct podclique_template *grove_clique_naming_scheduler(const struct gang_podcliqueset *set,
                                                               size_t index);
/* The scheduler of the cliques as Grove reads it, that of the first; `by_default` for cliques that name none. */
struct slice grove_cliques_scheduler(const struct gang_podcliqueset *set, struct slice by_default);
/* Where the first clique says it: the place for findings. */
const struct node *grove_cliques_scheduler_source(const struct gang_podcliqueset *set);
/* Reports cliques that do not have the scheduler of the first. */
void grove_cliques_check_scheduler(const struct gang_podcliqueset *set, struct slice by_default,
                                   struct report *report);

/* Reports the topologyConstraints of a PodCliqueSet that the scheduler has no place for. */
void grove_scheduler_check_topology(const struct grove_scheduler *scheduler,
                                    const struct gang_podcliqueset *set, struct report *report);

#endif
