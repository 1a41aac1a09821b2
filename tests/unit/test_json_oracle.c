/* SPDX-License-Identifier: Apache-2.0 */
#include <json-c/json.h>

#include "unit/reading.h"

/*
 * json-c as the second opinion: on every text that both accept, they must read the same. json-c
 * accepts more (duplicate keys, NaN, single quotes), so only that direction is asked: what we
 * accept, it accepts and understands alike. Numbers like 1e20 are left out: written as
 * 100000000000000000000, json-c cuts them to 2^64-1.
 */
struct oracle {
    uint64_t state;
    struct buffer text;
    unsigned names;
};

static unsigned
oracle_below(struct oracle *oracle, unsigned bound)
{
    oracle->state = oracle->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(oracle->state >> 33) % bound;
}

static void
put(struct oracle *oracle, const char *text)
{
    buffer_append(&oracle->text, text, strlen(text));
}

static void
put_one_of(struct oracle *oracle, const char *const *pieces, int count)
{
    put(oracle, pieces[oracle_below(oracle, (unsigned)count)]);
}

static void
put_space(struct oracle *oracle)
{
    static const char *const spaces[] = {"", "", "", " ", "\n", "\r\n", "\t"};

    put_one_of(oracle, spaces, ITEMS_OF(spaces));
}

static void
put_string(struct oracle *oracle, bool is_key)
{
    static const char *const pieces[] = {"a",        "k8s.io/",
                                         "\\n",      "\\\"",
                                         "\\\\",     "\\/",
                                         "\\u00e9",  "\\ud83d\\ude00",
                                         "\xC3\xA9", "\xF0\x9F\x98\x80",
                                         "\\t",      "\\b",
                                         "\\f",      "\\r",
                                         "-",        " ",
                                         "\\u2028",  "\x7F",
                                         "\\u001f"};
    char number[16];

    put(oracle, "\"");
    for (unsigned count = oracle_below(oracle, 6); count > 0; count--)
        put_one_of(oracle, pieces, ITEMS_OF(pieces));
    snprintf(number, sizeof(number), "%u", oracle->names++);
    put(oracle, is_key ? number : "");
    put(oracle, "\"");
}

static void
put_number(struct oracle *oracle)
{
    static const char *const numbers[] = {"0",
                                          "-0",
                                          "7",
                                          "-12",
                                          "9223372036854775807",
                                          "-9223372036854775808",
                                          "1e3",
                                          "0.5",
                                          "-2.25",
                                          "1E+2",
                                          "1e-7",
                                          "1e21",
                                          "123456789.125",
                                          "10.0",
                                          "3e0"};

    put_one_of(oracle, numbers, ITEMS_OF(numbers));
}

static void
put_value(struct oracle *oracle, unsigned depth)
{
    static const char *const words[] = {"true", "false", "null"};
    unsigned kind = oracle_below(oracle, depth ? 6 : 4);
    unsigned count = oracle_below(oracle, 5);

    put_space(oracle);
    if (kind < 2)
        put_string(oracle, false);
    else if (kind == 2)
        put_number(oracle);
    else if (kind == 3)
        put_one_of(oracle, words, ITEMS_OF(words));
    else {
        put(oracle, kind == 4 ? "{" : "[");
        for (unsigned i = 0; i < count; i++) {
            put(oracle, i ? "," : "");
            put_space(oracle);
            if (kind == 4) {
                put_string(oracle, true);
                put_space(oracle);
                put(oracle, ":");
            }
            put_value(oracle, depth - 1);
        }
        put_space(oracle);
        put(oracle, kind == 4 ? "}" : "]");
    }
    put_space(oracle);
}

static bool
same_tree(const struct node *ours, struct json_object *theirs)
{
    size_t i = 0;

    switch (ours->kind) {
    case NODE_NULL:
        return !theirs;
    case NODE_BOOL:
        return json_object_is_type(theirs, json_type_boolean) &&
               json_object_get_boolean(theirs) == node_is_true(ours);
    case NODE_INT:
        if (json_object_is_type(theirs, json_type_double))
            return strtod(ours->as.text, NULL) == json_object_get_double(theirs);
        return json_object_is_type(theirs, json_type_int) &&
               strtoll(ours->as.text, NULL, 10) == json_object_get_int64(theirs);
    case NODE_NUMBER:
        if (json_object_is_type(theirs, json_type_int))
            return strtoull(ours->as.text, NULL, 10) == json_object_get_uint64(theirs);
        return json_object_is_type(theirs, json_type_double) &&
               strtod(ours->as.text, NULL) == json_object_get_double(theirs);
    case NODE_STRING:
        return json_object_is_type(theirs, json_type_string) &&
               slice_equal(node_text(ours),
                           (struct slice){json_object_get_string(theirs),
                                          (size_t)json_object_get_string_len(theirs)});
    case NODE_LIST:
        if (!json_object_is_type(theirs, json_type_array) ||
            json_object_array_length(theirs) != node_count(ours))
            return false;
        for (NODE_EACH(item, ours))
            if (!same_tree(item, json_object_array_get_idx(theirs, i++)))
                return false;
        return true;
    default:
        if (!json_object_is_type(theirs, json_type_object) ||
            (size_t)json_object_object_length(theirs) != node_count(ours))
            return false;
        for (NODE_EACH(member, ours)) {
            struct json_object *value;

            if (!json_object_object_get_ex(theirs, member->key, &value) ||
                !same_tree(member, value))
                return false;
        }
        return true;
    }
}

static struct json_object *
their_parse(const char *data, size_t len)
{
    struct json_tokener *tokener = json_tokener_new_ex(64);
    struct json_object *object;

    ck_assert_ptr_nonnull(tokener);
    json_tokener_set_flags(tokener, JSON_TOKENER_STRICT);
    object = json_tokener_parse_ex(tokener, data, (int)len + 1);
    ck_assert_msg(json_tokener_get_error(tokener) == json_tokener_success, "json-c refuses %s",
                  data);
    json_tokener_free(tokener);
    return object;
}

/* Our reading of a text against theirs, and theirs of what we write. */
static void
check_seed(uint64_t seed)
{
    struct oracle oracle = {.state = seed * 104729};
    struct reading reading;
    const struct node *ours;
    struct json_object *theirs;

    put_value(&oracle, 6);
    buffer_append_byte(&oracle.text, '\0');
    reading_start(&reading);
    reading.request.is_only_json = true;
    ours = json_read(&reading.request, (struct slice){oracle.text.data, oracle.text.len - 1});
    ck_assert_msg(ours != NULL, "seed %llu: we refuse %s", (unsigned long long)seed,
                  oracle.text.data);
    theirs = their_parse(oracle.text.data, oracle.text.len - 1);
    ck_assert_msg(same_tree(ours, theirs), "seed %llu: read %s", (unsigned long long)seed,
                  oracle.text.data);
    json_object_put(theirs);
    json_write(&reading.out, ours);
    buffer_append_byte(&reading.out, '\0');
    theirs = their_parse(reading.out.data, reading.out.len - 1);
    ck_assert_msg(same_tree(ours, theirs), "seed %llu: wrote %s", (unsigned long long)seed,
                  reading.out.data);
    json_object_put(theirs);
    buffer_clear(&oracle.text);
    reading_end(&reading);
}

enum { SEEDS_PER_CASE = 500, CASES = 20 };

START_TEST(agrees_with_json_c)
{
    for (int i = 0; i < SEEDS_PER_CASE; i++)
        check_seed((uint64_t)(_i * SEEDS_PER_CASE + i + 1));
}
END_TEST

/* One byte changed: whatever we still accept, json-c must accept and read alike. */
START_TEST(agrees_after_mutation)
{
    static const char bytes[] = "\"\\{}[],:0e.-+ntu \n";

    for (int i = 0; i < SEEDS_PER_CASE; i++) {
        struct oracle oracle = {.state = (uint64_t)(_i * SEEDS_PER_CASE + i + 1) * 1299709};
        struct reading reading;
        const struct node *ours;
        struct json_object *theirs;

        put_value(&oracle, 5);
        buffer_append_byte(&oracle.text, '\0');
        oracle.text.data[oracle_below(&oracle, (unsigned)oracle.text.len - 1)] =
            bytes[oracle_below(&oracle, (unsigned)sizeof(bytes) - 1)];
        reading_start(&reading);
        reading.request.is_only_json = true;
        ours = json_read(&reading.request, (struct slice){oracle.text.data, oracle.text.len - 1});
        ck_assert(ours || report_has_errors(&reading.report));
        if (ours) {
            theirs = their_parse(oracle.text.data, oracle.text.len - 1);
            ck_assert_msg(same_tree(ours, theirs), "case %d, seed %d: %s", _i, i, oracle.text.data);
            json_object_put(theirs);
        }
        buffer_clear(&oracle.text);
        reading_end(&reading);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, agrees_with_json_c, 0, seeds(CASES));
    tcase_add_loop_test(cases, agrees_after_mutation, 0, seeds(CASES));
}
