/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#define UPDATE_SPEC SLICE("spec")
#define UPDATE_LABELS SLICE("labels")
#define UPDATE_ANNOTATIONS SLICE("annotations")
#define UPDATE_OWNERS SLICE("ownerReferences")

/* Go writes an empty struct, list or string, or omits the field, for the same value. */
static bool
update_is_empty(const struct node *node)
{
    return node_is_absent(node) || (node->kind >= NODE_STRING && !node->len);
}

/* Counts of a gang that two values may differ in: of minCount, or of it and minGroupCount. */
enum update_counts { UPDATE_NO_COUNTS, UPDATE_POD_COUNTS, UPDATE_GROUP_COUNTS };

static bool update_is_same(const struct node *a, const struct node *b, enum update_counts but);

static bool
update_has_members(const struct node *map, const struct node *other, enum update_counts but)
{
    for (NODE_EACH(member, map))
        if (!update_is_same(member, node_member(other, node_key(member)), but))
            return false;
    return true;
}

/*
 * Whether two values are equal; absent equals empty. `but` these counts: with them, absent does not
 * equal empty. The readers' limit bounds the depth.
 */
static bool
update_is_same(const struct node *a, const struct node *b, enum update_counts but)
{
    const bool no_a = but ? node_is_absent(a) : update_is_empty(a);
    const bool no_b = but ? node_is_absent(b) : update_is_empty(b);

    if (no_a || no_b || a->kind != b->kind)
        return no_a && no_b;
    if (a->kind == NODE_INT &&
        ((but && slice_equal(node_key(a), SLICE("minCount"))) ||
         (but == UPDATE_GROUP_COUNTS && slice_equal(node_key(a), SLICE("minGroupCount")))))
        return true;
    if (a->kind == NODE_MAP)
        return update_has_members(a, b, but) && update_has_members(b, a, but);
    if (a->kind != NODE_LIST)
        return node_equal(a, b);
    if (a->len != b->len)
        return false;
    for (const struct node *item = node_first(a), *other = node_first(b); item;
         item = item->next, other = other->next)
        if (!update_is_same(item, other, but))
            return false;
    return true;
}

/* Whether the other has every amount, as "1" and 1000m are the same. */
static bool
update_has_amounts(const struct node *resources, const struct node *other, struct arena *arena)
{
    const struct node_index index = node_index_make(other, arena);

    for (NODE_EACH(amount, resources)) {
        const struct node *same = node_index_find(&index, node_key(amount));
        struct quantity left;
        struct quantity right;

        if (!node_is_absent(amount) && (quantity_parse(node_text(amount), &left) != QUANTITY_OK ||
                                        quantity_parse(node_text(same), &right) != QUANTITY_OK ||
                                        quantity_compare(&left, &right) != 0))
            return false;
    }
    return true;
}

/* The state of update_apply(). */
struct update_work {
    const struct update_rules *rules;
    const struct update_call *call;
    const struct node *rendered; /* the expected spec */
    const struct node *live;
    struct update_result *out;
};

/*
 * Go's encoding leaves out an integer with omitempty that is 0. Returns NULL for it, so that an
 * object is the same before and after a Go client has written it back.
 */
static const struct node *
update_without_zero(const struct update_field *field, const struct node *value)
{
    return field->omits_zero && node_int_or(value, 1) == 0 ? NULL : value;
}

static bool
update_is_settled(const struct update_field *field, const struct node *wanted,
                  const struct node *live, struct arena *arena)
{
    switch (field->class) {
    case UPDATE_KEPT:
        return true;
    case UPDATE_GIVEN:
        if (node_is_absent(wanted))
            return true;
        if (!field->is_resources && node_is(wanted, NODE_MAP)) /* the server adds defaults */
            return update_has_members(wanted, live, UPDATE_NO_COUNTS);
        break;
    case UPDATE_OURS:
        break;
    case UPDATE_FROZEN:
    case UPDATE_ONCE:
    case UPDATE_COUNTED:
        return node_equal(wanted, live);
    }
    return field->is_resources
               ? update_has_amounts(wanted, live, arena) && update_has_amounts(live, wanted, arena)
               : update_is_same(wanted, live, UPDATE_NO_COUNTS);
}

/* Writes fields with a rule in the order of the rules, then the fields of other writers. */
static void
update_build_spec(struct update_work *work, struct builder *manifest)
{
    const struct update_rules *rules = work->rules;
    const bool scales = rules->scales_groups && rules->scales_groups(work->call->backend);
    struct builder spec = build_map_member(manifest, UPDATE_SPEC);

    for (size_t i = 0; i < rules->num_fields; i++) {
        const struct update_field *field = &rules->fields[i];
        const struct node *wanted = node_member(work->rendered, field->name);
        const struct node *live = node_member(work->live, field->name);

        if (field->class == UPDATE_KEPT && wanted &&
            !update_is_same(wanted, live, UPDATE_NO_COUNTS))
            work->out->kept[work->out->num_kept++] = field;
        if (update_is_settled(field, update_without_zero(field, wanted),
                              update_without_zero(field, live), work->call->arena)) {
            if (field->is_resources && wanted)
                live = wanted; /* in libgang's spelling, sorted */
            build_node(&spec, field->name, live);
            continue;
        }
        if (field->class == UPDATE_FROZEN ||
            (field->class == UPDATE_ONCE && !node_is_absent(live)) ||
            (field->class == UPDATE_COUNTED &&
             !update_is_same(wanted, live, scales ? UPDATE_GROUP_COUNTS : UPDATE_POD_COUNTS)))
            work->out->frozen[work->out->num_frozen++] = field;
        work->out->is_changed = true;
        build_node(&spec, field->name, wanted);
    }
    for (NODE_EACH(member, work->live))
        if (!FIND_TEXT(rules->fields, rules->num_fields, name, node_key(member)) &&
            !node_is_absent(member))
            build_node(&spec, node_key(member), member);
}

static const struct update_label *
update_label_of(const struct update_rules *rules, struct slice key)
{
    return FIND_TEXT(rules->labels, rules->num_labels, key, key);
}

enum { UPDATE_MOST_DIGITS = 9 };

/* Merges labels or annotations: rendered values win, and no key is removed. */
static void
update_build_pairs(struct update_work *work, struct slice name, const struct node *rendered,
                   const struct node *live, struct builder *metadata)
{
    const struct node *wanted = node_member(rendered, name);
    const struct node *there = node_member(live, name);
    const struct node_index wanted_keys = node_index_make(wanted, work->call->arena);
    const struct node_index there_keys = node_index_make(there, work->call->arena);
    struct builder merged = build_map(work->call->arena);
    bool wakes = work->call->wakes && slice_equal(name, UPDATE_ANNOTATIONS);

    for (NODE_EACH(pair, there)) {
        const struct node *other = node_index_find(&wanted_keys, node_key(pair));

        if (node_is_absent(pair) ||
            (wakes && slice_equal(node_key(pair), SLICE(GANG_ANNOTATION_WAKE))))
            continue;
        if (!other || (update_label_of(work->rules, node_key(pair)) && !update_is_empty(pair)))
            other = pair;
        work->out->is_changed |= !node_equal(other, pair);
        build_node(&merged, node_key(pair), other);
    }
    for (NODE_EACH(pair, wanted)) {
        const struct update_label *label = update_label_of(work->rules, node_key(pair));

        if (node_index_find(&there_keys, node_key(pair)) || (label && label->is_never_added))
            continue;
        work->out->is_changed = true;
        build_node(&merged, node_key(pair), pair);
    }
    if (wakes) {
        const struct slice text = node_string(node_member(there, SLICE(GANG_ANNOTATION_WAKE)));
        int64_t count;

        /* Any other text counts as 0, and so does a long number: the value must only change. */
        if (text.len > UPDATE_MOST_DIGITS || !integer_parse(text, &count) || count < 0)
            count = 0;
        work->out->is_changed = true;
        build_string(&merged, SLICE(GANG_ANNOTATION_WAKE),
                     ARENA_SLICE(work->call->arena, "%lld", (long long)count + 1));
    }
    manifest_copy_pairs(metadata, name, merged.node);
}

/*
 * Whether an existing object must get the rendered owner. Another version of the owner's API is no
 * change. A second owner, which is not the controller, is rendered only for new objects: garbage
 * collection does not need it, so adding it would be a write after every creation of a Workload
 * with its PodGroups.
 */
static bool
update_lacks_owner(const struct node *owners, const struct node *owner)
{
    const struct slice uid = node_string(node_member(owner, SLICE("uid")));

    if (!node_is_true(node_member(owner, SLICE("controller"))))
        return false;
    for (NODE_EACH(there, owners))
        if (slice_equal(node_string(node_member(there, SLICE("uid"))), uid))
            return false;
    return true;
}

static void
update_build_owners(struct update_work *work, const struct node *rendered, const struct node *live,
                    struct builder *metadata)
{
    const struct node *wanted = node_member(rendered, UPDATE_OWNERS);
    const struct node *there = node_member(live, UPDATE_OWNERS);
    bool replaces = work->rules->replaces_owners && wanted;
    bool changes = replaces && node_count(there) != node_count(wanted);
    struct builder list;

    for (NODE_EACH(owner, wanted))
        changes |= update_lacks_owner(there, owner);
    if (!changes) {
        build_node(metadata, UPDATE_OWNERS, there);
        return;
    }
    work->out->is_changed = true;
    list = build_list_member(metadata, UPDATE_OWNERS);
    for (NODE_EACH(owner, replaces ? NULL : there))
        build_node_item(&list, owner);
    for (NODE_EACH(owner, wanted))
        if (replaces || update_lacks_owner(there, owner))
            build_node_item(&list, owner);
}

struct update_result
update_apply(const struct update_rules *rules, const struct update_call *call,
             const struct node *rendered, const struct node *live)
{
    const struct node *wanted = node_member(rendered, SLICE("metadata"));
    const struct node *there = node_member(live, SLICE("metadata"));
    struct update_result result = {0};
    struct update_work work = {
        .rules = rules,
        .call = call,
        .rendered = node_member(rendered, UPDATE_SPEC),
        .live = node_member(live, UPDATE_SPEC),
        .out = &result,
    };
    struct builder manifest = build_map(call->arena);
    struct builder metadata;

    if (rules->expect)
        work.rendered = rules->expect(call, work.rendered, work.live);
    build_node(&manifest, SLICE("apiVersion"), node_member(rendered, SLICE("apiVersion")));
    build_node(&manifest, SLICE("kind"), node_member(rendered, SLICE("kind")));
    metadata = build_map_member(&manifest, SLICE("metadata"));
    for (NODE_EACH(member, there))
        /* `managedFields` is the server's, and must not be in a patch; the others are merged */
        if (!slice_equal(node_key(member), SLICE("managedFields")) &&
            !slice_equal(node_key(member), UPDATE_LABELS) &&
            !slice_equal(node_key(member), UPDATE_ANNOTATIONS) &&
            !slice_equal(node_key(member), UPDATE_OWNERS))
            build_node(&metadata, node_key(member), member);
    update_build_pairs(&work, UPDATE_LABELS, wanted, there, &metadata);
    update_build_pairs(&work, UPDATE_ANNOTATIONS, wanted, there, &metadata);
    update_build_owners(&work, wanted, there, &metadata);
    update_build_spec(&work, &manifest);
    if (rules->keeps_status && result.is_changed)
        build_node(&manifest, SLICE("status"), node_member(live, SLICE("status")));
    result.manifest = manifest.node;
    return result;
}

const struct node *
update_without_status(const struct node *live, struct arena *arena)
{
    const struct update_rules nothing = {.fields = NULL};
    const struct update_call call = {.arena = arena};

    return update_apply(&nothing, &call, live, live).manifest;
}
