/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_PRINT_H
#define LIBGANG_POLICY_POLICY_PRINT_H

#include "libgang/policy/policy.h"

/*
 * Returns the canonical form of the policy: fields sorted by name, without null values and without
 * values equal to their default; metadata has only the name. It does not depend on the order of
 * keys or on the format (JSON or YAML) of the source, and reading it gives an equal policy. Borrows
 * texts of the policy. NULL if out of memory.
 */
const struct node *policy_canonical(const struct gang_policy *policy, struct arena *arena);

/*
 * Returns `<name>@<hash>`. The hash is the first eight hexadecimal digits of the 64-bit FNV-1a hash
 * of the canonical form as compact JSON. Ends in NUL; unset if out of memory.
 */
struct slice policy_stamp(const struct gang_policy *policy, struct arena *arena);

/*
 * Whether the kind is one of the administrator's documents, and its JSON Schema; NULL for another
 * kind, or if out of memory.
 */
bool policy_is_described(const char *kind);
const struct node *policy_describe(const char *kind, struct arena *arena);

#endif
