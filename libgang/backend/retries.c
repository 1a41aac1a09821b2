/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/retries.h"

#include "libgang/document/finding.h"
#include "libgang/gang/wording.h"

void
retries_report(const struct gang *gang, struct report *report)
{
    const struct node *source = NULL;
    struct wording roles;

    wording_start(&roles);
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (role->membership == ROLE_OUTSIDE || !role->retries)
            continue;
        wording_add(&roles, ", ", role->name);
        source = source ? source : role->source;
    }
    if (roles.len)
        find_note(
            report, GANG_CODE_RETRIED_POD_WAITS, source,
            "set backoffLimit: 0 in the Job template and let the JobSet's failurePolicy restart the job",
            "a pod that its Job retries after its siblings have succeeded waits for ever: %s",
            wording_end_list(&roles));
}
