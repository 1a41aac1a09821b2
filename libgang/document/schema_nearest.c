/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema.h"

enum { NEAREST_LONGEST = 48 };

/* One row of the table of edit distances between two words. */
struct nearest_row {
    uint8_t at[NEAREST_LONGEST + 1];
};

static char
nearest_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool
nearest_same(char a, char b)
{
    return nearest_lower(a) == nearest_lower(b);
}

static uint8_t
nearest_least(unsigned a, unsigned b, unsigned c)
{
    unsigned least = a < b ? a : b;

    return (uint8_t)(least < c ? least : c);
}

/*
 * Returns the number of insertions, deletions, replacements and swaps of neighbours between two
 * words (the Damerau-Levenshtein distance), regardless of letter case. Both words must have at most
 * NEAREST_LONGEST bytes.
 */
static unsigned
nearest_distance(struct slice a, struct slice b)
{
    struct nearest_row rows[3];

    for (size_t j = 0; j <= b.len; j++)
        rows[0].at[j] = (uint8_t)j;
    for (size_t i = 1; i <= a.len; i++) {
        struct nearest_row *row = &rows[i % 3];
        const struct nearest_row *above = &rows[(i + 2) % 3];
        const struct nearest_row *higher = &rows[(i + 1) % 3];

        row->at[0] = (uint8_t)i;
        for (size_t j = 1; j <= b.len; j++) {
            unsigned replaced = above->at[j - 1] + !nearest_same(a.data[i - 1], b.data[j - 1]);

            row->at[j] = nearest_least(above->at[j] + 1u, row->at[j - 1] + 1u, replaced);
            if (i > 1 && j > 1 && nearest_same(a.data[i - 1], b.data[j - 2]) &&
                nearest_same(a.data[i - 2], b.data[j - 1]) && higher->at[j - 2] + 1u < row->at[j])
                row->at[j] = (uint8_t)(higher->at[j - 2] + 1u);
        }
    }
    return rows[a.len % 3].at[b.len];
}

/* Allows errors in a third of the letters, at most three. */
static unsigned
nearest_tolerance(size_t length)
{
    return length >= 9 ? 3 : (unsigned)((length + 2) / 3);
}

/* The nearest word so far. */
struct nearest_search {
    struct slice name;
    unsigned tolerance;
    unsigned best;
    const char *found;
};

static struct nearest_search
nearest_start(struct slice name)
{
    unsigned tolerance = nearest_tolerance(name.len);

    return (struct nearest_search){.name = name, .tolerance = tolerance, .best = tolerance + 1};
}

/* `word` must end in NUL. */
static void
nearest_try(struct nearest_search *search, struct slice word)
{
    size_t tolerance = search->tolerance;
    unsigned distance;

    if (search->name.len > NEAREST_LONGEST || word.len > NEAREST_LONGEST ||
        word.len > search->name.len + tolerance || search->name.len > word.len + tolerance)
        return;
    distance = nearest_distance(search->name, word);
    if (distance >= search->best)
        return;
    search->best = distance;
    search->found = word.data;
}

const char *
schema_nearest_field(const struct schema *schema, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (size_t i = 0; i < schema->num_fields; i++)
        nearest_try(&search, schema->fields[i].name);
    return search.found;
}

const char *
schema_nearest_word(const char *const *words, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (; *words; words++)
        nearest_try(&search, slice_from_text(*words));
    return search.found;
}

const char *
schema_nearest_text(const struct slice *texts, size_t count, struct slice name)
{
    struct nearest_search search = nearest_start(name);

    for (size_t i = 0; i < count; i++)
        nearest_try(&search, texts[i]);
    return search.found;
}

const char *
schema_did_you_mean(struct arena *arena, const char *nearest)
{
    return nearest ? arena_format(arena, "did you mean \"%s\"?", nearest) : NULL;
}
