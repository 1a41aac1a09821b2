/* SPDX-License-Identifier: Apache-2.0 */
/* clang-format off */
//go:build cgo && !libgang_wasm
/* clang-format on */

#ifndef LIBGANG_BINDINGS_GO_CALL_H
#define LIBGANG_BINDINGS_GO_CALL_H

#include <stdint.h>

/*
 * The one way from Go to the library, equal for both engines: a function by its number, with a
 * struct of 64-bit words that has the same layout in a C compiler and in WebAssembly. call.go has
 * the same struct and the same numbers, which a test compares.
 *
 * It holds no logic: each function passes its words on and copies out what the library returns.
 */

/* What call_run() does. */
enum call_function {
    CALL_LIBRARY,
    CALL_NAME,
    CALL_BACKENDS,
    CALL_SCHEMA,
    CALL_CONTEXT_NEW,
    CALL_STREAM_PARSE,
    CALL_STREAM_GET,
    CALL_STREAM_SERIALIZE,
    CALL_DOCUMENT_PARSE,
    CALL_DOCUMENT_PARSE_LIVE,
    CALL_DOCUMENT_REFERENCE,
    CALL_DOCUMENT_TYPE_OF,
    CALL_JOB_SERIALIZE,
    CALL_RESOLVE,
    CALL_DECISION_SERIALIZE,
    CALL_PREPARE_POD,
    CALL_RENDER,
    CALL_RENDER_JOB,
    CALL_RECONCILE,
    CALL_DIAGNOSE,
    CALL_PLAN_SERIALIZE,
    CALL_TOPOLOGYBINDING_CHECK,
    CALL_TOPOLOGYBINDING_SERIALIZE,
    CALL_TOPOLOGYBINDING_COMPARE,
    CALL_ERROR_GET,
    CALL_DIAGNOSTIC,
    CALL_RELEASE,
    CALL_COUNT
};

/* The enumerations of CALL_NAME. */
enum call_name {
    NAME_RESULT,
    NAME_SEVERITY,
    NAME_DOCUMENT_TYPE,
    NAME_LIMIT,
    NAME_OUTCOME,
    NAME_ACTION,
    NAME_TARGET,
    NAME_FORMAT,
    NAME_PATCH_SECTION,
    NAME_CODE,
    NAME_BACKEND
};

/* What a handle points to. */
enum call_kind {
    KIND_NONE,
    KIND_CONTEXT,
    KIND_STREAM,
    KIND_DOCUMENT,
    KIND_DECISION,
    KIND_PLAN,
    KIND_ERROR,
    KIND_BLOB,
    KIND_PACK
};

/* A text of the library. Its address is 0 if it is NULL. */
struct call_text {
    uint64_t data;
    uint64_t len;
};

#define CALL_NUMBERS 6
#define CALL_TEXTS 10

struct call {
    uint64_t context;
    uint64_t subject; /* the handle that the function is about */
    uint64_t other;   /* a second handle */
    uint64_t kind;    /* of the subject: enum call_kind */
    uint64_t flags;
    uint64_t format;
    uint64_t index;
    uint64_t number;

    uint64_t result;       /* enum gang_result */
    uint64_t handle;       /* what was made */
    uint64_t error;        /* of a failed call */
    struct call_text blob; /* what was written, or the pack of a plan */
    uint64_t numbers[CALL_NUMBERS];
    struct call_text texts[CALL_TEXTS];
};

/*
 * Runs one function. Text that the library takes as a C string ends with a NUL, which is not part
 * of `text_len`. `list` holds handles, or pairs of limit and value.
 */
void call_run(uint32_t function, struct call *call, const char *text, uint64_t text_len,
              const uint64_t *list, uint64_t list_len);

/* A block of at least `size` bytes, which replaces the one that the last call returned; 0 if there
 * is no memory. Only for WebAssembly, whose host cannot allocate. */
uint64_t call_room(uint64_t size);

#endif
