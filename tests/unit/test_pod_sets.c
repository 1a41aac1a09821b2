/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/pod_sets.h"

#include "unit/front.h"

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
    for (size_t i = 0; i < front.gang.num_roles; i++) {
        const struct role *role = &front.gang.roles[i];

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
    ck_assert_int_eq(front.gang.roles[0].ancestor, ancestors[_i].ancestor);
    ck_slice_eq(front.gang.roles[0].ancestor_text, ancestors[_i].label);
    ck_slice_eq(front.gang.roles[0].name, "a");
    ck_slice_eq(front.gang.roles[0].scheduler_name, "volcano");
    ck_slice_eq(front.gang.roles[0].priority_class_name, "high");
    ck_slice_eq(node_string(front.gang.roles[0].scheduler_name_source), "volcano");
    ck_slice_eq(node_string(front.gang.roles[0].priority_class_source), "high");
    ck_assert(!front.gang.roles[0].retries);
    front_close(&front);
}
END_TEST

START_TEST(absent_members_are_unset)
{
    struct front front;

    front_open(&front, RUNTIME("", BARE("a")), TRAINJOB(""), COMPATIBILITY_NONE);
    ck_assert_int_eq(front.gang.roles[0].ancestor, ANCESTOR_NONE);
    ck_assert(!slice_is_set(front.gang.roles[0].ancestor_text));
    ck_assert(!slice_is_set(front.gang.roles[0].scheduler_name));
    ck_assert(!slice_is_set(front.gang.roles[0].priority_class_name));
    ck_assert_ptr_null(front.gang.roles[0].scheduler_name_source);
    ck_assert_ptr_null(front.gang.roles[0].priority_class_source);
    ck_assert(front.gang.roles[0].retries);
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
}
