/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_PLAN_DOCUMENT_H
#define LIBGANG_RENDER_PLAN_DOCUMENT_H

#include "libgang/decide/choice.h"
#include "libgang/render/render.h"

/* The GangPlan document as a tree in `arena`. The order of its keys is part of the interface. */
const struct node *plan_document_build(const struct gang_plan *plan, struct arena *arena);

/* How the plan calls each document; NULL for none. By enum gang_document_type. */
extern const char *const plan_document_names[];

/* `topology` of a gang or a group that has a placement. */
void plan_document_placement(const struct gang_placement *placement, struct builder *holder);
/* `gang.subgroups`. */
void plan_document_subgroups(const struct gang *gang, struct builder *map);

/* Its two longer lists. */
void plan_document_roles(const struct gang *gang, struct builder *document);
void plan_document_trace(const struct trace *trace, struct builder *document);

#endif
