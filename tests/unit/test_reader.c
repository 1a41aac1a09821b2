/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/reader.h"

#include "unit/reading.h"

/* Limits of both readers: `units` of something in a text; one less and exactly the limit are fine,
 * one more is not. */
static void
repeat(struct buffer *out, const char *text, size_t count)
{
    for (; count > 0; count--)
        buffer_append(out, text, strlen(text));
}

static void
make_depth(struct buffer *out, size_t units)
{
    repeat(out, "[", units);
    repeat(out, "]", units);
}

static void
make_items(struct buffer *out, size_t units)
{
    repeat(out, "[0", 1);
    repeat(out, ",0", units - 1);
    repeat(out, "]", 1);
}

static void
make_nodes(struct buffer *out, size_t units)
{
    make_items(out, units - 1);
}

static void
make_keys(struct buffer *out, size_t units)
{
    char text[32];

    repeat(out, "{", 1);
    for (size_t i = 0; i < units; i++) {
        snprintf(text, sizeof(text), "%s\"k%zu\": 0", i ? "," : "", i);
        repeat(out, text, 1);
    }
    repeat(out, "}", 1);
}

static void
make_scalar(struct buffer *out, size_t units)
{
    repeat(out, "[\"", 1);
    repeat(out, "x", units);
    repeat(out, "\"]", 1);
}

static void
make_key(struct buffer *out, size_t units)
{
    repeat(out, "{\"", 1);
    repeat(out, "x", units);
    repeat(out, "\": 0}", 1);
}

static void
make_bytes(struct buffer *out, size_t units)
{
    repeat(out, "[]", 1);
    repeat(out, " ", units - 2);
}

static void
make_anchors(struct buffer *out, size_t units)
{
    char text[32];

    repeat(out, "[0", 1);
    for (size_t i = 0; i < units; i++) {
        snprintf(text, sizeof(text), ", &a%zu 0", i);
        repeat(out, text, 1);
    }
    repeat(out, "]", 1);
}

static void
make_aliases(struct buffer *out, size_t units)
{
    repeat(out, "[&a 0", 1);
    repeat(out, ", *a", units);
    repeat(out, "]", 1);
}

/* Three nodes and one for each alias of one. */
static void
make_expansion(struct buffer *out, size_t units)
{
    repeat(out, "[&a [0]", 1);
    repeat(out, ", *a", (units - 3) / 2);
    repeat(out, units % 2 ? "]" : ", 0]", 1);
}

/* An alias of a tree counts as deep as the tree. */
static void
make_alias_depth(struct buffer *out, size_t units)
{
    repeat(out, "[&a [[[]]], ", 1);
    repeat(out, "[", units - 4);
    repeat(out, "*a", 1);
    repeat(out, "]", units - 4);
    repeat(out, "]", 1);
}

static const struct {
    enum gang_limit limit;
    size_t value;
    void (*make)(struct buffer *, size_t);
    int code;
    bool yaml_only;
} limits[] = {
    {GANG_LIMIT_DEPTH, 64, make_depth, GANG_CODE_LIMIT_DEPTH, false},
    {GANG_LIMIT_DEPTH, 128, make_depth, GANG_CODE_LIMIT_DEPTH, false},
    {GANG_LIMIT_DEPTH, 5, make_depth, GANG_CODE_LIMIT_DEPTH, false},
    {GANG_LIMIT_LIST_ITEMS, 10000, make_items, GANG_CODE_LIMIT_LIST_ITEMS, false},
    {GANG_LIMIT_NODES, 50, make_nodes, GANG_CODE_LIMIT_NODES, false},
    {GANG_LIMIT_MAP_KEYS, 4096, make_keys, GANG_CODE_LIMIT_MAP_KEYS, false},
    {GANG_LIMIT_SCALAR_BYTES, 262144, make_scalar, GANG_CODE_LIMIT_SCALAR_BYTES, false},
    {GANG_LIMIT_KEY_BYTES, 1000, make_key, GANG_CODE_LIMIT_KEY_BYTES, false},
    {GANG_LIMIT_DOCUMENT_BYTES, 1048576, make_bytes, GANG_CODE_LIMIT_DOCUMENT_BYTES, false},
    {GANG_LIMIT_ANCHORS, 64, make_anchors, GANG_CODE_LIMIT_ANCHORS, true},
    {GANG_LIMIT_ALIASES, 256, make_aliases, GANG_CODE_LIMIT_ALIASES, true},
    {GANG_LIMIT_NODES, 51, make_expansion, GANG_CODE_LIMIT_NODES, true},
    {GANG_LIMIT_DEPTH, 12, make_alias_depth, GANG_CODE_LIMIT_DEPTH, true},
};

static void
check_limit(int row, size_t units, bool as_json, bool is_within)
{
    struct reading reading;
    struct buffer text = {0};
    const struct node *root;
    char value[32];

    reading_start(&reading);
    reading.limits.value[limits[row].limit] = limits[row].value;
    limits[row].make(&text, units);
    root = as_json ? json_read(&reading.request, (struct slice){text.data, text.len})
                   : yaml_read(&reading.request, (struct slice){text.data, text.len});
    ck_assert_msg(is_within == (root != NULL), "row %d with %zu", row, units);
    ck_assert_uint_eq(reading.report.count, is_within ? 0 : 1);
    if (!is_within) {
        ck_assert_int_eq(reading.report.items[0].code, limits[row].code);
        snprintf(value, sizeof(value), "limit of %zu", limits[row].value);
        ck_assert_ptr_nonnull(strstr(reading.report.items[0].message, value));
        ck_assert_uint_gt(reading.report.items[0].line, 0);
    }
    buffer_clear(&text);
    reading_end(&reading);
}

static void
check_around_limit(int row, bool as_json)
{
    check_limit(row, limits[row].value - 1, as_json, true);
    check_limit(row, limits[row].value, as_json, true);
    check_limit(row, limits[row].value + 1, as_json, false);
}

START_TEST(json_obeys_limits)
{
    if (!limits[_i].yaml_only)
        check_around_limit(_i, true);
}
END_TEST

START_TEST(yaml_obeys_limits)
{
    NEEDS_YAML();
    check_around_limit(_i, false);
}
END_TEST

START_TEST(finds_line_and_column)
{
    struct slice text = SLICE("a\xC3\xA9"
                              "b\r\nc\rd\n\ne");
    struct reader_mark mark = reader_mark_of(text, 3);

    ck_assert_uint_eq(mark.line, 1);
    ck_assert_uint_eq(mark.column, 3);
    mark = reader_mark_of(text, text.len - 1);
    ck_assert_uint_eq(mark.line, 5);
    ck_assert_uint_eq(mark.column, 1);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, json_obeys_limits, limits, limit, value);
    add_rows(cases, yaml_obeys_limits, limits, limit, value);
    tcase_add_test(cases, finds_line_and_column);
}
