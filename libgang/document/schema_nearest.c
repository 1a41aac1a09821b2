/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema_nearest.h"

enum { NEAREST_LONGEST = 48 };

/* One row of the table of distances between two words. */
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
 * How many insertions, deletions, replacements and swaps of neighbours lead from one word to the other, letter case
 * aside. Both are at most NEAREST_LONGEST long.
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

/* A third of the letters may be wrong, three at most. */
static unsigned
nearest_tolerance(size_t length)
{
    return length >= 9 ? 3 : (unsigned)((length + 2) / 3);
}

const char *
schema_nearest_field(const struct schema *schema, struct slice name)
{
    unsigned tolerance = nearest_tolerance(name.len);
    const char *nearest = NULL;
    unsigned best = tolerance + 1;

    if (name.len > NEAREST_LONGEST)
        return NULL;
    for (size_t i = 0; i < schema->num_fields && best > 0; i++) {
        struct slice field = slice_from_text(schema->fields[i].name);
        unsigned distance;

        if (field.len > NEAREST_LONGEST || field.len > name.len + tolerance ||
            name.len > field.len + tolerance)
            continue;
        distance = nearest_distance(name, field);
        if (distance < best) {
            best = distance;
            nearest = schema->fields[i].name;
        }
    }
    return nearest;
}
