/* SPDX-License-Identifier: Apache-2.0 */
#include "text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct slice
api_group(const char *api_version)
{
    const char *slash = api_version ? strchr(api_version, '/') : NULL;

    return (struct slice){or_empty(api_version), slash ? (size_t)(slash - api_version) : 0};
}

bool
is_api_group(const char *api_version, const char *group)
{
    return slice_equal(api_group(api_version), slice_from_text(group));
}

bool
has_bytes(const char *data, size_t len, const char *word)
{
    const size_t wanted = strlen(word);

    for (size_t i = 0; i + wanted <= len; i++)
        if (memcmp(data + i, word, wanted) == 0)
            return true;
    return false;
}

bool
is_among(const char *word, const char *const *words)
{
    while (*words && strcmp(*words, word) != 0)
        words++;
    return *words;
}

static void
text_reserve(struct text *text, size_t more)
{
    size_t wanted = text->capacity ? text->capacity : 256;

    if (more > SIZE_MAX / 2 - text->len)
        out_of_memory();
    while (wanted <= text->len + more)
        wanted *= 2;
    if (wanted == text->capacity)
        return;
    text->data = must_reallocate(text->data, wanted, 1);
    text->capacity = wanted;
}

void
text_add_bytes(struct text *text, const char *data, size_t len)
{
    text_reserve(text, len);
    if (len)
        memcpy(text->data + text->len, data, len);
    text->len += len;
    text->data[text->len] = '\0';
}

void
text_add(struct text *text, const char *string)
{
    text_add_bytes(text, string, strlen(string));
}

void
text_addv(struct text *text, const char *format, va_list arguments)
{
    va_list again;
    int len;

    va_copy(again, arguments);
    len = vsnprintf(NULL, 0, format, arguments);
    if (len < 0)
        out_of_memory();
    text_reserve(text, (size_t)len);
    vsnprintf(text->data + text->len, (size_t)len + 1, format, again);
    text->len += (size_t)len;
    va_end(again);
}

void
text_addf(struct text *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    text_addv(text, format, arguments);
    va_end(arguments);
}

static void
text_add_escaped(struct text *text, struct slice string)
{
    size_t len = quote_printable(string, NULL);

    text_reserve(text, len);
    quote_printable(string, text->data + text->len);
    text->len += len;
    text->data[text->len] = '\0';
}

char *
printable(const char *string)
{
    struct text *text = text_new();

    text_add_escaped(text, (struct slice){string, strlen(string)});
    return text->data;
}

const char *
shortened(const char *name)
{
    size_t len = 63 + 1 + 253;

    if (!name || strlen(name) <= len)
        return name;
    while (((unsigned char)name[len] & 0xC0) == 0x80) /* within a character */
        len--;
    return formatted("%.*s...", (int)len, name);
}

void
text_add_printable_lines(struct text *text, const char *data, size_t len)
{
    const char *end = len ? data + len : data;
    struct slice line;

    while (next_line(&data, end, &line)) {
        text_add_escaped(text, line);
        text_add_bytes(text, "\n", data[-1] == '\n');
    }
}

bool
next_line(const char **at, const char *end, struct slice *line)
{
    const char *newline = *at < end ? memchr(*at, '\n', (size_t)(end - *at)) : NULL;

    if (*at >= end)
        return false;
    *line = (struct slice){*at, (size_t)((newline ? newline : end) - *at)};
    *at = newline ? newline + 1 : end;
    return true;
}

void
text_add_indented(struct text *text, const char *lines, const char *first, const char *indent)
{
    for (const char *line = lines; line && *line;) {
        const size_t len = strcspn(line, "\n");

        text_add(text, line == lines ? first : indent);
        text_add_bytes(text, line, len);
        text_add(text, "\n");
        line += len + (line[len] == '\n');
    }
}

char *
place_of(const char *space, const char *name)
{
    return formatted("%s%s%s", or_empty(space), *or_empty(space) ? "/" : "", or_empty(name));
}

void
text_add_line(struct text *text, const char *line)
{
    text_addf(text, "%s\n", printable(line));
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

static void
print_lines(const char *text, size_t len, FILE *file)
{
    struct text lines = {0};

    text_add_printable_lines(&lines, text, len);
    if (lines.len && is_coloured(file)) {
        struct text out = {0};

        /* What was escaped before cannot contain a colour. */
        for (const char *line = lines.data; line < lines.data + lines.len;) {
            const size_t length = strcspn(line, "\n");
            size_t word = 0;

            for (size_t i = 0; !word && i < COUNT_OF(colours); i++) {
                const size_t wanted = strlen(colours[i].word);

                if (strncmp(line, colours[i].word, wanted) != 0 || !strchr(": ", line[wanted]))
                    continue;
                text_add(&out, colours[i].start);
                text_add_bytes(&out, line, wanted);
                text_add(&out, "\033[0m");
                word = wanted;
            }
            text_add_bytes(&out, line + word, length + (line[length] == '\n') - word);
            line += length + (line[length] == '\n');
        }
        give_back(lines.data);
        lines = out;
    }
    if (lines.len)
        fwrite(lines.data, 1, lines.len, file);
    give_back(lines.data);
}

bool
print_as(const struct text *text, enum output output)
{
    if (output != OUTPUT_YAML && output != OUTPUT_JSON && output != OUTPUT_SARIF &&
        output != OUTPUT_SVG && output != OUTPUT_HTML)
        print_lines(text->data, text->len, stdout);
    else if (text->len)
        fwrite(text->data, 1, text->len, stdout);
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fputs("error: standard output cannot be written\n", stderr);
    return false;
}

void
print_error(const char *text)
{
    print_lines(text, strlen(text), stderr);
}

/* Adds the text for an attribute or an element. What XML cannot contain is written as `\xHH`. */
static void
xml_add(struct text *out, const char *text)
{
    static const char *const entities[] = {
        ['&'] = "&amp;", ['<'] = "&lt;", ['>'] = "&gt;", ['"'] = "&quot;", ['\n'] = "&#10;"};
    struct text *printable = text_new();

    text_add_printable_lines(printable, text, strlen(text));
    for (size_t i = 0; i < printable->len; i++) {
        const unsigned char c = (unsigned char)printable->data[i];

        if (c < COUNT_OF(entities) && entities[c])
            text_add(out, entities[c]);
        else
            text_add_bytes(out, printable->data + i, 1);
    }
}

void
xml_add_attribute(struct text *out, const char *name, const char *text)
{
    if (!text)
        return;
    text_addf(out, " %s=\"", name);
    xml_add(out, text);
    text_add(out, "\"");
}

void
xml_add_element(struct text *out, const char *tag, const char *type, const char *message,
                const char *text)
{
    text_addf(out, "    <%s", tag);
    xml_add_attribute(out, "type", type);
    xml_add_attribute(out, "message", message);
    text_add(out, ">");
    xml_add(out, text);
    text_addf(out, "</%s>\n", tag);
}

void
table_add(struct table *table, const char *cell)
{
    const size_t column = table->count % table->num_columns;
    const size_t len = cell ? strlen(cell) : 0;

    if (len > table->widths[column] && (!table->widest || len <= table->widest))
        table->widths[column] = len;
    APPEND(table->cells, table->count, copy_text(len ? cell : "-"));
}

void
table_move(struct text *out, struct table *table)
{
    for (size_t i = 0; i < table->count; i++) {
        const size_t column = i % table->num_columns;

        if (column + 1 == table->num_columns)
            text_addf(out, "%s\n", table->cells[i]);
        else
            text_addf(out, "%-*s  ", (int)table->widths[column], table->cells[i]);
        give_back(table->cells[i]);
    }
    give_back(table->cells);
    table->cells = NULL;
    table->count = 0;
}

void
text_add_as_yaml(struct text *out, const struct text *json, const char *end_of_line)
{
    const struct gang_context *context = must_make_widest_context(STEPS_OF_LIST, 0);
    struct gang_stream *stream = NULL;
    struct gang_blob *blob = NULL;
    const char *at = json->data; /* JSON is YAML too, so a reader of YAML accepts either */
    size_t len = json->len;
    struct slice line;

    if (!gang_stream_parse(context, at, len, 0, &stream, NULL) &&
        !gang_stream_serialize(context, stream, 0, GANG_FORMAT_YAML, 0, &blob, NULL))
        at = gang_blob_get_data(blob, &len);
    for (const char *end = at + len; next_line(&at, end, &line);) {
        text_add_bytes(out, line.data, line.len);
        text_add(out, at[-1] == '\n' ? end_of_line : "");
    }
    gang_blob_unref(blob);
    gang_stream_unref(stream);
}
