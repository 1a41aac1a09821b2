/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/reading.h"

#define BEFORE "{\"metadata\":{\"managedFields\":"
#define AFTER ",\"name\":\"n\"},\"spec\":[7]}"

/* `most`: which limit the items reach; 0 for none. `skips`: whether no node is made of them. */
static const struct {
    const char *items;
    enum gang_limit most;
    uint64_t value;
    bool skips;
} managed[] = {
    {"[{\"manager\":\"m\",\"fieldsV1\":{\"f:a\":{\".\":{}},\"f:b\":[[],[{}]]}},{}]", 0, 0, true},
    {"[{\"k:{\\\"type\\\":\\\"A\\\"}\":{},\"k:{\\\"type\\\":\\\"B\\\"}\":{},\"\":\"\"},[],\"\"]", 0,
     0, true},
    {"[\"a\\\\\",\"\\b\\f\\n\\r\\t\",\"\x7F\"]", 0, 0, true},
    {"[{\"a\":{\"b\":\"\",\"c\":\"\"},\"b\":{\"b\":\"\"}},{\"a\":\"\"}]", 0, 0, true},
    {"[[[[]]]]", GANG_LIMIT_DEPTH, 6, true},
    {"[[[{}]]]", GANG_LIMIT_DEPTH, 6, true},
    /* with the root, metadata, the list, name, spec and its item */
    {"[{\"a\":\"\",\"b\":[[]]},\"\"]", GANG_LIMIT_NODES, 11, true},
    {"[[\"\",\"\",\"\"]]", GANG_LIMIT_LIST_ITEMS, 3, true},
    {"[\"\",\"\",\"\"]", GANG_LIMIT_LIST_ITEMS, 3, true},
    /* what the reader of nodes reads */
    {"[{\"a\":\"\",\"b\":\"\",\"c\":\"\"}]", GANG_LIMIT_MAP_KEYS, 3, false},
    {"[{\"12345\":\"123\"}]", GANG_LIMIT_SCALAR_BYTES, 3, false},
    {"[{\"0123456789abcd\":\"\"}]", GANG_LIMIT_KEY_BYTES, 14, false},
    {"[{\"a/b\":\"\",\"a\\/c\":\"\"}]", 0, 0, false},
    {"[{\"\\u0061\":\"\"}]", 0, 0, false},
    {"[\"\xC3\xA9\"]", 0, 0, false},
    {"[ {}]", 0, 0, false},
    {"[{\"a\":1}]", 0, 0, false},
    {"[true]", 0, 0, false},
    {"{\"a\":\"\"}", 0, 0, false},
    /* faults, of which some are in a part that was skipped before */
    {"[{},{\"a\":\"\",\"b\":{},\"a\":\"\"}]", 0, 0, false},
    {"[{\"a/b\":\"\",\"a\\/b\":\"\"}]", 0, 0, false},
    {"[{\"\":\"\",\"\":\"\"}]", 0, 0, false},
    {"[{\"a\":{\"b\":{}}},{\"c\":{\"b\":{},\"b\":{}}}]", 0, 0, false},
    {"[{\"a\":123456789012345678901234567890}]", 0, 0, false},
};

struct managed_reading {
    struct reading reading;
    const struct node *root;
    const struct node *list;
};

static void
read_managed(struct managed_reading *managed_reading, struct slice text, bool skips,
             enum gang_limit limit, uint64_t value)
{
    struct reading *reading = &managed_reading->reading;
    struct arena *arena;

    reading_start(reading);
    arena = reading->arena;
    if (limit)
        reading->limits.value[limit] = value;
    reading->request.skips_managed_fields = skips;
    managed_reading->root = json_read(&reading->request, text);
    managed_reading->list = node_at(managed_reading->root, "metadata.managedFields");
    ck_assert(!arena_failed(arena));
}

/* Reads the text with nodes for all values, and without: everything but the items is the same. */
static void
check_as_without_skip(struct slice text, enum gang_limit limit, uint64_t value)
{
    static const struct node none = {.kind = NODE_LIST};
    struct managed_reading full;
    struct managed_reading brief;
    const struct report *a = &full.reading.report;
    const struct report *b = &brief.reading.report;

    read_managed(&full, text, false, limit, value);
    read_managed(&brief, text, true, limit, value);
    ck_assert_msg(!full.root == !brief.root && a->count == b->count, "%.*s", SLICE_ARG(text));
    for (size_t i = 0; i < a->count; i++) {
        ck_assert_int_eq(a->items[i].code, b->items[i].code);
        ck_assert_uint_eq(a->items[i].line, b->items[i].line);
        ck_assert_uint_eq(a->items[i].column, b->items[i].column);
        ck_assert_str_eq(a->items[i].path, b->items[i].path);
        ck_assert_str_eq(a->items[i].message, b->items[i].message);
    }
    if (brief.list && !node_count(brief.list))
        full.root = edit_at(full.reading.arena, full.root, "metadata.managedFields", &none);
    ck_assert_msg(node_equal(full.root, brief.root), "%.*s", SLICE_ARG(text));
    if (full.root && node_member(full.root, SLICE("spec")))
        ck_assert_uint_eq(node_first(node_member(full.root, SLICE("spec")))->column,
                          node_first(node_member(brief.root, SLICE("spec")))->column);
    reading_end(&full.reading);
    reading_end(&brief.reading);
}

static size_t
put_managed(char *text, size_t size, const char *items)
{
    return (size_t)snprintf(text, size, "%s%s%s", BEFORE, items, AFTER);
}

START_TEST(skips_what_it_knows)
{
    char text[512];
    const struct slice all = {text, put_managed(text, sizeof(text), managed[_i].items)};
    const enum gang_limit limit = managed[_i].most;
    struct managed_reading brief;

    for (uint64_t value = 0; value <= managed[_i].value; value++)
        check_as_without_skip(all, limit, value);
    read_managed(&brief, all, true, limit, managed[_i].value);
    ck_assert_int_eq(brief.list && !node_count(brief.list), managed[_i].skips);
    reading_end(&brief.reading);
    if (!limit)
        return;
    read_managed(&brief, all, true, limit, managed[_i].value - 1);
    ck_assert_ptr_null(brief.root);
    reading_end(&brief.reading);
}
END_TEST

/* Every byte is cut off, left out, and replaced by each of these. */
START_TEST(finds_every_fault)
{
    static const char others[] = "{}[]:,\"\\ /bu01-e.\n\x01\xC3";
    char text[512];
    char changed[512];
    const size_t len = put_managed(text, sizeof(text), managed[_i].items);

    for (size_t at = sizeof(BEFORE) - 1; at < len - (sizeof(AFTER) - 1); at++) {
        check_as_without_skip((struct slice){text, at}, 0, 0);
        memcpy(changed, text, at);
        memcpy(changed + at, text + at + 1, len - at - 1);
        check_as_without_skip((struct slice){changed, len - 1}, 0, 0);
        memcpy(changed, text, len);
        for (size_t i = 0; i < sizeof(others); i++) {
            changed[at] = others[i];
            check_as_without_skip((struct slice){changed, len}, 0, 0);
        }
    }
}
END_TEST

/* Lengths and numbers of keys around those up to which values are skipped. */
static const struct {
    const char *start, *repeated, *end;
    unsigned most;
} lengths[] = {
    {"[\"", "x", "\"]", 512},
    {"[{\"", "x", "\":{}}]", 512},
    {"[{", "\"%03u\":{},", "\"a\":{\"b\":{}}}]", 62},
};

START_TEST(skips_short_texts_and_few_keys)
{
    for (unsigned count = lengths[_i].most - 2; count <= lengths[_i].most + 2; count++) {
        struct buffer items = {0};
        struct managed_reading brief;
        char part[32];

        buffer_append(&items, BEFORE, sizeof(BEFORE) - 1);
        buffer_append(&items, lengths[_i].start, strlen(lengths[_i].start));
        for (unsigned i = 0; i < count; i++) {
            const int len = _i == 2 ? snprintf(part, sizeof(part), "\"%03u\":{},", i)
                                    : snprintf(part, sizeof(part), "%s", lengths[_i].repeated);

            buffer_append(&items, part, (size_t)len);
        }
        buffer_append(&items, lengths[_i].end, strlen(lengths[_i].end));
        buffer_append(&items, AFTER, sizeof(AFTER) - 1);
        check_as_without_skip((struct slice){items.data, items.len}, 0, 0);
        read_managed(&brief, (struct slice){items.data, items.len}, true, 0, 0);
        ck_assert_int_eq(node_count(brief.list) == 0, count <= lengths[_i].most);
        reading_end(&brief.reading);
        buffer_clear(&items);
    }
}
END_TEST

/* Only the server writes the list that is skipped, and only in these places. */
static const struct {
    const char *text;
    const char *json;
} places[] = {
    {"{\"managedFields\":[\"a\"]}", NULL},
    {"{\"Metadata\":{\"managedFields\":[\"a\"]}}", NULL},
    {"{\"metadata\":{\"managedField\":[\"a\"]}}", NULL},
    {"{\"spec\":{\"metadata\":{\"managedFields\":[\"a\"]}}}", NULL},
    {"{\"items\":[{\"metadata\":{\"managedFields\":[\"a\"]}}]}", NULL},
    {"{\"metadata\":[[\"a\"]]}", NULL},
    {"{\"metadata\":{\"managedFields\":[\"a\"]}}", "{\"metadata\":{\"managedFields\":[]}}"},
};

START_TEST(skips_only_managed_fields)
{
    struct managed_reading brief;

    read_managed(&brief, slice_from_text(places[_i].text), true, 0, 0);
    ck_assert_str_eq(reading_json(&brief.reading, brief.root),
                     places[_i].json ? places[_i].json : places[_i].text);
    reading_end(&brief.reading);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, skips_what_it_knows, managed, items);
    add_rows(cases, finds_every_fault, managed, items);
    add_rows(cases, skips_short_texts_and_few_keys, lengths, start);
    add_rows(cases, skips_only_managed_fields, places, text);
}
