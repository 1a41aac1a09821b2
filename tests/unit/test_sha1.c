/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/hash.h"

#include <stdio.h>

#include "unit/suite.h"

/* RFC 3174, section 7.3, and the lengths around a block, by coreutils' sha1sum. */
static const struct {
    const char *piece;
    size_t times;
    const char *digest;
} digests[] = {
    {"abc", 1, "a9993e364706816aba3e25717850c26c9cd0d89d"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 1,
     "84983e441c3bd26ebaae4aa1f95129e5e54670f1"},
    {"a", 1000000, "34aa973cd4c4daa4f61eeb2bdbad27316534016f"},
    {"0123456701234567012345670123456701234567012345670123456701234567", 10,
     "dea356a2cddd90c7a7ecedc5ebb563934f460452"},
    {"", 1, "da39a3ee5e6b4b0d3255bfef95601890afd80709"},
    {"a", 55, "c1c8bbdc22796e28c0e15163d20899b65621d65a"},
    {"a", 56, "c2db330f6083854c99d4b5bfb6e8f29f201be699"},
    {"a", 63, "03f09f5b158a7a8cdad920bddc29b81c18a551f5"},
    {"a", 64, "0098ba824b5c16427bd7a1122a5a442a25ec644d"},
};

START_TEST(digests_as_published)
{
    unsigned char out[SHA1_BYTES];
    char text[2 * SHA1_BYTES + 1];
    struct sha1 hash;

    sha1_begin(&hash);
    for (size_t i = 0; i < digests[_i].times; i++)
        sha1_add(&hash, slice_from_text(digests[_i].piece));
    sha1_end(&hash, out);
    for (int i = 0; i < SHA1_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    ck_assert_str_eq(text, digests[_i].digest);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, digests_as_published, digests, piece, times);
}
