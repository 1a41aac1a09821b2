/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

#include "unit/departure.h"

static const struct schema any = {.type = SCHEMA_ANY};
static const struct schema_field fields[] = {
    {SLICE_INIT("intOrString"), &any, false},   {SLICE_INIT("mode"), &any, false},
    {SLICE_INIT("nullableWords"), &any, false}, {SLICE_INIT("numNodes"), &any, false},
    {SLICE_INIT("open"), &any, false},          {SLICE_INIT("percent"), &any, false},
    {SLICE_INIT("ports"), &any, false},         {SLICE_INIT("roles"), &any, false},
    {SLICE_INIT("set"), &any, false},           {SLICE_INIT("text"), &any, false},
};
static const struct schema root = {.type = SCHEMA_OBJECT, .fields = fields, .num_fields = 10};

static const struct {
    const char *written;
    const char *nearest;
} misspelt[] = {
    {"roels", "roles"},
    {"Roles", "roles"},
    {"role", "roles"},
    {"intorString", "intOrString"},
    {"nulableWord", "nullableWords"},
    {"xyzzy", NULL},
    {"", NULL},
    {"entirelyElse", NULL},
    {"precent", "percent"},
    {"t", NULL},
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
     NULL},
};

START_TEST(names_the_nearest_field)
{
    ck_assert_pstr_eq(schema_nearest_field(&root, slice_from_text(misspelt[_i].written)),
                      misspelt[_i].nearest);
}
END_TEST

static const char *const words[] = {"Honor", "Require", "Ignore", NULL};
static const struct slice texts[] = {SLICE_INIT("volcano"), SLICE_INIT("kai")};

static const struct {
    const char *written;
    const char *word;
    const char *text;
} misspelt_words[] = {
    {"Honour", "Honor", NULL}, {"honor", "Honor", NULL}, {"ignored", "Ignore", NULL},
    {"Allow", NULL, NULL},     {"", NULL, NULL},         {"vulcano", NULL, "volcano"},
    {"KAI", NULL, "kai"},      {"kia", NULL, "kai"},
};

START_TEST(names_the_nearest_word)
{
    struct slice written = slice_from_text(misspelt_words[_i].written);

    ck_assert_pstr_eq(schema_nearest_word(words, written), misspelt_words[_i].word);
    ck_assert_pstr_eq(schema_nearest_text(texts, 2, written), misspelt_words[_i].text);
}
END_TEST

START_TEST(asks_whether_it_was_meant)
{
    struct arena *arena = arena_new(0);

    ck_assert_str_eq(schema_did_you_mean(arena, "roles"), "did you mean \"roles\"?");
    ck_assert_ptr_null(schema_did_you_mean(arena, NULL));
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, names_the_nearest_word, misspelt_words, written, word, text);
    tcase_add_test(cases, asks_whether_it_was_meant);
    add_rows(cases, names_the_nearest_field, misspelt, written);
}
