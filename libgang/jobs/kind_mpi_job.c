/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

/*
 * MPIJob of mpi-operator. Sources: kubeflow/mpi-operator@v0.8.2, pkg/controller/
 * mpi_job_controller.go (order), pkg/apis/kubeflow/v2beta1/default.go (defaults),
 * pkg/apis/kubeflow/validation/validation.go (checks). Defaults and checks are those of the
 * controller: there is no webhook.
 */

static const struct run_policy_operator mpi_job_operator = {
    .name = "mpi-operator",
    .managed_by = SLICE_INIT("kubeflow.org/mpi-operator"),
    .option = "--gang-scheduling",
};

/* ---- what the controller refuses ---- */

static void
mpi_job_check_pods(const struct node *spec, struct report *report)
{
    static const struct slice policies[] = {SLICE_INIT("Never"), SLICE_INIT("OnFailure")};
    const struct node *policy = node_member(spec, SLICE("restartPolicy"));
    const struct slice given = node_string(policy);

    if (given.len && !slice_equal(given, policies[0]) && !slice_equal(given, policies[1]))
        find_unsupported(report, policy, GANG_CODE_UNSUPPORTED_VALUE, NULL, policies,
                         COUNT_OF(policies));
    if (replica_spec_is_empty(spec))
        find_required(report, spec, SLICE("template.spec.containers"),
                      MESSAGE_REQUIRED_FIELD_CONTAINER);
}

static void
mpi_job_check_workers(const struct node *workers, const struct role *role, struct report *report)
{
    const struct node *replicas = node_member(workers, SLICE("replicas"));

    mpi_job_check_pods(workers, report);
    if (role->count > 0)
        return;
    if (replicas)
        find_invalid(report, replicas, MESSAGE_REFUSED_BY_OPERATOR_POSITIVE);
    else
        find_note_below(report, workers, SLICE("replicas"), MESSAGE_REFUSED_BY_OPERATOR_ZERO);
}

/* Returns NULL for the replica types that the controller reads. It matches them exactly. */
static const char *
mpi_job_hint_at_type(const struct node *spec, struct report *report)
{
    static const struct slice types[] = {SLICE_INIT("Launcher"), SLICE_INIT("Worker")};
    const char *hint = "mpi-operator reads the replica types Launcher and Worker only";

    for (size_t i = 0; i < COUNT_OF(types); i++) {
        if (slice_equal(node_key(spec), types[i]))
            return NULL;
        if (ascii_equal(node_key(spec), types[i]))
            hint = arena_format(report->arena, "did you mean \"%.*s\"?", SLICE_ARG(types[i]));
    }
    return hint;
}

/* The name of the last worker is that of its pod and its host. */
static void
mpi_job_check_name(const struct job_source *source, int64_t workers)
{
    const struct slice name = source->meta->name;
    const long long last = workers > 0 ? (long long)workers - 1 : 0;
    const char *host = arena_format(source->arena, "%.*s-worker-%lld", SLICE_ARG(name), last);
    struct name_problems problems;

    if (!name.len || !host || name_check(NAME_DNS1035_LABEL, slice_from_text(host), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(source->report, source->meta->name_source, MESSAGE_INVALID_NAME_MPI_HOST, host,
                     problems.text[i]);
}

/* ---- start order ---- */

static void
mpi_job_add_launcher(const struct job_source *source, const struct node *launcher,
                     const struct node *workers, struct gang_wishes *job)
{
    const struct dependency edge = {
        .role = SLICE("worker"),
        .status = DEPENDENCY_READY,
        .source = node_member(source->spec, SLICE("launcherCreationPolicy")),
    };
    struct role *role = replica_spec_add_role(job, source, 2, launcher, 1);
    const struct slice policy =
        node_string(node_member(source->spec, SLICE("launcherCreationPolicy")));

    /*
     * Source: syncHandler, for which each value but AtStartup, the default, says to wait. While a
     * job is suspended it has no workers, and so no worker that is not ready: the operator creates
     * the launcher's Job, and resumes it together with the workers. A condition of this type stays
     * after the job has been resumed.
     */
    if (role && workers && policy.len && !slice_equal(policy, SLICE("AtStartup")) &&
        !run_policy_is_suspended(source->spec) &&
        !status_condition(node_member(source->root, SLICE("status")), SLICE("Suspended")))
        gang_job_add_edge(role, 1, &edge, source->arena);
}

static void
mpi_job_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct node *specs = node_member(source->spec, SLICE("mpiReplicaSpecs"));
    const struct node *launcher = node_member(specs, SLICE("Launcher"));
    const struct node *workers = node_member(specs, SLICE("Worker"));
    const struct role *role = NULL;

    run_policy_read(source, &mpi_job_operator, job);
    if (workers)
        role = replica_spec_add_role(job, source, 2, workers, 0);
    if (launcher)
        mpi_job_add_launcher(source, launcher, workers, job);
    if (job->managed_elsewhere)
        return; /* the operator returns before it checks the job */
    /* Source: validateMPIJobSpec. */
    job_field_pods(job_field_number(source->spec, SLICE("slotsPerWorker"), 1),
                   node_member(source->spec, SLICE("slotsPerWorker")), source->report);
    if (specs) {
        const struct node *replicas = node_member(launcher, SLICE("replicas"));

        if (launcher)
            mpi_job_check_pods(launcher, source->report);
        else
            find_required(source->report, specs, SLICE("Launcher"),
                          MESSAGE_REQUIRED_FIELD_LAUNCHER);
        if (node_int_or(replicas, 1) != 1)
            find_invalid(source->report, replicas, MESSAGE_REFUSED_BY_OPERATOR_ONE);
        /* No pod of another replica type is ever created. */
        for (NODE_EACH(spec, specs)) {
            const char *hint = mpi_job_hint_at_type(spec, source->report);

            if (hint)
                find_note_at_key(source->report, spec, GANG_CODE_UNKNOWN_FIELD, hint,
                                 "unknown replica type \"%.*s\"", SLICE_ARG(node_key(spec)));
        }
    }
    if (role)
        mpi_job_check_workers(workers, role, source->report);
    mpi_job_check_name(source, role ? role->count : 1);
}

const struct job_kind mpi_job_job_kind = {
    .api_versions = {SLICE_INIT("kubeflow.org/v2beta1")},
    .kind = SLICE_INIT("MPIJob"),
    .schema = &mpi_job_schema,
    .has_former_pod_field = true,
    .translate = mpi_job_translate,
};
