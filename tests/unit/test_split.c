/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/stream.h"

#include <stdio.h>

#include "unit/suite.h"

/* Each part as "line:column text|"; a bad separator as "!line:column text|". */
static const struct {
    const char *text;
    const char *parts;
} texts[] = {
    {"", ""},
    {"---\n---\n", ""},
    {"# only a comment\n", ""},
    {"a: 1\n", "1:1 a: 1\n|"},
    {"a: 1", "1:1 a: 1|"},
    {"a: 1\n---\nb: 2\n", "1:1 a: 1\n|3:1 b: 2\n|"},
    {"---\na: 1\n---\n# nothing\n---\nb: 2\n", "2:1 a: 1\n|6:1 b: 2\n|"},
    {"a: 1\n--- # comment\nb: 2\n", "1:1 a: 1\n|3:1 b: 2\n|"},
    {"a: 1\n...\n---\nb: 2\n", "1:1 a: 1\n|4:1 b: 2\n|"},
    {"a: |\n  ---\n  b\n", "1:1 a: |\n  ---\n  b\n|"},
    {"a: 1\r\n---\r\nb: 2\r\n", "1:1 a: 1\r\n|3:1 b: 2\r\n|"},
    {"a: 1\n--- b: 2\nc: 3\n", "1:1 a: 1\n|!2:1 --- b: 2|3:1 c: 3\n|"},
    {"{\"a\":1}{\"b\":2}", "1:1 {\"a\":1}|1:8 {\"b\":2}|"},
    {"{\"a\":1}\n{\"b\":\"}{\"}\n", "1:1 {\"a\":1}|2:1 {\"b\":\"}{\"}|"},
};

START_TEST(takes_documents_apart)
{
    struct splitter splitter = splitter_start(slice_from_text(texts[_i].text));
    char out[512] = "";
    struct split_part part;
    enum split_result result;

    while ((result = splitter_next(&splitter, &part)) != SPLIT_END) {
        size_t len = strlen(out);

        snprintf(out + len, sizeof(out) - len, "%s%u:%u %.*s|",
                 result == SPLIT_BAD_SEPARATOR ? "!" : "", part.line, part.column,
                 SLICE_ARG(part.text));
    }
    ck_assert_str_eq(out, texts[_i].parts);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, takes_documents_apart, texts, text);
}
