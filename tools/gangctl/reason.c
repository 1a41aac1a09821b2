/* SPDX-License-Identifier: Apache-2.0 */
#include "reason.h"

#include <string.h>

size_t
kind_of_error(const char *message)
{
    static const char *const kinds[] = {"Forbidden: ", "Required value: "};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        if (strncmp(message, kinds[i], strlen(kinds[i])) == 0)
            return strlen(kinds[i]);
    }
    return 0;
}

const struct gang_diagnostic *
first_error_of(const struct gang_decision *decision)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *diagnostic = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(diagnostic) == GANG_SEVERITY_ERROR)
            return diagnostic;
    }
    return NULL;
}

void
add_reason(struct text *out, const struct gang_decision *decision)
{
    const struct gang_diagnostic *error = first_error_of(decision);
    const char *path = gang_diagnostic_get_path(error);
    const char *reason = gang_decision_get_reason(decision);

    if (error && path && *path && gang_diagnostic_get_document(error) != GANG_DOCUMENT_POLICY)
        text_addf(out, "%s: %s", path, gang_diagnostic_get_message(error));
    else if (reason)
        text_add(out, reason + kind_of_error(reason));
}
