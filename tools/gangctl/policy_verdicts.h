/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_POLICY_VERDICTS_H
#define GANGCTL_POLICY_VERDICTS_H

#include "options.h"
#include "policy_cases.h"

/* The result of one case. */
struct verdict {
    const struct policy_case *item;
    struct json_object *differences; /* a list of {field, expected, actual}, or of {message} */
};

struct verdicts {
    struct verdict *items;
    size_t count;
    size_t failed;
    size_t broken;      /* cases with an error, which are not among the items */
    bool could_not_run; /* a file could not be read, which was reported */
};

/* Adds the results of the cases in the requested format. */
void verdicts_add(struct text *out, const struct verdicts *verdicts, enum output output);
void verdicts_free(struct verdicts *verdicts);

#endif
