/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

static const char head[] = "# Completion of gangctl for fish, made by `gangctl completion fish`.\n"
                           "\n"
                           "# Whether the words behind the program's name begin with these.\n"
                           "function __gangctl_begins_with\n"
                           "    set -l words (commandline -opc)\n"
                           "    set -e words[1]\n"
                           "    test (count $words) -ge (count $argv)\n"
                           "    and test \"$words[1..\"(count $argv)\"]\" = \"$argv\"\n"
                           "end\n"
                           "\n"
                           "# Whether they are these and no more.\n"
                           "function __gangctl_is_at\n"
                           "    set -l words (commandline -opc)\n"
                           "    set -e words[1]\n"
                           "    test \"$words\" = \"$argv\"\n"
                           "end\n"
                           "\n"
                           "complete -c kubectl-gang -w gangctl\n"
                           "complete -c gangctl -f\n";

static void
add_first(struct text *out, const struct verb *verb)
{
    text_add(out, "complete -c gangctl -n __gangctl_is_at -a ");
    add_first_word(out, verb);
    if (!verb_has_two_words(verb)) {
        text_add(out, " -d '");
        add_quoted_line(out, verb->summary, "");
        text_add(out, "'");
    }
    text_add(out, "\n");
}

static void
add_second(struct text *out, const struct verb *verb)
{
    struct text first = {0};

    add_first_word(&first, verb);
    text_addf(out, "complete -c gangctl -n '__gangctl_is_at %s' -a %s -d '", first.data,
              verb->name + first.len + 1);
    add_quoted_line(out, verb->summary, "");
    text_add(out, "'\n");
    text_free(&first);
}

static void
add_option(struct text *out, const struct verb *verb, const struct verb_option *option)
{
    const struct option_row *row = &option_table[option->id];

    text_addf(out, "complete -c gangctl -n '__gangctl_begins_with %s' -l %s", verb->name, row->name);
    if (row->letter)
        text_addf(out, " -s %c", row->letter);
    if (option->words) {
        text_add(out, " -x -a '");
        add_words(out, option->words);
        text_add(out, "'");
    } else if (row->value == VALUE_DIRECTORY) {
        text_add(out, " -x -a '(__fish_complete_directories)'");
    } else if (row->value != VALUE_NONE) {
        text_add(out, row->value == VALUE_FILE ? " -r -F" : " -x");
    }
    text_add(out, " -d '");
    add_quoted_line(out, option_help(option), "");
    text_add(out, "'\n");
}

static void
add_argument(struct text *out, const struct verb *verb)
{
    struct text words = {0};

    if (!verb->argument.placeholder)
        return;
    text_addf(out, "complete -c gangctl -n '__gangctl_begins_with %s'", verb->name);
    if (add_argument_words(&words, verb))
        text_addf(out, " -a '%s'\n", words.data);
    else
        text_add(out, verb->argument.value == VALUE_FILE ? " -F\n" : " -a '(__fish_complete_directories)'\n");
    text_free(&words);
}

void
completion_fish(struct text *out)
{
    const struct verb_option *option;

    text_add(out, head);
    for (const struct verb *verb = verb_table; verb < verb_table + num_verbs; verb++) {
        if (verb_shows_first_word(verb))
            add_first(out, verb);
        if (verb_has_two_words(verb))
            add_second(out, verb);
        for (size_t i = 0; (option = verb_option_at(verb, i)); i++)
            add_option(out, verb, option);
        add_argument(out, verb);
    }
}
