/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/reconcile/live.h"

#include "unit/live_reading.h"
#include "unit/pod_groups.h"
#include "unit/suite.h"

/* ---- live objects ---- */

#define WHOLE                                                                                      \
    "{'apiVersion':'g.example/"                                                                    \
    "v1','kind':'K','metadata':{'name':'a','namespace':'n','uid':'u','deletionTimestamp':'t',"     \
    "'ownerReferences':[{'uid':'x'},{'uid':'y','controller':true},{'uid':'z','controller':true}]}" \
    "}"

START_TEST(reads_metadata_of_an_object)
{
    struct live_reading live = read_live(WHOLE OBJECT("b"));
    const struct live_object *items = live.objects.items;

    ck_slice_eq(items[0].group, "g.example");
    ck_slice_eq(items[0].api_version, "g.example/v1");
    ck_slice_eq(items[0].namespace_, "n");
    ck_slice_eq(items[0].uid, "u");
    ck_assert(items[0].is_terminating);
    ck_slice_eq(node_string(node_member(items[0].controller, SLICE("uid"))), "y");
    ck_assert(!slice_is_set(items[1].uid));
    ck_assert(!items[1].is_terminating);
    ck_assert_ptr_null(items[1].controller);
    end_live(&live);
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
    struct live_reading live = read_live(WHOLE OBJECT("b"));
    const struct live_key key = {slice_from_text(keys[_i].group), slice_from_text(keys[_i].kind),
                                 slice_from_text(keys[_i].space), slice_from_text(keys[_i].name)};

    ck_assert_int_eq(live_objects_find(&live.objects, &key) != NULL, keys[_i].is_found);
    end_live(&live);
}
END_TEST

/* ---- live index ---- */

#define GROUP(name, space, metadata)                                                               \
    "{'apiVersion':'scheduling.volcano.sh/"                                                        \
    "v1beta1','kind':'PodGroup','metadata':{'name':'" name "','namespace':'" space "'" metadata    \
    "}}"
#define CONTROLLED(uid) ",'ownerReferences':[{'uid':'" uid "','controller':true}]"
#define MARKED(name, space, group, phase)                                                          \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'" name "','namespace':'" space            \
    "','labels':{'scheduling.x-k8s.io/pod-group':'" group "'}},'status':{'phase':'" phase "'}}"

static const char indexed[] = GROUP("a", "n", CONTROLLED("u")) GROUP("b", "n", CONTROLLED("v"))
    GROUP("c", "m", CONTROLLED("u")) GROUP("d", "n", "") GROUP("e", "n", CONTROLLED("u"))
        GROUP("f", "", "") MARKED("p", "n", "a", "Running") MARKED("q", "n", "b", "Pending")
            MARKED("r", "n", "a", "Failed") MARKED("s", "m", "a", "Running")
                MARKED("t", "n", "a", "Pending") MARKED("u", "", "a", "Running")
                    GROUP("a", "n", CONTROLLED("w")) OBJECT("a");

/* Of objects with the same key, the first in the text. */
START_TEST(finds_the_first)
{
    struct live_reading live = read_live(indexed);
    const struct live_key key = {SLICE("scheduling.volcano.sh"), SLICE("PodGroup"), SLICE("n"),
                                 SLICE("a")};
    const struct live_objects none = {0};

    ck_assert_ptr_eq(live_objects_find(&live.objects, &key), &live.objects.items[0]);
    ck_assert_ptr_null(live_objects_find(&none, &key));
    end_live(&live);
}
END_TEST

/* Names that start with a text, of one group and kind in one namespace. */
static const struct {
    const char *group, *kind, *space, *start, *names;
} start_rows[] = {
    {"scheduling.volcano.sh", "PodGroup", "n", "", "aabde"},
    {"scheduling.volcano.sh", "PodGroup", "n", "a", "aa"},
    {"scheduling.volcano.sh", "PodGroup", "m", "c", "c"},
    {"scheduling.volcano.sh", "PodGroup", "default", "f", "f"},
    {"scheduling.volcano.sh", "PodGroup", "n", "ab", ""},
    {"scheduling.volcano.sh", "Pod", "n", "a", ""},
    {"", "Pod", "n", "p", "p"},
    {"other", "PodGroup", "n", "a", ""},
};

START_TEST(finds_the_names_that_start_with)
{
    struct live_reading live = read_live(indexed);
    const struct live_key start = {
        slice_from_text(start_rows[_i].group), slice_from_text(start_rows[_i].kind),
        slice_from_text(start_rows[_i].space), slice_from_text(start_rows[_i].start)};
    const struct live_object *found;
    size_t at = 0;
    const char *names = "";

    while ((found = live_objects_next(&live.objects, &start, &at)))
        names = arena_format(live.arena, "%s%.*s", names, SLICE_ARG(found->name));
    ck_assert_str_eq(names, start_rows[_i].names);
    end_live(&live);
}
END_TEST

static const struct {
    const char *space, *group, *pods;
} pod_rows[] = {
    {"n", "a", "pt"}, {"n", "b", "q"},       {"m", "a", "s"}, {"m", "b", ""},
    {"", "a", "u"},   {"default", "a", "u"}, {"n", "", ""},   {"z", "z", ""},
};

START_TEST(finds_the_pods_of_a_group)
{
    struct live_reading live = read_live(indexed);
    const struct live_index pods = live_pods_of(&live.objects, slice_from_text(pod_rows[_i].space),
                                                slice_from_text(pod_rows[_i].group));
    const char *names = "";

    for (size_t i = 0; i < pods.count; i++) {
        const struct live_pod *pod = pods.items[i];

        names = arena_format(live.arena, "%s%.*s", names, SLICE_ARG(pod->object->name));
        ck_slice_eq(pod->group, pod_rows[_i].group);
    }
    ck_assert_str_eq(names, pod_rows[_i].pods);
    end_live(&live);
}
END_TEST

/* Objects of a scheduler's kind in the namespace: by uid, or all of them. */
static const struct {
    const char *space, *uid, *own_uid;
    bool leaves_none;
    const char *names;
    const char *start; /* of their names; NULL: any */
} candidate_rows[] = {
    {"n", "u", "u", false, "ae", NULL},      {"n", "u", "v", false, "aeb", NULL},
    {"n", "u", NULL, false, "ae", NULL},     {"n", "u", "u", true, "daeba", NULL},
    {"n", NULL, NULL, false, "daeba", NULL}, {"m", "u", "u", false, "c", NULL},
    {"n", "x", "x", false, "", NULL},        {"", NULL, NULL, false, "f", NULL},
    {"z", NULL, NULL, false, "", NULL},      {"n", "u", "u", false, "a", "a"},
    {"n", "u", "v", false, "e", "e"},        {"n", "u", "v", false, "b", "b"},
    {"n", "u", "u", false, "", "c"},         {"n", "u", "u", false, "", "ab"},
    {"n", NULL, NULL, false, "aa", "a"},     {"n", "u", "u", true, "d", "d"},
};

START_TEST(finds_what_the_job_can_own)
{
    struct live_reading live = read_live(indexed);
    const struct live_owner owner = {
        .key = {.namespace_ = slice_from_text(candidate_rows[_i].space)},
        .uid = slice_from_text(candidate_rows[_i].uid),
        .own_uid = slice_from_text(candidate_rows[_i].own_uid),
        .leaves_no_references = candidate_rows[_i].leaves_none,
    };
    const char *names = "";
    const struct slice start = slice_from_text(candidate_rows[_i].start);
    const struct live_index found = live_candidates(&live.objects, &owner, start, live.arena);

    for (size_t i = 0; i < found.count; i++)
        names = arena_format(live.arena, "%s%.*s", names,
                             SLICE_ARG(((const struct live_object *)found.items[i])->name));
    ck_assert_str_eq(names, candidate_rows[_i].names);
    end_live(&live);
}
END_TEST

/* ---- live job ---- */

#define CONDITIONS(type, status) "'conditions':[{'type':'" type "','status':'" status "'}]"

/* The status, of the job among the live objects or else of the rendered document. */
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
    struct live_reading live = read_live(jobs[_i].live);
    struct live_job job = live_job_find(comparison.decision, &live.objects, live.arena);

    ck_assert_int_eq(job.object != NULL, jobs[_i].is_there);
    ck_assert_int_eq(job.is_finished, jobs[_i].is_finished);
    ck_assert_int_eq(job.is_terminating, jobs[_i].is_terminating);
    ck_assert_int_eq(job.has_pods, jobs[_i].has_pods);
    end_live(&live);
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
    /*
     * of several the one of the first backend: coscheduling, Volcano, KAI, Workload with either
     * field
     */
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
    static const uint32_t flags[] = {0, GANG_LIVE_DIAGNOSE}; /* which keeps more of each object */

    for (size_t i = 0; i < ITEMS_OF(flags); i++) {
        struct live_reading live = read_live_for(marks[_i].pod, flags[i]);
        struct slice group = live_pod_group(&live.objects.items[0]);

        ck_assert_int_eq(slice_is_set(group), marks[_i].group != NULL);
        if (marks[_i].group)
            ck_slice_eq(group, marks[_i].group);
        end_live(&live);
    }
}
END_TEST

/* ---- live owner ---- */

#define REFERENCE(api, kind, name, uid)                                                            \
    "[{'apiVersion':'" api "','kind':'" kind "','name':'" name "','uid':'" uid                     \
    "','controller':true}]"

/* The job is TrainJob `j` of trainer.kubeflow.org with uid `u`, unless `uid` is empty. */
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
    const struct node *root = workload_tree(
        arena, rows[_i].references
                   ? arena_format(arena, "{'metadata':{'ownerReferences':%s}}", rows[_i].references)
                   : "{}");
    struct live_owner owner = {
        .key = {SLICE("trainer.kubeflow.org"), SLICE("TrainJob"), SLICE("ml"), SLICE("j")},
        .uid = slice_from_text(rows[_i].uid),
        .own_uid = slice_from_text(rows[_i].uid),
        .leaves_no_references = rows[_i].leaves_none,
    };
    const struct live_object object = live_object_of(root);

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
    tcase_add_test(cases, reads_metadata_of_an_object);
    add_rows(cases, finds_by_everything_but_the_version, keys, group, kind, name);
    tcase_add_test(cases, finds_the_first);
    add_rows(cases, finds_the_names_that_start_with, start_rows, group, space, start);
    add_rows(cases, finds_the_pods_of_a_group, pod_rows, space, group);
    add_rows(cases, finds_what_the_job_can_own, candidate_rows, space, uid, own_uid);
    add_rows(cases, reads_state_of_the_job, jobs, trainjob, live);
    add_rows(cases, reads_the_group_of_a_pod, marks, pod);
    tcase_add_test(cases, podcliqueset_owns_through_podgangs);
    add_rows(cases, finds_the_owner_of_an_object, rows, references, uid);
    add_rows(cases, takes_the_uid_that_is_known, uids, decided, live, uid);
}
