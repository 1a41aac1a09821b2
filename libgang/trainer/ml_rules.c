/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/ml_rules.h"

#include "libgang/document/finding.h"
#include "libgang/trainer/vocabulary.h"

/* pkg/constants/constants.go@v2.3.0: what the operator sets itself. */
static const struct {
    enum ml_source source;
    struct slice env;
} reserved_env_table[] = {
    {ML_TORCH, SLICE_INIT("PET_NNODES")},
    {ML_TORCH, SLICE_INIT("PET_NPROC_PER_NODE")},
    {ML_TORCH, SLICE_INIT("PET_NODE_RANK")},
    {ML_TORCH, SLICE_INIT("PET_MASTER_ADDR")},
    {ML_TORCH, SLICE_INIT("PET_MASTER_PORT")},
    {ML_MPI, SLICE_INIT("OMPI_MCA_orte_default_hostfile")},
    {ML_MPI, SLICE_INIT("OMPI_MCA_plm_rsh_args")},
    {ML_MPI, SLICE_INIT("OMPI_MCA_orte_keep_fqdn_hostnames")},
    {ML_MPI, SLICE_INIT("OMPI_MCA_orte_set_default_slots")},
    {ML_XGBOOST, SLICE_INIT("DMLC_TRACKER_URI")},
    {ML_XGBOOST, SLICE_INIT("DMLC_TRACKER_PORT")},
    {ML_XGBOOST, SLICE_INIT("DMLC_TASK_ID")},
    {ML_XGBOOST, SLICE_INIT("DMLC_NUM_WORKER")},
};

static bool
is_reserved_env(enum ml_source source, struct slice name)
{
    for (size_t i = 0; i < sizeof(reserved_env_table) / sizeof(reserved_env_table[0]); i++)
        if (reserved_env_table[i].source == source && slice_equal(reserved_env_table[i].env, name))
            return true;
    return false;
}

static void
check_env(const struct trainer_job *job, struct report *report)
{
    enum ml_source source = job->runtime->ml_policy.source;

    for (NODE_EACH(env, node_member(job->trainjob->trainer, SLICE("env")))) {
        const struct node *name = node_member(env, SLICE("name"));

        if (!is_reserved_env(source, node_string(name)))
            continue;
        if (source == ML_XGBOOST)
            find_forbidden(report, GANG_CODE_RESERVED_ENV, name, NULL,
                           "%.*s is reserved for the XGBoost runtime", SLICE_ARG(node_string(name)));
        else
            find_invalid(report, GANG_CODE_RESERVED_ENV, name, NULL, "must not have reserved envs");
    }
}

static void
check_mpi(const struct trainer_job *job, struct report *report)
{
    bool complete = jobset_find(&job->jobset, TRAINER_LAUNCHER) && jobset_find(&job->jobset, TRAINER_NODE);

    if (job->runtime->ml_policy.launcher_is_node && job->trainjob->num_nodes_source &&
        job->trainjob->num_nodes >= 2 && !complete)
        find_invalid(
            report, GANG_CODE_MPI_ROLES_MISSING, job->trainjob->num_nodes_source, NULL,
            "must have 1 when MPI trainingRuntime with enabled runLauncherAsNode does not have either "
            "launcher and node");
}

/* envInjection names containers that must exist. */
static void
check_torch_targets(const struct trainer_job *job, struct report *report)
{
    const struct node *targets = node_at(job->runtime->ml_policy.source_node, "torch.envInjection.targets");

    for (NODE_EACH(target, targets)) {
        struct slice job_name = node_string(node_member(target, SLICE("jobName")));
        const struct replicated_job *role = jobset_find(&job->jobset, job_name);

        for (NODE_EACH(container, node_member(target, SLICE("containerNames"))))
            if (!role || !replicated_job_has_container(role, node_string(container)))
                find_invalid(report, GANG_CODE_ENV_TARGET_MISSING, container, NULL,
                             "envInjection target podSet \"%.*s\" container not found in runtime template",
                             SLICE_ARG(job_name));
    }
}

static bool
is_torchtune_command(const struct node *command)
{
    return node_count(command) == 2 && slice_equal(node_string(node_item(command, 0)), SLICE("tune")) &&
           slice_equal(node_string(node_item(command, 1)), SLICE("run"));
}

static void
check_torch(const struct trainer_job *job, struct report *report)
{
    check_torch_targets(job, report);
    if (is_torchtune_command(node_member(job->trainjob->trainer, SLICE("command"))))
        torchtune_rules_check(job, report);
}

static void
check_job_flux_processes(const struct trainer_job *job, struct report *report)
{
    const struct node *processes = node_member(job->trainjob->trainer, SLICE("numProcPerNode"));
    int64_t value;

    if (node_int(processes, &value) && value < 1)
        find_invalid(report, GANG_CODE_VALUE_OUT_OF_RANGE, processes, NULL,
                     "must be greater than or equal to 1 for Flux TrainJob");
}

/* flux.go dereferences numNodes, so the operator crashes where it is absent, unless the job is not its own. */
static void
check_flux(const struct trainer_job *job, struct report *report)
{
    const struct replicated_job *node = jobset_find(&job->jobset, TRAINER_NODE);
    const struct node *trainer = job->trainjob->trainer;

    check_job_flux_processes(job, report);
    if (!job->trainjob->num_nodes_source && !job->trainjob->managed_by)
        find_required(report, GANG_CODE_FLUX_NEEDS_NUM_NODES, trainer ? trainer : job->trainjob->spec,
                      trainer ? SLICE("numNodes") : SLICE("trainer.numNodes"), NULL,
                      "the operator's flux plugin crashes without it");
    for (NODE_EACH(container, node ? node_member(node->pod_spec, SLICE("initContainers")) : NULL))
        if (slice_equal(node_string(node_member(container, SLICE("name"))), SLICE("flux-installer")))
            find_invalid(report, GANG_CODE_RESERVED_ENV, node_member(container, SLICE("name")), NULL,
                         "InitContainer 'flux-installer' is reserved");
}

void
ml_rules_check(const struct trainer_job *job, struct report *report)
{
    check_env(job, report);
    switch (job->runtime->ml_policy.source) {
    case ML_TORCH:
        check_torch(job, report);
        break;
    case ML_MPI:
        check_mpi(job, report);
        break;
    case ML_FLUX:
        check_flux(job, report);
        break;
    case ML_PLAIN:
    case ML_JAX:
    case ML_XGBOOST:
        break;
    }
}
