/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_SCALAR_H
#define LIBGANG_DOCUMENT_SCALAR_H

#include <stdint.h>

#include "libgang/base/slice.h"
#include "libgang/document/node.h"

enum number_status {
    NUMBER_OK,
    NUMBER_IMPRECISE, /* more digits than float64 keeps, or too close to zero */
    NUMBER_TOO_LARGE, /* above the largest float64 */
};

/*
 * The canonical form of a number: decimal for integers, else the form in which Go's encoding/json
 * prints the float64.
 */
struct number {
    enum number_status status;
    enum node_kind kind; /* NODE_INT if it is an integer within int64, else NODE_NUMBER */
    size_t len;
    char text[48];
};

/*
 * Reads a well-formed decimal number: sign, digits with at most one dot, exponent. Works on the
 * text without floating-point arithmetic. An integer without dot and exponent is exact up to
 * 2^64-1. All other numbers are exact up to 15 significant digits, which every float64 keeps.
 */
void number_from_decimal(struct slice token, struct number *out);

/* Like number_from_decimal(), for a text that is always a float: at most 15 significant digits. */
void number_from_float(struct slice token, struct number *out);

/* Returns the number for the magnitude of a text with a base prefix. */
void number_from_magnitude(uint64_t magnitude, bool negative, struct number *out);

/*
 * The types of YAML's plain scalars in Kubernetes: YAML 1.1 in the dialect of gopkg.in/yaml.v2, the
 * parser that sigs.k8s.io/yaml uses.
 */

enum scalar_tag { SCALAR_UNTAGGED, SCALAR_STR, SCALAR_INT, SCALAR_FLOAT, SCALAR_BOOL, SCALAR_NULL };

enum scalar_status {
    SCALAR_OK,
    SCALAR_NON_FINITE,   /* .inf, .nan: not representable in JSON */
    SCALAR_IMPRECISE,    /* as NUMBER_IMPRECISE */
    SCALAR_TAG_MISMATCH, /* the text is not valid for the type of the tag */
};

struct scalar {
    enum scalar_status status;
    enum node_kind kind;
    bool is_float;        /* a number written as a float, even if it is integral */
    struct slice word;    /* of a NODE_BOOL, constant */
    struct number number; /* of a NODE_INT or NODE_NUMBER */
};

/* Resolves a plain scalar. A NODE_STRING keeps its text unchanged. */
void scalar_resolve(struct slice text, struct scalar *out);

/* False for a tag that is not accepted. `!` means a string. */
bool scalar_tag_of(struct slice name, enum scalar_tag *out);

/*
 * Resolves a scalar with a tag. A tag can also change the type of quoted text (`!!int "3"` is 3).
 */
void scalar_resolve_tagged(struct slice text, enum scalar_tag tag, struct scalar *out);

#endif
