/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/jobs/job_kinds.h"

#include "unit/job_squeeze.h"
#include "unit/kinds.h"
#include "unit/suite.h"

/* Source: JavaUtilsSuite and UtilsSuite of apache/spark; powers of 1024 in every unit. */
static const struct {
    const char *text;
    int64_t bytes; /* -1: refused */
} sizes[] = {
    {"1g", INT64_C(1) << 30},
    {"1G", INT64_C(1) << 30},
    {"1gb", INT64_C(1) << 30},
    {"1Gb", INT64_C(1) << 30},
    {"512m", INT64_C(512) << 20},
    {"512mb", INT64_C(512) << 20},
    {"900000k", INT64_C(900000) << 10},
    {"3kb", 3072},
    {"2t", INT64_C(2) << 40},
    {"2tb", INT64_C(2) << 40},
    {"1p", INT64_C(1) << 50},
    {"1pb", INT64_C(1) << 50},
    {"7b", 7},
    {"0", 0},
    {"384", INT64_C(384) << 20},
    {"8191p", INT64_C(8191) << 50},
    {"8192p", -1},
    {"99999999999999999999", -1},
    {"1Gi", -1},
    {"1.5g", -1},
    {"-1g", -1},
    {"g", -1},
    {"", -1},
    {"1 g", -1},
    {"1gg", -1},
    {"1kg", -1},
};

START_TEST(sizes_of_the_jvm)
{
    int64_t bytes = -1;

    ck_assert_int_eq(java_size_parse(slice_from_text(sizes[_i].text), JAVA_MEBIBYTE, &bytes),
                     sizes[_i].bytes >= 0);
    ck_assert_int_eq(bytes, sizes[_i].bytes);
}
END_TEST

START_TEST(a_number_has_the_unit_of_its_setting)
{
    int64_t bytes = 0;

    ck_assert(java_size_parse(SLICE("300"), 1, &bytes));
    ck_assert_int_eq(bytes, 300);
}
END_TEST

#define SPARK_NAMED(name, type, members)                                                           \
    "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"   \
    "'" name "'},'spec':{'type':'" type "','sparkVersion':'4.0.0','mainApplicationFile':"          \
    "'local:///a.jar'," members "}}"
#define SPARK(type, members) SPARK_NAMED("etl", type, members)
#define SMALL "'cores':1,'memory':'1g'"
#define DRIVER "'driver':{" SMALL "}"
#define EXECUTOR(members) "'executor':{" SMALL members "}"
#define THREE EXECUTOR(",'instances':3")
#define OPTION "OperatorGangOption spec"

#define GROUP "'groupName':'etl-exec',"
#define DRIVER_ROLE(cpu, memory)                                                                   \
    "{'name':'driver','count':1,'membership':'Outside','requests':{'cpu':'" cpu                    \
    "','memory':'" memory "'}}"
#define EXECUTOR_ROLE(counts, requests)                                                            \
    "{'name':'executor'," counts                                                                   \
    ",'dependsOn':[{'role':'driver','status':'Ready'}],'requests':{" requests "}}"
/* 1g and the least overhead of 384m are 1408Mi. */
#define SMALL_REQUESTS "'cpu':'1','memory':'1408Mi'"
#define SMALL_ROLES(counts)                                                                        \
    "'roles':[" DRIVER_ROLE("1", "1408Mi") "," EXECUTOR_ROLE(counts, SMALL_REQUESTS) "]"
#define EXECUTORS_WITH(requests)                                                                   \
    GROUP "'roles':[" DRIVER_ROLE("1", "1408Mi") "," EXECUTOR_ROLE("'count':3", requests) "]"

#define DYNAMIC(on, more)                                                                          \
    ",'sparkConf':{'spark.dynamicAllocation.enabled':'" on "'," more                               \
    "'spark.dynamicAllocation.minExecutors':'2'}"
#define PENDING(most) ",'sparkConf':{'spark.kubernetes.allocation.maxPendingPods':'" most "'}"

/*
 * Sources: kubeflow/spark-operator@v2.5.2, api/v1beta2/defaults.go, pkg/util/sparkapplication.go
 * GetInitialExecutorNumber
 */
static const struct job_translation counts[] = {
    {SPARK("Scala", DRIVER "," THREE), GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR("")), GROUP SMALL_ROLES("'count':1"),
     OPTION ", DefaultApplied spec.executor.instances"},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'sparkConf':{'spark.executor.instances':'4'}"),
     GROUP SMALL_ROLES("'count':4"), OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'sparkConf':{'spark.executor.instances':'4'}"),
     GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'suspend':true"),
     "'groupName':'etl-exec','suspend':true," SMALL_ROLES("'count':3"), OPTION},
    /* 2 instances and at least 3: the operator says 3, Kueue 2 */
    {SPARK("Scala", DRIVER "," EXECUTOR(",'instances':2") ",'dynamicAllocation':{'enabled':true,"
                                                          "'minExecutors':3}"),
     GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'dynamicAllocation':{'enabled':true,'minExecutors':2,"
                                            "'initialExecutors':5,'maxExecutors':9}"),
     GROUP SMALL_ROLES("'count':5,'minCount':2"), OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'dynamicAllocation':{'enabled':false,'minExecutors':2}"),
     GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'sparkConf':{'spark.dynamicAllocation.enabled':"
                                            "'true','spark.dynamicAllocation.minExecutors':'2'}"),
     GROUP SMALL_ROLES("'count':2"), OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR("") DYNAMIC(" True ", "'spark.dynamicAllocation."
                                                              "initialExecutors':'4',")),
     GROUP SMALL_ROLES("'count':4,'minCount':2"), OPTION},
    /* the operator passes sparkConf, and of the field nothing: dynamicAllocationOption */
    {SPARK("Scala", DRIVER "," THREE ",'dynamicAllocation':{'enabled':false,'minExecutors':1}" //
           DYNAMIC("true", "")),
     GROUP SMALL_ROLES("'count':3,'minCount':2"), OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'dynamicAllocation':{'enabled':true,'minExecutors':1}" //
           DYNAMIC("false", "")),
     GROUP SMALL_ROLES("'count':3,'minCount':1"), OPTION},
    /* ExecutorPodsAllocator creates no more pods while so many do not run */
    {SPARK("Scala", DRIVER "," THREE PENDING("2")), GROUP SMALL_ROLES("'count':3,'firstCount':2"),
     OPTION},
    {SPARK("Scala", DRIVER "," THREE PENDING("3")), GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," THREE PENDING("0")), GROUP SMALL_ROLES("'count':3"), OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR(",'instances':9") ",'dynamicAllocation':{'enabled':true,"
                                                          "'minExecutors':5}" PENDING("2")),
     GROUP SMALL_ROLES("'count':9,'minCount':5,'firstCount':2"), OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'batchSchedulerOptions':{'queue':'q','priorityClassName':"
                           "'high'}"),
     "'groupName':'etl-exec','queue':'q','priorityClassName':'high'," SMALL_ROLES("'count':3"),
     OPTION},
    {SPARK("Scala", DRIVER "," THREE ",'batchSchedulerOptions':{'resources':{'cpu':1}}"),
     GROUP SMALL_ROLES("'count':3"),
     "MinResourcesComputed spec.batchSchedulerOptions.resources, " OPTION},
    /* in the mode client the driver runs in the operator */
    {SPARK("Scala", DRIVER "," THREE ",'mode':'client'"),
     GROUP "'roles':[{'name':'executor','count':3,'requests':{" SMALL_REQUESTS "}}]",
     OPTION ", DriverInOperator spec.mode"},
};

START_TEST(executors)
{
    job_check_translation(&counts[_i]);
}
END_TEST

#define EXECUTOR_WITH(members) DRIVER ",'executor':{'instances':3," members "}"

#define FACTORS(more) ",'memoryOverheadFactor':'0.2','sparkConf':{" more "}"
#define RESOURCE(side, name, amount, vendor)                                                       \
    ",'sparkConf':{'spark." side ".resource." name ".amount':'" amount "','spark." side            \
    ".resource." name ".vendor':'" vendor "'}"

/*
 * Heap, and overhead of at least 384Mi. Source: internal/scheduler/yunikorn/resourceusage@v2.5.2
 * and its tests.
 */
static const struct job_translation requests[] = {
    /* 512m is 512Mi, not half a byte: the operator's own sum drops 1g and reads 0.512 */
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'512m','gpu':{'name':'nvidia.com/gpu',"
                                  "'quantity':1}")),
     EXECUTORS_WITH("'cpu':'1','memory':'896Mi','nvidia.com/gpu':'1'"), OPTION},
    {SPARK("Java", EXECUTOR_WITH("'cores':4,'memory':'10g','gpu':{'name':'gpu','quantity':0}")),
     EXECUTORS_WITH("'cpu':'4','memory':'11Gi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g','template':{'spec':{}}")),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':4,'memory':'10g'")),
     EXECUTORS_WITH("'cpu':'4','memory':'11Gi'"), OPTION},
    /* 4096 + 1638.4, in whole mebibytes */
    {SPARK("Python", "'driver':{'cores':1,'memory':'1g','memoryOverhead':'384m'},"
                     "'executor':{'instances':3,'cores':1,'memory':'4g'}"),
     EXECUTORS_WITH("'cpu':'1','memory':'5734Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'4g','memoryOverhead':'1g'")),
     EXECUTORS_WITH("'cpu':'1','memory':'5Gi'"), OPTION},
    {SPARK("Scala", "'memoryOverheadFactor':'0.2','driver':{'cores':1,'memory':'1g'},"
                    "'executor':{'instances':3,'cores':1,'memory':'10g'}"),
     EXECUTORS_WITH("'cpu':'1','memory':'12Gi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':4,'coreRequest':'500m','memory':'1g'")),
     EXECUTORS_WITH("'cpu':'500m','memory':'1408Mi'"), OPTION},
    /* an amount that is reported counts as 1 */
    {SPARK("Scala", EXECUTOR_WITH("'cores':4,'coreRequest':'-1','memory':'1g'")),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION ", QuantityNegative spec.executor.coreRequest"},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g','sidecars':[{'name':'s','resources':{"
                                  "'requests':{'cpu':'1'}}}]")),
     EXECUTORS_WITH("'cpu':'2','memory':'1408Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g','initContainers':[{'name':'s',"
                                  "'resources':{'requests':{'memory':'2Gi'}}}]")),
     EXECUTORS_WITH("'cpu':'1','memory':'2Gi'"), OPTION},
    /* the memory of Python, only in an application for it; without a unit in mebibytes */
    {SPARK("Python", "'sparkConf':{'spark.executor.pyspark.memory':'300'},'driver':{'cores':1,"
                     "'memory':'1g','memoryOverhead':'384m'},'executor':{'instances':3,'cores':1,"
                     "'memory':'1g','memoryOverhead':'384m'}"),
     EXECUTORS_WITH("'cpu':'1','memory':'1708Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") ",'sparkConf':{"
                                                             "'spark.executor.pyspark.memory':"
                                                             "'300'}"),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") ",'sparkConf':{"
                                                             "'spark.memory.offHeap.enabled':"
                                                             "'true','spark.memory.offHeap.size':"
                                                             "'1g'}"),
     EXECUTORS_WITH("'cpu':'1','memory':'2432Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") ",'sparkConf':{"
                                                             "'spark.memory.offHeap.enabled':"
                                                             "'false','spark.memory.offHeap.size':"
                                                             "'1g'}"),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    /* a boolean of Spark: without regard to case and to space around it */
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") ",'sparkConf':{"
                                                             "'spark.memory.offHeap.enabled':"
                                                             "' FALSE','spark.memory.offHeap.size':"
                                                             "'1g'}"),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    /* the factor of the executors is not that of the driver: 10240 + 5120, 4096 + 1024 */
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'10g'")
                        FACTORS("'spark.executor.memoryOverheadFactor':'0.5'")),
     EXECUTORS_WITH("'cpu':'1','memory':'15Gi'"), OPTION},
    {SPARK("Scala", "'driver':{'cores':1,'memory':'4g'}," THREE FACTORS(
                        "'spark.driver.memoryOverheadFactor':'0.25'")),
     GROUP "'roles':[" DRIVER_ROLE("1", "5Gi") "," EXECUTOR_ROLE("'count':3", SMALL_REQUESTS) "]",
     OPTION},
    /* ResourceUtils.parseAllResourceRequests, KubernetesUtils.buildResourcesQuantities */
    {SPARK("Scala",
           EXECUTOR_WITH("'cores':1,'memory':'1g','template':{'spec':{'containers':[{'name':'e',"
                         "'resources':{'limits':{'nvidia.com/gpu':'1','a.b/c':'1'}}}]}}")
               RESOURCE("executor", "gpu", "2", "nvidia.com")),
     EXECUTORS_WITH("'a.b/c':'1','cpu':'1','memory':'1408Mi','nvidia.com/gpu':'2'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") RESOURCE("driver", "gpu", "1", "a.b")),
     GROUP "'roles':[{'name':'driver','count':1,'membership':'Outside','requests':{'a.b/gpu':'1',"
           "'cpu':'1','memory':'1408Mi'}}," EXECUTOR_ROLE("'count':3", SMALL_REQUESTS) "]",
     OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") RESOURCE("executor", "gpu", "0", "a")),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g'") ",'sparkConf':{"
                                                             "'spark.executor.resource.amount':"
                                                             "'1'}"),
     EXECUTORS_WITH(SMALL_REQUESTS), OPTION},
    /* settings of sparkConf, where the field is absent */
    {SPARK("Scala", EXECUTOR_WITH("'coreRequest':'2'") ",'sparkConf':{'spark.executor.memory':'2g',"
                                                       "'spark.executor.memoryOverhead':'512'}"),
     EXECUTORS_WITH("'cpu':'2','memory':'2560Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'labels':{'a':'b'}")), EXECUTORS_WITH(SMALL_REQUESTS),
     OPTION ", DefaultApplied spec.executor.memory, DefaultApplied spec.executor.cores"},
    /* Spark replaces CPU and memory of its container in a template, and keeps the rest; the
     * operator's webhook sets the fields on every pod of an application (mutateSparkPod) */
    {SPARK("Scala",
           EXECUTOR_WITH("'cores':1,'memory':'1g','gpu':{'name':'gpu','quantity':1},'template':{"
                         "'spec':{'containers':[{'name':'log','resources':{'requests':{'cpu':'1'}}}"
                         ",{'name':'spark-kubernetes-executor','resources':{'requests':{'cpu':'9'},"
                         "'limits':{'memory':'9Gi','nvidia.com/gpu':'2'}}}]}}")),
     EXECUTORS_WITH("'cpu':'2','gpu':'1','memory':'1408Mi','nvidia.com/gpu':'2'"), OPTION},
    {SPARK("Scala",
           EXECUTOR_WITH("'cores':1,'memory':'1g','sidecars':[{'name':'log'},{'name':'proxy',"
                         "'resources':{'requests':{'cpu':'500m'}}}],'template':{'spec':{"
                         "'containers':[{'name':'spark-kubernetes-executor'},{'name':'log',"
                         "'resources':{'requests':{'cpu':'1'}}}]}}")),
     EXECUTORS_WITH("'cpu':'2500m','memory':'1408Mi'"), OPTION},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'1g','template':{'spec':{'containers':[{"
                                  "'name':'first','resources':{'requests':{'cpu':'9'}}},{'name':"
                                  "'log','resources':{'requests':{'cpu':'1'}}}]}}")),
     EXECUTORS_WITH("'cpu':'2','memory':'1408Mi'"), OPTION},
};

START_TEST(what_an_executor_requests)
{
    job_check_translation(&requests[_i]);
}
END_TEST

/* A job whose operator makes the group, or that has no executors at first, has no gang. */
static const struct {
    const char *text;
    const char *why;
    const char *findings;
} without[] = {
    {SPARK("Scala", DRIVER "," THREE ",'batchScheduler':'volcano'"), "the job has a batchScheduler",
     "GangOfOperator spec.batchScheduler"},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'dynamicAllocation':{'enabled':true,"
                                            "'initialExecutors':3}"),
     "dynamic allocation may run without executors", OPTION},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'sparkConf':{'spark.dynamicAllocation.enabled':"
                                            "'true'}"),
     "dynamic allocation may run without executors", OPTION},
};

static const struct job_verdict verdicts[] = {
    /* api/v1beta2/defaults.go SetSparkApplicationDefaults@v2.5.2 fills these */
    {SPARK("", DRIVER "," THREE ",'mode':'','restartPolicy':{'type':''}"), false, OPTION},
    {SPARK("", DRIVER "," THREE ",'pythonVersion':''"), true,
     OPTION ", UnsupportedValue spec.pythonVersion"},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'dynamicAllocation':{'enabled':true,"
                                            "'minExecutors':-2}"),
     true, OPTION ", ValueOutOfRange spec.dynamicAllocation.minExecutors"},
    {SPARK("Scala", DRIVER "," EXECUTOR("") ",'sparkConf':{'spark.executor.instances':'-2'}"), true,
     OPTION ", ValueOutOfRange spec.sparkConf[spark.executor.instances]"},
};

START_TEST(a_negative_number_of_executors_is_an_error_at_its_setting)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(jobs_without_a_gang)
{
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    job_open_good(&opened, without[_i].text);
    ck_assert_str_eq(opened.job->why_no_gang, without[_i].why);
    ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)), without[_i].findings);
    job_close(&opened);
}
END_TEST

#define OF_VERSION(version)                                                                        \
    "{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"   \
    "'etl'},'spec':{'type':'Scala','sparkVersion':'" version "','mainApplicationFile':'a',"        \
    "'driver':{'template':{'spec':{}}}," THREE "}}"

static const char *const with_gang[] = {
    SPARK("Scala", DRIVER "," THREE ",'batchScheduler':''"),
    SPARK("Scala", "'nodeSelector':{'a':'b'}," DRIVER "," THREE),
    OF_VERSION("3.0.0"),
    OF_VERSION("4"),
    OF_VERSION("v2.4"),
    OF_VERSION("10.0"),
    OF_VERSION("-2.0"),
};

START_TEST(jobs_with_a_gang)
{
    struct job_case opened;

    job_open_good(&opened, with_gang[_i]);
    ck_assert_ptr_null(opened.job->why_no_gang);
    job_close(&opened);
}
END_TEST

/* Sources: addAffinity, addTolerations, addNodeSelectors in internal/webhook/sparkpod_defaulter.go,
 * nodeSelectorOption in internal/controller/sparkapplication/submission.go. */
static const struct {
    const char *text, *path, *value;
} placed[] = {
    {SPARK("Scala", "'nodeSelector':{'a':'b'}," DRIVER "," THREE), "spec.nodeSelector",
     "{'a':'b'}"},
    {SPARK("Scala", DRIVER "," EXECUTOR(",'nodeSelector':{'c':'d'}")), "spec.nodeSelector",
     "{'c':'d'}"},
    {SPARK("Scala", "'nodeSelector':{'a':'b'}," DRIVER
                    "," EXECUTOR(",'template':{'spec':{'nodeSelector':{'a':'x','c':'d'}}}")),
     "spec.nodeSelector", "{'a':'b','c':'d'}"},
    {SPARK("Scala", DRIVER "," EXECUTOR(",'tolerations':[{'key':'gpu'}],'template':{'spec':"
                                        "{'tolerations':[{'key':'spot'}]}}")),
     "spec.tolerations", "[{'key':'spot'},{'key':'gpu'}]"},
    {SPARK("Scala", DRIVER "," EXECUTOR(",'affinity':{'podAffinity':{}},'template':{'spec':"
                                        "{'affinity':{'nodeAffinity':{}}}}")),
     "spec.affinity", "{'podAffinity':{}}"},
    {SPARK("Scala", DRIVER "," EXECUTOR(",'template':{'spec':{'affinity':{'nodeAffinity':{}}}}")),
     "spec.affinity", "{'nodeAffinity':{}}"},
};

START_TEST(pods_have_the_nodes_of_the_application)
{
    char wanted[DOCUMENT_SIZE];
    struct job_case opened;
    struct front_place unused;
    struct buffer out = {0};

    front_text(wanted, placed[_i].value, &unused);
    job_open_good(&opened, placed[_i].text);
    json_write(&out, node_at(opened.job->roles[1].pod_template, placed[_i].path));
    ck_assert_msg(out.len == strlen(wanted) && !memcmp(out.data, wanted, out.len), "%.*s",
                  (int)out.len, out.data);
    buffer_clear(&out);
    job_close(&opened);
}
END_TEST

static const struct job_refusal refused[] = {
    {SPARK("Scala", EXECUTOR_WITH("'memory':'1Gi'")), "JavaSize",
     "Invalid value: \"1Gi\": is no size for the JVM: digits and one of b, k, m, g, t, p"},
    {SPARK("Scala", EXECUTOR_WITH("'memoryOverhead':'10%'")), "JavaSize",
     "Invalid value: \"10%\": is no size for the JVM: digits and one of b, k, m, g, t, p"},
    {SPARK("Scala", "'memoryOverheadFactor':'100m'," DRIVER "," THREE), "JavaSize",
     "Invalid value: \"100m\": must be a number"},
    {SPARK("Scala", "'memoryOverheadFactor':'-1'," DRIVER "," THREE), "JavaSize",
     "Invalid value: \"-1\": must be a number"},
    {SPARK("Scala", "'memoryOverheadFactor':'1Ki'," DRIVER "," THREE), "JavaSize",
     "Invalid value: \"1Ki\": must be a number"},
    {SPARK("Scala", "'memoryOverheadFactor':'much'," DRIVER "," THREE), "JavaSize",
     "Invalid value: \"much\": must be a number"},
    {SPARK("Scala", EXECUTOR_WITH("'cores':1,'memory':'8191p','memoryOverhead':'8191p'")),
     "QuantityOverflow", "Invalid value: the memory of one pod exceeds 2^63-1"},
    {SPARK("Scala", "'memoryOverheadFactor':'20'," EXECUTOR_WITH("'cores':1,'memory':'8191p'")),
     "QuantityOverflow", "Invalid value: the memory of one pod exceeds 2^63-1"},
    {SPARK("Scala", "'memoryOverheadFactor':'9223372036854775807'," EXECUTOR_WITH(
                        "'cores':1,'memory':'8191p'")),
     "QuantityOverflow", "Invalid value: the memory of one pod exceeds 2^63-1"},
    {SPARK("Scala", EXECUTOR_WITH("'coreRequest':'1Zi'")), "QuantitySyntax",
     "Invalid value: \"1Zi\": quantities must match the regular expression "
     "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"},
    {SPARK("Scala", EXECUTOR_WITH("'cores':{}")), "WrongType",
     "Invalid value: {...}: must be of type integer: \"object\""},
    {SPARK("Scala", DRIVER), "RequiredField", "Required value"},
    {SPARK("Scala", THREE), "RequiredField", "Required value"},
    {"{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{},"
     "'spec':{'type':'Scala','sparkVersion':'4.0.0','mainApplicationFile':'a'," DRIVER "," THREE
     "}}",
     "RequiredField", "Required value"},
    {"{'apiVersion':'sparkoperator.k8s.io/v1beta2','kind':'SparkApplication','metadata':{'name':"
     "'etl'},'spec':{'type':'Scala','sparkVersion':'2.4.8','mainApplicationFile':'a',"
     "'driver':{'template':{}}," THREE "}}",
     "RefusedByOperator", "pod template feature requires Spark version 3.0.0 or higher"},
    {SPARK("Scala", "'nodeSelector':{'a':'b'},'driver':{'nodeSelector':{'a':'b'}}," THREE),
     "RefusedByOperator",
     "node selector cannot be defined at both SparkApplication and Driver/Executor"},
    {SPARK("Scala", "'nodeSelector':{'a':'b'}," DRIVER "," EXECUTOR(",'nodeSelector':{'a':'b'}")),
     "RefusedByOperator",
     "node selector cannot be defined at both SparkApplication and Driver/Executor"},
    {SPARK_NAMED("1-etl", "Scala", DRIVER "," THREE), "InvalidName",
     "invalid SparkApplication name \"1-etl\": a DNS-1035 label must consist of lower case "
     "alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')"},
};

START_TEST(what_is_refused)
{
    job_check_refusal(&refused[_i]);
}
END_TEST

/* Containers of fields, and those of a template. */
static const char *const rich[] = {
    SPARK("Python", "'driver':{}," EXECUTOR(",'gpu':{'name':'gpu','quantity':1},'sidecars':[{"
                                            "'name':'s'}],'initContainers':[{'name':'i'}]")),
    SPARK("Scala",
          DRIVER "," EXECUTOR(",'labels':{'a':'b'},'schedulerName':'s','template':{'spec':{"
                              "'containers':[{'name':'c'}]}}")),
};

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(rich[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, sizes_of_the_jvm, sizes, text);
    tcase_add_test(cases, a_number_has_the_unit_of_its_setting);
    add_rows(cases, executors, counts, text);
    add_rows(cases, what_an_executor_requests, requests, text);
    add_rows(cases, a_negative_number_of_executors_is_an_error_at_its_setting, verdicts, text);
    add_rows(cases, jobs_without_a_gang, without, text);
    add_items(cases, jobs_with_a_gang, with_gang);
    add_rows(cases, pods_have_the_nodes_of_the_application, placed, text);
    add_rows(cases, what_is_refused, refused, text);
    add_items(cases, memory_can_run_out_at_every_allocation, rich);
}
