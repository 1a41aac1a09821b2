/* SPDX-License-Identifier: Apache-2.0 */
/* Check's TAP names neither the row of a loop test nor a skip. A child process reads it and adds
 * both. */
#ifndef TESTS_UNIT_TAP_H
#define TESTS_UNIT_TAP_H

#include <check.h>
#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#ifndef _WIN32
#include <sys/wait.h>
#include <unistd.h>
#endif

#include "libgang/base/text.h"

#define ITEMS_OF(table) (int)(sizeof(table) / sizeof((table)[0]))

enum column_kind { COLUMN_TEXT, COLUMN_SLICE, COLUMN_NUMBER };

/* A printed member of a row: its offset in the first row, and its type. */
struct column {
    const void *first;
    enum column_kind kind;
    size_t size;
};

/* One call of tcase_add_test or tcase_add_loop_test. */
struct added_test {
    const char *name;
    int start, end;
    bool is_loop;
    size_t stride; /* of the table; 0 where there is none */
    struct column columns[3];
};

static struct added_test added_tests[64];
static int num_added_tests;

static inline void
add_counted(TCase *cases, const TTest *test, struct added_test added)
{
    if (num_added_tests == ITEMS_OF(added_tests)) {
        fprintf(stderr, "tap.h: more tests than added_tests holds\n");
        exit(EXIT_FAILURE);
    }
    added.name = test->name;
    added_tests[num_added_tests++] = added;
    tcase_add_loop_test(cases, test, added.start, added.end);
}

/* Every test is counted, since TAP numbers them in this order. */
#undef tcase_add_test
#undef tcase_add_loop_test
#define tcase_add_test(cases, test) add_counted(cases, test, (struct added_test){.end = 1})
#define tcase_add_loop_test(cases, test, from, to)                                                 \
    add_counted(cases, test, (struct added_test){.start = (from), .end = (to), .is_loop = true})

#define COLUMN_KIND(member)                                                                        \
    _Generic((member),                                                                                       \
        const char *: COLUMN_TEXT,                                                                           \
        char *: COLUMN_TEXT,                                                                                 \
        struct slice: COLUMN_SLICE,                                                                          \
        bool: COLUMN_NUMBER,                                                                                 \
        signed char: COLUMN_NUMBER,                                                                          \
        int: COLUMN_NUMBER,                                                                                  \
        unsigned: COLUMN_NUMBER,                                                                             \
        long: COLUMN_NUMBER,                                                                                 \
        unsigned long: COLUMN_NUMBER,                                                                        \
        long long: COLUMN_NUMBER,                                                                            \
        unsigned long long: COLUMN_NUMBER)
#define COLUMN(member)                                                                             \
    {                                                                                              \
        &(member), COLUMN_KIND(member), sizeof(member)                                             \
    }
#define COLUMNS_1(table, a) COLUMN((table)->a)
#define COLUMNS_2(table, a, b) COLUMN((table)->a), COLUMN((table)->b)
#define COLUMNS_3(table, a, b, c) COLUMN((table)->a), COLUMN((table)->b), COLUMN((table)->c)
#define COLUMNS_NAME(a, b, c, name, ...) name
#define COLUMNS(table, ...)                                                                        \
    COLUMNS_NAME(__VA_ARGS__, COLUMNS_3, COLUMNS_2, COLUMNS_1, none)(table, __VA_ARGS__)
#define ROWS_OF(table, ...)                                                                        \
    (struct added_test)                                                                            \
    {                                                                                              \
        .end = ITEMS_OF(table), .is_loop = true, .stride = sizeof((table)[0]), .columns = {        \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }

/* A loop test over a table of structs; when a row fails, up to three of its members are shown. */
#define add_rows(cases, test, table, ...)                                                          \
    add_counted(cases, test, ROWS_OF(table, COLUMNS(table, __VA_ARGS__)))

/* A loop test over an array of texts or numbers. */
#define add_items(cases, test, array) add_counted(cases, test, ROWS_OF(array, COLUMN(*(array))))

static inline int64_t
column_number(const void *at, size_t size)
{
    int64_t wide;
    int32_t narrow;

    if (size == 1)
        return *(const signed char *)at;
    if (size == sizeof(narrow))
        return memcpy(&narrow, at, sizeof(narrow)), narrow;
    return memcpy(&wide, at, sizeof(wide)), wide;
}

/* One line of printable characters for any text. */
static inline void
print_quoted(struct slice text)
{
    enum { LONGEST = 400 };

    putchar('"');
    for (size_t i = 0; i < text.len && i < LONGEST; i++)
        if (text.data[i] == '\n')
            printf("\\n");
        else if (!isprint((unsigned char)text.data[i]) || text.data[i] == '#') /* "#" ends a name */
            printf("\\x%02x", (unsigned char)text.data[i]);
        else
            putchar(text.data[i]);
    fputs(text.len > LONGEST ? "...\"" : "\"", stdout);
}

static inline void
print_column(const struct column *column, size_t offset)
{
    const char *at = (const char *)column->first + offset;
    struct slice text = {0};
    const char *pointer;

    if (column->kind == COLUMN_NUMBER) {
        printf("%lld", (long long)column_number(at, column->size));
        return;
    }
    if (column->kind == COLUMN_SLICE) {
        memcpy(&text, at, sizeof(text));
    } else {
        memcpy(&pointer, at, sizeof(pointer));
        text = pointer ? slice_from_text(pointer) : text;
    }
    if (text.data)
        print_quoted(text);
    else
        printf("NULL");
}

/* Of test number `number`, as TAP counts from 1, the row of its table: `row 3 {"the input"}: `. */
static inline const struct added_test *
print_row(int number)
{
    const struct added_test *test = added_tests;

    for (; test < added_tests + num_added_tests && number > test->end - test->start; test++)
        number -= test->end - test->start;
    if (test == added_tests + num_added_tests)
        return NULL;
    if (test->is_loop)
        printf("row %d", number += test->start - 1);
    for (int i = 0; i < ITEMS_OF(test->columns) && test->columns[i].first; i++) {
        fputs(i ? ", " : " {", stdout);
        print_column(&test->columns[i], (size_t)number * test->stride);
    }
    fputs(!test->is_loop ? "" : test->stride ? "}: " : ": ", stdout);
    return test;
}

#define SKIP_MARK "# skipped: "

/* The running test counts as skipped, unless it fails. */
static inline void
skip_test(const char *reason)
{
    printf(SKIP_MARK "%s\n", reason);
    fflush(stdout);
}

#define NO_YAML "needs YAML" /* ./dev knows these words */

/* A check of what only a library with YAML does. */
#define NEEDS_YAML()                                                                               \
    do {                                                                                           \
        if (!gang_has_yaml()) {                                                                    \
            skip_test(NO_YAML);                                                                    \
            return;                                                                                \
        }                                                                                          \
    } while (0)

static inline void
report_missing_end(int number)
{
    const struct added_test *test;

    printf("not ok %d - ", number);
    test = print_row(number);
    printf("%s did not come to an end\n", test ? test->name : "the program");
}

/* Copies TAP from standard input; a test that failed or did not end gets its row in front. */
static inline void
annotate_tap(void)
{
    char line[4096], skipped[64] = "";
    int number = 0, name = 0;
    bool is_complete = false, at_start = true;

    while (fgets(line, sizeof(line), stdin)) {
        size_t len = strcspn(line, "\n");
        bool is_result = at_start && sscanf(line, "%*[notk ]%d - %n", &number, &name) == 1;

        at_start = line[len] == '\n';
        is_complete = is_complete || strncmp(line, "1..", 3) == 0;
        if (strncmp(line, SKIP_MARK, strlen(SKIP_MARK)) == 0) {
            snprintf(skipped, sizeof(skipped), " # SKIP %.*s", (int)(len - strlen(SKIP_MARK)),
                     line + strlen(SKIP_MARK));
            continue;
        }
        name = is_result ? name : 0;
        printf("%.*s", name, line);
        if (is_result && line[0] == 'n')
            print_row(number);
        printf("%.*s%s%s", (int)len - name, line + name, is_result && line[0] == 'o' ? skipped : "",
               line + len);
        fflush(stdout);
        if (is_result)
            skipped[0] = '\0';
    }
    if (!is_complete)
        report_missing_end(number + 1);
    fflush(stdout);
}

/* From here on standard output goes through a child that annotates it. Returns the child, or -1
 * where there is none, as on Windows. */
#ifdef _WIN32
static inline pid_t
start_annotating(void)
{
    return -1;
}

static inline void
end_annotating(pid_t child)
{
    (void)child;
}
#else
static inline pid_t
start_annotating(void)
{
    int ends[2];
    pid_t child;

    if (pipe(ends))
        return -1;
    fflush(stdout);
    child = fork();
    if (child < 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    dup2(ends[child == 0 ? 0 : 1], child == 0 ? STDIN_FILENO : STDOUT_FILENO);
    close(ends[0]);
    close(ends[1]);
    if (child == 0) {
        annotate_tap();
        _exit(EXIT_SUCCESS);
    }
    return child;
}

static inline void
end_annotating(pid_t child)
{
    fflush(stdout);
    close(STDOUT_FILENO);
    if (child > 0)
        waitpid(child, NULL, 0);
}
#endif

#endif
