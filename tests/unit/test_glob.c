/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/selector.h"

#include "unit/policies.h"
#include "unit/typed.h"

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
spell(char out[8], unsigned number, const char *letters, unsigned length)
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
        spell(glob, g, "ab*", 5);
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

/* What backtracking at each star would never finish. */
START_TEST(is_not_slowed_by_stars)
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
#define ONLY_STAR "only * stands for other characters; a pattern is no regular expression"
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

void
add_tests(TCase *cases)
{
    add_rows(cases, matches_names, matches, glob, text);
    tcase_add_test(cases, agrees_with_a_slow_matcher);
    add_rows(cases, covers_narrower_globs, covers, wide, narrow);
    tcase_add_test(cases, is_not_slowed_by_stars);
    add_rows(cases, refuses_other_characters, refused, spec);
    add_items(cases, takes_253_characters_and_no_more, globbed);
}
