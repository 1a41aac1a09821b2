/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_VERBS_H
#define GANGCTL_VERBS_H

#include <stdbool.h>
#include <stddef.h>

struct options;

/*
 * The one table of what can stand on the command line. It parses, prints the help and answers the
 * completion of the shells, so that none of them can say what another does not.
 */

enum option_id {
    OPTION_NONE, /* ends a verb's list */
    OPTION_OUTPUT,
    OPTION_TARGET,
    OPTION_FILENAME,
    OPTION_RECURSIVE,
    OPTION_POLICY,
    OPTION_CLUSTER,
    OPTION_SCHEDULER,
    OPTION_COMPLETE,
    OPTION_WORKLOAD_UID,
    OPTION_LIVE,
    OPTION_STRICT,
    OPTION_FAIL_ON_WARN,
    OPTION_VERBOSE,
    OPTION_HELP,
    OPTION_COUNT
};

/* What a shell offers where a value is due. */
enum value_kind { VALUE_NONE, VALUE_WORD, VALUE_FILE, VALUE_DIRECTORY };

struct option_row {
    const char *name; /* after the two dashes */
    char letter;      /* after one dash; 0: none */
    enum value_kind value;
    const char *placeholder; /* how the help calls the value; NULL when it takes none */
    const char *help;        /* lines parted by '\n'; a verb may say its own */
};

struct verb_option {
    enum option_id id;
    const char *const *words; /* the values it takes, up to NULL; NULL: any */
    const char *help;         /* NULL: the option's */
};

struct verb_argument {
    const char *placeholder; /* NULL: the verb takes no argument */
    bool is_optional;
    enum value_kind value;
    const char *const *words;
};

struct verb {
    const char *name;     /* "render"; with a verb below it, "policy test" */
    const char *synopsis; /* what the list of verbs shows behind the name */
    const char *summary;  /* one line of that list */
    int (*run)(const struct options *options);
    const struct verb_option *options; /* ended by OPTION_NONE; --help goes without saying */
    struct verb_argument argument;
    bool needs_input; /* -f must stand there */
    bool reads_jobs;  /* the help says what the input may hold */
    const char *about;
    const char *examples;
    const char *exit_statuses; /* NULL: those of most verbs */
};

extern const struct option_row option_table[OPTION_COUNT];
extern const struct verb verb_table[];
extern const size_t num_verbs;

/* How many words of `arguments` name the verb that `*verb` is then set to: 0, 1 or 2. */
size_t verb_find(const char *const *words, size_t count, const struct verb **verb);
/* Whether the verb is one of those below `group`, as "policy test" is below "policy"; every verb is
 * below NULL. */
bool verb_is_below(const struct verb *verb, const char *group);
bool verb_is_group(const char *word);
/* NULL when the verb does not take the option. */
const struct verb_option *verb_option_of(const struct verb *verb, enum option_id id);

#endif
