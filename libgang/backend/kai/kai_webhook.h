/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_WEBHOOK_H
#define LIBGANG_BACKEND_KAI_KAI_WEBHOOK_H

#include "libgang/backend/kai/kai_pod_group.h"

/*
 * Returns what KAI's own admission webhook reports about a PodGroup, in its words and order, so
 * that libgang can report it before the API server does.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_webhook.go, v0.14.7 to
 * main d5bc503a
 */
enum kai_webhook_call { KAI_WEBHOOK_CREATE, KAI_WEBHOOK_UPDATE };

struct kai_webhook_problem {
    const char *text;
    bool is_warning; /* the group is admitted */
};

struct kai_webhook_answer {
    struct kai_webhook_problem *problems;
    size_t count;
};

/*
 * Returns the problems, in `arena`; none for a group that is admitted without warnings. The release
 * must be known.
 */
struct kai_webhook_answer kai_webhook_check(const struct kai_pod_group *group,
                                            const struct release *release,
                                            enum kai_webhook_call call, struct arena *arena);

#endif
