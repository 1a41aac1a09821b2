/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_OPTIONS_H
#define GANGCTL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include "input.h"

struct options;
struct run;

/*
 * The table of the command line. The parser, the help and the completion read it, so they cannot
 * differ.
 */

enum option_id {
    OPTION_NONE, /* ends a verb's list */
    OPTION_OUTPUT,
    OPTION_TARGET,
    OPTION_OBJECTS,
    OPTION_FILENAME,
    OPTION_RECURSIVE,
    OPTION_FOLLOW,
    OPTION_POLICY,
    OPTION_CLUSTER,
    OPTION_SCHEDULER,
    OPTION_COMPLETE,
    OPTION_WORKLOAD_UID,
    OPTION_RUN_NUMBER,
    OPTION_GANG,
    OPTION_LIVE,
    OPTION_FROM,
    OPTION_NOW,
    OPTION_AGAINST,
    OPTION_JOB,
    OPTION_NAMESPACE,
    OPTION_SELECTOR,
    OPTION_WAKE,
    OPTION_ADOPT,
    OPTION_FALL_BACK,
    OPTION_MAX_DOCUMENTS,
    OPTION_STRICT,
    OPTION_FAIL_ON_WARN,
    OPTION_COVERAGE,
    OPTION_MIN_COVERAGE,
    OPTION_RECORD,
    OPTION_VERBOSE,
    OPTION_HELP,
    OPTION_COUNT
};

/* What a shell offers for a value. */
enum value_kind { VALUE_NONE, VALUE_WORD, VALUE_FILE, VALUE_DIRECTORY };

struct option_row {
    const char *name; /* after the two dashes */
    char letter;      /* after one dash; 0 if absent */
    enum value_kind value;
    const char *placeholder; /* name of the value in the help; NULL if the option takes none */
    /* offset of a bool or, with a value, of a text in struct options; 0: read in another way */
    size_t member;
    const char *once; /* why a text may be given only once */
    const char *help; /* lines separated by '\n'; a verb can override it */
};

struct verb_option {
    enum option_id id;
    /* the accepted values, ended by NULL, and the first one is usual for -o; NULL: any */
    const char *const *words;
    const char *help; /* NULL: the option's */
};

struct verb_argument {
    const char *placeholder; /* NULL: the verb takes no argument */
    bool is_optional;
    enum value_kind value;
    const char *const *words;
    enum option_id option; /* that it is short for, and as often; OPTION_NONE: none */
};

struct verb {
    const char *name;     /* "render"; with a group, "policy test" */
    const char *synopsis; /* after the name in the list of verbs */
    const char *summary;  /* one line of that list */
    int (*run)(struct run *run);
    const struct verb_option *options; /* ended by OPTION_NONE; --help is implied */
    struct verb_argument argument;
    bool needs_input; /* -f is required */
    bool reads_jobs;  /* the help lists the kinds of input */
    const char *about;
    const char *examples;
    const char *exit_statuses; /* NULL: those of most verbs */
};

extern const struct option_row option_table[OPTION_COUNT];
extern const struct verb verb_table[];
extern const size_t num_verbs;

/* Sets `*verb`, and returns how many words of `arguments` name it: 0, 1 or 2. */
size_t verb_find(const char *const *words, size_t count, const struct verb **verb);
/* Returns "test" of "policy test" in "policy"; NULL if it is not there. Every verb is in NULL. */
const char *verb_below(const struct verb *verb, const char *group);
bool verb_is_group(const char *word);
/* NULL if the verb does not accept the option. */
const struct verb_option *verb_option_of(const struct verb *verb, enum option_id id);

/* The parsed command line. Strings are borrowed from it. */
struct options {
    const struct verb *verb;       /* NULL: no verb */
    const struct verb *help_about; /* for `help`; NULL: the program, or `group` */
    const char *group;             /* for `help policy`: the first word of several verbs */
    const char *page;              /* for `help GANG012`: the name of the diagnostic */
    const char *argument;          /* NULL if absent */
    uint64_t given;                /* bit 1 << enum option_id for each option */
    const char **inputs;           /* of -f, in order; "-" is standard input */
    size_t num_inputs;
    const char *policy;        /* NULL without -p */
    const char *cluster;       /* NULL without --cluster */
    const char *schedulers[8]; /* of --scheduler, in order */
    size_t num_schedulers;
    const char *workload_uid; /* NULL without --workload-uid */
    uint64_t run_number;      /* one more than the number; 0 without --run-number */
    const char *gang;         /* NULL without --gang */
    const char *live;         /* NULL without --live */
    const char *lives[32];    /* of --live and --from, where they may be repeated */
    size_t num_lives;
    const char *now;            /* NULL without --now */
    uint64_t max_documents;     /* 0 without --max-documents */
    const char *against;        /* NULL without --against */
    const char *objects;        /* NULL without --objects */
    struct selection selection; /* of --job, -n and -l */
    unsigned walk;              /* WALK_... of -R and --follow */
    bool complete;
    bool wake;
    bool adopt;
    bool fall_back;
    bool strict;
    bool fail_on_warn;
    bool coverage;
    uint64_t min_coverage; /* percent; 0 without --min-coverage */
    bool record;
    bool verbose;
    enum output output;
    enum gang_target target; /* without --target that of the verb */
};

/* Returns false after reporting on stderr what is wrong with the command line. */
bool options_read(struct options *options, int argc, char **argv);

/* Returns the format of a GangPlan or manifest: YAML, or JSON if requested. */
enum gang_format options_format(const struct options *options);

#endif
