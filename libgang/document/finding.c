/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/finding.h"

#include <stdio.h>

#include "libgang/base/quote.h"
#include "libgang/document/path.h"

static struct report_place
finding_place(struct report *report, const struct node *node)
{
    return (struct report_place){
        .document = node ? (enum gang_document)node->document : GANG_DOCUMENT_NONE,
        .line = node ? node->line : 0,
        .column = node ? node->column : 0,
        .path = path_of(report->arena, node),
    };
}

enum { FINDING_LONGEST_NUMBER = 64 };

static int
finding_shown_length(const struct node *number)
{
    return number->len < FINDING_LONGEST_NUMBER ? (int)number->len : FINDING_LONGEST_NUMBER;
}

const char *
finding_value(struct finding_value *out, const struct node *node)
{
    struct quoted quoted;

    if (node_is(node, NODE_STRING))
        snprintf(out->text, sizeof(out->text), "%s", quote(&quoted, node_text(node)));
    else if (node_is(node, NODE_MAP))
        snprintf(out->text, sizeof(out->text), "{...}");
    else if (node_is(node, NODE_LIST))
        snprintf(out->text, sizeof(out->text), "[...]");
    else if (node_is_absent(node))
        snprintf(out->text, sizeof(out->text), "null");
    else
        snprintf(out->text, sizeof(out->text), "%.*s", finding_shown_length(node), node_text(node).data);
    return out->text;
}

struct finding_text {
    char text[512];
};

LIKE_PRINTF(2, 0)
static const char *
finding_format(struct finding_text *out, const char *format, va_list arguments)
{
    format_text(out->text, sizeof(out->text), format, arguments);
    return out->text;
}

#define FORMAT_ARGUMENTS(out, format)                                                                        \
    do {                                                                                                     \
        va_list arguments;                                                                                   \
        va_start(arguments, format);                                                                         \
        finding_format(out, format, arguments);                                                              \
        va_end(arguments);                                                                                   \
    } while (0)

void
find_invalid(struct report *report, enum gang_code code, const struct node *at, const char *hint,
             const char *detail, ...)
{
    struct report_place place = finding_place(report, at);
    struct finding_value value;
    struct finding_text text;

    FORMAT_ARGUMENTS(&text, detail);
    report_add(report, code, &place, hint, "Invalid value: %s: %s", finding_value(&value, at), text.text);
}

void
find_forbidden(struct report *report, enum gang_code code, const struct node *at, const char *hint,
               const char *detail, ...)
{
    struct report_place place = finding_place(report, at);
    struct finding_text text;

    FORMAT_ARGUMENTS(&text, detail);
    report_add(report, code, &place, hint, "Forbidden: %s", text.text);
}

void
find_duplicate(struct report *report, enum gang_code code, const struct node *at, const char *hint)
{
    struct report_place place = finding_place(report, at);
    struct finding_value value;

    report_add(report, code, &place, hint, "Duplicate value: %s", finding_value(&value, at));
}

void
find_unsupported(struct report *report, enum gang_code code, const struct node *at, const char *hint,
                 const struct slice *supported, size_t count)
{
    struct report_place place = finding_place(report, at);
    struct finding_value value;
    const char *list = "";
    struct quoted quoted;

    for (size_t i = 0; i < count; i++)
        list = arena_format(report->arena, "%s%s%s", list, i ? ", " : "", quote(&quoted, supported[i]));
    report_add(report, code, &place, hint, "Unsupported value: %s: supported values: %s",
               finding_value(&value, at), list);
}

void
find_required(struct report *report, enum gang_code code, const struct node *parent, struct slice member,
              const char *hint, const char *detail, ...)
{
    struct report_place place = finding_place(report, parent);
    struct finding_text text;

    place.path = path_below(report->arena, parent, member);
    FORMAT_ARGUMENTS(&text, detail);
    report_add(report, code, &place, hint, "Required value%s%s", text.text[0] ? ": " : "", text.text);
}

void
find_note(struct report *report, enum gang_code code, const struct node *at, const char *hint,
          const char *message, ...)
{
    struct report_place place = finding_place(report, at);
    va_list arguments;

    va_start(arguments, message);
    report_add_list(report, code, &place, hint, message, arguments);
    va_end(arguments);
}

void
find_note_at_key(struct report *report, enum gang_code code, const struct node *at, const char *hint,
                 const char *message, ...)
{
    struct report_place place = finding_place(report, at);
    va_list arguments;

    if (at && at->key_line) {
        place.line = at->key_line;
        place.column = at->key_column;
    }
    va_start(arguments, message);
    report_add_list(report, code, &place, hint, message, arguments);
    va_end(arguments);
}

/* Of `members`, joined by dots, as far as they are there. */
static const struct node *
finding_deepest(const struct node *parent, struct slice members)
{
    while (members.len) {
        const char *dot = memchr(members.data, '.', members.len);
        size_t len = dot ? (size_t)(dot - members.data) : members.len;
        const struct node *member = node_member(parent, (struct slice){members.data, len});

        if (!member)
            break;
        parent = member;
        len += dot != NULL;
        members = (struct slice){members.data + len, members.len - len};
    }
    return parent;
}

void
find_note_below(struct report *report, enum gang_code code, const struct node *parent, struct slice member,
                const char *hint, const char *message, ...)
{
    struct report_place place = finding_place(report, finding_deepest(parent, member));
    va_list arguments;

    place.path = path_below(report->arena, parent, member);
    va_start(arguments, message);
    report_add_list(report, code, &place, hint, message, arguments);
    va_end(arguments);
}

void
find_in_document(struct report *report, enum gang_code code, enum gang_document document, const char *hint,
                 const char *message, ...)
{
    struct report_place place = {.document = document, .path = SLICE("")};
    va_list arguments;

    va_start(arguments, message);
    report_add_list(report, code, &place, hint, message, arguments);
    va_end(arguments);
}
