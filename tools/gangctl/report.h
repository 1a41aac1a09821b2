/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REPORT_H
#define GANGCTL_REPORT_H

#include <json-c/json.h>

#include "jobs.h"
#include "text.h"

struct report_options {
    const char *policy;  /* its stamp, name@hash; NULL without one */
    const char *cluster; /* its name; NULL without one */
    bool verbose;        /* the defaults that were applied, too */
};

/* Adds what `explain` tells a person about one job. `decision` is its GangDecision. */
void report_job(struct text *out, struct json_object *decision, const struct job *job,
                const struct report_options *options);

#endif
