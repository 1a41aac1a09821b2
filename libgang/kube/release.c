/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/names.h"

enum { RELEASE_MOST_DIGITS = 9 };

static bool
release_is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Reads a number without leading zeros from the start of the text, and removes it. */
static bool
release_take_number(struct slice *text, uint32_t *out)
{
    size_t digits = 0;

    *out = 0;
    while (digits < text->len && digits < RELEASE_MOST_DIGITS &&
           release_is_digit(text->data[digits]))
        *out = *out * 10 + (uint32_t)(text->data[digits++] - '0');
    if (!digits || (digits > 1 && text->data[0] == '0'))
        return false;
    *text = (struct slice){text->data + digits, text->len - digits};
    return true;
}

static bool
release_take(struct slice *text, char c)
{
    if (!text->len || text->data[0] != c)
        return false;
    *text = (struct slice){text->data + 1, text->len - 1};
    return true;
}

/* semver.org, items 9 and 10: letters, digits, hyphens and dots after `-` or `+`. */
static bool
release_is_suffix(struct slice text)
{
    if (!text.len)
        return true;
    if (text.len == 1 || (text.data[0] != '-' && text.data[0] != '+'))
        return false;
    for (size_t i = 1; i < text.len; i++) {
        char c = text.data[i];
        bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

        if (!letter && !release_is_digit(c) && c != '.' && c != '-' && c != '+')
            return false;
    }
    return true;
}

bool
release_parse(struct slice text, struct release *out)
{
    struct release release = {.is_known = true};

    *out = (struct release){0};
    release_take(&text, 'v');
    if (!release_take_number(&text, &release.major) || !release_take(&text, '.') ||
        !release_take_number(&text, &release.minor))
        return false;
    if (release_take(&text, '.') && !release_take_number(&text, &release.patch))
        return false;
    if (!release_is_suffix(text))
        return false;
    *out = release;
    return true;
}

static int
release_order(uint32_t a, uint32_t b)
{
    return (a > b) - (a < b);
}

int
release_compare(const struct release *a, const struct release *b)
{
    int order = release_order(a->major, b->major);

    if (!order)
        order = release_order(a->minor, b->minor);
    return order ? order : release_order(a->patch, b->patch);
}

bool
release_at_least(const struct release *release, uint32_t major, uint32_t minor)
{
    struct release least = {.is_known = true, .major = major, .minor = minor};

    return release->is_known && release_compare(release, &least) >= 0;
}
