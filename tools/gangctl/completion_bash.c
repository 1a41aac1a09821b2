/* SPDX-License-Identifier: Apache-2.0 */
#include "completion.h"

/* `--output=json` is three words to bash. Bash 3.2, as macOS has it, knows neither mapfile nor compopt everywhere. */
static const char head[] =
    "# Completion of gangctl for bash, made by `gangctl completion bash`.\n"
    "\n"
    "# _gangctl_offer CURRENT OPTIONS...: what compgen makes of the options, one word a line.\n"
    "_gangctl_offer()\n"
    "{\n"
    "    local current=$1 word\n"
    "    shift\n"
    "    while IFS= read -r word; do\n"
    "        COMPREPLY+=(\"$word\")\n"
    "    done < <(compgen \"$@\" -- \"$current\")\n"
    "}\n"
    "\n"
    "_gangctl_offer_paths()\n"
    "{\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    _gangctl_offer \"$@\"\n"
    "}\n"
    "\n"
    "_gangctl()\n"
    "{\n"
    "    local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} "
    "verb=${COMP_WORDS[1]}\n"
    "    COMPREPLY=()\n"
    "    if [[ $current == '=' ]]; then\n"
    "        current=\n"
    "    elif [[ $previous == '=' ]]; then\n"
    "        previous=${COMP_WORDS[COMP_CWORD - 2]}\n"
    "    fi\n";

static const char tail[] = "    esac\n"
                           "}\n"
                           "\n"
                           "complete -F _gangctl gangctl kubectl-gang\n";

static void
add_verbs(struct text *out)
{
    text_add(out, "    if ((COMP_CWORD == 1)); then\n        _gangctl_offer \"$current\" -W '");
    add_first_words(out);
    text_add(out, " --help --version'\n        return\n    fi\n");
}

/* A verb of two words: the second is offered, then both together are the verb. */
static void
add_groups(struct text *out)
{
    for (size_t i = 0; i < num_verbs; i++) {
        const struct verb *verb = &verb_table[i];

        if (!verb_has_two_words(verb) || !verb_shows_first_word(verb))
            continue;
        text_add(out, "    if [[ $verb == ");
        add_first_word(out, verb);
        text_add(out, " ]]; then\n"
                      "        if ((COMP_CWORD == 2)); then\n"
                      "            _gangctl_offer \"$current\" -W '");
        add_second_words(out, verb);
        text_add(
            out,
            " --help'\n            return\n        fi\n        verb=\"$verb ${COMP_WORDS[2]}\"\n    fi\n");
    }
}

/* The patterns of a case: "'render -o' | 'render --output'". */
static void
add_patterns(struct text *out, const struct verb *verb, const struct option_row *row)
{
    if (row->letter)
        text_addf(out, "    '%s -%c' | ", verb->name, row->letter);
    else
        text_add(out, "    ");
    text_addf(out, "'%s --%s')\n", verb->name, row->name);
}

static void
add_values(struct text *out, const struct verb *verb)
{
    const struct verb_option *option;

    for (size_t i = 0; (option = verb_option_at(verb, i)); i++) {
        const struct option_row *row = &option_table[option->id];

        if (row->value == VALUE_NONE)
            continue;
        add_patterns(out, verb, row);
        if (option->words) {
            text_add(out, "        _gangctl_offer \"$current\" -W '");
            add_words(out, option->words);
            text_add(out, "'\n");
        } else if (row->value != VALUE_WORD) {
            text_addf(out, "        _gangctl_offer_paths \"$current\" %s\n",
                      row->value == VALUE_FILE ? "-f" : "-d");
        }
        text_add(out, "        return\n        ;;\n");
    }
}

static void
add_options(struct text *out, const struct verb *verb)
{
    const struct verb_option *option;

    text_addf(out, "    '%s -'*)\n        _gangctl_offer \"$current\" -W '", verb->name);
    for (size_t i = 0; (option = verb_option_at(verb, i)); i++) {
        const struct option_row *row = &option_table[option->id];

        text_addf(out, "%s--%s", i ? " " : "", row->name);
        if (row->letter)
            text_addf(out, " -%c", row->letter);
    }
    text_add(out, "'\n        ;;\n");
}

static void
add_argument(struct text *out, const struct verb *verb)
{
    struct text words = {0};

    if (add_argument_words(&words, verb))
        text_addf(out, "    '%s '*)\n        _gangctl_offer \"$current\" -W '%s'\n        ;;\n", verb->name,
                  words.data);
    else if (verb->argument.placeholder)
        text_addf(out, "    '%s '*)\n        _gangctl_offer_paths \"$current\" %s\n        ;;\n", verb->name,
                  verb->argument.value == VALUE_FILE ? "-f" : "-d");
    text_free(&words);
}

void
completion_bash(struct text *out)
{
    text_add(out, head);
    add_verbs(out);
    add_groups(out);
    text_add(out, "    case \"$verb $previous\" in\n");
    for (size_t i = 0; i < num_verbs; i++)
        add_values(out, &verb_table[i]);
    text_add(out, "    esac\n    case \"$verb $current\" in\n");
    for (size_t i = 0; i < num_verbs; i++) {
        add_options(out, &verb_table[i]);
        add_argument(out, &verb_table[i]);
    }
    text_add(out, tail);
}
