/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer_gang.h"

#include "unit/front.h"

#define QUEUE(value) "'annotations':{'scheduling.volcano.sh/queue-name':'" value "'}"
#define RUNTIME_OF(metadata)                                                                       \
    "{'apiVersion':'trainer.kubeflow.org/"                                                         \
    "v1alpha1','kind':'ClusterTrainingRuntime','metadata':{'name':'tune'," QUEUE(                  \
        "never") "},'spec':{'template':{" metadata "'spec':{'replicatedJobs':[" NODE_ROLE "]}}}}"

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
    tcase_add_test(cases, without_a_patch_of_the_spec_nothing_is_read_again);
    tcase_add_test(cases, a_patch_may_label_a_role);
    tcase_add_test(cases, a_patch_may_add_a_role);
}
