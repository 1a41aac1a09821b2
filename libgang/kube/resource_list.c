/* SPDX-License-Identifier: Apache-2.0 */

#include <stdlib.h>

#include "libgang/document/document.h"
#include "libgang/document/reader.h"
#include "libgang/kube/names.h"
#include "libgang/kube/pod_requests.h"

/* ---- resource list ---- */

enum {
    RESOURCE_LIST_FIRST_CAPACITY = 4,
    RESOURCE_LIST_FEW = 4, /* names of most lists */
    RESOURCE_LIST_WORDS = 8,
    RESOURCE_LIST_MUCH_LONGER = 8,
};

#define RESOURCE_LIST_NO_PLACE SIZE_MAX /* the arena has failed */

/* Finds most names that are in the list: one of the first few. NULL if the name is none of them. */
static inline struct resource *
resource_list_find_first(const struct resource_list *list, struct slice name)
{
    for (size_t i = 0; i < list->count && i < RESOURCE_LIST_FEW; i++)
        if (slice_equal(list->items[i].name, name))
            return &list->items[i];
    return NULL;
}

/*
 * Returns the index of the name, or the index at which to insert it. Fast for a name behind all of
 * the list.
 */
static inline size_t
resource_list_find(const struct resource_list *list, struct slice name, bool *found)
{
    const size_t count = list->count;
    size_t low = 0;

    *found = false;
    if (!count || slice_compare(list->items[count - 1].name, name) < 0)
        return count;
    SORTED_SEARCH(low, count, middle, slice_compare(list->items[middle].name, name) < 0);
    *found = slice_equal(list->items[low].name, name);
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
    items = arena_take_array(arena, capacity, sizeof(*items));
    if (!items)
        return false;
    if (list->count)
        memcpy(items, list->items, list->count * sizeof(*items));
    list->items = items;
    list->capacity = capacity;
    return true;
}

/* Returns the index of the name and inserts it if absent; the caller must then set the amount. */
static size_t
resource_list_make_place(struct resource_list *list, struct arena *arena, struct slice name,
                         bool *found)
{
    const size_t index = resource_list_find(list, name, found);

    if (*found)
        return index;
    if (!resource_list_reserve(list, arena, list->count + 1))
        return RESOURCE_LIST_NO_PLACE;
    if (index < list->count)
        memmove(list->items + index + 1, list->items + index,
                (list->count - index) * sizeof(*list->items));
    list->count++;
    list->items[index].name = name;
    return index;
}

SELDOM bool
resource_list_equal(const struct resource_list *one, const struct resource_list *other)
{
    bool is_equal = one->count == other->count;

    for (size_t i = 0; is_equal && i < one->count; i++)
        is_equal = slice_equal(one->items[i].name, other->items[i].name) &&
                   quantity_compare(&one->items[i].quantity, &other->items[i].quantity) == 0;
    return is_equal;
}

const struct quantity *
resource_list_get(const struct resource_list *list, struct slice name)
{
    const struct resource *item = resource_list_find_first(list, name);

    if (!item && list->count > RESOURCE_LIST_FEW) {
        bool found;
        const size_t index = resource_list_find(list, name, &found);

        item = found ? &list->items[index] : NULL;
    }
    return item ? &item->quantity : NULL;
}

void
resource_list_set(struct resource_list *list, struct arena *arena, struct slice name,
                  struct quantity quantity)
{
    bool found;
    size_t index = resource_list_make_place(list, arena, name, &found);

    if (index != RESOURCE_LIST_NO_PLACE)
        list->items[index].quantity = quantity;
}

bool
resource_list_add_amount(struct resource_list *list, struct arena *arena, struct slice name,
                         const struct quantity *amount)
{
    struct resource *item = resource_list_find_first(list, name);
    bool found = true;

    if (!item) {
        size_t index = resource_list_make_place(list, arena, name, &found);

        if (index == RESOURCE_LIST_NO_PLACE)
            return true;
        item = &list->items[index];
    }
    if (found)
        return quantity_add(&item->quantity, amount);
    item->quantity = *amount;
    item->quantity.text = NO_SLICE; /* as any operation does */
    return true;
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

struct resource_list
resource_list_union(struct arena *arena, const struct resource_list *first,
                    const struct resource_list *second)
{
    const size_t capacity = first->count + second->count;
    struct resource *items = capacity ? arena_take_array(arena, capacity, sizeof(*items)) : NULL;
    size_t count = 0;
    size_t k = 0;

    if (!items)
        return (struct resource_list){0};
    for (size_t i = 0; i < first->count; i++) {
        int order = -1;

        while (k < second->count &&
               (order = slice_compare(second->items[k].name, first->items[i].name)) < 0)
            items[count++] = second->items[k++];
        k += k < second->count && order == 0;
        items[count++] = first->items[i];
    }
    while (k < second->count)
        items[count++] = second->items[k++];
    return (struct resource_list){items, count, capacity};
}

static bool
resource_list_has_all(const struct resource_list *list, const struct resource_list *other)
{
    size_t at = 0;

    for (size_t i = 0; i < other->count; i++) {
        while (at < list->count && slice_compare(list->items[at].name, other->items[i].name) < 0)
            at++;
        if (at == list->count || !slice_equal(list->items[at].name, other->items[i].name))
            return false;
    }
    return true;
}

void
resource_list_fill(struct resource_list *list, struct arena *arena,
                   const struct resource_list *from)
{
    if (!resource_list_has_all(list, from))
        *list =
            list->count ? resource_list_union(arena, list, from) : resource_list_copy(arena, from);
}

/* Combines two amounts of the same resource. False on overflow. */
typedef bool resource_list_join(struct quantity *mine, const struct quantity *other);

static bool
resource_list_merge(struct resource_list *list, struct arena *arena,
                    const struct resource_list *other, resource_list_join *join)
{
    size_t at = 0;

    if (!other->count)
        return true;
    if (other->count < list->count / RESOURCE_LIST_MUCH_LONGER) {
        /* Searches each name of a short list, instead of reading both lists completely. */
        for (size_t i = 0; i < other->count; i++) {
            bool found;
            size_t index = resource_list_make_place(list, arena, other->items[i].name, &found);

            if (index == RESOURCE_LIST_NO_PLACE)
                return true;
            if (!found)
                list->items[index] = other->items[i];
            else if (!join(&list->items[index].quantity, &other->items[i].quantity))
                return false;
        }
        return true;
    }
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
resource_list_add(struct resource_list *list, struct arena *arena,
                  const struct resource_list *other)
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
resource_list_maximum(struct resource_list *list, struct arena *arena,
                      const struct resource_list *other)
{
    resource_list_merge(list, arena, other, resource_list_take_larger);
}

void
resource_list_build(const struct resource_list *list, struct builder *map)
{
    for (size_t i = 0; i < list->count; i++) {
        const struct resource *item = &list->items[i];

        build_string(map, item->name, quantity_text(&item->quantity, map->arena));
    }
}

const char *
resource_list_in_words(const struct resource_list *list, struct arena *arena)
{
    const char *words = "";
    size_t shown = list->count < RESOURCE_LIST_WORDS ? list->count : RESOURCE_LIST_WORDS;

    for (size_t i = 0; i < shown; i++) {
        const struct slice amount = quantity_text(&list->items[i].quantity, arena);

        words = arena_format(arena, "%s%s%.*s %.*s", words, i ? ", " : "",
                             SLICE_ARG(list->items[i].name), SLICE_ARG(amount));
    }
    if (shown < list->count)
        return arena_format(arena, "%s and %zu more", words, list->count - shown);
    return list->count ? words : "nothing";
}

void
resource_list_forget_texts(struct resource_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        list->items[i].quantity.text = NO_SLICE;
}

/* ---- resource list read ---- */

static const struct {
    enum gang_code code;
    const char *hint; /* NULL: which suffixes there are */
} resource_list_problems[] = {
    [QUANTITY_CAPPED] = {GANG_CODE_QUANTITY_CAPPED, "write a smaller quantity"},
    [QUANTITY_BAD_FORMAT] = {GANG_CODE_QUANTITY_SYNTAX, NULL},
    [QUANTITY_BAD_SUFFIX] = {GANG_CODE_QUANTITY_SYNTAX, NULL},
    [QUANTITY_BAD_RANGE] = {GANG_CODE_QUANTITY_RANGE, "write the quantity with a suffix"},
    [QUANTITY_OVERFLOW] = {GANG_CODE_QUANTITY_OVERFLOW, "write a smaller quantity"},
    [QUANTITY_TOO_LONG] = {GANG_CODE_QUANTITY_TOO_LONG, "write it with fewer digits"},
};

/* Returns the length in bytes of the leading white space character; 0 if there is none. */
static size_t
resource_list_leading_blank(struct slice text)
{
    uint32_t code_point = 0;
    size_t len = text.len ? utf8_sequence(text.data, text.data + text.len, &code_point) : 0;

    /* White space that JSON does not escape. Kubernetes trims the text in its JSON form. */
    return len && (code_point == ' ' || code_point == 0x85 || code_point == 0xA0 ||
                   code_point == 0x1680 || (code_point >= 0x2000 && code_point <= 0x200A) ||
                   code_point == 0x202F || code_point == 0x205F || code_point == 0x3000)
               ? len
               : 0;
}

static size_t
resource_list_trailing_blank(struct slice text)
{
    size_t start = text.len;
    struct slice last;

    while (start > 0 && text.len - start < 3) {
        start--;
        last = slice_after(text, start);
        if (resource_list_leading_blank(last) == last.len)
            return last.len;
    }
    return 0;
}

/* Whether the byte can neither start nor end a white space character. */
static bool
resource_list_is_dense(char c)
{
    return (unsigned char)c > ' ' && (unsigned char)c < 0x80;
}

static struct slice
resource_list_trim(struct slice text)
{
    size_t blank;

    if (text.len && resource_list_is_dense(text.data[0]) &&
        resource_list_is_dense(text.data[text.len - 1]))
        return text;
    while ((blank = resource_list_leading_blank(text)) > 0)
        text = slice_after(text, blank);
    while ((blank = resource_list_trailing_blank(text)) > 0)
        text.len -= blank;
    return text;
}

bool
resource_amount_read(const struct node *value, struct quantity *quantity, struct report *report)
{
    struct slice text =
        node_is(value, NODE_STRING) ? resource_list_trim(node_text(value)) : node_text(value);
    enum quantity_result result = quantity_parse(text, quantity);

    if (result == QUANTITY_OVERFLOW && slice_has_prefix(text, SLICE("-"))) {
        find_invalid(report, value, MESSAGE_QUANTITY_NEGATIVE);
    } else if (result != QUANTITY_OK) {
        const char *hint = resource_list_problems[result].hint;

        if (!hint && slice_has_suffix(text, SLICE("K")))
            hint = "write k for thousands or Ki for 1024s";
        else if (!hint)
            hint = "write a number with one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei";
        find_invalid(report, value, resource_list_problems[result].code, hint, "%s",
                     quantity_problem(result));
    }
    if (result != QUANTITY_OK && result != QUANTITY_CAPPED)
        return false;
    if (quantity->units < 0)
        find_invalid(report, value, MESSAGE_QUANTITY_NEGATIVE);
    /* the API server stores an integral number as an integer, in whatever form it was written */
    if (node_is(value, NODE_NUMBER)) {
        if (quantity->nanos == 0)
            *quantity = (struct quantity){.units = quantity->units, .format = QUANTITY_DECIMAL_SI};
        else if (!report->built_in)
            find_invalid(report, value, MESSAGE_FRACTIONAL_NUMBER);
        else if (!number_is_exact(text)) /* the nearest float64 is another amount */
            find_invalid(report, value, GANG_CODE_QUANTITY_TOO_LONG, "quote it",
                         "has more digits than a 64-bit float keeps");
    }
    return true;
}

/*
 * Kubernetes decodes null as zero, except in a CRD, where the API server removes it. Source:
 * kubernetes/apimachinery:pkg/api/resource/quantity.go UnmarshalJSON@v0.36.2
 */
static bool
resource_amount_is_null(const struct node *value, struct quantity *quantity,
                        const struct report *report)
{
    *quantity = (struct quantity){.format = QUANTITY_DECIMAL_SI};
    return report->built_in && node_is(value, NODE_NULL);
}

SELDOM static int
resource_list_order(const void *left, const void *right)
{
    const struct resource *a = left;
    const struct resource *b = right;

    return slice_compare(a->name, b->name);
}

/* Go's encoder for JSON sorts keys, so the names are usually sorted already. */
static bool
resource_list_is_sorted(const struct resource_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (slice_compare(list->items[i - 1].name, list->items[i].name) > 0)
            return false;
    return true;
}

struct resource_list
resource_list_read(const struct node *map, struct report *report)
{
    struct resource_list list = {0};

    if (!node_is(map, NODE_MAP) || node_count(map) == 0)
        return list;
    list.items = arena_take_array(report->arena, node_count(map), sizeof(*list.items));
    if (!list.items)
        return list;
    list.capacity = node_count(map);
    for (NODE_EACH(member, map)) {
        struct resource *item = &list.items[list.count];

        item->name = node_key(member);
        /* nearly all names are valid at a glance, which costs a tenth of the check */
        if (!(slice_equal(item->name, SLICE("cpu")) || slice_equal(item->name, SLICE("memory")) ||
              slice_equal(item->name, SLICE("nvidia.com/gpu"))))
            name_check_key(member, NAME_QUALIFIED, GANG_CODE_INVALID_NAME, NULL, report);
        /* nearly all amounts are texts without white space at the ends, and not negative */
        if ((node_is(member, NODE_STRING) &&
             quantity_parse(node_text(member), &item->quantity) == QUANTITY_OK &&
             item->quantity.units >= 0) ||
            resource_amount_is_null(member, &item->quantity, report) ||
            ((node_is(member, NODE_STRING) || node_is(member, NODE_INT) ||
              node_is(member, NODE_NUMBER)) &&
             resource_amount_read(member, &item->quantity, report)))
            list.count++;
    }
    if (!resource_list_is_sorted(&list))
        qsort(list.items, list.count, sizeof(*list.items), resource_list_order);
    return list;
}
