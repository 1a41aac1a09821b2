/* SPDX-License-Identifier: Apache-2.0 */
#ifndef FUZZ_POLICY_FORMS_H
#define FUZZ_POLICY_FORMS_H

#include "fuzz/promises.h"
#include "libgang/document/writer.h"
#include "libgang/policy/policy.h"

static inline void
print_policy(struct buffer *out, const struct gang_policy *policy,
             void (*write)(struct buffer *out, const struct node *node))
{
    struct arena *arena = arena_new(0);

    write(out, policy_canonical(policy, arena));
    must(!out->failed);
    arena_free(arena);
}

/* What `write` prints of a valid policy must read as a policy that prints the same. */
static inline void
policy_must_read_back(const struct gang_policy *policy,
                      void (*write)(struct buffer *out, const struct node *node))
{
    struct gang_document *document = NULL;
    const struct gang_policy *again;
    struct buffer printed = {0};
    struct buffer json = {0};
    struct buffer json_again = {0};

    print_policy(&printed, policy, write);
    must(gang_document_parse(NULL, printed.data, printed.len, 0, &document, NULL) == GANG_OK);
    again = policy_of(document);
    print_policy(&json, policy, json_write);
    print_policy(&json_again, again, json_write);
    must(json.len == json_again.len && memcmp(json.data, json_again.data, json.len) == 0);
    must(slice_equal(policy->stamp, again->stamp));
    must(policy->num_rules == again->num_rules &&
         policy->num_constraints == again->num_constraints);
    must(policy->num_backends == again->num_backends);
    buffer_clear(&printed);
    buffer_clear(&json);
    buffer_clear(&json_again);
    gang_document_unref(document);
}

/* JSON and YAML must be equivalent, and the canonical form must not depend on the order of keys. */
static inline void
must_have_one_form(const struct gang_policy *policy)
{
    policy_must_read_back(policy, json_write);
    policy_must_read_back(policy, yaml_write);
}

#endif
