/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_OBJECT_META_H
#define LIBGANG_KUBE_OBJECT_META_H

#include "libgang/base/report.h"
#include "libgang/document/node.h"

/* The fields of a document's `metadata` that libgang uses. Absent fields are unset. */
struct object_meta {
    struct slice name;
    struct slice namespace_;
    struct slice uid;
    const struct node *labels;
    const struct node *annotations;
    const struct node *source;      /* the metadata map itself */
    const struct node *name_source; /* its member `name` */
};

/*
 * Reads `metadata` of a document root and checks labels, annotations and their sizes. Reports a
 * missing name. The caller must check the form of the name.
 */
struct object_meta object_meta_read(const struct node *root, struct report *report);

/* Checks a map of labels or annotations, also in pod templates. */
void object_meta_check_labels(const struct node *labels, struct report *report);
void object_meta_check_annotations(const struct node *annotations, struct report *report);

/*
 * Reports an `apiVersion` or `kind` that is not supported. Returns the kind; unset if not
 * supported.
 */
struct slice object_meta_check_kind(const struct node *root, struct slice api_version,
                                    const struct slice *kinds, size_t num_kinds,
                                    struct report *report);

#endif
