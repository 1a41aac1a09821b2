/* SPDX-License-Identifier: Apache-2.0 */
#include "edit.h"

#include <string.h>
#ifdef GANG_WITH_YAML
#include <yaml.h>
#endif

#include "tree.h"

/* ---- places in the text ---- */

bool
has_only_blanks(const struct editor *editor, size_t start, size_t end)
{
    while (start < end && is_blank(editor->data[start]))
        start++;
    return start >= end;
}

size_t
start_of_line(const struct editor *editor, size_t at)
{
    while (at && editor->data[at - 1] != '\n')
        at--;
    return at;
}

size_t
behind_line(const struct editor *editor, size_t at)
{
    if (at && editor->data[at - 1] == '\n')
        return at;
    while (at < editor->len && editor->data[at] != '\n')
        at++;
    return at + (at < editor->len);
}

size_t
column_of(const struct editor *editor, size_t at)
{
    size_t column = 0;

    for (size_t i = start_of_line(editor, at); i < at; i++)
        column += ((unsigned char)editor->data[i] & 0xc0) != 0x80;
    return column;
}

bool
starts_line(const struct editor *editor, size_t at)
{
    while (at && (editor->data[at - 1] == ' ' || editor->data[at - 1] == '\t'))
        at--;
    return !at || editor->data[at - 1] == '\n';
}

size_t
skip_to_token(const struct editor *editor, size_t at)
{
    while (at < editor->len && (is_blank(editor->data[at]) || editor->data[at] == '#')) {
        if (editor->data[at] == '#')
            while (at < editor->len && editor->data[at] != '\n')
                at++;
        else
            at++;
    }
    return at;
}

/* ---- reading the places of values ---- */

#ifdef GANG_WITH_YAML
/* libyaml counts characters. */
struct site_reader {
    const struct editor *editor;
    yaml_parser_t parser;
    size_t *offsets; /* of each character */
    struct site **anchors;
    size_t num_anchors;
};

static size_t
skip_properties(const struct editor *editor, size_t at)
{
    while (at < editor->len && (editor->data[at] == '&' || editor->data[at] == '!')) {
        while (at < editor->len && !is_blank(editor->data[at]))
            at++;
        at = skip_to_token(editor, at);
    }
    return at;
}

/* Reads what an event says of its value; returns whether children follow. */
static bool
read_event(struct site_reader *reader, struct site *site, const yaml_event_t *event)
{
    if (event->type == YAML_SCALAR_EVENT) {
        const yaml_scalar_style_t style = event->data.scalar.style;

        site->text = must_copy((const char *)event->data.scalar.value, event->data.scalar.length);
        site->anchor = copy_text((const char *)event->data.scalar.anchor);
        site->quote = style == YAML_DOUBLE_QUOTED_SCALAR_STYLE   ? '"'
                      : style == YAML_SINGLE_QUOTED_SCALAR_STYLE ? '\''
                                                                 : '\0';
    } else if (event->type == YAML_ALIAS_EVENT) {
        site->kind = SITE_ALIAS;
        site->text = copy_text((const char *)event->data.alias.anchor);
        for (size_t i = 0; i < reader->num_anchors; i++)
            if (strcmp(reader->anchors[i]->anchor, site->text) == 0)
                site->anchored = reader->anchors[i];
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        site->kind = SITE_MAP;
        site->anchor = copy_text((const char *)event->data.mapping_start.anchor);
        site->is_flow = event->data.mapping_start.style == YAML_FLOW_MAPPING_STYLE;
    } else {
        site->kind = SITE_LIST;
        site->anchor = copy_text((const char *)event->data.sequence_start.anchor);
        site->is_flow = event->data.sequence_start.style == YAML_FLOW_SEQUENCE_STYLE;
    }
    return site->kind == SITE_MAP || site->kind == SITE_LIST;
}

/* Returns the next value; NULL at the end of a map or list, or of the text that can be read. */
static struct site *
read_site(struct site_reader *reader, size_t *end)
{
    struct site *site;
    struct site *child;
    yaml_event_t event;
    bool has_children;

    do {
        if (!yaml_parser_parse(&reader->parser, &event) || event.type == YAML_NO_EVENT ||
            event.type == YAML_MAPPING_END_EVENT || event.type == YAML_SEQUENCE_END_EVENT ||
            event.type == YAML_STREAM_END_EVENT) {
            *end = reader->offsets[event.end_mark.index];
            yaml_event_delete(&event);
            return NULL;
        }
    } while (event.type == YAML_STREAM_START_EVENT || event.type == YAML_DOCUMENT_START_EVENT);
    site = must_allocate_zeros(1, sizeof(*site));
    has_children = read_event(reader, site, &event);
    site->start = skip_properties(reader->editor, reader->offsets[event.start_mark.index]);
    site->end = reader->offsets[event.end_mark.index];
    if (site->start > site->end) /* nothing is behind the properties */
        site->start = site->end;
    yaml_event_delete(&event);
    if (site->anchor) {
        APPEND(reader->anchors, reader->num_anchors, site);
    }
    if (!has_children)
        return site;
    while ((child = read_site(reader, &site->end))) {
        APPEND(site->children, site->count, child);
    }
    if (!site->is_flow && site->count)
        site->end = site->children[site->count - 1]->end;
    return site;
}

struct site *
read_sites(const struct editor *editor)
{
    struct site_reader reader = {.editor = editor};
    struct site *root = NULL;
    size_t count = 0;
    size_t end;

    if (!yaml_parser_initialize(&reader.parser))
        out_of_memory();
    yaml_parser_set_encoding(&reader.parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&reader.parser, (const unsigned char *)editor->data, editor->len);
    reader.offsets = must_reallocate(NULL, editor->len + 1, sizeof(*reader.offsets));
    for (size_t i = 0; i < editor->len; i++)
        if (((unsigned char)editor->data[i] & 0xc0) != 0x80)
            reader.offsets[count++] = i;
    while (count <= editor->len)
        reader.offsets[count++] = editor->len;
    root = read_site(&reader, &end);
    of_step((struct made){.sites = root});
    if (reader.parser.error)
        root = NULL;
    yaml_parser_delete(&reader.parser);
    give_back(reader.offsets);
    give_back(reader.anchors);
    return root;
}
#else
struct site *
read_sites(const struct editor *editor)
{
    (void)editor;
    return NULL;
}
#endif

void
sites_free(struct site *site)
{
    for (size_t i = 0; site && i < site->count; i++)
        sites_free(site->children[i]);
    if (site) {
        give_back(site->text);
        give_back(site->anchor);
        give_back(site->children);
    }
    give_back(site);
}

size_t
site_find(const struct site *map, const char *key)
{
    for (size_t i = 0; map && map->kind == SITE_MAP && i + 1 < map->count; i += 2)
        if (map->children[i]->kind == SITE_SCALAR && strcmp(map->children[i]->text, key) == 0)
            return i + 1;
    return 0;
}

size_t
dash_before(const struct editor *editor, const struct site *list, size_t index)
{
    return skip_to_token(editor, index ? list->children[index - 1]->end : list->start);
}

void
learn_style(struct editor *editor, const struct site *map)
{
    for (size_t i = 0; map->kind == SITE_MAP && !map->is_flow && i < map->count; i += 2) {
        const struct site *value = map->children[i + 1];
        const size_t column = column_of(editor, map->children[i]->start);

        if (value->is_flow || !value->count)
            continue;
        if (value->kind == SITE_LIST)
            editor->lists_step = column_of(editor, dash_before(editor, value, 0)) > column;
        else if (column_of(editor, value->children[0]->start) > column)
            editor->step = column_of(editor, value->children[0]->start) - column;
        learn_style(editor, value->kind == SITE_LIST ? value->children[0] : value);
    }
}

/* ---- values with their places ---- */

struct placed_value
root_of(const struct document *document)
{
    const struct editor editor = {.data = document->data, .len = document->len};

    return (struct placed_value){.tree = document_tree(document->data, document->len),
                                 .site = read_sites(&editor)};
}

struct placed_value
member_of(const struct placed_value *map, const char *name)
{
    const size_t found = site_find(map->site, name);
    struct placed_value member = {.tree = tree_member(map->tree, name)};

    if (found) {
        member.key = map->site->children[found - 1];
        member.site = map->site->children[found];
    }
    return member;
}

struct placed_value
item_of(const struct placed_value *list, size_t index)
{
    const struct site *site = list->site;
    struct placed_value item = {.tree = json_object_array_get_idx(list->tree, index)};

    if (site && site->kind == SITE_LIST && index < site->count)
        item.key = item.site = site->children[index];
    return item;
}

struct place
place_in(const struct document *document, const struct site *site)
{
    struct place place = {1, site != NULL};

    for (size_t i = 0; site && i < site->start; i++)
        if (document->data[i] == '\n')
            place = (struct place){place.line + 1, 1};
        else
            place.column += ((unsigned char)document->data[i] & 0xc0) != 0x80;
    return place;
}
