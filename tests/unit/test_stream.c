/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include <stdio.h>

#include "unit/suite.h"
#include "unit/reading.h"

/* ---- stream ---- */

struct expected_document {
    const char *kind;
    const char *name;
    unsigned line;
};

#define A "{\"kind\":\"A\",\"metadata\":{\"name\":\"a\"}}"

/* JSON only, so that a build without YAML passes too. */
static const struct {
    const char *text;
    size_t count;
    struct expected_document documents[4];
} streams[] = {
    {"", 0, {{0}}},
    {"\n# only a comment\n---\n\n---\n", 0, {{0}}},
    {A, 1, {{"A", "a", 1}}},
    {"---\n" A "\n", 1, {{"A", "a", 2}}},
    {"\xEF\xBB\xBF---\r\n" A "\r\n---\r\n{}\r\n", 2, {{"A", "a", 2}, {NULL, NULL, 4}}},
    {A "\n---\n" A "\n--- # c\n\n\n" A, 3, {{"A", "a", 1}, {"A", "a", 3}, {"A", "a", 7}}},
    {A A "\n" A, 3, {{"A", "a", 1}, {"A", "a", 1}, {"A", "a", 2}}},
    {A "\n...\n" A, 2, {{"A", "a", 1}, {"A", "a", 3}}},
    {"{\"kind\":\"}{\\\"---\"}\n{\n\"kind\":\n7}", 2, {{"}{\"---", NULL, 1}, {NULL, NULL, 2}}},
    {"{\"kind\":\"A\"}\r---\r{\"kind\":\"B\"}", 2, {{"A", NULL, 1}, {"B", NULL, 3}}},
};

static void
check_text(const char *actual, const char *expected)
{
    if (expected)
        ck_assert_str_eq(actual, expected);
    else
        ck_assert_ptr_null(actual);
}

START_TEST(splits)
{
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(
        gang_stream_parse(NULL, streams[_i].text, strlen(streams[_i].text), 0, &stream, &error),
        GANG_OK);
    ck_assert_uint_eq(gang_stream_num_documents(stream), streams[_i].count);
    for (size_t i = 0; i < streams[_i].count; i++) {
        size_t len;
        const char *data = gang_stream_get_data(stream, i, &len);

        check_text(gang_stream_get_kind(stream, i), streams[_i].documents[i].kind);
        check_text(gang_stream_get_name(stream, i), streams[_i].documents[i].name);
        ck_assert_uint_eq(gang_stream_get_line(stream, i), streams[_i].documents[i].line);
        ck_assert_uint_eq(strlen(data), len);
        ck_assert(data[0] == '{');
    }
    ck_assert_ptr_null(gang_stream_get_data(stream, streams[_i].count, NULL));
    gang_stream_unref(stream);
}
END_TEST

struct expected_finding {
    int code;
    unsigned line;
    unsigned column;
};

static const struct {
    const char *text;
    int result;
    size_t count;
    struct expected_finding findings[3];
} bad_streams[] = {
    {"{}\n--- x\n{}", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_DOCUMENT_SEPARATOR, 2, 1}}},
    {"{}\n---x\n{}", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_DOCUMENT_SEPARATOR, 2, 1}}},
    {"{}\n... x\n{}", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_DOCUMENT_SEPARATOR, 2, 1}}},
    {"{\"a\":}\n---\n{}\n---\n{\n\"b\":01}",
     GANG_ERROR_SYNTAX,
     2,
     {{GANG_CODE_SYNTAX, 1, 6}, {GANG_CODE_SYNTAX, 6, 6}}},
    {"{} {\"a\":x}", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_SYNTAX, 1, 9}}},
    {"{}\n  {}\n {\"a\":1,\"a\":2}", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_DUPLICATE_KEY, 3, 9}}},
    {"{} x", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_SYNTAX, 1, 4}}},
    {"{\"a\":[", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_SYNTAX, 1, 7}}},
    {"{\"a\":\"\\", GANG_ERROR_SYNTAX, 1, {{GANG_CODE_SYNTAX, 1, 8}}},
};

START_TEST(reports_every_bad_document)
{
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_stream_parse(NULL, bad_streams[_i].text, strlen(bad_streams[_i].text), 0,
                                       &stream, &error),
                     bad_streams[_i].result);
    ck_assert_ptr_null(stream);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), bad_streams[_i].count);
    for (size_t i = 0; i < bad_streams[_i].count; i++) {
        const struct gang_diagnostic *found = gang_error_get_diagnostic(error, i);

        ck_assert_int_eq(gang_diagnostic_get_code(found), bad_streams[_i].findings[i].code);
        ck_assert_uint_eq(gang_diagnostic_get_line(found), bad_streams[_i].findings[i].line);
        ck_assert_uint_eq(gang_diagnostic_get_column(found), bad_streams[_i].findings[i].column);
    }
    gang_error_free(error);
}
END_TEST

START_TEST(mixes_yaml_and_json)
{
    static const char text[] =
        "# head\nkind: A\nmetadata:\n  name: a\n  namespace: ns\nscript: |\n  ---\n  x\n"
        "---\n{\"apiVersion\":\"v1\"}\n---\n# nothing\n---\nkind: B\n";
    struct gang_stream *stream = NULL;

    NEEDS_YAML();
    ck_assert_int_eq(gang_stream_parse(NULL, text, sizeof(text) - 1, 0, &stream, NULL), GANG_OK);
    ck_assert_uint_eq(gang_stream_num_documents(stream), 3);
    ck_assert_str_eq(gang_stream_get_namespace(stream, 0), "ns");
    ck_assert_str_eq(gang_stream_get_api_version(stream, 1), "v1");
    ck_assert_str_eq(gang_stream_get_kind(stream, 2), "B");
    ck_assert_uint_eq(gang_stream_get_line(stream, 2), 14);
    gang_stream_unref(stream);
}
END_TEST

START_TEST(counts_lines_from_the_start)
{
    static const char text[] = "a: 1\n---\n# c\nb: c: d\n---\n- 1\n";
    struct gang_stream *stream = NULL;
    struct gang_error *error = NULL;

    NEEDS_YAML();
    ck_assert_int_eq(gang_stream_parse(NULL, text, sizeof(text) - 1, 0, &stream, &error),
                     GANG_ERROR_SYNTAX);
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 2);
    ck_assert_uint_eq(gang_diagnostic_get_line(gang_error_get_diagnostic(error, 0)), 4);
    ck_assert_uint_eq(gang_diagnostic_get_column(gang_error_get_diagnostic(error, 0)), 5);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 1)),
                     GANG_CODE_WRONG_TYPE);
    ck_assert_uint_eq(gang_diagnostic_get_line(gang_error_get_diagnostic(error, 1)), 6);
    gang_error_free(error);
}
END_TEST

static const struct {
    const char *text;
    size_t index;
    enum gang_format format;
    const char *written;
} rewritten[] = {
    {"{\"b\": 1, \"a\": [true, null, \"x\"]}", 0, GANG_FORMAT_JSON,
     "{\"b\":1,\"a\":[true,null,\"x\"]}\n"},
    {"{\"b\": 1, \"a\": [true, null, \"x\"]}", 0, GANG_FORMAT_YAML,
     "b: 1\na:\n- true\n- null\n- x\n"},
    {"{\"a\": 1}{\"a\": 2}", 1, GANG_FORMAT_JSON, "{\"a\":2}\n"},
    {"a: 1 # one\nb: {c: yes}\n", 0, GANG_FORMAT_JSON, "{\"a\":1,\"b\":{\"c\":true}}\n"},
    {"# flow style\n{a: 1, b: {'c': yes}}\n---\n{\n# one\n'b': 2}", 1, GANG_FORMAT_JSON,
     "{\"b\":2}\n"},
    {"---\na: &x [1]\nb: *x\n", 0, GANG_FORMAT_JSON, "{\"a\":[1],\"b\":[1]}\n"},
    {"x: &x {a: 1, b: 2}\nz: {<<: *x, a: 3}\n", 0, GANG_FORMAT_YAML,
     "x:\n  a: 1\n  b: 2\nz:\n  a: 3\n  b: 2\n"},
};

START_TEST(serializes_a_document)
{
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;

    if (rewritten[_i].text[0] != '{')
        NEEDS_YAML();
    ck_assert_int_eq(
        gang_stream_parse(NULL, rewritten[_i].text, strlen(rewritten[_i].text), 0, &stream, NULL),
        GANG_OK);
    ck_assert_int_eq(gang_stream_serialize(NULL, stream, rewritten[_i].index,
                                           (int)rewritten[_i].format, 0, &blob, NULL),
                     GANG_OK);
    ck_assert_str_eq(gang_blob_get_data(blob, NULL), rewritten[_i].written);
    gang_blob_unref(blob);
    gang_stream_unref(stream);
}
END_TEST

START_TEST(refuses_to_write_missing_documents)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(gang_stream_parse(NULL, "{\"a\": 1}", 8, 0, &stream, NULL), GANG_OK);
    ck_assert_int_eq(gang_stream_serialize(NULL, stream, 1, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_serialize(NULL, NULL, 0, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_serialize(NULL, stream, 0, (enum gang_format)0, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 1, &blob, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_OUTPUT_BYTES, 8), GANG_OK);
    ck_assert_int_eq(gang_config_set_limit(config, GANG_LIMIT_DEPTH, 1), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    ck_assert_int_eq(gang_stream_serialize(context, stream, 0, GANG_FORMAT_JSON, 0, &blob, NULL),
                     GANG_OK);
    gang_blob_unref(blob);
    ck_assert_int_eq(gang_stream_serialize(context, stream, 0, GANG_FORMAT_YAML, 0, &blob, NULL),
                     GANG_OK);
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    ck_assert_int_eq(gang_stream_parse(NULL, "{\"a\": {}} {\"a\": 10}", 19, 0, &stream, NULL),
                     GANG_OK);
    ck_assert_int_eq(gang_stream_serialize(context, stream, 0, GANG_FORMAT_JSON, 0, &blob, &error),
                     GANG_ERROR_LIMIT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_DEPTH);
    gang_error_free(error);
    ck_assert_int_eq(gang_stream_serialize(context, stream, 1, GANG_FORMAT_JSON, 0, &blob, &error),
                     GANG_ERROR_LIMIT);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_LIMIT_OUTPUT_BYTES);
    ck_assert_str_eq(gang_diagnostic_get_message(gang_error_get_diagnostic(error, 0)),
                     "the output is larger than the limit of 8 bytes");
    ck_assert_ptr_null(blob);
    gang_error_free(error);
    gang_stream_unref(stream);
    gang_context_unref(context);
    gang_config_free(config);
}
END_TEST

START_TEST(refuses_misuse)
{
    struct gang_stream *stream = NULL;

    ck_assert_int_eq(gang_stream_parse(NULL, NULL, 1, 0, &stream, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_parse(NULL, "{}", 2, 0, NULL, NULL), GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_stream_parse(NULL, "{}", 2, 1, &stream, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(gang_stream_parse(NULL, NULL, 0, 0, &stream, NULL), GANG_OK);
    ck_assert_ptr_eq(gang_stream_ref(stream), stream);
    gang_stream_unref(stream);
    gang_stream_unref(stream);
    ck_assert_uint_eq(gang_stream_num_documents(NULL), 0);
    ck_assert_ptr_null(gang_stream_get_kind(NULL, 0));
}
END_TEST

/* One value below, at and above the limit. */
static void
check_stream_limit(enum gang_limit limit, uint64_t value, const char *text, int expected)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;
    struct gang_stream *stream = NULL;

    ck_assert_int_eq(gang_config_set_limit(config, (int)limit, value), GANG_OK);
    ck_assert_int_eq(gang_context_new(config, &context), GANG_OK);
    gang_config_free(config);
    ck_assert_int_eq(gang_stream_parse(context, text, strlen(text), 0, &stream, NULL), expected);
    gang_stream_unref(stream);
    gang_context_unref(context);
}

START_TEST(obeys_limits)
{
    check_stream_limit(GANG_LIMIT_STREAM_DOCUMENTS, 4, "{}{}{}", GANG_OK);
    check_stream_limit(GANG_LIMIT_STREAM_DOCUMENTS, 3, "{}{}{}", GANG_OK);
    check_stream_limit(GANG_LIMIT_STREAM_DOCUMENTS, 2, "{}{}{}", GANG_ERROR_LIMIT);
    check_stream_limit(GANG_LIMIT_STREAM_BYTES, 7, "{}{}{}", GANG_OK);
    check_stream_limit(GANG_LIMIT_STREAM_BYTES, 6, "{}{}{}", GANG_OK);
    check_stream_limit(GANG_LIMIT_STREAM_BYTES, 5, "{}{}{}", GANG_ERROR_LIMIT);
}
END_TEST

/* ---- split ---- */

/* Each part as "line:column text|"; a bad separator as "!line:column text|". */
static const struct {
    const char *text;
    const char *parts;
} texts[] = {
    {"", ""},
    {"---\n---\n", ""},
    {"# only a comment\n", ""},
    {"a: 1\n", "1:1 a: 1\n|"},
    {"a: 1", "1:1 a: 1|"},
    {"a: 1\n---\nb: 2\n", "1:1 a: 1\n|3:1 b: 2\n|"},
    {"---\na: 1\n---\n# nothing\n---\nb: 2\n", "2:1 a: 1\n|6:1 b: 2\n|"},
    {"a: 1\n--- # comment\nb: 2\n", "1:1 a: 1\n|3:1 b: 2\n|"},
    {"a: 1\n...\n---\nb: 2\n", "1:1 a: 1\n|4:1 b: 2\n|"},
    {"a: |\n  ---\n  b\n", "1:1 a: |\n  ---\n  b\n|"},
    {"a: 1\r\n---\r\nb: 2\r\n", "1:1 a: 1\r\n|3:1 b: 2\r\n|"},
    {"a: 1\n--- b: 2\nc: 3\n", "1:1 a: 1\n|!2:1 --- b: 2|3:1 c: 3\n|"},
    {"{\"a\":1}{\"b\":2}", "1:1 {\"a\":1}|1:8 {\"b\":2}|"},
    /* kubernetes/apimachinery:pkg/util/yaml/decoder.go YAMLOrJSONDecoder@v0.36.2 */
    {"{\"a\":1}\n # {x\n\n#y\n {\"b\":2}", "1:1 {\"a\":1}\n # {x\n\n#y\n |5:2 {\"b\":2}|"},
    {"{\"a\":1}# {\r{\"b\":2}", "1:1 {\"a\":1}# {\r|2:1 {\"b\":2}|"},
    {"{\"a\":1}\n{\"b\":\"}{\"}\n", "1:1 {\"a\":1}|2:1 {\"b\":\"}{\"}|"},
};

START_TEST(takes_documents_apart)
{
    struct splitter splitter = splitter_start(slice_from_text(texts[_i].text));
    char out[512] = "";
    struct split_part part;
    enum split_result result;

    while ((result = splitter_next(&splitter, &part, false)) != SPLIT_END) {
        size_t len = strlen(out);

        snprintf(out + len, sizeof(out) - len, "%s%u:%u %.*s|",
                 result == SPLIT_BAD_SEPARATOR ? "!" : "", part.line, part.column,
                 SLICE_ARG(part.text));
    }
    ck_assert_str_eq(out, texts[_i].parts);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, splits, streams, text);
    add_rows(cases, reports_every_bad_document, bad_streams, text);
    tcase_add_test(cases, mixes_yaml_and_json);
    tcase_add_test(cases, counts_lines_from_the_start);
    add_rows(cases, serializes_a_document, rewritten, text, index, format);
    tcase_add_test(cases, refuses_to_write_missing_documents);
    tcase_add_test(cases, refuses_misuse);
    tcase_add_test(cases, obeys_limits);
    add_rows(cases, takes_documents_apart, texts, text);
}
