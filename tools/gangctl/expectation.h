/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EXPECTATION_H
#define GANGCTL_EXPECTATION_H

#include <json-c/json.h>
#include <stdbool.h>

#include "text.h"

/* What a case of a policy test may expect of a plan: the keys of `expect`. */
bool expectation_is_known(const char *key);
/* Adds the keys as a message lists them. */
void expectation_add_keys(struct text *out);

/*
 * What the plan says under a key of `expect`, as a new reference; NULL when it has none. Findings are the codes of
 * errors and warnings, each once, sorted; a chosen attribute says where its value was read.
 */
struct json_object *expectation_actual(struct json_object *plan, const char *key,
                                       struct json_object *expected);

#endif
