/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

/*
 * The kinds of training-operator, which differ in their replica types and in what their webhooks
 * check. Sources: kubeflow/training-operator@v1.9.4, pkg/apis/kubeflow.org/v1/<kind>_defaults.go
 * (defaults), pkg/webhooks/<kind>/<kind>_webhook.go (checks), manifests/base/crds (schemas).
 */

static const struct run_policy_operator training_operator = {
    .name = "training-operator",
    .managed_by = SLICE_INIT("kubeflow.org/training-operator"),
    .option = "--gang-scheduler-name",
};
/* pkg/controller.v1/jax/jaxjob_controller.go creates the pods whatever managedBy says. */
static const struct run_policy_operator training_operator_of_jax = {
    .name = "training-operator",
    .option = "--gang-scheduler-name",
};

enum { TRAINING_MOST_TYPES = 5 };

struct training_kind {
    struct slice kind;
    struct slice specs;                          /* the map of replica types in the spec */
    struct slice types[TRAINING_MOST_TYPES + 1]; /* in this order; unset after the last */
    const char *container;                       /* that the pods of each type must have */
    bool accepts_any_type; /* the webhook does not look at the names of types */
    bool master_is_one;    /* a Master must have replicas, and they must be 1 */
    bool needs_master;
    bool workers_exist;                          /* other types must have at least one replica */
    bool chief_is_one;                           /* not both of Chief and Master */
    bool is_elastic;                             /* with elasticPolicy */
    bool waits_for_master;                       /* with an init container in the workers */
    const struct run_policy_operator *operator_; /* NULL: training_operator */
};

static const struct training_kind training_kinds[] = {
    /* pytorch_webhook.go, initcontainer.go */
    {.kind = SLICE_INIT("PyTorchJob"),
     .specs = SLICE_INIT("pytorchReplicaSpecs"),
     .types = {SLICE_INIT("Master"), SLICE_INIT("Worker")},
     .container = "pytorch",
     .master_is_one = true,
     .workers_exist = true,
     .is_elastic = true,
     .waits_for_master = true},
    /* tfjob_webhook.go */
    {.kind = SLICE_INIT("TFJob"),
     .specs = SLICE_INIT("tfReplicaSpecs"),
     .types = {SLICE_INIT("Chief"), SLICE_INIT("Master"), SLICE_INIT("PS"), SLICE_INIT("Worker"),
               SLICE_INIT("Evaluator")},
     .container = "tensorflow",
     .accepts_any_type = true,
     .chief_is_one = true},
    /* xgboostjob_webhook.go */
    {.kind = SLICE_INIT("XGBoostJob"),
     .specs = SLICE_INIT("xgbReplicaSpecs"),
     .types = {SLICE_INIT("Master"), SLICE_INIT("Worker")},
     .container = "xgboost",
     .master_is_one = true,
     .needs_master = true},
    /* paddlepaddle_webhook.go */
    {.kind = SLICE_INIT("PaddleJob"),
     .specs = SLICE_INIT("paddleReplicaSpecs"),
     .types = {SLICE_INIT("Master"), SLICE_INIT("Worker")},
     .container = "paddle",
     .is_elastic = true},
    /* jaxjob_webhook.go */
    {.kind = SLICE_INIT("JAXJob"),
     .specs = SLICE_INIT("jaxReplicaSpecs"),
     .types = {SLICE_INIT("Worker")},
     .container = "jax",
     .operator_ = &training_operator_of_jax},
};

/* ---- what the webhooks refuse ---- */

/* Returns the type as the operator spells it; unset if there is none. */
static struct slice
training_type_of(const struct training_kind *kind, const struct node *specs,
                 const struct node *spec)
{
    for (size_t i = 0; slice_is_set(kind->types[i]); i++)
        if (replica_spec_find(specs, kind->types[i]) == spec)
            return kind->types[i];
    return NO_SLICE;
}

static const char *
training_types_in_words(const struct training_kind *kind, struct arena *arena)
{
    const char *words = arena_format(arena, "\"%s\"", kind->types[0].data);

    for (size_t i = 1; words && slice_is_set(kind->types[i]); i++)
        words = arena_format(arena, "%s, \"%s\"", words, kind->types[i].data);
    return words ? words : "";
}

static void
training_check_containers(const struct training_kind *kind, const struct node *spec,
                          struct report *report)
{
    const struct node *containers = replica_spec_containers(spec);
    const struct slice path = SLICE("template.spec.containers");

    if (!node_count(containers) && replica_spec_is_empty(spec))
        find_required(report, spec, path, MESSAGE_REQUIRED_FIELD_SPECIFIED);
    if (!node_count(containers))
        return;
    for (NODE_EACH(container, containers))
        if (!node_string(node_member(container, SLICE("image"))).len)
            find_required(report, container, SLICE("image"), MESSAGE_REQUIRED_FIELD_REQUIRED);
    if (!node_item_named(containers, slice_from_text(kind->container)))
        find_required(report, containers, SLICE(""), MESSAGE_REQUIRED_FIELD_NAMED_CONTAINER,
                      kind->container);
}

static void
training_check_replicas(const struct training_kind *kind, const struct node *spec,
                        struct report *report)
{
    const struct node *replicas = node_member(spec, SLICE("replicas"));
    const bool must_be_one = kind->master_is_one && ascii_equal(node_key(spec), SLICE("Master"));
    int64_t count = 0;

    if (must_be_one && !replicas)
        find_note_below(report, spec, SLICE("replicas"), GANG_CODE_REFUSED_BY_OPERATOR, NULL,
                        "Forbidden: must be 1");
    if (!node_int(replicas, &count))
        return;
    if (must_be_one && count != 1)
        find_forbidden(report, replicas, MESSAGE_REFUSED_BY_OPERATOR_ONE);
    else if (kind->workers_exist && count < 1)
        find_forbidden(report, replicas, MESSAGE_REFUSED_BY_OPERATOR_AT_LEAST_ONE);
}

/* The types that a job must have, or must not have together. */
static void
training_check_roles(const struct training_kind *kind, const struct job_source *source,
                     const struct node *specs)
{
    struct report *report = source->report;

    if (kind->needs_master && !replica_spec_find(specs, SLICE("Master")))
        find_required(report, specs, SLICE("Master"), MESSAGE_REQUIRED_FIELD_PRESENT);
    if (kind->chief_is_one && replica_spec_find(specs, SLICE("Chief")) &&
        replica_spec_find(specs, SLICE("Master")))
        find_forbidden(report, specs, MESSAGE_REFUSED_BY_OPERATOR_ONE_MASTER);
    if (kind->waits_for_master && node_member(source->spec, SLICE("elasticPolicy")) &&
        !replica_spec_find(specs, SLICE("Worker")))
        find_required(report, specs, SLICE("Worker"), MESSAGE_REQUIRED_FIELD_ELASTIC);
}

static void
training_check(const struct training_kind *kind, const struct job_source *source,
               const struct node *specs)
{
    struct name_problems problems;

    if (source->meta->name.len && !name_check(NAME_DNS1035_LABEL, source->meta->name, &problems))
        for (size_t i = 0; i < problems.count; i++)
            find_invalid(source->report, source->meta->name_source, MESSAGE_INVALID_NAME_TRAINING,
                         problems.text[i]);
    for (NODE_EACH(spec, specs)) {
        struct slice type;

        if (!node_is(spec, NODE_MAP))
            continue; /* reported by the schema */
        /*
         * The controller changes the case of a type, but the webhooks of most kinds refuse it
         * before.
         */
        type = training_type_of(kind, specs, spec);
        if (!slice_equal(type, node_key(spec))) {
            if (!slice_is_set(type))
                find_note_at_key(source->report, spec, MESSAGE_UNSUPPORTED_VALUE,
                                 SLICE_ARG(node_key(spec)),
                                 training_types_in_words(kind, source->report->arena));
            else if (!kind->accepts_any_type)
                find_note_at_key(source->report, spec, MESSAGE_REPLICA_TYPE_CASE, SLICE_ARG(type),
                                 SLICE_ARG(type));
        }
        training_check_containers(kind, spec, source->report);
        training_check_replicas(kind, spec, source->report);
    }
    if (specs)
        training_check_roles(kind, source, specs);
}

/* ---- pods ---- */

/*
 * Workers of a job with a Master have an init container that waits for it, after the job's own.
 * Source: pkg/controller.v1/pytorch/initcontainer.go@v1.9.4
 */
ADDED_RESOURCES(training_init, "50m", "10Mi", "100m", "20Mi");

/*
 * The workers that must start: minReplicas, which is maxReplicas if absent, and all workers without
 * both. Source: setElasticPolicy in pytorch_defaults.go and paddlepaddle_defaults.go@v1.9.4
 */
static void
training_set_minimum(const struct node *policy, struct role *workers, struct report *report)
{
    const struct node *field = node_member(policy, SLICE("minReplicas"));
    int64_t least;

    if (!node_int(field, &least)) {
        field = node_member(policy, SLICE("maxReplicas"));
        if (!node_int(field, &least))
            return;
    }
    least = job_field_pods(least, field, report);
    if (least >= workers->count)
        return;
    workers->min_count = workers->first_count = least;
}

static void
training_job_translate(const struct job_source *source, struct gang_wishes *job)
{
    const struct slice name = node_string(node_member(source->root, SLICE("kind")));
    const struct training_kind *kind =
        FIND_TEXT(training_kinds, COUNT_OF(training_kinds), kind, name);
    const struct node *specs = kind ? node_member(source->spec, kind->specs) : NULL;
    const struct added_container init = {.is_init = true, .resources = training_init};

    if (!kind)
        return; /* only documents of these kinds are translated here */
    run_policy_read(source, kind->operator_ ? kind->operator_ : &training_operator, job);
    for (size_t i = 0; slice_is_set(kind->types[i]); i++) {
        const struct node *spec = replica_spec_find(specs, kind->types[i]);
        struct role *role =
            spec ? replica_spec_add_role(job, source, TRAINING_MOST_TYPES, spec, 1) : NULL;

        if (!role)
            continue;
        /* A pod that has failed with a retryable exit code is deleted and created again. */
        role->retries =
            slice_equal(node_string(node_member(spec, SLICE("restartPolicy"))), SLICE("ExitCode"));
        if (slice_equal(kind->types[i], SLICE("Worker"))) {
            if (kind->is_elastic)
                training_set_minimum(node_member(source->spec, SLICE("elasticPolicy")), role,
                                     source->report);
            if (kind->waits_for_master && replica_spec_find(specs, SLICE("Master")))
                added_containers(role, &init, 1, source);
        }
    }
    training_check(kind, source, specs);
}

/* The kind `name`_job. */
#define TRAINING_JOB(name, word)                                                                   \
    const struct job_kind name##_job_job_kind = {                                                  \
        .api_versions = {SLICE_INIT("kubeflow.org/v1")},                                           \
        .kind = SLICE_INIT(word),                                                                  \
        .schema = &name##_job_schema,                                                              \
        .translate = training_job_translate,                                                       \
    };

TRAINING_JOB(pytorch, "PyTorchJob")
TRAINING_JOB(tf, "TFJob")
TRAINING_JOB(xgboost, "XGBoostJob")
TRAINING_JOB(paddle, "PaddleJob")
TRAINING_JOB(jax, "JAXJob")
