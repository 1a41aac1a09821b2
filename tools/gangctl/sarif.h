/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_SARIF_H
#define GANGCTL_SARIF_H

#include "complain.h"

/* Adds settled complaints as a log of SARIF 2.1.0 with one run. */
void sarif_add(struct text *out, const struct complaints *complaints);

#endif
