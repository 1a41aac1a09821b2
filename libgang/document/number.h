/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_DOCUMENT_NUMBER_H
#define LIBGANG_DOCUMENT_NUMBER_H

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

#endif
