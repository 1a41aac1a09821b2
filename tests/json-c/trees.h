/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_JSON_C_TREES_H
#define TESTS_JSON_C_TREES_H

#include <stdbool.h>
#include <stdlib.h>

#include <gang/gang-json-c.h>
#include <json-c/json.h>

#include "support/cases.h"
#include "support/resolve.h"

enum { TREES_MOST = 5 };

/* The documents of a folder as trees, the job first. */
struct trees {
    struct json_object *items[TREES_MOST];
    size_t count;
};

static inline struct json_object *
tree_of_blob(struct gang_blob *blob)
{
    struct json_object *tree = json_tokener_parse(gang_blob_get_data(blob, NULL));

    gang_blob_unref(blob);
    return tree;
}

/* NULL for a text that is no document in either form. */
static inline struct json_object *
tree_of_text(const struct text *text)
{
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    struct json_object *tree = NULL;

    if (text->data && gang_stream_parse(NULL, text->data, text->len, 0, &stream, NULL) == GANG_OK &&
        gang_stream_num_documents(stream) &&
        gang_stream_serialize(NULL, stream, 0, GANG_FORMAT_JSON, 0, &blob, NULL) == GANG_OK)
        tree = tree_of_blob(blob);
    gang_stream_unref(stream);
    return tree;
}

static inline struct trees
trees_of(const struct test_case *input)
{
    const struct text *const texts[TREES_MOST] = {
        input->trainjob.data ? &input->trainjob : &input->podgang, &input->runtime,
        &input->podcliqueset, &input->policy, &input->cluster};
    struct trees trees = {.count = 0};

    for (size_t i = 0; i < TREES_MOST; i++) {
        struct json_object *tree = tree_of_text(texts[i]);

        if (tree)
            trees.items[trees.count++] = tree;
    }
    return trees;
}

static inline void
trees_free(struct trees *trees)
{
    for (size_t i = 0; i < trees->count; i++)
        json_object_put(trees->items[i]);
    trees->count = 0;
}

#endif
