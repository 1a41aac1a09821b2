/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_WAIT_H
#define LIBGANG_GANG_WAIT_H

#include "libgang/base/slice.h"
#include "libgang/gang/gang.h"

/*
 * Why a role is not created at once, role by role: `"launcher" waits for "node" to be Ready, which
 * waits for "data" to be Complete`. "" for a role that waits for nothing. The roles must be linked.
 */
const char *wait_in_words(const struct role *roles, size_t count, size_t role, struct arena *arena);

/*
 * Reports a gang that can never fill: until it starts none of its members runs, so what waits for a
 * member is not created, and the pods that do exist are fewer than its minimum. The roles must be
 * in order, as gang_order_roles() puts them, memberships and minimum decided.
 */
void wait_check_gang(const struct gang *gang, struct arena *arena, struct report *report);

enum { WORDING_SIZE = 1024, WORDING_FULL = 280 };

/*
 * Names of roles strung together for a message: `"a", "b" and 7 more`, or `"a" waits for "b" waits
 * for "c"`. Beyond a length that a reader takes in, names are counted instead. `text` is always
 * NUL-terminated.
 */
struct wording {
    size_t len;
    size_t left_out;
    char text[WORDING_SIZE];
};

/* Nothing yet. The same as {0} without clearing all of the text. */
static inline void
wording_start(struct wording *words)
{
    words->len = 0;
    words->left_out = 0;
    words->text[0] = '\0';
}

/* `joint` stands between this name and the one before; the first name has none. */
void wording_add(struct wording *words, const char *joint, struct slice name);
/* The end of a chain, which is shown however long the chain is. */
void wording_add_last(struct wording *words, const char *joint, struct slice name);
/* Text of our own. */
void wording_add_text(struct wording *words, const char *text);
/* The end of a list: says how many were left out. Returns the text. */
const char *wording_end_list(struct wording *words);

#endif
