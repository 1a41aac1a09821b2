/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/wording.h"

#include "libgang/base/integer.h"
#include "libgang/base/quote.h"

static void
wording_put(struct wording *words, struct slice text)
{
    size_t room = sizeof(words->text) - 1 - words->len;
    size_t len = text.len < room ? text.len : room;

    if (len)
        memcpy(words->text + words->len, text.data, len);
    words->len += len;
    words->text[words->len] = '\0';
}

void
wording_add_text(struct wording *words, const char *text)
{
    wording_put(words, slice_from_text(text));
}

static void
wording_put_name(struct wording *words, const char *joint, struct slice name)
{
    struct quoted quoted;

    if (words->len)
        wording_add_text(words, joint);
    if (sizeof(words->text) - words->len >= QUOTED_SIZE)
        words->len += quote_put_text(words->text + words->len, name);
    else
        wording_add_text(words, quote(&quoted, name));
}

void
wording_add(struct wording *words, const char *joint, struct slice name)
{
    if (words->len < WORDING_FULL)
        wording_put_name(words, joint, name);
    else
        words->left_out++;
}

static void
wording_put_left_out(struct wording *words, const char *before, const char *after)
{
    char number[INTEGER_TEXT_SIZE];

    if (!words->left_out)
        return;
    wording_add_text(words, before);
    wording_put(words, integer_format((int64_t)words->left_out, number));
    wording_add_text(words, after);
    words->left_out = 0;
}

void
wording_add_last(struct wording *words, const char *joint, struct slice name)
{
    wording_put_left_out(words, " ... (", " more)");
    wording_put_name(words, joint, name);
}

const char *
wording_end_list(struct wording *words)
{
    wording_put_left_out(words, " and ", " more");
    return words->text;
}
