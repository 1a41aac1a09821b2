/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema_nearest.h"

#include "unit/departure.h"

static const struct schema any = {.type = SCHEMA_ANY};
static const struct schema_field fields[] = {
    {"intOrString", &any, false}, {"mode", &any, false},  {"nullableWords", &any, false},
    {"numNodes", &any, false},    {"open", &any, false},  {"percent", &any, false},
    {"ports", &any, false},       {"roles", &any, false}, {"set", &any, false},
    {"text", &any, false},
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
    {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", NULL},
};

START_TEST(names_the_nearest_field)
{
    ck_assert_pstr_eq(schema_nearest_field(&root, slice_from_text(misspelt[_i].written)),
                      misspelt[_i].nearest);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, names_the_nearest_field, 0, COUNT_OF(misspelt));
}
