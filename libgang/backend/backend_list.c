/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend_list.h"

#include "libgang/backend/backend.h"
#include "libgang/base/error.h"
#include "libgang/document/document_write.h"

void
backend_list_version(const struct backend_listing *listing, struct builder *list)
{
    struct builder item = build_map_item(list);
    struct builder objects;

    build_string(&item, SLICE("apiVersion"), listing->api_version);
    build_string_if_set(&item, SLICE("kubernetes"), listing->kubernetes);
    objects = build_list_member(&item, SLICE("objects"));
    for (size_t i = 0; i < sizeof(listing->kinds) / sizeof(listing->kinds[0]); i++)
        if (slice_is_set(listing->kinds[i]))
            build_string_item(&objects, listing->kinds[i]);
    build_string(&item, SLICE("mark"), listing->mark);
    if (listing->list_more)
        listing->list_more(listing, &item);
}

/* What its objects have no place for. */
static void
backend_list_losses(const struct backend *backend, struct builder *item)
{
    struct builder list = build_list_member(item, SLICE("lacks"));

    for (size_t i = 0; i < backend->num_losses; i++)
        build_string_item(&list, loss_field_name(backend->losses[i].field));
}

static void
backend_list_options(const struct schema *options, struct builder *item)
{
    struct builder list = build_list_member(item, SLICE("options"));

    for (size_t i = 0; options && i < options->num_fields; i++)
        build_string_item(&list, slice_from_text(options->fields[i].name));
}

const struct node *
backend_list_build(struct arena *arena)
{
    struct builder document = build_map(arena);
    struct builder list = build_list_member(&document, SLICE("backends"));

    for (size_t i = 0; i < backend_count; i++) {
        const struct backend *backend = backend_table[i];
        struct builder item = build_map_item(&list);
        struct builder versions;

        build_string(&item, SLICE("name"), backend->identity.name);
        build_string(&item, SLICE("type"), backend->identity.type);
        build_string(&item, SLICE("podGroupPolicy"), backend->gang_policy_member);
        build_string(&item, SLICE("schedulerName"), backend->identity.scheduler_name);
        versions = build_list_member(&item, SLICE("versions"));
        backend->list_versions(&versions);
        backend_list_losses(backend, &item);
        backend_list_options(backend->identity.options, &item);
    }
    return document.node;
}

int
gang_backends_serialize(enum gang_format format, uint32_t flags, struct gang_blob **out,
                        struct gang_error **err)
{
    struct buffer buffer = {0};
    const struct node *root;
    struct arena *arena;
    bool is_built;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !document_format_is_known(format))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "out and a known format are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    arena = arena_new(0);
    root = arena ? backend_list_build(arena) : NULL;
    is_built = root && !arena_failed(arena);
    if (is_built)
        document_write(&buffer, root, format);
    arena_free(arena);
    return is_built ? document_hand_out(&buffer, out, err) : error_no_memory(err);
}
