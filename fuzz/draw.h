/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_DRAW_H
#define FUZZ_DRAW_H

#include <stdint.h>

/* A number below the bound that follows from the state, which must not be 0. 0 for a bound of 0. */
static inline uint32_t
draw(uint32_t *state, uint32_t bound)
{
    *state ^= *state << 13;
    *state ^= *state >> 17;
    *state ^= *state << 5;
    return bound ? *state % bound : 0;
}

#endif
