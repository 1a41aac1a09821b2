/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- the JobSet of a trainjob ---- */

void
jobset_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                   struct report *report)
{
    /* Names of Jobs are <job>-<role>-<replica>; those of indexed pods have -<pod>-xxxxx after it */
    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct replicated_job *replicated = &job->jobset.jobs[i];
        const struct role *role = &wishes->roles[i];
        int64_t replicas = role->ancestor == ANCESTOR_NONE ? replicated->replicas : 1;
        size_t len =
            job->trainjob->meta.name.len + 1 + role->name.len + 1 + integer_length(replicas - 1);
        size_t more = role->operator_count > 0
                          ? 1 + integer_length(role->operator_count - 1) + JOBSET_POD_SUFFIX
                          : 0;
        bool indexed;

        if (job->jobset.coordinator)
            jobset_coordinator_check(&job->jobset, &job->trainjob->meta, replicated, replicas,
                                     role->operator_count, report);
        if (len + more <= JOBSET_LONGEST_NAME)
            continue; /* whatever the mode, as for most jobs */
        indexed = jobset_is_indexed(replicated);
        len += indexed ? more : 0;
        if (len > JOBSET_LONGEST_NAME)
            jobset_report_long_name(job->trainjob->meta.name_source, role->name, len, indexed,
                                    report);
    }
    if (job->jobset.coordinator && wishes->compatibility != COMPATIBILITY_NONE)
        /* JobSet refuses it, not the operator. Nothing else about a TrainJob has this code. */
        report_soften(report, GANG_CODE_REFUSED_BY_OPERATOR);
    if (!job->keeps_outline || !job->runtime->jobset_is_sound)
        jobset_rules_check_alone(&job->jobset, report);
}

/* ---- roles ---- */

static void
jobset_roles_read_depends_on(struct role *role, const struct node *list, struct arena *arena)
{
    role->dependencies = arena_array(arena, node_count(list), sizeof(*role->dependencies));
    if (!role->dependencies)
        return;
    for (NODE_EACH(item, list)) {
        const struct slice status = node_string(node_member(item, SLICE("status")));

        role->dependencies[role->num_dependencies++] = (struct dependency){
            .role = node_name(item),
            .index = ROLE_NONE,
            .status =
                slice_equal(status, SLICE("Complete")) ? DEPENDENCY_COMPLETE : DEPENDENCY_READY,
            .source = item,
        };
    }
}

static struct role
jobset_roles_role(const struct replicated_job *job, const struct ml_policy *policy)
{
    const struct node *labels = node_member(job->job_metadata, SLICE("labels"));
    const struct slice ancestor = node_string(node_member(labels, TRAINER_ANCESTOR_LABEL));
    const struct ancestor_entry *entry = ancestor_entry_of(ancestor);

    struct role role = {
        .name = job->name,
        .ancestor_text = ancestor,
        .ancestor = entry ? entry->ancestor : ANCESTOR_NONE,
        .wish = entry ? entry->wish : WISH_AUTO,
        .requests = job->sums[POD_REQUESTS_EFFECTIVE].requests,
        .requests_are_defaults = job->requests_are_defaults,
        .retries = job->retries,
        .source = job->source,
        .job_spec = job->job_spec,
        .job_metadata = job->job_metadata,
        .pod_metadata = job->pod_metadata,
        .pod_spec = job->pod_spec,
        .scheduler_name_source = node_member(job->pod_spec, SLICE("schedulerName")),
        .priority_class_source = node_member(job->pod_spec, SLICE("priorityClassName")),
    };

    role.scheduler_name = node_string(role.scheduler_name_source);
    role.priority_class_name = node_string(role.priority_class_source);
    pod_counts_start(policy, job, &role);
    return role;
}

struct jobset_roles
jobset_roles_read(const struct jobset *jobset, const struct ml_policy *policy, struct arena *arena)
{
    struct jobset_roles all = {.roles = arena_take_array(arena, jobset->count, sizeof(*all.roles))};

    if (!all.roles)
        return all;
    for (size_t i = 0; i < jobset->count; i++) {
        all.roles[i] = jobset_roles_role(&jobset->jobs[i], policy);
        if (jobset->jobs[i].depends_on) {
            jobset_roles_read_depends_on(&all.roles[i], jobset->jobs[i].depends_on, arena);
        } else if (jobset->in_order && i > 0) {
            struct role *role = &all.roles[i];

            /* startupPolicyOrder InOrder: each role is created when the role before it is ready. */
            role->dependencies = arena_alloc(arena, sizeof(*role->dependencies));
            if (role->dependencies) {
                role->num_dependencies = 1;
                role->dependencies[0] = (struct dependency){.role = all.roles[i - 1].name,
                                                            .index = ROLE_NONE,
                                                            .status = DEPENDENCY_READY,
                                                            .source = jobset->in_order};
            }
        }
    }
    all.is_ordered = start_order_settle(all.roles, jobset->count, arena, &all.start_order);
    return all;
}

struct jobset_roles
trainer_job_roles(const struct trainer_job *job, struct arena *arena)
{
    const struct jobset *known = &job->runtime->jobset;
    const struct ml_policy *policy = &job->runtime->ml_policy;
    const bool is_patched = job->jobset.jobs != known->jobs;
    struct jobset_roles all = job->runtime->roles;
    struct role *roles;

    if (!job->keeps_outline || !all.is_ordered)
        return jobset_roles_read(&job->jobset, policy, arena);
    roles = arena_grow(arena, all.roles, known->count, known->count, sizeof(*roles));
    for (size_t i = 0; is_patched && roles && i < known->count; i++) {
        if (job->jobset.jobs[i].source == known->jobs[i].source)
            continue;
        roles[i] = jobset_roles_role(&job->jobset.jobs[i], policy);
        roles[i].dependencies = all.roles[i].dependencies;
        roles[i].num_dependencies = all.roles[i].num_dependencies;
        roles[i].stage = all.roles[i].stage;
    }
    all.roles = roles;
    return all;
}

/* ---- trainer job ---- */

bool
trainer_metadata_check(const struct node *metadata, struct report *report)
{
    reserved_marks_check_metadata(metadata, NULL, report);
    return metadata && jobset_annotations_place(node_member(metadata, SLICE("annotations")));
}

/*
 * Checks the metadata of a role's templates if a patch changed it. Otherwise the findings of the
 * runtime are complete. `known` is the role in the runtime; NULL if it is not there.
 */
static void
trainer_job_check_role(struct trainer_job *job, const struct replicated_job *role,
                       const struct replicated_job *known, struct report *report)
{
    const struct node *changed[] = {role->job_metadata, role->pod_metadata};
    const struct node *before[] = {known ? known->job_metadata : NULL,
                                   known ? known->pod_metadata : NULL};

    if (known && role->source == known->source)
        return;
    for (size_t i = 0; i < COUNT_OF(changed); i++) {
        if (!changed[i] || (before[i] && node_first(changed[i]) == node_first(before[i])))
            continue;
        job->has_new_metadata = true;
        job->is_exclusive |= trainer_metadata_check(changed[i], report);
    }
}

struct trainer_job
trainer_job_combine(const struct gang_runtime *runtime, const struct gang_trainjob *trainjob,
                    struct report *report)
{
    struct trainer_job job = {.runtime = runtime,
                              .trainjob = trainjob,
                              .jobset = runtime->jobset,
                              .is_exclusive = runtime->is_exclusive,
                              .keeps_outline = true};
    const struct jobset *known = &runtime->jobset;
    const struct node *merged;
    bool is_patched = false;

    for (NODE_EACH(patch, trainjob->runtime_patches))
        is_patched |= node_member(patch_template(patch), SLICE("spec")) != NULL;
    if (is_patched) {
        merged = runtime_patches_apply(report->arena, known->source, trainjob->runtime_patches,
                                       trainjob->has_unknown_field);
        job.jobset = jobset_read(merged, known, report);
        job.keeps_outline = jobset_keeps_outline(&job.jobset, known);
        for (size_t i = 0; i < job.jobset.count; i++)
            trainer_job_check_role(&job, &job.jobset.jobs[i],
                                   i < known->count ? &known->jobs[i] : NULL, report);
    }
    for (NODE_EACH(patch, trainjob->runtime_patches))
        job.is_exclusive |=
            trainer_metadata_check(node_member(patch_template(patch), SLICE("metadata")), report);
    return job;
}

/* ---- trainer gang ---- */

/*
 * Returns a map of the JobSet's metadata, of `labels` or `annotations`: the runtime's template with
 * the patches, where later patches have precedence.
 */
SELDOM static const struct node *
trainer_template_map(const struct trainer_job *job, struct slice key, struct arena *arena)
{
    const struct node *map = node_member(job->runtime->template_metadata, key);

    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        const struct node *metadata = node_member(patch_template(patch), SLICE("metadata"));

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

/* Merged annotations do not know the patch that they come from, only their place in the text. */
static const struct node *
exclusive_topology_source(const struct trainer_job *job, const struct node *annotation)
{
    for (NODE_EACH(patch, job->trainjob->runtime_patches)) {
        const struct node *annotations = node_at(patch_template(patch), "metadata.annotations");
        const struct node *given = node_member(annotations, node_key(annotation));

        if (given && given->document == annotation->document && given->line == annotation->line &&
            given->column == annotation->column)
            return given;
    }
    return annotation;
}

/*
 * Sets how many pods of each role are created before any of them has a node, one for each Job, and
 * reports the annotation. The roles must have their counts.
 */
static void
exclusive_topology_apply(const struct trainer_job *job, struct gang_wishes *wishes,
                         struct report *report)
{
    const struct node *annotations = trainer_template_map(job, SLICE("annotations"), report->arena);

    for (size_t i = 0; i < wishes->num_roles; i++) {
        const struct replicated_job *replicated = &job->jobset.jobs[i];
        struct role *role = &wishes->roles[i];
        const struct node *annotation =
            jobset_exclusive_find(replicated, annotations, role->operator_count, report);

        if (!annotation)
            continue;
        role->first_count = role->count / role->operator_count;
        find_note(report, exclusive_topology_source(job, annotation), MESSAGE_EXCLUSIVE_TOPOLOGY);
    }
}

void
trainer_gang_fill(const struct trainer_job *job, struct gang_wishes *wishes,
                  const struct pod_admission *admission, struct report *report)
{
    const struct node *policy = node_member(job->jobset.source, SLICE("failurePolicy"));
    const struct node *restarts = node_member(policy, SLICE("maxRestarts"));
    const struct node *root = job->trainjob->document.root;
    const struct node *suspended;

    wishes->owner = gang_owner_of(&job->trainjob->meta, SLICE(GANG_TRAINER_API_VERSION),
                                  SLICE(GANG_KIND_TRAINJOB));
    wishes->name = wishes->owner.name;
    wishes->suspended = job->trainjob->suspended;
    /*
     * kubeflow/trainer:pkg/controller/trainjob_controller.go setSuspendedCondition@v2.3.0: the
     * condition Suspended becomes False only after it was True.
     */
    suspended = status_condition(node_member(root, SLICE("status")), SLICE("Suspended"));
    wishes->was_resumed =
        slice_equal(node_string(node_member(suspended, SLICE("status"))), SLICE("False"));
    /*
     * kubernetes-sigs/jobset:api/jobset/v1alpha2/jobset_types.go FailurePolicy@v0.12.0: a restart
     * creates all Jobs again; the default is no restart.
     */
    wishes->restarts = node_int_or(restarts, 0) > 0 ? restarts : NULL;
    wishes->is_of_jobs = true;
    wishes->template_fields = TEMPLATE_OF_TRAINER;
    wishes->scheduling = job->runtime->pod_group_policy.scheduling;
    wishes->rival = node_member(job->jobset.source, SLICE("scheduling"));
    if (job->runtime->ml_policy.source == ML_MPI)
        wishes->trains_too = TRAINER_NODE;
    queue_sources_check_places(job, report);
    pod_sets_make(job, wishes, admission, report);
    if (job->is_exclusive)
        exclusive_topology_apply(job, wishes, report);
}

void
trainer_gang_request(const struct pod_group_policy *policy, const struct descriptor *scheduler,
                     struct gang_wishes *wishes)
{
    const char *reason = "the scheduler's own default applies";

    /* A member with a timeout always has a value: the API server sets the default. */
    if (policy->has_timeout)
        reason =
            policy->timeout_source ? "the runtime's podGroupPolicy" : "the API server's default";
    else if (descriptor_why_lost(scheduler, LOSS_TIMEOUT))
        reason = "the backend has no timeout";
    wishes->timeout_seconds = policy->timeout_seconds;
    wishes->timeout_request = (struct job_request){
        .source = policy->timeout_source,
        .document = GANG_DOCUMENT_RUNTIME,
        .missing = policy->timeout_source ? NO_SLICE : catalog_of_timeouts()->member.timeout_path,
        .reason = reason,
        .overrides = "the runtime's podGroupPolicy has precedence",
        .is_set = policy->has_timeout,
        .can_be_ignored = true,
    };
    if (!policy->topology.is_set) {
        wishes->topology_request = (struct job_request){
            .document = GANG_DOCUMENT_RUNTIME,
            .missing = catalog_of_network_topologies()->member.topology_path,
            .reason = "no topology is requested",
        };
        return;
    }
    wishes->topology = policy->topology;
    wishes->topology_request = (struct job_request){
        .value = policy->topology.mode,
        .source = policy->topology.source,
        .document = GANG_DOCUMENT_RUNTIME,
        .reason = "the runtime's podGroupPolicy",
        .overrides = "the runtime's podGroupPolicy has precedence",
        .is_set = true,
        .can_be_ignored = true,
    };
}
