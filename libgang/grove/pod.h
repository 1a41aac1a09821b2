/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_POD_H
#define LIBGANG_GROVE_POD_H

#include "libgang/document/document.h"
#include "libgang/kube/names.h"

/* A pod that Grove's operator has built but not yet created. */
struct grove_pod {
    struct gang_document document;
    const struct node *root;
    struct object_meta meta;
};

/*
 * Parses a Pod and ignores unknown fields. The caller frees the result with gang_document_unref().
 */
int grove_pod_parse(const struct gang_context *context, const char *data, size_t len,
                    struct grove_pod **out, struct gang_error **err);

/* Returns a label that exists and is not empty; NULL otherwise. */
const struct node *grove_pod_label(const struct grove_pod *pod, struct slice key);

/*
 * Reports, with Grove's messages, the labels that the named scheduler needs and the pod lacks.
 * `keys` ends with an unset one.
 */
void grove_pod_require_labels(const struct grove_pod *pod, const char *scheduler,
                              const struct slice *keys, struct report *report);

#endif
