/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/blob.h"
#include "libgang/base/error.h"
#include "libgang/document/schema_json.h"
#include "libgang/document/write.h"
#include "libgang/policy/policy_schema.h"

/* The reader judges metadata by the rules of every object; here is what an author has to know of it. */
static const struct schema describe_name = {
    .type = SCHEMA_STRING,
    .min_length = 1,
    .max_length = 253,
    .pattern = POLICY_SUBDOMAIN_PATTERN,
    .description = "How messages call the policy.",
};
static const struct schema_field describe_metadata_fields[] = {
    {"name", &describe_name, true},
};
static const struct schema describe_metadata = {
    .type = SCHEMA_OBJECT,
    POLICY_FIELDS(describe_metadata_fields),
    .open = true,
    .description =
        "As of any object of Kubernetes. A policy holds for the whole cluster, so `namespace` is forbidden.",
};

static struct schema
describe_with_metadata(const struct schema *schema, struct arena *arena)
{
    struct schema_field *fields = arena_array(arena, schema->num_fields, sizeof(*fields));
    struct schema described = *schema;

    for (size_t i = 0; fields && i < schema->num_fields; i++) {
        fields[i] = schema->fields[i];
        if (strcmp(fields[i].name, "metadata") == 0)
            fields[i].schema = &describe_metadata;
    }
    described.fields = fields ? fields : schema->fields;
    return described;
}

/* NULL without memory. */
static const struct node *
describe_document(struct arena *arena)
{
    const struct schema *schema = policy_schema(arena);
    struct builder document = build_map(arena);
    struct schema described;

    if (!schema)
        return NULL;
    described = describe_with_metadata(schema, arena);
    build_string(&document, SLICE("$schema"), SLICE("https://json-schema.org/draft/2020-12/schema"));
    build_string(&document, SLICE("title"), SLICE(GANG_KIND_POLICY));
    schema_json_describe(&described, &document);
    return arena_failed(arena) ? NULL : document.node;
}

static void
describe_write(struct buffer *out, const struct node *document, enum gang_format format)
{
    if (format == GANG_FORMAT_YAML) {
        yaml_write(out, document);
        return;
    }
    json_write(out, document);
    buffer_append_byte(out, '\n');
}

int
gang_policy_schema(enum gang_format format, uint32_t flags, struct gang_blob **out, struct gang_error **err)
{
    struct buffer buffer = {0};
    const struct node *document;
    struct arena *arena;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || (format != GANG_FORMAT_JSON && format != GANG_FORMAT_YAML))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and a known format are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    arena = arena_new(0);
    document = arena ? describe_document(arena) : NULL;
    if (document)
        describe_write(&buffer, document, format);
    if (document && !buffer.failed)
        *out = blob_take(&buffer);
    buffer_clear(&buffer);
    arena_free(arena);
    return *out ? GANG_OK : error_no_memory(err);
}
