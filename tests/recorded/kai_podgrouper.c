/* SPDX-License-Identifier: Apache-2.0 */
#include "gang/gang.h"
#include "libgang/backend/kai/kai.h"
#include "libgang/decide/decision.h"
#include "recorded/kai_documents.h"
#include "recorded/recorded.h"
#include "unit/typed.h"

/*
 * The recordings of the podgrouper through the public interface: the case becomes documents, as a
 * user and an API server write them, and the plan's predictions are compared with the PodGroups
 * that the podgrouper made.
 */

static struct recorded recorded;

/* ---- what is left out ---- */

/* The reasons, in the order in which they are looked for. The numbers are of all results. */
enum left_out {
    LEFT_NOTHING,
    LEFT_PODS,
    LEFT_MARKS,
    LEFT_JOBSET_ALONE,
    LEFT_COMPLETIONS,
    LEFT_REPEATED,
    LEFT_ADMISSION,
    LEFT_REFUSED,
    LEFT_COUNT
};

static const struct {
    const char *reason;
    int results;
} left_out[LEFT_COUNT] = {
    [LEFT_PODS] = {"pods that no JobSet made, or with metadata of their own", 28},
    [LEFT_MARKS] = {"marks of gang membership in the documents, which libgang refuses", 14},
    [LEFT_JOBSET_ALONE] = {"a JobSet without a TrainJob, which v0.12 groups by itself", 2},
    [LEFT_COMPLETIONS] = {"completions that differ, which the operator sets to parallelism", 171},
    [LEFT_REPEATED] =
        {"a queue on the JobSet alone, which v0.12 does not read and the plan repeats "
         "on the pods",
         42},
    [LEFT_ADMISSION] = {"a class with globalDefault, which no API server wrote into the pods", 7},
    [LEFT_REFUSED] = {"documents that libgang refuses for what no scheduler may see", 34},
};

static bool
has_any(const struct node *map, const char *const *keys, int count)
{
    for (int i = 0; i < count; i++)
        if (node_member(map, slice_from_text(keys[i])))
            return true;
    return false;
}

static bool
sets_a_mark(const struct node *source)
{
    static const char *const places[] = {"trainJob", "jobSet", "job", "pod"};

    for (int i = 0; i < ITEMS_OF(places); i++) {
        const struct node *annotations =
            node_member(node_member(source, slice_from_text(places[i])), SLICE("annotations"));

        if (node_member(annotations, SLICE("pod-group-name")) ||
            slice_equal(recorded_member(annotations, "kai.scheduler/skip-podgrouper"),
                        SLICE("true")))
            return true;
    }
    return false;
}

static int64_t
number_or_one(const struct node *map, const char *key)
{
    int64_t number;

    return node_int(node_member(map, slice_from_text(key)), &number) ? number : 1;
}

static bool
has_other_completions(const struct node *source)
{
    for (NODE_EACH(role, node_member(source, SLICE("replicatedJobs")))) {
        const struct node *spec = node_at(role, "template.spec");

        if (node_member(spec, SLICE("completions")) &&
            number_or_one(spec, "completions") != number_or_one(spec, "parallelism"))
            return true;
    }
    return false;
}

static bool
has_label(const struct node *source, const char *place, const char *label)
{
    const struct node *metadata = node_member(source, slice_from_text(place));

    return node_member(node_member(metadata, SLICE("labels")), slice_from_text(label));
}

/* A queue or project of the JobSet, which alone says the queue. */
static bool
has_queue_of_jobset(const struct node *source)
{
    if (has_label(source, "trainJob", "kai.scheduler/queue"))
        return false;
    if (has_label(source, "jobSet", "kai.scheduler/queue"))
        return true;
    return has_label(source, "jobSet", "project") && !has_label(source, "trainJob", "project") &&
           !has_label(source, "pod", "kai.scheduler/queue");
}

/* From v0.13 to v0.15 the podgrouper counted min(parallelism, completions). */
static bool
is_flat_release(const struct release *release)
{
    return !release->major && release->minor >= 13 && release->minor < 16;
}

static enum left_out
why_left_out(const struct node *source, const struct node *version)
{
    static const char *const pods[] = {"orphan", "podPer", "noPodLabels", "schedulerName"};
    struct release release = recorded_release(version);
    bool is_oldest = slice_equal(node_string(version), SLICE("v0.12.23"));

    if (has_any(source, pods, ITEMS_OF(pods)))
        return LEFT_PODS;
    if (sets_a_mark(source))
        return LEFT_MARKS;
    if (node_member(source, SLICE("topOwner")) && is_oldest)
        return LEFT_JOBSET_ALONE;
    if (node_member(source, SLICE("globalDefault")))
        return LEFT_ADMISSION;
    if (has_other_completions(source) && is_flat_release(&release))
        return LEFT_COMPLETIONS;
    if (is_oldest && has_queue_of_jobset(source))
        return LEFT_REPEATED;
    return LEFT_NOTHING;
}

/* ---- documents in, plan out ---- */

struct played {
    struct arena *arena;
    struct gang_error *error;
    struct gang_decision *decision; /* the predictions of a refused job borrow from it */
    const struct node *predictions; /* of the plan; NULL if the documents are refused */
    const struct node *objects;     /* of the plan */
    bool is_of_plan;                /* else the job is refused for what is predicted */
};

static const char *
findings_of(const struct gang_error *error, struct arena *arena)
{
    const char *text = "";

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++)
        text = arena_format(arena, "%s%s %s\n", text,
                            gang_diagnostic_get_id(gang_error_get_diagnostic(error, i)),
                            gang_diagnostic_get_message(gang_error_get_diagnostic(error, i)));
    return text;
}

/* Whether every error says that the podgrouper's group is not a gang. */
static bool
is_refused_for_group(const struct gang_error *error)
{
    size_t others = 0;
    size_t groups = 0;

    for (size_t i = 0; i < gang_error_num_diagnostics(error); i++) {
        const struct gang_diagnostic *finding = gang_error_get_diagnostic(error, i);
        int code = gang_diagnostic_get_code(finding);

        if (gang_diagnostic_get_severity(finding) != GANG_SEVERITY_ERROR)
            continue;
        if (code == GANG_CODE_KAI_DELEGATE_STUCK || code == GANG_CODE_KAI_DELEGATE_NO_GANG)
            groups++;
        else
            others++;
    }
    return groups && !others;
}

static struct gang_document *
parsed(struct played *played, const char *text)
{
    struct gang_document *document = NULL;
    struct gang_error *error = NULL;

    if (gang_document_parse(NULL, text, strlen(text), 0, &document, &error) && !played->error)
        played->error = error;
    else
        gang_error_free(error);
    return document;
}

static struct gang_decision *
decided(struct played *played, const struct kai_documents *documents)
{
    struct gang_document *parts[] = {
        parsed(played, documents->trainjob), parsed(played, documents->runtime),
        parsed(played, documents->policy), parsed(played, documents->cluster)};
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;

    for (int i = 1; i < ITEMS_OF(parts) && !played->error; i++)
        ck_assert_int_eq(gang_inputs_add(inputs, parts[i]), GANG_OK);
    if (!played->error)
        ck_assert_int_eq(gang_resolve(NULL, parts[0], inputs, 0, &decision, &played->error) ==
                             GANG_OK,
                         played->error == NULL);
    gang_inputs_free(inputs);
    for (int i = 0; i < ITEMS_OF(parts); i++)
        gang_document_unref(parts[i]);
    return decision;
}

/* The plan of what exists: the JobSet, whose uid is part of the names, and older groups. */
static struct gang_plan *
reconciled(struct played *played, struct gang_plan *plan, const struct kai_documents *documents)
{
    struct gang_document *live = NULL;
    struct gang_plan *out = NULL;
    int result =
        gang_document_parse_live(NULL, documents->live, strlen(documents->live), 0, &live, NULL);

    ck_assert_int_eq(result, GANG_OK);
    result = gang_reconcile(NULL, plan, live, 0, &out, &played->error);
    ck_assert_msg(!result, "%s", findings_of(played->error, played->arena));
    gang_document_unref(live);
    return out;
}

static void
read_plan(struct played *played, const struct gang_plan *plan)
{
    struct gang_blob *blob = NULL;
    size_t len = 0;
    const struct node *root;
    const char *data;
    char *text;

    ck_assert_int_eq(
        gang_plan_serialize(NULL, plan, GANG_TARGET_PLAN, GANG_FORMAT_JSON, 0, &blob, NULL),
        GANG_OK);
    data = gang_blob_get_data(blob, &len);
    text = arena_alloc(played->arena, len + 1);
    memcpy(text, data, len);
    root = recorded_case(played->arena, text);
    played->predictions = node_member(root, SLICE("predictions"));
    played->objects = node_member(root, SLICE("objects"));
    played->is_of_plan = true;
    gang_blob_unref(blob);
}

/* A refused job has no plan, so this is the prediction that it is refused for. */
static void
read_refusal(struct played *played, const struct gang_decision *decision, const struct node *source)
{
    struct kai_mode mode = kai_mode_decide(&decision->call, played->arena);
    struct slice uid = recorded_member(source, "uid");
    struct builder list = build_list(played->arena);

    mode.job.jobset_uid = slice_is_set(uid) ? uid : SLICE("uid-js");
    for (size_t i = 0; i < mode.prediction.count; i++) {
        struct builder item = build_map_item(&list);

        build_node(&item, SLICE("object"),
                   kai_predicted_manifest(&mode.job, &mode.prediction, i, played->arena));
    }
    played->predictions = list.node;
}

static struct played
play(const struct kai_case *wanted)
{
    const struct kai_documents documents = kai_documents_of(wanted);
    struct played played = {.arena = wanted->arena};
    struct gang_decision *decision = decided(&played, &documents);
    struct gang_plan *plan = NULL;
    struct gang_plan *found;

    if (decision && !played.error) {
        ck_assert_int_eq(gang_render(NULL, decision, 0, &plan, NULL), GANG_OK);
        found = wanted->creates ? gang_plan_ref(plan) : reconciled(&played, plan, &documents);
        read_plan(&played, found);
        gang_plan_unref(found);
    } else if (decision && is_refused_for_group(played.error)) {
        read_refusal(&played, decision, wanted->source);
    }
    gang_plan_unref(plan);
    played.decision = decision;
    return played;
}

/* ---- comparison ---- */

static const struct node *
prediction_named(const struct node *predictions, const struct node *name)
{
    for (NODE_EACH(item, predictions))
        if (node_equal(node_at(item, "object.metadata.name"), name))
            return node_member(item, SLICE("object"));
    return NULL;
}

static bool
is_older(const struct node *source, const struct node *group)
{
    for (NODE_EACH(existing, node_member(source, SLICE("existing"))))
        if (node_equal(node_at(existing, "metadata.name"), node_at(group, "metadata.name")))
            return true;
    return false;
}

/* Every PodGroup is predicted; one that was there before may be another release's. */
static void
check_groups(const struct node *source, const struct node *out, const struct node *predictions,
             struct arena *arena)
{
    size_t predicted = node_count(predictions);
    size_t found = 0;

    for (NODE_EACH(group, node_member(out, SLICE("podGroups")))) {
        const struct node *made = prediction_named(predictions, node_at(group, "metadata.name"));

        if (!made && is_older(source, group))
            continue;
        ck_assert_msg(made && node_equal(made, group), "%s\nis not\n%s",
                      job_print(arena, predictions), job_print(arena, group));
        found++;
    }
    ck_assert_uint_eq(found, predicted);
}

static bool
has_subgroup(const struct node *group, const struct node *name)
{
    for (NODE_EACH(subgroup, node_at(group, "spec.subGroups")))
        if (node_equal(node_member(subgroup, SLICE("name")), name))
            return true;
    return false;
}

/* A pod is in a group that is predicted, and in one of its subgroups if it has any. */
static void
check_pods(const struct node *out, const struct node *predictions)
{
    for (NODE_EACH(pod, node_member(out, SLICE("pods")))) {
        const struct node *group = prediction_named(predictions, node_member(pod, SLICE("group")));
        const struct node *subgroup = node_member(pod, SLICE("subgroup"));

        ck_assert_msg(group != NULL, "no group of %.*s", SLICE_ARG(node_key(pod)));
        ck_assert_int_eq(node_count(node_at(group, "spec.subGroups")) > 0, subgroup != NULL);
        ck_assert(!subgroup || has_subgroup(group, subgroup));
    }
}

/* The podgrouper's own words are in the message. */
static void
check_failure(const struct node *out, const struct played *played)
{
    struct slice words = node_string(node_first(node_member(out, SLICE("errors"))));
    const char *findings = findings_of(played->error, played->arena);

    ck_assert_msg(strstr(findings, arena_copy(played->arena, words).data) != NULL,
                  "%.*s is not in:\n%s", SLICE_ARG(words), findings);
}

/* ---- create ---- */

static const char *const created_fields[] = {"queue", "preemptibility", "preemptionDelay",
                                             "stalenessGracePeriod"};

static bool
is_same_text(const struct node *a, const struct node *b)
{
    return slice_equal(node_string(a), node_string(b));
}

/* The same members; the owner of the recorded group is no concern of ours. */
static void
check_copied(const struct node *created, const struct node *recorded_group, const char *name)
{
    const struct node *ours =
        node_member(node_member(created, SLICE("metadata")), slice_from_text(name));
    const struct node *theirs =
        node_member(node_member(recorded_group, SLICE("metadata")), slice_from_text(name));
    size_t count = 0;

    for (NODE_EACH(pair, theirs)) {
        if (slice_equal(node_key(pair), SLICE("kai.scheduler/top-owner-metadata")))
            continue;
        ck_assert_msg(is_same_text(node_member(ours, node_key(pair)), pair), "%s %.*s is not kept",
                      name, SLICE_ARG(node_key(pair)));
        count++;
    }
    ck_assert_uint_eq(node_count(ours), count);
}

static void
check_created(const struct node *created, const struct node *recorded_group)
{
    const struct node *ours = node_member(created, SLICE("spec"));
    const struct node *theirs = node_member(recorded_group, SLICE("spec"));
    const struct node *class = node_member(ours, SLICE("priorityClassName"));
    const struct node *topology = node_member(theirs, SLICE("topologyConstraint"));

    check_copied(created, recorded_group, "labels");
    check_copied(created, recorded_group, "annotations");
    for (int i = 0; i < ITEMS_OF(created_fields); i++)
        ck_assert_msg(is_same_text(node_member(ours, slice_from_text(created_fields[i])),
                                   node_member(theirs, slice_from_text(created_fields[i]))),
                      "%s", created_fields[i]);
    /* without any class the podgrouper names its own default */
    ck_assert(slice_equal(class ? node_string(class) : SLICE("train"),
                          recorded_member(theirs, "priorityClassName")));
    if (node_count(topology))
        ck_assert(node_equal(node_member(ours, SLICE("topologyConstraint")), topology));
}

/* What the podgrouper reads and copies is also in a group that libgang makes instead. */
static void
check_create(struct kai_case *wanted, const struct node *out, int *created)
{
    struct release first = {.is_known = true, .minor = 15};
    struct played played;

    if (release_compare(wanted->release, &first) < 0 ||
        node_member(wanted->source, SLICE("existing")) || node_member(out, SLICE("errors")))
        return;
    wanted->creates = true;
    played = play(wanted);
    wanted->creates = false;
    if (node_count(played.objects)) {
        check_created(node_member(node_item(played.objects, 0), SLICE("object")),
                      node_item(node_member(out, SLICE("podGroups")), 0));
        (*created)++;
    }
    gang_error_free(played.error);
    gang_decision_unref(played.decision);
}

/* The results of one kind of case. */
struct results {
    int in_plans;
    int behind_refusals; /* those that the reason LEFT_REFUSED leaves out among them */
    int by_policy;       /* in plans, with the queue of a policy */
    int created;
    int left_out[LEFT_COUNT];
};

static void
check_played(const struct kai_case *wanted, const struct node *out, struct results *results)
{
    struct played played = play(wanted);

    if (node_member(out, SLICE("errors"))) {
        check_failure(out, &played);
    } else if (played.predictions) {
        check_groups(wanted->source, out, played.predictions, wanted->arena);
        check_pods(out, played.predictions);
    } else {
        results->left_out[LEFT_REFUSED]++;
    }
    results->in_plans += played.is_of_plan;
    results->behind_refusals += !played.is_of_plan;
    gang_error_free(played.error);
    gang_decision_unref(played.decision);
}

/* With the case's documents alone, and where it is the same, with a queue that a policy gives. */
static void
check_version(const struct node *source, const struct node *out, const struct node *version,
              struct results *results)
{
    enum left_out why = why_left_out(source, version);
    struct release release = recorded_release(version);
    struct arena *arena = arena_new(0);
    struct kai_case wanted = {.source = source, .release = &release, .arena = arena};
    struct results again = {0};

    if (why)
        results->left_out[why]++;
    else
        check_played(&wanted, out, results);
    if (!why)
        check_create(&wanted, out, &results->created);
    wanted.queue_by_policy = true;
    if (!why && kai_queue_of_pods(source))
        check_played(&wanted, out, &again);
    results->by_policy += again.in_plans;
    arena_free(arena);
}

static void
check_case(const struct node *source, struct results *results)
{
    for (NODE_EACH(out, node_member(source, SLICE("out"))))
        for (NODE_EACH(version, node_member(out, SLICE("versions"))))
            check_version(source, out, version, results);
}

START_TEST(predicts_what_the_podgrouper_made)
{
    struct results results = {0};

    check_case(recorded.cases[_i], &results);
}
END_TEST

/* So that what is left out cannot grow unseen. */
START_TEST(leaves_out_few)
{
    struct results results = {0};

    for (int i = 0; i < recorded.count; i++)
        check_case(recorded.cases[i], &results);
    ck_assert_int_eq(recorded.count, 304);
    for (int i = 1; i < LEFT_COUNT; i++)
        ck_assert_msg(results.left_out[i] == left_out[i].results, "%d of %s", results.left_out[i],
                      left_out[i].reason);
    ck_assert_int_eq(results.in_plans, 1212);
    ck_assert_int_eq(results.behind_refusals, 652);
    ck_assert_int_eq(results.by_policy, 154);
    ck_assert_int_eq(results.created, 1052);
}
END_TEST

void
add_tests(TCase *cases)
{
    recorded = recorded_load(RECORDED "/kai/podgrouper.ndjson");
    tcase_add_loop_test(cases, predicts_what_the_podgrouper_made, 0, recorded.count);
    tcase_add_test(cases, leaves_out_few);
}
