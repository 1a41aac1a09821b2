/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/base/format.h"

#include "libgang/base/integer.h"

struct format_output {
    char *out;
    size_t room;
    size_t len; /* of the whole text, more than `room` when it was cut */
};

static void
format_put(struct format_output *output, const char *text, size_t len)
{
    size_t left = output->len < output->room ? output->room - output->len : 0;

    if (left)
        memcpy(output->out + output->len, text, len < left ? len : left);
    output->len += len;
}

static void
format_put_unsigned(struct format_output *output, unsigned long long value)
{
    char text[INTEGER_TEXT_SIZE];
    char *end = text + sizeof(text);
    char *at = integer_put_digits(end, value);

    format_put(output, at, (size_t)(end - at));
}

static void
format_put_signed(struct format_output *output, long long value)
{
    char text[INTEGER_TEXT_SIZE];
    struct slice number = integer_format(value, text);

    format_put(output, number.data, number.len);
}

/* As with printf, text ends at its NUL or at the precision, whichever comes first. */
static void
format_put_prefix(struct format_output *output, const char *text, int precision)
{
    const char *nul = precision > 0 ? memchr(text, '\0', (size_t)precision) : NULL;

    if (precision > 0)
        format_put(output, text, nul ? (size_t)(nul - text) : (size_t)precision);
}

static bool
format_takes(const char **format, const char *directive)
{
    size_t len = strlen(directive);

    if (strncmp(*format, directive, len) != 0)
        return false;
    *format += len;
    return true;
}

size_t
format_text(char *out, size_t size, const char *format, va_list arguments)
{
    struct format_output output = {out, size - 1, 0};

    for (;;) {
        const char *directive = strchr(format, '%');
        size_t run = directive ? (size_t)(directive - format) : strlen(format);

        format_put(&output, format, run);
        format += run;
        if (!directive)
            break;
        if (format_takes(&format, "%s")) {
            const char *text = va_arg(arguments, const char *);

            format_put(&output, text, strlen(text));
        } else if (format_takes(&format, "%.*s")) {
            int precision = va_arg(arguments, int);

            format_put_prefix(&output, va_arg(arguments, const char *), precision);
        } else if (format_takes(&format, "%d"))
            format_put_signed(&output, va_arg(arguments, int));
        else if (format_takes(&format, "%u"))
            format_put_unsigned(&output, va_arg(arguments, unsigned));
        else if (format_takes(&format, "%lld"))
            format_put_signed(&output, va_arg(arguments, long long));
        else if (format_takes(&format, "%llu"))
            format_put_unsigned(&output, va_arg(arguments, unsigned long long));
        else if (format_takes(&format, "%zu"))
            format_put_unsigned(&output, va_arg(arguments, size_t));
        else if (!format_takes(&format, "%%"))
            break; /* no directive of ours: the text ends here */
        else
            format_put(&output, "%", 1);
    }
    out[output.len < output.room ? output.len : output.room] = '\0';
    return output.len;
}
