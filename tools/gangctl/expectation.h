/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_EXPECTATION_H
#define GANGCTL_EXPECTATION_H

#include <json-c/json.h>
#include <stdbool.h>

#include "complain.h"
#include "text.h"

/* What came of the job of a case. */
struct answer {
    const struct gang_decision *decision; /* NULL: its documents are refused */
    const struct gang_plan *plan;         /* NULL: the same */
    const struct complaints *complaints;  /* what is said of them then */
    struct json_object
        *tree; /* the GangDecision, for what has no accessor; of it as much as there is */
};

/* What a case of a policy test may expect: the keys of `expect`. */
bool expectation_is_known(const char *key);
/* Adds the keys as a message lists them. */
void expectation_add_keys(struct text *out);

/*
 * What the answer says under a key of `expect`, as a new reference; NULL when it has none. Findings
 * are the codes of errors and warnings, each once, sorted; a chosen attribute says where its value
 * was read.
 */
struct json_object *expectation_actual(const struct answer *answer, const char *key,
                                       struct json_object *expected);

#endif
