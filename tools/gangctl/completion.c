/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>

#include "commands.h"

/* Without compopt, as in bash 3.2 of macOS, files are offered if there is nothing else. */
static const char bash_script[] =
    "# Completion of gangctl for bash: it asks `gangctl __complete`.\n"
    "_gangctl()\n"
    "{\n"
    "    local line\n"
    "    COMPREPLY=()\n"
    "    while IFS= read -r line; do\n"
    "        case $line in\n"
    "        :nofiles) compopt +o default 2>/dev/null ;;\n"
    "        :directories) compopt +o default -o dirnames 2>/dev/null ;;\n"
    "        :*) ;;\n"
    "        *) COMPREPLY+=(\"${line%%$'\\t'*}\") ;;\n"
    "        esac\n"
    "    done < <(\"${1/#\\~/$HOME}\" __complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null)\n"
    "    return 0\n"
    "}\n"
    "complete -o default -F _gangctl gangctl kubectl-gang\n";

static const char zsh_script[] =
    "#compdef gangctl kubectl-gang\n"
    "# Completion of gangctl for zsh: it asks `gangctl __complete`.\n"
    "_gangctl()\n"
    "{\n"
    "    local line directive\n"
    "    local -a offered answer\n"
    "    answer=(\"${(@f)$(${~words[1]} __complete \"${(@Q)words[2,CURRENT-1]}\" \"${(Q)PREFIX}\" "
    "2>/dev/null)}\")\n"
    "    for line in $answer; do\n"
    "        case $line in\n"
    "        :*) directive=$line ;;\n"
    "        *) offered+=(\"${line/$'\\t'/:}\") ;;\n"
    "        esac\n"
    "    done\n"
    "    case $directive in\n"
    "    :nofiles) _describe gangctl offered ;;\n"
    "    *)\n"
    "        compset -P '(--[a-z-]##=|-[a-zA-Z]=#)'\n"
    "        if [[ $directive == :directories ]]; then _files -/; else _files; fi\n"
    "        ;;\n"
    "    esac\n"
    "}\n"
    "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
    "    _gangctl \"$@\"\n"
    "else\n"
    "    compdef _gangctl gangctl kubectl-gang\n"
    "fi\n";

static const char fish_script[] =
    "# Completion of gangctl for fish: it asks `gangctl __complete`.\n"
    "function __gangctl_complete\n"
    "    set -l words (commandline -opc) (commandline -ct)\n"
    "    set -l option (string match -r -- '^(?:--[a-z-]+=|-[a-zA-Z]=?)' $words[-1])\n"
    "    set -l value (string sub -s (math 1 + (string length -- \"$option\")) -- $words[-1])\n"
    "    for line in ($words[1] __complete $words[2..-1] 2>/dev/null)\n"
    "        switch $line\n"
    "            case :files\n"
    "                string join \\n -- \"$option\"(complete -C \"'' $value\")\n"
    "            case :directories\n"
    "                string join \\n -- \"$option\"(complete -C \"'' $value\" | string match "
    "'*/')\n"
    "            case ':*'\n"
    "            case '*'\n"
    "                echo $line\n"
    "        end\n"
    "    end\n"
    "end\n"
    "complete -c kubectl-gang -w gangctl\n"
    "complete -c gangctl -f -a '(__gangctl_complete)'\n";

int
command_completion(struct run *run)
{
    static const char *const scripts[][2] = {
        {"bash", bash_script}, {"zsh", zsh_script}, {"fish", fish_script}};

    for (size_t i = 0; i < COUNT_OF(scripts); i++)
        if (strcmp(scripts[i][0], run->options->argument) == 0)
            text_add(&run->out, scripts[i][1]);
    return EXIT_DONE;
}

/* The candidates for a shell. */
struct completion {
    struct text out;
    const char *directive; /* what the shell adds itself */
    const char *current;   /* the word to complete */
    size_t kept;           /* length of the prefix before a value: "--output=" */
};

/* Adds a word, up to a blank, that starts with the current one; of a description the first line. */
static void
offer(struct completion *to, const char *word, const char *description)
{
    const size_t len = strcspn(word, " ");
    const char *typed = to->current + to->kept;
    size_t typed_len = strlen(typed);

    if (typed_len > len || memcmp(word, typed, typed_len) != 0)
        return;
    text_add_bytes(&to->out, to->current, to->kept);
    text_add_bytes(&to->out, word, len);
    if (description) {
        text_add(&to->out, "\t");
        text_add_bytes(&to->out, description, strcspn(description, "\n"));
    }
    text_add(&to->out, "\n");
}

/* Adds the first words of all verbs, or the second words of the verbs in a group. */
static void
offer_verbs(struct completion *to, const char *group)
{
    for (size_t i = 0; i < num_verbs; i++) {
        const char *word = verb_below(&verb_table[i], group);
        const size_t len = word ? strcspn(word, " ") : 0;

        if (!word)
            continue;
        if (!word[len])
            offer(to, word, verb_table[i].summary);
        else if (i == 0 || strncmp(verb_table[i - 1].name, word, len + 1) != 0) {
            const struct verb *first = &verb_table[i];
            struct text *seconds = text_new();

            for (const struct verb *verb = first; verb < verb_table + num_verbs; verb++) {
                if (strncmp(verb->name, first->name, len + 1) == 0)
                    text_addf(seconds, "%s%s", verb == first ? "" : ", ", verb->name + len + 1);
            }
            offer(to, first->name, seconds->data);
        }
    }
}

/* Adds the candidates after an incomplete verb. */
static void
offer_names(struct completion *to, const char *const *words, size_t count)
{
    if (count == 0)
        offer_verbs(to, NULL);
    else if (count == 1 && verb_is_group(words[0]))
        offer_verbs(to, words[0]);
}

static void
offer_option(struct completion *to, const struct verb_option *option)
{
    const struct option_row *row = &option_table[option->id];
    const char *help = option->help ? option->help : row->help;

    offer(to, formatted("--%s", row->name), help);
    if (row->letter)
        offer(to, formatted("-%c", row->letter), help);
}

static void
offer_values(struct completion *to, const char *const *words, enum value_kind kind)
{
    for (size_t i = 0; words && words[i]; i++)
        offer(to, words[i], NULL);
    if (kind == VALUE_FILE)
        to->directive = ":files";
    else if (kind == VALUE_DIRECTORY)
        to->directive = ":directories";
}

/*
 * Returns the option whose value the word contains: "--file=a", or the last letter of "-Rf".
 * `*kept` is the length of the text before the value, 0 if the value is the next word.
 */
static const struct verb_option *
find_option(const struct verb *verb, const char *word, size_t *kept)
{
    const bool is_long = strncmp(word, "--", 2) == 0;

    *kept = 0;
    for (size_t i = 1; word[0] == '-' && word[i]; i++) {
        const size_t len = is_long ? strcspn(word, "=") : i + 1;
        const struct slice name = {word + 2, len - 2}; /* of a long option */
        const struct verb_option *option = verb->options;

        while (option->id != OPTION_NONE &&
               !(is_long ? slice_equal(slice_from_text(option_table[option->id].name), name)
                         : option_table[option->id].letter == word[i]))
            option++;
        if (option->id == OPTION_NONE)
            return NULL;
        if (option_table[option->id].value != VALUE_NONE) {
            *kept = word[len] ? len + (word[len] == '=') : 0;
            return option;
        }
        if (is_long)
            return NULL;
    }
    return NULL;
}

static void
complete_verb(struct completion *to, const struct verb *verb, const char *const *words,
              size_t count)
{
    const struct verb_option *before = NULL; /* the current word is its value */
    const struct verb_option *option;
    bool options_ended = false; /* by "--" */
    size_t num_arguments = 0;

    for (size_t i = 0; i < count; i++) {
        size_t kept;

        /* bash splits "--output=json" into three words */
        if (before && strcmp(words[i], "=") == 0)
            continue;
        if (before) {
            before = NULL;
        } else if (options_ended || words[i][0] != '-') {
            num_arguments++;
        } else {
            options_ended = strcmp(words[i], "--") == 0;
            before = find_option(verb, words[i], &kept);
            before = kept ? NULL : before;
        }
    }
    if (before && strcmp(to->current, "=") == 0)
        to->current = "";
    option = before || options_ended ? before : find_option(verb, to->current, &to->kept);
    if (option && (before || to->kept))
        offer_values(to, option->words, option_table[option->id].value);
    else if (to->current[0] == '-' && !options_ended) {
        for (const struct verb_option *one = verb->options; one->id != OPTION_NONE; one++)
            offer_option(to, one);
        offer_option(to, verb_option_of(verb, OPTION_HELP));
    } else if (verb->run == command_help)
        offer_names(to, words, count);
    else if (num_arguments == 0 || verb->argument.option == OPTION_FILENAME)
        offer_values(to, verb->argument.words, verb->argument.value);
}

int
complete_words(const char *const *words, size_t count)
{
    struct completion to = {.directive = ":nofiles", .current = count ? words[count - 1] : ""};
    const struct verb *verb;
    size_t before = count ? count - 1 : 0;
    size_t taken = verb_find(words, before, &verb);

    if (taken) {
        complete_verb(&to, verb, words + taken, before - taken);
    } else {
        offer_names(&to, words, before);
        if (before == 0 || (before == 1 && verb_is_group(words[0])))
            offer(&to, "--help", option_table[OPTION_HELP].help);
        if (before == 0)
            offer(&to, "--version", "print versions");
    }
    text_addf(&to.out, "%s\n", to.directive);
    /* as bytes: a shell reads it */
    return print_as(&to.out, OUTPUT_JSON) ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
