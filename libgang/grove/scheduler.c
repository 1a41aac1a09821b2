/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/scheduler.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"
#include "libgang/grove/queue.h"

static const char grove_topology_hint[] = "remove the constraint, or choose kai-scheduler";

static void
volcano_refuse_topology(const struct node *topology, const char *where, struct slice name,
                        struct report *report)
{
    struct quoted quoted;

    find_forbidden(report, GANG_CODE_GROVE_TOPOLOGY_REFUSED, topology, grove_topology_hint,
                   "volcano scheduler backend does not support topologyConstraint on %s%s%s", where,
                   slice_is_set(name) ? " " : "", slice_is_set(name) ? quote(&quoted, name) : "");
}

static void
lpx_refuse_topology(const struct node *topology, const char *where, struct slice name, struct report *report)
{
    (void)where;
    (void)name;
    find_forbidden(report, GANG_CODE_GROVE_TOPOLOGY_REFUSED, topology, grove_topology_hint,
                   "lpx-scheduler does not support Grove topology constraints; placement topology must be "
                   "expressed through the LPX workload contract");
}

/* Grove admits it and drops it: operator/internal/scheduler/kube/backend.go@fcc3b3bb does nothing at all. */
static void
kube_lose_topology(const struct node *topology, const char *where, struct slice name, struct report *report)
{
    (void)where;
    (void)name;
    find_note(report, GANG_CODE_FIELD_LOST, topology, grove_topology_hint,
              "topologyConstraint is lost: default-scheduler gets nothing of it");
}

/*
 * ai-dynamo/grove:operator/api/config/v1alpha1/types.go@fcc3b3bb SupportedSchedulerNames, in its order, and
 * operator/internal/scheduler/{kai,kube,volcano,lpx}/backend.go@fcc3b3bb.
 */
const struct grove_scheduler grove_schedulers[] = {
    {SLICE_INIT("kai-scheduler"), SLICE_INIT("KAI"), grove_queue_for_kai, grove_queue_check_for_kai, NULL},
    {SLICE_INIT("default-scheduler"), SLICE_INIT("None"), NULL, NULL, kube_lose_topology},
    {SLICE_INIT("volcano"), SLICE_INIT("Volcano"), grove_queue_for_volcano, grove_queue_check_for_volcano,
     volcano_refuse_topology},
    {SLICE_INIT("lpx-scheduler"), SLICE_INIT("None"), NULL, NULL, lpx_refuse_topology},
};
const size_t grove_scheduler_count = sizeof(grove_schedulers) / sizeof(grove_schedulers[0]);

const struct grove_scheduler *
grove_scheduler_named(struct slice name)
{
    for (size_t i = 0; i < grove_scheduler_count; i++)
        if (slice_equal(grove_schedulers[i].name, name))
            return &grove_schedulers[i];
    return NULL;
}

const struct grove_scheduler *
grove_scheduler_of_type(struct slice type)
{
    for (size_t i = 0; i < grove_scheduler_count; i++)
        if (slice_equal(grove_schedulers[i].type, type))
            return &grove_schedulers[i];
    return NULL;
}

void
grove_scheduler_check_topology(const struct grove_scheduler *scheduler, const struct gang_podcliqueset *set,
                               struct report *report)
{
    if (!scheduler->report_topology)
        return;
    if (set->topology)
        scheduler->report_topology(set->topology, "PodCliqueSet", NO_SLICE, report);
    for (size_t i = 0; i < set->num_cliques; i++)
        if (set->cliques[i].topology)
            scheduler->report_topology(set->cliques[i].topology, "PodClique", set->cliques[i].name, report);
    for (size_t i = 0; i < set->num_groups; i++)
        if (set->groups[i].topology)
            scheduler->report_topology(set->groups[i].topology, "PodCliqueScalingGroup", set->groups[i].name,
                                       report);
}
