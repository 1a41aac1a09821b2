/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DECISION_JSON_H
#define GANGCTL_DECISION_JSON_H

#include <json-c/json.h>

#include "jobs.h"
#include "text.h"

/* Parses one JSON document; NULL if it is invalid. */
struct json_object *json_read(const struct text *text);

/* Parses one YAML document; NULL if it is invalid. The caller owns it. */
struct json_object *yaml_read(const char *text);

/*
 * Returns the GangDecision of a job, for values without an accessor: the roles and the trace. NULL
 * after reporting an error.
 */
struct json_object *decision_as_json(struct workbench *bench, const struct job *job);

/* Returns only the roles, which takes a fraction of the time; NULL if they cannot be read. */
struct json_object *roles_as_json(struct workbench *bench, const struct job *job);

/* The decision for a terminal: control characters stay escaped, so that no terminal interprets
 * them. */
struct json_object *decision_as_printable_json(struct workbench *bench, const struct job *job);

/* The same for the plan; NULL if the job has none because rendering was refused. */
struct json_object *plan_as_printable_json(struct workbench *bench, const struct job *job);

#endif
