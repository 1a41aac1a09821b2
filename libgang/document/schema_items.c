/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/schema_items.h"

#include "libgang/base/stable_sort.h"
#include "libgang/document/finding.h"

/* Up to here comparing each item with each other one is cheaper than sorting. */
enum { ITEMS_FEW = 8 };

/* The text between the quotes of a JSON text, or the text itself. */
static struct slice
items_unquote(const char *json)
{
    struct slice text = slice_from_text(json);

    if (text.len >= 2 && text.data[0] == '"')
        return (struct slice){text.data + 1, text.len - 2};
    return text;
}

static struct slice
items_key(const struct schema *item_schema, const struct node *item, const char *name)
{
    struct slice key = slice_from_text(name);
    struct slice text = node_text(node_member(item, key));
    const struct schema_field *field;

    if (slice_is_set(text))
        return text;
    field = schema_find_field(item_schema, key);
    return field && field->schema->default_text ? items_unquote(field->schema->default_text) : NO_SLICE;
}

/* Compares the identities of two items of the list schema in `context`. */
static int
items_compare(const void *a, const void *b, const void *context)
{
    const struct schema *schema = context;

    if (!schema->keys)
        return slice_compare(node_text(a), node_text(b));
    for (const char *const *name = schema->keys; *name; name++) {
        int order = slice_compare(items_key(schema->values, a, *name), items_key(schema->values, b, *name));

        if (order)
            return order;
    }
    return 0;
}

/* An item of the right type that has all of its keys. */
static bool
items_is_identified(const struct schema *schema, const struct node *item)
{
    if (!schema->keys)
        return slice_is_set(node_text(item));
    for (const char *const *name = schema->keys; *name; name++)
        if (!slice_is_set(items_key(schema->values, item, *name)))
            return false;
    return true;
}

/* Marked at the item's first key, which is what the user has to change. */
static void
items_find_duplicate(const struct schema *schema, const struct node *item, struct report *report)
{
    const struct node *key = schema->keys ? node_member(item, slice_from_text(schema->keys[0])) : NULL;

    find_duplicate(report, GANG_CODE_DUPLICATE_ITEM, key ? key : item, NULL);
}

static void
items_check_few(const struct schema *schema, const struct node *list, struct report *report)
{
    for (NODE_EACH(item, list)) {
        if (!items_is_identified(schema, item))
            continue;
        for (NODE_EACH(earlier, list)) {
            if (earlier == item)
                break;
            if (items_is_identified(schema, earlier) && items_compare(earlier, item, schema) == 0) {
                items_find_duplicate(schema, item, report);
                break;
            }
        }
    }
}

static void
items_check_many(const struct schema *schema, const struct node *list, struct report *report)
{
    const void **items = arena_array(report->arena, list->len, sizeof(*items));
    const void **scratch = arena_array(report->arena, list->len, sizeof(*scratch));
    size_t count = 0;

    if (!items || !scratch)
        return;
    for (NODE_EACH(item, list))
        if (items_is_identified(schema, item))
            items[count++] = item;
    stable_sort(items, scratch, count, items_compare, schema);
    for (size_t i = 1; i < count; i++)
        if (items_compare(items[i - 1], items[i], schema) == 0)
            items_find_duplicate(schema, items[i], report);
}

void
schema_check_unique(const struct schema *schema, const struct node *list, struct report *report)
{
    if (list->len <= ITEMS_FEW)
        items_check_few(schema, list, report);
    else
        items_check_many(schema, list, report);
}
