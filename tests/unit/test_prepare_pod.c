/* SPDX-License-Identifier: Apache-2.0 */
#include "unit/grove_resolutions.h"

#define KAI "scheduler=kai-scheduler;set=,'labels':{'kai.scheduler/queue':'q'}"
#define AGGREGATE                                                                                  \
    "'backends':[{'name':'kai','type':'KAI','kai':{'layout':'Aggregate'}}],'defaultBackend':'kai'"
#define POD(metadata, spec)                                                                        \
    "{'apiVersion':'v1','kind':'Pod','metadata':{'name':'p','namespace':'ml'" metadata             \
    "},'spec':{" spec "}"                                                                          \
    "}"
#define GANG "'grove.io/podgang':'job-0'"
#define ROUTER GANG ",'grove.io/podclique':'job-0-router'"
#define LABELS(text) ",'labels':{" text "}"
#define ANNOTATIONS(text) ",'annotations':{" text "}"
#define CONTAINERS "'containers':[]"

/*
 * TestBackend_PreparePod of
 * ai-dynamo/grove:operator/internal/scheduler/{kai,volcano,kube,lpx}/backend_test.go@fcc3b3bb, and
 * of pull request 735 @ebe5f5a0: the pod before, and after.
 */
static const struct {
    const char *name, *policy, *job, *pod, *after;
} prepared[] = {
    {"KAI: PreparePod", NULL, KAI,
     POD(LABELS(ROUTER) ANNOTATIONS("'keep':'me'"),
         "'schedulerName':'default-scheduler'," CONTAINERS),
     POD(LABELS(ROUTER ",'kai.scheduler/subgroup-name':'job-0-router'") ANNOTATIONS(
             "'keep':'me','kai.scheduler/skip-podgrouper':'true','pod-group-name':'job-0'"),
         CONTAINERS ",'schedulerName':'kai-scheduler'")},
    {"KAI: PreparePod existing skip=custom", NULL, KAI,
     POD(LABELS("'kai.scheduler/subgroup-name':'old','kai.scheduler/queue':'mine'," ROUTER)
             ANNOTATIONS("'kai.scheduler/skip-podgrouper':'custom','pod-group-name':'old'"),
         CONTAINERS),
     POD(LABELS("'kai.scheduler/queue':'mine'," ROUTER
                ",'kai.scheduler/subgroup-name':'job-0-router'")
             ANNOTATIONS("'kai.scheduler/skip-podgrouper':'true','pod-group-name':'job-0'"),
         CONTAINERS ",'schedulerName':'kai-scheduler'")},
    {"KAI, the aggregate: its group, and a name that KAI takes", AGGREGATE, KAI ";documents=set",
     POD(LABELS("'grove.io/podgang':'job.v1-0-sg-0','grove.io/"
                "podclique':'job.v1-0','app.kubernetes.io/"
                "part-of':'job',"
                "'grove.io/podcliqueset-replica-index':'0'"),
         CONTAINERS),
     NULL},
    {"Volcano: PreparePod with gang label", NULL, "", POD(LABELS(ROUTER), CONTAINERS),
     POD(LABELS(ROUTER) ANNOTATIONS(
             "'scheduling.k8s.io/group-name':'job-0','scheduling.volcano.sh/group-name':'job-0'"),
         CONTAINERS ",'schedulerName':'volcano'")},
    {"Volcano needs no clique", NULL, "", POD(LABELS(GANG), CONTAINERS),
     POD(LABELS(GANG) ANNOTATIONS(
             "'scheduling.k8s.io/group-name':'job-0','scheduling.volcano.sh/group-name':'job-0'"),
         CONTAINERS ",'schedulerName':'volcano'")},
    {"kube: the name alone", NULL, "scheduler=default-scheduler", POD("", CONTAINERS),
     POD("", CONTAINERS ",'schedulerName':'default-scheduler'")},
    {"managed fields stay", NULL, "scheduler=default-scheduler",
     POD(",'managedFields':[{'manager':'m'}]", CONTAINERS),
     POD(",'managedFields':[{'manager':'m'}]", CONTAINERS ",'schedulerName':'default-scheduler'")},
    {"lpx: the name, gates and claims kept", NULL, "scheduler=lpx-scheduler",
     POD(LABELS("'a':'b'"), "'schedulingGates':[{'name':'g'}],'resourceClaims':[{'name':'c'}]"),
     POD(LABELS("'a':'b'"), "'schedulingGates':[{'name':'g'}],'resourceClaims':[{'name':'c'}],'"
                            "schedulerName':'lpx-scheduler'")},
    {"Kueue's labels, annotations, gates and node selector stay", NULL, "",
     POD(LABELS(GANG ",'kueue.x-k8s.io/podset':'p','kueue.x-k8s.io/managed':'true'")
             ANNOTATIONS("'kueue.x-k8s.io/workload':'w'"),
         "'nodeSelector':{'pool':'a'},'schedulingGates':[{'name':'kueue.x-k8s.io/topology'}]"),
     POD(LABELS(GANG ",'kueue.x-k8s.io/podset':'p','kueue.x-k8s.io/managed':'true'")
             ANNOTATIONS("'kueue.x-k8s.io/workload':'w','scheduling.k8s.io/"
                         "group-name':'job-0','scheduling.volcano.sh/group-name':'job-0'"),
         "'nodeSelector':{'pool':'a'},'schedulingGates':[{'name':'kueue.x-k8s.io/topology'}],"
         "'schedulerName':'volcano'")},
    {"a policy: its scheduler and its class",
     "'backends':[{'name':'v','type':'Volcano'}],'rules':[{'name':'r',"
     "'backend':'v','priorityClassName':{'name':'low'},'override':'Always'}]",
     "scheduler=default-scheduler",
     POD(LABELS(GANG),
         "'schedulerName':'default-scheduler','priorityClassName':'high'," CONTAINERS),
     POD(LABELS(GANG) ANNOTATIONS(
             "'scheduling.k8s.io/group-name':'job-0','scheduling.volcano.sh/group-name':'job-0'"),
         CONTAINERS ",'schedulerName':'volcano','priorityClassName':'low'")},
    {"a rule that skips leaves the pod alone", "'rules':[{'name':'r','action':'Skip'}]", "",
     POD(LABELS(GANG), "'schedulerName':'volcano'"),
     POD(LABELS(GANG), "'schedulerName':'volcano'")},
    {"a PodCliqueSet alone knows the scheduler", "'defaults':{'backend':'volcano'}",
     "documents=set", POD(LABELS("'grove.io/podgang':'any'"), CONTAINERS),
     POD(LABELS("'grove.io/podgang':'any'") ANNOTATIONS(
             "'scheduling.k8s.io/group-name':'any','scheduling.volcano.sh/group-name':'any'"),
         CONTAINERS ",'schedulerName':'volcano'")},
};

/* stableKAIName: the prefix and ten digits of SHA-256 of `job.v1-0`, from the upstream test. */
#define AGGREGATED                                                                                 \
    POD(LABELS("'grove.io/podgang':'job.v1-0-sg-0','grove.io/"                                     \
               "podclique':'job.v1-0','app.kubernetes.io/"                                         \
               "part-of':'job',"                                                                   \
               "'grove.io/podcliqueset-replica-index':'0','kai.scheduler/"                         \
               "subgroup-name':'job-v1-0-5b01e80703'")                                             \
            ANNOTATIONS("'kai.scheduler/skip-podgrouper':'true','pod-group-name':'grove-job-0'"),  \
        CONTAINERS ",'schedulerName':'kai-scheduler'")

START_TEST(prepares_like_grove)
{
    const struct resolution row = {prepared[_i].policy, prepared[_i].job, NULL, 0, "", ""};
    struct run run = run_grove_resolution(&row);
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];
    char expected[DOCUMENT_SIZE];

    spell(text, prepared[_i].pod);
    spell(expected, prepared[_i].after ? prepared[_i].after : AGGREGATED);
    strcat(expected, "\n");
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, run.decision, text, strlen(text),
                                               GANG_FORMAT_JSON, 0, &blob, &error),
                     GANG_OK);
    check_text(gang_blob_get_data(blob, NULL), expected);
    gang_blob_unref(blob);
    end_run(&run);
}
END_TEST

#define NEEDS(words, label) words " requires pod label \"" label "\""
#define WITHOUT POD("", CONTAINERS)

/* The same tests, where a label is missing, and what they leave open. */
static const struct {
    const char *name, *policy, *job, *pod;
    const char *findings; /* `GANG822 path: message`, each on a line */
} refused[] = {
    {"KAI: PreparePod without labels", NULL, KAI, WITHOUT,
     "GANG822 metadata.labels: " NEEDS(
         "KAI scheduler", "grove.io/podclique") "\n"
                                                "GANG822 metadata.labels: " NEEDS(
                                                    "KAI scheduler", "grove.io/podgang")},
    {"KAI: PreparePod without clique label", NULL, KAI, POD(LABELS(GANG), CONTAINERS),
     "GANG822 metadata.labels: " NEEDS("KAI scheduler", "grove.io/podclique")},
    {"KAI: an empty label is none", NULL, KAI,
     POD(LABELS("'grove.io/podgang':\"\",'grove.io/podclique':'c'"), CONTAINERS),
     "GANG822 metadata.labels: " NEEDS("KAI scheduler", "grove.io/podgang")},
    {"KAI, the aggregate: PreparePod without labels", AGGREGATE, KAI ";documents=set",
     POD(LABELS(ROUTER), CONTAINERS),
     "GANG822 metadata.labels: " NEEDS(
         "KAI scheduler", "app.kubernetes.io/part-of") "\n"
                                                       "GANG822 metadata.labels: " NEEDS(
                                                           "KAI scheduler",
                                                           "grove.io/podcliqueset-replica-index")},
    {"KAI, the aggregate: no index", AGGREGATE, KAI ";documents=set",
     POD(LABELS(ROUTER
                ",'app.kubernetes.io/part-of':'job','grove.io/podcliqueset-replica-index':'x'"),
         CONTAINERS),
     "GANG413 metadata.labels[grove.io/podcliqueset-replica-index]: Invalid value: \"x\": must be "
     "the index "
     "of a "
     "replica"},
    {"Volcano: PreparePod without gang label", NULL, "", WITHOUT,
     "GANG822 metadata.labels: " NEEDS("volcano scheduler", "grove.io/podgang")},
    {"of another PodGang", NULL, "", POD(LABELS("'grove.io/podgang':'other'"), CONTAINERS),
     "GANG823 metadata.labels[grove.io/podgang]: Invalid value: \"other\": the PodGang that was "
     "resolved is "
     "job-0"},
    {"of no podgroup", NULL, "", POD(LABELS(GANG ",'grove.io/podclique':'nobody'"), CONTAINERS),
     "GANG823 metadata.labels[grove.io/podclique]: Invalid value: \"nobody\": the PodGang job-0 "
     "has no "
     "podgroup of this "
     "name"},
    {"no pod", NULL, "", "{'apiVersion':'v1','kind':'Node','metadata':{'name':'p'}}",
     "GANG303 spec: Required value\nGANG119 kind: Unsupported value: \"Node\": supported values: "
     "\"Pod\""},
};

START_TEST(unschedulable_pods_are_refused)
{
    const struct resolution row = {refused[_i].policy, refused[_i].job, NULL, 0, "", ""};
    struct run run = run_grove_resolution(&row);
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    char text[DOCUMENT_SIZE];
    char found[DOCUMENT_SIZE];

    spell(text, refused[_i].pod);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, run.decision, text, strlen(text),
                                               GANG_FORMAT_JSON, 0, &blob, &error),
                     GANG_ERROR_INVALID);
    ck_assert_ptr_null(blob);
    check_text(error_in_words(error, GANG_DOCUMENT_POD, found), refused[_i].findings);
    gang_error_free(error);
    end_run(&run);
}
END_TEST

START_TEST(misuse_is_refused)
{
    static const char pod[] =
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"metadata\":{\"name\":\"p\"},\"spec\":{}}";
    const struct resolution good = {NULL, "scheduler=default-scheduler", NULL, 0, "", ""};
    const struct resolution bad = {NULL, "scheduler=nobody", NULL, 0, "", ""};
    const struct resolution trainjob = {NULL, "gang={'volcano':{}}", NULL, 0, "", ""};
    struct run runs[] = {run_grove_resolution(&good), run_grove_resolution(&bad),
                         run_resolution(&trainjob)};
    struct gang_decision *decision = runs[0].decision;
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;

    ck_assert_int_eq(
        gang_decision_prepare_pod(NULL, NULL, pod, strlen(pod), GANG_FORMAT_JSON, 0, &blob, &error),
        GANG_ERROR_INVALID_ARGUMENT);
    gang_error_free(error);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, decision, pod, strlen(pod), GANG_FORMAT_JSON,
                                               0, NULL, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, decision, pod, strlen(pod),
                                               (enum gang_format)9, 0, &blob, NULL),
                     GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, decision, pod, strlen(pod), GANG_FORMAT_JSON,
                                               1, &blob, NULL),
                     GANG_ERROR_UNSUPPORTED_FLAG);
    ck_assert_int_eq(
        gang_decision_prepare_pod(NULL, decision, "{", 1, GANG_FORMAT_JSON, 0, &blob, NULL),
        GANG_ERROR_SYNTAX);
    for (int i = 1; i < 3; i++)
        ck_assert_int_eq(gang_decision_prepare_pod(NULL, runs[i].decision, pod, strlen(pod),
                                                   GANG_FORMAT_JSON, 0, &blob, NULL),
                         GANG_ERROR_INVALID_ARGUMENT);
    ck_assert_ptr_null(blob);
    for (int i = 0; i < 3; i++)
        end_run(&runs[i]);
}
END_TEST

START_TEST(yaml_in_yaml_out)
{
    static const char pod[] =
        "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec: {schedulerName: a}\n";
    const struct resolution row = {NULL, "scheduler=default-scheduler", NULL, 0, "", ""};
    struct run run;
    struct gang_blob *blob = NULL;

    NEEDS_YAML();
    run = run_grove_resolution(&row);
    ck_assert_int_eq(gang_decision_prepare_pod(NULL, run.decision, pod, strlen(pod),
                                               GANG_FORMAT_YAML, 0, &blob, NULL),
                     GANG_OK);
    check_text(gang_blob_get_data(blob, NULL), "apiVersion: v1\nkind: Pod\nmetadata:\n  name: "
                                               "p\nspec:\n  schedulerName: default-scheduler\n");
    gang_blob_unref(blob);
    end_run(&run);
}
END_TEST

/* ---- pods of a job of another kind ---- */

#define JOB_OF_ROLES                                                                               \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangJob','metadata':{'name':'job',"       \
    "'namespace':'ml'},'spec':{'groupName':'job-0','owner':{'apiVersion':'a.io/"                   \
    "v1','kind':'Set','uid':'u-1'},"                                                               \
    "'roles':[{'name':'leader','requests':{}},{'name':'worker','count':3,'requests':{}}]}}"
#define POLICY_OF_BACKEND                                                                          \
    "{'apiVersion':'policy.libgang.dev/v1alpha1','kind':'GangPolicy','metadata':{'name':'p'},"     \
    "'spec':{%s}}"
#define OF_ROLE(name) LABELS("'policy.libgang.dev/role':'" name "'")

static const struct {
    const char *name, *policy, *pod;
    const char *after;   /* NULL: refused */
    enum gang_code code; /* of the refusal */
} role_pods[] = {
    {"a label of its role", "'defaultBackend':'coscheduling'", POD(OF_ROLE("worker"), CONTAINERS),
     POD(LABELS("'policy.libgang.dev/role':'worker','scheduling.x-k8s.io/pod-group':'job-0'"),
         CONTAINERS ",'schedulerName':'scheduler-plugins-scheduler'"),
     0},
    {"a subgroup of KAI", "'defaultBackend':'kai'", POD(OF_ROLE("leader"), CONTAINERS),
     POD(LABELS("'policy.libgang.dev/role':'leader','kai.scheduler/subgroup-name':'leader'")
             ANNOTATIONS("'kai.scheduler/skip-podgrouper':'true','pod-group-name':'job-0.ml'"),
         CONTAINERS ",'schedulerName':'kai-scheduler'"),
     0},
    {"a field", "'defaultBackend':'workload'",
     POD(OF_ROLE("worker"), CONTAINERS ",'schedulingGroup':{'podGroupName':'old'}"),
     POD(OF_ROLE("worker"),
         CONTAINERS ",'schedulingGroup':{'podGroupName':'job-0-gang-965c5c4f9'}"),
     0},
    {"no gang", "'rules':[{'name':'r','match':{},'action':'Skip'}]", POD("", CONTAINERS),
     POD("", CONTAINERS), 0},
    {"no role", "'defaultBackend':'coscheduling'", POD("", CONTAINERS), NULL,
     GANG_CODE_POD_LABEL_MISSING},
    {"no role among others", "'defaultBackend':'coscheduling'", POD(LABELS("'a':'b'"), CONTAINERS),
     NULL, GANG_CODE_POD_LABEL_MISSING},
    {"an unknown role", "'defaultBackend':'coscheduling'", POD(OF_ROLE("x"), CONTAINERS), NULL,
     GANG_CODE_POD_OF_ANOTHER_GANG},
};

static struct gang_document *
parse_spelled(const char *text)
{
    char spelled[DOCUMENT_SIZE];
    struct gang_document *document = NULL;

    spell(spelled, text);
    ck_assert_int_eq(gang_document_parse(NULL, spelled, strlen(spelled), 0, &document, NULL),
                     GANG_OK);
    return document;
}

static struct gang_decision *
decide_job_of_roles(const char *spec)
{
    char policy_text[DOCUMENT_SIZE];
    struct gang_document *job = parse_spelled(JOB_OF_ROLES);
    struct gang_inputs *inputs = gang_inputs_new();
    struct gang_decision *decision = NULL;
    struct gang_document *policy;

    snprintf(policy_text, sizeof(policy_text), POLICY_OF_BACKEND, spec);
    policy = parse_spelled(policy_text);
    ck_assert_int_eq(gang_inputs_add(inputs, policy), GANG_OK);
    ck_assert_int_eq(gang_resolve(NULL, job, inputs, 0, &decision, NULL), GANG_OK);
    gang_inputs_free(inputs);
    gang_document_unref(policy);
    gang_document_unref(job);
    return decision;
}

START_TEST(a_pod_gets_what_the_plan_has_for_its_role)
{
    struct gang_decision *decision = decide_job_of_roles(role_pods[_i].policy);
    char pod[DOCUMENT_SIZE];
    char after[DOCUMENT_SIZE];
    struct gang_blob *blob = NULL;
    struct gang_error *error = NULL;
    int result;

    spell(pod, role_pods[_i].pod);
    result = gang_decision_prepare_pod(NULL, decision, pod, strlen(pod), GANG_FORMAT_JSON, 0, &blob,
                                       &error);
    if (role_pods[_i].after) {
        ck_assert_int_eq(result, GANG_OK);
        spell(after, role_pods[_i].after);
        strcat(after, "\n");
        ck_assert_str_eq(gang_blob_get_data(blob, NULL), after);
    } else {
        ck_assert_int_eq(result, GANG_ERROR_INVALID);
        ck_assert_int_eq(gang_diagnostic_get_code(gang_error_get_diagnostic(error, 0)),
                         role_pods[_i].code);
    }
    gang_blob_unref(blob);
    gang_error_free(error);
    gang_decision_unref(decision);
}
END_TEST

void
add_tests(TCase *cases)
{
    add_rows(cases, a_pod_gets_what_the_plan_has_for_its_role, role_pods, name, policy);
    add_rows(cases, prepares_like_grove, prepared, name, policy, job);
    add_rows(cases, unschedulable_pods_are_refused, refused, name, policy, job);
    tcase_add_test(cases, misuse_is_refused);
    tcase_add_test(cases, yaml_in_yaml_out);
}
