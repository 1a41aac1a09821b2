/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_QUANTITY_H
#define LIBGANG_KUBE_QUANTITY_H

#include <stdint.h>

#include "libgang/base/arena.h"

__extension__ typedef __int128 quantity_nano;

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

/*
 * An exact amount of a resource: a count of nano-units, at most 2^63-1 whole units either way, the format it prints
 * in, and the source text where Kubernetes keeps it (a quantity that is only copied prints as it was written).
 * Source: kubernetes/apimachinery:pkg/api/resource/quantity.go. A plain value: copy it freely.
 */
struct quantity {
    quantity_nano nano;
    enum quantity_format format;
    struct slice text; /* unset: prints in canonical form */
};

enum quantity_result {
    QUANTITY_OK,
    QUANTITY_CAPPED,     /* read, but a binary amount above 2^63-1 became 2^63-1 */
    QUANTITY_BAD_FORMAT, /* Kubernetes' ErrFormatWrong, and text without any digit */
    QUANTITY_BAD_SUFFIX, /* Kubernetes' ErrSuffix */
    QUANTITY_BAD_RANGE,  /* an exponent beyond -64..64 */
    QUANTITY_OVERFLOW,   /* above 2^63-1 units */
    QUANTITY_TOO_LONG,   /* more than 64 bytes */
};

/* `text` is not trimmed and is borrowed by the result. */
enum quantity_result quantity_parse(struct slice text, struct quantity *out);

/* Kubernetes' own words for a bad result; NULL for QUANTITY_OK. */
const char *quantity_problem(enum quantity_result result);

/* The arithmetic keeps the left side's format unless it is zero; false on overflow, with `left` untouched. */
bool quantity_add(struct quantity *left, const struct quantity *right);
bool quantity_subtract(struct quantity *left, const struct quantity *right);
bool quantity_multiply(struct quantity *value, int64_t factor);

/* Below, equal or above zero, by value. */
int quantity_compare(const struct quantity *left, const struct quantity *right);
bool quantity_is_zero(const struct quantity *value);

enum { QUANTITY_TEXT_SIZE = 72 };

/* The kept text, else the canonical form. The slice may point into `text` or to the source. */
struct slice quantity_print(const struct quantity *value, char text[QUANTITY_TEXT_SIZE]);

/* What writing it as JSON and reading it again makes of it: the format of a canonical form may differ. */
struct quantity quantity_reread(const struct quantity *value, struct arena *arena);

/* The size of an amount without its sign: what the parts of the quantity code compute with. */
__extension__ typedef unsigned __int128 quantity_size;

#define QUANTITY_NANOS_PER_UNIT UINT64_C(1000000000)

static inline quantity_size
quantity_size_of(quantity_nano nano)
{
    return nano < 0 ? 0 - (quantity_size)nano : (quantity_size)nano;
}

#endif
