/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

#include "libgang/document/finding.h"
#include "unit/suite.h"

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
            find_note(&call->report, wanted_codes[i], sample->name, NULL, "finding %d", i);
}

static const struct document_kind sample_kind = {
    .type = GANG_DOCUMENT_RUNTIME, .size = sizeof(struct sample), .compile = sample_compile};

static struct parse_input
input_of(const char *text)
{
    return (struct parse_input){
        .data = text, .len = strlen(text), .has_out = true, .kinds = &sample_kind, .num_kinds = 1};
}

static int
parse(const struct parse_input *input, struct sample **out, struct gang_error **err)
{
    struct gang_document *document =
        (struct gang_document *)&wanted_codes; /* must be overwritten */
    int result = document_parse(input, &document, err);

    *out = input->has_out ? (struct sample *)document : NULL;
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
                                      .num_kinds = 1,
                                      .has_out = misuses[_i].has_out};
    struct gang_error *error = NULL;
    struct sample *sample;

    ck_assert_int_eq(parse(&input, &sample, &error), misuses[_i].result);
    ck_assert_ptr_null(sample);
    ck_assert_int_eq(gang_error_get_code(error), misuses[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     GANG_CODE_API_MISUSE);
    gang_error_free(error);
    ck_assert_int_eq(parse(&input, &sample, NULL), misuses[_i].result);
}
END_TEST

/* Texts that are no document at all; NULL of no length is an empty one. */
static const struct {
    const char *text;
    int result;
    enum gang_code code;
} texts[] = {
    {"", GANG_ERROR_SYNTAX, GANG_CODE_EMPTY_DOCUMENT},
    {NULL, GANG_ERROR_SYNTAX, GANG_CODE_EMPTY_DOCUMENT},
    {"{\"a\": 1", GANG_ERROR_SYNTAX, GANG_CODE_SYNTAX},
    {"{\"a\": 1, \"a\": 1}", GANG_ERROR_SYNTAX, GANG_CODE_DUPLICATE_KEY},
};

START_TEST(what_is_no_document_is_refused)
{
    const struct parse_input input = {.data = texts[_i].text,
                                      .len = texts[_i].text ? strlen(texts[_i].text) : 0,
                                      .kinds = &sample_kind,
                                      .num_kinds = 1,
                                      .has_out = true};
    struct gang_error *error = NULL;
    struct sample *sample;

    if (!texts[_i].text || !texts[_i].text[0])
        NEEDS_YAML();
    ck_assert_int_eq(parse(&input, &sample, &error), texts[_i].result);
    ck_assert_ptr_null(sample);
    ck_assert_int_eq(gang_error_get_code(error), texts[_i].result);
    ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                     (int)texts[_i].code);
    gang_error_free(error);
}
END_TEST

/*
 * Which findings refuse the document at once, and which leave it to a policy. The result is a limit
 * before the text before what it says.
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

START_TEST(findings_that_refuse_and_that_wait)
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
    tcase_add_test(cases, a_good_document_gives_a_handle);
    tcase_add_test(cases, the_text_is_copied);
    add_rows(cases, misuse_is_refused, misuses, data, len, flags);
    add_rows(cases, what_is_no_document_is_refused, texts, text);
    add_rows(cases, findings_that_refuse_and_that_wait, findings, flags);
    tcase_add_test(cases, memory_is_limited);
    tcase_add_test(cases, null_handles_are_accepted);
}
