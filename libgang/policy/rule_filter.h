/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_RULE_FILTER_H
#define LIBGANG_POLICY_RULE_FILTER_H

#include <stdint.h>

#include "libgang/base/arena.h"
#include "libgang/policy/rule.h"

/* Eight bytes of a name as one number: three from its start on, and those at its end. Behind a name stand zeros. */
enum rule_word {
    RULE_NAMESPACE_START,
    RULE_NAMESPACE_MIDDLE,
    RULE_NAMESPACE_THIRD,
    RULE_NAMESPACE_END,
    RULE_RUNTIME_START,
    RULE_RUNTIME_MIDDLE,
    RULE_RUNTIME_THIRD,
    RULE_RUNTIME_END,
    RULE_FRAMEWORK_END,
    RULE_WORD_COUNT
};

/* What a pattern fixes of one word; a mask of 0 fixes nothing. */
struct rule_probe {
    uint64_t bytes;
    uint64_t mask;
    uint64_t word; /* enum rule_word */
};

enum { RULE_PROBES = 2 };

/*
 * What tells at a glance that a rule is not about a job, for policies of many rules. Made once, when the policy is read.
 * The rule is ruled out when no probe fits, or by one of the rest.
 */
struct rule_filter {
    struct rule_probe probes[RULE_PROBES];
    bool has_second;
    int64_t min_nodes;
    int64_t max_nodes;
    bool takes_managed; /* by Kueue */
    bool takes_unmanaged;
    bool needs_label; /* of the trainjob: one without any is out */
};

/* The same of a job. */
struct rule_keys {
    uint64_t words[RULE_WORD_COUNT];
    int64_t nodes;
    bool is_managed;
    bool has_labels;
    bool has_namespace; /* without one nothing is ruled out */
};

/* One for each rule; NULL without rules, and without memory. */
const struct rule_filter *rule_filters_make(const struct policy_rule *rules, size_t count,
                                            struct arena *arena);

/* Fills the words of the names; an unset one is empty. */
void rule_keys_name(struct rule_keys *keys, struct slice namespace_, struct slice runtime,
                    struct slice framework);

/* The first rule, `from` on, whose match may be about the job: those before it are not. `count` when there is none. */
size_t rule_filters_next(const struct rule_filter *filters, size_t from, size_t count,
                         const struct rule_keys *keys);

#endif
