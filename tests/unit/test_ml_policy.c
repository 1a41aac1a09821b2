/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/tree.h"
#include "unit/front.h"

/* ---- ml policy ---- */

static const struct {
    const char *spec;
    enum ml_source source;
    bool present;
    bool has_num_nodes;
    int num_nodes;
    bool launcher_is_node;
} policies[] = {
    {"{}", ML_PLAIN, false, false, 1, false},
    {"{\"mlPolicy\":null}", ML_PLAIN, false, false, 1, false},
    {"{\"mlPolicy\":{}}", ML_PLAIN, true, false, 1, false},
    {"{\"mlPolicy\":{\"numNodes\":3}}", ML_PLAIN, true, true, 3, false},
    {"{\"mlPolicy\":{\"numNodes\":0}}", ML_PLAIN, true, true, 0, false},
    {"{\"mlPolicy\":{\"numNodes\":-1}}", ML_PLAIN, true, true, -1, false},
    {"{\"mlPolicy\":{\"numNodes\":null}}", ML_PLAIN, true, false, 1, false},
    {"{\"mlPolicy\":{\"torch\":{}}}", ML_TORCH, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"jax\":{}}}", ML_JAX, true, false, 1, false},
    {"{\"mlPolicy\":{\"xgboost\":{}}}", ML_XGBOOST, true, false, 1, false},
    {"{\"mlPolicy\":{\"flux\":{}}}", ML_FLUX, true, false, 1, false},
    {"{\"mlPolicy\":{\"torch\":null,\"jax\":{}}}", ML_JAX, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":true}}}", ML_MPI, true, false, 1, true},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":false}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"mpi\":{\"runLauncherAsNode\":\"true\"}}}", ML_MPI, true, false, 1, false},
    {"{\"mlPolicy\":{\"runLauncherAsNode\":true,\"torch\":{}}}", ML_TORCH, true, false, 1, false},
};

START_TEST(reads_a_policy)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct ml_policy policy;

    report_init(&report, arena, &standard_limits);
    policy = ml_policy_read(tree_of(arena, policies[_i].spec), &report);
    ck_assert_int_eq(policy.source, policies[_i].source);
    ck_assert_int_eq(policy.source_node != NULL, policies[_i].present);
    ck_assert_int_eq(policy.num_nodes_source != NULL, policies[_i].has_num_nodes);
    ck_assert_int_eq(policy.num_nodes, policies[_i].num_nodes);
    ck_assert_int_eq(policy.launcher_is_node, policies[_i].launcher_is_node);
    ck_assert_uint_eq(report.count, 0);
    arena_free(arena);
}
END_TEST

/* CEL of the CRD: at most one of five. Every pair of them. */
static const char *const pairs[][2] = {
    {"torch", "mpi"}, {"torch", "jax"},    {"torch", "xgboost"}, {"torch", "flux"},
    {"mpi", "jax"},   {"mpi", "flux"},     {"mpi", "xgboost"},   {"jax", "xgboost"},
    {"jax", "flux"},  {"xgboost", "flux"},
};

START_TEST(two_sources_are_refused)
{
    struct arena *arena = arena_new(0);
    const char *spec =
        arena_format(arena, "{\"mlPolicy\":{\"%s\":{},\"%s\":{}}}", pairs[_i][1], pairs[_i][0]);
    struct report report;

    report_init(&report, arena, &standard_limits);
    ml_policy_read(tree_of(arena, spec), &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_int_eq(report.items[0].code, GANG_CODE_SEVERAL_POLICIES);
    ck_assert_int_eq(report.items[0].severity, GANG_SEVERITY_ERROR);
    ck_assert_str_eq(report.items[0].path, "mlPolicy");
    ck_assert_uint_eq(report.items[0].line, 1);
    ck_assert_uint_eq(report.items[0].column, 13);
    ck_assert_ptr_nonnull(
        strstr(report.items[0].message, "Only one of the policy can be configured"));
    arena_free(arena);
}
END_TEST

/* ---- ml rules ---- */

/* Sources: Validate in pkg/runtime/framework/plugins/{torch,mpi,xgboost,flux} and
 * pkg/constants/constants.go@v2.3.0. */
#define ENV(name) TRAINJOB(TRAINER("'numNodes':2,'env':[{'name':'A'},{'name':" name "}]"))
#define ENV_PATH "spec.trainer.env[1].name"
#define MPI_ROLES NODE_ROLE "," ROLE("launcher", "", PLAIN, "", NODE_POD)
#define AS_NODE "'mpi':{'runLauncherAsNode':true}"

static const struct {
    const char *name;
    const char *source; /* whose name it is */
} envs[] = {
    {"PET_NNODES", "torch"},
    {"PET_NPROC_PER_NODE", "torch"},
    {"PET_NODE_RANK", "torch"},
    {"PET_MASTER_ADDR", "torch"},
    {"PET_MASTER_PORT", "torch"},
    {"OMPI_MCA_orte_default_hostfile", "mpi"},
    {"OMPI_MCA_plm_rsh_args", "mpi"},
    {"OMPI_MCA_orte_keep_fqdn_hostnames", "mpi"},
    {"OMPI_MCA_orte_set_default_slots", "mpi"},
    {"DMLC_TRACKER_URI", "xgboost"},
    {"DMLC_TRACKER_PORT", "xgboost"},
    {"DMLC_TASK_ID", "xgboost"},
    {"DMLC_NUM_WORKER", "xgboost"},
    {"PET_NNODES_", "none"},
    {"pet_nnodes", "none"},
    {"PET_", "none"},
    {"NCCL_DEBUG", "none"},
};

static const char *const sources[] = {"torch", "mpi", "xgboost", "jax", "flux"};

/* Each name is refused by its own source, and by no other. */
START_TEST(environment_of_the_operator_is_reserved)
{
    for (int i = 0; i < ITEMS_OF(sources); i++) {
        char runtime[DOCUMENT_SIZE];
        char trainjob[DOCUMENT_SIZE];
        const struct remark remark = {runtime, trainjob, GANG_CODE_RESERVED_ENV, ENV_PATH};

        snprintf(runtime, sizeof(runtime), RUNTIME(ML("'%s':{}"), MPI_ROLES), sources[i]);
        snprintf(trainjob, sizeof(trainjob), ENV("@'%s'"), envs[_i].name);
        if (strcmp(sources[i], envs[_i].source) != 0) {
            check_no_remark(&remark, COMPATIBILITY_NONE);
            continue;
        }
        check_remark(&remark, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
        check_remark(&remark, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
    }
}
END_TEST

#define TARGETS(containers)                                                                        \
    ML("'torch':{'envInjection':{'targets':[{'jobName':'node','containerNames':[" containers       \
       "]}]}}")
#define SIDECAR                                                                                    \
    ROLE("node", "", LABEL("trainer"), "",                                                         \
         "'initContainers':[" CONTAINER("first", "") "]," POD(                                     \
             CONTAINER("node", "") "," CONTAINER("log", "")))

static const struct remark refused[] = {
    {RUNTIME(ML(AS_NODE), NODE_ROLE), NODES("@2"), GANG_CODE_MPI_ROLES_MISSING,
     "spec.trainer.numNodes"},
    {RUNTIME(ML(AS_NODE), ROLE("launcher", "", LABEL("trainer"), "", NODE_POD)), NODES("@2"),
     GANG_CODE_MPI_ROLES_MISSING, "spec.trainer.numNodes"},
    {RUNTIME(ML(AS_NODE), ROLE("other", "", LABEL("trainer"), "", NODE_POD)), NODES("@3"),
     GANG_CODE_MPI_ROLES_MISSING, "spec.trainer.numNodes"},
    {RUNTIME(TARGETS("@'nobody'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(TARGETS("'log',@'x'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[1]"},
    {RUNTIME(
         ML("'torch':{'envInjection':{'targets':[{'jobName':'other','containerNames':[@'log']}]}}"),
         SIDECAR),
     NODES("2"), GANG_CODE_ENV_TARGET_MISSING,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(TARGETS("@'node'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_FORBIDDEN,
     "spec.mlPolicy.torch.envInjection.targets[0].containerNames[0]"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(",'trainer':@{'numProcPerNode':2}"),
     GANG_CODE_FLUX_NEEDS_NUM_NODES, "spec.trainer.numNodes"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE),
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'llama','namespace':'ml'},"
     "\n'spec':@{'runtimeRef':{'name':'tune'}}}",
     GANG_CODE_FLUX_NEEDS_NUM_NODES, "spec.trainer.numNodes"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':2,'numProcPerNode':@0")),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numProcPerNode"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':2,'numProcPerNode':@-1")),
     GANG_CODE_VALUE_OUT_OF_RANGE, "spec.trainer.numProcPerNode"},
    {RUNTIME(ML("'flux':{}"), ROLE("node", "", LABEL("trainer"), "",
                                   "'initContainers':[{'name':@'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV,
     "spec.template.spec.replicatedJobs[0].template.spec.template.spec.initContainers[0].name"},
};

START_TEST(refuses_what_the_plugins_refuse)
{
    check_remark(&refused[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

static const struct remark accepted[] = {
    {RUNTIME(ML(AS_NODE), NODE_ROLE), NODES("1"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML(AS_NODE), NODE_ROLE), TRAINJOB(""), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML(AS_NODE), MPI_ROLES), NODES("2"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(ML("'mpi':{}"), NODE_ROLE), NODES("2"), GANG_CODE_MPI_ROLES_MISSING, NULL},
    {RUNTIME(TARGETS("'log'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING, NULL},
    {RUNTIME(TARGETS("'first','log'"), SIDECAR), NODES("2"), GANG_CODE_ENV_TARGET_MISSING, NULL},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), NODES("1"), GANG_CODE_FLUX_NEEDS_NUM_NODES, NULL},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(",'managedBy':'kueue.x-k8s.io/multikueue'"),
     GANG_CODE_FLUX_NEEDS_NUM_NODES, NULL},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), TRAINJOB(""), GANG_CODE_FLUX_NEEDS_NUM_NODES, NULL},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), TRAINJOB(TRAINER("'numNodes':1,'numProcPerNode':1")),
     GANG_CODE_VALUE_OUT_OF_RANGE, NULL},
    {RUNTIME(ML("'flux':{}"),
             NODE_ROLE "," ROLE("b", "", PLAIN, "",
                                "'initContainers':[{'name':'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV, NULL},
    {RUNTIME(ML("'jax':{}"), ROLE("node", "", LABEL("trainer"), "",
                                  "'initContainers':[{'name':'flux-installer'}]," NODE_POD)),
     NODES("2"), GANG_CODE_RESERVED_ENV, NULL},
};

START_TEST(accepts_the_rest)
{
    check_no_remark(&accepted[_i], COMPATIBILITY_NONE);
}
END_TEST

/* ---- torchtune rules ---- */

/* Expected values follow pkg/runtime/framework/plugins/torch/torchtune.go@v2.3.0 and
 * pkg/constants/constants.go. */
#define NAME_PATH "spec.runtimeRef.name"
#define TUNE "'command':['tune','run']"
#define GPU_NODE(amount)                                                                           \
    ROLE("node", "", LABEL("trainer"), "",                                                         \
         POD(CONTAINER("node", LIMITS("'nvidia.com/gpu':" amount))))
#define TUNED(name) RUNTIME_NAMED(name, ML("'torch':{}"), NODE_ROLE)
#define TUNED_GPU(name, amount) RUNTIME_NAMED(name, ML("'torch':{}"), GPU_NODE(amount))
#define TUNE_JOB(name, members) TRAINJOB_NAMED("'llama'", name, TRAINER(TUNE members))
#define ARGS(items) ",'args':[" items "]"
#define QLORA "'model.quantize_base=True'"
#define LORA "'model.lora_attn_modules=[q_proj]'"

/* Runtime names that are models, and how many nodes each may have. */
static const struct {
    const char *name;
    bool known;
    bool several_nodes;
} models[] = {
    {"torchtune-llama3.2-1b", true, false},
    {"torchtune-llama3.2-3b", true, false},
    {"torchtune-llama3.3-70b", true, true},
    {"torchtune-qwen2.5-1.5b", true, false},
    {"mine-llama3.2-1b", true, false},
    {"torchtune-llama3_2-1b", true, false},
    {"torchtune-llama3_3-70b", true, true},
    {"torchtune-llama3.2-1B", true, false},
    {"torchtune-qwen2_5-1.5B", true, false},
    {"-llama3.2-1b", true, false},
    {"torchtune-llama3.2-70b", false, false},
    {"torchtune-llama3.3-1b", false, false},
    {"torchtune-qwen2.5-1_5b", false, false},
    {"torchtune-Llama3.2-1b", false, false},
    {"torchtune-llama3.2", false, false},
    {"torchtune", false, false},
    {"torchtune-llama3.2-1b-x", false, false},
    {"torchtune-llama3.2-1b-", false, false},
    {"my-torchtune-llama3.2-1b", false, false},
    {"torchtune-llama3.2-", false, false},
    {"torchtune--1b", false, false},
    {"torchtune-llama3x2-1b", false, false},
    {"torchtune-llama3.2-1bb", false, false},
};

/*
 * The findings of the rules for a trainjob whose runtimeRef names this; the name may be one that no
 * runtime can have.
 */
static size_t
count_rule_findings(const char *name, const char *members, const char *part)
{
    char trainjob[DOCUMENT_SIZE];
    struct front front;
    size_t found = 0;

    snprintf(trainjob, sizeof(trainjob), TRAINJOB_NAMED("'llama'", "'%s'", TRAINER(TUNE "%s")),
             name, members);
    front_open(&front, TUNED("tune"), trainjob, COMPATIBILITY_NONE);
    front.report.count = 0;
    torchtune_rules_check(&front.job, &front.report);
    for (size_t i = 0; i < front.report.count; i++) {
        ck_assert_int_eq(front.report.items[i].code, GANG_CODE_TORCH_TUNE_RULE);
        ck_assert_int_eq(front.report.items[i].severity, GANG_SEVERITY_ERROR);
        found += strstr(front.report.items[i].message, part) != NULL;
    }
    front_close(&front);
    return found;
}

START_TEST(runtime_names_are_models)
{
    ck_assert_uint_eq(
        count_rule_findings(models[_i].name, "", "must have a supported pretrained model"),
        !models[_i].known);
}
END_TEST

START_TEST(few_models_run_on_several_nodes)
{
    ck_assert_uint_eq(count_rule_findings(models[_i].name, ",'numNodes':1", "must be 1 for"), 0);
    ck_assert_uint_eq(count_rule_findings(models[_i].name, ",'numNodes':2", "must be 1 for"),
                      !models[_i].several_nodes);
}
END_TEST

/* QLoRA and LoRA by arguments, devices and model. */
static const struct {
    const char *name;
    const char *members;
    const char *part;
    size_t count;
} quantized[] = {
    /* llama3.2: one device only */
    {"torchtune-llama3.2-1b", ARGS(QLORA), "when using QLoRA", 2},
    {"torchtune-llama3.2-3b", ARGS(QLORA), "when using QLoRA", 2},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'numNodes':1", "when using QLoRA", 2},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'numProcPerNode':1", "when using QLoRA", 0},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'numProcPerNode':2", "when using QLoRA", 2},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'resourcesPerNode':{'limits':{'nvidia.com/gpu':1}}",
     "QLoRA", 0},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'resourcesPerNode':{'requests':{'nvidia.com/gpu':'1'}}",
     "QLoRA", 0},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'resourcesPerNode':{'limits':{'amd.com/GPU':1}}",
     "QLoRA", 0},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'resourcesPerNode':{'limits':{'nvidia.com/gpu':2}}",
     "QLoRA", 2},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'resourcesPerNode':{'limits':{'google.com/tpu':1}}",
     "QLoRA", 2},
    {"torchtune-llama3.2-1b",
     ARGS(QLORA) ",'resourcesPerNode':{'requests':{'nvidia.com/gpu':2},'limits':{'nvidia.com/"
                 "gpu':1}}",
     "QLoRA", 2},
    {"torchtune-llama3.2-1b",
     ARGS(QLORA) ",'resourcesPerNode':{'requests':{'nvidia.com/gpu':0},'limits':{'nvidia.com/"
                 "gpu':1}}",
     "QLoRA", 0},
    /* an amount is rounded up, as Quantity.Value() does */
    {"torchtune-llama3.2-1b",
     ARGS(QLORA) ",'resourcesPerNode':{'limits':{'nvidia.com/gpu':'500m'}}", "QLoRA", 0},
    {"torchtune-llama3.2-1b",
     ARGS(QLORA) ",'resourcesPerNode':{'limits':{'nvidia.com/gpu':'1500m'}}", "QLoRA", 2},
    /* the others */
    {"torchtune-llama3.3-70b", ARGS(QLORA), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA), "QLoRA is not supported for qwen2_5/1.5B model", 1},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA) ",'numProcPerNode':1",
     "QLoRA is not supported for qwen2_5/1.5B model", 1},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA), "when using QLoRA", 0},
    {"torchtune-unknown-1b", ARGS(QLORA), "QLoRA", 0},
    /* the argument's forms */
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=true'"), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS("'--x.model.quantize_base.y= TRUE '"), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=\\t true\\r\\n'"), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=\\u000btrue\\f'"), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=False'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base='"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=truetrue'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'model.quantize_base=tru'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'x=model.quantize_base=true'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS("'a=b'," QLORA), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA ",'model.use_dora=True'"), "QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA ",'model.use_dora=False'"), "QLoRA", 1},
    {"torchtune-qwen2.5-1.5b", ARGS(LORA), "QLoRA", 0},
    /* several nodes: no LoRA of any kind, and no word about devices */
    {"torchtune-llama3.3-70b", ARGS(LORA) ",'numNodes':2",
     "LoRA fine-tuning is not supported for multi-node", 1},
    {"torchtune-llama3.3-70b", ARGS(QLORA) ",'numNodes':2",
     "LoRA fine-tuning is not supported for multi-node", 1},
    {"torchtune-llama3.3-70b", ARGS(LORA "," QLORA) ",'numNodes':2",
     "LoRA fine-tuning is not supported", 1},
    {"torchtune-llama3.3-70b", ARGS("'model.lora_attn_modules'") ",'numNodes':2",
     "LoRA fine-tuning", 1},
    {"torchtune-llama3.3-70b", ARGS(QLORA ",'model.use_dora=True'") ",'numNodes':2",
     "LoRA fine-tuning", 0},
    {"torchtune-llama3.3-70b", ARGS("'epochs=1'") ",'numNodes':2", "LoRA fine-tuning", 0},
    {"torchtune-llama3.3-70b", ARGS(LORA) ",'numNodes':1", "LoRA fine-tuning", 0},
    {"torchtune-llama3.3-70b", ARGS(LORA), "LoRA fine-tuning", 0},
    {"torchtune-llama3.2-1b", ARGS(QLORA) ",'numNodes':2", "when using QLoRA", 0},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA) ",'numNodes':2", "QLoRA is not supported", 0},
    {"torchtune-qwen2.5-1.5b", ARGS(QLORA) ",'numNodes':0", "QLoRA is not supported", 0},
    /* what the runtime sets itself */
    {"torchtune-llama3.2-1b", ARGS("'output_dir=/x'"),
     "must not set immutable config \"output_dir\"", 1},
    {"torchtune-llama3.2-1b", ARGS("'tokenizer.path=/x'"), "immutable config \"tokenizer.path\"",
     1},
    {"torchtune-llama3.2-1b", ARGS("'tokenizer.merges_file=/x'"),
     "immutable config \"tokenizer.merges_file\"", 1},
    {"torchtune-llama3.2-1b", ARGS("'checkpointer.checkpoint_dir=/x'"),
     "immutable config \"checkpointer.checkpoint_dir\"", 1},
    {"torchtune-llama3.2-1b", ARGS("'output_dir'"), "immutable", 1},
    {"torchtune-llama3.2-1b", ARGS("'output_dir=a=b','epochs=1','tokenizer.path=c'"), "immutable",
     2},
    {"torchtune-llama3.2-1b",
     ARGS("'output_dirs=/x','my.output_dir=/x','=output_dir','tokenizer=/x'"), "immutable", 0},
};

START_TEST(rules_for_arguments_and_devices)
{
    ck_assert_uint_eq(
        count_rule_findings(quantized[_i].name, quantized[_i].members, quantized[_i].part),
        quantized[_i].count);
}
END_TEST

/* The places of the findings. */
static const struct remark placed[] = {
    {TUNED("mine"), TUNE_JOB("@'mine'", ""), GANG_CODE_TORCH_TUNE_RULE, NAME_PATH},
    {TUNED("torchtune-llama3.2-1b"), TUNE_JOB("'torchtune-llama3.2-1b'", ",'numNodes':@2"),
     GANG_CODE_TORCH_TUNE_RULE, "spec.trainer.numNodes"},
    {TUNED("torchtune-llama3.2-1b"),
     TUNE_JOB("'torchtune-llama3.2-1b'", ARGS("'a=b',@'output_dir=/x'")), GANG_CODE_TORCH_TUNE_RULE,
     "spec.trainer.args[1]"},
    {TUNED("torchtune-qwen2.5-1.5b"), TUNE_JOB("@'torchtune-qwen2.5-1.5b'", ARGS(QLORA)),
     GANG_CODE_TORCH_TUNE_RULE, NAME_PATH},
    {TUNED("torchtune-llama3.2-3b"),
     TRAINJOB_NAMED("'llama'", "'torchtune-llama3.2-3b'", ",'trainer':@{" TUNE ARGS(QLORA) "}"),
     GANG_CODE_TORCH_TUNE_RULE, "spec.trainer.numProcPerNode"},
    {TUNED("torchtune-llama3.2-3b"),
     TRAINJOB_NAMED("'llama'", "'torchtune-llama3.2-3b'", ",'trainer':@{" TUNE ARGS(QLORA) "}"),
     GANG_CODE_TORCH_TUNE_RULE, "spec.trainer.resourcesPerNode"},
    {TUNED_GPU("torchtune-llama3.2-3b", "2"),
     TRAINJOB_NAMED("'llama'", "'torchtune-llama3.2-3b'", ",'trainer':@{" TUNE ARGS(QLORA) "}"),
     GANG_CODE_TORCH_TUNE_RULE, "spec.trainer.resourcesPerNode"},
};

START_TEST(findings_are_at_the_field)
{
    check_remark(&placed[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&placed[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

/* GPUs of the runtime's container `node` count, where the trainjob has no resourcesPerNode. */
static const struct remark accepted_of_torchtune_rules[] = {
    {TUNED_GPU("torchtune-llama3.2-3b", "1"), TUNE_JOB("'torchtune-llama3.2-3b'", ARGS(QLORA)),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {TUNED("torchtune-llama3.3-70b"), TUNE_JOB("'torchtune-llama3.3-70b'", ",'numNodes':2"),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    /* the rules hold for this very command alone, and for torch */
    {TUNED("mine"), TRAINJOB_NAMED("'llama'", "'mine'", TRAINER("'command':['tune','run','x']")),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {TUNED("mine"), TRAINJOB_NAMED("'llama'", "'mine'", TRAINER("'command':['tune']")),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {TUNED("mine"), TRAINJOB_NAMED("'llama'", "'mine'", TRAINER("'command':['run','tune']")),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {TUNED("torchtune-llama3.2-1b"),
     TRAINJOB_NAMED("'llama'", "'torchtune-llama3.2-1b'", TRAINER("'numNodes':4")),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {RUNTIME_NAMED("mine", ML("'jax':{}"), NODE_ROLE), TUNE_JOB("'mine'", ",'numNodes':4"),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
    {RUNTIME_NAMED("mine", ML(""), NODE_ROLE), TUNE_JOB("'mine'", ",'numNodes':4"),
     GANG_CODE_TORCH_TUNE_RULE, NULL},
};

START_TEST(accepts_the_rest_of_torchtune_rules)
{
    check_no_remark(&accepted_of_torchtune_rules[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_a_policy, policies, spec, source);
    tcase_add_loop_test(cases, two_sources_are_refused, 0, ITEMS_OF(pairs));
    add_rows(cases, environment_of_the_operator_is_reserved, envs, name, source);
    add_rows(cases, refuses_what_the_plugins_refuse, refused, runtime, trainjob);
    add_rows(cases, accepts_the_rest, accepted, runtime, trainjob);
    add_rows(cases, runtime_names_are_models, models, name);
    add_rows(cases, few_models_run_on_several_nodes, models, name);
    add_rows(cases, rules_for_arguments_and_devices, quantized, name);
    add_rows(cases, findings_are_at_the_field, placed, runtime, trainjob);
    add_rows(cases, accepts_the_rest_of_torchtune_rules, accepted_of_torchtune_rules, runtime,
             trainjob);
}
