/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/decide/document_kinds.h"

#include "libgang/decide/inputs.h"

const struct document_kind document_kinds[DOCUMENT_KIND_COUNT] = {
    {
        .kind = SLICE_INIT(GANG_KIND_TRAINJOB),
        .type = GANG_DOCUMENT_TRAINJOB,
        .size = sizeof(struct gang_trainjob),
        .compile = trainjob_compile,
        .reference = trainjob_refers_to,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_TRAINING_RUNTIME),
        .type = GANG_DOCUMENT_RUNTIME,
        .size = sizeof(struct gang_runtime),
        .compile = runtime_compile,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_CLUSTER_TRAINING_RUNTIME),
        .type = GANG_DOCUMENT_RUNTIME,
        .size = sizeof(struct gang_runtime),
        .compile = runtime_compile,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_PODGANG),
        .type = GANG_DOCUMENT_PODGANG,
        .size = sizeof(struct gang_podgang),
        .compile = podgang_compile,
        .reference = podgang_refers_to,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_PODCLIQUESET),
        .type = GANG_DOCUMENT_PODCLIQUESET,
        .size = sizeof(struct gang_podcliqueset),
        .compile = podcliqueset_compile,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_TOPOLOGYBINDING),
        .type = GANG_DOCUMENT_TOPOLOGYBINDING,
        .size = sizeof(struct gang_topologybinding),
        .compile = topologybinding_compile,
        .reference = topologybinding_refers_to,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_POLICY),
        .type = GANG_DOCUMENT_POLICY,
        .size = sizeof(struct gang_policy),
        .compile = policy_compile,
        .is_administrators = true,
    },
    {
        .kind = SLICE_INIT(GANG_KIND_CLUSTER),
        .type = GANG_DOCUMENT_CLUSTER,
        .size = sizeof(struct gang_cluster),
        .compile = cluster_compile,
        .is_administrators = true,
    },
};

int
gang_document_parse(const struct gang_context *context, const char *data, size_t len, uint32_t flags,
                    struct gang_document **out, struct gang_error **err)
{
    const struct parse_input input = {
        .context = context,
        .data = data,
        .len = len,
        .flags = flags,
        .has_out = out != NULL,
        .kinds = document_kinds,
        .num_kinds = DOCUMENT_KIND_COUNT,
    };

    return document_parse(&input, out, err);
}
