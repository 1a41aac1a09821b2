/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/document/writer.h"

#include "libgang/base/report.h"

/* ---- text escape ---- */

/* 'u': written as \uXXXX. 'w': a byte of a multibyte character. 0: written unchanged. */
static const char text_escape_of[256] = {
    ['"'] = '"',  ['\\'] = '\\', ['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
    ['\t'] = 't', [0] = 'u',     [1] = 'u',    [2] = 'u',    [3] = 'u',    [4] = 'u',
    [5] = 'u',    [6] = 'u',     [7] = 'u',    [11] = 'u',   [14] = 'u',   [15] = 'u',
    [16] = 'u',   [17] = 'u',    [18] = 'u',   [19] = 'u',   [20] = 'u',   [21] = 'u',
    [22] = 'u',   [23] = 'u',    [24] = 'u',   [25] = 'u',   [26] = 'u',   [27] = 'u',
    [28] = 'u',   [29] = 'u',    [30] = 'u',   [31] = 'u',   [127] = 'u',
};

static char
text_escape_class(char c)
{
    return (unsigned char)c >= 0x80 ? 'w' : text_escape_of[(unsigned char)c];
}

static void
text_escape_unit(struct buffer *out, uint32_t code_point)
{
    static const char digits[] = "0123456789abcdef";
    char text[6] = {'\\', 'u'};

    for (int i = 0; i < 4; i++)
        text[2 + i] = digits[code_point >> (12 - 4 * i) & 15];
    buffer_append(out, text, sizeof(text));
}

static bool
text_escape_is_invisible(uint32_t code_point)
{
    return code_point < 0xA0 || code_point == 0x2028 || code_point == 0x2029 ||
           code_point == 0xFEFF || code_point == 0xFFFE || code_point == 0xFFFF;
}

static const char *
text_escape_wide(struct buffer *out, const char *at, const char *end)
{
    uint32_t code_point;
    size_t len = utf8_sequence(at, end, &code_point);

    if (len == 0)
        buffer_append(out, "\xEF\xBF\xBD", 3);
    else if (text_escape_is_invisible(code_point))
        text_escape_unit(out, code_point);
    else
        buffer_append(out, at, len);
    return at + (len ? len : 1);
}

static const char *
text_escape_ascii(struct buffer *out, const char *at, char class)
{
    char *place = class == 'u' ? NULL : buffer_extend(out, 2);

    if (class == 'u')
        text_escape_unit(out, (unsigned char)*at);
    if (place) {
        place[0] = '\\';
        place[1] = class;
    }
    return at + 1;
}

static void
text_escape_append(struct buffer *out, const char *at, const char *end)
{
    while (at < end) {
        struct slice run = {at, (size_t)(plain_run_end(at, end) - at)};
        char *place = buffer_extend(out, run.len); /* a call for each run costs more than the run */
        char class;

        if (place)
            slice_copy_text(place, run);
        at += run.len;
        if (at == end || out->failed)
            return;
        class = text_escape_class(*at);
        at = class == 'w' ? text_escape_wide(out, at, end) : text_escape_ascii(out, at, class);
    }
}

void
text_escape_odd(struct buffer *out, struct slice text)
{
    buffer_append_byte(out, '"');
    text_escape_append(out, text.data, text.data + text.len);
    buffer_append_byte(out, '"');
}

void
text_escape_long(struct buffer *out, struct slice text, struct text_repeated *last)
{
    if (last->text.data == text.data && last->text.len == text.len) {
        if (buffer_extend(out, last->len))
            memcpy(out->data + out->len - last->len, out->data + last->start, last->len);
        return;
    }
    *last = (struct text_repeated){.text = text, .start = out->len};
    text_escape_quoted(out, text);
    last->len = out->len - last->start;
}

/* ---- document write ---- */

bool
document_format_is_known(int format)
{
    return format == GANG_FORMAT_JSON || format == GANG_FORMAT_YAML;
}

void
document_write(struct buffer *out, const struct node *root, enum gang_format format)
{
    if (format == GANG_FORMAT_YAML) {
        yaml_write(out, root);
    } else {
        json_write(out, root);
        buffer_append_byte(out, '\n');
    }
}

int
document_hand_out(struct buffer *buffer, struct gang_blob **out, struct gang_error **err)
{
    bool failed = buffer->failed;
    bool hit_limit = buffer->hit_limit;

    *out = failed ? NULL : blob_take(buffer);
    buffer_clear(buffer);
    if (*out)
        return GANG_OK;
    return failed && hit_limit ? error_limit(err, GANG_CODE_LIMIT_OUTPUT_BYTES,
                                             "the output is larger than the limit")
                               : error_no_memory(err);
}
