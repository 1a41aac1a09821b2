/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_fields.h"

#include "libgang/catalog/job_names.h"

#include "libgang/document/document.h"

int64_t
job_field_number(const struct node *map, struct slice key, int64_t absent)
{
    int64_t value;

    if (!node_int(node_member(map, key), &value))
        return absent;
    if (value < INT32_MIN)
        return INT32_MIN;
    return value > INT32_MAX ? INT32_MAX : value;
}

int64_t
job_field_pods(int64_t number, const struct node *field, struct report *report)
{
    if (number >= 0)
        return number;
    find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, field, NULL,
                 "must be greater than or equal to 0");
    return 0;
}

void
job_field_read_manager(const struct job_source *source, struct slice own, struct gang_job *job)
{
    const struct node *manager = node_member(source->spec, SLICE("managedBy"));

    if (!slice_is_set(node_string(manager)) || slice_equal(node_string(manager), own))
        return;
    name_check_node(manager, NAME_DOMAIN_PREFIXED_PATH, GANG_CODE_INVALID_NAME, NULL,
                    source->report);
    job->managed_elsewhere = manager;
}

/* ---- parents ---- */

/*
 * Whether the owner creates objects of other kinds as parts of its gang: a job, or the leader of a
 * LeaderWorkerSet, a Pod, which owns its workers:
 * kubernetes-sigs/lws:pkg/controllers/pod_controller.go@v0.9.0.
 */
static bool
job_field_is_parent(const struct node *owner)
{
    const struct slice version = node_string(node_member(owner, SLICE("apiVersion")));
    const struct slice kind = node_string(node_member(owner, SLICE("kind")));

    return job_traits_of(version, kind)->is_parent ||
           (slice_equal(kind, SLICE("Pod")) && slice_has_prefix(version, SLICE("v1")));
}

void
job_field_check_parent(const struct job_source *source, struct gang_job *job)
{
    for (NODE_EACH(owner, node_member(source->meta->source, SLICE("ownerReferences"))))
        if (node_is_true(node_member(owner, SLICE("controller"))) && job_field_is_parent(owner))
            gang_job_stand_back(job, owner, "it is a part of another job, which has the gang");
}

void
job_field_check_scheduling(const struct job_source *source, struct gang_job *job)
{
    const struct node *scheduling = node_member(source->spec, SLICE("scheduling"));

    if (!scheduling)
        return;
    find_note_at_key(source->report, GANG_CODE_NATIVE_GANG, scheduling,
                     "remove spec.scheduling if libgang is to make the gang",
                     "Kubernetes makes the gang of this job, because spec.scheduling is set");
    gang_job_stand_back(job, scheduling, "Kubernetes makes the gang: spec.scheduling is set");
}
