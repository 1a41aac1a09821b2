/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

static const char head[] = "#compdef gangctl kubectl-gang\n"
                           "# Completion of gangctl for zsh, made by `gangctl completion zsh`.\n"
                           "\n"
                           "_gangctl()\n"
                           "{\n"
                           "    local verb=$words[2]\n"
                           "    local -a offered\n";

static const char tail[] = "    esac\n"
                           "}\n"
                           "\n"
                           "if [[ $zsh_eval_context[-1] == loadautofunc ]]; then\n"
                           "    _gangctl \"$@\"\n"
                           "else\n"
                           "    compdef _gangctl gangctl kubectl-gang\n"
                           "fi\n";

/* Of the verbs behind one word the list of words is what there is to say. */
static void
add_description(struct text *out, const struct verb *verb)
{
    if (verb_has_two_words(verb))
        add_second_words(out, verb);
    else
        add_quoted_line(out, verb->summary, ":");
}

static void
add_verbs(struct text *out)
{
    text_add(out, "    if ((CURRENT == 2)); then\n        offered=(\n");
    for (size_t i = 0; i < num_verbs; i++) {
        if (!verb_shows_first_word(&verb_table[i]))
            continue;
        text_add(out, "            '");
        add_first_word(out, &verb_table[i]);
        text_add(out, ":");
        add_description(out, &verb_table[i]);
        text_add(out, "'\n");
    }
    text_add(out, "        )\n        _describe command offered\n        return\n    fi\n");
}

static void
add_groups(struct text *out)
{
    for (size_t i = 0; i < num_verbs; i++) {
        const struct verb *verb = &verb_table[i];

        if (!verb_has_two_words(verb) || !verb_shows_first_word(verb))
            continue;
        text_add(out, "    if [[ $verb == ");
        add_first_word(out, verb);
        text_add(out, " ]]; then\n        if ((CURRENT == 3)); then\n            offered=(");
        add_second_words(out, verb);
        text_add(out,
                 ")\n            _describe command offered\n            return\n        fi\n"
                 "        verb=\"$verb $words[3]\"\n        shift words\n        ((CURRENT--))\n    fi\n");
    }
    text_add(out, "    shift words\n    ((CURRENT--))\n    case $verb in\n");
}

static void
add_value(struct text *out, const struct option_row *row, const char *const *words)
{
    text_addf(out, ":%s:", row->placeholder);
    if (words) {
        text_add(out, "(");
        add_words(out, words);
        text_add(out, ")");
    } else if (row->value != VALUE_WORD) {
        text_add(out, row->value == VALUE_FILE ? "_files" : "_files -/");
    }
}

/* `'*'{-f+,--filename=}'[what it does]:FILE:_files'`; any option may be repeated for zsh, gangctl says which not. */
static void
add_option(struct text *out, const struct verb_option *option)
{
    const struct option_row *row = &option_table[option->id];

    bool has_value = row->value != VALUE_NONE;

    if (row->letter)
        text_addf(out, " \\\n            '*'{-%c%s,--%s%s}'[", row->letter, has_value ? "+" : "", row->name,
                  has_value ? "=" : "");
    else
        text_addf(out, " \\\n            '*--%s%s[", row->name, has_value ? "=" : "");
    add_quoted_line(out, option_help(option), "[]:\\");
    text_add(out, "]");
    if (has_value)
        add_value(out, row, option->words);
    text_add(out, "'");
}

static void
add_argument(struct text *out, const struct verb *verb)
{
    struct text words = {0};

    if (add_argument_words(&words, verb))
        text_addf(out, " \\\n            ':%s:(%s)'", verb->argument.placeholder, words.data);
    else if (verb->argument.placeholder)
        text_addf(out, " \\\n            ':%s:%s'", verb->argument.placeholder,
                  verb->argument.value == VALUE_FILE ? "_files" : "_files -/");
    text_free(&words);
}

static void
add_verb(struct text *out, const struct verb *verb)
{
    const struct verb_option *option;

    text_addf(out, "    '%s')\n        _arguments -s", verb->name);
    for (size_t i = 0; (option = verb_option_at(verb, i)); i++)
        add_option(out, option);
    add_argument(out, verb);
    text_add(out, "\n        ;;\n");
}

void
completion_zsh(struct text *out)
{
    text_add(out, head);
    add_verbs(out);
    add_groups(out);
    for (size_t i = 0; i < num_verbs; i++)
        add_verb(out, &verb_table[i]);
    text_add(out, tail);
}
