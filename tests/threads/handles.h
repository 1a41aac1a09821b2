/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_THREADS_HANDLES_H
#define TESTS_THREADS_HANDLES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <gang/gang.h>

#include "support/digest.h"
#include "support/text.h"

/*
 * What the functions that tests/arguments/generate writes are called with. Threads share each
 * immutable handle. Of what one thread at a time may use, each thread has its own.
 */

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { MOST_HANDLES = 256, MOST_INDEX = 4, MOST_CASES = 16, MOST_COMBINATIONS = 64 };

/* Types with `_ref` and `_unref`. Every thread owns a reference to each handle. */
#define COUNTED_TYPES(ROW) ROW(context) ROW(stream) ROW(document) ROW(decision) ROW(plan) ROW(blob)
/* Types whose objects belong to a handle of the above. */
#define BORROWED_TYPES(ROW) ROW(object) ROW(patch) ROW(diagnostic)

#define COUNTED_HANDLES(type)                                                                      \
    struct {                                                                                       \
        struct gang_##type *items[MOST_HANDLES];                                                   \
        size_t count;                                                                              \
    } type;
#define BORROWED_HANDLES(type)                                                                     \
    struct {                                                                                       \
        const struct gang_##type *items[MOST_HANDLES];                                             \
        size_t count;                                                                              \
    } type;

struct shared {
    COUNTED_TYPES(COUNTED_HANDLES)
    BORROWED_TYPES(BORROWED_HANDLES)
    struct text texts[MOST_HANDLES]; /* borrowed */
    size_t num_texts;
};

/* Of one thread. */
struct own {
    struct gang_config *config[1];
    struct gang_error *error[1];
    struct gang_inputs *inputs[MOST_CASES]; /* NULL past the number of cases */
    /* For each combination of enumerators, whether a call succeeded or a getter returned something.
     */
    bool has_answer[MOST_COMBINATIONS];
};

static inline void
own_answers(struct own *own, int combination, bool has_answer)
{
    own->has_answer[combination] |= has_answer;
}

struct shared_call {
    const char *name;
    uint64_t (*call)(struct own *own); /* returns the digest of all answers */
    int num_combinations;
};

extern struct shared shared;
extern const char *const document_kinds[6];
extern const struct shared_call shared_calls[];
extern const size_t num_shared_calls;

struct gang_config *fresh_config(void);
struct gang_inputs *fresh_inputs(void);
struct gang_error *fresh_error(void);

/* Each adds the result of a call, which may be NULL, to the digest and releases it. */
uint64_t take_error(uint64_t digest, struct gang_error *error);
uint64_t take_context(uint64_t digest, struct gang_context *context);
uint64_t take_stream(uint64_t digest, struct gang_stream *stream);
uint64_t take_document(uint64_t digest, struct gang_document *document);
uint64_t take_decision(uint64_t digest, struct gang_decision *decision);
uint64_t take_plan(uint64_t digest, struct gang_plan *plan);
uint64_t take_blob(uint64_t digest, struct gang_blob *blob);

#endif
