/* SPDX-License-Identifier: Apache-2.0 */
#include "libgang/backend/backend.h"

#include "unit/scheduler_rules.h"

#define CLASS(scheduling)                                                                          \
    "'runtimeClasses':[{'name':'kata','overhead':{'cpu':'250m'},'scheduling':{" scheduling "}}]"
#define KATA "'runtimeClassName':'kata',"
#define EXCLUSIVE "'alpha.jobset.sigs.k8s.io/exclusive-topology':'rack'"
#define BY_SELECTOR "'alpha.jobset.sigs.k8s.io/node-selector':'true'"
#define GROUP(minimum, cpu, fields)                                                                \
    "[{'name':'node','minMember':" minimum ",'minResource':{'cpu':'" cpu "','memory':'32Gi',"      \
    "'nvidia.com/gpu':'8'}" fields "}]"
#define SPOT "{'key':'spot','operator':'Exists'}"
#define KATA_NODES                                                                                 \
    "'nodeSelector':{'kata':'yes'},'tolerations':[{'key':'kata','operator':'Exists'}]"
#define SPREAD                                                                                     \
    "'topologySpreadConstraints':[{'labelSelector':{'matchLabels':{'app':'bert'}},'maxSkew':1,"    \
    "'topologyKey':'zone','whenUnsatisfiable':'DoNotSchedule'}]"
#define OF_JOBSET                                                                                  \
    "{'effect':'NoSchedule','key':'alpha.jobset.sigs.k8s.io/no-schedule','operator':'Exists'}"

/*
 * What others add to the pods of `node`, one Job of four pods. RuntimeClass: plugin runtimeclass of
 * Kubernetes v1.36; JobSet: addNamespacedJobNodeSelector and addTaintToleration of v0.12.
 */
static const struct placeholder_case {
    const char *name;
    const char *annotations; /* of the Job's template */
    const char *replicas;    /* Jobs; one of them has four pods, each of several one */
    const char *pod;         /* members of the pod's spec */
    const char *cluster;
    const char *group;
    bool is_warned;
} placeholders[] = {
    {"nothing", "", "1", "", CLASS(""), GROUP("4", "4", ""), false},
    {"another class", "", "1", "", CLASS(KATA_NODES), GROUP("4", "4", ""), false},
    {"a class: overhead, selector, tolerations", "", "1", KATA, CLASS(KATA_NODES),
     GROUP("4", "4250m", "," KATA_NODES), false},
    {"a class adds to what the pod has", "", "1",
     KATA "'nodeSelector':{'pool':'a'},'tolerations':[" SPOT "],", CLASS(KATA_NODES),
     GROUP("4", "4250m",
           ",'nodeSelector':{'kata':'yes','pool':'a'},'tolerations':[" SPOT
           ",{'key':'kata','operator':'Exists'}]"),
     false},
    /* as a manifest has it, and as the API server returns it */
    {"members in another order, and null", "", "1",
     "'nodeSelector':{'pool':'a','disk':'ssd'},'tolerations':[{'operator':'Exists','key':'spot',"
     "'effect':null}],'affinity':{'podAffinity':null,'nodeAffinity':"
     "{'preferredDuringSchedulingIgnoredDuringExecution':[{'weight':1,'preference':"
     "{'matchFields':[],'matchExpressions':[{'values':['b','a'],'operator':'In','key':'zone'}]}}]}}"
     ",",
     NULL,
     GROUP("4", "4",
           ",'nodeSelector':{'disk':'ssd','pool':'a'},'tolerations':[" SPOT "],'affinity':"
           "{'nodeAffinity':{'preferredDuringSchedulingIgnoredDuringExecution':[{'preference':"
           "{'matchExpressions':[{'key':'zone','operator':'In','values':['b','a']}],"
           "'matchFields':[]},'weight':1}]}}"),
     false},
    {"an equal toleration is there once", "", "1", KATA "'tolerations':[" SPOT "],",
     CLASS("'tolerations':[" SPOT "]"), GROUP("4", "4250m", ",'tolerations':[" SPOT "]"), false},
    {"a class without scheduling", "", "1", KATA,
     "'runtimeClasses':[{'name':'kata','overhead':{'cpu':'250m'}}]", GROUP("4", "4250m", ""),
     false},
    {"the nodes of a Job are labelled in advance", EXCLUSIVE "," BY_SELECTOR, "1", "", NULL,
     GROUP("4", "4",
           ",'nodeSelector':{'alpha.jobset.sigs.k8s.io/namespaced-job':'team-a_bert-node-0'},"
           "'tolerations':[" OF_JOBSET "]"),
     false},
    {"with selector and tolerations of the pod", EXCLUSIVE "," BY_SELECTOR, "1",
     "'nodeSelector':{'pool':'a'},'tolerations':[" SPOT "],", NULL,
     GROUP("4", "4",
           ",'nodeSelector':{'alpha.jobset.sigs.k8s.io/namespaced-job':'team-a_bert-node-0',"
           "'pool':'a'},'tolerations':[" SPOT "," OF_JOBSET "]"),
     false},
    {"without exclusive-topology it has no effect", BY_SELECTOR, "1", "", NULL, GROUP("4", "4", ""),
     false},
    /* each Job has a selector of its own */
    {"two Jobs with nodes of their own", EXCLUSIVE "," BY_SELECTOR, "2", "", NULL,
     GROUP("2", "4", ""), true},
    {"a class that is not known", "", "1", KATA, NULL, GROUP("4", "4", ""), false},
    {"affinity of the first pod, the others come later", EXCLUSIVE, "1", "", NULL,
     GROUP("1", "4", ""), true},
};

/* `job`: of the trainjob's metadata behind its name; NULL: the namespace team-a. */
static void
check_placeholder(const struct placeholder_case *row, const char *job)
{
    const char *step = row->replicas[0] == '1' ? RULE_TRAINER : "";
    char roles[DOCUMENT_SIZE];
    char group[DOCUMENT_SIZE];
    struct scheduler_case wanted = {.roles = roles,
                                    .job = job,
                                    .policy = "'defaultBackend':'yunikorn'",
                                    .cluster = row->cluster};
    struct scheduler_play play;

    snprintf(roles, sizeof(roles),
             RULE_JOBS("node", "%s", "%s},'annotations':{%s", "", "", "", "%s", RULE_GPUS),
             row->replicas, step, row->annotations, row->pod);
    play = scheduler_play(wanted);
    ck_assert_str_eq(scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"),
                     spell(group, row->group));
    ck_assert_int_eq(scheduler_finds(&play, "warning PlacedByOthers"), row->is_warned);
    scheduler_end(&play);
}

START_TEST(placeholders_fit_where_their_pods_fit)
{
    check_placeholder(&placeholders[_i], NULL);
}
END_TEST

START_TEST(a_job_is_in_the_namespace_default)
{
    const struct placeholder_case row = {
        .annotations = EXCLUSIVE "," BY_SELECTOR,
        .replicas = "1",
        .pod = "",
        .group = GROUP("4", "4",
                       ",'nodeSelector':{'alpha.jobset.sigs.k8s.io/namespaced-job':"
                       "'default_bert-node-0'},'tolerations':[" OF_JOBSET "]"),
    };

    check_placeholder(&row, "");
}
END_TEST

/* Constraints select pods by them. YuniKorn's newPlaceholder() sets those of the task group. */
START_TEST(placeholders_have_the_labels_of_their_pods)
{
    char group[DOCUMENT_SIZE];
    struct scheduler_play play = scheduler_play(
        (struct scheduler_case){.roles = RULE_NODE_WITH("'labels':{'app':'bert'}", SPREAD ","),
                                .policy = "'defaultBackend':'yunikorn'"});

    ck_assert_str_eq(scheduler_mark(&play, "node", "yunikorn.apache.org/task-groups"),
                     spell(group, GROUP("4", "4", "," SPREAD ",'labels':{'app':'bert'}")));
    scheduler_end(&play);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, placeholders_fit_where_their_pods_fit, placeholders, name);
    tcase_add_test(cases, a_job_is_in_the_namespace_default);
    tcase_add_test(cases, placeholders_have_the_labels_of_their_pods);
}
