/* SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "commands.h"

enum { HELP_COLUMN = 25, SUMMARY_COLUMN = 26 };

static const char about_program[] =
    "gangctl prints which gang-scheduling objects a TrainJob of Kubeflow, a PodGang of Grove, or "
    "a\n"
    "job of another operator gets, and why. It reads files and contacts no cluster.\n";

static const char examples_of_program[] =
    "  gangctl render -f runtime.yaml -f trainjob.yaml | kubectl apply -f -\n"
    "  kustomize build . | gangctl render -p policy.yaml -f -\n"
    "  gangctl explain -f examples/torchtune-llama\n";

static const char about_jobs[] =
    "The input may hold several documents, as `kustomize build` prints them, and a `kind: List` "
    "of\n"
    "them, as kubectl prints it. Each TrainJob finds its runtime among them by spec.runtimeRef: a\n"
    "TrainingRuntime in the job's namespace (one without a namespace matches any), a\n"
    "ClusterTrainingRuntime by its name. Each PodGang of Grove finds the PodCliqueSet that owns it "
    "and\n"
    "the ClusterTopologyBinding that it names, and each Pod its PodGang by the label "
    "grove.io/podgang.\n"
    "A GangJob, and a job of another operator that is read as one, needs no other document.\n"
    "Documents of other kinds are ignored.\n";

static const char exit_statuses[] =
    "  0  done; there may be warnings on standard error\n"
    "  1  a document is wrong, missing or forbidden by the policy; standard error says where\n"
    "  2  the command line is wrong, a file cannot be read, or an internal error occurred\n";

/* Adds blanks up to a column of the line that starts at `line`. */
static void
pad_to(struct text *out, size_t line, size_t column)
{
    do
        text_add(out, " ");
    while (out->len - line < column);
}

static void
add_option(struct text *out, const struct verb_option *option)
{
    const struct option_row *row = &option_table[option->id];
    size_t line = out->len;
    const char *help;

    if (row->letter)
        text_addf(out, "  -%c, ", row->letter);
    else
        text_add(out, "      ");
    text_addf(out, "--%s", row->name);
    if (row->placeholder)
        text_addf(out, " %s", row->placeholder);
    pad_to(out, line, HELP_COLUMN);
    help = option->help ? option->help : row->help;
    /* Every line of it is aligned with the first one. */
    for (const char *newline; (newline = strchr(help, '\n')); help = newline + 1) {
        text_add_bytes(out, help, (size_t)(newline - help) + 1);
        pad_to(out, out->len, HELP_COLUMN);
    }
    text_addf(out, "%s\n", help);
}

static void
add_list_of_verbs(struct text *out, const char *group)
{
    text_add(out, "Usage:\n");
    for (size_t i = 0; i < num_verbs; i++) {
        if (verb_below(&verb_table[i], group)) {
            size_t line = out->len;

            text_addf(out, "  gangctl %s", verb_table[i].name);
            pad_to(out, line, SUMMARY_COLUMN);
            text_addf(out, "%s\n", verb_table[i].summary);
        }
    }
}

enum { PAGE_WIDTH = 100 };

/* Whether the name is the code, also without the zeros before its number: GANG12 is GANG012. */
static bool
is_code(const char *name, const char *code)
{
    const size_t letters = strlen("GANG");
    const char *number = name + letters;

    if (strncasecmp(name, code, letters) != 0)
        return false;
    code += letters + strspn(code + letters, "0");
    return strcmp(number + strspn(number, "0"), code) == 0;
}

static const char *const page_titles[PAGE_PARTS] = {"", "Severity:", "What to do:", "Since:"};

/* Reads the parts of a page: the paragraph below its title, and the items behind it. */
static void
read_parts(struct diagnostic_page *page, const char *const *line)
{
    int part = PAGE_SUMMARY;

    for (; *line && **line != '#'; line++) {
        const char *words = *line;

        for (int i = PAGE_SEVERITY; i < PAGE_PARTS; i++)
            if (*words == '-' && strncmp(words + 2, page_titles[i], strlen(page_titles[i])) == 0) {
                words += 2 + strlen(page_titles[i]);
                part = i;
            }
        words += strspn(words, " ");
        if (*words)
            text_addf(&page->parts[part], "%s%s", page->parts[part].len ? " " : "", words);
    }
}

bool
diagnostic_page_find(struct diagnostic_page *page, const char *name)
{
    *page = (struct diagnostic_page){0};
    for (const char *const *line = diagnostic_lines; *line; line++)
        if (sscanf(*line, "### %15s %31s", page->code, page->reason) == 2 &&
            (is_code(name, page->code) || strcasecmp(page->reason, name) == 0)) {
            read_parts(page, line + 1);
            return true;
        }
    return false;
}

static void
add_page(struct text *out, const char *name)
{
    struct diagnostic_page page;

    diagnostic_page_find(&page, name);
    text_addf(out, "%s %s\n\n", page.code, page.reason);
    for (int i = 0; i < PAGE_PARTS; i++) {
        const char *paragraph = page.parts[i].data;
        size_t column = strlen(page_titles[i]);

        text_add(out, page_titles[i]);
        while (*paragraph) {
            size_t word = strcspn(paragraph, " ");
            bool fits = column + 1 + word <= PAGE_WIDTH;

            if (column)
                text_add(out, fits ? " " : "\n");
            text_add_bytes(out, paragraph, word);
            column = column && fits ? column + 1 + word : word;
            paragraph += word + strspn(paragraph + word, " ");
        }
        text_add(out, "\n");
        text_add(out, i == PAGE_SUMMARY ? "\n" : "");
    }
}

int
command_help(struct run *run)
{
    const struct options *options = run->options;

    if (options->page)
        add_page(&run->out, options->page);
    else if (options->help_about) {
        struct text *out = &run->out;
        const struct verb *verb = options->help_about;

        text_addf(out, "%s\nUsage:\n  gangctl %s %s\n\nFlags:\n", verb->about, verb->name,
                  verb->synopsis);
        for (const struct verb_option *option = verb->options; option->id != OPTION_NONE; option++)
            add_option(out, option);
        add_option(out, verb_option_of(verb, OPTION_HELP));
        if (verb->reads_jobs)
            text_addf(out, "\n%s", about_jobs);
        text_addf(out, "\nExamples:\n%s\nExit status:\n%s", verb->examples,
                  verb->exit_statuses ? verb->exit_statuses : exit_statuses);
    } else if (options->group)
        add_list_of_verbs(&run->out, options->group);
    else {
        text_addf(&run->out, "%s\n", about_program);
        add_list_of_verbs(&run->out, NULL);
        text_addf(&run->out, "\nExamples:\n%s\nExit status:\n%s", examples_of_program,
                  exit_statuses);
    }
    return EXIT_DONE;
}
