/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stdio.h>

#include "unit/suite.h"

/* ---- fnv1a ---- */

/* Test vectors of its authors: http://www.isthe.com/chongo/tech/comp/fnv/ */
static const struct {
    const char *text;
    uint64_t hash;
} fnv1a_vectors[] = {
    {"", 0xcbf29ce484222325u},
    {"a", 0xaf63dc4c8601ec8cu},
    {"foobar", 0x85944171f73967e8u},
};

START_TEST(fnv1a_as_published)
{
    struct slice text = slice_from_text(fnv1a_vectors[_i].text);

    ck_assert_uint_eq(fnv1a_add(FNV1A_START, text), fnv1a_vectors[_i].hash);
    for (size_t cut = 0; cut <= text.len; cut++) {
        uint64_t head = fnv1a_add(FNV1A_START, (struct slice){text.data, cut});
        struct slice tail = {text.data + cut, text.len - cut};

        ck_assert_uint_eq(fnv1a_add(head, tail), fnv1a_vectors[_i].hash);
    }
}
END_TEST

/* ---- sha1 ---- */

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
    struct sha hash;

    sha1_begin(&hash);
    for (size_t i = 0; i < digests[_i].times; i++)
        sha_add(&hash, slice_from_text(digests[_i].piece));
    sha1_end(&hash, out);
    for (int i = 0; i < SHA1_BYTES; i++)
        snprintf(text + 2 * i, 3, "%02x", out[i]);
    ck_assert_str_eq(text, digests[_i].digest);
}
END_TEST

/* ---- sha256 ---- */

/*
 * FIPS 180-4 examples of NIST, then texts of a length at each turn of the padding: 55 and 56 bytes,
 * a block less one, a block, a block and one. Values of the latter by coreutils' sha256sum.
 */
static const struct {
    const char *text; /* NULL: `length` times 'a' */
    size_t length;
    const char *hash;
} vectors[] = {
    {"", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
    {"abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq", 56,
     "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"},
    {NULL, 55, "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318"},
    {NULL, 56, "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a"},
    {NULL, 63, "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34"},
    {NULL, 64, "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb"},
    {NULL, 65, "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0"},
    {NULL, 119, "31eba51c313a5c08226adf18d4a359cfdfd8d2e816b13f4af952f7ea6584dcfb"},
    {NULL, 120, "2f3d335432c70b580af0e8e1b3674a7c020d683aa5f73aaaedfdc55af904c21c"},
    {NULL, 1000, "41edece42d63e8d9bf515a9ba6932e1c20cbc9f5a5d134645adb5db1b9737ea3"},
};

START_TEST(hashes_as_the_standard_says)
{
    static char many[1000];
    char out[SHA256_TEXT_SIZE];
    struct slice data = {vectors[_i].text, vectors[_i].length};

    memset(many, 'a', sizeof(many));
    if (!data.data)
        data.data = many;
    ck_assert_str_eq(sha256_text(data, out), vectors[_i].hash);
}
END_TEST

/* Vectors of the authors of FNV-1a, and one that was in the marks of pods of a real scheduler. */
static const struct {
    const char *text;
    uint32_t hash;
} short_hashes[] = {{"", 0x811c9dc5},
                    {"a", 0xe40c292c},
                    {"foobar", 0xbf9cf968},
                    {"team-a/bert/0", 0x23ec80b3},
                    {"team-a/deeps/1", 0x072b86e2},
                    {"team-a/pause/1", 0x72172f1f}};

START_TEST(short_hashes_are_those_of_fnv1a)
{
    ck_assert_uint_eq(fnv1a_32_add(FNV1A_32_START, slice_from_text(short_hashes[_i].text)),
                      short_hashes[_i].hash);
    ck_assert_uint_eq(fnv1a_32_add(FNV1A_32_START, NO_SLICE), 0x811c9dc5);
}
END_TEST

START_TEST(null_hashes_like_empty)
{
    char out[SHA256_TEXT_SIZE];

    ck_assert_str_eq(sha256_text(NO_SLICE, out), vectors[0].hash);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, fnv1a_as_published, fnv1a_vectors, text);
    add_rows(cases, digests_as_published, digests, piece, times);
    add_rows(cases, hashes_as_the_standard_says, vectors, text, length);
    add_rows(cases, short_hashes_are_those_of_fnv1a, short_hashes, text);
    tcase_add_test(cases, null_hashes_like_empty);
}
