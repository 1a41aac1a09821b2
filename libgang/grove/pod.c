/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/grove.h"

static void
grove_pod_compile(struct gang_document *document, struct parse_call *call)
{
    static const struct slice supported = SLICE_INIT("Pod");
    struct grove_pod *pod = (struct grove_pod *)document;
    const struct node *kind = node_member(call->root, SLICE("kind"));

    if (!kind)
        find_missing(&call->report, call->root, SLICE("kind"));
    else if (!slice_equal(node_string(kind), supported))
        find_unsupported(&call->report, kind, GANG_CODE_WRONG_DOCUMENT, NULL, &supported, 1);
    pod->root = call->root;
    pod->meta = object_meta_read(call->root, NAMES_WRITTEN, &call->report);
    if (!node_is(node_member(call->root, SLICE("spec")), NODE_MAP))
        find_missing(&call->report, call->root, SLICE("spec"));
}

static const struct document_kind grove_pod_kind = {
    .api_version = SLICE_INIT("v1"),
    .type = GANG_DOCUMENT_POD,
    .size = sizeof(struct grove_pod),
    .compile = grove_pod_compile,
    .is_written = true,
};

int
grove_pod_parse(const struct gang_context *context, const char *data, size_t len,
                struct grove_pod **out, struct gang_error **err)
{
    const struct parse_input input = {
        .context = context,
        .data = data,
        .len = len,
        .kinds = &grove_pod_kind,
        .num_kinds = 1,
    };

    return document_parse(&input, (struct gang_document **)out, err);
}

void
grove_pod_require_labels(const struct grove_pod *pod, const char *scheduler,
                         const struct slice *keys, struct report *report)
{
    struct slice missing;
    const struct node *place = grove_job_label_place(&pod->meta, &missing);

    for (; slice_is_set(*keys); keys++)
        if (!node_text_member(pod->meta.labels, *keys))
            find_note_below(report, place, missing, MESSAGE_POD_LABEL_MISSING_SCHEDULER, scheduler,
                            SLICE_ARG(*keys));
}
