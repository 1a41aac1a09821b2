/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

#include <string.h>

#include "commands.h"
#include "exit.h"

static const struct shell {
    const char *name;
    void (*complete)(struct text *out);
} shells[] = {
    {"bash", completion_bash},
    {"zsh", completion_zsh},
    {"fish", completion_fish},
};

static size_t
first_word_length(const struct verb *verb)
{
    return strcspn(verb->name, " ");
}

static bool
share_first_word(const struct verb *a, const struct verb *b)
{
    size_t len = first_word_length(a);

    return first_word_length(b) == len && strncmp(a->name, b->name, len) == 0;
}

bool
verb_has_two_words(const struct verb *verb)
{
    return verb->name[first_word_length(verb)] != '\0';
}

bool
verb_shows_first_word(const struct verb *verb)
{
    const struct verb *first = verb_table;

    while (!share_first_word(first, verb))
        first++;
    return first == verb;
}

void
add_first_word(struct text *out, const struct verb *verb)
{
    text_add_bytes(out, verb->name, first_word_length(verb));
}

void
add_first_words(struct text *out)
{
    for (size_t i = 0; i < num_verbs; i++) {
        if (!verb_shows_first_word(&verb_table[i]))
            continue;
        text_add(out, i ? " " : "");
        add_first_word(out, &verb_table[i]);
    }
}

void
add_second_words(struct text *out, const struct verb *first)
{
    for (const struct verb *verb = first; verb < verb_table + num_verbs; verb++) {
        if (share_first_word(verb, first))
            text_addf(out, "%s%s", verb == first ? "" : " ", verb->name + first_word_length(verb) + 1);
    }
}

void
add_words(struct text *out, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        text_addf(out, "%s%s", i ? " " : "", words[i]);
}

const struct verb_option *
verb_option_at(const struct verb *verb, size_t index)
{
    size_t count = 0;

    while (verb->options[count].id != OPTION_NONE)
        count++;
    if (index > count)
        return NULL;
    return index < count ? &verb->options[index] : verb_option_of(verb, OPTION_HELP);
}

bool
add_argument_words(struct text *out, const struct verb *verb)
{
    if (verb->run == command_help)
        add_first_words(out);
    else if (verb->argument.words)
        add_words(out, verb->argument.words);
    else
        return false;
    return true;
}

void
add_quoted_line(struct text *out, const char *line, const char *special)
{
    for (; *line && *line != '\n'; line++) {
        if (*line == '\'')
            text_add(out, "'\\''");
        else
            text_addf(out, "%s%c", strchr(special, *line) ? "\\" : "", *line);
    }
}

const char *
option_help(const struct verb_option *option)
{
    return option->help ? option->help : option_table[option->id].help;
}

int
command_completion(const struct options *options)
{
    struct text out = {0};
    bool printed;

    for (size_t i = 0; i < sizeof(shells) / sizeof(shells[0]); i++) {
        if (strcmp(shells[i].name, options->argument) == 0)
            shells[i].complete(&out);
    }
    printed = print_text(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
