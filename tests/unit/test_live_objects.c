/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live_objects.h"

#include "libgang/document/finding.h"

#include "unit/suite.h"
#include "unit/workloads.h"
#include "unit/reconciliations.h"

/* ---- live objects ---- */

#define OBJECT(name) "{'apiVersion':'g/v1','kind':'K','metadata':{'name':'" name "'}}"

/* The objects as `line:column kind name`, and the findings as `code line:column`. Quotes are
 * apostrophes. */
static const struct {
    const char *text, *objects, *findings;
} texts[] = {
    {"", "", ""},
    {"\n \n", "", ""},
    {OBJECT("a"), "1:1 K a;", ""},
    {OBJECT("a") OBJECT("b") "\n  " OBJECT("c"), "1:1 K a;1:57 K b;2:3 K c;", ""},
    {"---\n" OBJECT("a") "\n---\n" OBJECT("b") "\n", "2:1 K a;4:1 K b;", ""},
    {"{'kind':'List','items':[]}", "", ""},
    {"{'apiVersion':'v1','kind':'List','items':[" OBJECT("a") ",\n" OBJECT("b") "]}",
     "1:43 K a;2:1 K b;", ""},
    {"{'kind':'KList','items':[{'kind':'List','items':[" OBJECT("a") "]}]}", "1:50 K a;", ""},
    /* no list, whatever it is called */
    {"{'apiVersion':'g/v1','kind':'BlackList','metadata':{'name':'a'}}", "1:1 BlackList a;", ""},
    {"{'apiVersion':'g/v1','kind':'List','metadata':{'name':'a'},'items':{}}", "1:1 List a;", ""},
    {"{'kind':'List','items':[1,null,{}]}", "", "863 1:25 863 1:27 863 1:32 "},
    {"{'apiVersion':'g/v1','kind':'K'}\n{'kind':'K','metadata':{'name':'a'}}", "",
     "863 1:1 863 2:1 "},
    {"{'apiVersion':'g/v1','metadata':{'name':'a'}}", "", "863 1:1 "},
    {OBJECT("a") " {'a':1,'a':2}", "1:1 K a;", "112 1:65 "},
    {"{'a':1}\n\n  [1]", "", "101 3:3 "},
};

static const char *
live_object_places(const struct live_objects *objects, struct arena *arena)
{
    const char *out = "";

    for (size_t i = 0; i < objects->count; i++)
        out = arena_format(arena, "%s%u:%u %.*s %.*s;", out, (unsigned)objects->items[i].root->line,
                           (unsigned)objects->items[i].root->column,
                           SLICE_ARG(objects->items[i].kind), SLICE_ARG(objects->items[i].name));
    return out;
}

static const char *
live_finding_places(const struct report *report, struct arena *arena)
{
    const char *out = "";

    for (size_t i = 0; i < report->count; i++)
        out = arena_format(arena, "%s%d %u:%u ", out, (int)report->items[i].code,
                           (unsigned)report->items[i].line, (unsigned)report->items[i].column);
    return out;
}

START_TEST(reads_output_of_kubectl)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, texts[_i].text)),
                                &standard_limits, arena, &report);
    ck_assert_str_eq(live_object_places(&objects, arena), texts[_i].objects);
    ck_assert_str_eq(live_finding_places(&report, arena), texts[_i].findings);
    arena_free(arena);
}
END_TEST

/* Of the item of a list, as of a document, the path starts at the object; its lines are those of
 * the whole text. */
START_TEST(paths_start_at_the_object)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(
        slice_from_text(
            workload_quoted(arena, "\n{'kind':'List','items':[" OBJECT("a") "," OBJECT("b") "]}")),
        &standard_limits, arena, &report);
    ck_assert_uint_eq(objects.count, 2);
    ck_slice_eq(path_of(arena, node_at(objects.items[1].root, "metadata.name")), "metadata.name");
    ck_assert_uint_eq(node_at(objects.items[1].root, "metadata.name")->line, 2);
    ck_assert_ptr_null(objects.items[0].root->next);
    arena_free(arena);
}
END_TEST

#define WHOLE                                                                                      \
    "{'apiVersion':'g.example/"                                                                    \
    "v1','kind':'K','metadata':{'name':'a','namespace':'n','uid':'u','deletionTimestamp':'t',"     \
    "'ownerReferences':[{'uid':'x'},{'uid':'y','controller':true},{'uid':'z','controller':true}]}" \
    "}"

START_TEST(reads_metadata_of_an_object)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, WHOLE OBJECT("b"))),
                                &standard_limits, arena, &report);
    ck_slice_eq(objects.items[0].group, "g.example");
    ck_slice_eq(objects.items[0].api_version, "g.example/v1");
    ck_slice_eq(objects.items[0].namespace_, "n");
    ck_slice_eq(objects.items[0].uid, "u");
    ck_assert(objects.items[0].is_terminating);
    ck_slice_eq(node_string(node_member(objects.items[0].controller, SLICE("uid"))), "y");
    ck_assert(!slice_is_set(objects.items[1].uid));
    ck_assert(!objects.items[1].is_terminating);
    ck_assert_ptr_null(objects.items[1].controller);
    arena_free(arena);
}
END_TEST

static const struct {
    const char *group, *kind, *space, *name;
    bool is_found;
} keys[] = {
    {"g.example", "K", "n", "a", true},  {"g.example", "K", "", "a", false},
    {"g.example", "K", "n", "b", false}, {"g.example", "L", "n", "a", false},
    {"g", "K", "n", "a", false},         {"g", "K", "", "b", true},
    {"g", "K", "default", "b", true},    {"g", "K", "n", "b", false},
};

START_TEST(finds_by_everything_but_the_version)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    const struct live_key key = {slice_from_text(keys[_i].group), slice_from_text(keys[_i].kind),
                                 slice_from_text(keys[_i].space), slice_from_text(keys[_i].name)};

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, WHOLE OBJECT("b"))),
                                &standard_limits, arena, &report);
    ck_assert_int_eq(live_objects_find(&objects, &key) != NULL, keys[_i].is_found);
    arena_free(arena);
}
END_TEST

START_TEST(group_of_a_version)
{
    ck_slice_eq(live_group_of(SLICE("apps/v1")), "apps");
    ck_slice_eq(live_group_of(SLICE("v1")), "");
    ck_slice_eq(live_group_of(NO_SLICE), "");
}
END_TEST

static const struct {
    enum gang_limit limit;
    uint64_t value;
    enum gang_code code;
    size_t count; /* of findings: a bound of all ends it, a bound of one is found in both */
    size_t objects;
} bounds[] = {
    {GANG_LIMIT_STREAM_BYTES, 10, GANG_CODE_LIMIT_STREAM_BYTES, 1, 0},
    {GANG_LIMIT_STREAM_DOCUMENTS, 1, GANG_CODE_LIMIT_STREAM_DOCUMENTS, 1, 1},
    {GANG_LIMIT_DEPTH, 1, GANG_CODE_LIMIT_DEPTH, 2, 0},
    {GANG_LIMIT_DOCUMENT_BYTES, 20, GANG_CODE_LIMIT_DOCUMENT_BYTES, 2, 0},
};

START_TEST(obeys_limits)
{
    struct arena *arena = arena_new(0);
    struct limits limits = standard_limits;
    struct report report;
    struct live_objects objects;

    limits.value[bounds[_i].limit] = bounds[_i].value;
    report_init(&report, arena, &limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") OBJECT("b"))),
                                &limits, arena, &report);
    ck_assert_uint_eq(objects.count, bounds[_i].objects);
    ck_assert_uint_eq(report.count, bounds[_i].count);
    ck_assert_int_eq(report.items[0].code, bounds[_i].code);
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_LIVE);
    arena_free(arena);
}
END_TEST

/* As many as the limit allows. */
START_TEST(the_limit_itself_is_allowed)
{
    struct arena *arena = arena_new(0);
    struct limits limits = standard_limits;
    struct report report;
    struct live_objects objects;

    limits.value[GANG_LIMIT_STREAM_DOCUMENTS] = 2;
    limits.value[GANG_LIMIT_STREAM_BYTES] = 2 * strlen(OBJECT("a"));
    report_init(&report, arena, &limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") OBJECT("b"))),
                                &limits, arena, &report);
    ck_assert_uint_eq(report.count, 0);
    ck_assert_uint_eq(objects.count, 2);
    arena_free(arena);
}
END_TEST

/* A message that names a second place names it in the whole text. */
START_TEST(other_places_are_counted_from_the_start)
{
    struct arena *arena = arena_new(0);
    struct report report;

    report_init(&report, arena, &standard_limits);
    live_objects_read(slice_from_text(workload_quoted(arena, OBJECT("a") "\n\n{'a':1,\n'a':2}")),
                      &standard_limits, arena, &report);
    ck_assert_uint_eq(report.count, 1);
    ck_assert_uint_eq(report.items[0].line, 4);
    ck_assert_str_eq(report.items[0].message,
                     "duplicate field \"a\": already set on line 3, column 2");
    arena_free(arena);
}
END_TEST

START_TEST(text_behind_a_separator_is_refused)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(
        slice_from_text(workload_quoted(arena, OBJECT("a") "\n--- x\n" OBJECT("b"))),
        &standard_limits, arena, &report);
    ck_assert_str_eq(live_finding_places(&report, arena),
                     arena_format(arena, "%d 2:1 ", (int)GANG_CODE_DOCUMENT_SEPARATOR));
    ck_assert_int_eq(report.items[0].document, GANG_DOCUMENT_LIVE);
    ck_assert_uint_eq(objects.count, 2);
    arena_free(arena);
}
END_TEST

/* More than the first block holds. */
START_TEST(many_objects)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    struct buffer text = {0};

    for (int i = 0; i < 40; i++)
        buffer_append_slice(&text, slice_from_text(workload_quoted(arena, OBJECT("a"))));
    report_init(&report, arena, &standard_limits);
    objects =
        live_objects_read((struct slice){text.data, text.len}, &standard_limits, arena, &report);
    ck_assert_uint_eq(objects.count, 40);
    ck_slice_eq(objects.items[39].name, "a");
    buffer_clear(&text);
    arena_free(arena);
}
END_TEST

/* ---- live job ---- */

#define V "{'volcano':{}}"
#define CONDITIONS(type, status) "'conditions':[{'type':'" type "','status':'" status "'}]"

/* What the status says, among the live objects or, without the job there, in the document that was
 * rendered. */
static const struct {
    const char *trainjob, *live;
    bool is_there, is_finished, is_terminating, has_pods;
} jobs[] = {
    {NULL, "", false, false, false, false},
    {NULL, LIVE_JOB("", ""), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "True")), true, true, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Failed", "True")), true, true, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "False")), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Complete", "Unknown")), true, false, false, false},
    {NULL, LIVE_JOB("", CONDITIONS("Suspended", "True")), true, false, false, false},
    {NULL,
     LIVE_JOB(
         "", "'conditions':[{'type':'Created','status':'True'},{'type':'Failed','status':'True'}]"),
     true, true, false, false},
    {NULL, LIVE_JOB(GOING, ""), true, false, true, false},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'node','active':1}]"), true, false, false, true},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'node','ready':1,'active':0}]"), true, false, false,
     true},
    {NULL,
     LIVE_JOB("", "'jobsStatus':[{'name':'node','ready':0,'active':0,'succeeded':1,'failed':1,'"
                  "suspended':1}]"),
     true, false, false, false},
    {NULL, LIVE_JOB("", "'jobsStatus':[{'name':'x','active':1},{'active':1}]"), true, false, false,
     false},
    {NULL,
     "{'apiVersion':'trainer.kubeflow.org/"
     "v1alpha1','kind':'TrainJob','metadata':{'name':'my-job','namespace':'other'}}",
     false, false, false, false},
    {FINISHED, "", false, true, false, false},
    {FINISHED, LIVE_JOB("", ""), true, false, false, false},
};

START_TEST(reads_state_of_the_job)
{
    const struct reconciliation row = {V, jobs[_i].trainjob, NULL, NULL, "", "", "", NULL};
    struct comparison comparison = compare_live(&row);
    struct report report;
    struct live_objects objects;
    struct live_job job;

    report_init(&report, comparison.arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(comparison.arena, jobs[_i].live)),
                                &standard_limits, comparison.arena, &report);
    job = live_job_find(comparison.decision, &objects);
    ck_assert_int_eq(job.object != NULL, jobs[_i].is_there);
    ck_assert_int_eq(job.is_finished, jobs[_i].is_finished);
    ck_assert_int_eq(job.is_terminating, jobs[_i].is_terminating);
    ck_assert_int_eq(job.has_pods, jobs[_i].has_pods);
    end_comparison(&comparison);
}
END_TEST

/* Each backend's mark; a pod that has ended is in no group. */
static const struct {
    const char *pod, *group;
} marks[] = {
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'g'}", "", "Running"), "g"},
    {LIVE_POD(",'annotations':{'scheduling.k8s.io/group-name':'g'}", "", "Pending"), "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'g'}", "", "Running"), "g"},
    {LIVE_POD("", "'schedulingGroup':{'podGroupName':'g'}", "Running"), "g"},
    {LIVE_POD("", "'workloadRef':{'name':'g','podGroup':'x'}", "Unknown"), "g"},
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':''},'annotations':{'pod-group-name':'g'}",
              "", ""),
     "g"},
    /* of several the one of the backend that stands first: coscheduling, Volcano, KAI, Workload
       with either field */
    {LIVE_POD(",'labels':{'scheduling.x-k8s.io/pod-group':'g'},'annotations':{'scheduling.k8s.io/"
              "group-name':"
              "'x','pod-group-name':'x'}",
              "'schedulingGroup':{'podGroupName':'x'}", "Running"),
     "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'x','scheduling.k8s.io/group-name':'g'}",
              "'schedulingGroup':{'podGroupName':'x'}", "Running"),
     "g"},
    {LIVE_POD(",'annotations':{'pod-group-name':'g'}", "'schedulingGroup':{'podGroupName':'x'}",
              "Running"),
     "g"},
    {LIVE_POD("", "'workloadRef':{'name':'x'},'schedulingGroup':{'podGroupName':'g'}", "Running"),
     "g"},
    {LIVE_POD("", "", "Running"), NULL},
    {LIVE_POD("", "'workloadRef':{'name':'g'}", "Succeeded"), NULL},
    {LIVE_POD("", "'workloadRef':{'name':'g'}", "Failed"), NULL},
    {LIVE("v1", "Node", "p", "", "'workloadRef':{'name':'g'}"), NULL},
    {LIVE("metrics.k8s.io/v1", "Pod", "p", "", "'workloadRef':{'name':'g'}"), NULL},
};

START_TEST(reads_the_group_of_a_pod)
{
    struct arena *arena = arena_new(0);
    struct report report;
    struct live_objects objects;
    struct slice group;

    report_init(&report, arena, &standard_limits);
    objects = live_objects_read(slice_from_text(workload_quoted(arena, marks[_i].pod)),
                                &standard_limits, arena, &report);
    group = live_pod_group(&objects.items[0]);
    ck_assert_int_eq(slice_is_set(group), marks[_i].group != NULL);
    if (marks[_i].group)
        ck_slice_eq(group, marks[_i].group);
    arena_free(arena);
}
END_TEST

/* ---- live owner ---- */

#define REFERENCE(api, kind, name, uid)                                                            \
    "[{'apiVersion':'" api "','kind':'" kind "','name':'" name "','uid':'" uid                     \
    "','controller':true}]"

/* The job is TrainJob `j` of trainer.kubeflow.org with uid `u`, unless `uid` says that none is
 * known. */
static const struct {
    const char *references; /* NULL: none */
    const char *uid;        /* NULL: not known */
    bool leaves_none;
    enum live_ownership ownership;
    bool is_certain;
} rows[] = {
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "u"), "u", false, OWNERSHIP_OURS,
     true},
    {REFERENCE("trainer.kubeflow.org/v2", "TrainJob", "renamed", "u"), "u", false, OWNERSHIP_OURS,
     true},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "v"), "u", false,
     OWNERSHIP_OF_FORMER, false},
    {REFERENCE("trainer.kubeflow.org/v2", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_FORMER,
     false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "k", "v"), "u", false,
     OWNERSHIP_OF_OTHER, false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "PyTorchJob", "j", "v"), "u", false,
     OWNERSHIP_OF_OTHER, false},
    {REFERENCE("kubeflow.org/v1", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_OTHER, false},
    {REFERENCE("v1", "TrainJob", "j", "v"), "u", false, OWNERSHIP_OF_OTHER, false},
    {"[{'uid':'u'}]", "u", false, OWNERSHIP_OF_NOBODY, false},
    {"[{'uid':'u','controller':false}]", "u", false, OWNERSHIP_OF_NOBODY, false},
    {NULL, "u", false, OWNERSHIP_OF_NOBODY, false},
    {NULL, "u", true, OWNERSHIP_OURS, false},
    {"[{'controller':true}]", "u", false, OWNERSHIP_OF_OTHER, false},
    {NULL, NULL, false, OWNERSHIP_OURS, false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "j", "v"), NULL, false, OWNERSHIP_OURS,
     false},
    {REFERENCE("trainer.kubeflow.org/v1alpha1", "TrainJob", "k", "v"), NULL, false,
     OWNERSHIP_OF_OTHER, false},
};

START_TEST(finds_the_owner_of_an_object)
{
    struct arena *arena = arena_new(0);
    const struct node *references = workload_tree(
        arena, rows[_i].references ? arena_format(arena, "{'r':%s}", rows[_i].references) : "{}");
    struct live_owner owner = {
        .key = {SLICE("trainer.kubeflow.org"), SLICE("TrainJob"), SLICE("ml"), SLICE("j")},
        .uid = slice_from_text(rows[_i].uid),
        .own_uid = slice_from_text(rows[_i].uid),
        .leaves_no_references = rows[_i].leaves_none,
    };
    struct live_object object = {.root = references};

    for (NODE_EACH(reference, node_member(references, SLICE("r"))))
        if (node_is_true(node_member(reference, SLICE("controller"))))
            object.controller = reference;
    ck_assert_int_eq(live_ownership_of(&owner, &object), rows[_i].ownership);
    ck_assert_int_eq(live_is_certain(&owner, &object), rows[_i].is_certain);
    arena_free(arena);
}
END_TEST

/* The uid of the decision counts before that of the job that exists. */
static const struct {
    const char *decided, *live;
    const char *uid;
} uids[] = {
    {"a", "b", "a"},  {"a", NULL, "a"}, {"", "b", "b"},
    {NULL, "b", "b"}, {NULL, "", NULL}, {NULL, NULL, NULL},
};

START_TEST(takes_the_uid_that_is_known)
{
    struct gang_decision decision = {
        .wishes = {.owner = {.api_version = SLICE("g/v1"),
                             .kind = SLICE("K"),
                             .name = SLICE("n"),
                             .namespace_ = SLICE("s"),
                             .uid = slice_from_text(uids[_i].decided)}}};
    struct live_object job = {.uid = slice_from_text(uids[_i].live)};
    struct live_owner owner = live_owner_of(&decision, uids[_i].live ? &job : NULL);

    ck_assert_int_eq(slice_is_set(owner.uid), uids[_i].uid != NULL);
    if (uids[_i].uid)
        ck_slice_eq(owner.uid, uids[_i].uid);
    ck_slice_eq(owner.key.group, "g");
    ck_assert(!owner.leaves_no_references);
}
END_TEST

/* A PodCliqueSet owns the groups of all replicas, its PodGang those of the other layout. */
START_TEST(podcliqueset_owns_through_podgangs)
{
    struct gang_podgang podgang = {.meta = {.uid = SLICE("g")}};
    struct gang_decision decision = {
        .wishes = {.owner = {.api_version = SLICE(GANG_GROVE_API_VERSION),
                             .kind = SLICE(GANG_KIND_PODCLIQUESET),
                             .name = SLICE("n"),
                             .uid = SLICE("s")}}};
    struct live_owner owner = live_owner_of(&decision, NULL);

    ck_slice_eq(owner.uid, "s");
    ck_assert(!slice_is_set(owner.own_uid));
    decision.inputs.podgang = &podgang;
    owner = live_owner_of(&decision, NULL);
    ck_slice_eq(owner.uid, "s");
    ck_slice_eq(owner.own_uid, "g");
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, reads_output_of_kubectl, texts, text);
    tcase_add_test(cases, paths_start_at_the_object);
    tcase_add_test(cases, reads_metadata_of_an_object);
    add_rows(cases, finds_by_everything_but_the_version, keys, group, kind, name);
    tcase_add_test(cases, group_of_a_version);
    add_rows(cases, obeys_limits, bounds, limit, value);
    tcase_add_test(cases, the_limit_itself_is_allowed);
    tcase_add_test(cases, other_places_are_counted_from_the_start);
    tcase_add_test(cases, text_behind_a_separator_is_refused);
    tcase_add_test(cases, many_objects);
    add_rows(cases, reads_state_of_the_job, jobs, trainjob, live);
    add_rows(cases, reads_the_group_of_a_pod, marks, pod);
    tcase_add_test(cases, podcliqueset_owns_through_podgangs);
    add_rows(cases, finds_the_owner_of_an_object, rows, references, uid);
    add_rows(cases, takes_the_uid_that_is_known, uids, decided, live, uid);
}
