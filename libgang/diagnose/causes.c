/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

/* ---- times ---- */

/* Days since 1970-01-01 of a date in the Gregorian calendar. */
static int64_t
time_days_of(int64_t year, int64_t month, int64_t day)
{
    const int64_t shifted = month <= 2 ? year - 1 : year;
    const int64_t era = (shifted >= 0 ? shifted : shifted - 399) / 400;
    const int64_t of_era = shifted - era * 400;
    const int64_t of_year = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1;

    return era * 146097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719468;
}

/* Reads the digits of a part of a time; -1 for other text. */
static int64_t
time_number(struct slice text, size_t from, size_t len)
{
    int64_t number;

    return integer_parse((struct slice){text.data + from, len}, &number) && number >= 0 ? number
                                                                                        : -1;
}

int64_t
why_seconds_of(struct slice time)
{
    enum { DATE_AND_TIME = sizeof("2026-11-25T08:30:00") - 1 };
    int64_t parts[6];
    static const struct {
        size_t from;
        size_t len;
    } places[] = {{0, 4}, {5, 2}, {8, 2}, {11, 2}, {14, 2}, {17, 2}};

    if (time.len <= DATE_AND_TIME || time.data[10] != 'T' || time.data[time.len - 1] != 'Z')
        return 0;
    for (size_t i = 0; i < COUNT_OF(places); i++) {
        parts[i] = time_number(time, places[i].from, places[i].len);
        if (parts[i] < 0)
            return 0;
    }
    return time_days_of(parts[0], parts[1], parts[2]) * 86400 + parts[3] * 3600 + parts[4] * 60 +
           parts[5];
}

struct slice
why_text_at(const struct live_object *object, const char *path)
{
    return object ? node_string(node_at(object->root, path)) : NO_SLICE;
}

struct slice
why_event_time(const struct live_object *event)
{
    static const char *const paths[] = {"series.lastObservedTime", "lastTimestamp", "eventTime"};

    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        const struct slice time = why_text_at(event, paths[i]);

        if (time.len)
            return time;
    }
    return NO_SLICE;
}

int64_t
why_age_of(const struct diagnosis *why, const struct live_object *object)
{
    const int64_t made = why_seconds_of(why_text_at(object, "metadata.creationTimestamp"));

    return made && why->now >= made ? why->now - made : -1;
}

/* ---- causes ---- */

const struct why_row *
why_row_of(enum gang_code code)
{
    size_t low = 0;
    size_t high = num_why_rows - 1;

    while (low < high) {
        const size_t middle = low + (high - low) / 2;

        if (why_rows[middle].code < code)
            low = middle + 1;
        else
            high = middle;
    }
    return &why_rows[low];
}

const char *
why_number(const struct diagnosis *why, int64_t number)
{
    return arena_format(why->arena, "%lld", (long long)number);
}

const char *
why_text(const struct diagnosis *why, struct slice text)
{
    return arena_format(why->arena, "%.*s", SLICE_ARG(text));
}

const char *
why_quoted(const struct diagnosis *why, struct slice text)
{
    struct quoted quoted;

    return arena_format(why->arena, "%s", quote(&quoted, text));
}

/* Puts the values in the places of %s, the only directive of these messages. */
static const char *
cause_message(const struct diagnosis *why, const char *format, const char *const *values)
{
    const char *message = "";

    while (*format) {
        const size_t len = strcspn(format, "%");
        const bool is_place = format[len] == '%';

        message = arena_format(why->arena, "%s%.*s%s", message, (int)len, format,
                               is_place && *values ? *values++ : "");
        format += len + (is_place ? 2 : 0);
    }
    return message;
}

static struct why_cause *
cause_find(struct diagnosis *why, enum gang_code code)
{
    for (size_t i = 0; i < why->num_causes; i++)
        if (why->causes[i].row->code == code)
            return &why->causes[i];
    return NULL;
}

bool
why_has(const struct diagnosis *why, enum gang_code code)
{
    for (size_t i = 0; i < why->num_causes; i++)
        if (why->causes[i].row->code == code)
            return true;
    return false;
}

struct why_cause *
why_add(struct diagnosis *why, enum why_certainty certainty, enum gang_code code,
        const char *const *values)
{
    struct why_cause *cause = cause_find(why, code);

    if (cause)
        return cause;
    cause = why->num_causes < WHY_MOST_CAUSES ? &why->causes[why->num_causes++]
                                              : &why->causes[WHY_MOST_CAUSES - 1];
    *cause = (struct why_cause){.row = why_row_of(code),
                                .certainty = certainty,
                                .message = cause_message(why, why_row_of(code)->message, values)};
    return cause;
}

void
why_drop(struct diagnosis *why, enum gang_code code)
{
    size_t kept = 0;

    for (size_t i = 0; i < why->num_causes; i++)
        if (why->causes[i].row->code != code)
            why->causes[kept++] = why->causes[i];
    why->num_causes = kept;
}

void
why_restate(const struct diagnosis *why, struct why_cause *cause, const char *const *values)
{
    cause->certainty = CERTAINTY_PROVEN;
    cause->message = cause_message(why, cause->row->message, values);
}

void
why_show_words(struct why_cause *cause, const struct live_object *object, struct slice path,
               struct slice value)
{
    if (!object || cause->num_evidence == WHY_MOST_EVIDENCE)
        return;
    for (size_t i = 0; i < cause->num_evidence; i++)
        if (slice_equal(cause->evidence[i].value, value) &&
            slice_equal(cause->evidence[i].path, path))
            return;
    cause->evidence[cause->num_evidence++] =
        (struct why_evidence){.object = object, .path = path, .value = value};
}

void
why_show(struct why_cause *cause, const struct live_object *object, const char *path,
         struct slice value)
{
    why_show_words(cause, object, slice_from_text(path), value);
}

void
why_count(struct why_cause *cause, const char *name, int64_t value)
{
    if (cause->num_counts < WHY_MOST_COUNTS)
        cause->counts[cause->num_counts++] = (struct why_count){name, value};
}

const char *
why_name(const struct diagnosis *why, const struct live_object *object)
{
    return arena_format(why->arena, "%.*s/%.*s", SLICE_ARG(object->kind), SLICE_ARG(object->name));
}

/* Orders by stage, then by certainty, then as the causes were found. */
static int
cause_compare(const void *left, const void *right, const void *context)
{
    const struct why_cause *a = left;
    const struct why_cause *b = right;
    int order = (int)a->row->stage - (int)b->row->stage;

    (void)context;
    if (!order)
        order = (int)a->certainty - (int)b->certainty;
    return order ? order : (a->order > b->order) - (a->order < b->order);
}

void
why_sort(struct diagnosis *why)
{
    struct why_cause *copy = arena_array(why->arena, WHY_MOST_CAUSES, sizeof(*copy));
    const void **sorted;

    if (!copy)
        return;
    memcpy(copy, why->causes, sizeof(why->causes));
    sorted =
        stable_sort_array(copy, why->num_causes, sizeof(*copy), cause_compare, NULL, why->arena);
    for (size_t i = 0; sorted && i < why->num_causes; i++)
        why->causes[i] = *(const struct why_cause *)sorted[i];
}
