/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/kube/strategic_merge.h"

/*
 * How a patch changes a list of a JobSetSpec, or of a pod template, which is a part of one: the
 * tags patchStrategy and patchMergeKey of sigs.k8s.io/jobset v0.12.0 (JobSetSpec) and of
 * k8s.io/api v0.36.2 below it. `merge,retainKeys` is a plain merge, because no patch has the
 * directive $retainKeys. Other lists are replaced as a whole. The name of a list is sufficient: no
 * name has two rules in a JobSetSpec.
 */
static const struct patch_rule {
    struct slice list;
    struct slice key; /* of items that are merged; empty: scalars, of which the union is made */
} patch_rules[] = {
    {SLICE_INIT("replicatedJobs"), SLICE_INIT("name")},
    {SLICE_INIT("dependsOn"), SLICE_INIT("name")},
    {SLICE_INIT("containers"), SLICE_INIT("name")},
    {SLICE_INIT("initContainers"), SLICE_INIT("name")},
    {SLICE_INIT("ephemeralContainers"), SLICE_INIT("name")},
    {SLICE_INIT("imagePullSecrets"), SLICE_INIT("name")},
    {SLICE_INIT("schedulingGates"), SLICE_INIT("name")},
    {SLICE_INIT("volumes"), SLICE_INIT("name")},
    {SLICE_INIT("resourceClaims"), SLICE_INIT("name")},
    {SLICE_INIT("hostAliases"), SLICE_INIT("ip")},
    {SLICE_INIT("topologySpreadConstraints"), SLICE_INIT("topologyKey")},
    {SLICE_INIT("env"), SLICE_INIT("name")},
    {SLICE_INIT("ports"), SLICE_INIT("containerPort")},
    {SLICE_INIT("volumeMounts"), SLICE_INIT("mountPath")},
    {SLICE_INIT("volumeDevices"), SLICE_INIT("devicePath")},
    {SLICE_INIT("ownerReferences"), SLICE_INIT("uid")},
    {SLICE_INIT("finalizers"), SLICE_INIT("")},
};

#define MERGE_NOWHERE UINT32_MAX

/*
 * An item of either list, linked with the others that have the same key. `value` is the
 * merged value in the first slot of a key, and NULL in a slot that was merged into another.
 */
struct merge_slot {
    struct slice key;
    const struct node *value;
    /* The first slot with the same key. Originals precede patch items, in document order. */
    struct merge_slot *first;
    struct merge_slot *next;
    /* The first index of the key on each side; MERGE_NOWHERE if that side does not have the key. */
    uint32_t original;
    uint32_t patch;
};

/* All items of both lists: the originals, then those of the patch. */
struct merge_slots {
    struct merge_slot *at;
    uint32_t originals;
    uint32_t count;
};

struct merge_call {
    struct arena *arena;
    patch_omits_member *omits; /* NULL: every member has an effect */
};

/* `name` is the field that holds both values, directly or in a list. */
static const struct node *merge_values(const struct merge_call *call, const struct node *original,
                                       const struct node *patch, struct slice name);

/* Links the slots of one key. `run` points to them in the order in which they were added. */
static void
merge_slots_link_run(struct merge_slots *slots, const void *const *run, size_t len)
{
    struct merge_slot *next = NULL;
    uint32_t original = MERGE_NOWHERE;
    uint32_t patch = MERGE_NOWHERE;

    for (size_t i = len; i-- > 0;) {
        uint32_t place = (uint32_t)((const struct merge_slot *)run[i] - slots->at);

        *(place < slots->originals ? &original : &patch) = place;
        slots->at[place].next = next;
        next = &slots->at[place];
    }
    for (struct merge_slot *slot = next; slot; slot = slot->next) {
        slot->first = next;
        slot->original = original;
        slot->patch = patch;
    }
}

/* Sorted, so that many slots take no quadratic time. */
static bool
merge_slots_link_many(struct merge_slots *slots, struct arena *arena)
{
    const void **sorted = stable_sort_array(slots->at, slots->count, sizeof(*slots->at),
                                            slice_compare_first, NULL, arena);
    size_t start = 0;

    if (!sorted)
        return false;
    for (size_t i = 1; i <= slots->count; i++) {
        if (i < slots->count && slice_compare_first(sorted[start], sorted[i], NULL) == 0)
            continue;
        merge_slots_link_run(slots, &sorted[start], i - start);
        start = i;
    }
    return true;
}

enum { MERGE_FEW = 16 }; /* slots, up to which comparing every pair is faster than sorting */

static bool
merge_slots_link(struct merge_slots *slots, struct arena *arena)
{
    const void *run[MERGE_FEW];

    if (slots->count > MERGE_FEW)
        return merge_slots_link_many(slots, arena);
    for (size_t i = 0; i < slots->count; i++) {
        size_t len = 0;

        for (size_t k = i; k < slots->count && !slots->at[i].first; k++)
            if (slice_equal(slots->at[i].key, slots->at[k].key))
                run[len++] = &slots->at[k];
        if (len)
            merge_slots_link_run(slots, run, len);
    }
    return true;
}

/*
 * Merges each item of the patch into the first item of its key, which may be an earlier one of the
 * patch. `list` is the name of the list.
 */
static void
merge_slots_apply(struct merge_slots *slots, const struct merge_call *call, struct slice list)
{
    for (size_t i = slots->originals; i < slots->count; i++) {
        struct merge_slot *slot = &slots->at[i];

        if (slot->first == slot)
            continue;
        slot->first->value = merge_values(call, slot->first->value, slot->value, list);
        slot->value = NULL;
    }
}

/*
 * Returns a copy of the header of a map or list, with room behind it for the children that
 * merge_add() adds: the child number n is at [n], counted from one.
 */
static struct node *
merge_start(struct arena *arena, const struct node *original, size_t room)
{
    struct node *container = arena_take_array(arena, 1 + room, sizeof(*container));

    if (container) {
        *container = *original;
        container->len = 0;
    }
    return container;
}

static void
merge_add(struct node *container, const struct node *value)
{
    container[++container->len] = *value;
}

/* Links all children that were added. */
static void
merge_link(struct node *container)
{
    const struct node *next = NULL;

    for (size_t i = container->len; i > 0; i--) {
        container[i].next = next;
        next = &container[i];
    }
    container->as.first = next;
}

/*
 * Returns the first of a member of a patch and those behind it that has an effect; NULL if none
 * has. `name` is the field that holds the patch.
 */
static const struct node *
merge_effective(const struct merge_call *call, struct slice name, const struct node *member)
{
    while (member && call->omits && call->omits(name, member))
        member = member->next;
    return member;
}

static void
merge_slots_add_items(struct merge_slots *slots, const struct patch_rule *rule,
                      const struct node *list)
{
    for (NODE_EACH(item, list)) {
        /* A missing key has the zero value of its Go type, which is written like an absent text. */
        struct slice text = node_text(rule->key.len ? node_member(item, rule->key) : item);
        slots->at[slots->count++] =
            (struct merge_slot){.value = item, .key = slice_is_set(text) ? text : SLICE("")};
    }
}

/* A sequence of slots in their final order. */
struct merge_queue {
    struct merge_slot **at;
    size_t count;
};

static void
merge_queue_add_key(struct merge_queue *queue, struct merge_slot *first)
{
    for (struct merge_slot *slot = first; slot; slot = slot->next)
        if (slot->value)
            queue->at[queue->count++] = slot;
}

static void
merge_add_queues(struct node *merged, const struct merge_queue *untouched,
                 const struct merge_queue *patched)
{
    size_t i = 0;
    size_t j = 0;

    while (i < untouched->count || j < patched->count) {
        /* An untouched item comes first only if it precedes the patched item in the original. */
        bool take_untouched = j == patched->count ||
                              (i < untouched->count && patched->at[j]->original != MERGE_NOWHERE &&
                               untouched->at[i]->original < patched->at[j]->original);

        merge_add(merged, take_untouched ? untouched->at[i++]->value : patched->at[j++]->value);
    }
    merge_link(merged);
}

static const struct node *
merge_lists(const struct merge_call *call, const struct node *original, const struct node *patch,
            struct slice name)
{
    const struct patch_rule *rule = FIND_TEXT(patch_rules, COUNT_OF(patch_rules), list, name);
    size_t count = (size_t)original->len + patch->len;
    struct merge_slots slots = {0};
    struct merge_queue untouched = {0};
    struct merge_queue patched = {0};
    struct node *merged;

    if (!rule || original->len == 0)
        return patch;
    slots.at = arena_array(call->arena, count, sizeof(*slots.at));
    untouched.at = arena_array(call->arena, count, sizeof(*untouched.at));
    patched.at = arena_array(call->arena, count, sizeof(*patched.at));
    merged = merge_start(call->arena, original, count);
    if (!slots.at || !untouched.at || !patched.at || !merged)
        return NULL;
    merge_slots_add_items(&slots, rule, original);
    slots.originals = slots.count;
    merge_slots_add_items(&slots, rule, patch);
    if (!merge_slots_link(&slots, call->arena))
        return NULL;
    if (rule->key.len)
        merge_slots_apply(&slots, call, name);
    for (size_t i = 0; !rule->key.len && i < slots.count; i++)
        if (slots.at[i].first != &slots.at[i])
            slots.at[i].value = NULL;
    /* what the patch does not name, in the original's order; equal keys are adjacent */
    for (uint32_t i = 0; i < slots.originals; i++)
        if (slots.at[i].patch == MERGE_NOWHERE && slots.at[i].original == i)
            merge_queue_add_key(&untouched, &slots.at[i]);
    for (uint32_t i = slots.originals; i < slots.count; i++)
        if (slots.at[i].patch == i)
            merge_queue_add_key(&patched, slots.at[i].first);
    merge_add_queues(merged, &untouched, &patched);
    return merged;
}

static const struct node *
merge_maps(const struct merge_call *call, const struct node *original, const struct node *patch,
           struct slice name)
{
    const struct node *change = merge_effective(call, name, node_first(patch));
    struct node *merged =
        change ? merge_start(call->arena, original, (size_t)original->len + patch->len) : NULL;
    struct node_index members;

    if (!merged)
        return change ? NULL : original;
    for (NODE_EACH(member, original))
        merge_add(merged, member);
    /* What the patch adds is linked at the end, so that no search finds it. */
    merge_link(merged);
    members = node_index_make(merged, call->arena);
    for (; change; change = merge_effective(call, name, change->next)) {
        const struct slice key = node_key(change);
        const struct node *member = node_index_find_or_null(&members, key);
        const struct node *value = member ? merge_values(call, member, change, key) : change;

        if (!value)
            return NULL;
        if (member) {
            const struct node *next = member->next;

            merged[member - merged] = *value;
            merged[member - merged].next = next;
        } else {
            merge_add(merged, value);
        }
    }
    merge_link(merged);
    return merged;
}

/* The recursion is as deep as the shallower side; the readers bound this depth. */
static const struct node *
merge_values(const struct merge_call *call, const struct node *original, const struct node *patch,
             struct slice name)
{
    if (node_is(original, NODE_MAP) && node_is(patch, NODE_MAP))
        return merge_maps(call, original, patch, name);
    if (node_is(original, NODE_LIST) && node_is(patch, NODE_LIST))
        return merge_lists(call, original, patch, name);
    return patch;
}

const struct node *
strategic_merge(struct arena *arena, const struct node *original, const struct node *patch,
                patch_omits_member *omits)
{
    const struct merge_call call = {arena, omits};
    const struct node *merged;

    if (node_is_absent(original) || node_is_absent(patch))
        return node_is_absent(patch) ? original : patch;
    merged = merge_values(&call, original, patch, SLICE(""));
    return arena_failed(arena) ? NULL : merged;
}
