/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_gang.h"

#include "libgang/trainer/pod_sets.h"
#include "libgang/trainer/queue_sources.h"
#include "libgang/trainer/vocabulary.h"

static struct gang_owner
trainer_gang_owner(const struct gang_trainjob *trainjob)
{
    return (struct gang_owner){
        .api_version = SLICE(GANG_TRAINER_API_VERSION),
        .kind = SLICE(GANG_KIND_TRAINJOB),
        .name = trainjob->meta.name,
        .namespace_ = trainjob->meta.namespace_,
        .uid = trainjob->meta.uid,
        .name_source = node_member(trainjob->meta.source, SLICE("name")),
    };
}

void
trainer_gang_fill(const struct trainer_job *job, struct gang *gang, const struct resolve_scratch *scratch)
{
    gang->owner = trainer_gang_owner(job->trainjob);
    gang->name = gang->owner.name;
    gang->suspended = job->trainjob->suspended;
    gang->scheduling = job->runtime->pod_group_policy.scheduling;
    gang->rival = node_member(job->jobset.source, SLICE("scheduling"));
    if (job->runtime->ml_policy.source == ML_MPI)
        gang->trains_too = TRAINER_NODE;
    queue_sources_check_places(job, scratch->report);
    pod_sets_make(job, gang, scratch);
}
