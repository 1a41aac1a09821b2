/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/catalog/catalog.h"

#include "libgang/document/document.h"

#define CATALOG_ROW(name) &name##_descriptor,

const struct descriptor *const catalog[CATALOG_COUNT] = {CATALOG_SCHEDULERS(CATALOG_ROW)};

const char *
descriptor_why_lost(const struct descriptor *descriptor, enum loss_field field)
{
    for (size_t i = 0; i < descriptor->num_losses; i++)
        if (descriptor->losses[i].field == field ||
            (field == LOSS_TOPOLOGY && descriptor->losses[i].field == LOSS_TOPOLOGY_OF_POLICY))
            return descriptor->losses[i].reason;
    return NULL;
}

const struct descriptor *
catalog_of_type(struct slice type)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->type, type))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_of_member(struct slice member)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_equal(catalog[i]->member.name, member) ||
            (slice_is_set(catalog[i]->member.superseded) &&
             slice_equal(catalog[i]->member.superseded, member)))
            return catalog[i];
    return NULL;
}

const struct descriptor *
catalog_with(size_t place)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(*(const struct slice *)(const void *)((const char *)catalog[i] + place)))
            return catalog[i];
    return NULL;
}

/* ---- reserved marks ---- */

const struct node *
descriptor_mark_of(const struct node *pod, const struct descriptor_mark *mark)
{
    const struct node *metadata = node_member(pod, SLICE("metadata"));
    const struct node *field;

    switch (mark->place) {
    case MARK_LABEL:
        return node_member(node_member(metadata, SLICE("labels")), mark->key);
    case MARK_ANNOTATION:
        return node_member(node_member(metadata, SLICE("annotations")), mark->key);
    case MARK_POD_FIELD:
        field = node_member(node_member(pod, SLICE("spec")), mark->key);
        return node_member(field, mark->member);
    }
    return NULL;
}

/*
 * A reserved key is reserved for labels and for annotations. `value` is NULL for a key that would
 * be set.
 */
static bool
reserved_marks_have(struct slice key, const struct node *value, bool is_pod_field)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++) {
            const struct descriptor_mark *mark = &catalog[i]->marks[k];

            if (slice_equal(mark->key, key) && (mark->place == MARK_POD_FIELD) == is_pod_field &&
                (!value || !slice_is_set(mark->value) ||
                 slice_equal(node_text(value), mark->value)))
                return true;
        }
    return false;
}

/* Returns the first mark from `member` on; NULL if there is none. */
static const struct node *
reserved_marks_next(const struct node *member, bool is_pod_spec)
{
    while (member &&
           (node_is_absent(member) || !reserved_marks_have(node_key(member), member, is_pod_spec)))
        member = member->next;
    return member;
}

static bool
reserved_marks_has_counts(struct slice key)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        if (slice_is_set(catalog[i]->parts_annotation) &&
            slice_equal(catalog[i]->parts_annotation, key))
            return true;
    return false;
}

/* Returns what is behind a byte, and behind the count that follows. */
static const char *
reserved_marks_step(const char *at)
{
    static const char key[] = "\"minMember\":";
    const size_t len = sizeof(key) - 1;

    at++;
    return strncmp(at, key, len) == 0 ? at + len + strspn(at + len, "0123456789") : at;
}

/*
 * Whether all parts of one list are in the other one, in its order, whatever their counts are. A
 * role has another count, or without pods no part, if the job had another size when it was marked.
 */
SELDOM static bool
reserved_marks_have_parts(const char *all, const char *some)
{
    const char *part = some + 1; /* the one that is looked for */

    if (*some != '[' || *all != '[')
        return false;
    while (all) {
        if (*some != *all) {
            if (strcmp(some, "]") == 0 && strncmp(all, ",{", 2) == 0)
                return true;
            some = part;
            all = *all ? strchr(all + 1, '{') : NULL;
            continue;
        }
        if (!*some)
            return true;
        some = reserved_marks_step(some);
        all = reserved_marks_step(all);
        if (strncmp(some - 1, ",{\"name\":", 9) == 0)
            part = some;
    }
    return false;
}

static bool
reserved_marks_agree(const struct node *mark, const struct node *planned)
{
    const char *old = slice_text_or_empty(node_string(mark));
    const char *new = slice_text_or_empty(node_string(planned));

    return planned && (node_equal(planned, mark) || (reserved_marks_has_counts(node_key(mark)) &&
                                                     (reserved_marks_have_parts(old, new) ||
                                                      reserved_marks_have_parts(new, old))));
}

static void
reserved_marks_check_map(const struct node *map, const struct node *planned, bool is_pod_spec,
                         struct report *report)
{
    const struct node *mark = reserved_marks_next(node_first(map), is_pod_spec);

    for (; mark; mark = reserved_marks_next(mark->next, is_pod_spec))
        if (!reserved_marks_agree(mark, node_member(planned, node_key(mark))))
            find_note_at_key(report, mark, MESSAGE_RESERVED_MARK, SLICE_ARG(node_key(mark)));
}

static const struct slice reserved_marks_places[] = {SLICE_INIT("labels"),
                                                     SLICE_INIT("annotations")};

void
reserved_marks_check_metadata(const struct node *metadata, const struct node *planned,
                              struct report *report)
{
    for (size_t i = 0; metadata && i < COUNT_OF(reserved_marks_places); i++) {
        const struct node *map = node_member(metadata, reserved_marks_places[i]);

        if (map)
            reserved_marks_check_map(
                map, planned ? node_member(planned, reserved_marks_places[i]) : NULL, false,
                report);
    }
}

void
reserved_marks_check_pod_spec(const struct node *pod_spec, const struct node *planned,
                              struct report *report)
{
    reserved_marks_check_map(pod_spec, planned, true, report);
}

bool
reserved_marks_are_in(const struct node *pod)
{
    const struct node *metadata = node_member(pod, SLICE("metadata"));

    for (size_t i = 0; i < COUNT_OF(reserved_marks_places); i++)
        if (reserved_marks_next(node_first(node_member(metadata, reserved_marks_places[i])), false))
            return true;
    return reserved_marks_next(node_first(node_member(pod, SLICE("spec"))), true) != NULL;
}

SELDOM bool
reserved_marks_name(const struct node *pod, struct slice job)
{
    for (size_t i = 0; i < CATALOG_COUNT; i++)
        for (size_t k = 0; k < catalog[i]->num_marks; k++) {
            const struct descriptor_mark *mark = &catalog[i]->marks[k];
            struct slice group = node_string(descriptor_mark_of(pod, mark));

            if (mark->names_group && slice_take(&group, job) && (!group.len || *group.data == '.'))
                return true;
        }
    return false;
}

SELDOM bool
reserved_marks_has_key(struct slice key)
{
    return reserved_marks_have(key, NULL, false);
}
