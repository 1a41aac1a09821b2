/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stdint.h>

/* ---- fnv1a ---- */

uint64_t
fnv1a_add(uint64_t hash, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * 1099511628211u;
    return hash;
}

uint32_t
fnv1a_32_add(uint32_t hash, struct slice text)
{
    for (size_t i = 0; i < text.len; i++)
        hash = (hash ^ (unsigned char)text.data[i]) * 16777619u;
    return hash;
}

/* ---- what SHA-1 and SHA-256 have in common ---- */

enum { SHA_LENGTH_AT = SHA_BLOCK - 8 };

static uint32_t
sha_word(const unsigned char bytes[4])
{
    return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* To the right. */
static uint32_t
sha_rotate(uint32_t word, unsigned bits)
{
    return word >> bits | word << (32 - bits);
}

void
sha_add(struct sha *hash, struct slice text)
{
    while (text.len) {
        const size_t used = hash->len % SHA_BLOCK;
        const size_t len = text.len < SHA_BLOCK - used ? text.len : SHA_BLOCK - used;

        memcpy(hash->block + used, text.data, len);
        hash->len += len;
        if (used + len == SHA_BLOCK)
            hash->take_block(hash);
        text = slice_after(text, len);
    }
}

/* The padding: a one bit, zeros, and the length in bits. */
static void
sha_finish(struct sha *hash)
{
    const uint64_t bits = hash->len * 8;
    size_t used = hash->len % SHA_BLOCK;

    hash->block[used++] = 0x80;
    memset(hash->block + used, 0, SHA_BLOCK - used);
    if (used > SHA_LENGTH_AT) {
        hash->take_block(hash);
        memset(hash->block, 0, SHA_BLOCK);
    }
    for (size_t i = 0; i < 8; i++)
        hash->block[SHA_LENGTH_AT + i] = (unsigned char)(bits >> (8 * (7 - i)));
    hash->take_block(hash);
}

/* ---- sha1 ---- */

enum { SHA1_ROUNDS = 80 };

/* RFC 3174, section 5: one constant for each twenty rounds. */
static const uint32_t sha1_constants[] = {0x5a827999, 0x6ed9eba1, 0x8f1bbcdc, 0xca62c1d6};

static uint32_t
sha1_mix(unsigned twenty, uint32_t b, uint32_t c, uint32_t d)
{
    if (twenty == 0)
        return (b & c) | (~b & d);
    return twenty == 2 ? (b & c) | (b & d) | (c & d) : b ^ c ^ d;
}

static void
sha1_take_block(struct sha *hash)
{
    uint32_t words[SHA1_ROUNDS];
    uint32_t s[5];

    for (int i = 0; i < 16; i++)
        words[i] = sha_word(hash->block + 4 * i);
    for (int i = 16; i < SHA1_ROUNDS; i++)
        words[i] = sha_rotate(words[i - 3] ^ words[i - 8] ^ words[i - 14] ^ words[i - 16], 32 - 1);
    memcpy(s, hash->state, sizeof(s));
    for (unsigned i = 0; i < SHA1_ROUNDS; i++) {
        uint32_t next = sha_rotate(s[0], 32 - 5) + sha1_mix(i / 20, s[1], s[2], s[3]) + s[4] +
                        sha1_constants[i / 20] + words[i];

        s[4] = s[3];
        s[3] = s[2];
        s[2] = sha_rotate(s[1], 32 - 30);
        s[1] = s[0];
        s[0] = next;
    }
    for (int i = 0; i < 5; i++)
        hash->state[i] += s[i];
}

void
sha1_begin(struct sha *hash)
{
    *hash = (struct sha){.state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0},
                         .take_block = sha1_take_block};
}

void
sha1_end(struct sha *hash, unsigned char out[SHA1_BYTES])
{
    sha_finish(hash);
    for (int i = 0; i < SHA1_BYTES; i++)
        out[i] = (unsigned char)(hash->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* ---- sha256 ---- */

enum { SHA256_WORDS = 8, SHA256_ROUNDS = 64 };

/* FIPS 180-4, 4.2.2: the fractional parts of the cube roots of the first 64 primes. */
static const uint32_t sha256_constants[SHA256_ROUNDS] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

/* FIPS 180-4, 6.2.2, with v[0] to v[7] for a to h. */
static void
sha256_round(uint32_t v[SHA256_WORDS], uint32_t word)
{
    uint32_t one = v[7] + (sha_rotate(v[4], 6) ^ sha_rotate(v[4], 11) ^ sha_rotate(v[4], 25)) +
                   ((v[4] & v[5]) ^ (~v[4] & v[6])) + word;
    uint32_t two = (sha_rotate(v[0], 2) ^ sha_rotate(v[0], 13) ^ sha_rotate(v[0], 22)) +
                   ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));

    memmove(&v[1], &v[0], (SHA256_WORDS - 1) * sizeof(v[0]));
    v[4] += one;
    v[0] = one + two;
}

static void
sha256_take_block(struct sha *hash)
{
    uint32_t schedule[SHA256_ROUNDS];
    uint32_t v[SHA256_WORDS];

    for (size_t i = 0; i < 16; i++)
        schedule[i] = sha_word(hash->block + 4 * i);
    for (size_t i = 16; i < SHA256_ROUNDS; i++) {
        uint32_t a = schedule[i - 15];
        uint32_t b = schedule[i - 2];

        schedule[i] = schedule[i - 16] + (sha_rotate(a, 7) ^ sha_rotate(a, 18) ^ (a >> 3)) +
                      schedule[i - 7] + (sha_rotate(b, 17) ^ sha_rotate(b, 19) ^ (b >> 10));
    }
    memcpy(v, hash->state, sizeof(v));
    for (size_t i = 0; i < SHA256_ROUNDS; i++)
        sha256_round(v, sha256_constants[i] + schedule[i]);
    for (size_t i = 0; i < SHA256_WORDS; i++)
        hash->state[i] += v[i];
}

const char *
sha256_text(struct slice data, char out[SHA256_TEXT_SIZE])
{
    struct sha hash = {.state = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f,
                                 0x9b05688c, 0x1f83d9ab, 0x5be0cd19},
                       .take_block = sha256_take_block};

    sha_add(&hash, data);
    sha_finish(&hash);
    for (size_t i = 0; i < SHA256_TEXT_SIZE - 1; i++)
        out[i] = "0123456789abcdef"[hash.state[i / 8] >> (28 - 4 * (i % 8)) & 15];
    out[SHA256_TEXT_SIZE - 1] = '\0';
    return out;
}
