/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EXPECTATION_H
#define GANGCTL_EXPECTATION_H

#include <json-c/json.h>
#include <stdbool.h>

#include "complain.h"
#include "text.h"

/* The result for the job of a case. */
struct answer {
    const struct gang_decision *decision; /* NULL: its documents are refused */
    const struct gang_plan *plan;         /* NULL: the same */
    const struct complaints *complaints;  /* the complaints about refused documents */
    /* the GangDecision, for values without an accessor; incomplete for refused documents */
    struct json_object *tree;
};

enum { MOST_FIELDS = 32 };

/* Lists the keys that `expect` of a case can have, and returns their number. */
size_t expectation_list_keys(const char *keys[MOST_FIELDS]);

/* Adds the keys as properties of a JSON Schema; any value may be expected. */
void expectation_add_schema(struct json_object *properties);

/*
 * Returns the actual value for a key of `expect`, as a new reference; NULL if absent. Findings are
 * the codes of errors and warnings, sorted and without duplicates. An attribute includes the source
 * of its value.
 */
struct json_object *expectation_actual(const struct answer *answer, const char *key,
                                       struct json_object *expected);

#endif
