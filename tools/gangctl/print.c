/* SPDX-License-Identifier: Apache-2.0 */
#include "print.h"

#include <stdio.h>
#include <string.h>

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

static void
print_lines(const struct text *text, FILE *file)
{
    struct text lines = {0};

    text_add_printable_lines(&lines, text->data, text->len);
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
