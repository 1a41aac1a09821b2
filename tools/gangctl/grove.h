/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_GROVE_H
#define GANGCTL_GROVE_H

#include "jobs.h"

/* Each parses a document and reports what is wrong with it. */
void add_podgang(struct workbench *bench, const struct document *document, uint32_t flags);
void add_podcliqueset(struct workbench *bench, const struct document *document, uint32_t flags);

void add_topology(struct workbench *bench, const struct document *document, uint32_t flags);

/* Adds what belongs to a PodGang: its PodCliqueSet, its topology, the other PodGangs. */
void add_grove_inputs(const struct workbench *bench, const struct job *job,
                      struct gang_inputs *inputs);

/* Gives each PodGang its topology and the PodCliqueSet that controls it, and makes a job of each
 * PodCliqueSet that none belongs to. */
void pair_podgangs(struct workbench *bench);

/* Whether everything that a job of Grove is made of could be read. */
bool podgang_is_complete(const struct job *job);

#endif
