/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_READER_H
#define LIBGANG_POLICY_POLICY_READER_H

#include "libgang/base/report.h"
#include "libgang/kube/names.h"
#include "libgang/policy/policy.h"

/* One reading of a policy that keeps to its schema, or of which every departure was reported. */
struct policy_reader {
    struct gang_policy *policy; /* its backends are read first */
    struct arena *arena;
    struct report *report;
};

/* The place of the word in its enumeration; 0 when it is absent or none of them. */
int policy_choice(const struct node *word, const char *const *names);

/* The number, or 0 when it is absent or none. */
int64_t policy_number(const struct node *number);

/* Reports a text that is no name of its kind; an empty one is the schema's to refuse. */
void policy_check_name(struct policy_reader *reader, const struct node *name, enum name_rule rule);

/* The enabled backend that the text names; NULL, which is reported, for none. */
const struct policy_backend *policy_read_backend(struct policy_reader *reader, const struct node *name);

#endif
