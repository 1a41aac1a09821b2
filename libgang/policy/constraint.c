/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/constraint.h"

#include "libgang/policy/policy.h"
#include "libgang/policy/policy_schema.h"

/* The fields of a constraint that check something. */
static const struct slice constraint_checks[] = {
    SLICE_INIT("allowedBackends"),
    SLICE_INIT("allowedQueues"),
    SLICE_INIT("allowedPriorityClassNames"),
    SLICE_INIT("maxMembers"),
    SLICE_INIT("minTimeoutSeconds"),
    SLICE_INIT("maxTimeoutSeconds"),
    SLICE_INIT("reservedKeys"),
};

static bool
constraint_checks_something(const struct policy_constraint *constraint)
{
    const struct node *required = node_member(constraint->source, SLICE("requireQueue"));

    for (size_t i = 0; i < COUNT_OF(constraint_checks); i++)
        if (node_member(constraint->source, constraint_checks[i]))
            return true;
    return required && (!node_is(required, NODE_BOOL) || node_is_true(required));
}

/* Constraints apply to gangs, and backends of type None have no gangs. */
static bool
constraint_allows_a_gang(const struct gang_policy *policy, const struct rule_texts *allowed)
{
    for (size_t i = 0; i < policy->num_backends; i++)
        if (policy->backends[i].descriptor && rule_texts_have(allowed, policy->backends[i].name))
            return true;
    return allowed->count == 0;
}

static void
constraint_check_sense(struct policy_reader *reader, const struct policy_constraint *constraint)
{
    if (!constraint_checks_something(constraint))
        find_note(reader->report, GANG_CODE_IDLE_SETTING, constraint->source,
                  "add a check such as allowedQueues, or remove it",
                  "the constraint %.*s checks nothing", SLICE_ARG(constraint->name));
    if (!constraint_allows_a_gang(reader->policy, &constraint->allowed_backends))
        find_note(reader->report, GANG_CODE_UNSATISFIABLE_CONSTRAINT,
                  node_member(constraint->source, SLICE("allowedBackends")),
                  "use a rule with action: Skip or Deny for jobs that must not have a gang",
                  "no gang can satisfy it: none of these backends renders a gang");
    if (constraint->min_timeout_source && constraint->max_timeout_source &&
        constraint->min_timeout_seconds > constraint->max_timeout_seconds)
        find_invalid(reader->report, GANG_CODE_EMPTY_RANGE, constraint->max_timeout_source,
                     "no timeout can satisfy both",
                     "must be greater than or equal to minTimeoutSeconds (%lld)",
                     (long long)constraint->min_timeout_seconds);
}

static void
constraint_read_allowed(struct policy_reader *reader, struct policy_constraint *constraint)
{
    const struct node *backends = node_member(constraint->source, SLICE("allowedBackends"));

    for (NODE_EACH(item, backends))
        policy_read_backend(reader, item);
    constraint->allowed_backends = rule_read_texts(reader, backends);
    constraint->allowed_queues = rule_read_globs(
        reader, node_member(constraint->source, SLICE("allowedQueues")), GLOB_OF_SUBDOMAINS);
    constraint->allowed_priority_class_names =
        rule_read_names(reader, node_member(constraint->source, SLICE("allowedPriorityClassNames")),
                        NAME_DNS1123_SUBDOMAIN, GANG_CODE_INVALID_NAME);
}

struct policy_constraint
constraint_read(struct policy_reader *reader, const struct node *source)
{
    const struct node *required = node_member(source, SLICE("requireQueue"));
    struct policy_constraint constraint = {
        .name = node_string(node_member(source, SLICE("name"))),
        .max_members_source = node_member(source, SLICE("maxMembers")),
        .min_timeout_source = node_member(source, SLICE("minTimeoutSeconds")),
        .max_timeout_source = node_member(source, SLICE("maxTimeoutSeconds")),
        .require_queue_source = node_is_true(required) ? required : NULL,
        .reserved_keys_source = node_member(source, SLICE("reservedKeys")),
        .source = source,
    };

    policy_check_name(reader, node_member(source, SLICE("name")), NAME_DNS1123_SUBDOMAIN);
    constraint.match = rule_read_match(reader, node_member(source, SLICE("match")));
    constraint.exclude = rule_read_match(reader, node_member(source, SLICE("exclude")));
    constraint.max_members = policy_number(constraint.max_members_source);
    constraint.min_timeout_seconds = policy_number(constraint.min_timeout_source);
    constraint.max_timeout_seconds = policy_number(constraint.max_timeout_source);
    constraint.reserved_keys = (enum constraint_enforcement)policy_choice(
        constraint.reserved_keys_source, enforcement_names);
    constraint.enforcement = (enum constraint_enforcement)policy_choice(
        node_member(source, SLICE("enforcement")), enforcement_names);
    constraint_read_allowed(reader, &constraint);
    rule_check_entries(reader, source, &constraint.match, &constraint.exclude);
    constraint_check_sense(reader, &constraint);
    return constraint;
}
