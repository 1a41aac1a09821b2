/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_WEBHOOK_H
#define LIBGANG_BACKEND_KAI_KAI_WEBHOOK_H

#include "libgang/backend/kai/kai_pod_group.h"

/*
 * What KAI's own admission webhook says of a PodGroup, in its words and order, so that it is said before the server
 * sees it.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_webhook.go, v0.14.7 to main d5bc503a
 */
enum kai_webhook_call { KAI_WEBHOOK_CREATE, KAI_WEBHOOK_UPDATE };

struct kai_webhook_problem {
    const char *text;
    bool is_warning; /* admitted all the same */
};

struct kai_webhook_answer {
    struct kai_webhook_problem *problems;
    size_t count;
};

/* In `arena`; nothing to say for an admitted group. The release must be known. */
struct kai_webhook_answer kai_webhook_check(const struct kai_pod_group *group, const struct release *release,
                                            enum kai_webhook_call call, struct arena *arena);

#endif
