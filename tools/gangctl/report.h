/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REPORT_H
#define GANGCTL_REPORT_H

#include <json-c/json.h>

#include "jobs.h"
#include "text.h"

/* Adds what `explain` tells a person about one job. `policy` is the policy's name, NULL without one. */
void report_job(struct text *out, struct json_object *plan, const struct job *job, const char *policy);

#endif
