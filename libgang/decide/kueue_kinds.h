/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DECIDE_KUEUE_KINDS_H
#define LIBGANG_DECIDE_KUEUE_KINDS_H

#include "libgang/decide/decision.h"

/* What Kueue's integration of a kind of job does. */
enum kueue_trait {
    KUEUE_READS_LABELS = 1 << 0,    /* its webhook reads all labels of Kueue on the job */
    KUEUE_READS_GROUPS = 1 << 1,    /* its webhook reads the groups of pod sets */
    KUEUE_TAKES_ELASTIC = 1 << 2,   /* the job can be an elastic job of Kueue */
    KUEUE_ADMITS_PART = 1 << 3,     /* the job can be admitted with fewer pods */
    KUEUE_READY_AT_LAST = 1 << 4,   /* it counts as ready when its last role has started */
    KUEUE_QUEUES_PODS_TOO = 1 << 5, /* pods of a queued job are queued by a label of their own */
    KUEUE_HAS_INTEGRATION = 1 << 6,
};

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

struct kueue_job kueue_job_of(struct gang_decision *decision);

/*
 * Reads a number as strconv.ParseInt does, or with no sign as strconv.ParseUint. Returns false for
 * other texts, and for numbers out of the range of int64_t.
 */
bool kueue_is_number(struct slice text, bool allows_sign, int64_t *value);

/*
 * Reports the fields of a job that Kueue manages and whose webhook refuses them. Only a document of
 * the kind itself has them, not a GangJob or an AppWrapper that stands for it.
 */
void kueue_kinds_check(const struct kueue_job *job);

#endif
