/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/kai/kai.h"

#include "libgang/catalog/job_names.h"

const struct podgrouper_trait *
kai_foreign_trait(const struct gang_wishes *wishes)
{
    return &job_traits_of(wishes->owner.api_version, wishes->owner.kind)->podgrouper;
}

bool
kai_foreign_is_no_gang(const struct gang_wishes *wishes)
{
    const struct podgrouper_trait *trait = kai_foreign_trait(wishes);
    const struct node *annotations = wishes->chain ? wishes->chain->set.annotations : NULL;

    return trait->groups && !trait->is_gang &&
           !(trait->is_annotated && node_member(annotations, KAI_MIN_MEMBER_ANNOTATION));
}
