/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- vocabulary ---- */

const struct ancestor_entry ancestor_table[] = {
    {SLICE_INIT("trainer"), ANCESTOR_TRAINER, WISH_MEMBER, SLICE_INIT("node")},
    {SLICE_INIT("dataset-initializer"), ANCESTOR_DATASET_INITIALIZER, WISH_OUTSIDE,
     SLICE_INIT("dataset-initializer")},
    {SLICE_INIT("model-initializer"), ANCESTOR_MODEL_INITIALIZER, WISH_OUTSIDE,
     SLICE_INIT("model-initializer")},
};

const size_t ancestor_table_size = COUNT_OF(ancestor_table);

const struct ancestor_entry *
ancestor_entry_of(struct slice value)
{
    for (size_t i = 0; i < ancestor_table_size; i++)
        if (slice_equal(ancestor_table[i].value, value))
            return &ancestor_table[i];
    return NULL;
}

/* ---- trainer job ---- */

static bool
trainer_job_has_spec_patch(const struct node *patches)
{
    for (NODE_EACH(patch, patches))
        if (node_at(patch, "trainingRuntimeSpec.template.spec"))
            return true;
    return false;
}

/* Checks metadata that a patch may have changed. */
static void
trainer_job_check_metadata(struct trainer_job *job, const struct node *metadata,
                           struct report *report)
{
    reserved_marks_check_metadata(metadata, NULL, report);
    job->is_exclusive |= exclusive_topology_is_in(metadata);
}

/* Whether no patch changed a job, so that the findings of the runtime are complete. */
static bool
trainer_job_is_of_runtime(const struct trainer_job *job, size_t index)
{
    const struct jobset *known = &job->runtime->jobset;

    return index < known->count && job->jobset.jobs[index].source == known->jobs[index].source;
}

/*
 * Checks what a patch changed. Findings that the runtime also has are dropped as duplicates.
 */
static void
trainer_job_check_patches(struct trainer_job *job, struct report *report)
{
    for (size_t i = 0; i < job->jobset.count; i++) {
        const struct replicated_job *patched = &job->jobset.jobs[i];

        if (trainer_job_is_of_runtime(job, i))
            continue;
        trainer_job_check_metadata(job, patched->job_metadata, report);
        trainer_job_check_metadata(job, node_member(patched->pod_template, SLICE("metadata")),
                                   report);
    }
    for (NODE_EACH(patch, job->trainjob->runtime_patches))
        trainer_job_check_metadata(job, node_at(patch, "trainingRuntimeSpec.template.metadata"),
                                   report);
}

struct trainer_job
trainer_job_combine(const struct gang_runtime *runtime, const struct gang_trainjob *trainjob,
                    const struct resolve_scratch *scratch)
{
    struct trainer_job job = {.runtime = runtime,
                              .trainjob = trainjob,
                              .jobset = runtime->jobset,
                              .is_exclusive = runtime->is_exclusive};
    const struct node *merged;

    if (trainer_job_has_spec_patch(trainjob->runtime_patches)) {
        merged = runtime_patches_apply(scratch->arena, runtime->jobset.source,
                                       trainjob->runtime_patches);
        job.jobset = jobset_read_merged(merged, &runtime->jobset, scratch->arena, scratch->limits,
                                        scratch->report);
    }
    if (trainjob->runtime_patches)
        trainer_job_check_patches(&job, scratch->report);
    return job;
}

/* ---- trainer gang ---- */

const struct node *
trainer_template_map(const struct trainer_job *job, struct slice key, struct arena *arena)
{
    const struct node *map = node_member(job->runtime->template_metadata, key);

    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        const struct node *metadata = node_at(patch, "trainingRuntimeSpec.template.metadata");

        if (node_member(metadata, key))
            map = build_merged(node_member(metadata, key), map, arena);
    }
    return map;
}

const struct owner_chain *
trainer_gang_chain(const struct trainer_job *job, struct arena *arena)
{
    struct owner_chain *chain = arena_alloc(arena, sizeof(*chain));

    if (chain)
        *chain = (struct owner_chain){
            .job = {job->trainjob->meta.labels, job->trainjob->meta.annotations},
            .set = {trainer_template_map(job, SLICE("labels"), arena),
                    trainer_template_map(job, SLICE("annotations"), arena)},
            .job_owners = node_member(job->trainjob->meta.source, SLICE("ownerReferences")),
            .in_order = job->jobset.in_order,
        };
    return chain;
}

/*
 * kubeflow/trainer:pkg/controller/trainjob_controller.go setSuspendedCondition@v2.3.0: the
 * condition Suspended becomes False only after it was True.
 */
static bool
trainer_gang_was_resumed(const struct gang_trainjob *trainjob)
{
    const struct node *root = trainjob->spec ? trainjob->spec->parent : NULL;
    const struct node *status = node_member(root, SLICE("status"));

    for (NODE_EACH(condition, node_member(status, SLICE("conditions"))))
        if (slice_equal(node_string(node_member(condition, SLICE("type"))), SLICE("Suspended")) &&
            slice_equal(node_string(node_member(condition, SLICE("status"))), SLICE("False")))
            return true;
    return false;
}

/*
 * kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go FailurePolicy@v0.12.0: a restart
 * creates all Jobs again; the default is no restart.
 */
static const struct node *
trainer_gang_restarts(const struct jobset *jobset)
{
    const struct node *policy = node_member(jobset->source, SLICE("failurePolicy"));
    const struct node *restarts = node_member(policy, SLICE("maxRestarts"));
    int64_t count;

    return node_int(restarts, &count) && count > 0 ? restarts : NULL;
}

void
trainer_gang_fill(const struct trainer_job *job, struct gang_wishes *wishes,
                  const struct resolve_scratch *scratch)
{
    wishes->owner = gang_owner_of(&job->trainjob->meta, SLICE(GANG_TRAINER_API_VERSION),
                                  SLICE(GANG_KIND_TRAINJOB));
    wishes->name = wishes->owner.name;
    wishes->suspended = job->trainjob->suspended;
    wishes->was_resumed = trainer_gang_was_resumed(job->trainjob);
    wishes->restarts = trainer_gang_restarts(&job->jobset);
    wishes->is_of_jobs = true;
    wishes->scheduling = job->runtime->pod_group_policy.scheduling;
    wishes->rival = node_member(job->jobset.source, SLICE("scheduling"));
    if (job->runtime->ml_policy.source == ML_MPI)
        wishes->trains_too = TRAINER_NODE;
    queue_sources_check_places(job, scratch->report);
    pod_sets_make(job, wishes, scratch);
    if (job->is_exclusive)
        exclusive_topology_apply(job, wishes, scratch);
}

/* A member with a timeout always has a value: the API server sets the default. */
static const char *
trainer_gang_timeout_reason(const struct pod_group_policy *policy,
                            const struct descriptor *scheduler)
{
    if (policy->has_timeout)
        return policy->timeout_source ? "the runtime's podGroupPolicy" : "the API server's default";
    for (size_t i = 0; i < scheduler->num_losses; i++)
        if (scheduler->losses[i].field == LOSS_TIMEOUT)
            return "the backend has no timeout";
    return "the scheduler's own default applies";
}

void
trainer_gang_request(const struct pod_group_policy *policy, const struct descriptor *scheduler,
                     struct gang_wishes *wishes)
{
    const struct gang_topology *topology = &policy->topology;

    wishes->timeout_seconds = policy->timeout_seconds;
    wishes->timeout_request = (struct job_request){
        .source = policy->timeout_source,
        .document = GANG_DOCUMENT_RUNTIME,
        .missing = policy->timeout_source ? NO_SLICE : catalog_of_timeouts()->member.timeout_path,
        .reason = trainer_gang_timeout_reason(policy, scheduler),
        .overrides = "the runtime's podGroupPolicy has precedence",
        .is_set = policy->has_timeout,
        .can_be_ignored = true,
    };
    if (!topology->is_set) {
        wishes->topology_request = (struct job_request){
            .document = GANG_DOCUMENT_RUNTIME,
            .missing = catalog_of_network_topologies()->member.topology_path,
            .reason = "no topology is requested",
        };
        return;
    }
    wishes->topology = *topology;
    wishes->topology_request = (struct job_request){
        .value = topology->mode,
        .source = topology->source,
        .document = GANG_DOCUMENT_RUNTIME,
        .reason = "the runtime's podGroupPolicy",
        .overrides = "the runtime's podGroupPolicy has precedence",
        .is_set = true,
        .can_be_ignored = true,
    };
}
