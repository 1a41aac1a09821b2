/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/job_names.h"

#define JOB_NAME_ROW(name, kind, group) {SLICE_INIT(kind), SLICE_INIT(group)},
const struct job_name job_names[JOB_NAME_COUNT] = {JOB_KINDS_OF_OWN(JOB_NAME_ROW)
                                                       JOB_KINDS(JOB_NAME_ROW)};

#define JOB_NAME_WORDS(name, kind, group) kind, kind "." group,
const char *const job_name_words[] = {JOB_NAME_ANY, JOB_KINDS_OF_OWN(JOB_NAME_WORDS)
                                                        JOB_KINDS(JOB_NAME_WORDS) NULL};

_Static_assert(JOB_NAME_COUNT < 64, "a set of kinds has a bit for each");

/* An unset group is that of any kind. */
static job_kind_set
job_names_find(struct slice kind, struct slice group)
{
    for (size_t i = 0; i < JOB_NAME_COUNT; i++)
        if (slice_equal(job_names[i].kind, kind) &&
            (!slice_is_set(group) || slice_equal(job_names[i].group, group)))
            return (job_kind_set)1 << i;
    return 0;
}

/* Returns what is before the first such character; the whole text if there is none. */
static struct slice
job_names_before(struct slice text, char end)
{
    const char *at = text.len ? memchr(text.data, end, text.len) : NULL;

    return at ? (struct slice){text.data, (size_t)(at - text.data)} : text;
}

job_kind_set
job_names_selected(struct slice word)
{
    const struct slice kind = job_names_before(word, '.');
    struct slice group = NO_SLICE;

    if (slice_equal(word, SLICE(JOB_NAME_ANY)))
        return JOB_KINDS_ALL;
    if (kind.len < word.len)
        group = (struct slice){word.data + kind.len + 1, word.len - kind.len - 1};
    return job_names_find(kind, group);
}

job_kind_set
job_names_of(struct slice api_version, struct slice kind)
{
    return job_names_find(kind, job_names_before(api_version, '/'));
}
