/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_TEXT_H
#define GANGCTL_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

#include <gang/gang.h>

#include "libgang/base/text.h"

/* A growable text, NUL-terminated after something was added. Must be zero-initialized. */
struct text {
    char *data;
    size_t len;
    size_t capacity;
};

void text_add_bytes(struct text *text, const char *data, size_t len);
void text_add(struct text *text, const char *string);
__attribute__((format(printf, 2, 3))) void text_addf(struct text *text, const char *format, ...);
__attribute__((format(printf, 2, 0))) void text_addv(struct text *text, const char *format,
                                                     va_list arguments);
/*
 * Returns a name with any content as one line: the bytes of what is unprintable are written as
 * `\xHH`, by the function of the library that escapes its messages. The second function adds it,
 * and keeps line breaks.
 */
char *printable(const char *string);
void text_add_printable_lines(struct text *text, const char *data, size_t len);
/* The start of a text that is longer than any valid name, to keep messages short. NULL for NULL. */
const char *shortened(const char *name);
/* Gets the next line, without its end; false behind the last one. `*at` advances. */
bool next_line(const char **at, const char *end, struct slice *line);
/* Adds the line with its end, as printable() writes it. */
void text_add_line(struct text *text, const char *line);

/* Adds each line, with its end, behind an indent; the first behind its own. NULL is no line. */
void text_add_indented(struct text *text, const char *lines, const char *first, const char *indent);
/* Returns "namespace/name", or the name alone. */
char *place_of(const char *space, const char *name);

/* White space of YAML and JSON. */
static inline bool
is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/*
 * The run owns what these return, and texts, until its end. If there is no memory, they report it
 * and exit with status 2. _FORTIFY_SOURCE checks copies into memory whose size an attribute tells.
 */
__attribute__((alloc_size(1, 2))) void *must_allocate_zeros(size_t count, size_t size);
__attribute__((alloc_size(2, 3))) void *must_reallocate(void *memory, size_t count, size_t size);
/* Makes room for one more item, of an array that is only filled so. */
void *must_grow(void *items, size_t count, size_t size);
char *must_copy(const char *data, size_t len);
/* Returns NULL for NULL. */
char *copy_text(const char *text);
/* Adds an item at the end of an array. */
#define APPEND(items, count, ...)                                                                  \
    ((items) = must_reallocate((items), (count) + 1, sizeof(*(items))),                            \
     (items)[count] = (__VA_ARGS__), (void)(count)++)
/* Walks an array: `for (EACH(const struct job, job, jobs, count))`, with the item in `*job`. */
#define EACH(type, item, items, count)                                                             \
    type *item = (items), *item##_end = (count) ? item + (count) : item;                           \
    item < item##_end;                                                                             \
    item++
_Noreturn void out_of_memory(void);
/* Frees memory before, in what is done for any number of documents. Ignores NULL. */
void give_back(void *memory);

struct json_object;
struct site;

/* What a step of the run made. */
struct made {
    struct text *text;
    struct json_object *tree;
    struct site *sites;
    struct gang_blob *blob;
    struct gang_stream *stream;
    struct gang_context *context;
    struct gang_document *document;
    struct gang_decision *decision;
    struct gang_plan *plan;
};

/*
 * Each step is within the one that started before it. What is done for any number of documents is a
 * step for each, so that memory does not grow with their number; main() has the first one.
 */
struct step {
    struct step *outer;
    struct made *made;
    size_t count;
};

void step_start(struct step *step);
/* Releases all that was made since its start. */
void step_end(struct step *step);
/* Lets the step that was started last own it. */
void of_step(struct made made);
/* Ends all steps, and frees the memory of the run. */
void run_end(void);

/* These two are owned by the step, as is every text that a function returns without saying more. */
struct text *text_new(void);
__attribute__((format(printf, 1, 2))) char *formatted(const char *format, ...);

/* NULL is like an empty text. */
static inline const char *
or_empty(const char *text)
{
    return text ? text : "";
}

static inline bool
is_same_text(const char *a, const char *b)
{
    return strcmp(or_empty(a), or_empty(b)) == 0;
}

/* The group in an API version; it is empty in the version of the core group, "v1". */
struct slice api_group(const char *api_version);
bool is_api_group(const char *api_version, const char *group);
bool has_bytes(const char *data, size_t len, const char *word);
/* Compares two texts by their bytes, for qsort(). */
int compare_texts(const void *a, const void *b);
/* Whether the words, ended by NULL, have this one. */
bool is_among(const char *word, const char *const *words);

/* The ceiling of the library. */
enum { MOST_BYTES_OF_DOCUMENT = 3 << 20 };

/*
 * A list of kubectl in YAML, as large as the library reads it, needs up to 35 million steps; their
 * ceiling, for the objects of a cluster, would let one job take a minute.
 */
enum { STEPS_OF_LIST = 50000000, STEPS_OF_CLUSTER = 1000000000 };

/* A context of the step with all other limits at their ceilings; 0 documents: the default. */
struct gang_context *must_make_widest_context(uint64_t steps, uint64_t max_documents);

/* Adds ` name="text"`; nothing if the text is NULL. */
void xml_add_attribute(struct text *out, const char *name, const char *text);

/* The head of a JUnit report, whose suites end with "</testsuites>". */
#define XML_TESTSUITES "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
/* Adds `    <tag type="..." message="...">text</tag>`; attributes that are NULL are left out. */
void xml_add_element(struct text *out, const char *tag, const char *type, const char *message,
                     const char *text);

/* Adds a JSON document of gangctl as YAML. A document that is too large for it stays JSON. */
void text_add_as_yaml(struct text *out, const struct text *json, const char *end_of_line);

enum output {
    OUTPUT_UNSET,
    OUTPUT_TEXT,
    OUTPUT_WIDE,
    OUTPUT_YAML,
    OUTPUT_JSON,
    OUTPUT_NDJSON,
    OUTPUT_CSV,
    OUTPUT_GITHUB,
    OUTPUT_JUNIT,
    OUTPUT_SARIF,
    OUTPUT_SVG,
    OUTPUT_HTML,
};

/*
 * Prints on standard output; returns false if it cannot be written. Documents, such as JSON and
 * YAML, keep their bytes. Any other output is for people: of what is unprintable, such as
 * bidirectional and zero-width characters, only line breaks are kept, and the bytes of the others
 * are written as `\xHH`.
 */
bool print_as(const struct text *text, enum output output);
enum { MOST_COLUMNS = 20 };

/* Rows of cells, in columns that are as wide as their widest cell; the last one has no width. */
struct table {
    size_t num_columns;
    size_t widest; /* a wider cell does not count; 0: all do */
    char **cells;
    size_t count;
    size_t widths[MOST_COLUMNS];
};

/* Adds the next cell; one that is NULL or empty is shown as "-". */
void table_add(struct table *table, const char *cell);
/* Adds the rows to a text, and removes them. The columns keep their widths. */
void table_move(struct text *out, struct table *table);

/* Print on standard error, for people. */
void print_error(const char *text);
#define print_errorf(...) print_error(formatted(__VA_ARGS__))

/* The exit status of every command; part of the interface. */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FINDINGS = 1,      /* a document is invalid, or the policy forbids it */
    EXIT_COULD_NOT_RUN = 2, /* wrong usage, an unreadable file, out of memory */
    EXIT_CANNOT_TELL = 3    /* of `why`: the objects do not say it */
};

#endif
