/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RECONCILE_LIVE_KEEP_H
#define LIBGANG_RECONCILE_LIVE_KEEP_H

#include "libgang/base/arena.h"
#include "libgang/document/node.h"
#include "libgang/document/stream.h"

/*
 * Copies the part of a live object that libgang uses, as a root of its own: all of the schedulers'
 * objects, JobSets and jobs except what only the server manages; of a pod what places it in a gang
 * and on a node; of other objects their identity. Values keep their index, so paths stay those of
 * the object. `part` is the document of the object: positions of the copy count from the start of
 * the whole text. Returns NULL if the arena failed.
 */
const struct node *live_keep(const struct node *object, const struct split_part *part,
                             struct arena *arena);

/* The object in which Kueue queues a job. */
#define LIVE_KUEUE_GROUP SLICE("kueue.x-k8s.io")
#define LIVE_KUEUE_KIND SLICE("Workload")

/* Returns the part of an apiVersion before the slash; "" without a slash. */
struct slice live_group_of(struct slice api_version);

/* Positions in a document, converted to positions in the text that it is a part of. */
static inline uint32_t
live_column_in_text(uint32_t line, uint32_t column, const struct split_part *part)
{
    return line == 1 ? column + part->column - 1 : column;
}

static inline uint32_t
live_line_in_text(uint32_t line, const struct split_part *part)
{
    return line ? line + part->line - 1 : 0;
}

#endif
