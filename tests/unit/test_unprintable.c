/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include "unit/suite.h"

/* First and last of the ranges of UnicodeData.txt 14.0, with the code point before and behind. */
static const struct {
    uint32_t code_point;
    bool unprintable;
    const char *what;
} code_points[] = {
    {0x00, true, "NUL, Cc"},
    {0x1F, true, "unit separator, Cc"},
    {0x20, false, "space"},
    {0x7E, false, "tilde"},
    {0x7F, true, "delete, Cc"},
    {0x9F, true, "application program command, Cc"},
    {0xA0, true, "no-break space, Zs"},
    {0xA1, false, "inverted exclamation mark"},
    {0xAC, false, "not sign"},
    {0xAD, true, "soft hyphen, Cf"},
    {0xAE, false, "registered sign"},
    {0xE9, false, "e with acute"},
    {0x0301, false, "combining acute accent"},
    {0x034F, true, "combining grapheme joiner, default ignorable"},
    {0x0378, true, "unassigned"},
    {0x061C, true, "Arabic letter mark, Cf"},
    {0x115F, true, "Hangul choseong filler, default ignorable"},
    {0x180E, true, "Mongolian vowel separator, Cf"},
    {0x200B, true, "zero width space, Cf"},
    {0x200D, true, "zero width joiner, Cf"},
    {0x200F, true, "right-to-left mark, Cf"},
    {0x2010, false, "hyphen"},
    {0x2028, true, "line separator, Zl"},
    {0x2029, true, "paragraph separator, Zp"},
    {0x202E, true, "right-to-left override, Cf"},
    {0x2030, false, "per mille sign"},
    {0x2066, true, "left-to-right isolate, Cf"},
    {0x2069, true, "pop directional isolate, Cf"},
    {0x2070, false, "superscript zero"},
    {0x20AC, false, "euro sign"},
    {0x3164, true, "Hangul filler, default ignorable"},
    {0x4E2D, false, "CJK ideograph"},
    {0xD800, true, "surrogate, Cs"},
    {0xE000, true, "private use, Co"},
    {0xF8FF, true, "private use, Co"},
    {0xFE0F, true, "variation selector 16, default ignorable"},
    {0xFEFF, true, "byte order mark, Cf"},
    {0xFFF9, true, "interlinear annotation anchor, Cf"},
    {0xFFFD, false, "replacement character"},
    {0xFFFF, true, "noncharacter"},
    {0x1D173, true, "musical symbol begin beam, Cf"},
    {0x1F600, false, "grinning face"},
    {0xE0001, true, "language tag, Cf"},
    {0xE0061, true, "tag small letter a, Cf"},
    {0xE01EF, true, "variation selector 256, default ignorable"},
    {0x10FFFD, true, "private use, Co"},
    {0x10FFFF, true, "noncharacter"},
};

START_TEST(knows_what_a_reader_does_not_see)
{
    ck_assert_int_eq(is_unprintable(code_points[_i].code_point), code_points[_i].unprintable);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, knows_what_a_reader_does_not_see, code_points, what);
}
