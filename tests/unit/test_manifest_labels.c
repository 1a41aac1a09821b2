/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "libgang/document/writer.h"
#include "unit/suite.h"
#include "unit/tree.h"

/* Sorted by byte. Values that are no text are not there. */
static const struct {
    const char *pairs; /* NULL: none */
    const char *expected;
} copies[] = {
    {NULL, "{}"},
    {"{}", "{}"},
    {"{\"b\":\"1\",\"a\":\"2\"}", "{\"labels\":{\"a\":\"2\",\"b\":\"1\"}}"},
    {"{\"b\":\"1\",\"a\":null}", "{\"labels\":{\"b\":\"1\"}}"},
    {"{\"a\":null}", "{}"},
    {"{\"a\":\"2\",\"B\":\"1\",\"b\":\"\"}", "{\"labels\":{\"B\":\"1\",\"a\":\"2\",\"b\":\"\"}}"},
};

START_TEST(copies_sorted)
{
    struct arena *arena = arena_new(0);
    struct builder metadata = build_map(arena);
    struct buffer out = {0};

    manifest_copy_pairs(&metadata, SLICE("labels"),
                        copies[_i].pairs ? tree_of(arena, copies[_i].pairs) : NULL);
    json_write(&out, metadata.node);
    ck_slice_eq(((struct slice){out.data, out.len}), copies[_i].expected);
    buffer_clear(&out);
    arena_free(arena);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, copies_sorted, copies, pairs);
}
