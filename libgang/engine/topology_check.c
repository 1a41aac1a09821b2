/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/context.h"
#include "libgang/base/error.h"
#include "libgang/document/document.h"
#include "libgang/document/finding.h"
#include "libgang/engine/podgang_choice.h"
#include "libgang/grove/topologybinding.h"

/* ai-dynamo/grove:operator/internal/webhook/admission/clustertopology/validation@fcc3b3bb */
static void
topology_check_schedulers(const struct gang_topologybinding *binding, const struct gang_policy *policy,
                          struct report *report)
{
    for (NODE_EACH(item, binding->schedulers)) {
        const struct node *name = node_member(item, SLICE("schedulerName"));

        if (!podgang_enables(policy, node_string(name)))
            find_invalid(report, GANG_CODE_SCHEDULER_NOT_ENABLED, name,
                         "enable its backend in the policy, or leave the entry out",
                         "scheduler backend is not enabled in Grove; enabled: %s",
                         podgang_enabled_names(policy, report->arena));
    }
}

int
gang_topologybinding_check(const struct gang_context *context, const struct gang_topologybinding *binding,
                           const struct gang_policy *policy, uint32_t flags, struct gang_error **err)
{
    const struct limits *limits = context_limits(context);
    struct report report;
    struct arena *arena;
    int result = GANG_OK;

    if (err)
        *err = NULL;
    if (!binding)
        return error_misuse(err, GANG_ERROR_INVALID_ARGUMENT, "binding is needed");
    if (flags)
        return error_misuse(err, GANG_ERROR_UNSUPPORTED_FLAG, "flags has an unknown bit");
    arena = arena_new((size_t)limits->value[GANG_LIMIT_MEMORY_BYTES]);
    if (!arena)
        return error_no_memory(err);
    report_init(&report, arena, limits);
    topology_check_schedulers(binding, policy, &report);
    if (arena_failed(arena) || report_has_errors(&report))
        result = error_from_report(err, document_result(&report), &report);
    arena_free(arena);
    return result;
}
