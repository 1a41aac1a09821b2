/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/selector.h"

#include "unit/policies.h"
#include "unit/tree.h"

static struct label_selector
selector_of(struct arena *arena, const char *text)
{
    struct report report;
    struct label_selector selector;

    report_init(&report, arena, &standard_limits);
    selector = label_selector_read(text ? tree_of(arena, text) : NULL, &report);
    ck_assert_uint_eq(report.count, 0);
    return selector;
}

#define EXPRESSION(key, operator_, values)                                                         \
    "{\"matchExpressions\":[{\"key\":\"" key "\",\"operator\":\"" operator_                        \
    "\",\"values\":[" values "]}]}"

/* kubernetes/apimachinery:pkg/labels/selector.go Requirement.Matches */
static const struct {
    const char *selector;
    const char *labels;
    bool matches;
} matches[] = {
    {NULL, NULL, true},
    {NULL, "{\"a\":\"b\"}", true},
    {"{}", NULL, true},
    {"{\"matchLabels\":{}}", "{}", true},
    {"{\"matchLabels\":{\"a\":\"b\"}}", "{\"a\":\"b\",\"c\":\"d\"}", true},
    {"{\"matchLabels\":{\"a\":\"b\"}}", "{\"a\":\"B\"}", false},
    {"{\"matchLabels\":{\"a\":\"b\"}}", "{}", false},
    {"{\"matchLabels\":{\"a\":\"b\"}}", NULL, false},
    {"{\"matchLabels\":{\"a\":\"\"}}", "{\"a\":\"\"}", true},
    {"{\"matchLabels\":{\"a\":\"\"}}", "{}", false},
    {"{\"matchLabels\":{\"a\":\"b\",\"c\":\"d\"}}", "{\"a\":\"b\"}", false},
    {EXPRESSION("a", "In", "\"x\",\"y\""), "{\"a\":\"y\"}", true},
    {EXPRESSION("a", "In", "\"x\",\"y\""), "{\"a\":\"z\"}", false},
    {EXPRESSION("a", "In", "\"x\""), "{}", false},
    {EXPRESSION("a", "NotIn", "\"x\",\"y\""), "{\"a\":\"y\"}", false},
    {EXPRESSION("a", "NotIn", "\"x\",\"y\""), "{\"a\":\"z\"}", true},
    {EXPRESSION("a", "NotIn", "\"x\""), "{}", true},
    {EXPRESSION("a", "NotIn", "\"x\""), NULL, true},
    {EXPRESSION("a", "Exists", ""), "{\"a\":\"\"}", true},
    {EXPRESSION("a", "Exists", ""), "{\"b\":\"\"}", false},
    {EXPRESSION("a", "DoesNotExist", ""), "{\"a\":\"\"}", false},
    {EXPRESSION("a", "DoesNotExist", ""), NULL, true},
    {"{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"c\",\"operator\":\"Exists\"}]"
     "}",
     "{\"a\":\"b\"}", false},
    {"{\"matchLabels\":{\"a\":\"b\"},\"matchExpressions\":[{\"key\":\"c\",\"operator\":\"Exists\"}]"
     "}",
     "{\"a\":\"b\",\"c\":\"\"}", true},
};

START_TEST(selects_as_kubernetes_does)
{
    struct arena *arena = arena_new(0);
    struct label_selector selector = selector_of(arena, matches[_i].selector);
    const struct node *labels = matches[_i].labels ? tree_of(arena, matches[_i].labels) : NULL;

    ck_assert_int_eq(label_selector_matches(&selector, labels), matches[_i].matches);
    arena_free(arena);
}
END_TEST

#define LABEL(value) "{\"matchLabels\":{\"a\":\"" value "\"}}"
#define IN(values) EXPRESSION("a", "In", values)
#define NOT_IN(values) EXPRESSION("a", "NotIn", values)
#define EXISTS EXPRESSION("a", "Exists", "")
#define ABSENT EXPRESSION("a", "DoesNotExist", "")

static const struct {
    const char *wide;
    const char *narrow;
    bool covers;
} covers[] = {
    {NULL, NULL, true},
    {NULL, LABEL("x"), true},
    {"{}", LABEL("x"), true},
    {LABEL("x"), NULL, false},
    {LABEL("x"), LABEL("x"), true},
    {LABEL("x"), LABEL("y"), false},
    {LABEL("x"), EXPRESSION("b", "In", "\"x\""), false},
    {IN("\"x\",\"y\""), LABEL("x"), true},
    {LABEL("x"), IN("\"x\",\"y\""), false},
    {IN("\"x\",\"y\",\"z\""), IN("\"z\",\"x\""), true},
    {IN("\"x\""), EXISTS, false},
    {IN("\"x\""), NOT_IN("\"y\""), false},
    {IN("\"x\""), ABSENT, false},
    {NOT_IN("\"x\""), ABSENT, true},
    {NOT_IN("\"x\""), LABEL("y"), true},
    {NOT_IN("\"x\""), IN("\"x\",\"y\""), false},
    {NOT_IN("\"x\""), NOT_IN("\"x\",\"y\""), true},
    {NOT_IN("\"x\",\"y\""), NOT_IN("\"x\""), false},
    {NOT_IN("\"x\""), EXISTS, false},
    {EXISTS, LABEL("x"), true},
    {EXISTS, EXISTS, true},
    {EXISTS, NOT_IN("\"x\""), false},
    {EXISTS, ABSENT, false},
    {ABSENT, ABSENT, true},
    {ABSENT, NOT_IN("\"x\""), false},
    {ABSENT, LABEL("x"), false},
    {LABEL("x"), "{\"matchLabels\":{\"a\":\"x\",\"b\":\"y\"}}", true},
    {"{\"matchLabels\":{\"a\":\"x\",\"b\":\"y\"}}", LABEL("x"), false},
};

START_TEST(knows_narrower_selectors)
{
    struct arena *arena = arena_new(0);
    struct label_selector wide = selector_of(arena, covers[_i].wide);
    struct label_selector narrow = selector_of(arena, covers[_i].narrow);

    ck_assert_int_eq(label_selector_covers(&wide, &narrow), covers[_i].covers);
    arena_free(arena);
}
END_TEST

START_TEST(counts_what_it_lists)
{
    struct arena *arena = arena_new(0);
    struct label_selector none = selector_of(arena, NULL);
    struct label_selector several =
        selector_of(arena, "{\"matchLabels\":{\"a\":\"x\",\"b\":\"y\"},\"matchExpressions\":["
                           "{\"key\":\"c\",\"operator\":\"In\",\"values\":[\"1\",\"2\",\"3\"]},"
                           "{\"key\":\"d\",\"operator\":\"Exists\"}]}");

    ck_assert_uint_eq(label_selector_entries(&none), 0);
    ck_assert_uint_eq(label_selector_entries(&several), 6);
    several =
        selector_of(arena, "{\"matchExpressions\":["
                           "{\"key\":\"c\",\"operator\":\"NotIn\",\"values\":[\"1\",\"2\"]}]}");
    ck_assert_uint_eq(label_selector_entries(&several), 2);
    arena_free(arena);
}
END_TEST

#define SELECTOR(text) RULE("match: {trainJobSelector: " text "}")
#define ONE(text) SELECTOR("{matchExpressions: [{" text "}]}")
#define AT "spec.rules[0].match.trainJobSelector"
#define FIRST AT ".matchExpressions[0]"

/* kubernetes/apimachinery:pkg/apis/meta/v1/validation/validation.go,
 * ValidateLabelSelectorRequirement */
static const struct policy_case refused[] = {
    {SELECTOR("{matchExpressions: [^{key: a, operator: In}]}"), GANG_CODE_REQUIRED_FIELD,
     FIRST ".values", "Required value: must be specified when `operator` is 'In' or 'NotIn'", NULL},
    {ONE("key: a, operator: NotIn, values: ^[]"), GANG_CODE_REQUIRED_FIELD, FIRST ".values",
     "Required value: must be specified when `operator` is 'In' or 'NotIn'", NULL},
    {ONE("key: a, operator: Exists, values: ^[b]"), GANG_CODE_SETTING_NEVER_ACTS, FIRST ".values",
     "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
     "remove the values"},
    {ONE("key: a, operator: DoesNotExist, values: ^[b]"), GANG_CODE_SETTING_NEVER_ACTS,
     FIRST ".values",
     "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
     "remove the values"},
    {ONE("key: a, operator: ^exists"), GANG_CODE_UNSUPPORTED_VALUE, FIRST ".operator",
     "Unsupported value: \"exists\": supported values: \"In\", \"NotIn\", \"Exists\", "
     "\"DoesNotExist\"",
     DID_YOU_MEAN("Exists")},
    {ONE("key: ^Example.com/a, operator: Exists"), GANG_CODE_INVALID_LABEL_KEY, FIRST ".key",
     "Invalid value: \"Example.com/a\": " LABEL_PREFIX_FORM, NULL},
    {ONE("key: ^-a, operator: Exists"), GANG_CODE_INVALID_LABEL_KEY, FIRST ".key",
     "Invalid value: \"-a\": " LABEL_KEY_FORM, NULL},
    {ONE("key: a, operator: In, values: [b, ^-b]"), GANG_CODE_INVALID_LABEL_VALUE,
     FIRST ".values[1]", "Invalid value: \"-b\": " LABEL_VALUE_FORM, NULL},
    {SELECTOR("{matchExpressions: [^{operator: Exists}]}"), GANG_CODE_REQUIRED_FIELD, FIRST ".key",
     "Required value", NULL},
    {SELECTOR("{matchExpressions: [^{key: a}]}"), GANG_CODE_REQUIRED_FIELD, FIRST ".operator",
     "Required value", NULL},
    {ONE("key: a, operator: Exists, ^vlaues: [b]"), GANG_CODE_UNKNOWN_FIELD, FIRST ".vlaues",
     "unknown field \"" FIRST ".vlaues\"", DID_YOU_MEAN("values")},
    {ONE("key: a, operator: In, values: [^1]"), GANG_CODE_WRONG_TYPE, FIRST ".values[0]",
     "Invalid value: 1: must be of type string: \"integer\"", "put the value in quotes"},
    {SELECTOR("{^matchLabel: {a: b}}"), GANG_CODE_UNKNOWN_FIELD, AT ".matchLabel",
     "unknown field \"" AT ".matchLabel\"", DID_YOU_MEAN("matchLabels")},
    {SELECTOR("{matchLabels: {^-a: b}}"), GANG_CODE_INVALID_LABEL_KEY, AT ".matchLabels[-a]",
     "Invalid value: \"-a\": " LABEL_KEY_FORM, WRITE_KEY},
    {SELECTOR("{matchLabels: {a: ^-b}}"), GANG_CODE_INVALID_LABEL_VALUE, AT ".matchLabels[a]",
     "Invalid value: \"-b\": " LABEL_VALUE_FORM, WRITE_VALUE},
    {SELECTOR("{matchLabels: {a: ^yes}}"), GANG_CODE_WRONG_TYPE, AT ".matchLabels[a]",
     "Invalid value: true: must be of type string: \"boolean\"", "put the value in quotes"},
    {SELECTOR("{matchLabels: {a: ^null}}"), GANG_CODE_NULL_VALUE, AT ".matchLabels[a]",
     "Invalid value: null: must be of type string: \"null\"", NULL},
    {SELECTOR("^[a]"), GANG_CODE_WRONG_TYPE, AT,
     "Invalid value: [...]: must be of type object: \"array\"",
     "write it as {matchLabels: {KEY: VALUE}}"},
};

START_TEST(refuses_what_kubernetes_refuses)
{
    check_refused(&refused[_i]);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, selects_as_kubernetes_does, matches, selector);
    add_rows(cases, knows_narrower_selectors, covers, wide, narrow);
    tcase_add_test(cases, counts_what_it_lists);
    add_rows(cases, refuses_what_kubernetes_refuses, refused, spec);
}
