/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCALAR_H
#define LIBGANG_DOCUMENT_SCALAR_H

#include "libgang/document/number.h"

/*
 * Types of YAML's plain scalars as Kubernetes reads them: YAML 1.1 in the dialect of gopkg.in/yaml.v2, the parser
 * behind sigs.k8s.io/yaml.
 */

enum scalar_tag { SCALAR_UNTAGGED, SCALAR_STR, SCALAR_INT, SCALAR_FLOAT, SCALAR_BOOL, SCALAR_NULL };

enum scalar_status {
    SCALAR_OK,
    SCALAR_NON_FINITE,   /* .inf, .nan: JSON has no spelling for them */
    SCALAR_IMPRECISE,    /* as NUMBER_IMPRECISE */
    SCALAR_TAG_MISMATCH, /* the text is nothing of the tag's type */
};

struct scalar {
    enum scalar_status status;
    enum node_kind kind;
    bool is_float;        /* a number written as a float, even when it is integral */
    struct slice word;    /* of a NODE_BOOL, constant */
    struct number number; /* of a NODE_INT or NODE_NUMBER */
};

/* A NODE_STRING keeps the text as it stands. */
void scalar_resolve(struct slice text, struct scalar *out);

/* The same under a tag, which also turns quoted text into another type (`!!int "3"` is 3). */
void scalar_resolve_tagged(struct slice text, enum scalar_tag tag, struct scalar *out);

#endif
