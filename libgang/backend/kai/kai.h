/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_H
#define LIBGANG_BACKEND_KAI_KAI_H

#include "libgang/backend/backend.h"
#include "libgang/backend/kai/podgrouper/kai_grouping.h"
#include "libgang/backend/kai/podgrouper/kai_prediction.h"
#include "libgang/backend/kai/podgrouper/kai_verdict.h"

/* Who makes the PodGroup: the podgrouper or libgang. Never both. */
enum kai_maker { KAI_DELEGATE, KAI_CREATE };

/* The decision for a job and the facts behind it. It depends only on the call. */
struct kai_mode {
    enum kai_maker maker;
    bool is_asked_for; /* the policy chooses the maker; else libgang does */
    bool is_foreign;   /* the podgrouper's group for this kind of job is not predicted */
    struct release release;
    bool release_is_stated;
    struct kai_marks marks;
    struct kai_job job;
    struct kai_grouping grouping;
    struct kai_prediction prediction; /* the podgrouper's groups */
    struct kai_verdict verdict;       /* on the predicted groups */
    bool annotation_would_help;       /* the mark min_member would make them a gang */
};

struct kai_mode kai_mode_decide(const struct backend_call *call, struct arena *arena);

/* Reports the decision and its problems. */
void kai_mode_report(const struct kai_mode *mode, const struct backend_call *call,
                     struct report *report);

#endif
