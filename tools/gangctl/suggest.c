/* SPDX-License-Identifier: Apache-2.0 */
#include "suggest.h"

#include <string.h>

/* Longer words are not compared. */
enum { LONGEST_WORD = 63 };

static size_t
smaller(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Levenshtein's distance: how many bytes to insert, remove or replace. */
static size_t
distance(const char *a, const char *b)
{
    size_t row[LONGEST_WORD + 1];
    size_t columns = strlen(b);

    for (size_t j = 0; j <= columns; j++)
        row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];

        row[0] = i + 1;
        for (size_t j = 0; j < columns; j++) {
            size_t replaced = diagonal + (a[i] != b[j]);

            diagonal = row[j + 1];
            row[j + 1] = smaller(replaced, smaller(row[j], row[j + 1]) + 1);
        }
    }
    return row[columns];
}

const char *
suggest_nearest(const char *word, const char *const *candidates, size_t count)
{
    size_t len = strlen(word);
    size_t best = len / 3 + 2; /* a third of the word may differ, and one byte more */
    const char *nearest = NULL;

    for (size_t i = 0; i < count && len <= LONGEST_WORD; i++) {
        size_t found = strlen(candidates[i]) > LONGEST_WORD ? best : distance(word, candidates[i]);

        if (found >= best)
            continue;
        best = found;
        nearest = candidates[i];
    }
    return nearest;
}
