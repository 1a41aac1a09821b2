/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"

/* Maximum number of names in a hint. */
enum { CHECKS_NAMES = 8 };

bool
cluster_checks_admission(const struct gang_decision *decision, struct slice namespace_,
                         struct pod_admission *out)
{
    if (!decision->inputs.cluster || decision->wishes.compatibility != COMPATIBILITY_NONE)
        return false;
    *out = cluster_pod_admission(decision->inputs.cluster, namespace_);
    return true;
}

/* Reports a fact that the document does not have, at its path. */
static void
checks_note_unknown(const struct gang_decision *decision, struct slice fact, const char *what)
{
    find_note_below(decision->report, decision->inputs.cluster->source, fact,
                    MESSAGE_NOT_CHECKED_FACTS, what);
}

static void
checks_limit_ranges(const struct gang_decision *decision)
{
    const struct gang_owner *owner = &decision->wishes.owner;
    struct pod_admission admission;

    if (!cluster_checks_admission(decision, owner->namespace_, &admission))
        return;
    if (!decision->inputs.cluster->limit_ranges_source)
        checks_note_unknown(decision, SLICE("spec.limitRanges"),
                            "the defaults and limits of the namespace are not counted and");
    else if (!slice_is_set(owner->namespace_))
        find_note(decision->report, owner->name_source, MESSAGE_NOT_CHECKED_LIMIT_RANGES);
    pod_admission_compare_ranges(&admission, decision->report);
}

/* Adds a name to the list of a hint, "a", "b"; names beyond CHECKS_NAMES are counted alone. */
static void
checks_name(const char **list, size_t *count, struct slice name, struct arena *arena)
{
    if (*count < CHECKS_NAMES)
        *list = arena_format(arena, "%s%s\"%.*s\"", *list, *count ? ", " : "", SLICE_ARG(name));
    ++*count;
}

static const char *
checks_hint(const char *list, size_t count, struct arena *arena)
{
    if (!count)
        return "the cluster has none";
    if (count > CHECKS_NAMES)
        return arena_format(arena, "the cluster has %s and %zu more", list, count - CHECKS_NAMES);
    return arena_format(arena, "the cluster has %s", list);
}

/*
 * Uses the messages of kubernetes/kubernetes:plugin/pkg/admission/priority/admission.go@v1.36.2.
 * Returns false if the class is not known.
 */
static bool
checks_priority_class(const struct gang_decision *decision, struct slice name,
                      const struct node *source)
{
    enum cluster_answer answer = CLUSTER_YES;

    if (name.len)
        answer = cluster_priority_class(decision->inputs.cluster, name, NULL);
    if (answer == CLUSTER_NO) {
        const struct gang_cluster *cluster = decision->inputs.cluster;
        const char *list = "";
        size_t count = 0;

        for (size_t i = 0; i < cluster->num_priority_classes; i++)
            checks_name(&list, &count, cluster->priority_classes[i].name, decision->arena);
        find_invalid(decision->report, source, GANG_CODE_UNKNOWN_PRIORITY_CLASS,
                     checks_hint(list, count, decision->arena),
                     "no PriorityClass with name %.*s was found", SLICE_ARG(name));
    }
    return answer != CLUSTER_UNKNOWN;
}

/* A priority class that a policy sets for the members replaces their own. */
static void
checks_priority_classes(const struct gang_decision *decision)
{
    const struct gang *gang = &decision->gang;
    bool known = true;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (!gang->gives_priority || gang->parts[i].membership == ROLE_OUTSIDE)
            known &= checks_priority_class(decision, role->priority_class_name,
                                           role->priority_class_source);
    }
    if (gang->priority_class_source)
        known &=
            checks_priority_class(decision, gang->priority_class_name, gang->priority_class_source);
    if (!known)
        checks_note_unknown(decision, SLICE("spec.priorityClasses"),
                            "the priorityClassName of the pods is");
}

static void
checks_queue(const struct gang_decision *decision)
{
    const struct gang *gang = &decision->gang;
    const struct slice type = decision->backend->descriptor->type;
    enum cluster_answer answer;

    if (!gang->queue.len || !slice_is_set(decision->backend->descriptor->queue_parent))
        return;
    answer = cluster_has_queue(decision->inputs.cluster, type, gang->queue);
    if (answer == CLUSTER_UNKNOWN) {
        checks_note_unknown(decision, SLICE("spec.queues"), "whether the queue exists is");
    } else if (answer == CLUSTER_NO) {
        const struct gang_cluster *cluster = decision->inputs.cluster;
        const char *list = "";
        size_t count = 0;

        for (size_t i = 0; i < cluster->num_queues; i++)
            if (slice_equal(cluster->queues[i].type, type))
                checks_name(&list, &count, cluster->queues[i].name, decision->arena);
        find_note(decision->report,
                  gang->queue_source ? gang->queue_source : gang->wishes->owner.name_source,
                  GANG_CODE_UNKNOWN_QUEUE, checks_hint(list, count, decision->arena),
                  "Invalid value: %-.*s: %.*s has no queue %.*s", SLICE_ARG(gang->queue),
                  SLICE_ARG(type), SLICE_ARG(gang->queue));
    }
}

void
cluster_checks_report_not_served(const struct gang_decision *decision, struct slice version,
                                 struct slice backend)
{
    find_note(decision->report, node_at(decision->inputs.cluster->source, "spec.servedVersions"),
              MESSAGE_NOT_SERVED_BACKEND, SLICE_ARG(version), SLICE_ARG(backend));
}

/* Observed only in Kubernetes 1.36, for pods without a schedulingGroup. */
static const struct slice checks_second_gang_gate = SLICE_INIT("WorkloadWithJob");

/* The Job controller adds only pods of Jobs to its gangs. */
static void
checks_second_gang(const struct gang_decision *decision)
{
    const struct gang_cluster *cluster = decision->inputs.cluster;
    const struct release release = cluster_kubernetes(cluster);
    const enum cluster_answer gate = cluster_has_gate(cluster, checks_second_gang_gate);

    if (!decision->wishes.is_of_jobs || !decision->backend->descriptor->is_joined_twice ||
        gate == CLUSTER_NO)
        return;
    if (!release.is_known)
        checks_note_unknown(decision, SLICE("spec.kubernetesVersion"),
                            "whether the Job controller creates a second gang is");
    else if (release.major != 1 || release.minor != 36)
        return;
    else if (gate == CLUSTER_UNKNOWN)
        checks_note_unknown(decision, SLICE("spec.featureGates.WorkloadWithJob"),
                            "whether the Job controller creates a second gang is");
    else
        find_note(decision->report, cluster_gate_source(cluster, checks_second_gang_gate),
                  MESSAGE_SECOND_GANG_GATE, SLICE_ARG(decision->backend->descriptor->type));
}

/* A GangJob has the operator of its owner. */
const struct node *
cluster_checks_operator_gang(const struct gang_decision *decision,
                             const struct operator_option **by)
{
    const struct gang_cluster *cluster = decision->inputs.cluster;
    const struct gang_wishes *job = &decision->wishes;
    const struct node *value;

    if (!cluster || !cluster->operator_gangs || job->why_no_gang)
        return NULL;
    *by = job_traits_of(job->owner.api_version, job->owner.kind)->operator_option;
    value = *by ? cluster_operator_gangs(cluster, job_operators[(*by)->of].key) : NULL;
    return value && operator_option_makes_gangs(*by, node_string(value)) ? value : NULL;
}

/* ---- fields that a release does not have ---- */

/* Whose release it is, and the field. */
struct checks_field {
    enum job_operator_place operator_;
    const struct job_field_since *field;
    struct release release; /* of the operator, or of Kubernetes for a kind of its own */
    bool is_owned;          /* an object controls the job that does not make its gang */
};

static bool
checks_is_before(const struct checks_field *check)
{
    return check->release.is_known && release_compare(&check->release, &check->field->since) < 0;
}

/* Whether the job means the same without the field. An empty list means none to every operator. */
static bool
checks_means_none(const struct node *node, struct slice same)
{
    return node_is_absent(node) || (node_is(node, NODE_LIST) && !node->len) ||
           (same.len && slice_equal(node_text(node), same));
}

/* Follows a path below the map. Recursive, once for each part of a path of our own. */
static void
checks_field_below(const struct gang_decision *decision, const struct checks_field *check,
                   const struct node *map, const char *path)
{
    const size_t len = strcspn(path, ".[");
    const struct node *node = node_member(map, (struct slice){path, len});
    const char *rest = path + len;

    if (*rest == '.') {
        checks_field_below(decision, check, node, rest + 1);
    } else if (*rest) {
        if (node_is(node, NODE_LIST) && arena_spend(decision->report->arena, node->len))
            for (NODE_EACH(item, node))
                checks_field_below(decision, check, item, rest + strlen("[]."));
    } else if (!checks_means_none(node, check->field->same)) {
        const struct release *release = &check->release;
        const struct release *since = &check->field->since;
        const struct slice gate = check->field->gate;
        const enum cluster_answer answer =
            slice_is_set(gate) ? cluster_has_gate(decision->inputs.cluster, gate) : CLUSTER_YES;

        if (checks_is_before(check))
            find_note(decision->report, node, MESSAGE_FIELD_OF_LATER_RELEASE_RELEASE,
                      job_operators[check->operator_].name, release->major, release->minor,
                      release->patch, since->major, since->minor);
        else if (answer == CLUSTER_NO)
            find_note(decision->report, node, MESSAGE_FIELD_OF_LATER_RELEASE_GATE, SLICE_ARG(gate));
        else if (check->is_owned && release->is_known &&
                 release_compare(release, &check->field->of_owned) < 0)
            find_note(decision->report, node, MESSAGE_FIELD_OF_LATER_RELEASE_OWNED,
                      job_operators[check->operator_].name, release->major, release->minor,
                      release->patch, check->field->of_owned.major, check->field->of_owned.minor);
        else if (answer == CLUSTER_UNKNOWN)
            find_note(decision->report, node, MESSAGE_NOT_CHECKED_POD_FIELD, SLICE_ARG(gate));
    }
}

/* A controller that makes the gang itself owns parts, or has told the part which group is its. */
static bool
checks_is_owned(const struct node *job, bool is_component)
{
    const struct node *metadata = node_member(job, SLICE("metadata"));
    const struct node *owner = object_meta_controller(metadata);
    const struct node *annotations = node_member(metadata, SLICE("annotations"));

    return (is_component || owner) &&
           !node_member(annotations, SLICE("scheduling.k8s.io/group-template-name")) &&
           !job_kind_has_parts(node_string(node_member(owner, SLICE("apiVersion"))),
                               node_string(node_member(owner, SLICE("kind"))));
}

/*
 * The translation reads all fields, so a gang of those that the API server drops would not be that
 * of the pods.
 */
static void
checks_fields_of(const struct gang_decision *decision, const struct node *job, bool is_component)
{
    const struct gang_cluster *cluster = decision->inputs.cluster;
    const struct job_traits *traits =
        job_traits_of(node_string(node_member(job, SLICE("apiVersion"))),
                      node_string(node_member(job, SLICE("kind"))));
    const enum job_operator_place of = traits->released_with;
    struct checks_field check = {
        .operator_ = of,
        .release = of == JOB_OPERATOR_NONE
                       ? cluster_kubernetes(cluster)
                       : cluster_component(cluster, COMPONENT_OF_OPERATORS + of),
        .is_owned = checks_is_owned(job, is_component),
    };

    for (size_t i = 0; i < JOB_TRAIT_MOST_FIELDS && traits->fields[i].path; i++) {
        check.field = &traits->fields[i];
        if (checks_is_before(&check) || slice_is_set(check.field->gate))
            checks_field_below(decision, &check, node_member(job, SLICE("spec")),
                               check.field->path);
    }
}

/* The jobs in an AppWrapper have releases of their own. It controls them. */
static void
checks_fields(const struct gang_decision *decision)
{
    const struct job_document *job = decision->inputs.job;

    if (decision->inputs.trainjob)
        checks_fields_of(decision, decision->inputs.trainjob->document.root, false);
    if (!job)
        return;
    checks_fields_of(decision, job->document.root, false);
    if (job->kind == &appwrapper_job_kind)
        for (NODE_EACH(component, node_at(job->document.root, "spec.components")))
            checks_fields_of(decision, node_member(component, SLICE("template")), true);
}

/*
 * Resources of whole pods, which the requests of a gang count.
 * kubernetes/kubernetes:pkg/features/kube_features.go PodLevelResources@v1.37.2: alpha in 1.32, on
 * since 1.34.
 */
static void
checks_pod_level(const struct gang_decision *decision)
{
    static const struct job_field_since field = {
        .path = "resources", .since = {true, 1, 32, 0}, .gate = SLICE_INIT("PodLevelResources")};
    const struct gang *gang = &decision->gang;
    const struct checks_field check = {.operator_ = JOB_OPERATOR_NONE,
                                       .field = &field,
                                       .release = cluster_kubernetes(decision->inputs.cluster)};

    if (gang_is_compatible(gang) ||
        (cluster_has_gate(decision->inputs.cluster, field.gate) == CLUSTER_UNKNOWN &&
         (!check.release.is_known || release_at_least(&check.release, 1, 34))))
        return;
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct node *spec = gang->roles[i].pod_spec;

        if (gang->parts[i].membership != ROLE_OUTSIDE &&
            node_count(node_member(spec, SLICE("resources"))))
            checks_field_below(decision, &check, spec, field.path);
    }
}

void
cluster_checks_run(const struct gang_decision *decision)
{
    const struct gang_cluster *cluster = decision->inputs.cluster;
    const struct cluster_priority_class *class;
    const struct operator_option *by = NULL;
    const struct node *value;
    struct slice version;

    if (!cluster)
        return;
    checks_fields(decision);
    if (decision->wishes.managed_elsewhere)
        return; /* pods of other controllers are created in another cluster */
    checks_limit_ranges(decision);
    checks_priority_classes(decision);
    value = cluster_checks_operator_gang(decision, &by);
    if (value)
        find_note(decision->report, value, MESSAGE_OPERATOR_MAKES_GANG_JOB,
                  job_operators[by->of].name, by->option, SLICE_ARG(node_string(value)));
    if (!decision->backend)
        return;
    checks_pod_level(decision);
    class = cluster_default_priority_class(cluster);
    if (class && !decision->gang.priority_class_name.len)
        find_note(decision->report, node_member(class->source, SLICE("globalDefault")),
                  MESSAGE_DEFAULT_PRIORITY_CLASS, SLICE_ARG(class->name), (long long)class->value);
    checks_queue(decision);
    /* A backend that selects its API version has checked it itself. */
    version = decision->call.api_version;
    if (!decision->backend->choose_api_version &&
        descriptor_has_objects(decision->backend->descriptor)) {
        if (cluster_serves(cluster, version, NO_SLICE) == CLUSTER_UNKNOWN)
            checks_note_unknown(decision, SLICE("spec.servedVersions"),
                                "whether PodGroups are served is");
        else if (cluster_serves(cluster, version, decision->backend->descriptor->resource) ==
                 CLUSTER_NO)
            cluster_checks_report_not_served(decision, version,
                                             decision->backend->descriptor->name);
    }
    checks_second_gang(decision);
}
