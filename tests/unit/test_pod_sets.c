/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/front.h"
#include "unit/typed.h"
#include "unit/resource_text.h"

/* ---- pod sets ---- */

#define JOB(index) "spec.template.spec.replicatedJobs[" index "]"
#define BARE(name) ROLE(name, "", PLAIN, "", NODE_POD)
#define WAITS(name, edges) ROLE(name, "'dependsOn':[" edges "],", PLAIN, "", NODE_POD)
#define EDGE(name, status) "{'name':'" name "','status':'" status "'}"
#define ORDERED(order, jobs)                                                                       \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'},"                        \
    "'spec':{'template':{'spec':{'startupPolicy':{'startupPolicyOrder':'" order                    \
    "'},'replicatedJobs':[" jobs "]}}}}"
#define PER_NODE(members) TRAINJOB(TRAINER("'resourcesPerNode':" members))
#define GPUS LIMITS("'nvidia.com/gpu':2")
#define BOTH ",'resources':{'requests':{'nvidia.com/gpu':2},'limits':{'nvidia.com/gpu':2}}"
#define MARKED_ROLE(container)                                                                     \
    "@{'name':'node','template':{'spec':{'template':{'spec':{'containers':[" container "]}}}}}"

/* Edges per role: `name:status`, roles parted by a bar. */
static const struct {
    const char *runtime;
    const char *edges;
} orders[] = {
    {RUNTIME("", BARE("a")), ""},
    {RUNTIME("", BARE("a") "," BARE("b")), "|"},
    {RUNTIME("", BARE("a") "," WAITS("b", EDGE("a", "Ready"))), "|a:R "},
    {RUNTIME("", BARE("a") "," WAITS("b", EDGE("a", "Complete"))), "|a:C "},
    {RUNTIME("",
             BARE("a") "," BARE("b") "," WAITS("c", EDGE("a", "Complete") "," EDGE("b", "Ready"))),
     "||a:C b:R "},
    {RUNTIME("", BARE("a") "," WAITS("b", "")), "|"},
    {ORDERED("InOrder", BARE("a")), ""},
    {ORDERED("InOrder", BARE("a") "," BARE("b")), "|a:R "},
    {ORDERED("InOrder", BARE("a") "," BARE("b") "," BARE("c")), "|a:R |b:R "},
    {ORDERED("AnyOrder", BARE("a") "," BARE("b")), "|"},
};

START_TEST(roles_wait_for_roles)
{
    struct front front;
    const char *text = "";

    front_open(&front, orders[_i].runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    for (size_t i = 0; i < front.wishes.num_roles; i++) {
        const struct role *role = &front.wishes.roles[i];

        text = arena_format(front.arena, "%s%s", text, i ? "|" : "");
        for (size_t n = 0; n < role->num_dependencies; n++) {
            ck_assert_ptr_nonnull(role->dependencies[n].source);
            text =
                arena_format(front.arena, "%s%.*s:%s ", text, SLICE_ARG(role->dependencies[n].role),
                             role->dependencies[n].status == DEPENDENCY_COMPLETE ? "C" : "R");
        }
    }
    ck_assert_str_eq(text, orders[_i].edges);
    front_close(&front);
}
END_TEST

static const struct {
    const char *label;
    enum ancestor ancestor;
} ancestors[] = {
    {"trainer", ANCESTOR_TRAINER},
    {"dataset-initializer", ANCESTOR_DATASET_INITIALIZER},
    {"model-initializer", ANCESTOR_MODEL_INITIALIZER},
    {"evaluator", ANCESTOR_NONE},
};

START_TEST(roles_have_an_ancestor)
{
    char runtime[DOCUMENT_SIZE];
    struct front front;

    snprintf(runtime, sizeof(runtime),
             RUNTIME("", ROLE("a", "", LABEL("%s"), "'backoffLimit':0,",
                              "'schedulerName':'volcano','priorityClassName':'high'," POD(
                                  CONTAINER("%s", "")))),
             ancestors[_i].label,
             ancestors[_i].ancestor == ANCESTOR_TRAINER ? "node" : ancestors[_i].label);
    front_open(&front, runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.wishes.roles[0].ancestor, ancestors[_i].ancestor);
    ck_slice_eq(front.wishes.roles[0].ancestor_text, ancestors[_i].label);
    ck_slice_eq(front.wishes.roles[0].name, "a");
    ck_slice_eq(front.wishes.roles[0].scheduler_name, "volcano");
    ck_slice_eq(front.wishes.roles[0].priority_class_name, "high");
    ck_slice_eq(node_string(front.wishes.roles[0].scheduler_name_source), "volcano");
    ck_slice_eq(node_string(front.wishes.roles[0].priority_class_source), "high");
    ck_assert(!front.wishes.roles[0].retries);
    front_close(&front);
}
END_TEST

START_TEST(absent_members_are_unset)
{
    struct front front;

    front_open(&front, RUNTIME("", BARE("a")), TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.wishes.roles[0].ancestor, ANCESTOR_NONE);
    ck_assert(!slice_is_set(front.wishes.roles[0].ancestor_text));
    ck_assert(!slice_is_set(front.wishes.roles[0].scheduler_name));
    ck_assert(!slice_is_set(front.wishes.roles[0].priority_class_name));
    ck_assert_ptr_null(front.wishes.roles[0].scheduler_name_source);
    ck_assert_ptr_null(front.wishes.roles[0].priority_class_source);
    ck_assert(front.wishes.roles[0].retries);
    front_close(&front);
}
END_TEST

/* Amounts under limits alone are missing where the operator sums requests alone. */
static const struct remark not_counted[] = {
    {RUNTIME("", MARKED_ROLE(CONTAINER("node", GPUS))), TRAINJOB(""), GANG_CODE_LIMITS_NOT_COUNTED,
     JOB("0")},
    {RUNTIME("", MARKED_ROLE(CONTAINER("node", REQUESTS("'cpu':1")) "," CONTAINER("b", GPUS))),
     TRAINJOB(""), GANG_CODE_LIMITS_NOT_COUNTED, JOB("0")},
    /* the same resource, requested by one container and only limited in another */
    {RUNTIME("", MARKED_ROLE(CONTAINER("node", BOTH) "," CONTAINER("b", GPUS))), TRAINJOB(""),
     GANG_CODE_LIMITS_NOT_COUNTED, JOB("0")},
    {RUNTIME("", BARE("a") ",@" ROLE("node", "", PLAIN, "", POD(CONTAINER("node", GPUS)))),
     TRAINJOB(""), GANG_CODE_LIMITS_NOT_COUNTED, JOB("1")},
};

START_TEST(the_operator_does_not_count_limits)
{
    check_remark(&not_counted[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
    check_no_remark(&not_counted[_i], COMPATIBILITY_NONE);
}
END_TEST

static const struct remark counted[] = {
    {RUNTIME("", MARKED_ROLE(CONTAINER("node", BOTH))), TRAINJOB(""), GANG_CODE_LIMITS_NOT_COUNTED,
     NULL},
    {RUNTIME("", MARKED_ROLE(CONTAINER("node", REQUESTS("'cpu':1")))), TRAINJOB(""),
     GANG_CODE_LIMITS_NOT_COUNTED, NULL},
    {RUNTIME("", MARKED_ROLE(
                     CONTAINER("node", ",'resources':{'requests':{'cpu':1},'limits':{'cpu':2}}"))),
     TRAINJOB(""), GANG_CODE_LIMITS_NOT_COUNTED, NULL},
    {RUNTIME(ML("'torch':{}"),
             ROLE("node", "", LABEL("trainer"), "", POD(CONTAINER("node", GPUS)))),
     PER_NODE("{'requests':{'nvidia.com/gpu':2}}"), GANG_CODE_LIMITS_NOT_COUNTED, NULL},
};

START_TEST(requests_are_counted)
{
    check_no_remark(&counted[_i], COMPATIBILITY_KUBEFLOW_TRAINER);
}
END_TEST

/* resourcesPerNode that reaches no pod that trains. */
#define DEEPSPEED(policy)                                                                          \
    RUNTIME(ML("'mpi':{" policy "}"), ROLE("node", "", PLAIN, "", NODE_POD) "," ROLE(              \
                                          "launcher", "", LABEL("trainer"), "", NODE_POD))
static const struct remark not_applied[] = {
    {RUNTIME(NO_ML, NODE_ROLE), PER_NODE("@{'requests':{'cpu':3}}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, "spec.trainer.resourcesPerNode"},
    {RUNTIME(ML("'torch':{}"), BARE("node")), PER_NODE("@{'requests':{'cpu':3}}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, "spec.trainer.resourcesPerNode"},
    {RUNTIME(ML("'torch':{}"), ROLE("node", "", LABEL("other"), "", NODE_POD)), PER_NODE("@{}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, "spec.trainer.resourcesPerNode"},
    {DEEPSPEED(""), PER_NODE("@{'requests':{'cpu':3}}"), GANG_CODE_RESOURCES_NOT_APPLIED,
     "spec.trainer.resourcesPerNode"},
};

START_TEST(resources_may_reach_no_node)
{
    check_remark(&not_applied[_i], COMPATIBILITY_NONE, GANG_SEVERITY_WARNING);
    check_remark(&not_applied[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark applied[] = {
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), PER_NODE("{'requests':{'cpu':3}}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, NULL},
    {RUNTIME(ML(""), NODE_ROLE), PER_NODE("{'requests':{'cpu':3}}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, NULL},
    {DEEPSPEED("'runLauncherAsNode':true"), PER_NODE("{'requests':{'cpu':3}}"),
     GANG_CODE_RESOURCES_NOT_APPLIED, NULL},
    {RUNTIME(NO_ML, NODE_ROLE), TRAINJOB(""), GANG_CODE_RESOURCES_NOT_APPLIED, NULL},
};

START_TEST(resources_reach_the_nodes)
{
    check_no_remark(&applied[_i], COMPATIBILITY_NONE);
}
END_TEST

/* ---- pod counts ---- */

#define INITIALIZERS                                                                               \
    ROLE("dataset-initializer", "", LABEL("dataset-initializer"), "",                              \
         POD(CONTAINER("dataset-initializer", "")))                                                \
    "," ROLE("model-initializer", "", LABEL("model-initializer"), "",                              \
             POD(CONTAINER("model-initializer", "")))
#define LAUNCHER(label) ROLE("launcher", "", label, "", NODE_POD)
#define NODE(label) ROLE("node", "", label, "", NODE_POD)
#define MPI_AS_NODE "'mpi':{'runLauncherAsNode':true}"
#define POD_COUNTS_DEEPSPEED NODE(PLAIN) "," LAUNCHER(LABEL("trainer"))

/* What the operator counts, and how many pods there will be, per role. Sources: the plugins of
 * v2.3.0. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *operator_counts;
    const char *counts;
} counted_of_pod_counts[] = {
    /* every source, with numNodes of the trainjob */
    {RUNTIME(NO_ML, NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML(""), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML("'jax':{}"), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML("'xgboost':{}"), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML("'mpi':{}"), NODE_ROLE), NODES("4"), "4", "4"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("4"), "3", "3"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("3"), "2", "2"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("2"), "1", "1"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("1"), "1", "1"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("0"), "1", "1"},
    {RUNTIME(ML(MPI_AS_NODE), NODE_ROLE), NODES("-5"), "1", "1"},
    /* every source, without it: the runtime's numNodes reaches roles labelled trainer */
    {RUNTIME(NO_ML, NODE_ROLE), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML(""), NODE_ROLE), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML("'numNodes':7"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'torch':{}"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'jax':{}"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'xgboost':{}"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'flux':{}"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'mpi':{}"), NODE_ROLE), TRAINJOB(""), "7", "7"},
    {RUNTIME(ML("'numNodes':7,'torch':{}"), NODE(PLAIN)), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML("'numNodes':7,'torch':{}"), NODE(LABEL("other"))), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML("'numNodes':7,'torch':{}"), NODE(PLAIN)), NODES("4"), "1", "1"},
    {RUNTIME(ML("'numNodes':7,'mpi':{}"), NODE(PLAIN)), NODES("4"), "4", "4"},
    /* parallelism counts where the ML policy does not */
    {RUNTIME(ML("'torch':{}"), ROLE("node", "", LABEL("trainer"), "'parallelism':6,", NODE_POD)),
     TRAINJOB(""), "1", "1"},
    {RUNTIME(NO_ML, ROLE("node", "", LABEL("trainer"), "'parallelism':6,", NODE_POD)), TRAINJOB(""),
     "6", "6"},
    {RUNTIME(NO_ML, ROLE("node", "", LABEL("trainer"), "'parallelism':6,", NODE_POD)), NODES("2"),
     "2", "2"},
    {RUNTIME(NO_ML, ROLE("a", "", PLAIN, "'parallelism':0,", NODE_POD)), TRAINJOB(""), "1", "1"},
    {RUNTIME(NO_ML, ROLE("a", "", PLAIN, "'parallelism':-3,", NODE_POD)), TRAINJOB(""), "1", "1"},
    {RUNTIME(NO_ML, ROLE("a", "", PLAIN, "'completions':9,", NODE_POD)), TRAINJOB(""), "1", "1"},
    /* the worked examples of the operator's rules */
    {RUNTIME(ML(MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("4"), "3 1", "3 1"},
    {RUNTIME(ML(MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("1"), "1 1", "1 1"},
    {RUNTIME(ML("'numNodes':4," MPI_AS_NODE), POD_COUNTS_DEEPSPEED), TRAINJOB(""), "1 4", "1 4"},
    {RUNTIME(ML("'mpi':{'runLauncherAsNode':false}"), POD_COUNTS_DEEPSPEED), NODES("4"), "4 1",
     "4 1"},
    {RUNTIME(ML("'mpi':{}"), INITIALIZERS "," LAUNCHER(PLAIN) "," NODE(LABEL("trainer"))),
     NODES("2"), "1 1 1 2", "1 1 1 2"},
    {RUNTIME(NO_ML, NODE_ROLE), NODES("5"), "5", "5"},
    {RUNTIME(NO_ML, ROLE("a", "'replicas':2,", PLAIN, "'parallelism':6,", NODE_POD)), TRAINJOB(""),
     "6", "12"},
    {RUNTIME(ML("'numNodes':0"), NODE_ROLE), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML("'numNodes':-2"), NODE_ROLE), TRAINJOB(""), "1", "1"},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("0"), "0", "0"},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("-1"), "-1", "-1"},
    {RUNTIME(ML("'flux':{}"), NODE_ROLE), NODES("2"), "2", "2"},
    {RUNTIME(ML("'numNodes':2"), ROLE("a", "", LABEL("trainer"), "",
                                      NODE_POD) "," ROLE("b", "", LABEL("trainer"), "", NODE_POD)),
     NODES("5"), "5 2", "5 2"},
    {RUNTIME(ML("'numNodes':100"), INITIALIZERS "," NODE_ROLE), NODES("30"), "1 1 30", "1 1 30"},
    /* replicas */
    {RUNTIME(NO_ML, ROLE("a", "'replicas':1,", PLAIN, "'parallelism':6,", NODE_POD)), TRAINJOB(""),
     "6", "6"},
    {RUNTIME(NO_ML, ROLE("a", "'replicas':0,", PLAIN, "'parallelism':6,", NODE_POD)), TRAINJOB(""),
     "6", "6"},
    {RUNTIME(NO_ML, ROLE("a", "'replicas':3,", LABEL("other"), "", NODE_POD)), TRAINJOB(""), "1",
     "3"},
    {RUNTIME(ML("'mpi':{}"), ROLE("node", "'replicas':2,", PLAIN, "", NODE_POD)), NODES("4"), "4",
     "8"},
};

static const char *
print_counts(char out[128], const struct gang_wishes *wishes, bool of_operator)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < wishes->num_roles; i++)
        len += (size_t)snprintf(
            out + len, 128 - len, "%s%lld", i ? " " : "",
            (long long)(of_operator ? wishes->roles[i].operator_count : wishes->roles[i].count));
    return out;
}

START_TEST(counts_pods)
{
    struct front front;
    char text[128];

    front_open(&front, counted_of_pod_counts[_i].runtime, counted_of_pod_counts[_i].trainjob,
               COMPATIBILITY_NONE);
    ck_assert_str_eq(print_counts(text, &front.wishes, true),
                     counted_of_pod_counts[_i].operator_counts);
    ck_assert_str_eq(print_counts(text, &front.wishes, false), counted_of_pod_counts[_i].counts);
    front_close(&front);
}
END_TEST

/*
 * The operator sets replicas of the three ancestors to one, even if a runtime that skips the
 * webhook has others.
 */
static const char *const ancestors_of_pod_counts[] = {"trainer", "dataset-initializer",
                                                      "model-initializer"};

START_TEST(ancestors_have_one_replica)
{
    char runtime[DOCUMENT_SIZE];
    struct front front;

    snprintf(
        runtime, sizeof(runtime),
        "{'apiVersion':'trainer.kubeflow.org/"
        "v1alpha1','kind':'TrainingRuntime','metadata':{'name':'r','labels':"
        "{'trainer.kubeflow.org/"
        "webhook-validation':'disabled'}},'spec':{'template':{'spec':{'replicatedJobs':["
        "{'name':'a','replicas':5,'template':{'metadata':{'labels':{'trainer.kubeflow.org/"
        "trainjob-ancestor-step'"
        ":'%s'}},'spec':{'parallelism':3,'template':{'spec':{'containers':[{'name':'c'}]}}}}}]}}}}",
        ancestors_of_pod_counts[_i]);
    front_open(&front, runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.wishes.roles[0].operator_count, 3);
    ck_assert_int_eq(front.wishes.roles[0].count, 3);
    front_close(&front);
}
END_TEST

/* Findings that do not depend on the mode. */
static const struct remark warned[] = {
    {RUNTIME(ML(MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("@1"), GANG_CODE_LAUNCHER_NODE_MINIMUM,
     "spec.trainer.numNodes"},
    {RUNTIME(ML("'numNodes':@4," MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("2"),
     GANG_CODE_LAUNCHER_SCALED, "spec.mlPolicy.numNodes"},
    {RUNTIME(ML("'numNodes':@2,'mpi':{}"), POD_COUNTS_DEEPSPEED), TRAINJOB(""),
     GANG_CODE_LAUNCHER_SCALED, "spec.mlPolicy.numNodes"},
    {RUNTIME(NO_ML, ROLE("a", "", LABEL("trainer"), "'completions':@4,", NODE_POD)), NODES("2"),
     GANG_CODE_COMPLETIONS_OVERWRITTEN, JOB("0") ".template.spec.completions"},
    {RUNTIME(NO_ML, ROLE("a", "", LABEL("trainer"), "'completions':@4,'parallelism':2,", NODE_POD)),
     TRAINJOB(""), GANG_CODE_COMPLETIONS_OVERWRITTEN, JOB("0") ".template.spec.completions"},
    {RUNTIME(ML("'numNodes':2"), NODE_ROLE "," ROLE("b", "", LABEL("trainer"), "", NODE_POD)),
     NODES("@5"), GANG_CODE_SECOND_TRAINER_KEEPS_COUNT, "spec.trainer.numNodes"},
};

START_TEST(warns_in_both_modes)
{
    check_remark(&warned[_i], COMPATIBILITY_NONE, GANG_SEVERITY_WARNING);
    check_remark(&warned[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

/* One step away from a warning. */
static const struct remark unwarned[] = {
    {RUNTIME(ML(MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("2"), GANG_CODE_LAUNCHER_NODE_MINIMUM,
     NULL},
    {RUNTIME(ML("'mpi':{}"), POD_COUNTS_DEEPSPEED), NODES("1"), GANG_CODE_LAUNCHER_NODE_MINIMUM,
     NULL},
    {RUNTIME(ML(MPI_AS_NODE), POD_COUNTS_DEEPSPEED), TRAINJOB(""), GANG_CODE_LAUNCHER_NODE_MINIMUM,
     NULL},
    {RUNTIME(ML("'numNodes':1," MPI_AS_NODE), POD_COUNTS_DEEPSPEED), NODES("2"),
     GANG_CODE_LAUNCHER_SCALED, NULL},
    {RUNTIME(ML("'numNodes':4," MPI_AS_NODE), LAUNCHER(PLAIN) "," NODE(LABEL("trainer"))),
     NODES("2"), GANG_CODE_LAUNCHER_SCALED, NULL},
    {RUNTIME(ML("'numNodes':4,'torch':{}"), ROLE("other", "", LABEL("trainer"), "", NODE_POD)),
     NODES("2"), GANG_CODE_LAUNCHER_SCALED, NULL},
    {RUNTIME(NO_ML, ROLE("a", "", LABEL("trainer"), "'completions':2,", NODE_POD)), NODES("2"),
     GANG_CODE_COMPLETIONS_OVERWRITTEN, NULL},
    {RUNTIME(ML("'numNodes':2"), NODE_ROLE "," ROLE("b", "", LABEL("trainer"), "", NODE_POD)),
     TRAINJOB(""), GANG_CODE_SECOND_TRAINER_KEEPS_COUNT, NULL},
    {RUNTIME(ML("'mpi':{}"), NODE_ROLE "," ROLE("b", "", LABEL("trainer"), "", NODE_POD)),
     NODES("5"), GANG_CODE_SECOND_TRAINER_KEEPS_COUNT, NULL},
    {RUNTIME(NO_ML, ROLE("a", "'replicas':2,", LABEL("other"), "", NODE_POD) "," NODE_ROLE),
     NODES("2"), GANG_CODE_REPLICAS_IGNORED, NULL},
};

START_TEST(valid_roles_report_nothing)
{
    check_no_remark(&unwarned[_i], COMPATIBILITY_NONE);
}
END_TEST

/* Errors by default, warnings where the operator's behaviour is asked for. */
static const struct remark judged[] = {
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("@0"), GANG_CODE_NUM_NODES_NOT_POSITIVE,
     "spec.trainer.numNodes"},
    {RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("@-1"), GANG_CODE_NUM_NODES_NOT_POSITIVE,
     "spec.trainer.numNodes"},
    {RUNTIME(ML("'numNodes':@0"), NODE_ROLE), TRAINJOB(""), GANG_CODE_NUM_NODES_NOT_POSITIVE,
     "spec.mlPolicy.numNodes"},
    {RUNTIME(ML("'numNodes':@-7"), NODE_ROLE), TRAINJOB(""), GANG_CODE_NUM_NODES_NOT_POSITIVE,
     "spec.mlPolicy.numNodes"},
    {RUNTIME(NO_ML, NODE_ROLE "," ROLE("a", "", PLAIN, "'parallelism':@0,", NODE_POD)),
     TRAINJOB(""), GANG_CODE_NUM_NODES_NOT_POSITIVE, JOB("1") ".template.spec.parallelism"},
    {RUNTIME(NO_ML, NODE_ROLE "," ROLE("a", "", PLAIN, "'parallelism':@-1,", NODE_POD)),
     TRAINJOB(""), GANG_CODE_NUM_NODES_NOT_POSITIVE, JOB("1") ".template.spec.parallelism"},
    {RUNTIME(NO_ML, "@" NODE_ROLE), NODES("1000001"), GANG_CODE_LIMIT_COUNT_VALUE, JOB("0")},
};

START_TEST(severity_by_mode)
{
    check_remark(&judged[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&judged[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

START_TEST(replicas_are_ignored_by_the_operator_alone)
{
    static const struct remark ignored = {
        RUNTIME(NO_ML, ROLE("a", "'replicas':@2,", PLAIN, "'parallelism':6,", NODE_POD)),
        TRAINJOB(""), GANG_CODE_REPLICAS_IGNORED, JOB("0") ".replicas"};

    check_remark(&ignored, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

START_TEST(overflow_is_an_error_in_every_mode)
{
    static const struct remark overflow = {
        RUNTIME(NO_ML,
                "@" ROLE("a", "'replicas':2,", PLAIN, "'parallelism':1073741824,", NODE_POD)),
        TRAINJOB(""), GANG_CODE_PODS_OVERFLOW, JOB("0")};

    check_remark(&overflow, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&overflow, COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_ERROR);
}
END_TEST

/* A context that allows ten pods per role. */
static const struct {
    int nodes;
    bool passes;
} around_limit[] = {{9, true}, {10, true}, {11, false}};

START_TEST(count_limit_is_that_of_the_context)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_decision *decision = NULL;
    struct front_place unused;
    struct front front;
    char number[DOCUMENT_SIZE];
    char trainjob[DOCUMENT_SIZE];
    struct gang_trainjob *job = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_COUNT_VALUE, 10), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    front_open(&front, RUNTIME(ML("'torch':{}"), NODE_ROLE), NODES("4"), COMPATIBILITY_NONE);
    snprintf(number, sizeof(number), TRAINJOB(TRAINER("'numNodes':%d")), around_limit[_i].nodes);
    front_text(trainjob, number, &unused);
    ck_assert_int_eq(parse_trainjob(NULL, trainjob, strlen(trainjob), 0, &job, NULL), GANG_OK);
    ck_assert_int_eq(
        resolve_trainjob_with(context, front.runtime, job, NULL, NULL, 0, &decision, NULL),
        around_limit[_i].passes ? GANG_OK : GANG_ERROR_INVALID);
    gang_decision_unref(decision);
    unref_trainjob(job);
    gang_context_unref(context);
    front_close(&front);
}
END_TEST

/* ---- resources per node ---- */

#define CPU1 REQUESTS("'cpu':1")
#define NODE_OF(containers) ROLE("node", "", LABEL("trainer"), "", POD(containers))
#define MPI_NODE ROLE("node", "", PLAIN, "", POD(CONTAINER("node", CPU1)))
#define MPI_LAUNCHER ROLE("launcher", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))
#define RESOURCES_PER_NODE_PER_NODE(members) TRAINJOB(TRAINER("'resourcesPerNode':{" members "}"))
#define REQUEST(amounts) "'requests':{" amounts "}"
#define LIMIT(amounts) "'limits':{" amounts "}"

/*
 * One pod's requests per role, joined by a space: as the operator sums them, and with limits
 * standing in for missing requests. Source: pkg/runtime/core/trainingruntime.go
 * newRuntimeInfo@v2.3.0.
 */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *operator_requests;
    const char *requests;
} merged[] = {
    /* per key, the trainjob wins */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'memory':'1Gi'")), "cpu=1,memory=1Gi",
     "cpu=1,memory=1Gi"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", REQUESTS("'cpu':1,'memory':'2Gi'")))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'memory':'1Gi','nvidia.com/gpu':2")),
     "cpu=1,memory=1Gi,nvidia.com/gpu=2", "cpu=1,memory=1Gi,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':0")), "cpu=0", "cpu=0"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("")), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))), RESOURCES_PER_NODE_PER_NODE(""),
     "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", ""))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    /* limits and requests stay apart */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(LIMIT("'nvidia.com/gpu':4")), "cpu=1", "cpu=1,nvidia.com/gpu=4"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(LIMIT("'cpu':4")), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'cpu':4")))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':2")), "cpu=2", "cpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':4,'memory':'16Gi'")), "cpu=4,memory=16Gi",
     "cpu=4,memory=16Gi,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':4,'nvidia.com/gpu':2")), "cpu=4,nvidia.com/gpu=2",
     "cpu=4,nvidia.com/gpu=2"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", LIMITS("'nvidia.com/gpu':2")))),
     RESOURCES_PER_NODE_PER_NODE(LIMIT("'nvidia.com/gpu':8")), "", "nvidia.com/gpu=8"},
    /* only the container `node`, and no init container */
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("log", CPU1) "," CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=4", "cpu=4"},
    {RUNTIME(ML("'torch':{}"),
             ROLE("a", "", LABEL("trainer"), "",
                  "'initContainers':[" CONTAINER("x", REQUESTS("'cpu':2")) "]," POD(
                      CONTAINER("node", CPU1)))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'memory':'1Gi'")), "cpu=2,memory=1Gi",
     "cpu=2,memory=1Gi"},
    /* only roles labelled trainer */
    {RUNTIME(ML("'torch':{}"), ROLE("node", "", PLAIN, "", POD(CONTAINER("node", CPU1)))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'torch':{}"), ROLE("a", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1)) "," ROLE(
                                   "b", "", LABEL("trainer"), "", POD(CONTAINER("node", CPU1)))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3 cpu=3", "cpu=3 cpu=3"},
    /* every source of the ML policy; none at all */
    {RUNTIME(ML(""), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'jax':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'xgboost':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(ML("'flux':{}"), NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3", "cpu=3"},
    {RUNTIME(NO_ML, NODE_OF(CONTAINER("node", CPU1))),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1", "cpu=1"},
    {RUNTIME(ML("'mpi':{}"), MPI_NODE "," MPI_LAUNCHER),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML("'mpi':{'runLauncherAsNode':false}"), MPI_NODE "," MPI_LAUNCHER),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE), MPI_NODE "," MPI_LAUNCHER),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=3 cpu=3", "cpu=3 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE),
             ROLE("worker", "", PLAIN, "", POD(CONTAINER("node", CPU1))) "," MPI_LAUNCHER),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
    {RUNTIME(ML(MPI_AS_NODE),
             ROLE("node", "", PLAIN, "", POD(CONTAINER("worker", CPU1))) "," MPI_LAUNCHER),
     RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3")), "cpu=1 cpu=3", "cpu=1 cpu=3"},
};

static const char *
print_requests(char out[512], const struct gang_wishes *wishes)
{
    struct resources_text text;
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < wishes->num_roles; i++)
        len += (size_t)snprintf(out + len, 512 - len, "%s%s", i ? " " : "",
                                resources_print(&text, &wishes->roles[i].requests));
    return out;
}

START_TEST(operator_counts_requests)
{
    struct front front;
    char text[512];

    front_open(&front, merged[_i].runtime, merged[_i].trainjob, COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_str_eq(print_requests(text, &front.wishes), merged[_i].operator_requests);
    front_close(&front);
}
END_TEST

START_TEST(limits_replace_missing_requests_by_default)
{
    struct front front;
    char text[512];

    front_open(&front, merged[_i].runtime, merged[_i].trainjob, COMPATIBILITY_NONE);
    ck_assert_str_eq(print_requests(text, &front.wishes), merged[_i].requests);
    front_close(&front);
}
END_TEST

/*
 * Other containers than `node` keep their requests, and the runtime is not changed: a second
 * trainjob starts from it.
 */
START_TEST(runtime_is_not_changed)
{
    const char *runtime = RUNTIME(ML("'torch':{}"), NODE_OF(CONTAINER("node", CPU1)));
    struct resources_text text;
    struct front front;

    front_open(&front, runtime, RESOURCES_PER_NODE_PER_NODE(REQUEST("'cpu':3,'memory':'1Gi'")),
               COMPATIBILITY_NONE);
    ck_assert_str_eq(resources_print(&text, &front.wishes.roles[0].requests), "cpu=3,memory=1Gi");
    ck_assert_str_eq(
        resources_print(&text, &front.runtime->jobset.jobs[0].sums[POD_REQUESTS_ONLY].requests),
        "cpu=1");
    ck_assert_uint_eq(front.runtime->jobset.jobs[0].resources.containers[0].requests.count, 1);
    front_close(&front);
}
END_TEST

static const struct {
    const char *name;
    bool is_trainer;
    bool has_policy;
    bool launcher_is_node;
    bool reaches;
    struct trainer_job release;
} reach[] = {
    {"node", true, true, false, true, {0}},
    {"node", false, true, false, false, {0}},
    {"node", false, true, true, true, {0}},
    {"other", true, true, true, true, {0}},
    {"other", false, true, true, false, {0}},
    {"other", true, true, false, true, {0}},
    {"node", true, false, false, false, {0}},
    {"node", false, false, false, false, {0}},
    {"node", true, false, false, true, {.needs_no_policy = true}},
    {"node", false, false, false, false, {.needs_no_policy = true}},
    {"node", true, true, true, true, {.leaves_nodes_out = true}},
    {"node", false, true, true, false, {.leaves_nodes_out = true}},
};

START_TEST(resources_reach_trainers_and_nodes)
{
    struct front front;
    struct trainer_job job = reach[_i].release;
    struct gang_runtime runtime = {.meta.name = SLICE_INIT("r")};
    struct replicated_job replicated;

    front_open(&front, RUNTIME(ML(""), NODE_ROLE), TRAINJOB(""), COMPATIBILITY_NONE);
    replicated = front.job.jobset.jobs[0];
    replicated.name = slice_from_text(reach[_i].name);
    runtime.ml_policy = (struct ml_policy){
        .source_node = reach[_i].has_policy ? front.runtime->ml_policy.source_node : NULL,
        .launcher_is_node = reach[_i].launcher_is_node};
    job.runtime = &runtime;
    ck_assert_int_eq(resources_per_node_reach(&job, &replicated, reach[_i].is_trainer),
                     reach[_i].reaches);
    front_close(&front);
}
END_TEST

static const struct remark overflow = {
    RUNTIME(ML("'torch':{}"),
            NODE_OF(CONTAINER("node", "") "," CONTAINER("b", REQUESTS("'cpu':'9E'")))),
    TRAINJOB(TRAINER("'resourcesPerNode':@{'requests':{'cpu':'1E'}}")), GANG_CODE_QUANTITY_OVERFLOW,
    "spec.trainer.resourcesPerNode"};

START_TEST(overflow_is_the_trainjobs)
{
    check_remark(&overflow, COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, roles_wait_for_roles, orders, runtime);
    add_rows(cases, roles_have_an_ancestor, ancestors, label, ancestor);
    tcase_add_test(cases, absent_members_are_unset);
    add_rows(cases, the_operator_does_not_count_limits, not_counted, runtime, trainjob);
    add_rows(cases, requests_are_counted, counted, runtime, trainjob);
    add_rows(cases, resources_may_reach_no_node, not_applied, runtime, trainjob);
    add_rows(cases, resources_reach_the_nodes, applied, runtime, trainjob);
    add_rows(cases, counts_pods, counted_of_pod_counts, runtime, trainjob);
    add_items(cases, ancestors_have_one_replica, ancestors_of_pod_counts);
    add_rows(cases, warns_in_both_modes, warned, runtime, trainjob);
    add_rows(cases, valid_roles_report_nothing, unwarned, runtime, trainjob);
    add_rows(cases, severity_by_mode, judged, runtime, trainjob);
    tcase_add_test(cases, replicas_are_ignored_by_the_operator_alone);
    tcase_add_test(cases, overflow_is_an_error_in_every_mode);
    add_rows(cases, count_limit_is_that_of_the_context, around_limit, nodes);
    add_rows(cases, operator_counts_requests, merged, runtime, trainjob);
    add_rows(cases, limits_replace_missing_requests_by_default, merged, runtime, trainjob);
    tcase_add_test(cases, runtime_is_not_changed);
    add_rows(cases, resources_reach_trainers_and_nodes, reach, name, is_trainer, has_policy);
    tcase_add_test(cases, overflow_is_the_trainjobs);
}
