/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_POD_GROUP_H
#define LIBGANG_BACKEND_KAI_KAI_POD_GROUP_H

#include "libgang/backend/backend.h"

/* Differences between the releases of KAI Scheduler that affect rendering. */
enum kai_feature {
    KAI_MIN_SUB_GROUP,    /* minSubGroup exists; minima may be absent, and 0 in subgroups */
    KAI_EXTERNAL_GROUPS,  /* kai.scheduler/skip-podgrouper: a PodGroup may have another creator */
    KAI_DELAYS,           /* preemptionDelay, stalenessGracePeriod */
    KAI_ROOT_ZERO,        /* a minimum of 0 at the root is valid: no gang */
    KAI_IGNORES_FINISHED, /* the scheduler does not see succeeded pods: a gang looks incomplete */
    KAI_KEEPS_TOPOLOGY,   /* an existing group keeps its topology if the job names none */
};

/* Whether a release has the feature. The release must be known. */
bool kai_has(enum kai_feature feature, const struct release *release);

/* The newest release whose behaviour this backend knows. */
extern const struct release kai_newest_release;

/* Returns a text such as "v0.16.8", in `arena`. */
const char *kai_release_text(const struct release *release, struct arena *arena);

/*
 * The PodGroup of KAI Scheduler, scheduling.run.ai/v2alpha2, limited to what libgang writes or
 * predicts. Unset text is omitted.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/scheduling/v2alpha2/podgroup_types.go@d5bc503a
 */
#define KAI_API_VERSION SLICE("scheduling.run.ai/v2alpha2")
#define KAI_POD_GROUP_KIND SLICE("PodGroup")

/* minMember or minSubGroup. Absent differs from 0. */
struct kai_minimum {
    bool is_set;
    int64_t value;
};

#define KAI_MINIMUM(value_) ((struct kai_minimum){.is_set = true, .value = (value_)})

struct kai_topology {
    bool is_present; /* written even if empty, as `{}` */
    struct slice topology;
    struct slice required_level;
    struct slice preferred_level;
};

/* Whether nothing is written for it. */
bool kai_topology_is_empty(const struct kai_topology *topology);

struct kai_subgroup {
    struct slice name;
    struct slice parent; /* unset: a child of the root */
    struct kai_minimum min_member;
    struct kai_minimum min_sub_group;
    struct kai_topology topology;
};

struct kai_pod_group {
    struct kai_minimum min_member;
    struct kai_minimum min_sub_group;
    struct slice queue;
    struct slice priority_class_name;
    struct slice preemptibility;         /* "preemptible", "non-preemptible" */
    struct slice preemption_delay;       /* a Go duration; needs KAI_DELAYS */
    struct slice staleness_grace_period; /* the same */
    struct kai_topology topology;
    struct kai_subgroup *subgroups; /* in output order */
    size_t num_subgroups;
};

/* Writes the members of `spec`, except those that a known release does not have. */
void kai_pod_group_build(const struct kai_pod_group *group, const struct release *release,
                         struct builder *spec);

/* Reads a `spec` such as kai_pod_group_build() writes. */
struct kai_pod_group kai_pod_group_read(const struct node *spec, struct arena *arena);

#endif
