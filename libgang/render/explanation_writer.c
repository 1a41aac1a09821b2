/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"

/* Of the label, and of a line that is broken if it is longer. */
enum { EXPLANATION_INDENT = 10, EXPLANATION_LINE_WIDTH = 110 };

/* ---- text ---- */

static void
text_put_label(struct buffer *out, struct slice label)
{
    buffer_append_slice(out, label);
    if (label.len < EXPLANATION_INDENT)
        buffer_append_repeated(out, ' ', EXPLANATION_INDENT - label.len);
}

/* Ends the line without the spaces at its end. */
static void
text_end_line(struct buffer *out)
{
    while (out->len && out->data[out->len - 1] == ' ')
        out->len--;
    buffer_append_byte(out, '\n');
}

/* The lines are aligned with the first words of the finding. */
static void
text_put_wrapped(struct buffer *out, struct slice text)
{
    size_t column = EXPLANATION_INDENT;

    text_put_label(out, SLICE(""));
    while (text.len) {
        const size_t word = slice_find(text, ' ');

        if (column > EXPLANATION_INDENT && column + 1 + word > EXPLANATION_LINE_WIDTH) {
            buffer_append_byte(out, '\n');
            text_put_label(out, SLICE(""));
            column = EXPLANATION_INDENT;
        } else if (column > EXPLANATION_INDENT) {
            buffer_append_byte(out, ' ');
            column++;
        }
        buffer_append(out, text.data, word);
        column += word;
        for (text.data += word, text.len -= word; text.len && text.data[0] == ' '; text.len--)
            text.data++;
    }
    buffer_append_byte(out, '\n');
}

/* One line if it fits; otherwise the place, and the message on the next line. */
static void
text_put_finding(struct buffer *out, const struct explanation_row *row)
{
    const struct slice message = row->cells[2];
    const size_t start = out->len;
    const size_t kind = audit_kind_of_error(message);

    text_put_label(out, row->label);
    buffer_append_slice(out, row->cells[0]);
    buffer_append_byte(out, ' ');
    buffer_append_slice(out, row->cells[1]);
    if (out->len - start + 1 + message.len <= EXPLANATION_LINE_WIDTH) {
        buffer_append_byte(out, ' ');
        buffer_append_slice(out, message);
        buffer_append_byte(out, '\n');
    } else {
        buffer_append(out, " ", kind > 0);
        buffer_append(out, message.data, kind);
        text_end_line(out);
        text_put_wrapped(out, slice_after(message, kind));
    }
    if (slice_is_set(row->cells[3]))
        text_put_wrapped(out, row->cells[3]);
}

/* ---- HTML ---- */

/* No colour of its own but a translucent grey, so that it is readable on any page. */
static const char html_head[] =
    "<div class=\"libgang-explanation\">\n"
    "<style>\n"
    ".libgang-explanation table{border-collapse:collapse;width:100%}\n"
    ".libgang-explanation caption{text-align:left;padding:.25em .5em}\n"
    ".libgang-explanation :is(th,td){text-align:left;vertical-align:top;padding:.25em .5em;"
    "border-top:1px solid rgba(128,128,128,.4);overflow-wrap:anywhere;white-space:normal}\n"
    ".libgang-explanation th{white-space:nowrap}\n"
    "</style>\n"
    "<table>\n";

static void
html_put(struct buffer *out, const char *text)
{
    buffer_append_slice(out, slice_from_text(text));
}

static void
html_put_finding(struct buffer *out, const struct explanation_row *row)
{
    svg_put(out, "<td colspan=\"%d\"><code>", EXPLANATION_CELLS);
    svg_put_text(out, row->cells[0]);
    html_put(out, "</code> ");
    svg_put_text(out, row->cells[1]);
    html_put(out, " ");
    svg_put_text(out, row->cells[2]);
    if (slice_is_set(row->cells[3])) {
        html_put(out, "<br>");
        svg_put_text(out, row->cells[3]);
    }
    html_put(out, "</td>");
}

static void
html_put_row(struct buffer *out, const struct explanation *rows, size_t index)
{
    const struct explanation_row *row = &rows->items[index];

    html_put(out, "<tr>");
    if (row->label.len) {
        size_t end = index + 1;

        /* A label is the head of the rows that follow without one. */
        while (end < rows->count && !rows->items[end].label.len)
            end++;
        svg_put(out, "<th scope=\"row\" rowspan=\"%zu\">", end - index);
        svg_put_text(out, row->label);
        html_put(out, "</th>");
    }
    if (row->kind == EXPLANATION_FINDING) {
        html_put_finding(out, row);
    } else if (row->kind == EXPLANATION_ARROW) {
        svg_put(out, "<td colspan=\"%d\">\xe2\x86\x93 ", EXPLANATION_CELLS);
        svg_put_text(out, row->cells[0]);
        html_put(out, "</td>");
    } else {
        for (size_t i = 0; i < EXPLANATION_CELLS && slice_is_set(row->cells[i]); i++) {
            const bool is_last = i + 1 == EXPLANATION_CELLS || !slice_is_set(row->cells[i + 1]);
            size_t span = is_last ? EXPLANATION_CELLS - i : 1;

            /* The last cell of a row is as wide as those that the row does not have. */
            if (span > 1)
                svg_put(out, "<td colspan=\"%zu\">", span);
            else
                html_put(out, "<td>");
            svg_put_text(out, row->cells[i]);
            html_put(out, "</td>");
        }
    }
    html_put(out, "</tr>\n");
}

void
explanation_write(const void *explained, enum gang_format format, struct arena *arena,
                  struct buffer *out)
{
    const struct explanation rows = explanation_make(explained, arena);

    if (arena_failed(arena))
        return;
    if (format == GANG_FORMAT_HTML) {
        /* The first row is the head. */
        html_put(out, html_head);
        html_put(out, "<caption><b>");
        svg_put_text(out, rows.items[0].cells[0]);
        html_put(out, "</b> ");
        svg_put_text(out, rows.items[0].cells[1]);
        html_put(out, "</caption>\n<tbody>\n");
        for (size_t i = 1; i < rows.count; i++)
            html_put_row(out, &rows, i);
        html_put(out, "</tbody>\n</table>\n</div>\n");
    } else {
        for (size_t i = 0; i < rows.count; i++) {
            const struct explanation_row *row = &rows.items[i];
            size_t spaces = 0; /* before the next cell only: the limit counts no others */

            if (row->kind == EXPLANATION_FINDING) {
                text_put_finding(out, row);
            } else {
                if (row->kind != EXPLANATION_HEAD)
                    text_put_label(out, row->label);
                if (row->kind == EXPLANATION_ARROW)
                    buffer_append_slice(out, SLICE(" v "));
                for (size_t k = 0; k < EXPLANATION_CELLS && slice_is_set(row->cells[k]); k++) {
                    if (row->cells[k].len)
                        buffer_append_repeated(out, ' ', spaces);
                    buffer_append_slice(out, row->cells[k]);
                    spaces = (row->cells[k].len ? 0 : spaces) + row->pads[k];
                }
                text_end_line(out);
            }
        }
    }
}
