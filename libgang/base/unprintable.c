/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/text.h"

#include <stddef.h>

#include "libgang/base/unprintable_ranges.h"

bool
is_unprintable(uint32_t code_point)
{
    size_t low = 0;
    size_t high = COUNT_OF(unprintable_ranges);

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (unprintable_ranges[middle].last < code_point)
            low = middle + 1;
        else
            high = middle;
    }
    return low < COUNT_OF(unprintable_ranges) && unprintable_ranges[low].first <= code_point;
}
