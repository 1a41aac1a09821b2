/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/policy/policy.h"

/* ---- glob ---- */

/* Returns the text after the first occurrence of the piece; unset if there is none. */
static struct slice
glob_behind(struct slice text, struct slice piece)
{
    for (; text.len >= piece.len; text = slice_after(text, 1))
        if (slice_has_prefix(text, piece))
            return slice_after(text, piece.len);
    return NO_SLICE;
}

/*
 * `glob` starts after a star. Matching each piece as early as possible leaves the longest rest for
 * the pieces after it.
 */
static bool
glob_matches_behind_star(struct slice glob, struct slice text)
{
    struct slice piece = slice_before(glob, '*');

    while (piece.len < glob.len) {
        text = glob_behind(text, piece);
        if (!slice_is_set(text))
            return false;
        glob = slice_after(glob, piece.len + 1);
        piece = slice_before(glob, '*');
    }
    return slice_has_suffix(text, piece);
}

/*
 * Most globs differ from most names in one of the first bytes, so these are compared before the
 * first star is searched.
 */
bool
glob_matches(struct slice glob, struct slice text)
{
    size_t i = 0;

    for (; i < glob.len && glob.data[i] != '*'; i++)
        if (i == text.len || glob.data[i] != text.data[i])
            return false;
    if (i == glob.len)
        return i == text.len;
    return glob_matches_behind_star(slice_after(glob, i + 1), slice_after(text, i));
}

/*
 * Names contain no star, so only a star of `wide` matches a star of `narrow`, and it also matches
 * every text that the star of `narrow` matches.
 */
bool
glob_covers(struct slice wide, struct slice narrow)
{
    return glob_matches(wide, narrow);
}

/* Whether both start with the same characters, up to the end or the first star of either. */
static bool
globs_start_alike(struct slice a, struct slice b)
{
    for (size_t i = 0; i < a.len && i < b.len && a.data[i] != '*' && b.data[i] != '*'; i++)
        if (a.data[i] != b.data[i])
            return false;
    return true;
}

static bool
globs_end_alike(struct slice a, struct slice b)
{
    for (size_t i = 1; i <= a.len && i <= b.len; i++) {
        char of_a = a.data[a.len - i];
        char of_b = b.data[b.len - i];

        if (of_a == '*' || of_b == '*')
            break;
        if (of_a != of_b)
            return false;
    }
    return true;
}

/*
 * If both have a star, a common name has the longer of the two starts, the texts between the stars
 * of each, and the longer of the two ends.
 */
bool
globs_meet(struct slice a, struct slice b)
{
    if (slice_find(a, '*') == a.len)
        return glob_matches(b, a);
    if (slice_find(b, '*') == b.len)
        return glob_matches(a, b);
    return globs_start_alike(a, b) && globs_end_alike(a, b);
}

/* ---- label selector ---- */

const char *const label_operator_names[] = {"In", "NotIn", "Exists", "DoesNotExist", NULL};

static enum label_operator
label_operator_of(struct slice name)
{
    for (size_t i = 0; label_operator_names[i]; i++)
        if (slice_equal(name, slice_from_text(label_operator_names[i])))
            return (enum label_operator)i;
    return LABEL_EXISTS;
}

/*
 * kubernetes/apimachinery:pkg/apis/meta/v1/validation/validation.go
 * ValidateLabelSelectorRequirement, with its messages.
 */
static struct label_requirement
label_read_expression(const struct node *expression, struct report *report)
{
    const struct node *name = node_member(expression, SLICE("operator"));
    const struct node *values = node_member(expression, SLICE("values"));
    const struct node *key = node_member(expression, SLICE("key"));
    const struct rule_texts texts = rule_texts_of(values, report->arena);
    enum label_operator operator_ = label_operator_of(node_string(name));
    bool wants_values = operator_ == LABEL_IN || operator_ == LABEL_NOT_IN;

    if (wants_values && !node_count(values))
        find_required(report, values ? values : expression, values ? SLICE("") : SLICE("values"),
                      MESSAGE_REQUIRED_FIELD_VALUES);
    if (name && !wants_values && node_count(values))
        find_forbidden(report, values, MESSAGE_SETTING_WITHOUT_EFFECT_VALUES);
    if (slice_is_set(node_string(key)))
        name_check_made(node_string(key), NAME_QUALIFIED, GANG_CODE_INVALID_LABEL_KEY, key, NULL,
                        report);
    for (NODE_EACH(value, values))
        name_check_node(value, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE, NULL, report);
    return (struct label_requirement){.key = node_string(key),
                                      .operator_ = operator_,
                                      .values = texts.items,
                                      .count = texts.count};
}

static struct label_requirement
label_read_entry(const struct node *entry, struct arena *arena)
{
    struct slice *value = arena_alloc(arena, sizeof(*value));

    if (value)
        *value = node_string(entry);
    return (struct label_requirement){
        .key = node_key(entry), .operator_ = LABEL_IN, .values = value, .count = 1};
}

/* Reports what the schema cannot express in Kubernetes' words. */
SCHEMA_READ(label_selector_read)
{
    struct label_selector *selector = value;
    const struct node *labels = node_member(source, SLICE("matchLabels"));
    const struct node *expressions = node_member(source, SLICE("matchExpressions"));
    struct label_requirement *requirements = arena_array(
        reader->arena, node_count(labels) + node_count(expressions), sizeof(*requirements));

    selector->source = source;
    object_meta_check_labels(labels, reader->report);
    if (!requirements)
        return;
    for (NODE_EACH(entry, labels))
        requirements[selector->count++] = label_read_entry(entry, reader->arena);
    for (NODE_EACH(expression, expressions))
        requirements[selector->count++] = label_read_expression(expression, reader->report);
    selector->requirements = requirements;
}

/* kubernetes/apimachinery:pkg/labels/selector.go Requirement.Matches */
static bool
label_holds(const struct label_requirement *requirement, const struct node *labels)
{
    const struct node *label = node_member(labels, requirement->key);

    switch (requirement->operator_) {
    case LABEL_IN:
        return label && slice_is_among(node_string(label), requirement->values, requirement->count);
    case LABEL_NOT_IN:
        return !label ||
               !slice_is_among(node_string(label), requirement->values, requirement->count);
    case LABEL_EXISTS:
        return label != NULL;
    case LABEL_DOES_NOT_EXIST:
        break;
    }
    return label == NULL;
}

bool
label_selector_matches(const struct label_selector *selector, const struct node *labels)
{
    for (size_t i = 0; i < selector->count; i++)
        if (!label_holds(&selector->requirements[i], labels))
            return false;
    return true;
}

size_t
label_selector_entries(const struct label_selector *selector)
{
    size_t entries = selector->count;

    for (size_t i = 0; i < selector->count; i++)
        entries += selector->requirements[i].count > 1 ? selector->requirements[i].count - 1 : 0;
    return entries;
}

/* Returns how many values of `a` are among those of `b`. */
static size_t
label_count_shared(const struct label_requirement *a, const struct label_requirement *b)
{
    size_t shared = 0;

    for (size_t i = 0; i < a->count; i++)
        shared += slice_is_among(a->values[i], b->values, b->count);
    return shared;
}

/* Whether every set of labels that satisfies `narrow` also satisfies `wide`. */
static bool
label_follows(const struct label_requirement *wide, const struct label_requirement *narrow)
{
    bool is_there = narrow->operator_ == LABEL_IN || narrow->operator_ == LABEL_EXISTS;

    if (!slice_equal(wide->key, narrow->key))
        return false;
    switch (wide->operator_) {
    case LABEL_IN:
        return narrow->operator_ == LABEL_IN && label_count_shared(narrow, wide) == narrow->count;
    case LABEL_NOT_IN:
        return narrow->operator_ == LABEL_DOES_NOT_EXIST ||
               (narrow->operator_ == LABEL_NOT_IN &&
                label_count_shared(wide, narrow) == wide->count) ||
               (narrow->operator_ == LABEL_IN && !label_count_shared(narrow, wide));
    case LABEL_EXISTS:
        return is_there;
    case LABEL_DOES_NOT_EXIST:
        break;
    }
    return narrow->operator_ == LABEL_DOES_NOT_EXIST;
}

static bool
label_follows_from_any(const struct label_requirement *wide, const struct label_selector *narrow)
{
    for (size_t i = 0; i < narrow->count; i++)
        if (label_follows(wide, &narrow->requirements[i]))
            return true;
    return false;
}

bool
label_selector_covers(const struct label_selector *wide, const struct label_selector *narrow)
{
    for (size_t i = 0; i < wide->count; i++)
        if (!label_follows_from_any(&wide->requirements[i], narrow))
            return false;
    return true;
}

/* ---- rule filters ---- */

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

/* A mask for the first bytes of a word. */
static uint64_t
rule_mask_of_first(size_t count)
{
    return count >= RULE_WORD_BYTES ? UINT64_MAX : ((uint64_t)1 << (8 * count)) - 1;
}

/*
 * A probe for the end of a name, because names of one team often have the same start and different
 * ends. `is_whole`: the name must have no other bytes before it.
 */
static struct rule_probe
rule_probe_end(struct slice end, bool is_whole, uint64_t first_word)
{
    size_t rest = end.len < RULE_WORD_BYTES && !is_whole ? RULE_WORD_BYTES - end.len : 0;

    return (struct rule_probe){rule_word_at_end(end), ~rule_mask_of_first(rest),
                               first_word + RULE_START_WORDS};
}

static struct rule_probe
rule_probe_of(struct slice glob, uint64_t first_word)
{
    size_t start = 0;
    size_t end = glob.len;
    size_t word;

    while (start < glob.len && glob.data[start] != '*')
        start++;
    while (end > start && glob.data[end - 1] != '*')
        end--;
    if (start == glob.len)
        return rule_probe_end(glob, true, first_word);
    if (end < glob.len)
        return rule_probe_end(slice_after(glob, end), false, first_word);
    /* The last word that contains a part of the start. */
    word = start ? (start - 1) / RULE_WORD_BYTES : 0;
    if (word >= RULE_START_WORDS)
        word = RULE_START_WORDS - 1;
    return (struct rule_probe){
        rule_word_at((struct slice){glob.data, start}, word * RULE_WORD_BYTES),
        rule_mask_of_first(start - word * RULE_WORD_BYTES), first_word + word};
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
        if (keys->nodes >= filter->min_nodes && keys->nodes <= filter->max_nodes &&
            (keys->is_managed ? filter->takes_managed : filter->takes_unmanaged) &&
            (keys->has_labels || !filter->needs_label) && (keys->kinds & filter->kinds))
            break;
    }
    return from;
}
