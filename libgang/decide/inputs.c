/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/decision.h"
#include "libgang/document/writer.h"

#include <stdlib.h>

/* ---- inputs ---- */

struct gang_inputs *
gang_inputs_new(void)
{
    return calloc(1, sizeof(struct gang_inputs));
}

static bool
inputs_has_room(struct gang_inputs *inputs)
{
    size_t capacity = inputs->capacity ? 2 * inputs->capacity : 8;
    struct gang_document **documents;

    if (inputs->count < inputs->capacity)
        return true;
    if (capacity > SIZE_MAX / sizeof(*documents))
        return false;
    documents = realloc(inputs->documents, capacity * sizeof(*documents));
    if (!documents)
        return false;
    inputs->documents = documents;
    inputs->capacity = capacity;
    return true;
}

int
gang_inputs_add(struct gang_inputs *inputs, const struct gang_document *document)
{
    if (!inputs || !document)
        return GANG_ERROR_INVALID_ARGUMENT;
    if (!inputs_has_room(inputs))
        return GANG_ERROR_NO_MEMORY;
    inputs->documents[inputs->count++] = gang_document_ref(document);
    return GANG_OK;
}

int
gang_inputs_set_created_uid(struct gang_inputs *inputs, const char *uid)
{
    size_t size = uid && *uid ? strlen(uid) + 1 : 0;
    char *copy = NULL;

    if (!inputs)
        return GANG_ERROR_INVALID_ARGUMENT;
    if (size) {
        copy = malloc(size);
        if (!copy)
            return GANG_ERROR_NO_MEMORY;
        memcpy(copy, uid, size);
    }
    free(inputs->created_uid);
    inputs->created_uid = copy;
    return GANG_OK;
}

int
gang_inputs_set_run_number(struct gang_inputs *inputs, int64_t run_number)
{
    if (!inputs)
        return GANG_ERROR_INVALID_ARGUMENT;
    inputs->run = (struct gang_run){0};
    if (run_number >= 0)
        inputs->run = (struct gang_run){.is_known = true, .number = run_number};
    return GANG_OK;
}

int
gang_inputs_set_gang_index(struct gang_inputs *inputs, uint64_t gang_index)
{
    if (!inputs)
        return GANG_ERROR_INVALID_ARGUMENT;
    inputs->gang_index = gang_index;
    return GANG_OK;
}

static void
inputs_drop_documents(struct gang_inputs *inputs)
{
    for (size_t i = 0; i < inputs->count; i++)
        gang_document_unref(inputs->documents[i]);
    inputs->count = 0;
}

void
inputs_clear(struct gang_inputs *inputs)
{
    inputs_drop_documents(inputs);
    free(inputs->documents);
    free(inputs->created_uid);
}

void
gang_inputs_free(struct gang_inputs *inputs)
{
    if (inputs)
        inputs_clear(inputs);
    free(inputs);
}

static bool
inputs_job_means(const struct gang_document *job, const struct gang_document *document)
{
    const struct gang_trainjob *trainjob = trainjob_of(job);
    const struct gang_runtime *runtime = runtime_of(document);

    if (!runtime)
        return true;
    return trainjob && slice_equal(trainjob->runtime_ref.name, runtime->meta.name) &&
           slice_equal(trainjob->runtime_ref.kind, runtime->document.kind) &&
           (!slice_equal(runtime->document.kind, SLICE(GANG_KIND_TRAINING_RUNTIME)) ||
            namespaces_meet(runtime->meta.namespace_, trainjob->meta.namespace_));
}

bool
inputs_select(struct gang_inputs *selected, const struct gang_inputs *all,
              const struct gang_document *job)
{
    inputs_drop_documents(selected);
    for (size_t i = 0; all && i < all->count; i++)
        if (inputs_job_means(job, all->documents[i]) &&
            gang_inputs_add(selected, all->documents[i]) != GANG_OK)
            return false;
    return true;
}

/* ---- decision inputs ---- */

enum input_need { INPUT_UNUSABLE, INPUT_ONE, INPUT_SEVERAL };

/* What a job of a type can use, beside the documents of the administrator. */
static const struct {
    enum gang_document_type job;
    enum gang_document_type input;
    enum input_need need;
} input_rules[] = {
    {GANG_DOCUMENT_TRAINJOB, GANG_DOCUMENT_RUNTIME, INPUT_ONE},
    {GANG_DOCUMENT_PODGANG, GANG_DOCUMENT_PODGANG, INPUT_SEVERAL},
    {GANG_DOCUMENT_PODGANG, GANG_DOCUMENT_PODCLIQUESET, INPUT_ONE},
    {GANG_DOCUMENT_PODGANG, GANG_DOCUMENT_TOPOLOGYBINDING, INPUT_ONE},
};

/* Reports a document that does not fit, with the document that it conflicts with. */
static void
input_refuse(const struct gang_document *document, const struct gang_document *other,
             const char *why, struct report *report)
{
    find_in_document(report, document->entry->type, GANG_CODE_WRONG_INPUT, NULL, "%s %s %s",
                     document_full_name(document, report->arena), why,
                     other ? document_full_name(other, report->arena) : "");
}

/* Where a document of a type is kept. Each begins with its struct gang_document. */
static const size_t input_places[] = {
    [GANG_DOCUMENT_TRAINJOB] = offsetof(struct decision_inputs, trainjob),
    [GANG_DOCUMENT_PODGANG] = offsetof(struct decision_inputs, podgang),
    [GANG_DOCUMENT_PODCLIQUESET] = offsetof(struct decision_inputs, podcliqueset),
    [GANG_DOCUMENT_JOB] = offsetof(struct decision_inputs, job),
    [GANG_DOCUMENT_RUNTIME] = offsetof(struct decision_inputs, runtime),
    [GANG_DOCUMENT_TOPOLOGYBINDING] = offsetof(struct decision_inputs, topology),
    [GANG_DOCUMENT_POLICY] = offsetof(struct decision_inputs, policy),
    [GANG_DOCUMENT_CLUSTER] = offsetof(struct decision_inputs, cluster),
};

static void
decision_inputs_keep(struct decision_inputs *taken, const struct gang_document *document)
{
    taken->documents[taken->num_documents++] = gang_document_ref(document);
    if (podgang_of(document) && taken->podgang)
        taken->siblings[taken->num_siblings++] = podgang_of(document);
    else
        memcpy((char *)taken + input_places[document->entry->type], &document, sizeof(document));
}

/* Passing the same document twice has no effect. */
static void
decision_inputs_take_one(struct decision_inputs *taken, struct gang_document *document,
                         const struct gang_document **first, struct report *report)
{
    const enum gang_document_type type = document->entry->type;
    enum input_need need = document->entry->is_administrators ? INPUT_ONE : INPUT_UNUSABLE;

    if (document == taken->documents[0])
        return;
    for (size_t i = 0; i < COUNT_OF(input_rules); i++)
        if (document_is(taken->documents[0], input_rules[i].job) &&
            document_is(document, input_rules[i].input))
            need = input_rules[i].need;
    if (need == INPUT_UNUSABLE)
        input_refuse(document, taken->documents[0], "is not an input for", report);
    else if (need == INPUT_SEVERAL || !first[type])
        decision_inputs_keep(taken, document);
    else if (first[type] != document)
        input_refuse(document, first[type], "duplicates the input", report);
    if (!first[type])
        first[type] = document;
}

void
decision_inputs_take(struct decision_inputs *taken, const struct gang_document *job,
                     const struct gang_inputs *inputs, struct report *report)
{
    const struct gang_document *first[GANG_DOCUMENT_JOB + 1] = {0};
    size_t count = inputs ? inputs->count : 0;
    const struct runtime_ref *ref;

    taken->documents = arena_take_array(report->arena, count + 1, sizeof(struct gang_document *));
    if (podgang_of(job))
        taken->siblings = arena_array(report->arena, count, sizeof(const struct gang_podgang *));
    if (arena_failed(report->arena))
        return;
    if (!(document_is(job, GANG_DOCUMENT_TRAINJOB) || document_is(job, GANG_DOCUMENT_PODGANG) ||
          document_is(job, GANG_DOCUMENT_PODCLIQUESET) || document_is(job, GANG_DOCUMENT_JOB))) {
        find_in_document(report, job->entry->type, MESSAGE_WRONG_INPUT_JOB,
                         document_full_name(job, report->arena));
        return;
    }
    decision_inputs_keep(taken, job);
    for (size_t i = 0; i < count; i++)
        decision_inputs_take_one(taken, inputs->documents[i], first, report);
    if (!taken->trainjob || taken->runtime)
        return;
    ref = &taken->trainjob->runtime_ref;
    find_note(report, ref->source, MESSAGE_WRONG_INPUT_MISSING,
              document_full_name(taken->documents[0], report->arena), SLICE_ARG(ref->kind),
              SLICE_ARG(ref->name));
}

/* ---- document kinds ---- */

#define DOCUMENT_KIND(version, name_, type_, record, ...)                                          \
    {                                                                                              \
        .api_version = SLICE_INIT(version), .kind = SLICE_INIT(name_), .type = type_,              \
        .size = sizeof(struct record), __VA_ARGS__                                                 \
    }

/* The kinds that gang_document_parse() reads. A new front end adds its rows here. */
static const struct document_kind document_kinds[] = {
    DOCUMENT_KIND(GANG_TRAINER_API_VERSION, GANG_KIND_TRAINJOB, GANG_DOCUMENT_TRAINJOB,
                  gang_trainjob, .compile = trainjob_compile, .judge = trainjob_judge,
                  .reference = trainjob_refers_to),
    DOCUMENT_KIND(GANG_TRAINER_API_VERSION, GANG_KIND_TRAINING_RUNTIME, GANG_DOCUMENT_RUNTIME,
                  gang_runtime, .compile = runtime_compile, .judge = runtime_judge),
    DOCUMENT_KIND(GANG_TRAINER_API_VERSION, GANG_KIND_CLUSTER_TRAINING_RUNTIME,
                  GANG_DOCUMENT_RUNTIME, gang_runtime, .compile = runtime_compile,
                  .judge = runtime_judge),
    DOCUMENT_KIND(GANG_PODGANG_API_VERSION, GANG_KIND_PODGANG, GANG_DOCUMENT_PODGANG, gang_podgang,
                  .compile = podgang_compile, .reference = podgang_refers_to),
    DOCUMENT_KIND(GANG_GROVE_API_VERSION, GANG_KIND_PODCLIQUESET, GANG_DOCUMENT_PODCLIQUESET,
                  gang_podcliqueset, .compile = podcliqueset_compile),
    DOCUMENT_KIND(GANG_GROVE_API_VERSION, GANG_KIND_TOPOLOGYBINDING, GANG_DOCUMENT_TOPOLOGYBINDING,
                  gang_topologybinding, .compile = topologybinding_compile,
                  .reference = topologybinding_refers_to),
    {.kind = SLICE_INIT(GANG_KIND_JOB),
     .type = GANG_DOCUMENT_JOB,
     .size = sizeof(struct job_document),
     .reads = job_kind_is_known,
     .name = job_kind_name,
     .compile = job_document_compile},
    DOCUMENT_KIND(GANG_API_VERSION, GANG_KIND_POLICY, GANG_DOCUMENT_POLICY, gang_policy,
                  .compile = policy_compile, .is_administrators = true),
    DOCUMENT_KIND(GANG_API_VERSION, GANG_KIND_CLUSTER, GANG_DOCUMENT_CLUSTER, gang_cluster,
                  .compile = cluster_compile, .is_administrators = true),
};

SELDOM int
gang_document_type_of(const char *api_version, const char *kind)
{
    const struct slice version = slice_from_text(api_version);
    const struct slice name = slice_from_text(kind);

    if (!kind)
        return GANG_DOCUMENT_NONE;
    if (api_version ? job_kind_find(version, name) != NULL : job_kind_is_known(name))
        return GANG_DOCUMENT_JOB;
    for (size_t i = 0; i < COUNT_OF(document_kinds); i++)
        if (slice_equal(document_kinds[i].kind, name) &&
            (!api_version || slice_equal(document_kinds[i].api_version, version)))
            return (int)document_kinds[i].type;
    return GANG_DOCUMENT_NONE;
}

uint64_t
gang_document_num_gangs(const struct gang_document *document)
{
    if (document_is(document, GANG_DOCUMENT_JOB))
        return job_document_of(document)->num_gangs;
    return document_is(document, GANG_DOCUMENT_TRAINJOB) ||
           document_is(document, GANG_DOCUMENT_PODGANG);
}

int
gang_document_parse(const struct gang_context *context, const char *data, size_t len,
                    uint32_t flags, struct gang_document **out, struct gang_error **err)
{
    return gang_document_parse_named(context, data, len, NULL, 1, 1, flags, out, err);
}

int
gang_document_parse_named(const struct gang_context *context, const char *data, size_t len,
                          const char *name, uint32_t line, uint32_t column, uint32_t flags,
                          struct gang_document **out, struct gang_error **err)
{
    const struct document_origin origin = {slice_from_text(name), line - 1, column ? column - 1 : 0,
                                           0};
    const struct parse_input input = {.context = context,
                                      .data = data,
                                      .len = len,
                                      .origin = name ? &origin : NULL,
                                      .flags = flags,
                                      .kinds = document_kinds,
                                      .num_kinds = COUNT_OF(document_kinds)};

    return document_parse(&input, out, err);
}

int
gang_private_document_parse(const struct gang_context *context, const struct document_tree *tree,
                            uint32_t flags, struct gang_document **out, struct gang_error **err)
{
    const struct parse_input input = {.context = context,
                                      .tree = tree,
                                      .flags = flags,
                                      .kinds = document_kinds,
                                      .num_kinds = COUNT_OF(document_kinds)};

    return document_parse(&input, out, err);
}

/* ---- schemas ---- */

SELDOM int
gang_schema_serialize(const struct gang_context *context, const char *kind, int format,
                      uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    const bool is_of_job = kind && strcmp(kind, GANG_KIND_JOB) == 0;
    struct buffer buffer = buffer_within(context_limits(context));
    const struct node *document = NULL;
    struct arena *arena;
    int result = CALL_BEGIN(
        out, err,
        out && (is_of_job || policy_is_described(kind)) && document_format_is_known(format),
        "out, a known format, and the kind GangPolicy, GangCluster or GangJob are needed", flags,
        0);

    if (result)
        return result;
    arena = arena_new(0);
    if (arena)
        document = is_of_job ? gang_job_describe(arena) : policy_describe(kind, arena);
    if (document)
        document_write(&buffer, document, (enum gang_format)format);
    arena_free(arena);
    return document ? document_hand_out(&buffer, out, err) : error_no_memory(err);
}
