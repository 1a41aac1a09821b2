/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

static const struct {
    const char *members;
    unsigned classes;
} classes[] = {
    {"abcdefghijklmnopqrstuvwxyz", ASCII_LOWER},
    {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", ASCII_UPPER},
    {"0123456789", ASCII_DIGIT},
    {"-", ASCII_DASH},
    {"_", ASCII_UNDERSCORE},
    {".", ASCII_DOT},
    {"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ", ASCII_LETTER},
    {"0123456789-.", ASCII_DIGIT | ASCII_DASH | ASCII_DOT},
};

START_TEST(a_class_has_its_bytes_and_no_others)
{
    for (int byte = 0; byte < 256; byte++) {
        bool is_member = byte && strchr(classes[_i].members, byte);

        ck_assert_msg(ascii_is((char)byte, classes[_i].classes) == is_member, "byte %d", byte);
    }
    ck_assert(ascii_all(slice_from_text(classes[_i].members), classes[_i].classes));
}
END_TEST

START_TEST(one_other_byte_is_enough)
{
    ck_assert(ascii_all(SLICE(""), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("Abc"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("abC"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("a\0c"), ASCII_LOWER));
    ck_assert(!ascii_all(SLICE("caf\xc3\xa9"), ASCII_LETTER));
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_class_has_its_bytes_and_no_others, classes, members);
    tcase_add_test(cases, one_other_byte_is_enough);
}
