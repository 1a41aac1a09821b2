/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/glob.h"

#include "libgang/document/finding.h"

static struct slice
glob_skip(struct slice s, size_t bytes)
{
    return (struct slice){s.data + bytes, s.len - bytes};
}

/* Up to the next star, or to the end. */
static struct slice
glob_piece(struct slice glob)
{
    const char *star = glob.len ? memchr(glob.data, '*', glob.len) : NULL;

    return (struct slice){glob.data, star ? (size_t)(star - glob.data) : glob.len};
}

static bool
glob_has_suffix(struct slice text, struct slice suffix)
{
    return text.len >= suffix.len && slice_has_prefix(glob_skip(text, text.len - suffix.len), suffix);
}

/* Behind the first occurrence of the piece; unset when there is none. */
static struct slice
glob_behind(struct slice text, struct slice piece)
{
    for (; text.len >= piece.len; text = glob_skip(text, 1))
        if (slice_has_prefix(text, piece))
            return glob_skip(text, piece.len);
    return NO_SLICE;
}

/* `glob` starts behind a star. Taking each piece as early as it can be leaves the most to those behind it. */
static bool
glob_matches_behind_star(struct slice glob, struct slice text)
{
    struct slice piece = glob_piece(glob);

    while (piece.len < glob.len) {
        text = glob_behind(text, piece);
        if (!slice_is_set(text))
            return false;
        glob = glob_skip(glob, piece.len + 1);
        piece = glob_piece(glob);
    }
    return glob_has_suffix(text, piece);
}

/* Most globs differ from most names in one of the first bytes, so those are compared before a star is looked for. */
bool
glob_matches(struct slice glob, struct slice text)
{
    size_t i = 0;

    for (; i < glob.len && glob.data[i] != '*'; i++)
        if (i == text.len || glob.data[i] != text.data[i])
            return false;
    if (i == glob.len)
        return i == text.len;
    return glob_matches_behind_star(glob_skip(glob, i + 1), glob_skip(text, i));
}

/* No name holds a star, so only a star of `wide` takes one of `narrow`, and takes what it stands for as well. */
bool
glob_covers(struct slice wide, struct slice narrow)
{
    return glob_matches(wide, narrow);
}

static bool
glob_may_hold(char c, enum glob_names names)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '*' ||
           (c == '.' && names == GLOB_OF_SUBDOMAINS);
}

void
glob_check(const struct node *glob, enum glob_names names, struct report *report)
{
    struct slice text = node_string(glob);

    for (size_t i = 0; i < text.len; i++) {
        if (glob_may_hold(text.data[i], names))
            continue;
        find_invalid(report, GANG_CODE_GLOB_SYNTAX, glob,
                     "only * stands for other characters; a pattern is no regular expression",
                     "must consist of lower case alphanumeric characters, %s",
                     names == GLOB_OF_SUBDOMAINS ? "'-', '.' or '*'" : "'-' or '*'");
        return;
    }
}
