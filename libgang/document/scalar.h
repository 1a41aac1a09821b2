/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCALAR_H
#define LIBGANG_DOCUMENT_SCALAR_H

#include <stdint.h>

#include "libgang/base/slice.h"
#include "libgang/document/node.h"

enum number_status {
    NUMBER_OK,
    NUMBER_IMPRECISE, /* more digits than a 64-bit float keeps, or too close to zero for one */
    NUMBER_TOO_LARGE, /* beyond the largest 64-bit float */
};

/* The one spelling of a number: decimal for an integer, else as Go's encoding/json prints that float64. */
struct number {
    enum number_status status;
    enum node_kind kind; /* NODE_INT when it is integral and within int64, else NODE_NUMBER */
    size_t len;
    char text[48];
};

/*
 * Takes a well-formed decimal number: sign, digits with at most one dot, exponent. Everything is done on the text;
 * no float is ever computed. An integer without dot and exponent is exact up to 2^64-1, everything else up to 15
 * significant digits, the number that any float64 keeps.
 */
void number_from_decimal(struct slice token, struct number *out);

/* The same for a text that is a float whatever it looks like: never more than 15 significant digits. */
void number_from_float(struct slice token, struct number *out);

/* The magnitude of a number with a base prefix. */
void number_from_magnitude(uint64_t magnitude, bool negative, struct number *out);

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
