/* SPDX-License-Identifier: Apache-2.0 */
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
constraint_check_sense(struct schema_reader *reader, const struct policy_constraint *constraint)
{
    /* after an error, such as a misspelled check, it may be that check which is missing */
    if (!constraint_checks_something(constraint) && !report_has_errors(reader->report))
        find_note(reader->report, GANG_CODE_IDLE_SETTING, constraint->source,
                  "add a check such as allowedQueues, or remove it",
                  "the constraint %.*s checks nothing", SLICE_ARG(constraint->name));
    if (!constraint_allows_a_gang(policy_in(reader), &constraint->allowed_backends))
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

POLICY_READ(constraint_read)
{
    struct policy_constraint *constraint = value;

    constraint->match.kinds = constraint->exclude.kinds = JOB_KINDS_ALL;
    schema_read(schema, source, constraint, reader);
    constraint->source = source;
    if (!node_is_true(constraint->require_queue_source))
        constraint->require_queue_source = NULL;
    rule_check_entries(source, &constraint->match, &constraint->exclude, reader->report);
    constraint_check_sense(reader, constraint);
}
