/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy_reader.h"

#include "libgang/document/finding.h"
#include "libgang/document/schema_nearest.h"

int
policy_choice(const struct node *word, const char *const *names)
{
    for (int i = 0; names[i]; i++)
        if (slice_equal(node_string(word), slice_from_text(names[i])))
            return i;
    return 0;
}

int64_t
policy_number(const struct node *number)
{
    int64_t value;

    return node_int(number, &value) ? value : 0;
}

void
policy_check_name(struct policy_reader *reader, const struct node *name, enum name_rule rule)
{
    struct name_problems problems;

    if (!node_string(name).len || name_check(rule, node_string(name), &problems))
        return;
    for (size_t i = 0; i < problems.count; i++)
        find_invalid(reader->report, GANG_CODE_INVALID_NAME, name, NULL, "%s", problems.text[i]);
}

static void
policy_find_not_enabled(struct policy_reader *reader, const struct node *name)
{
    const struct gang_policy *policy = reader->policy;
    struct slice *enabled = arena_array(reader->arena, policy->num_backends, sizeof(*enabled));
    const char *nearest;
    size_t count = 0;

    if (!enabled)
        return;
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_is_set(policy->backends[i].name))
            enabled[count++] = policy->backends[i].name;
    nearest = schema_nearest_text(enabled, count, node_string(name));
    find_unsupported(reader->report, GANG_CODE_BACKEND_NOT_ENABLED, name,
                     nearest ? schema_did_you_mean(reader->arena, nearest) : "enable it under spec.backends",
                     enabled, count);
}

const struct policy_backend *
policy_read_backend(struct policy_reader *reader, const struct node *name)
{
    const struct gang_policy *policy = reader->policy;

    if (!node_string(name).len)
        return NULL;
    for (size_t i = 0; i < policy->num_backends; i++)
        if (slice_equal(policy->backends[i].name, node_string(name)))
            return &policy->backends[i];
    policy_find_not_enabled(reader, name);
    return NULL;
}
