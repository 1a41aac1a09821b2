/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/policy/policy.h"

#include "unit/policies.h"
#include "unit/resolutions.h"
#include "unit/tree.h"
#include "unit/typed.h"

/* ---- glob ---- */

static const struct {
    const char *glob;
    const char *text;
    bool matches;
} matches[] = {
    {"team-a", "team-a", true},
    {"team-a", "team-b", false},
    {"team-a", "team-", false},
    {"team-a", "team-ab", false},
    {"team-a", "Team-a", false},
    {"*", "", true},
    {"*", "anything", true},
    {"**", "", true},
    {"***", "x", true},
    {"kube-*", "kube-system", true},
    {"kube-*", "kube-", true},
    {"kube-*", "kube", false},
    {"kube-*", "my-kube-system", false},
    {"*-system", "kube-system", true},
    {"*-system", "-system", true},
    {"*-system", "system", false},
    {"*-system", "kube-systems", false},
    {"a*b", "ab", true},
    {"a*b", "axxb", true},
    {"a*b", "axxbx", false},
    {"a*b", "a", false},
    {"a*a", "a", false},
    {"a*a", "aa", true},
    {"*a*", "xay", true},
    {"*a*", "xy", false},
    {"*a*a*", "xay", false},
    {"*a*a*", "xaya", true},
    {"*ab*b", "abb", true},
    {"*ab*b", "ab", false},
    {"*ab*b", "aab", false},
    {"*aab*", "aaab", true},
    {"a**b", "ab", true},
    {"torch-*-distributed", "torch-v2-distributed", true},
    {"torch-*-distributed", "torch-distributed", false},
    {"a.b", "axb", false},
    {"[ab]", "a", false},
    {"", "", true},
    {"", "a", false},
};

START_TEST(matches_names)
{
    ck_assert_msg(glob_matches(slice_from_text(matches[_i].glob),
                               slice_from_text(matches[_i].text)) == matches[_i].matches,
                  "\"%s\" and \"%s\"", matches[_i].glob, matches[_i].text);
}
END_TEST

/* Every text over three letters up to six long, against a matcher that tries everything. */
static bool
matches_slowly(const char *glob, const char *text)
{
    if (!*glob)
        return !*text;
    if (*glob == '*')
        return matches_slowly(glob + 1, text) || (*text && matches_slowly(glob, text + 1));
    return *glob == *text && matches_slowly(glob + 1, text + 1);
}

static void
spell_glob(char out[8], unsigned number, const char *letters, unsigned length)
{
    for (unsigned i = 0; i < length; i++, number /= 3)
        out[i] = letters[number % 3];
    out[length] = '\0';
}

START_TEST(agrees_with_a_slow_matcher)
{
    char glob[8];
    char text[8];

    for (unsigned g = 0; g < 243; g++) {
        spell_glob(glob, g, "ab*", 5);
        for (unsigned length = 0; length <= 6; length++)
            for (unsigned t = 0; t < (1u << length); t++) {
                for (unsigned i = 0; i < length; i++)
                    text[i] = (t >> i) & 1 ? 'b' : 'a';
                text[length] = '\0';
                ck_assert_msg(glob_matches(slice_from_text(glob), slice_from_text(text)) ==
                                  matches_slowly(glob, text),
                              "\"%s\" and \"%s\"", glob, text);
            }
    }
}
END_TEST

static const struct {
    const char *wide;
    const char *narrow;
    bool covers;
} covers[] = {
    {"*", "*", true},           {"*", "team-*", true},
    {"team-*", "team-a", true}, {"team-*", "team-a-*", true},
    {"team-*", "*", false},     {"team-a", "team-*", false},
    {"team-a", "team-a", true}, {"*-a", "team-*-a", true},
    {"*-a", "team-*", false},   {"a*b*c", "a*bb*c", true},
    {"a*b*c", "a*c", false},    {"a*", "a**", true},
    {"a**", "a*", true},
};

START_TEST(covers_narrower_globs)
{
    ck_assert_msg(glob_covers(slice_from_text(covers[_i].wide),
                              slice_from_text(covers[_i].narrow)) == covers[_i].covers,
                  "\"%s\" and \"%s\"", covers[_i].wide, covers[_i].narrow);
}
END_TEST

/* Whether the name that matches both is at most `rest` characters longer. */
static bool
meet_slowly(const char *a, const char *b, unsigned rest)
{
    char text[8] = "";

    for (unsigned length = 0; length <= rest; length++)
        for (unsigned t = 0; t < (1u << length); t++) {
            for (unsigned i = 0; i < length; i++)
                text[i] = (t >> i) & 1 ? 'b' : 'a';
            text[length] = '\0';
            if (matches_slowly(a, text) && matches_slowly(b, text))
                return true;
        }
    return false;
}

/* Two globs of up to three characters have a common name of up to five, if any. */
START_TEST(finds_whether_globs_meet)
{
    char a[8];
    char b[8];

    for (unsigned i = 0; i < 4 * 27; i++)
        for (unsigned j = 0; j < 4 * 27; j++) {
            spell_glob(a, i / 4, "ab*", i % 4);
            spell_glob(b, j / 4, "ab*", j % 4);
            ck_assert_msg(globs_meet(slice_from_text(a), slice_from_text(b)) ==
                              meet_slowly(a, b, 6),
                          "\"%s\" and \"%s\"", a, b);
        }
}
END_TEST

/* What backtracking at each star would never finish. */
START_TEST(many_stars_are_fast)
{
    static char glob[GLOB_LONGEST + 1];
    static char text[256 * 1024 + 1];

    for (size_t i = 0; i + 1 < GLOB_LONGEST; i += 2)
        memcpy(glob + i, "*a", 2);
    glob[GLOB_LONGEST - 1] = 'b';
    memset(text, 'a', sizeof(text) - 1);
    ck_assert(!glob_matches(slice_from_text(glob), slice_from_text(text)));
    text[sizeof(text) - 2] = 'b';
    ck_assert(glob_matches(slice_from_text(glob), slice_from_text(text)));
}
END_TEST

#define LETTERS(others) "must consist of lower case alphanumeric characters, " others
#define ONLY_STAR "only * matches other characters; a pattern is not a regular expression"
#define NAMESPACES(glob) RULE("match: {namespaces: [" glob "]}")
#define RUNTIMES(glob) RULE("match: {runtimes: [" glob "]}")
#define AT "spec.rules[0].match."

static const struct policy_case refused[] = {
    {NAMESPACES("^team-?"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"team-?\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("a, ^'team-[ab]'"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[1]",
     "Invalid value: \"team-[ab]\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^Team-A"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"Team-A\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^team.a"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"team.a\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^'a b'"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"a b\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^''"), GANG_CODE_REQUIRED_FIELD, AT "namespaces[0]",
     "Invalid value: \"\": must be at least 1 character long", NULL},
    {NAMESPACES("^'a`'"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"a`\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^'a{'"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"a{\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^\"a\\0\""), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"a\\x00\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {NAMESPACES("^a/"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"a/\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {RUNTIMES("^'a:'"), GANG_CODE_GLOB_SYNTAX, AT "runtimes[0]",
     "Invalid value: \"a:\": " LETTERS("'-', '.' or '*'"), ONLY_STAR},
    {RUNTIMES("a.b-0*9z, ^a+"), GANG_CODE_GLOB_SYNTAX, AT "runtimes[1]",
     "Invalid value: \"a+\": " LETTERS("'-', '.' or '*'"), ONLY_STAR},
    {NAMESPACES("^'?a'"), GANG_CODE_GLOB_SYNTAX, AT "namespaces[0]",
     "Invalid value: \"?a\": " LETTERS("'-' or '*'"), ONLY_STAR},
    {RUNTIMES("^torch_1"), GANG_CODE_GLOB_SYNTAX, AT "runtimes[0]",
     "Invalid value: \"torch_1\": " LETTERS("'-', '.' or '*'"), ONLY_STAR},
    {RUNTIMES("^'torch-(a|b)'"), GANG_CODE_GLOB_SYNTAX, AT "runtimes[0]",
     "Invalid value: \"torch-(a|b)\": " LETTERS("'-', '.' or '*'"), ONLY_STAR},
};

START_TEST(refuses_other_characters)
{
    check_refused(&refused[_i]);
}
END_TEST

static const char *const globbed[] = {"namespaces", "runtimes"};

START_TEST(takes_253_characters_and_no_more)
{
    static char spec[1024];
    static char path[128];
    char glob[GLOB_LONGEST + 2];
    struct policy_case expected = {spec, GANG_CODE_LIMIT_GLOB, path,
                                   "Too long: may not be more than 253 characters", NULL};

    memset(glob, 'a', sizeof(glob));
    snprintf(path, sizeof(path), AT "%s[0]", globbed[_i]);
    snprintf(spec, sizeof(spec), "  rules:\n  - {name: r, match: {%s: [%.*s]}}\n", globbed[_i],
             GLOB_LONGEST, glob);
    unref_policy(policy_from(spec));
    snprintf(spec, sizeof(spec), "  rules:\n  - {name: r, match: {%s: [^%.*s]}}\n", globbed[_i],
             GLOB_LONGEST + 1, glob);
    check_refused(&expected);
}
END_TEST

/* ---- label selector ---- */

static struct label_selector
selector_of(struct arena *arena, const char *text)
{
    struct report report;
    struct schema_reader reader = {arena, &report, NULL};
    struct label_selector selector = {.source = NULL};

    report_init(&report, arena, &standard_limits);
    if (text)
        label_selector_read(NULL, tree_of(arena, text), &selector, &reader);
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
} matches_of_label_selector[] = {
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

START_TEST(selects_like_kubernetes)
{
    struct arena *arena = arena_new(0);
    struct label_selector selector = selector_of(arena, matches_of_label_selector[_i].selector);
    const struct node *labels = matches_of_label_selector[_i].labels
                                    ? tree_of(arena, matches_of_label_selector[_i].labels)
                                    : NULL;

    ck_assert_int_eq(label_selector_matches(&selector, labels),
                     matches_of_label_selector[_i].matches);
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
} covers_of_label_selector[] = {
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
    struct label_selector wide = selector_of(arena, covers_of_label_selector[_i].wide);
    struct label_selector narrow = selector_of(arena, covers_of_label_selector[_i].narrow);

    ck_assert_int_eq(label_selector_covers(&wide, &narrow), covers_of_label_selector[_i].covers);
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
#define LABEL_SELECTOR_AT "spec.rules[0].match.trainJobSelector"
#define FIRST LABEL_SELECTOR_AT ".matchExpressions[0]"

/* kubernetes/apimachinery:pkg/apis/meta/v1/validation/validation.go,
 * ValidateLabelSelectorRequirement */
static const struct policy_case refused_of_label_selector[] = {
    {SELECTOR("{matchExpressions: [^{key: a, operator: In}]}"), GANG_CODE_REQUIRED_FIELD,
     FIRST ".values", "Required value: must be specified when `operator` is 'In' or 'NotIn'", NULL},
    {ONE("key: a, operator: NotIn, values: ^[]"), GANG_CODE_REQUIRED_FIELD, FIRST ".values",
     "Required value: must be specified when `operator` is 'In' or 'NotIn'", NULL},
    {ONE("key: a, operator: Exists, values: ^[b]"), GANG_CODE_SETTING_WITHOUT_EFFECT,
     FIRST ".values",
     "Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
     "remove the values"},
    {ONE("key: a, operator: DoesNotExist, values: ^[b]"), GANG_CODE_SETTING_WITHOUT_EFFECT,
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
    {SELECTOR("{^matchLabel: {a: b}}"), GANG_CODE_UNKNOWN_FIELD, LABEL_SELECTOR_AT ".matchLabel",
     "unknown field \"" LABEL_SELECTOR_AT ".matchLabel\"", DID_YOU_MEAN("matchLabels")},
    {SELECTOR("{matchLabels: {^-a: b}}"), GANG_CODE_INVALID_LABEL_KEY,
     LABEL_SELECTOR_AT ".matchLabels[-a]", "Invalid value: \"-a\": " LABEL_KEY_FORM, WRITE_KEY},
    {SELECTOR("{matchLabels: {a: ^-b}}"), GANG_CODE_INVALID_LABEL_VALUE,
     LABEL_SELECTOR_AT ".matchLabels[a]", "Invalid value: \"-b\": " LABEL_VALUE_FORM, WRITE_VALUE},
    {SELECTOR("{matchLabels: {a: ^yes}}"), GANG_CODE_WRONG_TYPE,
     LABEL_SELECTOR_AT ".matchLabels[a]",
     "Invalid value: true: must be of type string: \"boolean\"", "put the value in quotes"},
    {SELECTOR("{matchLabels: {a: ^null}}"), GANG_CODE_NULL_VALUE,
     LABEL_SELECTOR_AT ".matchLabels[a]", "Invalid value: null: must be of type string: \"null\"",
     NULL},
    {SELECTOR("^[a]"), GANG_CODE_WRONG_TYPE, LABEL_SELECTOR_AT,
     "Invalid value: [...]: must be of type object: \"array\"",
     "write it as {matchLabels: {KEY: VALUE}}"},
};

START_TEST(refuses_what_kubernetes_refuses)
{
    check_refused(&refused_of_label_selector[_i]);
}
END_TEST

/* ---- rule filter ---- */

/* One rule, and whether it is ruled out at a glance for a job with these names, nodes and labels.
 */
static const struct filter_case {
    const char *match;
    const char *namespace_, *runtime, *framework; /* NULL: unset */
    int64_t nodes;
    bool is_managed, has_labels;
    bool passes;
} filters[] = {
    {"", "ml", "tune", NULL, 1, false, false, true},
    /* Whole names, by their end: the shortest, the longest, and one that only starts or ends alike.
     */
    {"'namespaces':['ml']", "ml", "t", NULL, 1, false, false, true},
    {"'namespaces':['ml']", "nl", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml']", "a-ml", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml']", "mla", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefgh']", "abcdefgh", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefgh']", "bcdefgh", "t", NULL, 1, false, false, false},
    {"'namespaces':['team-of-many-1']", "team-of-many-1", "t", NULL, 1, false, false, true},
    {"'namespaces':['team-of-many-1']", "team-of-many-2", "t", NULL, 1, false, false, false},
    /* Starts, by the last word that they reach into. */
    {"'namespaces':['m*']", "ml", "t", NULL, 1, false, false, true},
    {"'namespaces':['m*']", "nl", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefgh*']", "abcdefgh", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefgh*']", "abcdefgx", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefghi*']", "abcdefghij", "t", NULL, 1, false, false, true},
    {"'namespaces':['abcdefghi*']", "abcdefghjj", "t", NULL, 1, false, false, false},
    {"'namespaces':['abcdefghi*']", "abcdefgh", "t", NULL, 1, false, false, false},
    {"'namespaces':['ml-research-team-7-*']", "ml-research-team-7-a", "t", NULL, 1, false, false,
     true},
    {"'namespaces':['ml-research-team-7-*']", "ml-research-team-8-a", "t", NULL, 1, false, false,
     false},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvwxyz1", "t", NULL, 1,
     false, false, true},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvwx", "t", NULL, 1,
     false, false, true},
    {"'namespaces':['abcdefghijklmnopqrstuvwxyz*']", "abcdefghijklmnopqrstuvw", "t", NULL, 1, false,
     false, false},
    /* Ends. */
    {"'namespaces':['*-prod']", "a-prod", "t", NULL, 1, false, false, true},
    {"'namespaces':['*-prod']", "a-prox", "t", NULL, 1, false, false, false},
    {"'namespaces':['*-prod']", "prod", "t", NULL, 1, false, false, false},
    {"'namespaces':['a*-production']", "a-production", "t", NULL, 1, false, false, true},
    {"'namespaces':['a*-production']", "a-productiom", "t", NULL, 1, false, false, false},
    {"'namespaces':['*']", "anything", "t", NULL, 1, false, false, true},
    {"'namespaces':['*a*']", "xyz", "t", NULL, 1, false, false, true},
    /* Either of two; of three nothing is known. */
    {"'namespaces':['a','b']", "a", "t", NULL, 1, false, false, true},
    {"'namespaces':['a','b']", "b", "t", NULL, 1, false, false, true},
    {"'namespaces':['a','b']", "c", "t", NULL, 1, false, false, false},
    {"'namespaces':['a','b','c']", "d", "t", NULL, 1, false, false, true},
    /* Without a namespace nothing is ruled out. */
    {"'namespaces':['ml']", NULL, "t", NULL, 1, false, false, true},
    {"'minNodes':9", NULL, "t", NULL, 1, false, false, true},
    /* Runtimes and frameworks, where no namespace is asked for. */
    {"'runtimes':['torch-*']", "ml", "torch-small", NULL, 1, false, false, true},
    {"'runtimes':['torch-*']", "ml", "tune", NULL, 1, false, false, false},
    {"'frameworks':['mpi']", "ml", "t", "mpi", 1, false, false, true},
    {"'frameworks':['mpi']", "ml", "t", "torch", 1, false, false, false},
    {"'frameworks':['mpi']", "ml", "t", NULL, 1, false, false, false},
    {"'frameworks':['mpi','torch']", "ml", "t", "torch", 1, false, false, true},
    {"'frameworks':['a','b','c']", "ml", "t", "torch", 1, false, false, true},
    /* Numbers, Kueue and labels. */
    {"'minNodes':2", "ml", "t", NULL, 1, false, false, false},
    {"'minNodes':2", "ml", "t", NULL, 2, false, false, true},
    {"'maxNodes':2", "ml", "t", NULL, 2, false, false, true},
    {"'maxNodes':2", "ml", "t", NULL, 3, false, false, false},
    {"'kueue':'Managed'", "ml", "t", NULL, 1, false, false, false},
    {"'kueue':'Managed'", "ml", "t", NULL, 1, true, false, true},
    {"'kueue':'Unmanaged'", "ml", "t", NULL, 1, true, false, false},
    {"'kueue':'Unmanaged'", "ml", "t", NULL, 1, false, false, true},
    {"'trainJobSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, false, false},
    {"'trainJobSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, true, true},
    {"'objectSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, false, false},
    {"'objectSelector':{'matchLabels':{'a':'b'}}", "ml", "t", NULL, 1, false, true, true},
    {"'kinds':['TrainJob','Job']", "ml", "t", NULL, 1, false, false, true},
    {"'kinds':['*']", "ml", "t", NULL, 1, false, false, true},
    {"'kinds':['Job']", "ml", "t", NULL, 1, false, false, false},
    {"'podGangSelector':{}", "ml", "t", NULL, 1, false, false, false},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'Exists'}]}", "ml", "t", NULL,
     1, false, false, false},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'DoesNotExist'}]}", "ml", "t",
     NULL, 1, false, false, true},
    {"'trainJobSelector':{'matchExpressions':[{'key':'a','operator':'NotIn','values':['b']}]}",
     "ml", "t", NULL, 1, false, false, true},
};

static struct gang_policy *
policy_with(const char *match)
{
    char spec[RESOLUTION_SLOT_SIZE];
    char text[DOCUMENT_SIZE];
    struct gang_policy *policy = NULL;

    snprintf(spec, sizeof(spec),
             "'rules':[{'name':'first','match':{'namespaces':['never'],'minNodes':1000}},{'name':'"
             "r','match':"
             "{%s}},"
             "{'name':'last','match':{}}]",
             match);
    resolution_write(RESOLUTION_POLICY, spec, text);
    ck_assert_int_eq(parse_policy(NULL, text, strlen(text), 0, &policy, NULL), GANG_OK);
    return policy;
}

START_TEST(filter_excludes_rules_that_cannot_match)
{
    const struct filter_case *row = &filters[_i];
    struct gang_policy *policy = policy_with(row->match);
    struct rule_keys keys = {.nodes = row->nodes,
                             .is_managed = row->is_managed,
                             .has_labels = row->has_labels,
                             .has_namespace = row->namespace_ != NULL,
                             .kinds = JOB_KINDS_TRAINER};

    rule_keys_name(&keys, slice_from_text(row->namespace_), slice_from_text(row->runtime),
                   slice_from_text(row->framework));
    ck_assert_uint_eq(rule_filters_next(policy->filters, 1, 3, &keys), row->passes ? 1 : 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 1, 2, &keys), row->passes ? 1 : 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 2, 3, &keys), 2);
    ck_assert_uint_eq(rule_filters_next(policy->filters, 3, 3, &keys), 3);
    if (row->namespace_)
        ck_assert_uint_eq(rule_filters_next(policy->filters, 0, 3, &keys), row->passes ? 1 : 2);
    unref_policy(policy);
}
END_TEST

/* Names and globs of two letters, all of them: what matches is never ruled out. */
START_TEST(matching_rules_pass_the_filter)
{
    static const char letters[] = "ab-*";
    static const char *const names[] = {
        "a",          "b",           "ab",
        "a-b",        "aaaaaaaa",    "aaaaaaab",
        "aaaaaaaaab", "b-a-b-a-b-a", "abababababababababababababab"};

    for (int n = 0; n < 256; n++) {
        char glob[] = {letters[n & 3], letters[n >> 2 & 3], letters[n >> 4 & 3], letters[n >> 6],
                       '\0'};
        struct slice text = {glob, (size_t)(1 + _i)};
        struct policy_rule rule = {.match = {.kinds = JOB_KINDS_ALL, .namespaces = {&text, 1}}};
        struct arena *arena = arena_new(0);
        const struct rule_filter *filter = rule_filters_make(&rule, 1, arena);

        for (size_t i = 0; i < ITEMS_OF(names); i++) {
            struct rule_keys keys = {.has_namespace = true, .kinds = JOB_KINDS_TRAINER};

            rule_keys_name(&keys, slice_from_text(names[i]), SLICE("t"), NO_SLICE);
            if (glob_matches(text, slice_from_text(names[i])))
                ck_assert_msg(rule_filters_next(filter, 0, 1, &keys) == 0, "%.*s %s",
                              SLICE_ARG(text), names[i]);
        }
        arena_free(arena);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, matches_names, matches, glob, text);
    tcase_add_test(cases, agrees_with_a_slow_matcher);
    add_rows(cases, covers_narrower_globs, covers, wide, narrow);
    tcase_add_test(cases, finds_whether_globs_meet);
    tcase_add_test(cases, many_stars_are_fast);
    add_rows(cases, refuses_other_characters, refused, spec);
    add_items(cases, takes_253_characters_and_no_more, globbed);
    add_rows(cases, selects_like_kubernetes, matches_of_label_selector, selector);
    add_rows(cases, knows_narrower_selectors, covers_of_label_selector, wide, narrow);
    tcase_add_test(cases, counts_what_it_lists);
    add_rows(cases, refuses_what_kubernetes_refuses, refused_of_label_selector, spec);
    add_rows(cases, filter_excludes_rules_that_cannot_match, filters, match, namespace_, runtime);
    tcase_add_loop_test(cases, matching_rules_pass_the_filter, 0, 4);
}
