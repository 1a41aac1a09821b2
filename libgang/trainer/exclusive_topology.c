/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/exclusive_topology.h"

#include "libgang/document/finding.h"

bool
exclusive_topology_is_in(const struct node *metadata)
{
    return metadata && jobset_annotations_place(node_member(metadata, SLICE("annotations")));
}

/*
 * Pods of such a Job have no completion index, so that the webhook takes none for the first. The
 * webhook of the JobSet sets Indexed where the field is absent.
 */
static void
exclusive_topology_check_mode(const struct replicated_job *job, struct report *report)
{
    const struct node *mode = node_member(job->job_spec, SLICE("completionMode"));

    if (slice_equal(node_string(mode), SLICE("NonIndexed")))
        find_note(
            report, GANG_CODE_EXCLUSIVE_NOT_INDEXED, mode, "set completionMode: Indexed",
            "JobSet's webhook refuses every pod of the Job: with exclusive-topology it admits "
            "the pod with completion index 0 first, and there is none");
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
exclusive_topology_report(const struct node *annotation, struct report *report)
{
    find_note(report, GANG_CODE_EXCLUSIVE_TOPOLOGY, annotation,
              "with the annotation alpha.jobset.sigs.k8s.io/node-selector beside it, all pods are "
              "created at once",
              "JobSet's webhook admits the pod with completion index 0 of each Job, and the other "
              "pods only when that one has a node");
}

static void
exclusive_topology_apply_to(struct role *role, const struct trainer_job *job,
                            const struct node *annotation, struct report *report)
{
    if (role->operator_count < 2)
        return;
    role->first_count = role->count / role->operator_count;
    exclusive_topology_report(exclusive_topology_source(job, annotation), report);
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
        exclusive_topology_check_mode(replicated, scratch->report);
        exclusive_topology_apply_to(&wishes->roles[i], job, annotation, scratch->report);
    }
}
