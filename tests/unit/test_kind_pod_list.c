/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/job_kinds.h"

#include "unit/job_roles.h"
#include "unit/job_squeeze.h"

#define LIST(kind, pods) "{'apiVersion':'v1','kind':'" kind "','items':[" pods "]}"
#define POD_LIST(pods) LIST("PodList", pods)
#define ONE_POD(metadata, spec)                                                                    \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'namespace':'ml'," metadata "},'spec':{" spec "}" \
    "}"
#define CPU(amount) "'containers':[{'name':'c','resources':{'requests':{'cpu':'" amount "'}}}]"
#define HALF(amount) "'containers':[{'name':'c','resources':{'requests':{'cpu':" amount "}}}]"
#define IN_GROUP(name, group) "'name':'" name "','labels':{'policy.libgang.dev/group':'" group "'}"
#define MEMBER(name, group, cpu) ONE_POD(IN_GROUP(name, group), CPU(cpu))
#define KUEUES(name, group, total)                                                                 \
    "'name':'" name "','labels':{'kueue.x-k8s.io/pod-group-name':'" group "'},"                    \
    "'annotations':{'kueue.x-k8s.io/pod-group-total-count':'" total "'}"
#define KUEUE(name, total, cpu) ONE_POD(KUEUES(name, "g", total), CPU(cpu))
/* Deleted, with the time until which it may end. */
#define GOING(spec)                                                                                \
    ONE_POD(IN_GROUP("b", "g") ",'deletionTimestamp':'2026-11-22T10:00:00Z'", spec CPU("1"))
#define OWNED(version, kind)                                                                       \
    ",'ownerReferences':[{'apiVersion':'" version "','kind':'" kind                                \
    "','name':'o','uid':'u','controller':true}]"

static const struct job_reading readings[] = {
    {POD_LIST(""), "", "", "the job has no pods"},
    {POD_LIST(MEMBER("a", "g", "1")), "role-0 1", "", NULL},
    {LIST("List", MEMBER("a", "g", "1") "," MEMBER("b", "g", "1")), "role-0 2", "", NULL},
    /* quantities are compared by value, in the order in which roles appear */
    {POD_LIST(MEMBER("a", "g", "2") "," MEMBER("b", "g", "1") "," MEMBER("c", "g", "1000m")),
     "role-0 1, role-1 2", "", NULL},
    /* a limit is a request, as the API server sets it */
    {POD_LIST(MEMBER("a", "g", "1") "," ONE_POD(
         IN_GROUP("b", "g"), "'containers':[{'name':'c','resources':{'limits':{'cpu':'1'}}}]")),
     "role-0 2", "", NULL},
    /* amounts may be numbers, in each gang */
    {POD_LIST(ONE_POD(IN_GROUP("a", "g"), HALF("'0.5'")) "," ONE_POD(
         IN_GROUP("b", "g"), HALF("0.5")) "," ONE_POD(IN_GROUP("c", "h"), HALF("0.25"))),
     "role-0 2; h: role-0 1", "", NULL},
    /* groups in the order of their namespaces and names */
    {POD_LIST(MEMBER("a", "h", "1") "," MEMBER("b", "g", "1") "," MEMBER("c", "h", "1")),
     "role-0 1; h: role-0 2", "", NULL},
    {POD_LIST("{'metadata':{'namespace':'other'," IN_GROUP("a", "g") "},'spec':{" CPU(
         "1") "}}," MEMBER("b", "g", "1") "," MEMBER("c", "g", "1")),
     "role-0 2; g: role-0 1", "", NULL},
    /* the marks of schedulers */
    {POD_LIST(
         ONE_POD("'name':'a','labels':{'scheduling.x-k8s.io/pod-group':'g'}", CPU("1")) "," ONE_POD(
             "'name':'b','labels':{'pod-group.scheduling.sigs.k8s.io':'g'}",
             CPU("1")) "," ONE_POD("'name':'c','annotations':{'scheduling.k8s.io/group-name':'g'}",
                                   CPU("1")) "," ONE_POD("'name':'d','annotations':{'kueue.x-k8s."
                                                         "io/pod-group-name':'g',"
                                                         "'kueue.x-k8s.io/"
                                                         "pod-group-total-count':'4'}",
                                                         CPU("1"))),
     "role-0 4", NULL, NULL},
    /* a label, or Kueue's hash, names the role */
    {POD_LIST(
         ONE_POD("'name':'a','labels':{'policy.libgang.dev/group':'g','policy.libgang.dev/role':"
                 "'launcher'}",
                 CPU("1")) "," MEMBER("b", "g", "1")),
     "launcher 1, role-1 1", "", NULL},
    {POD_LIST(ONE_POD(
         IN_GROUP("a", "g") ",'annotations':{'kueue.x-k8s.io/role-hash':'a1b2'}",
         CPU("1")) "," ONE_POD(IN_GROUP("b",
                                        "g") ",'annotations':{'kueue.x-k8s.io/role-hash':'a1b2'}",
                               CPU("2"))),
     "a1b2 2", "", NULL},
    /* Kueue takes an empty text, which the API server makes of null, for a hash: getRoleHash() */
    {POD_LIST(ONE_POD(IN_GROUP("a", "g") ",'annotations':{'kueue.x-k8s.io/role-hash':null}",
                      CPU("1")) "," ONE_POD(IN_GROUP("b", "g") ",'annotations':{'kueue.x-k8s.io/"
                                                               "role-hash':''}",
                                            CPU("2"))),
     "role-0 2", "", NULL},
    {POD_LIST(MEMBER("a", "g", "1") "," ONE_POD(
         IN_GROUP("b", "g") ",'annotations':{'kueue.x-k8s.io/role-hash':''}", CPU("1"))),
     "role-0 1, role-1 1", "", NULL},
    /* pods that can never run do not count */
    {POD_LIST(MEMBER("a", "g", "1") ",{'metadata':{'namespace':'ml'," IN_GROUP(
         "b", "g") "},'spec':{" CPU("1") "},'status':{'phase':'Failed'}}"),
     "role-0 1", "", NULL},
    {POD_LIST(MEMBER("a", "g", "1") ",{'metadata':{'namespace':'ml'," IN_GROUP(
         "b", "g") "},'spec':{" CPU("1") "},'status':{'phase':'Succeeded'}}"),
     "role-0 2", "", NULL},
    {POD_LIST(MEMBER("a", "g", "1") "," GOING("")), "role-0 1", "", NULL},
    {POD_LIST(MEMBER("a", "g", "1") "," GOING("'nodeName':'n',")), "role-0 2", "", NULL},
    /* Kueue's own number */
    {POD_LIST(KUEUE("a", "2", "1") "," KUEUE("b", "2", "1")), "role-0 2", "", NULL},
    {POD_LIST(KUEUE("a", "+2", "1") "," KUEUE("b", "2", "1")), "role-0 2", "", NULL},
    {POD_LIST(ONE_POD("'name':'a','labels':{'kueue.x-k8s.io/pod-group-name':'g'},'annotations':{"
                      "'kueue.x-k8s.io/pod-group-total-count':'5',"
                      "'kueue.x-k8s.io/pod-group-fast-admission':'true'}",
                      CPU("1"))),
     "role-0 5", "", NULL},
    /* Kueue deletes the pods that were created last */
    {POD_LIST(ONE_POD(
         KUEUES("a", "g", "1") ",'creationTimestamp':'2026-11-22T10:00:01Z'",
         CPU("1")) "," ONE_POD(KUEUES("b", "g", "1") ",'creationTimestamp':'2026-11-22T10:00:00Z'",
                               CPU("2"))),
     "role-0 1", "ExcessPods items[0].metadata.annotations[kueue.x-k8s.io/pod-group-total-count]",
     NULL},
    /* gates */
    {POD_LIST(ONE_POD(IN_GROUP("a", "g"), "'schedulingGates':[{'name':'e.io/wait'}]," CPU("1"))),
     "role-0 1", "PodHasGate items[0].spec.schedulingGates[0]", NULL},
    {POD_LIST(MEMBER("a", "g", "1") "," ONE_POD("'name':'b'", CPU("1"))), "role-0 1",
     "PodWithoutGroup items[1]", NULL},
    {POD_LIST(ONE_POD("'name':'b'", CPU("1"))), "", "PodWithoutGroup items[0]",
     "no pod of the list names a group"},
    /* the gang is another's */
    {POD_LIST(ONE_POD(IN_GROUP("a", "g") OWNED("batch/v1", "Job"), CPU("1"))), "role-0 1", "",
     "it is a part of another job, which has the gang"},
    {POD_LIST(ONE_POD(IN_GROUP("a", "g") OWNED("v1", "Pod"), CPU("1"))), "role-0 1", "",
     "it is a part of another job, which has the gang"},
    {POD_LIST(ONE_POD(IN_GROUP("a", "g"), "'schedulingGroup':{'podGroupName':'n'}," CPU("1"))),
     "role-0 1", "NativeGang items[0].spec.schedulingGroup",
     "Kubernetes makes the gang: spec.schedulingGroup is set"},
    /* the mark that libgang's own plan has set: `g-gang-<hash>` */
    {POD_LIST(ONE_POD(IN_GROUP("a", "g"),
                      "'schedulingGroup':{'podGroupName':'g-gang-75784f5bcc'}," CPU("1"))),
     "role-0 1", "", NULL},
    {POD_LIST(
         ONE_POD(IN_GROUP("a", "g"), "'schedulingGroup':{'podGroupName':'g2-gang-x'}," CPU("1"))),
     "role-0 1", "NativeGang items[0].spec.schedulingGroup",
     "Kubernetes makes the gang: spec.schedulingGroup is set"},
};

START_TEST(what_is_read_of_a_list_of_pods)
{
    job_check_reading(&readings[_i]);
}
END_TEST

#define TOTAL(index) "items[" index "].metadata.annotations[kueue.x-k8s.io/pod-group-total-count]"

static const struct job_verdict verdicts[] = {
    {LIST("List", "{'apiVersion':'batch/v1','kind':'Job','metadata':{'name':'j'}}"), true,
     "WrongDocument items[0].kind"},
    {LIST("List", "{'apiVersion':'v1','kind':'ConfigMap','metadata':{'name':'c'}}"), true,
     "WrongDocument items[0].kind"},
    {LIST("List", "{'apiVersion':'v2','metadata':{'name':'c'}}"), true, "WrongDocument items[0]"},
    {POD_LIST("{'metadata':{" IN_GROUP("a", "g") "}}"), false, ""},
    {POD_LIST("1"), true, "WrongType items[0]"},
    {POD_LIST(MEMBER("a", "G", "1")), true,
     "InvalidName items[0].metadata.labels[policy.libgang.dev/group]"},
    {LIST("PodList", "{'metadata':{'name':'a','namespace':'n.s','labels':{"
                     "'policy.libgang.dev/group':'g'}}}"),
     true, "InvalidName items[0].metadata.namespace"},
    {POD_LIST(ONE_POD("'name':'a','labels':{'policy.libgang.dev/group':'g',"
                      "'scheduling.x-k8s.io/pod-group':'h'}",
                      CPU("1"))),
     true, "PodInTwoGroups items[0].metadata.labels[scheduling.x-k8s.io/pod-group]"},
    {POD_LIST(MEMBER("a", "g", "x")), true,
     "QuantitySyntax items[0].spec.containers[0].resources.requests[cpu]"},
    {POD_LIST(ONE_POD(IN_GROUP("a", "g"), "'container':[]," CPU("1"))), false,
     "UnknownField items[0].spec.container"},
    /* two kinds of pods with one name */
    {POD_LIST(
         ONE_POD("'name':'a','labels':{'policy.libgang.dev/group':'g','policy.libgang.dev/role':"
                 "'w'}",
                 CPU("1")) "," ONE_POD("'name':'b','labels':{'policy.libgang.dev/"
                                       "group':'g','policy.libgang.dev/role':"
                                       "'w'}",
                                       CPU("2"))),
     true, "DuplicateItem items[1]"},
    {POD_LIST(KUEUE("a", "3", "1") "," KUEUE("b", "3", "1")), true,
     "PodGroupIncomplete " TOTAL("0")},
};

START_TEST(findings_about_a_list_of_pods)
{
    job_check_verdict(&verdicts[_i]);
}
END_TEST

/* Pods of one controller are its own; others have no owner. */
START_TEST(the_owner_is_the_controller_of_all_pods)
{
    static const struct {
        const char *text;
        const char *kind;
        const char *uid;
        bool is_no_object;
    } cases[] = {
        {POD_LIST(MEMBER("a", "g", "1")), "PodList", "", true},
        {POD_LIST(ONE_POD(IN_GROUP("a", "g") OWNED("a.io/v1", "Fleet"), CPU("1")) "," ONE_POD(
             IN_GROUP("b", "g") OWNED("a.io/v1", "Fleet"), CPU("1"))),
         "Fleet", "u", false},
        {POD_LIST(ONE_POD(IN_GROUP("a", "g") OWNED("a.io/v1", "Fleet"),
                          CPU("1")) "," MEMBER("b", "g", "1")),
         "PodList", "", true},
        {POD_LIST(ONE_POD(IN_GROUP("a", "g") ",'ownerReferences':[{'apiVersion':'a.io/v1','kind':"
                                             "'Fleet','name':'o','uid':'u'}]",
                          CPU("1"))),
         "PodList", "", true},
    };

    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        struct job_case opened;

        job_open_good(&opened, cases[i].text);
        ck_assert(slice_equal(opened.job->owner.kind, slice_from_text(cases[i].kind)));
        ck_assert(slice_equal(opened.job->owner.uid, slice_from_text(cases[i].uid)) ||
                  !opened.job->owner.uid.len);
        ck_assert_int_eq(opened.job->owner.uid.len > 0, cases[i].uid[0] != '\0');
        ck_assert_int_eq(opened.job->owner.is_no_object, cases[i].is_no_object);
        ck_assert(slice_equal(opened.job->name, SLICE("g")));
        ck_assert(opened.job->marks_pods && opened.job->roles_are_pods);
        job_close(&opened);
    }
}
END_TEST

/* Kueue's gate is removed at admission: until then the group is suspended. */
START_TEST(a_group_that_waits_for_admission_is_suspended)
{
    struct job_case opened;

    job_open_good(
        &opened,
        POD_LIST(ONE_POD(IN_GROUP("a", "g"),
                         "'schedulingGates':[{'name':'kueue.x-k8s.io/admission'}]," CPU("1"))));
    ck_assert(opened.job->suspended);
    ck_assert_uint_eq(gang_document_num_diagnostics(opened.document), 0);
    job_close(&opened);
}
END_TEST

/* Pods that all differ: the role above the limit is counted, and no other. */
START_TEST(roles_of_a_group_are_limited)
{
    static const size_t counts[] = {64, 66};
    char text[DOCUMENT_SIZE] = "{'apiVersion':'v1','kind':'PodList','items':[";
    char found[DOCUMENT_SIZE];
    struct job_case opened;

    for (size_t i = 0; i < counts[_i]; i++)
        job_roles_add(text, sizeof(text),
                      "%s{'metadata':{'labels':{'policy.libgang.dev/group':'g'}},'spec':{"
                      "'nodeSelector':{'n':'%zu'},'containers':[{'name':'c'}]}}",
                      i ? "," : "", i);
    job_roles_add(text, sizeof(text), "]}");
    job_open(&opened, text);
    ck_assert_str_eq(job_case_findings(&opened, found, sizeof(found)),
                     _i ? "LimitRoles items" : "");
    job_close(&opened);
}
END_TEST

/* Two groups, of which Kueue deletes a pod of the first. */
START_TEST(memory_can_run_out_at_every_allocation)
{
    job_squeeze(POD_LIST(KUEUE("a", "2", "1") "," KUEUE("b", "2", "2") "," KUEUE(
        "c", "2", "2") "," MEMBER("d", "h", "1")));
}
END_TEST

void
add_tests(TCase *cases)
{
    tcase_add_loop_test(cases, roles_of_a_group_are_limited, 0, 2);
    tcase_add_test(cases, memory_can_run_out_at_every_allocation);
    add_rows(cases, what_is_read_of_a_list_of_pods, readings, text);
    add_rows(cases, findings_about_a_list_of_pods, verdicts, text);
    tcase_add_test(cases, the_owner_is_the_controller_of_all_pods);
    tcase_add_test(cases, a_group_that_waits_for_admission_is_suspended);
}
