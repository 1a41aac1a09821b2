/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

/*
 * RayCluster, RayJob and RayService of KubeRay. All three have a RayClusterSpec. Where no other
 * source is named: ray-project/kuberay:ray-operator@v1.6.2, controllers/ray/utils/{util,
 * validation}.go.
 */

/* Where a kind differs from the others. */
struct ray_kind {
    const char *name;        /* in KubeRay's messages */
    const char *cluster;     /* member of `spec` with the RayClusterSpec; NULL: `spec` itself */
    size_t most_name_length; /* constant.go MaxRay{Cluster,Job,Service}NameLength */
};

static const struct ray_kind ray_cluster = {"RayCluster", NULL, 53};
static const struct ray_kind ray_job = {"RayJob", "rayClusterSpec", 47};
static const struct ray_kind ray_service = {"RayService", "rayClusterConfig", 47};

/* One translation. */
struct ray_case {
    const struct ray_kind *kind;
    const struct job_source *source;
    struct gang_wishes *job;
    const struct node *cluster; /* the RayClusterSpec; NULL if absent */
    bool autoscales;
    const struct node *options;    /* of the autoscaler; NULL if absent */
    struct slice version;          /* of the autoscaler; empty if absent */
    const struct node *submission; /* of a RayJob; NULL if absent */
    bool has_submitter;            /* a Job submits the RayJob: K8sJobMode */
    bool has_sidecar;              /* a container of the head submits it: SidecarMode */
};

/* A finding in the words of KubeRay about a document that it refuses. */
#define RAY_REFUSE(ray, node, ...)                                                                 \
    find_note((ray)->source->report, (node), GANG_CODE_REFUSED_BY_OPERATOR, NULL, __VA_ARGS__)

/* ---- checks of the operator ---- */

/* utils/validation.go ValidateRay{Cluster,Job,Service}Metadata */
static void
ray_check_name(const struct ray_case *ray)
{
    const struct object_meta *meta = ray->source->meta;
    const struct node *name = meta->name_source;
    struct name_problems problems;

    if (meta->name.len > ray->kind->most_name_length)
        RAY_REFUSE(ray, name, "%s name should be no more than %zu characters", ray->kind->name,
                   ray->kind->most_name_length);
    if (!meta->name.len || name_check(NAME_DNS1035_LABEL, meta->name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        RAY_REFUSE(ray, name, "%s name should be a valid DNS1035 label: %s", ray->kind->name,
                   problems.text[i]);
}

/* Returns the containers. */
static const struct node *
ray_check_template(const struct ray_case *ray, const struct node *group, const char *name)
{
    const struct node *pod_template = node_member(group, SLICE("template"));
    const struct node *spec = node_member(pod_template, SLICE("spec"));
    const struct node *containers = node_member(spec, SLICE("containers"));
    const struct node *policy;

    if (pod_template && !node_count(containers))
        RAY_REFUSE(ray, pod_template, "%s should have at least one container", name);
    if (!ray->autoscales || !slice_equal(ray->version, SLICE("v2")))
        return containers;
    policy = node_member(spec, SLICE("restartPolicy"));
    if (node_string(policy).len && !slice_equal(node_string(policy), SLICE("Never")))
        RAY_REFUSE(ray, policy, "should be Never or unset when using autoscaler V2");
    return containers;
}

/* Returns the variable of the head that chooses the autoscaler's version; NULL if absent. */
static const struct node *
ray_version_variable(const struct node *containers, bool *asks_for_v2)
{
    const struct node *variables = node_member(node_first(containers), SLICE("env"));
    const struct node *variable = node_item_named(variables, SLICE("RAY_enable_autoscaler_v2"));
    const struct slice value = node_string(node_member(variable, SLICE("value")));

    *asks_for_v2 = slice_equal(value, SLICE("1")) || slice_equal(value, SLICE("true"));
    return variable;
}

/* utils/validation.go ValidateRayClusterSpec, of the autoscaler */
static void
ray_check_autoscaler(const struct ray_case *ray, const struct node *containers)
{
    const struct node *timeout = node_member(ray->options, SLICE("idleTimeoutSeconds"));
    bool asks_for_v2;
    const struct node *variable = ray_version_variable(containers, &asks_for_v2);

    if (!ray->autoscales && asks_for_v2)
        RAY_REFUSE(ray, variable,
                   "RAY_enable_autoscaler_v2 cannot be set when enableInTreeAutoscaling is false");
    if (ray->autoscales && ray->version.len && variable)
        RAY_REFUSE(ray, variable,
                   "RAY_enable_autoscaler_v2 and autoscalerOptions.version are both set");
    if (node_int_or(timeout, 0) < 0)
        RAY_REFUSE(ray, timeout, "idleTimeoutSeconds must be non-negative");
}

/* How many pods a worker group has. */
struct ray_size {
    const struct node *group;
    struct slice name;
    int64_t replicas; /* as written */
    int64_t least;
    int64_t most;
    int64_t hosts; /* pods of one replica */
};

/* utils/validation.go ValidateRayClusterSpec */
static void
ray_check_group(const struct ray_case *ray, const struct ray_size *size)
{
    const struct node *least = node_member(size->group, SLICE("minReplicas"));
    const struct node *most = node_member(size->group, SLICE("maxReplicas"));
    const struct node *suspend = node_member(size->group, SLICE("suspend"));
    const struct node *timeout = node_member(size->group, SLICE("idleTimeoutSeconds"));
    bool asks_for_v2;
    int64_t seconds;

    ray_check_template(ray, size->group, "workerGroupSpec");
    if (size->least < 0)
        RAY_REFUSE(ray, least, "worker group %-.*s has negative minReplicas %lld",
                   SLICE_ARG(size->name), (long long)size->least);
    if (size->most < 0)
        RAY_REFUSE(ray, most, "worker group %-.*s has negative maxReplicas %lld",
                   SLICE_ARG(size->name), (long long)size->most);
    if (size->least > size->most)
        RAY_REFUSE(ray, least ? least : most,
                   "worker group %-.*s has minReplicas %lld greater than maxReplicas %lld",
                   SLICE_ARG(size->name), (long long)size->least, (long long)size->most);
    /* utils/validation.go validateWorkerGroupIdleTimeout */
    if (node_int(timeout, &seconds)) {
        ray_version_variable(node_at(ray->cluster, "headGroupSpec.template.spec.containers"),
                             &asks_for_v2);
        if (seconds < 0)
            RAY_REFUSE(ray, timeout, "idleTimeoutSeconds must be non-negative");
        else if (!slice_equal(ray->version, SLICE("v2")) && !asks_for_v2)
            RAY_REFUSE(
                ray, timeout,
                "worker group %-.*s: idleTimeoutSeconds is set, but autoscaler v2 is not enabled. "
                "Please set .spec.autoscalerOptions.version to 'v2'",
                SLICE_ARG(size->name));
    }
    if (ray->autoscales && node_is_true(suspend))
        RAY_REFUSE(ray, suspend, "worker group %-.*s cannot be suspended with Autoscaler enabled",
                   SLICE_ARG(size->name));
}

/* ---- worker groups ---- */

/* A number with the default of the CRD, which is reported. */
static int64_t
ray_number_or_0(const struct ray_case *ray, const struct node *map, struct slice key)
{
    find_default(ray->source->report, map, key, "0");
    return job_field_number(map, key, 0);
}

static struct ray_size
ray_read_size(const struct ray_case *ray, const struct node *group)
{
    struct ray_size size = {
        .group = group,
        .name = node_string(node_member(group, SLICE("groupName"))),
        .replicas = ray_number_or_0(ray, group, SLICE("replicas")),
        .least = ray->autoscales ? ray_number_or_0(ray, group, SLICE("minReplicas"))
                                 : job_field_number(group, SLICE("minReplicas"), 0),
        .most = job_field_number(group, SLICE("maxReplicas"), INT32_MAX),
        .hosts = job_field_pods(job_field_number(group, SLICE("numOfHosts"), 1),
                                node_member(group, SLICE("numOfHosts")), ray->source->report),
    };

    return size;
}

/* utils/util.go GetWorkerGroupDesiredReplicas */
static int64_t
ray_wanted_replicas(const struct ray_case *ray, const struct ray_size *size)
{
    const int64_t least = size->replicas < size->least ? size->least : size->replicas;
    const int64_t wanted = least > size->most ? size->most : least;

    if (node_is_true(node_member(size->group, SLICE("suspend"))))
        return 0;
    if (size->least < 0 || size->most < 0)
        return 0; /* refused by ray_check_group() */
    if (wanted != size->replicas)
        find_note_below(ray->source->report, size->group, SLICE("replicas"),
                        MESSAGE_RAY_REPLICAS_LIMITED, (long long)wanted, SLICE_ARG(size->name),
                        (long long)size->replicas);
    return wanted;
}

/*
 * The index of a replica in its worker group. Source: controllers/ray/utils/constant.go
 * RayWorkerReplicaIndexKey; the gate: pkg/features/features.go.
 */
#define RAY_REPLICA_INDEX SLICE("ray.io/worker-group-replica-index")

/*
 * The containers that KubeRay adds: common/pod.go BuildAutoscalerContainer and
 * DefaultWorkerPodTemplate, common/job.go GetDefaultSubmitterContainer.
 */
ADDED_RESOURCES_ALIKE(ray_autoscaler, "500m", "512Mi");
ADDED_RESOURCES(ray_collector, "50m", "64Mi", "200m", "256Mi");
ADDED_RESOURCES(ray_submitter, "500m", "200Mi", "1", "1Gi");
ADDED_RESOURCES_ALIKE(ray_wait_for_head, "200m", "256Mi");

/* The `resources` of the options replace the usual ones. Source: mergeAutoscalerOverrides. */
static struct added_container
ray_container(const struct node *options, const struct node *usual)
{
    const struct node *given = node_member(options, SLICE("resources"));

    return (struct added_container){.resources = given ? given : usual,
                                    .source = given ? options : NULL};
}

/*
 * The collector of the history server is in each pod. With the feature gate off, KubeRay refuses
 * the options. Source: controllers/ray/common/pod.go BuildCollectorContainer@v1.7.0.
 */
static void
ray_add_collector(const struct ray_case *ray, struct added_container *added, size_t *count)
{
    const struct node *server = node_member(ray->cluster, SLICE("historyServerOptions"));
    const struct node *options = node_member(server, SLICE("collectorOptions"));

    if (options)
        added[(*count)++] = ray_container(options, ray_collector);
}

/*
 * Each worker waits in an init container for the head, unless the operator runs with
 * ENABLE_INIT_CONTAINER_INJECTION=false. Source: controllers/ray/common/pod.go
 * DefaultWorkerPodTemplate.
 */
static void
ray_add_to_worker(const struct ray_case *ray, struct role *role)
{
    struct added_container added[2] = {
        {.is_init = true, .resources = ray_wait_for_head},
    };
    size_t count = 1;

    ray_add_collector(ray, added, &count);
    added_containers(role, added, count, ray->source);
}

/* Whether a worker group has this name. Names of roles are in lower case, and so it is compared. */
static bool
ray_has_group(const struct ray_case *ray, struct slice name)
{
    for (NODE_EACH(group, node_member(ray->cluster, SLICE("workerGroupSpecs"))))
        if (ascii_equal(node_string(node_member(group, SLICE("groupName"))), name))
            return true;
    return false;
}

/* Returns the name, with a number behind it if a worker group has it. */
static struct slice
ray_free_name(const struct ray_case *ray, struct slice name)
{
    return ray_has_group(ray, name) ? ARENA_SLICE(ray->source->arena, "%.*s-2", SLICE_ARG(name))
                                    : name;
}

/*
 * Returns the name of the role. Pod names of KubeRay are in lower case, and so is it; of groups
 * whose names differ only in case, the later ones get a number. KubeRay also accepts a group
 * without a name, but a role needs one.
 */
static struct slice
ray_group_name(const struct ray_case *ray, const struct node *group)
{
    const struct node *name = node_member(group, SLICE("groupName"));
    const struct slice text = node_string(name);
    const struct slice stem = name_stem(text, text.len, ray->source->arena);
    size_t number = 1;

    if (name && !stem.len)
        find_invalid(ray->source->report, name, MESSAGE_INVALID_NAME_ALPHANUMERIC);
    if (ray->job->num_roles > ray->source->limits->value[GANG_LIMIT_ROLES])
        return stem; /* which is refused, and comparing all names would take long */
    for (NODE_EACH(other, node_member(ray->cluster, SLICE("workerGroupSpecs")))) {
        const struct slice known = node_string(node_member(other, SLICE("groupName")));

        if (other == group)
            break;
        number += ascii_equal(known, text) && !slice_equal(known, text);
    }
    if (number == 1)
        return stem;
    return ray_free_name(ray, ARENA_SLICE(ray->source->arena, "%.*s-%zu", SLICE_ARG(stem), number));
}

/* Pods that the autoscaler adds to a group without pods do not count in the gang's agreement. */
static void
ray_check_growth(const struct ray_case *ray, const struct ray_size *size, const struct role *role)
{
    static const struct slice members[] = {SLICE_INIT("priorityClassName"),
                                           SLICE_INIT("schedulerName")};
    const struct node *head;
    const struct node *spec;

    if (!ray->autoscales || role->count || !size->most)
        return;
    head = node_at(ray->cluster, "headGroupSpec.template.spec");
    spec = node_member(role->pod_template, SLICE("spec"));
    for (size_t i = 0; i < COUNT_OF(members); i++) {
        const struct node *mine = node_member(spec, members[i]);

        if (!slice_equal(node_string(mine), node_string(node_member(head, members[i]))))
            find_note(ray->source->report, mine ? mine : size->group, MESSAGE_RAY_GROWTH_DIFFERS,
                      SLICE_ARG(size->name), SLICE_ARG(members[i]));
    }
}

/* ---- head ---- */

static void
ray_add_head(const struct ray_case *ray, size_t most_roles)
{
    const struct node *head = node_member(ray->cluster, SLICE("headGroupSpec"));
    struct role *role;
    struct added_container added[3] = {{.is_init = false}};
    size_t count = 0;

    ray_check_autoscaler(ray, ray_check_template(ray, head, "headGroupSpec"));
    role = gang_job_add_role(
        ray->job, most_roles,
        ray_has_group(ray, SLICE("head")) ? ray_free_name(ray, SLICE("headgroup")) : SLICE("head"),
        head ? head : ray->cluster, ray->source->arena);
    if (!role)
        return;
    role->pod_template = node_member(head, SLICE("template"));
    if (ray->autoscales)
        added[count++] = ray_container(ray->options, ray_autoscaler);
    if (ray->has_sidecar)
        added[count++] = (struct added_container){.resources = ray_submitter};
    ray_add_collector(ray, added, &count);
    if (count)
        added_containers(role, added, count, ray->source);
}

/* ---- submitter ---- */

/*
 * The submitter's Job is created when the RayCluster is ready: every pod of it that is wanted is.
 * Source: controllers/ray/rayjob_controller.go (Reconcile, JobDeploymentStatusInitializing).
 */
static void
ray_add_submitter(const struct ray_case *ray, size_t most_roles)
{
    const struct node *spec = ray->source->spec;
    const struct node *at = ray->submission ? ray->submission : spec;
    const size_t before = ray->job->num_roles;
    struct role *role = gang_job_add_role(ray->job, most_roles,
                                          ray_has_group(ray, SLICE("submitter"))
                                              ? ray_free_name(ray, SLICE("ray-job-submitter"))
                                              : SLICE("submitter"),
                                          at, ray->source->arena);

    if (!role)
        return;
    role->pod_template = node_member(spec, SLICE("submitterPodTemplate"));
    if (!role->pod_template)
        role->requests_source = node_member(ray_submitter, SLICE("requests"));
    for (size_t i = 0; i < before; i++) {
        const struct dependency edge = {
            .role = ray->job->roles[i].name, .status = DEPENDENCY_READY, .source = at};

        if (ray->job->roles[i].count > 0)
            gang_job_add_edge(role, before, &edge, ray->source->arena);
    }
}

/* ---- what all kinds have ---- */

/*
 * With the batch scheduler of these labels, KubeRay makes a PodGroup of every RayCluster and
 * RayJob. The document does not say whether it is on. Source:
 * controllers/ray/batchscheduler/volcano.
 */
static void
ray_find_option(const struct ray_case *ray)
{
    static const struct slice labels[] = {SLICE_INIT("volcano.sh/queue-name"),
                                          SLICE_INIT("ray.io/priority-class-name")};

    for (size_t i = 0; i < COUNT_OF(labels); i++) {
        const struct node *label = node_member(ray->source->meta->labels, labels[i]);

        if (!label)
            continue;
        find_note_at_key(ray->source->report, label, MESSAGE_OPERATOR_GANG_OPTION_RAY);
        return;
    }
}

static void
ray_add_roles(const struct ray_case *ray)
{
    const struct node *groups = node_member(ray->cluster, SLICE("workerGroupSpecs"));
    const size_t most = node_count(groups) + 2; /* the head and the submitter */

    ray_add_head(ray, most);
    for (NODE_EACH(group, groups)) {
        const struct ray_size size = ray_read_size(ray, group);
        struct role *role = gang_job_add_role(ray->job, most, ray_group_name(ray, group), group,
                                              ray->source->arena);

        ray_check_group(ray, &size);
        if (role) {
            const int64_t wanted = ray_wanted_replicas(ray, &size);

            /*
             * The autoscaler creates the replicas above minReplicas when there is work for them, so
             * only the others must start (utils/util.go CalculateMinReplicas).
             */
            gang_job_set_count(role, wanted * size.hosts);
            if (ray->autoscales && wanted > size.least)
                role->min_count = role->first_count = size.least * size.hosts;
            role->unit = size.hosts == 0 ? 1 : size.hosts;
            if (role->unit >= 2) {
                role->unit_label = RAY_REPLICA_INDEX;
                find_note(ray->source->report, node_member(size.group, SLICE("numOfHosts")),
                          MESSAGE_UNIT_LABEL_OF_GATE, SLICE_ARG(role->unit_label));
            }
            role->pod_template = node_member(group, SLICE("template"));
            ray_add_to_worker(ray, role);
            ray_check_growth(ray, &size, role);
        }
    }
    if (ray->has_submitter)
        ray_add_submitter(ray, most);
}

static struct ray_case
ray_start(const struct ray_kind *kind, const struct job_source *source, struct gang_wishes *job)
{
    struct ray_case ray = {.kind = kind, .source = source, .job = job, .cluster = source->spec};
    const struct slice manager = SLICE("ray.io/kuberay-operator");
    struct job_source of_cluster = *source;
    const struct node *labels;
    const struct node *label;

    if (kind->cluster) {
        ray.cluster = node_member(source->spec, slice_from_text(kind->cluster));
        /* KubeRay creates the RayCluster, and leaves its pods to the other controller. */
        of_cluster.spec = ray.cluster;
        job_field_read_manager(&of_cluster, manager, job);
    }
    ray.autoscales = node_is_true(node_member(ray.cluster, SLICE("enableInTreeAutoscaling")));
    ray.options = node_member(ray.cluster, SLICE("autoscalerOptions"));
    ray.version = node_string(node_member(ray.options, SLICE("version")));
    ray_check_name(&ray);
    labels = ray.source->meta->labels;
    ray.job->suspended = node_is_true(node_member(ray.source->spec, SLICE("suspend"))) ||
                         node_is_true(node_member(ray.cluster, SLICE("suspend")));
    job_field_read_manager(source, manager, job);
    ray.job->priority_request =
        gang_job_wish(node_member(labels, SLICE("ray.io/priority-class-name")));
    ray.job->queue_request = gang_job_wish(node_member(labels, SLICE("volcano.sh/queue-name")));
    /*
     * The label lets KubeRay make the gang itself with two of its batch schedulers, whatever its
     * value, and since v1.7.0 with the feature gate KubernetesWAS. Source:
     * controllers/ray/batchscheduler/{yunikorn,scheduler-plugins,kubernetes-was}.
     */
    label = node_member(ray.source->meta->labels, SLICE("ray.io/gang-scheduling-enabled"));
    if (!label) {
        ray_find_option(&ray);
    } else {
        find_note_at_key(ray.source->report, label, MESSAGE_RAY_OWN_GANG);
        gang_job_stand_back(ray.job, label, "KubeRay makes the gang of this job");
    }
    return ray;
}

static void
ray_translate_cluster(const struct job_source *source, struct gang_wishes *job)
{
    const struct ray_case ray = ray_start(&ray_cluster, source, job);
    const struct node *origin =
        node_member(ray.source->meta->labels, SLICE("ray.io/originated-from-crd"));

    /* The pods of a RayCluster that a RayJob created are in the gang of the RayJob. */
    if (slice_equal(node_string(origin), SLICE("RayJob")))
        gang_job_stand_back(ray.job, origin, "the pods are in the gang of the RayJob");
    ray_add_roles(&ray);
}

const struct job_kind ray_cluster_job_kind = {
    .api_versions = {SLICE_INIT("ray.io/v1")},
    .kind = SLICE_INIT("RayCluster"),
    .schema = &ray_cluster_schema,
    .has_former_pod_field = true,
    .translate = ray_translate_cluster,
};

/* ---- RayJob ---- */

static bool
ray_mode_is(const struct ray_case *ray, struct slice mode)
{
    return slice_equal(node_string(ray->submission), mode);
}

/* The same, with fields that exclude each other. */
static void
ray_check_submission(const struct ray_case *ray, const struct node *selector)
{
    const struct node *spec = ray->source->spec;
    const struct node *submitter = node_member(spec, SLICE("submitterPodTemplate"));
    const struct node *config = node_member(spec, SLICE("submitterConfig"));
    const struct node *backoff = node_member(spec, SLICE("backoffLimit"));
    const bool retries = job_field_number(spec, SLICE("backoffLimit"), 0) > 0;

    if (ray->has_sidecar && submitter)
        RAY_REFUSE(ray, submitter, "Currently, SidecarMode doesn't support SubmitterPodTemplate");
    if (ray->has_sidecar && config)
        RAY_REFUSE(ray, config, "Currently, SidecarMode doesn't support SubmitterConfig");
    if (ray->has_sidecar && node_count(selector))
        RAY_REFUSE(ray, selector, "ClusterSelector is not supported in SidecarMode");
    if (retries && node_count(selector))
        RAY_REFUSE(ray, backoff,
                   "The RayJob spec is invalid: BackoffLimit is incompatible with ClusterSelector "
                   "mode");
    if (retries && ray_mode_is(ray, SLICE("InteractiveMode")))
        RAY_REFUSE(ray, backoff,
                   "The RayJob spec is invalid: BackoffLimit is incompatible with InteractiveMode");
}

static void
ray_translate_job(const struct job_source *source, struct gang_wishes *job)
{
    const struct node *selector = node_member(source->spec, SLICE("clusterSelector"));
    struct ray_case ray = ray_start(&ray_job, source, job);
    const struct node *suspend;

    ray.submission = node_member(ray.source->spec, SLICE("submissionMode"));
    ray.has_sidecar = ray_mode_is(&ray, SLICE("SidecarMode"));
    ray.has_submitter = !ray.submission || ray_mode_is(&ray, SLICE("K8sJobMode"));
    find_default(source->report, source->spec, SLICE("submissionMode"), "\"K8sJobMode\"");
    /* utils/validation.go ValidateRayJobSpec */
    suspend = node_member(ray.source->spec, SLICE("suspend"));
    if (node_is_true(suspend)) {
        if (!node_is_true(node_member(ray.source->spec, SLICE("shutdownAfterJobFinishes"))))
            RAY_REFUSE(&ray, suspend,
                       "The RayJob spec is invalid: a RayJob with shutdownAfterJobFinishes set to "
                       "false is not allowed to be suspended");
        if (node_count(selector))
            RAY_REFUSE(&ray, suspend,
                       "The RayJob spec is invalid: the ClusterSelector mode doesn't support the "
                       "suspend operation");
    }
    ray_check_submission(&ray, selector);
    if (node_count(selector))
        gang_job_stand_back(job, selector, "the RayJob runs on a RayCluster that exists");
    else if (ray.cluster)
        ray_add_roles(&ray);
    else
        RAY_REFUSE(&ray, source->spec,
                   "The RayJob spec is invalid: one of RayClusterSpec or ClusterSelector must be "
                   "set");
}

const struct job_kind ray_job_job_kind = {
    .api_versions = {SLICE_INIT("ray.io/v1")},
    .kind = SLICE_INIT("RayJob"),
    .schema = &ray_job_schema,
    .has_former_pod_field = true,
    .translate = ray_translate_job,
};

/*
 * During an upgrade two RayClusters exist, and the template that both are made from has one mark
 * (controllers/ray/rayservice_controller.go).
 */
static void
ray_translate_service(const struct job_source *source, struct gang_wishes *job)
{
    const struct ray_case ray = ray_start(&ray_service, source, job);

    if (!ray.cluster)
        return; /* which is an error: the field is required */
    ray_add_roles(&ray);
    find_note_at_key(source->report, ray.cluster, MESSAGE_RAY_CLUSTERS_SHARE_GANG);
}

const struct job_kind ray_service_job_kind = {
    .api_versions = {SLICE_INIT("ray.io/v1")},
    .kind = SLICE_INIT("RayService"),
    .schema = &ray_service_schema,
    .has_former_pod_field = true,
    .translate = ray_translate_service,
};
