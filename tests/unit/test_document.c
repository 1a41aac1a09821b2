/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "unit/suite.h"
#include "unit/reading.h"

/* ---- document ---- */

static const struct {
    const char *text;
    bool is_json;
} sniffed[] = {
    {"{", true},
    {" \t\r\n{\"a\":1}", true},
    {"a: {}", false},
    {"", false},
    {"[1]", false},
    {"# {\n{}", false},
    {"{ }", true},
    {"{\n\"a\": 1}", true},
    {"{a: 1}", false},
    {"{'a': 1}", false},
    {"{ # c\n\"a\": 1}", false},
    {"{{a: 1}: 2}", false},
};

START_TEST(json_starts_with_a_brace_and_a_double_quote)
{
    ck_assert_int_eq(json_starts_object(slice_from_text(sniffed[_i].text)), sniffed[_i].is_json);
}
END_TEST

/* A document is a map, in JSON and in YAML. */
static const struct {
    const char *text;
    const char *json; /* NULL when it is refused */
    enum gang_code code;
    bool needs_yaml;
} documents[] = {
    {"{\"a\":1}", "{\"a\":1}", 0, false},
    {"{}", "{}", 0, false},
    {"a: 1", "{\"a\":1}", 0, true},
    {"# {\na: 1", "{\"a\":1}", 0, true},
    {"[1]", NULL, GANG_CODE_WRONG_TYPE, true},
    {"text", NULL, GANG_CODE_WRONG_TYPE, true},
    {"1", NULL, GANG_CODE_WRONG_TYPE, true},
    {"", NULL, GANG_CODE_EMPTY_DOCUMENT, true},
    {"# nothing", NULL, GANG_CODE_EMPTY_DOCUMENT, true},
    {"{\"a\":1} x", NULL, GANG_CODE_SYNTAX, false},
    /* comments of YAML behind JSON */
    {"{\"a\":\"#\"} # x }\r\n\n\t#y", "{\"a\":\"#\"}", 0, false},
    {"{\"a\":1}# x", "{\"a\":1}", 0, false},
    {"{\"a\":1}#\t\xc3\xa9", "{\"a\":1}", 0, false},
    {"{\"a\":1} # \xff", NULL, GANG_CODE_ENCODING, false},
    {"{\"a\":1} # \xc3\n", NULL, GANG_CODE_ENCODING, false},
    {"{\"a\":1} # \x01", NULL, GANG_CODE_CONTROL_CHARACTER, false},
    {"{\"a\":1}\n# x\ny", NULL, GANG_CODE_SYNTAX, false},
    {"{\"a\":1, # x\n\"b\":1}", NULL, GANG_CODE_SYNTAX, false},
};

START_TEST(reads_maps_only)
{
    struct reading reading;
    const struct node *root;

    if (documents[_i].needs_yaml)
        NEEDS_YAML();
    reading_start(&reading);
    root = document_read(&reading.request, slice_from_text(documents[_i].text));
    ck_assert_int_eq(root != NULL, documents[_i].json != NULL);
    if (root) {
        ck_assert_str_eq(reading_json(&reading, root), documents[_i].json);
    } else {
        ck_assert_uint_eq(reading.report.count, 1);
        ck_assert_int_eq(reading.report.items[0].code, documents[_i].code);
        ck_assert_int_eq(reading.report.items[0].document, GANG_DOCUMENT_TRAINJOB);
    }
    reading_end(&reading);
}
END_TEST

/* Every way in which a text comes into the tree. The number is one of them, the alias another. */
static const struct {
    const char *text;
    bool needs_yaml;
} texts[] = {
    {"{\"a\":\"b\",\"c\\u0064\":\"e\\n\",\"\":\"\",\"n\":12,\"m\":[1,2],\"t\":true,\"z\":null}",
     false},
    {"{\"f\":1.50,\"g\":1e3,\"h\":9223372036854775808,\"i\":-0,\"caf\xc3\xa9\":\"\xc3\xa9\"}",
     false},
    {"a: b\n'c': \"d\\te\"\nn: 12\nf: 0x10\nt: yes\nz: ~\nlong: |\n  x\n  y\n", true},
    {"a: &anchor {k: v}\nb: *anchor\nc: {<<: *anchor, l: w}\n", true},
};

static void
check_texts_end(const struct node *node)
{
    if (node->key)
        ck_assert_int_eq(node->key[node->key_len], '\0');
    if (slice_is_set(node_text(node)))
        ck_assert_int_eq(node->as.text[node->len], '\0');
    for (NODE_EACH(child, node))
        check_texts_end(child);
}

START_TEST(texts_and_keys_end_in_nul)
{
    struct reading reading;
    const struct node *root;

    if (texts[_i].needs_yaml)
        NEEDS_YAML();
    reading_start(&reading);
    reading.request.allow_merge = reading.request.allow_aliases = true;
    root = document_read(&reading.request, slice_from_text(texts[_i].text));
    ck_assert_ptr_nonnull(root);
    check_texts_end(root);
    reading_end(&reading);
}
END_TEST

START_TEST(yaml_is_refused_where_it_is_not_built_in)
{
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(document_read(&reading.request, SLICE("a: 1")));
    ck_assert_int_eq(reading.report.items[0].code, GANG_CODE_YAML_NOT_BUILT);
    reading_end(&reading);
}
END_TEST

/* It is JSON: what a program writes that has no object. */
START_TEST(null_is_empty_in_every_build)
{
    struct reading reading;

    reading_start(&reading);
    ck_assert_ptr_null(document_read(&reading.request, SLICE(" null\n")));
    ck_assert_int_eq(reading.report.items[0].code, GANG_CODE_EMPTY_DOCUMENT);
    reading_end(&reading);
}
END_TEST

/* A limit has precedence over a syntax error, a syntax error over an invalid value. */
static const struct {
    enum gang_code codes[2];
    int result;
} results[] = {
    {{GANG_CODE_SYNTAX, GANG_CODE_SYNTAX}, GANG_ERROR_SYNTAX},
    {{GANG_CODE_WRONG_TYPE, GANG_CODE_SYNTAX}, GANG_ERROR_SYNTAX},
    {{GANG_CODE_SYNTAX, GANG_CODE_LIMIT_DEPTH}, GANG_ERROR_LIMIT},
    {{GANG_CODE_WRONG_TYPE, GANG_CODE_RUNTIME_MISMATCH}, GANG_ERROR_INVALID},
    {{GANG_CODE_WRONG_DOCUMENT, GANG_CODE_WRONG_TYPE}, GANG_ERROR_INVALID},
    {{GANG_CODE_DUPLICATE_KEY, GANG_CODE_WRONG_TYPE}, GANG_ERROR_SYNTAX},
};

START_TEST(handle_size_is_limited)
{
    struct reading reading;

    reading_start(&reading);
    for (int i = 0; i < 2; i++)
        report_add(&reading.report, results[_i].codes[i], &(struct report_place){.path = SLICE("")},
                   NULL, "m");
    ck_assert_int_eq(document_result(&reading.report), results[_i].result);
    reading_end(&reading);
}
END_TEST

/* ---- parse call ---- */

/* A kind of document whose compile step makes the findings that a case asks for. */
struct sample {
    struct gang_document document;
    const struct node *name;
    int untouched;
};

static enum gang_code wanted_codes[2];

static void
sample_compile(struct gang_document *document, struct parse_call *call)
{
    struct sample *sample = (struct sample *)document;

    sample->name = node_member(call->root, SLICE("name"));
    for (int i = 0; i < 2; i++)
        if (wanted_codes[i])
            find_note(&call->report, sample->name, wanted_codes[i], NULL, "finding %d", i);
}

static const struct document_kind sample_kind = {
    .type = GANG_DOCUMENT_RUNTIME, .size = sizeof(struct sample), .compile = sample_compile};

static struct parse_input
input_of(const char *text)
{
    return (struct parse_input){
        .data = text, .len = strlen(text), .kinds = &sample_kind, .num_kinds = 1};
}

static int
parse(const struct parse_input *input, struct sample **out, struct gang_error **err)
{
    struct gang_document *document =
        (struct gang_document *)&wanted_codes; /* must be overwritten */
    int result = document_parse(input, &document, err);

    *out = (struct sample *)document;
    return result;
}

START_TEST(a_good_document_gives_a_handle)
{
    const struct parse_input input = input_of("{\"name\": \"x\"}");
    struct gang_error *error = (struct gang_error *)&wanted_codes;
    struct sample *sample;

    ck_assert_int_eq(parse(&input, &sample, &error), GANG_OK);
    ck_assert_ptr_null(error);
    ck_slice_eq(node_text(sample->name), "x");
    ck_assert_int_eq(sample->name->document, GANG_DOCUMENT_RUNTIME);
    ck_assert_int_eq(sample->untouched, 0);
    ck_assert_uint_eq(sample->document.findings.count, 0);
    gang_document_ref(&sample->document);
    gang_document_unref(&sample->document);
    ck_slice_eq(node_text(sample->name), "x");
    gang_document_unref(&sample->document);
}
END_TEST

/* The handle owns its text: the caller's may change. */
START_TEST(the_text_is_copied)
{
    char text[] = "{\"name\": \"x\"}";
    const struct parse_input input = input_of(text);
    struct sample *sample;

    ck_assert_int_eq(parse(&input, &sample, NULL), GANG_OK);
    memset(text, '?', sizeof(text));
    ck_slice_eq(node_text(sample->name), "x");
    gang_document_unref(&sample->document);
}
END_TEST

static const struct document_kind versioned_kind = {.api_version = SLICE_INIT("a/v1"),
                                                    .kind = SLICE_INIT("Sample"),
                                                    .type = GANG_DOCUMENT_RUNTIME,
                                                    .size = sizeof(struct sample),
                                                    .compile = sample_compile};

static const struct {
    const char *text;
    enum gang_code code; /* 0: accepted */
    const char *message;
} versions[] = {
    {"{\"apiVersion\": \"a/v1\", \"kind\": \"Sample\"}", (enum gang_code)0, NULL},
    {"{\"apiVersion\": \"a/v2\", \"kind\": \"Sample\"}", GANG_CODE_WRONG_DOCUMENT,
     "Unsupported value: \"a/v2\": supported values: \"a/v1\""},
    {"{\"apiVersion\": \"\", \"kind\": \"Sample\"}", GANG_CODE_WRONG_DOCUMENT,
     "Unsupported value: \"\": supported values: \"a/v1\""},
    {"{\"apiVersion\": 1, \"kind\": \"Sample\"}", GANG_CODE_WRONG_DOCUMENT,
     "Unsupported value: 1: supported values: \"a/v1\""},
    {"{\"apiVersion\": null, \"kind\": \"Sample\"}", GANG_CODE_REQUIRED_FIELD, "Required value"},
    {"{\"kind\": \"Sample\"}", GANG_CODE_REQUIRED_FIELD, "Required value"},
};

START_TEST(checks_the_version)
{
    struct parse_input input = input_of(versions[_i].text);
    struct gang_error *error;
    struct sample *sample;

    input.kinds = &versioned_kind;
    if (!versions[_i].code) {
        ck_assert_int_eq(parse(&input, &sample, NULL), GANG_OK);
        gang_document_unref(&sample->document);
        return;
    }
    ck_assert_int_eq(parse(&input, &sample, &error), GANG_ERROR_INVALID);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     versions[_i].code);
    ck_assert_str_eq(gang_diagnostic_get_path(gang_error_get_diagnostic(error, 0)), "apiVersion");
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)),
                     versions[_i].message);
    gang_error_free(error);
}
END_TEST

static const struct {
    const char *data;
    size_t len;
    uint32_t flags;
    bool has_out;
    int result;
} misuses[] = {
    {"{}", 2, 0, false, GANG_ERROR_INVALID_ARGUMENT},
    {NULL, 1, 0, true, GANG_ERROR_INVALID_ARGUMENT},
    {"{}", 2, 2, true, GANG_ERROR_UNSUPPORTED_FLAG},
    {"{}", 2, 1u << 31 | GANG_PARSE_STRICT, true, GANG_ERROR_UNSUPPORTED_FLAG},
};

START_TEST(misuse_is_refused)
{
    const struct parse_input input = {.data = misuses[_i].data,
                                      .len = misuses[_i].len,
                                      .flags = misuses[_i].flags,
                                      .kinds = &sample_kind,
                                      .num_kinds = 1};
    struct gang_document *document = (struct gang_document *)&wanted_codes;
    struct gang_document **out = misuses[_i].has_out ? &document : NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(document_parse(&input, out, &error), misuses[_i].result);
    if (out)
        ck_assert_ptr_null(document);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    ck_assert_int_eq(document_parse(&input, out, NULL), misuses[_i].result);
}
END_TEST

/* Texts that are no document at all; NULL of no length is an empty one. */
static const struct {
    const char *text;
    int result;
    enum gang_code code;
} texts_of_parse_call[] = {
    {"", GANG_ERROR_SYNTAX, GANG_CODE_EMPTY_DOCUMENT},
    {NULL, GANG_ERROR_SYNTAX, GANG_CODE_EMPTY_DOCUMENT},
    {"{\"a\": 1", GANG_ERROR_SYNTAX, GANG_CODE_SYNTAX},
    {"{\"a\": 1, \"a\": 1}", GANG_ERROR_SYNTAX, GANG_CODE_DUPLICATE_KEY},
};

START_TEST(non_documents_are_refused)
{
    const struct parse_input input = {
        .data = texts_of_parse_call[_i].text,
        .len = texts_of_parse_call[_i].text ? strlen(texts_of_parse_call[_i].text) : 0,
        .kinds = &sample_kind,
        .num_kinds = 1};
    struct gang_error *error = NULL;
    struct sample *sample;

    if (!texts_of_parse_call[_i].text || !texts_of_parse_call[_i].text[0])
        NEEDS_YAML();
    ck_assert_int_eq(parse(&input, &sample, &error), texts_of_parse_call[_i].result);
    ck_assert_ptr_null(sample);
    ck_assert_int_eq(gang_error_get_code(error), texts_of_parse_call[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     (int)texts_of_parse_call[_i].code);
    gang_error_free(error);
}
END_TEST

/*
 * Which findings refuse the document at once, and which leave it to a policy. The result is a
 * limit, else a syntax error, else an invalid value.
 */
static const struct {
    uint32_t flags;
    enum gang_code codes[2];
    int result;
    size_t kept;
} findings[] = {
    {0, {GANG_CODE_WRONG_TYPE}, GANG_ERROR_INVALID, 0},
    {0, {GANG_CODE_LIMIT_ROLES}, GANG_ERROR_LIMIT, 0},
    {0, {GANG_CODE_DUPLICATE_KEY}, GANG_ERROR_SYNTAX, 0},
    {0, {GANG_CODE_WRONG_DOCUMENT}, GANG_ERROR_INVALID, 0},
    {0, {GANG_CODE_WRONG_TYPE, GANG_CODE_LIMIT_ROLES}, GANG_ERROR_LIMIT, 0},
    {0, {GANG_CODE_LIMIT_ROLES, GANG_CODE_WRONG_TYPE}, GANG_ERROR_LIMIT, 0},
    {0, {GANG_CODE_WRONG_TYPE, GANG_CODE_DUPLICATE_KEY}, GANG_ERROR_SYNTAX, 0},
    {0, {GANG_CODE_DUPLICATE_KEY, GANG_CODE_LIMIT_ROLES}, GANG_ERROR_LIMIT, 0},
    /* Infos and warnings. */
    {0, {GANG_CODE_DEFAULT_APPLIED, GANG_CODE_UNKNOWN_FIELD}, GANG_OK, 2},
    {0, {GANG_CODE_UNKNOWN_FIELD, GANG_CODE_WRONG_TYPE}, GANG_ERROR_INVALID, 0},
    {GANG_PARSE_STRICT, {GANG_CODE_UNKNOWN_FIELD}, GANG_ERROR_INVALID, 0},
    {GANG_PARSE_STRICT, {GANG_CODE_DEFAULT_APPLIED}, GANG_OK, 1},
    /* Errors of the default mode alone. */
    {0, {GANG_CODE_RESERVED_MARK}, GANG_OK, 1},
    {0, {GANG_CODE_RESERVED_MARK, GANG_CODE_QUANTITY_NEGATIVE}, GANG_OK, 2},
    {0, {GANG_CODE_RESERVED_MARK, GANG_CODE_WRONG_TYPE}, GANG_ERROR_INVALID, 0},
};

START_TEST(errors_at_parse_and_at_resolve)
{
    struct parse_input input = input_of("{\"name\": \"x\"}");
    struct gang_error *error = NULL;
    struct sample *sample;

    input.flags = findings[_i].flags;
    memcpy(wanted_codes, findings[_i].codes, sizeof(wanted_codes));
    ck_assert_int_eq(parse(&input, &sample, &error), findings[_i].result);
    ck_assert_int_eq(sample == NULL, findings[_i].result != GANG_OK);
    ck_assert_int_eq(gang_error_get_code(error), findings[_i].result);
    if (sample) {
        ck_assert_uint_eq(gang_document_num_diagnostics(&sample->document), findings[_i].kept);
        ck_assert_int_eq(gang_document_get_diagnostic(&sample->document, 0)->code,
                         findings[_i].codes[0]);
        ck_assert_ptr_null(gang_document_get_diagnostic(&sample->document, findings[_i].kept));
    } else
        ck_assert_uint_eq(gang_error_num_diagnostics(error), 1 + (findings[_i].codes[1] != 0));
    gang_document_unref(sample ? &sample->document : NULL);
    gang_error_free(error);
}
END_TEST

START_TEST(memory_is_limited)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct parse_input input = input_of("{\"name\": \"x\"}");
    struct gang_error *error = NULL;
    struct sample *sample;

    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_MEMORY_BYTES, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    input.context = context;
    ck_assert_int_eq(parse(&input, &sample, &error), GANG_ERROR_LIMIT);
    ck_assert_ptr_null(sample);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_MEMORY);
    gang_error_free(error);
    gang_context_unref(context);
    gang_config_free(config);
}
END_TEST

START_TEST(null_handles_are_accepted)
{
    gang_document_ref(NULL);
    gang_document_unref(NULL);
    ck_assert_uint_eq(gang_document_num_diagnostics(NULL), 0);
    ck_assert_ptr_null(gang_document_get_diagnostic(NULL, 0));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, json_starts_with_a_brace_and_a_double_quote, sniffed, text);
    add_rows(cases, reads_maps_only, documents, text);
    add_rows(cases, texts_and_keys_end_in_nul, texts, text);
    if (!gang_has_yaml())
        tcase_add_test(cases, yaml_is_refused_where_it_is_not_built_in);
    tcase_add_test(cases, null_is_empty_in_every_build);
    add_rows(cases, handle_size_is_limited, results, result);
    tcase_add_test(cases, a_good_document_gives_a_handle);
    tcase_add_test(cases, the_text_is_copied);
    add_rows(cases, checks_the_version, versions, text);
    add_rows(cases, misuse_is_refused, misuses, data, len, flags);
    add_rows(cases, non_documents_are_refused, texts_of_parse_call, text);
    add_rows(cases, errors_at_parse_and_at_resolve, findings, flags);
    tcase_add_test(cases, memory_is_limited);
    tcase_add_test(cases, null_handles_are_accepted);
}
