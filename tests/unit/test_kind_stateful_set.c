/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"

#define STATEFUL_SET(metadata, spec)                                                               \
    "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'s'" metadata                 \
    "},'spec':{'selector':{}," spec JOB_TEMPLATE "}}"
#define NAMED_52(more, spec)                                                                       \
    "{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'"                            \
    "abcdefghijklmnopqrstuvwxyz-abcdefghijklmnopqrstuvwxy" more                                    \
    "'},'spec':{'selector':{}," spec JOB_TEMPLATE "}}"
#define PARALLEL "'podManagementPolicy':'Parallel',"

static const struct job_reading readings[] = {
    {STATEFUL_SET("", PARALLEL "'replicas':4,"), "main 4", "", NULL},
    {STATEFUL_SET("", PARALLEL "'replicas':1,"), "main 1", "", NULL},
    {STATEFUL_SET("", PARALLEL "'replicas':0,"), "main 0", "", "the job has no pods"},
    {STATEFUL_SET("", PARALLEL), "main 1", "DefaultApplied spec.replicas", NULL},
    /* OrderedReady is the default */
    {STATEFUL_SET("", "'replicas':4,"), "main 4 first 1", "OrderedPods spec.podManagementPolicy",
     "the pods are created one after another"},
    {STATEFUL_SET("", "'podManagementPolicy':'OrderedReady','replicas':4,"), "main 4 first 1",
     "OrderedPods spec.podManagementPolicy", "the pods are created one after another"},
    {STATEFUL_SET("", "'replicas':1,"), "main 1", "", NULL},
    /* the leaders of a LeaderWorkerSet, and the workers of one */
    {STATEFUL_SET(",'ownerReferences':[{'apiVersion':'leaderworkerset.x-k8s.io/v1','kind':"
                  "'LeaderWorkerSet','name':'l','uid':'u','controller':true}]",
                  PARALLEL "'replicas':4,"),
     "main 4", "", "it is a part of another job, which has the gang"},
    {STATEFUL_SET(",'ownerReferences':[{'apiVersion':'v1','kind':'Pod','name':'l-0','uid':'u',"
                  "'controller':true}]",
                  PARALLEL "'replicas':4,"),
     "main 4", "", "it is a part of another job, which has the gang"},
    {STATEFUL_SET("", "'scheduling':{}," PARALLEL "'replicas':4,"), "main 4",
     "NativeGang spec.scheduling", "Kubernetes makes the gang: spec.scheduling is set"},
};

START_TEST(what_is_read_of_a_stateful_set)
{
    job_check_reading(&readings[_i]);
}
END_TEST

static const struct job_verdict verdicts[] = {
    {STATEFUL_SET("", PARALLEL "'replicas':-1,"), true, "ValueOutOfRange spec.replicas"},
    {STATEFUL_SET("", "'podManagementPolicy':'Ordered','replicas':1,"), true,
     "UnsupportedValue spec.podManagementPolicy"},
    {STATEFUL_SET("", "'unknown':1,'replicas':1,"), false, "UnknownField spec.unknown"},
    /* kubernetes/kubernetes#64023: 52 characters, `-`, and a hash of 10 */
    {NAMED_52("", PARALLEL "'replicas':4,"), false, ""},
    {NAMED_52("x", PARALLEL "'replicas':4,"), false, "RoleNeverCreated metadata.name"},
    {NAMED_52("x", PARALLEL "'replicas':0,"), false, ""},
    /* kubernetes:staging/src/k8s.io/api/apps/v1/types.go@v1.37.1 StatefulSetSpec */
    {STATEFUL_SET("", PARALLEL "'minReadySeconds':1,'ordinals':{'start':1},"
                               "'persistentVolumeClaimRetentionPolicy':{'whenScaled':'Delete'},"
                               "'replicas':4,'revisionHistoryLimit':2,"
                               "'updateStrategy':{'type':'OnDelete'},'volumeClaimTemplates':[],"),
     false, ""},
};

START_TEST(findings_about_a_stateful_set)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(every_pod_is_replaced)
{
    struct job_case opened;

    job_open_good(&opened, STATEFUL_SET("", PARALLEL "'replicas':4,"));
    ck_assert(opened.job->roles[0].retries);
    ck_assert_ptr_nonnull(opened.job->roles[0].pod_template);
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(STATEFUL_SET("", "'replicas':4,"));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_rows(cases, what_is_read_of_a_stateful_set, readings, text);
    add_rows(cases, findings_about_a_stateful_set, verdicts, text);
    tcase_add_test(cases, every_pod_is_replaced);
}
