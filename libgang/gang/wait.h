/* SPDX-License-Identifier: Apache-2.0 */
#ifndef LIBGANG_GANG_WAIT_H
#define LIBGANG_GANG_WAIT_H

#include "libgang/gang/gang.h"

/*
 * Describes why a role is not created at once, role by role: `"launcher" waits for "node" to be
 * Ready, which waits for "data" to be Complete`. Returns "" for a role that waits for nothing. The
 * roles must be linked.
 */
const char *wait_in_words(const struct role *roles, size_t count, size_t role, struct arena *arena);

/*
 * Reports a gang that can never fill: none of its members runs before it starts, so a role that
 * waits for a member is not created, nor are the pods of a member beyond its first ones, and the
 * pods that exist are fewer than its minimum. The roles must be in the order of
 * wishes_order_roles(), with memberships and minimum set.
 */
void wait_check_gang(const struct gang *gang, struct arena *arena, struct report *report);

/*
 * The roles of that report, in its order: each waits for the next, and the last one waits for the
 * gang. `chain` has room for every role. Returns their number; 0 if the gang can fill.
 */
size_t wait_chain(const struct gang *gang, struct arena *arena, size_t *chain);

enum { WORDING_SIZE = 1024, WORDING_FULL = 280 };

/*
 * A list of role names for a message: `"a", "b" and 7 more`, or `"a" waits for "b" waits for "c"`.
 * Names beyond a length limit are counted instead of listed. `text` is always NUL-terminated.
 */
struct wording {
    size_t len;
    size_t left_out;
    char text[WORDING_SIZE];
};

/* Makes the text empty. Same as {0}, without clearing the whole buffer. */
static inline void
wording_start(struct wording *words)
{
    words->len = 0;
    words->left_out = 0;
    words->text[0] = '\0';
}

/* Appends a name. `joint` separates it from the previous name and is not used for the first. */
void wording_add(struct wording *words, const char *joint, struct slice name);
/* Appends the end of a chain, which is always shown. */
void wording_add_last(struct wording *words, const char *joint, struct slice name);
/* Appends text that is not a name. */
void wording_add_text(struct wording *words, const char *text);
/* Ends a list with the number of names that were left out. Returns the text. */
const char *wording_end_list(struct wording *words);

#endif
