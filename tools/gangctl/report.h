/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_REPORT_H
#define GANGCTL_REPORT_H

#include <json-c/json.h>

#include "complain.h"
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

/*
 * Adds one line for each attribute: its value, its source, and the losing candidates. With
 * `with_places`, also the place of each. The source of the members is printed with the members:
 * add_members_choice().
 */
void report_trace(struct text *out, struct json_object *trace, const struct origins *origins,
                  bool with_places);

/*
 * Adds a line for each rule before the one that decides, with the reason why it does not match: the
 * first ones, or with `with_places` all of them and their places.
 */
void report_unmatched(struct text *out, struct json_object *rules, const struct origins *origins,
                      bool with_places);

/* Adds "All (rule research-gpu)"; nothing if there was no choice. */
void add_members_choice(struct text *out, struct json_object *trace);

/*
 * Adds "file:line:column "; nothing without a document (NULL) or a line. A column of 0 is omitted.
 */
void add_place(struct text *out, const struct origin *origin, unsigned long line,
               unsigned long column);

#endif
