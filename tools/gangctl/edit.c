/* SPDX-License-Identifier: Apache-2.0 */
#include "edit.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "jobs.h"

/* What surrounds a value. */
struct surround {
    size_t after;  /* the end of its colon or dash */
    size_t indent; /* of the keys or dashes around it */
    bool is_flow;
    bool is_item;
};

/* ---- printing values ---- */

/* Whether no reader of YAML takes the text for something else than itself. */
static bool
is_plain(const char *text)
{
    static const char *const words[] = {"y",   "n",    "yes",   "no",  "on",
                                        "off", "true", "false", "null"};

    for (size_t i = 0; i < COUNT_OF(words); i++)
        if (strcasecmp(text, words[i]) == 0)
            return false;
    return ascii_is(*text, ASCII_LETTER) &&
           ascii_all(slice_from_text(text), ASCII_LETTER | ASCII_DIGIT | ASCII_UNDERSCORE |
                                                ASCII_DOT | ASCII_SLASH | ASCII_DASH);
}

/* Whether the text is the same in single quotes. */
static bool
is_single_quotable(const char *text)
{
    while (*text >= ' ' && *text < 0x7f && *text != '\'')
        text++;
    return !*text;
}

static void
add_scalar(const struct editor *editor, struct text *out, struct json_object *value, char quote)
{
    const bool is_text = json_object_is_type(value, json_type_string);
    const char *text = is_text ? json_object_get_string(value) : NULL;

    if (is_text && !editor->is_json && !quote && is_plain(text))
        text_add(out, text);
    else if (is_text && !editor->is_json && quote == '\'' && is_single_quotable(text))
        text_addf(out, "'%s'", text);
    else
        tree_add_json(out, value, JSON_C_TO_STRING_PLAIN);
}

static void
add_key(const struct editor *editor, struct text *out, const char *key)
{
    struct json_object *text = tree_new_text(key, strlen(key));

    add_scalar(editor, out, text, '\0');
    text_add(out, ":");
    json_object_put(text);
}

/* Whether a value is written behind its key, or in a flow. */
static bool
is_inline(struct json_object *value)
{
    return json_object_is_type(value, json_type_object) ? !json_object_object_length(value)
                                                        : !tree_length(value);
}

static void
add_flow(const struct editor *editor, struct text *out, struct json_object *value)
{
    const char *before = "";

    if (json_object_is_type(value, json_type_object)) {
        text_add(out, "{");
        json_object_object_foreach(value, key, member)
        {
            text_add(out, before);
            add_key(editor, out, key);
            text_add(out, " ");
            add_flow(editor, out, member);
            before = ", ";
        }
        text_add(out, "}");
    } else if (json_object_is_type(value, json_type_array)) {
        text_add(out, "[");
        for (size_t i = 0; i < tree_length(value); i++, before = ", ") {
            text_add(out, before);
            add_flow(editor, out, json_object_array_get_idx(value, i));
        }
        text_add(out, "]");
    } else {
        add_scalar(editor, out, value, '\0');
    }
}

static void add_block(const struct editor *editor, struct text *out, struct json_object *value,
                      size_t indent);

/* Adds lines for a key and its value. */
static void
add_member(const struct editor *editor, struct text *out, const char *key,
           struct json_object *value, size_t indent)
{
    const bool is_list = json_object_is_type(value, json_type_array);

    text_addf(out, "%*s", (int)indent, "");
    add_key(editor, out, key);
    if (is_inline(value)) {
        text_add(out, " ");
        add_flow(editor, out, value);
        text_add(out, editor->end_of_line);
    } else {
        text_add(out, editor->end_of_line);
        add_block(editor, out, value, indent + (is_list && !editor->lists_step ? 0 : editor->step));
    }
}

/* The item is written behind the place of its dash, which then replaces a blank. */
static void
add_item(const struct editor *editor, struct text *out, struct json_object *value, size_t indent)
{
    const size_t start = out->len;

    if (is_inline(value)) {
        text_addf(out, "%*s", (int)indent + 2, "");
        add_flow(editor, out, value);
        text_add(out, editor->end_of_line);
    } else {
        add_block(editor, out, value, indent + 2);
    }
    out->data[start + indent] = '-';
}

/* Adds the lines of a map or list that is not empty. */
static void
add_block(const struct editor *editor, struct text *out, struct json_object *value, size_t indent)
{
    if (json_object_is_type(value, json_type_object)) {
        json_object_object_foreach(value, key, member)
        {
            add_member(editor, out, key, member, indent);
        }
        return;
    }
    for (TREE_EACH(item, value))
        add_item(editor, out, *item, indent);
}

/* ---- changes ---- */

/* Takes over the text. */
static void
add_change(struct editor *editor, size_t start, size_t end, struct text text)
{
    APPEND(editor->changes, editor->num_changes,
           (struct replacement){start, end, editor->num_changes, text});
}

static int
compare_changes(const void *left, const void *right)
{
    const struct replacement *a = left;
    const struct replacement *b = right;

    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return a->order < b->order ? -1 : 1;
}

static void
apply_changes(struct editor *editor, struct text *out)
{
    size_t at = 0;

    if (editor->num_changes)
        qsort(editor->changes, editor->num_changes, sizeof(*editor->changes), compare_changes);
    for (EACH(const struct replacement, change, editor->changes, editor->num_changes)) {
        if (change->start > at)
            text_add_bytes(out, editor->data + at, change->start - at);
        if (change->text.len)
            text_add_bytes(out, change->text.data, change->text.len);
        at = change->end > at ? change->end : at;
    }
    text_add_bytes(out, editor->data + at, editor->len - at);
}

/* Inserts lines behind a value. The last line of the text may have no end. */
static void
insert_lines(struct editor *editor, size_t behind, struct text lines)
{
    const size_t at = behind_line(editor, behind);
    struct text text = {0};

    if (!at || editor->data[at - 1] == '\n') {
        add_change(editor, at, at, lines);
        return;
    }
    text_add(&text, editor->end_of_line);
    text_add_bytes(&text, lines.data, lines.len - strlen(editor->end_of_line));
    add_change(editor, at, at, text);
}

/* The values of aliases must not change with the value that has their anchor. */
static void
mark_changed(struct editor *editor, struct site *site)
{
    site->is_changed = true;
    editor->any_changed |= site->anchor != NULL;
    for (size_t i = 0; i < site->count; i++)
        mark_changed(editor, site->children[i]);
}

/* Replaces a value by a map or list in block style. Returns the place of the first byte. */
static size_t
add_block_value(const struct editor *editor, struct text *out, const struct site *site,
                struct json_object *value, const struct surround *around)
{
    const bool is_list = json_object_is_type(value, json_type_array);
    const size_t step = is_list && !editor->lists_step ? 0 : editor->step;
    const size_t indent = column_of(editor, site->start);
    struct text *lines = text_new();

    if (!around->is_item) {
        text_add(out, editor->end_of_line);
        add_block(editor, out, value, around->indent + step);
        return has_only_blanks(editor, around->after, site->start) ? around->after : site->start;
    }
    add_block(editor, lines, value, indent);
    text_add_bytes(out, lines->data + indent, lines->len - indent);
    return site->start;
}

static size_t
add_flow_value(const struct editor *editor, struct text *out, const struct site *site,
               struct json_object *value, const struct surround *around)
{
    const bool is_map = json_object_is_type(value, json_type_object);
    const bool is_scalar = !is_map && !json_object_is_type(value, json_type_array);
    const size_t after = around->after;
    const bool below = /* on a line below its colon or dash */
        site->start > after && has_only_blanks(editor, after, site->start) &&
        memchr(editor->data + after, '\n', site->start - after);

    if (below || (site->start == after && !editor->is_json))
        text_add(out, " ");
    if (is_scalar)
        add_scalar(editor, out, value, site->quote);
    else
        add_flow(editor, out, value);
    return below ? after : site->start;
}

static void
replace_value(struct editor *editor, struct site *site, struct json_object *value,
              const struct surround *around)
{
    const bool is_block = !around->is_flow && !is_inline(value);
    const bool ends_line = site->end > site->start && editor->data[site->end - 1] == '\n';
    struct text text = {0};
    size_t start;

    mark_changed(editor, site);
    editor->has_printed |=
        site->count > 0 || ((site->kind == SITE_MAP || site->kind == SITE_LIST) &&
                            memchr(editor->data + site->start, '#', site->end - site->start));
    if (is_block)
        start = add_block_value(editor, &text, site, value, around);
    else
        start = add_flow_value(editor, &text, site, value, around);
    if (is_block && !ends_line)
        text.len -= strlen(editor->end_of_line);
    else if (!is_block && ends_line)
        text_add(&text, editor->end_of_line);
    add_change(editor, start, site->end, text);
}

/* Adds what separates a new member or item from the one before it: lines of their own, or none. */
static void
add_comma(const struct editor *editor, struct text *out, size_t before)
{
    text_add(out, ",");
    if (starts_line(editor, before)) {
        const size_t line = start_of_line(editor, before);

        text_add(out, line ? editor->end_of_line : "");
        text_add_bytes(out, editor->data + line, before - line);
    } else {
        text_add(out, " ");
    }
}

/* Inserts a member behind the last one, or with `key` NULL an item behind another one. */
static void
insert_part(struct editor *editor, const struct site *site, size_t behind, const char *key,
            struct json_object *value)
{
    const size_t end = site->children[behind]->end;
    struct text text = {0};

    if (!site->is_flow) {
        if (key)
            add_member(editor, &text, key, value, column_of(editor, site->children[0]->start));
        else
            add_item(editor, &text, value, column_of(editor, dash_before(editor, site, 0)));
        insert_lines(editor, end, text);
        return;
    }
    add_comma(editor, &text, site->children[behind - (key != NULL)]->start);
    if (key) {
        add_key(editor, &text, key);
        text_add(&text, " ");
    }
    add_flow(editor, &text, value);
    add_change(editor, end, end, text);
}

/*
 * Removes a member or item that starts at `start` and is not the only one. `before` is the end of
 * the one before it and `next` the start of the next one, or 0.
 */
static void
remove_part(struct editor *editor, bool is_flow, size_t start, size_t end, size_t before,
            size_t next)
{
    size_t line_end = behind_line(editor, end);

    if (is_flow) {
        add_change(editor, before ? before : start, before ? end : next, (struct text){0});
    } else if (starts_line(editor, start)) {
        add_change(editor, start_of_line(editor, start), line_end, (struct text){0});
    } else {
        /* behind a dash */
        if (next && has_only_blanks(editor, end, next))
            line_end = next;
        else if (line_end > end)
            line_end -= strlen(editor->end_of_line);
        add_change(editor, start, line_end, (struct text){0});
    }
}

/* ---- comparing ---- */

static void edit_value(struct editor *editor, struct site *site, struct json_object *old,
                       struct json_object *wanted, const struct surround *around);

/* Whether what a map merges has changed. */
static bool
merges_changed(const struct site *value)
{
    if (value->kind == SITE_ALIAS)
        return value->anchored && value->anchored->is_changed;
    for (size_t i = 0; i < value->count; i++)
        if (merges_changed(value->children[i]))
            return true;
    return value->is_changed;
}

/* Whether the map cannot be changed in place: a member that comes from a merge key is removed. */
static bool
is_bound(const struct site *map, struct json_object *old, struct json_object *wanted)
{
    const size_t merge = site_find(map, "<<");

    if (merge && merges_changed(map->children[merge]))
        return true;
    json_object_object_foreach(old, key, value)
    {
        (void)value;
        if (!site_find(map, key) && !json_object_object_get_ex(wanted, key, NULL))
            return true;
    }
    return false;
}

static void
edit_members(struct editor *editor, struct site *map, struct json_object *old,
             struct json_object *wanted)
{
    const size_t indent = map->is_flow ? 0 : column_of(editor, map->children[0]->start);

    for (size_t i = 0; i < map->count; i += 2) {
        struct site *key = map->children[i];
        struct site *value = map->children[i + 1];
        const size_t colon = skip_to_token(editor, key->end);
        const struct surround around = {colon + 1, indent, map->is_flow, false};
        struct json_object *then;

        if (key->kind != SITE_SCALAR || !json_object_object_get_ex(old, key->text, NULL))
            continue; /* a merge key */
        if (json_object_object_get_ex(wanted, key->text, &then)) {
            edit_value(editor, value, tree_member(old, key->text), then, &around);
        } else {
            mark_changed(editor, value);
            remove_part(editor, map->is_flow, key->start, value->end,
                        i ? map->children[i - 1]->end : 0,
                        i + 2 < map->count ? map->children[i + 2]->start : 0);
        }
    }
    json_object_object_foreach(wanted, key, value)
    {
        if (!site_find(map, key) && !json_object_equal(tree_member(old, key), value))
            insert_part(editor, map, map->count - 1, key, value);
    }
}

/* What tells an item of a list from the others: its kind and name; NULL if it has neither. */
static const char *
key_of_item(struct json_object *item)
{
    const char *kind = tree_text(item, "kind");
    const char *name = tree_text(item, "name");

    name = name ? name : tree_text(item, "manager");
    name = or_empty(name ? name : tree_text(tree_member(item, "metadata"), "name"));
    if (kind)
        return formatted("%zu %s%s", strlen(kind), kind, name);
    return *name ? formatted("-%s", name) : NULL;
}

/* Returns a map from each key to the number of its last item. */
static struct json_object *
last_items(struct json_object *list)
{
    struct json_object *last = tree_map();

    for (size_t i = 0; i < tree_length(list); i++) {
        const char *key = key_of_item(json_object_array_get_idx(list, i));

        if (key)
            tree_put_number(last, key, i + 1);
    }
    of_step((struct made){.tree = last});
    return last;
}

/* Whether one of the items from `at` on is the same as this one. */
static bool
has_item(struct json_object *list, struct json_object *last, size_t at, struct json_object *item)
{
    const char *key = key_of_item(item);

    if (key)
        return (size_t)tree_int(last, key) > at;
    for (; at < tree_length(list); at++)
        if (json_object_equal(json_object_array_get_idx(list, at), item))
            return true;
    return false;
}

static void
edit_items(struct editor *editor, struct site *list, struct json_object *old,
           struct json_object *wanted)
{
    const bool same_length = tree_length(old) == tree_length(wanted);
    const size_t indent = list->is_flow ? 0 : column_of(editor, dash_before(editor, list, 0));
    struct json_object *last_old = same_length ? NULL : last_items(old);
    struct json_object *last_wanted = same_length ? NULL : last_items(wanted);
    size_t next = 0;

    for (size_t i = 0; i < list->count; i++) {
        struct json_object *was = json_object_array_get_idx(old, i);
        struct json_object *will = json_object_array_get_idx(wanted, next);
        const size_t dash = list->is_flow ? 0 : dash_before(editor, list, i);
        const struct surround around = {list->is_flow ? 0 : dash + 1, indent, list->is_flow, true};

        if (!same_length && !has_item(wanted, last_wanted, next, was)) {
            mark_changed(editor, list->children[i]);
            remove_part(editor, list->is_flow, list->is_flow ? list->children[i]->start : dash,
                        list->children[i]->end, i ? list->children[i - 1]->end : 0,
                        i + 1 < list->count ? list->children[i + 1]->start : 0);
            continue;
        }
        edit_value(editor, list->children[i], was, will, &around);
        next++;
        while (!same_length && next < tree_length(wanted) &&
               !has_item(old, last_old, i + 1, json_object_array_get_idx(wanted, next)))
            insert_part(editor, list, i, NULL, json_object_array_get_idx(wanted, next++));
    }
}

/* Changes one value; `site` is its place. */
static void
edit_value(struct editor *editor, struct site *site, struct json_object *old,
           struct json_object *wanted, const struct surround *around)
{
    const bool is_equal = json_object_equal(old, wanted);

    if (!is_equal)
        site->is_changed = true;
    if (!is_equal && site->anchor)
        editor->any_changed = true;
    if (site->kind == SITE_ALIAS && (!is_equal || (site->anchored && site->anchored->is_changed)))
        replace_value(editor, site, wanted, around);
    else if (is_equal && !editor->any_changed)
        return;
    else if (site->kind == SITE_MAP && site->count && !is_inline(wanted) &&
             json_object_is_type(wanted, json_type_object) && !is_bound(site, old, wanted))
        edit_members(editor, site, old, wanted);
    else if (site->kind == SITE_LIST && site->count && !is_inline(wanted) &&
             json_object_is_type(wanted, json_type_array) && tree_length(old) == site->count)
        edit_items(editor, site, old, wanted);
    else if (!is_equal)
        replace_value(editor, site, wanted, around);
}

/* ---- documents ---- */

/* Returns whether the text could be changed and then reads as wanted. */
static bool
try_to_edit(struct editor *editor, struct text *out, struct json_object *old,
            struct json_object *wanted)
{
    const struct surround nothing = {0};
    struct site *root = read_sites(editor);
    struct json_object *result;

    if (!root || root->kind != SITE_MAP || !root->count)
        return false;
    learn_style(editor, root);
    edit_value(editor, root, old, wanted, &nothing);
    apply_changes(editor, out);
    result = document_tree(out->data, out->len);
    return result && json_object_equal(result, wanted);
}

void
end_last_line(struct text *out, const char *end_of_line)
{
    if (out->len && out->data[out->len - 1] != '\n')
        text_add(out, end_of_line);
}

const char *
end_of_line_in(const char *data, size_t len)
{
    const char *newline = memchr(data, '\n', len);

    return newline && newline > data && newline[-1] == '\r' ? "\r\n" : "\n";
}

enum edit_result
edit_document(struct text *out, const char *data, size_t len, struct json_object *wanted)
{
    struct editor editor = {
        .data = data, .len = len, .step = 2, .end_of_line = end_of_line_in(data, len)};
    struct json_object *old = document_tree(data, len);
    enum edit_result result = EDIT_NOTHING;
    struct text *text = text_new();

    editor.is_json = document_is_json(&(const struct document){.data = data, .len = len});
    if (old && json_object_equal(old, wanted)) {
        text_add_bytes(text, data, len);
    } else if (old && try_to_edit(&editor, text, old, wanted)) {
        result = editor.has_printed ? EDIT_PART : EDIT_IN_PLACE;
    } else {
        struct text *json = text_new();

        text->len = 0;
        tree_add_json(json, wanted, JSON_C_TO_STRING_PLAIN);
        if (editor.is_json)
            text_add_bytes(text, json->data, json->len);
        else
            text_add_as_yaml(text, json, editor.end_of_line);
        result = !editor.is_json && text->data[0] == '{' ? EDIT_AS_JSON : EDIT_WHOLE;
    }
    text_add_bytes(out, text->data, text->len);
    return result;
}
