/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_CONSTRAINT_H
#define LIBGANG_POLICY_CONSTRAINT_H

#include "libgang/policy/rule.h"

enum constraint_enforcement { ENFORCEMENT_DENY, ENFORCEMENT_WARN };

/* A check for gangs. A constraint never chooses a value. */
struct policy_constraint {
    struct slice name;
    struct policy_match match;
    struct policy_match exclude; /* ignored if its source is NULL */
    struct rule_texts allowed_backends;
    struct rule_texts allowed_queues; /* globs */
    struct rule_texts allowed_priority_class_names;
    const struct node *max_members_source; /* NULL if unset; also for the next two fields */
    int64_t max_members;
    const struct node *min_timeout_source;
    int64_t min_timeout_seconds;
    const struct node *max_timeout_source;
    int64_t max_timeout_seconds;
    const struct node *require_queue_source; /* set if the value is true */
    enum constraint_enforcement reserved_keys;
    const struct node *reserved_keys_source; /* NULL: always Deny */
    enum constraint_enforcement enforcement;
    const struct node *source;
};

struct policy_constraint constraint_read(struct policy_reader *reader, const struct node *source);

#endif
