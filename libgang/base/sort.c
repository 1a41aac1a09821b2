/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stdbool.h>
#include <string.h>

struct stable_sort_order {
    stable_sort_compare *compare;
    const void *context;
};

/* Merges the sorted runs [0, middle) and [middle, count) of `from` into `to`. */
static void
stable_sort_merge(const void **to, const void **from, size_t middle, size_t count,
                  const struct stable_sort_order *order)
{
    size_t left = 0;
    size_t right = middle;

    for (size_t i = 0; i < count; i++) {
        bool take_right =
            left == middle ||
            (right < count && order->compare(from[right], from[left], order->context) < 0);

        to[i] = take_right ? from[right++] : from[left++];
    }
}

static void
stable_sort_pass(const void **to, const void **from, size_t count, size_t width,
                 const struct stable_sort_order *order)
{
    for (size_t start = 0; start < count; start += 2 * width) {
        size_t rest = count - start;
        size_t middle = rest < width ? rest : width;

        stable_sort_merge(to + start, from + start, middle, rest < 2 * width ? rest : 2 * width,
                          order);
    }
}

void
stable_sort(const void **items, const void **scratch, size_t count, stable_sort_compare *compare,
            const void *context)
{
    const struct stable_sort_order order = {compare, context};
    const void **from = items;
    const void **to = scratch;

    for (size_t width = 1; width < count; width *= 2) {
        const void **filled = to;

        stable_sort_pass(to, from, count, width, &order);
        to = from;
        from = filled;
    }
    if (from != items)
        memcpy(items, from, count * sizeof(*items));
}
