/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_MATCH_H
#define GANGCTL_MATCH_H

#include "jobs.h"

/* Sorts a document by group and kind; says what looks meant for us and is not read. */
enum role_of_document document_role(const struct document *document, struct complaints *complaints);

/* Reports two documents of one kind, namespace and name among the jobs and among the runtimes. */
void report_duplicates(struct workbench *bench);

/*
 * The runtime that the job's runtimeRef names, or NULL after reporting that there is none or more
 * than one.
 */
const struct runtime *match_runtime(struct workbench *bench, const struct job *job);

#endif
