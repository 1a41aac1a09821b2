/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_GROVE_H
#define GANGCTL_GROVE_H

#include "jobs.h"

/* Each parses a document and reports its errors. */
void add_podgang(struct workbench *bench, const struct document *document, uint32_t flags);
void add_podcliqueset(struct workbench *bench, const struct document *document, uint32_t flags);

void add_topology(struct workbench *bench, const struct document *document, uint32_t flags);

/* Adds the documents for a PodGang: its PodCliqueSet, its topology, the other PodGangs. */
void add_grove_inputs(const struct workbench *bench, const struct job *job,
                      struct gang_inputs *inputs);

/*
 * Assigns to each PodGang its topology and its controlling PodCliqueSet, and adds a job for each
 * PodCliqueSet without PodGangs.
 */
void pair_podgangs(struct workbench *bench);

/* Whether all documents of a Grove job could be read. */
bool podgang_is_complete(const struct job *job);

#endif
