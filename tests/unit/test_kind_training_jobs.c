/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_squeeze.h"
#include "unit/kinds.h"

#define TRAINING_JOB_NAMED(kind, name, spec)                                                       \
    "{'apiVersion':'kubeflow.org/v1','kind':'" kind "','metadata':{'name':'" name                  \
    "'},'spec':{" spec "}}"
#define TRAINING_JOB(kind, spec) TRAINING_JOB_NAMED(kind, "j", spec)
#define TYPE(name, members, container)                                                             \
    "'" name "':{" members PODS_OF(container, WITH_REQUESTS("'cpu':'1','memory':'1Gi'")) "}"
#define PYTORCH(types, more) TRAINING_JOB("PyTorchJob", "'pytorchReplicaSpecs':{" types "}" more)
#define TF(types) TRAINING_JOB("TFJob", "'tfReplicaSpecs':{" types "}")
#define XGBOOST(types) TRAINING_JOB("XGBoostJob", "'xgbReplicaSpecs':{" types "}")
#define PADDLE(types, more) TRAINING_JOB("PaddleJob", "'paddleReplicaSpecs':{" types "}" more)
#define JAX(types) TRAINING_JOB("JAXJob", "'jaxReplicaSpecs':{" types "}")

#define MASTER TYPE("Master", "'replicas':1,", "pytorch")
#define WORKERS(count) TYPE("Worker", "'replicas':" count ",", "pytorch")
#define ELASTIC(members) ",'elasticPolicy':{" members "}"
#define ROLE_OF(name, counts) "{'name':'" name "'," counts ",'requests':{'cpu':'1','memory':'1Gi'}}"
#define TWO_ROLES(workers)                                                                         \
    "'roles':[" ROLE_OF("master", "'count':1") "," ROLE_OF("worker", workers) "]"
#define OPTION "OperatorGangOption spec"
#define MANAGED(by) "'runPolicy':{'managedBy':'" by "'},"
#define MULTIKUEUE MANAGED("kueue.x-k8s.io/multikueue")

/*
 * Order of the types: kubernetes-sigs/kueue:pkg/controller/jobs/kubeflow/jobs/<kind>@v0.19.2.
 * Counts: kubeflow/training-operator:pkg/apis/kubeflow.org/v1/<kind>_defaults.go@v1.9.4
 */
static const struct job_translation translations[] = {
    {PYTORCH(WORKERS("3") "," MASTER, ""), TWO_ROLES("'count':3"), OPTION},
    {TF(TYPE("Evaluator", "", "tensorflow") "," TYPE("Worker", "'replicas':2,", "tensorflow") "," //
        TYPE("PS", "'replicas':3,", "tensorflow") "," TYPE("Chief", "'replicas':1,", "tensorflow")),
     "'roles':[" ROLE_OF("chief", "'count':1") "," ROLE_OF("ps", "'count':3") "," //
     ROLE_OF("worker", "'count':2") "," ROLE_OF("evaluator", "'count':1") "]",
     OPTION ", DefaultApplied spec.tfReplicaSpecs.Evaluator.replicas"},
    {XGBOOST(TYPE("Master", "'replicas':1,", "xgboost") "," //
             TYPE("Worker", "'replicas':2,", "xgboost")),
     TWO_ROLES("'count':2"), OPTION},
    {PADDLE(TYPE("Worker", "", "paddle"), ""), "'roles':[" ROLE_OF("worker", "'count':1") "]",
     OPTION ", DefaultApplied spec.paddleReplicaSpecs.Worker.replicas"},
    {JAX(TYPE("Worker", "'replicas':4,", "jax")), "'roles':[" ROLE_OF("worker", "'count':4") "]",
     OPTION},
    /* kubeflow/training-operator:pkg/controller.v1/<kind>/<kind>_controller.go@v1.9.4: of these
     * kinds only that of JAX does not call ManagedByExternalController() */
    {TRAINING_JOB("JAXJob",
                  MULTIKUEUE "'jaxReplicaSpecs':{" TYPE("Worker", "'replicas':4,", "jax") "}"),
     "'roles':[" ROLE_OF("worker", "'count':4") "]", OPTION},
    {TRAINING_JOB("XGBoostJob",
                  MULTIKUEUE "'xgbReplicaSpecs':{" TYPE("Master", "'replicas':1,", "xgboost") "}"),
     "'managedElsewhere':true,'roles':[" ROLE_OF("master", "'count':1") "]", ""},
    /* types are matched without case; the webhook of TensorFlow's jobs does not look at them */
    {TF(TYPE("worker", "'replicas':2,", "tensorflow")),
     "'roles':[" ROLE_OF("worker", "'count':2") "]", OPTION},
    {JAX(TYPE("WORKER", "'replicas':2,", "jax")), "'roles':[" ROLE_OF("worker", "'count':2") "]",
     OPTION ", ReplicaTypeCase spec.jaxReplicaSpecs.WORKER"},
    /* a retryable exit code replaces the pod */
    {JAX(TYPE("Worker", "'replicas':2,'restartPolicy':'ExitCode',", "jax")),
     "'roles':[{'name':'worker','count':2,'requests':{'cpu':'1','memory':'1Gi'},'retries':true}]",
     OPTION},
    {JAX(TYPE("Worker", "'replicas':2,'restartPolicy':'OnFailure',", "jax")),
     "'roles':[" ROLE_OF("worker", "'count':2") "]", OPTION},
};

START_TEST(roles)
{
    job_check_translation(&translations[_i]);
}
END_TEST

/* The minimum is that of the workers; the Master comes to it. Source: setElasticPolicy@v1.9.4 */
static const struct job_translation elastic[] = {
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("'minReplicas':2,'maxReplicas':6")),
     TWO_ROLES("'count':4,'minCount':2"), OPTION},
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("'minReplicas':6,'maxReplicas':8")),
     TWO_ROLES("'count':4"), OPTION},
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("'minReplicas':1")),
     TWO_ROLES("'count':4,'minCount':1"), OPTION},
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("'maxReplicas':3")),
     TWO_ROLES("'count':4,'minCount':3"), OPTION},
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("")), TWO_ROLES("'count':4"), OPTION},
    {PADDLE(TYPE("Worker", "'replicas':4,", "paddle"), ELASTIC("'minReplicas':2")),
     "'roles':[" ROLE_OF("worker", "'count':4,'minCount':2") "]", OPTION},
};

START_TEST(elastic_workers)
{
    job_check_translation(&elastic[_i]);
}
END_TEST

#define SMALL_POD(before)                                                                          \
    "'template':{'spec':{" before "'containers':[{'name':'pytorch','image':'i','resources':{"      \
    "'requests':{'cpu':'10m','memory':'1Gi'}}}]}}"
#define SIDECAR                                                                                    \
    "'initContainers':[{'name':'s','image':'i','restartPolicy':'Always','resources':{'requests':{" \
    "'cpu':'20m'}}}],"
#define SMALL_ROLE(name, cpu)                                                                      \
    "{'name':'" name "','count':1,'requests':{'cpu':'" cpu "','memory':'1Gi'}}"

/*
 * The init container of 50m waits before the pod's own containers start, beside a sidecar that has
 * started. Source: pkg/controller.v1/pytorch/initcontainer.go@v1.9.4
 */
static const struct job_translation waiting[] = {
    {PYTORCH("'Master':{'replicas':1," SMALL_POD("") "},'Worker':{'replicas':1," SMALL_POD("") "}",
             ""),
     "'roles':[" SMALL_ROLE("master", "10m") "," SMALL_ROLE("worker", "50m") "]", OPTION},
    {PYTORCH("'Master':{'replicas':1," SMALL_POD("") "},'Worker':{'replicas':1," //
             SMALL_POD(SIDECAR) "}",
             ""),
     "'roles':[" SMALL_ROLE("master", "10m") "," SMALL_ROLE("worker", "70m") "]", OPTION},
    {PYTORCH(
         "'Master':{'replicas':1," SMALL_POD("") "},'Worker':{'replicas':1,'template':{'spec':{"
                                                 "'containers':[{'name':'pytorch','image':'i'}]}}}",
         ""),
     "'roles':[" SMALL_ROLE("master", "10m") ",{'name':'worker','count':1,'requests':{'cpu':'50m',"
                                             "'memory':'10Mi'}}]",
     OPTION},
    /* without a Master nobody is waited for */
    {PYTORCH("'Worker':{'replicas':1," SMALL_POD("") "}", ""),
     "'roles':[" SMALL_ROLE("worker", "10m") "]", OPTION},
};

START_TEST(workers_wait_for_the_master)
{
    job_check_translation(&waiting[_i]);
}
END_TEST

/* The operator's own sum leaves out limits of a container that has requests. */
START_TEST(a_gpu_under_limits_beside_a_cpu_request_counts)
{
    static const struct job_translation gpu = {
        JAX("'Worker':{'replicas':3,'template':{'spec':{'containers':[{'name':'jax','image':'i',"
            "'resources':{'requests':{'cpu':'1'},'limits':{'nvidia.com/gpu':'1'}}}]}}}"),
        "'roles':[{'name':'worker','count':3,'requests':{'cpu':'1','nvidia.com/gpu':'1'}}]",
        OPTION};

    job_check_translation(&gpu);
}
END_TEST

/* A job, and what the webhook of its kind says, from pkg/webhooks@v1.9.4. */
static const struct job_refusal refused[] = {
    {PYTORCH(TYPE("Master", "", "pytorch"), ""), "RefusedByOperator", "Forbidden: must be 1"},
    {PYTORCH(TYPE("Master", "'replicas':2,", "pytorch"), ""), "RefusedByOperator",
     "Forbidden: must be 1"},
    {PYTORCH(WORKERS("0"), ""), "RefusedByOperator", "Forbidden: must be at least 1"},
    {XGBOOST(TYPE("Master", "", "xgboost")), "RefusedByOperator", "Forbidden: must be 1"},
    {XGBOOST(TYPE("Worker", "", "xgboost")), "RequiredField", "Required value: must be present"},
    {TF(TYPE("Chief", "", "tensorflow") "," TYPE("Master", "", "tensorflow")), "RefusedByOperator",
     "Forbidden: must not have more than 1 Chief or Master role"},
    {TF(TYPE("Worker", "'replicas':-2,", "tensorflow")), "ValueOutOfRange",
     "Invalid value: -2: must be greater than or equal to 0"},
    {PYTORCH(MASTER "," WORKERS("4"), ELASTIC("'minReplicas':-1")), "ValueOutOfRange",
     "Invalid value: -1: must be greater than or equal to 0"},
    {PYTORCH(MASTER, ELASTIC("")), "RequiredField",
     "Required value: must be configured if elastic policy is used"},
    {PADDLE(TYPE("Evaluator", "", "paddle"), ""), "UnsupportedValue",
     "Unsupported value: \"Evaluator\": supported values: \"Master\", \"Worker\""},
    /* kubeflow/training-operator:pkg/common/util/webhooks.go@v1.9.4 ValidateRunPolicy */
    {TRAINING_JOB("TFJob", MANAGED("") "'tfReplicaSpecs':{" TYPE("Worker", "", "tensorflow") "}"),
     "UnsupportedValue",
     "Unsupported value: \"\": supported values: \"kubeflow.org/training-operator\", "
     "\"kueue.x-k8s.io/multikueue\""},
    {JAX(TYPE("Worker", "", "jax") "," TYPE("worker", "", "jax")), "UnsupportedValue",
     "Unsupported value: \"worker\": supported values: \"Worker\""},
    {JAX(TYPE("Worker", "", "main")), "RequiredField",
     "Required value: must have at least one container with name jax"},
    {JAX("'Worker':3"), "WrongType", "Invalid value: 3: must be of type object: \"integer\""},
    {TRAINING_JOB("JAXJob", "'runPolicy':{}"), "RequiredField", "Required value"},
    {PYTORCH(MASTER ",'Worker':{'replicas':1,'template':{}}", ""), "RequiredField",
     "Required value: must be specified"},
    {JAX("'Worker':{'template':{'spec':{'containers':[]}}}"), "RequiredField",
     "Required value: must be specified"},
    {JAX("'Worker':{'template':{'spec':{'containers':[{'name':'jax'}]}}}"), "RequiredField",
     "Required value: must be required"},
    {TRAINING_JOB_NAMED("JAXJob", "", "'jaxReplicaSpecs':{" TYPE("Worker", "", "jax") "}"),
     "RequiredField", "Required value"},
    {TRAINING_JOB_NAMED("JAXJob", "1j", "'jaxReplicaSpecs':{" TYPE("Worker", "", "jax") "}"),
     "InvalidName",
     "Invalid value: \"1j\": should match: a DNS-1035 label must consist of lower case "
     "alphanumeric characters or '-', start with an alphabetic character, and end with an "
     "alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
     "'[a-z]([-a-z0-9]*[a-z0-9])?')"},
};

START_TEST(the_words_of_the_webhooks)
{
    job_check_refusal(&refused[_i]);
}
END_TEST

/* What the webhooks accept, although others of them refuse it. */
static const char *const accepted[] = {
    PADDLE(TYPE("Master", "", "paddle") "," TYPE("Worker", "'replicas':0,", "paddle"), ""),
    TF(TYPE("Master", "'replicas':2,", "tensorflow")),
    PADDLE(TYPE("Master", "", "paddle"), ELASTIC("'minReplicas':1")),
    PYTORCH(WORKERS("1"), ELASTIC("'nProcPerNode':1,'rdzvBackend':'c10d'")),
};

START_TEST(jobs_that_are_accepted)
{
    struct job_case opened;

    job_open_good(&opened, accepted[_i]);
    job_close(&opened);
}
END_TEST

START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(PYTORCH(MASTER "," TYPE("worker", "", "pytorch"), ELASTIC("'minReplicas':1")));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, roles, translations, text);
    add_rows(cases, elastic_workers, elastic, text);
    add_rows(cases, workers_wait_for_the_master, waiting, text);
    tcase_add_test(cases, a_gpu_under_limits_beside_a_cpu_request_counts);
    add_rows(cases, the_words_of_the_webhooks, refused, text);
    add_items(cases, jobs_that_are_accepted, accepted);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
}
