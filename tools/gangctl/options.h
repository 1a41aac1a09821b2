/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_OPTIONS_H
#define GANGCTL_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>

#include <gang/gang.h>

enum command { COMMAND_NONE, COMMAND_RENDER, COMMAND_EXPLAIN, COMMAND_VERSION, COMMAND_HELP };

/* What stands on the command line. Texts are borrowed from it. */
struct options {
    enum command command;
    enum command help_about; /* for COMMAND_HELP */
    const char **inputs;     /* of -f, in order; "-" is standard input */
    size_t num_inputs;
    const char *policy; /* NULL without -p */
    bool recursive;
    bool strict;
    bool verbose;
    bool has_format;
    enum gang_format format;
    enum gang_target target;
};

/* False after saying on stderr what is wrong with the command line. */
bool options_read(struct options *options, int argc, char **argv);
void options_free(struct options *options);

/* The help text of a command; COMMAND_NONE: of the program. */
const char *usage_text(enum command command);

#endif
