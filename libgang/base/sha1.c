/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/sha1.h"

enum { SHA1_ROUNDS = 80, SHA1_LENGTH_AT = 56 };

/* RFC 3174, section 5: one constant for each twenty rounds. */
static const uint32_t sha1_constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

static uint32_t
sha1_rotate(uint32_t word, unsigned bits)
{
    return word << bits | word >> (32 - bits);
}

static uint32_t
sha1_mix(unsigned twenty, uint32_t b, uint32_t c, uint32_t d)
{
    if (twenty == 0)
        return (b & c) | (~b & d);
    return twenty == 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

static void
sha1_expand(const unsigned char block[SHA1_BLOCK], uint32_t words[SHA1_ROUNDS])
{
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
                   (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < SHA1_ROUNDS; i++)
        words[i] = sha1_rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 1);
}

static void
sha1_take_block(struct sha1 *hash)
{
    uint32_t words[SHA1_ROUNDS];
    uint32_t s[5];

    sha1_expand(hash->block, words);
    memcpy(s, hash->state, sizeof(s));
    for (unsigned i = 0; i < SHA1_ROUNDS; i++) {
        uint32_t next = sha1_rotate(s[0], 5) + sha1_mix(i / 20, s[1], s[2], s[3]) + s[4] +
                        sha1_constants[i / 20] + words[i];

        s[4] = s[3];
        s[3] = s[2];
        s[2] = sha1_rotate(s[1], 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (int i = 0; i < 5; i++)
        hash->state[i] += s[i];
}

void
sha1_begin(struct sha1 *hash)
{
    *hash = (struct sha1){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0}};
}

static void
sha1_add_byte(struct sha1 *hash, unsigned char byte)
{
    hash->block[hash->len++ % SHA1_BLOCK] = byte;
    if (hash->len % SHA1_BLOCK == 0)
        sha1_take_block(hash);
}

void
sha1_add(struct sha1 *hash, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        sha1_add_byte(hash, (unsigned char)text.data[i]);
}

void
sha1_end(struct sha1 *hash, unsigned char out[SHA1_BYTES])
{
    uint64_t bits = hash->len * 8;

    sha1_add_byte(hash, 0x80);
    while (hash->len % SHA1_BLOCK != SHA1_LENGTH_AT)
        sha1_add_byte(hash, 0);
    for (int i = 7; i >= 0; i--)
        sha1_add_byte(hash, (unsigned char)(bits >> (8 * i)));
    for (int i = 0; i < SHA1_BYTES; i++)
        out[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}
