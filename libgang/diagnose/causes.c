/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/diagnose/diagnose.h"

const struct why_row *
why_row_of(enum gang_code code)
{
    size_t low = 0;

    SORTED_SEARCH(low, num_why_rows - 1, middle, why_rows[middle].code < code);
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
    return arena_format(why->arena, "%-.*s", SLICE_ARG(text));
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

struct why_cause *
why_cause_of(struct diagnosis *why, enum gang_code code)
{
    for (size_t i = 0; i < why->num_causes; i++)
        if (why->causes[i].row->code == code)
            return &why->causes[i];
    return NULL;
}

struct why_cause *
why_add(struct diagnosis *why, enum why_certainty certainty, enum gang_code code,
        const char *const *values)
{
    struct why_cause *cause = why_cause_of(why, code);

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

/* ---- what several stages ask ---- */

const char *
stage_group_name(const struct diagnosis *why)
{
    return arena_format(why->arena, "%s \"%.*s\"",
                        why->group.object && slice_equal(why->group.object->kind, SLICE("Workload"))
                            ? "Workload"
                            : "PodGroup",
                        SLICE_ARG(why->group.name));
}

const struct why_pod *
stage_waiting_member(const struct diagnosis *why)
{
    for (size_t i = 0; i < why->num_pods; i++)
        if (why_is_waiting(&why->pods[i]) && (why->pods[i].is_member || !why->group.scheduler))
            return &why->pods[i];
    return NULL;
}

struct why_tally
stage_tally(const struct diagnosis *why, bool are_members)
{
    struct why_tally tally = {0};

    for (size_t i = 0; i < why->num_pods; i++) {
        const struct why_pod *pod = &why->pods[i];

        if (pod->is_member != are_members || pod->state >= POD_SUCCEEDED ||
            (!are_members &&
             (!pod->is_of_job || (pod->role != ROLE_NONE && why->roles[pod->role].is_outside))))
            continue;
        tally.waiting += why_is_waiting(pod);
        tally.bound += !why_is_waiting(pod);
        tally.running += pod->state == POD_RUNNING;
        tally.last = pod;
    }
    return tally;
}

/* Pods of the role that its controller creates without a pod of the group that has a node. */
int64_t
stage_creatable(const struct diagnosis *why, const struct why_role *role)
{
    if (role->is_later)
        return role->exist;
    return role->role && why->group.bound == 0 && role->role->first_count
               ? role_pods_at_first(role->role)
               : role->expected;
}

/* Pods that could exist now and do not. */
int64_t
stage_missing(const struct diagnosis *why)
{
    int64_t missing = 0;

    for (size_t i = 0; i < why->num_roles; i++) {
        const int64_t lacks = stage_creatable(why, &why->roles[i]) - why->roles[i].exist;

        missing += lacks > 0 ? lacks : 0;
    }
    return missing;
}

const struct node *
stage_condition(const struct live_object *object, struct slice type)
{
    return status_condition(node_member(object->root, SLICE("status")), type);
}

bool
stage_sum(const struct diagnosis *why, struct resource_list *sum)
{
    for (size_t i = 0; i < why->num_pods; i++) {
        struct resource_list requests;

        if (why->pods[i].is_member &&
            (!fit_requests_of(node_member(why->pods[i].object->root, SLICE("spec")), why->arena,
                              why->limits, &requests) ||
             !resource_list_add(sum, why->arena, &requests)))
            return false;
    }
    return true;
}

bool
stage_contains(struct slice text, const char *wanted)
{
    struct slice rest;

    return text_find(text, slice_from_text(wanted), &rest);
}
