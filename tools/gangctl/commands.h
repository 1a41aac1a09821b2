/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_COMMANDS_H
#define GANGCTL_COMMANDS_H

#include "edit.h"
#include "jobs.h"

/* One run of a command. Zero at its start; main() prints the output at the end, and frees all. */
struct run {
    const struct options *options;
    struct workbench bench;
    struct text out;
};

/* Each returns an enum exit_status. */
int command_render(struct run *run);
int command_transform(struct run *run);
int command_reconcile(struct run *run);
int command_diff(struct run *run);
int command_explain(struct run *run);
int command_audit(struct run *run);
int command_why(struct run *run);
int command_roles(struct run *run);
int command_lint(struct run *run);
int command_policy_init(struct run *run);
int command_policy_schema(struct run *run);
int command_cluster(struct run *run);
int command_backends(struct run *run);
int command_version(struct run *run);
int command_policy_test(struct run *run);
int command_completion(struct run *run);
int command_help(struct run *run);

/*
 * `gangctl __complete WORDS`, called by the completion scripts: prints the candidates for the last
 * word, one for each line, with a tab and a description if it has one. The last line is `:nofiles`,
 * or `:files` or `:directories` if the shell must add those.
 */
int complete_words(const char *const *words, size_t count);

enum { PAGE_SUMMARY, PAGE_SEVERITY, PAGE_FIX, PAGE_SINCE, PAGE_PARTS };

/* What doc/diagnostics.md says about a diagnostic. */
struct diagnostic_page {
    char code[16];   /* "GANG012" */
    char reason[32]; /* "StructuralDeadlock" */
    struct text parts[PAGE_PARTS];
};

/* The lines of doc/diagnostics.md, ended by NULL; the build makes them of the file. */
extern const char *const diagnostic_lines[];

/* Finds a page by the code or the reason, in any case. Returns false if there is none. */
bool diagnostic_page_find(struct diagnostic_page *page, const char *name);

/* Adds what a command prints about the reconciled plans; `source` is the file of --live. */
typedef void (*add_reconciled)(struct run *run, const struct source *source);
/* Reconciles all jobs. */
int reconcile_with(struct run *run, add_reconciled add);

/* Sets how each runtime of the bench is to be written; its jobs must agree on it. */
void runtimes_write(struct workbench *bench, enum gang_format format);

/* As `transform` writes it, of the step. NULL: an error was reported, or no job needs it. */
struct json_object *runtime_with_marks(struct workbench *bench, const struct companion *runtime);

/* Whether it is the first one of its document. The gangs of one job follow each other. */
bool is_first_gang(const struct workbench *bench, const struct job *job);

/* Returns the findings as the results of a ResourceList; NULL if there is none. */
struct json_object *make_results(struct workbench *bench);

/* Whether a job has no plan to write: an input is invalid, or the policy forbids the job. */
bool is_refused(const struct job *job);
/* Whether there is such a job, or an error. */
bool has_refused(const struct workbench *bench);
/* Returns a plan as text, of the step; NULL after reporting an error. */
struct gang_blob *write_plan(struct workbench *bench, const struct job *job,
                             enum gang_target target, enum gang_format format, uint32_t flags);
/* Appends a plan's text. Documents are separated as the format requires. */
void add_plan(struct text *out, struct workbench *bench, const struct job *job,
              enum gang_target target, enum gang_format format);
/* Says on standard error what a document lost when it was changed. */
void say_edited(const struct document *document, enum edit_result result);
/* The same for a text of the library; an empty text adds nothing. */
void add_blob(struct text *out, const struct gang_blob *blob, enum gang_format format);

#endif
