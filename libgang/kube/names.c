/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

#include "libgang/document/document.h"

enum { NAME_LABEL_LENGTH = 63, NAME_SUBDOMAIN_LENGTH = 253 };

#define NAME_QUALIFIED_PATTERN "([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]"
#define NAME_LABEL_PATTERN "[a-z0-9]([-a-z0-9]*[a-z0-9])?"
#define NAME_SUBDOMAIN_PATTERN NAME_LABEL_PATTERN "(\\." NAME_LABEL_PATTERN ")*"
#define NAME_ENDS "start and end with an alphanumeric character"
#define NAME_MATCHES(pattern) "regex used for validation is '" pattern "')"
#define NAME_QUALIFIED_SENTENCE                                                                    \
    "must consist of alphanumeric characters, '-', '_' or '.', and must " NAME_ENDS                \
    " (e.g. 'MyName',  or 'my.name',  or '123-abc', " NAME_MATCHES(NAME_QUALIFIED_PATTERN)

/*
 * The error texts of Kubernetes, including the double space between the examples. Source:
 * kubernetes/apimachinery:pkg/util/validation/validation.go,
 * pkg/api/validate/content/{dns,kube}.go.
 */
static const char name_label_form[] =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', "
    "and must " NAME_ENDS " (e.g. 'my-name',  or '123-abc', " NAME_MATCHES(NAME_LABEL_PATTERN);
static const char name_subdomain_form[] =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must " NAME_ENDS " (e.g. 'example.com', " NAME_MATCHES(NAME_SUBDOMAIN_PATTERN);
static const char name_dns1035_form[] =
    "a DNS-1035 label must consist of lower case alphanumeric characters or '-', "
    "start with an alphabetic character, and end with an alphanumeric character "
    "(e.g. 'my-name',  or 'abc-123', " NAME_MATCHES("[a-z]([-a-z0-9]*[a-z0-9])?");
static const char name_label_value_form[] =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must " NAME_ENDS
    " (e.g. 'MyValue',  or 'my_value',  or '12345', " NAME_MATCHES("(" NAME_QUALIFIED_PATTERN ")?");
static const char name_qualified_form[] = NAME_QUALIFIED_SENTENCE;
static const char name_slashes_form[] = NAME_QUALIFIED_SENTENCE
    " with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')";
static const char name_path_form[] =
    "Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')";

/* Annotation keys are validated in lower case. */
enum name_case {
    NAME_LOWER_CASE = ASCII_LOWER | ASCII_DIGIT,
    NAME_ANY_CASE = ASCII_LETTER | ASCII_DIGIT,
};

/*
 * The first and the last byte must be alphanumeric; `inner` lists further bytes that are allowed
 * between them.
 */
static bool
name_is_made_of(struct slice name, enum name_case letters, unsigned inner)
{
    return name.len && ascii_is(name.data[0], letters) &&
           ascii_is(name.data[name.len - 1], letters) && ascii_all(name, letters | inner);
}

static bool
name_has_label_form(struct slice name, enum name_case letters)
{
    return name_is_made_of(name, letters, ASCII_DASH);
}

static bool
name_has_subdomain_form(struct slice name, enum name_case letters)
{
    size_t dot;

    while ((dot = slice_find(name, '.')) < name.len) {
        if (!name_has_label_form((struct slice){name.data, dot}, letters))
            return false;
        name = slice_after(name, dot + 1);
    }
    return name_has_label_form(name, letters);
}

static bool
name_has_qualified_form(struct slice name)
{
    return name_is_made_of(name, NAME_ANY_CASE, ASCII_DASH | ASCII_UNDERSCORE | ASCII_DOT);
}

/*
 * `out` is NULL if only the result is needed. Always returns false, so that the caller can return
 * the result.
 */
static bool
name_refuse(struct name_problems *out, const char *part, const char *sentence)
{
    if (out && out->count < NAME_MOST_PROBLEMS)
        format_into(out->text[out->count++], NAME_PROBLEM_SIZE, "%s%s", part, sentence);
    return false;
}

/* Refuses a name, or a `part` of one, that is too long, and one that does not have its form. */
static bool
name_check_form(struct slice name, const char *part, size_t most, const char *unit, bool has_form,
                const char *form, struct name_problems *out)
{
    char sentence[64];
    bool valid = name.len <= most;

    if (!valid) {
        format_into(sentence, sizeof(sentence), "must be no more than %zu %s", most, unit);
        name_refuse(out, part, sentence);
    }
    return has_form ? valid : name_refuse(out, part, form);
}

static bool
name_check_subdomain(struct slice name, struct name_problems *out)
{
    return name_check_form(name, "", NAME_SUBDOMAIN_LENGTH, "characters",
                           name_has_subdomain_form(name, NAME_LOWER_CASE), name_subdomain_form,
                           out);
}

static bool
name_check_name_part(struct slice name, struct name_problems *out)
{
    if (!name.len)
        name_refuse(out, "name part ", "must be non-empty");
    return name_check_form(name, "name part ", NAME_LABEL_LENGTH, "bytes",
                           name_has_qualified_form(name), name_qualified_form, out);
}

static bool
name_check_qualified(struct slice name, enum name_case prefix_letters, struct name_problems *out)
{
    const size_t slash = slice_find(name, '/');
    struct slice rest;
    bool valid;

    if (slash == name.len)
        return name_check_name_part(name, out);
    rest = slice_after(name, slash + 1);
    if (slice_find(rest, '/') < rest.len)
        return name_refuse(out, "a valid label key ", name_slashes_form);
    name.len = slash;
    valid = slash ? name_check_form(name, "prefix part ", NAME_SUBDOMAIN_LENGTH, "bytes",
                                    name_has_subdomain_form(name, prefix_letters),
                                    name_subdomain_form, out)
                  : name_refuse(out, "prefix part ", "must be non-empty");
    return name_check_name_part(rest, out) && valid;
}

SELDOM static bool
name_check_domain_prefixed_path(struct slice name, struct name_problems *out)
{
    static const char others[] = "/-._~%!$&'()*+,;=:";
    const size_t slash = slice_find(name, '/');
    bool valid;

    if (slash == 0 || slash + 1 >= name.len)
        return name_refuse(out, "", "must be a domain-prefixed path (such as \"acme.io/foo\")");
    valid = name_check_subdomain((struct slice){name.data, slash}, out);
    for (size_t i = slash + 1; i < name.len; i++)
        if (!ascii_is(name.data[i], NAME_ANY_CASE) &&
            !memchr(others, name.data[i], sizeof(others) - 1))
            return name_refuse(out, "", name_path_form);
    return valid;
}

static bool
name_examine(enum name_rule rule, struct slice name, struct name_problems *out)
{
    switch (rule) {
    case NAME_DNS1123_LABEL:
        return name_check_form(
            name, "", NAME_LABEL_LENGTH, "characters", name_has_label_form(name, NAME_LOWER_CASE),
            name_has_subdomain_form(name, NAME_LOWER_CASE) ? "must not contain dots"
                                                           : name_label_form,
            out);
    case NAME_DNS1123_SUBDOMAIN:
        return name_check_subdomain(name, out);
    case NAME_DNS1035_LABEL:
        return name_check_form(name, "", NAME_LABEL_LENGTH, "characters",
                               name_has_label_form(name, NAME_LOWER_CASE) &&
                                   ascii_is(name.data[0], ASCII_LOWER),
                               name_dns1035_form, out);
    case NAME_LABEL_VALUE:
        return name_check_form(name, "", NAME_LABEL_LENGTH, "bytes",
                               !name.len || name_has_qualified_form(name), name_label_value_form,
                               out);
    case NAME_QUALIFIED:
        return name_check_qualified(name, NAME_LOWER_CASE, out);
    case NAME_ANNOTATION_KEY:
        return name_check_qualified(name, NAME_ANY_CASE, out);
    case NAME_DOMAIN_PREFIXED_PATH:
        return name_check_domain_prefixed_path(name, out);
    }
    return false;
}

/* Whether the name is a label, as most names are. The rules that are asked for allow all labels. */
static inline bool
name_is_usual(enum name_rule rule, struct slice name)
{
    return rule != NAME_DNS1035_LABEL && rule != NAME_DOMAIN_PREFIXED_PATH &&
           name.len <= NAME_LABEL_LENGTH && name_has_label_form(name, NAME_LOWER_CASE);
}

bool
name_is_valid(enum name_rule rule, struct slice name)
{
    return name_is_usual(rule, name) || name_examine(rule, name, NULL);
}

bool
name_check(enum name_rule rule, struct slice name, struct name_problems *out)
{
    out->count = 0;
    return name_is_usual(rule, name) || name_examine(rule, name, out);
}

void
name_check_node(const struct node *name, enum name_rule rule, enum gang_code code, const char *hint,
                struct report *report)
{
    if (node_string(name).len)
        name_check_made(node_string(name), rule, code, name, hint, report);
}

void
name_check_made(struct slice name, enum name_rule rule, enum gang_code code, const struct node *at,
                const char *hint, struct report *report)
{
    struct name_problems problems;

    if (name_check(rule, name, &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        if (!node_is(at, NODE_MAP) && !name_is_valid(rule, node_string(at)))
            find_invalid(report, at, code, hint, "%s", problems.text[i]);
        else /* where the document has a part of the name, or a policy derives it */
            find_note(report, at, code, hint, "Invalid value: %-.*s: %s", SLICE_ARG(name),
                      problems.text[i]);
}

void
name_check_key(const struct node *member, enum name_rule rule, enum gang_code code,
               const char *hint, struct report *report)
{
    struct name_problems problems;

    if (name_check(rule, node_key(member), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_note_at_key(report, member, code, hint, "Invalid value: %-.*s: %s",
                         SLICE_ARG(node_key(member)), problems.text[i]);
}

/* ---- parts of names ---- */

enum { NAME_HASH_DIGITS = 8 };

struct slice
name_stem(struct slice text, size_t most, struct arena *arena)
{
    size_t len = text.len < most ? text.len : most;
    char *out = arena_take(arena, len + 1);
    size_t start = 0;

    if (!out)
        return NO_SLICE;
    for (size_t i = 0; i < len; i++) {
        out[i] = ascii_lower(text.data[i]);
        if (!ascii_is(out[i], NAME_LOWER_CASE))
            out[i] = '-';
    }
    while (len && out[len - 1] == '-')
        len--;
    while (start < len && out[start] == '-')
        start++;
    out[len] = '\0';
    return (struct slice){out + start, len - start};
}

SELDOM struct slice
name_with_hash(struct slice stem, uint32_t hash, struct arena *arena)
{
    char digits[NAME_HASH_DIGITS + 1] = {0};

    for (size_t i = 0; i < NAME_HASH_DIGITS; i++)
        digits[i] = "0123456789abcdef"[hash >> (28 - 4 * i) & 15];
    return ARENA_SLICE(arena, "%.*s%s%s", SLICE_ARG(stem), stem.len ? "-" : "", digits);
}

/* ---- releases ---- */

enum { RELEASE_MOST_DIGITS = 9 };

/* Reads a number without leading zeros from the start of the text, and removes it. */
static bool
release_take_number(struct slice *text, uint32_t *out)
{
    size_t digits = 0;

    *out = 0;
    while (digits < text->len && digits < RELEASE_MOST_DIGITS &&
           ascii_is(text->data[digits], ASCII_DIGIT))
        *out = *out * 10 + (uint32_t)(text->data[digits++] - '0');
    if (!digits || (digits > 1 && text->data[0] == '0'))
        return false;
    *text = slice_after(*text, digits);
    return true;
}

/* semver.org, items 9 and 10: letters, digits, hyphens and dots after `-` or `+`. */
static bool
release_is_suffix(struct slice text)
{
    if (!text.len)
        return true;
    if (text.len == 1 || (text.data[0] != '-' && text.data[0] != '+'))
        return false;
    for (size_t i = 1; i < text.len; i++)
        if (text.data[i] != '+' &&
            !ascii_is(text.data[i], ASCII_LETTER | ASCII_DIGIT | ASCII_DOT | ASCII_DASH))
            return false;
    return true;
}

bool
release_parse(struct slice text, struct release *out)
{
    struct release release = {.is_known = true};

    *out = (struct release){0};
    slice_take(&text, SLICE("v"));
    if (!release_take_number(&text, &release.major) || !slice_take(&text, SLICE(".")) ||
        !release_take_number(&text, &release.minor))
        return false;
    if (slice_take(&text, SLICE(".")) && !release_take_number(&text, &release.patch))
        return false;
    if (!release_is_suffix(text))
        return false;
    *out = release;
    return true;
}

static int
release_order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int
release_compare(const struct release *a, const struct release *b)
{
    int order = release_order(a->major, b->major);

    if (!order)
        order = release_order(a->minor, b->minor);
    return order ? order : release_order(a->patch, b->patch);
}

bool
release_at_least(const struct release *release, uint32_t major, uint32_t minor)
{
    struct release least = {.is_known = true, .major = major, .minor = minor};

    return release->is_known && release_compare(release, &least) >= 0;
}
