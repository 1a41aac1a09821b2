/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"
#include "libgang/trainer/trainer.h"

/* ---- runtime rules ---- */

static struct slice
runtime_label(const struct gang_runtime *runtime, struct slice key)
{
    return node_string(node_member(runtime->meta.labels, key));
}

static const struct node *
ancestor_label(const struct node *metadata)
{
    return node_member(node_member(metadata, SLICE("labels")), TRAINER_ANCESTOR_LABEL);
}

static void
check_ancestor_role(const struct replicated_job *job, struct report *report)
{
    const struct ancestor_entry *entry =
        ancestor_entry_of(node_string(ancestor_label(job->job_metadata)));
    const struct node *replicas = node_member(job->source, SLICE("replicas"));

    if (!entry)
        return;
    if (node_int_or(replicas, 1) != 1)
        find_invalid(report, replicas, MESSAGE_ANCESTOR_REPLICAS);
    if (!replicated_job_container(job, entry->container))
        find_required(
            report, job->pod_spec ? job->pod_spec : job->source,
            job->pod_spec ? SLICE("containers") : SLICE("template.spec.template.spec.containers"),
            MESSAGE_ANCESTOR_CONTAINER, SLICE_ARG(entry->value), SLICE_ARG(entry->container));
}

static void
check_mpi_implementation(const struct gang_runtime *runtime, struct report *report)
{
    const struct node *implementation = node_member(
        node_member(runtime->ml_policy.source_node, SLICE("mpi")), SLICE("mpiImplementation"));
    const struct replicated_job *launcher;

    if (!implementation || slice_equal(node_string(implementation), SLICE("OpenMPI")))
        return;
    /*
     * pkg/runtime/framework/plugins/mpi/mpi.go supports only OpenMPI. "" is valid in the CRD's
     * enumeration.
     */
    launcher = jobset_find(&runtime->jobset, TRAINER_LAUNCHER);
    if (launcher && replicated_job_container(launcher, TRAINER_NODE))
        find_invalid(report, implementation, MESSAGE_MPI_IMPLEMENTATION);
}

/*
 * Fields that CRDs of older operators have: torch of v2.0 and v2.1, and the pods of v2.2.0. Source:
 * pkg/apis/trainer/v1alpha1/trainingruntime_types.go TorchMLPolicySource@v2.1.0, @v2.2.0
 */
enum { RUNTIME_FORMER_OF_TORCH = 2 }; /* the first rows */
static const struct report_more_field runtime_more_fields[] = {
    {"envInjection", "numProcPerNode"},
    {"envInjection", "elasticPolicy"},
    {"schedulingGroup", FORMER_POD_FIELD},
    {NULL, NULL},
};
static const struct report_more runtime_more = {NULL, runtime_more_fields};

static void
check_torch_fields(const struct gang_runtime *runtime, struct report *report)
{
    const struct node *torch = node_member(runtime->ml_policy.source_node, SLICE("torch"));

    for (int i = 0; i < RUNTIME_FORMER_OF_TORCH; i++) {
        const struct node *former = node_at(torch, runtime_more_fields[i].name);

        if (former)
            find_note_at_key(report, former, MESSAGE_SUPERSEDED_FIELD);
    }
}

/*
 * Reports what the CRD's CEL rules and the operator's webhook refuse in a runtime, with their
 * messages.
 *
 * Source: kubeflow/trainer:pkg/webhooks/trainingruntime_webhook.go@v2.3.0
 */
static void
runtime_rules_check(const struct gang_runtime *runtime, struct report *report)
{
    const struct node *processes = node_at(runtime->ml_policy.source_node, "flux.numProcPerNode");
    /* The webhook does not check runtimes with this label. */
    bool by_webhook =
        !slice_equal(runtime_label(runtime, TRAINER_WEBHOOK_LABEL), SLICE("disabled"));

    if (slice_equal(runtime_label(runtime, TRAINER_SUPPORT_LABEL), SLICE("deprecated")))
        find_note(report, node_member(runtime->meta.labels, TRAINER_SUPPORT_LABEL),
                  MESSAGE_DEPRECATED_RUNTIME);
    jobset_start_order_check(&runtime->jobset, report);
    /* JobSet's webhook names the rules of a JobSet, so the schema that a runtime shares does not */
    for (NODE_EACH(rule, node_at(runtime->jobset.source, "failurePolicy.rules")))
        if (node_is_absent(node_member(rule, SLICE("name"))))
            find_missing(report, rule, SLICE("name"));
    check_mpi_implementation(runtime, report);
    check_torch_fields(runtime, report);
    /* CEL of the CRD. */
    for (NODE_EACH(target, node_at(runtime->ml_policy.source_node, "torch.envInjection.targets")))
        for (NODE_EACH(name, node_member(target, SLICE("containerNames"))))
            if (slice_equal(node_string(name), TRAINER_NODE))
                find_invalid(report, name, MESSAGE_ENV_TARGET_FORBIDDEN);
    if (node_int_or(processes, 1) < 1)
        find_invalid(report, processes, MESSAGE_VALUE_OUT_OF_RANGE_FLUX_PROCESSES);
    /* CEL of the JobSetSpec that the CRD embeds. */
    for (NODE_EACH(policy, node_member(runtime->jobset.source, SLICE("volumeClaimPolicies"))))
        for (NODE_EACH(claim, node_member(policy, SLICE("templates")))) {
            const struct node *namespace_ = node_at(claim, "metadata.namespace");

            if (node_string(namespace_).len)
                find_forbidden(report, namespace_, MESSAGE_PATTERN_MISMATCH_CLAIM_NAMESPACE);
        }
    for (size_t i = 0; i < runtime->jobset.count; i++) {
        const struct node *misplaced;
        const struct replicated_job *job = &runtime->jobset.jobs[i];

        if (by_webhook)
            check_ancestor_role(job, report);
        misplaced = ancestor_label(job->pod_metadata);
        if (misplaced && !ancestor_label(job->job_metadata))
            find_note_at_key(report, misplaced, MESSAGE_MISPLACED_ANCESTOR);
    }
}

/* ---- runtime ---- */

static void
runtime_check_marks(struct gang_runtime *runtime, struct report *report)
{
    runtime->is_exclusive |= trainer_metadata_check(runtime->template_metadata, report);
    for (size_t i = 0; i < runtime->jobset.count; i++) {
        const struct replicated_job *job = &runtime->jobset.jobs[i];

        runtime->is_exclusive |= trainer_metadata_check(job->job_metadata, report);
        runtime->is_exclusive |= trainer_metadata_check(job->pod_metadata, report);
        reserved_marks_check_pod_spec(job->pod_spec, NULL, report);
    }
}

/*
 * Fields of pods that guides write beside replicatedJobs, such as
 * kubeflow/trainer:docs/operator-guides/job-scheduling/kai.md@8c0f5059b.
 */
static const struct slice runtime_pod_fields[] = {
    SLICE_INIT("schedulerName"), SLICE_INIT("priorityClassName"), SLICE_INIT("nodeSelector"),
    SLICE_INIT("tolerations"),   SLICE_INIT("affinity"),          SLICE_INIT("containers"),
};

/* Nearly every job has findings about the roles of its runtime. */
static void
runtime_make_paths(const struct jobset *jobset, struct report *report)
{
    struct report_path *paths = arena_take_array(report->arena, jobset->count, sizeof(*paths));

    for (size_t i = 0; paths && i < jobset->count; i++)
        paths[i] = (struct report_path){jobset->jobs[i].source,
                                        path_of(report->arena, jobset->jobs[i].source)};
    report->paths = paths;
    report->num_paths = paths ? jobset->count : 0;
}

/* Continues after errors, so that one call reports all of them. */
void
runtime_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_runtime *runtime = (struct gang_runtime *)document;
    const struct node *spec = node_member(call->root, SLICE("spec"));
    const struct node *job_template = node_member(spec, SLICE("template"));
    const struct node *jobset_spec = node_member(job_template, SLICE("spec"));
    struct report *report = &call->report;

    report->more = &runtime_more;
    schema_check(&training_runtime_schema, call->root, report);
    runtime->meta = object_meta_read(call->root, NAMES_WRITTEN, report);
    object_meta_check_name(&runtime->meta, NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME, report);
    runtime->ml_policy = ml_policy_read(spec, report);
    runtime->pod_group_policy = pod_group_policy_read(spec, report);
    runtime->template_metadata = node_member(job_template, SLICE("metadata"));
    runtime->jobset = jobset_read(jobset_spec, NULL, report);
    pod_sets_judge_pods(&runtime->jobset);
    runtime->roles = jobset_roles_read(&runtime->jobset, &runtime->ml_policy, call->arena);
    runtime->counts_are_sound =
        runtime->roles.roles &&
        pod_counts_check_runtime(&runtime->ml_policy, &runtime->jobset, runtime->roles.roles, NULL);
    runtime->jobset_is_sound = jobset_rules_find_nothing(&runtime->jobset, call->arena);
    runtime->queue_places = queue_places_in_runtime(runtime, call->arena);
    runtime_make_paths(&runtime->jobset, report);
    runtime_check_marks(runtime, report);
    for (size_t i = 0; i < COUNT_OF(runtime_pod_fields); i++) {
        const struct node *field = node_member(jobset_spec, runtime_pod_fields[i]);

        if (field)
            find_note_at_key(report, field, MESSAGE_POD_FIELD_OF_JOBSET,
                             SLICE_ARG(runtime_pod_fields[i]));
    }
    for (size_t i = 0; i < runtime->jobset.count; i++)
        find_default(report, runtime->jobset.jobs[i].source, SLICE("replicas"), "1");
    runtime_rules_check(runtime, report);
}

void
runtime_judge(const struct gang_document *document, struct report *report)
{
    const struct gang_runtime *runtime = runtime_of(document);
    const struct jobset_roles *roles = &runtime->roles;
    const uint32_t *order;

    if (!roles->roles)
        return;
    pod_counts_check_runtime(&runtime->ml_policy, &runtime->jobset, roles->roles, report);
    jobset_rules_check_alone(&runtime->jobset, report);
    start_order_link(roles->roles, runtime->jobset.count, report, &order);
}
