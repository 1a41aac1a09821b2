/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_job.h"

#include "unit/front.h"

#define QUEUE(value) "'annotations':{'scheduling.volcano.sh/queue-name':'" value "'}"
#define QUEUE_KEY SLICE("scheduling.volcano.sh/queue-name")
#define RUNTIME_OF(metadata)                                                                                 \
    "{'apiVersion':'trainer.kubeflow.org/"                                                                   \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'," QUEUE(                            \
        "never") "},'spec':{'template':{" metadata "'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}"
#define TEMPLATE(metadata) "'metadata':{" metadata "},"

/* Later patches win over earlier ones, and those over the runtime. Source: newRuntimeInfo@v2.3.0. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *values; /* the one in force first, each with a space behind */
} annotations[] = {
    {RUNTIME_OF(""), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE("")), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(""), "r "},
    {RUNTIME_OF(""), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")))), "1 "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")))), "1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")) "," PATCH_METADATA("y", QUEUE("2")))), "2 1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")) "," PATCH_METADATA("y", QUEUE("2")) "," PATCH_METADATA(
         "z", "'annotations':{'other':'o'}"))),
     "2 1 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_JOBS("x", "{'name':'node'}") "," PATCH_METADATA("y", QUEUE("2")))), "2 r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))),
     TRAINJOB(PATCHES(PATCH_METADATA("x", "'labels':{'scheduling.volcano.sh/queue-name':'1'}"))), "r "},
    {RUNTIME_OF(TEMPLATE("'labels':{'scheduling.volcano.sh/queue-name':'l'}")), TRAINJOB(""), ""},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("")))), " r "},
    {RUNTIME_OF(TEMPLATE(QUEUE("r"))), TRAINJOB(PATCHES("{'manager':'m.io/x'}")), "r "},
};

START_TEST(annotations_have_an_order)
{
    struct front front;
    const char *values = "";

    front_open(&front, annotations[_i].runtime, annotations[_i].trainjob, COMPATIBILITY_NONE);
    for (size_t i = 0; trainer_job_annotation(&front.job, QUEUE_KEY, i); i++) {
        struct slice value = node_string(trainer_job_annotation(&front.job, QUEUE_KEY, i));

        values = arena_format(front.arena, "%s%.*s ", values, SLICE_ARG(value));
    }
    ck_assert_str_eq(values, annotations[_i].values);
    front_close(&front);
}
END_TEST

START_TEST(without_a_patch_of_the_spec_nothing_is_read_again)
{
    struct front front;

    front_open(&front, RUNTIME_OF(""), TRAINJOB(PATCHES(PATCH_METADATA("x", QUEUE("1")))),
               COMPATIBILITY_NONE);
    ck_assert_ptr_eq(front.job.jobset.jobs, front.runtime->jobset.jobs);
    front_close(&front);
}
END_TEST

/* Labels of a patch decide which role trains: numNodes applies to it. */
START_TEST(a_patch_may_label_a_role)
{
    struct front front;

    front_open(&front, RUNTIME("", ROLE("a", "", PLAIN, "", NODE_POD)),
               TRAINJOB(TRAINER("'numNodes':5") PATCHES(
                   PATCH_JOBS("x", "{'name':'a','template':{'metadata':{'labels':{"
                                   "'trainer.kubeflow.org/trainjob-ancestor-step':'trainer'}}}}"))),
               COMPATIBILITY_NONE);
    ck_assert_int_eq(front.gang.roles[0].count, 5);
    ck_assert_int_eq(front.gang.roles[0].ancestor, ANCESTOR_TRAINER);
    ck_assert_uint_eq(front.runtime->jobset.count, 1);
    front_close(&front);
}
END_TEST

/* A role that the runtime does not have is added in front, with one pod. */
START_TEST(a_patch_may_add_a_role)
{
    struct front front;

    front_open(&front, RUNTIME(ML("'torch':{}"), NODE_ROLE),
               TRAINJOB(TRAINER("'numNodes':5") PATCHES(PATCH_JOBS("x", "{'name':'extra'}"))),
               COMPATIBILITY_KUBEFLOW_TRAINER);
    ck_assert_uint_eq(front.gang.num_roles, 2);
    ck_slice_eq(front.gang.roles[0].name, "extra");
    ck_assert_int_eq(front.gang.roles[0].operator_count, 1);
    ck_slice_eq(front.gang.roles[1].name, "node");
    ck_assert_int_eq(front.gang.roles[1].operator_count, 5);
    ck_assert_uint_eq(front.runtime->jobset.count, 1);
    front_close(&front);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, annotations_have_an_order, 0, COUNT_OF(annotations));
    tcase_add_test(cases, without_a_patch_of_the_spec_nothing_is_read_again);
    tcase_add_test(cases, a_patch_may_label_a_role);
    tcase_add_test(cases, a_patch_may_add_a_role);
}
