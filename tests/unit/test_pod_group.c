/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/documents.h"
#include "unit/front.h"
#include "unit/kinds.h"
#include "unit/suite.h"
#include "unit/tree.h"

static const struct node *
pod_tree(struct arena *arena, const char *text)
{
    char spelled[DOCUMENT_SIZE];
    struct front_place unused;

    front_text(spelled, text, &unused);
    return tree_of(arena, arena_format(arena, "%s", spelled));
}

static const struct {
    const char *metadata;
    const char *group; /* NULL: none */
    bool is_kueues;
    const char *rival;
} groups[] = {
    {"{}", NULL, false, NULL},
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':''}}", NULL, false, NULL},
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':'a'}}", "a", true, NULL},
    /* the annotation has precedence, as in Kueue with WorkloadIdentifierAnnotations */
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':'a'},"
     "'annotations':{'kueue.x-k8s.io/pod-group-name':'b'}}",
     "b", true, "a"},
    {"{'labels':{'policy.libgang.dev/group':'a'}}", "a", false, NULL},
    {"{'labels':{'scheduling.x-k8s.io/pod-group':'a'}}", "a", false, NULL},
    {"{'labels':{'scheduling.k8s.io/group-name':'a'}}", NULL, false, NULL},
    {"{'annotations':{'scheduling.k8s.io/group-name':'a'}}", "a", false, NULL},
    {"{'labels':{'pod-group.scheduling.sigs.k8s.io':'a'}}", "a", false, NULL},
    /* marks that operators write: KAI's podgrouper, and applications of YuniKorn */
    {"{'annotations':{'pod-group-name':'a'},'labels':{'applicationId':'a'}}", NULL, false, NULL},
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':'a','scheduling.x-k8s.io/pod-group':'a'}}", "a",
     true, NULL},
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':'a','scheduling.x-k8s.io/pod-group':'b'}}", "a",
     true, "b"},
    {"{'labels':{'kueue.x-k8s.io/pod-group-name':'a','policy.libgang.dev/group':'b',"
     "'scheduling.x-k8s.io/pod-group':'c'}}",
     "a", true, "b"},
};

START_TEST(the_group_of_a_pod)
{
    struct arena *arena = arena_new(SIZE_MAX);
    const struct pod_group group =
        pod_group_of(pod_tree(arena, arena_format(arena, "{'metadata':%s}", groups[_i].metadata)));

    ck_assert(slice_equal(group.name, slice_from_text(groups[_i].group)));
    ck_assert_int_eq(group.is_kueues, groups[_i].is_kueues);
    ck_assert(slice_equal(node_string(group.rival), slice_from_text(groups[_i].rival)));
    arena_free(arena);
}
END_TEST

#define SPEC(fields) "{'metadata':{'name':'a'},'spec':{" fields "}}"
#define CONTAINERS(resources) "'containers':[{'name':'c','resources':" resources "}]"
#define LABELED(role) "{'metadata':{'labels':{'policy.libgang.dev/role':'" role "'}}}"

static const struct {
    const char *one;
    const char *other;
    bool is_same;
} pairs[] = {
    {SPEC(""), SPEC(""), true},
    {SPEC("'hostname':'a'"), SPEC("'hostname':'b'"), true},
    {SPEC("'nodeSelector':{'a':'b','c':'d'}"), SPEC("'nodeSelector':{'c':'d','a':'b'}"), true},
    {SPEC("'nodeSelector':{'a':'b'}"), SPEC("'nodeSelector':{'a':'c'}"), false},
    {SPEC("'schedulerName':'a'"), SPEC(""), false},
    {SPEC("'priorityClassName':'a'"), SPEC(""), false},
    {SPEC("'tolerations':[{'key':'a'}]"), SPEC("'tolerations':[]"), false},
    /* what the API server stores has neither null nor empty fields: omitempty in PodSpec */
    {SPEC("'tolerations':[],'nodeSelector':{},'affinity':null"), SPEC(""), true},
    {SPEC("'affinity':{}"), SPEC(""), false},
    {SPEC("'containers':[{'name':'c','ports':[]}]"), SPEC("'containers':[{'name':'c'}]"), true},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")), SPEC(CONTAINERS("{'requests':{'cpu':'1000m'}}")),
     true},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")), SPEC(CONTAINERS("{'limits':{'cpu':1}}")), true},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")),
     SPEC(CONTAINERS("{'requests':{'cpu':'1'},'limits':{'cpu':'2'}}")), true},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")), SPEC(CONTAINERS("{'requests':{'cpu':'2'}}")),
     false},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")), SPEC(CONTAINERS("{'requests':{'gpu':'1'}}")),
     false},
    {SPEC(CONTAINERS("{'requests':{'cpu':'1'}}")), SPEC(CONTAINERS("{}")), false},
    {SPEC(CONTAINERS("{}")), SPEC("'containers':[]"), false},
    {SPEC("'containers':[{'name':'c','ports':[{'containerPort':1}]}]"),
     SPEC("'containers':[{'name':'c','ports':[{'containerPort':2}]}]"), false},
    {SPEC("'initContainers':[{'name':'c','restartPolicy':'Always'}]"),
     SPEC("'initContainers':[{'name':'c'}]"), false},
    {SPEC("'containers':[{'name':'c'}]"), SPEC("'containers':[{'name':'d'}]"), true},
    {SPEC("'resources':{'requests':{'cpu':'1'}}"), SPEC("'resources':{'requests':{'cpu':'2'}}"),
     false},
    {LABELED("a"), LABELED("a"), true},
    {LABELED("a"), LABELED("b"), false},
    {LABELED("a"), SPEC(""), false},
};

START_TEST(pods_of_one_role)
{
    struct arena *arena = arena_new(SIZE_MAX);
    const struct node *one = pod_tree(arena, pairs[_i].one);
    const struct node *other = pod_tree(arena, pairs[_i].other);

    ck_assert_msg(pod_group_is_same_role(one, other, arena) == pairs[_i].is_same, "%s %s",
                  pairs[_i].one, pairs[_i].other);
    ck_assert(pod_group_is_same_role(other, one, arena) == pairs[_i].is_same);
    arena_free(arena);
}
END_TEST

/* The webhook computes the hash before Kueue gives each pod its nodes. */
START_TEST(hashes_of_kueue_have_precedence)
{
    struct arena *arena = arena_new(SIZE_MAX);
    static const char format[] = "{'metadata':{'annotations':{'kueue.x-k8s.io/role-hash':'%s'}},"
                                 "'spec':{'nodeSelector':{'n':'%s'}}}";
    const struct node *one = pod_tree(arena, arena_format(arena, format, "a1", "x"));
    const struct node *same = pod_tree(arena, arena_format(arena, format, "a1", "y"));
    const struct node *other = pod_tree(arena, arena_format(arena, format, "a2", "x"));
    const struct node *plain = pod_tree(arena, "{'spec':{'nodeSelector':{'n':'x'}}}");

    ck_assert(slice_equal(pod_group_role_hash(one), SLICE("a1")));
    ck_assert(pod_group_is_same_role(one, same, arena));
    ck_assert(!pod_group_is_same_role(one, other, arena));
    /* one hash alone says nothing */
    ck_assert(pod_group_is_same_role(one, plain, arena));
    ck_assert(!pod_group_is_same_role(same, plain, arena));
    arena_free(arena);
}
END_TEST

/*
 * The words are those of Kueue v0.19.2: pkg/controller/jobs/pod/pod_{controller,webhook}.go and
 * their tests.
 */
#define POD_LIST(pods) "{'apiVersion':'v1','kind':'PodList','items':[" pods "]}"
#define ONE_POD(name, labels, annotations)                                                         \
    "{'metadata':{'name':'" name "','labels':{" labels "},'annotations':{" annotations             \
    "}},'spec':{'containers':[{'name':'c'}]}}"
#define NAME "'kueue.x-k8s.io/pod-group-name':'g'"
#define TOTAL(number) "'kueue.x-k8s.io/pod-group-total-count':'" number "'"
#define QUEUE(name) "'kueue.x-k8s.io/queue-name':'" name "'"
#define COUNTED(name, number) ONE_POD(name, NAME, TOTAL(number))

static const struct {
    const char *text;
    const char *reason;
    const char *message;
} messages[] = {
    {POD_LIST(ONE_POD("a", NAME, "")), "RefusedByOperator",
     "Required value: both the 'kueue.x-k8s.io/pod-group-total-count' annotation and the "
     "'kueue.x-k8s.io/pod-group-name' label should be set"},
    {POD_LIST(ONE_POD("a", "", TOTAL("1"))), "RefusedByOperator",
     "Required value: both the 'kueue.x-k8s.io/pod-group-total-count' annotation and the "
     "'kueue.x-k8s.io/pod-group-name' label should be set"},
    {POD_LIST(COUNTED("a", "0")), "RefusedByOperator",
     "Invalid value: \"0\": incorrect annotation value 'kueue.x-k8s.io/pod-group-total-count=0': "
     "group total count should be greater than zero"},
    {POD_LIST(COUNTED("a", "x")), "RefusedByOperator",
     "Invalid value: \"x\": strconv.Atoi: parsing \"x\": invalid syntax"},
    {POD_LIST(COUNTED("a", "2")), "PodGroupIncomplete",
     "'g' group has fewer runnable pods than expected: 1 of 2"},
    {POD_LIST(COUNTED("a", "2") "," COUNTED("b", "3")), "RefusedByOperator",
     "pods 'a' and 'b' has different 'kueue.x-k8s.io/pod-group-total-count' values: 2!=3"},
    {POD_LIST(ONE_POD("a", NAME "," QUEUE("q"), TOTAL("2")) "," ONE_POD("b", NAME "," QUEUE("r"),
                                                                        TOTAL("2"))),
     "RefusedByOperator", "pods 'a' and 'b' has different queue names: q!=r"},
    {POD_LIST(COUNTED("a", "1") "," COUNTED("b", "1")), "ExcessPods",
     "the group 'g' has 2 pods: Kueue deletes those above 1"},
};

START_TEST(messages_of_kueue)
{
    job_check_message(messages[_i].text, messages[_i].reason, messages[_i].message);
}
END_TEST

/* pkg/controller/jobframework/constants.go MaxPodSets */
START_TEST(a_group_has_at_most_18_roles)
{
    static const size_t counts[] = {18, 19};

    for (size_t i = 0; i < COUNT_OF(counts); i++) {
        char text[DOCUMENT_SIZE] = "{'apiVersion':'v1','kind':'PodList','items':[";
        char found[DOCUMENT_SIZE];
        struct job_case opened;

        for (size_t k = 0; k < counts[i]; k++)
            (void)snprintf(
                text + strlen(text), sizeof(text) - strlen(text),
                "%s{'metadata':{'labels':{" NAME "},'annotations':{" TOTAL(
                    "%zu") "}},'spec':{'containers':[{'name':'c','resources':{'requests':{'cpu':"
                           "'%zu'}}}]}}",
                k ? "," : "", counts[i], k + 1);
        strcat(text, "]}");
        job_open(&opened, text);
        ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)),
                         i ? "RefusedByOperator items[18]" : "");
        job_close(&opened);
    }
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, the_group_of_a_pod, groups, metadata);
    add_rows(cases, pods_of_one_role, pairs, one);
    tcase_add_test(cases, hashes_of_kueue_have_precedence);
    add_rows(cases, messages_of_kueue, messages, text);
    tcase_add_test(cases, a_group_has_at_most_18_roles);
}
