/* SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "diff.h"
#include "text.h"

enum { CONTEXT_LINES = 3 };
/* Of the table of common lines. Larger texts are shown as removed and added. */
#define MOST_CELLS ((size_t)16 << 20)

struct line {
    const char *data;
    size_t len;
};

struct lines {
    struct line *items;
    size_t count;
};

/* One line of the result: ' ', '-' or '+'. */
struct edit {
    char mark;
    struct line line;
};

struct edits {
    struct edit *items;
    size_t count;
};

static struct lines
split(const struct text *text)
{
    struct lines lines = {0};
    const char *at = text->data;
    const char *end = text->data + text->len;

    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *next = newline ? newline + 1 : end;

        lines.items = must_reallocate(lines.items, lines.count + 1, sizeof(*lines.items));
        lines.items[lines.count++] = (struct line){at, (size_t)((newline ? newline : end) - at)};
        at = next;
    }
    return lines;
}

static bool
is_equal(const struct line *a, const struct line *b)
{
    return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

static void
add_edit(struct edits *edits, char mark, struct line line)
{
    edits->items = must_reallocate(edits->items, edits->count + 1, sizeof(*edits->items));
    edits->items[edits->count++] = (struct edit){mark, line};
}

/*
 * The number of common lines behind each pair of lines: cell (i, j) is at i * (columns + 1) + j.
 */
static uint32_t *
count_common(const struct lines *old, const struct lines *new)
{
    size_t width = new->count + 1;
    uint32_t *cells = calloc((old->count + 1) * width, sizeof(*cells));

    if (!cells)
        out_of_memory();
    for (size_t i = old->count; i-- > 0;) {
        for (size_t j = new->count; j-- > 0;) {
            uint32_t down = cells[(i + 1) * width + j];
            uint32_t right = cells[i * width + j + 1];
            uint32_t both = cells[(i + 1) * width + j + 1] + 1;

            cells[i * width + j] = is_equal(&old->items[i], &new->items[j]) ? both
                                   : down > right                           ? down
                                                                            : right;
        }
    }
    return cells;
}

static struct edits
compare(const struct lines *old, const struct lines *new)
{
    size_t width = new->count + 1;
    bool is_small = (old->count + 1) < MOST_CELLS / width;
    uint32_t *cells = is_small ? count_common(old, new) : NULL;
    struct edits edits = {0};
    size_t i = 0;
    size_t j = 0;

    while (i < old->count || j < new->count) {
        bool has_both = i < old->count && j < new->count;

        if (cells && has_both && is_equal(&old->items[i], &new->items[j])) {
            add_edit(&edits, ' ', old->items[i++]);
            j++;
        } else if (j == new->count || (has_both && (!cells || cells[(i + 1) * width + j] >=
                                                                  cells[i * width + j + 1]))) {
            add_edit(&edits, '-', old->items[i++]);
        } else {
            add_edit(&edits, '+', new->items[j++]);
        }
    }
    free(cells);
    return edits;
}

/* Returns the end of the hunk that starts at `first`: its last change with its context. */
static size_t
end_of_hunk(const struct edits *edits, size_t first)
{
    size_t end = first;

    for (size_t i = first; i < edits->count && i < end + 2 * (size_t)CONTEXT_LINES + 1; i++)
        if (edits->items[i].mark != ' ')
            end = i + 1;
    return end + CONTEXT_LINES < edits->count ? end + CONTEXT_LINES : edits->count;
}

/* Adds " -4,7" or " +4": the first line and the number of lines of one side. */
static void
add_range(struct text *out, char mark, size_t first, size_t count)
{
    text_addf(out, " %c%zu", mark, count ? first + 1 : first);
    if (count != 1)
        text_addf(out, ",%zu", count);
}

static size_t
count_marks(const struct edits *edits, size_t from, size_t to, char other)
{
    size_t count = 0;

    for (size_t i = from; i < to; i++)
        count += edits->items[i].mark != other;
    return count;
}

static void
add_hunk(struct text *out, const struct edits *edits, size_t from, size_t to)
{
    text_add(out, "@@");
    add_range(out, '-', count_marks(edits, 0, from, '+'), count_marks(edits, from, to, '+'));
    add_range(out, '+', count_marks(edits, 0, from, '-'), count_marks(edits, from, to, '-'));
    text_add(out, " @@\n");
    for (size_t i = from; i < to; i++) {
        text_add_bytes(out, &edits->items[i].mark, 1);
        text_add_bytes(out, edits->items[i].line.data, edits->items[i].line.len);
        text_add(out, "\n");
    }
}

static bool
add_hunks(struct text *out, const struct edits *edits)
{
    bool is_different = false;

    for (size_t i = 0; i < edits->count; i++) {
        size_t end;

        if (edits->items[i].mark == ' ')
            continue;
        end = end_of_hunk(edits, i);
        add_hunk(out, edits, i > CONTEXT_LINES ? i - CONTEXT_LINES : 0, end);
        is_different = true;
        i = end - 1;
    }
    return is_different;
}

bool
line_diff_add(struct text *out, const struct text *old, const struct text *new)
{
    struct lines old_lines = split(old);
    struct lines new_lines = split(new);
    struct edits edits = compare(&old_lines, &new_lines);
    bool is_different = add_hunks(out, &edits);

    free(edits.items);
    free(old_lines.items);
    free(new_lines.items);
    return is_different;
}
