/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_COMPLETION_H
#define GANGCTL_COMPLETION_H

#include "text.h"
#include "verbs.h"

/* Each adds a script that teaches its shell the table of verbs and options. */
void completion_bash(struct text *out);
void completion_zsh(struct text *out);
void completion_fish(struct text *out);

/* The table as the three need it. */

/* "policy test" is of two words. */
bool verb_has_two_words(const struct verb *verb);
/* Of the verbs that share their first word, whether this is the one that shows it. */
bool verb_shows_first_word(const struct verb *verb);
void add_first_word(struct text *out, const struct verb *verb);
/* The first words of all verbs, a blank between them. */
void add_first_words(struct text *out);
/* The second words of all verbs that share the first. */
void add_second_words(struct text *out, const struct verb *first);
/* Ended by NULL, a blank between them. */
void add_words(struct text *out, const char *const *words);
/* The options of a verb in the order of its help, --help last; NULL past the end. */
const struct verb_option *verb_option_at(const struct verb *verb, size_t index);
/* What the argument of a verb may be, a blank between the words; false when no words are known. */
bool add_argument_words(struct text *out, const struct verb *verb);

/* The first line of a text, for inside single quotes; each of the `special` characters gets a backslash. */
void add_quoted_line(struct text *out, const char *line, const char *special);
const char *option_help(const struct verb_option *option);

#endif
