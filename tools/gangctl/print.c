/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns whether everything was written. */
static bool
is_flushed(void)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fputs("error: standard output cannot be written\n", stderr);
    return false;
}

bool
print_data(const struct text *text)
{
    if (text->len)
        fwrite(text->data, 1, text->len, stdout);
    return is_flushed();
}

/* The first words of lines for people, with their colours: red, yellow, cyan, and bold. */
static const struct {
    const char *word;
    const char *start;
} colours[] = {
    {"error", "\033[31m"},
    {"warning", "\033[33m"},
    {"info", "\033[36m"},
    {"OUTCOME", "\033[1m"},
};

/* https://no-color.org: a variable that is set and not empty. */
static bool
is_coloured(FILE *file)
{
    const char *no_colour = getenv("NO_COLOR");
    const char *terminal = getenv("TERM");

    return isatty(fileno(file)) == 1 && !(no_colour && *no_colour) &&
           !(terminal && strcmp(terminal, "dumb") == 0);
}

/* Returns the length of the first word if it has a colour; otherwise 0. */
static size_t
find_colour(const char *line, const char **start)
{
    for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++) {
        size_t len = strlen(colours[i].word);

        *start = colours[i].start;
        if (strncmp(line, colours[i].word, len) == 0 && (line[len] == ':' || line[len] == ' '))
            return len;
    }
    return 0;
}

static void
add_coloured(struct text *out, const char *line, size_t len)
{
    const char *start;
    size_t word = find_colour(line, &start);

    if (word) {
        text_add(out, start);
        text_add_bytes(out, line, word);
        text_add(out, "\033[0m");
    }
    text_add_bytes(out, line + word, len - word);
}

/* What was escaped before cannot contain a colour. */
static void
colour_lines(struct text *text)
{
    struct text out = {0};

    for (const char *line = text->data; line < text->data + text->len;) {
        size_t len = strcspn(line, "\n");

        len += line[len] == '\n';
        add_coloured(&out, line, len);
        line += len;
    }
    text_free(text);
    *text = out;
}

static void
print_lines(const struct text *text, FILE *file)
{
    struct text lines = {0};

    text_add_printable_lines(&lines, text->data, text->len);
    if (lines.len && is_coloured(file))
        colour_lines(&lines);
    if (lines.len)
        fwrite(lines.data, 1, lines.len, file);
    text_free(&lines);
}

static bool
is_document(enum output output)
{
    return output == OUTPUT_YAML || output == OUTPUT_JSON || output == OUTPUT_SARIF ||
           output == OUTPUT_SVG;
}

bool
print_as(const struct text *text, enum output output)
{
    if (is_document(output))
        return print_data(text);
    print_lines(text, stdout);
    return is_flushed();
}

void
print_error(const struct text *text)
{
    print_lines(text, stderr);
}

void
print_errorf(const char *format, ...)
{
    struct text text = {0};
    va_list arguments;

    va_start(arguments, format);
    text_addv(&text, format, arguments);
    va_end(arguments);
    print_error(&text);
    text_free(&text);
}
