/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_FINDINGS_H
#define LIBGANG_RECONCILE_LIVE_FINDINGS_H

#include "libgang/backend/update_rules.h"
#include "libgang/catalog/operator_options.h"
#include "libgang/reconcile/live_jobset.h"
#include "libgang/reconcile/live_objects.h"

/* Diagnostics about live objects. */

/* Reports an object that the job does not own, as `ownership` says. */
void live_report_owner(const struct live_object *object, enum live_ownership ownership,
                       struct report *report);
/* Reports an object that the caller takes over for the job. */
void live_report_adopted(const struct live_object *object, struct report *report);
/*
 * Reports an object that is unchanged but is deleted and created again, because another object of
 * its gang is.
 */
void live_report_together(const struct live_object *object, struct report *report);
/*
 * Reports every immutable field that must change. `is_held`: it cannot change because pods of the
 * gang exist.
 */
void live_report_frozen(const struct live_object *object, const struct update_result *update,
                        bool is_held, struct report *report);
void live_report_kept(const struct live_object *object, const struct update_result *update,
                      const struct node *rendered, struct report *report);
void live_report_terminating(const struct live_object *object, struct report *report);
/* Reports an object that is no longer needed but stays because pods are in its group. */
void live_report_stays(const struct live_object *object, struct report *report);
/* Reports the PodGroup of the job's operator, which stays: the operator would make it again. */
void live_report_operator_gang(const struct live_object *object, const struct operator_option *by,
                               struct report *report);
/*
 * Reports an object that differs from the rendered one, but that the operator writes only while the
 * job is suspended. `is_finished`: the job has ended, so it will never be suspended.
 */
void live_report_waits(const struct live_object *object, bool is_finished, struct report *report);
/*
 * Reports that pods of the JobSet will not have what the plan says. `is_kept`: their own gang is
 * complete, so this is a warning.
 */
void live_report_difference(const struct live_difference *difference, struct slice role,
                            bool is_kept, struct report *report);
/*
 * Reports an object of the plan that is not written. `live` is NULL if it does not exist.
 * `is_conflict`: another object is in conflict; otherwise the pods keep their own gang.
 */
void live_report_held_back(const struct node *rendered, const struct live_object *live,
                           bool is_conflict, struct report *report);
/*
 * Reports that the suspension of the job was not seen. `jobset` is that of a TrainJob; NULL if it
 * is not among the live objects.
 */
void live_report_suspension(const struct live_key *job, const struct live_object *jobset,
                            bool is_assumed, struct report *report);
/* Reports that the live job is not the job of the plan: `uid` is the uid of the plan's job. */
void live_report_job(const struct live_object *job, struct slice uid, struct report *report);

#endif
