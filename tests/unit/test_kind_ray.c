/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"

/*
 * The three kinds of KubeRay. Expected values follow from
 * ray-project/kuberay:ray-operator@v1.6.2 controllers/ray/utils/util.go (counts),
 * common/{pod,job}.go (containers that the operator adds) and utils/validation.go (messages).
 */
#define RAY(kind, metadata, spec)                                                                  \
    "{'apiVersion':'ray.io/v1','kind':'" kind "',\n'metadata':{" metadata "},\n'spec':{" spec "}}"
#define RAY_NAME "'name':'rc','namespace':'ml'"
#define RAY_POD(amounts)                                                                           \
    "'template':{'spec':{'containers':[{'name':'ray','resources':{'requests':{" amounts "}}}]}}"
#define RAY_HEAD "'headGroupSpec':{" RAY_POD("'cpu':'2','memory':'4Gi'") "}"
/* A worker group whose pods need more than the operator's init container. */
#define RAY_GROUP(name, members)                                                                   \
    "{'groupName':'" name "'" members "," RAY_POD("'cpu':'8','memory':'64Gi'") "}"
#define RAY_GROUPS(groups) ",'workerGroupSpecs':[" groups "]"
#define RAY_SCALES ",'enableInTreeAutoscaling':true"
#define RAY_CLUSTER(members) RAY("RayCluster", RAY_NAME, RAY_HEAD members)
#define RAY_JOB(members, cluster)                                                                  \
    RAY("RayJob", RAY_NAME, "'rayClusterSpec':{" RAY_HEAD cluster "}" members)
#define RAY_SERVICE(cluster)                                                                       \
    RAY("RayService", RAY_NAME, "'rayClusterConfig':{" RAY_HEAD cluster "}")

/* ---- counts ---- */

/* A worker group, and the counts of its role. */
struct ray_count {
    const char *text;
    int64_t count;
    int64_t min_count;
    int64_t unit;
};

static const struct ray_count ray_counts[] = {
    /* clamp: utils.GetWorkerGroupDesiredReplicas */
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':3,'minReplicas':0"))), 3, 3, 1},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':1,'minReplicas':2,'numOfHosts':2"))), 4, 4,
     2},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':9,'maxReplicas':5"))), 5, 5, 1},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'minReplicas':2"))), 2, 2, 1},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ""))), 0, 0, 1},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':3,'suspend':true"))), 0, 0, 1},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':3,'numOfHosts':0"))), 0, 0, 1},
    /* autoscaling: utils.CalculateMinReplicas */
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(RAY_GROUP("a", ",'replicas':4,'minReplicas':2,"
                                                      "'maxReplicas':8,'numOfHosts':2"))),
     8, 4, 2},
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(RAY_GROUP("a", ",'replicas':3"))), 3, 0, 1},
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(RAY_GROUP("a", ",'replicas':1,'minReplicas':2"))), 2, 2, 1},
};

START_TEST(counts_are_those_of_the_operator)
{
    const struct ray_count *expected = &ray_counts[_i];
    struct job_case opened;
    const struct role *role;

    job_open_good(&opened, expected->text);
    ck_assert_uint_eq(opened.job->num_roles, 2);
    ck_slice_eq(opened.job->roles[0].name, "head");
    ck_assert_int_eq(opened.job->roles[0].count, 1);
    role = &opened.job->roles[1];
    ck_slice_eq(role->name, "a");
    ck_assert_int_eq(role->count, expected->count);
    ck_assert_int_eq(role->min_count, expected->min_count);
    ck_assert_int_eq(role->first_count, expected->min_count);
    ck_assert_int_eq(role->unit, expected->unit);
    if (expected->unit > 1)
        ck_slice_eq(role->unit_label, "ray.io/worker-group-replica-index");
    else
        ck_assert(!slice_is_set(role->unit_label));
    ck_assert_uint_eq(role->num_dependencies, 0);
    job_close(&opened);
}
END_TEST

/* ---- requests ---- */

/* A job, the index of a role, and the requests of its pods. */
struct ray_requests {
    const char *text;
    size_t role;
    const char *requests;
};

#define RAY_SMALL_GROUP(pod) ",'workerGroupSpecs':[{'groupName':'a','replicas':1," pod "}]"

#define RAY_COLLECTS(options) ",'historyServerOptions':{'collectorOptions':{" options "}}"

static const struct ray_requests ray_requests[] = {
    {RAY_CLUSTER(""), 0, "cpu 2, memory 4Gi"},
    /* common.BuildAutoscalerContainer and mergeAutoscalerOverrides */
    {RAY_CLUSTER(RAY_SCALES), 0, "cpu 2500m, memory 4608Mi"},
    {RAY_CLUSTER(RAY_SCALES ",'autoscalerOptions':{}"), 0, "cpu 2500m, memory 4608Mi"},
    {RAY_CLUSTER(RAY_SCALES ",'autoscalerOptions':{'resources':{'limits':{'cpu':'1'}}}"), 0,
     "cpu 3, memory 4Gi"},
    {RAY_CLUSTER(RAY_SCALES ",'autoscalerOptions':{'resources':{}}"), 0, "cpu 2, memory 4Gi"},
    /* common.GetDefaultSubmitterContainer */
    {RAY_JOB(",'submissionMode':'SidecarMode'", ""), 0, "cpu 2500m, memory 4296Mi"},
    {RAY_JOB(",'submissionMode':'SidecarMode'", RAY_SCALES), 0, "cpu 3, memory 4808Mi"},
    {RAY_JOB(",'submissionMode':'HTTPMode'", ""), 0, "cpu 2, memory 4Gi"},
    /* common.BuildCollectorContainer of v1.7.0, in each pod */
    {RAY_CLUSTER(RAY_COLLECTS("")), 0, "cpu 2050m, memory 4160Mi"},
    {RAY_CLUSTER(RAY_COLLECTS("") RAY_GROUPS(RAY_GROUP("a", ",'replicas':1"))), 1,
     "cpu 8050m, memory 65600Mi"},
    {RAY_CLUSTER(RAY_COLLECTS("'resources':{'requests':{'cpu':'1'}}")), 0, "cpu 3, memory 4Gi"},
    {RAY_CLUSTER(RAY_COLLECTS("'resources':{}")), 0, "cpu 2, memory 4Gi"},
    {RAY_CLUSTER(RAY_COLLECTS("") RAY_SCALES), 0, "cpu 2550m, memory 4672Mi"},
    {RAY_CLUSTER(RAY_COLLECTS("") RAY_SMALL_GROUP(RAY_POD("'cpu':'50m'"))), 1,
     "cpu 200m, memory 256Mi"},
    /* common.DefaultWorkerPodTemplate: an init container of 200m and 256Mi */
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':1"))), 1, "cpu 8, memory 64Gi"},
    {RAY_CLUSTER(RAY_SMALL_GROUP(RAY_POD("'cpu':'50m'"))), 1, "cpu 200m, memory 256Mi"},
    {RAY_CLUSTER(RAY_SMALL_GROUP("'template':{'spec':{'containers':[{'name':'ray','resources':{"
                                 "'limits':{'nvidia.com/gpu':1}}}]}}")),
     1, "cpu 200m, memory 256Mi, nvidia.com/gpu 1"},
    /* a sidecar runs beside the init container */
    {RAY_CLUSTER(RAY_SMALL_GROUP(
         "'template':{'spec':{'containers':[{'name':'ray','resources':{'requests':{'cpu':'100m',"
         "'memory':'1Gi'}}}],'initContainers':[{'name':'s','restartPolicy':'Always','resources':{"
         "'requests':{'cpu':'1'}}}]}}")),
     1, "cpu 1200m, memory 1Gi"},
};

START_TEST(containers_that_the_operator_adds_count)
{
    const struct ray_requests *expected = &ray_requests[_i];
    struct resource_list sum;
    struct job_case opened;
    const struct role *role;

    job_open_good(&opened, expected->text);
    role = &opened.job->roles[expected->role];
    ck_assert(gang_job_sum_requests(role, role->resources, POD_REQUESTS_EFFECTIVE,
                                    opened.document->arena, &sum));
    ck_assert_str_eq(resource_list_in_words(&sum, opened.document->arena), expected->requests);
    job_close(&opened);
}
END_TEST

/* ---- a RayJob's submitter ---- */

static const struct role *
ray_last_role(const struct job_case *opened)
{
    return &opened->job->roles[opened->job->num_roles - 1];
}

START_TEST(the_submitter_comes_when_all_pods_are_ready)
{
    struct job_case opened;
    const struct role *submitter;

    job_open_good(&opened, RAY_JOB("", RAY_GROUPS(RAY_GROUP("a", ",'replicas':2") "," RAY_GROUP(
                                           "none", "") "," RAY_GROUP("b", ",'replicas':1"))));
    submitter = ray_last_role(&opened);
    ck_slice_eq(submitter->name, "submitter");
    ck_assert_int_eq(submitter->count, 1);
    ck_assert_str_eq(resource_list_in_words(&submitter->requests, opened.document->arena),
                     "cpu 500m, memory 200Mi");
    ck_assert_uint_eq(submitter->num_dependencies, 3); /* a group without pods is ready at once */
    ck_slice_eq(submitter->dependencies[0].role, "head");
    ck_slice_eq(submitter->dependencies[1].role, "a");
    ck_slice_eq(submitter->dependencies[2].role, "b");
    ck_assert_int_eq(submitter->dependencies[0].status, DEPENDENCY_READY);
    job_close(&opened);
}
END_TEST

START_TEST(the_submitter_can_have_a_template)
{
    struct job_case opened;
    const struct role *submitter;

    job_open_good(&opened, RAY_JOB(",'submissionMode':'K8sJobMode','submitterPodTemplate':{'spec':{"
                                   "'containers':[{'name':'s'}],'schedulerName':'mine'}}",
                                   ""));
    submitter = ray_last_role(&opened);
    ck_slice_eq(submitter->name, "submitter");
    ck_assert_ptr_nonnull(submitter->pod_template);
    ck_assert_ptr_null(submitter->requests_source);
    ck_slice_eq(submitter->scheduler_name, "mine");
    job_close(&opened);
}
END_TEST

static const char *const ray_modes_without_submitter[] = {
    RAY_JOB(",'submissionMode':'HTTPMode'", ""),
    RAY_JOB(",'submissionMode':'InteractiveMode'", ""),
    RAY_JOB(",'submissionMode':'SidecarMode'", ""),
};

START_TEST(other_modes_have_no_submitter)
{
    struct job_case opened;

    job_open_good(&opened, ray_modes_without_submitter[_i]);
    ck_assert_uint_eq(opened.job->num_roles, 1);
    job_close(&opened);
}
END_TEST

/* ---- states and wishes ---- */

static const char *const ray_suspended[] = {
    RAY_CLUSTER(",'suspend':true"),
    RAY_JOB(",'suspend':true,'shutdownAfterJobFinishes':true", ""),
    RAY_SERVICE(",'suspend':true"),
};

START_TEST(a_job_can_be_suspended)
{
    struct job_case opened;

    job_open_good(&opened, ray_suspended[_i]);
    ck_assert(opened.job->suspended);
    job_close(&opened);
}
END_TEST

static const char *const ray_elsewhere[] = {
    RAY_CLUSTER(",'managedBy':'kueue.x-k8s.io/multikueue'"),
    RAY_JOB(",'managedBy':'kueue.x-k8s.io/multikueue'", ""),
    /* rayjob_controller.go constructRayClusterForRayJob copies the spec, and so does RayService */
    RAY_JOB("", ",'managedBy':'kueue.x-k8s.io/multikueue'"),
    RAY_JOB(",'managedBy':'ray.io/kuberay-operator'", ",'managedBy':'kueue.x-k8s.io/multikueue'"),
    RAY_SERVICE(",'managedBy':'kueue.x-k8s.io/multikueue'"),
};

START_TEST(another_controller_can_manage_a_job)
{
    struct job_case opened;

    job_open_good(&opened, ray_elsewhere[_i]);
    ck_slice_eq(node_string(opened.job->managed_elsewhere), "kueue.x-k8s.io/multikueue");
    job_close(&opened);
}
END_TEST

START_TEST(kuberay_manages_a_job)
{
    struct job_case opened;

    job_open_good(&opened, RAY_CLUSTER(",'managedBy':'ray.io/kuberay-operator'"));
    ck_assert_ptr_null(opened.job->managed_elsewhere);
    ck_assert(!opened.job->suspended);
    ck_assert(!opened.job->marks_pods);
    ck_assert_ptr_null(opened.job->why_no_gang);
    job_close(&opened);
}
END_TEST

START_TEST(labels_of_kuberay_are_wishes)
{
    struct job_case opened;

    job_open_good(&opened, RAY("RayCluster",
                               RAY_NAME ",'labels':{'ray.io/priority-class-name':'high',"
                                        "'volcano.sh/queue-name':'q'}",
                               RAY_HEAD));
    ck_slice_eq(opened.job->priority_request.value, "high");
    ck_slice_eq(opened.job->queue_request.value, "q");
    /* with --batch-scheduler=volcano, KubeRay reads the labels and makes a PodGroup */
    ck_assert_uint_eq(gang_document_num_diagnostics(opened.document), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_document_get_diagnostic(opened.document, 0)),
                     GANG_CODE_OPERATOR_GANG_OPTION);
    job_close(&opened);
}
END_TEST

/* A job without a gang of ours, and why. */
struct ray_without_gang {
    const char *text;
    const char *why;
};

static const struct ray_without_gang ray_without_gangs[] = {
    {RAY("RayCluster", RAY_NAME ",'labels':{'ray.io/gang-scheduling-enabled':'false'}", RAY_HEAD),
     "KubeRay makes the gang of this job"},
    {RAY("RayCluster", RAY_NAME ",'labels':{'ray.io/originated-from-crd':'RayJob'}", RAY_HEAD),
     "the pods are in the gang of the RayJob"},
    {RAY("RayJob", RAY_NAME, "'clusterSelector':{'ray.io/cluster':'other'}"),
     "the RayJob runs on a RayCluster that exists"},
};

START_TEST(a_job_can_have_no_gang)
{
    struct job_case opened;

    job_open_good(&opened, ray_without_gangs[_i].text);
    ck_assert_str_eq(opened.job->why_no_gang, ray_without_gangs[_i].why);
    job_close(&opened);
}
END_TEST

START_TEST(a_cluster_of_a_service_has_a_gang)
{
    struct job_case opened;

    job_open_good(&opened,
                  RAY("RayCluster",
                      RAY_NAME ",'labels':{'ray.io/originated-from-crd':'RayService'}", RAY_HEAD));
    ck_assert_ptr_null(opened.job->why_no_gang);
    job_close(&opened);
}
END_TEST

/* ---- names ---- */

START_TEST(names_of_roles)
{
    struct job_case opened;

    job_open_good(&opened, RAY_JOB("", RAY_GROUPS(RAY_GROUP("head", "") "," RAY_GROUP(
                                           "submitter", "") "," RAY_GROUP("Big-GPU", ""))));
    ck_assert_uint_eq(opened.job->num_roles, 5);
    ck_slice_eq(opened.job->roles[0].name, "headgroup");
    ck_slice_eq(opened.job->roles[1].name, "head");
    ck_slice_eq(opened.job->roles[2].name, "submitter");
    ck_slice_eq(opened.job->roles[3].name, "big-gpu");
    ck_slice_eq(opened.job->roles[4].name, "ray-job-submitter");
    job_close(&opened);
}
END_TEST

/* KubeRay accepts group names that differ only in case; the names of roles are in lower case. */
static const struct job_reading ray_cases[] = {
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("Head", ",'replicas':1"))), "headgroup 1, head 1", "", NULL},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("head", ",'replicas':1") "," //
                            RAY_GROUP("headgroup", ",'replicas':1"))),
     "headgroup-2 1, head 1, headgroup 1", "", NULL},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("Gpu", ",'replicas':1") "," RAY_GROUP(
         "gpu", ",'replicas':2") "," RAY_GROUP("GPU", ",'replicas':3"))),
     "head 1, gpu 1, gpu-2 2, gpu-3 3", "", NULL},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("gpu-2", ",'replicas':1") "," RAY_GROUP(
         "gpu", ",'replicas':2") "," RAY_GROUP("Gpu", ",'replicas':3"))),
     "head 1, gpu-2 1, gpu 2, gpu-2-2 3", "", NULL},
};

START_TEST(groups_whose_names_differ_in_case)
{
    job_check_reading(&ray_cases[_i]);
}
END_TEST

/* ---- findings ---- */

#define RAY_LONG_NAME(x10, rest) "'name':'" x10 x10 x10 x10 rest "'"
#define RAY_BAD_GROUP(members) RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", members)))

#define RAY_TIMED(seconds) RAY_GROUPS(RAY_GROUP("a", ",'replicas':1,'idleTimeoutSeconds':" seconds))
#define RAY_IDLE(members, seconds) RAY_CLUSTER(members RAY_TIMED(seconds))
/* A head whose variable asks for version 2 of the autoscaler. */
#define RAY_ASKS(value, members)                                                                   \
    RAY("RayCluster", RAY_NAME,                                                                    \
        "'headGroupSpec':{'template':{'spec':{'containers':[{'name':'ray','env':[{'name':"         \
        "'RAY_enable_autoscaler_v2','value':'" value "'}]}]}}}" members)
#define RAY_IDLE_HEAD(value) RAY_ASKS(value, RAY_SCALES RAY_TIMED("60,'minReplicas':1"))
#define RAY_OPTIONS(members) ",'autoscalerOptions':{" members "}"
#define RAY_RESTARTS(head, worker, members)                                                        \
    RAY("RayCluster", RAY_NAME,                                                                    \
        "'headGroupSpec':{'template':{'spec':{'containers':[{'name':'c'}]" head "}}}"              \
        ",'workerGroupSpecs':[{'groupName':'a','replicas':1,'minReplicas':1,'template':{'spec':{"  \
        "'containers':[{'name':'c'}]" worker "}}}]" members)
#define RAY_V2 RAY_OPTIONS("'version':'v2'")

static const struct job_verdict ray_verdicts[] = {
    {RAY_CLUSTER(""), false, ""},
    {RAY_BAD_GROUP(""), false, "DefaultApplied spec.workerGroupSpecs[0].replicas"},
    {RAY_BAD_GROUP(",'replicas':1,'minReplicas':2"), false,
     "RayReplicasLimited spec.workerGroupSpecs[0].replicas"},
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(RAY_GROUP("a", ",'replicas':2"))), false,
     "DefaultApplied spec.workerGroupSpecs[0].minReplicas"},
    /* of a group without pods that may grow */
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(
         "{'groupName':'a','replicas':0,'minReplicas':0,'template':{'spec':{'priorityClassName':"
         "'high','schedulerName':'volcano','containers':[{'name':'c','image':'i'}]}}}")),
     false,
     "RayGrowthDiffers spec.workerGroupSpecs[0].template.spec.priorityClassName, RayGrowthDiffers "
     "spec.workerGroupSpecs[0].template.spec.schedulerName"},
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(
         "{'groupName':'a','replicas':0,'minReplicas':0,'maxReplicas':0,'template':{'spec':{"
         "'priorityClassName':'high','containers':[{'name':'c','image':'i'}]}}}")),
     false, ""},
    {RAY_CLUSTER(RAY_SCALES RAY_GROUPS(
         "{'groupName':'a','replicas':1,'minReplicas':1,'template':{'spec':{"
         "'priorityClassName':'high','containers':[{'name':'c','image':'i'}]}}}")),
     false, ""},
    {RAY_CLUSTER(
         RAY_GROUPS("{'groupName':'a','replicas':0,'minReplicas':0,'template':{'spec':{"
                    "'priorityClassName':'high','containers':[{'name':'c','image':'i'}]}}}")),
     false, ""},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':2,'numOfHosts':4"))), false,
     "UnitLabelOfGate spec.workerGroupSpecs[0].numOfHosts"},
    {RAY_JOB("", ""), false, "DefaultApplied spec.submissionMode"},
    {RAY_SERVICE(""), false, "RayClustersShareGang spec.rayClusterConfig"},
    {RAY("RayCluster", RAY_NAME ",'labels':{'ray.io/gang-scheduling-enabled':'true'}", RAY_HEAD),
     false, "RayOwnGang metadata.labels[ray.io/gang-scheduling-enabled]"},
    {RAY_CLUSTER(",'workerGroupSpec':[]"), false, "UnknownField spec.workerGroupSpec"},
    {RAY_CLUSTER(",'suspend':'true'"), true, "WrongType spec.suspend"},
    /* utils/validation.go */
    {RAY("RayCluster", "'name':'1rc'", RAY_HEAD), true, "RefusedByOperator metadata.name"},
    {RAY("RayCluster", "", RAY_HEAD), true, "RequiredField metadata.name"},
    {RAY_CLUSTER(RAY_GROUPS("{'groupName':'a','replicas':1}")), true,
     "RequiredField spec.workerGroupSpecs[0].template, RoleRequestsUnknown "
     "spec.workerGroupSpecs[0]"},
    {RAY("RayCluster", RAY_LONG_NAME("abcdefghij", "abcdefghijabc"), RAY_HEAD), false, ""},
    {RAY("RayCluster", RAY_LONG_NAME("abcdefghij", "abcdefghijabcd"), RAY_HEAD), true,
     "RefusedByOperator metadata.name"},
    {RAY("RayJob", RAY_LONG_NAME("abcdefghij", "abcdefg"), "'rayClusterSpec':{" RAY_HEAD "}"),
     false, "DefaultApplied spec.submissionMode"},
    {RAY("RayJob", RAY_LONG_NAME("abcdefghij", "abcdefgh"), "'rayClusterSpec':{" RAY_HEAD "}"),
     true, "RefusedByOperator metadata.name, DefaultApplied spec.submissionMode"},
    {RAY("RayService", RAY_LONG_NAME("abcdefghij", "abcdefgh"),
         "'rayClusterConfig':{" RAY_HEAD "}"),
     true, "RefusedByOperator metadata.name, RayClustersShareGang spec.rayClusterConfig"},
    {RAY("RayCluster", RAY_NAME, "'headGroupSpec':{'template':{'spec':{'containers':[]}}}"), true,
     "RefusedByOperator spec.headGroupSpec.template"},
    {RAY_CLUSTER(RAY_GROUPS("{'groupName':'a','replicas':1,'template':{}}")), true,
     "RefusedByOperator spec.workerGroupSpecs[0].template"},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("a", ",'replicas':1") "," RAY_GROUP("a", ",'replicas':1"))),
     true, "DuplicateItem spec.workerGroupSpecs[1]"},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("", ",'replicas':1"))), true,
     "InvalidName spec.workerGroupSpecs[0].groupName"},
    {RAY_CLUSTER(RAY_GROUPS(RAY_GROUP("-_", ",'replicas':1"))), true,
     "InvalidName spec.workerGroupSpecs[0].groupName"},
    {RAY_BAD_GROUP(",'replicas':1,'minReplicas':-1"), true,
     "RefusedByOperator spec.workerGroupSpecs[0].minReplicas"},
    {RAY_BAD_GROUP(",'replicas':0,'minReplicas':3,'maxReplicas':2"), true,
     "RayReplicasLimited spec.workerGroupSpecs[0].replicas, RefusedByOperator "
     "spec.workerGroupSpecs[0].minReplicas"},
    {RAY_BAD_GROUP(",'replicas':0,'maxReplicas':-1"), true,
     "RefusedByOperator spec.workerGroupSpecs[0].maxReplicas, RefusedByOperator "
     "spec.workerGroupSpecs[0].maxReplicas"},
    {RAY_BAD_GROUP(",'replicas':1,'numOfHosts':-2"), true,
     "ValueOutOfRange spec.workerGroupSpecs[0].numOfHosts"},
    {RAY("RayService", RAY_NAME, ""), true, "RequiredField spec.rayClusterConfig"},
    {RAY_CLUSTER(RAY_SCALES ",'autoscalerOptions':{'resources':{'requests':{'a&b':1}}}"), true,
     "InvalidName spec.autoscalerOptions.resources.requests[a&b]"},
    {RAY_CLUSTER(
         RAY_SCALES RAY_GROUPS(RAY_GROUP("a", ",'replicas':0,'minReplicas':0,'suspend':true"))),
     true, "RefusedByOperator spec.workerGroupSpecs[0].suspend"},
    /* utils/validation.go validateWorkerGroupIdleTimeout */
    {RAY_IDLE("", "60"), true, "RefusedByOperator spec.workerGroupSpecs[0].idleTimeoutSeconds"},
    {RAY_IDLE("", "-1"), true, "RefusedByOperator spec.workerGroupSpecs[0].idleTimeoutSeconds"},
    {RAY_IDLE(",'autoscalerOptions':{'version':'v1'}", "60"), true,
     "RefusedByOperator spec.workerGroupSpecs[0].idleTimeoutSeconds"},
    {RAY_IDLE(",'autoscalerOptions':{'version':'v2'}", "60"), false, ""},
    {RAY_IDLE(",'autoscalerOptions':{'version':'v2'}", "0"), false, ""},
    {RAY_IDLE(",'autoscalerOptions':{'version':'v2'}", "-1"), true,
     "RefusedByOperator spec.workerGroupSpecs[0].idleTimeoutSeconds"},
    {RAY_IDLE_HEAD("1"), false, ""},
    {RAY_IDLE_HEAD("true"), false, ""},
    {RAY_IDLE_HEAD("True"), true, "RefusedByOperator spec.workerGroupSpecs[0].idleTimeoutSeconds"},
    /* config/crd/bases/ray.io_rayclusters.yaml@v1.6.2 has the pods of Kubernetes 1.35 */
    {RAY_RESTARTS(",'workloadRef':null", ",'workloadRef':null", ""), false, ""},
    {RAY_RESTARTS("", ",'evictionResponders':null", ""), false,
     "UnknownField spec.workerGroupSpecs[0].template.spec.evictionResponders"},
    /* utils/validation.go ValidateRayClusterSpec@v1.6.2, of the autoscaler */
    {RAY_ASKS("1", ""), true,
     "RefusedByOperator spec.headGroupSpec.template.spec.containers[0].env[0]"},
    {RAY_ASKS("true", ",'enableInTreeAutoscaling':false"), true,
     "RefusedByOperator spec.headGroupSpec.template.spec.containers[0].env[0]"},
    {RAY_ASKS("0", ""), false, ""},
    {RAY_ASKS("1", RAY_V2), true,
     "RefusedByOperator spec.headGroupSpec.template.spec.containers[0].env[0]"},
    {RAY_ASKS("0", RAY_V2), false, ""},
    {RAY_ASKS("0", RAY_SCALES RAY_OPTIONS("'version':'v1'")), true,
     "RefusedByOperator spec.headGroupSpec.template.spec.containers[0].env[0]"},
    {RAY_ASKS("1", RAY_SCALES RAY_OPTIONS("'version':null")), false, ""},
    {RAY_RESTARTS(",'restartPolicy':'Always'", "", RAY_SCALES RAY_V2), true,
     "RefusedByOperator spec.headGroupSpec.template.spec.restartPolicy"},
    {RAY_RESTARTS("", ",'restartPolicy':'OnFailure'", RAY_SCALES RAY_V2), true,
     "RefusedByOperator spec.workerGroupSpecs[0].template.spec.restartPolicy"},
    {RAY_RESTARTS(",'restartPolicy':'Never'", ",'restartPolicy':''", RAY_SCALES RAY_V2), false, ""},
    {RAY_RESTARTS(",'restartPolicy':'Always'", ",'restartPolicy':'Always'", RAY_V2), false, ""},
    {RAY_RESTARTS(",'restartPolicy':'Always'", ",'restartPolicy':'Always'",
                  RAY_SCALES RAY_OPTIONS("'version':'v1'")),
     false, ""},
    {RAY_CLUSTER(RAY_OPTIONS("'idleTimeoutSeconds':-1")), true,
     "RefusedByOperator spec.autoscalerOptions.idleTimeoutSeconds"},
    {RAY_CLUSTER(RAY_OPTIONS("'idleTimeoutSeconds':0")), false, ""},
    /* since v1.7.0 */
    {RAY("RayService", RAY_NAME, "'suspend':true,'rayClusterConfig':{" RAY_HEAD "}"), false,
     "RayClustersShareGang spec.rayClusterConfig"},
    {RAY_CLUSTER(",'historyServerOptions':{'collectorOptions':{}},'networkPolicy':{'mode':"
                 "'DenyAll'},'tlsOptions':{'enabled':true}"),
     false, ""},
    {RAY_JOB(",'submissionMode':'HTTPMode','suspend':true", ""), true,
     "RefusedByOperator spec.suspend"},
    {RAY_JOB(",'submissionMode':'SidecarMode','submitterPodTemplate':{}", ""), true,
     "RefusedByOperator spec.submitterPodTemplate"},
    {RAY_JOB(",'submissionMode':'SidecarMode','submitterConfig':{}", ""), true,
     "RefusedByOperator spec.submitterConfig"},
    {RAY_JOB(",'submissionMode':'InteractiveMode','backoffLimit':1", ""), true,
     "RefusedByOperator spec.backoffLimit"},
    {RAY("RayJob", RAY_NAME,
         "'submissionMode':'SidecarMode','clusterSelector':{'a':'b'},'backoffLimit':1"),
     true, "RefusedByOperator spec.clusterSelector, RefusedByOperator spec.backoffLimit"},
    {RAY("RayJob", RAY_NAME,
         "'submissionMode':'HTTPMode','clusterSelector':{'a':'b'},'suspend':true,"
         "'shutdownAfterJobFinishes':true"),
     true, "RefusedByOperator spec.suspend"},
    {RAY("RayJob", RAY_NAME, "'submissionMode':'HTTPMode'"), true, "RefusedByOperator spec"},
};

START_TEST(findings_of_documents)
{
    job_check_verdict(&ray_verdicts[_i]);
}
END_TEST

/* Every role, and every container that the operator adds. */
static const char *const ray_rich[] = {
    RAY_JOB("", RAY_SCALES RAY_GROUPS(RAY_GROUP("head", ",'replicas':4,'minReplicas':2,"
                                                        "'maxReplicas':3,'numOfHosts':2"))),
    RAY_JOB(",'submissionMode':'SidecarMode'", RAY_SCALES RAY_SMALL_GROUP(RAY_POD("'cpu':'50m'"))),
};

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(ray_rich[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_items(cases, memory_can_run_out_at_every_allocation, ray_rich);
    add_rows(cases, counts_are_those_of_the_operator, ray_counts, text);
    add_rows(cases, containers_that_the_operator_adds_count, ray_requests, text);
    tcase_add_test(cases, the_submitter_comes_when_all_pods_are_ready);
    tcase_add_test(cases, the_submitter_can_have_a_template);
    add_items(cases, other_modes_have_no_submitter, ray_modes_without_submitter);
    add_items(cases, a_job_can_be_suspended, ray_suspended);
    add_items(cases, another_controller_can_manage_a_job, ray_elsewhere);
    tcase_add_test(cases, kuberay_manages_a_job);
    tcase_add_test(cases, labels_of_kuberay_are_wishes);
    add_rows(cases, a_job_can_have_no_gang, ray_without_gangs, text);
    tcase_add_test(cases, a_cluster_of_a_service_has_a_gang);
    tcase_add_test(cases, names_of_roles);
    add_rows(cases, groups_whose_names_differ_in_case, ray_cases, text);
    add_rows(cases, findings_of_documents, ray_verdicts, text);
}
