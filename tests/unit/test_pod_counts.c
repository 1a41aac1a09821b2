/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_sets.h"

#include "unit/front.h"
#include "unit/typed.h"

#define JOB(index) "spec.template.spec.replicatedJobs[" index "]"
#define INITIALIZERS                                                                               \
    ROLE("dataset-initializer", "", LABEL("dataset-initializer"), "",                              \
         POD(CONTAINER("dataset-initializer", "")))                                                \
    "," ROLE("model-initializer", "", LABEL("model-initializer"), "",                              \
             POD(CONTAINER("model-initializer", "")))
#define LAUNCHER(label) ROLE("launcher", "", label, "", NODE_POD)
#define NODE(label) ROLE("node", "", label, "", NODE_POD)
#define MPI_AS_NODE "'mpi':{'runLauncherAsNode':true}"
#define DEEPSPEED NODE(PLAIN) "," LAUNCHER(LABEL("trainer"))

/* What the operator counts, and how many pods there will be, per role. Sources: the plugins of
 * v2.3.0. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *operator_counts;
    const char *counts;
} counted[] = {
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
    {RUNTIME(ML(MPI_AS_NODE), DEEPSPEED), NODES("4"), "3 1", "3 1"},
    {RUNTIME(ML(MPI_AS_NODE), DEEPSPEED), NODES("1"), "1 1", "1 1"},
    {RUNTIME(ML("'numNodes':4," MPI_AS_NODE), DEEPSPEED), TRAINJOB(""), "1 4", "1 4"},
    {RUNTIME(ML("'mpi':{'runLauncherAsNode':false}"), DEEPSPEED), NODES("4"), "4 1", "4 1"},
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
print_counts(char out[128], const struct gang *gang, bool of_operator)
{
    size_t len = 0;

    out[0] = '\0';
    for (size_t i = 0; i < gang->num_roles; i++)
        len += (size_t)snprintf(
            out + len, 128 - len, "%s%lld", i ? " " : "",
            (long long)(of_operator ? gang->roles[i].operator_count : gang->roles[i].count));
    return out;
}

START_TEST(counts_pods)
{
    struct front front;
    char text[128];

    front_open(&front, counted[_i].runtime, counted[_i].trainjob, COMPATIBILITY_NONE);
    ck_assert_str_eq(print_counts(text, &front.gang, true), counted[_i].operator_counts);
    ck_assert_str_eq(print_counts(text, &front.gang, false), counted[_i].counts);
    front_close(&front);
}
END_TEST

/* The operator sets replicas of the three ancestors to one, whatever a runtime that skips the
 * webhook says. */
static const char *const ancestors[] = {"trainer", "dataset-initializer", "model-initializer"};

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
        ancestors[_i]);
    front_open(&front, runtime, TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.gang.roles[0].operator_count, 3);
    ck_assert_int_eq(front.gang.roles[0].count, 3);
    front_close(&front);
}
END_TEST

/* Findings that do not depend on the mode. */
static const struct remark warned[] = {
    {RUNTIME(ML(MPI_AS_NODE), DEEPSPEED), NODES("@1"), GANG_CODE_LAUNCHER_NODE_MINIMUM,
     "spec.trainer.numNodes"},
    {RUNTIME(ML("'numNodes':@4," MPI_AS_NODE), DEEPSPEED), NODES("2"), GANG_CODE_LAUNCHER_SCALED,
     "spec.mlPolicy.numNodes"},
    {RUNTIME(ML("'numNodes':@2,'mpi':{}"), DEEPSPEED), TRAINJOB(""), GANG_CODE_LAUNCHER_SCALED,
     "spec.mlPolicy.numNodes"},
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
    {RUNTIME(ML(MPI_AS_NODE), DEEPSPEED), NODES("2"), GANG_CODE_LAUNCHER_NODE_MINIMUM, NULL},
    {RUNTIME(ML("'mpi':{}"), DEEPSPEED), NODES("1"), GANG_CODE_LAUNCHER_NODE_MINIMUM, NULL},
    {RUNTIME(ML(MPI_AS_NODE), DEEPSPEED), TRAINJOB(""), GANG_CODE_LAUNCHER_NODE_MINIMUM, NULL},
    {RUNTIME(ML("'numNodes':1," MPI_AS_NODE), DEEPSPEED), NODES("2"), GANG_CODE_LAUNCHER_SCALED,
     NULL},
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

START_TEST(keeps_quiet)
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

START_TEST(judges_by_mode)
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

void
add_tests(TCase *cases)
{
    add_rows(cases, counts_pods, counted, runtime, trainjob);
    add_items(cases, ancestors_have_one_replica, ancestors);
    add_rows(cases, warns_in_both_modes, warned, runtime, trainjob);
    add_rows(cases, keeps_quiet, unwarned, runtime, trainjob);
    add_rows(cases, judges_by_mode, judged, runtime, trainjob);
    tcase_add_test(cases, replicas_are_ignored_by_the_operator_alone);
    tcase_add_test(cases, overflow_is_an_error_in_every_mode);
    add_rows(cases, count_limit_is_that_of_the_context, around_limit, nodes);
}
