/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/manifest_labels.h"

#include "libgang/document/write.h"
#include "unit/suite.h"
#include "unit/tree.h"

/* Sorted by byte; the pair more stands before one of the same key. Values that are no text are not there. */
static const struct {
    const char *pairs; /* NULL: none */
    const char *key;   /* NULL: no pair more */
    const char *expected;
} copies[] = {
    {NULL, NULL, "{}"},
    {"{}", NULL, "{}"},
    {"{\"b\":\"1\",\"a\":\"2\"}", NULL, "{\"labels\":{\"a\":\"2\",\"b\":\"1\"}}"},
    {"{\"b\":\"1\",\"a\":null}", NULL, "{\"labels\":{\"b\":\"1\"}}"},
    {NULL, "k", "{\"labels\":{\"k\":\"v\"}}"},
    {"{\"z\":\"1\",\"a\":\"2\"}", "k", "{\"labels\":{\"a\":\"2\",\"k\":\"v\",\"z\":\"1\"}}"},
    {"{\"a\":\"2\"}", "k", "{\"labels\":{\"a\":\"2\",\"k\":\"v\"}}"},
    {"{\"z\":\"1\"}", "k", "{\"labels\":{\"k\":\"v\",\"z\":\"1\"}}"},
    {"{\"k\":\"old\",\"z\":\"1\"}", "k", "{\"labels\":{\"k\":\"v\",\"z\":\"1\"}}"},
    {"{\"B\":\"1\",\"a\":\"2\"}", "b", "{\"labels\":{\"B\":\"1\",\"a\":\"2\",\"b\":\"v\"}}"},
};

START_TEST(copies_sorted)
{
    struct arena *arena = arena_new(0);
    struct builder metadata = build_map(arena);
    struct buffer out = {0};

    manifest_copy_pairs(&metadata, SLICE("labels"),
                        copies[_i].pairs ? tree_of(arena, copies[_i].pairs) : NULL,
                        slice_from_text(copies[_i].key), SLICE("v"));
    json_write(&out, metadata.node);
    ck_slice_eq(((struct slice){out.data, out.len}), copies[_i].expected);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, copies_sorted, 0, COUNT_OF(copies));
}
