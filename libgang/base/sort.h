/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_SORT_H
#define LIBGANG_BASE_SORT_H

#include <stddef.h>

/* Returns a number less than, equal to or greater than zero, as strcmp() does. */
typedef int stable_sort_compare(const void *a, const void *b, const void *context);

/*
 * Sorts pointers with a merge sort: it is stable, takes O(n log n) for every input, and allocates
 * nothing. `scratch` must have room for `count` pointers.
 */
void stable_sort(const void **items, const void **scratch, size_t count,
                 stable_sort_compare *compare, const void *context);

#endif
