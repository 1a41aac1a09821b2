/* SPDX-License-Identifier: Apache-2.0 */

#include "libgang/kube/pod_requests.h"

#include "unit/suite.h"
#include "unit/arena_fixture.h"
#include "unit/random.h"
#include "unit/resource_text.h"

/* ---- resource list ---- */

static const struct {
    const char *left;
    const char *right;
    const char *sum; /* NULL: above the largest amount */
    const char *maximum;
    const char *filled;
} pairs[] = {
    {"", "", "", "", ""},
    {"cpu=1", "", "cpu=1", "cpu=1", "cpu=1"},
    {"", "cpu=0100m", "cpu=0100m", "cpu=0100m", "cpu=0100m"},
    {"cpu=1", "cpu=500m", "cpu=1500m", "cpu=1", "cpu=1"},
    {"cpu=1", "memory=1Gi", "cpu=1,memory=1Gi", "cpu=1,memory=1Gi", "cpu=1,memory=1Gi"},
    {"memory=1Gi", "cpu=1", "cpu=1,memory=1Gi", "cpu=1,memory=1Gi", "cpu=1,memory=1Gi"},
    {"b=1,d=1", "a=2,b=2,c=2,d=2,e=2", "a=2,b=3,c=2,d=3,e=2", "a=2,b=2,c=2,d=2,e=2",
     "a=2,b=1,c=2,d=1,e=2"},
    {"a=2,b=2,c=2,d=2,e=2", "b=1,d=1", "a=2,b=3,c=2,d=3,e=2", "a=2,b=2,c=2,d=2,e=2",
     "a=2,b=2,c=2,d=2,e=2"},
    {"a=1,c=1", "b=1,d=1", "a=1,b=1,c=1,d=1", "a=1,b=1,c=1,d=1", "a=1,b=1,c=1,d=1"},
    {"a=+1", "a=1000m", "a=2", "a=+1", "a=+1"},
    {"a=1000m", "a=+1", "a=2", "a=1", "a=1"},
    {"a=1", "a=+2", "a=3", "a=+2", "a=1"},
    {"a=0", "a=1Gi", "a=1Gi", "a=1Gi", "a=0"},
    {"a=1Ki", "a=1", "a=1025", "a=1Ki", "a=1Ki"},
    {"a=9223372036854775807", "a=1", NULL, "a=9223372036854775807", "a=9223372036854775807"},
    {"nvidia.com/gpu=8", "cpu=1,memory=1", "cpu=1,memory=1,nvidia.com/gpu=8",
     "cpu=1,memory=1,nvidia.com/gpu=8", "cpu=1,memory=1,nvidia.com/gpu=8"},
    {"B=1", "a=1,A=1", "A=1,B=1,a=1", "A=1,B=1,a=1", "A=1,B=1,a=1"},
/* a list that is much longer than the other */
#define LONG "d=1,e=1,f=1,g=1,h=1,i=1,j=1,k=1,l=1,m=1,n=1,o=1,p=1,q=1,r=1,s=1,t=1"
    {"a=1,c=1," LONG, "c=2", "a=1,c=3," LONG, "a=1,c=2," LONG, "a=1,c=1," LONG},
    {"a=1,c=1," LONG, "b=2", "a=1,b=2,c=1," LONG, "a=1,b=2,c=1," LONG, "a=1,b=2,c=1," LONG},
    {"a=1,c=1," LONG, "z=2", "a=1,c=1," LONG ",z=2", "a=1,c=1," LONG ",z=2",
     "a=1,c=1," LONG ",z=2"},
    {"a=9223372036854775807,c=1," LONG, "a=1", NULL, "a=9223372036854775807,c=1," LONG,
     "a=9223372036854775807,c=1," LONG},
};

START_TEST(adds_per_name)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resources_text text;

    ck_assert_int_eq(resource_list_add(&left, test_arena, &right), pairs[_i].sum != NULL);
    if (pairs[_i].sum)
        ck_assert_str_eq(resources_print(&text, &left), pairs[_i].sum);
}
END_TEST

START_TEST(takes_the_maximum_per_name)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resources_text text;

    resource_list_maximum(&left, test_arena, &right);
    ck_assert_str_eq(resources_print(&text, &left), pairs[_i].maximum);
}
END_TEST

START_TEST(fills_what_is_missing)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resources_text text;

    resource_list_fill(&left, test_arena, &right);
    ck_assert_str_eq(resources_print(&text, &left), pairs[_i].filled);
}
END_TEST

/* A union is the left side filled with what it lacks, in a list of its own. */
START_TEST(merges_two_lists)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resource_list both = resource_list_union(test_arena, &left, &right);
    struct resources_text before;
    struct resources_text text;

    ck_assert_str_eq(resources_print(&text, &both), pairs[_i].filled);
    resources_print(&before, &left);
    resource_list_set(&both, test_arena, SLICE("zz"), (struct quantity){0});
    resource_list_forget_texts(&both);
    ck_assert_str_eq(resources_print(&text, &left), before.text);
}
END_TEST

START_TEST(adds_amounts_one_by_one)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resources_text before;
    struct resources_text text;
    bool fits = true;

    resources_print(&before, &left);
    for (size_t i = 0; i < right.count; i++)
        fits &= resource_list_add_amount(&left, test_arena, right.items[i].name,
                                         &right.items[i].quantity);
    ck_assert_int_eq(fits, pairs[_i].sum != NULL);
    if (fits && strcmp(pairs[_i].left, "") != 0)
        ck_assert_str_eq(resources_print(&text, &left), pairs[_i].sum);
    if (!fits)
        ck_assert_str_eq(resources_print(&text, &left), before.text);
}
END_TEST

START_TEST(amount_is_inserted_before_all_others)
{
    struct resource_list list = resources_from(test_arena, "cpu=1,memory=1Gi");
    struct quantity two = {.units = 2};
    struct resources_text text;

    ck_assert(resource_list_add_amount(&list, test_arena, SLICE("a"), &two));
    ck_assert(resource_list_add_amount(&list, test_arena, SLICE("d"), &two));
    ck_assert(resource_list_add_amount(&list, test_arena, SLICE("z"), &two));
    ck_assert(resource_list_add_amount(&list, test_arena, SLICE("cpu"), &two));
    ck_assert_str_eq(resources_print(&text, &list), "a=2,cpu=3,d=2,memory=1Gi,z=2");
}
END_TEST

START_TEST(leaves_the_right_side_alone)
{
    struct resource_list left = resources_from(test_arena, pairs[_i].left);
    struct resource_list right = resources_from(test_arena, pairs[_i].right);
    struct resource_list copy = resource_list_copy(test_arena, &right);
    struct resources_text before;
    struct resources_text after;

    resource_list_maximum(&left, test_arena, &right);
    if (resource_list_add(&left, test_arena, &right) && resources_multiply(&left, 0))
        ck_assert_uint_ge(left.count, right.count);
    ck_assert_str_eq(resources_print(&after, &right), resources_print(&before, &copy));
}
END_TEST

START_TEST(sets_and_gets)
{
    struct resource_list list = resources_from(test_arena, "memory=1Gi,cpu=1,pods=3,a=1,z=1");
    struct quantity two = {.units = 2};
    struct resources_text text;

    ck_assert_ptr_null(resource_list_get(&list, SLICE("mem")));
    ck_assert_ptr_null(resource_list_get(&list, SLICE("zz")));
    ck_assert_ptr_nonnull(resource_list_get(&list, SLICE("a")));
    resource_list_set(&list, test_arena, SLICE("cpu"), two);
    ck_assert_int_eq(quantity_compare(resource_list_get(&list, SLICE("cpu")), &two), 0);
    ck_assert_str_eq(resources_print(&text, &list), "a=1,cpu=2,memory=1Gi,pods=3,z=1");
}
END_TEST

START_TEST(an_empty_list_has_nothing)
{
    const struct resource_list none = {0};
    struct resource_list copy = resource_list_copy(test_arena, &none);

    ck_assert_ptr_null(resource_list_get(&none, SLICE("cpu")));
    ck_assert_uint_eq(copy.count, 0);
    ck_assert(resources_multiply(&copy, INT64_MAX));
}
END_TEST

static const struct {
    const char *list;
    int64_t factor;
    const char *product;
} products[] = {
    {"cpu=1500m,memory=1536Mi", 8, "cpu=12,memory=12Gi"},
    {"cpu=3,memory=1280Mi", 512, "cpu=1536,memory=640Gi"},
    {"memory=64Gi", 2147483647, NULL},
    {"cpu=1,memory=64Gi", 2147483647, NULL},
    {"cpu=+1", 1, "cpu=1"},
    {"cpu=1,memory=1Gi", 0, "cpu=0,memory=0"},
};

START_TEST(multiplies_by_a_count)
{
    struct resource_list list = resources_from(test_arena, products[_i].list);
    struct resources_text text;

    ck_assert_int_eq(resources_multiply(&list, products[_i].factor), products[_i].product != NULL);
    if (products[_i].product)
        ck_assert_str_eq(resources_print(&text, &list), products[_i].product);
}
END_TEST

/* The format is that of the first role in the sum. */
START_TEST(the_first_term_gives_the_format)
{
    static const struct {
        const char *first;
        int64_t first_count;
        const char *second;
        int64_t second_count;
        const char *sum;
    } orders[] = {
        {"memory=512Mi", 1, "memory=1G", 2, "memory=2477413Ki"},
        {"memory=512Mi", 1, "memory=1000Mi", 2, "memory=2512Mi"},
        {"memory=1G", 2, "memory=512Mi", 1, "memory=2536870912"},
        {"memory=0", 2, "memory=512Mi", 1, "memory=512Mi"},
    };

    for (int i = 0; i < ITEMS_OF(orders); i++) {
        struct resource_list sum = resources_from(test_arena, orders[i].first);
        struct resource_list second = resources_from(test_arena, orders[i].second);
        struct resources_text text;

        ck_assert(resources_multiply(&sum, orders[i].first_count));
        ck_assert(resources_multiply(&second, orders[i].second_count));
        ck_assert(resource_list_add(&sum, test_arena, &second));
        ck_assert_str_eq(resources_print(&text, &sum), orders[i].sum);
    }
}
END_TEST

START_TEST(builds_a_map_of_strings)
{
    struct resource_list list = resources_from(test_arena, "memory=1.5Gi,cpu=+1");
    struct builder map = build_map(test_arena);
    const struct node *first;

    resource_list_build(&list, &map);
    first = node_first(map.node);
    ck_assert_uint_eq(node_count(map.node), 2);
    ck_slice_eq(node_key(first), "cpu");
    ck_slice_eq(node_string(first), "+1");
    ck_slice_eq(node_key(first->next), "memory");
    ck_slice_eq(node_string(first->next), "1536Mi");
}
END_TEST

/* A sentence has the first eight. */
START_TEST(words_count_what_they_leave_out)
{
    struct resource_list list =
        resources_from(test_arena, "a=1,b=2,c=3,d=4,e=5,f=6,g=7,h=8,i=9,j=10");

    ck_assert_str_eq(resource_list_in_words(&list, test_arena),
                     "a 1, b 2, c 3, d 4, e 5, f 6, g 7, h 8 and 2 more");
    list.count = 0;
    ck_assert_str_eq(resource_list_in_words(&list, test_arena), "nothing");
}
END_TEST

/* Merging agrees with setting name by name, in any order and size. */
START_TEST(merging_agrees_with_setting)
{
    struct random random = random_start();

    for (int round = 0; round < 2000; round++) {
        struct resource_list left = {0};
        struct resource_list right = {0};
        struct resource_list expected = {0};
        struct resources_text merged;
        struct resources_text single;
        static const char names[] = "abcdefghijkl";

        for (int i = 0; i < 12; i++) {
            struct slice name = {names + random_below(&random, 12), 1};
            struct quantity quantity = {.units = (int64_t)random_below(&random, 1000)};

            if (random_below(&random, 2))
                resource_list_set(&left, test_arena, name, quantity);
            else
                resource_list_set(&right, test_arena, name, quantity);
        }
        expected = resource_list_copy(test_arena, &left);
        for (size_t i = 0; i < right.count; i++) {
            const struct quantity *mine = resource_list_get(&left, right.items[i].name);
            struct quantity sum = right.items[i].quantity;

            ck_assert(!mine || quantity_add(&sum, mine));
            resource_list_set(&expected, test_arena, right.items[i].name, sum);
        }
        ck_assert(resource_list_add(&left, test_arena, &right));
        ck_assert_str_eq(resources_print(&merged, &left), resources_print(&single, &expected));
    }
}
END_TEST

START_TEST(a_failed_allocation_is_clean)
{
    struct resource_list right = resources_from(test_arena, "a=1,b=2,c=3");
    struct arena *small = arena_new(1);
    struct resource_list list = {0};

    resource_list_set(&list, small, SLICE("cpu"), (struct quantity){0});
    ck_assert(resource_list_add(&list, small, &right));
    resource_list_maximum(&list, small, &right);
    ck_assert_uint_eq(resource_list_copy(small, &right).count, 0);
    ck_assert_uint_eq(resource_list_union(small, &right, &list).count, 0);
    ck_assert(resource_list_add_amount(&list, small, SLICE("cpu"), &right.items[0].quantity));
    ck_assert_uint_eq(list.count, 0);
    ck_assert(arena_failed(small));
    arena_free(small);
}
END_TEST

/* ---- resource list read ---- */

/* `spec: {requests: {NAME: VALUE}}` with the value on line 7, column 15. */
struct one_resource {
    struct node root;
    struct node map;
    struct node value;
};

static void
one_resource_init(struct one_resource *tree, const char *name, enum node_kind kind,
                  const char *text)
{
    *tree = (struct one_resource){
        .root = {.kind = NODE_MAP, .as.first = &tree->map, .len = 1},
        .map = {.kind = NODE_MAP, .parent = &tree->root, .key = "requests", .key_len = 8, .len = 1},
        .value = {.kind = (uint8_t)kind,
                  .parent = &tree->map,
                  .as.text = text,
                  .len = (uint32_t)strlen(text),
                  .key = name,
                  .key_len = (uint32_t)strlen(name),
                  .line = 7,
                  .column = 15,
                  .document = GANG_DOCUMENT_RUNTIME},
    };
    tree->map.as.first = &tree->value;
}

static const struct {
    enum node_kind kind;
    const char *text;
    const char *printed;
} taken[] = {
    {NODE_STRING, "1", "1"},
    {NODE_STRING, "0100m", "0100m"},
    {NODE_STRING, "1.5Gi", "1536Mi"},
    {NODE_STRING, "0", "0"},
    {NODE_STRING, "-0", "0"},
    {NODE_STRING, " 1Gi  ", "1Gi"},
    {NODE_STRING,
     "\xc2\xa0"
     "2\xe3\x80\x80",
     "2"},
    {NODE_STRING, "\xc2\x85\xe2\x80\x89+2\xe2\x80\x80 ", "+2"},
    {NODE_INT, "8", "8"},
    {NODE_INT, "1000", "1k"},
    {NODE_INT, "2147483648", "2147483648"},
    {NODE_NUMBER, "2.0", "2"},
    {NODE_NUMBER, "1e3", "1k"},
    {NODE_NUMBER, "1e1", "10"},
    {NODE_NUMBER, "1.5e3", "1500"},
};

START_TEST(accepts_what_the_api_server_accepts)
{
    struct one_resource tree;
    struct resource_list list;
    char text[QUANTITY_TEXT_SIZE];

    one_resource_init(&tree, "cpu", taken[_i].kind, taken[_i].text);
    list = resource_list_read(&tree.map, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    ck_assert_uint_eq(list.count, 1);
    ck_slice_eq(list.items[0].name, "cpu");
    ck_slice_eq(quantity_print(&list.items[0].quantity, text), taken[_i].printed);
}
END_TEST

#define FORM                                                                                       \
    "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"

static const struct {
    enum node_kind kind;
    const char *text;
    enum gang_code code;
    const char *message;
    const char *printed; /* NULL: no amount */
} noted[] = {
    {NODE_STRING, "1K", GANG_CODE_QUANTITY_SYNTAX,
     "Invalid value: \"1K\": unable to parse quantity's suffix", NULL},
    {NODE_STRING, "1_000Mi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1_000Mi\": " FORM, NULL},
    {NODE_STRING, "", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"\": " FORM, NULL},
    {NODE_STRING, "  ", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"  \": " FORM, NULL},
    {NODE_STRING, "\t1", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"\\t1\": " FORM, NULL},
    {NODE_STRING, "1\n", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1\\n\": " FORM, NULL},
    {NODE_STRING, "1 Gi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"1 Gi\": " FORM, NULL},
    {NODE_STRING, "Gi", GANG_CODE_QUANTITY_SYNTAX, "Invalid value: \"Gi\": " FORM, NULL},
    {NODE_STRING, "1e65", GANG_CODE_QUANTITY_RANGE,
     "Invalid value: \"1e65\": exponent must be between -64 and 64", NULL},
    {NODE_STRING, "10E", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: \"10E\": must be less than or equal to 9223372036854775807", NULL},
    {NODE_STRING, "8Ei", GANG_CODE_QUANTITY_CAPPED,
     "Invalid value: \"8Ei\": is above 9223372036854775807 and read as that",
     "9223372036854775807"},
    {NODE_STRING, "-1", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-1\": must be greater than or equal to 0", "-1"},
    {NODE_STRING, "-0.1n", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-0.1n\": must be greater than or equal to 0", "-1n"},
    {NODE_INT, "-1", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: -1: must be greater than or equal to 0", "-1"},
    /* kubernetes/kubernetes:pkg/apis/core/validation/validation.go ValidateNonnegativeQuantity */
    {NODE_INT, "-9223372036854775808", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: -9223372036854775808: must be greater than or equal to 0", NULL},
    {NODE_STRING, "-9E", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-9E\": must be greater than or equal to 0", "-9E"},
    {NODE_STRING, "-10E", GANG_CODE_QUANTITY_NEGATIVE,
     "Invalid value: \"-10E\": must be greater than or equal to 0", NULL},
    {NODE_NUMBER, "18446744073709551615", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: 18446744073709551615: must be less than or equal to 9223372036854775807",
     NULL},
    {NODE_NUMBER, "1e21", GANG_CODE_QUANTITY_OVERFLOW,
     "Invalid value: 1e21: must be less than or equal to 9223372036854775807", NULL},
    {NODE_NUMBER, "0.5", GANG_CODE_FRACTIONAL_NUMBER,
     "Invalid value: 0.5: must be of type integer,string: \"number\"", "500m"},
    {NODE_NUMBER, "1.5", GANG_CODE_FRACTIONAL_NUMBER,
     "Invalid value: 1.5: must be of type integer,string: \"number\"", "1500m"},
    {NODE_STRING, "00000000000000000000000000000000000000000000000000000000000000001",
     GANG_CODE_QUANTITY_TOO_LONG,
     "Invalid value: \"0000000000000000000000000000000000000000000000000000000000000000...\": must "
     "be no "
     "more than 64 "
     "bytes",
     NULL},
};

START_TEST(reports_message_and_place)
{
    struct one_resource tree;
    struct resource_list list;
    char text[QUANTITY_TEXT_SIZE];

    one_resource_init(&tree, "nvidia.com/gpu", noted[_i].kind, noted[_i].text);
    list = resource_list_read(&tree.map, &test_report);
    ck_assert_uint_eq(test_report.count, 1);
    ck_assert_int_eq(test_report.items[0].code, noted[_i].code);
    ck_assert_str_eq(test_report.items[0].message, noted[_i].message);
    ck_assert_str_eq(test_report.items[0].path, "requests[nvidia.com/gpu]");
    ck_assert_int_eq(test_report.items[0].document, GANG_DOCUMENT_RUNTIME);
    ck_assert_uint_eq(test_report.items[0].line, 7);
    ck_assert_uint_eq(test_report.items[0].column, 15);
    ck_assert_ptr_nonnull(test_report.items[0].hint);
    ck_assert_uint_eq(list.count, noted[_i].printed != NULL);
    if (noted[_i].printed)
        ck_slice_eq(quantity_print(&list.items[0].quantity, text), noted[_i].printed);
}
END_TEST

/*
 * A built-in type decodes its quantities itself, so any number is one and null is zero. The results
 * are those of Quantity.UnmarshalJSON() and String() of k8s.io/apimachinery v0.36.2, without the
 * text that it keeps.
 */
static const struct {
    enum node_kind kind;
    const char *text;
    const char *printed;
} built_in[] = {
    {NODE_NUMBER, "0.5", "500m"},
    {NODE_NUMBER, "0.1", "100m"},
    {NODE_NUMBER, "0.0005", "500u"},
    {NODE_NUMBER, "0.9999999999", "1"},
    {NODE_NUMBER, "123456789.125", "123456789125m"},
    {NODE_NUMBER, "1e-07", "100e-9"},
    {NODE_NUMBER, "1.5e-07", "150e-9"},
    {NODE_NUMBER, "1e-09", "1e-9"},
    {NODE_NUMBER, "1e-10", "1e-9"},
    {NODE_INT, "1000000000", "1G"},
    {NODE_NULL, "null", "0"},
};

START_TEST(a_built_in_type_accepts_any_number)
{
    struct one_resource tree;
    struct resource_list list;
    char text[QUANTITY_TEXT_SIZE];

    one_resource_init(&tree, "cpu", built_in[_i].kind, built_in[_i].text);
    test_report.built_in = true;
    list = resource_list_read(&tree.map, &test_report);
    ck_assert_uint_eq(test_report.count, 0);
    ck_assert_uint_eq(list.count, 1);
    resource_list_forget_texts(&list);
    ck_slice_eq(quantity_print(&list.items[0].quantity, text), built_in[_i].printed);
}
END_TEST

START_TEST(a_capital_k_gets_its_own_hint)
{
    struct one_resource tree;

    one_resource_init(&tree, "memory", NODE_STRING, "512K");
    resource_list_read(&tree.map, &test_report);
    ck_assert_str_eq(test_report.items[0].hint, "write k for thousands or Ki for 1024s");
}
END_TEST

/* Null is an absent key; what is no scalar is the schema check's to report. */
START_TEST(skips_invalid_amounts)
{
    static const enum node_kind kinds[] = {NODE_NULL, NODE_BOOL, NODE_LIST, NODE_MAP};
    struct one_resource tree;

    one_resource_init(&tree, "cpu", kinds[_i], "true");
    if (kinds[_i] >= NODE_LIST) {
        tree.value.as.first = NULL;
        tree.value.len = 0;
    }
    ck_assert_uint_eq(resource_list_read(&tree.map, &test_report).count, 0);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

START_TEST(absent_map_is_an_empty_list)
{
    struct one_resource tree;

    one_resource_init(&tree, "cpu", NODE_STRING, "1");
    tree.map.len = 0;
    tree.map.as.first = NULL;
    ck_assert_uint_eq(resource_list_read(NULL, &test_report).count, 0);
    ck_assert_uint_eq(resource_list_read(&tree.map, &test_report).count, 0);
    ck_assert_uint_eq(resource_list_read(&tree.value, &test_report).count, 0);
    ck_assert_uint_eq(test_report.count, 0);
}
END_TEST

START_TEST(sorts_by_name_and_reports_every_bad_one)
{
    struct builder map = build_map(test_arena);
    struct resource_list list;
    struct resources_text text;

    text_build_resources(&map, SLICE("pods=3,memory=1K,cpu=+1,a=-1,hugepages-2Mi=4Mi,Cpu=2"));
    list = resource_list_read(map.node, &test_report);
    ck_assert_str_eq(resources_print(&text, &list), "Cpu=2,a=-1,cpu=+1,hugepages-2Mi=4Mi,pods=3");
    ck_assert_uint_eq(test_report.count, 2);
    ck_assert_uint_eq(test_report.errors, 2);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_checked_fixture(cases, open_arena, close_arena);
    add_rows(cases, adds_per_name, pairs, left, right);
    add_rows(cases, takes_the_maximum_per_name, pairs, left, right);
    add_rows(cases, fills_what_is_missing, pairs, left, right);
    add_rows(cases, merges_two_lists, pairs, left, right);
    add_rows(cases, adds_amounts_one_by_one, pairs, left, right);
    tcase_add_test(cases, amount_is_inserted_before_all_others);
    add_rows(cases, leaves_the_right_side_alone, pairs, left, right);
    tcase_add_test(cases, sets_and_gets);
    tcase_add_test(cases, an_empty_list_has_nothing);
    add_rows(cases, multiplies_by_a_count, products, list, factor);
    tcase_add_test(cases, the_first_term_gives_the_format);
    tcase_add_test(cases, builds_a_map_of_strings);
    tcase_add_test(cases, words_count_what_they_leave_out);
    tcase_add_test(cases, merging_agrees_with_setting);
    tcase_add_test(cases, a_failed_allocation_is_clean);
    add_rows(cases, accepts_what_the_api_server_accepts, taken, kind, text);
    add_rows(cases, reports_message_and_place, noted, kind, text);
    add_rows(cases, a_built_in_type_accepts_any_number, built_in, kind, text);
    tcase_add_test(cases, a_capital_k_gets_its_own_hint);
    tcase_add_loop_test(cases, skips_invalid_amounts, 0, 4);
    tcase_add_test(cases, absent_map_is_an_empty_list);
    tcase_add_test(cases, sorts_by_name_and_reports_every_bad_one);
}
