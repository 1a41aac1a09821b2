/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "text.h"

struct option_word {
    const char *word;
    int value;
};

static const struct option_word command_words[] = {
    {"render", COMMAND_RENDER},
    {"explain", COMMAND_EXPLAIN},
    {"version", COMMAND_VERSION},
    {"help", COMMAND_HELP},
    {NULL, 0},
};
static const struct option_word format_words[] = {
    {"yaml", GANG_FORMAT_YAML}, {"json", GANG_FORMAT_JSON}, {NULL, 0}};
static const struct option_word target_words[] = {
    {"objects", GANG_TARGET_OBJECTS},
    {"plan", GANG_TARGET_PLAN},
    {NULL, 0},
};

enum { OPTION_TARGET = 256, OPTION_STRICT };

static const struct option long_options[] = {
    {"filename", required_argument, NULL, 'f'},
    {"recursive", no_argument, NULL, 'R'},
    {"policy", required_argument, NULL, 'p'},
    {"output", required_argument, NULL, 'o'},
    {"target", required_argument, NULL, OPTION_TARGET},
    {"strict", no_argument, NULL, OPTION_STRICT},
    {"verbose", no_argument, NULL, 'v'},
    {"help", no_argument, NULL, 'h'},
    {NULL, 0, NULL, 0},
};

/* Always false, so that a caller can return it. */
__attribute__((format(printf, 1, 2))) static bool
usage_error(const char *format, ...)
{
    struct text text = {0};
    va_list arguments;

    text_add(&text, "error: ");
    va_start(arguments, format);
    text_addv(&text, format, arguments);
    va_end(arguments);
    text_add(&text, "\nSee 'gangctl --help'.\n");
    fputs(text.data, stderr);
    text_free(&text);
    return false;
}

static bool
word_value(const struct option_word *words, const char *word, int *value)
{
    for (; words->word; words++) {
        if (strcmp(words->word, word) == 0) {
            *value = words->value;
            return true;
        }
    }
    return false;
}

static void
add_input(struct options *options, const char *name)
{
    options->inputs = must_reallocate(options->inputs, options->num_inputs + 1, sizeof(*options->inputs));
    options->inputs[options->num_inputs++] = name;
}

static bool
set_format(struct options *options, const char *word)
{
    int value;

    if (!word_value(format_words, word, &value))
        return usage_error("-o %s: must be yaml or json", word);
    options->format = (enum gang_format)value;
    options->has_format = true;
    return true;
}

static bool
set_target(struct options *options, const char *word)
{
    int value;

    if (!word_value(target_words, word, &value))
        return usage_error("--target %s: must be objects or plan", word);
    if (options->command != COMMAND_RENDER)
        return usage_error("--target goes with render only");
    options->target = (enum gang_target)value;
    return true;
}

static bool
set_policy(struct options *options, const char *name)
{
    if (options->policy)
        return usage_error("-p may stand only once; policies are not merged");
    options->policy = name;
    return true;
}

static bool
set_option(struct options *options, int letter, const char *value)
{
    /* `-o=json` is what kubectl takes too */
    if (value && *value == '=')
        value++;
    switch (letter) {
    case 'f':
        add_input(options, value);
        return true;
    case 'p':
        return set_policy(options, value);
    case 'o':
        return set_format(options, value);
    case OPTION_TARGET:
        return set_target(options, value);
    case 'R':
        return options->recursive = true;
    case OPTION_STRICT:
        return options->strict = true;
    case 'v':
        return options->verbose = true;
    case 'h':
        options->help_about = options->command;
        options->command = COMMAND_HELP;
        return true;
    default:
        return false;
    }
}

static size_t
count_standard_input(const struct options *options)
{
    size_t count = options->policy && strcmp(options->policy, "-") == 0;

    for (size_t i = 0; i < options->num_inputs; i++)
        count += strcmp(options->inputs[i], "-") == 0;
    return count;
}

static bool
check_together(const struct options *options)
{
    if (options->command == COMMAND_HELP)
        return true;
    if (options->command == COMMAND_VERSION)
        return !options->num_inputs && !options->policy ? true : usage_error("version reads no documents");
    if (!options->num_inputs)
        return usage_error("no input; pass -f with a file, a directory, or - for standard input");
    if (count_standard_input(options) > 1)
        return usage_error("standard input (-) can be read only once");
    return true;
}

static bool
read_flags(struct options *options, int argc, char **argv)
{
    int letter;

    opterr = 0;
    while ((letter = getopt_long(argc, argv, ":f:Rp:o:vh", long_options, NULL)) != -1) {
        if (letter == '?')
            return usage_error("%s: unknown option, or one that takes no value", argv[optind - 1]);
        if (letter == ':')
            return usage_error("%s: needs a value", argv[optind - 1]);
        if (!set_option(options, letter, optarg))
            return false;
        if (options->command == COMMAND_HELP && letter == 'h')
            return true;
    }
    if (optind < argc)
        return usage_error("%s: unexpected argument; documents are passed with -f", argv[optind]);
    return true;
}

static bool
read_command(struct options *options, const char *word)
{
    int value;

    if (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0)
        options->command = COMMAND_HELP;
    else if (strcmp(word, "--version") == 0)
        options->command = COMMAND_VERSION;
    else if (word_value(command_words, word, &value))
        options->command = (enum command)value;
    else
        return usage_error("%s: unknown command", word);
    return true;
}

static bool
read_help_topic(struct options *options, int argc, char **argv)
{
    int value;

    if (argc <= 1 || argv[1][0] == '-')
        return true;
    if (!word_value(command_words, argv[1], &value))
        return usage_error("help %s: unknown command", argv[1]);
    options->help_about = value == COMMAND_HELP ? COMMAND_NONE : (enum command)value;
    return true;
}

bool
options_read(struct options *options, int argc, char **argv)
{
    *options = (struct options){.format = GANG_FORMAT_YAML, .target = GANG_TARGET_OBJECTS};
    if (argc < 2)
        return usage_error("no command; render, explain or version");
    if (!read_command(options, argv[1]))
        return false;
    if (options->command == COMMAND_HELP)
        return read_help_topic(options, argc - 1, argv + 1);
    return read_flags(options, argc - 1, argv + 1) && check_together(options);
}

void
options_free(struct options *options)
{
    free(options->inputs);
    options->inputs = NULL;
}
