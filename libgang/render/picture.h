/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_PICTURE_H
#define LIBGANG_RENDER_PICTURE_H

#include "libgang/base/buffer.h"
#include "libgang/decide/decision.h"

/*
 * Writes the decision as one SVG document: a box for each role, stages and waves from left to
 * right, the start order as arrows, and the gang as a frame around its members. A gang that can
 * never start has the roles of the deadlock in red. Same decision, same bytes. The colours follow
 * the reader's light or dark scheme; shape and words say what the colours say.
 */
void picture_write(const struct gang_decision *decision, struct arena *arena, struct buffer *out);

#endif
