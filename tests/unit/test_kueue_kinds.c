/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

#include "unit/kueue_findings.h"
#include "unit/suite.h"

#define JOB(kind, version, annotations, spec)                                                      \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'j','namespace':'ml',"       \
    "'labels':{'kueue.x-k8s.io/queue-name':'research'},'annotations':{" annotations "}},"          \
    "'spec':{" spec "}}"
#define ELASTIC "'kueue.x-k8s.io/elastic-job':'true'"
#define MINIMUM(number) "'kueue.x-k8s.io/job-min-parallelism':'" number "'"

#define PODS "'template':{'spec':{'containers':[{'name':'c','image':'i'}]}}"
#define CLUSTER(more, group)                                                                       \
    "'headGroupSpec':{" PODS "},'workerGroupSpecs':[{'groupName':'" group "','replicas':2,"        \
    "'minReplicas':2,'maxReplicas':2," PODS "}]" more
#define RAY_CLUSTER(annotations, more, group)                                                      \
    JOB("RayCluster", "ray.io/v1", annotations, CLUSTER(more, group))
#define RAY_JOB(annotations, more, cluster)                                                        \
    JOB("RayJob", "ray.io/v1", annotations,                                                        \
        "'entrypoint':'e'" more ",'rayClusterSpec':{" CLUSTER(cluster, "gpu") "}")
#define RAY_SERVICE(cluster, group)                                                                \
    JOB("RayService", "ray.io/v1", "", "'rayClusterConfig':{" CLUSTER(cluster, group) "}")
#define AUTOSCALING ",'enableInTreeAutoscaling':true"
#define SHUTDOWN ",'shutdownAfterJobFinishes':true"
#define BATCH(annotations)                                                                         \
    JOB("Job", "batch/v1", annotations,                                                            \
        "'completionMode':'Indexed','parallelism':3,'completions':3," PODS)
#define SYNC(value) "'kueue.x-k8s.io/job-completions-equal-parallelism':'" value "'"
#define GANG_OF(annotations, spec)                                                                 \
    JOB("Job", "batch/v1", "'policy.libgang.dev/gang':'true'," annotations, spec "," PODS)
#define PLACED_BATCH(annotations, level)                                                           \
    JOB("Job", "batch/v1", annotations,                                                            \
        "'completionMode':'Indexed','parallelism':3,'completions':3,'template':{'metadata':{"      \
        "'annotations':{'kueue.x-k8s.io/podset-" level "-topology':'rack'}},'spec':{"              \
        "'containers':[{'name':'c','image':'i'}]}}")
#define SPARK(annotations, more)                                                                   \
    JOB("SparkApplication", "sparkoperator.k8s.io/v1beta2", annotations,                           \
        "'type':'Scala','sparkVersion':'4.0.0','mainApplicationFile':'local:///a','driver':{},"    \
        "'executor':{'instances':2}" more)
#define LWS(annotations)                                                                           \
    JOB("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", annotations,                             \
        "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'containers':[{'name':'c',"    \
        "'image':'i'}]}}}")
#define NEUTRAL(kind, version, annotations)                                                        \
    JOB("GangJob", "policy.libgang.dev/v1alpha1", annotations,                                     \
        "'owner':{'apiVersion':'" version "','kind':'" kind "'},"                                  \
        "'roles':[{'name':'a','count':3}]")

#define REFUSES "GANG561 "
#define ALL(minimum, pods)                                                                         \
    "GANG564 metadata.labels[kueue.x-k8s.io/queue-name]: the gang starts with " minimum            \
    " pods, but Kueue admits the job only with room for all " pods "\n"
#define READY                                                                                      \
    "GANG565 metadata.labels[kueue.x-k8s.io/queue-name]: Kueue counts the job as ready only when " \
    "its last role has started: with waitForPodsReady, which is on since v0.19 with 30 minutes, "  \
    "it evicts a job whose earlier roles take longer\n"
#define ELASTIC_PATH "metadata.annotations[kueue.x-k8s.io/elastic-job]: "
#define SYNC_PATH "metadata.annotations[kueue.x-k8s.io/job-completions-equal-parallelism]: "
#define EQUAL                                                                                      \
    "should be equal to parallelism when kueue.x-k8s.io/job-completions-equal-parallelism "        \
    "annotation is true\n"
#define LEVEL_PATH(level)                                                                          \
    "spec.template.metadata.annotations[kueue.x-k8s.io/podset-" level "-topology]: "
#define MINIMUM_PATH "metadata.annotations[kueue.x-k8s.io/job-min-parallelism]: "

/*
 * The messages behind "Invalid value" and "Forbidden" are those of the webhooks:
 * kubernetes-sigs/kueue:pkg/controller/jobs@v0.19.2. The Ray jobs have no minimum below their pods
 * but with autoscaling, where minReplicas counts.
 */
static const struct kueue_kind_case {
    const char *job;
    const char *findings;
} rows[] = {
    {RAY_CLUSTER("", "", "gpu"), ""},
    {RAY_CLUSTER("", AUTOSCALING, "gpu"),
     REFUSES "spec.enableInTreeAutoscaling: Invalid value: true: a kueue-managed RayCluster can "
             "use autoscaling only as an elastic job: enable the ElasticJobsViaWorkloadSlices "
             "feature gate and set the \"kueue.x-k8s.io/elastic-job\": \"true\" annotation\n"},
    {RAY_CLUSTER(ELASTIC, AUTOSCALING, "gpu"), ""},
    {RAY_CLUSTER("", "", "head"),
     REFUSES "spec.workerGroupSpecs[0].groupName: Forbidden: \"head\" is reserved for the head "
             "group\n"},
    {RAY_JOB("", SHUTDOWN, ""), ""},
    {RAY_JOB("", "", ""),
     REFUSES "spec.shutdownAfterJobFinishes: Invalid value: false: a kueue managed job should "
             "delete the cluster after finishing\n"},
    {RAY_JOB("", ",'shutdownAfterJobFinishes':false", AUTOSCALING),
     REFUSES "spec.shutdownAfterJobFinishes: Invalid value: false: a kueue managed job should "
             "delete the cluster after finishing\n" REFUSES
             "spec.rayClusterSpec.enableInTreeAutoscaling: Invalid value: true: a kueue managed "
             "job should only use autoscaling when workload slicing is enabled\n"},
    {RAY_JOB(ELASTIC, SHUTDOWN, AUTOSCALING), ""},
    {RAY_SERVICE("", "head"),
     REFUSES "spec.rayClusterConfig.workerGroupSpecs[0].groupName: Forbidden: \"head\" is reserved "
             "for the head group\n"},
    {RAY_SERVICE(AUTOSCALING, "gpu"),
     REFUSES "spec.rayClusterConfig.enableInTreeAutoscaling: Invalid value: true: a kueue managed "
             "job should only use autoscaling when workload slicing is enabled\n"},
    {SPARK("", ",'mode':'cluster'"), READY},
    {SPARK("", ""), READY},
    {SPARK("", ",'mode':'client'"), REFUSES
     "spec.mode: Invalid value: \"client\": only Cluster mode is supported for a kueue managed "
     "job\n"},
    {SPARK("", ",'dynamicAllocation':{'enabled':true,'minExecutors':2}"),
     READY REFUSES "spec.dynamicAllocation.enabled: Invalid value: true: a kueue managed job can "
                   "use dynamicAllocation only when the ElasticJobsViaWorkloadSlices feature gate "
                   "is on and the job is an elastic job\n"},
    {SPARK(ELASTIC, ",'dynamicAllocation':{'enabled':true,'minExecutors':2}"),
     READY REFUSES ELASTIC_PATH
     "Forbidden: this SparkApplication cannot be an elastic job of Kueue\n"},
    /* a Job can be admitted in part, and then needs the same number of pods */
    {BATCH(""), ""},
    {BATCH(ELASTIC), ""},
    {BATCH(MINIMUM("2")), ""},
    {BATCH(MINIMUM("3")), REFUSES MINIMUM_PATH "Invalid value: \"3\": should be between 0 and 2\n"},
    {BATCH(MINIMUM("0")), REFUSES MINIMUM_PATH "Invalid value: \"0\": should be between 0 and 2\n"},
    {BATCH(MINIMUM("two")),
     REFUSES MINIMUM_PATH "Invalid value: \"two\": must be a numeric value\n"},
    {BATCH(MINIMUM("2") "," ELASTIC), REFUSES MINIMUM_PATH
     "Invalid value: \"2\": partial admission and elastic job cannot be used together\n"},
    /* completions that follow the parallelism */
    {BATCH(SYNC("true")), ""},
    {BATCH(SYNC("F")), ""},
    {BATCH(SYNC("yes")), REFUSES SYNC_PATH "Invalid value: \"yes\": must be a boolean value\n"},
    {GANG_OF(SYNC("1"), "'completionMode':'Indexed','parallelism':3,'completions':4"),
     REFUSES "spec.completions: Invalid value: 4: " EQUAL},
    {GANG_OF(SYNC("true"), "'parallelism':3"), REFUSES SYNC_PATH
     "Invalid value: \"true\": should not be enabled for NonIndexed jobs\n" REFUSES
     "spec.completions: Invalid value: null: " EQUAL},
    {GANG_OF(SYNC("false"), "'parallelism':3"), ""},
    /* levels of an elastic Job */
    {PLACED_BATCH(ELASTIC, "required"),
     "GANG560 " LEVEL_PATH(
         "required") "Kueue places the pods of role \"main\" within one rack\n" REFUSES
         LEVEL_PATH("required") "Forbidden: required topology is not supported with elastic "
                                "jobs\n"},
    {PLACED_BATCH(ELASTIC, "preferred"),
     "GANG560 " LEVEL_PATH(
         "preferred") "Kueue places the pods of role \"main\" within one rack if "
                      "possible\n" REFUSES LEVEL_PATH(
                          "preferred") "Forbidden: preferred topology is not supported "
                                       "with elastic jobs\n"},
    {LWS(ELASTIC),
     REFUSES ELASTIC_PATH "Forbidden: this LeaderWorkerSet cannot be an elastic job of Kueue\n"},
    {LWS(MINIMUM("1")),
     "GANG563 " MINIMUM_PATH
     "has no effect: Kueue admits this LeaderWorkerSet with all its pods or not at all; only a Job "
     "that it manages can be admitted in part\n"},
    /* a GangJob has no fields of the kind that it stands for */
    {NEUTRAL("RayJob", "ray.io/v1", ""), ""},
    {NEUTRAL("MPIJob", "kubeflow.org/v2beta1", ELASTIC),
     REFUSES ELASTIC_PATH "Forbidden: this MPIJob cannot be an elastic job of Kueue\n"},
    /* nothing of Kueue: no labels, and no templates */
    {"{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'j'},"
     "'spec':{'owner':{'apiVersion':'ray.io/v1','kind':'RayJob'},'roles':[{'name':'a'}]}}",
     ""},
    /* Kueue does not know the kind */
    {NEUTRAL("MyJob", "example.com/v1", ELASTIC "," MINIMUM("1")), ""},
};

/* A cluster with so many worker groups. */
static void
write_cluster(size_t groups, const char *kind, const char *field, char out[DOCUMENT_SIZE])
{
    size_t len = (size_t)snprintf(
        out, DOCUMENT_SIZE,
        "{'apiVersion':'ray.io/v1','kind':'%s','metadata':{'name':'j','namespace':'ml','labels':{"
        "'kueue.x-k8s.io/queue-name':'q'}},'spec':{'entrypoint':'e',"
        "'shutdownAfterJobFinishes':true,%s'headGroupSpec':{" PODS "},'workerGroupSpecs':[",
        kind, field);

    for (size_t i = 0; i < groups; i++)
        len += (size_t)snprintf(out + len, DOCUMENT_SIZE - len,
                                "%s{'groupName':'g%zu','replicas':1,'minReplicas':1,"
                                "'maxReplicas':1," PODS "}",
                                i ? "," : "", i);
    snprintf(out + len, DOCUMENT_SIZE - len, "]}%s}", *field ? "}" : "");
}

/*
 * A Workload has at most 18 pod sets. The webhooks count the head and the groups; with the
 * submitter a RayJob has one more. Source: ExpectedPodSetsCount in raycluster/common.go@v0.19.2
 */
static const struct {
    size_t groups;
    const char *kind, *field, *findings;
} counts[] = {
    {17, "RayCluster", "", ""},
    {18, "RayCluster", "",
     REFUSES "spec.workerGroupSpecs: Too many: 19: must have at most 18 items\n"},
    {16, "RayJob", "'rayClusterSpec':{", ""},
    {17, "RayJob", "'rayClusterSpec':{",
     REFUSES "spec.rayClusterSpec: Too many: 19: Kueue queues at most 18 roles\n"},
    {18, "RayJob", "'rayClusterSpec':{",
     REFUSES "spec.rayClusterSpec.workerGroupSpecs: Too many: 19: must have at most 18 items\n"},
};

START_TEST(kueue_counts_pod_sets)
{
    char job[DOCUMENT_SIZE];

    write_cluster(counts[_i].groups, counts[_i].kind, counts[_i].field, job);
    check_kueue_findings(job, "'defaultBackend':'coscheduling'", counts[_i].findings);
}
END_TEST

START_TEST(kueue_and_the_kinds_of_jobs)
{
    check_kueue_findings(rows[_i].job, "'defaultBackend':'coscheduling'", rows[_i].findings);
}
END_TEST

/* As strconv.ParseInt reads it, and strconv.ParseUint. */
static const struct {
    const char *text;
    bool is_int;
    bool is_uint;
    int64_t value;
} numbers[] = {
    {"12", true, true, 12},
    {"0", true, true, 0},
    {"+12", true, false, 12},
    {"-12", true, false, -12},
    {"", false, false, 0},
    {"+", false, false, 0},
    {"-", false, false, 0},
    {"two", false, false, 0},
    {"+-2", false, false, 0},
    {"007", true, true, 7},
    {"9223372036854775808", false, true, 0},
    {"00018446744073709551615", false, true, 0},
    {"18446744073709551616", false, false, 0},
    {"100000000000000000000", false, false, 0},
    {"1_0", false, false, 0},
};

START_TEST(numbers_are_those_of_strconv)
{
    const struct slice text = slice_from_text(numbers[_i].text);
    int64_t value = 0;

    ck_assert_int_eq(kueue_is_unsigned(text), numbers[_i].is_uint);
    ck_assert_int_eq(integer_parse_signed(text, &value), numbers[_i].is_int);
    if (numbers[_i].is_int)
        ck_assert_int_eq(value, numbers[_i].value);
}
END_TEST

/* ---- labels and annotations of the job itself ---- */

#define KUEUE "kueue.x-k8s.io/"
#define LABELLED_JOB(kind, version, labels, annotations, spec)                                     \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'j','namespace':'ml',"       \
    "'labels':{" labels "},'annotations':{" annotations "}},'spec':{" spec "}}"
#define LABELLED_PODS(name) "'template':{'spec':{'containers':[{'name':'" name "','image':'i'}]}}"
#define LABELLED_BATCH(labels, annotations)                                                        \
    LABELLED_JOB("Job", "batch/v1", labels, annotations,                                           \
                 "'completionMode':'Indexed','parallelism':3,'completions':3," LABELLED_PODS("c"))
#define REPLICAS(field, name) "'" field "':{'Worker':{'replicas':2," LABELLED_PODS(name) "}}"
#define JAX(labels)                                                                                \
    LABELLED_JOB("JAXJob", "kubeflow.org/v1", labels, "", REPLICAS("jaxReplicaSpecs", "jax"))
#define TORCH(annotations)                                                                         \
    LABELLED_JOB("PyTorchJob", "kubeflow.org/v1", QUEUE("q"), annotations,                         \
                 REPLICAS("pytorchReplicaSpecs", "pytorch"))
#define LABELLED_LWS(labels, annotations)                                                          \
    LABELLED_JOB(                                                                                  \
        "LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", labels, annotations,                     \
        "'leaderWorkerTemplate':{'size':2,'workerTemplate':{'spec':{'containers':[{'name':'c',"    \
        "'image':'i'}]}}}")

#define QUEUE(name) "'" KUEUE "queue-name':'" name "'"
#define SECONDS(text) QUEUE("q") ",'" KUEUE "max-exec-time-seconds':'" text "'"
#define WORKLOAD(name) "'" KUEUE "prebuilt-workload-name':'" name "'"
#define GATES(names) "'" KUEUE "admission-gated-by':'" names "'"

#define OF_LABEL(key) "GANG561 metadata.labels[" KUEUE key "]: "
#define OF_ANNOTATION(key) "GANG561 metadata.annotations[" KUEUE key "]: "
#define SUBDOMAIN                                                                                  \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "  \
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')\n"
#define PREFIXED "must be a domain-prefixed path (such as \"acme.io/foo\")\n"
#define LONG_NAME "example.com/gggggggggggggggggggggggggggggggggggggggggggggggggggg"

/*
 * The messages are those of the webhooks, but for numbers and for kinds that they do not support:
 * kubernetes-sigs/kueue:pkg/controller/jobframework/validation.go, pkg/util/webhook @v0.19.2
 */
static const struct kueue_label_case {
    const char *job;
    const char *findings;
} label_rows[] = {
    {LABELLED_BATCH(QUEUE("research"), ""), ""},
    {LABELLED_BATCH(QUEUE("Research"), ""),
     OF_LABEL("queue-name") "Invalid value: \"Research\": " SUBDOMAIN},
    {LABELLED_BATCH(SECONDS("60"), ""), ""},
    {LABELLED_BATCH(SECONDS("0"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"0\": should be greater than 0\n"},
    {LABELLED_BATCH(SECONDS("1e3"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"1e3\": must be a numeric value\n"},
    {LABELLED_BATCH(SECONDS("9223372036854775808"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"9223372036854775808\": must be a numeric "
                                       "value\n"},
    /* the webhook of LeaderWorkerSets reads no other label */
    {LABELLED_LWS(SECONDS("0") "," WORKLOAD("W"), ""), ""},
    /* a Workload that exists: the annotation has precedence */
    {LABELLED_BATCH(QUEUE("q") "," WORKLOAD("mine"), ""), ""},
    {LABELLED_BATCH(QUEUE("q") "," WORKLOAD("Mine"), ""),
     OF_LABEL("prebuilt-workload-name") "Invalid value: \"Mine\": " SUBDOMAIN},
    {LABELLED_BATCH(QUEUE("q") "," WORKLOAD(""), ""),
     OF_LABEL("prebuilt-workload-name") "Invalid value: \"\": " SUBDOMAIN},
    {LABELLED_BATCH(QUEUE("q") "," WORKLOAD("Mine"), WORKLOAD("mine")), ""},
    {LABELLED_BATCH(QUEUE("q"), WORKLOAD("")), ""},
    {TORCH(WORKLOAD("Mine")),
     OF_ANNOTATION("prebuilt-workload-name") "Invalid value: \"Mine\": " SUBDOMAIN},
    {JAX(QUEUE("q") "," WORKLOAD("mine")),
     OF_LABEL(
         "prebuilt-workload-name") "Forbidden: Kueue does not support a prebuilt workload for this "
                                   "JAXJob\n"},
    /* gates */
    {LABELLED_BATCH(QUEUE("q"), GATES("")), ""},
    {LABELLED_BATCH(QUEUE("q"), GATES(" a.b/c ,\\ta.b/d\\n")), ""},
    {LABELLED_BATCH(QUEUE("q"), GATES("\\u0001a.b/c")), /* a control character is no white space */
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"\\x01a.b/c\": " SUBDOMAIN},
    {LABELLED_BATCH(QUEUE("q"), GATES(" ")), ""},
    {LABELLED_BATCH(QUEUE("q"), GATES("example.com/a, example.com/b ")), ""},
    {LABELLED_BATCH(QUEUE("q"), GATES("a.b/c,")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"a.b/c,\": cannot contain empty gate "
                                         "names\n"},
    {LABELLED_BATCH(QUEUE("q"), GATES("a.b/d,a.b/c,a.b/d")),
     OF_ANNOTATION(
         "admission-gated-by") "Invalid value: \"a.b/d,a.b/c,a.b/d\": duplicate gate name: "
                               "a.b/d\n"},
    {LABELLED_BATCH(QUEUE("q"), GATES("gate")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"gate\": " PREFIXED},
    {LABELLED_BATCH(QUEUE("q"), GATES("A.b/c")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"A.b/c\": " SUBDOMAIN},
    {LABELLED_LWS(QUEUE("q"), GATES("a.b/")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"a.b/\": " PREFIXED},
    {LABELLED_BATCH(QUEUE("q"), GATES(LONG_NAME)),
     OF_ANNOTATION("admission-gated-by") "Too long: may not be more than 63 bytes\n"},
    /* a job without a queue is not refused */
    {LABELLED_BATCH("", WORKLOAD("Mine") "," GATES("gate")), ""},
};

START_TEST(kueue_reads_labels_of_the_job)
{
    check_kueue_findings(label_rows[_i].job, "'defaultBackend':'coscheduling'",
                         label_rows[_i].findings);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, numbers_are_those_of_strconv, numbers, text);
    add_rows(cases, kueue_and_the_kinds_of_jobs, rows, job);
    add_rows(cases, kueue_counts_pod_sets, counts, kind);
    add_rows(cases, kueue_reads_labels_of_the_job, label_rows, job);
}
