/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_POLICIES_H
#define TESTS_UNIT_POLICIES_H

#include <stdio.h>
#include <string.h>

#include "libgang/policy/policy.h"
#include "unit/lists.h"
#include "unit/suite.h"
#include "unit/typed.h"

/* kubernetes/apimachinery:pkg/util/validation/validation.go */
#define LABEL_KEY_FORM                                                                             \
    "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end "  \
    "with an "                                                                                     \
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "         \
    "validation is "                                                                               \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define LABEL_PREFIX_FORM                                                                          \
    "prefix part a lowercase RFC 1123 subdomain must consist of lower case alphanumeric "          \
    "characters, '-' or "                                                                          \
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "  \
    "for "                                                                                         \
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define LABEL_VALUE_FORM                                                                           \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and "                                                                                    \
    "must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "      \
    "'12345', "                                                                                    \
    "regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define WRITE_KEY "write the key as `name` or `prefix/name`, the prefix in lower case"
#define WRITE_VALUE "use at most 63 letters, digits, '-', '_' and '.', alphanumeric at both ends"

/*
 * What stands under `spec:` of a policy, in lines indented by two, and the one finding that is made
 * of it. The finding is expected where `^` stands, which is taken out before the text is read.
 */
struct policy_case {
    const char *spec;
    enum gang_code code;
    const char *path;
    const char *message;
    const char *hint;
};

#define POLICY_HEAD                                                                                \
    "apiVersion: policy.libgang.dev/v1alpha1\nkind: GangPolicy\nmetadata: {name: lab}\nspec:\n"
#define RULE(rest) "  rules:\n  - {name: r, " rest "}\n"
#define CONSTRAINT(rest) "  constraints:\n  - {name: c, " rest "}\n"
#define DID_YOU_MEAN(word) "did you mean \"" word "\"?"

enum { POLICY_TEXT_SIZE = 128 * 1024 };

struct policy_text {
    char text[POLICY_TEXT_SIZE];
    unsigned line; /* of the mark */
    unsigned column;
};

static inline void
policy_text_of(struct policy_text *out, const char *text)
{
    const char *mark = strchr(text, '^');
    size_t before = mark ? (size_t)(mark - text) : strlen(text);

    ck_assert_uint_lt(strlen(text), sizeof(out->text));
    snprintf(out->text, sizeof(out->text), "%.*s%s", (int)before, text, mark ? mark + 1 : "");
    out->line = 1;
    out->column = 1;
    for (size_t i = 0; i < before; i++) {
        out->line += text[i] == '\n';
        out->column = text[i] == '\n' ? 1 : out->column + 1;
    }
}

static inline void
policy_spec_of(struct policy_text *out, const char *spec)
{
    static char text[POLICY_TEXT_SIZE];

    snprintf(text, sizeof(text), "%s%s", POLICY_HEAD, *spec ? spec : "  {}\n");
    policy_text_of(out, text);
}

static inline void
print_diagnostic(const struct gang_diagnostic *finding)
{
    fprintf(stderr, "# %s %s %u:%u %s (%s)\n", gang_diagnostic_get_id(finding), finding->path,
            finding->line, finding->column, finding->message, finding->hint ? finding->hint : "-");
}

static inline void
check_diagnostic(const struct gang_diagnostic *finding, const struct policy_case *expected,
                 const struct policy_text *text)
{
    if ((int)finding->code != (int)expected->code || finding->line != text->line ||
        finding->column != text->column)
        print_diagnostic(finding);
    ck_assert_int_eq(finding->code, expected->code);
    ck_assert_str_eq(finding->path, expected->path);
    ck_assert_str_eq(finding->message, with_list(expected->message, "\"", ", "));
    ck_assert_pstr_eq(finding->hint, expected->hint);
    ck_assert_uint_eq(finding->line, text->line);
    ck_assert_uint_eq(finding->column, text->column);
    ck_assert_int_eq(finding->document, GANG_DOCUMENT_POLICY);
}

/* The whole document is refused, for this reason alone. */
static inline void
check_refused_text(const struct policy_text *text, const struct policy_case *expected)
{
    struct gang_policy *policy = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_lt(parse_policy(NULL, text->text, strlen(text->text), 0, &policy, &error), 0);
    ck_assert_ptr_null(policy);
    for (size_t i = 0;
         gang_error_num_diagnostics(error) > 1 && i < gang_error_num_diagnostics(error); i++)
        print_diagnostic(gang_error_get_diagnostic(error, i));
    ck_assert_uint_eq(gang_error_num_diagnostics(error), 1);
    ck_assert_int_eq(gang_diagnostic_get_severity(gang_error_get_diagnostic(error, 0)),
                     GANG_SEVERITY_ERROR);
    check_diagnostic(gang_error_get_diagnostic(error, 0), expected, text);
    gang_error_free(error);
}

static inline void
check_refused(const struct policy_case *expected)
{
    static struct policy_text text;

    NEEDS_YAML();
    policy_spec_of(&text, expected->spec);
    check_refused_text(&text, expected);
}

/* The policy is valid; NULL if this build reads no YAML, and the test counts as skipped. */
static inline struct gang_policy *
policy_from(const char *spec)
{
    static struct policy_text text;
    struct gang_policy *policy = NULL;
    struct gang_error *error = NULL;

    policy_spec_of(&text, spec);
    if (!gang_has_yaml())
        return skip_test(NO_YAML), NULL;
    if (parse_policy(NULL, text.text, strlen(text.text), 0, &policy, &error))
        for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
            print_diagnostic(gang_error_get_diagnostic(error, i));
    ck_assert_msg(policy != NULL, "refused:\n%s", text.text);
    return policy;
}

/* The policy is valid, and this is its only finding; code 0: none. */
static inline void
check_warned(const struct policy_case *expected)
{
    static struct policy_text text;
    struct gang_policy *policy = policy_from(expected->spec);
    const struct report *findings;

    if (!policy)
        return;
    policy_spec_of(&text, expected->spec);
    findings = &policy->document.findings;
    for (size_t i = 0; findings->count != (expected->code != 0) && i < findings->count; i++)
        print_diagnostic(&findings->items[i]);
    ck_assert_uint_eq(findings->count, expected->code != 0);
    if (expected->code) {
        ck_assert_int_eq(findings->items[0].severity, GANG_SEVERITY_WARNING);
        check_diagnostic(&findings->items[0], expected, &text);
    }
    unref_policy(policy);
}

#endif
