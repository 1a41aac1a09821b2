/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

enum { RULE_WORD_BYTES = 8, RULE_START_WORDS = 3 };

/* Little-endian on every machine: the first byte is the lowest. */
static inline uint64_t
rule_word(const unsigned char bytes[RULE_WORD_BYTES])
{
    return (uint64_t)bytes[0] | (uint64_t)bytes[1] << 8 | (uint64_t)bytes[2] << 16 |
           (uint64_t)bytes[3] << 24 | (uint64_t)bytes[4] << 32 | (uint64_t)bytes[5] << 40 |
           (uint64_t)bytes[6] << 48 | (uint64_t)bytes[7] << 56;
}

/* Returns eight bytes from `at` on, padded with zeros after the end of the text. */
static uint64_t
rule_word_at(struct slice text, size_t at)
{
    unsigned char bytes[RULE_WORD_BYTES] = {0};

    if (at >= text.len)
        return 0;
    if (text.len - at >= RULE_WORD_BYTES)
        memcpy(bytes, text.data + at, RULE_WORD_BYTES);
    else
        memcpy(bytes, text.data + at, text.len - at);
    return rule_word(bytes);
}

/* Returns the last eight bytes; a shorter text is padded with zeros at its start. */
static uint64_t
rule_word_at_end(struct slice text)
{
    unsigned char bytes[RULE_WORD_BYTES] = {0};

    if (text.len >= RULE_WORD_BYTES)
        memcpy(bytes, text.data + text.len - RULE_WORD_BYTES, RULE_WORD_BYTES);
    else if (text.len)
        memcpy(bytes + RULE_WORD_BYTES - text.len, text.data, text.len);
    return rule_word(bytes);
}

static void
rule_keys_name_from(uint64_t *words, struct slice name)
{
    for (size_t i = 0; i < RULE_START_WORDS; i++)
        words[i] = rule_word_at(name, i * RULE_WORD_BYTES);
    words[RULE_START_WORDS] = rule_word_at_end(name);
}

void
rule_keys_name(struct rule_keys *keys, struct slice namespace_, struct slice runtime,
               struct slice framework)
{
    rule_keys_name_from(&keys->words[RULE_NAMESPACE_START], namespace_);
    rule_keys_name_from(&keys->words[RULE_RUNTIME_START], runtime);
    keys->words[RULE_FRAMEWORK_END] = rule_word_at_end(framework);
}

/* ---- probes ---- */

/* A mask for `count` bytes: the first ones or the last ones of a word. */
static uint64_t
rule_mask_of_first(size_t count)
{
    return count >= RULE_WORD_BYTES ? UINT64_MAX : ((uint64_t)1 << (8 * count)) - 1;
}

static uint64_t
rule_mask_of_last(size_t count)
{
    return count ? ~rule_mask_of_first(count >= RULE_WORD_BYTES ? 0 : RULE_WORD_BYTES - count) : 0;
}

/*
 * A probe for the end of a name, because names of one team often have the same start and different
 * ends. `is_whole`: the name must have no other bytes before it.
 */
static struct rule_probe
rule_probe_end(struct slice end, bool is_whole, uint64_t first_word)
{
    uint64_t mask = is_whole ? UINT64_MAX : rule_mask_of_last(end.len);

    return (struct rule_probe){rule_word_at_end(end), mask, first_word + RULE_START_WORDS};
}

/* A probe for the last word that contains a part of the start. */
static struct rule_probe
rule_probe_start(struct slice start, uint64_t first_word)
{
    size_t word = start.len ? (start.len - 1) / RULE_WORD_BYTES : 0;

    if (word >= RULE_START_WORDS)
        word = RULE_START_WORDS - 1;
    return (struct rule_probe){rule_word_at(start, word * RULE_WORD_BYTES),
                               rule_mask_of_first(start.len - word * RULE_WORD_BYTES),
                               first_word + word};
}

static struct rule_probe
rule_probe_of(struct slice glob, uint64_t first_word)
{
    size_t start = 0;
    size_t end = glob.len;

    while (start < glob.len && glob.data[start] != '*')
        start++;
    while (end > start && glob.data[end - 1] != '*')
        end--;
    if (start == glob.len)
        return rule_probe_end(glob, true, first_word);
    if (end < glob.len)
        return rule_probe_end((struct slice){glob.data + end, glob.len - end}, false, first_word);
    return rule_probe_start((struct slice){glob.data, start}, first_word);
}

/* Each text must have its own probe, otherwise no probe is used. */
static bool
rule_filter_probe(struct rule_filter *filter, const struct rule_texts *globs, uint64_t first_word)
{
    if (!globs->count || globs->count > RULE_PROBES)
        return false;
    for (size_t i = 0; i < globs->count; i++)
        filter->probes[i] = rule_probe_of(globs->items[i], first_word);
    filter->has_second = globs->count > 1;
    return true;
}

static bool
rule_needs_label(const struct label_selector *selector)
{
    for (size_t i = 0; i < selector->count; i++)
        if (selector->requirements[i].operator_ == LABEL_IN ||
            selector->requirements[i].operator_ == LABEL_EXISTS)
            return true;
    return false;
}

struct rule_filter
rule_filter_of(const struct policy_match *match)
{
    struct rule_filter filter = {
        .min_nodes = match->min_nodes.source ? match->min_nodes.value : INT64_MIN,
        .max_nodes = match->max_nodes.source ? match->max_nodes.value : INT64_MAX,
        .takes_managed = match->kueue != KUEUE_UNMANAGED,
        .takes_unmanaged = match->kueue != KUEUE_MANAGED,
        .needs_label = rule_needs_label(&match->trainjob_selector) ||
                       rule_needs_label(&match->object_selector),
        .kinds = match->kinds,
    };

    if (!rule_filter_probe(&filter, &match->namespaces, RULE_NAMESPACE_START) &&
        !rule_filter_probe(&filter, &match->runtimes, RULE_RUNTIME_START))
        rule_filter_probe(&filter, &match->frameworks, RULE_FRAMEWORK_END - RULE_START_WORDS);
    return filter;
}

const struct rule_filter *
rule_filters_make(const struct policy_rule *rules, size_t count, struct arena *arena)
{
    struct rule_filter *filters = count ? arena_array(arena, count, sizeof(*filters)) : NULL;

    for (size_t i = 0; filters && i < count; i++)
        filters[i] = rule_filter_of(&rules[i].match);
    return filters;
}

/* ---- the search ---- */

static inline bool
rule_probe_fits(const struct rule_probe *probe, const struct rule_keys *keys)
{
    return ((probe->bytes ^ keys->words[probe->word]) & probe->mask) == 0;
}

static bool
rule_filter_passes(const struct rule_filter *filter, const struct rule_keys *keys)
{
    return keys->nodes >= filter->min_nodes && keys->nodes <= filter->max_nodes &&
           (keys->is_managed ? filter->takes_managed : filter->takes_unmanaged) &&
           (keys->has_labels || !filter->needs_label) && (keys->kinds & filter->kinds);
}

size_t
rule_filters_next(const struct rule_filter *filters, size_t from, size_t count,
                  const struct rule_keys *keys)
{
    if (!keys->has_namespace)
        return from;
    for (; from < count; from++) {
        const struct rule_filter *filter = &filters[from];

        if (!rule_probe_fits(&filter->probes[0], keys) &&
            (!filter->has_second || !rule_probe_fits(&filter->probes[1], keys)))
            continue;
        if (rule_filter_passes(filter, keys))
            break;
    }
    return from;
}
