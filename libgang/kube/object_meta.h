/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_OBJECT_META_H
#define LIBGANG_KUBE_OBJECT_META_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/* What libgang reads of a document's `metadata`. Unset where absent. */
struct object_meta {
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    const struct node *labels;
    const struct node *annotations;
    const struct node *source; /* the metadata map itself */
};

/*
 * Reads `metadata` of a document root and checks labels, annotations and their sizes. The name's own rule is the
 * caller's. A missing name is reported.
 */
struct object_meta object_meta_read(const struct node *root, struct report *report);

/* Checks a map of labels or annotations wherever it stands (pod templates too). */
void object_meta_check_labels(const struct node *labels, struct report *report);
void object_meta_check_annotations(const struct node *annotations, struct report *report);

/* Reports unless `apiVersion` and `kind` are those of one of the kinds; returns the kind, or unset. */
struct slice object_meta_check_kind(const struct node *root, struct slice api_version,
                                    const struct slice *kinds, size_t num_kinds, struct report *report);

#endif
