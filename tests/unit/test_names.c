/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

#include "unit/suite.h"

#define A63 "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define A253 A63 A63 A63 A63 "a"

#define LABEL NAME_DNS1123_LABEL
#define SUBDOMAIN NAME_DNS1123_SUBDOMAIN
#define DNS1035 NAME_DNS1035_LABEL
#define VALUE NAME_LABEL_VALUE
#define KEY NAME_QUALIFIED
#define NOTE_KEY NAME_ANNOTATION_KEY
#define PATH NAME_DOMAIN_PREFIXED_PATH

/* Out of the tables of kubernetes/apimachinery's own tests. */
static const struct {
    enum name_rule rule;
    const char *name;
} good[] = {
    {LABEL, "a"},
    {LABEL, "0"},
    {LABEL, "ab1"},
    {LABEL, "a--1--2--b"},
    {LABEL, "1-a"},
    {LABEL, "0-0"},
    {LABEL, A63},
    {SUBDOMAIN, "a"},
    {SUBDOMAIN, "a.b-c.0"},
    {SUBDOMAIN, "a--1--2--b"},
    {SUBDOMAIN, A63 "a"},
    {SUBDOMAIN, A253},
    {DNS1035, "a"},
    {DNS1035, "a1"},
    {DNS1035, "a--1--2--b"},
    {DNS1035, A63},
    {VALUE, ""},
    {VALUE, "1"},
    {VALUE, "A"},
    {VALUE, "simple"},
    {VALUE, "now-with-dashes"},
    {VALUE, "1.2_3-4"},
    {VALUE, "Uppercase_Is_OK_123"},
    {VALUE, A63},
    {KEY, "simple"},
    {KEY, "now-with-dashes"},
    {KEY, "1-starts-with-num"},
    {KEY, "1234"},
    {KEY, "simple/simple"},
    {KEY, "now-with-dashes/simple"},
    {KEY, "now.with.dots/simple"},
    {KEY, "now-with.dashes-and.dots/simple"},
    {KEY, "1-num.2-num/3-num"},
    {KEY, "1234/5678"},
    {KEY, "1.2.3.4/5678"},
    {KEY, "Uppercase_Is_OK_123"},
    {KEY, "example.com/Uppercase_Is_OK_123"},
    {KEY, A63},
    {KEY, A253 "/" A63},
    {NOTE_KEY, "Example.com/abc"},
    {NOTE_KEY, "EXAMPLE.COM/ABC"},
    {NOTE_KEY, "example.com/abc"},
    {NOTE_KEY, A253 "/" A63},
    {PATH, "acme.io/foo"},
    {PATH, "kueue.x-k8s.io/multikueue"},
    {PATH, "a/b"},
    {PATH, "a.b/c/d"},
    {PATH, "a/~!$&'()*+,;=:%20-._"},
};

START_TEST(accepts)
{
    struct name_problems problems;

    ck_assert(name_is_valid(good[_i].rule, slice_from_text(good[_i].name)));
    ck_assert(name_check(good[_i].rule, slice_from_text(good[_i].name), &problems));
    ck_assert_uint_eq(problems.count, 0);
}
END_TEST

#define LABEL_FORM                                                                                 \
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "   \
    "must start "                                                                                  \
    "and "                                                                                         \
    "end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for "           \
    "validation is "                                                                               \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
#define SUBDOMAIN_FORM                                                                             \
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "   \
    "'.', and "                                                                                    \
    "must "                                                                                        \
    "start and end with an alphanumeric character (e.g. 'example.com', regex used for validation " \
    "is "                                                                                          \
    "'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
#define DNS1035_FORM                                                                               \
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an "   \
    "alphabetic "                                                                                  \
    "character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex "     \
    "used for "                                                                                    \
    "validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
#define VALUE_FORM                                                                                 \
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or "    \
    "'.', and "                                                                                    \
    "must "                                                                                        \
    "start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', "  \
    "regex used "                                                                                  \
    "for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
#define KEY_FORM                                                                                   \
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "    \
    "alphanumeric "                                                                                \
    "character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is "        \
    "'([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
#define SLASHES                                                                                    \
    "a valid label key " KEY_FORM " with an optional DNS subdomain prefix and '/' (e.g. "          \
    "'example.com/MyName')"
#define NO_DOTS "must not contain dots"
#define PREFIX_FORM "prefix part " SUBDOMAIN_FORM
#define NAME_FORM "name part " KEY_FORM
#define NAME_EMPTY "name part must be non-empty"
#define PATH_WANTED "must be a domain-prefixed path (such as \"acme.io/foo\")"
#define PATH_FORM "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')"

static const struct {
    enum name_rule rule;
    const char *name;
    const char *problems[NAME_MOST_PROBLEMS];
} bad[] = {
    {LABEL, "", {LABEL_FORM}},
    {LABEL, "A", {LABEL_FORM}},
    {LABEL, "aBc", {LABEL_FORM}},
    {LABEL, "-", {LABEL_FORM}},
    {LABEL, "-a", {LABEL_FORM}},
    {LABEL, "a-", {LABEL_FORM}},
    {LABEL, "_", {LABEL_FORM}},
    {LABEL, "a_b", {LABEL_FORM}},
    {LABEL, ".", {LABEL_FORM}},
    {LABEL, "a.", {LABEL_FORM}},
    {LABEL, ".a", {LABEL_FORM}},
    {LABEL, "a..b", {LABEL_FORM}},
    {LABEL, "a.b", {NO_DOTS}},
    {LABEL, "1.2", {NO_DOTS}},
    {LABEL, " ", {LABEL_FORM}},
    {LABEL, " a", {LABEL_FORM}},
    {LABEL, "a ", {LABEL_FORM}},
    {LABEL, "a b", {LABEL_FORM}},
    {LABEL, "a\n", {LABEL_FORM}},
    {LABEL, "a$b", {LABEL_FORM}},
    {LABEL, "\xd0\xb0", {LABEL_FORM}},
    {LABEL, A63 "a", {"must be no more than 63 characters"}},
    {LABEL, A63 ".a", {"must be no more than 63 characters", NO_DOTS}},
    {LABEL, A63 "-", {"must be no more than 63 characters", LABEL_FORM}},
    {SUBDOMAIN, "", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "A", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a.B", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a..b", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, ".a", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a.", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a.-b", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a-.b", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a_b", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, "a\n", {SUBDOMAIN_FORM}},
    {SUBDOMAIN, A253 "a", {"must be no more than 253 characters"}},
    {SUBDOMAIN, A253 "_", {"must be no more than 253 characters", SUBDOMAIN_FORM}},
    {DNS1035, "", {DNS1035_FORM}},
    {DNS1035, "0", {DNS1035_FORM}},
    {DNS1035, "1-a", {DNS1035_FORM}},
    {DNS1035, "A", {DNS1035_FORM}},
    {DNS1035, "a.b", {DNS1035_FORM}},
    {DNS1035, "a-", {DNS1035_FORM}},
    {DNS1035, "-a", {DNS1035_FORM}},
    {DNS1035, "a\n", {DNS1035_FORM}},
    {DNS1035, A63 "a", {"must be no more than 63 characters"}},
    {DNS1035, "1" A63, {"must be no more than 63 characters", DNS1035_FORM}},
    {VALUE, ".x", {VALUE_FORM}},
    {VALUE, "x.", {VALUE_FORM}},
    {VALUE, "-x", {VALUE_FORM}},
    {VALUE, "x-", {VALUE_FORM}},
    {VALUE, "_x", {VALUE_FORM}},
    {VALUE, "nospecialchars%^=@", {VALUE_FORM}},
    {VALUE, "\\back", {VALUE_FORM}},
    {VALUE, "M\xc4\x81ori", {VALUE_FORM}},
    {VALUE, "a/b", {VALUE_FORM}},
    {VALUE, "a b", {VALUE_FORM}},
    {VALUE, "x\n", {VALUE_FORM}},
    {VALUE, "\n", {VALUE_FORM}},
    {VALUE, A63 "a", {"must be no more than 63 bytes"}},
    {VALUE, A63 "-", {"must be no more than 63 bytes", VALUE_FORM}},
    {KEY, "nospecialchars%^=@", {NAME_FORM}},
    {KEY, "cantendwithadash-", {NAME_FORM}},
    {KEY, "-cantstartwithadash-", {NAME_FORM}},
    {KEY, "only/one/slash", {SLASHES}},
    {KEY, "//", {SLASHES}},
    {KEY, "Example.com/abc", {PREFIX_FORM}},
    {KEY, "example_com/abc", {PREFIX_FORM}},
    {KEY, "example.com/", {NAME_EMPTY, NAME_FORM}},
    {KEY, "/simple", {"prefix part must be non-empty"}},
    {KEY, "/", {"prefix part must be non-empty", NAME_EMPTY, NAME_FORM}},
    {KEY, "", {NAME_EMPTY, NAME_FORM}},
    {KEY, "a/b\n", {NAME_FORM}},
    {KEY, A63 "a", {"name part must be no more than 63 bytes"}},
    {KEY, "a/" A63 "a", {"name part must be no more than 63 bytes"}},
    {KEY, A253 "a/a", {"prefix part must be no more than 253 bytes"}},
    {KEY,
     A253 "_/" A63 "-",
     {"prefix part must be no more than 253 bytes", PREFIX_FORM,
      "name part must be no more than 63 bytes", NAME_FORM}},
    {NOTE_KEY, "example_com/abc", {PREFIX_FORM}},
    {NOTE_KEY, "only/one/slash", {SLASHES}},
    {NOTE_KEY, A253 "a/" A63, {"prefix part must be no more than 253 bytes"}},
    {NOTE_KEY, A253 "A/" A63, {"prefix part must be no more than 253 bytes"}},
    {NOTE_KEY, A63 "A", {"name part must be no more than 63 bytes"}},
    {PATH, "", {PATH_WANTED}},
    {PATH, "acme", {PATH_WANTED}},
    {PATH, "/foo", {PATH_WANTED}},
    {PATH, "acme.io/", {PATH_WANTED}},
    {PATH, "ACME.io/foo", {SUBDOMAIN_FORM}},
    {PATH, "acme.io/foo bar", {PATH_FORM}},
    {PATH, "acme.io/foo\n", {PATH_FORM}},
    {PATH, "acme_io/foo?", {SUBDOMAIN_FORM, PATH_FORM}},
    {PATH, A253 "a/b", {"must be no more than 253 characters"}},
};

START_TEST(refusal_has_the_message_of_kubernetes)
{
    struct name_problems problems;
    size_t count = 0;

    while (count < NAME_MOST_PROBLEMS && bad[_i].problems[count])
        count++;
    ck_assert(!name_is_valid(bad[_i].rule, slice_from_text(bad[_i].name)));
    ck_assert(!name_check(bad[_i].rule, slice_from_text(bad[_i].name), &problems));
    ck_assert_uint_eq(problems.count, count);
    for (size_t i = 0; i < count; i++)
        ck_assert_str_eq(problems.text[i], bad[_i].problems[i]);
}
END_TEST

/* Whatever the rule, a NUL character is no part of a name. */
START_TEST(refuses_a_nul_character)
{
    static const struct slice names[] = {SLICE_INIT("a\0"), SLICE_INIT("a\0b"),
                                         SLICE_INIT("a/b\0c"), SLICE_INIT("\0")};

    for (int i = 0; i < ITEMS_OF(names); i++)
        ck_assert(!name_is_valid((enum name_rule)_i, names[i]));
}
END_TEST

START_TEST(an_unset_name_is_an_empty_one)
{
    ck_assert_int_eq(name_is_valid((enum name_rule)_i, NO_SLICE), _i == NAME_LABEL_VALUE);
}
END_TEST

static const struct {
    const char *text;
    size_t most;
    const char *stem;
    const char *hashed;
} stems[] = {
    {"node", 4, "node", "node-00c0ffee"}, {"node", 3, "nod", "nod-00c0ffee"},
    {"a-b", 2, "a", "a-00c0ffee"},        {"-_A.b-", 6, "a-b", "a-b-00c0ffee"},
    {"\xc3\xa4", 9, "", "00c0ffee"},      {"", 9, "", "00c0ffee"},
};

START_TEST(makes_parts_of_names)
{
    struct arena *arena = arena_new(0);
    struct slice stem = name_stem(slice_from_text(stems[_i].text), stems[_i].most, arena);

    ck_slice_eq(stem, stems[_i].stem);
    ck_slice_eq(name_with_hash(stem, 0x00c0ffee, arena), stems[_i].hashed);
    arena_free(arena);
}
END_TEST

/* ---- release ---- */

static const struct {
    const char *text;
    uint32_t major, minor, patch;
} releases[] = {
    {"1.36", 1, 36, 0},
    {"v1.36", 1, 36, 0},
    {"v0.14.2", 0, 14, 2},
    {"v2.3.0-rc.1", 2, 3, 0},
    {"v1.36.3+k3s1", 1, 36, 3},
    {"v1.33.5-gke.1162000", 1, 33, 5},
    {"v0.35.4-devel", 0, 35, 4},
    {"1.13.1-0.20251028023744-f1f10b49d8f0", 1, 13, 1},
    {"1.36-rc.1", 1, 36, 0},
    {"0.0.0", 0, 0, 0},
    {"999999999.999999999.999999999", 999999999, 999999999, 999999999},
};

START_TEST(reads_a_release)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(releases[_i].text), &release));
    ck_assert(release.is_known);
    ck_assert_uint_eq(release.major, releases[_i].major);
    ck_assert_uint_eq(release.minor, releases[_i].minor);
    ck_assert_uint_eq(release.patch, releases[_i].patch);
}
END_TEST

static const char *const no_releases[] = {
    "",
    "v",
    "1",
    "v1",
    "1.",
    "1.x",
    ".36",
    "1.36.",
    "1.36.x",
    "1..36",
    "vv1.36",
    "V1.36",
    "1.36-",
    "1.36+",
    "1.36 ",
    " 1.36",
    "1.36_1",
    "1.36.3.4",
    "01.36",
    "1.036",
    "-1.36",
    "1.-36",
    "1.36+a/",
    "latest",
    "1.36-r\xc3\xa9",
    "1,36",
    "1000000000.1",
    "1.1000000000",
    "1.1.1000000000",
    "1.36\n",
};

START_TEST(refuses_invalid_releases)
{
    struct release release = {.is_known = true, .major = 7};

    ck_assert_msg(!release_parse(slice_from_text(no_releases[_i]), &release), "accepted \"%s\"",
                  no_releases[_i]);
    ck_assert(!release.is_known);
    ck_assert_uint_eq(release.major, 0);
}
END_TEST

START_TEST(nul_in_a_release_is_refused)
{
    struct release release;

    ck_assert(!release_parse((struct slice){"1.36\0", 5}, &release));
    ck_assert(!release_parse(NO_SLICE, &release));
}
END_TEST

static const struct {
    const char *a, *b;
    int order;
} pairs[] = {
    {"1.36", "1.36.0", 0},      {"v1.36", "1.36", 0},    {"1.9", "1.10", -1},
    {"2.0", "1.99.99", 1},      {"1.36.1", "1.36", 1},   {"1.36.2", "1.36.10", -1},
    {"2.3.0-rc.1", "2.3.0", 0}, {"0.12.0", "0.11.9", 1},
};

START_TEST(compares_number_by_number)
{
    struct release a;
    struct release b;

    ck_assert(release_parse(slice_from_text(pairs[_i].a), &a));
    ck_assert(release_parse(slice_from_text(pairs[_i].b), &b));
    ck_assert_int_eq(release_compare(&a, &b), pairs[_i].order);
    ck_assert_int_eq(release_compare(&b, &a), -pairs[_i].order);
}
END_TEST

static const struct {
    const char *text;
    uint32_t major, minor;
    bool reached;
} least[] = {
    {"1.36", 1, 36, true},    {"1.36.0", 1, 36, true},  {"1.36.3", 1, 36, true},
    {"1.35.9", 1, 36, false}, {"2.0", 1, 36, true},     {"0.99", 1, 0, false},
    {"0.16.0", 0, 16, true},  {"0.15.4", 0, 16, false},
};

START_TEST(reaches_a_release)
{
    struct release release;

    ck_assert(release_parse(slice_from_text(least[_i].text), &release));
    ck_assert(release_at_least(&release, least[_i].major, least[_i].minor) == least[_i].reached);
}
END_TEST

START_TEST(unknown_release_reaches_no_version)
{
    struct release unknown = {0};

    ck_assert(!release_at_least(&unknown, 0, 0));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, makes_parts_of_names, stems, text, most);
    add_rows(cases, accepts, good, rule, name);
    add_rows(cases, refusal_has_the_message_of_kubernetes, bad, rule, name);
    tcase_add_loop_test(cases, refuses_a_nul_character, 0, NAME_DOMAIN_PREFIXED_PATH + 1);
    tcase_add_loop_test(cases, an_unset_name_is_an_empty_one, 0, NAME_DOMAIN_PREFIXED_PATH + 1);
    add_rows(cases, reads_a_release, releases, text, major, minor);
    add_items(cases, refuses_invalid_releases, no_releases);
    tcase_add_test(cases, nul_in_a_release_is_refused);
    add_rows(cases, compares_number_by_number, pairs, a);
    add_rows(cases, reaches_a_release, least, text, major, minor);
    tcase_add_test(cases, unknown_release_reaches_no_version);
}
