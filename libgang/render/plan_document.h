/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_PLAN_DOCUMENT_H
#define LIBGANG_RENDER_PLAN_DOCUMENT_H

#include "libgang/decide/choice.h"
#include "libgang/render/render.h"

/*
 * Returns the GangPlan document as a tree in `arena`. The order of its keys is part of the
 * interface.
 */
const struct node *plan_document_build(const struct gang_plan *plan, struct arena *arena);

/* The same for a GangDecision document: the decision without rendered objects. */
const struct node *plan_document_build_decision(const struct gang_decision *decision,
                                                struct arena *arena);

/* Writes `gang.subgroups`. */
void plan_document_subgroups(const struct gang_wishes *wishes, struct builder *map);

/* Writes one of `patches` into the map `item`. */
void plan_document_patch(const struct gang_patch *patch, struct builder *item);
/* Writes the items of `diagnostics`. */
void plan_document_diagnostics(const struct gang_diagnostic *items, size_t count,
                               struct builder *list);

/* Write `roles` and `trace`. */
void plan_document_roles(const struct gang *gang, struct builder *document);
void plan_document_trace(const struct trace *trace, struct builder *document);

#endif
