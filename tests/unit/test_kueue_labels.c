/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/kueue.h"

#include "unit/kueue_findings.h"
#include "unit/suite.h"

#define KUEUE "kueue.x-k8s.io/"
#define JOB(kind, version, labels, annotations, spec)                                              \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'j','namespace':'ml',"       \
    "'labels':{" labels "},'annotations':{" annotations "}},'spec':{" spec "}}"
#define PODS(name) "'template':{'spec':{'containers':[{'name':'" name "','image':'i'}]}}"
#define BATCH(labels, annotations)                                                                 \
    JOB("Job", "batch/v1", labels, annotations,                                                    \
        "'completionMode':'Indexed','parallelism':3,'completions':3," PODS("c"))
#define REPLICAS(field, name) "'" field "':{'Worker':{'replicas':2," PODS(name) "}}"
#define JAX(labels) JOB("JAXJob", "kubeflow.org/v1", labels, "", REPLICAS("jaxReplicaSpecs", "jax"))
#define TORCH(annotations)                                                                         \
    JOB("PyTorchJob", "kubeflow.org/v1", QUEUE("q"), annotations,                                  \
        REPLICAS("pytorchReplicaSpecs", "pytorch"))
#define LWS(labels, annotations)                                                                   \
    JOB("LeaderWorkerSet", "leaderworkerset.x-k8s.io/v1", labels, annotations,                     \
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
} rows[] = {
    {BATCH(QUEUE("research"), ""), ""},
    {BATCH(QUEUE("Research"), ""),
     OF_LABEL("queue-name") "Invalid value: \"Research\": " SUBDOMAIN},
    {BATCH(SECONDS("60"), ""), ""},
    {BATCH(SECONDS("0"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"0\": should be greater than 0\n"},
    {BATCH(SECONDS("1e3"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"1e3\": must be a numeric value\n"},
    {BATCH(SECONDS("9223372036854775808"), ""),
     OF_LABEL("max-exec-time-seconds") "Invalid value: \"9223372036854775808\": must be a numeric "
                                       "value\n"},
    /* the webhook of LeaderWorkerSets reads no other label */
    {LWS(SECONDS("0") "," WORKLOAD("W"), ""), ""},
    /* a Workload that exists: the annotation has precedence */
    {BATCH(QUEUE("q") "," WORKLOAD("mine"), ""), ""},
    {BATCH(QUEUE("q") "," WORKLOAD("Mine"), ""),
     OF_LABEL("prebuilt-workload-name") "Invalid value: \"Mine\": " SUBDOMAIN},
    {BATCH(QUEUE("q") "," WORKLOAD(""), ""),
     OF_LABEL("prebuilt-workload-name") "Invalid value: \"\": " SUBDOMAIN},
    {BATCH(QUEUE("q") "," WORKLOAD("Mine"), WORKLOAD("mine")), ""},
    {BATCH(QUEUE("q"), WORKLOAD("")), ""},
    {TORCH(WORKLOAD("Mine")),
     OF_ANNOTATION("prebuilt-workload-name") "Invalid value: \"Mine\": " SUBDOMAIN},
    {JAX(QUEUE("q") "," WORKLOAD("mine")),
     OF_LABEL(
         "prebuilt-workload-name") "Forbidden: Kueue does not support a prebuilt workload for a "
                                   "JAXJob\n"},
    /* gates */
    {BATCH(QUEUE("q"), GATES("")), ""},
    {BATCH(QUEUE("q"), GATES(" a.b/c ,\\ta.b/d\\n")), ""},
    {BATCH(QUEUE("q"), GATES("\\u0001a.b/c")), /* a control character is no white space */
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"\\x01a.b/c\": " SUBDOMAIN},
    {BATCH(QUEUE("q"), GATES(" ")), ""},
    {BATCH(QUEUE("q"), GATES("example.com/a, example.com/b ")), ""},
    {BATCH(QUEUE("q"), GATES("a.b/c,")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"a.b/c,\": cannot contain empty gate "
                                         "names\n"},
    {BATCH(QUEUE("q"), GATES("a.b/d,a.b/c,a.b/d")),
     OF_ANNOTATION(
         "admission-gated-by") "Invalid value: \"a.b/d,a.b/c,a.b/d\": duplicate gate name: "
                               "a.b/d\n"},
    {BATCH(QUEUE("q"), GATES("gate")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"gate\": " PREFIXED},
    {BATCH(QUEUE("q"), GATES("A.b/c")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"A.b/c\": " SUBDOMAIN},
    {LWS(QUEUE("q"), GATES("a.b/")),
     OF_ANNOTATION("admission-gated-by") "Invalid value: \"a.b/\": " PREFIXED},
    {BATCH(QUEUE("q"), GATES(LONG_NAME)),
     OF_ANNOTATION("admission-gated-by") "Too long: may not be more than 63 bytes\n"},
    /* a job without a queue is not refused */
    {BATCH("", WORKLOAD("Mine") "," GATES("gate")), ""},
};

START_TEST(kueue_reads_labels_of_the_job)
{
    check_kueue_findings(rows[_i].job, "'defaultBackend':'coscheduling'", rows[_i].findings);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, kueue_reads_labels_of_the_job, rows, job);
}
