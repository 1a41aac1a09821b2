/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/utf8.h"

/* Smallest code point that needs this many bytes; a smaller one is overlong. */
static const uint32_t smallest_of_length[5] = {0, 0, 0x80, 0x800, 0x10000};

static size_t
length_from_first_byte(unsigned char first)
{
    if (first < 0x80)
        return 1;
    if (first >= 0xC2 && first < 0xE0)
        return 2;
    if (first >= 0xE0 && first < 0xF0)
        return 3;
    if (first >= 0xF0 && first < 0xF5)
        return 4;
    return 0;
}

size_t
utf8_sequence(const char *at, const char *end, uint32_t *code_point)
{
    unsigned char first = (unsigned char)*at;
    size_t length = length_from_first_byte(first);
    uint32_t value = length == 1 ? first : first & (0x7Fu >> length);

    if (length == 0 || (size_t)(end - at) < length)
        return 0;
    for (size_t i = 1; i < length; i++) {
        unsigned char byte = (unsigned char)at[i];

        if ((byte & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (byte & 0x3Fu);
    }
    if (value < smallest_of_length[length] || value > 0x10FFFF || (value >= 0xD800 && value < 0xE000))
        return 0;
    if (code_point)
        *code_point = value;
    return length;
}

size_t
utf8_encode(uint32_t code_point, char out[4])
{
    size_t length = code_point < 0x80 ? 1 : code_point < 0x800 ? 2 : code_point < 0x10000 ? 3 : 4;
    static const unsigned char lead[5] = {0, 0x00, 0xC0, 0xE0, 0xF0};

    for (size_t i = length; i-- > 1; code_point >>= 6)
        out[i] = (char)(0x80 | (code_point & 0x3F));
    out[0] = (char)(lead[length] | code_point);
    return length;
}

size_t
utf8_valid_prefix(struct slice text)
{
    const char *at = text.data;
    const char *end = at + text.len;

    while (at < end) {
        size_t length = (unsigned char)*at < 0x80 ? 1 : utf8_sequence(at, end, NULL);

        if (length == 0)
            break;
        at += length;
    }
    return (size_t)(at - text.data);
}
