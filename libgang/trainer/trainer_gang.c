/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_gang.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/pod_sets.h"
#include "libgang/trainer/vocabulary.h"

#define QUEUE_PLACE "trainingRuntimeSpec.template.metadata.annotations"

/* The operator reads the queue from the JobSet's annotations alone, and only spec.template.metadata gets there. */
static void
warn_of_misplaced_queue(const struct node *metadata, const char *hint, struct report *report)
{
    const struct node *queue =
        node_member(node_member(metadata, SLICE("annotations")), TRAINER_QUEUE_ANNOTATION);

    if (queue)
        find_note_at_key(report, GANG_CODE_FIELD_LOST, queue, hint,
                         "the operator does not read a queue from here");
}

static void
warn_of_misplaced_queues(const struct trainer_job *job, struct report *report)
{
    static const char in_runtime[] = "set it in spec.template.metadata.annotations";

    warn_of_misplaced_queue(job->trainjob->meta.source, "set it in spec.runtimePatches[]." QUEUE_PLACE,
                            report);
    warn_of_misplaced_queue(job->runtime->meta.source, in_runtime, report);
    for (size_t i = 0; i < job->jobset.count; i++) {
        warn_of_misplaced_queue(job->jobset.jobs[i].job_metadata, in_runtime, report);
        warn_of_misplaced_queue(node_member(job->jobset.jobs[i].pod_template, SLICE("metadata")), in_runtime,
                                report);
    }
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
    warn_of_misplaced_queues(job, scratch->report);
    pod_sets_make(job, gang, scratch);
}
