/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/render/render.h"
#include "libgang/decide/choice.h"
#include "libgang/decide/decision.h"

#include "recorded/grove_replay.h"
#include "unit/tree.h"
#include "unit/typed.h"

static struct recorded recorded;

/* Intended findings of libgang that Grove does not report: README.md lists them by name. */
static const enum gang_code refusals[] = {
    GANG_CODE_SCHEDULERS_DISAGREE, /* Grove's own admission refuses the PodCliqueSet, its sync does
                                      not */
    GANG_CODE_SCHEDULER_MISMATCH,  /* pods that would go to another scheduler than their PodGroup */
    GANG_CODE_GROVE_QUEUE_CONFLICT,    /* refused at admission alone */
    GANG_CODE_PODGROUP_UNKNOWN,        /* a group that could never be complete */
    GANG_CODE_PODGROUP_IN_TWO_CONFIGS, /* the same */
    GANG_CODE_DUPLICATE_ITEM,          /* two subgroups of one name */
    GANG_CODE_INVALID_NAME,            /* a name that no object, queue or subgroup may have */
    GANG_CODE_KAI_GROUP_REFUSED,       /* what the API server or KAI's webhook refuses */
};

static bool
is_refused_on_purpose(const struct gang_decision *decision)
{
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++)
        if (replay_has_error(decision, refusals[i]))
            return true;
    return false;
}

/* Errors of the recording whose words differ: Grove asks the API server, libgang what it was given.
 */
static const struct {
    const char *upstream;
    const char *ours;
} rewordings[] = {
    {"not found", "it is not among the inputs"},
    {"is already owned by another", ""},
};

static void
check_error(const struct gang_decision *decision, const char *upstream)
{
    for (size_t i = 0; i < sizeof(rewordings) / sizeof(rewordings[0]); i++)
        if (strstr(upstream, rewordings[i].upstream)) {
            ck_assert(replay_says(decision, rewordings[i].ours));
            return;
        }
    ck_assert_msg(replay_says(decision, upstream), "%s was not said, but%s", upstream,
                  replay_findings(decision, recorded.arena));
}

static const struct node *
spec_of(const struct node *object)
{
    return node_member(object, SLICE("spec"));
}

static const struct node *
meta_of(const struct node *object, const char *member)
{
    return node_member(node_member(object, SLICE("metadata")), slice_from_text(member));
}

/* A recorded group with the apiVersion and kind of the object that the plan has. */
static struct gang_document *
live_group(const struct gang_plan *plan, const struct node *recorded_one, struct arena *arena)
{
    const struct node *rendered = plan->content.objects[0].manifest;
    struct builder map = build_map(arena);
    struct gang_document *document = NULL;
    struct buffer text = {0};

    build_node(&map, SLICE("apiVersion"), node_member(rendered, SLICE("apiVersion")));
    build_node(&map, SLICE("kind"), node_member(rendered, SLICE("kind")));
    build_node(&map, SLICE("metadata"), node_member(recorded_one, SLICE("metadata")));
    build_node(&map, SLICE("spec"), spec_of(recorded_one));
    json_write(&text, map.node);
    ck_assert_int_eq(gang_document_parse_live(NULL, text.data, text.len, 0, &document, NULL),
                     GANG_OK);
    buffer_clear(&text);
    return document;
}

static const struct node *
copied(const struct node *manifest, struct arena *arena)
{
    struct buffer text = {0};
    char *copy;

    json_write(&text, manifest);
    copy = arena_alloc(arena, text.len + 1);
    memcpy(copy, text.data, text.len);
    buffer_clear(&text);
    return recorded_case(arena, copy);
}

/*
 * What gang_reconcile() makes of the group that is there; NULL if it is a conflict. Grove takes
 * over a group without a controller, and with KAI every group; libgang does so only when it is
 * asked to.
 */
static const struct node *
brought_up_to_date(struct gang_plan *plan, const struct node *live, uint32_t flags,
                   struct arena *arena)
{
    struct gang_document *document;
    struct gang_plan *found = NULL;
    const struct node *manifest;
    int result;

    if (!live)
        return plan->content.objects[0].manifest;
    document = live_group(plan, live, arena);
    result = gang_reconcile(NULL, plan, document, flags, &found, NULL);
    ck_assert(result == GANG_OK || result == GANG_ERROR_INVALID);
    manifest = result ? NULL : copied(found->content.objects[0].manifest, arena);
    gang_plan_unref(found);
    gang_document_unref(document);
    return manifest;
}

/* What libgang does without being asked to take over a group. */
static void
check_ownership(struct gang_plan *plan, const struct node *live, struct arena *arena)
{
    const struct node *rendered = plan->content.objects[0].manifest;
    bool is_ours =
        live && node_equal(meta_of(live, "ownerReferences"), meta_of(rendered, "ownerReferences"));

    ck_assert(!live || is_ours == (brought_up_to_date(plan, live, 0, arena) != NULL));
}

static bool
is_empty(const struct node *node)
{
    return node_is_absent(node) || (node->kind >= NODE_STRING && !node->len);
}

/* Go writes `{}` and `[]` where others write nothing. */
static bool
has_fields_of(const struct node *spec, const struct node *other)
{
    for (NODE_EACH(field, spec))
        if (!(is_empty(field) && is_empty(node_member(other, node_key(field)))) &&
            !node_equal(field, node_member(other, node_key(field))))
            return false;
    return true;
}

static bool
same_spec(const struct node *actual, const struct node *expected)
{
    return has_fields_of(actual, expected) && has_fields_of(expected, actual);
}

/* A reference to an owner without a uid is no reference. */
static bool
same_owners(const struct node *actual, const struct node *expected)
{
    if (!actual)
        return !node_string(node_member(node_first(expected), SLICE("uid"))).len;
    return node_equal(actual, expected);
}

/* What was compared, so that what is left out cannot grow unseen. */
static struct {
    int groups;
    int pods;
} compared;

static void
check_group(const struct node *group, const struct node *spec, const struct node *expected)
{
    const char *name = arena_copy(recorded.arena, replay_name(expected)).data;

    compared.groups++;
    if (!same_spec(spec, spec_of(expected)))
        fprintf(stderr, "# %s\n# is not\n# %s\n", job_print(recorded.arena, spec),
                job_print(recorded.arena, spec_of(expected)));
    ck_assert_msg(same_spec(spec, spec_of(expected)), "%s: another spec", name);
    ck_assert_msg(replay_same_map(meta_of(group, "labels"), meta_of(expected, "labels")),
                  "%s: labels", name);
    ck_assert_msg(replay_same_map(meta_of(group, "annotations"), meta_of(expected, "annotations")),
                  "%s: annotations", name);
    ck_assert_msg(
        same_owners(meta_of(group, "ownerReferences"), meta_of(expected, "ownerReferences")),
        "%s: owners", name);
}

static const struct node *
recorded_group(const struct node *result, struct slice name, const char *kind)
{
    for (NODE_EACH(group, node_member(result, SLICE("podGroups"))))
        if (slice_equal(replay_name(group), name) && replay_is(group, "kind", kind))
            return group;
    return NULL;
}

/* A queue that only cliques name, which Grove admits and then forgets: it is the one difference of
 * the two. */
static bool
is_queue_of_cliques(const struct gang_decision *decision)
{
    for (size_t i = 0; i < gang_decision_num_diagnostics(decision); i++)
        if (gang_diagnostic_get_code(gang_decision_get_diagnostic(decision, i)) ==
            GANG_CODE_GROVE_QUEUE_NOT_READ)
            return decision->gang.queue_source->document == GANG_DOCUMENT_PODCLIQUESET;
    return false;
}

static const struct node *
with_default_queue(const struct node *spec, struct arena *arena)
{
    struct builder map = build_map(arena);

    for (NODE_EACH(member, spec))
        if (!slice_equal(node_key(member), SLICE("queue")))
            build_node(&map, node_key(member), member);
    build_string(&map, SLICE("queue"), SLICE("default"));
    return map.node;
}

static void
check_objects(struct replay *replay, const struct gang_decision *decision,
              const struct node *podgang, const struct node *result)
{
    bool is_kai = replay_is(result, "backend", "kai-scheduler");
    const struct node *expected =
        recorded_group(result, replay_name(podgang), is_kai ? "kai.PodGroup" : "volcano.PodGroup");
    const struct node *live =
        replay_find(replay->groups, replay->num_groups, is_kai ? SLICE("kai") : SLICE("volcano"),
                    replay_name(podgang));
    struct gang_plan *plan = NULL;
    const struct node *group;
    const struct node *spec;

    ck_assert_ptr_nonnull(expected);
    ck_assert_int_eq(gang_render(NULL, (struct gang_decision *)decision, 0, &plan, NULL), GANG_OK);
    ck_assert_uint_eq(plan->content.num_objects, 1);
    check_ownership(plan, live, replay->arena);
    group = brought_up_to_date(plan, live, GANG_RECONCILE_ADOPT, replay->arena);
    ck_assert_ptr_nonnull(group);
    spec = spec_of(group);
    if (is_queue_of_cliques(decision))
        spec = with_default_queue(spec, replay->arena);
    check_group(group, spec, expected);
    gang_plan_unref(plan);
}

static const struct grove_scheduler *
scheduler_of(const struct node *result)
{
    return grove_scheduler_named(recorded_member(result, "backend"));
}

/* Grove's backend for Volcano refuses the group of another controller. */
static void
check_foreign(struct replay *replay, const struct gang_decision *decision,
              const struct node *podgang)
{
    const struct node *live =
        replay_find(replay->groups, replay->num_groups, SLICE("volcano"), replay_name(podgang));
    struct gang_plan *plan = NULL;

    ck_assert_int_eq(gang_render(NULL, (struct gang_decision *)decision, 0, &plan, NULL), GANG_OK);
    ck_assert_ptr_nonnull(live);
    ck_assert_ptr_null(brought_up_to_date(plan, live, GANG_RECONCILE_ADOPT, replay->arena));
    gang_plan_unref(plan);
}

static void
check_decision(struct replay *replay, const struct gang_decision *decision,
               const struct node *podgang, const struct node *result)
{
    struct slice error = recorded_member(result, "error");
    bool is_none = !scheduler_of(result)->descriptor;

    if (error.len && !strstr(error.data, "is already owned by another")) {
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
        if (!is_refused_on_purpose(decision))
            check_error(decision, arena_copy(replay->arena, error).data);
    } else if (gang_decision_get_outcome(decision) == GANG_OUTCOME_INVALID) {
        ck_assert_msg(is_refused_on_purpose(decision), "refused:%s",
                      replay_findings(decision, replay->arena));
    } else if (is_none) {
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_NO_GANG);
    } else if (error.len) {
        check_foreign(replay, decision, podgang);
    } else {
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_GANG);
        check_objects(replay, decision, podgang, result);
    }
}

/* There is a decision with any outcome. */
static struct gang_decision *
resolve(struct replay *replay, struct gang_podgang *podgang, struct gang_podcliqueset *set,
        uint32_t flags)
{
    struct gang_decision *decision = NULL;
    int result = resolve_podgang_with(NULL, podgang, set, &replay->policy.policy, NULL, flags,
                                      &decision, NULL);

    ck_assert(result == GANG_OK || result == GANG_ERROR_INVALID);
    return decision;
}

static void
replay_sync(struct replay *replay, const struct node *step, const struct node *result)
{
    struct slice name = recorded_member(step, "sync");
    const char *slash = memchr(name.data, '/', name.len);
    const struct node *object;
    const struct node *set_object;
    struct gang_podgang *podgang;
    struct gang_podcliqueset *set;
    struct gang_decision *decision = NULL;

    name = (struct slice){slash + 1, name.len - (size_t)(slash + 1 - name.data)};
    object = replay_find(replay->podgangs, replay->num_podgangs, SLICE(""), name);
    podgang = replay_parse_podgang(object);
    if (!podgang) /* no API server lets it in; the recording was made with a client that checks
                     nothing */
        return;
    set_object = replay_set(replay, podgang->controller.name);
    set = set_object ? replay_parse_set(set_object) : NULL;
    if (set || !set_object) {
        decision = resolve(replay, podgang, set, GANG_RESOLVE_FALL_BACK);
        check_decision(replay, decision, object, result);
    }
    for (NODE_EACH(group, node_member(result, SLICE("podGroups"))))
        replay_put(replay->groups, &replay->num_groups, REPLAY_MOST_GROUPS, group);
    gang_decision_unref(decision);
    unref_podcliqueset(set);
    unref_podgang(podgang);
}

static void
replay_gangs(struct replay *replay, const struct node *result)
{
    for (NODE_EACH(podgang, node_member(result, SLICE("podGangs"))))
        replay_put(replay->podgangs, &replay->num_podgangs, REPLAY_MOST_PODGANGS,
                   replay_with_version(replay, podgang));
}

/* The detail of one error in the recording, without its path. */
static const char *
detail_of(struct slice error, struct arena *arena)
{
    const char *text = arena_copy(arena, error).data;
    const char *value = strstr(text, "Invalid value: ");

    return value ? value : text;
}

static void
check_name_errors(const struct gang_decision *decision, const struct node *result,
                  struct arena *arena)
{
    for (NODE_EACH(error, node_member(result, SLICE("nameErrors")))) {
        const char *detail = detail_of(node_string(error), arena);
        const char *tail = strstr(detail, "; this scheduler is not enabled");

        if (tail)
            detail = arena_format(arena, "%.*s", (int)(tail - detail), detail);
        ck_assert_msg(replay_says(decision, detail), "%s was not said, but%s", detail,
                      replay_findings(decision, arena));
    }
}

/* Facts that a cluster's document does not have: whether a queue of Volcano is open. */
static bool
is_fact_of_cluster(const char *error)
{
    return strstr(error, "does not exist") || strstr(error, "is not Open");
}

/* `[path: detail, path: detail]`: every detail must be among ours. */
static void
check_backend_error(const struct gang_decision *decision, struct slice error, struct arena *arena)
{
    const char *text = arena_copy(arena, error).data;

    if (!error.len || is_fact_of_cluster(text))
        return;
    if (text[0] != '[') {
        ck_assert_msg(replay_says(decision, text), "%s was not said, but%s", text,
                      replay_findings(decision, arena));
        return;
    }
    for (const char *at = text; (at = strstr(at, "volcano-queue]: ")) != NULL;) {
        const char *end = strstr(at += strlen("volcano-queue]: "), ", spec.");
        size_t len = end ? (size_t)(end - at) : strlen(at) - 1;

        ck_assert(replay_says(decision, arena_format(arena, "%.*s", (int)len, at)));
    }
}

static void
replay_admit(struct replay *replay, const struct node *step, const struct node *result)
{
    struct gang_podcliqueset *set = replay_parse_set(node_member(step, SLICE("admit")));
    struct gang_decision *decision = NULL;
    bool is_refused = node_count(node_member(result, SLICE("nameErrors"))) > 0 ||
                      (recorded_member(result, "backendError").len &&
                       !is_fact_of_cluster(recorded_member(result, "backendError").data));

    if (recorded_member(result, "namePanic").len) { /* no cliques: Grove panics */
        ck_assert_ptr_null(set);
        return;
    }
    if (!set) /* no API server lets it in */
        return;
    decision = resolve(replay, NULL, set, 0);
    check_name_errors(decision, result, replay->arena);
    if (!node_count(node_member(result, SLICE("nameErrors"))))
        check_backend_error(decision, recorded_member(result, "backendError"), replay->arena);
    ck_assert_msg((gang_decision_get_outcome(decision) == GANG_OUTCOME_INVALID) == is_refused,
                  "outcome %d:%s", (int)gang_decision_get_outcome(decision),
                  replay_findings(decision, replay->arena));
    gang_decision_unref(decision);
    unref_podcliqueset(set);
}

/*
 * `answer` has what Get and GetOrDefault give for a name. A label is looked up with Get, an empty
 * one as if it were not there. default-scheduler is always there for us: no configuration without
 * it passes Grove's validation.
 */
static void
check_lookup(struct replay *replay, const struct node *answer)
{
    struct gang_podgang podgang = {0};
    struct report report;
    struct gang_decision decision = {
        .report = &report, .inputs.policy = &replay->policy.policy, .inputs.podgang = &podgang};
    bool is_named = node_key(answer).len > 0;
    struct slice expected = node_string(node_item(answer, is_named ? 0 : 1));
    struct builder labels = build_map(replay->arena);

    report_init(&report, replay->arena, &standard_limits);
    decision.arena = replay->arena;
    decision.front_end = front_end_of(&decision.inputs, &decision.wishes.meta);
    build_string(&labels, SLICE("grove.io/scheduler-name"), node_key(answer));
    podgang.meta.labels = labels.node;
    if (!expected.len && (!is_named || slice_equal(node_key(answer), SLICE("default-scheduler"))))
        expected = SLICE("default-scheduler");
    backend_choose(&decision);
    ck_assert(slice_equal(decision.wishes.scheduler_name, expected));
}

static void
replay_lookup(struct replay *replay, const struct node *result)
{
    for (NODE_EACH(answer, node_member(result, SLICE("get,getOrDefault"))))
        check_lookup(replay, answer);
}

/*
 * PreparePod of a pod that its labels put into a PodGang: the plan of that PodGang has a patch for
 * the pod's role, which must make of the pod what Grove makes of it. A pod without the labels is of
 * no role, and nothing prepares it.
 */
static const char prepared_podgang[] =
    "{\"apiVersion\":\"scheduler.grove.io/"
    "v1alpha1\",\"kind\":\"PodGang\",\"metadata\":{\"name\":\"%.*s\",\"labels\":"
    "{\"grove.io/scheduler-name\":\"%.*s\"},\"ownerReferences\":[{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":"
    "\"PodCliqueSet\",\"name\":\"job\",\"uid\":\"u\",\"controller\":true}]},\"spec\":{"
    "\"podgroups\":[{"
    "\"name\":"
    "\"%.*s\",\"minReplicas\":1,\"podReferences\":[]}]}}";
static const char prepared_set[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"name\":\"job\",\"labels\":"
    "{\"kai.scheduler/"
    "queue\":\"q\"}},\"spec\":{\"template\":{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":"
    "\"a\","
    "\"podSpec\":{}}}]}}}";

static const struct node *
patched(const struct node *before, const struct plan_pair *pairs, size_t count, struct arena *arena)
{
    struct builder map = build_map(arena);

    for (size_t i = 0; i < count; i++)
        build_string(&map, pairs[i].key, pairs[i].value);
    replay_copy_members(&map, before, map.node);
    return map.node;
}

static void
check_prepared(const struct gang_decision *decision, const struct node *pod,
               const struct node *expected)
{
    struct gang_plan *plan = NULL;
    const struct gang_patch *patch;

    ck_assert_int_eq(gang_render(NULL, (struct gang_decision *)decision, 0, &plan, NULL), GANG_OK);
    patch = &plan->content.patches[0];
    ck_assert(replay_same_map(
        patched(meta_of(pod, "labels"), patch->labels, patch->num_labels, recorded.arena),
        node_member(expected, SLICE("labels"))));
    ck_assert(replay_same_map(patched(meta_of(pod, "annotations"), patch->annotations,
                                      patch->num_annotations, recorded.arena),
                              node_member(expected, SLICE("annotations"))));
    ck_assert(slice_equal(patch->scheduler_name, recorded_member(expected, "schedulerName")));
    gang_plan_unref(plan);
}

static void
replay_prepare(struct replay *replay, const struct node *step, const struct node *result)
{
    const struct node *pod = node_member(step, SLICE("prepare"));
    struct slice gang = node_string(node_member(meta_of(pod, "labels"), SLICE("grove.io/podgang")));
    struct slice clique =
        node_string(node_member(meta_of(pod, "labels"), SLICE("grove.io/podclique")));
    struct slice scheduler = recorded_member(step, "sched");
    char text[1024];
    const struct node *expected = node_member(result, SLICE("pod"));
    struct gang_decision *decision = NULL;
    struct gang_podgang *podgang = NULL;
    struct gang_podcliqueset *set = NULL;

    if (!gang.len || !clique.len || !scheduler.len)
        return;
    snprintf(text, sizeof(text), prepared_podgang, SLICE_ARG(gang), SLICE_ARG(scheduler),
             SLICE_ARG(clique));
    ck_assert_int_eq(parse_podgang(NULL, text, strlen(text), 0, &podgang, NULL), GANG_OK);
    ck_assert_int_eq(parse_podcliqueset(NULL, prepared_set, strlen(prepared_set), 0, &set, NULL),
                     GANG_OK);
    decision = resolve(replay, podgang, set, 0);
    if (node_is(node_member(result, SLICE("backend")), NODE_NULL) || !expected)
        ck_assert(replay_has_error(decision, GANG_CODE_SCHEDULER_NOT_ENABLED));
    else if (!scheduler_of(result)->descriptor)
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_NO_GANG);
    else if (gang_decision_get_outcome(decision) == GANG_OUTCOME_GANG)
        check_prepared(decision, pod, expected);
    else
        ck_assert(is_refused_on_purpose(decision));
    gang_decision_unref(decision);
    unref_podgang(podgang);
    unref_podcliqueset(set);
}

/* The same of the pod itself, by a PodCliqueSet whose templates name the scheduler. */
static const char preparing_set[] =
    "{\"apiVersion\":\"grove.io/"
    "v1alpha1\",\"kind\":\"PodCliqueSet\",\"metadata\":{\"name\":\"job\",\"labels\":{\"kai."
    "scheduler/"
    "queue\":\"q\"}},"
    "\"spec\":{\"template\":{\"cliques\":[{\"name\":\"a\",\"spec\":{\"roleName\":\"a\","
    "\"podSpec\":{\"schedulerName\":\"%.*s\",\"containers\":[]}}}]}}}";

static void
check_given_pod(const char *text, const struct node *expected)
{
    struct arena *arena = arena_new(0);
    const struct node *pod = tree_of(arena, text);

    compared.pods++;
    ck_assert(replay_same_map(meta_of(pod, "labels"), node_member(expected, SLICE("labels"))));
    ck_assert(
        replay_same_map(meta_of(pod, "annotations"), node_member(expected, SLICE("annotations"))));
    ck_assert(slice_equal(recorded_member(node_member(pod, SLICE("spec")), "schedulerName"),
                          recorded_member(expected, "schedulerName")));
    arena_free(arena);
}

/* Grove reports the first missing label, libgang all of them. */
static void
check_refused_pod(const struct gang_error *error, struct slice words)
{
    bool is_index = memcmp(words.data, "failed to convert replica index", 31) == 0;
    bool is_said = is_index && gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)) ==
                                   GANG_CODE_INVALID_LABEL_VALUE;

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        is_said |= slice_equal(
            slice_from_text(gang_diagnostic_get_message(gang_error_get_diagnostic(error, i))),
            words);
    ck_assert_msg(is_said, "%.*s", SLICE_ARG(words));
}

static void
replay_prepare_given(struct replay *replay, const struct node *step, const struct node *result)
{
    struct buffer pod = replay_text(node_member(step, SLICE("prepare")));
    struct slice scheduler = recorded_member(step, "sched");
    struct slice words = recorded_member(result, "error");
    struct gang_podcliqueset *set = NULL;
    struct gang_decision *decision;
    struct gang_error *error = NULL;
    struct gang_blob *blob = NULL;
    char text[1024];
    int prepared;

    snprintf(text, sizeof(text), preparing_set, SLICE_ARG(scheduler));
    ck_assert_int_eq(parse_podcliqueset(NULL, text, strlen(text), 0, &set, NULL), GANG_OK);
    decision = resolve(replay, NULL, set, 0);
    prepared = gang_decision_prepare_pod(NULL, decision, pod.data, pod.len, GANG_FORMAT_JSON, 0,
                                         &blob, &error);
    if (!node_member(result, SLICE("pod")))
        ck_assert(replay_has_error(decision, GANG_CODE_SCHEDULER_NOT_ENABLED));
    else if (prepared == GANG_OK)
        check_given_pod(gang_blob_get_data(blob, NULL), node_member(result, SLICE("pod")));
    else
        check_refused_pod(error, words);
    ck_assert_int_eq(prepared == GANG_OK, !words.len && node_member(result, SLICE("pod")));
    gang_error_free(error);
    gang_blob_unref(blob);
    gang_decision_unref(decision);
    unref_podcliqueset(set);
    buffer_clear(&pod);
}

static void
replay_step(struct replay *replay, const struct node *step, const struct node *result)
{
    if (node_member(step, SLICE("apply")))
        replay_put(replay->podgangs, &replay->num_podgangs, REPLAY_MOST_PODGANGS,
                   node_member(step, SLICE("apply")));
    else if (node_member(step, SLICE("sync")))
        replay_sync(replay, step, result);
    else if (node_member(step, SLICE("gangs")))
        replay_gangs(replay, result);
    else if (node_member(step, SLICE("admit")))
        replay_admit(replay, step, result);
    else if (node_member(step, SLICE("prepare"))) {
        replay_prepare(replay, step, result);
        replay_prepare_given(replay, step, result);
    } else if (node_member(step, SLICE("lookup")))
        replay_lookup(replay, result);
}

static void
replay_case(const struct node *source)
{
    const struct node *result = node_first(node_at(source, "main.steps"));
    struct replay replay;

    replay_start(&replay, source);
    for (NODE_EACH(step, node_member(source, SLICE("steps")))) {
        replay_step(&replay, step, result);
        result = result->next;
    }
    arena_free(replay.arena);
}

START_TEST(answers_as_grove_does)
{
    replay_case(recorded.cases[_i]);
}
END_TEST

/* That of the case, which in the recording has no apiVersion of its own; NULL without one. */
static struct gang_topologybinding *
replay_parse_topology(const struct replay *replay)
{
    struct gang_topologybinding *binding = NULL;

    for (NODE_EACH(object, node_member(replay->source, SLICE("objects")))) {
        struct buffer text = {0};

        if (!replay_is(object, "kind", "ClusterTopologyBinding") || binding)
            continue;
        text = replay_text(object);
        ck_assert_int_eq(parse_topologybinding(NULL, text.data, text.len, 0, &binding, NULL),
                         GANG_OK);
        buffer_clear(&text);
    }
    return binding;
}

/* With the topology and the other PodGangs of the case. There is a decision with any outcome. */
static struct gang_decision *
resolve_replica(struct replay *replay, const struct node *object, struct gang_podgang *podgang,
                struct gang_podcliqueset *set)
{
    const void *inputs[REPLAY_MOST_PODGANGS + 3] = {&replay->policy.policy, set,
                                                    replay_parse_topology(replay)};
    size_t count = 3;
    struct gang_decision *decision = NULL;
    int result;

    for (size_t i = 0; i < replay->num_podgangs; i++)
        if (replay->podgangs[i] != object)
            inputs[count++] = replay_parse_podgang(replay->podgangs[i]);
    result = resolve_with(NULL, podgang, inputs, count, GANG_RESOLVE_FALL_BACK, &decision, NULL);
    for (size_t i = 2; i < count; i++)
        gang_document_unref(document_of(inputs[i]));
    ck_assert(result == GANG_OK || result == GANG_ERROR_INVALID);
    ck_assert_ptr_nonnull(decision);
    return decision;
}

/* What needs objects that are not passed in: topology bindings, and what an earlier layout has
 * left. */
static bool
is_of_the_cluster(const char *error)
{
    return strstr(error, "get ClusterTopologyBinding") || strstr(error, "refusing to delete") ||
           strstr(error, "get controlling PodCliqueSet");
}

/*
 * What this layout does otherwise: it aggregates only PodGangs that carry the label, where the
 * other layout takes the default for one without; and it wants a topology's name for a constraint
 * that asks for nothing.
 */
static bool
is_left_aside(const struct gang_podgang *podgang, const struct node *result)
{
    const struct node *label =
        node_text_member(podgang->meta.labels, SLICE("grove.io/scheduler-name"));
    const struct node *first = podgang->num_podgroups ? podgang->podgroups[0].source : NULL;
    bool asks_for_nothing = node_member(first, SLICE("topologyConstraint")) &&
                            !node_at(first, "topologyConstraint.packConstraint");

    return !slice_equal(node_string(label), SLICE("kai-scheduler")) ||
           (asks_for_nothing && recorded_member(result, "error").len);
}

/* The words of the other layout for the same. */
static const char *
error_of_aggregate(const char *error)
{
    return strstr(error, "has topology constraints without") ? "topology name cannot be empty"
                                                             : error;
}

static void
check_aggregate(const struct replay *replay, const struct gang_decision *decision,
                const struct node *result)
{
    struct slice error = recorded_member(result, "error");
    const struct node *expected = recorded_group(result, decision->gang.name, "kai.PodGroup");
    struct gang_plan *plan = NULL;
    const struct node *group;

    if (error.len) {
        ck_assert_int_eq(gang_decision_get_outcome(decision), GANG_OUTCOME_INVALID);
        ck_assert_msg(
            is_refused_on_purpose(decision) ||
                replay_says(decision, error_of_aggregate(arena_copy(replay->arena, error).data)),
            "%s", replay_findings(decision, recorded.arena));
        return;
    }
    if (gang_decision_get_outcome(decision) == GANG_OUTCOME_INVALID) {
        ck_assert_msg(is_refused_on_purpose(decision), "refused: %s",
                      replay_findings(decision, recorded.arena));
        return;
    }
    if (gang_decision_get_outcome(decision) == GANG_OUTCOME_NO_GANG)
        return;
    ck_assert_ptr_nonnull(expected);
    ck_assert_int_eq(gang_render(NULL, (struct gang_decision *)decision, 0, &plan, NULL), GANG_OK);
    group = brought_up_to_date(
        plan, replay_find(replay->groups, replay->num_groups, SLICE("kai"), replay_name(expected)),
        GANG_RECONCILE_ADOPT, replay->arena);
    ck_assert_ptr_nonnull(group);
    check_group(group, spec_of(group), expected);
    gang_plan_unref(plan);
}

static void
replay_aggregate_sync(struct replay *replay, const struct node *step, const struct node *result)
{
    struct slice name = recorded_member(step, "sync");
    const char *slash = memchr(name.data, '/', name.len);
    const struct node *object;
    struct gang_podgang *podgang;
    struct gang_podcliqueset *set;
    struct gang_decision *decision;

    name = (struct slice){slash + 1, name.len - (size_t)(slash + 1 - name.data)};
    if (!replay_is(result, "backend", "kai-scheduler") ||
        (recorded_member(result, "error").len &&
         is_of_the_cluster(recorded_member(result, "error").data)))
        return;
    object = replay_find(replay->podgangs, replay->num_podgangs, SLICE(""), name);
    podgang = replay_parse_podgang(object);
    set = podgang ? replay_parse_set(replay_set(replay, SLICE("job"))) : NULL;
    if (set && !is_left_aside(podgang, result)) {
        decision = resolve_replica(replay, object, podgang, set);
        if (!replay_has_error(decision, GANG_CODE_PODGANG_OWNER))
            check_aggregate(replay, decision, result);
        gang_decision_unref(decision);
    }
    for (NODE_EACH(group, node_member(result, SLICE("podGroups"))))
        replay_put(replay->groups, &replay->num_groups, REPLAY_MOST_GROUPS, group);
    unref_podcliqueset(set);
    unref_podgang(podgang);
}

static void
choose_aggregate(struct replay *replay)
{
    struct builder options = build_map(replay->arena);

    build_string(&options, SLICE("layout"), SLICE("Aggregate"));
    for (size_t i = 0; i < replay->policy.policy.num_backends; i++)
        replay->policy.backends[i].options = options.node;
}

/* The layout of one PodGroup for each replica, as pull request 735 has it. */
static void
replay_case_of_aggregate(const struct node *source)
{
    const struct node *result = node_first(node_at(source, "pr735.steps"));
    struct replay replay;

    replay_start(&replay, source);
    choose_aggregate(&replay);
    for (NODE_EACH(step, result ? node_member(source, SLICE("steps")) : NULL)) {
        if (node_member(step, SLICE("apply")))
            replay_put(replay.podgangs, &replay.num_podgangs, REPLAY_MOST_PODGANGS,
                       node_member(step, SLICE("apply")));
        else if (node_member(step, SLICE("gangs")))
            replay_gangs(&replay, result);
        else if (node_member(step, SLICE("sync")))
            replay_aggregate_sync(&replay, step, result);
        else if (node_member(step, SLICE("prepare")))
            replay_prepare_given(&replay, step, result);
        result = result->next;
    }
    arena_free(replay.arena);
}

START_TEST(answers_as_the_aggregate_does)
{
    replay_case_of_aggregate(recorded.cases[_i]);
}
END_TEST

/*
 * Of the PodGroups that a sync without an error left behind, and of the pods that PreparePod took.
 * README.md has the rest.
 */
static const struct {
    void (*replay)(const struct node *source);
    const char *steps;
    int made, groups; /* answers, and how many of them are compared */
    int pods;
} shares[] = {
    {replay_case, "main.steps", 155, 94, 21},
    {replay_case_of_aggregate, "pr735.steps", 51, 16, 1},
};

static int
count_made(const struct node *source, const char *steps)
{
    const struct node *result = node_first(node_at(source, steps));
    int made = 0;

    for (NODE_EACH(step, result ? node_member(source, SLICE("steps")) : NULL)) {
        made += node_member(step, SLICE("sync")) && !recorded_member(result, "error").len &&
                scheduler_of(result)->descriptor;
        result = result->next;
    }
    return made;
}

START_TEST(leaves_out_no_more_than_it_says)
{
    int made = 0;

    memset(&compared, 0, sizeof(compared)); /* one process runs every test where none is forked */
    for (int i = 0; i < recorded.count; i++) {
        made += count_made(recorded.cases[i], shares[_i].steps);
        shares[_i].replay(recorded.cases[i]);
    }
    ck_assert_int_eq(made, shares[_i].made);
    ck_assert_int_eq(compared.groups, shares[_i].groups);
    ck_assert_int_eq(compared.pods, shares[_i].pods);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, leaves_out_no_more_than_it_says, shares, steps);
    recorded = recorded_load(RECORDED "/grove/grove.ndjson");
    tcase_add_loop_test(cases, answers_as_grove_does, 0, recorded.count);
    tcase_add_loop_test(cases, answers_as_the_aggregate_does, 0, recorded.count);
}
