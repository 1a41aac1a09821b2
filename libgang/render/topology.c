/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"
#include "libgang/document/writer.h"
#include "libgang/grove/grove.h"

/* Owner reference: ai-dynamo/grove:operator/internal/scheduler/kai/topology.go@fcc3b3bb */
static void
topology_build_owner(const struct gang_topologybinding *binding, struct builder *metadata)
{
    struct builder owners;
    struct builder owner;

    if (!binding->meta.uid.len)
        return; /* the API server refuses an owner without a uid */
    owners = build_list_member(metadata, SLICE("ownerReferences"));
    owner = build_map_item(&owners);
    build_string(&owner, SLICE("apiVersion"), SLICE(GANG_GROVE_API_VERSION));
    build_string(&owner, SLICE("kind"), SLICE(GANG_KIND_TOPOLOGYBINDING));
    build_string(&owner, SLICE("name"), binding->meta.name);
    build_string(&owner, SLICE("uid"), binding->meta.uid);
    build_bool(&owner, SLICE("controller"), true);
    build_bool(&owner, SLICE("blockOwnerDeletion"), true);
}

static const struct node *
topology_build(const struct gang_topologybinding *binding, struct arena *arena)
{
    const struct descriptor *scheduler = catalog_of_topologies();
    struct builder manifest = build_map(arena);
    struct builder metadata;
    struct builder spec;

    build_string(&manifest, SLICE("apiVersion"), scheduler->topology.api_version);
    build_string(&manifest, SLICE("kind"), scheduler->topology.kind);
    metadata = build_map_member(&manifest, SLICE("metadata"));
    build_string(&metadata, SLICE("name"), binding->meta.name);
    topology_build_owner(binding, &metadata);
    spec = build_map_member(&manifest, SLICE("spec"));
    backend_of(scheduler)->render_topology(binding->levels, &spec);
    return manifest.node;
}

int
gang_topologybinding_serialize(const struct gang_context *context,
                               const struct gang_document *document, int format, uint32_t flags,
                               struct gang_blob **out, struct gang_error **err)
{
    const struct gang_topologybinding *binding = topologybinding_of(document);
    struct buffer buffer = {.limit =
                                (size_t)context_limits(context)->value[GANG_LIMIT_OUTPUT_BYTES]};
    struct arena *arena;
    const struct node *root;

    if (err)
        *err = NULL;
    if (out)
        *out = NULL;
    if (!out || !binding || !document_format_is_known(format))
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT,
                            "binding, out and a known format are needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    if (topologybinding_reference(binding, catalog_of_topologies()->grove.name))
        return document_hand_out(&buffer, out, err);
    arena = arena_new(0);
    if (!arena)
        return error_no_memory(err);
    root = topology_build(binding, arena);
    if (arena_failed(arena)) {
        arena_free(arena);
        return error_no_memory(err);
    }
    document_write(&buffer, root, (enum gang_format)format);
    arena_free(arena);
    return document_hand_out(&buffer, out, err);
}
