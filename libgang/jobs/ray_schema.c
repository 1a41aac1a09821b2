/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/ray_schema.h"

#include "libgang/kube/crd_schema.h"

/*
 * Source: ray-project/kuberay:ray-operator/config/crd/bases/ray.io_{rayclusters,rayjobs,
 * rayservices}.yaml@v1.6.2. What cannot change a gang is any value here, such as Services. Pod
 * templates are those of the other kinds.
 */
static const struct schema ray_any = {.type = SCHEMA_ANY};
static const struct schema ray_string = {.type = SCHEMA_STRING};
static const struct schema ray_boolean = {.type = SCHEMA_BOOLEAN};
static const struct schema ray_int32 = {.type = SCHEMA_INT32};
static const struct schema ray_amount = {.type = SCHEMA_QUANTITY};
static const struct schema ray_amounts = {.type = SCHEMA_OBJECT, .values = &ray_amount};
static const struct schema ray_strings = {.type = SCHEMA_OBJECT, .values = &ray_string};
static const struct schema ray_names = {.type = SCHEMA_LIST, .values = &ray_string};

/* ---- RayClusterSpec ---- */

static const char *const ray_auth_modes[] = {"disabled", "token", NULL};
static const struct schema ray_auth_mode = {.type = SCHEMA_STRING, .enumeration = ray_auth_modes};
static const struct schema_field ray_auth_fields[] = {
    {SLICE_INIT("enableK8sTokenAuth"), &ray_boolean, false},
    {SLICE_INIT("mode"), &ray_auth_mode, false},
    {SLICE_INIT("secretName"), &ray_string, false},
};
static const struct schema ray_auth = SCHEMA_OBJECT_OF(ray_auth_fields);

static const struct schema_field ray_resources_fields[] = {
    {SLICE_INIT("claims"), &ray_any, false},
    {SLICE_INIT("limits"), &ray_amounts, false},
    {SLICE_INIT("requests"), &ray_amounts, false},
};
static const struct schema ray_resources = SCHEMA_OBJECT_OF(ray_resources_fields);

static const char *const ray_autoscaler_versions[] = {"v1", "v2", NULL};
static const struct schema ray_autoscaler_version = {.type = SCHEMA_STRING,
                                                     .enumeration = ray_autoscaler_versions};
static const char *const ray_upscaling_modes[] = {"Default", "Aggressive", "Conservative", NULL};
static const struct schema ray_upscaling_mode = {.type = SCHEMA_STRING,
                                                 .enumeration = ray_upscaling_modes};
static const struct schema_field ray_autoscaler_fields[] = {
    {SLICE_INIT("env"), &ray_any, false},
    {SLICE_INIT("envFrom"), &ray_any, false},
    {SLICE_INIT("idleTimeoutSeconds"), &ray_int32, false},
    {SLICE_INIT("image"), &ray_string, false},
    {SLICE_INIT("imagePullPolicy"), &ray_string, false},
    {SLICE_INIT("resources"), &ray_resources, false},
    {SLICE_INIT("securityContext"), &ray_any, false},
    {SLICE_INIT("upscalingMode"), &ray_upscaling_mode, false},
    {SLICE_INIT("version"), &ray_autoscaler_version, false},
    {SLICE_INIT("volumeMounts"), &ray_any, false},
};
static const struct schema ray_autoscaler = SCHEMA_OBJECT_OF(ray_autoscaler_fields);

static const struct schema_field ray_head_fields[] = {
    {SLICE_INIT("enableIngress"), &ray_boolean, false},
    {SLICE_INIT("headService"), &ray_any, false},
    {SLICE_INIT("labels"), &ray_strings, false},
    {SLICE_INIT("rayStartParams"), &ray_strings, false},
    {SLICE_INIT("resources"), &ray_strings, false},
    {SLICE_INIT("serviceType"), &ray_string, false},
    {SLICE_INIT("template"), &pod_template_schema, true},
};
static const struct schema ray_head = SCHEMA_OBJECT_OF(ray_head_fields);

static const struct schema_field ray_scale_fields[] = {
    {SLICE_INIT("workersToDelete"), &ray_names, false},
};
static const struct schema ray_scale = SCHEMA_OBJECT_OF(ray_scale_fields);

static const struct schema ray_replicas = {.type = SCHEMA_INT32, .default_text = "0"};
static const struct schema ray_most_replicas = {.type = SCHEMA_INT32, .default_text = "2147483647"};
static const struct schema ray_hosts = {.type = SCHEMA_INT32, .default_text = "1"};
static const struct schema_field ray_group_fields[] = {
    {SLICE_INIT("groupName"), &ray_string, true},
    {SLICE_INIT("idleTimeoutSeconds"), &ray_int32, false},
    {SLICE_INIT("labels"), &ray_strings, false},
    {SLICE_INIT("maxReplicas"), &ray_most_replicas, false},
    {SLICE_INIT("minReplicas"), &ray_replicas, false},
    {SLICE_INIT("numOfHosts"), &ray_hosts, false},
    {SLICE_INIT("rayStartParams"), &ray_strings, false},
    {SLICE_INIT("replicas"), &ray_replicas, false},
    {SLICE_INIT("resources"), &ray_strings, false},
    {SLICE_INIT("scaleStrategy"), &ray_scale, false},
    {SLICE_INIT("suspend"), &ray_boolean, false},
    {SLICE_INIT("template"), &pod_template_schema, true},
};
static const struct schema ray_group = SCHEMA_OBJECT_OF(ray_group_fields);
static const struct schema ray_groups = {.type = SCHEMA_LIST, .values = &ray_group};

static const struct schema_field ray_cluster_spec_fields[] = {
    {SLICE_INIT("authOptions"), &ray_auth, false},
    {SLICE_INIT("autoscalerOptions"), &ray_autoscaler, false},
    {SLICE_INIT("enableInTreeAutoscaling"), &ray_boolean, false},
    {SLICE_INIT("gcsFaultToleranceOptions"), &ray_any, false},
    {SLICE_INIT("headGroupSpec"), &ray_head, true},
    {SLICE_INIT("headServiceAnnotations"), &ray_strings, false},
    {SLICE_INIT("managedBy"), &ray_string, false},
    {SLICE_INIT("rayVersion"), &ray_string, false},
    {SLICE_INIT("suspend"), &ray_boolean, false},
    {SLICE_INIT("upgradeStrategy"), &ray_any, false},
    {SLICE_INIT("workerGroupSpecs"), &ray_groups, false},
};
static const struct schema ray_cluster_spec = SCHEMA_OBJECT_OF(ray_cluster_spec_fields);

#define RAY_ROOT(spec)                                                                             \
    {                                                                                              \
        {SLICE_INIT("apiVersion"), &ray_string, true}, {SLICE_INIT("kind"), &ray_string, true},    \
            {SLICE_INIT("metadata"), &ray_any, true}, {SLICE_INIT("spec"), &(spec), true},         \
            {SLICE_INIT("status"), &ray_any, false},                                               \
    }

static const struct schema_field ray_cluster_fields[] = RAY_ROOT(ray_cluster_spec);
const struct schema ray_cluster_schema = SCHEMA_OBJECT_OF(ray_cluster_fields);

/* ---- RayJobSpec ---- */

static const struct schema ray_seconds = {.type = SCHEMA_INT32, .has_minimum = true, .minimum = 1};
static const struct schema ray_submission_mode = {.type = SCHEMA_STRING,
                                                  .default_text = "\"K8sJobMode\""};
static const struct schema_field ray_submitter_fields[] = {
    {SLICE_INIT("backoffLimit"), &ray_int32, false},
};
static const struct schema ray_submitter = SCHEMA_OBJECT_OF(ray_submitter_fields);

static const struct schema_field ray_job_spec_fields[] = {
    {SLICE_INIT("activeDeadlineSeconds"), &ray_int32, false},
    {SLICE_INIT("backoffLimit"), &ray_replicas, false},
    {SLICE_INIT("clusterSelector"), &ray_strings, false},
    {SLICE_INIT("deletionStrategy"), &ray_any, false},
    {SLICE_INIT("entrypoint"), &ray_string, false},
    {SLICE_INIT("entrypointNumCpus"), &ray_any, false},
    {SLICE_INIT("entrypointNumGpus"), &ray_any, false},
    {SLICE_INIT("entrypointResources"), &ray_string, false},
    {SLICE_INIT("jobId"), &ray_string, false},
    {SLICE_INIT("managedBy"), &ray_string, false},
    {SLICE_INIT("metadata"), &ray_strings, false},
    {SLICE_INIT("preRunningDeadlineSeconds"), &ray_seconds, false},
    {SLICE_INIT("rayClusterSpec"), &ray_cluster_spec, false},
    {SLICE_INIT("runtimeEnvYAML"), &ray_string, false},
    {SLICE_INIT("shutdownAfterJobFinishes"), &ray_boolean, false},
    {SLICE_INIT("submissionMode"), &ray_submission_mode, false},
    {SLICE_INIT("submitterConfig"), &ray_submitter, false},
    {SLICE_INIT("submitterPodTemplate"), &pod_template_schema, false},
    {SLICE_INIT("suspend"), &ray_boolean, false},
    {SLICE_INIT("ttlSecondsAfterFinished"), &ray_replicas, false},
};
static const struct schema ray_job_spec = SCHEMA_OBJECT_OF(ray_job_spec_fields);

static const struct schema_field ray_job_fields[] = RAY_ROOT(ray_job_spec);
const struct schema ray_job_schema = SCHEMA_OBJECT_OF(ray_job_fields);

/* ---- RayServiceSpec ---- */

static const struct schema ray_delay = {.type = SCHEMA_INT32, .has_minimum = true, .minimum = 0};
static const struct schema_field ray_service_spec_fields[] = {
    {SLICE_INIT("deploymentUnhealthySecondThreshold"), &ray_int32, false},
    {SLICE_INIT("excludeHeadPodFromServeSvc"), &ray_boolean, false},
    {SLICE_INIT("managedBy"), &ray_string, false},
    {SLICE_INIT("rayClusterConfig"), &ray_cluster_spec, true},
    {SLICE_INIT("rayClusterDeletionDelaySeconds"), &ray_delay, false},
    {SLICE_INIT("serveConfigV2"), &ray_string, false},
    {SLICE_INIT("serveService"), &ray_any, false},
    {SLICE_INIT("serviceUnhealthySecondThreshold"), &ray_int32, false},
    {SLICE_INIT("upgradeStrategy"), &ray_any, false},
};
static const struct schema ray_service_spec = SCHEMA_OBJECT_OF(ray_service_spec_fields);

static const struct schema_field ray_service_fields[] = RAY_ROOT(ray_service_spec);
const struct schema ray_service_schema = SCHEMA_OBJECT_OF(ray_service_fields);
