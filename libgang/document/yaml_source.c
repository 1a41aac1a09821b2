/* SPDX-License-Identifier: Apache-2.0 */
#ifdef GANG_WITH_YAML
#include "libgang/document/yaml_source.h"

#include "libgang/base/plain_run.h"

/* ---- yaml text ---- */

static bool
yaml_text_is_control(uint32_t code_point)
{
    if (code_point < 0x20)
        return code_point != '\t' && code_point != '\n' && code_point != '\r';
    return code_point == 0x7F || (code_point >= 0x80 && code_point < 0xA0 && code_point != 0x85) ||
           code_point == 0xFFFE || code_point == 0xFFFF;
}

static bool
yaml_text_fail(const struct document_request *request, struct slice text, const char *at,
               enum gang_code code, const char *message)
{
    struct reader_mark mark = reader_mark_of(text, (size_t)(at - text.data));

    return reader_fail(request, code, mark, NULL, NULL, "%s", message);
}

/* Checks a character. Returns its length, or 0 after it has reported an error. */
static size_t
yaml_text_check_character(const struct document_request *request, struct slice text, const char *at)
{
    uint32_t code_point;
    size_t len = utf8_sequence(at, text.data + text.len, &code_point);

    if (len == 0)
        yaml_text_fail(request, text, at, GANG_CODE_ENCODING, "the text is not valid UTF-8");
    else if (code_point == 0)
        yaml_text_fail(request, text, at, GANG_CODE_ENCODING, "the text holds a NUL byte");
    else if (yaml_text_is_control(code_point))
        yaml_text_fail(request, text, at, GANG_CODE_CONTROL_CHARACTER,
                       "the text holds a control character");
    else
        return len;
    return 0;
}

/* False after a report of the first character that is not allowed. */
static bool
yaml_text_check_part(const struct document_request *request, struct slice text, struct slice part)
{
    const char *at = part.data;
    const char *end = at + part.len;

    while ((at = plain_lines_end(at, end)) < end) {
        const size_t len = yaml_text_check_character(request, text, at);

        if (len == 0)
            return false;
        at += len;
    }
    return true;
}

static size_t
yaml_text_line_length(struct slice text)
{
    size_t i = 0;

    while (i < text.len && text.data[i] != '\n' && text.data[i] != '\r')
        i++;
    if (i < text.len && text.data[i] == '\r' && i + 1 < text.len && text.data[i + 1] == '\n')
        i++;
    return i < text.len ? i + 1 : i;
}

/* Moves the start of the body behind empty lines and comments. */
static void
yaml_text_skip_comments(struct yaml_text *out)
{
    while (out->body.len) {
        struct slice line = {out->body.data, yaml_text_line_length(out->body)};
        size_t i = 0;

        while (i < line.len && line.data[i] == ' ')
            i++;
        if (i != line.len && line.data[i] != '#' && line.data[i] != '\n' && line.data[i] != '\r')
            return;
        out->body = slice_after(out->body, line.len);
        out->first_line++;
    }
}

bool
yaml_text_refuse_directive(const struct document_request *request, struct slice text, uint32_t line)
{
    uint32_t current = 1;

    while (text.len) {
        size_t len = yaml_text_line_length(text);

        if (current >= line && text.data[0] == '%')
            return reader_fail(request, GANG_CODE_DIRECTIVE, (struct reader_mark){current, 1}, NULL,
                               "remove the line", "YAML directives are not accepted");
        text.data += len;
        text.len -= len;
        current++;
    }
    return true;
}

bool
yaml_text_check(const struct document_request *request, struct slice text, struct yaml_text *out)
{
    struct slice comments;

    *out = (struct yaml_text){.body = text};
    if (text.len >= 2 &&
        (memcmp(text.data, "\xFF\xFE", 2) == 0 || memcmp(text.data, "\xFE\xFF", 2) == 0))
        return yaml_text_fail(request, text, text.data, GANG_CODE_ENCODING,
                              "the text is UTF-16 or UTF-32, not UTF-8");
    if (slice_take(&text, BYTE_ORDER_MARK))
        out->body = text;
    yaml_text_skip_comments(out);
    comments = (struct slice){text.data, text.len - out->body.len};
    if (!yaml_text_check_part(request, text, comments))
        return false;
    if (out->body.len && out->body.data[0] == '%')
        return yaml_text_refuse_directive(request, text, out->first_line + 1);
    return yaml_text_check_part(request, text, out->body);
}

/* ---- yaml source ---- */

bool
yaml_source_open(struct yaml_source *source, struct slice text, uint32_t first_line)
{
    source->text = text;
    source->first_line = first_line;
    source->has_event = false;
    source->has_parser = yaml_parser_initialize(&source->parser) == 1;
    if (!source->has_parser)
        return false;
    yaml_parser_set_encoding(&source->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&source->parser, (const unsigned char *)text.data, text.len);
    return true;
}

/* Whether libyaml has allocated anything for an event, which must then be deleted. */
static bool
yaml_event_has_memory(const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_MAPPING_START_EVENT:
        return event->data.mapping_start.anchor || event->data.mapping_start.tag;
    case YAML_SEQUENCE_START_EVENT:
        return event->data.sequence_start.anchor || event->data.sequence_start.tag;
    case YAML_MAPPING_END_EVENT:
    case YAML_SEQUENCE_END_EVENT:
        return false;
    default:
        return true;
    }
}

static void
yaml_source_drop_event(struct yaml_source *source)
{
    if (source->has_event && yaml_event_has_memory(&source->event))
        yaml_event_delete(&source->event);
    source->has_event = false;
}

void
yaml_source_close(struct yaml_source *source)
{
    yaml_source_drop_event(source);
    if (source->has_parser)
        yaml_parser_delete(&source->parser);
    source->has_parser = false;
}

bool
yaml_source_next(struct yaml_source *source)
{
    yaml_source_drop_event(source);
    source->has_event = yaml_parser_parse(&source->parser, &source->event) == 1;
    return source->has_event;
}

bool
yaml_source_is_empty_value(const struct yaml_source *source)
{
    const yaml_event_t *event = &source->event;

    return event->type == YAML_SCALAR_EVENT && event->data.scalar.length == 0 &&
           event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE && !event->data.scalar.anchor &&
           !event->data.scalar.tag;
}

bool
yaml_source_out_of_memory(const struct yaml_source *source)
{
    return !source->has_parser || source->parser.error == YAML_MEMORY_ERROR;
}

/* Frequent mistakes, which libyaml describes in the terms of its scanner. */
static const struct yaml_mistake {
    char character; /* at the mark or, inside a construct, at its start */
    const char *problem;
    const char *message;
    const char *hint;
} yaml_mistakes[] = {
    {'\t', "found character that cannot start any token", "tabs are not allowed",
     "indent with spaces"},
    {'\t', "found a tab character that violates indentation", "tabs are not allowed",
     "indent with spaces"},
    {'@', "found character that cannot start any token", "a plain text cannot start with @",
     "put the text in quotes"},
    {'`', "found character that cannot start any token", "a plain text cannot start with `",
     "put the text in quotes"},
    {'%', "found character that cannot start any token", "a plain text cannot start with %",
     "put the text in quotes"},
    {':', "mapping values are not allowed in this context",
     "a colon is not allowed in a plain text, or the indentation is wrong",
     "put a text that has a colon in quotes"},
    {'*', "did not find expected alphabetic or numeric character",
     "a plain text cannot start with *, which starts an alias", "put the text in quotes"},
    {'&', "did not find expected alphabetic or numeric character",
     "a plain text cannot start with &, which starts an anchor", "put the text in quotes"},
};

/* Returns the line without its end; unset after the last line. `index` counts from 0. */
static struct slice
yaml_source_line(struct slice text, size_t index)
{
    struct slice line = {text.data, yaml_text_line_length(text)};

    for (; index && text.len; index--) {
        text = slice_after(text, line.len);
        line = (struct slice){text.data, yaml_text_line_length(text)};
    }
    while (line.len && (line.data[line.len - 1] == '\n' || line.data[line.len - 1] == '\r'))
        line.len--;
    return text.len ? line : NO_SLICE;
}

static char
yaml_source_character(const struct yaml_source *source, yaml_mark_t mark)
{
    struct slice line = yaml_source_line(source->text, mark.line);

    return mark.column < line.len ? line.data[mark.column] : '\0';
}

static const struct yaml_mistake *
yaml_source_mistake(const struct yaml_source *source)
{
    const yaml_parser_t *parser = &source->parser;
    yaml_mark_t start = parser->context ? parser->context_mark : parser->problem_mark;
    char at = yaml_source_character(source, parser->problem_mark);
    char first = yaml_source_character(source, start);

    for (size_t i = 0; i < COUNT_OF(yaml_mistakes); i++)
        if ((yaml_mistakes[i].character == at || yaml_mistakes[i].character == first) &&
            strcmp(parser->problem, yaml_mistakes[i].problem) == 0)
            return &yaml_mistakes[i];
    return NULL;
}

/* The first word of a line that a map could have as a key, behind the dash of a list item. */
static struct slice
yaml_line_key(struct slice line)
{
    size_t start = 0;
    size_t end;

    while (start < line.len && (line.data[start] == ' ' || line.data[start] == '-'))
        start++;
    for (end = start; end < line.len && ascii_is(line.data[end], ASCII_LETTER | ASCII_DIGIT); end++)
        ;
    return (struct slice){line.data + start, end - start};
}

/*
 * libyaml notices a missing colon at the next one, because until then the text goes on. Returns the
 * number of the line without a colon, or SIZE_MAX if this is another mistake.
 */
static size_t
yaml_source_line_without_colon(const struct yaml_source *source)
{
    const yaml_parser_t *parser = &source->parser;
    size_t line = parser->problem_mark.line;
    struct slice text;
    struct slice key;
    size_t end;

    if (strcmp(parser->problem, "could not find expected ':'") == 0)
        line = parser->context_mark.line;
    else if (strcmp(parser->problem, "mapping values are not allowed in this context") != 0 ||
             !line)
        return SIZE_MAX;
    else
        line--;
    /* a key and then a text or nothing, where a colon should be */
    text = yaml_source_line(source->text, line);
    key = yaml_line_key(text);
    end = (size_t)(key.data + key.len - text.data);
    return key.len && (end == text.len || text.data[end] == ' ') ? line : SIZE_MAX;
}

static bool
yaml_source_report_mistake(const struct yaml_source *source, const struct document_request *request,
                           const struct node *inside)
{
    size_t line = yaml_source_line_without_colon(source);
    const struct yaml_mistake *mistake = yaml_source_mistake(source);

    if (line != SIZE_MAX) {
        struct slice text = yaml_source_line(source->text, line);
        struct slice key = yaml_line_key(text);
        struct reader_mark mark = {(uint32_t)line + source->first_line + 1,
                                   (uint32_t)(key.data + key.len - text.data) + 1};

        return !reader_fail(request, GANG_CODE_SYNTAX, mark, inside, NULL,
                            "a colon is missing after %-.*s", SLICE_ARG(key));
    }
    return mistake && !reader_fail(request, GANG_CODE_SYNTAX,
                                   yaml_source_mark(source, source->parser.problem_mark), inside,
                                   mistake->hint, "%s", mistake->message);
}

/*
 * If the text ends too early, libyaml's mark is after the last line, so the message has the start
 * of the construct.
 */
bool
yaml_source_report(const struct yaml_source *source, const struct document_request *request,
                   const struct node *inside)
{
    const yaml_parser_t *parser = &source->parser;
    struct reader_mark mark = yaml_source_mark(source, parser->problem_mark);
    struct reader_mark start = yaml_source_mark(source, parser->context_mark);
    const char *problem = parser->problem ? parser->problem : "the text is not well-formed";

    if (parser->problem && yaml_source_report_mistake(source, request, inside))
        return false;
    if (!parser->context)
        return reader_fail(request, GANG_CODE_SYNTAX, mark, inside, NULL, "%s", problem);
    return reader_fail(request, GANG_CODE_SYNTAX, mark, inside, NULL,
                       "%s, %s that starts on line %u, column %u", problem, parser->context,
                       start.line + request->lines_before, start.column);
}

/* ---- yaml anchors ---- */

size_t
yaml_anchors_add(struct yaml_anchors *anchors, struct arena *arena, struct slice name,
                 const struct node *node)
{
    const size_t index = anchors->count;

    ARENA_APPEND(arena, anchors->items, anchors->count, 8,
                 (struct yaml_anchor){
                     .name = arena_copy(arena, name), .node = node, .nodes = 1, .is_open = true});
    return index < anchors->count ? index : SIZE_MAX;
}

const struct yaml_anchor *
yaml_anchors_find(const struct yaml_anchors *anchors, struct slice name)
{
    for (size_t i = anchors->count; i-- > 0;)
        if (slice_equal(anchors->items[i].name, name))
            return &anchors->items[i];
    return NULL;
}

/* ---- yaml merge ---- */

struct yaml_candidate {
    const struct node *member;
    size_t rank; /* for equal keys, the lowest rank wins */
    bool wins;
    bool is_own; /* a member of the map that has the merge key */
};

/* Members of the map itself first, in the order in which they are written. */
struct yaml_candidates {
    struct yaml_candidate *items;
    size_t count;
};

static void
yaml_merge_collect(struct yaml_candidates *all, const struct node *map)
{
    for (NODE_EACH(member, map)) {
        all->items[all->count] = (struct yaml_candidate){.member = member, .rank = all->count};
        all->count++;
    }
}

static int
yaml_compare_candidates(const void *left, const void *right, const void *context)
{
    const struct yaml_candidate *a = left;
    const struct yaml_candidate *b = right;
    int order = slice_compare(node_key(a->member), node_key(b->member));

    (void)context;
    return order ? order : (a->rank > b->rank) - (a->rank < b->rank);
}

/*
 * Sorts by key and rank; the first candidate of each key wins. Duplicates within one map are
 * already reported.
 */
static void
yaml_merge_choose(const struct document_request *request, struct yaml_candidates *all)
{
    const struct yaml_candidate *winner = NULL;
    const void **sorted = stable_sort_array(all->items, all->count, sizeof(*all->items),
                                            yaml_compare_candidates, NULL, request->arena);

    for (size_t i = 0; sorted && i < all->count; i++) {
        struct yaml_candidate *candidate =
            &all->items[(const struct yaml_candidate *)sorted[i] - all->items];

        if (!winner || !slice_equal(node_key(winner->member), node_key(candidate->member))) {
            candidate->wins = true;
            winner = candidate;
        } else if (request->report->strict && !(winner->is_own && candidate->is_own)) {
            const struct node *here = candidate->is_own ? candidate->member : winner->member;
            const struct node *merged = candidate->is_own ? winner->member : candidate->member;

            find_note_at_key(request->report, here, MESSAGE_DUPLICATE_KEY_MERGED,
                             SLICE_ARG(node_key(here)), merged->key_line + request->lines_before,
                             merged->key_column);
        }
    }
}

bool
yaml_merge(const struct document_request *request, struct node *map, uint32_t above,
           const struct node *source)
{
    struct edit_chain chain = {request->arena, map, &map->as.first};
    size_t size = map->len + (source->kind == NODE_MAP ? source->len : 0);
    struct yaml_candidates all = {0};

    for (NODE_EACH(item, source->kind == NODE_MAP ? NULL : source))
        size += item->len;

    all.items = arena_array(request->arena, size, sizeof(*all.items));
    if (!all.items || !arena_spend(request->arena, 16 * (uint64_t)size))
        return false;
    /* go.yaml.in/yaml/v2:decode.go mapping()@v2.4.2 merges where the merge key stands. */
    yaml_merge_collect(&all, map);
    for (size_t i = 0; i < all.count; i++) {
        all.items[i].is_own = true;
        if (i < above)
            all.items[i].rank = SIZE_MAX - above + i;
    }
    if (source->kind == NODE_MAP)
        yaml_merge_collect(&all, source);
    else
        for (NODE_EACH(item, source))
            yaml_merge_collect(&all, item);
    yaml_merge_choose(request, &all);
    /*
     * Writes the members again. `parent`, `index` and the marks remain those of the place where a
     * member was written.
     */
    map->len = 0;
    map->as.first = NULL;
    for (size_t i = 0; i < all.count; i++)
        if (all.items[i].wins)
            edit_add(&chain, all.items[i].member);
    return edit_end(&chain) && reader_within(request, GANG_LIMIT_MAP_KEYS, map->len,
                                             (struct reader_mark){map->line, map->column}, map);
}
#endif
