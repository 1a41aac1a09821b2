/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_KAI_KAI_H
#define LIBGANG_BACKEND_KAI_KAI_H

#include "libgang/backend/kai/podgrouper/podgrouper.h"

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

/*
 * PodGroups that libgang makes instead of the podgrouper: one for the gang and one for each role
 * outside it. The gang's group is flat if the gang has one role; else it has a subgroup for each
 * role, with a minimum of 0 for late members. Roles outside need groups of their own, because the
 * podgrouper would put their pods into one group with the gang's pods and hold both.
 * Source: kai-scheduler/KAI-Scheduler:docs/batch/README.md@d5bc503a, and observed starts.
 */
struct kai_created {
    struct slice name;
    const struct role *role;    /* outside the gang; NULL for the gang's group */
    struct kai_metadata copied; /* as the podgrouper copies it: shards select by the node pool */
    struct kai_pod_group group;
};

struct kai_created_groups {
    struct kai_created *items; /* the gang's group first */
    size_t count;
    int64_t
        pods; /* that must start together, as the groups of the job say; 0: the gang's minimum */
};

struct kai_created_groups kai_create_groups(const struct kai_mode *mode,
                                            const struct backend_call *call, struct arena *arena);

/*
 * Returns the name of the gang's group, `<job>.<namespace>`: up to v0.17.0 the scheduler identifies
 * a group by its name alone, in all namespaces. Groups of roles outside the gang have the role's
 * name as a prefix.
 */
struct slice kai_create_name(const struct gang *gang, struct arena *arena);

/* Returns why the placement of the gang, or of one of its groups, is not rendered; NULL if it is.
 */
const char *kai_create_why_not_placed(const struct kai_pod_group *group,
                                      const struct gang_placement *placement);

/* Reports what KAI's webhook would report, as findings at `source`. */
void kai_create_check(const struct kai_pod_group *group, const struct release *release,
                      const struct node *source, struct report *report);

void kai_create_render(const struct kai_created_groups *groups, const struct kai_mode *mode,
                       const struct backend_call *call, struct plan_content *content);

/* What the podgrouper does with the pods of the job's owner. */
const struct podgrouper_trait *kai_foreign_trait(const struct gang_wishes *wishes);

/* Whether the podgrouper's PodGroup for the job is known to be no gang. */
bool kai_foreign_is_no_gang(const struct gang_wishes *wishes);

/*
 * The PodGroup that Grove makes for a PodGang, or for all PodGangs of a replica: a subgroup for
 * each group of the gang, and the mark that makes KAI's podgrouper skip it.
 * Sources: ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb; for the second
 * layout, aggregate.go of its pull request 735 @ebe5f5a0. GREP-525.
 */
const void *kai_podgang_open(const struct backend_call *call, struct report *report);
void kai_podgang_validate(const struct backend_call *call, struct report *report);
void kai_podgang_render(const struct backend_call *call, struct plan_content *content);

/* Adds the marks of a pod to `patch`: its PodGroup and its subgroup in that PodGroup. */
void kai_podgang_mark(struct gang_patch *patch, struct slice group, struct slice subgroup);

/*
 * Writes the spec of a Topology of KAI.
 * Source: kai-scheduler/KAI-Scheduler:pkg/apis/kai/v1alpha1/topology_types.go
 */
void kai_podgang_render_topology(const struct node *levels, struct builder *spec);

/* Whether the group asks the scheduler not to evict it for being stale. */
bool kai_subgroups_never_stale(const struct kai_pod_group *group, const struct release *release);

/* Reports a subgroup that can start without some of its children, which KAI evicts. */
void kai_subgroups_check(const struct kai_pod_group *group, const struct release *release,
                         const struct backend_call *call, struct report *report);

/* Writes the subgroups for the plan. A subgroup without others below it has the name of its role.
 */
void kai_subgroups_list(const struct kai_pod_group *group, struct builder *list);

/*
 * How KAI's podgrouper updates PodGroups, and how Grove updates its own. PodGroups that libgang
 * makes follow one or the other.
 * Sources: kai-scheduler/KAI-Scheduler:pkg/podgrouper/podgroup/{handler,updater}.go@d5bc503a and
 * ai-dynamo/grove:operator/internal/scheduler/kai/backend.go@fcc3b3bb
 */
extern const struct backend_updates kai_updates;

/* The rules of the podgrouper, for a prediction of what it makes of a live PodGroup. */
extern const struct update_rules kai_podgrouper_rules;

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
