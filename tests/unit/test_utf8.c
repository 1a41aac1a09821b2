/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

/* RFC 3629: first and last of each length, and what must be refused. */
static const struct {
    const char *bytes;
    size_t length;
    uint32_t code_point;
} sequences[] = {
    {"A", 1, 'A'},
    {"\x7f", 1, 0x7f},
    {"\xc2\x80", 2, 0x80},
    {"\xdf\xbf", 2, 0x7ff},
    {"\xe0\xa0\x80", 3, 0x800},
    {"\xed\x9f\xbf", 3, 0xd7ff},
    {"\xee\x80\x80", 3, 0xe000},
    {"\xef\xbf\xbf", 3, 0xffff},
    {"\xf0\x90\x80\x80", 4, 0x10000},
    {"\xf4\x8f\xbf\xbf", 4, 0x10ffff},
    {"\x80", 0, 0},
    {"\xbf", 0, 0},
    {"\xc0\x80", 0, 0},
    {"\xc1\xbf", 0, 0},
    {"\xe0\x9f\xbf", 0, 0},
    {"\xed\xa0\x80", 0, 0},
    {"\xed\xbf\xbf", 0, 0},
    {"\xf0\x8f\xbf\xbf", 0, 0},
    {"\xf4\x90\x80\x80", 0, 0},
    {"\xf5\x80\x80\x80", 0, 0},
    {"\xff", 0, 0},
    {"\xc2", 0, 0},
    {"\xe0\xa0", 0, 0},
    {"\xf0\x90\x80", 0, 0},
    {"\xc2\x41", 0, 0},
};

START_TEST(accepts_only_well_formed_sequences)
{
    const char *bytes = sequences[_i].bytes;
    uint32_t code_point = 0;

    ck_assert_uint_eq(utf8_sequence(bytes, bytes + strlen(bytes), &code_point),
                      sequences[_i].length);
    if (sequences[_i].length)
        ck_assert_uint_eq(code_point, sequences[_i].code_point);
}
END_TEST

START_TEST(encodes_what_it_decodes)
{
    char out[4];

    for (uint32_t code_point = 0; code_point <= 0x10ffff; code_point += 7) {
        uint32_t back = 0;
        size_t length;

        if (code_point >= 0xd800 && code_point < 0xe000)
            continue;
        length = utf8_encode(code_point, out);
        ck_assert_uint_eq(utf8_sequence(out, out + length, &back), length);
        ck_assert_uint_eq(back, code_point);
    }
}
END_TEST

START_TEST(counts_the_valid_prefix)
{
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xc3\xa9")), 4);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xff\x63")), 2);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("ab\xc3")), 2);
    ck_assert_uint_eq(utf8_valid_prefix(SLICE("")), 0);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, accepts_only_well_formed_sequences, sequences, bytes, length);
    tcase_add_test(cases, encodes_what_it_decodes);
    tcase_add_test(cases, counts_the_valid_prefix);
}
