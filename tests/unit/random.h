/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_RANDOM_H
#define TESTS_UNIT_RANDOM_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Generated cases that can be repeated: xorshift64*, seeded from GANG_TEST_SEED. */
struct random {
    uint64_t state;
};

static inline uint64_t
random_next(struct random *random)
{
    random->state ^= random->state >> 12;
    random->state ^= random->state << 25;
    random->state ^= random->state >> 27;
    return random->state * UINT64_C(2685821657736338717);
}

static inline uint64_t
random_below(struct random *random, uint64_t bound)
{
    return random_next(random) % bound;
}

/* Prints the seed, for the log of a failing run. */
static inline struct random
random_start(void)
{
    const char *text = getenv("GANG_TEST_SEED");
    uint64_t seed = text ? strtoull(text, NULL, 10) : 20261121;

    printf("# GANG_TEST_SEED=%" PRIu64 "\n", seed);
    fflush(stdout);
    return (struct random){seed ? seed : 1};
}

#endif
