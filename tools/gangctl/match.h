/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_MATCH_H
#define GANGCTL_MATCH_H

#include "jobs.h"

/*
 * Returns the role of a document by group and kind. Reports documents that look like gangctl's but
 * are not read.
 */
enum role_of_document document_role(const struct document *document, struct complaints *complaints);

/*
 * Reports duplicate jobs and runtimes: two documents with the same kind, namespace and name, or two
 * GangJobs with the same namespace and group.
 */
void report_duplicates(struct workbench *bench);

/*
 * Returns the runtime that the job's runtimeRef names; NULL after reporting that there is none or
 * more than one.
 */
const struct runtime *match_runtime(struct workbench *bench, const struct job *job);

#endif
