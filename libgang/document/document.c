/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "libgang/base/context.h"
#include "libgang/base/diagnostic_table.h"
#include "libgang/document/finding.h"
#include "libgang/document/reader.h"

/* ---- document ---- */

bool
document_looks_like_json(struct slice text)
{
    size_t i = 0;

    while (i < text.len &&
           (text.data[i] == ' ' || text.data[i] == '\t' || text.data[i] == '\n' || text.data[i] == '\r'))
        i++;
    return i < text.len && text.data[i] == '{';
}

#ifndef GANG_WITH_YAML
const struct node *
yaml_read(const struct document_request *request, struct slice text)
{
    (void)text;
    find_in_document(request->report, GANG_CODE_YAML_NOT_BUILT, request->document,
                     "pass JSON, or use a build with YAML", "this build of the library reads JSON only");
    return NULL;
}
#endif

static const struct node *
document_require_map(const struct document_request *request, const struct node *root)
{
    struct finding_value value;

    if (!root || root->kind == NODE_MAP)
        return root;
    if (root->kind == NODE_NULL) {
        reader_report_empty(request);
        return NULL;
    }
    find_note(request->report, GANG_CODE_WRONG_TYPE, root, NULL,
              "Invalid value: %s: the document must be a mapping", finding_value(&value, root));
    return NULL;
}

const struct node *
document_read(const struct document_request *request, struct slice text)
{
    if (!reader_size_ok(request, text))
        return NULL;
    if (document_looks_like_json(text))
        return document_require_map(request, json_read(request, text));
    return document_require_map(request, yaml_read(request, text));
}

static bool
document_has_error_between(const struct report *report, int first, int last)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].severity == GANG_SEVERITY_ERROR && (int)report->items[i].code >= first &&
            (int)report->items[i].code <= last)
            return true;
    return false;
}

/* The hundreds of the registry: 1xx is about the text but for its kind, 2xx about limits. */
int
document_result(const struct report *report)
{
    if (document_has_error_between(report, GANG_CODE_LIMIT_DOCUMENT_BYTES, GANG_CODE_LIMIT_OUTPUT_BYTES))
        return GANG_ERROR_LIMIT;
    if (document_has_error_between(report, GANG_CODE_SYNTAX, GANG_CODE_WRONG_DOCUMENT - 1))
        return GANG_ERROR_SYNTAX;
    return GANG_ERROR_INVALID;
}

/* ---- parse call ---- */

/* What an administrator wrote is never let through: no mode makes less of its errors. */
static bool
parse_call_is_administrators(enum gang_document_type document)
{
    return document == GANG_DOCUMENT_POLICY || document == GANG_DOCUMENT_CLUSTER;
}

/* An error in every mode; what only the default mode refuses is judged when a policy is known. */
static bool
parse_call_is_refused(const struct report *report)
{
    for (size_t i = 0; i < report->count; i++) {
        const struct diagnostic_entry *entry = diagnostic_entry_of(report->items[i].code);

        if (report->items[i].severity == GANG_SEVERITY_ERROR &&
            (parse_call_is_administrators(report->items[i].document) ||
             entry->compatibility_severity == GANG_SEVERITY_NONE ||
             entry->compatibility_severity == GANG_SEVERITY_ERROR))
            return true;
    }
    return false;
}

static int
parse_call_abandon(struct parse_call *call, struct gang_error **err)
{
    int result = error_from_report(err, document_result(&call->report), &call->report);

    arena_free(call->arena);
    *call = (struct parse_call){0};
    return result;
}

static int
parse_call_open(struct parse_call *call, const struct parse_input *input, struct gang_error **err)
{
    struct document_request request;

    if (err)
        *err = NULL;
    *call = (struct parse_call){.limits = context_limits(input->context)};
    if (!input->has_out)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out is NULL");
    if (!input->data && input->len)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "data is NULL and len is not 0");
    if (input->flags & ~(uint32_t)GANG_PARSE_STRICT)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    call->arena = arena_new((size_t)call->limits->value[GANG_LIMIT_MEMORY_BYTES]);
    if (!call->arena)
        return error_no_memory(err);
    report_init(&call->report, call->arena, call->limits);
    call->report.strict = (input->flags & GANG_PARSE_STRICT) != 0;
    request = (struct document_request){
        .arena = call->arena,
        .limits = call->limits,
        .report = &call->report,
        .document = input->document,
        .allow_merge = input->allow_merge,
        .allow_aliases = input->allow_merge,
    };
    call->root = document_read(&request, (struct slice){input->data ? input->data : "", input->len});
    return call->root ? GANG_OK : parse_call_abandon(call, err);
}

int
document_parse(const struct parse_input *input, size_t size, document_compile compile,
               struct document_handle **out, struct gang_error **err)
{
    struct document_handle *handle;
    struct parse_call call;
    int result = parse_call_open(&call, input, err);

    *out = NULL;
    if (result)
        return result;
    handle = arena_alloc(call.arena, size);
    if (handle)
        compile(handle, &call);
    if (arena_failed(call.arena) || parse_call_is_refused(&call.report))
        return parse_call_abandon(&call, err);
    refcount_init(&handle->references);
    handle->arena = call.arena;
    handle->findings = call.report;
    *out = handle;
    return GANG_OK;
}

void
document_handle_ref(struct document_handle *handle)
{
    if (handle)
        refcount_take(&handle->references);
}

void
document_handle_unref(struct document_handle *handle)
{
    if (handle && refcount_drop(&handle->references))
        arena_free(handle->arena);
}

size_t
document_handle_num_findings(const struct document_handle *handle)
{
    return handle ? handle->findings.count : 0;
}

const struct gang_diagnostic *
document_handle_finding(const struct document_handle *handle, size_t index)
{
    return index < document_handle_num_findings(handle) ? &handle->findings.items[index] : NULL;
}
