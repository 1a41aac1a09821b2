/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"
#include "libgang/render/picture.h"
#include "libgang/render/render.h"

/* The common arguments of all gang_*_serialize functions, after the subject. */
struct serialize_call {
    const struct gang_context *context;
    int format;
    uint32_t flags;
    struct gang_blob **out;
    struct gang_error **err;
    bool is_of_decision;                  /* a format that only decisions have */
    const struct gang_decision *decision; /* whose job an error names; NULL if unknown */
};

/*
 * Writes the subject. A document that it creates for this is in `arena`, which is NULL for
 * functions that create none.
 */
typedef void (*serialize_write)(const void *subject, enum gang_format format, struct arena *arena,
                                struct buffer *buffer);

static int
serialize_check(const struct serialize_call *call, const void *subject)
{
    if (call->err)
        *call->err = NULL;
    if (call->out)
        *call->out = NULL;
    if ((call->format == GANG_FORMAT_SVG || call->format == GANG_FORMAT_ROW) &&
        !call->is_of_decision)
        return error_misuse(call->err, GANG_ERROR_INVALID_ARGUMENT,
                            "only a decision is written as SVG or as a row");
    if (!call->out || !subject || !(call->is_of_decision || document_format_is_known(call->format)))
        return error_misuse(call->err, GANG_ERROR_INVALID_ARGUMENT,
                            "the object to serialize, out and a known format are needed");
    if (call->flags)
        return error_misuse(call->err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    return GANG_OK;
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

static int
serialize_target_in(const struct serialize_call *call, const struct gang_plan *plan,
                    target_build build, struct arena *arena)
{
    const struct limits *limits = context_limits(call->context);
    struct buffer buffer = serialize_buffer(call);
    const struct node *root;
    struct report report;

    report_init(&report, arena, limits);
    root = build(plan, limits, arena, &report);
    if (arena_failed(arena))
        return serialize_failure(call, arena);
    if (report_has_errors(&report))
        return error_from_report(call->err, GANG_ERROR_INVALID, &report);
    document_write(&buffer, root, (enum gang_format)call->format);
    return document_hand_out(&buffer, call->out, call->err);
}

/* Writes an input document with the patches in it. A plan with errors has no patches. */
static int
serialize_target(const struct serialize_call *call, const struct gang_plan *plan,
                 target_build build)
{
    struct arena *arena;
    int result = serialize_check(call, plan);

    if (result)
        return result;
    if (plan->is_held || report_has_errors(plan->findings))
        return error_from_findings(call->err, GANG_ERROR_INVALID, plan->findings);
    arena = arena_new_within(context_limits(call->context));
    if (!arena)
        return error_no_memory(call->err);
    result = serialize_target_in(call, plan, build, arena);
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
    const struct serialize_call call = {context, format, flags, out, err, false, NULL};

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
    const struct serialize_call call = {context, format, flags, out, err, false, NULL};

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
    picture_write(subject, arena, buffer);
}

int
gang_decision_serialize(const struct gang_context *context, const struct gang_decision *decision,
                        int format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const serialize_write writer = format == GANG_FORMAT_SVG   ? serialize_picture
                                   : format == GANG_FORMAT_ROW ? audit_row_write
                                                               : serialize_decision;
    const struct serialize_call call = {
        context, format, flags, out, err, writer != serialize_decision, decision};

    return serialize_new(&call, decision, writer);
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
    const struct serialize_call call = {context, format, flags, out, err, false, NULL};

    return serialize_new(&call, error, serialize_error);
}
