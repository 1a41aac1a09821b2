/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_CHANGES_H
#define FUZZ_CHANGES_H

#include <ctype.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "fuzz/draw.h"

/*
 * Changes of a document that mostly leave it a document: other words, and members and items that
 * are left out or repeated. They do not know the format: a word is a run of the characters of names
 * and numbers, and a member ends at a comma or bracket, as in JSON and in flows of YAML.
 */

size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

/* MemorySanitizer does not see that libFuzzer, which it has not compiled, has written the input. */
static inline void
know_as_written(const uint8_t *data, size_t size)
{
#if defined(__has_feature)
#if __has_feature(memory_sanitizer)
    void __msan_unpoison(const volatile void *, size_t);

    __msan_unpoison(data, size);
#endif
#endif
    (void)data;
    (void)size;
}

struct span {
    size_t start;
    size_t end;
};

/* A text that is changed in place. */
struct changed {
    uint8_t *data;
    size_t size;
    size_t max_size;
    uint32_t seed;
};

static inline size_t
changed_draw(struct changed *text, size_t bound)
{
    return draw(&text->seed, (uint32_t)bound);
}

static inline bool
is_of_word(uint8_t byte)
{
    return isalnum(byte) || byte == '-' || byte == '.' || byte == '/' || byte == '_';
}

/* The word at a random place, or after it; empty at the end of the text. */
static inline struct span
changed_word(struct changed *text)
{
    struct span word = {changed_draw(text, text->size), 0};

    while (word.start < text->size && !is_of_word(text->data[word.start]))
        word.start++;
    while (word.start > 0 && is_of_word(text->data[word.start - 1]))
        word.start--;
    word.end = word.start;
    while (word.end < text->size && is_of_word(text->data[word.end]))
        word.end++;
    return word;
}

/* From a random comma to the next comma or bracket of the same depth; empty if there is none. */
static inline struct span
changed_member(struct changed *text)
{
    struct span member = {changed_draw(text, text->size), 0};
    int depth = 0;

    while (member.start < text->size && text->data[member.start] != ',')
        member.start++;
    for (member.end = member.start + 1; member.end < text->size; member.end++) {
        const uint8_t byte = text->data[member.end];

        depth += (byte == '{' || byte == '[') - (byte == '}' || byte == ']');
        if (depth < 0 || (depth == 0 && byte == ','))
            break;
    }
    return member.end <= text->size ? member : (struct span){text->size, text->size};
}

static inline void
changed_replace(struct changed *text, struct span span, const void *with, size_t len)
{
    const size_t tail = text->size - span.end;

    if (span.start + len + tail > text->max_size)
        return;
    memmove(text->data + span.start + len, text->data + span.end, tail);
    memcpy(text->data + span.start, with, len);
    text->size = span.start + len + tail;
}

/* Replaces one part of the text by another part of it. */
static inline void
changed_copy(struct changed *text, struct span to, struct span from)
{
    uint8_t copy[512];
    const size_t len = from.end - from.start;

    if (len > sizeof(copy))
        return;
    memcpy(copy, text->data + from.start, len);
    changed_replace(text, to, copy, len);
}

/* Values at the limits of the types of Kubernetes. */
static const char *const limit_values[] = {
    "0",
    "1",
    "2",
    "-1",
    "64",
    "65",
    "2147483647",
    "2147483648",
    "4294967296",
    "9223372036854775807",
    "9223372036854775808",
    "1.5",
    "1e3",
    "500m",
    "1Gi",
    "1g",
    "512m",
    "0.1",
    "true",
    "false",
    "null",
    "~",
    "a",
    "A",
    "-",
    "a.b/c",
    "\"\"",
    "{}",
    "[]",
    "\"1\"",
};

/* The word with the quotes around it. */
static inline struct span
changed_with_quotes(const struct changed *text, struct span word)
{
    if (word.start > 0 && word.end < text->size && text->data[word.start - 1] == '"' &&
        text->data[word.end] == '"')
        return (struct span){word.start - 1, word.end + 1};
    return word;
}

/* A text becomes a number, flag, list or map, too. A key does not, as it needs its quotes. */
static inline void
changed_write_limit(struct changed *text)
{
    const size_t count = sizeof(limit_values) / sizeof(*limit_values);
    const char *value = limit_values[changed_draw(text, count)];
    struct span word = changed_word(text);
    const struct span quoted = changed_with_quotes(text, word);
    const bool is_key = quoted.end < text->size && text->data[quoted.end] == ':';

    if (!is_key && (*value == '"' || changed_draw(text, 2)))
        word = quoted;
    else if (*value == '"')
        return;
    changed_replace(text, word, value, strlen(value));
}

/* Lets libFuzzer change one word, with its dictionary. */
static inline void
changed_mutate_word(struct changed *text)
{
    uint8_t copy[128];
    const struct span word = changed_word(text);
    const size_t len = word.end - word.start;

    if (len > sizeof(copy) / 2)
        return;
    memcpy(copy, text->data + word.start, len);
    changed_replace(text, word, copy, LLVMFuzzerMutate(copy, len, sizeof(copy)));
}

static inline void
changed_once(struct changed *text)
{
    struct span member;

    switch (changed_draw(text, 8)) {
    case 0:
    case 1:
        changed_copy(text, changed_word(text), changed_word(text));
        return;
    case 2:
    case 3:
        changed_write_limit(text);
        return;
    case 4:
        changed_mutate_word(text);
        return;
    case 5:
        changed_copy(text, changed_member(text), changed_member(text));
        return;
    case 6:
        member = changed_member(text);
        changed_copy(text, (struct span){member.start, member.start}, member);
        return;
    default:
        changed_replace(text, changed_member(text), "", 0);
        return;
    }
}

/* For LLVMFuzzerCustomMutator(). One change in 16 is libFuzzer's own. */
static inline size_t
change_document(uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
    struct changed text = {data, size, max_size, seed * 2654435761u | 1};

    if (size == 0 || changed_draw(&text, 16) == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    for (size_t i = changed_draw(&text, 3) + 1; i > 0; i--)
        changed_once(&text);
    return text.size;
}

#endif
