/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_POLICY_POLICY_OUTPUT_H
#define LIBGANG_POLICY_POLICY_OUTPUT_H

#include "libgang/policy/policy_reader.h"

/* Reads `spec.output`. */
struct policy_output policy_output_read(struct policy_reader *reader, const struct node *source);

#endif
