/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

/*
 * A PodGroup over the first wave, and a label on its pods. What the scheduler was seen to do:
 * doc/backends.md. Source: koordinator-sh/koordinator:apis/extension/coscheduling.go and
 * pkg/scheduler/plugins/coscheduling/core/gang.go@v1.8.0
 */
#define KOORDINATOR_ONCE SLICE("once-satisfied")
#define KOORDINATOR_RUNNING SLICE("waiting-and-running")

enum {
    KOORDINATOR_NAME = 63, /* the name is the value of a label */
    KOORDINATOR_STEM = KOORDINATOR_NAME - 9,
};

static struct slice
koordinator_name(const struct backend_call *call, struct arena *arena)
{
    const struct gang *gang = call->gang;

    if (gang->name.len <= KOORDINATOR_NAME)
        return gang->name;
    return name_with_hash(name_stem(gang->name, KOORDINATOR_STEM, arena),
                          fnv1a_32_add(FNV1A_32_START, gang->name), arena);
}

static bool
koordinator_retries(const struct gang *gang)
{
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER && gang->roles[i].retries)
            return true;
    return false;
}

/*
 * The match policy is `once-satisfied`, else `waiting-and-running`. A gang that must be complete
 * whenever pods wait holds a pod that its Job retries after others have ended. If only the whole
 * job restarts, it makes the restart a gang again.
 */
static bool
koordinator_is_once(const struct backend_call *call)
{
    struct slice asked = node_string(node_member(call->options, SLICE("matchPolicy")));

    return slice_equal(asked, KOORDINATOR_ONCE) ||
           (!slice_equal(asked, KOORDINATOR_RUNNING) && koordinator_retries(call->gang));
}

/* ---- koordinator checks ---- */

static const struct release koordinator_newest = {.is_known = true, .major = 1, .minor = 8};

/*
 * The scheduler starts exactly the minimum. Pods beyond it that exist then stay pending forever;
 * only pods that are created later join, as those after the first pods of a role.
 */
static void
koordinator_check_role(const struct gang *gang, size_t index, bool all_start, struct report *report)
{
    const struct role *role = &gang->roles[index];
    int64_t minimum = gang_role_minimum(gang, index);

    if (!all_start && minimum < role_pods_at_first(role))
        find_note(report, role->source, MESSAGE_ELASTIC_MINIMUM_ROLE, SLICE_ARG(role->name),
                  (long long)minimum, (long long)role->count);
    else if (minimum > role->count)
        find_note(report, role->source, MESSAGE_MINIMUM_ABOVE_COUNT_GANG, SLICE_ARG(role->name),
                  (long long)minimum, (long long)role->count);
}

static void
koordinator_check_quota(const struct gang *gang, struct report *report)
{
    const struct node *at =
        gang->queue_source ? gang->queue_source : gang->wishes->owner.name_source;

    if (!gang->queue.len)
        return;
    name_check_made(gang->queue, NAME_LABEL_VALUE, GANG_CODE_INVALID_LABEL_VALUE, at, NULL, report);
    find_note(report, at, MESSAGE_QUEUE_MAY_BE_IGNORED_QUOTA);
}

/* Other keys that name a gang. The scheduler reads them only without the label of the PodGroup. */
static const struct rival_key koordinator_rivals[] = {
    {MARK_ANNOTATION, SLICE_INIT("gang.scheduling.koordinator.sh/name"),
     SLICE_INIT(GANG_LABEL_KOORDINATOR_POD_GROUP)},
    {MARK_LABEL, SLICE_INIT("pod-group.scheduling.sigs.k8s.io/name"),
     SLICE_INIT(GANG_LABEL_KOORDINATOR_POD_GROUP)},
};

/* Without the label such a key adds the pods to another gang, or to one that never starts. */
static void
koordinator_check_rival(const struct backend_call *call, size_t role, const struct rival_key *rival,
                        struct report *report)
{
    const struct gang *gang = call->gang;

    if (gang->parts[role].membership == ROLE_MEMBER)
        rival_key_report(rival, &gang->roles[role], koordinator_name(call, report->arena), report);
    else if (rival_key_find(rival, &gang->roles[role]))
        find_note_at_key(report, rival_key_find(rival, &gang->roles[role]), MESSAGE_RESERVED_MARK,
                         SLICE_ARG(rival->key));
}

static void
koordinator_validate(const struct backend_call *call, struct report *report)
{
    const struct gang *gang = call->gang;
    const int64_t minimum = gang->wishes->minimum;
    const struct release release = cluster_component(call->cluster, CATALOG_AT_koordinator);
    const bool is_once = koordinator_is_once(call);
    int64_t pods = 0;

    release_report_assumed(call, CATALOG_AT_koordinator, &koordinator_newest, report);
    /* koordinator-sh/koordinator:pkg/scheduler/plugins/coscheduling/core/gang.go@v1.4.1 compares
     * the mode in its place */
    if (release.is_known && !release_at_least(&release, 1, 5) && !is_once)
        find_note(report, cluster_component_source(call->cluster, CATALOG_AT_koordinator),
                  MESSAGE_FIELD_LOST_MATCH_POLICY);
    /* A minimum that the documents set decides for all roles, if it is that of all pods. */
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER)
            pods = integer_add_capped(pods, role_pods_at_first(&gang->roles[i]));
    for (size_t i = 0; i < gang->num_roles; i++)
        if (gang->parts[i].membership == ROLE_MEMBER)
            koordinator_check_role(gang, i, minimum >= pods, report);
    if (minimum && minimum < pods)
        find_note(report, gang->wishes->minimum_source, MESSAGE_ELASTIC_MINIMUM_GANG,
                  (long long)minimum, (long long)pods);
    if (gang->wishes->reserve == RESERVE_ALWAYS)
        find_note(report, gang->wishes->owner.name_source, MESSAGE_RESERVE_NOT_POSSIBLE);
    if (gang->has_timeout)
        find_note(report, gang->timeout_source, MESSAGE_TIMEOUT_WITHOUT_EFFECT);
    if (!is_once && koordinator_retries(call->gang))
        retries_report(call->gang, report);
    if (is_once && call->gang->wishes->restarts)
        find_note(report, call->gang->wishes->restarts, MESSAGE_RESTART_IS_NO_GANG_ONE_BY_ONE);
    koordinator_check_quota(gang, report);
    for (size_t i = 0; i < gang->num_roles; i++)
        for (size_t k = 0; k < COUNT_OF(koordinator_rivals); k++)
            koordinator_check_rival(call, i, &koordinator_rivals[k], report);
}

/* ---- koordinator ---- */

static void
koordinator_render(const struct backend_call *call, struct plan_content *content)
{
    const struct gang *gang = call->gang;
    struct builder own = build_map(content->arena);
    struct backend_metadata metadata = {
        .name = koordinator_name(call, content->arena),
        .labels = gang->wishes->labels,
    };
    struct builder spec;

    build_string(&own, SLICE("gang.scheduling.koordinator.sh/match-policy"),
                 koordinator_is_once(call) ? KOORDINATOR_ONCE : KOORDINATOR_RUNNING);
    build_string(&own, SLICE("gang.scheduling.koordinator.sh/mode"), SLICE("Strict"));
    build_string(&own, SLICE("gang.scheduling.koordinator.sh/total-number"),
                 ARENA_SLICE(content->arena, "%lld", (long long)gang->minimum));
    metadata.annotations = build_merged(own.node, gang->annotations, content->arena);
    spec = backend_add_object(call, koordinator_descriptor.kinds[0], &metadata, content);
    build_int(&spec, SLICE("minMember"), gang->minimum);
    if (gang->has_timeout && gang->timeout_seconds > 0)
        build_int(&spec, SLICE("scheduleTimeoutSeconds"), gang->timeout_seconds);
    for (size_t i = 0; i < gang->num_roles; i++) {
        if (gang->parts[i].membership == ROLE_MEMBER)
            plan_patch_label(&content->patches[i], SLICE(GANG_LABEL_KOORDINATOR_POD_GROUP),
                             metadata.name);
        if (gang->queue.len)
            plan_patch_label(&content->patches[i], SLICE(GANG_LABEL_KOORDINATOR_QUOTA),
                             gang->queue);
    }
}

/*
 * koordinator-sh/koordinator:config/crd/bases/scheduling.sigs.k8s.io_podgroups.yaml@v1.8.0: no
 * field is immutable, and status is a subresource. The scheduler accepts a lower minimum while the
 * gang waits.
 */
static const struct update_field koordinator_fields[] = {
    UPDATE_FIELD("minMember", UPDATE_OURS),
    UPDATE_FIELD("scheduleTimeoutSeconds", UPDATE_GIVEN),
};
static const struct update_rules koordinator_rules = {UPDATE_FIELDS(koordinator_fields)};

/*
 * A gang that has started once stays satisfied as long as its PodGroup exists, whatever changes in
 * its spec, so each run has a PodGroup of its own. While pods of the gang exist, a new PodGroup of
 * the same name may never start them.
 */
static const struct backend_updates koordinator_updates = {
    .suspended = REST_DELETED,
    .finished = REST_UNTOUCHED,
    .stays_with_pods = true,
    .same = &koordinator_rules,
};

const struct backend koordinator_backend = {
    .descriptor = &koordinator_descriptor,
    .validate = koordinator_validate,
    .render = koordinator_render,
    .group_name = koordinator_name,
    .updates = &koordinator_updates,
};
