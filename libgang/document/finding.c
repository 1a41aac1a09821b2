/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/document.h"

/* ---- path ---- */

/*
 * Maps whose keys are free text of the user, by the length of their name. field.Path writes these
 * keys in brackets.
 */
static const struct slice path_free_maps[][2] = {
    [6] = {SLICE_INIT("labels"), SLICE_INIT("limits")},
    [8] = {SLICE_INIT("requests"), SLICE_INIT("overhead")},
    [11] = {SLICE_INIT("annotations"), SLICE_INIT("matchLabels")},
    [12] = {SLICE_INIT("nodeSelector")},
};

static bool
path_is_free_map(const struct node *map)
{
    const struct slice key = node_key(map);

    return key.len && key.len < COUNT_OF(path_free_maps) &&
           (slice_equal(key, path_free_maps[key.len][0]) ||
            slice_equal(key, path_free_maps[key.len][1]));
}

/* The path is written backwards, from the last step to the first; `at` is the first byte so far. */
struct path_text {
    char *at;
};

static void
path_put(struct path_text *out, struct slice text)
{
    out->at -= text.len;
    slice_copy_text(out->at, text);
}

static void
path_put_bracketed(struct path_text *out, struct slice text)
{
    *--out->at = ']';
    path_put(out, text);
    *--out->at = '[';
}

/* Writes a dot before every name except the first. */
static void
path_put_name(struct path_text *out, struct slice name, bool is_first)
{
    path_put(out, name);
    if (!is_first)
        *--out->at = '.';
}

/* Returns an upper bound for the length of the path, with brackets or a dot for each step. */
static size_t
path_room(const struct node *node, struct slice child)
{
    size_t room = child.len + sizeof("[]");

    for (; node && node->parent; node = node->parent)
        room += sizeof("[]") + (node->key ? node->key_len : INTEGER_TEXT_SIZE);
    return room;
}

struct slice
path_below(struct arena *arena, const struct node *parent, struct slice child)
{
    size_t room = path_room(parent, child);
    char *data = arena_take(arena, room + 1);
    struct path_text text;

    if (!data)
        return SLICE("");
    text.at = data + room;
    *text.at = '\0';
    if (child.len && path_is_free_map(parent))
        path_put_bracketed(&text, child);
    else if (child.len)
        path_put_name(&text, child, !parent || !parent->parent);
    for (const struct node *node = parent; node && node->parent; node = node->parent) {
        char number[INTEGER_TEXT_SIZE];

        if (!node->key)
            path_put_bracketed(&text, integer_format(node->index, number));
        else if (!(node_key(node).len &&
                   ascii_all(node_key(node), ASCII_LETTER | ASCII_DIGIT | ASCII_UNDERSCORE)) ||
                 path_is_free_map(node->parent))
            path_put_bracketed(&text, node_key(node));
        else
            path_put_name(&text, node_key(node), !node->parent->parent);
    }
    return (struct slice){text.at, (size_t)(data + room - text.at)};
}

struct slice
path_of(struct arena *arena, const struct node *node)
{
    return path_below(arena, node, SLICE(""));
}

/* ---- finding ---- */

struct document_identity
finding_identity(const struct node *root)
{
    const struct node *metadata = node_member(root, SLICE("metadata"));

    return (struct document_identity){
        .kind = node_string(node_member(root, SLICE("kind"))).data,
        .namespace_ = node_string(node_member(metadata, SLICE("namespace"))).data,
        .name = node_name(metadata).data,
    };
}

static struct document_identity
finding_identity_in(struct report *report, const struct node *root)
{
    if (!root || root != report->last_root) {
        report->last_identity = finding_identity(root);
        report->last_root = root;
    }
    return report->last_identity;
}

/*
 * The document that contains the node. A node that was merged from several documents belongs to the
 * document of its type.
 */
static struct document_identity
finding_document(struct report *report, const struct node *node)
{
    const struct node *root = node;
    struct document_identity identity;

    if (!node)
        return (struct document_identity){0};
    while (root->parent)
        root = root->parent;
    identity = root == report->roots[node->document] ? finding_identity_in(report, root)
                                                     : finding_identity(root);
    return identity.kind ? identity : finding_identity_in(report, report->roots[node->document]);
}

/* Returns the path of a member; of the node itself if the member is empty. */
static struct slice
path_join(struct arena *arena, struct slice path, struct slice member)
{
    const size_t len = path.len + 1 + member.len;
    char *text = member.len ? arena_take(arena, len + 1) : NULL;

    if (!text)
        return path;
    slice_copy_text(text, path);
    text[path.len] = '.';
    slice_copy_text(text + path.len + 1, member);
    text[len] = '\0';
    return (struct slice){text, len};
}

/* Whether both were written at the same place: a merge copies a node with its place. */
static bool
finding_is_same_place(const struct node *a, const struct node *b)
{
    return a && a->index == b->index && a->parent == b->parent && a->parent;
}

static struct slice
finding_path(const struct report *report, const struct node *parent, struct slice member)
{
    for (size_t i = 0; i < report->num_paths; i++)
        if (finding_is_same_place(parent, report->paths[i].node))
            return path_join(report->arena, report->paths[i].text, member);
    return path_below(report->arena, parent, member);
}

/* The finding is marked at `node`, and its path is that of a member of `parent`. */
static struct report_place
finding_place_below(struct report *report, enum gang_code code, const struct node *node,
                    const struct node *parent, struct slice member)
{
    const bool is_kept = report_keeps(report, code);

    return (struct report_place){
        .identity = is_kept ? finding_document(report, node) : (struct document_identity){0},
        .document = node ? (enum gang_document_type)node->document : GANG_DOCUMENT_NONE,
        .line = node ? node->line : 0,
        .column = node ? node->column : 0,
        .path = report_writes(report, code) ? finding_path(report, parent, member) : SLICE(""),
    };
}

static struct report_place
finding_place(struct report *report, enum gang_code code, const struct node *node)
{
    return finding_place_below(report, code, node, node, SLICE(""));
}

enum { FINDING_LONGEST_NUMBER = 64 };

const char *
finding_value(struct quoted *out, const struct node *node)
{
    struct slice text = node_text(node);

    if (node_is(node, NODE_STRING))
        return quote(out, text);
    if (node_is(node, NODE_MAP))
        return "{...}";
    if (node_is(node, NODE_LIST))
        return "[...]";
    if (node_is_absent(node))
        return "null";
    if (text.len > FINDING_LONGEST_NUMBER)
        text.len = FINDING_LONGEST_NUMBER;
    format_into(out->text, sizeof(out->text), "%.*s", SLICE_ARG(text));
    return out->text;
}

struct finding_text {
    char text[1024];
};

/* Formats a detail. A hint that stands behind it becomes `hint`. */
LIKE_PRINTF(4, 0)
static void
finding_format(struct report *report, struct finding_text *out, const char **hint,
               const char *format, va_list arguments)
{
    size_t len = format_text(out->text, sizeof(out->text), format, arguments);
    struct slice text = {out->text, len < sizeof(out->text) ? len : sizeof(out->text) - 1};

    if (*hint == HINT_IN_MESSAGE)
        *hint = arena_copy(report->arena, slice_from_text(hint_split(&text))).data;
}

#define FORMAT_ARGUMENTS(report, out, hint, format)                                                \
    do {                                                                                           \
        va_list arguments;                                                                         \
        va_start(arguments, format);                                                               \
        finding_format(report, out, hint, format, arguments);                                      \
        va_end(arguments);                                                                         \
    } while (0)

void
find_invalid(struct report *report, const struct node *at, enum gang_code code, const char *hint,
             const char *detail, ...)
{
    struct report_place place = finding_place(report, code, at);
    struct quoted value;
    struct finding_text text;

    FORMAT_ARGUMENTS(report, &text, &hint, detail);
    report_add(report, code, &place, hint, "Invalid value: %s: %s", finding_value(&value, at),
               text.text);
}

void
find_forbidden(struct report *report, const struct node *at, enum gang_code code, const char *hint,
               const char *detail, ...)
{
    struct report_place place = finding_place(report, code, at);
    struct finding_text text;

    FORMAT_ARGUMENTS(report, &text, &hint, detail);
    report_add(report, code, &place, hint, "Forbidden: %s", text.text);
}

void
find_duplicate(struct report *report, const struct node *at, enum gang_code code, const char *hint)
{
    struct report_place place = finding_place(report, code, at);
    struct quoted value;

    report_add(report, code, &place, hint, "Duplicate value: %s", finding_value(&value, at));
}

void
find_unsupported(struct report *report, const struct node *at, enum gang_code code,
                 const char *hint, const struct slice *supported, size_t count)
{
    struct report_place place = finding_place(report, code, at);
    struct quoted value;
    const char *list = "";

    if (!report_writes(report, code))
        count = 0;
    for (size_t i = 0; i < count; i++)
        list =
            arena_format(report->arena, "%s%s%-.*s", list, i ? ", " : "", SLICE_ARG(supported[i]));
    report_add(report, code, &place, hint, "Unsupported value: %s: supported values: %s",
               finding_value(&value, at), list);
}

void
find_required(struct report *report, const struct node *parent, struct slice member,
              enum gang_code code, const char *hint, const char *detail, ...)
{
    struct report_place place = finding_place_below(report, code, parent, parent, member);
    struct finding_text text;

    FORMAT_ARGUMENTS(report, &text, &hint, detail);
    report_add(report, code, &place, hint, "Required value%s%s", text.text[0] ? ": " : "",
               text.text);
}

SELDOM void
find_missing(struct report *report, const struct node *parent, struct slice member)
{
    const bool is_of_python = parent && !parent->parent &&
                              slice_equal(member, SLICE("apiVersion")) &&
                              node_member(parent, SLICE("api_version"));

    find_required(report, parent, member, GANG_CODE_REQUIRED_FIELD,
                  is_of_python ? "pass the model, not its to_dict()" : NULL, "%s", "");
}

void
find_note(struct report *report, const struct node *at, enum gang_code code, const char *hint,
          const char *message, ...)
{
    struct report_place place = finding_place(report, code, at);

    REPORT_ADD_ARGUMENTS(report, code, &place, hint, message);
}

void
find_note_at_key(struct report *report, const struct node *at, enum gang_code code,
                 const char *hint, const char *message, ...)
{
    struct report_place place = finding_place(report, code, at);

    if (at && at->key_column) {
        place.line = at->key_line;
        place.column = at->key_column;
    }
    REPORT_ADD_ARGUMENTS(report, code, &place, hint, message);
}

/* Returns the deepest existing member on the path `members`, which is joined by dots. */
static const struct node *
finding_deepest(const struct node *parent, struct slice members)
{
    while (members.len) {
        const struct slice name = slice_before(members, '.');
        const struct node *member = node_member(parent, name);

        if (!member)
            break;
        parent = member;
        members = slice_after(members, name.len + (name.len < members.len));
    }
    return parent;
}

void
find_note_below(struct report *report, const struct node *parent, struct slice member,
                enum gang_code code, const char *hint, const char *message, ...)
{
    struct report_place place =
        finding_place_below(report, code, finding_deepest(parent, member), parent, member);

    REPORT_ADD_ARGUMENTS(report, code, &place, hint, message);
}

void
find_default(struct report *report, const struct node *map, struct slice field, const char *value)
{
    if (!node_member(map, field))
        find_note_below(report, map, field, MESSAGE_DEFAULT_APPLIED_API_SERVER, value);
}

void
find_in_document(struct report *report, enum gang_document_type document, enum gang_code code,
                 const char *hint, const char *message, ...)
{
    struct report_place place = {.document = document,
                                 .path = SLICE(""),
                                 .identity = finding_identity_in(report, report->roots[document])};

    REPORT_ADD_ARGUMENTS(report, code, &place, hint, message);
}

void
find_in_root(struct report *report, const struct node *root, enum gang_code code, const char *hint,
             const char *message, ...)
{
    struct report_place place = {.document = (enum gang_document_type)root->document,
                                 .path = SLICE(""),
                                 .identity = finding_identity(root)};

    REPORT_ADD_ARGUMENTS(report, code, &place, hint, message);
}
