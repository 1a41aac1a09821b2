/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_OPTIONS_H
#define GANGCTL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <gang/gang.h>

#include "select.h"
#include "verbs.h"

enum output {
    OUTPUT_UNSET,
    OUTPUT_TEXT,
    OUTPUT_WIDE,
    OUTPUT_YAML,
    OUTPUT_JSON,
    OUTPUT_NDJSON,
    OUTPUT_CSV,
    OUTPUT_GITHUB,
    OUTPUT_JUNIT,
    OUTPUT_SARIF,
    OUTPUT_SVG,
};

/* The parsed command line. Strings are borrowed from it. */
struct options {
    const struct verb *verb;            /* NULL: no verb */
    const struct verb *help_about;      /* for `help`; NULL: the program, or `group` */
    const char *group;                  /* for `help policy`: the first word of several verbs */
    const struct diagnostic_page *page; /* for `help GANG012` */
    const char *argument;               /* NULL if absent */
    const char **inputs;                /* of -f, in order; "-" is standard input */
    size_t num_inputs;
    const char *policy;        /* NULL without -p */
    const char *cluster;       /* NULL without --cluster */
    const char *schedulers[8]; /* of --scheduler, in order */
    size_t num_schedulers;
    const char *workload_uid;   /* NULL without --workload-uid */
    uint64_t run_number;        /* one more than the number; 0 without --run-number */
    const char *gang;           /* NULL without --gang */
    const char *live;           /* NULL without --live */
    uint64_t max_documents;     /* 0 without --max-documents */
    const char *against;        /* NULL without --against */
    struct selection selection; /* of --job, -n and -l */
    unsigned walk;              /* WALK_... of -R and --follow */
    bool complete;
    bool wake;
    bool adopt;
    bool fall_back;
    bool strict;
    bool fail_on_warn;
    bool verbose;
    enum output output;
    enum gang_target target; /* 0 without --target */
};

/* Returns false after reporting on stderr what is wrong with the command line. */
bool options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* Returns the argument of --target, or the default. */
enum gang_target options_target(const struct options *options, enum gang_target usual);

/* Returns the format of a GangPlan or manifest: YAML, or JSON if requested. */
enum gang_format options_format(const struct options *options);

#endif
