/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_OPTIONS_H
#define GANGCTL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <gang/gang.h>

#include "verbs.h"

enum output { OUTPUT_UNSET, OUTPUT_TEXT, OUTPUT_YAML, OUTPUT_JSON, OUTPUT_GITHUB };

/* What stands on the command line. Texts are borrowed from it. */
struct options {
    const struct verb *verb;       /* NULL: the program alone */
    const struct verb *help_about; /* for `help`; NULL: the program, or `group` */
    const char *group;             /* for `help policy`: the word before several verbs */
    const char *argument;          /* NULL without one */
    const char **inputs;           /* of -f, in order; "-" is standard input */
    size_t num_inputs;
    const char *policy;       /* NULL without -p */
    const char *cluster;      /* NULL without --cluster */
    const char *scheduler;    /* NULL without --scheduler */
    const char *workload_uid; /* NULL without --workload-uid */
    const char *live;         /* NULL without --live */
    bool recursive;
    bool complete;
    bool strict;
    bool fail_on_warn;
    bool verbose;
    enum output output;
    enum gang_target target; /* 0 without --target */
};

/* False after saying on stderr what is wrong with the command line. */
bool options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* What --target asks for, else what is usual. */
enum gang_target options_target(const struct options *options, enum gang_target usual);

/* The format of a GangPlan or manifest: YAML unless JSON was asked for. */
enum gang_format options_format(const struct options *options);

#endif
