/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_SCHEDULER_H
#define LIBGANG_GROVE_SCHEDULER_H

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

/* What becomes of a topologyConstraint of a PodCliqueSet: on `where`, named so unless it is the set itself. */
typedef void grove_topology_report(const struct node *topology, const char *where, struct slice name,
                                   struct report *report);

/* A scheduler that Grove can drive, and what its backend of Grove makes of the documents. */
struct grove_scheduler {
    struct slice name; /* as a schedulerName, and as Grove's profile */
    struct slice type; /* of the backend that renders for it; "None": it has no gangs */
    /* The queue of the gang, and what is wrong with those of a PodCliqueSet alone; NULL: it has no gangs. */
    struct grove_queue (*read_queue)(const struct grove_job *job, enum grove_queue_need need,
                                     struct report *report);
    struct grove_queue (*check_queue)(const struct gang_podcliqueset *set, enum grove_queue_need need,
                                      struct report *report);
    grove_topology_report *report_topology; /* NULL: it places pods by topology */
};

extern const struct grove_scheduler grove_schedulers[];
extern const size_t grove_scheduler_count;

/* NULL for a scheduler that Grove does not know. Names are compared exactly. */
const struct grove_scheduler *grove_scheduler_named(struct slice name);
/* The one whose backend has this type, which a policy may give another name; NULL for none. */
const struct grove_scheduler *grove_scheduler_of_type(struct slice type);

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
