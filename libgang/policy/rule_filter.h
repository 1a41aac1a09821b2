/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_RULE_FILTER_H
#define LIBGANG_POLICY_RULE_FILTER_H

#include <stdint.h>

#include "libgang/policy/rule.h"

/*
 * Words of a name, each with eight bytes as one number: three words from its start, and one with
 * its last bytes. Padded with zeros after the end of the name.
 */
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

/* The bytes of one word that a pattern requires; a mask of 0 requires none. */
struct rule_probe {
    uint64_t bytes;
    uint64_t mask;
    uint64_t word; /* enum rule_word */
};

enum { RULE_PROBES = 2 };

/*
 * A fast test whether a rule cannot match a job, for policies with many rules. Computed once, when
 * the policy is read. A rule cannot match if no probe fits, or if one of the other fields does not
 * fit.
 */
struct rule_filter {
    struct rule_probe probes[RULE_PROBES];
    bool has_second;
    int64_t min_nodes;
    int64_t max_nodes;
    bool takes_managed; /* jobs that Kueue manages */
    bool takes_unmanaged;
    bool needs_label; /* a job without labels cannot match */
    job_kind_set kinds;
};

/* The same data for a job. */
struct rule_keys {
    uint64_t words[RULE_WORD_COUNT];
    int64_t nodes;
    bool is_managed;
    bool has_labels;
    bool has_namespace; /* if false, no rule is excluded */
    job_kind_set kinds;
};

struct rule_filter rule_filter_of(const struct policy_match *match);

/* Returns one filter for each rule; NULL if there are no rules or no memory. */
const struct rule_filter *rule_filters_make(const struct policy_rule *rules, size_t count,
                                            struct arena *arena);

/* Sets the words of the names; an unset name counts as empty. */
void rule_keys_name(struct rule_keys *keys, struct slice namespace_, struct slice runtime,
                    struct slice framework);

/*
 * Returns the index of the first rule, from `from` on, that can match the job; the skipped rules
 * cannot. Returns `count` if there is none.
 */
size_t rule_filters_next(const struct rule_filter *filters, size_t from, size_t count,
                         const struct rule_keys *keys);

#endif
