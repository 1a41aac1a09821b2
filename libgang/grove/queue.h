/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_QUEUE_H
#define LIBGANG_GROVE_QUEUE_H

#include "libgang/grove/grove_job.h"

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

/*
 * The queue for KAI, of the PodCliqueSet or else of its cliques, label before annotation. Those must agree, and there
 * must be one where it is needed: KAI has no queue that stands in.
 */
struct grove_queue grove_queue_for_kai(const struct grove_job *job, enum grove_queue_need need,
                                       struct report *report);

/* Reports what KAI's backend of Grove refuses in the queues of a PodCliqueSet, which may be all that there is. */
struct grove_queue grove_queue_check_for_kai(const struct gang_podcliqueset *set, enum grove_queue_need need,
                                             struct report *report);

/*
 * The queue for Volcano: the PodGang's annotation, else the one on which PodCliqueSet and cliques agree, else
 * "default". Grove itself reads the first alone, although it admits the second; that is reported.
 */
struct grove_queue grove_queue_for_volcano(const struct grove_job *job, enum grove_queue_need need,
                                           struct report *report);

/* Reports what Volcano's backend of Grove refuses in the queues of a PodCliqueSet; the queue on which all agree. */
struct grove_queue grove_queue_check_for_volcano(const struct gang_podcliqueset *set,
                                                 enum grove_queue_need need, struct report *report);

#endif
