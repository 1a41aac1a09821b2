/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

bool
exclusive_topology_is_in(const struct node *metadata)
{
    return metadata && jobset_annotations_place(node_member(metadata, SLICE("annotations")));
}

/* Merged annotations do not know the patch that they come from, only their place in the text. */
static const struct node *
exclusive_topology_source(const struct trainer_job *job, const struct node *annotation)
{
    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        const struct node *annotations =
            node_at(patch, "trainingRuntimeSpec.template.metadata.annotations");
        const struct node *given = node_member(annotations, node_key(annotation));

        if (given && given->document == annotation->document && given->line == annotation->line &&
            given->column == annotation->column)
            return given;
    }
    return annotation;
}

static void
exclusive_topology_apply_to(struct role *role, const struct trainer_job *job,
                            const struct node *annotation, struct report *report)
{
    if (role->operator_count < 2)
        return;
    role->first_count = role->count / role->operator_count;
    jobset_exclusive_report(exclusive_topology_source(job, annotation), report);
}

void
exclusive_topology_apply(const struct trainer_job *job, struct gang_wishes *wishes,
                         const struct resolve_scratch *scratch)
{
    const struct node *annotations =
        trainer_template_map(job, SLICE("annotations"), scratch->arena);

    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct replicated_job *replicated = &job->jobset.jobs[i];
        const struct node *annotation = replicated_job_exclusive(replicated, annotations);

        if (!annotation)
            continue;
        jobset_exclusive_check_mode(replicated, scratch->report);
        exclusive_topology_apply_to(&wishes->roles[i], job, annotation, scratch->report);
    }
}
