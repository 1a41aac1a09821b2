/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DIAGNOSTIC_PAGES_H
#define GANGCTL_DIAGNOSTIC_PAGES_H

#include <stddef.h>

/* What doc/diagnostics.md says about a diagnostic. */
struct diagnostic_page {
    const char *code;   /* "GANG012" */
    const char *reason; /* "StructuralDeadlock" */
    const char *since;
    const char *summary;
    const char *severity; /* with its exceptions */
    const char *fix;
};

/* Sorted by code. */
extern const struct diagnostic_page diagnostic_pages[];
extern const size_t num_diagnostic_pages;

/* By the code or the reason, in any case; NULL if there is none. */
const struct diagnostic_page *diagnostic_page_find(const char *name);

#endif
