/* SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>

#include "libgang/base/utf8.h"
#include "libgang/document/finding.h"
#include "libgang/kube/pod_requests.h"
#include "libgang/kube/quantity_units.h"

static enum gang_code
resource_list_code(enum quantity_result result)
{
    switch (result) {
    case QUANTITY_CAPPED:
        return GANG_CODE_QUANTITY_CAPPED;
    case QUANTITY_BAD_RANGE:
        return GANG_CODE_QUANTITY_RANGE;
    case QUANTITY_OVERFLOW:
        return GANG_CODE_QUANTITY_OVERFLOW;
    case QUANTITY_TOO_LONG:
        return GANG_CODE_QUANTITY_TOO_LONG;
    case QUANTITY_OK:
    case QUANTITY_BAD_FORMAT:
    case QUANTITY_BAD_SUFFIX:
        break;
    }
    return GANG_CODE_QUANTITY_SYNTAX;
}

static const char *
resource_list_hint(enum quantity_result result, struct slice text)
{
    switch (result) {
    case QUANTITY_CAPPED:
    case QUANTITY_OVERFLOW:
        return "write a smaller quantity";
    case QUANTITY_BAD_RANGE:
        return "write the quantity with a suffix";
    case QUANTITY_TOO_LONG:
        return "write it with fewer digits";
    case QUANTITY_OK:
    case QUANTITY_BAD_FORMAT:
    case QUANTITY_BAD_SUFFIX:
        break;
    }
    if (text.len && text.data[text.len - 1] == 'K')
        return "write k for thousands or Ki for 1024s";
    return "write a number with one of the suffixes n u m k M G T P E Ki Mi Gi Ti Pi Ei";
}

/* White space that JSON writes without an escape; Kubernetes trims the text as it stands in the JSON. */
static bool
resource_list_is_blank(uint32_t code_point)
{
    return code_point == ' ' || code_point == 0x85 || code_point == 0xA0 || code_point == 0x1680 ||
           (code_point >= 0x2000 && code_point <= 0x200A) || code_point == 0x202F || code_point == 0x205F ||
           code_point == 0x3000;
}

/* Bytes of the blank that the text starts with; 0 for none. */
static size_t
resource_list_leading_blank(struct slice text)
{
    uint32_t code_point = 0;
    size_t len = text.len ? utf8_sequence(text.data, text.data + text.len, &code_point) : 0;

    return len && resource_list_is_blank(code_point) ? len : 0;
}

static size_t
resource_list_trailing_blank(struct slice text)
{
    size_t start = text.len;
    struct slice last;

    while (start > 0 && text.len - start < 3) {
        start--;
        last = (struct slice){text.data + start, text.len - start};
        if (resource_list_leading_blank(last) == last.len)
            return last.len;
    }
    return 0;
}

/* Neither a space nor a part of a wider character: no blank starts or ends here. */
static bool
resource_list_is_dense(char c)
{
    return (unsigned char)c > ' ' && (unsigned char)c < 0x80;
}

static struct slice
resource_list_trim(struct slice text)
{
    size_t blank;

    if (text.len && resource_list_is_dense(text.data[0]) && resource_list_is_dense(text.data[text.len - 1]))
        return text;
    while ((blank = resource_list_leading_blank(text)) > 0)
        text = (struct slice){text.data + blank, text.len - blank};
    while ((blank = resource_list_trailing_blank(text)) > 0)
        text.len -= blank;
    return text;
}

/* The API server stores an integral number as an integer however it was written. */
static void
resource_list_settle_number(const struct node *value, struct quantity *quantity, struct report *report)
{
    if (quantity->nano % (quantity_nano)QUANTITY_NANOS_PER_UNIT == 0)
        *quantity = (struct quantity){.nano = quantity->nano, .format = QUANTITY_DECIMAL_SI};
    else
        find_note(report, GANG_CODE_FRACTIONAL_NUMBER, value, "write the quantity in quotes",
                  "the API server refuses the fractional number %.*s here; in quotes it takes it",
                  SLICE_ARG(node_text(value)));
}

/* False when there is no usable amount; what can be said about it is then in the report. */
static bool
resource_list_read_value(const struct node *value, struct quantity *quantity, struct report *report)
{
    struct slice text = node_is(value, NODE_STRING) ? resource_list_trim(node_text(value)) : node_text(value);
    enum quantity_result result = quantity_parse(text, quantity);

    if (result != QUANTITY_OK)
        find_invalid(report, resource_list_code(result), value, resource_list_hint(result, text), "%s",
                     quantity_problem(result));
    if (result != QUANTITY_OK && result != QUANTITY_CAPPED)
        return false;
    if (quantity->nano < 0)
        find_invalid(report, GANG_CODE_QUANTITY_NEGATIVE, value, "write zero or more",
                     "must be greater than or equal to 0");
    if (node_is(value, NODE_NUMBER))
        resource_list_settle_number(value, quantity, report);
    return true;
}

static bool
resource_list_is_amount(const struct node *value)
{
    return node_is(value, NODE_STRING) || node_is(value, NODE_INT) || node_is(value, NODE_NUMBER);
}

static int
resource_list_order(const void *left, const void *right)
{
    const struct resource *a = left;
    const struct resource *b = right;

    return slice_compare(a->name, b->name);
}

/* Whoever writes JSON in Go has the names in order already. */
static bool
resource_list_is_sorted(const struct resource_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        if (slice_compare(list->items[i - 1].name, list->items[i].name) > 0)
            return false;
    return true;
}

struct resource_list
resource_list_read(const struct node *map, struct arena *arena, struct report *report)
{
    struct resource_list list = {0};

    if (!node_is(map, NODE_MAP) || node_count(map) == 0)
        return list;
    list.items = arena_take_array(arena, node_count(map), sizeof(*list.items));
    if (!list.items)
        return list;
    list.capacity = node_count(map);
    for (NODE_EACH(member, map)) {
        struct resource *item = &list.items[list.count];

        item->name = node_key(member);
        if (resource_list_is_amount(member) && resource_list_read_value(member, &item->quantity, report))
            list.count++;
    }
    if (!resource_list_is_sorted(&list))
        qsort(list.items, list.count, sizeof(*list.items), resource_list_order);
    return list;
}
