/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_TREE_H
#define TESTS_UNIT_TREE_H

#include <check.h>

#include "libgang/document/document.h"

/* The tree of a well-formed JSON text. */
static inline const struct node *
tree_of(struct arena *arena, const char *text)
{
    struct report report;
    const struct document_request request = {.arena = arena,
                                             .limits = &standard_limits,
                                             .report = &report,
                                             .document = GANG_DOCUMENT_TRAINJOB};
    const struct node *root;

    report_init(&report, arena, &standard_limits);
    root = json_read(&request, slice_from_text(text));
    ck_assert_msg(root != NULL, "no JSON: %s", text);
    return root;
}

#endif
