/* SPDX-License-Identifier: Apache-2.0 */
#include "options.h"

#include "input.h"

#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "commands.h"
#include "text.h"

struct option_word {
    const char *word;
    int value;
};

static const struct option_word output_words[] = {
    {"text", OUTPUT_TEXT},     {"wide", OUTPUT_WIDE},     {"yaml", OUTPUT_YAML},
    {"json", OUTPUT_JSON},     {"ndjson", OUTPUT_NDJSON}, {"csv", OUTPUT_CSV},
    {"github", OUTPUT_GITHUB}, {"junit", OUTPUT_JUNIT},   {"sarif", OUTPUT_SARIF},
    {"svg", OUTPUT_SVG},       {"html", OUTPUT_HTML},     {NULL, 0},
};
static const struct option_word target_words[] = {
    {"objects", GANG_TARGET_OBJECTS},
    {"plan", GANG_TARGET_PLAN},
    {"runtime", GANG_TARGET_RUNTIME},
    {"job", GANG_TARGET_JOB},
    {NULL, 0},
};

/* The command whose words are read; NULL before it is known. */
static const struct verb *verb_in_use;
static const char *group_in_use;

/* Always returns false, for `return` in the caller. */
__attribute__((format(printf, 1, 2))) static bool
usage_error(const char *format, ...)
{
    struct text text = {0};
    va_list arguments;

    text_add(&text, "error: ");
    va_start(arguments, format);
    text_addv(&text, format, arguments);
    va_end(arguments);
    if (verb_in_use && verb_in_use->run != command_help)
        text_addf(&text, "\nSee 'gangctl help %s'.\n", verb_in_use->name);
    else if (group_in_use)
        text_addf(&text, "\nSee 'gangctl help %s'.\n", group_in_use);
    else
        text_add(&text, "\nSee 'gangctl --help'.\n");
    print_error(&text);
    text_free(&text);
    return false;
}

static int
word_value(const struct option_word *words, const char *word)
{
    while (words->word && strcmp(words->word, word) != 0)
        words++;
    return words->value;
}

static void
add_title(struct text *out, enum option_id id)
{
    if (option_table[id].letter)
        text_addf(out, "-%c", option_table[id].letter);
    else
        text_addf(out, "--%s", option_table[id].name);
}

static bool
is_one_of(const char *const *words, const char *word)
{
    for (; *words; words++) {
        if (strcmp(*words, word) == 0)
            return true;
    }
    return false;
}

/* Adds "a, b or c". */
static void
add_choice(struct text *out, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        text_addf(out, "%s%s", !i ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static bool
refuse_word(const struct verb_option *option, const char *word)
{
    struct text text = {0};

    add_title(&text, option->id);
    text_addf(&text, " %s: must be ", word);
    add_choice(&text, option->words);
    usage_error("%s", text.data);
    text_free(&text);
    return false;
}

/* Adds the verbs that accept the option. */
static bool
refuse_option(const struct verb *verb, enum option_id id)
{
    struct text text = {0};
    const char *before = " can be used with ";

    add_title(&text, id);
    for (size_t i = 0; i < num_verbs; i++) {
        if (!verb_option_of(&verb_table[i], id))
            continue;
        text_addf(&text, "%s%s", before, verb_table[i].name);
        before = ", ";
    }
    usage_error("%s only, not with %s", text.data, verb->name);
    text_free(&text);
    return false;
}

static void
add_input(struct options *options, const char *name)
{
    options->inputs =
        must_reallocate(options->inputs, options->num_inputs + 1, sizeof(*options->inputs));
    options->inputs[options->num_inputs++] = name;
}

static bool
set_once(const char **place, const char *value, const char *letter, const char *reason)
{
    if (*place)
        return usage_error("%s may be given only once; %s", letter, reason);
    *place = value;
    return true;
}

/* The ceiling of the limit, which doc/limits.md lists. */
enum { MOST_DOCUMENTS = 10000 };

static bool
read_count(uint64_t *count, const char *value)
{
    char *end;

    *count = strtoull(value, &end, 10);
    if (*value >= '0' && *value <= '9' && !*end && *count >= 1 && *count <= MOST_DOCUMENTS)
        return true;
    return usage_error("--max-documents %s: must be a number from 1 to %d", value, MOST_DOCUMENTS);
}

static bool
add_scheduler(struct options *options, const char *name)
{
    size_t most = sizeof(options->schedulers) / sizeof(*options->schedulers);

    for (size_t i = 0; i < options->num_schedulers; i++)
        if (strcmp(options->schedulers[i], name) == 0)
            return usage_error("--scheduler %s: is given twice", name);
    if (options->num_schedulers == most)
        return usage_error("--scheduler may be given %zu times", most);
    options->schedulers[options->num_schedulers++] = name;
    return true;
}

/* A diagnosis takes the objects from any number of files. */
static bool
add_live(struct options *options, const char *name)
{
    const size_t most = sizeof(options->lives) / sizeof(*options->lives);

    if (options->verb->run != command_why && options->verb->run != command_audit)
        return set_once(&options->live, name, "--live", "the objects of all jobs are in one file");
    if (options->num_lives == most)
        return usage_error("--live and --from may be given %zu times", most);
    options->lives[options->num_lives++] = name;
    return true;
}

static bool
read_run_number(uint64_t *number, const char *value)
{
    char *end;

    *number = strtoull(value, &end, 10) + 1;
    if (*value >= '0' && *value <= '9' && !*end && *number <= INT32_MAX)
        return true;
    return usage_error("--run-number %s: must be a number from 0 to %d", value, INT32_MAX - 1);
}

static bool
read_percent(unsigned *percent, const char *value)
{
    char *end;
    unsigned long number = strtoul(value, &end, 10);

    *percent = number <= 100 ? (unsigned)number : 0;
    if (*value >= '0' && *value <= '9' && !*end && *percent)
        return true;
    return usage_error("--min-coverage %s: must be a number from 1 to 100", value);
}

static bool
set_option(struct options *options, enum option_id id, const char *value)
{
    switch (id) {
    case OPTION_FILENAME:
        add_input(options, value);
        return true;
    case OPTION_POLICY:
        return set_once(&options->policy, value, "-p", "policies are not merged");
    case OPTION_CLUSTER:
        return set_once(&options->cluster, value, "--cluster", "there is one cluster at a time");
    case OPTION_SCHEDULER:
        return add_scheduler(options, value);
    case OPTION_WORKLOAD_UID:
        return set_once(&options->workload_uid, value, "--workload-uid", "a job has one Workload");
    case OPTION_GANG:
        return set_once(&options->gang, value, "--gang", "omit the option for all gangs");
    case OPTION_RUN_NUMBER:
        return read_run_number(&options->run_number, value);
    case OPTION_OBJECTS:
        return set_once(&options->objects, value, "--objects", "it has one value");
    case OPTION_AGAINST:
        return set_once(&options->against, value, "--against", "two policies are compared");
    case OPTION_JOB:
        return set_once(&options->selection.job, value, "--job", "use -l for several jobs");
    case OPTION_NAMESPACE:
        return set_once(&options->selection.namespace_, value, "-n", "use --job or -l");
    case OPTION_SELECTOR:
        return selection_add_labels(&options->selection, value) ||
               usage_error("-l %s: must be a label selector, such as team=a,tier!=test", value);
    case OPTION_MAX_DOCUMENTS:
        return read_count(&options->max_documents, value);
    case OPTION_LIVE:
    case OPTION_FROM:
        return add_live(options, value);
    case OPTION_NOW:
        return set_once(&options->now, value, "--now", "a question has one time");
    case OPTION_OUTPUT:
        options->output = (enum output)word_value(output_words, value);
        return true;
    case OPTION_TARGET:
        options->target = (enum gang_target)word_value(target_words, value);
        return true;
    case OPTION_RECURSIVE:
        return options->walk |= WALK_RECURSIVE;
    case OPTION_FOLLOW:
        return options->walk |= WALK_FOLLOW;
    case OPTION_COMPLETE:
        return options->complete = true;
    case OPTION_WAKE:
        return options->wake = true;
    case OPTION_ADOPT:
        return options->adopt = true;
    case OPTION_FALL_BACK:
        return options->fall_back = true;
    case OPTION_STRICT:
        return options->strict = true;
    case OPTION_FAIL_ON_WARN:
        return options->fail_on_warn = true;
    case OPTION_COVERAGE:
        return options->coverage = true;
    case OPTION_MIN_COVERAGE:
        return read_percent(&options->min_coverage, value);
    case OPTION_RECORD:
        return options->record = true;
    case OPTION_VERBOSE:
        return options->verbose = true;
    case OPTION_HELP:
        options->help_about = options->verb;
        return true;
    case OPTION_NONE:
    case OPTION_COUNT:
        break;
    }
    return false;
}

static bool
take_option(struct options *options, enum option_id id, const char *value)
{
    const struct verb_option *option = verb_option_of(options->verb, id);

    /* kubectl accepts `-o=json` too */
    if (value && *value == '=')
        value++;
    if (!option)
        return refuse_option(options->verb, id);
    if (option->words && !is_one_of(option->words, value))
        return refuse_word(option, value);
    return set_option(options, id, value);
}

static size_t
count_standard_input(const struct options *options)
{
    size_t count = 0;

    count += options->policy && strcmp(options->policy, "-") == 0;
    count += options->cluster && strcmp(options->cluster, "-") == 0;
    count += options->live && strcmp(options->live, "-") == 0;
    count += options->against && strcmp(options->against, "-") == 0;
    for (size_t i = 0; i < options->num_inputs; i++)
        count += strcmp(options->inputs[i], "-") == 0;
    for (size_t i = 0; i < options->num_lives; i++)
        count += strcmp(options->lives[i], "-") == 0;
    return count;
}

static bool
check_together(const struct options *options)
{
    const struct verb_argument *argument = &options->verb->argument;

    if (options->verb->run == command_lint && !options->num_inputs && !options->policy &&
        !options->cluster)
        return usage_error("nothing to check; pass -f, -p or --cluster");
    if (options->verb->run == command_policy_test && options->record != (options->num_inputs > 0))
        return usage_error(options->record ? "--record: no jobs; pass -f with their files"
                                           : "-f: is for --record; a test names its inputs");
    if (options->record && (options->coverage || options->min_coverage || options->output))
        return usage_error("--record: prints a test, without -o and --coverage");
    if (options->record && count_standard_input(options))
        return usage_error("--record: a test names files, not standard input");
    if (options->verb->run == command_policy_init && !options->num_schedulers)
        return usage_error("no scheduler; pass --scheduler with its name");
    if (options->verb->run == command_reconcile && !options->live)
        return usage_error(
            "no objects to compare with; pass --live with the output of 'kubectl get'");
    if (options->verb->run == command_diff && !options->live && options->num_inputs != 2)
        return usage_error(
            "no objects to compare with; pass --live with the output of 'kubectl get', or two "
            "files or directories with answers");
    if (options->verb->run == command_why && !options->num_lives)
        return usage_error("no objects; pass --live with the output of 'kubectl get', or --from");
    if (options->num_lives && options->against)
        return usage_error("--against: compares policies, and --live asks about objects");
    if (options->num_lives && (options->output == OUTPUT_WIDE || options->output == OUTPUT_CSV ||
                               options->output == OUTPUT_JUNIT))
        return usage_error("-o: with --live text, json, yaml or ndjson");
    if (!options->num_lives && options->now)
        return usage_error("--now: only with --live");
    if (options->verb->needs_input && !options->num_inputs && !options->num_lives)
        return usage_error("no input; pass -f with a file, a directory, or - for standard input");
    if (argument->placeholder && !argument->is_optional && !options->argument)
        return usage_error("%s: needs a %s", options->verb->name, argument->placeholder);
    if (count_standard_input(options) > 1)
        return usage_error("standard input (-) can be read only once");
    return true;
}

/*
 * The option table for getopt_long(). Long options without a letter have a value that is no letter.
 */
struct getopt_table {
    struct option rows[OPTION_COUNT];
    char letters[2 * OPTION_COUNT + 1];
};

enum { FIRST_WITHOUT_LETTER = 256 };

static void
getopt_table_make(struct getopt_table *table)
{
    struct option *row = table->rows;
    char *letter = table->letters;

    *letter++ = ':';
    for (int id = OPTION_NONE + 1; id < OPTION_COUNT; id++) {
        const struct option_row *option = &option_table[id];
        int has_value = option->value == VALUE_NONE ? no_argument : required_argument;

        *row++ = (struct option){option->name, has_value, NULL, FIRST_WITHOUT_LETTER + id};
        if (!option->letter)
            continue;
        *letter++ = option->letter;
        if (has_value == required_argument)
            *letter++ = ':';
    }
    *row = (struct option){NULL, 0, NULL, 0};
    *letter = '\0';
}

static enum option_id
option_of(int value)
{
    if (value >= FIRST_WITHOUT_LETTER)
        return (enum option_id)(value - FIRST_WITHOUT_LETTER);
    for (int id = OPTION_NONE + 1; id < OPTION_COUNT; id++) {
        if (option_table[id].letter == value)
            return (enum option_id)id;
    }
    return OPTION_NONE;
}

static bool
take_argument(struct options *options, const char *word)
{
    const struct verb_argument *argument = &options->verb->argument;

    if (argument->option)
        return take_option(options, argument->option, word);
    if (!argument->placeholder || options->argument)
        return usage_error("%s: unexpected argument%s", word,
                           !verb_option_of(options->verb, OPTION_FILENAME) ? ""
                           : verb_option_of(options->verb, OPTION_POLICY)
                               ? "; documents are passed with -f, a policy with -p"
                               : "; documents are passed with -f");
    if (argument->words && !is_one_of(argument->words, word)) {
        struct text choice = {0};

        add_choice(&choice, argument->words);
        usage_error("%s %s: must be %s", options->verb->name, word, choice.data);
        text_free(&choice);
        return false;
    }
    options->argument = word;
    return true;
}

/* Names the option of the verb that was probably meant. */
static bool
refuse_unknown(const struct verb *verb, const char *word)
{
    const char *names[OPTION_COUNT];
    const char *nearest = NULL;
    size_t count = 0;

    for (const struct verb_option *option = verb->options; option->id != OPTION_NONE; option++)
        names[count++] = option_table[option->id].name;
    if (strncmp(word, "--", 2) == 0)
        nearest = suggest_nearest(word + 2, names, count);
    if (nearest)
        return usage_error("%s: unknown option; did you mean --%s?", word, nearest);
    return usage_error("%s: unknown option, or one that takes no value", word);
}

static bool
read_flags(struct options *options, int argc, char **argv)
{
    struct getopt_table table;
    int letter;

    getopt_table_make(&table);
    opterr = 0;
    while ((letter = getopt_long(argc, argv, table.letters, table.rows, NULL)) != -1) {
        if (letter == '?')
            return refuse_unknown(options->verb, argv[optind - 1]);
        if (letter == ':')
            return usage_error("%s: needs a value", argv[optind - 1]);
        if (!take_option(options, option_of(letter), optarg))
            return false;
        if (options->help_about)
            return true;
    }
    for (; optind < argc; optind++) {
        if (!take_argument(options, argv[optind]))
            return false;
    }
    return check_together(options);
}

/* Adds " a, b, c": the verbs, or those of one group without the group's name. */
static void
add_verbs(struct text *out, const char *group)
{
    size_t skipped = group ? strlen(group) + 1 : 0;
    const char *before = " ";

    for (size_t i = 0; i < num_verbs; i++) {
        if (!verb_is_below(&verb_table[i], group))
            continue;
        text_addf(out, "%s%s", before, verb_table[i].name + skipped);
        before = ", ";
    }
}

/*
 * Returns the first or second word of a verb that was probably meant, or the name of a group; NULL
 * for none. The caller frees it.
 */
static char *
nearest_verb(const char *word, const char *group)
{
    size_t skipped = group ? strlen(group) + 1 : 0;
    char **names = must_reallocate(NULL, num_verbs + 1, sizeof(*names));
    const char *nearest;
    char *found;
    size_t count = 0;

    for (size_t i = 0; i < num_verbs; i++)
        if (verb_is_below(&verb_table[i], group)) {
            const char *name = verb_table[i].name + skipped;

            names[count++] = must_copy(name, strcspn(name, " "));
        }
    nearest = suggest_nearest(word, (const char *const *)names, count);
    found = nearest ? must_copy(nearest, strlen(nearest)) : NULL;
    while (count)
        free(names[--count]);
    free(names);
    return found;
}

/* Adds "; did you mean 'gangctl render'?" if there is a command like it. */
static void
add_suggestion(struct text *out, const char *word, const char *group)
{
    char *nearest = word ? nearest_verb(word, group) : NULL;

    if (nearest)
        text_addf(out, "; did you mean 'gangctl %s%s%s'?", group ? group : "", group ? " " : "",
                  nearest);
    free(nearest);
}

static bool
refuse_word_of_group(const char *group, const char *word)
{
    struct text text = {0};

    group_in_use = group;
    text_addf(&text, "%s: needs one of", group);
    add_verbs(&text, group);
    add_suggestion(&text, word, group);
    usage_error("%s", text.data);
    text_free(&text);
    return false;
}

static bool
refuse_verb(const char *word, const char *second)
{
    struct text text = {0};

    if (word && verb_is_group(word))
        return refuse_word_of_group(word, second);
    if (word) {
        text_addf(&text, "%s: unknown command", word);
        add_suggestion(&text, word, NULL);
    } else {
        text_add(&text, "no command; there are");
        add_verbs(&text, NULL);
    }
    usage_error("%s", text.data);
    text_free(&text);
    return false;
}

static bool
refuse_topic(const char *word)
{
    struct text text = {0};

    text_addf(&text, "help %s: unknown command or diagnostic", word);
    add_suggestion(&text, word, NULL);
    usage_error("%s", text.data);
    text_free(&text);
    return false;
}

/* Parses `help`, `help render`, `help policy`, `help policy test`, `help GANG012`. */
static bool
read_help_topic(struct options *options, const char *const *words, size_t count)
{
    size_t taken = verb_find(words, count, &options->help_about);
    struct diagnostic_page page = {0};

    if (count && !taken && diagnostic_page_find(&page, words[0])) {
        options->page = words[0];
        diagnostic_page_free(&page);
        taken = 1;
    } else if (count && !taken && words[0][0] != '-') {
        if (!verb_is_group(words[0]))
            return refuse_topic(words[0]);
        options->group = words[0];
        taken = 1;
    }
    if (taken < count && words[taken][0] != '-')
        return usage_error("help: %s: unexpected argument", words[taken]);
    return true;
}

static bool
asks_for_help(const char *word)
{
    return word && (strcmp(word, "-h") == 0 || strcmp(word, "--help") == 0);
}

/* The common options --version and --help of other programs. */
static const char *
usual_word(const char *word)
{
    if (asks_for_help(word))
        return "help";
    return strcmp(word, "--version") == 0 ? "version" : word;
}

enum { MOST_WORDS = 4 };

bool
options_read(struct options *options, int argc, char **argv)
{
    const char *words[MOST_WORDS] = {0};
    size_t count = 0;
    size_t taken;

    *options = (struct options){0};
    for (; count < MOST_WORDS && count + 1 < (size_t)argc; count++)
        words[count] = count ? argv[count + 1] : usual_word(argv[1]);
    taken = verb_find(words, count, &options->verb);
    verb_in_use = options->verb;
    if (taken && options->verb->run == command_help)
        return read_help_topic(options, words + 1, count - 1);
    if (taken)
        return read_flags(options, argc - (int)taken, argv + taken);
    if (words[0] && verb_is_group(words[0]) && asks_for_help(words[1])) {
        options->group = words[0];
        return true;
    }
    return refuse_verb(words[0], words[1]);
}

void
options_free(struct options *options)
{
    free(options->inputs);
    options->inputs = NULL;
    selection_free(&options->selection);
}

enum gang_target
options_target(const struct options *options, enum gang_target usual)
{
    return options->target ? options->target : usual;
}

enum gang_format
options_format(const struct options *options)
{
    return options->output == OUTPUT_JSON ? GANG_FORMAT_JSON : GANG_FORMAT_YAML;
}
