/* SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include <strings.h>

#include "commands.h"
#include "diagnostic_pages.h"
#include "exit.h"
#include "usage.h"

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

const struct diagnostic_page *
diagnostic_page_find(const char *name)
{
    for (size_t i = 0; i < num_diagnostic_pages; i++) {
        const struct diagnostic_page *page = &diagnostic_pages[i];

        if (is_code(name, page->code) || strcasecmp(page->reason, name) == 0)
            return page;
    }
    return NULL;
}

/* Adds a paragraph, after a word such as "Severity:". */
static void
add_paragraph(struct text *out, const char *title, const char *paragraph)
{
    size_t column = strlen(title);

    text_add(out, title);
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
}

static void
add_page(struct text *out, const struct diagnostic_page *page)
{
    text_addf(out, "%s %s\n\n", page->code, page->reason);
    add_paragraph(out, "", page->summary);
    text_add(out, "\n");
    add_paragraph(out, "Severity:", page->severity);
    add_paragraph(out, "What to do:", page->fix);
    text_addf(out, "Since: %s\n", page->since);
}

int
command_help(const struct options *options)
{
    struct text out = {0};
    bool printed;

    if (options->page)
        add_page(&out, options->page);
    else
        usage_add(&out, options->help_about, options->group);
    printed = print_data(&out);
    text_free(&out);
    return printed ? EXIT_DONE : EXIT_COULD_NOT_RUN;
}
