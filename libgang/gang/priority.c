/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/priority.h"

#include "libgang/base/quote.h"
#include "libgang/document/finding.h"

static const struct role *
priority_first_member(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->roles[i].membership != ROLE_OUTSIDE)
            return &gang->roles[i];
    return NULL;
}

static const struct role *
priority_first_other(const struct gang *gang, const struct role *member)
{
    for (size_t i = 0; member && i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (role->membership != ROLE_OUTSIDE &&
            !slice_equal(role->priority_class_name, member->priority_class_name))
            return role;
    }
    return NULL;
}

static const char *
priority_in_words(struct quoted *out, const struct role *role)
{
    return role->priority_class_name.len ? quote(out, role->priority_class_name) : "no priority class";
}

void
priority_report_disagreement(const struct gang *gang, struct report *report)
{
    const struct role *member = priority_first_member(gang);
    const struct role *other = priority_first_other(gang, member);
    struct quoted names[4];

    if (!other)
        return;
    find_note(report, GANG_CODE_PRIORITIES_DISAGREE,
              other->priority_class_source ? other->priority_class_source : other->source,
              "give every member of the gang the same priorityClassName",
              "members of the gang must have one priority: role %s has %s, role %s has %s",
              quote(&names[0], member->name), priority_in_words(&names[1], member),
              quote(&names[2], other->name), priority_in_words(&names[3], other));
}

const struct role *
priority_overruled_role(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!slice_equal(gang->roles[i].priority_class_name, gang->priority_class_name))
            return &gang->roles[i];
    return NULL;
}

/* kubeflow/trainer:pkg/runtime/framework/plugins/volcano/volcano.go: each class overwrites the one before. */
static const struct role *
priority_role_at(const struct gang *gang, size_t position)
{
    bool is_last_first = gang->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;

    return &gang->roles[is_last_first ? gang->num_roles - 1 - position : position];
}

const struct role *
priority_named_by(const struct gang *gang, size_t index)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = priority_role_at(gang, i);

        if (role->membership != ROLE_OUTSIDE && role->priority_class_name.len && index-- == 0)
            return role;
    }
    return NULL;
}
