/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_ALLOCATOR_H
#define TESTS_SUPPORT_ALLOCATOR_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A program linked with allocator.c has its own malloc family, which libgang, libyaml and libc then
 * use too. It counts, and fails on demand. One thread only.
 */
struct allocator_counts {
    uint64_t calls; /* malloc, calloc, realloc */
    uint64_t bytes; /* asked for */
    int64_t live;   /* blocks not freed */
};

extern struct allocator_counts allocator_counts;

enum allocator_failure {
    ALLOCATOR_FAILS_ONCE,   /* only that call fails */
    ALLOCATOR_FAILS_ONWARDS /* that call and every one after it fail */
};

/* Fails the call with this number, the next one being 1. */
void allocator_fail(uint64_t number, enum allocator_failure how);
/* Calls `note` before each allocation, NULL for none. It must not allocate. */
void allocator_watch(void (*note)(void));
/* Stops failing; returns whether any call failed. */
bool allocator_recover(void);

#endif
