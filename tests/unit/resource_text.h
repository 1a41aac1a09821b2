/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_UNIT_RESOURCE_TEXT_H
#define TESTS_UNIT_RESOURCE_TEXT_H

#include <stdio.h>

#include "libgang/kube/quantity.h"
#include "unit/suite.h"

/* Resource lists in a short form: "cpu=1,memory=2Gi". */

/* The next piece of `*rest` up to one of the separators, which is left behind; unset at the end. */
static inline struct slice
text_cut(struct slice *rest, char separator)
{
    const char *end = rest->len ? memchr(rest->data, separator, rest->len) : NULL;
    struct slice piece = {rest->data, end ? (size_t)(end - rest->data) : rest->len};

    if (!rest->len)
        return NO_SLICE;
    rest->data += piece.len + (end != NULL);
    rest->len -= piece.len + (end != NULL);
    return piece;
}

/* Adds the amounts as strings to a map; returns how many there were. */
static inline void
text_build_resources(struct builder *map, struct slice text)
{
    struct slice item;

    while (slice_is_set(item = text_cut(&text, ','))) {
        struct slice name = text_cut(&item, '=');

        build_string(map, name, item);
    }
}

static inline struct resource_list
resources_from(struct arena *arena, const char *text)
{
    struct slice rest = slice_from_text(text);
    struct resource_list list = {0};
    struct slice item;

    while (slice_is_set(item = text_cut(&rest, ','))) {
        struct slice name = text_cut(&item, '=');
        struct quantity quantity;

        ck_assert_int_le(quantity_parse(item, &quantity), QUANTITY_CAPPED);
        resource_list_set(&list, arena, name, quantity);
    }
    return list;
}

static inline bool
resources_multiply(struct resource_list *list, int64_t factor)
{
    bool fits = true;

    for (size_t i = 0; fits && i < list->count; i++)
        fits = quantity_multiply(&list->items[i].quantity, factor);
    return fits;
}

struct resources_text {
    char text[512];
};

static inline const char *
resources_print(struct resources_text *out, const struct resource_list *list)
{
    size_t len = 0;

    out->text[0] = '\0';
    for (size_t i = 0; i < list->count; i++) {
        char text[QUANTITY_TEXT_SIZE];
        struct slice printed = quantity_print(&list->items[i].quantity, text);

        len += (size_t)snprintf(out->text + len, sizeof(out->text) - len, "%s%.*s=%.*s",
                                i ? "," : "", SLICE_ARG(list->items[i].name), SLICE_ARG(printed));
        ck_assert_uint_lt(len, sizeof(out->text));
    }
    return out->text;
}

#endif
