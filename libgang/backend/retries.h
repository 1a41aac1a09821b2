/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_BACKEND_RETRIES_H
#define LIBGANG_BACKEND_RETRIES_H

#include "libgang/base/report.h"
#include "libgang/gang/gang.h"

/*
 * For schedulers whose quorum is of live pods, so that those that have succeeded no longer count: reports the members
 * whose Jobs make new pods for failed ones.
 */
void retries_report(const struct gang *gang, struct report *report);

#endif
