/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
//go:build cgo && !libgang_wasm
/* clang-format on */

#include "call.h"

#include <stdlib.h>
#include <string.h>

#ifdef LIBGANG_SYSTEM
#include <gang/gang.h>
#else
#include "gang.h"
#endif

/* What came with the call beside its words. */
struct call_input {
    const char *text;
    size_t text_len;
    const uint64_t *list;
    size_t list_len;
};

static void *
call_pointer(uint64_t word)
{
    return (void *)(uintptr_t)word; /* NOLINT: a handle is a number to Go */
}

static uint64_t
call_word(const void *pointer)
{
    return (uint64_t)(uintptr_t)pointer;
}

static const struct gang_context *
call_context(const struct call *call)
{
    return call_pointer(call->context);
}

static void
call_set_text(struct call *call, int index, const char *text)
{
    call->texts[index].data = call_word(text);
    call->texts[index].len = text ? strlen(text) : 0;
}

/* The result of a function that returns an error. */
static void
call_finish(struct call *call, int result, const void *handle, struct gang_error *error)
{
    call->result = (uint64_t)(int64_t)result;
    call->handle = call_word(handle);
    call->error = call_word(error);
}

static void
call_finish_blob(struct call *call, int result, struct gang_blob *blob, struct gang_error *error)
{
    size_t len = 0;

    call_finish(call, result, blob, error);
    call->blob.data = call_word(gang_blob_get_data(blob, &len));
    call->blob.len = len;
}

/* ---- library ---- */

static void
call_library(struct call *call, const struct call_input *input)
{
    (void)input;
    call->numbers[0] = gang_version();
    call->numbers[1] = (uint64_t)gang_has_yaml();
    call->numbers[2] = sizeof *call;
    call_set_text(call, 0, gang_version_string());
    call_set_text(call, 1, __VERSION__);
}

static const char *(*const call_names[])(int) = {
    [NAME_RESULT] = gang_result_name,
    [NAME_SEVERITY] = gang_severity_name,
    [NAME_DOCUMENT_TYPE] = gang_document_type_name,
    [NAME_LIMIT] = gang_limit_name,
    [NAME_OUTCOME] = gang_outcome_name,
    [NAME_ACTION] = gang_action_name,
    [NAME_TARGET] = gang_target_name,
    [NAME_FORMAT] = gang_format_name,
    [NAME_PATCH_SECTION] = gang_patch_section_name,
    [NAME_CODE] = gang_code_name,
};

static void
call_name(struct call *call, const struct call_input *input)
{
    (void)input;
    if (call->number == NAME_BACKEND)
        call_set_text(call, 0, gang_backend_name((size_t)call->index));
    else if (call->number < sizeof call_names / sizeof *call_names)
        call_set_text(call, 0, call_names[call->number]((int)(int64_t)call->index));
}

static void
call_backends(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = gang_backends_serialize(call_context(call), (int)call->format, 0, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

static void
call_schema(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result =
        gang_schema_serialize(call_context(call), input->text, (int)call->format, 0, &blob, &error);

    call_finish_blob(call, result, blob, error);
}

/* The number of the limit that was set last is left in the call. */
static int
call_set_limits(struct gang_config *config, struct call *call, const struct call_input *input)
{
    int result = config ? GANG_OK : GANG_ERROR_NO_MEMORY;

    for (size_t i = 0; i + 1 < input->list_len && result == GANG_OK; i += 2) {
        call->numbers[0] = input->list[i];
        result = gang_config_set_limit(config, (int)(int64_t)input->list[i], input->list[i + 1]);
    }
    return result;
}

static void
call_context_new(struct call *call, const struct call_input *input)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    int result = call_set_limits(config, call, input);

    if (result == GANG_OK)
        result = gang_context_new(config, &context);
    gang_config_free(config);
    call_finish(call, result, context, NULL);
}

/* ---- stream ---- */

static void
call_stream_parse(struct call *call, const struct call_input *input)
{
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;
    int result = gang_stream_parse(call_context(call), input->text, input->text_len,
                                   (uint32_t)call->flags, &stream, &error);

    call_finish(call, result, stream, error);
}

static void
call_stream_get(struct call *call, const struct call_input *input)
{
    const struct gang_stream *stream = call_pointer(call->subject);
    size_t index = (size_t)call->index, len = 0;

    (void)input;
    call->numbers[0] = gang_stream_num_documents(stream);
    call->numbers[1] = gang_stream_get_line(stream, index);
    call_set_text(call, 0, gang_stream_get_api_version(stream, index));
    call_set_text(call, 1, gang_stream_get_kind(stream, index));
    call_set_text(call, 2, gang_stream_get_namespace(stream, index));
    call_set_text(call, 3, gang_stream_get_name(stream, index));
    call->texts[4].data = call_word(gang_stream_get_data(stream, index, &len));
    call->texts[4].len = len;
}

static void
call_stream_serialize(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = gang_stream_serialize(call_context(call), call_pointer(call->subject),
                                       (size_t)call->index, (int)call->format, 0, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

/* ---- document ---- */

/* What Go keeps of a document, so that it need not ask for it. */
static void
call_finish_document(struct call *call, int result, const struct gang_document *document,
                     struct gang_error *error)
{
    call_finish(call, result, document, error);
    if (!document)
        return;
    call->numbers[0] = (uint64_t)gang_document_get_type(document);
    call->numbers[1] = gang_document_num_diagnostics(document);
    call->numbers[2] = gang_document_num_gangs(document);
    call_set_text(call, 0, gang_document_get_api_version(document));
    call_set_text(call, 1, gang_document_get_kind(document));
    call_set_text(call, 2, gang_document_get_namespace(document));
    call_set_text(call, 3, gang_document_get_name(document));
    call_set_text(call, 4, gang_document_get_uid(document));
    call_set_text(call, 5, gang_policy_get_stamp(document));
}

static void
call_document_parse(struct call *call, const struct call_input *input)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    int result = gang_document_parse(call_context(call), input->text, input->text_len,
                                     (uint32_t)call->flags, &document, &error);

    call_finish_document(call, result, document, error);
}

static void
call_document_parse_live(struct call *call, const struct call_input *input)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;
    int result = gang_document_parse_live(call_context(call), input->text, input->text_len,
                                          (uint32_t)call->flags, &document, &error);

    call_finish_document(call, result, document, error);
}

static void
call_document_reference(struct call *call, const struct call_input *input)
{
    call_set_text(call, 0, gang_document_get_reference(call_pointer(call->subject), input->text));
}

/* The text is the API version, empty for any, and the kind, each with its NUL. */
static void
call_document_type_of(struct call *call, const struct call_input *input)
{
    const char *version = input->text;
    const size_t len = strlen(version);
    const char *kind = len < input->text_len ? version + len + 1 : "";

    call->numbers[0] = (uint64_t)gang_document_type_of(len ? version : NULL, kind);
}

static void
call_job_serialize(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = gang_job_serialize(call_context(call), call_pointer(call->subject), call->index,
                                    (int)call->format, 0, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

/* ---- decision ---- */

static int
call_fill_inputs(struct gang_inputs *inputs, const struct call *call,
                 const struct call_input *input)
{
    int result = inputs ? GANG_OK : GANG_ERROR_NO_MEMORY;

    for (size_t i = 0; i < input->list_len && result == GANG_OK; i++)
        result = gang_inputs_add(inputs, call_pointer(input->list[i]));
    if (result == GANG_OK && input->text_len > 0)
        result = gang_inputs_set_created_uid(inputs, input->text);
    if (result == GANG_OK)
        result = gang_inputs_set_run_number(inputs, (int64_t)call->number);
    if (result == GANG_OK)
        result = gang_inputs_set_gang_index(inputs, call->index);
    return result;
}

static int
call_decide(const struct call *call, const struct call_input *input,
            struct gang_decision **decision, struct gang_error **error)
{
    struct gang_inputs *inputs = gang_inputs_new();
    int result = call_fill_inputs(inputs, call, input);

    if (result == GANG_OK)
        result = gang_resolve(call_context(call), call_pointer(call->subject), inputs,
                              (uint32_t)call->flags, decision, error);
    gang_inputs_free(inputs);
    return result;
}

static void
call_resolve(struct call *call, const struct call_input *input)
{
    struct gang_decision *decision = NULL;
    struct gang_error *error = NULL;
    int result = call_decide(call, input, &decision, &error);

    call_finish(call, result, decision, error);
    if (!decision)
        return;
    call->numbers[0] = (uint64_t)gang_decision_get_outcome(decision);
    call->numbers[1] = gang_decision_num_diagnostics(decision);
    call->numbers[2] = (uint64_t)gang_decision_get_minimum(decision);
    call->numbers[3] = (uint64_t)gang_decision_get_members(decision);
    call->numbers[4] = (uint64_t)gang_decision_get_pods(decision);
    call_set_text(call, 0, gang_decision_get_backend(decision));
    call_set_text(call, 1, gang_decision_get_scheduler_name(decision));
    call_set_text(call, 2, gang_decision_get_queue(decision));
    call_set_text(call, 3, gang_decision_get_reason(decision));
}

static void
call_decision_serialize(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = gang_decision_serialize(call_context(call), call_pointer(call->subject),
                                         (int)call->format, (uint32_t)call->flags, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

static void
call_prepare_pod(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result =
        gang_decision_prepare_pod(call_context(call), call_pointer(call->subject), input->text,
                                  input->text_len, (int)call->format, 0, &blob, &error);

    call_finish_blob(call, result, blob, error);
}

/* The text of the call is the time of the question. */
static void
call_diagnose(struct call *call, const struct call_input *input)
{
    const struct call_input documents = {NULL, 0, input->list, input->list_len};
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = call_fill_inputs(inputs, call, &documents);

    if (result == GANG_OK)
        result = gang_diagnose(call_context(call), call_pointer(call->subject), inputs,
                               call_pointer(call->other), input->text_len ? input->text : NULL,
                               (int)call->format, 0, &blob, &error);
    gang_inputs_free(inputs);
    call_finish_blob(call, result, blob, error);
}

/* ---- plan ---- */

/*
 * A pack is everything that Go keeps of a plan, in one piece of memory: numbers of 64 bits, the
 * first byte the lowest, and texts, each after its length.
 */
struct call_pack {
    char *data;
    size_t len;
    size_t size;
    int result;
};

/* Room for `size` more bytes, NULL if there is none. */
static char *
pack_extend(struct call_pack *pack, size_t size)
{
    char *data = pack->data;
    size_t wanted = pack->size ? pack->size : 2048;

    if (pack->result != GANG_OK)
        return NULL;
    while (wanted - pack->len < size && wanted <= SIZE_MAX / 2)
        wanted *= 2;
    if (wanted != pack->size)
        data = realloc(pack->data, wanted);
    if (!data || wanted - pack->len < size) {
        pack->data = data ? data : pack->data;
        pack->result = GANG_ERROR_NO_MEMORY;
        return NULL;
    }
    pack->data = data;
    pack->size = wanted;
    data += pack->len;
    pack->len += size;
    return data;
}

static void
pack_number(struct call_pack *pack, uint64_t number)
{
    char *data = pack_extend(pack, sizeof number);

    for (size_t i = 0; data && i < sizeof number; i++)
        data[i] = (char)(unsigned char)(number >> (8 * i));
}

static void
pack_bytes(struct call_pack *pack, const void *bytes, size_t len)
{
    char *data;

    pack_number(pack, len);
    data = pack_extend(pack, len);
    if (data && len)
        memcpy(data, bytes, len);
}

static void
pack_string(struct call_pack *pack, const char *text)
{
    pack_bytes(pack, text, text ? strlen(text) : 0);
}

static void
pack_object(struct call_pack *pack, const struct gang_context *context,
            const struct gang_object *object, struct gang_error **error)
{
    struct gang_blob *blob = NULL;
    size_t len = 0;
    const void *json;

    pack->result = gang_object_serialize(context, object, GANG_FORMAT_JSON, 0, &blob, error);
    json = gang_blob_get_data(blob, &len);
    pack_number(pack, (uint64_t)gang_object_get_action(object));
    pack_string(pack, gang_object_get_api_version(object));
    pack_string(pack, gang_object_get_kind(object));
    pack_string(pack, gang_object_get_namespace(object));
    pack_string(pack, gang_object_get_name(object));
    pack_bytes(pack, json, len);
    gang_blob_unref(blob);
}

static void
pack_patch(struct call_pack *pack, const struct gang_patch *patch)
{
    static const int sections[] = {GANG_PATCH_LABELS, GANG_PATCH_ANNOTATIONS, GANG_PATCH_SPEC};

    pack_string(pack, gang_patch_get_target(patch));
    pack_string(pack, gang_patch_get_role(patch));
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        size_t count = gang_patch_num_fields(patch, sections[i]);

        pack_number(pack, count);
        for (size_t field = 0; field < count; field++) {
            pack_string(pack, gang_patch_get_key(patch, sections[i], field));
            pack_string(pack, gang_patch_get_value(patch, sections[i], field));
        }
    }
}

static void
pack_plan(struct call_pack *pack, const struct gang_context *context, const struct gang_plan *plan,
          struct gang_error **error)
{
    size_t num_objects = gang_plan_num_objects(plan), num_patches = gang_plan_num_patches(plan);

    pack_number(pack, num_objects);
    for (size_t i = 0; i < num_objects && pack->result == GANG_OK; i++)
        pack_object(pack, context, gang_plan_get_object(plan, i), error);
    pack_number(pack, num_patches);
    for (size_t i = 0; i < num_patches && pack->result == GANG_OK; i++)
        pack_patch(pack, gang_plan_get_patch(plan, i));
}

/* A plan that cannot be packed is an error without a plan. */
static void
call_finish_plan(struct call *call, int result, struct gang_plan *plan, struct gang_error *error)
{
    struct call_pack pack = {NULL, 0, 0, GANG_OK};
    struct gang_error *failure = NULL;

    if (plan)
        pack_plan(&pack, call_context(call), plan, &failure);
    if (pack.result != GANG_OK) {
        gang_plan_unref(plan);
        gang_error_free(error);
        free(pack.data);
        call_finish(call, pack.result, NULL, failure);
        return;
    }
    call_finish(call, result, plan, error);
    call->blob.data = call_word(pack.data);
    call->blob.len = pack.len;
    call->numbers[0] = gang_plan_num_diagnostics(plan);
}

static void
call_render(struct call *call, const struct call_input *input)
{
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    int result = gang_render(call_context(call), call_pointer(call->subject), 0, &plan, &error);

    (void)input;
    call_finish_plan(call, result, plan, error);
}

/* Resolves and renders, for a caller who does not need the decision. */
static void
call_render_job(struct call *call, const struct call_input *input)
{
    struct gang_decision *decision = NULL;
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    int result = call_decide(call, input, &decision, &error);

    if (result == GANG_OK)
        result = gang_render(call_context(call), decision, 0, &plan, &error);
    gang_decision_unref(decision);
    call_finish_plan(call, result, plan, error);
}

static void
call_reconcile(struct call *call, const struct call_input *input)
{
    struct gang_plan *plan = NULL;
    struct gang_error *error = NULL;
    int result = gang_reconcile(call_context(call), call_pointer(call->subject),
                                call_pointer(call->other), (uint32_t)call->flags, &plan, &error);

    (void)input;
    call_finish_plan(call, result, plan, error);
}

static void
call_plan_serialize(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result =
        gang_plan_serialize(call_context(call), call_pointer(call->subject), (int)call->number,
                            (int)call->format, (uint32_t)call->flags, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

/* ---- topology binding ---- */

static void
call_topologybinding_check(struct call *call, const struct call_input *input)
{
    struct gang_error *error = NULL;
    int result = gang_topologybinding_check(call_context(call), call_pointer(call->subject),
                                            call_pointer(call->other), 0, &error);

    (void)input;
    call_finish(call, result, NULL, error);
}

static void
call_topologybinding_serialize(struct call *call, const struct call_input *input)
{
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result = gang_topologybinding_serialize(call_context(call), call_pointer(call->subject),
                                                (int)call->format, 0, &blob, &error);

    (void)input;
    call_finish_blob(call, result, blob, error);
}

static void
call_topologybinding_compare(struct call *call, const struct call_input *input)
{
    struct gang_error *error = NULL;
    int action = GANG_ACTION_NONE;
    int result = gang_topologybinding_compare(call_context(call), call_pointer(call->subject),
                                              call_pointer(call->other), 0, &action, &error);

    (void)input;
    call_finish(call, result, NULL, error);
    call->numbers[0] = (uint64_t)action;
}

/* ---- errors and diagnostics ---- */

static void
call_error_get(struct call *call, const struct call_input *input)
{
    const struct gang_error *error = call_pointer(call->subject);

    (void)input;
    call->numbers[0] = (uint64_t)(int64_t)gang_error_get_code(error);
    call->numbers[1] = gang_error_num_diagnostics(error);
}

static const struct gang_diagnostic *
call_diagnostic(const struct call *call)
{
    const void *owner = call_pointer(call->subject);
    size_t index = (size_t)call->index;

    switch (call->kind) {
    case KIND_ERROR:
        return gang_error_get_diagnostic(owner, index);
    case KIND_DOCUMENT:
        return gang_document_get_diagnostic(owner, index);
    case KIND_DECISION:
        return gang_decision_get_diagnostic(owner, index);
    case KIND_PLAN:
        return gang_plan_get_diagnostic(owner, index);
    default:
        return NULL;
    }
}

static void
call_diagnostic_get(struct call *call, const struct call_input *input)
{
    const struct gang_diagnostic *diagnostic = call_diagnostic(call);

    (void)input;
    call->numbers[0] = (uint64_t)gang_diagnostic_get_code(diagnostic);
    call->numbers[1] = (uint64_t)gang_diagnostic_get_severity(diagnostic);
    call->numbers[2] = (uint64_t)gang_diagnostic_get_document(diagnostic);
    call->numbers[3] = gang_diagnostic_get_line(diagnostic);
    call->numbers[4] = gang_diagnostic_get_column(diagnostic);
    call_set_text(call, 0, gang_diagnostic_get_id(diagnostic));
    call_set_text(call, 1, gang_code_name(gang_diagnostic_get_code(diagnostic)));
    call_set_text(call, 2, gang_diagnostic_get_kind(diagnostic));
    call_set_text(call, 3, gang_diagnostic_get_namespace(diagnostic));
    call_set_text(call, 4, gang_diagnostic_get_name(diagnostic));
    call_set_text(call, 5, gang_diagnostic_get_job(diagnostic));
    call_set_text(call, 6, gang_diagnostic_get_path(diagnostic));
    call_set_text(call, 7, gang_diagnostic_get_message(diagnostic));
    call_set_text(call, 8, gang_diagnostic_get_hint(diagnostic));
}

static void
call_release(struct call *call, const struct call_input *input)
{
    void *subject = call_pointer(call->subject);

    (void)input;
    switch (call->kind) {
    case KIND_CONTEXT:
        gang_context_unref(subject);
        break;
    case KIND_STREAM:
        gang_stream_unref(subject);
        break;
    case KIND_DOCUMENT:
        gang_document_unref(subject);
        break;
    case KIND_DECISION:
        gang_decision_unref(subject);
        break;
    case KIND_PLAN:
        gang_plan_unref(subject);
        break;
    case KIND_ERROR:
        gang_error_free(subject);
        break;
    case KIND_BLOB:
        gang_blob_unref(subject);
        break;
    case KIND_PACK:
        free(subject);
        break;
    default:
        break;
    }
}

static void (*const call_functions[CALL_COUNT])(struct call *, const struct call_input *) = {
    [CALL_LIBRARY] = call_library,
    [CALL_NAME] = call_name,
    [CALL_BACKENDS] = call_backends,
    [CALL_SCHEMA] = call_schema,
    [CALL_CONTEXT_NEW] = call_context_new,
    [CALL_STREAM_PARSE] = call_stream_parse,
    [CALL_STREAM_GET] = call_stream_get,
    [CALL_STREAM_SERIALIZE] = call_stream_serialize,
    [CALL_DOCUMENT_PARSE] = call_document_parse,
    [CALL_DOCUMENT_PARSE_LIVE] = call_document_parse_live,
    [CALL_DOCUMENT_REFERENCE] = call_document_reference,
    [CALL_DOCUMENT_TYPE_OF] = call_document_type_of,
    [CALL_JOB_SERIALIZE] = call_job_serialize,
    [CALL_RESOLVE] = call_resolve,
    [CALL_DECISION_SERIALIZE] = call_decision_serialize,
    [CALL_PREPARE_POD] = call_prepare_pod,
    [CALL_RENDER] = call_render,
    [CALL_RENDER_JOB] = call_render_job,
    [CALL_RECONCILE] = call_reconcile,
    [CALL_DIAGNOSE] = call_diagnose,
    [CALL_PLAN_SERIALIZE] = call_plan_serialize,
    [CALL_TOPOLOGYBINDING_CHECK] = call_topologybinding_check,
    [CALL_TOPOLOGYBINDING_SERIALIZE] = call_topologybinding_serialize,
    [CALL_TOPOLOGYBINDING_COMPARE] = call_topologybinding_compare,
    [CALL_ERROR_GET] = call_error_get,
    [CALL_DIAGNOSTIC] = call_diagnostic_get,
    [CALL_RELEASE] = call_release,
};

void
call_run(uint32_t function, struct call *call, const char *text, uint64_t text_len,
         const uint64_t *list, uint64_t list_len)
{
    struct call_input input = {text, (size_t)text_len, list, (size_t)list_len};

    if (function < CALL_COUNT)
        call_functions[function](call, &input);
}

#ifdef __wasm__
static void *call_block;
static size_t call_block_size;

uint64_t
call_room(uint64_t size)
{
    if (size > call_block_size) {
        free(call_block);
        call_block = malloc((size_t)size);
        call_block_size = call_block ? (size_t)size : 0;
    }
    return call_word(call_block);
}
#endif
