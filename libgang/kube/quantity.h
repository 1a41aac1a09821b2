/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_KUBE_QUANTITY_H
#define LIBGANG_KUBE_QUANTITY_H

#include <stdint.h>

#include "libgang/document/node.h"

enum quantity_format { QUANTITY_DECIMAL_SI, QUANTITY_BINARY_SI, QUANTITY_DECIMAL_EXPONENT };

/*
 * An exact amount of a resource: whole units rounded down and the billionths above them, the format
 * for printing, and the source text if Kubernetes keeps it (a quantity that is only copied prints
 * unchanged). -0.5 is -1 unit and 500,000,000 billionths. The absolute value is at most 2^63-1.
 * Source: kubernetes/apimachinery:pkg/api/resource/quantity.go. A plain value: copy it freely.
 */
struct quantity {
    int64_t units;
    uint32_t nanos; /* below 10^9 */
    enum quantity_format format;
    struct slice text; /* unset: print in canonical form */
};

enum quantity_result {
    QUANTITY_OK,
    QUANTITY_CAPPED,     /* valid, but a binary amount above 2^63-1 was set to 2^63-1 */
    QUANTITY_BAD_FORMAT, /* Kubernetes' ErrFormatWrong, and text without digits */
    QUANTITY_BAD_SUFFIX, /* Kubernetes' ErrSuffix */
    QUANTITY_BAD_RANGE,  /* an exponent outside -64..64 */
    QUANTITY_OVERFLOW,   /* above 2^63-1 units */
    QUANTITY_TOO_LONG,   /* more than 64 bytes */
};

/* `text` is not trimmed, and the result borrows it. */
enum quantity_result quantity_parse(struct slice text, struct quantity *out);

/* Returns the error text of Kubernetes; NULL for QUANTITY_OK. */
const char *quantity_problem(enum quantity_result result);

/*
 * The result keeps the format of `left` unless `left` is zero. False on overflow, and `left` is
 * unchanged.
 */
bool quantity_add(struct quantity *left, const struct quantity *right);
bool quantity_subtract(struct quantity *left, const struct quantity *right);
bool quantity_multiply(struct quantity *value, int64_t factor);

/* Compares the values. Returns a number less than, equal to or greater than zero. */
int quantity_compare(const struct quantity *left, const struct quantity *right);

static inline bool
quantity_is_zero(const struct quantity *value)
{
    return !value->units && !value->nanos;
}

static inline bool
quantity_is_positive(const struct quantity *value)
{
    return value->units >= 0 && !quantity_is_zero(value);
}

/* Returns the least number of units that is not below the value, as Quantity.Value() does. */
static inline int64_t
quantity_round_up(const struct quantity *value)
{
    return value->units + (value->nanos > 0);
}

enum { QUANTITY_TEXT_SIZE = 72 };

/*
 * Returns the kept text, else the canonical form. The slice may point into `text` or into the
 * source text.
 */
struct slice quantity_print(const struct quantity *value, char text[QUANTITY_TEXT_SIZE]);
/* The same in the arena, or in the source text. */
struct slice quantity_text(const struct quantity *value, struct arena *arena);

/* Returns the quantity after a JSON round trip, which may change the format of a canonical form. */
struct quantity quantity_reread(const struct quantity *value, struct arena *arena);

struct resource {
    struct slice name;
    struct quantity quantity;
};

/* Amounts by resource name, sorted by name in byte order. Names and texts are borrowed. */
struct resource_list {
    struct resource *items;
    size_t count;
    size_t capacity;
};

const struct quantity *resource_list_get(const struct resource_list *list, struct slice name);
void resource_list_set(struct resource_list *list, struct arena *arena, struct slice name,
                       struct quantity quantity);
/*
 * Adds to the amount of this name, or to zero if the list does not have the name. False on
 * overflow, and the amount is then unchanged.
 */
bool resource_list_add_amount(struct resource_list *list, struct arena *arena, struct slice name,
                              const struct quantity *amount);
/* Whether both have the same names with the same amounts, in any format. */
bool resource_list_equal(const struct resource_list *one, const struct resource_list *other);
struct resource_list resource_list_copy(struct arena *arena, const struct resource_list *source);
/* Returns a new list: the amounts of `first`, and those of `second` that `first` does not have. */
struct resource_list resource_list_union(struct arena *arena, const struct resource_list *first,
                                         const struct resource_list *second);

/*
 * Adds the amounts by name; names that only `other` has are copied. False on overflow: the list may
 * then be partly changed.
 */
bool resource_list_add(struct resource_list *list, struct arena *arena,
                       const struct resource_list *other);
/* Keeps the larger amount by name. If both are equal, keeps the text of `list`. */
void resource_list_maximum(struct resource_list *list, struct arena *arena,
                           const struct resource_list *other);

/*
 * Adds every amount of `from` that `list` does not have: a missing request takes the limit. The
 * amounts that it has stay where they are, so that another list may share them.
 */
void resource_list_fill(struct resource_list *list, struct arena *arena,
                        const struct resource_list *from);

/* Removes the kept texts, so that every amount prints in canonical form. */
void resource_list_forget_texts(struct resource_list *list);

/* For messages: "cpu 500m, memory 1Gi"; long lists are cut; "nothing" if empty. */
SELDOM const char *resource_list_in_words(const struct resource_list *list, struct arena *arena);

/* Writes the list as a map of strings. */
void resource_list_build(const struct resource_list *list, struct builder *map);

#endif
