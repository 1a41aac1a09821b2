/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_RECORDED_RECORDED_H
#define TESTS_RECORDED_RECORDED_H

#include <stdio.h>

#include "support/text.h"
#include "unit/job.h"
#include "libgang/document/document.h"

/* The cases of one file; read once, before Check forks, so it must not use assertions of Check. */
struct recorded {
    struct arena *arena;
    const struct node **cases;
    int count;
};

static inline const struct node *
recorded_case(struct arena *arena, const char *line)
{
    struct report report;
    const struct document_request request = {.arena = arena,
                                             .limits = &standard_limits,
                                             .report = &report,
                                             .document = GANG_DOCUMENT_TRAINJOB};
    const struct node *root;

    report_init(&report, arena, &standard_limits);
    root = json_read(&request, slice_from_text(line));
    if (!root) {
        fprintf(stderr, "no JSON: %s\n", line);
        exit(EXIT_FAILURE);
    }
    return root;
}

/* Of the one file that a program reads. */
static struct arena *recorded_arena;

static inline void
recorded_free(void)
{
    arena_free(recorded_arena);
}

static inline struct recorded
recorded_load(const char *path)
{
    struct recorded recorded = {.arena = arena_new(0)};
    struct text text = text_read(path);
    char *line = arena_alloc(recorded.arena, text.len + 1);
    int lines = 0;

    recorded_arena = recorded.arena;
    if (!line || atexit(recorded_free))
        exit(EXIT_FAILURE);
    memcpy(line, text.data, text.len);
    for (size_t i = 0; i < text.len; i++)
        lines += text.data[i] == '\n';
    text_free(&text);
    recorded.cases = arena_array(recorded.arena, (size_t)lines, sizeof(*recorded.cases));
    while (recorded.count < lines) {
        char *end = strchr(line, '\n');

        *end = '\0';
        recorded.cases[recorded.count++] = recorded_case(recorded.arena, line);
        line = end + 1;
    }
    return recorded;
}

/* "HEAD" is what comes after the newest release. */
static inline struct release
recorded_release(const struct node *version)
{
    struct release release = {.is_known = true, .minor = 18};

    if (!slice_equal(node_string(version), SLICE("HEAD")))
        ck_assert(release_parse(node_string(version), &release));
    return release;
}

static inline struct slice
recorded_member(const struct node *map, const char *key)
{
    return node_string(node_member(map, slice_from_text(key)));
}

#endif
