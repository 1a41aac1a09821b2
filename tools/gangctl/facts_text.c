/* SPDX-License-Identifier: Apache-2.0 */
#include "facts.h"

#include <string.h>

bool
plain_text_next(const char **at, const char *end, struct text_line *line)
{
    const char *newline;

    if (*at >= end)
        return false;
    newline = memchr(*at, '\n', (size_t)(end - *at));
    *line = (struct text_line){*at, (size_t)((newline ? newline : end) - *at)};
    *at = newline ? newline + 1 : end;
    while (line->len && is_blank(line->data[line->len - 1]))
        line->len--;
    return true;
}

static bool
is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* v1, v1beta1, v2alpha2: kubernetes/apimachinery:pkg/version/helpers.go */
static bool
is_kube_version(const char *text, size_t len)
{
    static const char *const stages[] = {"alpha", "beta"};
    size_t at = 1;

    if (len < 2 || text[0] != 'v' || !is_digit(text[1]))
        return false;
    while (at < len && is_digit(text[at]))
        at++;
    for (size_t i = 0; i < sizeof(stages) / sizeof(*stages); i++) {
        size_t stage = strlen(stages[i]);

        if (len - at > stage && memcmp(text + at, stages[i], stage) == 0 &&
            is_digit(text[at + stage])) {
            at += stage;
            break;
        }
    }
    while (at < len && is_digit(text[at]))
        at++;
    return at == len;
}

bool
is_group_version(const char *text, size_t len)
{
    const char *slash = memchr(text, '/', len);
    size_t group = slash ? (size_t)(slash - text) : 0;

    for (size_t i = 0; i < group; i++) {
        if (!is_name_byte(text[i]))
            return false;
    }
    if (slash && !group)
        return false;
    return slash ? is_kube_version(slash + 1, len - group - 1) : is_kube_version(text, len);
}

static bool
starts_with(const struct text_line *line, const char *prefix)
{
    return line->len >= strlen(prefix) && memcmp(line->data, prefix, strlen(prefix)) == 0;
}

static bool
line_holds(const struct text_line *line, const char *word)
{
    size_t len = strlen(word);

    for (size_t i = 0; i + len <= line->len; i++) {
        if (memcmp(line->data + i, word, len) == 0)
            return true;
    }
    return false;
}

static const char gate_metric[] = "kubernetes_feature_enabled{";

enum plain_text
plain_text_of(const char *data, size_t len)
{
    const char *at = data;
    struct text_line line = {0};

    while (plain_text_next(&at, data + len, &line) && !line.len)
        ;
    if (!line.len)
        return PLAIN_BLANK;
    if (starts_with(&line, "# HELP ") || starts_with(&line, "# TYPE ") ||
        starts_with(&line, gate_metric))
        return PLAIN_METRICS;
    if (starts_with(&line, "NAME ") && line_holds(&line, " APIVERSION "))
        return PLAIN_API_RESOURCES;
    return is_group_version(line.data, line.len) ? PLAIN_API_VERSIONS : PLAIN_NONE;
}

/* kubernetes_feature_enabled{name="GenericWorkload",stage="BETA"} 0 */
bool
read_gate_line(const struct text_line *line, struct text_line *name, bool *is_on)
{
    static const char key[] = "name=\"";
    const char *start = line->data + sizeof(gate_metric) - 1;
    const char *quote;

    if (!starts_with(line, gate_metric) || line->len < sizeof(gate_metric) + sizeof(key) ||
        memcmp(start, key, sizeof(key) - 1) != 0)
        return false;
    start += sizeof(key) - 1;
    quote = memchr(start, '"', (size_t)(line->data + line->len - start));
    if (!quote || quote == start)
        return false;
    *name = (struct text_line){start, (size_t)(quote - start)};
    *is_on = line->data[line->len - 1] == '1';
    return true;
}
