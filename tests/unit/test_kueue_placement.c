/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

#include "unit/kueue_findings.h"
#include "unit/suite.h"

/* The rules for the annotations themselves are in test_kueue_checks.c, with TrainJobs. */

#define KUEUE "kueue.x-k8s.io/"
#define RACK "'" KUEUE "podset-required-topology':'example.com/rack'"
#define GROUP ",'" KUEUE "podset-group-name':'all'"
#define SIZE(size)                                                                                 \
    "'" KUEUE "podset-slice-required-topology':'example.com/rack','" KUEUE                         \
    "podset-slice-size':'" size "'"
#define QUEUED "'labels':{'" KUEUE "queue-name':'research'},"
#define PODS(annotations)                                                                          \
    "{'metadata':{'annotations':{" annotations                                                     \
    "}},'spec':{'containers':[{'name':'c','image':'i'}]}}"
#define JOB(kind, version, metadata, spec)                                                         \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{" metadata                          \
    "'name':'j','namespace':'ml'},'spec':{" spec "}}"
#define BATCH(metadata, annotations)                                                               \
    JOB("Job", "batch/v1", metadata,                                                               \
        "'completionMode':'Indexed','parallelism':3,'completions':3,"                              \
        "'template':" PODS(annotations))
#define MPI(launcher, worker) MPI_OF(QUEUED, launcher, worker)
#define PYTORCH(annotations)                                                                       \
    JOB("PyTorchJob", "kubeflow.org/v1", QUEUED,                                                   \
        "'pytorchReplicaSpecs':{'Worker':{'replicas':2,'template':{'metadata':{'annotations':"     \
        "{" annotations "}},'spec':{'containers':[{'name':'pytorch','image':'i'}]}}}}")

#define JOBS(name, pods, annotations)                                                              \
    "{'name':'" name "','template':{'spec':{'completionMode':'Indexed','parallelism':" pods        \
    ",'completions':" pods ",'template':" PODS(annotations) "}}}"
#define TWO_JOBS(of_a, a, of_b, b)                                                                 \
    JOB("JobSet", "jobset.x-k8s.io/v1alpha2", QUEUED,                                              \
        "'replicatedJobs':[" JOBS("a", of_a, a) "," JOBS("b", of_b, b) "]")
#define IN_ZONE "'" KUEUE "podset-required-topology':'example.com/zone'"
#define PREFERS(domain) "'" KUEUE "podset-preferred-topology':'example.com/" domain "'"
#define OTHER_GROUP ",'" KUEUE "podset-group-name':'other'"
#define PATH_OF(index) "spec.replicatedJobs[" index "].template.spec.template.metadata.annotations"
#define PLACED(index, key, role, words)                                                            \
    "GANG560 " AT(PATH_OF(index), key) "Kueue places the pods of role \"" role "\" " words         \
                                       ", with the other role of the group "
#define GROUPED(index, role, domain, group)                                                        \
    PLACED(index, "podset-required-topology", role, "within one example.com/" domain) group "\n"
#define WISHED(index, role, domain)                                                                \
    PLACED(index, "podset-preferred-topology", role,                                               \
           "within one example.com/" domain " if possible")                                        \
    "all\n"
#define REFUSED(index, group)                                                                      \
    "GANG561 " AT(PATH_OF(index), "podset-group-name") "Invalid value: \"" group "\": "
#define NO_PAIR(index, group, number)                                                              \
    REFUSED(index, group)                                                                          \
    "can only define groups of exactly 2 pod sets, got: " number " pod set(s)\n"
#define DIFFERENT(index, other)                                                                    \
    "GANG561 " PATH_OF(index) ": must specify '" KUEUE "podset-required-topology' or '" KUEUE      \
                              "podset-preferred-topology' topology consistent with '" PATH_OF(     \
                                  other) "' in group 'all'\n"
#define NO_SINGLE(index)                                                                           \
    REFUSED(index, "all")                                                                          \
    "can only define groups where at least one pod set has only 1 replica, got: 2 replica(s) "     \
    "and 3 replica(s) in the group\n"

#define ANNOTATED(annotations) "'metadata':{'annotations':{" annotations "}}"
#define CONTAINERS(name) "'spec':{'containers':[{'name':'" name "','image':'i'}]}"
#define WORKER_TEMPLATE(annotations)                                                               \
    "'workerTemplate':{" ANNOTATED(annotations) "," CONTAINERS("c") "}"
#define LWS(size, templates)                                                                       \
    JOB("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", QUEUED,                                  \
        "'leaderWorkerTemplate':{'size':" size "," templates "}")
#define LEADER_TEMPLATE(annotations)                                                               \
    "'leaderTemplate':{" ANNOTATED(annotations) "," CONTAINERS("c") "},"
#define RAY(numbers, annotations)                                                                  \
    JOB("RayCluster", "ray.io/v1", QUEUED,                                                         \
        "'headGroupSpec':{'template':{" CONTAINERS(                                                \
            "c") "}},'workerGroupSpecs':[{'groupName':'g'," numbers                                \
                 ",'template':{" ANNOTATED(annotations) "," CONTAINERS("c") "}}]")
#define SPARK(more, annotations) SPARK_WITH("", more, annotations)
#define SPARK_WITH(spec, more, annotations)                                                        \
    JOB("SparkApplication", "sparkoperator.k8s.io/v1beta2", QUEUED,                                \
        "'type':'Scala','sparkVersion':'4.0.0','mainApplicationFile':'local:///"                   \
        "a','driver':{}," spec "'executor':{" more "'annotations':{" annotations "}}")
#define STATEFUL(annotations)                                                                      \
    JOB("StatefulSet", "apps/v1", QUEUED,                                                          \
        "'podManagementPolicy':'Parallel','replicas':2,'serviceName':'s','selector':{"             \
        "'matchLabels':{'a':'b'}},'template':{'metadata':{'labels':{'a':'b'},'annotations':"       \
        "{" annotations "}}," CONTAINERS("c") "}")
#define POD_OF_GROUP(name, annotations)                                                            \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name                                    \
    "','namespace':'ml','labels':{'" KUEUE "queue-name':'q','" KUEUE                               \
    "pod-group-name':'g'},'annotations':{'" KUEUE "pod-group-total-count':'2'," annotations        \
    "}}," CONTAINERS("c") "}"
#define POD_LIST(annotations)                                                                      \
    "{'apiVersion':'v1','kind':'PodList','items':[" POD_OF_GROUP(                                  \
        "a", annotations) "," POD_OF_GROUP("b", annotations) "]}"
#define WRAPPED(annotations)                                                                       \
    JOB("AppWrapper", "workload.codeflare.dev/v1beta2", QUEUED,                                    \
        "'components':[{'template':" MPI_OF("", annotations, "") "}]")
#define MPI_OF(metadata, launcher, worker)                                                         \
    JOB("MPIJob", "kubeflow.org/v2beta1", metadata,                                                \
        "'mpiReplicaSpecs':{'Launcher':{'replicas':1,'template':" PODS(                            \
            launcher) "},'Worker':{'replicas':2,'template':" PODS(worker) "}}")

#define LWS_PATH(role) "spec.leaderWorkerTemplate." role "Template.metadata.annotations"
#define RAY_PATH "spec.workerGroupSpecs[0].template.metadata.annotations"
#define SLICES(path, role, size)                                                                   \
    "GANG560 " AT(path,                                                                            \
                  "podset-slice-required-topology") "Kueue places the pods of role \"" role        \
                                                    "\" in slices of " size                        \
                                                    " pods, each within one example.com/rack\n"
#define TOO_LARGE(path, size, pods)                                                                \
    "GANG561 " AT(path, "podset-slice-size") "Invalid value: \"" size                              \
                                             "\": must not be greater than pod set count " pods    \
                                             "\n"
#define ONE_SET(path)                                                                              \
    "GANG561 " AT(path, "podset-group-name") "Invalid value: \"all\": can only define groups of "  \
                                             "exactly 2 pod sets, got: 1 pod set(s)\n"
#define READY                                                                                      \
    "GANG565 metadata.labels[" KUEUE "queue-name]: Kueue counts the job as ready only when its "   \
    "last role has started: with waitForPodsReady, which is on since v0.19 with 30 minutes, it "   \
    "evicts a job whose earlier roles take longer\n"
#define JOB_PATH "spec.template.metadata.annotations"
#define AT(path, key) path "[" KUEUE key "]: "
#define IN_RACK(role) "Kueue places the pods of role \"" role "\" within one example.com/rack"
#define WITH_GROUP ", with the other role of the group all\n"

static const struct kueue_placement_case {
    const char *job;
    const char *policy; /* the backend */
    const char *findings;
} rows[] = {
    {BATCH(QUEUED, ""), "coscheduling", ""},
    {BATCH(QUEUED, RACK), "coscheduling",
     "GANG560 " AT(JOB_PATH, "podset-required-topology") IN_RACK("main") "\n"},
    {BATCH("", RACK), "coscheduling",
     "GANG560 " AT(JOB_PATH, "podset-required-topology")
         IN_RACK("main") ", but only of a job that it manages, and this one has no queue\n"},
    {BATCH(QUEUED, RACK), "yunikorn",
     "GANG560 " AT(JOB_PATH, "podset-required-topology") IN_RACK("main") "\nGANG566 " AT(
         JOB_PATH,
         "podset-required-topology") "Kueue gives each pod a node after it was created; the "
                                     "placeholders of YuniKorn do not have "
                                     "it, so the gang may hold other nodes and start in part\n"},
    {BATCH(QUEUED, SIZE("4")), "coscheduling",
     "GANG560 " AT(
         JOB_PATH,
         "podset-slice-required-topology") "Kueue places the pods of role \"main\" in slices of 4 "
                                           "pods, each within one "
                                           "example.com/rack\nGANG561 " AT(
                                               JOB_PATH,
                                               "podset-slice-size") "Invalid value: \"4\": must "
                                                                    "not be greater than pod set "
                                                                    "count 3\n"},
    /* two roles in one domain; the webhook of MPIJobs compares them */
    {MPI(RACK GROUP, RACK GROUP), "coscheduling",
     "GANG560 " AT("spec.mpiReplicaSpecs.Launcher.template.metadata.annotations",
                   "podset-required-topology") IN_RACK("launcher") WITH_GROUP
     "GANG560 " AT("spec.mpiReplicaSpecs.Worker.template.metadata.annotations",
                   "podset-required-topology") IN_RACK("worker") WITH_GROUP},
    {MPI("", RACK GROUP), "coscheduling",
     "GANG560 " AT("spec.mpiReplicaSpecs.Worker.template.metadata.annotations",
                   "podset-required-topology") IN_RACK("worker") WITH_GROUP
     "GANG561 " AT("spec.mpiReplicaSpecs.Worker.template.metadata.annotations",
                   "podset-group-name") "Invalid value: \"all\": can only define groups of exactly "
                                        "2 pod sets, got: 1 pod set(s)\n"},
    /* pkg/util/tas and pkg/controller/jobframework/tas_validation.go */
    {TWO_JOBS("1", RACK GROUP, "2", RACK OTHER_GROUP), "coscheduling",
     GROUPED("0", "a", "rack", "all") NO_PAIR("0", "all", "1") GROUPED("1", "b", "rack", "other")
         NO_PAIR("1", "other", "1")},
    {TWO_JOBS("2", RACK GROUP, "3", RACK GROUP), "coscheduling",
     GROUPED("0", "a", "rack", "all") NO_SINGLE("0") GROUPED("1", "b", "rack", "all")
         NO_SINGLE("1")},
    {TWO_JOBS("1", RACK GROUP, "2", IN_ZONE GROUP), "coscheduling",
     DIFFERENT("0", "1") GROUPED("0", "a", "rack", "all") DIFFERENT("1", "0")
         GROUPED("1", "b", "zone", "all")},
    {TWO_JOBS("1", PREFERS("rack") GROUP, "2", PREFERS("zone") GROUP), "coscheduling",
     DIFFERENT("0", "1") WISHED("0", "a", "rack") DIFFERENT("1", "0") WISHED("1", "b", "zone")},
    /* strconv.ParseInt with 32 bits */
    {BATCH(QUEUED, SIZE("2147483648")), "coscheduling",
     "GANG560 " AT(
         JOB_PATH,
         "podset-slice-required-topology") "Kueue places the pods of role "
                                           "\"main\" in slices of 2147483648 "
                                           "pods, each within one "
                                           "example.com/rack\nGANG561 " AT(
                                               JOB_PATH,
                                               "podset-slice-size") "Invalid value: "
                                                                    "\"2147483648\": must be a "
                                                                    "numeric value\n"},
    /* each of the pod sets is reported */
    {MPI(RACK, RACK GROUP), "coscheduling",
     "GANG560 " AT("spec.mpiReplicaSpecs.Launcher.template.metadata.annotations",
                   "podset-required-topology")
         IN_RACK("launcher") "\nGANG560 " AT(
             "spec.mpiReplicaSpecs.Worker.template.metadata.annotations",
             "podset-required-topology") IN_RACK("worker")
             WITH_GROUP ONE_SET("spec.mpiReplicaSpecs.Worker.template.metadata.annotations")},
    /* a component of an AppWrapper has the webhook of its kind */
    {WRAPPED(RACK GROUP), "coscheduling",
     "GANG560 " AT("spec.components[0].template.spec.mpiReplicaSpecs.Launcher.template.metadata."
                   "annotations",
                   "podset-required-topology") IN_RACK("launcher")
         WITH_GROUP ONE_SET(
             "spec.components[0].template.spec.mpiReplicaSpecs.Launcher.template.metadata."
             "annotations")},
    /* one template for the leader and the workers is one pod set; with two, size 1 has no worker */
    {LWS("3", WORKER_TEMPLATE(SIZE("3"))), "coscheduling",
     SLICES(LWS_PATH("worker"), "leader", "3") SLICES(LWS_PATH("worker"), "worker", "3")},
    {LWS("3", WORKER_TEMPLATE(SIZE("4"))), "coscheduling",
     SLICES(LWS_PATH("worker"), "leader", "4") SLICES(LWS_PATH("worker"), "worker", "4")
         TOO_LARGE(LWS_PATH("worker"), "4", "3")},
    {LWS("3", LEADER_TEMPLATE("") WORKER_TEMPLATE(SIZE("3"))), "coscheduling",
     SLICES(LWS_PATH("worker"), "worker", "3") TOO_LARGE(LWS_PATH("worker"), "3", "2")},
    {LWS("1", LEADER_TEMPLATE("") WORKER_TEMPLATE(SIZE("1"))), "coscheduling",
     SLICES(LWS_PATH("worker"), "worker", "1") TOO_LARGE(LWS_PATH("worker"), "1", "0")},
    {LWS("3", WORKER_TEMPLATE(RACK GROUP)), "coscheduling",
     "GANG560 " AT(LWS_PATH("worker"), "podset-required-topology") IN_RACK("leader") WITH_GROUP
     "GANG560 " AT(LWS_PATH("worker"), "podset-required-topology") IN_RACK("worker")
         WITH_GROUP ONE_SET(LWS_PATH("worker"))},
    /* Kueue does not know the limits of replicas */
    {RAY("'replicas':4,'minReplicas':0,'maxReplicas':2", SIZE("4")), "coscheduling",
     SLICES(RAY_PATH, "g", "4")},
    {RAY("'replicas':1,'minReplicas':3,'maxReplicas':3,'numOfHosts':2", SIZE("3")), "coscheduling",
     SLICES(RAY_PATH, "g", "3") TOO_LARGE(RAY_PATH, "3", "2")},
    {RAY("'minReplicas':3,'maxReplicas':3", SIZE("1")), "coscheduling",
     SLICES(RAY_PATH, "g", "1") TOO_LARGE(RAY_PATH, "1", "0")},
    /* the default of the operator's webhook is one executor */
    {SPARK("'instances':2,", SIZE("2")), "coscheduling",
     READY SLICES("spec.executor.annotations", "executor", "2")},
    {SPARK("", SIZE("2")), "coscheduling",
     READY SLICES("spec.executor.annotations", "executor", "2")
         TOO_LARGE("spec.executor.annotations", "2", "1")},
    /* which it does not set beside these fields, and Kueue then counts none */
    {SPARK_WITH("'sparkConf':{'spark.executor.instances':'3'},", "", SIZE("1")), "coscheduling",
     READY SLICES("spec.executor.annotations", "executor", "1")
         TOO_LARGE("spec.executor.annotations", "1", "0")},
    {SPARK_WITH("'dynamicAllocation':{'enabled':true,'minExecutors':2},", "", SIZE("1")),
     "coscheduling",
     READY "GANG561 spec.dynamicAllocation.enabled: Invalid value: true: a kueue managed job can "
           "use dynamicAllocation only when the ElasticJobsViaWorkloadSlices feature gate is on "
           "and the job is an elastic job\n" SLICES("spec.executor.annotations", "executor", "1")
               TOO_LARGE("spec.executor.annotations", "1", "0")},
    /* the webhook of pods does not know how many there are */
    {POD_LIST(SIZE("5")), "coscheduling", SLICES("items[0].metadata.annotations", "role-0", "5")},
    {STATEFUL(SIZE("5")), "coscheduling", SLICES(JOB_PATH, "main", "5")},
    {STATEFUL(SIZE("0")), "coscheduling",
     SLICES(JOB_PATH, "main", "0") "GANG561 " AT(
         JOB_PATH,
         "podset-slice-size") "Invalid value: \"0\": must be greater than or equal to 1\n"},
    /* those of Jobs and of training-operator's jobs do not */
    {BATCH(QUEUED, RACK GROUP), "coscheduling",
     "GANG560 " AT(JOB_PATH, "podset-required-topology") IN_RACK("main") WITH_GROUP},
    {PYTORCH(RACK GROUP), "coscheduling",
     "GANG560 " AT("spec.pytorchReplicaSpecs.Worker.template.metadata.annotations",
                   "podset-required-topology") IN_RACK("worker") WITH_GROUP},
};

START_TEST(kueue_places_the_pods_of_any_job)
{
    char policy[64];

    snprintf(policy, sizeof(policy), "'defaultBackend':'%s'", rows[_i].policy);
    check_kueue_findings(rows[_i].job, policy, rows[_i].findings);
}
END_TEST

/* ---- slices of several levels ---- */

#define LAYERS "kueue.x-k8s.io/podset-slice-required-topology-constraints"
#define LAYERED_BATCH(layers)                                                                      \
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j','namespace':'ml','labels':{"     \
    "'kueue.x-k8s.io/queue-name':'q'}},'spec':{'completionMode':'Indexed','parallelism':8,"        \
    "'completions':8,'template':{'metadata':{'annotations':{'" LAYERS "':'" layers                 \
    "'}},'spec':{'containers':[{'name':'c','image':'i'}]}}}}"
/* a double quote within a text of JSON, which the tests write with single quotes */
#define Q "\\\""
#define LAYER(topology, size) "{" Q "topology" Q ":" Q topology Q "," Q "size" Q ":" size "}"

#define PATH "spec.template.metadata.annotations[" LAYERS "]: "
#define PLACES                                                                                     \
    "GANG560 " PATH "Kueue places the pods of role \"main\" in slices of several levels\n"
#define REFUSES "GANG561 " PATH
#define INVALID(text) REFUSES "Invalid value: \"" text "\": "
#define NOT_LAYERS "must be a valid JSON array of layers with \"topology\" and \"size\"\n"
#define WRONG_COUNT "topology constraints must contain between 1 and 3 entries\n"
#define EMPTY_NAME                                                                                 \
    "name part must be non-empty\n" REFUSES                                                        \
    "[0].topology: Invalid value: \"\": name part must consist of alphanumeric characters, '-', "  \
    "'_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or "       \
    "'my.name',  or '123-abc', regex used for validation is "                                      \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')\n"

/*
 * Source: validateSliceRequiredTopologyConstraintsAnnotation in
 * kubernetes-sigs/kueue:pkg/controller/jobframework/tas_validation.go@v0.19.2
 */
static const struct kueue_layer_case {
    const char *layers;
    const char *findings; /* after PLACES */
} layer_rows[] = {
    {LAYERED_BATCH("[" LAYER("a/block", "8") "]"), ""},
    {LAYERED_BATCH("[" LAYER("a/block", "8") "," LAYER("a/rack", "4") "," LAYER("host", "1") "]"),
     ""},
    {LAYERED_BATCH(" [ {" Q "size" Q ":1," Q "topology" Q ":" Q "a" Q "," Q "more" Q ":true} ] "),
     ""},
    /* no list of layers */
    {LAYERED_BATCH(""), INVALID("") NOT_LAYERS},
    {LAYERED_BATCH("x"), INVALID("x") NOT_LAYERS},
    {LAYERED_BATCH("{}"), INVALID("{}") NOT_LAYERS},
    {LAYERED_BATCH("[1]"), INVALID("[1]") NOT_LAYERS},
    {LAYERED_BATCH("[]]"), INVALID("[]]") NOT_LAYERS},
    {LAYERED_BATCH("[{" Q "topology" Q ":1}]"), INVALID("[{\\\"topology\\\":1}]") NOT_LAYERS},
    {LAYERED_BATCH("[{" Q "size" Q ":" Q "1" Q "}]"),
     INVALID("[{\\\"size\\\":\\\"1\\\"}]") NOT_LAYERS},
    {LAYERED_BATCH("[{" Q "size" Q ":1.5}]"), INVALID("[{\\\"size\\\":1.5}]") NOT_LAYERS},
    {LAYERED_BATCH("[{" Q "size" Q ":2147483648}]"),
     INVALID("[{\\\"size\\\":2147483648}]") NOT_LAYERS},
    {LAYERED_BATCH("[]"), INVALID("[]") WRONG_COUNT},
    {LAYERED_BATCH("null"), INVALID("null") WRONG_COUNT},
    /* a wrong number of layers is not read further, but for the first size */
    {LAYERED_BATCH("[{" Q "size" Q ":9},{},{},{}]"),
     INVALID("[{\\\"size\\\":9},{},{},{}]") "must not be greater than pod set count 8\n" INVALID(
         "[{\\\"size\\\":9},{},{},{}]") WRONG_COUNT},
    /* wrong layers; what is absent is empty */
    {LAYERED_BATCH("[" LAYER("a", "0") "]"),
     REFUSES "[0].size: Invalid value: 0: must be greater than or equal to 1\n"},
    {LAYERED_BATCH("[{" Q "size" Q ":1}]"),
     REFUSES "[0].topology: Invalid value: \"\": " EMPTY_NAME},
    {LAYERED_BATCH("[null]"),
     REFUSES "[0].size: Invalid value: 0: must be greater than or equal to 1\n" REFUSES
             "[0].topology: Invalid value: \"\": " EMPTY_NAME},
    {LAYERED_BATCH("[" LAYER("a", "4") "," LAYER("b", "3") "]"),
     REFUSES "[1].size: Invalid value: 3: must evenly divide the parent layer size 4\n"},
    {LAYERED_BATCH("[" LAYER("a", "4") "," LAYER("b", "2") "," LAYER("a", "1") "]"),
     REFUSES "[2].topology: Duplicate value: \"a\", as in [0]\n"},
    {LAYERED_BATCH("[" LAYER("a", "9") "]"),
     INVALID("[{\\\"topology\\\":\\\"a\\\",\\\"size\\\":9}]") "must not be greater than pod set "
                                                              "count 8\n"},
};

START_TEST(kueue_reads_layers)
{
    char findings[DOCUMENT_SIZE];

    snprintf(findings, sizeof(findings), "%s%s", PLACES, layer_rows[_i].findings);
    check_kueue_findings(layer_rows[_i].layers, "'defaultBackend':'coscheduling'", findings);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, kueue_places_the_pods_of_any_job, rows, job);
    add_rows(cases, kueue_reads_layers, layer_rows, layers);
}
