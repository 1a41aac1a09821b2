/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_SORT_H
#define LIBGANG_BASE_SORT_H

#include <stddef.h>

/* Negative, zero or positive, as strcmp. */
typedef int stable_sort_compare(const void *a, const void *b, const void *context);

/*
 * Merge sort of pointers: equal items keep their order, no input makes it slow, and it allocates nothing.
 * `scratch` has room for `count` pointers.
 */
void stable_sort(const void **items, const void **scratch, size_t count, stable_sort_compare *compare,
                 const void *context);

#endif
