/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_job.h"

#include "libgang/trainer/reserved_marks.h"
#include "libgang/trainer/runtime_patches.h"

static bool
trainer_job_has_spec_patch(const struct node *patches)
{
    for (NODE_EACH(patch, patches))
        if (node_at(patch, "trainingRuntimeSpec.template.spec"))
            return true;
    return false;
}

/* What a patch changed is checked again; findings that the runtime has already are dropped as doubles. */
static void
trainer_job_check_marks(const struct trainer_job *job, struct report *report)
{
    for (size_t i = 0; i < job->jobset.count; i++) {
        const struct replicated_job *patched = &job->jobset.jobs[i];

        reserved_marks_check_metadata(patched->job_metadata, report);
        reserved_marks_check_metadata(node_member(patched->pod_template, SLICE("metadata")), report);
    }
    for (NODE_EACH(patch, job->trainjob->runtime_patches))
        reserved_marks_check_metadata(node_at(patch, "trainingRuntimeSpec.template.metadata"), report);
}

struct trainer_job
trainer_job_combine(const struct gang_runtime *runtime, const struct gang_trainjob *trainjob,
                    const struct resolve_scratch *scratch)
{
    struct trainer_job job = {.runtime = runtime, .trainjob = trainjob, .jobset = runtime->jobset};
    const struct node *merged;

    if (trainer_job_has_spec_patch(trainjob->runtime_patches)) {
        merged = runtime_patches_apply(scratch->arena, runtime->jobset.source, trainjob->runtime_patches);
        job.jobset =
            jobset_read_merged(merged, &runtime->jobset, scratch->arena, scratch->limits, scratch->report);
    }
    if (trainjob->runtime_patches)
        trainer_job_check_marks(&job, scratch->report);
    return job;
}
