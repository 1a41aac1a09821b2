/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/reader.h"

#include "libgang/base/plain_run.h"

bool
reader_fail(const struct document_request *request, enum gang_code code, struct reader_mark mark,
            const struct node *inside, const char *hint, const char *message, ...)
{
    struct report_place place = {
        .document = request->document,
        .line = mark.line,
        .column = mark.column,
        .path = path_of(request->report->arena, inside),
    };

    REPORT_ADD_ARGUMENTS(request->report, code, &place, hint, message);
    return false;
}

bool
reader_report_limit(const struct document_request *request, enum gang_limit limit, uint64_t value,
                    struct reader_mark mark, const struct node *inside)
{
    return reader_fail(request, limit_table[limit].code, mark, inside, NULL,
                       "%s: %llu is more than the limit of %llu", limit_table[limit].name,
                       (unsigned long long)value,
                       (unsigned long long)limit_of(request->limits, limit));
}

bool
reader_size_ok(const struct document_request *request, struct slice text)
{
    return reader_within(request,
                         request->taker ? GANG_LIMIT_LIVE_BYTES : GANG_LIMIT_DOCUMENT_BYTES,
                         text.len, (struct reader_mark){1, 1}, NULL);
}

bool
reader_read_decimal(const struct document_request *request, struct slice token, struct node *node,
                    struct number *number)
{
    const struct reader_mark mark = {node->line, node->column};

    number_from_decimal(token, false, number);
    node->kind = (uint8_t)number->kind;
    if (number->status == NUMBER_TOO_LARGE)
        return reader_fail(request, GANG_CODE_NUMBER_PRECISION, mark, node, "quote it",
                           "the number is beyond the range of a 64-bit float");
    return number->status == NUMBER_OK ||
           reader_fail(request, GANG_CODE_NUMBER_PRECISION, mark, node,
                       "quote it or write it with fewer digits",
                       "the number has more digits than a 64-bit float keeps");
}

void
reader_items_open(struct reader_items *items, const struct document_request *request,
                  struct node *list, uint32_t depth, uint32_t nodes)
{
    if (items->list || depth != 1 || !slice_equal(node_key(list), SLICE("items")))
        return;
    items->list = list;
    items->mark = arena_mark(request->arena);
    items->nodes = nodes;
}

bool
reader_items_pass(struct reader_items *items, const struct document_request *request,
                  const struct node *container, struct node **last, uint32_t *nodes)
{
    const struct node *item = *last;
    bool goes_on;

    if (!container || container != items->list || !item || item == &items->taken)
        return true;
    *last = &items->taken;
    *nodes = items->nodes;
    goes_on = request->taker->take(request->taker, item);
    arena_rewind(request->arena, &items->mark);
    if (!arena_failed(request->arena)) /* each item has a budget of its own */
        arena_start_steps(request->arena, limit_of(request->limits, GANG_LIMIT_STEPS));
    items->list->as.first = NULL;
    items->taken = (struct node){.kind = NODE_NULL};
    return goes_on && !arena_failed(request->arena);
}

void
reader_report_empty(const struct document_request *request)
{
    reader_fail(request, GANG_CODE_EMPTY_DOCUMENT, (struct reader_mark){1, 1}, NULL, NULL,
                "the document is empty");
}

struct reader_mark
reader_mark_of(struct slice text, size_t offset)
{
    struct reader_mark mark = {1, 1};

    for (size_t i = 0; i < offset && i < text.len; i++) {
        /* CR, LF and CR LF end a line in both formats */
        if (text.data[i] == '\n' ||
            (text.data[i] == '\r' && !(i + 1 < text.len && text.data[i + 1] == '\n')))
            mark = (struct reader_mark){mark.line + 1, 1};
        else if (((unsigned char)text.data[i] & 0xC0) != 0x80)
            mark.column++;
    }
    return mark;
}

const char *
json_behind_text(const char *at, const char *end)
{
    for (at++; (at = plain_run_end(at, end)) < end && *at != '"'; at++)
        at += *at == '\\' && at + 1 < end;
    return at < end ? at + 1 : at;
}

static void
reader_report_duplicate(const struct document_request *request, const struct node *first,
                        const struct node *again)
{
    const bool is_written = report_writes(request->report, GANG_CODE_DUPLICATE_KEY);
    struct slice where = is_written ? path_of(request->report->arena, again) : SLICE("");

    find_note_at_key(request->report, again, MESSAGE_DUPLICATE_KEY_FIELD, SLICE_ARG(where),
                     first->key_line + request->lines_before, first->key_column);
}

static void
reader_check_many_keys(const struct document_request *request, const struct node *map)
{
    const void **sorted = arena_spend(request->arena, 8 * (uint64_t)map->len)
                              ? node_sort(map, node_compare_keys, NULL, request->arena)
                              : NULL;

    for (size_t i = 1, first = 0; sorted && i < map->len; i++) {
        if (slice_equal(node_key(sorted[first]), node_key(sorted[i])))
            reader_report_duplicate(request, sorted[first], sorted[i]);
        else
            first = i;
    }
}

void
reader_report_duplicates(const struct document_request *request, const struct node *map)
{
    if (map->len <= READER_FEW_KEYS) {
        for (NODE_EACH(member, map)) {
            const struct node *first = map->as.first;

            while (first != member && !slice_equal(node_key(first), node_key(member)))
                first = first->next;
            if (first != member)
                reader_report_duplicate(request, first, member);
        }
    } else {
        reader_check_many_keys(request, map);
    }
}
