/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include <string.h>

#include "libgang/document/reader.h"

/* ---- document ---- */

#ifndef GANG_WITH_YAML
const struct node *
yaml_read(const struct document_request *request, struct slice text)
{
    if (!text_trim(text).len || slice_equal(text_trim(text), SLICE("null"))) {
        reader_report_empty(request);
        return NULL;
    }
    find_in_document(request->report, request->document, MESSAGE_YAML_NOT_BUILT);
    return NULL;
}
#endif

static const struct node *
document_require_map(const struct document_request *request, const struct node *root)
{
    struct quoted value;

    if (!root || root->kind == NODE_MAP)
        return root;
    if (root->kind == NODE_NULL) {
        reader_report_empty(request);
        return NULL;
    }
    find_note(request->report, root, MESSAGE_WRONG_TYPE, finding_value(&value, root));
    return NULL;
}

const struct node *
json_read_quietly(struct slice text, struct arena *arena, const struct limits *limits)
{
    struct report unread;
    const struct document_request request = {.arena = arena,
                                             .limits = limits,
                                             .report = &unread,
                                             .document = GANG_DOCUMENT_JOB,
                                             .is_only_json = true};

    report_init(&unread, arena, limits);
    return json_read(&request, text);
}

const struct node *
document_read(const struct document_request *request, struct slice text)
{
    if (!reader_size_ok(request, text))
        return NULL;
    if (json_starts_object(text))
        return document_require_map(request, json_read(request, text));
    return document_require_map(request, yaml_read(request, text));
}

static bool
document_has_error_between(const struct report *report, int first, int last)
{
    for (size_t i = 0; i < report->count; i++)
        if (report->items[i].severity == GANG_SEVERITY_ERROR &&
            (int)report->items[i].code >= first && (int)report->items[i].code <= last)
            return true;
    return false;
}

/* Codes are grouped by hundreds: 1xx for the text (except its kind), 2xx for limits. */
int
document_result(const struct report *report)
{
    if (document_has_error_between(report, GANG_CODE_LIMIT_DOCUMENT_BYTES, GANG_CODE_LIMIT_STEPS))
        return GANG_ERROR_LIMIT;
    if (document_has_error_between(report, GANG_CODE_SYNTAX, GANG_CODE_WRONG_DOCUMENT - 1))
        return GANG_ERROR_SYNTAX;
    return GANG_ERROR_INVALID;
}

/* ---- kind ---- */

static const struct document_kind *
document_kind_find(const struct parse_input *input, struct slice kind)
{
    for (size_t i = 0; i < input->num_kinds; i++)
        if (!slice_is_set(input->kinds[i].kind) || slice_equal(input->kinds[i].kind, kind) ||
            (input->kinds[i].reads && input->kinds[i].reads(kind)))
            return &input->kinds[i];
    return NULL;
}

/* The start of most texts: kubectl and json.dumps(sort_keys=True) write the fields in this order.
 */
static struct slice
document_kind_behind_version(struct slice text)
{
    if (!slice_take(&text, SLICE("{\"apiVersion\":\"")))
        return NO_SLICE;
    text = slice_after(text, slice_find(text, '"'));
    if (!slice_take(&text, SLICE("\",\"kind\":\"")) || slice_find(text, '"') == text.len)
        return NO_SLICE;
    return slice_before(text, '"');
}

/* Returns the value of the member `kind` of a JSON map; unset unless it is a plain text. */
static struct slice
document_guess_in_json(struct slice text)
{
    const struct slice key = SLICE("\"kind\"");
    const struct slice usual = document_kind_behind_version(text);
    const char *end = text.data + text.len;
    int depth = 0;

    if (slice_is_set(usual))
        return usual;
    for (const char *at = text.data; at < end;) {
        const char *start = at;

        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        if (*at != '"') {
            at++;
            continue;
        }
        at = json_behind_text(at, end);
        if (depth != 1 || !slice_equal((struct slice){start, (size_t)(at - start)}, key))
            continue;
        while (at < end && memchr(" \t\r\n:", *at, 5))
            at++;
        start = at;
        at = start < end ? json_behind_text(start, end) : start;
        return at - start < 2 ? NO_SLICE : (struct slice){start + 1, (size_t)(at - start) - 2};
    }
    return NO_SLICE;
}

/* Returns the letters after the first `kind:` at the start of a line. */
static struct slice
document_guess_in_yaml(struct slice text)
{
    while (text.len) {
        struct slice line = slice_before(text, '\n');
        size_t len = 0;

        text = slice_after(text, line.len + (line.len < text.len));
        if (!slice_take(&line, SLICE("kind:")))
            continue;
        while (line.len && memchr(" \"'", line.data[0], 3))
            line = slice_after(line, 1);
        while (len < line.len && ascii_is(line.data[len], ASCII_LETTER))
            len++;
        return (struct slice){line.data, len};
    }
    return NO_SLICE;
}

/* ---- parse call ---- */

/*
 * Returns whether the document is refused, after all its errors are reported: by an error in every
 * mode. Findings that only the default mode refuses are evaluated later, when a policy is known.
 */
static bool
parse_call_refuses(struct parse_call *call, const struct gang_document *document)
{
    const struct report *report = &call->report;

    for (size_t i = 0; i < report->count; i++) {
        const struct diagnostic_entry *entry = diagnostic_entry_of(report->items[i].code);

        if (report->items[i].severity == GANG_SEVERITY_ERROR &&
            (call->kind->is_administrators || entry->compatibility_severity == GANG_SEVERITY_NONE ||
             entry->compatibility_severity == GANG_SEVERITY_ERROR)) {
            if (document && call->kind->judge && !arena_failed(call->arena))
                call->kind->judge(document, &call->report);
            return true;
        }
    }
    return false;
}

SELDOM static int
parse_call_abandon(struct parse_call *call, struct gang_error **err)
{
    struct report_place subject = {.path = SLICE("")};
    int result;

    if (call->kind)
        subject.document = call->kind->type;
    if (call->root)
        subject.identity = finding_identity(call->root);
    else if (call->kind)
        subject.identity.kind = call->kind->kind.data;
    result = arena_failed(call->arena)
                 ? error_from_work(err, call->arena, &subject)
                 : error_from_report(err, document_result(&call->report), &call->report);
    arena_free(call->arena);
    *call = (struct parse_call){0};
    return result;
}

static int
parse_call_open(struct parse_call *call, const struct parse_input *input,
                struct gang_document **out, struct gang_error **err)
{
    const int result = CALL_BEGIN(out, err, out && (input->data || !input->len),
                                  "out and data are needed", input->flags, GANG_PARSE_STRICT);

    *call = (struct parse_call){.limits = context_limits(input->context)};
    if (result)
        return result;
    call->arena = arena_new_within(call->limits, NULL);
    return call->arena ? GANG_OK : error_no_memory(err);
}

static struct slice
parse_input_text(const struct parse_input *input)
{
    return (struct slice){input->data ? input->data : "", input->len};
}

/* The kind that the document seems to have, before it is read. */
static struct slice
parse_input_kind(const struct parse_input *input)
{
    const struct slice whole = parse_input_text(input);
    const char *end = whole.data + whole.len;
    const char *at = json_behind_comments(whole.data, end); /* JSON behind comments is YAML */
    struct slice text;

    if (input->tree)
        return document_tree_kind(input->tree);
    text = (struct slice){at, (size_t)(end - at)};
    return json_starts_object(text) ? document_guess_in_json(text) : document_guess_in_yaml(text);
}

/*
 * Reads the text by the rules of the kind. This marks every node and finding with the type of the
 * document.
 */
static bool
parse_call_read(struct parse_call *call, const struct parse_input *input)
{
    const bool is_administrators = call->kind && call->kind->is_administrators;
    const struct document_request request = {
        .arena = call->arena,
        .limits = call->limits,
        .report = &call->report,
        .document = call->kind ? call->kind->type : GANG_DOCUMENT_NONE,
        .allow_merge = !is_administrators,
        .allow_aliases = !is_administrators,
        .skips_managed_fields = call->kind && !call->kind->is_written,
    };

    report_init(&call->report, call->arena, call->limits);
    call->report.strict = is_administrators || (input->flags & GANG_PARSE_STRICT);
    call->root = input->tree ? document_require_map(&request, tree_read(&request, input->tree))
                             : document_read(&request, parse_input_text(input));
    call->written = node_string(node_member(call->root, SLICE("kind")));
    return call->root != NULL;
}

/* Lists every kind that is read, and returns their number. `kinds` may be NULL. */
static size_t
parse_input_list_kinds(const struct parse_input *input, struct slice *kinds)
{
    size_t count = 0;

    for (size_t i = 0; i < input->num_kinds; i++) {
        const struct document_kind *row = &input->kinds[i];
        struct slice name = row->name ? row->name(0) : row->kind;

        for (size_t n = 1; slice_is_set(name); n++) {
            if (kinds)
                kinds[count] = name;
            count++;
            name = row->name ? row->name(n) : NO_SLICE;
        }
    }
    return count;
}

static void
parse_call_report_kind(struct parse_call *call, const struct parse_input *input)
{
    const struct node *kind = node_member(call->root, SLICE("kind"));
    const size_t num_kinds = parse_input_list_kinds(input, NULL);
    struct slice *kinds = arena_array(call->arena, num_kinds, sizeof(*kinds));

    if (!node_member(call->root, SLICE("apiVersion")))
        find_missing(&call->report, call->root, SLICE("apiVersion"));
    if (kinds)
        parse_input_list_kinds(input, kinds);
    if (!kind)
        find_missing(&call->report, call->root, SLICE("kind"));
    else if (kinds)
        find_unsupported(&call->report, kind, GANG_CODE_WRONG_DOCUMENT, NULL, kinds, num_kinds);
}

/*
 * The rules for reading a text depend on its kind, which the text contains. If the guess was wrong,
 * reads the text again with the rules of the correct kind.
 */
static bool
parse_call_read_as_its_kind(struct parse_call *call, const struct parse_input *input)
{
    const struct slice named = parse_input_kind(input);
    const struct arena_mark start = arena_mark(call->arena);
    const struct document_kind *kind;

    /* findings in a text that cannot be read refer to the kind that its text names */
    call->kind = document_kind_find(input, named);
    if (!parse_call_read(call, input))
        return false;
    if (call->kind && slice_equal(named, call->written))
        return true;
    kind = document_kind_find(input, call->written);
    if (!kind) {
        parse_call_report_kind(call, input);
        return false;
    }
    if (kind == call->kind)
        return true;
    call->kind = kind;
    /* a wrong guess must not halve the limits */
    arena_start_steps(call->arena, limit_of(call->limits, GANG_LIMIT_STEPS));
    arena_rewind(call->arena, &start);
    return parse_call_read(call, input);
}

/* The kind is known to be right: it has led to the row. */
static void
parse_call_check_version(struct parse_call *call)
{
    const struct slice *supported = &call->kind->api_version;
    const struct node *version = node_member(call->root, SLICE("apiVersion"));

    if (!slice_is_set(*supported))
        return;
    if (!version)
        find_missing(&call->report, call->root, SLICE("apiVersion"));
    else if (!slice_equal(node_string(version), *supported))
        find_unsupported(&call->report, version, GANG_CODE_WRONG_DOCUMENT, NULL, supported, 1);
}

int
document_parse(const struct parse_input *input, struct gang_document **out, struct gang_error **err)
{
    struct gang_document *document;
    struct parse_call call;
    int result = parse_call_open(&call, input, out, err);

    if (result)
        return result;
    if (!parse_call_read_as_its_kind(&call, input))
        return parse_call_abandon(&call, err);
    /* the readers report before there is a tree, so that no finding names its document yet */
    if (call.report.count) {
        const struct document_identity identity = finding_identity(call.root);

        report_identify(&call.report, &identity);
    }
    call.report.roots[call.kind->type] = call.root;
    document = arena_alloc(call.arena, call.kind->size);
    if (document) {
        document->arena = call.arena;
        document->entry = call.kind;
        document->root = call.root;
        document->kind = call.written;
        if (input->origin) {
            document->origin = *input->origin;
            document->origin.name = arena_copy(call.arena, input->origin->name);
            document->origin.first_line = call.root->line;
        }
        parse_call_check_version(&call);
        call.kind->compile(document, &call);
    }
    if (arena_failed(call.arena) || parse_call_refuses(&call, document))
        return parse_call_abandon(&call, err);
    refcount_init(&document->references);
    document->findings = call.report;
    *out = document;
    return GANG_OK;
}

static struct slice
document_metadata_text(const struct gang_document *document, struct slice key)
{
    return node_string(node_text_member(node_member(document->root, SLICE("metadata")), key));
}

struct slice
document_name(const struct gang_document *document)
{
    return document_metadata_text(document, SLICE("name"));
}

const char *
document_full_name(const struct gang_document *document, struct arena *arena)
{
    const struct slice namespace_ = document_metadata_text(document, SLICE("namespace"));

    if (document_is(document, GANG_DOCUMENT_LIVE))
        return "a list of live objects";
    return arena_format(arena, "%.*s %.*s%s%.*s",
                        SLICE_ARG(node_string(node_text_member(document->root, SLICE("kind")))),
                        SLICE_ARG(namespace_), slice_is_set(namespace_) ? "/" : "",
                        SLICE_ARG(document_name(document)));
}

struct gang_document *
gang_document_ref(const struct gang_document *document)
{
    if (document)
        refcount_take(&document->references);
    return (struct gang_document *)document;
}

void
gang_document_unref(const struct gang_document *document)
{
    if (document && refcount_drop(&document->references))
        arena_free(document->arena);
}

int
gang_document_get_type(const struct gang_document *document)
{
    return document ? (int)document->entry->type : GANG_DOCUMENT_NONE;
}

const char *
gang_document_get_api_version(const struct gang_document *document)
{
    return document ? node_string(node_text_member(document->root, SLICE("apiVersion"))).data
                    : NULL;
}

const char *
gang_document_get_kind(const struct gang_document *document)
{
    return document ? node_string(node_text_member(document->root, SLICE("kind"))).data : NULL;
}

const char *
gang_document_get_namespace(const struct gang_document *document)
{
    return document ? document_metadata_text(document, SLICE("namespace")).data : NULL;
}

const char *
gang_document_get_name(const struct gang_document *document)
{
    return document ? document_name(document).data : NULL;
}

const char *
gang_document_get_uid(const struct gang_document *document)
{
    return document ? document_metadata_text(document, SLICE("uid")).data : NULL;
}

const char *
gang_document_get_reference(const struct gang_document *document, const char *kind)
{
    if (!document || !kind || !document->entry->reference)
        return NULL;
    return document->entry->reference(document, slice_from_text(kind)).data;
}

size_t
gang_document_num_diagnostics(const struct gang_document *document)
{
    return document ? document->findings.count : 0;
}

const struct gang_diagnostic *
gang_document_get_diagnostic(const struct gang_document *document, size_t index)
{
    return index < gang_document_num_diagnostics(document) ? &document->findings.items[index]
                                                           : NULL;
}
