/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_FINDINGS_H
#define LIBGANG_RECONCILE_LIVE_FINDINGS_H

#include "libgang/backend/update_rules.h"
#include "libgang/reconcile/live_objects.h"

/* What is said about objects that exist. */

/* Somebody else's, by `ownership`. */
void live_report_owner(const struct live_object *object, enum live_ownership ownership,
                       struct report *report);
/* It would stay, but another object of its gang is made anew. */
void live_report_together(const struct live_object *object, struct report *report);
/* Every frozen field that has to change; `is_held`: and cannot, because of the gang's pods. */
void live_report_frozen(const struct live_object *object, const struct update_result *update, bool is_held,
                        struct report *report);
void live_report_kept(const struct live_object *object, const struct update_result *update,
                      const struct node *rendered, struct report *report);
void live_report_terminating(const struct live_object *object, struct report *report);
/* Not wanted any more, but pods are in its group. */
void live_report_stays(const struct live_object *object, struct report *report);
/* It would change, but the operator changes it only while the job is suspended; one that has ended never will be. */
void live_report_waits(const struct live_object *object, bool is_finished, struct report *report);
/* The job is another one than the plan's. */
void live_report_job(const struct live_object *job, struct slice uid, struct report *report);

#endif
