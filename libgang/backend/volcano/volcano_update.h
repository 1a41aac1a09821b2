/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_VOLCANO_VOLCANO_UPDATE_H
#define LIBGANG_BACKEND_VOLCANO_VOLCANO_UPDATE_H

#include "libgang/backend/backend.h"

/* How PodGroups of Volcano are updated: those of jobs, and those of PodGangs, as Grove does it. */
extern const struct backend_updates volcano_updates;

#endif
