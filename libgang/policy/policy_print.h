/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_PRINT_H
#define LIBGANG_POLICY_POLICY_PRINT_H

#include "libgang/policy/policy.h"

/*
 * The policy as a document in its one canonical form: fields sorted by name, nothing that is null, nothing that says
 * what its absence says, of the metadata the name alone. Neither the order of keys nor JSON or YAML makes a difference,
 * and who reads it gets an equal policy. Borrows texts of the policy. NULL without memory.
 */
const struct node *policy_canonical(const struct gang_policy *policy, struct arena *arena);

/*
 * `<name>@<hash>`: the first eight hexadecimal digits of the 64-bit FNV-1a of the canonical form as compact JSON. Ends
 * in NUL; unset without memory.
 */
struct slice policy_stamp(const struct gang_policy *policy, struct arena *arena);

#endif
