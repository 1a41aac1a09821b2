/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_SUPPORT_LIVE_H
#define TESTS_SUPPORT_LIVE_H

#include <gang/gang.h>

/* Parses the live objects for one reconcile. */
static inline int
reconcile_text(const struct gang_context *context, const struct gang_plan *plan, const char *data,
               size_t len, struct gang_plan **out, struct gang_error **error)
{
    struct gang_document *live;
    int result = gang_document_parse_live(context, data, len, 0, &live, error);

    *out = NULL;
    if (result == GANG_OK)
        result = gang_reconcile(context, plan, live, 0, out, error);
    gang_document_unref(live);
    return result;
}

/* The same for one binding. */
static inline int
compare_topology_text(const struct gang_context *context, const struct gang_document *binding,
                      const char *data, size_t len, int *action, struct gang_error **error)
{
    struct gang_document *live;
    int result = gang_document_parse_live(context, data, len, 0, &live, error);

    *action = GANG_ACTION_NONE;
    if (result == GANG_OK)
        result = gang_topologybinding_compare(context, binding, live, 0, action, error);
    gang_document_unref(live);
    return result;
}

#endif
