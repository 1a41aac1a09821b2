/* SPDX-License-Identifier: Apache-2.0 */
#ifndef GANGCTL_DIFF_H
#define GANGCTL_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include <json-c/json.h>

#include "live.h"
#include "text.h"

/*
 * Adds the hunks of a unified diff between two texts, with three lines of context. Returns false if
 * the texts are equal.
 */
bool line_diff_add(struct text *out, const struct text *old, const struct text *new);

/* A document that differs. It owns its trees, of which one is NULL if that side lacks it. */
struct change {
    struct json_object *old;
    struct json_object *new;
    const char *word; /* "Added", "Removed", "Changed", "Recreated" */
};

struct changes {
    struct change *items;
    size_t count;
    size_t equal;         /* documents without a difference */
    const char *old_side; /* in the titles of the text: "live" */
    const char *new_side; /* "planned" */
};

/*
 * Adds what became of a document, unless both sides print as equal manifests. Takes over the trees;
 * `word` is NULL, or it replaces "Changed".
 */
void changes_add(struct changes *changes, struct json_object *old, struct json_object *new,
                 const char *word);
/* Adds them to the output: a unified diff, or a document with every field that differs. */
void changes_print(struct text *out, const struct changes *changes, enum output output);
void changes_free(struct changes *changes);

/*
 * Adds how the jobs and runtimes of the bench differ from the existing ones: only in the marks of
 * their gangs and in podGroupPolicy, as `transform` writes them.
 */
void changes_add_marks(struct changes *changes, struct workbench *bench,
                       const struct live_objects *live);

#endif
