/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "unit/reading.h"

static const struct {
    const char *text;
    bool is_json;
} sniffed[] = {
    {"{", true},    {" \t\r\n{\"a\":1}", true}, {"a: {}", false}, {"", false},
    {"[1]", false}, {"# {\n{}", false},
};

START_TEST(json_starts_with_a_brace)
{
    ck_assert_int_eq(document_looks_like_json(slice_from_text(sniffed[_i].text)),
                     sniffed[_i].is_json);
}
END_TEST

/* A document is a map, whatever it is written in. */
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

/* A limit weighs more than the text, the text more than what it says. */
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

START_TEST(results_are_weighed)
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

void
add_tests(TCase *cases)
{
    add_rows(cases, json_starts_with_a_brace, sniffed, text);
    add_rows(cases, reads_maps_only, documents, text);
    add_rows(cases, texts_and_keys_end_in_nul, texts, text);
    if (!gang_has_yaml())
        tcase_add_test(cases, yaml_is_refused_where_it_is_not_built_in);
    add_rows(cases, results_are_weighed, results, result);
}
