/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/grove/kai_name.h"

#include "libgang/base/report.h"
#include "libgang/base/sha256.h"

enum { KAI_NAME_MOST = 63, KAI_NAME_HASH = 10, KAI_NAME_HEAD = KAI_NAME_MOST - KAI_NAME_HASH - 1 };

static char
kai_name_byte(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ? c : '-';
}

/* Bytes of one character that is not ASCII make one '-' by being joined. */
static struct slice
kai_name_normalise(struct slice name, struct arena *arena)
{
    char *text = arena_alloc(arena, name.len + 1);
    size_t len = 0;

    for (size_t i = 0; text && i < name.len; i++) {
        char c = kai_name_byte(name.data[i]);

        if (c != '-' || (len && text[len - 1] != '-'))
            text[len++] = c;
    }
    while (len && text[len - 1] == '-')
        len--;
    return (struct slice){text, text ? len : 0};
}

static struct slice
kai_name_cut(struct slice name)
{
    if (name.len > KAI_NAME_HEAD)
        name.len = KAI_NAME_HEAD;
    while (name.len && name.data[name.len - 1] == '-')
        name.len--;
    return name;
}

struct slice
kai_stable_name(struct slice name, struct arena *arena)
{
    struct slice normal = kai_name_normalise(name, arena);
    char hash[SHA256_TEXT_SIZE];

    if (name.len && name.len <= KAI_NAME_MOST && slice_equal(name, normal))
        return name;
    normal = kai_name_cut(normal);
    if (!normal.len)
        normal = SLICE("kai");
    return slice_from_text(
        arena_format(arena, "%.*s-%.*s", SLICE_ARG(normal), KAI_NAME_HASH, sha256_text(name, hash)));
}
