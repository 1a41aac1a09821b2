/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REPORT_H
#define GANGCTL_REPORT_H

#include <json-c/json.h>

#include "jobs.h"
#include "text.h"

struct report_options {
    const char *policy;  /* its stamp, name@hash; NULL if absent */
    const char *cluster; /* its name; NULL if absent */
    bool verbose;        /* also infos, places, and attributes without a value */
};

/*
 * Adds the text of `explain` for one job. `decision` is its GangDecision, `plan` its GangPlan; NULL
 * if there is none.
 */
void report_job(struct text *out, struct json_object *decision, struct json_object *plan,
                const struct job *job, const struct report_options *options);

/* Adds "GANG" or "NO_GANG". */
void add_outcome_name(struct text *out, int outcome);

#endif
