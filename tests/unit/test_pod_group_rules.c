/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/jobs/pod_group_rules.h"

#include "unit/kinds.h"

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
    add_rows(cases, messages_of_kueue, messages, text);
    tcase_add_test(cases, a_group_has_at_most_18_roles);
}
