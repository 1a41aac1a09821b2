/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DECISION_JSON_H
#define GANGCTL_DECISION_JSON_H

#include <json-c/json.h>

#include "jobs.h"
#include "text.h"

/* The text of one document; NULL when it is none. */
struct json_object *json_read(const struct text *text);

/* The GangDecision of a job, for what has no accessor: the roles and the trace. NULL after saying
 * why there is none. */
struct json_object *decision_as_json(struct workbench *bench, const struct job *job);

/* The same for a terminal: an escape of a control character stays the escape, so that what is shown
 * obeys none. */
struct json_object *decision_as_printable_json(struct workbench *bench, const struct job *job);

#endif
