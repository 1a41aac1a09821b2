/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TESTS_RECORDED_GROVE_REPLAY_H
#define TESTS_RECORDED_GROVE_REPLAY_H

#include "libgang/document/writer.h"
#include "recorded/recorded.h"
#include "unit/grove_policy.h"
#include "unit/typed.h"

enum { REPLAY_MOST_PODGANGS = 16, REPLAY_MOST_GROUPS = 16 };

/* One case while its steps are taken: the objects that there are. */
struct replay {
    struct arena *arena;
    const struct node *source; /* the case */
    struct grove_policy policy;
    const struct node *podgangs[REPLAY_MOST_PODGANGS];
    size_t num_podgangs;
    const struct node *groups[REPLAY_MOST_GROUPS]; /* PodGroups, as the recording shows them */
    size_t num_groups;
};

static inline bool
replay_is(const struct node *map, const char *key, const char *value)
{
    return slice_equal(recorded_member(map, key), slice_from_text(value));
}

static inline struct slice
replay_name(const struct node *object)
{
    return node_string(node_member(node_member(object, SLICE("metadata")), SLICE("name")));
}

/* In place: the policy points into itself. */
static inline void
replay_start(struct replay *replay, const struct node *source)
{
    *replay = (struct replay){.arena = arena_new(0), .source = source};
    grove_policy_read(&replay->policy, "");
    replay->policy.policy.lists_backends = true;
    for (NODE_EACH(profile, node_member(source, SLICE("profiles"))))
        grove_policy_enable(&replay->policy, node_string(profile));
    grove_policy_default(&replay->policy, recorded_member(source, "default"));
    for (NODE_EACH(object, node_member(source, SLICE("objects"))))
        if (replay_is(object, "kind", "PodGroup"))
            replay->groups[replay->num_groups++] = object;
}

/* Whose PodGroup it is: "kai" or "volcano", in the recording's results a part of the kind; else, of
 * no scheduler. */
static inline struct slice
replay_group_owner(const struct node *object)
{
    if (replay_is(object, "kind", "kai.PodGroup") ||
        replay_is(object, "apiVersion", "scheduling.run.ai/v2alpha2"))
        return SLICE("kai");
    if (replay_is(object, "kind", "volcano.PodGroup") ||
        replay_is(object, "apiVersion", "scheduling.volcano.sh/v1beta1"))
        return SLICE("volcano");
    return SLICE("");
}

static inline const struct node *
replay_find(const struct node *const *objects, size_t count, struct slice owner, struct slice name)
{
    for (size_t i = 0; i < count; i++)
        if (slice_equal(replay_name(objects[i]), name) &&
            slice_equal(replay_group_owner(objects[i]), owner))
            return objects[i];
    return NULL;
}

/* Adds it, or puts it in the place of the one of its name. */
static inline void
replay_put(const struct node **objects, size_t *count, size_t most, const struct node *object)
{
    for (size_t i = 0; i < *count; i++)
        if (slice_equal(replay_name(objects[i]), replay_name(object)) &&
            slice_equal(replay_group_owner(objects[i]), replay_group_owner(object))) {
            objects[i] = object;
            return;
        }
    ck_assert_uint_lt(*count, most);
    objects[(*count)++] = object;
}

static inline const struct node *
replay_set(const struct replay *replay, struct slice name)
{
    for (NODE_EACH(object, node_member(replay->source, SLICE("objects"))))
        if (replay_is(object, "kind", "PodCliqueSet") && slice_equal(replay_name(object), name))
            return object;
    return NULL;
}

/* A PodGang that the operator made is shown without its apiVersion. */
static inline const struct node *
replay_with_version(const struct replay *replay, const struct node *podgang)
{
    struct builder map = build_map(replay->arena);

    build_string(&map, SLICE("apiVersion"), SLICE(GANG_PODGANG_API_VERSION));
    for (NODE_EACH(member, podgang))
        if (!slice_equal(node_key(member), SLICE("apiVersion")))
            build_node(&map, node_key(member), member);
    return map.node;
}

static inline struct buffer
replay_text(const struct node *node)
{
    struct buffer out = {0};

    json_write(&out, node);
    return out;
}

static inline struct gang_podgang *
replay_parse_podgang(const struct node *object)
{
    struct buffer text = replay_text(object);
    struct gang_podgang *podgang = NULL;
    struct gang_error *error = NULL;

    if (parse_podgang(NULL, text.data, text.len, 0, &podgang, &error))
        gang_error_free(error);
    buffer_clear(&text);
    return podgang;
}

static inline struct gang_podcliqueset *
replay_parse_set(const struct node *object)
{
    struct buffer text = replay_text(object);
    struct gang_podcliqueset *set = NULL;

    if (parse_podcliqueset(NULL, text.data, text.len, 0, &set, NULL))
        set = NULL;
    buffer_clear(&text);
    return set;
}

/* Whether one of the decision's errors has this text. */
static inline bool
replay_says(const struct gang_decision *decision, const char *text)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *found = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(found) == GANG_SEVERITY_ERROR &&
            strstr(gang_diagnostic_get_message(found), text))
            return true;
    }
    return false;
}

static inline bool
replay_has_error(const struct gang_decision *decision, enum gang_code code)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *found = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(found) == GANG_SEVERITY_ERROR &&
            gang_diagnostic_get_code(found) == (int)code)
            return true;
    }
    return false;
}

static inline const char *
replay_findings(const struct gang_decision *decision, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++) {
        const struct gang_diagnostic *found = gang_decision_get_diagnostic(decision, i);

        if (gang_diagnostic_get_severity(found) == GANG_SEVERITY_ERROR)
            text = arena_format(arena, "%s; %s %s", text, gang_diagnostic_get_id(found),
                                gang_diagnostic_get_message(found));
    }
    return text;
}

/* A copy of a map but for some members; nothing for no map. */
static inline void
replay_copy_members(struct builder *map, const struct node *from, const struct node *but)
{
    for (NODE_EACH(member, from))
        if (!node_member(but, node_key(member)))
            build_node(map, node_key(member), member);
}

/* Maps that are equal, an absent one as an empty one. */
static inline bool
replay_same_map(const struct node *a, const struct node *b)
{
    if (!node_count(a) || !node_count(b))
        return node_count(a) == node_count(b);
    return node_equal(a, b);
}

#endif
