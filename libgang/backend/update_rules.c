/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/update_rules.h"

#include <gang/gang-names.h>

#include "libgang/backend/backend.h"

#define UPDATE_METADATA SLICE("metadata")
#define UPDATE_SPEC SLICE("spec")
#define UPDATE_STATUS SLICE("status")
#define UPDATE_LABELS SLICE("labels")
#define UPDATE_ANNOTATIONS SLICE("annotations")
#define UPDATE_OWNERS SLICE("ownerReferences")

/* Go writes an empty struct, list or string, or omits the field, for the same value. */
static bool
update_is_empty(const struct node *node)
{
    return node_is_absent(node) || (node->kind >= NODE_STRING && !node->len);
}

static bool update_is_same(const struct node *a, const struct node *b);

static bool
update_has_members(const struct node *map, const struct node *other)
{
    for (NODE_EACH(member, map))
        if (!update_is_same(member, node_member(other, node_key(member))))
            return false;
    return true;
}

static bool
update_lists_are_same(const struct node *a, const struct node *b)
{
    const struct node *other = node_first(b);

    if (a->len != b->len)
        return false;
    for (NODE_EACH(item, a)) {
        if (!update_is_same(item, other))
            return false;
        other = other->next;
    }
    return true;
}

/* Whether two values are equal; absent equals empty. The readers' limit bounds the depth. */
static bool
update_is_same(const struct node *a, const struct node *b)
{
    if (update_is_empty(a) || update_is_empty(b))
        return update_is_empty(a) && update_is_empty(b);
    if (a->kind == NODE_MAP && b->kind == NODE_MAP)
        return update_has_members(a, b) && update_has_members(b, a);
    if (a->kind == NODE_LIST && b->kind == NODE_LIST)
        return update_lists_are_same(a, b);
    return node_equal(a, b);
}

static bool
update_is_same_amount(const struct node *a, const struct node *b)
{
    struct quantity left;
    struct quantity right;

    return quantity_parse(node_text(a), &left) == QUANTITY_OK &&
           quantity_parse(node_text(b), &right) == QUANTITY_OK &&
           quantity_compare(&left, &right) == 0;
}

static bool
update_has_amounts(const struct node *resources, const struct node *other, struct arena *arena)
{
    const struct node_index index = node_index_make(other, arena);

    for (NODE_EACH(amount, resources))
        if (!node_is_absent(amount) &&
            !update_is_same_amount(amount, node_index_find(&index, node_key(amount))))
            return false;
    return true;
}

static bool
update_is_same_resources(const struct node *a, const struct node *b, struct arena *arena)
{
    return update_has_amounts(a, b, arena) && update_has_amounts(b, a, arena);
}

static bool update_is_same_but_counts(const struct node *a, const struct node *b);

static bool
update_members_are_same_but_counts(const struct node *map, const struct node *other)
{
    for (NODE_EACH(member, map))
        if (!update_is_same_but_counts(member, node_member(other, node_key(member))))
            return false;
    return true;
}

static bool
update_items_are_same_but_counts(const struct node *a, const struct node *b)
{
    const struct node *other = node_first(b);

    if (a->len != b->len)
        return false;
    for (NODE_EACH(item, a)) {
        if (!update_is_same_but_counts(item, other))
            return false;
        other = other->next;
    }
    return true;
}

/* Whether two values are equal except for the number of every `gang.minCount`. */
static bool
update_is_same_but_counts(const struct node *a, const struct node *b)
{
    if (node_is_absent(a) || node_is_absent(b) || a->kind != b->kind)
        return node_is_absent(a) && node_is_absent(b);
    if (a->kind == NODE_INT && slice_equal(node_key(a), SLICE("minCount")))
        return true;
    if (a->kind == NODE_MAP)
        return update_members_are_same_but_counts(a, b) && update_members_are_same_but_counts(b, a);
    return a->kind == NODE_LIST ? update_items_are_same_but_counts(a, b) : node_equal(a, b);
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
 * Whether the live value has everything that is wanted. Maps may have more members, because of
 * server defaults; resource amounts must be equal.
 */
static bool
update_is_as_given(const struct update_field *field, const struct node *wanted,
                   const struct node *live, struct arena *arena)
{
    if (node_is_absent(wanted))
        return true;
    if (field->is_resources)
        return update_is_same_resources(wanted, live, arena);
    return node_is(wanted, NODE_MAP) ? update_has_members(wanted, live)
                                     : update_is_same(wanted, live);
}

/*
 * Go's encoding leaves out an integer with omitempty that is 0. Returns NULL for it, so that an
 * object is the same before and after a Go client has written it back.
 */
static const struct node *
update_without_zero(const struct update_field *field, const struct node *value)
{
    int64_t number;

    return field->omits_zero && node_int(value, &number) && number == 0 ? NULL : value;
}

static bool
update_is_settled(const struct update_field *field, const struct node *wanted,
                  const struct node *live, struct arena *arena)
{
    switch (field->class) {
    case UPDATE_KEPT:
        return true;
    case UPDATE_GIVEN:
        return update_is_as_given(field, wanted, live, arena);
    case UPDATE_OURS:
        return field->is_resources ? update_is_same_resources(wanted, live, arena)
                                   : update_is_same(wanted, live);
    case UPDATE_FROZEN:
    case UPDATE_ONCE:
    case UPDATE_COUNTED:
        break;
    }
    return node_equal(wanted, live);
}

static bool
update_is_allowed(const struct update_field *field, const struct node *wanted,
                  const struct node *live)
{
    if (field->class == UPDATE_ONCE)
        return node_is_absent(live);
    if (field->class == UPDATE_COUNTED)
        return update_is_same_but_counts(wanted, live);
    return field->class != UPDATE_FROZEN;
}

/* Returns the new value of the field; NULL if absent. */
static const struct node *
update_field_value(struct update_work *work, const struct update_field *field)
{
    const struct node *wanted = node_member(work->rendered, field->name);
    const struct node *live = node_member(work->live, field->name);

    if (field->class == UPDATE_KEPT && wanted && !update_is_same(wanted, live))
        work->out->kept[work->out->num_kept++] = field;
    if (update_is_settled(field, update_without_zero(field, wanted),
                          update_without_zero(field, live), work->call->arena))
        return field->is_resources && wanted ? wanted : live; /* in libgang's spelling, sorted */
    if (!update_is_allowed(field, wanted, live))
        work->out->frozen[work->out->num_frozen++] = field;
    work->out->is_changed = true;
    return wanted;
}

static const struct update_field *
update_field_of(const struct update_rules *rules, struct slice name)
{
    for (size_t i = 0; i < rules->num_fields; i++)
        if (slice_equal(rules->fields[i].name, name))
            return &rules->fields[i];
    return NULL;
}

/* Writes fields with a rule in the order of the rules, then the fields of other writers. */
static void
update_build_spec(struct update_work *work, struct builder *manifest)
{
    struct builder spec = build_map_member(manifest, UPDATE_SPEC);

    for (size_t i = 0; i < work->rules->num_fields; i++)
        build_node(&spec, work->rules->fields[i].name,
                   update_field_value(work, &work->rules->fields[i]));
    for (NODE_EACH(member, work->live))
        if (!update_field_of(work->rules, node_key(member)) && !node_is_absent(member))
            build_node(&spec, node_key(member), member);
}

static const struct update_label *
update_label_of(const struct update_rules *rules, struct slice key)
{
    for (size_t i = 0; i < rules->num_labels; i++)
        if (slice_equal(rules->labels[i].key, key))
            return &rules->labels[i];
    return NULL;
}

enum { UPDATE_MOST_DIGITS = 9 };

/* Returns the number of the annotation plus one. Any other text counts as 0, and so does a number
 * of many digits: the value must only change. */
static int64_t
update_next_count(struct slice text)
{
    int64_t count = 0;

    if (text.len > UPDATE_MOST_DIGITS)
        return 1;
    for (size_t i = 0; i < text.len; i++) {
        if (text.data[i] < '0' || text.data[i] > '9')
            return 1;
        count = 10 * count + (text.data[i] - '0');
    }
    return count + 1;
}

static void
update_build_wake(struct update_work *work, const struct node *annotations, struct builder *merged)
{
    struct slice live = node_string(node_member(annotations, SLICE(GANG_ANNOTATION_WAKE)));

    work->out->is_changed = true;
    build_string(merged, SLICE(GANG_ANNOTATION_WAKE),
                 slice_from_text(
                     arena_format(work->call->arena, "%lld", (long long)update_next_count(live))));
}

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
    if (wakes)
        update_build_wake(work, there, &merged);
    manifest_copy_pairs(metadata, name, merged.node);
}

static const struct node *
update_owner_by_uid(const struct node *owners, struct slice uid)
{
    for (NODE_EACH(owner, owners))
        if (slice_equal(node_string(node_member(owner, SLICE("uid"))), uid))
            return owner;
    return NULL;
}

/* Whether the owner is in the list. Another version of the owner's API is no change. */
static bool
update_has_owner(const struct node *owners, const struct node *owner)
{
    return update_owner_by_uid(owners, node_string(node_member(owner, SLICE("uid")))) != NULL;
}

/*
 * Whether an existing object must get the rendered owner. A second owner, which is not the
 * controller, is rendered only for new objects: garbage collection does not need it, so adding it
 * would be a write after every creation of a Workload with its PodGroups.
 */
static bool
update_lacks_owner(const struct node *owners, const struct node *owner)
{
    return node_is_true(node_member(owner, SLICE("controller"))) &&
           !update_has_owner(owners, owner);
}

static bool
update_has_owners(const struct node *owners, const struct node *wanted)
{
    for (NODE_EACH(owner, wanted))
        if (update_lacks_owner(owners, owner))
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
    struct builder list;

    if (update_has_owners(there, wanted) &&
        !(replaces && node_count(there) != node_count(wanted))) {
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

/* Whether only the server writes the member, so that a patch must not contain it. */
static bool
update_is_servers(struct slice metadata_member)
{
    return slice_equal(metadata_member, SLICE("managedFields"));
}

static void
update_build_metadata(struct update_work *work, const struct node *rendered,
                      const struct node *live, struct builder *manifest)
{
    struct builder metadata = build_map_member(manifest, UPDATE_METADATA);

    for (NODE_EACH(member, live))
        if (!update_is_servers(node_key(member)) && !slice_equal(node_key(member), UPDATE_LABELS) &&
            !slice_equal(node_key(member), UPDATE_ANNOTATIONS) &&
            !slice_equal(node_key(member), UPDATE_OWNERS))
            build_node(&metadata, node_key(member), member);
    update_build_pairs(work, UPDATE_LABELS, rendered, live, &metadata);
    update_build_pairs(work, UPDATE_ANNOTATIONS, rendered, live, &metadata);
    update_build_owners(work, rendered, live, &metadata);
}

struct update_result
update_apply(const struct update_rules *rules, const struct update_call *call,
             const struct node *rendered, const struct node *live)
{
    struct update_result result = {0};
    struct update_work work = {
        .rules = rules,
        .call = call,
        .rendered = node_member(rendered, UPDATE_SPEC),
        .live = node_member(live, UPDATE_SPEC),
        .out = &result,
    };
    struct builder manifest = build_map(call->arena);

    if (rules->expect)
        work.rendered = rules->expect(call, work.rendered, work.live);
    build_node(&manifest, SLICE("apiVersion"), node_member(rendered, SLICE("apiVersion")));
    build_node(&manifest, SLICE("kind"), node_member(rendered, SLICE("kind")));
    update_build_metadata(&work, node_member(rendered, UPDATE_METADATA),
                          node_member(live, UPDATE_METADATA), &manifest);
    update_build_spec(&work, &manifest);
    if (rules->keeps_status && result.is_changed)
        build_node(&manifest, UPDATE_STATUS, node_member(live, UPDATE_STATUS));
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
