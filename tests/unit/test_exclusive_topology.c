/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/trainer/trainer.h"

#include "unit/suite.h"
#include "unit/front.h"
#include "unit/typed.h"

#define KEY "'alpha.jobset.sigs.k8s.io/exclusive-topology':"
#define EXCLUSIVE "'annotations':{" KEY "'rack'}"
#define SELECTED "'annotations':{" KEY "'rack','alpha.jobset.sigs.k8s.io/node-selector':''}"
#define WITH_METADATA(metadata, jobs)                                                              \
    "{'apiVersion':'trainer.kubeflow.org/v1alpha1','kind':'ClusterTrainingRuntime',"               \
    "'metadata':{'name':'tune'},'spec':{'mlPolicy':{'numNodes':1,'torch':{}},"                     \
    "'podGroupPolicy':{'volcano':{}},'template':{'metadata':{" metadata                            \
    "},'spec':{'replicatedJobs':[" jobs "]}}}}"
#define ANNOTATED(name, ahead, spec)                                                               \
    ROLE(name, ahead, "'metadata':{" EXCLUSIVE "},", spec, POD(CONTAINER("node", "")))
#define UNLABELLED(name, ahead, spec) ROLE(name, ahead, PLAIN, spec, POD(CONTAINER("node", "")))

/* The numbers of the first wave of each role, in order; `-`: all pods are created at once. */
static const struct {
    const char *runtime;
    const char *trainjob;
    const char *first;
} waves[] = {
    {WITH_METADATA("", NODE_ROLE), NODES("4"), "-"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE), NODES("4"), "1"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE), NODES("1"), "-"},
    {WITH_METADATA(SELECTED, NODE_ROLE), NODES("4"), "-"},
    /* every Job of the JobSet, one pod each */
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "'replicas':3,", "'parallelism':4,") "," NODE_ROLE),
     NODES("2"), "3 1"},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "'replicas':3,", "") "," NODE_ROLE), NODES("2"),
     "- 1"},
    /* one role of the JobSet */
    {WITH_METADATA("", ANNOTATED("a", "'replicas':3,", "'parallelism':4,") "," NODE_ROLE),
     NODES("2"), "3 -"},
    /* a patch of the trainjob sets it, or takes it away by the selector */
    {WITH_METADATA("", NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(PATCH_METADATA("p", EXCLUSIVE))), "1"},
    {WITH_METADATA(EXCLUSIVE, NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(PATCH_METADATA("p", SELECTED))), "-"},
    {WITH_METADATA("", NODE_ROLE),
     TRAINJOB(TRAINER("'numNodes':4") PATCHES(
         PATCH_JOBS("p", "{'name':'node','template':{'metadata':{" EXCLUSIVE "}}}"))),
     "1"},
};

static const char *
first_waves(const struct front *front)
{
    const char *text = "";

    for (size_t i = 0; i < front->wishes.num_roles; i++) {
        long long first = (long long)front->wishes.roles[i].first_count;

        text = arena_format(front->arena, "%s%s%s", text, i ? " " : "",
                            first ? arena_format(front->arena, "%lld", first) : "-");
    }
    return text;
}

START_TEST(a_job_creates_one_pod_first)
{
    struct front front;

    front_open(&front, waves[_i].runtime, waves[_i].trainjob, COMPATIBILITY_NONE);
    ck_assert_str_eq(first_waves(&front), waves[_i].first);
    front_close(&front);
}
END_TEST

#define AT_TEMPLATE "'annotations':{" KEY "@'rack'}"

#define PATCHED(one, between, other)                                                               \
    TRAINJOB(TRAINER("'numNodes':4")                                                               \
                 PATCHES(PATCH_METADATA("p", one) "," between PATCH_METADATA("q", other)))
#define AT_PATCH(index)                                                                            \
    "spec.runtimePatches[" index "].trainingRuntimeSpec.template.metadata.annotations["            \
    "alpha.jobset.sigs.k8s.io/exclusive-topology]"

static const struct remark told[] = {
    {WITH_METADATA(AT_TEMPLATE, NODE_ROLE), NODES("4"), GANG_CODE_EXCLUSIVE_TOPOLOGY,
     "spec.template.metadata.annotations[alpha.jobset.sigs.k8s.io/exclusive-topology]"},
    /* the last patch sets it, wherever it is in the text */
    {WITH_METADATA("", NODE_ROLE), PATCHED(EXCLUSIVE, " ", AT_TEMPLATE),
     GANG_CODE_EXCLUSIVE_TOPOLOGY, AT_PATCH("1")},
    {WITH_METADATA("", NODE_ROLE), PATCHED(EXCLUSIVE, "\n", AT_TEMPLATE),
     GANG_CODE_EXCLUSIVE_TOPOLOGY, AT_PATCH("1")},
    /* that of the role has precedence over those of the JobSet */
    {WITH_METADATA("", ROLE("a", "'replicas':3,", "'metadata':{" AT_TEMPLATE "},",
                            "'parallelism':4,", POD(CONTAINER("node", "")))),
     PATCHED(EXCLUSIVE, " ", EXCLUSIVE), GANG_CODE_EXCLUSIVE_TOPOLOGY,
     "spec.template.spec.replicatedJobs[0].template.metadata.annotations[alpha.jobset.sigs.k8s.io/"
     "exclusive-topology]"},
};

START_TEST(is_told_and_warned_of_in_compatibility)
{
    check_remark(&told[_i], COMPATIBILITY_NONE, GANG_SEVERITY_INFO);
    check_remark(&told[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark refused[] = {
    {WITH_METADATA(EXCLUSIVE,
                   UNLABELLED("a", "", "'completionMode':@'NonIndexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED,
     "spec.template.spec.replicatedJobs[0].template.spec.completionMode"},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "", "'completionMode':@'NonIndexed',")), TRAINJOB(""),
     GANG_CODE_EXCLUSIVE_NOT_INDEXED,
     "spec.template.spec.replicatedJobs[0].template.spec.completionMode"},
};

START_TEST(pods_without_an_index_are_refused)
{
    check_remark(&refused[_i], COMPATIBILITY_NONE, GANG_SEVERITY_ERROR);
    check_remark(&refused[_i], COMPATIBILITY_KUBEFLOW_TRAINER, GANG_SEVERITY_WARNING);
}
END_TEST

static const struct remark silent[] = {
    {WITH_METADATA("", UNLABELLED("a", "", "'completionMode':'NonIndexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED, NULL},
    {WITH_METADATA(EXCLUSIVE, UNLABELLED("a", "", "'completionMode':'Indexed','parallelism':4,")),
     TRAINJOB(""), GANG_CODE_EXCLUSIVE_NOT_INDEXED, NULL},
};

START_TEST(other_jobs_need_no_index)
{
    check_no_remark(&silent[_i], COMPATIBILITY_NONE);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_job_creates_one_pod_first, waves, runtime, trainjob);
    add_rows(cases, is_told_and_warned_of_in_compatibility, told, runtime);
    add_rows(cases, pods_without_an_index_are_refused, refused, runtime);
    add_rows(cases, other_jobs_need_no_index, silent, runtime);
}
