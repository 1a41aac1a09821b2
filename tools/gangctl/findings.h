/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_FINDINGS_H
#define GANGCTL_FINDINGS_H

#include "complain.h"
#include "options.h"

struct finding_counts {
    size_t documents; /* that were read */
    size_t trainjobs; /* these four: jobs with a decision */
    size_t other_jobs;
    size_t podgangs;
    size_t podcliquesets; /* without a podgang */
    size_t errors;
    size_t warnings;
    size_t infos;
};

/* Adds settled complaints in the requested format. Sets the severities in `counts`. */
void findings_add(struct text *out, const struct complaints *complaints,
                  struct finding_counts *counts, enum output output);

/*
 * Adds "::error file=a,line=1,col=2,title=b::message\n", escaped for GitHub. A place without a
 * file, or on standard input, is in the message.
 */
void annotation_add(struct text *out, const struct complaint *complaint);

/* The `id` of complaints that are no diagnostics of the library, but of policy tests. */
#define SARIF_RULE_OF_TESTS "policy-test"
#define SARIF_RULE_OF_COVERAGE "policy-coverage"

/* Adds settled complaints as a log of SARIF 2.1.0 with one run. */
void sarif_add(struct text *out, const struct complaints *complaints);

#endif
