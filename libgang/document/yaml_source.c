/* SPDX-License-Identifier: Apache-2.0 */
#ifdef GANG_WITH_YAML
#include "libgang/document/yaml_source.h"

bool
yaml_source_open(struct yaml_source *source, struct slice text, uint32_t first_line)
{
    source->first_line = first_line;
    source->has_event = false;
    source->has_parser = yaml_parser_initialize(&source->parser) == 1;
    if (!source->has_parser)
        return false;
    yaml_parser_set_encoding(&source->parser, YAML_UTF8_ENCODING);
    yaml_parser_set_input_string(&source->parser, (const unsigned char *)text.data, text.len);
    return true;
}

static void
yaml_source_drop_event(struct yaml_source *source)
{
    if (source->has_event)
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
yaml_source_out_of_memory(const struct yaml_source *source)
{
    return !source->has_parser || source->parser.error == YAML_MEMORY_ERROR;
}

struct reader_mark
yaml_source_mark(const struct yaml_source *source, yaml_mark_t mark)
{
    return (struct reader_mark){(uint32_t)mark.line + source->first_line + 1, (uint32_t)mark.column + 1};
}

/* libyaml puts its mark behind the last line when the text ends too early, so the start of the construct is named. */
bool
yaml_source_report(const struct yaml_source *source, const struct document_request *request,
                   const struct node *inside)
{
    const yaml_parser_t *parser = &source->parser;
    struct reader_mark mark = yaml_source_mark(source, parser->problem_mark);
    struct reader_mark start = yaml_source_mark(source, parser->context_mark);
    const char *problem = parser->problem ? parser->problem : "the text is not well-formed";

    if (!parser->context)
        return reader_fail(request, GANG_CODE_SYNTAX, mark, inside, NULL, "%s", problem);
    return reader_fail(request, GANG_CODE_SYNTAX, mark, inside, NULL,
                       "%s, %s that starts on line %u, column %u", problem, parser->context,
                       start.line + request->lines_before, start.column);
}
#endif
