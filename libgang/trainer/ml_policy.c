/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

/* ---- ml policy ---- */

static const struct {
    struct slice member;
    enum ml_source source;
} ml_source_table[] = {
    {SLICE_INIT("torch"), ML_TORCH},     {SLICE_INIT("mpi"), ML_MPI},   {SLICE_INIT("jax"), ML_JAX},
    {SLICE_INIT("xgboost"), ML_XGBOOST}, {SLICE_INIT("flux"), ML_FLUX},
};

struct ml_policy
ml_policy_read(const struct node *spec, struct report *report)
{
    struct ml_policy policy = {.source_node = node_member(spec, SLICE("mlPolicy")), .num_nodes = 1};
    size_t found = 0;

    if (!policy.source_node)
        return policy;
    policy.num_nodes_source = node_member(policy.source_node, SLICE("numNodes"));
    node_int(policy.num_nodes_source, &policy.num_nodes);
    for (size_t i = 0; i < COUNT_OF(ml_source_table); i++) {
        if (!node_member(policy.source_node, ml_source_table[i].member))
            continue;
        policy.source = ml_source_table[i].source;
        found++;
    }
    if (found > 1)
        find_invalid(report, policy.source_node, MESSAGE_SEVERAL_POLICIES);
    policy.launcher_is_node = node_is_true(node_at(policy.source_node, "mpi.runLauncherAsNode"));
    return policy;
}

/* ---- ml rules ---- */

/* Environment variables that the operator sets: pkg/constants/constants.go@v2.3.0. */
enum { ML_MOST_RESERVED = 5 };
static const struct slice ml_reserved_env[ML_FLUX + 1][ML_MOST_RESERVED] = {
    [ML_TORCH] = {SLICE_INIT("PET_NNODES"), SLICE_INIT("PET_NPROC_PER_NODE"),
                  SLICE_INIT("PET_NODE_RANK"), SLICE_INIT("PET_MASTER_ADDR"),
                  SLICE_INIT("PET_MASTER_PORT")},
    [ML_MPI] = {SLICE_INIT("OMPI_MCA_orte_default_hostfile"), SLICE_INIT("OMPI_MCA_plm_rsh_args"),
                SLICE_INIT("OMPI_MCA_orte_keep_fqdn_hostnames"),
                SLICE_INIT("OMPI_MCA_orte_set_default_slots")},
    [ML_XGBOOST] = {SLICE_INIT("DMLC_TRACKER_URI"), SLICE_INIT("DMLC_TRACKER_PORT"),
                    SLICE_INIT("DMLC_TASK_ID"), SLICE_INIT("DMLC_NUM_WORKER")},
};

static void
check_torch(const struct trainer_job *job, struct report *report)
{
    const struct node *command = node_member(job->trainjob->trainer, SLICE("command"));
    const struct node *targets =
        node_at(job->runtime->ml_policy.source_node, "torch.envInjection.targets");

    /* The containers that envInjection names must exist. */
    for (NODE_EACH(target, targets)) {
        struct slice job_name = node_string(node_member(target, SLICE("jobName")));
        const struct replicated_job *role = jobset_find(&job->jobset, job_name);

        for (NODE_EACH(container, node_member(target, SLICE("containerNames"))))
            if (!role || !replicated_job_has_container(role, node_string(container)))
                find_invalid(report, container, MESSAGE_ENV_TARGET_MISSING, SLICE_ARG(job_name));
    }
    if (node_count(command) == 2 &&
        slice_equal(node_string(node_item(command, 0)), SLICE("tune")) &&
        slice_equal(node_string(node_item(command, 1)), SLICE("run")))
        torchtune_rules_check(job, report);
}

/*
 * flux.go dereferences numNodes, so the operator crashes if it is absent, unless another controller
 * manages the job.
 */
static void
check_flux(const struct trainer_job *job, struct report *report)
{
    const struct replicated_job *node = jobset_find(&job->jobset, TRAINER_NODE);
    const struct node *trainer = job->trainjob->trainer;
    const struct node *processes = node_member(trainer, SLICE("numProcPerNode"));

    if (node_int_or(processes, 1) < 1)
        find_invalid(report, processes, MESSAGE_VALUE_OUT_OF_RANGE_FLUX_NODES);
    if (!job->trainjob->num_nodes_source && !job->trainjob->managed_by)
        find_required(report, trainer ? trainer : job->trainjob->spec,
                      trainer ? SLICE("numNodes") : SLICE("trainer.numNodes"),
                      MESSAGE_FLUX_NEEDS_NUM_NODES);
    for (NODE_EACH(container, node ? node_member(node->pod_spec, SLICE("initContainers")) : NULL))
        if (slice_equal(node_name(container), SLICE("flux-installer")))
            find_invalid(report, node_member(container, SLICE("name")),
                         MESSAGE_RESERVED_ENV_FLUX_INSTALLER);
}

void
ml_rules_check(const struct trainer_job *job, struct report *report)
{
    enum ml_source source = job->runtime->ml_policy.source;

    for (NODE_EACH(env, node_member(job->trainjob->trainer, SLICE("env")))) {
        const struct node *name = node_member(env, SLICE("name"));

        if (!node_string(name).len ||
            !slice_is_among(node_string(name), ml_reserved_env[source], ML_MOST_RESERVED))
            continue;
        if (source == ML_XGBOOST)
            find_forbidden(report, name, MESSAGE_RESERVED_ENV_XGBOOST,
                           SLICE_ARG(node_string(name)));
        else
            find_invalid(report, name, MESSAGE_RESERVED_ENV_TORCH);
    }
    switch (job->runtime->ml_policy.source) {
    case ML_TORCH:
        check_torch(job, report);
        break;
    case ML_MPI: {
        bool complete =
            jobset_find(&job->jobset, TRAINER_LAUNCHER) && jobset_find(&job->jobset, TRAINER_NODE);

        if (job->runtime->ml_policy.launcher_is_node && job->trainjob->num_nodes_source &&
            job->trainjob->num_nodes >= 2 && !complete)
            find_invalid(report, job->trainjob->num_nodes_source, MESSAGE_MPI_ROLES_MISSING);
        break;
    }
    case ML_FLUX:
        check_flux(job, report);
        break;
    case ML_PLAIN:
    case ML_JAX:
    case ML_XGBOOST:
        break;
    }
}

/* ---- torchtune rules ---- */

/*
 * Runtime names have the form `torchtune-<family>-<size>`. Source:
 * plugins/torch/torchtune.go@v2.3.0, constants.go.
 */
struct torchtune_model {
    struct slice family;
    struct slice size; /* compared case-insensitively */
    const char *name;
    bool several_nodes;
    bool quantized; /* QLoRA is supported */
    bool quantized_on_one_device_only;
};

static const struct torchtune_model torchtune_models[] = {
    {SLICE_INIT("llama3.2"), SLICE_INIT("1b"), "llama3_2/1B", false, true, true},
    {SLICE_INIT("llama3.2"), SLICE_INIT("3b"), "llama3_2/3B", false, true, true},
    {SLICE_INIT("llama3.3"), SLICE_INIT("70b"), "llama3_3/70B", true, true, false},
    {SLICE_INIT("qwen2.5"), SLICE_INIT("1.5b"), "qwen2_5/1.5B", false, false, false},
};

/* Arguments that the runtime injects. */
static const struct slice torchtune_fixed_arguments[] = {
    SLICE_INIT("output_dir"),
    SLICE_INIT("tokenizer.path"),
    SLICE_INIT("checkpointer.checkpoint_dir"),
    SLICE_INIT("tokenizer.merges_file"),
};

/*
 * The operator replaces the dots in the family with underscores, so both spellings match a model.
 */
static bool
family_equal(struct slice text, struct slice family)
{
    if (text.len != family.len)
        return false;
    for (size_t i = 0; i < text.len; i++)
        if (text.data[i] != family.data[i] && !(text.data[i] == '_' && family.data[i] == '.'))
            return false;
    return true;
}

static struct slice
cut_before(struct slice *rest, char separator)
{
    const struct slice head = slice_before(*rest, separator);

    *rest = head.len < rest->len ? slice_after(*rest, head.len + 1) : NO_SLICE;
    return head;
}

/* The name must have exactly three parts; the first may have any value. */
static const struct torchtune_model *
torchtune_model_of(struct slice runtime_name)
{
    struct slice rest = runtime_name;
    struct slice family;
    struct slice size;

    cut_before(&rest, '-');
    family = cut_before(&rest, '-');
    size = cut_before(&rest, '-');
    if (slice_is_set(rest))
        return NULL;
    for (size_t i = 0; i < COUNT_OF(torchtune_models); i++)
        if (family_equal(family, torchtune_models[i].family) &&
            ascii_equal(size, torchtune_models[i].size))
            return &torchtune_models[i];
    return NULL;
}

/*
 * Returns whether an argument has the form `...key...=true`; `true` is compared case-insensitively.
 */
static bool
any_argument_enables(const struct node *arguments, struct slice key)
{
    for (NODE_EACH(argument, arguments)) {
        struct slice value = node_string(argument);
        struct slice name = cut_before(&value, '=');
        struct slice rest;

        if (slice_is_set(value) && text_find(name, key, &rest) &&
            ascii_equal(text_trim(value), SLICE("true")))
            return true;
    }
    return false;
}

static bool
uses_quantized_lora(const struct node *arguments)
{
    return !any_argument_enables(arguments, SLICE("model.use_dora")) &&
           any_argument_enables(arguments, SLICE("model.quantize_base"));
}

static bool
names_gpu(struct slice resource)
{
    for (size_t i = 0; i + 3 <= resource.len; i++)
        if (ascii_equal((struct slice){resource.data + i, 3}, SLICE("gpu")))
            return true;
    return false;
}

/* Returns zero if no resource is a GPU. A fraction is rounded up, as Quantity.Value() does. */
static int64_t
gpus_of(const struct resource_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (names_gpu(list->items[i].name))
            return quantity_round_up(&list->items[i].quantity);
    return 0;
}

static int64_t
gpus_per_node(const struct trainer_job *job)
{
    int64_t requested = gpus_of(&job->trainjob->node_requests);

    if (job->trainjob->resources_per_node)
        return requested ? requested : gpus_of(&job->trainjob->node_limits);
    for (size_t i = 0; i < job->jobset.count; i++) {
        const struct replicated_job *role = &job->jobset.jobs[i];
        struct slice label = node_string(
            node_member(node_member(role->job_metadata, SLICE("labels")), TRAINER_ANCESTOR_LABEL));
        const struct container_resources *node;

        if (!slice_equal(role->name, TRAINER_NODE) && !slice_equal(label, SLICE("trainer")))
            continue;
        node = pod_container_find(&role->resources, TRAINER_NODE);
        if (node)
            return gpus_of(&node->requests) ? gpus_of(&node->requests) : gpus_of(&node->limits);
    }
    return 0;
}

static void
check_quantized(const struct trainer_job *job, const struct torchtune_model *model,
                struct report *report)
{
    if (!model->quantized)
        find_invalid(report, node_member(job->trainjob->runtime_ref.source, SLICE("name")),
                     MESSAGE_TORCH_TUNE_RULE_QLORA_MODEL, model->name);
    if (!model->quantized_on_one_device_only ||
        node_int_or(node_member(job->trainjob->trainer, SLICE("numProcPerNode")), 0) == 1 ||
        gpus_per_node(job) == 1)
        return;
    find_note_below(report, job->trainjob->trainer, SLICE("numProcPerNode"),
                    MESSAGE_TORCH_TUNE_RULE_QLORA_PROCESSES, model->name);
    find_note_below(report, job->trainjob->trainer, SLICE("resourcesPerNode"),
                    MESSAGE_TORCH_TUNE_RULE_QLORA_GPUS, model->name);
}

static void
check_nodes(const struct trainer_job *job, const struct torchtune_model *model,
            struct report *report)
{
    const struct node *arguments = node_member(job->trainjob->trainer, SLICE("args"));
    const struct node *nodes = job->trainjob->num_nodes_source;
    bool is_lora = uses_quantized_lora(arguments);
    struct slice rest;

    if (!nodes || job->trainjob->num_nodes <= 1)
        return;
    if (!model || !model->several_nodes)
        find_invalid(report, nodes, MESSAGE_TORCH_TUNE_RULE_ONE_NODE, model ? model->name : "");
    for (NODE_EACH(argument, arguments))
        is_lora |= text_find(node_string(argument), SLICE("model.lora_attn_modules"), &rest);
    if (is_lora)
        find_invalid(report, nodes, MESSAGE_TORCH_TUNE_RULE_LORA_NODES);
}

void
torchtune_rules_check(const struct trainer_job *job, struct report *report)
{
    const struct gang_trainjob *trainjob = job->trainjob;
    const struct node *arguments = node_member(trainjob->trainer, SLICE("args"));
    const struct torchtune_model *model = torchtune_model_of(trainjob->runtime_ref.name);
    bool one_node = !trainjob->num_nodes_source || trainjob->num_nodes == 1;

    if (!model)
        find_invalid(report, node_member(trainjob->runtime_ref.source, SLICE("name")),
                     MESSAGE_TORCH_TUNE_RULE_MODEL);
    check_nodes(job, model, report);
    if (model && one_node && uses_quantized_lora(arguments))
        check_quantized(job, model, report);
    for (NODE_EACH(argument, arguments)) {
        struct slice rest = node_string(argument);
        struct slice key = cut_before(&rest, '=');

        if (slice_is_among(key, torchtune_fixed_arguments, COUNT_OF(torchtune_fixed_arguments)))
            find_invalid(report, argument, MESSAGE_TORCH_TUNE_RULE_CONFIG, SLICE_ARG(key));
    }
}
