/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_COMMANDS_H
#define GANGCTL_COMMANDS_H

#include "jobs.h"
#include "text.h"

/* Each returns an enum exit_status. */
int command_render(const struct options *options);
int command_reconcile(const struct options *options);
int command_explain(const struct options *options);
int command_lint(const struct options *options);
int command_policy_init(const struct options *options);
int command_policy_schema(const struct options *options);
int command_cluster(const struct options *options);
int command_backends(const struct options *options);
int command_version(const struct options *options);
int command_policy_test(const struct options *options);
int command_completion(const struct options *options);
int command_help(const struct options *options);

/*
 * `gangctl __complete WORDS`, which the shells call: prints what can stand where the last word is,
 * one candidate a line, with a tab and a description where there is one. The last line is
 * `:nofiles`, or
 * `:files` or `:directories` when the shell is to offer those.
 */
int complete_words(const char *const *words, size_t count);

/* Whether a job has no plan to write: an input is wrong, or the policy forbids it. */
bool is_refused(const struct job *job);
/* Adds a plan's text to what is printed already; documents are parted as the format wants it. */
void add_plan(struct text *out, struct workbench *bench, const struct job *job,
              enum gang_target target, enum gang_format format);
/* The same with a text of the library; one that is empty adds nothing. */
void add_blob(struct text *out, const struct gang_blob *blob, enum gang_format format);
/* False when standard output takes no more. */
bool print_text(const struct text *text);

#endif
