/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/node.h"

#include "unit/reading.h"

static const struct {
    const char *json;
    const char *yaml;
} written[] = {
    {"{}", "{}\n"},
    {"[]", "[]\n"},
    {"{\"a\":1,\"b\":true,\"c\":null,\"d\":\"x\"}", "a: 1\nb: true\nc: null\nd: x\n"},
    {"{\"a\":{},\"b\":[]}", "a: {}\nb: []\n"},
    {"{\"a\":[1,{\"b\":2,\"c\":3},[4,[5]]]}", "a:\n- 1\n- b: 2\n  c: 3\n- - 4\n  - - 5\n"},
    {"{\"a\":{\"b\":[{\"c\":{\"d\":1},\"e\":[2]}]}}",
     "a:\n  b:\n  - c:\n      d: 1\n    e:\n    - 2\n"},
    {"[{\"a\":1},{\"b\":{\"c\":2}}]", "- a: 1\n- b:\n    c: 2\n"},
    {"{\"scheduling.k8s.io/group-name\":\"train-7\"}", "scheduling.k8s.io/group-name: train-7\n"},
    {"{\"a\":\"v1.2/b_c-D\"}", "a: v1.2/b_c-D\n"},
    {"{\"a\":\"1.5\",\"b\":\"7\",\"1\":\"-\"}", "a: \"1.5\"\nb: \"7\"\n\"1\": \"-\"\n"},
    {"{\"y\":\"Yes\",\"n\":\"OFF\"}", "\"y\": \"Yes\"\n\"n\": \"OFF\"\n"},
    {"[\"yEs\",\"No\",\"on\",\"True\",\"fALSE\",\"NULL\",\"NaN\",\"Inf\",\"~\",\"\"]",
     "- \"yEs\"\n- \"No\"\n- \"on\"\n- \"True\"\n- \"fALSE\"\n- \"NULL\"\n- \"NaN\"\n- \"Inf\"\n- "
     "\"~\"\n- "
     "\"\"\n"},
    {"[\"yesterday\",\"nope\",\"nullable\",\"info\"]", "- yesterday\n- nope\n- nullable\n- info\n"},
    {"[\"a b\",\"a:\",\"#a\",\"- a\",\"=\",\"<<\",\"{{x}}\",\".5\",\"1:30\",\"a\\nmetadata:\"]",
     "- \"a b\"\n- \"a:\"\n- \"#a\"\n- \"- a\"\n- \"=\"\n- \"<<\"\n- \"{{x}}\"\n- \".5\"\n- "
     "\"1:30\"\n- "
     "\"a\\nmetadata:\"\n"},
    {"[\"\\u0000\\u0007\\u001b\\u007f\\u0085\\u00a0\\u2028\\u2029\\ufeff\\ud83d\\ude00\\u00e9\"]",
     "- "
     "\"\\u0000\\u0007\\u001b\\u007f\\u0085\xC2\xA0\\u2028\\u2029\\ufeff\xF0\x9F\x98\x80\xC3\xA9\""
     "\n"},
    {"[1e21,0.5,-3]", "- 1e+21\n- 0.5\n- -3\n"},
};

START_TEST(writes)
{
    struct reading reading;
    const struct node *root;

    reading_start(&reading);
    root = json_read(&reading.request, slice_from_text(written[_i].json));
    ck_assert_ptr_nonnull(root);
    yaml_write(&reading.out, root);
    ck_slice_eq(((struct slice){reading.out.data, reading.out.len}), written[_i].yaml);
    reading_end(&reading);
}
END_TEST

/*
 * Any tree must read back equal. The generator is a linear congruence, so a seed always gives the
 * same tree.
 */
struct random_tree {
    struct arena *arena;
    uint64_t state;
};

static unsigned
random_below(struct random_tree *random, unsigned bound)
{
    random->state = random->state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (unsigned)(random->state >> 33) % bound;
}

static struct slice
random_text(struct random_tree *random)
{
    static const char *const pieces[] = {"yes",
                                         "~",
                                         "1e3",
                                         "0x1F",
                                         "a",
                                         "-",
                                         "- ",
                                         ": ",
                                         "#",
                                         " #",
                                         "\n",
                                         "\t",
                                         "\"",
                                         "\\",
                                         "'",
                                         "\xC3\xA9",
                                         "\xF0\x9F\x98\x80",
                                         "\xE2\x80\xA8",
                                         "\xC2\x85",
                                         "\x7F",
                                         "\x01",
                                         "null",
                                         "{",
                                         "]",
                                         ",",
                                         "&a",
                                         "*a",
                                         "!t",
                                         "|",
                                         ">",
                                         "%",
                                         "@",
                                         "`",
                                         "k8s.io/x",
                                         " "};
    struct buffer text = {0};
    struct slice copy;

    for (unsigned count = random_below(random, 5); count > 0; count--) {
        const char *piece = pieces[random_below(random, ITEMS_OF(pieces))];

        buffer_append(&text, piece, strlen(piece));
    }
    if (random_below(random, 200) == 0)
        buffer_append_repeated(&text, '\x02', 400);
    copy = arena_copy(random->arena, (struct slice){text.data ? text.data : "", text.len});
    buffer_clear(&text);
    return copy;
}

static void
random_fill(struct random_tree *random, struct builder *parent, bool is_map, unsigned depth)
{
    for (unsigned count = random_below(random, 5); count > 0; count--) {
        char number[16];
        struct slice key = NO_SLICE;
        struct builder child;

        if (is_map) {
            struct slice text = random_text(random);

            snprintf(number, sizeof(number), "%u", count);
            key = slice_from_text(arena_format(random->arena, "%s%.*s", number, SLICE_ARG(text)));
        }
        switch (depth ? random_below(random, 6) : random_below(random, 4)) {
        case 0:
            build_int(parent, key, (int64_t)random_below(random, 100000) - 50000);
            break;
        case 1:
            build_bool(parent, key, random_below(random, 2));
            break;
        case 2:
        case 3:
            build_string(parent, key, random_text(random));
            break;
        case 4:
            child = is_map ? build_map_member(parent, key) : build_map_item(parent);
            random_fill(random, &child, true, depth - 1);
            break;
        default:
            child = is_map ? build_list_member(parent, key) : build_list(random->arena);
            random_fill(random, &child, false, depth - 1);
            if (!is_map)
                build_node_item(parent, child.node);
        }
    }
}

static void
check_round_trip(uint64_t seed, bool as_yaml)
{
    struct reading reading;
    struct random_tree random;
    struct builder root;
    const struct node *again;
    struct slice text;

    reading_start(&reading);
    random = (struct random_tree){.arena = reading.arena, .state = seed * 7919};
    root = build_map(reading.arena);
    random_fill(&random, &root, true, 5);
    if (as_yaml)
        yaml_write(&reading.out, root.node);
    else
        json_write(&reading.out, root.node);
    text = (struct slice){reading.out.data, reading.out.len};
    again = as_yaml ? yaml_read(&reading.request, text) : json_read(&reading.request, text);
    ck_assert_msg(again != NULL, "seed %llu: %s in\n%.*s", (unsigned long long)seed,
                  reading.report.count ? reading.report.items[0].message : "", SLICE_ARG(text));
    ck_assert_msg(node_equal(root.node, again), "seed %llu differs:\n%.*s",
                  (unsigned long long)seed, SLICE_ARG(text));
    reading_end(&reading);
}

enum { SEEDS_PER_CASE = 250 };

START_TEST(reads_back_from_json)
{
    for (int i = 0; i < SEEDS_PER_CASE; i++)
        check_round_trip((uint64_t)(_i * SEEDS_PER_CASE + i + 1), false);
}
END_TEST

START_TEST(reads_back_from_yaml)
{
    NEEDS_YAML();
    for (int i = 0; i < SEEDS_PER_CASE; i++)
        check_round_trip((uint64_t)(_i * SEEDS_PER_CASE + i + 1), true);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, writes, written, json);
    tcase_add_loop_test(cases, reads_back_from_json, 0, 16);
    tcase_add_loop_test(cases, reads_back_from_yaml, 0, 16);
}
