/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/decide/decision.h"
#include "libgang/document/writer.h"
#include "libgang/grove/grove.h"
#include "libgang/render/render.h"

/* ---- targets ---- */

/*
 * The documents that a user applies instead of the plan's patches: the inputs with the patches in
 * them. target_runtime_build() and target_job_build() return a tree that shares what does not
 * change with the input. They report what the documents cannot contain; the result is then not to
 * be used.
 */

/*
 * Of spec.runtimePatches, and of replicatedJobs in a patch. Source: the markers MaxItems of
 * kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go@v2.3.0
 */
enum { TARGET_MOST_PATCHES = 16, TARGET_MOST_ROLES = 100 };

/* In a replicatedJob. */
#define TARGET_POD_SPEC "template.spec.template.spec"

/*
 * Fields of a pod's spec that a runtime sets for all its jobs. A TrainJob sets none of those in a
 * patch. Source: PodSpecPatch of kubeflow/trainer:pkg/apis/trainer/v1alpha1/trainjob_types.go
 */
static const struct target_field {
    struct slice key;
    const char *path; /* in a replicatedJob */
} target_runtime_fields[] = {
    {SLICE_INIT("schedulerName"), TARGET_POD_SPEC ".schedulerName"},
    {SLICE_INIT("priorityClassName"), TARGET_POD_SPEC ".priorityClassName"},
};

/* Returns NULL for a field that no runtime sets. */
static const char *
target_path_of(struct slice key)
{
    const struct target_field *field =
        FIND_TEXT(target_runtime_fields, COUNT_OF(target_runtime_fields), key, key);

    return field ? field->path : NULL;
}

/* ---- what no document can contain ---- */

static void
target_check_fields(const struct gang_plan *plan, struct report *report)
{
    for (size_t i = 0; i < plan->content.num_shown; i++) {
        const struct gang_patch *patch = &plan->content.shown[i];
        struct plan_pair field;

        for (size_t k = 0; slice_is_set((field = plan_patch_spec_field(patch, k)).key); k++)
            if (!target_path_of(field.key))
                find_in_document(report, GANG_DOCUMENT_TRAINJOB,
                                 MESSAGE_NOT_IN_TARGET_TRAINJOB_FIELD, SLICE_ARG(field.key),
                                 SLICE_ARG(patch->role));
    }
}

/* Returns whether the plan's job has a document for these targets. */
static bool
target_exists(const struct gang_plan *plan, struct report *report)
{
    const struct decision_inputs *inputs = &plan->decision->inputs;

    if (inputs->trainjob && inputs->runtime)
        return true;
    find_in_document(report, GANG_DOCUMENT_NONE, GANG_CODE_NOT_IN_TARGET,
                     inputs->job ? "use the target `job`" : "use the target `objects` or `plan`",
                     "this %.*s has neither a runtime nor runtimePatches",
                     SLICE_ARG(plan->decision->wishes.owner.kind));
    return false;
}

/* ---- the runtime ---- */

/*
 * Returns the roles that the plan changes, each at its position in the runtime; NULL for the
 * others. Returns NULL after a failed allocation.
 */
static const struct node **
target_changed_roles(const struct plan_content *content, const struct node *jobs,
                     struct report *report)
{
    const struct node_index names = node_index_make(jobs, report->arena);
    const struct node **changed = arena_array(report->arena, node_count(jobs), sizeof(*changed));

    for (size_t i = 0; changed && i < content->num_shown; i++) {
        const struct gang_patch *patch = &content->shown[i];
        const struct node *job =
            plan_patch_has_spec(patch) ? node_index_find(&names, patch->role) : NULL;
        const size_t index = job ? job->index : 0;
        struct plan_pair field;

        if (job) {
            /* The API server refuses a pod's spec without containers. */
            if (!node_at(job, TARGET_POD_SPEC))
                find_required(report, job, SLICE(TARGET_POD_SPEC),
                              MESSAGE_NOT_IN_TARGET_RUNTIME_CONTAINERS,
                              SLICE_ARG(plan_patch_spec_field(patch, 0).key));
            for (size_t k = 0; slice_is_set((field = plan_patch_spec_field(patch, k)).key); k++)
                if (target_path_of(field.key))
                    job = edit_at(report->arena, job, target_path_of(field.key),
                                  edit_string(report->arena, field.value));
            changed[index] = job;
        } else if (plan_patch_has_spec(patch)) {
            find_in_document(report, GANG_DOCUMENT_RUNTIME, MESSAGE_NOT_IN_TARGET_ROLE,
                             SLICE_ARG(patch->role));
        }
    }
    return changed;
}

static const struct node *
target_with_roles(const struct plan_content *content, const struct node *jobs,
                  struct report *report)
{
    const struct node **changed = target_changed_roles(content, jobs, report);
    struct builder list = build_list(report->arena);

    if (!changed)
        return NULL;
    for (NODE_EACH(job, jobs))
        build_node_item(&list, changed[job->index] ? changed[job->index] : job);
    return list.node;
}

/*
 * The runtime without podGroupPolicy, so that the operator creates no PodGroup, and with the
 * schedulerName and priorityClassName of the patches.
 */
SELDOM static const struct node *
target_runtime_build(const void *subject, struct report *report)
{
    const struct gang_plan *plan = subject;
    static const char jobs_path[] = "spec.template.spec.replicatedJobs";
    const struct node *root;
    const struct node *jobs;

    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    root = plan->decision->inputs.runtime->document.root;
    jobs = node_at(root, jobs_path);
    if (jobs)
        root = edit_at(report->arena, root, jobs_path,
                       target_with_roles(&plan->content, jobs, report));
    return edit_at(report->arena, root, "spec.podGroupPolicy", NULL);
}

/* ---- the job ---- */

/* The only field of a TrainJob with a release of its own is runtimePatches. */
static void
target_check_release(const struct gang_cluster *cluster, struct report *report)
{
    const struct job_traits *traits = &job_traits[JOB_NAME_AT_trainjob];
    const struct release *since = &traits->fields[0].since;
    const struct release release = cluster_component(cluster, COMPONENT_TRAINER);

    if (release.is_known && release_compare(&release, since) < 0)
        find_note(report, cluster_component_source(cluster, COMPONENT_TRAINER),
                  MESSAGE_NOT_IN_TARGET_PATCHES, job_operators[traits->released_with].name,
                  release.major, release.minor, release.patch, since->major, since->minor);
}

/*
 * The TrainJob with the labels and annotations of the patches in an entry of runtimePatches; a job
 * of another kind with the patches in its pod templates. A job that another controller manages,
 * such as MultiKueue, keeps the entry for the cluster in which it will run; a job whose pods stay
 * as they are keeps everything.
 */
SELDOM static const struct node *
target_job_build(const void *subject, struct report *report)
{
    const struct gang_plan *plan = subject;
    const struct plan_content *content = &plan->content;
    const struct gang_trainjob *job = plan->decision->inputs.trainjob;
    struct builder patches = build_list(report->arena);
    const struct node *entry;
    const struct node *roles;

    if (plan->decision->inputs.job)
        return job_marks_build(plan, report);
    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    if (plan->decision->wishes.managed_elsewhere || plan->omits_patches)
        return job->document.root;
    entry = patch_entry_build(content->shown, content->num_shown, report->arena);
    if (!entry)
        return edit_at(report->arena, job->document.root, "spec.runtimePatches",
                       node_count(job->runtime_patches) ? job->runtime_patches : NULL);
    target_check_release(plan->decision->inputs.cluster, report);
    roles = node_at(entry, "trainingRuntimeSpec.template.spec.replicatedJobs");
    if (node_count(job->runtime_patches) >= TARGET_MOST_PATCHES)
        find_note(report, job->runtime_patches, MESSAGE_NOT_IN_TARGET_PATCH_COUNT,
                  node_count(job->runtime_patches) + 1, TARGET_MOST_PATCHES);
    if (node_count(roles) > TARGET_MOST_ROLES)
        find_in_document(report, GANG_DOCUMENT_TRAINJOB, MESSAGE_NOT_IN_TARGET_ROLE_COUNT,
                         node_count(roles), TARGET_MOST_ROLES);
    for (NODE_EACH(patch, job->runtime_patches))
        build_node_item(&patches, patch);
    build_node_item(&patches, entry);
    return edit_at(report->arena, job->document.root, "spec.runtimePatches", patches.node);
}

/* ---- what the functions for all objects have in common ---- */

/* The common arguments of all gang_*_serialize functions, after the subject. */
struct serialize_call {
    const struct gang_context *context;
    int format;
    uint32_t flags;
    struct gang_blob **out;
    struct gang_error **err;
    bool is_for_people;                   /* a format that only decisions, or plans, too, have */
    const struct gang_decision *decision; /* whose job an error names; NULL if unknown */
    const char *needed;                   /* what the subject is; NULL for an object as made */
    const struct report *refusal;         /* why nothing is written; NULL if it is */
};

/* Returns the document of a subject, NULL for none, and reports what it cannot contain. */
typedef const struct node *(*serialize_build)(const void *subject, struct report *report);

/* Writes a subject without a document; `arena` is NULL for functions that need none. */
typedef void (*serialize_write)(const void *subject, enum gang_format format, struct arena *arena,
                                struct buffer *buffer);

static bool
serialize_is_explanation(int format)
{
    return format == GANG_FORMAT_TEXT || format == GANG_FORMAT_HTML;
}

static int
serialize_check(const struct serialize_call *call, const void *subject)
{
    const bool is_of_another =
        call->format >= GANG_FORMAT_SVG && call->format <= GANG_FORMAT_HTML && !call->is_for_people;
    const char *needed = "the object to serialize, out and a known format are needed";

    if (is_of_another)
        needed = "only a decision is written as SVG or as a row, and only a decision or a plan as "
                 "text or HTML";
    else if (call->needed)
        needed = call->needed;
    return CALL_BEGIN(call->out, call->err,
                      !is_of_another && call->out && subject &&
                          (call->is_for_people || document_format_is_known(call->format)),
                      needed, call->flags,
                      serialize_is_explanation(call->format) ? GANG_SERIALIZE_VERBOSE : 0);
}

/* The error of an arena that has failed. */
static int
serialize_failure(const struct serialize_call *call, const struct arena *arena)
{
    return call->decision ? decision_error(call->decision, arena, call->err)
                          : error_from_arena(call->err, arena);
}

/* Writes an existing tree. */
static int
serialize_made(const struct serialize_call *call, const void *subject, serialize_write writer)
{
    struct buffer buffer = buffer_within(context_limits(call->context));
    int result = serialize_check(call, subject);

    if (result)
        return result;
    writer(subject, (enum gang_format)call->format, NULL, &buffer);
    return document_hand_out(&buffer, call->out, call->err);
}

/* Builds the document of the subject. */
static int
serialize_tree(const struct serialize_call *call, const void *subject, serialize_build build,
               struct arena *arena, const struct node **root)
{
    struct report report;

    if (call->refusal)
        return error_from_findings(call->err, GANG_ERROR_INVALID, call->refusal);
    report_init(&report, arena, context_limits(call->context));
    *root = build(subject, &report);
    if (arena_failed(arena))
        return serialize_failure(call, arena);
    return report_has_errors(&report) ? error_from_report(call->err, GANG_ERROR_INVALID, &report)
                                      : GANG_OK;
}

/*
 * Writes the subject by the one function of the two that is not NULL. The subject is shared and
 * frozen, so what is made for this has its own arena.
 */
static int
serialize_new(const struct serialize_call *call, const void *subject, serialize_build build,
              serialize_write writer)
{
    struct buffer buffer = buffer_within(context_limits(call->context));
    const struct node *root = NULL;
    struct arena *arena;
    int result = serialize_check(call, subject);

    if (result)
        return result;
    arena = arena_new_within(context_limits(call->context), NULL);
    if (!arena)
        return error_no_memory(call->err);
    if (build)
        result = serialize_tree(call, subject, build, arena, &root);
    else
        writer(subject, (enum gang_format)call->format, arena, &buffer);
    if (root && !result)
        document_write(&buffer, root, (enum gang_format)call->format);
    if (!result && arena_failed(arena))
        result = serialize_failure(call, arena);
    if (result)
        buffer_clear(&buffer);
    else
        result = document_hand_out(&buffer, call->out, call->err);
    arena_free(arena);
    return result;
}

/* ---- plan ---- */

static bool
is_to_write(const struct gang_object *object)
{
    return object->action == GANG_ACTION_CREATE || object->action == GANG_ACTION_APPLY ||
           object->action == GANG_ACTION_RECREATE;
}

static void
serialize_objects(const void *subject, enum gang_format format, struct arena *arena,
                  struct buffer *buffer)
{
    const struct gang_plan *plan = subject;
    bool is_first = true;

    (void)arena;
    for (size_t i = 0; i < plan->content.num_objects; i++) {
        if (!is_to_write(&plan->content.objects[i]))
            continue;
        if (!is_first && format == GANG_FORMAT_YAML)
            buffer_append_slice(buffer, SLICE("---\n"));
        is_first = false;
        document_write(buffer, plan->content.objects[i].manifest, format);
    }
}

static const struct node *
plan_build(const void *subject, struct report *report)
{
    return plan_document_build(subject, report->arena);
}

/* By target; those without one have no document. */
static const serialize_build plan_builds[] = {
    [GANG_TARGET_PLAN] = plan_build,
    [GANG_TARGET_RUNTIME] = target_runtime_build,
    [GANG_TARGET_JOB] = target_job_build,
};

/* An input document has no patches of a plan with errors. */
static const struct report *
target_refusal(const struct gang_plan *plan, int target)
{
    return plan && target != GANG_TARGET_PLAN &&
                   (plan->is_held || report_has_errors(plan->findings))
               ? plan->findings
               : NULL;
}

int
gang_plan_serialize(const struct gang_context *context, const struct gang_plan *plan, int target,
                    int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    struct serialize_call call = {context, format, flags,
                                  out,     err,    .decision = plan ? plan->decision : NULL};
    const struct explained explained = {call.decision, plan, plan ? plan->findings : NULL,
                                        flags & GANG_SERIALIZE_VERBOSE};

    if (!gang_target_name(target)) {
        if (out)
            *out = NULL;
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "a known target is needed");
    }
    if (target == GANG_TARGET_OBJECTS)
        return serialize_made(&call, plan, serialize_objects);
    if (target == GANG_TARGET_PLAN && serialize_is_explanation(format)) {
        call.is_for_people = true;
        return serialize_new(&call, plan ? &explained : NULL, NULL, explanation_write);
    }
    call.refusal = target_refusal(plan, target);
    return serialize_new(&call, plan, plan_builds[target], NULL);
}

/* ---- trees of other libraries ---- */

SELDOM int
gang_private_plan_take(const struct gang_context *context, const struct gang_plan *plan, int target,
                       const struct node_taker *taker, struct gang_error **err)
{
    const struct serialize_call call = {.context = context,
                                        .err = err,
                                        .decision = plan ? plan->decision : NULL,
                                        .refusal = target_refusal(plan, target)};
    const struct node *root = NULL;
    struct arena *arena;
    bool has_room;
    int result;

    if (err)
        *err = NULL;
    if (!plan || !gang_target_name(target))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "a plan, out and a known target are needed");
    if (target == GANG_TARGET_OBJECTS) {
        has_room = taker->take(taker->data, NULL);
        for (size_t i = 0; i < plan->content.num_objects && has_room; i++)
            has_room = !is_to_write(&plan->content.objects[i]) ||
                       taker->take(taker->data, plan->content.objects[i].manifest);
        return has_room ? GANG_OK : error_no_memory(err);
    }
    arena = arena_new_within(context_limits(context), NULL);
    if (!arena)
        return error_no_memory(err);
    result = serialize_tree(&call, plan, plan_builds[target], arena, &root);
    if (!result && !taker->take(taker->data, root))
        result = error_no_memory(err);
    arena_free(arena);
    return result;
}

/* ---- objects and patches ---- */

static void
serialize_object(const void *subject, enum gang_format format, struct arena *arena,
                 struct buffer *buffer)
{
    (void)arena;
    document_write(buffer, ((const struct gang_object *)subject)->manifest, format);
}

int
gang_object_serialize(const struct gang_context *context, const struct gang_object *object,
                      int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags, out, err, .needed = NULL};

    return serialize_made(&call, object, serialize_object);
}

static const struct node *
patch_build(const void *subject, struct report *report)
{
    struct builder patch = build_map(report->arena);

    plan_document_patch(subject, &patch);
    return patch.node;
}

int
gang_patch_serialize(const struct gang_context *context, const struct gang_patch *patch, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags, out, err, .needed = NULL};

    return serialize_new(&call, patch, patch_build, NULL);
}

/* ---- decision and error ---- */

static const struct node *
decision_build(const void *subject, struct report *report)
{
    return plan_document_build_decision(subject, report->arena);
}

static void
serialize_picture(const void *subject, enum gang_format format, struct arena *arena,
                  struct buffer *buffer)
{
    (void)format;
    picture_write(subject, NULL, arena, buffer);
}

int
gang_decision_serialize(const struct gang_context *context, const struct gang_decision *decision,
                        int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const bool is_explanation = serialize_is_explanation(format);
    const serialize_write writer = is_explanation              ? explanation_write
                                   : format == GANG_FORMAT_SVG ? serialize_picture
                                   : format == GANG_FORMAT_ROW ? audit_row_write
                                                               : NULL;
    const struct serialize_call call = {context,        format,   flags, out, err,
                                        writer != NULL, decision, NULL,  NULL};
    const struct explained explained = {decision, NULL, decision ? decision->report : NULL,
                                        flags & GANG_SERIALIZE_VERBOSE};

    return serialize_new(&call, is_explanation && decision ? (const void *)&explained : decision,
                         writer ? NULL : decision_build, writer);
}

static const struct node *
error_build(const void *subject, struct report *report)
{
    struct builder list = build_list(report->arena);

    plan_document_diagnostics(gang_error_get_diagnostic(subject, 0),
                              gang_error_num_diagnostics(subject), &list);
    return list.node;
}

SELDOM int
gang_error_serialize(const struct gang_context *context, const struct gang_error *error, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags, out, err, .needed = NULL};

    return serialize_new(&call, error, error_build, NULL);
}

/* ---- topology ---- */

/* Nothing for a binding that names a Topology, which is then the user's. */
static const struct node *
topology_build(const void *subject, struct report *report)
{
    const struct gang_topologybinding *binding = subject;
    const struct descriptor *scheduler = catalog_of_topologies();
    struct builder manifest = build_map(report->arena);
    struct builder metadata;
    struct builder spec;
    struct builder owners = {0};
    /* Owner reference: ai-dynamo/grove:operator/internal/scheduler/kai/topology.go@fcc3b3bb */
    const struct backend_owner owner = {SLICE(GANG_GROVE_API_VERSION),
                                        SLICE(GANG_KIND_TOPOLOGYBINDING), binding->meta.name,
                                        binding->meta.uid};

    if (topologybinding_reference(binding, scheduler->grove.name))
        return NULL;
    build_string(&manifest, SLICE("apiVersion"), scheduler->topology.api_version);
    build_string(&manifest, SLICE("kind"), scheduler->topology.kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), binding->meta.name);
    backend_build_owner(&owner, true, &metadata, &owners);
    spec = build_map_member(&manifest, SLICE("spec"));
    backend_of(scheduler)->render_topology(binding->levels, &spec);
    return manifest.node;
}

SELDOM int
gang_topologybinding_serialize(const struct gang_context *context,
                               const struct gang_document *document, int format, uint32_t flags,
                               struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {
        context, format, flags,
        out,     err,    .needed = "a ClusterTopologyBinding, out and a known format are needed"};

    return serialize_new(&call, topologybinding_of(document), topology_build, NULL);
}
