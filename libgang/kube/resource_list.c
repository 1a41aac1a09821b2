/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/resource_list.h"

enum { RESOURCE_LIST_FIRST_CAPACITY = 4 };

/* Index of the name, or where it belongs. */
static size_t
resource_list_find(const struct resource_list *list, struct slice name, bool *found)
{
    size_t low = 0;
    size_t high = list->count;

    *found = false;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = slice_compare(list->items[middle].name, name);

        if (order == 0) {
            *found = true;
            return middle;
        }
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool
resource_list_reserve(struct resource_list *list, struct arena *arena, size_t count)
{
    size_t capacity = list->capacity ? list->capacity : RESOURCE_LIST_FIRST_CAPACITY;
    struct resource *items;

    if (count <= list->capacity)
        return true;
    while (capacity < count)
        capacity *= 2;
    items = arena_grow(arena, list->items, list->count, capacity, sizeof(*items));
    if (!items)
        return false;
    list->items = items;
    list->capacity = capacity;
    return true;
}

const struct quantity *
resource_list_get(const struct resource_list *list, struct slice name)
{
    bool found;
    size_t index = resource_list_find(list, name, &found);

    return found ? &list->items[index].quantity : NULL;
}

void
resource_list_set(struct resource_list *list, struct arena *arena, struct slice name,
                  struct quantity quantity)
{
    bool found;
    size_t index = resource_list_find(list, name, &found);

    if (!found) {
        if (!resource_list_reserve(list, arena, list->count + 1))
            return;
        memmove(list->items + index + 1, list->items + index, (list->count - index) * sizeof(*list->items));
        list->count++;
    }
    list->items[index] = (struct resource){name, quantity};
}

struct resource_list
resource_list_copy(struct arena *arena, const struct resource_list *source)
{
    struct resource_list copy = {0};

    if (source->count == 0 || !resource_list_reserve(&copy, arena, source->count))
        return (struct resource_list){0};
    memcpy(copy.items, source->items, source->count * sizeof(*copy.items));
    copy.count = source->count;
    return copy;
}

static size_t
resource_list_count_missing(const struct resource_list *list, const struct resource_list *other)
{
    size_t missing = 0;
    size_t at = 0;

    for (size_t i = 0; i < other->count; i++) {
        while (at < list->count && slice_compare(list->items[at].name, other->items[i].name) < 0)
            at++;
        missing += at == list->count || !slice_equal(list->items[at].name, other->items[i].name);
    }
    return missing;
}

/* Copies what `list` lacks, from the back, so that each item moves once however long the lists are. */
void
resource_list_fill(struct resource_list *list, struct arena *arena, const struct resource_list *from)
{
    const size_t missing = resource_list_count_missing(list, from);
    size_t kept = list->count;
    size_t taken = from->count;
    size_t end = list->count + missing;

    if (!missing || !resource_list_reserve(list, arena, end))
        return;
    list->count = end;
    while (taken > 0) {
        const struct resource *other = &from->items[taken - 1];
        int order = kept ? slice_compare(list->items[kept - 1].name, other->name) : -1;

        if (order >= 0)
            list->items[--end] = list->items[--kept];
        else
            list->items[--end] = *other;
        taken -= order <= 0;
    }
}

/* What to do with the amount that both lists have. False on overflow. */
typedef bool resource_list_join(struct quantity *mine, const struct quantity *other);

static bool
resource_list_merge(struct resource_list *list, struct arena *arena, const struct resource_list *other,
                    resource_list_join *join)
{
    size_t at = 0;

    for (size_t i = 0; i < other->count; i++) {
        while (at < list->count && slice_compare(list->items[at].name, other->items[i].name) < 0)
            at++;
        if (at == list->count)
            break;
        if (slice_equal(list->items[at].name, other->items[i].name) &&
            !join(&list->items[at].quantity, &other->items[i].quantity))
            return false;
    }
    resource_list_fill(list, arena, other);
    return true;
}

bool
resource_list_add(struct resource_list *list, struct arena *arena, const struct resource_list *other)
{
    return resource_list_merge(list, arena, other, quantity_add);
}

static bool
resource_list_take_larger(struct quantity *mine, const struct quantity *other)
{
    if (quantity_compare(other, mine) > 0)
        *mine = *other;
    return true;
}

void
resource_list_maximum(struct resource_list *list, struct arena *arena, const struct resource_list *other)
{
    resource_list_merge(list, arena, other, resource_list_take_larger);
}

bool
resource_list_multiply(struct resource_list *list, int64_t factor)
{
    for (size_t i = 0; i < list->count; i++)
        if (!quantity_multiply(&list->items[i].quantity, factor))
            return false;
    return true;
}

void
resource_list_build(const struct resource_list *list, struct builder *map)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct resource *item = &list->items[i];
        char text[QUANTITY_TEXT_SIZE];
        struct slice printed = quantity_print(&item->quantity, text);

        if (!slice_is_set(item->quantity.text))
            printed = arena_copy(map->arena, printed);
        build_string(map, item->name, printed);
    }
}

void
resource_list_forget_texts(struct resource_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        list->items[i].quantity.text = NO_SLICE;
}
