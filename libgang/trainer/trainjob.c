/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"
#include "libgang/trainer/trainer.h"

/* ---- trainjob rules ---- */

#define INITIALIZER_VOLUME SLICE("initializer")

/* spec.initializer.<member> needs a job and a container with these names. */
static const struct {
    struct slice member;
    struct slice job;
    const char *config;
} initializer_table[] = {
    {SLICE_INIT("dataset"), SLICE_INIT("dataset-initializer"), "datasetConfig"},
    {SLICE_INIT("model"), SLICE_INIT("model-initializer"), "modelConfig"},
};

static void
check_initializer(const struct trainer_job *job, const struct node *initializer, size_t index,
                  struct report *report)
{
    const struct node *config = node_member(initializer, initializer_table[index].member);
    struct slice name = initializer_table[index].job;
    const struct replicated_job *role = config ? jobset_find(&job->jobset, name) : NULL;
    const struct node *container = role ? replicated_job_container(role, name) : NULL;

    if (!config)
        return;
    if (!role)
        find_note(report, config, MESSAGE_INITIALIZER_ROLE_MISSING_JOB, SLICE_ARG(name),
                  initializer_table[index].config);
    else if (!container)
        find_note(report, config, MESSAGE_INITIALIZER_ROLE_MISSING_CONTAINER, SLICE_ARG(name),
                  SLICE_ARG(name));
    else if (!node_item_named(node_member(container, SLICE("volumeMounts")), INITIALIZER_VOLUME))
        find_note(report, config, MESSAGE_INITIALIZER_ROLE_MISSING_MOUNT, SLICE_ARG(name),
                  SLICE_ARG(name));
}

void
trainjob_rules_check(const struct trainer_job *job, const struct gang_wishes *wishes,
                     struct report *report)
{
    const struct node *initializer = node_member(job->trainjob->spec, SLICE("initializer"));

    for (size_t i = 0; initializer && i < COUNT_OF(initializer_table); i++)
        check_initializer(job, initializer, i, report);
    for (size_t i = 0; job->runtime->pod_group_policy.source && i < CATALOG_COUNT; i++) {
        const struct descriptor *scheduler = catalog[i];

        /*
         * kubeflow/trainer:pkg/runtime/framework/plugins Validate: it checks every trainjob,
         * including one that another controller manages and that gets no gang here.
         */
        const struct queue_owner owner = {.job = job};
        struct queue_values queues;

        if (scheduler->member.empty_queue &&
            node_member(job->runtime->pod_group_policy.source, scheduler->member.name)) {
            queues = queue_sources_find(&owner, scheduler, QUEUES_READ, report->arena);
            if (queues.count && !node_string(queues.items[0].value).len)
                find_invalid(report, queues.items[0].value, GANG_CODE_EMPTY_QUEUE,
                             scheduler->member.empty_queue_hint, "%s",
                             scheduler->member.empty_queue);
        }
    }
    patch_rules_check(job, report);
    ml_rules_check(job, report);
    jobset_rules_check(job, wishes, report);
}

/* ---- trainjob ---- */

#define TRAINJOB_API_GROUP SLICE("trainer.kubeflow.org")

/* Fields that the API server of v2.3 drops. An older operator read them. */
static const struct {
    struct slice field;
    const char *version;
    const char *successor;
} trainjob_superseded[] = {
    {SLICE_INIT("podSpecOverrides"), "v2.0", "spec.runtimePatches"},
    {SLICE_INIT("podTemplateOverrides"), "v2.1", "spec.runtimePatches"},
    {SLICE_INIT("labels"), "v2.0 and v2.1",
     "spec.runtimePatches[].trainingRuntimeSpec.template.metadata.labels"},
    {SLICE_INIT("annotations"), "v2.0 and v2.1",
     "spec.runtimePatches[].trainingRuntimeSpec.template.metadata.annotations"},
};

static void
trainjob_check_superseded(const struct node *spec, struct report *report)
{
    for (size_t i = 0; i < COUNT_OF(trainjob_superseded); i++) {
        const struct node *found = node_member(spec, trainjob_superseded[i].field);

        if (found)
            find_note_at_key(report, found, MESSAGE_SUPERSEDED_PATCHES,
                             trainjob_superseded[i].version, trainjob_superseded[i].successor);
    }
}

/* Returns the value of a member of `spec.runtimeRef`, or the CRD's default for it. */
static struct slice
trainjob_text_or_default(const struct node *parent, struct slice member, struct slice fallback,
                         struct report *report)
{
    const struct node *value = node_member(parent, member);

    if (value)
        return node_string(value);
    if (parent)
        find_note_below(report, parent, member, MESSAGE_DEFAULT_APPLIED_API_SERVER_TEXT,
                        SLICE_ARG(fallback));
    return fallback;
}

static struct runtime_ref
trainjob_read_runtime_ref(const struct node *spec, struct report *report)
{
    const struct node *source = node_member(spec, SLICE("runtimeRef"));
    struct runtime_ref ref = {
        .source = source,
        .api_group =
            trainjob_text_or_default(source, SLICE("apiGroup"), TRAINJOB_API_GROUP, report),
        .kind = trainjob_text_or_default(source, SLICE("kind"),
                                         SLICE(GANG_KIND_CLUSTER_TRAINING_RUNTIME), report),
        .name = node_name(source),
    };
    bool known = slice_equal(ref.api_group, TRAINJOB_API_GROUP) &&
                 (slice_equal(ref.kind, SLICE(GANG_KIND_TRAINING_RUNTIME)) ||
                  slice_equal(ref.kind, SLICE(GANG_KIND_CLUSTER_TRAINING_RUNTIME)));

    /*
     * Source: pkg/webhooks/trainjob_webhook.go@v2.3.0. A kind of "" is valid in the CRD and gets no
     * default.
     */
    if (ref.source && !known)
        find_note(report, ref.source, MESSAGE_UNSUPPORTED_RUNTIME_REF, SLICE_ARG(ref.kind),
                  SLICE_ARG(ref.api_group));
    return ref;
}

/* CEL of the CRD. */
static const struct node *
trainjob_read_managed_by(const struct node *spec, struct report *report)
{
    const struct node *managed_by = node_member(spec, SLICE("managedBy"));
    struct slice manager = node_string(managed_by);

    if (!slice_is_set(manager) ||
        slice_equal(manager, SLICE("trainer.kubeflow.org/trainjob-controller")))
        return NULL;
    if (!slice_equal(manager, MULTIKUEUE_MANAGER))
        find_invalid(report, managed_by, MESSAGE_PATTERN_MISMATCH_MANAGED_BY);
    return managed_by;
}

static bool
trainjob_is_uri(struct slice text)
{
    size_t scheme = 0;

    while (scheme < text.len && text.data[scheme] != ':') {
        char c = text.data[scheme];
        bool other = ascii_is(c, ASCII_DIGIT) || c == '+' || c == '.' || c == '-';

        if (!ascii_is(c, ASCII_LETTER) && (!other || scheme == 0))
            return false;
        scheme++;
    }
    return scheme > 0 && text.len > scheme + 3 && memcmp(text.data + scheme, "://", 3) == 0 &&
           !memchr(text.data, '\n', text.len);
}

/* CEL of the CRD. */
static void
trainjob_check_storage(const struct node *initializer, struct slice member, struct report *report)
{
    const struct node *uri = node_member(node_member(initializer, member), SLICE("storageUri"));

    if (node_string(uri).len && !trainjob_is_uri(node_string(uri)))
        find_invalid(report, uri, MESSAGE_PATTERN_MISMATCH_STORAGE_URI);
}

/* kubernetes-sigs/kueue:pkg/controller/jobs/trainjob/trainjob_controller.go@ff69552 */
static const struct slice trainjob_kueue_manager = SLICE_INIT("kueue.x-k8s.io/manager");

/*
 * The job is decided without the entry of libgang, which has the result of an earlier decision.
 * patch_entry_check() compares the two.
 */
static void
trainjob_read_patches(struct gang_trainjob *job, struct arena *arena)
{
    const struct node *patches = node_member(job->spec, SLICE("runtimePatches"));

    job->runtime_patches = patches;
    for (NODE_EACH(patch, patches)) {
        struct slice manager = node_string(node_member(patch, SLICE("manager")));

        if (slice_equal(manager, RUNTIME_PATCH_MANAGER))
            job->own_patch = patch;
        else if (slice_equal(manager, trainjob_kueue_manager))
            job->kueue_patch = patch;
    }
    if (job->own_patch)
        job->runtime_patches = edit_without_item(arena, patches, job->own_patch);
}

void
trainjob_compile(struct gang_document *document, struct parse_call *call)
{
    struct gang_trainjob *job = (struct gang_trainjob *)document;
    struct report *report = &call->report;
    const struct node *initializer;

    schema_check(&trainjob_schema, call->root, report);
    job->has_unknown_field = report->has_unknown_field;
    job->meta = object_meta_read(call->root, NAMES_GENERATED_TOO, report);
    /* CEL of the CRD: the name of a TrainJob is an RFC 1035 label. */
    if (slice_is_set(job->meta.name) && !name_is_valid(NAME_DNS1035_LABEL, job->meta.name))
        find_invalid(report, job->meta.name_source, GANG_CODE_INVALID_NAME, NULL, "%s",
                     job->meta.name.len > 63
                         ? "metadata.name must be no more than 63 characters"
                         : "metadata.name must match RFC 1035 DNS label format");
    reserved_marks_check_metadata(job->meta.source, NULL, report);
    job->spec = node_member(call->root, SLICE("spec"));
    if (job->has_unknown_field)
        trainjob_check_superseded(job->spec, report);
    job->runtime_ref = trainjob_read_runtime_ref(job->spec, report);
    job->trainer = node_member(job->spec, SLICE("trainer"));
    job->num_nodes_source = node_member(job->trainer, SLICE("numNodes"));
    if (!node_int(job->num_nodes_source, &job->num_nodes))
        job->num_nodes_source = NULL;
    job->resources_per_node = node_member(job->trainer, SLICE("resourcesPerNode"));
    job->node_requests =
        resource_list_read(node_member(job->resources_per_node, SLICE("requests")), report);
    job->node_limits =
        resource_list_read(node_member(job->resources_per_node, SLICE("limits")), report);
    trainjob_read_patches(job, call->arena);
    job->queue_places = queue_places_in_trainjob(job, call->arena);
    job->suspended = node_is_true(node_member(job->spec, SLICE("suspend")));
    job->managed_by = trainjob_read_managed_by(job->spec, report);
    initializer = node_member(job->spec, SLICE("initializer"));
    trainjob_check_storage(initializer, SLICE("dataset"), report);
    trainjob_check_storage(initializer, SLICE("model"), report);
}

void
trainjob_judge(const struct gang_document *document, struct report *report)
{
    pod_counts_check_trainjob(trainjob_of(document), report);
}

SELDOM struct slice
trainjob_refers_to(const struct gang_document *document, struct slice kind)
{
    const struct runtime_ref *ref = &trainjob_of(document)->runtime_ref;

    return slice_equal(ref->kind, kind) ? ref->name : NO_SLICE;
}
