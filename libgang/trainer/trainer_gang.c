/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_gang.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/pod_sets.h"
#include "libgang/trainer/vocabulary.h"

/* The operator never copies the trainjob's own metadata to the JobSet. */
static void
warn_of_queue_on_trainjob(const struct gang_trainjob *trainjob, struct report *report)
{
    const struct node *queue = node_member(trainjob->meta.annotations, TRAINER_QUEUE_ANNOTATION);

    if (queue)
        find_note_at_key(report, GANG_CODE_FIELD_LOST, queue,
                         "set it in spec.runtimePatches[].trainingRuntimeSpec.template.metadata.annotations",
                         "the operator does not read a queue from the trainjob's own metadata");
}

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
    gang->queue_source = trainer_job_annotation(job, TRAINER_QUEUE_ANNOTATION, 0);
    gang->queue = node_string(gang->queue_source);
    warn_of_queue_on_trainjob(job->trainjob, scratch->report);
    pod_sets_make(job, gang, scratch);
}
