/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_RENDER_EXPLANATION_H
#define LIBGANG_RENDER_EXPLANATION_H

#include "libgang/render/render.h"

/* The walk: rows so far, and the cell that is being written. */
struct explain_walk {
    const struct explained *explained;
    const struct node *root; /* of the document */
    struct explanation rows;
    struct buffer cell;
};

struct slice explain_text(const struct node *map, const char *path);
bool explain_is(const struct node *map, const char *key, const char *text);

/* What is put becomes a part of the cell. */
void explain_put(struct explain_walk *walk, struct slice text);
void explain_put_number(struct explain_walk *walk, int64_t number);
/*
 * Puts constant words in which "{path}" is a member of the map. What is in "[]" is put only if the
 * map has all members that it names.
 */
void explain_say(struct explain_walk *walk, const struct node *map, const char *words);
/* Puts " [file:12]". A rule names no document: it is one of the policy. */
void explain_put_place_behind(struct explain_walk *walk, const struct node *source);

/* Ends the cell, and returns it as people may see it. */
struct slice explain_take(struct explain_walk *walk);
void explain_pad(struct explanation_row *row, size_t cell, size_t width);
void explain_add(struct explain_walk *walk, const struct explanation_row *row);
/* Adds a row of the cell that is being written, unless it is empty, and a note behind it. */
void explain_add_line(struct explain_walk *walk, const char *label, struct slice note);

/* A row for each attribute. The members have theirs further down. */
void explain_trace(struct explain_walk *walk, const struct node *trace);
/* "rule big: match.minNodes: the job has 2 nodes": the first rules, or all of them. */
void explain_unmatched(struct explain_walk *walk, const struct node *rules);
/* "members: All (rule research-gpu)"; nothing if there was no choice. */
struct slice explain_members_choice(struct explain_walk *walk);

#endif
