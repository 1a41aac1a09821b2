/* SPDX-License-Identifier: Apache-2.0 */
#include "yaml_text.h"

#include <gang/gang.h>

/* At their ceilings: the document is gangctl's own. */
static const struct {
    enum gang_limit limit;
    uint64_t ceiling;
} yaml_limits[] = {
    {GANG_LIMIT_DOCUMENT_BYTES, 3145728},
    {GANG_LIMIT_NODES, 500000},
    {GANG_LIMIT_MEMORY_BYTES, 268435456},
    {GANG_LIMIT_OUTPUT_BYTES, 16777216},
};

static struct gang_context *
new_context(void)
{
    struct gang_config *config = gang_config_new();
    struct gang_context *context = NULL;

    for (size_t i = 0; config && i < sizeof(yaml_limits) / sizeof(yaml_limits[0]); i++) {
        if (gang_config_set_limit(config, (int)yaml_limits[i].limit, yaml_limits[i].ceiling))
            out_of_memory();
    }
    if (!config || gang_context_new(config, &context))
        out_of_memory();
    gang_config_free(config);
    return context;
}

void
text_add_as_yaml(struct text *out, const struct text *json)
{
    struct gang_context *context = new_context();
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;

    /* JSON is YAML too, so a reader of YAML accepts either */
    if (gang_stream_parse(context, json->data, json->len, 0, &stream, NULL) ||
        gang_stream_serialize(context, stream, 0, GANG_FORMAT_YAML, 0, &blob, NULL))
        text_add_bytes(out, json->data, json->len);
    else
        text_add(out, gang_blob_get_data(blob, NULL));
    gang_blob_unref(blob);
    gang_stream_unref(stream);
    gang_context_unref(context);
}
