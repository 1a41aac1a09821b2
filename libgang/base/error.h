/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_ERROR_H
#define LIBGANG_BASE_ERROR_H

#include "libgang/base/report.h"

/*
 * Each of these stores an error in `*out` (optional, may be NULL) and returns `code`, so that a
 * function can end in `return error_from_report(...)`. If out of memory, the error is the static
 * one and the code is GANG_ERROR_NO_MEMORY.
 */
int error_from_report(struct gang_error **out, int code, struct report *report);
/* The same for findings that are sorted and that other threads may read. */
int error_from_findings(struct gang_error **out, int code, const struct report *findings);
int error_no_memory(struct gang_error **out);
/* A misuse of the API by the calling program, not an error in a document. */
int error_misuse(struct gang_error **out, int code, const char *message);

/* A limit exceeded outside of any document. */
int error_limit(struct gang_error **out, enum gang_code code, const char *message);

/* Out of memory, or GANG_ERROR_LIMIT if the handle's own memory budget is exhausted. */
int error_from_arena(struct gang_error **out, const struct arena *arena);

#endif
