/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/spark_schema.h"

/*
 * Source: kubeflow/spark-operator:config/crd/bases/sparkoperator.k8s.io_sparkapplications.yaml@
 * v2.5.1. What cannot change a gang is any value here: volumes, affinities, the inside of
 * containers.
 */
static const struct schema spark_any = {.type = SCHEMA_ANY};
static const struct schema spark_text = {.type = SCHEMA_STRING};
static const struct schema spark_flag = {.type = SCHEMA_BOOLEAN};
static const struct schema spark_int32 = {.type = SCHEMA_INT32};
static const struct schema spark_int64 = {.type = SCHEMA_INT64};
static const struct schema spark_count = {.type = SCHEMA_INT32, .has_minimum = true};
static const struct schema spark_positive = {
    .type = SCHEMA_INT32, .has_minimum = true, .minimum = 1};
static const struct schema spark_interval = {
    .type = SCHEMA_INT64, .has_minimum = true, .minimum = 1};
static const struct schema spark_amount = {.type = SCHEMA_QUANTITY};
static const struct schema spark_amounts = {.type = SCHEMA_OBJECT, .values = &spark_amount};
static const struct schema spark_texts = {.type = SCHEMA_OBJECT, .values = &spark_text};
static const struct schema spark_containers = {.type = SCHEMA_LIST, .values = &spark_any};
static const char *const spark_mode_words[] = {"cluster", "client", NULL};
static const struct schema spark_mode = {.type = SCHEMA_STRING, .enumeration = spark_mode_words};
static const char *const spark_type_words[] = {"Java", "Python", "Scala", "R", NULL};
static const struct schema spark_type = {.type = SCHEMA_STRING, .enumeration = spark_type_words};
static const char *const spark_python_words[] = {"2", "3", NULL};
static const struct schema spark_python = {.type = SCHEMA_STRING,
                                           .enumeration = spark_python_words};
static const char *const spark_restart_words[] = {"Never", "Always", "OnFailure", NULL};
static const struct schema spark_restart = {.type = SCHEMA_STRING,
                                            .enumeration = spark_restart_words};

static const struct schema_field spark_gpu_fields[] = {
    {SLICE_INIT("name"), &spark_text, true},
    {SLICE_INIT("quantity"), &spark_int64, true},
};
static const struct schema spark_gpu = SCHEMA_OBJECT_OF(spark_gpu_fields);

/* ---- driver and executor ---- */

static const struct schema_field spark_driver_fields[] = {
    {SLICE_INIT("affinity"), &spark_any, false},
    {SLICE_INIT("annotations"), &spark_texts, false},
    {SLICE_INIT("configMaps"), &spark_any, false},
    {SLICE_INIT("coreLimit"), &spark_text, false},
    {SLICE_INIT("coreRequest"), &spark_text, false},
    {SLICE_INIT("cores"), &spark_positive, false},
    {SLICE_INIT("dnsConfig"), &spark_any, false},
    {SLICE_INIT("env"), &spark_any, false},
    {SLICE_INIT("envFrom"), &spark_any, false},
    {SLICE_INIT("envSecretKeyRefs"), &spark_any, false},
    {SLICE_INIT("envVars"), &spark_texts, false},
    {SLICE_INIT("gpu"), &spark_gpu, false},
    {SLICE_INIT("hostAliases"), &spark_any, false},
    {SLICE_INIT("hostNetwork"), &spark_flag, false},
    {SLICE_INIT("image"), &spark_text, false},
    {SLICE_INIT("initContainers"), &spark_containers, false},
    {SLICE_INIT("javaOptions"), &spark_text, false},
    {SLICE_INIT("kubernetesMaster"), &spark_text, false},
    {SLICE_INIT("labels"), &spark_texts, false},
    {SLICE_INIT("lifecycle"), &spark_any, false},
    {SLICE_INIT("memory"), &spark_text, false},
    {SLICE_INIT("memoryLimit"), &spark_text, false},
    {SLICE_INIT("memoryOverhead"), &spark_text, false},
    {SLICE_INIT("nodeSelector"), &spark_texts, false},
    {SLICE_INIT("podName"), &spark_text, false},
    {SLICE_INIT("podSecurityContext"), &spark_any, false},
    {SLICE_INIT("ports"), &spark_any, false},
    {SLICE_INIT("priorityClassName"), &spark_text, false},
    {SLICE_INIT("schedulerName"), &spark_text, false},
    {SLICE_INIT("secrets"), &spark_any, false},
    {SLICE_INIT("securityContext"), &spark_any, false},
    {SLICE_INIT("serviceAccount"), &spark_text, false},
    {SLICE_INIT("serviceAnnotations"), &spark_texts, false},
    {SLICE_INIT("serviceLabels"), &spark_texts, false},
    {SLICE_INIT("shareProcessNamespace"), &spark_flag, false},
    {SLICE_INIT("sidecars"), &spark_containers, false},
    {SLICE_INIT("template"), &spark_any, false},
    {SLICE_INIT("terminationGracePeriodSeconds"), &spark_int64, false},
    {SLICE_INIT("tolerations"), &spark_any, false},
    {SLICE_INIT("volumeMounts"), &spark_any, false},
};
static const struct schema spark_driver = SCHEMA_OBJECT_OF(spark_driver_fields);

static const struct schema_field spark_executor_fields[] = {
    {SLICE_INIT("affinity"), &spark_any, false},
    {SLICE_INIT("annotations"), &spark_texts, false},
    {SLICE_INIT("configMaps"), &spark_any, false},
    {SLICE_INIT("coreLimit"), &spark_text, false},
    {SLICE_INIT("coreRequest"), &spark_text, false},
    {SLICE_INIT("cores"), &spark_positive, false},
    {SLICE_INIT("deleteOnTermination"), &spark_flag, false},
    {SLICE_INIT("dnsConfig"), &spark_any, false},
    {SLICE_INIT("env"), &spark_any, false},
    {SLICE_INIT("envFrom"), &spark_any, false},
    {SLICE_INIT("envSecretKeyRefs"), &spark_any, false},
    {SLICE_INIT("envVars"), &spark_texts, false},
    {SLICE_INIT("gpu"), &spark_gpu, false},
    {SLICE_INIT("hostAliases"), &spark_any, false},
    {SLICE_INIT("hostNetwork"), &spark_flag, false},
    {SLICE_INIT("image"), &spark_text, false},
    {SLICE_INIT("initContainers"), &spark_containers, false},
    {SLICE_INIT("instances"), &spark_positive, false},
    {SLICE_INIT("javaOptions"), &spark_text, false},
    {SLICE_INIT("labels"), &spark_texts, false},
    {SLICE_INIT("lifecycle"), &spark_any, false},
    {SLICE_INIT("memory"), &spark_text, false},
    {SLICE_INIT("memoryLimit"), &spark_text, false},
    {SLICE_INIT("memoryOverhead"), &spark_text, false},
    {SLICE_INIT("nodeSelector"), &spark_texts, false},
    {SLICE_INIT("podSecurityContext"), &spark_any, false},
    {SLICE_INIT("ports"), &spark_any, false},
    {SLICE_INIT("priorityClassName"), &spark_text, false},
    {SLICE_INIT("schedulerName"), &spark_text, false},
    {SLICE_INIT("secrets"), &spark_any, false},
    {SLICE_INIT("securityContext"), &spark_any, false},
    {SLICE_INIT("serviceAccount"), &spark_text, false},
    {SLICE_INIT("shareProcessNamespace"), &spark_flag, false},
    {SLICE_INIT("sidecars"), &spark_containers, false},
    {SLICE_INIT("template"), &spark_any, false},
    {SLICE_INIT("terminationGracePeriodSeconds"), &spark_int64, false},
    {SLICE_INIT("tolerations"), &spark_any, false},
    {SLICE_INIT("volumeMounts"), &spark_any, false},
};
static const struct schema spark_executor = SCHEMA_OBJECT_OF(spark_executor_fields);

/* ---- spec ---- */

static const struct schema_field spark_batch_options_fields[] = {
    {SLICE_INIT("priorityClassName"), &spark_text, false},
    {SLICE_INIT("queue"), &spark_text, false},
    {SLICE_INIT("resources"), &spark_amounts, false},
};
static const struct schema spark_batch_options = SCHEMA_OBJECT_OF(spark_batch_options_fields);

static const struct schema_field spark_dynamic_allocation_fields[] = {
    {SLICE_INIT("enabled"), &spark_flag, false},
    {SLICE_INIT("initialExecutors"), &spark_int32, false},
    {SLICE_INIT("maxExecutors"), &spark_int32, false},
    {SLICE_INIT("minExecutors"), &spark_int32, false},
    {SLICE_INIT("shuffleTrackingEnabled"), &spark_flag, false},
    {SLICE_INIT("shuffleTrackingTimeout"), &spark_int64, false},
};
static const struct schema spark_dynamic_allocation =
    SCHEMA_OBJECT_OF(spark_dynamic_allocation_fields);

static const struct schema_field spark_restart_policy_fields[] = {
    {SLICE_INIT("onFailureRetries"), &spark_count, false},
    {SLICE_INIT("onFailureRetryInterval"), &spark_interval, false},
    {SLICE_INIT("onSubmissionFailureRetries"), &spark_count, false},
    {SLICE_INIT("onSubmissionFailureRetryInterval"), &spark_interval, false},
    {SLICE_INIT("type"), &spark_restart, false},
};
static const struct schema spark_restart_policy = SCHEMA_OBJECT_OF(spark_restart_policy_fields);

static const struct schema_field spark_spec_fields[] = {
    {SLICE_INIT("arguments"), &spark_any, false},
    {SLICE_INIT("batchScheduler"), &spark_text, false},
    {SLICE_INIT("batchSchedulerOptions"), &spark_batch_options, false},
    {SLICE_INIT("deps"), &spark_any, false},
    {SLICE_INIT("driver"), &spark_driver, true},
    {SLICE_INIT("driverIngressOptions"), &spark_any, false},
    {SLICE_INIT("dynamicAllocation"), &spark_dynamic_allocation, false},
    {SLICE_INIT("executor"), &spark_executor, true},
    {SLICE_INIT("failureRetries"), &spark_int32, false},
    {SLICE_INIT("hadoopConf"), &spark_texts, false},
    {SLICE_INIT("hadoopConfigMap"), &spark_text, false},
    {SLICE_INIT("image"), &spark_text, false},
    {SLICE_INIT("imagePullPolicy"), &spark_text, false},
    {SLICE_INIT("imagePullSecrets"), &spark_any, false},
    {SLICE_INIT("mainApplicationFile"), &spark_text, true},
    {SLICE_INIT("mainClass"), &spark_text, false},
    {SLICE_INIT("memoryOverheadFactor"), &spark_text, false},
    {SLICE_INIT("mode"), &spark_mode, false},
    {SLICE_INIT("monitoring"), &spark_any, false},
    {SLICE_INIT("nodeSelector"), &spark_texts, false},
    {SLICE_INIT("proxyUser"), &spark_text, false},
    {SLICE_INIT("pythonVersion"), &spark_python, false},
    {SLICE_INIT("restartPolicy"), &spark_restart_policy, false},
    {SLICE_INIT("retryInterval"), &spark_int64, false},
    {SLICE_INIT("sparkConf"), &spark_texts, false},
    {SLICE_INIT("sparkConfigMap"), &spark_text, false},
    {SLICE_INIT("sparkUIOptions"), &spark_any, false},
    {SLICE_INIT("sparkVersion"), &spark_text, true},
    {SLICE_INIT("suspend"), &spark_flag, false},
    {SLICE_INIT("timeToLiveSeconds"), &spark_int64, false},
    {SLICE_INIT("type"), &spark_type, true},
    {SLICE_INIT("volumes"), &spark_any, false},
};
static const struct schema spark_spec = SCHEMA_OBJECT_OF(spark_spec_fields);

static const struct schema_field spark_application_fields[] = {
    {SLICE_INIT("apiVersion"), &spark_text, true}, {SLICE_INIT("kind"), &spark_text, true},
    {SLICE_INIT("metadata"), &spark_any, true},    {SLICE_INIT("spec"), &spark_spec, true},
    {SLICE_INIT("status"), &spark_any, false},
};
const struct schema spark_application_schema = SCHEMA_OBJECT_OF(spark_application_fields);
