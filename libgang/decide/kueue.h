/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_H
#define LIBGANG_DECIDE_KUEUE_H

#include "libgang/decide/decision.h"

/*
 * Whether a decision can have anything of Kueue. Every job is asked, so this costs next to nothing.
 */
bool kueue_checks_apply(const struct gang_decision *decision);

/*
 * Reports how Kueue, which queues jobs above the schedulers, and the gang of a job fit together:
 * the placement that Kueue's annotations request, what Kueue's webhook refuses, pods that would be
 * queued twice, and pods that Kueue admits but the gang does not need, or the reverse. libgang
 * renders no key of Kueue and changes none. Only for a job with a gang, if kueue_checks_apply().
 */
void kueue_checks_run(const struct gang_decision *decision);

/*
 * Reports what a Workload of Kueue, a live object, admits of the gang: fewer pods of a role than
 * the gang waits for.
 */
void kueue_checks_workload(const struct gang_decision *decision, const struct node *workload,
                           struct report *report);

/* A job as Kueue sees it. */
struct kueue_job {
    const struct gang_decision *decision;
    const struct object_meta *meta;
    struct slice kind;
    unsigned int traits;
    const struct node *manager; /* says that Kueue manages the job; NULL if it does not */
    bool is_elastic;            /* it has the annotation of Kueue's elastic jobs */
    const char *hint;           /* where the annotations of its pods are changed */
    struct report *report;
};

/* Whether strconv.ParseUint accepts the text as a number of 64 bits. */
bool kueue_is_unsigned(struct slice text);
/* Reads a truth value as strconv.ParseBool does. Returns false for other texts. */
bool kueue_is_bool(struct slice text, bool *value);

/*
 * Reports what Kueue's webhook refuses: labels and annotations of the job itself, too many roles,
 * and fields of a job that Kueue manages. Only a document of the kind itself has the fields, not a
 * GangJob or an AppWrapper that stands for it.
 */
void kueue_kinds_check(const struct kueue_job *job);

/*
 * Reports where Kueue's topology-aware scheduling places the pods of a role, as the annotations of
 * their template say, and what Kueue's webhook refuses in them.
 */
void kueue_placement_check(const struct kueue_job *job, const struct role *role);

#endif
