/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/gang/gang.h"

#include "libgang/document/document.h"

/* ---- ancestors ---- */

const struct ancestor_entry ancestor_table[] = {
    {SLICE_INIT("trainer"), ANCESTOR_TRAINER, WISH_MEMBER, SLICE_INIT("node")},
    {SLICE_INIT("dataset-initializer"), ANCESTOR_DATASET_INITIALIZER, WISH_OUTSIDE,
     SLICE_INIT("dataset-initializer")},
    {SLICE_INIT("model-initializer"), ANCESTOR_MODEL_INITIALIZER, WISH_OUTSIDE,
     SLICE_INIT("model-initializer")},
};

const size_t ancestor_table_size = COUNT_OF(ancestor_table);

const struct ancestor_entry *
ancestor_entry_of(struct slice value)
{
    return FIND_TEXT(ancestor_table, ancestor_table_size, value, value);
}

/* ---- membership ---- */

/* Returns the stage of the first declared member; without any, the last stage. */
static uint32_t
membership_stage(const struct gang_wishes *wishes)
{
    uint32_t last = 0;

    for (size_t i = 0; i < wishes->num_roles; i++) {
        if (wishes->roles[i].wish == WISH_MEMBER)
            return wishes->roles[i].stage;
        if (wishes->roles[i].stage > last)
            last = wishes->roles[i].stage;
    }
    return last;
}

/* How messages call what says that a role is a member. */
static const struct membership_words {
    const char *ambiguous;
    const char *ambiguous_hint;
    const char *none_trains;
    const char *none_inside;
    const char *empty_hint;
} membership_words_of_labels =
    {
        .ambiguous = "labelled trainer",
        .ambiguous_hint = "label only the roles that run at the same time as trainer",
        .none_trains = "no role is labelled trainer",
        .none_inside = "every role of the last stage is labelled as an initializer",
        .empty_hint = "label the Job template of the training role "
                      "`trainer.kubeflow.org/trainjob-ancestor-step: trainer`",
},
  membership_words_of_fields = {
      .ambiguous = "members",
      .ambiguous_hint = "declare only roles that run at the same time as members",
      .none_trains = "no role is declared a member",
      .none_inside = "every role of the last stage is declared outside the gang",
      .empty_hint = "set `membership: Member` on the roles that must start together",
};

void
membership_decide(struct gang *gang, struct report *report)
{
    const struct gang_wishes *wishes = gang->wishes;
    const struct membership_words *words =
        wishes->declares_members ? &membership_words_of_fields : &membership_words_of_labels;
    const uint32_t stage = membership_stage(wishes);
    const struct role *declared = NULL;
    bool is_ambiguous = false;
    bool empty = true;

    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];
        bool is_member =
            role->stage == stage && !role->left_out && role->wish != WISH_OUTSIDE &&
            (wishes->members_choice != MEMBERS_TRAINER_ONLY || role->wish == WISH_MEMBER ||
             (slice_is_set(wishes->trains_too) && slice_equal(role->name, wishes->trains_too)));

        gang->parts[i].membership = is_member ? ROLE_MEMBER : ROLE_OUTSIDE;
        empty &= !is_member;
        if (role->wish != WISH_MEMBER)
            continue;
        declared = declared ? declared : role;
        if (role->stage != stage && !is_ambiguous)
            find_note(report, role->source, MESSAGE_GANG_STAGE_AMBIGUOUS, SLICE_ARG(declared->name),
                      SLICE_ARG(role->name), words->ambiguous, words->ambiguous_hint);
        is_ambiguous |= role->stage != stage;
    }
    if (empty) {
        const struct node *first = gang->num_roles ? gang->roles[0].source : NULL;

        find_note(report, first ? first->parent : NULL, MESSAGE_EMPTY_GANG,
                  !gang->num_roles                                 ? "the job has no roles"
                  : wishes->members_choice == MEMBERS_TRAINER_ONLY ? words->none_trains
                                                                   : words->none_inside,
                  words->empty_hint);
    }
}

SELDOM int64_t
membership_pods(const struct gang_wishes *wishes)
{
    const uint32_t stage = membership_stage(wishes);
    int64_t pods = 0;

    for (size_t i = 0; i < wishes->num_roles; i++)
        if (wishes->roles[i].stage == stage && wishes->roles[i].wish != WISH_OUTSIDE)
            pods += wishes->roles[i].count;
    return pods;
}

SELDOM void
membership_take_all(struct gang *gang, struct report *report)
{
    const struct node *source = NULL;
    struct wording outside;

    wording_start(&outside);
    for (size_t i = 0; i < gang->num_roles; i++) {
        const struct role *role = &gang->roles[i];

        if (gang->parts[i].membership == ROLE_OUTSIDE) {
            wording_add(&outside, ", ", role->name);
            source = source ? source : role->source;
        }
        gang->parts[i].membership = ROLE_MEMBER;
    }
    if (outside.len)
        find_note(report, source, MESSAGE_MARK_ON_WAITING_ROLE, wording_end_list(&outside));
}

/* Indexed by enum gang_late. */
static const struct membership_late {
    enum gang_code code;
    enum membership membership;
    const char *message;
    const char *hint;
} membership_late_rows[] = {
    [LATE_JOIN] = {GANG_CODE_LATE_MEMBERS, ROLE_LATE_MEMBER,
                   "members that join after the first wave are not in the minimum", NULL},
    [LATE_EXCLUDE] = {GANG_CODE_LATE_MEMBERS, ROLE_OUTSIDE,
                      "roles that would join after the first wave are not in the gang", NULL},
    [LATE_REFUSE] = {GANG_CODE_LATE_MEMBERS_REFUSED, ROLE_LATE_MEMBER,
                     "the policy forbids members that join after the first wave",
                     "remove the start order between the members, or allow late members"},
};

void
membership_split_waves(struct gang *gang, struct report *report)
{
    const struct membership_late *row = &membership_late_rows[gang->wishes->late];
    const struct role *first = NULL;
    struct wording late;

    wording_start(&late);
    for (size_t i = 0; i < gang->num_roles; i++) {
        struct role_part *part = &gang->parts[i];

        if (part->membership != ROLE_MEMBER || part->wave == 0)
            continue;
        part->membership = row->membership;
        if (part->membership == ROLE_OUTSIDE)
            part->wave = 0;
        wording_add(&late, ", ", gang->roles[i].name);
        first = first ? first : &gang->roles[i];
    }
    if (!first)
        return;
    find_note(
        report, first->source, row->code, row->hint, "%s: %s; %s", row->message,
        wording_end_list(&late),
        wait_in_words(gang->roles, gang->num_roles, (size_t)(first - gang->roles), report->arena));
}

/* ---- priority ---- */

static bool
priority_counts(const struct gang *gang, const struct role *role)
{
    return gang_membership(gang, role) != ROLE_OUTSIDE && wishes_heed(gang->wishes, role);
}

static const char *
priority_in_words(struct quoted *out, const struct role *role)
{
    return role->priority_class_name.len ? quote(out, role->priority_class_name)
                                         : "no priority class";
}

void
priority_report_disagreement(const struct gang *gang, struct report *report)
{
    const struct role *member = NULL;
    const struct role *other = NULL;
    struct quoted names[2];

    for (size_t i = 0; i < gang->num_roles && !other; i++) {
        const struct role *role = &gang->roles[i];

        if (!priority_counts(gang, role))
            continue;
        if (!member)
            member = role;
        else if (!slice_equal(role->priority_class_name, member->priority_class_name))
            other = role;
    }
    if (!other)
        return;
    find_note(report, other->priority_class_source ? other->priority_class_source : other->source,
              MESSAGE_PRIORITIES_DISAGREE_MEMBERS, SLICE_ARG(member->name),
              priority_in_words(&names[0], member), SLICE_ARG(other->name),
              priority_in_words(&names[1], other));
}

SELDOM const struct role *
priority_overruled_role(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (!slice_equal(gang->roles[i].priority_class_name, gang->priority_class_name))
            return &gang->roles[i];
    return NULL;
}

const struct role *
priority_named_by(const struct gang *gang, size_t index)
{
    for (size_t i = 0; i < gang->num_roles; i++) {
        /*
         * The last class has precedence:
         * kubeflow/trainer:pkg/runtime/framework/plugins/volcano/volcano.go overwrites the class
         * with that of each role.
         */
        bool is_last_first = gang->wishes->compatibility == COMPATIBILITY_KUBEFLOW_TRAINER;
        const struct role *role = &gang->roles[is_last_first ? gang->num_roles - 1 - i : i];

        if (priority_counts(gang, role) && role->priority_class_name.len && index-- == 0)
            return role;
    }
    return NULL;
}
