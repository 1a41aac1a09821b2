/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GROVE_POD_H
#define LIBGANG_GROVE_POD_H

#include "libgang/document/document.h"
#include "libgang/kube/object_meta.h"

/* A pod that Grove's operator has built and not created yet. */
struct grove_pod {
    struct gang_document document;
    const struct node *root;
    struct object_meta meta;
};

/* Parses a Pod; unknown fields are none of our business. Ends with gang_document_unref(). */
int grove_pod_parse(const struct gang_context *context, const char *data, size_t len, struct grove_pod **out,
                    struct gang_error **err);

/* A label that is there and not empty; NULL otherwise. */
const struct node *grove_pod_label(const struct grove_pod *pod, struct slice key);

/* Reports, in Grove's words, the labels that the scheduler called so needs and the pod lacks, up to an unset one. */
void grove_pod_require_labels(const struct grove_pod *pod, const char *scheduler, const struct slice *keys,
                              struct report *report);

#endif
