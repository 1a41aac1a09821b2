/* SPDX-License-Identifier: Apache-2.0 */
#include "xml.h"

#include <string.h>

static const char *
entity(char c)
{
    switch (c) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\n':
        return "&#10;";
    default:
        return NULL;
    }
}

void
xml_add(struct text *out, const char *text)
{
    struct text printable = {0};

    text_add_printable_lines(&printable, text, strlen(text));
    for (size_t i = 0; i < printable.len; i++) {
        const char *written = entity(printable.data[i]);

        if (written)
            text_add(out, written);
        else
            text_add_bytes(out, printable.data + i, 1);
    }
    text_free(&printable);
}

void
xml_add_attribute(struct text *out, const char *name, const char *text)
{
    if (!text)
        return;
    text_addf(out, " %s=\"", name);
    xml_add(out, text);
    text_add(out, "\"");
}
