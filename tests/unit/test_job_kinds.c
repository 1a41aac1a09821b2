/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/kinds.h"

static const struct {
    const char *text; /* apiVersion */
    const char *kind;
    bool is_read;
    bool is_known;
} kinds[] = {
    {"policy.libgang.dev/v1alpha1", "GangJob", true, true},
    {"policy.libgang.dev/v1", "GangJob", false, true},
    {"policy.libgang.dev/v1alpha1", "GangPolicy", false, false},
    {"", "", false, false},
};

START_TEST(a_kind_is_found_by_version_and_kind)
{
    const struct slice version = slice_from_text(kinds[_i].text);
    const struct slice kind = slice_from_text(kinds[_i].kind);

    ck_assert_int_eq(job_kind_find(version, kind) != NULL, kinds[_i].is_read);
    ck_assert_int_eq(job_kind_is_known(kind), kinds[_i].is_known);
}
END_TEST

static const struct job_verdict verdicts[] = {
    {"{'apiVersion':'policy.libgang.dev/v2','kind':'GangJob','metadata':{'name':'j'}}", true,
     "WrongDocument apiVersion"},
    {"{'kind':'GangJob','metadata':{'name':'j'}}", true, "RequiredField apiVersion"},
    {"{'apiVersion':'policy.libgang.dev/"
     "v1alpha1','kind':'GangJob','metadata':{'name':'J'},'spec':{" JOB_OWNER JOB_ROLES(
         JOB_PODS("")) "}}",
     true, "InvalidName metadata.name"},
    {"{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','spec':{" JOB_OWNER JOB_ROLES(
         JOB_PODS("")) "}}",
     true, "RequiredField metadata, RequiredField metadata.name"},
    {"{'apiVersion':'apps/v1','kind':'StatefulSet','metadata':{'name':'j'}}", true,
     "RequiredField spec"},
    {"{'apiVersion':'batch/v2','kind':'Job','metadata':{'name':'j'}}", true,
     "WrongDocument apiVersion"},
    /* the CRD does not require it */
    {"{'apiVersion':'ray.io/v1','kind':'RayService','metadata':{'name':'j'}}", false, ""},
};

START_TEST(findings_in_the_head_of_a_document)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

START_TEST(the_versions_of_a_kind_are_named)
{
    job_check_message("{'apiVersion':'batch/v2','kind':'Job','metadata':{'name':'j'}}",
                      "WrongDocument",
                      "Unsupported value: \"batch/v2\": supported values: \"batch/v1\"");
}
END_TEST

#define HALF                                                                                       \
    "'template':{'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':0.5}}}]}}"
#define HALF_OBJECT(version, kind, spec)                                                           \
    "{'apiVersion':'" version "','kind':'" kind "','metadata':{'name':'j'},'spec':{" spec "}}"
#define HALF_JOB HALF_OBJECT("batch/v1", "Job", "'parallelism':1," HALF)
#define HALF_JOBSET                                                                                \
    HALF_OBJECT("jobset.x-k8s.io/v1alpha2", "JobSet",                                              \
                "'replicatedJobs':[{'name':'a','replicas':1,'template':{'spec':{" HALF "}}}]")
#define HALF_POD(name)                                                                             \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "','labels':{"                     \
    "'policy.libgang.dev/group':'" name "'}},'spec':{'containers':[{'name':'c',"                   \
    "'resources':{'limits':{'cpu':0.5}}}]}}"
#define HALF_WRAPPED(...)                                                                          \
    HALF_OBJECT("workload.codeflare.dev/v1beta2", "AppWrapper", "'components':[" __VA_ARGS__ "]")
#define HALF_COMPONENT(object) "{'template':" object "}"

/* The API server validates a CRD by its schema, and decodes built-in types by their quantities. */
#define LONG_FRACTION(number)                                                                      \
    HALF_OBJECT("batch/v1", "Job",                                                                 \
                "'parallelism':1,'template':{'spec':{'containers':[{'name':'c','resources':{"      \
                "'requests':{'cpu':" number "}}}]}}")

static const struct job_verdict bare_numbers[] = {
    {HALF_JOB, false, ""},
    {HALF_OBJECT("apps/v1", "StatefulSet", "'selector':{},'replicas':1," HALF), false, ""},
    {HALF_OBJECT("batch/v1", "Job",
                 "'parallelism':1,'template':{'spec':{'containers':[{'name':'c','resources':{"
                 "'requests':{'cpu':null}}}]}}"),
     false, ""},
    /* Kubernetes reads the nearest float64, which other digits have: 100m, not 100000001n */
    {LONG_FRACTION("0.10000000000000001"), true,
     "QuantityTooLong spec.template.spec.containers[0].resources.requests[cpu]"},
    {LONG_FRACTION("0.01234567890123456"), true,
     "QuantityTooLong spec.template.spec.containers[0].resources.requests[cpu]"},
    {LONG_FRACTION("0.0123456789012345"), false, ""},
    {"{'apiVersion':'v1','kind':'PodList','items':[" HALF_POD("a") "," HALF_POD("b") "]}", false,
     ""},
    {HALF_JOBSET, true,
     "FractionalNumber "
     "spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources.requests[cpu]"},
    {HALF_OBJECT("kubeflow.org/v1", "JAXJob",
                 "'jaxReplicaSpecs':{'Worker':{'replicas':1,'template':{'spec':{'containers':["
                 "{'name':'jax','image':'i','resources':{'limits':{'cpu':0.5}}}]}}}}"),
     true,
     "OperatorGangOption spec, FractionalNumber "
     "spec.jaxReplicaSpecs.Worker.template.spec.containers[0].resources.limits[cpu]"},
    {GANG_JOB(JOB_ROLES(JOB_ROLE("a", ",'requests':{'cpu':0.5}"))), true,
     "FractionalNumber spec.roles[0].requests[cpu]"},
    /* a component is created as what it is */
    {HALF_WRAPPED(HALF_COMPONENT(HALF_JOB)), false, ""},
    {HALF_WRAPPED(HALF_COMPONENT(HALF_JOBSET) "," HALF_COMPONENT(HALF_JOB)), true,
     "FractionalNumber spec.components[0].template."
     "spec.replicatedJobs[0].template.spec.template.spec.containers[0].resources.requests[cpu]"},
};

START_TEST(only_built_in_kinds_accept_bare_numbers)
{
    job_check_verdict(&bare_numbers[_i]);
}
END_TEST

#define STAMPED(field)                                                                             \
    "'template':{'metadata':{" field "},'spec':{'evictionResponders':[{'name':'acme.io/drain'}],"  \
    "'containers':[{'name':'c'}]}}"
#define STAMPED_JOB(field) HALF_OBJECT("batch/v1", "Job", "'parallelism':1," STAMPED(field))

/* All pod fields that Kubernetes 1.37 has and 1.36 had not, and one of 1.38. */
#define LATER_CONTAINER(probe, mount)                                                              \
    "{'name':'c','livenessProbe':" probe ",'volumeMounts':[{'name':'v','mountPath':'/v'," mount    \
    "}],'securityContext':{'seccompProfile':{'type':'OCI','oci':{'ref':'r'}}}}"
#define LATER_FILE "{'key':'k','path':'p','user':1}"
#define LATER_POD                                                                                  \
    "'containers':[" LATER_CONTAINER(                                                              \
        "{'httpGet':{'port':1,'protocol':'HTTP2'}}",                                               \
        "'bindMountOptions':['noexec']") ",{'name':'d',"                                           \
                                         "'livenessProbe':{'grpc':{'port':1,'mode':'TLS'}}}],'"    \
                                         "volumes':[{'name':'e','emptyDir':"                       \
                                         "{'mode':1}},{'name':'s','secret':{'secretName':'s','"    \
                                         "defaultUser':1,'items':[" LATER_FILE                     \
                                         "]}},{'name':'p','projected':{'defaultUser':1,'sources':" \
                                         "[{'serviceAccountToken':{'path':'p',"                    \
                                         "'user':1}},{'clusterTrustBundle':{'path':'p','user':1}}" \
                                         ",{'podCertificate':{'keyType':"                          \
                                         "'ED25519','signerName':'a/b','user':1}}]}}]"

/* As kubernetes/api:batch/v1/types.go and core/v1/types.go PodTemplateSpec, PodSpec@v0.37.2 */
static const struct job_verdict built_in_fields[] = {
    {STAMPED_JOB("'creationTimestamp':null,'generateName':'a-','uid':'u'"), false, ""},
    {STAMPED_JOB("'creationTimeStamp':null"), false,
     "UnknownField spec.template.metadata.creationTimeStamp"},
    {HALF_OBJECT("apps/v1", "StatefulSet",
                 "'selector':{},'replicas':1," STAMPED("'creationTimestamp':null")),
     false, ""},
    {HALF_WRAPPED(HALF_COMPONENT(STAMPED_JOB("'creationTimestamp':null"))), false, ""},
    {HALF_OBJECT("batch/v1", "Job", "'parallelism':1,'template':{'spec':{" LATER_POD "}}"), false,
     ""},
    {HALF_OBJECT("batch/v1", "Job",
                 "'parallelism':1,'template':{'spec':{'defaultUser':1,'containers':[{'name':'c','"
                 "mode':1}]}}"),
     false,
     "UnknownField spec.template.spec.defaultUser, UnknownField "
     "spec.template.spec.containers[0].mode"},
    /* a CRD keeps what its schema has */
    {HALF_OBJECT("jobset.x-k8s.io/v1alpha2", "JobSet",
                 "'replicatedJobs':[{'name':'a','replicas':1,'template':{'spec':{" STAMPED(
                     "'creationTimestamp':null") "}}}]"),
     false,
     "UnknownField "
     "spec.replicatedJobs[0].template.spec.template.metadata.creationTimestamp, UnknownField "
     "spec.replicatedJobs[0].template.spec.template.spec.evictionResponders"},
};

START_TEST(only_built_in_kinds_have_all_of_object_meta)
{
    job_check_verdict(&built_in_fields[_i]);
}
END_TEST

/* Their schemas do not require a spec. */
static const char *const without_spec[] = {
    "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'}}",
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'j'}}",
    "{'apiVersion':'workload.codeflare.dev/v1beta2','kind':'AppWrapper','metadata':{'name':'j'},"
    "'spec':{'components':[{'template':{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':"
    "'a'}}}]}}",
};

/* Roles of no pods, beside one that is in no gang. */
static const char *const without_pods[] = {
    GANG_JOB(JOB_ROLES(JOB_PODS(",'count':0") "," JOB_ROLE("b", ",'membership':'Outside'"))),
    GANG_JOB(JOB_ROLES(JOB_PODS(",'count':0") "," JOB_ROLE("b", ",'count':0"))),
    "{'apiVersion':'jobset.x-k8s.io/v1alpha2','kind':'JobSet','metadata':{'name':'j'},'spec':{"
    "'replicatedJobs':[{'name':'a','replicas':0,'template':{'spec':{'template':{'spec':{"
    "'containers':[{'name':'c'}]}}}}}]}}",
    "{'apiVersion':'kubeflow.org/v1','kind':'JAXJob','metadata':{'name':'j'},'spec':{"
    "'jaxReplicaSpecs':{'Worker':{'replicas':0,'template':{'spec':{'containers':[{'name':'jax',"
    "'image':'i'}]}}}}}}",
};

/* A minimum of 0 is no gang either, but one of the whole job is. */
static const struct {
    const char *job;
    const char *why;
} without_minimum[] = {
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':3,'minCount':0"))), "no pod of the job must start"},
    {GANG_JOB(JOB_ROLES(JOB_PODS(",'count':3,'minCount':0")) ",'minimum':2"), NULL},
};

START_TEST(a_job_that_needs_no_pod_has_no_gang)
{
    struct job_case opened;

    job_open_good(&opened, without_minimum[_i].job);
    ck_assert_pstr_eq(opened.job->why_no_gang, without_minimum[_i].why);
    job_close(&opened);
}
END_TEST

START_TEST(a_job_of_no_pods_has_no_gang)
{
    struct job_case opened;

    job_open_good(&opened, without_pods[_i]);
    ck_assert_ptr_nonnull(opened.job->why_no_gang);
    ck_assert_str_eq(opened.job->why_no_gang, "the job has no pods");
    job_close(&opened);
}
END_TEST

/* Without a role in the gang, the job is not read as one of no pods: that is an error. */
START_TEST(roles_outside_are_not_counted)
{
    struct job_case opened;

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(",'count':0,'membership':'Outside'"))));
    ck_assert_ptr_null(opened.job->why_no_gang);
    job_close(&opened);
}
END_TEST

START_TEST(a_job_without_a_spec_has_no_gang)
{
    struct job_case opened;

    job_open_good(&opened, without_spec[_i]);
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 0);
    ck_assert_str_eq(opened.job->why_no_gang, "the job has no pods");
    job_close(&opened);
}
END_TEST

static const struct {
    const char *text; /* apiVersion; NULL if unknown */
    const char *kind;
    int type;
} types[] = {
    {"policy.libgang.dev/v1alpha1", "GangJob", GANG_DOCUMENT_JOB},
    {NULL, "GangJob", GANG_DOCUMENT_JOB},
    {"policy.libgang.dev/v2", "GangJob", GANG_DOCUMENT_NONE},
    {"trainer.kubeflow.org/v1alpha1", "TrainJob", GANG_DOCUMENT_TRAINJOB},
    {NULL, "TrainJob", GANG_DOCUMENT_TRAINJOB},
    {"trainer.kubeflow.org/v1", "TrainJob", GANG_DOCUMENT_NONE},
    {"trainer.kubeflow.org/v1alpha1", "TrainingRuntime", GANG_DOCUMENT_RUNTIME},
    {"scheduler.grove.io/v1alpha1", "PodGang", GANG_DOCUMENT_PODGANG},
    {"grove.io/v1alpha1", "PodCliqueSet", GANG_DOCUMENT_PODCLIQUESET},
    {"grove.io/v1alpha1", "PodGang", GANG_DOCUMENT_NONE},
    {"grove.io/v1alpha1", "ClusterTopologyBinding", GANG_DOCUMENT_TOPOLOGYBINDING},
    {"policy.libgang.dev/v1alpha1", "GangPolicy", GANG_DOCUMENT_POLICY},
    {"policy.libgang.dev/v1alpha1", "GangCluster", GANG_DOCUMENT_CLUSTER},
    {"v1", "Pod", GANG_DOCUMENT_NONE},
    {"v1", NULL, GANG_DOCUMENT_NONE},
};

START_TEST(the_type_of_a_document_is_known_without_parsing)
{
    ck_assert_int_eq(gang_document_type_of(types[_i].text, types[_i].kind), types[_i].type);
}
END_TEST

START_TEST(a_gang_job_has_one_gang)
{
    struct job_case opened;
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;

    job_open_good(&opened, GANG_JOB(JOB_ROLES(JOB_PODS(""))));
    ck_assert_uint_eq(gang_document_num_gangs(opened.document), 1);
    ck_assert_int_eq(gang_resolve(NULL, opened.document, inputs, 0, &decision, NULL), GANG_OK);
    gang_decision_unref(decision);
    ck_assert_int_eq(gang_inputs_set_gang_index(inputs, 1), GANG_OK);
    ck_assert_int_eq(gang_resolve(NULL, opened.document, inputs, 0, &decision, &opened.error),
                     GANG_ERROR_INVALID);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(opened.error, 0)),
                     GANG_CODE_NO_SUCH_GANG);
    ck_assert_ptr_null(decision);
    ck_assert_int_eq(gang_inputs_set_gang_index(inputs, 0), GANG_OK);
    ck_assert_int_eq(gang_resolve(NULL, opened.document, inputs, 0, &decision, NULL), GANG_OK);
    gang_decision_unref(decision);
    gang_inputs_free(inputs);
    job_close(&opened);
}
END_TEST

START_TEST(documents_that_are_no_jobs_have_no_gang)
{
    struct gang_policy *policy;

    ck_assert_uint_eq(gang_document_num_gangs(NULL), 0);
    ck_assert_int_eq(parse_policy(NULL, compatible_policy_text, strlen(compatible_policy_text), 0,
                                  &policy, NULL),
                     GANG_OK);
    ck_assert_uint_eq(gang_document_num_gangs(document_of(policy)), 0);
    unref_policy(policy);
    ck_assert_int_eq(gang_inputs_set_gang_index(NULL, 0), GANG_ERROR_INVALID_ARGUMENT);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_kind_is_found_by_version_and_kind, kinds, text, kind);
    add_items(cases, a_job_of_no_pods_has_no_gang, without_pods);
    add_rows(cases, a_job_that_needs_no_pod_has_no_gang, without_minimum, job);
    tcase_add_test(cases, roles_outside_are_not_counted);
    add_items(cases, a_job_without_a_spec_has_no_gang, without_spec);
    add_rows(cases, findings_in_the_head_of_a_document, verdicts, text);
    add_rows(cases, only_built_in_kinds_accept_bare_numbers, bare_numbers, text);
    add_rows(cases, only_built_in_kinds_have_all_of_object_meta, built_in_fields, text);
    tcase_add_test(cases, the_versions_of_a_kind_are_named);
    add_rows(cases, the_type_of_a_document_is_known_without_parsing, types, text, kind);
    tcase_add_test(cases, a_gang_job_has_one_gang);
    tcase_add_test(cases, documents_that_are_no_jobs_have_no_gang);
}
