/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FINDINGS_JUNIT_H
#define GANGCTL_FINDINGS_JUNIT_H

#include "findings.h"

/*
 * Adds settled complaints as a test suite: a test for each of them, and one for all documents. An
 * error is a failure, a warning the output of a test that passes.
 */
void findings_add_junit(struct text *out, const struct complaints *complaints,
                        const struct finding_counts *counts);

#endif
