/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_PODGROUPER_KAI_SETTINGS_H
#define LIBGANG_BACKEND_KAI_PODGROUPER_KAI_SETTINGS_H

#include <gang/gang-names.h>

#include "libgang/backend/kai/kai_pod_group.h"
#include "libgang/policy/cluster.h"

/*
 * Keys. Source: kai-scheduler/KAI-Scheduler:pkg/common/constants/constants.go and
 * pkg/podgrouper/podgrouper/plugins/constants/constants.go@d5bc503a
 */
#define KAI_QUEUE_LABEL SLICE(GANG_LABEL_KAI_QUEUE)
#define KAI_NODE_POOL_LABEL SLICE("kai.scheduler/node-pool")
#define KAI_PRIORITY_LABEL SLICE("priorityClassName")
#define KAI_PREEMPTIBILITY_LABEL SLICE("kai.scheduler/preemptibility")
#define KAI_PROJECT_LABEL SLICE("project")
#define KAI_USER_KEY SLICE("user")
#define KAI_DEFAULT_QUEUE SLICE("default-queue")
#define KAI_DEFAULT_PRIORITY SLICE("train") /* the podgrouper's, for training jobs */

struct kai_metadata {
    const struct node *labels; /* NULL if none */
    const struct node *annotations;
};

struct kai_kind {
    struct slice group;
    struct slice kind; /* unset: there are no defaults */
};

#define KAI_KIND(group_, kind_) ((struct kai_kind){SLICE(group_), SLICE(kind_)})
#define KAI_JOBSET_KIND KAI_KIND("jobset.x-k8s.io", "JobSet")
#define KAI_TRAINJOB_KIND KAI_KIND("trainer.kubeflow.org", "TrainJob")

enum { KAI_MOST_OWNERS = 4 };

/*
 * What the podgrouper reads of a job. The owner nearest to the pod comes first, and the group is
 * made for the last one: the JobSet, with what only the TrainJob has; before v0.13 the owners are
 * the Job, the JobSet, the TrainJob and its own owner. All owners count for priority and
 * preemptibility.
 */
struct kai_sources {
    struct kai_metadata owners[KAI_MOST_OWNERS];
    struct kai_kind kinds[KAI_MOST_OWNERS]; /* for the defaults of each owner's kind */
    size_t num_owners;
    struct kai_metadata pod;
    struct slice pod_priority_class;
    bool leaves_defaults;               /* a class that no document sets stays unset */
    const struct gang_cluster *cluster; /* NULL: every priority class is assumed to exist */
};

/* Returns the owner that the group is made for. */
const struct kai_metadata *kai_settings_owner(const struct kai_sources *sources);

/*
 * Fills in what the podgrouper would read from labels and annotations: queue, priority class,
 * preemptibility, delays and topology. Ignores invalid values, as the podgrouper does.
 * Source: plugins/defaultgrouper/default_grouper.go@d5bc503a
 */
void kai_settings_fill(const struct kai_sources *sources, struct kai_pod_group *group,
                       struct arena *arena);

/*
 * Returns a default of the podgrouper's ConfigMap for a kind, as the GangCluster has it: of the
 * kind in its group, else in any group. Unset if there is none.
 */
struct slice kai_default_of(const struct gang_cluster *cluster, const struct kai_kind *kind,
                            struct slice field);

/* Like kai_default_of(), but returns the node; NULL if there is none. */
const struct node *kai_default_node(const struct gang_cluster *cluster, const struct kai_kind *kind,
                                    struct slice field);

/* Returns the topology annotations of a map, unchecked. */
struct kai_topology kai_settings_topology(const struct node *annotations);

/* Returns `first`, the separator and `second` as one text of any length. */
struct slice kai_join(struct slice first, char separator, struct slice second, struct arena *arena);

#endif
