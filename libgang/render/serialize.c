/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/decide/decision.h"
#include "libgang/document/writer.h"
#include "libgang/grove/grove.h"
#include "libgang/render/render.h"

/* ---- targets ---- */

/*
 * The documents that a user applies instead of the plan's patches: the inputs with the patches in
 * them. target_runtime_build() and target_job_build() return a tree in `arena` that shares what
 * does not change with the input. They report what the documents cannot contain; the result is then
 * not to be used.
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
                     "a %.*s has neither a runtime nor runtimePatches",
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
                     struct arena *arena, struct report *report)
{
    const struct node_index names = node_index_make(jobs, arena);
    const struct node **changed = arena_array(arena, node_count(jobs), sizeof(*changed));

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
                    job = edit_at(arena, job, target_path_of(field.key),
                                  edit_string(arena, field.value));
            changed[index] = job;
        } else if (plan_patch_has_spec(patch)) {
            find_in_document(report, GANG_DOCUMENT_RUNTIME, MESSAGE_NOT_IN_TARGET_ROLE,
                             SLICE_ARG(patch->role));
        }
    }
    return changed;
}

static const struct node *
target_with_roles(const struct plan_content *content, const struct node *jobs, struct arena *arena,
                  struct report *report)
{
    const struct node **changed = target_changed_roles(content, jobs, arena, report);
    struct builder list = build_list(arena);
    size_t index = 0;

    if (!changed)
        return NULL;
    for (NODE_EACH(job, jobs)) {
        build_node_item(&list, changed[index] ? changed[index] : job);
        index++;
    }
    return list.node;
}

/*
 * The runtime without podGroupPolicy, so that the operator creates no PodGroup, and with the
 * schedulerName and priorityClassName of the patches.
 */
static const struct node *
target_runtime_build(const struct gang_plan *plan, const struct limits *limits, struct arena *arena,
                     struct report *report)
{
    static const char jobs_path[] = "spec.template.spec.replicatedJobs";
    const struct node *root;
    const struct node *jobs;

    (void)limits;
    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    root = plan->decision->inputs.runtime->document.root;
    jobs = node_at(root, jobs_path);
    if (jobs)
        root =
            edit_at(arena, root, jobs_path, target_with_roles(&plan->content, jobs, arena, report));
    return edit_at(arena, root, "spec.podGroupPolicy", NULL);
}

/* ---- the job ---- */

/*
 * The TrainJob with the labels and annotations of the patches in an entry of runtimePatches; a job
 * of another kind with the patches in its pod templates. A job that another controller manages,
 * such as MultiKueue, keeps the entry for the cluster in which it will run; a job whose pods stay
 * as they are keeps everything.
 */
static const struct node *
target_job_build(const struct gang_plan *plan, const struct limits *limits, struct arena *arena,
                 struct report *report)
{
    const struct plan_content *content = &plan->content;
    const struct gang_trainjob *job = plan->decision->inputs.trainjob;
    struct builder patches = build_list(arena);
    const struct node *entry;
    const struct node *roles;

    if (plan->decision->inputs.job)
        return job_marks_build(plan, limits, arena, report);
    target_check_fields(plan, report);
    if (!target_exists(plan, report))
        return NULL;
    if (job->managed_by || plan->omits_patches)
        return job->document.root;
    entry = patch_entry_build(content->shown, content->num_shown, arena);
    if (!entry)
        return edit_at(arena, job->document.root, "spec.runtimePatches",
                       node_count(job->runtime_patches) ? job->runtime_patches : NULL);
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
    return edit_at(arena, job->document.root, "spec.runtimePatches", patches.node);
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
};

/*
 * Writes the subject. A document that it creates for this is in `arena`, which is NULL for
 * functions that create none.
 */
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

static struct buffer
serialize_buffer(const struct serialize_call *call)
{
    return (struct buffer){
        .limit = (size_t)limit_of(context_limits(call->context), GANG_LIMIT_OUTPUT_BYTES)};
}

/* Writes an existing tree. */
static int
serialize_made(const struct serialize_call *call, const void *subject, serialize_write writer)
{
    struct buffer buffer = serialize_buffer(call);
    int result = serialize_check(call, subject);

    if (result)
        return result;
    writer(subject, (enum gang_format)call->format, NULL, &buffer);
    return document_hand_out(&buffer, call->out, call->err);
}

/*
 * Creates a document and writes it. The subject is shared and frozen, so the document has its own
 * arena.
 */
static int
serialize_new(const struct serialize_call *call, const void *subject, serialize_write writer)
{
    struct buffer buffer = serialize_buffer(call);
    struct arena *arena;
    int result = serialize_check(call, subject);

    if (result)
        return result;
    arena = arena_new_within(context_limits(call->context));
    if (!arena)
        return error_no_memory(call->err);
    writer(subject, (enum gang_format)call->format, arena, &buffer);
    if (arena_failed(arena)) {
        result = serialize_failure(call, arena);
        buffer_clear(&buffer);
    } else {
        result = document_hand_out(&buffer, call->out, call->err);
    }
    arena_free(arena);
    return result;
}

/* A tree that is incomplete after a failed allocation is not written. */
static void
serialize_tree(const struct node *root, enum gang_format format, const struct arena *arena,
               struct buffer *buffer)
{
    if (root && !arena_failed(arena))
        document_write(buffer, root, format);
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

static void
serialize_plan(const void *subject, enum gang_format format, struct arena *arena,
               struct buffer *buffer)
{
    serialize_tree(plan_document_build(subject, arena), format, arena, buffer);
}

typedef const struct node *(*target_build)(const struct gang_plan *plan,
                                           const struct limits *limits, struct arena *arena,
                                           struct report *report);

/* Makes an input document with the patches in it. A plan with errors has no patches. */
static int
target_make(const struct serialize_call *call, const struct gang_plan *plan, target_build build,
            struct arena *arena, const struct node **root)
{
    const struct limits *limits = context_limits(call->context);
    struct report report;

    if (plan->is_held || report_has_errors(plan->findings))
        return error_from_findings(call->err, GANG_ERROR_INVALID, plan->findings);
    report_init(&report, arena, limits);
    *root = build(plan, limits, arena, &report);
    if (arena_failed(arena))
        return serialize_failure(call, arena);
    if (report_has_errors(&report))
        return error_from_report(call->err, GANG_ERROR_INVALID, &report);
    return GANG_OK;
}

static int
serialize_target(const struct serialize_call *call, const struct gang_plan *plan,
                 target_build build)
{
    struct buffer buffer = serialize_buffer(call);
    const struct node *root;
    struct arena *arena;
    int result = serialize_check(call, plan);

    if (result)
        return result;
    arena = arena_new_within(context_limits(call->context));
    if (!arena)
        return error_no_memory(call->err);
    result = target_make(call, plan, build, arena, &root);
    if (!result) {
        document_write(&buffer, root, (enum gang_format)call->format);
        result = document_hand_out(&buffer, call->out, call->err);
    }
    arena_free(arena);
    return result;
}

int
gang_plan_serialize(const struct gang_context *context, const struct gang_plan *plan, int target,
                    int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags,
                                        out,     err,    .decision = plan ? plan->decision : NULL};

    switch (target) {
    case GANG_TARGET_PLAN:
        if (serialize_is_explanation(format)) {
            const struct explained explained = {call.decision, plan, plan ? plan->findings : NULL,
                                                call.flags & GANG_SERIALIZE_VERBOSE};
            struct serialize_call told = call;

            told.is_for_people = true;
            return serialize_new(&told, plan ? &explained : NULL, explanation_write);
        }
        return serialize_new(&call, plan, serialize_plan);
    case GANG_TARGET_OBJECTS:
        return serialize_made(&call, plan, serialize_objects);
    case GANG_TARGET_RUNTIME:
        return serialize_target(&call, plan, target_runtime_build);
    case GANG_TARGET_JOB:
        return serialize_target(&call, plan, target_job_build);
    default:
        if (out)
            *out = NULL;
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "a known target is needed");
    }
}

/* ---- trees of other libraries ---- */

static int
plan_take_document(const struct serialize_call *call, const struct gang_plan *plan, int target,
                   const struct node_taker *taker)
{
    struct arena *arena = arena_new_within(context_limits(call->context));
    const struct node *root;
    int result = GANG_OK;

    if (!arena)
        return error_no_memory(call->err);
    if (target == GANG_TARGET_PLAN)
        root = plan_document_build(plan, arena);
    else
        result = target_make(call, plan,
                             target == GANG_TARGET_JOB ? target_job_build : target_runtime_build,
                             arena, &root);
    if (!result && arena_failed(arena))
        result = serialize_failure(call, arena);
    if (!result && !taker->take(taker->data, root))
        result = error_no_memory(call->err);
    arena_free(arena);
    return result;
}

int
gang_private_plan_take(const struct gang_context *context, const struct gang_plan *plan, int target,
                       const struct node_taker *taker, struct gang_error **err)
{
    const struct serialize_call call = {
        .context = context, .err = err, .decision = plan ? plan->decision : NULL};
    bool has_room;

    if (err)
        *err = NULL;
    if (!plan || !gang_target_name(target))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "a plan, out and a known target are needed");
    if (target != GANG_TARGET_OBJECTS)
        return plan_take_document(&call, plan, target, taker);
    has_room = taker->take(taker->data, NULL);
    for (size_t i = 0; i < plan->content.num_objects && has_room; i++)
        has_room = !is_to_write(&plan->content.objects[i]) ||
                   taker->take(taker->data, plan->content.objects[i].manifest);
    return has_room ? GANG_OK : error_no_memory(err);
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
    const struct serialize_call call = {context, format, flags, out, err, false, NULL, NULL};

    return serialize_made(&call, object, serialize_object);
}

static void
serialize_patch(const void *subject, enum gang_format format, struct arena *arena,
                struct buffer *buffer)
{
    struct builder patch = build_map(arena);

    plan_document_patch(subject, &patch);
    serialize_tree(patch.node, format, arena, buffer);
}

int
gang_patch_serialize(const struct gang_context *context, const struct gang_patch *patch, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags, out, err, false, NULL, NULL};

    return serialize_new(&call, patch, serialize_patch);
}

/* ---- decision and error ---- */

static void
serialize_decision(const void *subject, enum gang_format format, struct arena *arena,
                   struct buffer *buffer)
{
    serialize_tree(plan_document_build_decision(subject, arena), format, arena, buffer);
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
    const serialize_write writer = format == GANG_FORMAT_SVG   ? serialize_picture
                                   : format == GANG_FORMAT_ROW ? audit_row_write
                                                               : serialize_decision;
    struct serialize_call call = {context,  format, flags, out, err, writer != serialize_decision,
                                  decision, NULL};
    const struct explained explained = {decision, NULL, decision ? &decision->report : NULL,
                                        flags & GANG_SERIALIZE_VERBOSE};

    if (!serialize_is_explanation(format))
        return serialize_new(&call, decision, writer);
    call.is_for_people = true;
    return serialize_new(&call, decision ? &explained : NULL, explanation_write);
}

static void
serialize_error(const void *subject, enum gang_format format, struct arena *arena,
                struct buffer *buffer)
{
    struct builder list = build_list(arena);

    plan_document_diagnostics(gang_error_get_diagnostic(subject, 0),
                              gang_error_num_diagnostics(subject), &list);
    serialize_tree(list.node, format, arena, buffer);
}

int
gang_error_serialize(const struct gang_context *context, const struct gang_error *error, int format,
                     uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {context, format, flags, out, err, false, NULL, NULL};

    return serialize_new(&call, error, serialize_error);
}

/* ---- topology ---- */

static const struct node *
topology_build(const struct gang_topologybinding *binding, struct arena *arena)
{
    const struct descriptor *scheduler = catalog_of_topologies();
    struct builder manifest = build_map(arena);
    struct builder metadata;
    struct builder spec;
    struct builder owners;
    struct builder owner;

    build_string(&manifest, SLICE("apiVersion"), scheduler->topology.api_version);
    build_string(&manifest, SLICE("kind"), scheduler->topology.kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), binding->meta.name);
    /* Owner reference: ai-dynamo/grove:operator/internal/scheduler/kai/topology.go@fcc3b3bb */
    if (binding->meta.uid.len) {
        /* the API server refuses an owner without a uid */
        owners = build_list_member(&metadata, SLICE("ownerReferences"));
        owner = build_map_item(&owners);
        build_string(&owner, SLICE("apiVersion"), SLICE(GANG_GROVE_API_VERSION));
        build_string(&owner, SLICE("kind"), SLICE(GANG_KIND_TOPOLOGYBINDING));
        build_string(&owner, SLICE("name"), binding->meta.name);
        build_string(&owner, SLICE("uid"), binding->meta.uid);
        build_bool(&owner, SLICE("controller"), true);
        build_bool(&owner, SLICE("blockOwnerDeletion"), true);
    }
    spec = build_map_member(&manifest, SLICE("spec"));
    backend_of(scheduler)->render_topology(binding->levels, &spec);
    return manifest.node;
}

/* Nothing for a binding that names a Topology, which is then the user's. */
static void
serialize_topology(const void *subject, enum gang_format format, struct arena *arena,
                   struct buffer *buffer)
{
    const struct gang_topologybinding *binding = subject;

    if (!topologybinding_reference(binding, catalog_of_topologies()->grove.name))
        serialize_tree(topology_build(binding, arena), format, arena, buffer);
}

int
gang_topologybinding_serialize(const struct gang_context *context,
                               const struct gang_document *document, int format, uint32_t flags,
                               struct gang_blob **out, struct gang_error **err)
{
    const struct serialize_call call = {
        context, format, flags,
        out,     err,    .needed = "a ClusterTopologyBinding, out and a known format are needed"};

    return serialize_new(&call, topologybinding_of(document), serialize_topology);
}
