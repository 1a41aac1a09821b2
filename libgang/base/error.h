/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BASE_ERROR_H
#define LIBGANG_BASE_ERROR_H

#include "libgang/base/report.h"

/*
 * Each of these stores an error in `*out` (which may be NULL when the caller wants none) and
 * returns `code`, so that a function can end in `return error_from_report(...)`. Without memory the
 * error is the immortal one and the code is GANG_ERROR_NO_MEMORY.
 */
int error_from_report(struct gang_error **out, int code, struct report *report);
int error_no_memory(struct gang_error **out);
/* A misuse of the API by the calling program, not a fault of a document. */
int error_misuse(struct gang_error **out, int code, const char *message);

/* A limit passed outside of any document. */
int error_limit(struct gang_error **out, enum gang_code code, const char *message);

/* Out of memory, or GANG_ERROR_LIMIT when the handle's own budget ended it. */
int error_from_arena(struct gang_error **out, const struct arena *arena);

#endif
